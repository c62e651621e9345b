"""How many durable moves the real server makes in a second, beside what its store alone does in the same run.

The server runs as a process of its own and is asked over HTTP, so what is measured is what players get.
"""

import asyncio
import http.client
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from typing import Any

from mozaika.store import Event, Header
from mozaika.store.sqlite import SqliteStore

WATCHERS = 2
SECONDS_TO_START = 60


@dataclass(frozen=True)
class ServerSpeed:
    """What players at many tables at once get, and what the store could do."""

    games: int
    watchers: int
    moves: int
    seconds: float
    moves_per_s: float
    p50_ms: float
    """From the request to the answer, which comes when the move is kept."""
    p99_ms: float
    news_p50_ms: float
    """From the request to the first watcher's seeing the move."""
    news_p99_ms: float
    server_cpu_ms_per_move: float | None
    """CPU time of the server for each accepted move, both players and all watchers served; None where the
    machine does not tell.
    """
    store_moves_per_s: float
    """The same number of games, each waiting for its move to be kept, without a server."""
    store_p50_ms: float
    store_p99_ms: float
    ratio: float
    """Moves a second of the server to those of the store."""


def measure_server(game: str, games: int = 10, seconds: float = 5.0) -> ServerSpeed:
    """Play moves at so many tables of a game for so long, each table with two watchers."""
    with tempfile.TemporaryDirectory() as folder:
        with _server(Path(folder)) as (port, process):
            tables = [_Table(port, game) for _ in range(games)]
            for table in tables:
                table.open()
            start, spent = time.perf_counter(), _cpu_seconds(process)
            with ThreadPoolExecutor(games) as pool:
                list(pool.map(lambda table: table.play(start + seconds), tables))
            took, spent_then = time.perf_counter() - start, _cpu_seconds(process)
            for table in tables:
                table.close()
        store = asyncio.run(_time_store(Path(folder) / "alone.db", games, seconds))
    answers = [each for table in tables for each in table.answers]
    news = [each for table in tables for each in table.news]
    rate, store_rate = len(answers) / took, len(store) / seconds
    return ServerSpeed(
        games=games,
        watchers=WATCHERS * games,
        moves=len(answers),
        seconds=took,
        moves_per_s=rate,
        p50_ms=_percentile(answers, 50),
        p99_ms=_percentile(answers, 99),
        news_p50_ms=_percentile(news, 50),
        news_p99_ms=_percentile(news, 99),
        server_cpu_ms_per_move=None
        if spent is None or spent_then is None
        else 1000 * (spent_then - spent) / max(1, len(answers)),
        store_moves_per_s=store_rate,
        store_p50_ms=_percentile(store, 50),
        store_p99_ms=_percentile(store, 99),
        ratio=rate / store_rate,
    )


def _cpu_seconds(process: int) -> float | None:
    """What a process has used of the processor so far."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _percentile(times: list[float], percent: int) -> float:
    return 1000 * quantiles(times, n=100, method="inclusive")[percent - 1] if len(times) > 1 else 0.0


@contextmanager
def _server(folder: Path) -> Iterator[tuple[int, int]]:
    """A server with an empty store: its port and its process."""
    limits = ("--burst", "1000000000", "--rate", "1000000000", "--patience", "0")
    command = [sys.executable, "-m", "mozaika", "serve", "--no-open", "--port", "0", *limits]
    process = subprocess.Popen(  # noqa: S603  our own program
        [*command, "--store", str(folder / "games.db")], stdout=subprocess.PIPE, text=True
    )
    try:
        found = re.search(r"127\.0\.0\.1:(\d+)/", process.stdout.readline() if process.stdout else "")
        if found is None:
            raise ValueError("The server did not start.")
        port = int(found[1])
        _wait_for(port)
        yield port, process.pid
    finally:
        process.terminate()
        process.communicate()


def _wait_for(port: int) -> None:
    last = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < last:
        with suppress(OSError):
            connection = http.client.HTTPConnection("127.0.0.1", port)
            try:
                connection.request("GET", "/livez")
                connection.getresponse().read()
            finally:
                connection.close()
            return
        time.sleep(0.02)
    raise ValueError("The server did not start.")


class _Table:
    """One game on one screen, played as fast as it goes, and those who watch it."""

    def __init__(self, port: int, game: str) -> None:
        self.port = port
        self.game = game
        self.connection = http.client.HTTPConnection("127.0.0.1", port)
        self.cookie = self.id = ""
        self.answers: list[float] = []
        self.news: list[float] = []
        self._sent: dict[int, float] = {}
        self._watching: list[tuple[http.client.HTTPConnection, threading.Thread]] = []

    def open(self) -> None:
        """Found the game and let the watchers in."""
        wish = {"game": self.game, "seats": [{"kind": "me"}, {"kind": "screen"}]}
        self.id = self._ask("POST", "/api/games", wish)["id"]
        for watcher in range(WATCHERS):
            connection = http.client.HTTPConnection("127.0.0.1", self.port)
            connection.request("GET", f"/api/games/{self.id}/events")
            stream = connection.getresponse()
            thread = threading.Thread(target=self._watch, args=(stream, watcher == 0), daemon=True)
            thread.start()
            self._watching.append((connection, thread))

    def play(self, until: float) -> None:
        """Play the first move there is, again and again."""
        while time.perf_counter() < until:
            view = self._ask("GET", f"/api/games/{self.id}/view")
            if view["over"]:
                self.close()
                self.open()
                continue
            walks, seq = view["scene"]["walks"], view["seq"]
            wish = {"seq": seq, "seat": view["you"]["seat"], "move": walks[seq % len(walks)]["move"]}
            start = self._sent[seq] = time.perf_counter()
            self._ask("POST", f"/api/games/{self.id}/moves", wish)
            self.answers.append(time.perf_counter() - start)

    def close(self) -> None:
        for connection, thread in self._watching:
            connection.sock.shutdown(socket.SHUT_RDWR)  # wakes the thread that reads from it
            thread.join()
            connection.close()
        self._watching.clear()
        self._sent.clear()
        self.connection.close()

    def _watch(self, stream: http.client.HTTPResponse, timed: bool) -> None:
        with suppress(OSError, http.client.HTTPException):
            while line := stream.readline():
                if timed and line.startswith(b"id: "):
                    now, seq = time.perf_counter(), int(line[4:])
                    due = [sent for sent in list(self._sent) if sent < seq]
                    self.news += [now - self._sent.pop(sent) for sent in due]

    def _ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        headers = {"Content-Type": "application/json", "Idempotency-Key": f"bench-{time.perf_counter_ns()}"}
        if self.cookie:
            headers["Cookie"] = self.cookie
        text = json.dumps(body) if body else None
        try:
            answer = self._send(method, path, text, headers)
        except ConnectionError:  # a server hangs up on who was silent for some seconds
            self.connection.close()
            answer = self._send(method, path, text, headers)
        told = answer.read()
        if cookie := answer.getheader("Set-Cookie"):
            self.cookie = cookie.split(";")[0]
        if answer.status >= 300:
            raise ValueError(f"The server answered {answer.status}: {told.decode()}")
        return json.loads(told)

    def _send(
        self, method: str, path: str, text: str | None, headers: dict[str, str]
    ) -> http.client.HTTPResponse:
        self.connection.request(method, path, text, headers)
        return self.connection.getresponse()


async def _time_store(path: Path, games: int, seconds: float) -> list[float]:
    """How long each move takes to be kept, if nothing else is done."""
    store = SqliteStore(path)
    times: list[float] = []

    async def play(name: str) -> None:
        header = Header(id=name, game="none", version=1, options={}, seats=2, owner=name, link="")
        await store.create(header, [])
        for seq in range(1, 1 << 40):
            start = time.perf_counter()
            if start >= until:
                return
            await store.append(name, [Event(seq, 0, "move", "a move", f"bench-{seq}")])
            times.append(time.perf_counter() - start)

    until = time.perf_counter() + seconds
    await asyncio.gather(*(play(f"bench {number}") for number in range(games)))
    await store.close()
    return times
