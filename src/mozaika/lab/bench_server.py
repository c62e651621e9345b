"""How many durable moves the real server makes in a second, beside what its store alone does in the same run.

The server runs as a process of its own and is asked over HTTP as pages ask it: two players and two watchers
follow the news of each table, and a player who reads there that it is their turn sends a move.
"""

import asyncio
import http.client
import json
import os
import re
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from statistics import quantiles
from typing import Any

import msgspec

from mozaika.store import Event, Header
from mozaika.store.place import store_at

PLAYERS, WATCHERS = 2, 2
SECONDS_TO_START, SECONDS_TO_LOAD = 60, 600
CALM_SECONDS = 0.5
"""A server that has hardly done anything for so long has loaded what it needs."""
LONGEST_NEWS = 1 << 20
UNLIMITED = ("--burst", "1000000000", "--rate", "1000000000", "--patience", "0", "--answer-seconds", "0")


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
    servers: int
    hint_p50_ms: float | None
    """Until another process has heard of a move after it was kept; None where there is only one."""
    hint_p99_ms: float | None


def measure_server(
    game: str, games: int = 10, seconds: float = 5.0, store_url: str = "", servers: int = 1
) -> ServerSpeed:
    """Play moves at so many tables of a game for so long, each table with two players and two watchers.

    With the address of a database of PostgreSQL it keeps the games; then there may be several servers, and
    those at one table are at different ones.
    """
    with tempfile.TemporaryDirectory() as folder:
        with ExitStack() as stack:
            place = store_url or str(Path(folder) / "games.db")
            found = [stack.enter_context(_server(place)) for _ in range(servers)]
            ports, processes = [port for port, _ in found], [process for _, process in found]
            tables = [_Table(ports, game) for _ in range(games)]
            took, spent = asyncio.run(_play_all(tables, processes, seconds))
        alone = store_url or str(Path(folder) / "alone.db")
        store, hints = asyncio.run(_time_store(alone, games, seconds))
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
        server_cpu_ms_per_move=None if spent is None else 1000 * spent / max(1, len(answers)),
        store_moves_per_s=store_rate,
        store_p50_ms=_percentile(store, 50),
        store_p99_ms=_percentile(store, 99),
        ratio=rate / store_rate,
        servers=servers,
        hint_p50_ms=_percentile(hints, 50) if hints else None,
        hint_p99_ms=_percentile(hints, 99) if hints else None,
    )


async def _play_all(
    tables: "list[_Table]", processes: list[int], seconds: float
) -> tuple[float, float | None]:
    """The seconds it took, and those of the processor that all servers spent."""
    try:
        for table in tables:
            await table.open()
        for process in processes:
            await _calm(process)
        start, spent = time.perf_counter(), _cpu_of_all(processes)
        await asyncio.gather(*(table.play(start + seconds) for table in tables))
        took, spent_then = time.perf_counter() - start, _cpu_of_all(processes)
    finally:
        for table in tables:
            table.close()
    return took, None if spent is None or spent_then is None else spent_then - spent


async def _calm(process: int) -> None:
    """Wait until the server has compiled and loaded its kernels, which is no part of a move."""
    last = time.monotonic() + SECONDS_TO_LOAD
    before = _cpu_with_helpers(process)
    while before is not None and time.monotonic() < last:
        await asyncio.sleep(CALM_SECONDS)
        now = _cpu_with_helpers(process)
        if now is None or abs(now - before) < 0.1 * CALM_SECONDS:
            return
        before = now


def _cpu_with_helpers(process: int) -> float | None:
    """What a server and the processes beside it have used of processors so far."""
    own = _cpu_seconds(process)
    lists = [found.read_text("utf-8") for found in Path(f"/proc/{process}/task").glob("*/children")]
    helpers = [_cpu_seconds(int(each)) or 0.0 for found in lists for each in found.split()]
    return None if own is None else own + sum(helpers)


def _cpu_seconds(process: int) -> float | None:
    """What a process has used of the processor so far."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _cpu_of_all(processes: list[int]) -> float | None:
    spent = [each for each in map(_cpu_seconds, processes) if each is not None]
    return sum(spent) if len(spent) == len(processes) else None


def _percentile(times: list[float], percent: int) -> float:
    return 1000 * quantiles(times, n=100, method="inclusive")[percent - 1] if len(times) > 1 else 0.0


@contextmanager
def _server(place: str, settings: Sequence[str] = UNLIMITED) -> Iterator[tuple[int, int]]:
    """A server with a store: its port and its process."""
    command = [sys.executable, "-m", "mozaika", "serve", "--no-open", "--port", "0", *settings]
    process = subprocess.Popen(  # noqa: S603  our own program
        [*command, "--store", place], stdout=subprocess.PIPE, text=True
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


class _Seat(msgspec.Struct):
    seat: int
    turn: bool


class _Walk(msgspec.Struct):
    move: str


class _Scene(msgspec.Struct):
    walks: list[_Walk]


class _View(msgspec.Struct):
    """What a player needs of a view."""

    seq: int
    over: bool
    you: _Seat
    scene: _Scene


class _Guest:
    """A browser: what it asks goes over one connection, the news come over another, both from an address of
    its own, as far as the system lets us: a server does little at once for one address.
    """

    _numbers = count()

    def __init__(self, port: int) -> None:
        number = next(self._numbers) % 62_500
        self.port = port
        self.address = (
            f"127.1.{1 + number // 250}.{1 + number % 250}" if sys.platform == "linux" else "127.0.0.1"
        )
        self.cookie = ""
        self._asking: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._following: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """What the server answers."""
        text = json.dumps(body).encode() if body else b""
        try:
            return await self._ask(method, path, text)
        except (ConnectionError, asyncio.IncompleteReadError):
            # a server hangs up on who was silent for some seconds
            if self._asking is not None:
                self._asking[1].close()
            self._asking = None
            return await self._ask(method, path, text)

    async def _ask(self, method: str, path: str, text: bytes) -> Any:
        self._asking = self._asking or await self._connect()
        reader, writer = self._asking
        writer.write(self._head(method, path, len(text)) + text)
        status, headers = await _read_head(reader)
        told = await reader.readexactly(int(headers.get("content-length", 0)))
        if cookie := headers.get("set-cookie"):
            self.cookie = cookie.split(";")[0]
        if status >= 300:
            raise ValueError(f"The server answered {status}: {told.decode()}")
        return json.loads(told) if told else None

    async def follow(self, path: str) -> None:
        """Ask for the news of a table."""
        self._following = await self._connect()
        reader, writer = self._following
        writer.write(self._head("GET", path))
        await _read_head(reader)

    async def news(self) -> AsyncIterator[tuple[int, bytes]]:
        """Each view as it comes: its seq and its text. An event is one chunk, and has no empty line in it."""
        reader, _ = self._following or await self._connect()
        while event := await reader.readuntil(b"\n\n"):
            if b"event: view\n" in event[:40]:
                _, _, told = event.partition(b"id: ")
                seq, _, text = told.partition(b"\ndata: ")
                yield int(seq), text

    def _head(self, method: str, path: str, length: int = 0) -> bytes:
        lines = [
            f"{method} {path} HTTP/1.1",
            "Host: 127.0.0.1",
            "Content-Type: application/json",
            f"Content-Length: {length}",
            f"Idempotency-Key: bench-{time.perf_counter_ns()}",
        ]
        if self.cookie:
            lines.append(f"Cookie: {self.cookie}")
        return "\r\n".join([*lines, "", ""]).encode()

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(
            "127.0.0.1", self.port, limit=LONGEST_NEWS, local_addr=(self.address, 0)
        )

    def close(self) -> None:
        for connection in (self._asking, self._following):
            if connection is not None:
                connection[1].close()
        self._asking = self._following = None


async def _read_head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    """The status of an answer, and its headers."""
    first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    headers = (line.partition(": ") for line in lines if line)
    return int(first.split()[1]), {name.lower(): value for name, _, value in headers}


class _Table:
    """One game of two guests, played as fast as it goes, and those who watch it."""

    def __init__(self, ports: Sequence[int], game: str) -> None:
        self.game = game
        self.at = ""
        self.guests = [_Guest(ports[number % len(ports)]) for number in range(PLAYERS + WATCHERS)]
        self.answers: list[float] = []
        self.news: list[float] = []
        self._moved = 0
        """The seq at which the last move was sent."""
        self._sent: dict[int, float] = {}
        """When moves were sent that no watcher has seen yet, by the seq at which they were."""

    async def open(self) -> None:
        """Open a game, let the second player sit down, and everybody follow the news."""
        host, friend = self.guests[:PLAYERS]
        wish = {"game": self.game, "seats": [{"kind": "me"}, {"kind": "open"}]}
        made = await host.ask("POST", "/api/games", wish)
        self.at = f"/api/games/{made['id']}"
        await friend.ask("POST", f"{self.at}/enter", {"token": made["link"].partition("#k=")[2]})
        await friend.ask("POST", f"{self.at}/seats/2", {"action": "sit"})
        for guest in self.guests:
            await guest.follow(f"{self.at}/events")

    async def play(self, until: float) -> None:
        """Play one game after the other."""
        while time.perf_counter() < until:
            players = [asyncio.create_task(self._play(guest, until)) for guest in self.guests[:PLAYERS]]
            watchers = [asyncio.create_task(self._watch(guest)) for guest in self.guests[PLAYERS:]]
            done, going_on = await asyncio.wait([*players, *watchers], return_when=asyncio.FIRST_COMPLETED)
            for task in going_on:
                task.cancel()
            for task in done:
                task.result()
            self.close()
            if time.perf_counter() < until:
                await self.open()

    async def _play(self, guest: _Guest, until: float) -> None:
        """Play one move or another whenever it is one's turn, until the game or the time is over."""
        async for seq, text in guest.news():
            view = _views.decode(text)
            if view.over or time.perf_counter() >= until:
                return
            if view.you.turn and seq != self._moved:
                walks, self._moved = view.scene.walks, seq
                wish = {"seq": seq, "seat": view.you.seat, "move": walks[seq % len(walks)].move}
                start = self._sent[seq] = time.perf_counter()
                await guest.ask("POST", f"{self.at}/moves", wish)
                self.answers.append(time.perf_counter() - start)

    async def _watch(self, guest: _Guest) -> None:
        async for seq, _ in guest.news():
            if guest is self.guests[-1]:
                seen = [sent for sent in self._sent if sent < seq]
                self.news += [time.perf_counter() - self._sent.pop(sent) for sent in seen]

    def close(self) -> None:
        for guest in self.guests:
            guest.close()
        self._sent.clear()
        self._moved = 0


_views = msgspec.json.Decoder(_View)


async def _time_store(place: str, games: int, seconds: float) -> tuple[list[float], list[float]]:
    """How long each move takes to be kept, if nothing else is done, and to be heard of by another process."""
    store, times, heard = store_at(place), list[float](), list[float]()
    kept: dict[str, float] = {}
    await store.open()
    other = store_at(place) if store.is_shared else None
    if other is not None:
        await other.open()
        await other.changes(SECONDS_TO_START)

    async def hear() -> None:
        while other is not None:
            names = await other.changes(1.0) or ()
            heard.extend(time.perf_counter() - kept.pop(name) for name in names if name in kept)

    async def play(name: str) -> None:
        header = Header(id=name, game="none", version=1, options={}, seats=2, owner=name, link="")
        await store.create(header, [])
        for seq in range(1, 1 << 40):
            start = time.perf_counter()
            if start >= until:
                return
            await store.append(name, [Event(seq, 0, "move", "a move", f"bench-{seq}")])
            times.append(time.perf_counter() - start)
            kept.setdefault(name, time.perf_counter())

    until, hearing = time.perf_counter() + seconds, asyncio.create_task(hear())
    run = secrets.token_hex(4)
    await asyncio.gather(*(play(f"bench {run} {number}") for number in range(games)))
    hearing.cancel()
    for each in (store, other):
        if each is not None:
            await each.close()
    return times, heard
