"""The store for several processes: PostgreSQL. Each change is one statement, which commits by itself."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any, TypeVar

import asyncpg
import msgspec

from mozaika.store import (
    NO_SEEDS,
    Event,
    Header,
    Hook,
    Kept,
    KeptReview,
    StoreError,
    Taken,
    Whole,
    by_number,
    read_scripts,
)
from mozaika.store import statements as sql
from mozaika.store.bus import Bus
from mozaika.store.connecting import FAULTS, SECONDS, connect, explain
from mozaika.store.deals import DealsIn
from mozaika.store.queue import Queue

CONNECTIONS = 12
SECONDS_TO_START = 30.0
"""So long a database is waited for that does not answer yet: all parts of a server may start at once."""
MIGRATING, SERVING = 0x4D6F7A01, 0x4D6F7A02
"""Locks that PostgreSQL keeps for us: who brings the tables up to date, and whether anybody serves them."""
CHANGED = "changed"

T = TypeVar("T")
log = logging.getLogger("mozaika")


class PostgresStore:
    """Games in a database that any number of processes serve."""

    is_shared = True

    def __init__(self, url: str, *, beside: bool = False, alone: bool = False) -> None:
        """Beside those who serve the games nothing is brought up to date; alone is who lets nobody do so."""
        self.url, self.beside, self.alone = url, beside, alone
        self.waiting = 0
        self._pool: Any = None
        self._work: set[asyncio.Task[Any]] = set()
        self._changed: set[str] = set()
        self._anything, self._heard = False, asyncio.Event()
        self.bus = Bus(url, SERVING)
        self.bus.listen(CHANGED, self._hear_of)
        self.bus.listen_again(self._hear_again)
        self.queue = Queue(self._do, self.bus)
        self.deals = DealsIn(
            lambda statement, values: self._fetch(statement, *values), self._write_all, dialect="postgres"
        )

    async def open(self) -> None:
        last = time.monotonic() + (0 if self.beside else SECONDS_TO_START)
        while self._pool is None:
            try:
                await self._begin()
            except FAULTS as error:
                refused = isinstance(error, asyncpg.InvalidAuthorizationSpecificationError | ValueError)
                unknown = isinstance(error, asyncpg.InvalidCatalogNameError)
                if refused or unknown or time.monotonic() > last:
                    raise StoreError(f"PostgreSQL cannot keep the games: {explain(error)}.") from None
                await asyncio.sleep(0.5)

    async def _begin(self) -> None:
        db = await connect(self.url)
        try:
            await self._prepare(db)
        except BaseException:
            db.terminate()
            raise
        if self.alone:
            self._held = db
        else:
            await db.close()
        self._pool = await asyncpg.create_pool(
            self.url,
            min_size=0,
            max_size=CONNECTIONS,
            timeout=SECONDS,
            command_timeout=SECONDS,
            reset=_leave_as_it_is,
            server_settings={"application_name": "mozaika", "synchronous_commit": "on"},
        )
        if not (self.beside or self.alone):
            self.bus.start()

    async def _prepare(self, db: Any) -> None:
        if not self.beside:
            await migrate(db)
        elif await version_of(db) != newest_version():
            raise StoreError("The games were kept by another version of Mozaika; start the server first.")
        if self.alone and not await db.fetchval("SELECT pg_try_advisory_lock($1)", SERVING):
            raise StoreError("Servers or workers run with these games; stop them first.")

    async def create(self, header: Header, events: list[Event], seeds: Mapping[int, str] = NO_SEEDS) -> None:
        text = msgspec.json.encode(header).decode()
        first = (text, header.created, header.owner, time.time())
        await self._do(lambda db: db.execute(sql.CREATE, header.id, *_columns(events, seeds), *first))

    async def append(self, game: str, events: list[Event], seeds: Mapping[int, str] = NO_SEEDS) -> None:
        await self._do(lambda db: db.execute(sql.APPEND, game, *_columns(events, seeds)))
        self.bus.tell(CHANGED, game)

    async def admit(self, guest: str, game: str) -> None:
        await self._do(lambda db: db.execute(sql.ADMIT, guest, game, time.time()))

    async def dismiss(self, game: str, others: set[str]) -> None:
        await self._do(lambda db: db.execute(sql.DISMISS, game, sorted(others)))

    async def load(self, game: str) -> tuple[Header, list[Event]] | None:
        async def read(db: Any) -> tuple[str, list[Event]] | None:
            header = await db.fetchval("SELECT header FROM games WHERE id = $1", game)
            return None if header is None else (header, await _read_events(db, game, None))

        found = await self._do(read)
        return None if found is None else (msgspec.json.decode(found[0], type=Header), found[1])

    async def seeds(self, game: str) -> dict[int, str]:
        return dict(await self._fetch("SELECT epoch, seed FROM seeds WHERE game = $1 ORDER BY epoch", game))

    async def since(self, game: str, seq: int) -> list[Event] | None:
        async def read(db: Any) -> list[Event] | None:
            events = await _read_events(db, game, seq)
            is_there = events or await db.fetchval("SELECT 1 FROM games WHERE id = $1", game)
            return events if is_there else None

        return await self._do(read)

    async def changes(self, seconds: float) -> set[str] | None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._heard.wait()
        self._heard.clear()
        changed, self._changed, anything, self._anything = self._changed, set(), self._anything, False
        return None if anything else changed

    async def behind(self, known: Mapping[str, int]) -> set[str]:
        rows = await self._fetch(sql.BEHIND, list(known), list(known.values()))
        return {row[0] for row in rows}

    async def list_games(self) -> list[Kept]:
        return [_describe(*row) for row in await self._fetch(sql.LIST)]

    async def visit(self, game: str) -> None:
        with suppress(Taken):  # it is being removed
            await self._do(lambda db: db.execute(sql.VISIT, game, time.time()))

    async def remove(self, game: str, before: float) -> bool:
        async def work(db: Any) -> bool:
            async with db.transaction():
                # whoever appends now has come before, and is seen, or comes after, and is refused
                if not await db.fetchval("SELECT 1 FROM games WHERE id = $1 FOR UPDATE", game):
                    return False
                return bool(await db.fetchval(sql.REMOVE, game, before))

        removed = await self._do(work)
        if removed:
            self.bus.tell(CHANGED, game)
        return removed

    async def set_hook(self, game: str, hook: Hook) -> None:
        if hook.url:
            row = (game, hook.seat, hook.guest, hook.url, hook.key)
            await self._do(lambda db: db.execute(sql.HANG, *row))
        else:
            delete = "DELETE FROM hooks WHERE game = $1 AND seat = $2"
            await self._do(lambda db: db.execute(delete, game, hook.seat))

    async def hooks(self, game: str) -> list[Hook]:
        select = "SELECT seat, guest, url, key FROM hooks WHERE game = $1 ORDER BY seat"
        return [Hook(*row) for row in await self._fetch(select, game)]

    async def note_call(self, game: str, seat: int, seq: int) -> bool:
        return bool(await self._fetch(sql.NOTE_CALL, game, seat, seq))

    async def keep_review(self, game: str, review: KeptReview) -> None:
        row = msgspec.structs.astuple(review)
        await self._do(lambda db: db.execute(sql.KEEP_REVIEW, game, *row))

    async def review(self, game: str) -> KeptReview | None:
        rows = await self._fetch(sql.REVIEW, game)
        return KeptReview(*rows[0]) if rows else None

    def tell(self, subject: str, word: str) -> None:
        self.bus.tell(subject, word)

    def listen(self, subject: str, heard: Callable[[str], None]) -> None:
        self.bus.listen(subject, heard)

    async def is_admitted(self, guest: str, game: str) -> bool:
        return bool(await self._fetch("SELECT 1 FROM admitted WHERE guest = $1 AND game = $2", guest, game))

    async def games_of(self, guest: str, most: int = 50, skip: int = 0) -> list[str]:
        select = "SELECT game FROM admitted WHERE guest = $1 ORDER BY at DESC LIMIT $2 OFFSET $3"
        return [row[0] for row in await self._fetch(select, guest, most, skip)]

    async def forget(self, guest: str, game: str, *, alone: bool) -> bool:
        async def work(db: Any) -> bool:
            async with db.transaction():
                await db.fetchval("SELECT 1 FROM games WHERE id = $1 FOR UPDATE", game)
                await db.execute("DELETE FROM admitted WHERE guest = $1 AND game = $2", guest, game)
                if not alone or await db.fetchval("SELECT 1 FROM admitted WHERE game = $1", game):
                    return False
                return bool(await db.fetchval("DELETE FROM games WHERE id = $1 RETURNING 1", game))

        removed = await self._do(work)
        if removed:
            self.bus.tell(CHANGED, game)
        return removed

    async def resumable(self, most: int) -> list[str]:
        return [row[0] for row in await self._fetch(sql.RESUMABLE, most)]

    async def copy_out(self, game: str) -> Whole | None:
        async def read(db: Any) -> Whole | None:
            async with db.transaction(isolation="repeatable_read", readonly=True):
                row = await db.fetchrow(sql.ABOUT, game)
                if row is None:
                    return None
                events = await _read_events(db, game, None)
                seeds = await db.fetch("SELECT epoch, seed FROM seeds WHERE game = $1 ORDER BY epoch", game)
                admitted = await db.fetch(
                    "SELECT guest, at FROM admitted WHERE game = $1 ORDER BY guest", game
                )
                hooks = await db.fetch(
                    "SELECT seat, guest, url, key FROM hooks WHERE game = $1 ORDER BY seat", game
                )
                review = await db.fetchrow(sql.REVIEW, game)
                helped = bool(await db.fetchval("SELECT 1 FROM helps WHERE game = $1", game))
                calls = await db.fetch("SELECT seat, seq FROM calls WHERE game = $1 ORDER BY seat", game)
            hung, reviewed = [Hook(*each) for each in hooks], KeptReview(*review) if review else None
            known, called = (dict(seeds), dict(admitted)), tuple(map(tuple, calls))
            return Whole(game, row[0], row[1], events, *known, row[2], hung, reviewed, helped, called)

        return await self._do(read)

    async def copy_in(self, whole: Whole) -> None:
        async def work(db: Any) -> None:
            async with db.transaction():
                await db.execute(
                    "INSERT INTO games (id, header, created) VALUES ($1, $2, $3)",
                    whole.id,
                    whole.header,
                    whole.created,
                )
                await db.execute(sql.APPEND, whole.id, *_columns(whole.events, whole.seeds))
                admitted = [(guest, whole.id, at) for guest, at in whole.admitted.items()]
                await db.executemany("INSERT INTO admitted (guest, game, at) VALUES ($1, $2, $3)", admitted)
                if whole.visited:
                    await db.execute(sql.VISIT, whole.id, whole.visited)
                for hook in whole.hooks:
                    await db.execute(sql.HANG, whole.id, hook.seat, hook.guest, hook.url, hook.key)
                if whole.review is not None:
                    await db.execute(sql.KEEP_REVIEW, whole.id, *msgspec.structs.astuple(whole.review))
                if whole.helped:
                    await db.execute("INSERT INTO helps (game) VALUES ($1)", whole.id)
                for seat, seq in whole.called:
                    await db.execute(sql.NOTE_CALL, whole.id, seat, seq)

        await self._do(work)

    async def check(self) -> None:
        # it is written to: a database that is read-only or full shows itself
        await self._do(lambda db: db.execute("UPDATE mozaika SET checked = now()"))

    async def close(self) -> None:
        pool, self._pool = self._pool, None
        await asyncio.gather(*self._work, return_exceptions=True)
        await self.bus.stop()
        if self.alone and pool is not None:
            self._held.terminate()
        if pool is not None:
            try:
                async with asyncio.timeout(SECONDS):
                    await pool.close()
            except FAULTS:
                pool.terminate()

    async def _fetch(self, statement: str, *values: Any) -> list[Any]:
        found: list[Any] = await self._do(lambda db: db.fetch(statement, *values))
        return found

    async def _write_all(self, statements: list[tuple[str, tuple[Any, ...]]]) -> None:
        async def work(db: Any) -> None:
            async with db.transaction():
                for statement, values in statements:
                    await db.execute(statement, *values)

        await self._do(work)

    async def _do(self, work: Callable[[Any], Awaitable[T]]) -> T:
        """Work with a connection. Whoever stops waiting does not stop it: that would cost the connection."""
        if self._pool is None:
            raise StoreError("The store is closed.")
        task = asyncio.create_task(self._with_connection(self._pool, work))
        self._work.add(task)
        task.add_done_callback(self._forget)
        return await asyncio.shield(task)

    def _forget(self, task: "asyncio.Task[Any]") -> None:
        self._work.discard(task)
        if not task.cancelled():
            task.exception()  # nobody may wait for it any more

    async def _with_connection(self, pool: Any, work: Callable[[Any], Awaitable[T]]) -> T:
        self.waiting += 1
        try:
            async with pool.acquire(timeout=SECONDS) as db:
                try:
                    return await work(db)
                except (OSError, asyncpg.InterfaceError, TimeoutError, asyncpg.ReadOnlySQLTransactionError):
                    db.terminate()  # whatever it would still say is too late; a new one may be let write
                    raise
        except asyncpg.IntegrityConstraintViolationError as error:
            raise Taken(str(error)) from None
        except FAULTS as error:
            log.error("the store could not answer: %s", explain(error))  # noqa: TRY400
            raise StoreError(explain(error)) from error
        finally:
            self.waiting -= 1

    def _hear_of(self, game: str) -> None:
        self._changed.add(game)
        self._heard.set()

    def _hear_again(self) -> None:
        """Nobody knows what was said while nobody listened."""
        self._anything = True
        self._heard.set()


async def _leave_as_it_is(_: Any) -> None:
    """Nobody changes a session, so nothing has to be undone when it is given back."""


def _columns(events: list[Event], seeds: Mapping[int, str]) -> tuple[list[Any], ...]:
    return (
        [event.seq for event in events],
        [event.seat for event in events],
        [event.kind for event in events],
        [event.text.encode() for event in events],
        [event.command for event in events],
        [event.at or time.time() for event in events],
        list(seeds),
        list(seeds.values()),
    )


async def _read_events(db: Any, game: str, seq: int | None) -> list[Event]:
    rows = await (db.fetch(sql.LOG, game) if seq is None else db.fetch(sql.SINCE, game, seq))
    return [Event(seq, seat, kind, text.decode(), command, at) for seq, seat, kind, text, command, at in rows]


def _describe(name: str, header: str, created: float, events: int, last: float, seen: float) -> Kept:
    try:
        about = msgspec.json.decode(header, type=Header)
    except msgspec.MsgspecError:  # one that cannot be read does not hide the others
        return Kept(name, "?", 0, created, events, last, seen)
    return Kept(name, about.game, about.seats, created, events, last, seen)


async def migrate(db: Any) -> None:
    """Bring a database up to date, each numbered script in a transaction; others who start meanwhile wait."""
    scripts = by_number(_scripts())
    while True:
        async with db.transaction():
            await db.execute("SELECT pg_advisory_xact_lock($1)", MIGRATING)
            done = await version_of(db)
            if done > max(scripts):
                raise StoreError("The database was made by a newer Mozaika; update this one.")
            number = next((number for number in scripts if number > done), None)
            if number is None:
                return
            if not done:
                await _found(db)
            await db.execute(scripts[number].read_text("utf-8"))
            await db.execute("UPDATE mozaika SET version = $1", number)


async def _found(db: Any) -> None:
    """The first script of a database that holds nothing yet."""
    if await db.fetchval("SELECT 1 FROM pg_tables WHERE schemaname = current_schema()"):
        raise StoreError("This is a database of another program.")
    await db.execute("CREATE TABLE mozaika (version INTEGER NOT NULL, checked TIMESTAMPTZ)")
    await db.execute("INSERT INTO mozaika (version) VALUES (0)")


async def version_of(db: Any) -> int:
    """The number of the last script that a database has had."""
    if await db.fetchval("SELECT to_regclass('mozaika')") is None:
        return 0
    return int(await db.fetchval("SELECT version FROM mozaika"))


def newest_version() -> int:
    return max(by_number(_scripts()))


def _scripts() -> list[Any]:
    return read_scripts("postgres")
