"""The embedded store: what it has kept stays, all or none, once."""

import asyncio
import stat
import subprocess
import sys
import threading

import apsw
import msgspec
import pytest

from mozaika.store import Event, Header, StoreError, sqlite
from mozaika.store.sqlite import MOST_AT_ONCE, SqliteStore

pytestmark = pytest.mark.anyio
HEADER = Header(
    id="game", game="a game", version=1, options={"wall": "grey"}, seats=2, owner="ania", link="l"
)


def move(seq, seat=0, command=None):
    return Event(seq, seat, "move", f"move {seq}", command, 5.0)


class Watched:
    """A connection that counts its commits, can be held up, and can fail to commit."""

    def __init__(self, store):
        self.db, store._writer = store._writer, self
        self.commits, self.failing, self.kept = 0, False, False
        self.may_begin = threading.Event()
        self.may_begin.set()

    def execute(self, sql, *values):
        if sql.startswith("BEGIN"):
            self.may_begin.wait(20)
        if sql == "COMMIT":
            self.commits += 1
            if self.failing:
                if self.kept:
                    self.db.execute(sql)
                raise apsw.IOError("disk I/O error")
        return self.db.execute(sql, *values)

    def __getattr__(self, name):
        return getattr(self.db, name)


async def test_what_has_gathered_is_committed_together(store):
    await store.create(HEADER, [])
    watched = Watched(store)
    watched.may_begin.clear()
    many = [asyncio.create_task(store.append("game", [move(1)]))]
    await asyncio.sleep(0.05)
    many += [asyncio.create_task(store.append("game", [move(n)])) for n in range(2, 501)]
    await asyncio.sleep(0)
    watched.may_begin.set()
    await asyncio.gather(*many)
    assert [event.seq for event in (await store.load("game"))[1]] == list(range(1, 501))
    assert watched.commits <= 2 + 500 // MOST_AT_ONCE


async def test_what_has_gathered_is_kept_before_the_store_closes(store, tmp_path):
    await store.create(HEADER, [])
    last = asyncio.create_task(store.append("game", [move(1)]))
    await asyncio.sleep(0)
    assert store.waiting == 1
    await store.close()
    await last
    again = SqliteStore(tmp_path / "games.db")
    assert [event.seq for event in (await again.load("game"))[1]] == [1]
    await again.close()


async def test_closing_waits_for_what_is_being_read_for_somebody_who_is_gone(store):
    await store.create(HEADER, [])
    begun, may_end = threading.Event(), threading.Event()

    def take_long() -> int:
        begun.set()
        return int(may_end.wait(20))

    store._reader.create_scalar_function("take_long", take_long, 0)
    reading = asyncio.create_task(store._read("SELECT take_long()", ()))
    await asyncio.to_thread(begun.wait, 20)
    reading.cancel()
    closing = asyncio.create_task(store.close())
    await asyncio.sleep(0.05)
    assert not closing.done()
    may_end.set()
    await closing
    with pytest.raises(StoreError, match="closed"):
        await store.load("game")


async def test_commits_are_durable(store):
    for db in (store._writer, store._reader):
        assert db.execute("PRAGMA journal_mode").fetchall() == [("wal",)]
        assert db.execute("PRAGMA synchronous").fetchall() == [(2,)], "FULL"
        assert db.execute("PRAGMA foreign_keys").fetchall() == [(1,)]


@pytest.mark.skipif(sys.platform == "win32", reason="Files have no such modes there.")
async def test_nobody_else_on_the_machine_may_read_the_games(store, tmp_path):
    """They hold the seeds of running games, and who else may act for a guest."""
    found = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.glob("games.db*")}
    kept = {name: mode for name, mode in found.items() if not name.endswith(".lock")}
    assert len(kept) >= 2
    assert set(kept.values()) == {0o600}


async def test_a_second_process_is_refused(store, tmp_path):
    with pytest.raises(StoreError, match=r"Another Mozaika is running with games\.db"):
        SqliteStore(tmp_path / "games.db")
    script = "import sys, pathlib; from mozaika.store.sqlite import *; SqliteStore(pathlib.Path(sys.argv[1]))"
    path = str(tmp_path / "games.db")
    run = subprocess.run([sys.executable, "-c", script, path], capture_output=True, text=True, timeout=120)
    assert run.returncode
    assert "Another Mozaika is running" in run.stderr


async def test_a_database_of_a_newer_mozaika_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "games.db"
    await SqliteStore(path).close()
    db = apsw.Connection(str(path))
    db.execute("PRAGMA user_version = 1000")
    db.close()
    for _ in range(2):
        with pytest.raises(StoreError, match="newer Mozaika"):
            SqliteStore(path)
    db = apsw.Connection(str(path))
    assert db.execute("PRAGMA user_version").fetchall() == [(1000,)]
    db.close()


async def test_an_sqlite_with_the_old_fault_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(apsw, "sqlite_lib_version", lambda: "3.40.1")
    with pytest.raises(StoreError, match=r"3\.40\.1 is too old"):
        SqliteStore(tmp_path / "games.db")


async def test_migrations_run_once_each_in_order(tmp_path, monkeypatch):
    path, scripts = tmp_path / "games.db", tmp_path / "scripts"
    scripts.mkdir()
    first = SqliteStore(path)
    await first.create(HEADER, [move(1)])
    await first.close()
    for script in sqlite._scripts():
        (scripts / script.name).write_text(script.read_text("utf-8"), "utf-8")
    (scripts / "0901-mark.sql").write_text(
        "ALTER TABLE games ADD COLUMN mark TEXT; UPDATE games SET mark = 'x'"
    )
    (scripts / "1002-more.sql").write_text("UPDATE games SET mark = mark || 'y'")
    monkeypatch.setattr(sqlite, "_scripts", lambda: list(scripts.iterdir()))
    for _ in range(2):
        again = SqliteStore(path)
        assert again._writer.execute("SELECT mark FROM games").fetchall() == [("xy",)]
        assert again._writer.execute("PRAGMA user_version").fetchall() == [(1002,)]
        assert await again.load("game") == (HEADER, [move(1)])
        await again.close()


async def test_the_seeds_of_older_games_move_to_a_place_of_their_own(tmp_path, monkeypatch):
    path, scripts = tmp_path / "games.db", sqlite._scripts()
    with monkeypatch.context() as patch:
        patch.setattr(sqlite, "_scripts", lambda: [each for each in scripts if each.name.startswith("0001")])
        older = SqliteStore(path)
        kept = msgspec.json.encode({**msgspec.to_builtins(HEADER), "seed": "a seed ☃"})
        older._writer.execute("INSERT INTO games (id, header, created) VALUES ('game', ?, 0)", (kept,))
        older._writer.execute("INSERT INTO log VALUES ('game', 1, 0, NULL, 'move', 'move 1', 5.0)")
        await older.close()
    store = SqliteStore(path)
    assert await store.load("game") == (HEADER, [move(1)])
    assert await store.seeds("game") == {0: "a seed ☃"}
    assert b"a seed" not in store._reader.execute("SELECT header FROM games").fetchall()[0][0]
    await store.close()


def test_a_migration_that_fails_leaves_nothing_behind(tmp_path, monkeypatch):
    (tmp_path / "1-good.sql").write_text("CREATE TABLE good (x)")
    (tmp_path / "2-bad.sql").write_text("CREATE TABLE bad (x); INSERT INTO nowhere VALUES (1)")
    monkeypatch.setattr(sqlite, "_scripts", lambda: list(tmp_path.glob("*.sql")))
    db = apsw.Connection(":memory:")
    with pytest.raises(apsw.SQLError):
        sqlite.migrate(db)
    assert db.execute("PRAGMA user_version").fetchall() == [(1,)]
    assert db.execute("SELECT name FROM sqlite_schema").fetchall() == [("good",)]
    db.close()


async def test_a_store_that_takes_no_writing_is_found_out(store, caplog):
    await store.check()
    await store._write(lambda db: db.execute("SELECT 1"))
    store._writer.execute("PRAGMA query_only = ON")
    with pytest.raises(StoreError):
        await store.check()
    assert "the store could not keep something" in caplog.text
    store._writer.execute("PRAGMA query_only = OFF")
    await store.check()


async def test_what_cannot_be_read_is_noted(store, caplog):
    store._reader.close()
    with pytest.raises(StoreError):
        await store.load("game")
    assert "the store could not be read" in caplog.text


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda path: path.write_text("This is no database. " * 100), "is no database"),
        (lambda path: path.mkdir(), "Games cannot be kept in"),
        (
            lambda path: apsw.Connection(str(path)).execute("CREATE TABLE t (x)"),
            "database of another program",
        ),
    ],
)
def test_a_store_that_is_no_database_of_ours_gets_a_sentence(tmp_path, make, sentence):
    make(tmp_path / "games.db")
    with pytest.raises(StoreError, match=sentence):
        SqliteStore(tmp_path / "games.db")
