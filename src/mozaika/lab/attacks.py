"""What people who misbehave do to a server, and somebody who plays there meanwhile.

Each attack is one small function, bounded in number and time; all go to this machine, from addresses of their
own (127.x.y.z).
"""

import asyncio
import http.client
import json
import time
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count, cycle
from random import SystemRandom
from typing import Any

from mozaika.game import Game
from mozaika.games import GAMES
from mozaika.table import Table

MOST_MOVES, BETWEEN_MOVES = 300, 0.005
ODD_RECORD = b"Mozaika record 1\n" + b"".join(b"Odd-%d: x\n" % n for n in range(70_000))


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
        player.play(target.game, MOST_MOVES, time.perf_counter() + 60)

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
        player.play(target.game, MOST_MOVES, time.perf_counter() + 60)

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
