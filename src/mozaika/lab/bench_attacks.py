"""How long a move takes at one table while somebody else misbehaves, beside how long it takes before.

A real server with its usual limits, on this machine only. Players and attackers come from addresses of their
own (127.x.y.z). They stand for other machines, so they have other processors than the server, where the
system lets us say so, and the player goes before the attackers. What the machine does to a player beside whom
somebody computes is measured by itself (`busy`), and so is how much of its processor the server uses. Each
attack is one small function, bounded in number and time, and is looked at from its first moment on.
"""

import asyncio
import http.client
import json
import os
import tempfile
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import count, cycle
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

from mozaika.game import Game
from mozaika.games import GAMES
from mozaika.lab.bench_server import _calm, _cpu_seconds, _percentile, _server
from mozaika.table import Table

PAIRS, MOVES, BETWEEN_MOVES = 4, 300, 0.005
"""So often quiet moves and as many with the attack follow each other: nothing else slows only one of them.
Of twelve hundred moves twelve are slower than the p99; of a hundred it would be the slowest one.
"""
TABLES = 20
"""Each with an address of its own; they move in turn, so nobody is near a limit."""
DRAWN, SURE = 400, 0.9
"""For the interval of a ratio: so often other moves are drawn from those measured."""
SECONDS_TO_BEGIN, WARMING = 30.0, 60
LIMITS = ("--webhooks", "--webhook-hosts", "127.0.0.1", "--patience", "0", "--answer-seconds", "0")
ODD_RECORD = b"Mozaika record 1\n" + b"".join(b"Odd-%d: x\n" % n for n in range(70_000))


@dataclass(frozen=True)
class AttackCost:
    """What one attack does to moves at another table, all pairs together, in milliseconds."""

    attack: str
    moves: int
    quiet_p50_ms: float
    quiet_p99_ms: float
    attacked_p50_ms: float
    attacked_p99_ms: float
    ratio: float
    """Of the two p99, and between what it lies."""
    ratio_low: float
    ratio_high: float
    quiet_server: float | None
    """How much of one processor the server uses, 1 for all of it; None where the machine does not tell."""
    attacked_server: float | None
    attackers: float | None
    """How much of one processor the attackers use."""


@dataclass(frozen=True)
class Target:
    """What attackers know: the port, the game, a table, and their own address."""

    port: int
    game: str
    table: str
    address: str

    def seen_from(self, number: int) -> "Target":
        """The same for an accomplice at another address."""
        first, second, rest = self.address.split(".", 2)
        return replace(self, address=f"{first}.{int(second) - number}.{rest}")


@dataclass
class Stretch:
    """Moves one after another, and what they and everything else meanwhile took of processors."""

    times: list[float]
    seconds: float
    server: float | None
    attackers: float | None


def measure_attacks(game: str, names: list[str] | None = None) -> Iterator[AttackCost]:
    """Each attack for a few seconds, after a few quiet ones, several times; what is known comes at once."""
    ours, others = _share_processors()
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        with _on(ours):
            port, process = stack.enter_context(_server(str(Path(folder) / "games.db"), LIMITS))
        with _on(others):
            people = [Player(port, f"127.0.1.{number}") for number in range(1, TABLES + 1)]
            for player in people:
                player.open(game, {"kind": "me"}, {"kind": "screen"})
            _play(people, game, process, moves=WARMING)
            asyncio.run(_calm(process))
            for number, name in enumerate(names or ATTACKS, 1):
                yield _measure(people, process, game, name, number)


def _share_processors() -> tuple[set[int], set[int]]:
    """Those of the server and those of everybody else; none of their own where they cannot be shared out."""
    if not hasattr(os, "sched_getaffinity"):
        return set(), set()
    found = sorted(os.sched_getaffinity(0))
    half = len(found) // 2
    return set(found[:half]), set(found[half:])


@contextmanager
def _on(processors: set[int]) -> Iterator[None]:
    """What is started meanwhile runs on these processors."""
    if not processors:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, processors)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _measure(people: "list[Player]", process: int, game: str, name: str, number: int) -> AttackCost:
    pairs = [_compare(people, process, game, name, f"{2 + pair}.{number}") for pair in range(PAIRS)]
    quiet, attacked = _join([pair[0] for pair in pairs]), _join([pair[1] for pair in pairs])
    low, high = _interval(quiet.times, attacked.times)
    return AttackCost(
        attack=name,
        moves=len(attacked.times),
        quiet_p50_ms=_percentile(quiet.times, 50),
        quiet_p99_ms=_percentile(quiet.times, 99),
        attacked_p50_ms=_percentile(attacked.times, 50),
        attacked_p99_ms=_percentile(attacked.times, 99),
        ratio=_percentile(attacked.times, 99) / _percentile(quiet.times, 99),
        ratio_low=low,
        ratio_high=high,
        quiet_server=None if quiet.server is None else quiet.server / quiet.seconds,
        attacked_server=None if attacked.server is None else attacked.server / attacked.seconds,
        attackers=None if attacked.attackers is None else attacked.attackers / attacked.seconds,
    )


def _join(stretches: list[Stretch]) -> Stretch:
    def add(values: list[float | None]) -> float | None:
        known = [each for each in values if each is not None]
        return sum(known) if len(known) == len(values) else None

    return Stretch(
        [each for stretch in stretches for each in stretch.times],
        sum(stretch.seconds for stretch in stretches),
        add([stretch.server for stretch in stretches]),
        add([stretch.attackers for stretch in stretches]),
    )


def _interval(quiet: list[float], attacked: list[float]) -> tuple[float, float]:
    """Between what the ratio of the two p99 would lie with other moves."""
    random = Random(0)
    ratios = sorted(
        _percentile(random.choices(attacked, k=len(attacked)), 99)
        / _percentile(random.choices(quiet, k=len(quiet)), 99)
        for _ in range(DRAWN)
    )
    beyond = round(DRAWN * (1 - SURE) / 2)
    return ratios[beyond], ratios[-1 - beyond]


def _compare(
    people: "list[Player]", process: int, game: str, name: str, place: str
) -> tuple[Stretch, Stretch]:
    """How long moves take in quiet, and while an address attacks that has not been seen before."""
    quiet = _play(people, game, process)
    target = Target(people[0].port, game, people[0].table, f"127.255.{place}")
    context = get_context("spawn")
    begun = context.Event()
    attacker = context.Process(target=_attack, args=(name, target, begun), daemon=True)
    attacker.start()
    if not begun.wait(SECONDS_TO_BEGIN) or attacker.pid is None:
        raise ValueError("The attack did not begin.")
    attacked = _play(people, game, process, attacker.pid)
    attacker.kill()
    attacker.join()
    return quiet, attacked


def _play(
    people: "list[Player]", game: str, server: int, attacker: int | None = None, moves: int = MOVES
) -> Stretch:
    """One move at each table in turn."""

    def spent() -> tuple[float | None, float | None]:
        return _cpu_seconds(server), None if attacker is None else _cpu_seconds(attacker)

    began, before = time.perf_counter(), spent()
    times = [time for number in range(moves) for time in people[number % len(people)].play(game, 1)]
    took, after = time.perf_counter() - began, spent()
    of_server, of_attacker = (
        None if then is None or now is None else now - then for then, now in zip(before, after, strict=True)
    )
    return Stretch(times, took, of_server, of_attacker)


class Player:
    """Somebody who plays on one screen."""

    def __init__(self, port: int, address: str) -> None:
        self.port, self.address, self.cookie, self.table = port, address, "", ""

    def open(self, game: str, *seats: dict[str, str]) -> None:
        self.table = self.ask("POST", "/api/games", {"game": game, "seats": seats})["id"]

    def play(self, game: str, moves: int, until: float = float("inf")) -> list[float]:
        """How long each move took until it was kept and answered."""
        times: list[float] = []
        while len(times) < moves and time.perf_counter() < until:
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
        """What the server answers; whoever comes too often, and is sent away without a word, comes again."""
        while True:
            with suppress(ConnectionError):
                status, told = self._ask_once(method, path, body)
                if status < 300:
                    return json.loads(told) if told else None
                if status != 429:
                    raise ValueError(f"The server answered {status}: {told.decode()}")
            time.sleep(1)

    def _ask_once(self, method: str, path: str, body: Any) -> tuple[int, bytes]:
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
        return answer.status, told


def _attack(name: str, target: Target, begun: Event) -> None:
    if hasattr(os, "SCHED_IDLE"):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))  # the player goes first
    begun.set()
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


async def busy(_: Target) -> None:
    """Nothing but computing, which leaves the server alone: what this machine does to a player."""
    while True:
        sum(range(10_000))


async def flood(target: Target) -> None:
    """Views as fast as they come, over 64 connections."""
    await _for_ever(lambda: _send(target, "GET", f"/api/games/{target.table}/view"), 64)


async def flood_api(target: Target) -> None:
    """The page of the API, over and over."""
    await _for_ever(lambda: _send(target, "GET", "/api"), 16)


async def idle_streams(target: Target) -> None:
    """A thousand streams that nobody needs, of one address."""
    player = await asyncio.to_thread(_open_elsewhere, target)
    await _hold(target, 1_000, _stream(player.table))


async def idle_streams_of_many(target: Target) -> None:
    """A thousand streams of twenty-five addresses, of which none meets a limit."""
    player = await asyncio.to_thread(_open_elsewhere, target)
    tables = [player.table]
    for _ in range(4):
        player.open(target.game, {"kind": "me"}, {"kind": "screen"})
        tables.append(player.table)
    accomplices = map(target.seen_from, range(25))
    await asyncio.gather(*(_hold(each, 8, _stream(table)) for each in accomplices for table in tables))


async def stalled_readers(target: Target) -> None:
    """A hundred that ask for much, over and over, and read nothing of it."""
    await _stall(target, "/static/table.js")


async def stalled_pages(target: Target) -> None:
    """The same with a long page that is compressed for each."""
    await _stall(target, "/api")


async def _stall(target: Target, path: str) -> None:
    head = f"GET {path} HTTP/1.1\r\nHost: here\r\nAccept-Encoding: gzip\r\n\r\n" * 60

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
    """Two hundred watchers of one table, from ten addresses, and one that comes and goes."""
    player = await asyncio.to_thread(_open_elsewhere, target)
    head = _stream(player.table)

    async def flap() -> None:
        with suppress(OSError):
            _, writer = await _connect(target)
            writer.write(head.encode())
            await asyncio.sleep(0.02)
            writer.close()

    watchers = (_hold(target.seen_from(number), 20, head) for number in range(1, 11))
    await asyncio.gather(*watchers, _for_ever(flap, 1))


async def player_flapping(target: Target) -> None:
    """The same, and whoever comes and goes sits there, so that everybody is told, and plays meanwhile."""
    player = await asyncio.to_thread(_open_elsewhere, target)
    head = _stream(player.table).replace("\r\n\r\n", f"\r\nCookie: {player.cookie}\r\n\r\n")

    async def flap() -> None:
        with suppress(OSError):
            _, writer = await _connect(target)
            writer.write(head.encode())
            await asyncio.sleep(0.3)
            writer.close()
            await asyncio.sleep(0.3)

    def play() -> None:
        player.play(target.game, MOVES, time.perf_counter() + 60)

    watchers = (_hold(target.seen_from(number), 20, _stream(player.table)) for number in range(1, 11))
    await asyncio.gather(*watchers, _for_ever(flap, 1), asyncio.to_thread(play))


def _stream(table: str) -> str:
    return f"GET /api/games/{table}/events HTTP/1.1\r\nHost: here\r\nAccept-Encoding: gzip\r\n\r\n"


async def half_headers(target: Target) -> None:
    """Eleven hundred requests that are begun and never end."""
    await _hold(target, 1_100, "GET / HTTP/1.1\r\nHost: here\r\nX-Half: ")


async def half_headers_of_many(target: Target) -> None:
    """Three thousand of them, of twenty addresses of which none has too many connections."""
    head = "GET / HTTP/1.1\r\nHost: here\r\nX-Half: "
    await asyncio.gather(*(_hold(target.seen_from(number), 150, head) for number in range(20)))


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
    await _for_ever(_bring(target, game, "hindsight"), 24)


async def reviews(target: Target) -> None:
    """Finished games, one after another, that all want to be reviewed."""
    await _for_ever(_bring(target, GAMES[target.game], "review"), 4)


def _bring(target: Target, game: Game, question: str) -> Callable[[], Awaitable[object]]:
    """Sends the record of a finished game, and asks something about it."""
    table, number = Table(game, game.seats[0]), count(1)
    while not table.is_over:
        table.play(table.legal_moves(table.movers[0])[0], table.movers[0])

    async def ask() -> None:
        names = tuple(f"{next(number)} {name}" for name in table.names)  # the same record is the same table
        text = replace(table.record(), names=names).write()
        with suppress(ValueError, KeyError):
            kept = json.loads(await _send(target, "POST", "/api/records", text.encode()))
            await _send(target, "GET", f"/api/games/{kept['id']}/{question}")

    return ask


async def champions(target: Target) -> None:
    """Twenty-eight tables of champions alone, each watched."""
    seats = [{"kind": "bot", "bot": "champion"}] * 2

    async def watch() -> None:
        player = Player(target.port, target.address)
        await asyncio.to_thread(player.open, target.game, *seats)
        await _hold(target, 1, _stream(player.table))

    await asyncio.gather(*(watch() for _ in range(28)))


async def verify(target: Target) -> None:
    """Twelve times a megabyte of odd headers at once."""
    await _for_ever(lambda: _send(target, "POST", "/api/verify", ODD_RECORD[: 1 << 20]), 12)


async def pictures(target: Target) -> None:
    """Moments of a game as pictures that have to be rendered, no two alike."""
    player = await asyncio.to_thread(_open_elsewhere, target)
    await asyncio.to_thread(player.play, target.game, 20)
    wishes = cycle((ply, theme) for ply in range(20) for theme in ("light", "dark"))

    async def ask() -> None:
        ply, theme = next(wishes)
        await _send(target, "GET", f"/api/games/{player.table}/picture.png?ply={ply}&theme={theme}")

    await _for_ever(ask, 4)


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
        player.play(target.game, MOVES, time.perf_counter() + 60)

    await asyncio.gather(*(asyncio.to_thread(play) for _ in range(6)))


def _open_elsewhere(target: Target) -> Player:
    player = Player(target.port, target.address)
    player.open(target.game, {"kind": "me"}, {"kind": "screen"})
    return player


ATTACKS: dict[str, Callable[[Target], Coroutine[Any, Any, None]]] = {
    attack.__name__: attack
    for attack in (
        busy,
        flood,
        flood_api,
        idle_streams,
        idle_streams_of_many,
        stalled_readers,
        stalled_pages,
        flapping,
        player_flapping,
        half_headers,
        half_headers_of_many,
        openings,
        own_boards,
        hindsight,
        reviews,
        champions,
        verify,
        pictures,
        backtracking,
        dripping_hooks,
    )
}
