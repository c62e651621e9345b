"""Backups of the embedded store: whole files, also while a server goes on keeping games in the original."""

import contextlib
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from itertools import chain, count
from pathlib import Path

import apsw

from mozaika.store import StoreError
from mozaika.store.sqlite import BUSY_MILLISECONDS, hold, newest_version, version_of

READ_ONLY = apsw.SQLITE_OPEN_READONLY
TABLES = {"games", "log", "admitted"}


def back_up(store: Path, target: Path, *, force: bool = False) -> int:
    """Write all games of a store into a new file; returns how many they are.

    Whatever was acknowledged before this begins is in it: a reader of the write-ahead log sees one moment,
    and keeps nobody from writing. A file that is there already stays until the new one is whole.
    """
    if target.exists() and not force:
        raise StoreError(f"There is a file {target} already; choose another name, or say --force.")
    if not store.exists():
        raise StoreError(f"There are no games in {store}.")
    if target.exists() and target.samefile(store):
        raise StoreError(f"{target} is the store itself; choose another name.")
    try:
        with contextlib.closing(_open(store, apsw.SQLITE_OPEN_READWRITE)) as source:
            check_store(source, store)
            with _new_file(target) as part:
                _copy(source, part)
                return check_backup(part)
    except apsw.Error as error:
        raise StoreError(f"{store} could not be read: {error}.") from None


def restore(backup: Path, store: Path) -> Path | None:
    """Put the games of a backup where the store is. Returns where the games are that were there before.

    StoreError while a server runs, and if the file is no backup: then nothing has changed.
    """
    if not backup.exists():
        raise StoreError(f"There is no file {backup}.")
    check_backup(backup)
    store.parent.mkdir(parents=True, exist_ok=True)
    with hold(store):
        if store.exists() and backup.samefile(store):
            raise StoreError(f"{backup} is the store itself.")
        with _new_file(store) as part:
            with contextlib.closing(_open(backup, READ_ONLY)) as source:
                _copy(source, part)
            return _put_aside(store)


def check_backup(path: Path) -> int:
    """How many games are in a backup; StoreError if it is none, is damaged, or is too new for us."""
    try:
        with contextlib.closing(_open(path, READ_ONLY)) as db:
            check_store(db, path)
            found = db.execute("PRAGMA integrity_check").fetchall()
            astray = db.execute("PRAGMA foreign_key_check").fetchall()
            games = db.execute("SELECT count(*) FROM games").fetchall()
    except apsw.Error:
        raise StoreError(f"There are no games of Mozaika in {path}.") from None
    if found != [("ok",)] or astray:
        raise StoreError(f"{path} is damaged; nothing was changed.")
    return int(str(games[0][0]))


def check_store(db: apsw.Connection, path: Path) -> None:
    """StoreError if a database holds no games of ours, or was made by a newer Mozaika."""
    names = {row[0] for row in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    if not names >= TABLES:
        raise StoreError(f"There are no games of Mozaika in {path}.")
    if version_of(db) > newest_version():
        raise StoreError(f"{path} was made by a newer Mozaika; update this one.")


def _open(path: Path, flags: int) -> apsw.Connection:
    db = apsw.Connection(str(path), flags=flags)
    db.set_busy_timeout(BUSY_MILLISECONDS)
    return db


def _copy(source: apsw.Connection, path: Path) -> None:
    """All pages in one step: in several, each commit of a server would make it begin again."""
    with contextlib.closing(apsw.Connection(str(path))) as copy:
        with copy.backup("main", source, "main") as running:
            running.step(-1)
        # one file, without a write-ahead log beside it
        copy.execute("PRAGMA journal_mode = DELETE").fetchall()


@contextlib.contextmanager
def _new_file(target: Path) -> Iterator[Path]:
    """A file that gets its name when it is whole and on the disk; only its owner may read it."""
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    os.close(handle)
    part = Path(name)
    try:
        yield part
        with part.open("rb+") as file:
            os.fsync(file.fileno())
        part.replace(target)
        _sync_folder(target.parent)
    finally:
        part.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _put_aside(store: Path) -> Path | None:
    """Keep the games that are there under another name; the store stays until the new one takes its place."""
    if not store.exists():
        return None
    aside = _free_name(store.with_name(f"{store.name}.before-{time.strftime('%Y%m%d-%H%M%S')}"))
    _bring_in(store, aside)
    try:
        os.link(store, aside)
    except OSError:  # not every disk gives a file two names
        store.replace(aside)
    return aside


def _bring_in(store: Path, aside: Path) -> None:
    """Let nothing beside the store be left that would meet the new one."""
    wal, kept = store.with_name(f"{store.name}-wal"), aside.with_name(f"{aside.name}-wal")
    if wal.exists():
        shutil.copy(wal, kept)
    try:
        with contextlib.closing(_open(store, apsw.SQLITE_OPEN_READWRITE)) as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        kept.unlink(missing_ok=True)
    except apsw.Error:  # no database any more: its log is all that there is
        pass
    for ending in ("-wal", "-shm"):
        store.with_name(store.name + ending).unlink(missing_ok=True)


def _free_name(path: Path) -> Path:
    names = chain([path], (path.with_name(f"{path.name}-{number}") for number in count(2)))
    return next(name for name in names if not name.exists())
