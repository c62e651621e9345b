"""How long a move takes at one table while somebody else misbehaves, beside how long it takes before.

A real server with its usual limits, on this machine only. Players and attackers come from addresses of their
own (127.x.y.z), attackers from a process that leaves the processor to others, as another machine would. Each
attack is one small function, bounded in number and time.
"""

import asyncio
import http.client
import json
import os
import tempfile
import time
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from random import SystemRandom
from statistics import median
from typing import Any

from mozaika.games import GAMES
from mozaika.lab.bench_server import _percentile, _server
from mozaika.table import Table

PAIRS, QUIET, ATTACKED, BETWEEN_MOVES = 3, 3.0, 4.0, 0.04
"""So often a quiet stretch and one with the attack follow each other: nothing else slows only one of them."""
SECONDS_TO_BEGIN = 3.0
LIMITS = ("--webhooks", "--webhook-hosts", "127.0.0.1", "--patience", "0", "--answer-seconds", "0")
ODD_RECORD = b"Mozaika record 1\n" + b"".join(b"Odd-%d: x\n" % n for n in range(70_000))


@dataclass(frozen=True)
class AttackCost:
    """What one attack does to moves at another table: medians of the pairs, in milliseconds."""

    attack: str
    moves: int
    quiet_p50_ms: float
    quiet_p99_ms: float
    attacked_p50_ms: float
    attacked_p99_ms: float
    ratio: float
    """Of the two p99: the median of the pairs."""


@dataclass(frozen=True)
class Target:
    """What attackers know: the port, the game, a table, and their own address."""

    port: int
    game: str
    table: str
    address: str


def measure_attacks(game: str, names: list[str] | None = None) -> list[AttackCost]:
    """Each attack for a few seconds, after a few quiet ones, several times."""
    with (
        tempfile.TemporaryDirectory() as folder,
        _server(str(Path(folder) / "games.db"), LIMITS) as (port, _),
    ):
        return [_measure(port, game, name, n) for n, name in enumerate(names or list(ATTACKS), 1)]


def _measure(port: int, game: str, name: str, number: int) -> AttackCost:
    player = Player(port, f"127.0.1.{number}")
    player.open(game, {"kind": "me"}, {"kind": "screen"})
    player.play(game, time.perf_counter() + 1)  # warms up
    pairs = [_compare(player, game, name, f"127.0.{2 + pair}.{number}") for pair in range(PAIRS)]
    quiet_50, quiet_99, attacked_50, attacked_99 = (
        median(_percentile(pair[when], percent) for pair in pairs) for when in (0, 1) for percent in (50, 99)
    )
    ratio = median(_percentile(attacked, 99) / _percentile(quiet, 99) for quiet, attacked in pairs)
    moves = sum(len(attacked) for _, attacked in pairs)
    return AttackCost(name, moves, quiet_50, quiet_99, attacked_50, attacked_99, ratio)


def _compare(player: "Player", game: str, name: str, address: str) -> tuple[list[float], list[float]]:
    """How long moves take in quiet, and while an address attacks that has not been seen before."""
    quiet = player.play(game, time.perf_counter() + QUIET)
    target = Target(player.port, game, player.table, address)
    attacker = get_context("spawn").Process(target=_attack, args=(name, target), daemon=True)
    attacker.start()
    time.sleep(SECONDS_TO_BEGIN)
    attacked = player.play(game, time.perf_counter() + ATTACKED)
    attacker.kill()
    attacker.join()
    return quiet, attacked


class Player:
    """Somebody who plays on one screen, at the pace of a quick family."""

    def __init__(self, port: int, address: str) -> None:
        self.port, self.address, self.cookie, self.table = port, address, "", ""

    def open(self, game: str, *seats: dict[str, str]) -> None:
        self.table = self.ask("POST", "/api/games", {"game": game, "seats": seats})["id"]

    def play(self, game: str, until: float) -> list[float]:
        """How long each move took until it was kept and answered."""
        times = []
        while time.perf_counter() < until:
            view = self.ask("GET", f"/api/games/{self.table}/view")
            if view["over"]:
                self.open(game, {"kind": "me"}, {"kind": "screen"})
                continue
            walks = [walk for walk in view["scene"]["walks"] if "move" in walk]
            move = walks[view["seq"] % len(walks)]["move"]
            wish = {"seq": view["seq"], "seat": view["you"]["seat"], "move": move}
            began = time.perf_counter()
            self.ask("POST", f"/api/games/{self.table}/moves", wish)
            times.append(time.perf_counter() - began)
            time.sleep(BETWEEN_MOVES)
        return times

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        connection = http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=60, source_address=(self.address, 0)
        )
        headers = {"Content-Type": "application/json", "Idempotency-Key": f"attack-{time.perf_counter_ns()}"}
        if self.cookie:
            headers["Cookie"] = self.cookie
        try:
            connection.request(method, path, json.dumps(body) if body is not None else None, headers)
            answer = connection.getresponse()
            told = answer.read()
        finally:
            connection.close()
        if cookie := answer.getheader("Set-Cookie"):
            self.cookie = cookie.split(";")[0]
        if answer.status == 429:
            time.sleep(1)
            return self.ask(method, path, body)
        if answer.status >= 300:
            raise ValueError(f"The server answered {answer.status}: {told.decode()}")
        return json.loads(told) if told else None


def _attack(name: str, target: Target) -> None:
    with suppress(AttributeError):  # there is no such thing on Windows
        os.nice(19)
    asyncio.run(ATTACKS[name](target))


async def _connect(target: Target) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection("127.0.0.1", target.port, local_addr=(target.address, 0))


async def _send(target: Target, method: str, path: str, body: bytes = b"") -> bytes:
    """One request without a cookie; the body of its answer, if there is one."""
    answer = b""
    with suppress(OSError, asyncio.IncompleteReadError):
        reader, writer = await _connect(target)
        key = f"attack-{time.perf_counter_ns()}"
        head = f"{method} {path} HTTP/1.1\r\nHost: here\r\nConnection: close\r\nIdempotency-Key: {key}\r\n"
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        writer.write(head.encode() + body)
        answer = await reader.read()
        writer.close()
    return answer.partition(b"\r\n\r\n")[2]


async def _for_ever(work: Callable[[], Awaitable[object]], at_once: int) -> None:
    async def repeat() -> None:
        while True:
            await work()
            await asyncio.sleep(0.01)

    await asyncio.gather(*(repeat() for _ in range(at_once)))


async def _hold(target: Target, number: int, head: str) -> None:
    """Keep so many connections that have sent this; those that are closed are opened anew."""

    async def hold() -> None:
        while True:
            with suppress(OSError):
                reader, writer = await _connect(target)
                writer.write(head.encode())
                while await reader.read(65_536):
                    pass
                writer.close()
            await asyncio.sleep(1)

    await asyncio.gather(*(hold() for _ in range(number)))


async def flood(target: Target) -> None:
    """Views as fast as they come, over 64 connections."""
    await _for_ever(lambda: _send(target, "GET", f"/api/games/{target.table}/view"), 64)


async def flood_api(target: Target) -> None:
    """The page of the API, over and over."""
    await _for_ever(lambda: _send(target, "GET", "/api"), 16)


async def idle_streams(target: Target) -> None:
    """A thousand streams that nobody needs."""
    player = await asyncio.to_thread(_open_elsewhere, target)
    await _hold(target, 1_000, f"GET /api/games/{player.table}/events HTTP/1.1\r\nHost: here\r\n\r\n")


async def stalled_readers(target: Target) -> None:
    """A hundred that ask for much, over and over, and read nothing of it."""
    head = "GET /static/types.d.ts HTTP/1.1\r\nHost: here\r\n\r\n" * 60

    async def stall() -> None:
        with suppress(OSError):
            reader, writer = await _connect(target)
            writer.transport.pause_reading()  # type: ignore[attr-defined]
            writer.write(head.encode())
            await asyncio.sleep(60)
            writer.close()
            del reader

    await _for_ever(stall, 100)


async def flapping(target: Target) -> None:
    """Two hundred watchers of one table, and one that comes and goes."""
    player = await asyncio.to_thread(_open_elsewhere, target)
    head = f"GET /api/games/{player.table}/events HTTP/1.1\r\nHost: here\r\n\r\n"

    async def flap() -> None:
        with suppress(OSError):
            _, writer = await _connect(target)
            writer.write(head.encode())
            await asyncio.sleep(0.02)
            writer.close()

    await asyncio.gather(_hold(target, 200, head), _for_ever(flap, 1))


async def half_headers(target: Target) -> None:
    """Eleven hundred requests that are begun and never end."""
    await _hold(target, 1_100, "GET / HTTP/1.1\r\nHost: here\r\nX-Half: ")


async def openings(target: Target) -> None:
    """Tables without end by clients without cookies."""
    wish = json.dumps({"game": target.game, "seats": [{"kind": "me"}, {"kind": "screen"}]}).encode()
    await _for_ever(lambda: _send(target, "POST", "/api/games", wish), 16)


async def own_boards(target: Target) -> None:
    """Tables with boards of one's own without end, no two alike, and somebody who looks at each."""
    game, name, drawing = next(
        (game, *each) for game in GAMES.values() for each in game.drawings.items() if each[1].joins
    )

    async def open_one() -> None:
        rows = drawing.example.split("/")
        SystemRandom().shuffle(rows)
        options = {name: "/".join(rows), drawing.joins: drawing.names[0]}
        seats = [{"kind": "me"}] * game.seats[0]
        wish = json.dumps({"game": game.id, "seats": seats, "options": options}).encode()
        with suppress(ValueError, KeyError):
            table = json.loads(await _send(target, "POST", "/api/games", wish))["id"]
            await _send(target, "GET", f"/api/games/{table}/view")

    await _for_ever(open_one, 16)


async def hindsight(target: Target) -> None:
    """What would have been possible in finished games, of which more and more are sent as records."""
    game = next(game for game in GAMES.values() if game.hindsight is not None)
    table, number = Table(game, game.seats[0]), count(1)
    while not table.is_over:
        table.play(table.legal_moves(table.movers[0])[0], table.movers[0])

    async def ask() -> None:
        names = tuple(f"{next(number)} {name}" for name in table.names)  # the same record is the same table
        text = replace(table.record(), names=names).write()
        with suppress(ValueError, KeyError):
            kept = json.loads(await _send(target, "POST", "/api/records", text.encode()))
            await _send(target, "GET", f"/api/games/{kept['id']}/hindsight")

    await _for_ever(ask, 24)


async def champions(target: Target) -> None:
    """Twenty-eight tables of champions alone, each watched."""
    seats = [{"kind": "bot", "bot": "champion"}] * 2

    async def watch() -> None:
        player = Player(target.port, target.address)
        await asyncio.to_thread(player.open, target.game, *seats)
        await _hold(target, 1, f"GET /api/games/{player.table}/events HTTP/1.1\r\nHost: here\r\n\r\n")

    await asyncio.gather(*(watch() for _ in range(28)))


async def verify(target: Target) -> None:
    """Twelve times a megabyte of odd headers at once."""
    await _for_ever(lambda: _send(target, "POST", "/api/verify", ODD_RECORD[: 1 << 20]), 12)


async def backtracking(target: Target) -> None:
    """Texts that a careless parser would look at for ever."""
    text = f"{target.game}%20" + "a%20" * 1_500
    why = json.dumps({"seat": 1, "move": "x " * 100}).encode()

    async def ask() -> None:
        await _send(target, "GET", f"/api/position.svg?position={text}")
        await _send(target, "POST", f"/api/games/{target.table}/why", why)

    await _for_ever(ask, 16)


async def dripping_hooks(target: Target) -> None:
    """Moves whose turns are announced to something that never answers to the end."""

    async def drip(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while True:
                writer.write(b"H")
                await asyncio.sleep(0.2)
                await writer.drain()

    server = await asyncio.start_server(drip, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"

    def play() -> None:
        player = _open_elsewhere(target)
        for seat in (1, 2):
            player.ask("POST", f"/api/games/{player.table}/seats/{seat}/hook", {"url": url})
        player.play(target.game, time.perf_counter() + 60)

    await asyncio.gather(*(asyncio.to_thread(play) for _ in range(6)))


def _open_elsewhere(target: Target) -> Player:
    player = Player(target.port, target.address)
    player.open(target.game, {"kind": "me"}, {"kind": "screen"})
    return player


ATTACKS: dict[str, Callable[[Target], Coroutine[Any, Any, None]]] = {
    attack.__name__: attack
    for attack in (
        flood,
        flood_api,
        idle_streams,
        stalled_readers,
        flapping,
        half_headers,
        openings,
        own_boards,
        hindsight,
        champions,
        verify,
        backtracking,
        dripping_hooks,
    )
}
