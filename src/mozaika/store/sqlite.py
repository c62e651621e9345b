"""The embedded store: SQLite with one writer thread that commits what has gathered in one go."""

import asyncio
import contextlib
import logging
import os
import queue
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import apsw
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
from mozaika.store.deals import DealsIn

OLDEST_SQLITE = (3, 51, 3)
"""Older ones can lose a write-ahead log in a race between two checkpoints."""
MOST_AT_ONCE, MOST_ROWS = 256, 64
BUSY_MILLISECONDS = 5_000

log = logging.getLogger("mozaika")

Job = tuple[Callable[[apsw.Connection], Any], "asyncio.Future[Any]"]
Answer = tuple["asyncio.Future[Any]", Exception | None]


class SqliteStore:
    """Games in one file. Only one process serves them; others may work beside it for a moment."""

    def __init__(self, path: Path, *, beside: bool = False) -> None:
        """Open or create the file, bring it up to date, and start the writer.

        Beside whoever serves the games nothing is created or brought up to date.
        """
        version = tuple(map(int, apsw.sqlite_lib_version().split(".")[:3]))
        if version < OLDEST_SQLITE:
            raise StoreError(f"SQLite {apsw.sqlite_lib_version()} is too old; update the package apsw.")
        if beside and not path.exists():
            raise StoreError(f"There are no games in {path}.")
        try:
            self._open(path, beside=beside)
        except apsw.NotADBError:
            raise StoreError(f"{path} is no database.") from None
        except (OSError, apsw.Error) as error:
            raise StoreError(f"Games cannot be kept in {path}: {error}.") from None
        self._data_version = _data_version(self._writer)
        self._reading = threading.Lock()
        self._closed = False
        self.deals = DealsIn(self._read, self._write_all, dialect="sqlite")
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._gathered: list[Job] = []
        """What has come in this turn of the event loop: the writer is woken once for all of it."""
        self._thread = threading.Thread(target=self._write_on, name="store writer", daemon=True)
        self._thread.start()

    def _open(self, path: Path, *, beside: bool) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.ExitStack() as opened:
            if not beside:
                opened.enter_context(hold(path))
                if not path.exists():  # it has the seeds of running games; files beside it are as open as it
                    path.touch(0o600)
            self._reader = opened.enter_context(contextlib.closing(_connect(path)))
            self._writer = opened.enter_context(contextlib.closing(_connect(path)))
            if not beside:
                migrate(self._writer)
            elif version_of(self._writer) != newest_version():
                raise StoreError("The games were kept by another version of Mozaika; start the server first.")
            self._opened = opened.pop_all()

    is_shared = False
    queue = None

    async def open(self) -> None:
        """Nothing is left to do: whoever has no such file is told so before."""

    @property
    def waiting(self) -> int:
        return len(self._gathered) + self._jobs.qsize()

    async def create(self, header: Header, events: list[Event], seeds: Mapping[int, str] = NO_SEEDS) -> None:
        def job(db: apsw.Connection) -> None:
            row = (header.id, msgspec.json.encode(header), header.created)
            db.execute("INSERT INTO games (id, header, created) VALUES (?, ?, ?)", row)
            db.execute(
                "INSERT INTO admitted (guest, game, at) VALUES (?, ?, ?)",
                (header.owner, header.id, time.time()),
            )
            _insert(db, header.id, events, seeds)

        await self._write(job)

    async def append(self, game: str, events: list[Event], seeds: Mapping[int, str] = NO_SEEDS) -> None:
        await self._write(lambda db: _insert(db, game, events, seeds))

    async def admit(self, guest: str, game: str) -> None:
        insert = "INSERT OR IGNORE INTO admitted (guest, game, at) VALUES (?, ?, ?)"
        await self._write(lambda db: db.execute(insert, (guest, game, time.time())))

    async def dismiss(self, game: str, others: set[str]) -> None:
        delete = "DELETE FROM admitted WHERE game = ? AND guest NOT IN (SELECT value FROM json_each(?))"
        stay = msgspec.json.encode(sorted(others)).decode()
        await self._write(lambda db: db.execute(delete, (game, stay)))

    async def load(self, game: str) -> tuple[Header, list[Event]] | None:
        rows = await self._read("SELECT header FROM games WHERE id = ?", (game,))
        if not rows:
            return None
        select = "SELECT seq, seat, kind, text, command, at FROM log WHERE game = ? ORDER BY seq"
        events = [Event(*row) for row in await self._read(select, (game,))]
        return msgspec.json.decode(rows[0][0], type=Header), events

    async def seeds(self, game: str) -> dict[int, str]:
        return dict(await self._read("SELECT epoch, seed FROM seeds WHERE game = ?", (game,)))

    async def since(self, game: str, seq: int) -> list[Event] | None:
        select = "SELECT seq, seat, kind, text, command, at FROM log WHERE game = ? AND seq > ? ORDER BY seq"
        events = [Event(*row) for row in await self._read(select, (game, seq))]
        if not events and not await self._read("SELECT 1 FROM games WHERE id = ?", (game,)):
            return None
        return events

    async def changes(self, seconds: float) -> set[str] | None:
        await asyncio.sleep(seconds)
        before = self._data_version

        def look(db: apsw.Connection) -> None:
            self._data_version = _data_version(db)

        await self._write(look)
        return None if before != self._data_version else set()

    async def behind(self, known: Mapping[str, int]) -> set[str]:
        return {row[0] for row in await self._read(BEHIND, (msgspec.json.encode(known).decode(),))}

    async def copy_out(self, game: str) -> Whole | None:
        rows = await self._read("SELECT created, header FROM games WHERE id = ?", (game,))
        if not rows:
            return None
        admitted = await self._read("SELECT guest, at FROM admitted WHERE game = ? ORDER BY guest", (game,))
        visits = await self._read("SELECT at FROM visits WHERE game = ?", (game,))
        called = await self._read("SELECT seat, seq FROM calls WHERE game = ? ORDER BY seat", (game,))
        return Whole(
            game,
            rows[0][0],
            rows[0][1].decode(),
            await self.since(game, -1) or [],
            await self.seeds(game),
            dict(admitted),
            visits[0][0] if visits else 0.0,
            await self.hooks(game),
            await self.review(game),
            await self.deals.was_helped(game),
            tuple(called),
        )

    async def copy_in(self, whole: Whole) -> None:
        def job(db: apsw.Connection) -> None:
            row = (whole.id, whole.header.encode(), whole.created)
            db.execute("INSERT INTO games (id, header, created) VALUES (?, ?, ?)", row)
            _insert(db, whole.id, whole.events, whole.seeds)
            admitted = [(guest, whole.id, at) for guest, at in whole.admitted.items()]
            db.executemany("INSERT INTO admitted (guest, game, at) VALUES (?, ?, ?)", admitted)
            if whole.visited:
                db.execute("INSERT INTO visits (game, at) VALUES (?, ?)", (whole.id, whole.visited))
            for hook in whole.hooks:
                _hang(db, whole.id, hook)
            if whole.review is not None:
                db.execute(KEEP_REVIEW, (whole.id, *msgspec.structs.astuple(whole.review)))
            if whole.helped:
                db.execute("INSERT INTO helps (game) VALUES (?)", (whole.id,))
            for seat, seq in whole.called:
                db.execute(NOTE_CALL, (whole.id, seat, seq))

        await self._write(job)

    async def list_games(self) -> list[Kept]:
        rows = await self._read(LIST, ())
        found = [_describe(*row) for row in rows]
        return sorted(found, key=lambda kept: kept.used)

    async def visit(self, game: str) -> None:
        note = (
            "INSERT INTO visits (game, at) SELECT id, ? FROM games WHERE id = ? "
            "ON CONFLICT (game) DO UPDATE SET at = excluded.at"
        )
        await self._write(lambda db: db.execute(note, (time.time(), game)))

    async def remove(self, game: str, before: float) -> bool:
        removed = False

        def job(db: apsw.Connection) -> None:
            nonlocal removed
            [(created, last, seen)] = db.execute(LAST_USED, (game,)).fetchall() or [(before, 0.0, 0.0)]
            if max(float(str(each)) for each in (created, last, seen)) < before:
                _remove(db, game)
                removed = True

        await self._write(job)
        return removed

    async def set_hook(self, game: str, hook: Hook) -> None:
        def job(db: apsw.Connection) -> None:
            db.execute("DELETE FROM hooks WHERE game = ? AND seat = ?", (game, hook.seat))
            if hook.url:
                _hang(db, game, hook)

        await self._write(job)

    async def hooks(self, game: str) -> list[Hook]:
        select = "SELECT seat, guest, url, key FROM hooks WHERE game = ? ORDER BY seat"
        return [Hook(*row) for row in await self._read(select, (game,))]

    async def note_call(self, game: str, seat: int, seq: int) -> bool:
        called = False

        def job(db: apsw.Connection) -> None:
            nonlocal called
            called = bool(db.execute(NOTE_CALL, (game, seat, seq)).fetchall())

        await self._write(job)
        return called

    async def keep_review(self, game: str, review: KeptReview) -> None:
        row = (game, *msgspec.structs.astuple(review))
        await self._write(lambda db: db.execute(KEEP_REVIEW, row))

    async def review(self, game: str) -> KeptReview | None:
        rows = await self._read("SELECT of, text, whole FROM reviews WHERE game = ?", (game,))
        return KeptReview(rows[0][0], rows[0][1], bool(rows[0][2])) if rows else None

    def tell(self, subject: str, word: str) -> None:
        """Nobody else serves these games."""

    def listen(self, subject: str, heard: Callable[[str], None]) -> None:
        """Nobody else says anything."""

    async def is_admitted(self, guest: str, game: str) -> bool:
        return bool(await self._read("SELECT 1 FROM admitted WHERE guest = ? AND game = ?", (guest, game)))

    async def games_of(self, guest: str, most: int = 50, skip: int = 0) -> list[str]:
        select = "SELECT game FROM admitted WHERE guest = ? ORDER BY at DESC LIMIT ? OFFSET ?"
        return [row[0] for row in await self._read(select, (guest, most, skip))]

    async def forget(self, guest: str, game: str, *, alone: bool) -> bool:
        removed = False

        def job(db: apsw.Connection) -> None:
            nonlocal removed
            db.execute("DELETE FROM admitted WHERE guest = ? AND game = ?", (guest, game))
            others = db.execute("SELECT 1 FROM admitted WHERE game = ?", (game,)).fetchall()
            if alone and not others:
                _remove(db, game)
                removed = True

        await self._write(job)
        return removed

    async def resumable(self, most: int) -> list[str]:
        return [row[0] for row in await self._read(RESUMABLE, (most,))]

    async def check(self) -> None:
        # the number that is there already is written once more: a disk that is full or read-only shows itself
        await self._write(lambda db: db.execute(f"PRAGMA user_version = {version_of(db)}").fetchall())

    async def close(self) -> None:
        self._closed = True
        self._hand_over()
        self._jobs.put(None)

        def end() -> None:
            self._thread.join()
            with self._reading:  # whoever asked may be gone, and what was asked still be read
                self._opened.close()

        await asyncio.to_thread(end)

    async def _read(self, sql: str, values: tuple[Any, ...]) -> list[Any]:
        def run() -> list[Any]:
            with self._reading:
                if self._closed:
                    raise StoreError("The store is closed.")
                return self._reader.execute(sql, values).fetchall()

        try:
            return await asyncio.to_thread(run)
        except apsw.Error as error:
            log.error("the store could not be read: %s", error)  # noqa: TRY400  the sentence is enough
            raise StoreError(str(error)) from error

    async def _write(self, job: Callable[[apsw.Connection], Any]) -> None:
        if self._closed:
            raise StoreError("The store is closed.")
        loop = asyncio.get_running_loop()
        loop.call_soon(self._hand_over)
        future = loop.create_future()
        self._gathered.append((job, future))
        await future

    def _hand_over(self) -> None:
        jobs, self._gathered = self._gathered, []
        for job in jobs:
            self._jobs.put(job)

    async def _write_all(self, statements: list[tuple[str, tuple[Any, ...]]]) -> None:
        def job(db: apsw.Connection) -> None:
            for sql, values in statements:
                db.execute(sql, values).fetchall()

        await self._write(job)

    def _write_on(self) -> None:
        """Take whatever has gathered, and commit it together."""
        while (first := self._jobs.get()) is not None:
            jobs = [first]
            last = False
            while len(jobs) < MOST_AT_ONCE and not self._jobs.empty():
                if (following := self._jobs.get()) is None:
                    last = True
                    break
                jobs.append(following)
            self._commit(jobs)
            if last:
                break

    def _commit(self, jobs: list[Job]) -> None:
        try:
            self._writer.execute("BEGIN IMMEDIATE")
            refusals = [self._try(job, alone=len(jobs) == 1) for job, _ in jobs]
            self._writer.execute("COMMIT" if any(each is None for each in refusals) else "ROLLBACK")
        except Exception as error:  # noqa: BLE001 - the writer outlives whatever a job does
            with contextlib.suppress(apsw.Error):
                self._writer.execute("ROLLBACK")
            log.error("the store could not keep something: %s", error)  # noqa: TRY400
            # a failed commit is an unknown outcome: the command's id tells on the next try
            refusals = [StoreError(str(error)) for _ in jobs]
        answers: dict[asyncio.AbstractEventLoop, list[Answer]] = {}
        for (_, future), refusal in zip(jobs, refusals, strict=True):
            answers.setdefault(future.get_loop(), []).append((future, refusal))
        for loop, some in answers.items():
            with contextlib.suppress(RuntimeError):  # nobody waits any more: the loop is closed
                loop.call_soon_threadsafe(_answer, some)

    def _try(self, job: Callable[[apsw.Connection], Any], *, alone: bool) -> Exception | None:
        """Why a job is refused; of one among others nothing is left then, and one alone is rolled back."""
        try:
            if alone:
                job(self._writer)
                return None
            self._writer.execute("SAVEPOINT job")
            try:
                job(self._writer)
            except apsw.ConstraintError:
                self._writer.execute("ROLLBACK TO job")
                raise
            finally:
                self._writer.execute("RELEASE job")
        except apsw.ConstraintError as error:
            return Taken(str(error))
        return None


def _answer(answers: list[Answer]) -> None:
    for future, refusal in answers:
        if future.cancelled():
            continue
        if refusal is None:
            future.set_result(None)
        else:
            future.set_exception(refusal)


RESUMABLE = """
    WITH used AS (
        SELECT id, max(created, coalesce((SELECT at FROM visits WHERE visits.game = games.id), 0)) AS at
        FROM games
    )
    SELECT id FROM used
    WHERE at > (SELECT max(at) FROM used) - 2 * 86400
    AND EXISTS (SELECT 1 FROM log WHERE game = id AND kind = 'sit' AND text LIKE '%"kind":"bot"%')
    ORDER BY (SELECT log.at FROM log WHERE game = id ORDER BY seq DESC LIMIT 1) DESC LIMIT ?
"""
BEHIND = """
    SELECT known.key FROM json_each(?) AS known
    WHERE NOT EXISTS (SELECT 1 FROM games WHERE id = known.key)
    OR EXISTS (SELECT 1 FROM log WHERE game = known.key AND seq > known.value)
"""
NOTE_CALL = """
    INSERT INTO calls (game, seat, seq) VALUES (?, ?, ?)
    ON CONFLICT (game, seat) DO UPDATE SET seq = excluded.seq WHERE seq < excluded.seq RETURNING 1
"""
KEEP_REVIEW = """
    INSERT INTO reviews (game, of, text, whole) SELECT ?1, ?2, ?3, ?4 FROM games WHERE id = ?1
    ON CONFLICT (game) DO UPDATE SET of = excluded.of, text = excluded.text, whole = excluded.whole
    WHERE of <> excluded.of OR NOT whole
"""
REFERRING = """
    SELECT holding.name, referring."from"
    FROM sqlite_schema AS holding, pragma_foreign_key_list(holding.name) AS referring
    WHERE holding.type = 'table' AND referring."table" = 'games'
"""
LAST_USED = """
    SELECT games.created, coalesce((SELECT max(at) FROM log WHERE log.game = games.id), 0),
           coalesce((SELECT at FROM visits WHERE visits.game = games.id), 0)
    FROM games WHERE id = ?
"""
LIST = """
    SELECT games.id, games.header, games.created,
           count(log.seq), coalesce(max(log.at), 0), coalesce(visits.at, 0)
    FROM games LEFT JOIN log ON log.game = games.id LEFT JOIN visits ON visits.game = games.id
    GROUP BY games.id
"""


def _remove(db: apsw.Connection, game: str) -> None:
    for table, column in (*db.execute(REFERRING).fetchall(), ("games", "id")):
        db.execute(f"DELETE FROM {table} WHERE {column} = ?", (game,))  # noqa: S608  our own names


def _describe(name: str, header: bytes, created: float, events: int, last: float, seen: float) -> Kept:
    try:
        about = msgspec.json.decode(header, type=Header)
    except msgspec.MsgspecError:  # one that cannot be read does not hide the others
        return Kept(name, "?", 0, created, events, last, seen)
    return Kept(name, about.game, about.seats, created, events, last, seen)


def _insert(db: apsw.Connection, game: str, events: list[Event], seeds: Mapping[int, str]) -> None:
    at = time.time()
    for first in range(0, len(events), MOST_ROWS):  # a move and what is drawn after it is one statement
        some = events[first : first + MOST_ROWS]
        rows = ", ".join(["(?, ?, ?, ?, ?, ?, ?)"] * len(some))
        values = [each for e in some for each in (game, e.seq, e.seat, e.kind, e.text, e.command, e.at or at)]
        db.execute(f"INSERT INTO log (game, seq, seat, kind, text, command, at) VALUES {rows}", values)  # noqa: S608
    for epoch, seed in seeds.items():
        db.execute("INSERT INTO seeds (game, epoch, seed) VALUES (?, ?, ?)", (game, epoch, seed))


def _hang(db: apsw.Connection, game: str, hook: Hook) -> None:
    row = (game, hook.seat, hook.guest, hook.url, hook.key)
    db.execute("INSERT INTO hooks (game, seat, guest, url, key) VALUES (?, ?, ?, ?, ?)", row)


def _connect(path: Path) -> apsw.Connection:
    db = apsw.Connection(str(path))
    db.set_busy_timeout(BUSY_MILLISECONDS)
    db.execute("PRAGMA journal_mode = WAL").fetchall()
    db.execute("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON").fetchall()
    return db


def migrate(db: apsw.Connection) -> None:
    """Bring a database up to date: every numbered script that it has not had yet, in one transaction each."""
    done, scripts = version_of(db), by_number(_scripts())
    if done > max(scripts):
        raise StoreError("The database was made by a newer Mozaika; update this one.")
    if not done and db.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchall():
        raise StoreError("This is a database of another program.")
    for number, script in scripts.items():
        if number > done:
            with db:
                db.execute(script.read_text("utf-8")).fetchall()
                db.execute(f"PRAGMA user_version = {number}").fetchall()


def _data_version(db: apsw.Connection) -> int:
    """Another number whenever another connection has changed something; its own changes do not count."""
    return int(str(db.execute("PRAGMA data_version").fetchall()[0][0]))


def version_of(db: apsw.Connection) -> int:
    """The number of the last script that a database has had."""
    return int(str(db.execute("PRAGMA user_version").fetchall()[0][0]))


def newest_version() -> int:
    return max(by_number(_scripts()))


def _scripts() -> list[Any]:
    return read_scripts("sqlite")


def hold(path: Path) -> Any:
    """Hold a lock file beside some games, so that no second process serves them or puts others there."""
    file = path.with_name(path.name + ".lock").open("a+")
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise StoreError(f"Another Mozaika is running with {path.name}.") from None
    return file
