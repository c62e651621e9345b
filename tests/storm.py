"""What clients were told stays true while servers, workers and PostgreSQL are killed under load.

Three servers, two workers, one PostgreSQL, and clients who ask another server every time. It takes long and
is no part of `make test`: `make storm` kills a hundred times, and crashes PostgreSQL ten times.
"""

import asyncio
import os
import re
from contextlib import asynccontextmanager, suppress
from itertools import count
from pathlib import Path
from random import Random
from time import perf_counter

import asyncpg
import httpx
import pytest

from nursery import nursery
from postgres_server import NotHere, new_database, new_server
from server_process import PATIENT, ServerProcess
from test_faults import BOT, ME, SCREEN, Players, check, read_again

pytestmark = pytest.mark.anyio

KILLS = int(os.environ.get("MOZAIKA_STORM", "100"))
CRASHES = -(-KILLS // 10)
SERVERS, WORKERS = 3, 2
TABLES = ((ME, SCREEN), (ME, BOT), (ME, SCREEN, BOT))


class Anywhere(httpx.AsyncClient):
    """A client who asks another server every time."""

    def __init__(self, cluster):
        super().__init__(timeout=PATIENT, trust_env=False)
        self.cluster = cluster

    async def request(self, method, url, **request):
        address = self.cluster.random.choice(self.cluster.servers).address
        return await super().request(method, f"{address}{url}", **request)


class WorkerProcess:
    """The real `mozaika think`."""

    def __init__(self, folder, store):
        self.output, self.store, self.process = folder / "output.txt", store, None

    def start(self):
        self.output.touch()
        self.process = nursery().fork(self.output, "think", "--store", self.store, "--threads", "1")

    def kill(self):
        self.process.kill()
        self.process.wait(PATIENT)


class Wire:
    """Stands between a server and its PostgreSQL, and can be cut: then nothing passes, and nobody is told."""

    def __init__(self, folder, target):
        self.folder, self.target = folder, target
        self.whole = asyncio.Event()
        self.whole.set()
        self.tasks = set()

    @asynccontextmanager
    async def laid(self):
        self.folder.mkdir()
        server = await asyncio.start_unix_server(self._carry, self.folder / ".s.PGSQL.5432")
        try:
            yield self
        finally:
            server.close()
            for task in list(self.tasks):
                task.cancel()
            await asyncio.gather(*self.tasks, return_exceptions=True)

    async def _carry(self, reader, writer):
        self.tasks.add(asyncio.current_task())
        with suppress(OSError, asyncio.CancelledError):
            there = await asyncio.open_unix_connection(self.target / ".s.PGSQL.5432")
            await asyncio.gather(self._pass(reader, there[1]), self._pass(there[0], writer))
        writer.close()

    async def _pass(self, reader, writer):
        try:
            while data := await reader.read(1 << 16):
                await self.whole.wait()
                writer.write(data)
                await writer.drain()
        finally:
            writer.close()


class Cluster:
    """All processes, and what they have in common."""

    def __init__(self, folder, postgres, wire, seed=1):
        self.random, self.postgres = Random(seed), postgres
        self.url = new_database(postgres.url("postgres"))
        through = re.sub("host=.*", f"host={wire.folder}", self.url)
        self.servers, self.workers = [], []
        for number in range(SERVERS):
            place = folder / f"server {number}"
            place.mkdir()
            server = ServerProcess(place)
            server.store = through if number == 0 else self.url
            self.servers.append(server)
        for number in range(WORKERS):
            place = folder / f"worker {number}"
            place.mkdir()
            self.workers.append(WorkerProcess(place, self.url))

    @property
    def address(self):
        return self.random.choice(self.servers).address

    async def start(self):
        for each in (*self.servers, *self.workers):
            await asyncio.to_thread(each.start)

    def end(self):
        for each in (*self.servers, *self.workers):
            if each.process is not None and each.process.poll() is None:
                each.kill()

    async def kill_one(self):
        victim = self.random.choice([*self.servers, *self.workers])
        await asyncio.to_thread(victim.kill)
        await asyncio.to_thread(victim.start)

    async def crash(self):
        await asyncio.to_thread(self.postgres.stop, "immediate")
        await asyncio.to_thread(self.postgres.start)

    async def log(self):
        db = await asyncpg.connect(self.url)
        rows = await db.fetch("SELECT game, seq, text, command FROM log WHERE command IS NOT NULL")
        await db.close()
        return [(game, seq, text.decode(), command) for game, seq, text, command in rows]


class Page:
    """A page that follows a table at one server after the other, and knows the last seq it was shown."""

    def __init__(self, cluster, table):
        self.cluster, self.table, self.seq = cluster, table, -1

    async def follow(self):
        async with httpx.AsyncClient(timeout=PATIENT, trust_env=False) as client:
            while True:
                url = f"{self.cluster.address}/api/games/{self.table}/events"
                with suppress(httpx.TransportError):
                    async with client.stream("GET", url) as stream:
                        async for line in stream.aiter_lines():
                            if line.startswith("id: "):
                                self.seq = int(line.removeprefix("id: "))
                await asyncio.sleep(0.05)


@pytest.fixture
def own_postgres():
    """A PostgreSQL that may be crashed."""
    try:
        server = new_server()
    except NotHere as error:
        pytest.skip(f"There is no PostgreSQL here: {error}")
    yield server
    server.end()


@pytest.fixture
async def cluster(tmp_path, own_postgres):
    wire = Wire(Path(own_postgres.folder) / "wire", Path(own_postgres.folder))
    async with wire.laid():
        found = await asyncio.to_thread(Cluster, tmp_path, own_postgres, wire)
        found.wire = wire
        try:
            await found.start()
            yield found
        finally:
            await asyncio.to_thread(found.end)


async def every_screen_is_right(cluster, players, times):
    """All pages and all servers show what the log has, soon."""
    begin = perf_counter()
    pages = [Page(cluster, table) for table in players.now.values() for _ in range(2)]
    tasks = [asyncio.create_task(page.follow()) for page in pages]
    async with Anywhere(cluster) as client, asyncio.timeout(PATIENT):
        for table in players.now.values():
            while True:
                with suppress(httpx.TransportError):
                    answers = [
                        await httpx.AsyncClient.request(
                            client, "GET", f"{server.address}/api/games/{table}/view"
                        )
                        for server in cluster.servers
                    ]
                    views = [answer.json() for answer in answers if answer.status_code == 200]
                    seqs = {view["seq"] for view in views}
                    seqs |= {page.seq for page in pages if page.table == table}
                    waits = any(s["to_move"] and s["kind"] == "bot" for view in views for s in view["seats"])
                    if len(views) == len(cluster.servers) and len(seqs) == 1 and not waits:
                        break
                await asyncio.sleep(0.05)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    times.append(perf_counter() - begin)


async def test_a_storm_loses_nothing(cluster, record_property):
    """P1-P3 and P6 across processes; then the line to PostgreSQL is cut, then all servers are renewed."""
    players, times = Players(cluster, 1, TABLES, connect=Anywhere), []
    async with players.playing(tabs=2):
        await players.play_some(6)
        for kill in count(1):
            await asyncio.sleep(cluster.random.random() * 0.3)
            await cluster.kill_one()
            await players.play_some(4)
            if kill % 10 == 0 or kill == KILLS:
                await cluster.crash()
                await players.play_some(4)
                async with players.pause():
                    check(await cluster.log(), players)
                    await every_screen_is_right(cluster, players, times)
                said = f"{kill} kills, {players.accepted} moves, screens right after {times[-1]:.1f} s"
                print(said, flush=True)
            if kill == KILLS:
                break
        await cut_the_line(cluster, players)
        await renew_all_servers(cluster, players)
        async with players.pause():
            check(await cluster.log(), players)
            await every_screen_is_right(cluster, players, times)
            await read_again(cluster.servers[1], players)
    told = (
        f"{KILLS} kills, {CRASHES} crashes, {players.accepted} moves; screens right after {max(times):.1f} s"
    )
    record_property("storm", told)
    print(told)


async def cut_the_line(cluster, players):
    """Whoever cannot reach PostgreSQL says so and comes back by itself; the others go on."""
    cluster.wire.whole.clear()
    async with httpx.AsyncClient(timeout=PATIENT, trust_env=False) as client:
        answer = await client.get(f"{cluster.servers[0].address}/readyz")
        assert answer.status_code == 503, answer.text
        cluster.wire.whole.set()
        await players.play_some(4)
        async with asyncio.timeout(PATIENT):
            while (await client.get(f"{cluster.servers[0].address}/readyz")).status_code != 200:
                await asyncio.sleep(0.1)
    assert cluster.servers[0].process.poll() is None


async def renew_all_servers(cluster, players):
    """As for a new version: one after the other, under load. No client sees a move fail."""
    for server in cluster.servers:
        assert await asyncio.to_thread(server.stop) == 0
        await players.play_some(2)
        await asyncio.to_thread(server.start)
        await players.play_some(2)
