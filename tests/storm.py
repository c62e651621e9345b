"""What clients were told stays true while servers, workers and PostgreSQL are killed under load.

Three servers, two workers, one PostgreSQL, and clients who ask another server every time. It takes long and
is no part of `make test`: `make storm` kills a hundred times, and crashes PostgreSQL ten times.
"""

import asyncio
import os
import re
import shutil
import socket
import subprocess
from collections import Counter
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from itertools import count
from pathlib import Path
from random import Random
from time import perf_counter

import asyncpg
import httpx
import pytest

import mozaika
from nursery import nursery
from postgres_server import NotHere, new_database, new_server
from server_process import LOCAL, PATIENT, UNHURRIED, ServerProcess
from test_faults import BOT, ME, SCREEN, Players, check, following, read_again, until

pytestmark = pytest.mark.anyio

KILLS = int(os.environ.get("MOZAIKA_STORM", "100"))
CRASHES = -(-KILLS // 10)
SERVERS, WORKERS = 3, 2
DEPLOY = Path(__file__).parent.parent / "deploy"
FIRST_WAIT, LONGEST_WAIT = 0.5, 2.5
"""As in stream.js."""
TABLES = ((ME, SCREEN), (ME, BOT), (ME, SCREEN, BOT))


class Anywhere(httpx.AsyncClient):
    """A client who asks another server every time."""

    def __init__(self, cluster):
        super().__init__(**LOCAL)
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
        ends = [writer]
        with suppress(OSError, asyncio.CancelledError):
            from_there, to_there = await asyncio.open_unix_connection(self.target / ".s.PGSQL.5432")
            ends.append(to_there)
            await asyncio.gather(self._pass(reader, to_there), self._pass(from_there, writer))
        for end in ends:  # one side may have failed while the other waits
            end.close()

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
        self.starts, self.crashes = [], []
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
        begin = perf_counter()
        await asyncio.to_thread(victim.start)
        if victim in self.servers:
            self.starts.append(perf_counter() - begin)

    async def crash(self):
        begin = perf_counter()
        await asyncio.to_thread(self.postgres.stop, "immediate")
        await asyncio.to_thread(self.postgres.start)
        self.crashes.append((begin, perf_counter()))

    async def log(self):
        db = await asyncpg.connect(self.url)
        rows = await db.fetch("SELECT game, seq, text, command FROM log WHERE command IS NOT NULL")
        await db.close()
        return [(game, seq, text.decode(), command) for game, seq, text, command in rows]


class Page:
    """A page that follows a table as a browser behind a proxy does: the proxy finds a server that can be
    reached, and whoever has lost the stream waits as long as `stream.js` does.
    """

    def __init__(self, cluster, table):
        self.cluster, self.table = cluster, table
        self.seen, self.away = [], []
        """When it was shown which seq; from when until when it had no stream."""
        self.lost_at = perf_counter()
        self.wait = FIRST_WAIT

    @property
    def seq(self):
        return self.seen[-1][1] if self.seen else -1

    async def follow(self):
        async with httpx.AsyncClient(**LOCAL) as client:
            while True:
                with suppress(httpx.ReadError, httpx.RemoteProtocolError):
                    await self._look(client)
                if self.lost_at is None:
                    self.lost_at = perf_counter()
                await asyncio.sleep(self.wait * (0.8 + 0.4 * self.cluster.random.random()))
                self.wait = min(LONGEST_WAIT, 2 * self.wait)

    async def _look(self, client):
        while True:
            try:
                url = f"{self.cluster.address}/api/games/{self.table}/events"
                async with client.stream("GET", url) as stream:
                    if stream.status_code == 200:
                        self.wait = FIRST_WAIT
                    async for line in stream.aiter_lines():
                        if line.startswith("id: "):
                            self._show(int(line.removeprefix("id: ")))
            except httpx.ConnectError:
                await asyncio.sleep(0.1)
            else:
                return

    def _show(self, seq):
        now = perf_counter()
        if self.lost_at is not None:
            self.away.append((self.lost_at, now))
            self.lost_at = None
        self.seen.append((now, seq))

    def late(self, at, seq):
        """How much later than its player it was shown a move; None if it began to look after that."""
        if not self.seen or self.seen[0][0] > at:
            return None
        return next((max(0.0, when - at) for when, shown in self.seen if shown >= seq), None)

    def was_away(self, begin, end):
        return any(lost < end and back > begin for lost, back in self.away)


class Pages:
    """Two pages for each table at which is played."""

    def __init__(self, cluster, players):
        self.cluster, self.players, self.pages = cluster, players, {}

    @asynccontextmanager
    async def open(self):
        async with asyncio.TaskGroup() as group:
            opening = group.create_task(self._open(group))
            yield self
            opening.cancel()
            for task in self.pages.values():
                task.cancel()

    async def _open(self, group):
        known = set()
        while True:
            for table in set(self.players.now.values()) - known:
                known.add(table)
                for page in (Page(self.cluster, table) for _ in range(2)):
                    self.pages[page] = group.create_task(page.follow())
            for page, task in self.pages.items():
                if page.table not in self.players.now.values() and page.lost_at is None:
                    task.cancel()
            await asyncio.sleep(0.05)

    def tell(self):
        """How late moves were shown: to pages that kept their stream, to those that had lost it, and while
        PostgreSQL was away.
        """
        late = {"kept their stream": [], "had lost it": [], "PostgreSQL away": []}
        for key, (table, status, _, seq) in self.players.told.items():
            at = self.players.told_at[key]
            for page in self.pages:
                if status == 200 and page.table == table and (seconds := page.late(at, seq + 1)) is not None:
                    kind = "had lost it" if page.was_away(at, at + seconds) else "kept their stream"
                    if any(begin < at + seconds and end > at for begin, end in self.cluster.crashes):
                        kind = "PostgreSQL away"
                    late[kind].append(seconds)
        return "; ".join(
            f"{kind}: {len(found)} moves, p50 {found[len(found) // 2]:.2f}, "
            f"p99 {found[len(found) * 99 // 100]:.2f}, longest {found[-1]:.2f} s"
            for kind, found in ((kind, sorted(each)) for kind, each in late.items())
            if found
        )


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


async def every_screen_is_right(cluster, players, pages, times):
    """All pages and all servers show what the log has, soon; says what was waited for."""
    begin, waits = perf_counter(), Counter()
    async with Anywhere(cluster) as client, asyncio.timeout(PATIENT):
        for table in players.now.values():
            while wrong := await what_is_wrong(client, cluster, pages, table):
                now = perf_counter()
                await asyncio.sleep(0.05)
                waits[wrong] += perf_counter() - now
    times.append(perf_counter() - begin)
    return ", ".join(f"{why} {seconds:.1f} s" for why, seconds in waits.most_common())


async def what_is_wrong(client, cluster, pages, table):
    views = []
    for server in cluster.servers:
        try:
            url = f"{server.address}/api/games/{table}/view"
            answer = await httpx.AsyncClient.request(client, "GET", url)
        except httpx.TransportError:
            return "a server does not answer"
        if answer.status_code != 200:
            return "a server is not ready"
        views.append(answer.json())
    if any(seat["to_move"] and seat["kind"] == "bot" for view in views for seat in view["seats"]):
        return "a bot has to move"
    seqs = {view["seq"] for view in views}
    if len(seqs) > 1:
        return "a server is behind"
    shown = [page for page in pages.pages if page.table == table]
    if {page.seq for page in shown} != seqs:
        return "a page is behind" if all(page.lost_at is None for page in shown) else "a page has no stream"
    return ""


async def test_a_storm_loses_nothing(cluster, record_property):
    """P1-P3 and P6 across processes; then the line to PostgreSQL is cut, then all servers are renewed."""
    players, times = Players(cluster, 1, TABLES, connect=Anywhere), []
    pages = Pages(cluster, players)
    async with players.playing(tabs=2), pages.open():
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
                    waits = await every_screen_is_right(cluster, players, pages, times)
                said = f"{kill} kills, {players.accepted} moves, screens right after {times[-1]:.1f} s"
                print(f"{said} ({waits}); load {os.getloadavg()[0]:.0f}", flush=True)
                print(pages.tell(), flush=True)
            if kill == KILLS:
                break
        await cut_the_line(cluster, players)
        await renew_all_servers(cluster, players)
        async with players.pause():
            check(await cluster.log(), players)
            await every_screen_is_right(cluster, players, pages, times)
            await read_again(cluster.servers[1], players)
    told = (
        f"{KILLS} kills, {CRASHES} crashes, {players.accepted} moves; "
        f"screens right after {max(times):.1f} s; a start took {max(cluster.starts, default=0):.1f} s "
        f"at most; {pages.tell()}"
    )
    record_property("storm", told)
    print(told)


async def cut_the_line(cluster, players):
    """Whoever cannot reach PostgreSQL says so, also to those who look, and comes back by itself; the others
    go on.
    """
    there = list(players.now.values())
    async with following(cluster.servers[0], there) as pages, httpx.AsyncClient(**LOCAL) as client:
        await until(lambda: all(page.sees for page in pages))
        cluster.wire.whole.clear()
        answer = await client.get(f"{cluster.servers[0].address}/readyz")
        assert answer.status_code == 503, answer.text
        await until(lambda: all("bye" in page.ends for page in pages))
        cluster.wire.whole.set()
        await players.play_some(4)
        async with asyncio.timeout(PATIENT):
            while (await client.get(f"{cluster.servers[0].address}/readyz")).status_code != 200:
                await asyncio.sleep(0.1)
        await until(lambda: all(page.sees for page in pages))
    assert cluster.servers[0].process.poll() is None


async def renew_all_servers(cluster, players):
    """As for a new version: one after the other, under load. No client sees a move fail."""
    for server in cluster.servers:
        assert await asyncio.to_thread(server.stop) == 0
        await players.play_some(2)
        await asyncio.to_thread(server.start)
        await players.play_some(2)


class Proxy:
    """The real Caddy, with the file of `deploy/` but for its addresses."""

    def __init__(self, program, folder, servers):
        self.folder, self.program = folder, program
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"http://127.0.0.1:{free.getsockname()[1]}"
        text = (DEPLOY / "Caddyfile").read_text("utf-8")
        for number, server in enumerate(servers, 1):
            text = text.replace(f"server-{number}:8000", server.address.removeprefix("http://"))
        (folder / "Caddyfile").write_text("{\n\tadmin off\n\tauto_https off\n}\n" + text, "utf-8")

    @asynccontextmanager
    async def open(self):
        process = self._start()
        try:
            async with httpx.AsyncClient(**LOCAL) as client, asyncio.timeout(PATIENT):
                while True:
                    with suppress(httpx.TransportError):
                        assert (await client.get(f"{self.address}/metrics")).status_code == 404
                        break
                    await asyncio.sleep(0.1)
                    if process.poll() is not None:  # somebody's connection had the port meanwhile
                        process = self._start()
            yield self
        finally:
            process.kill()
            process.wait()

    def _start(self):
        home = dict.fromkeys(("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"), str(self.folder))
        with (self.folder / "caddy.txt").open("wb") as said:
            return subprocess.Popen(
                [self.program, "run", "--config", self.folder / "Caddyfile", "--adapter", "caddyfile"],
                env={**os.environ, **home, "MOZAIKA_ORIGIN": self.address},
                stderr=said,
            )


class Counted(httpx.AsyncClient):
    """A client who counts what did not work at the first attempt."""

    def __init__(self, proxy):
        super().__init__(base_url=proxy.address, **LOCAL)
        self.proxy = proxy

    async def request(self, *arguments, **named):
        try:
            answer = await super().request(*arguments, **named)
        except httpx.TransportError:
            self.proxy.again["no answer"] += 1
            raise
        if answer.status_code >= 500:
            self.proxy.again[answer.status_code] += 1
        return answer


async def test_servers_are_upgraded_behind_the_real_proxy(tmp_path, own_postgres):
    """By the steps of `deploy/README.md`: the new version has another script for the database. Nobody sees a
    move fail, and streams come back.
    """
    if (program := os.environ.get("MOZAIKA_CADDY") or shutil.which("caddy")) is None:
        pytest.skip("There is no Caddy here.")
    new = tmp_path / "new"
    shutil.copytree(Path(mozaika.__file__).parent, new / "mozaika", ignore=shutil.ignore_patterns("tests"))
    (new / "mozaika/store/migrations/postgres/9999_more.sql").write_text("CREATE TABLE more (x INTEGER);\n")
    (new / "mozaika/store/migrations/sqlite/9999_more.sql").write_text("CREATE TABLE more (x INTEGER);\n")
    url = await asyncio.to_thread(new_database, own_postgres.url("postgres"))
    servers = []
    for number in range(SERVERS):
        place = tmp_path / f"server {number}"
        place.mkdir()
        servers.append(ServerProcess(place, *UNHURRIED, environment=dict(os.environ)))
        servers[-1].store = url
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            servers[-1].port = str(free.getsockname()[1])
    proxy = Proxy(program, tmp_path, servers)
    proxy.again = Counter()
    for server in servers:
        server.environment |= {"MOZAIKA_ORIGIN": proxy.address, "MOZAIKA_TRUSTED_PROXIES": "127.0.0.1"}
    async with AsyncExitStack() as stack:
        for server in servers:
            stack.callback(server.__exit__)
        await asyncio.gather(*(asyncio.to_thread(server.start) for server in servers))
        await stack.enter_async_context(proxy.open())
        players = Players(proxy, 1, TABLES, connect=Counted)
        async with players.playing(tabs=2):
            await players.play_some(10)
            pages = await stack.enter_async_context(following(proxy, list(players.now.values()) * 2))
            await until(lambda: all(page.sees for page in pages))
            for server in servers:
                assert await asyncio.to_thread(server.stop) == 0
                await players.play_some(3)
                server.environment["PYTHONPATH"] = str(new)
                await asyncio.to_thread(server.start)
                await players.play_some(3)
            await until(lambda: all(page.sees for page in pages))
            async with players.pause():
                db = await asyncpg.connect(url)
                rows = await db.fetch("SELECT game, seq, text, command FROM log WHERE command IS NOT NULL")
                check([(row[0], row[1], row[2].decode(), row[3]) for row in rows], players)
                assert await db.fetchval("SELECT version FROM mozaika") == 9999
                await db.close()
        ends = Counter(end for page in pages for end in page.ends)
    print(
        f"{players.accepted} moves, none failed; asked again: {dict(proxy.again)}; "
        f"streams ended with {dict(ends)}"
    )
