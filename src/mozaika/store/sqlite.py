"""The embedded store: SQLite with one writer thread that commits what has gathered in one go."""

import asyncio
import contextlib
import os
import queue
import re
import threading
import time
from collections.abc import Callable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import apsw
import msgspec

from mozaika.store import NO_SEEDS, Event, Header, StoreError, Taken

OLDEST_SQLITE = (3, 51, 3)
"""Older ones can lose a write-ahead log in a race between two checkpoints."""
MOST_AT_ONCE = 256
BUSY_MILLISECONDS = 5_000

Job = tuple[Callable[[apsw.Connection], Any], "asyncio.Future[Any]"]


class SqliteStore:
    """Games in one file. Only one process may open it."""

    def __init__(self, path: Path) -> None:
        """Open or create the file, bring it up to date, and start the writer."""
        version = tuple(map(int, apsw.sqlite_lib_version().split(".")[:3]))
        if version < OLDEST_SQLITE:
            raise StoreError(f"SQLite {apsw.sqlite_lib_version()} is too old; update the package apsw.")
        path.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.ExitStack() as opened:
            self._lock = opened.enter_context(_lock_file(path.with_name(path.name + ".lock")))
            self._reader = opened.enter_context(contextlib.closing(_connect(path)))
            self._writer = opened.enter_context(contextlib.closing(_connect(path)))
            migrate(self._writer)
            self._opened = opened.pop_all()
        self._reading = threading.Lock()
        self._closed = False
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._write_on, name="store writer", daemon=True)
        self._thread.start()

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

    async def load(self, game: str) -> tuple[Header, list[Event]] | None:
        rows = await self._read("SELECT header FROM games WHERE id = ?", (game,))
        if not rows:
            return None
        select = "SELECT seq, seat, kind, text, command, at FROM log WHERE game = ? ORDER BY seq"
        events = [Event(*row) for row in await self._read(select, (game,))]
        return msgspec.json.decode(rows[0][0], type=Header), events

    async def seeds(self, game: str) -> dict[int, str]:
        return dict(await self._read("SELECT epoch, seed FROM seeds WHERE game = ?", (game,)))

    async def is_admitted(self, guest: str, game: str) -> bool:
        return bool(await self._read("SELECT 1 FROM admitted WHERE guest = ? AND game = ?", (guest, game)))

    async def games_of(self, guest: str, most: int = 50) -> list[str]:
        select = "SELECT game FROM admitted WHERE guest = ? ORDER BY at DESC LIMIT ?"
        return [row[0] for row in await self._read(select, (guest, most))]

    async def check(self) -> None:
        await self._write(lambda db: db.execute("PRAGMA user_version").fetchall())

    async def close(self) -> None:
        self._closed = True
        self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)
        self._opened.close()

    async def _read(self, sql: str, values: tuple[Any, ...]) -> list[Any]:
        def run() -> list[Any]:
            with self._reading:
                return self._reader.execute(sql, values).fetchall()

        try:
            return await asyncio.to_thread(run)
        except apsw.Error as error:
            raise StoreError(str(error)) from error

    async def _write(self, job: Callable[[apsw.Connection], Any]) -> None:
        if self._closed:
            raise StoreError("The store is closed.")
        future = asyncio.get_running_loop().create_future()
        self._jobs.put((job, future))
        await future

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
        answers: list[tuple[asyncio.Future[Any], Exception | None]] = []
        try:
            self._writer.execute("BEGIN IMMEDIATE")
            for job, future in jobs:
                answers.append((future, self._try(job)))
            self._writer.execute("COMMIT")
        except Exception as error:  # noqa: BLE001 - the writer outlives whatever a job does
            with contextlib.suppress(apsw.Error):
                self._writer.execute("ROLLBACK")
            # a failed commit is an unknown outcome: the command's id tells on the next try
            answers = [(future, StoreError(str(error))) for _, future in jobs]
        for future, refusal in answers:
            with contextlib.suppress(RuntimeError):  # nobody waits any more: the loop is closed
                future.get_loop().call_soon_threadsafe(_answer, future, refusal)

    def _try(self, job: Callable[[apsw.Connection], Any]) -> Exception | None:
        self._writer.execute("SAVEPOINT job")
        try:
            job(self._writer)
        except apsw.ConstraintError as error:
            self._writer.execute("ROLLBACK TO job")
            return Taken(str(error))
        finally:
            self._writer.execute("RELEASE job")
        return None


def _answer(future: "asyncio.Future[Any]", refusal: Exception | None) -> None:
    if future.cancelled():
        return
    if refusal is None:
        future.set_result(None)
    else:
        future.set_exception(refusal)


def _insert(db: apsw.Connection, game: str, events: list[Event], seeds: Mapping[int, str]) -> None:
    insert = "INSERT INTO log (game, seq, seat, kind, text, command, at) VALUES (?, ?, ?, ?, ?, ?, ?)"
    rows = [(game, e.seq, e.seat, e.kind, e.text, e.command, e.at or time.time()) for e in events]
    db.executemany(insert, rows)
    for epoch, seed in seeds.items():
        db.execute("INSERT INTO seeds (game, epoch, seed) VALUES (?, ?, ?)", (game, epoch, seed))


def _connect(path: Path) -> apsw.Connection:
    db = apsw.Connection(str(path))
    db.set_busy_timeout(BUSY_MILLISECONDS)
    db.execute("PRAGMA journal_mode = WAL").fetchall()
    db.execute("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON").fetchall()
    return db


def migrate(db: apsw.Connection) -> None:
    """Bring a database up to date: every numbered script that it has not had yet, in one transaction each."""
    done = int(str(db.execute("PRAGMA user_version").fetchall()[0][0]))
    scripts = {int(re.match(r"\d+", f.name)[0]): f for f in _scripts()}  # type: ignore[index]
    if done > max(scripts):
        raise StoreError("The database was made by a newer Mozaika; update this one.")
    for number in sorted(scripts):
        if number > done:
            with db:
                db.execute(scripts[number].read_text("utf-8")).fetchall()
                db.execute(f"PRAGMA user_version = {number}").fetchall()


def _scripts() -> list[Any]:
    return [f for f in files("mozaika.store").joinpath("migrations").iterdir() if f.name.endswith(".sql")]


def _lock_file(path: Path) -> Any:
    """Hold a lock file as long as the process lives, so that no second one writes to the same games."""
    file = path.open("a+")
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise StoreError(f"Another Mozaika is running with {path.with_suffix('').name}.") from None
    return file
