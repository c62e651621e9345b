"""PostgreSQL: what only a store for several processes has to do."""

import asyncio
from contextlib import suppress

import asyncpg
import pytest

from mozaika.store import Event, Header, StoreError, by_number, postgres, read_scripts
from mozaika.store.place import show_place
from mozaika.store.postgres import PostgresStore, migrate
from postgres_server import at

pytestmark = pytest.mark.anyio
HEADER = Header(id="game", game="a game", version=1, options={}, seats=2, owner="ania", link="l")


async def open_store(url, **how):
    store = PostgresStore(url, **how)
    await store.open()
    return store


@pytest.fixture
async def empty(postgres):
    """A database that nobody has used."""
    db = await asyncpg.connect(postgres)
    name = f"empty_{id(db)}"
    await db.execute(f"CREATE DATABASE {name}")
    yield at(postgres, name)
    await db.execute(f"DROP DATABASE {name} WITH (FORCE)")
    await db.close()


async def test_several_processes_may_start_at_once(empty):
    stores = await asyncio.gather(*(open_store(empty) for _ in range(6)))
    await stores[0].create(HEADER, [Event(1, 0, "move", "x", None, 5.0)])
    for store in stores:
        assert (await store.load("game"))[1] == [Event(1, 0, "move", "x", None, 5.0)]
        await store.close()


def test_a_number_means_the_same_in_both_dialects():
    assert max(by_number(read_scripts("sqlite"))) == max(by_number(read_scripts("postgres")))


async def test_a_migration_that_fails_leaves_nothing_behind(empty, tmp_path, monkeypatch):
    (tmp_path / "1-good.sql").write_text("CREATE TABLE good (x INT)")
    (tmp_path / "2-bad.sql").write_text("CREATE TABLE bad (x INT); INSERT INTO nowhere VALUES (1)")
    monkeypatch.setattr(postgres, "_scripts", lambda: list(tmp_path.glob("*.sql")))
    db = await asyncpg.connect(empty)
    with pytest.raises(asyncpg.UndefinedTableError):
        await migrate(db)
    assert await db.fetchval("SELECT version FROM mozaika") == 1
    assert await db.fetchval("SELECT to_regclass('good') IS NOT NULL AND to_regclass('bad') IS NULL")
    (tmp_path / "2-bad.sql").unlink()
    await db.execute("UPDATE mozaika SET version = 7")
    with pytest.raises(StoreError, match="newer Mozaika"):
        await migrate(db)
    await db.close()


async def test_whoever_serves_goes_on_while_a_newer_version_adds_to_the_tables(
    database, tmp_path, monkeypatch
):
    """A rolling upgrade: the first new process migrates, the old ones serve until they are renewed."""
    old = await open_store(database)
    await old.create(HEADER, [])
    scripts = postgres._scripts()
    (tmp_path / "9999-more.sql").write_text(
        "ALTER TABLE games ADD COLUMN more TEXT; CREATE TABLE later (x INT)"
    )
    with monkeypatch.context() as patch:
        patch.setattr(postgres, "_scripts", lambda: [*scripts, *tmp_path.glob("*.sql")])
        new = await open_store(database)
    for number, store in enumerate((old, new, old), 1):
        await store.append("game", [Event(number, 0, "move", "x", None, 5.0)])
    assert len((await new.load("game"))[1]) == 3
    with pytest.raises(StoreError, match="newer Mozaika"):
        await open_store(database)
    await old.close()
    await new.close()


async def test_a_database_of_another_program_is_left_alone(empty):
    db = await asyncpg.connect(empty)
    await db.execute("CREATE TABLE games (x INT)")
    with pytest.raises(StoreError, match="database of another program"):
        await open_store(empty)
    await db.execute("DROP TABLE games")
    with pytest.raises(StoreError, match="start the server first"):
        await open_store(empty, beside=True)
    assert await db.fetchval("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == 0
    await db.close()


async def test_another_process_hears_of_a_change_after_it_was_kept(database):
    one, other = await open_store(database), await open_store(database)
    assert await other.changes(60) is None, "who begins to listen has missed something"
    assert await one.changes(60) is None
    await one.create(HEADER, [])
    await one.append("game", [Event(1, 0, "move", "x")])
    assert await other.changes(60) == {"game"}
    assert await one.changes(0.05) == set(), "nobody tells oneself"
    await one.close()
    await other.close()


async def test_a_database_that_may_only_be_read_says_so_and_is_written_again_afterwards(database):
    """A standby that is being promoted, or an operator's switch: connections of that time are not kept."""
    store = await open_store(database)
    await store.create(HEADER, [])
    db = await asyncpg.connect(database)
    name = await db.fetchval("SELECT current_database()")
    await db.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    await store._pool.expire_connections()
    for work in (store.check, lambda: store.append("game", [Event(1, 0, "move", "x")])):
        with pytest.raises(StoreError, match="read-only"):
            await work()
    assert (await store.load("game"))[1] == []
    await db.execute("SET default_transaction_read_only = off")
    await db.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = off")
    for _ in range(postgres.CONNECTIONS):
        with suppress(StoreError):
            await store.check()
    await store.append("game", [Event(1, 0, "move", "x")])
    await db.close()
    await store.close()


async def test_a_full_disk_refuses_and_what_was_kept_stays(database):
    """PostgreSQL says so with a code of its own; when there is room again nothing has to be restarted."""
    store = await open_store(database)
    await store.create(HEADER, [Event(1, 0, "move", "x", None, 5.0)])
    db = await asyncpg.connect(database)
    await db.execute(
        "CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS"
        " $$ BEGIN RAISE 'No space left on device' USING ERRCODE = '53100'; END $$;"
        " CREATE TRIGGER no_room BEFORE INSERT ON log FOR EACH ROW EXECUTE FUNCTION no_room()"
    )
    with pytest.raises(StoreError, match="No space left"):
        await store.append("game", [Event(2, 0, "move", "y", None, 5.0)])
    assert [event.seq for event in (await store.load("game"))[1]] == [1]
    await db.execute("DROP TRIGGER no_room ON log")
    await store.append("game", [Event(2, 0, "move", "y", None, 5.0)])
    await db.close()
    await store.close()


async def test_who_has_lost_the_connection_listens_again_and_knows_that_something_was_missed(database):
    one, other = await open_store(database), await open_store(database)
    for store in (one, other):
        await store.changes(60)
    await one.create(HEADER, [])
    db = await asyncpg.connect(database)
    await db.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE pid <> pg_backend_pid() AND datname = current_database()"
    )
    assert await other.changes(60) is None
    assert await one.changes(60) is None
    await one.append("game", [Event(1, 0, "move", "x")])
    assert await other.changes(60) == {"game"}
    await db.close()
    await one.close()
    await other.close()


async def test_nobody_copies_games_that_are_served(database):
    served = await open_store(database)
    await served.changes(60)
    with pytest.raises(StoreError, match="stop them first"):
        await open_store(database, alone=True)
    await served.close()
    alone = await open_store(database, alone=True)
    await alone.close()


async def test_who_cannot_be_reached_gets_a_sentence(postgres, monkeypatch):
    with pytest.raises(StoreError, match=r"cannot keep the games: database .nowhere. does not exist\.$"):
        await open_store(at(postgres, "nowhere"))
    monkeypatch.setattr("mozaika.store.postgres.SECONDS_TO_START", 0)
    with pytest.raises(StoreError, match="PostgreSQL cannot keep the games"):
        await open_store("postgresql://mozaika@127.0.0.1:1/games")


def test_a_password_is_not_shown():
    assert (
        show_place("postgresql://me:secret@db.example:5432/games")
        == "postgresql://me:…@db.example:5432/games"
    )
    assert show_place("postgresql://me@db.example/games") == "postgresql://me@db.example/games"
    assert show_place("games.db") == "games.db"


def test_the_command_line_moves_a_club_and_back(run, database, tmp_path):
    from mozaika.store.place import store_at

    async def fill():
        store = store_at(str(tmp_path / "club.db"))
        await store.create(HEADER, [Event(1, 0, "move", "x", None, 5.0)])
        await store.close()

    asyncio.run(fill())
    assert "1 games with 1 events are in" in run("store", "copy", tmp_path / "club.db", database)
    assert "game" in run("tables", "--store", database)
    run("store", "copy", database, tmp_path / "back.db")
    assert "1 game is in" in run("backup", tmp_path / "kept.db", "--store", tmp_path / "back.db")
    assert "pg_dump" in run("backup", tmp_path / "x.db", "--store", database, code=2)
    assert "There are no games in" in run("store", "copy", tmp_path / "none.db", database, code=2)
