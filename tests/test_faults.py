"""What clients were told stays true: kill -9, SIGTERM and cut streams under load, on the real server."""

import asyncio
import json
import os
from contextlib import asynccontextmanager, suppress
from itertools import count
from random import Random
from statistics import median
from time import perf_counter

import apsw
import httpx
import pytest

from kinds import FIRST
from mozaika.record import Record
from mozaika.table.commands import split_command
from server_process import LOCAL, PATIENT, ServerProcess, once

pytestmark = pytest.mark.anyio

KILLS = int(os.environ.get("MOZAIKA_KILLS", "25"))
RESTARTS = int(os.environ.get("MOZAIKA_RESTARTS", "3"))
PAGES = int(os.environ.get("MOZAIKA_PAGES", "1"))
"""How many pages are open at each of the tables; `pytest -s` prints how long all of them were away."""
PARTS = 8
ME, SCREEN, OPEN = {"kind": "me", "name": "Ania"}, {"kind": "screen", "name": "Adam"}, {"kind": "open"}
BOT = {"kind": "bot", "bot": "random"}


@pytest.fixture
def server(tmp_path):
    with ServerProcess(tmp_path) as server:
        yield server


def connect(server):
    return httpx.AsyncClient(base_url=server.address, **LOCAL)


async def insist(client, method, url, **request):
    """Ask until there is an answer, with the same words and the same key, as a browser would."""
    while True:
        with suppress(httpx.TransportError):
            answer = await client.request(method, url, **request)
            if answer.status_code not in (502, 503):  # 502 is said by a proxy
                return answer
        await asyncio.sleep(0.05)


class Players:
    """Clients who play random moves at several tables and write down what they were told."""

    def __init__(self, server, seed, tables=((ME, SCREEN), (ME, BOT), (ME, SCREEN, BOT)), connect=connect):
        self.server, self.random, self.kinds, self.connect = server, Random(seed), tables, connect
        self.keys = count(1)
        self.told: dict[str, tuple[str, int, str, int]] = {}
        """By key: the table, the status, the move and the seq it was meant for."""
        self.told_at: dict[str, float] = {}
        self.resting = asyncio.Event()
        self.resting.set()
        self.idle = self.finished = 0
        self.now: dict[int, str] = {}
        """The table at which each group plays now."""

    @property
    def accepted(self):
        return sum(status == 200 for _, status, _, _ in self.told.values())

    @asynccontextmanager
    async def playing(self, tabs=2):
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._sit_down(n, tabs)) for n in range(len(self.kinds))]
            yield self
            for task in tasks:
                task.cancel()

    async def _sit_down(self, group, tabs):
        wish = {"game": FIRST, "seats": self.kinds[group]}
        async with self.connect(self.server) as client:
            while True:
                client.cookies.clear()
                found = await insist(client, "POST", "/api/games", json=wish, headers=once())
                assert found.status_code == 201, found.text
                self.now[group] = found.json()["id"]
                await asyncio.gather(*(self._play_on(client, self.now[group]) for _ in range(tabs)))
                self.finished -= tabs

    async def _pick(self, client, table, view):
        """Any move; None if the game has gone on while a walk that is cut off was asked for."""
        walk = self.random.choice(view["scene"]["walks"])
        while walk.get("more"):
            asked = {"seq": view["seq"], "seat": view["you"]["seat"], "spots": ",".join(walk["spots"])}
            found = await insist(client, "GET", f"/api/games/{table}/walks", params=asked)
            if found.status_code == 409:
                return None
            walk = self.random.choice(found.json()["walks"])
        return walk["move"]

    async def _play_on(self, client, table):
        while True:
            await self._rest()
            view = (await insist(client, "GET", f"/api/games/{table}/view")).json()
            if view["over"]:
                self.finished += 1  # and waits for the other tab
                return
            if not view["you"]["turn"]:
                await asyncio.sleep(0.05)
                continue
            move = await self._pick(client, table, view)
            if move is None:
                continue
            key = f"key-{next(self.keys):06}"
            wish = {"seq": view["seq"], "move": move, "seat": view["you"]["seat"]}
            answer = await insist(
                client, "POST", f"/api/games/{table}/moves", json=wish, headers={"Idempotency-Key": key}
            )
            assert answer.status_code in (200, 409), answer.text
            self.told[key] = table, answer.status_code, move, view["seq"]
            self.told_at[key] = perf_counter()

    async def _rest(self):
        if not self.resting.is_set():
            self.idle += 1
            await self.resting.wait()
            self.idle -= 1

    async def play_some(self, moves):
        """Until so many more moves have been accepted."""
        target = self.accepted + moves
        async with asyncio.timeout(PATIENT):
            while self.accepted < target:
                await asyncio.sleep(0.01)

    @asynccontextmanager
    async def pause(self):
        """A moment at which no client is waiting for an answer."""
        self.resting.clear()
        everybody = 2 * len(self.kinds)
        async with asyncio.timeout(PATIENT):
            while self.idle + self.finished < everybody:
                await asyncio.sleep(0.01)
        yield
        self.resting.set()


def compare(server, players):
    """What the clients were told with what the log has."""
    db = apsw.Connection(str(server.store), flags=apsw.SQLITE_OPEN_READWRITE)
    log = db.execute("SELECT game, seq, text, command FROM log WHERE command IS NOT NULL").fetchall()
    db.close()
    check(log, players)


def check(log, players):
    """That a log has what the clients were told, once, and nothing that they were refused."""
    kept: dict[str, list[tuple[str, int, str]]] = {}
    for game, seq, text, command in log:
        _, _, key = split_command(command)[0].partition("-")
        kept.setdefault(key, []).append((game, seq, text))
    lost = twice = refused = 0
    for key, (table, status, move, seq) in players.told.items():
        rows = kept.get(key, [])
        if status == 200:
            lost += (table, seq + 1, move) not in rows
            twice += len(rows) > 1
        else:
            refused += bool(rows)
    assert (lost, twice, refused) == (0, 0, 0), "lost, applied twice, refused and yet kept"


async def read_again(server, players):
    """Every table is a possible game with every move that was accepted, as the server tells it now."""
    moves: dict[str, list[str]] = {}
    for table, status, move, _ in sorted(players.told.values(), key=lambda told: told[3]):
        if status == 200:
            moves.setdefault(table, []).append(move)
    async with connect(server) as client:
        for table, expected in moves.items():
            record = Record.read((await insist(client, "GET", f"/api/games/{table}/record")).text)
            played = [record.game.write_move(entry.move) for entry in record.entries]
            remaining = iter(played)
            assert all(move in remaining for move in expected), table


@pytest.mark.parametrize(
    "part", [0, *(pytest.param(part, marks=pytest.mark.long) for part in range(1, PARTS))]
)
async def test_an_acknowledged_move_survives_kill_9(server, part):
    """P1. `pytest -s` prints how many moves there were."""
    players, kills = Players(server, part), range(part, KILLS, PARTS)
    async with players.playing():
        for kill in kills:
            await players.play_some(8)
            await asyncio.sleep(Random(kill).random() * 0.3)
            await asyncio.to_thread(server.kill)
            compare(server, players)
            await asyncio.to_thread(server.start)
        await players.play_some(8)
        async with players.pause():
            compare(server, players)
            await read_again(server, players)
    print(f"{len(kills)} kills, {players.accepted} moves accepted, {len(players.told)} told, 0 lost, 0 twice")


async def test_a_planned_restart_loses_nothing(server, record_property):
    """P9: streams are told, the process ends by itself with success and comes back, and so do all pages."""
    players, times = Players(server, 9), []
    async with players.playing():
        await players.play_some(10)
        async with following(
            server, [table for table in players.now.values() for _ in range(PAGES)]
        ) as pages:
            for number in range(1, RESTARTS + 1):
                await players.play_some(10)
                await until(lambda: all(page.sees for page in pages))
                begin = perf_counter()
                assert await asyncio.to_thread(server.stop) == 0
                stopped = perf_counter()
                compare(server, players)
                await until(lambda number=number: all(len(page.ends) == number for page in pages))
                assert {page.ends[-1] for page in pages} == {"bye"}
                again = perf_counter()
                await asyncio.to_thread(server.start)
                started = perf_counter()
                await until(lambda: all(page.sees for page in pages))
                times.append((stopped - begin, started - again, perf_counter() - again))
        async with players.pause():
            compare(server, players)
            await read_again(server, players)
    for name, seconds in zip(("stop", "start", "all pages back"), zip(*times, strict=True), strict=True):
        told = f"{name}: median {median(seconds):.2f} s, longest {max(seconds):.2f} s"
        record_property(name, told)
        print(f"{RESTARTS} restarts, {len(pages)} pages, {told}")


class Follower:
    """A page that opens its stream again whenever it has ended, and notes what it was told last."""

    def __init__(self, server, table):
        self.server, self.url = server, f"/api/games/{table}/events"
        self.sees, self.ends = False, []

    async def follow(self):
        async with connect(self.server) as client:
            while True:
                told = "nothing"
                with suppress(httpx.TransportError):
                    async with client.stream("GET", self.url) as stream:
                        async for line in stream.aiter_lines():
                            if line.startswith("event: "):
                                told = line.removeprefix("event: ")
                                self.sees = True
                if self.sees:
                    self.sees = False
                    self.ends.append(told)
                await asyncio.sleep(0.05)


@asynccontextmanager
async def following(server, tables):
    async with asyncio.TaskGroup() as group:
        pages = [Follower(server, table) for table in tables]
        tasks = [group.create_task(page.follow()) for page in pages]
        yield pages
        for task in tasks:
            task.cancel()


async def until(holds):
    async with asyncio.timeout(PATIENT):
        while not holds():
            await asyncio.sleep(0.01)


class Screen:
    """A browser tab: it shows the last View that the stream brought, keeps the log as it goes, and fetches
    the lines that were too many for a View.
    """

    def __init__(self, client, url):
        self.client, self.url = client, url
        self.view, self.log, self.known = None, [], 0

    def show(self, view):
        self.log = [line for line in self.log if line["ply"] < view["log_stands"]] + view["log"]
        self.known = min(self.known, view["log_stands"])
        self.known = self.known if view["log_from"] > self.known else view["plies"]
        self.view = {name: value for name, value in view.items() if not name.startswith("log")}

    async def fill(self):
        if self.known < self.view["plies"]:
            missing = (await self.client.get(f"{self.url}/log", params={"since": self.known})).json()
            self.log = [line for line in self.log if line["ply"] < self.known] + missing
            self.known = self.view["plies"]

    async def follow(self, *, seconds=PATIENT, once=False):
        """Show what comes until the line is cut, perhaps inside an event; or only the first View."""
        with suppress(httpx.TransportError, TimeoutError):
            async with asyncio.timeout(seconds), self.client.stream("GET", f"{self.url}/events") as stream:
                async for line in stream.aiter_lines():
                    if line.startswith('data: {"id"'):
                        self.show(json.loads(line.removeprefix("data: ")))
                        if once:
                            return

    async def compare(self):
        """What is shown is what a fresh load shows."""
        fresh = Screen(self.client, self.url)
        fresh.show((await self.client.get(f"{self.url}/view")).json())
        assert fresh.view == self.view
        await fresh.fill()
        await self.fill()
        assert fresh.log == self.log


@pytest.mark.parametrize(
    ("killed", "cuts"),
    [
        (False, 5),
        (True, 2),
        *(pytest.param(killed, cuts, marks=pytest.mark.long) for killed, cuts in ((False, 12), (True, 3))),
    ],
)
async def test_after_a_reconnect_the_screen_is_right(server, killed, cuts):
    """P6."""
    random = Random(killed)
    players = Players(server, 6, tables=((ME, SCREEN), (ME, BOT)))
    async with players.playing(), connect(server) as watcher:
        await players.play_some(2)
        for cut in range(cuts):
            screens = [Screen(watcher, f"/api/games/{table}") for table in players.now.values()]
            for _ in range(2):
                await asyncio.gather(*(screen.follow(seconds=random.random() / 4) for screen in screens))
            if killed:
                following = [asyncio.create_task(screen.follow()) for screen in screens]
                await players.play_some(2)
                await asyncio.to_thread(server.kill)
                await asyncio.gather(*following)
                await asyncio.to_thread(server.start)
            await players.play_some(1 + cut % 3)
            async with players.pause():
                for screen in screens:
                    await settle(screen)
                    await screen.follow(once=True)
                    await screen.compare()


async def settle(screen):
    """Until the bots have moved."""
    async with asyncio.timeout(PATIENT):
        while True:
            view = (await screen.client.get(f"{screen.url}/view")).json()
            if not any(seat["to_move"] and seat["kind"] == "bot" for seat in view["seats"]):
                return
            await asyncio.sleep(0.01)
