"""What whoever runs a server does beside it: backups, clearing away, closing tables."""

import asyncio
import json
import shutil
import time
from contextlib import closing
from random import Random

import apsw
import pytest
from litestar.testing import TestClient

from kinds import FIRST
from mozaika.server.app import build_app
from mozaika.store import Event, Header, StoreError
from mozaika.store import backup as backups
from mozaika.store.backup import back_up, check_backup, restore
from mozaika.store.sqlite import SqliteStore
from mozaika.table.hall import Hall
from mozaika.table.refusals import NotNow, NotThere
from mozaika.table.takeback import take_back
from mozaika.table.upkeep import close_table
from mozaika.words import LANGUAGES, Words
from server_process import once
from tables import ANIA, BARTEK, BOT, finish, move, plan, seated

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.filterwarnings("ignore::litestar.exceptions.base_exceptions.LitestarDeprecationWarning"),
]
DAY = 86_400


@pytest.fixture
def path(tmp_path):
    return tmp_path / "games.db"


@pytest.fixture
async def store(path):
    store = SqliteStore(path)
    yield store
    await store.close()


def header(name, **more):
    facts = {
        "game": FIRST,
        "version": 1,
        "options": {},
        "seats": 2,
        "owner": "ania",
        "link": "l",
    }
    return Header(id=name, **{**facts, **more})


def kept_in(file):
    """The last number of each game in a file."""
    with closing(apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY)) as db:
        return dict(db.execute("SELECT game, max(seq) FROM log GROUP BY game").fetchall())


async def keep_playing(store, name, acknowledged):
    await store.create(header(name), [])
    while True:
        seq = acknowledged.get(name, 0) + 1
        await store.append(name, [Event(seq, 0, "move", f"move {seq}")])
        acknowledged[name] = seq


async def test_a_backup_holds_whatever_was_acknowledged_before_it_began(store, path, tmp_path):
    acknowledged: dict[str, int] = {}
    async with asyncio.TaskGroup() as group:
        players = [group.create_task(keep_playing(store, f"game {n}", acknowledged)) for n in range(4)]
        while len(acknowledged) < 4:
            await asyncio.sleep(0.01)
        for number in range(6):
            await asyncio.sleep(Random(number).random() / 20)
            before, file = dict(acknowledged), tmp_path / f"backup {number}.db"
            games = await asyncio.to_thread(back_up, path, file)
            kept = kept_in(file)
            assert all(kept[name] >= seq for name, seq in before.items())
            assert games == check_backup(file) == 4
            assert not file.with_name(f"{file.name}-wal").exists(), "it is one file"
            assert file.stat().st_mode & 0o077 == 0, "nobody else may read it"
        for player in players:
            player.cancel()
    assert len(acknowledged) == 4


async def test_a_plain_copy_would_not(store, path, tmp_path):
    """Why there is a command: what was committed last is not in the file yet."""
    await store.create(header("game"), [Event(1, 0, "move", "move 1")])
    shutil.copy(path, tmp_path / "copy.db")
    with pytest.raises(StoreError, match="no games"):
        check_backup(tmp_path / "copy.db")


async def test_a_restored_store_is_the_one_that_was_backed_up(path, tmp_path):
    file, store = tmp_path / "backup.db", SqliteStore(path)
    await store.create(header("first"), [Event(1, 0, "move", "a move", "c", 5.0)])
    back_up(path, file)
    await store.create(header("second"), [])
    with pytest.raises(StoreError, match=r"Another Mozaika is running with games\.db"):
        restore(file, path)
    assert await store.load("second"), "nothing has changed"
    await store.close()
    aside = [restore(file, path) for _ in range(2)]
    again = SqliteStore(path)
    assert await again.load("first") == (header("first"), [Event(1, 0, "move", "a move", "c", 5.0)])
    assert await again.load("second") is None
    await again.append("first", [Event(2, 0, "move", "another")])
    await again.close()
    assert [check_backup(each) for each in aside] == [2, 1], "what was there is kept, each time"


async def test_a_store_that_is_broken_is_put_aside_with_its_log(path, tmp_path):
    file, store = tmp_path / "backup.db", SqliteStore(path)
    await store.create(header("first"), [])
    back_up(path, file)
    await store.close()
    path.write_bytes(b"no database at all")
    path.with_name("games.db-wal").write_bytes(b"nor this")
    aside = restore(file, path)
    assert aside.read_bytes() == b"no database at all"
    assert aside.with_name(f"{aside.name}-wal").read_bytes() == b"nor this"
    again = SqliteStore(path)
    assert await again.load("first")
    await again.close()


def newer(path):
    with closing(apsw.Connection(str(path))) as db:
        db.execute("PRAGMA user_version = 1000")


def damaged(path):
    """Pages of noise behind the first ones, which say what tables there are."""
    body = path.read_bytes()
    path.write_bytes(body[: len(body) // 2] + b"\x5a" * (len(body) - len(body) // 2))


def other(path):
    path.unlink()
    with closing(apsw.Connection(str(path))) as db:
        db.execute("CREATE TABLE recipes (soup)")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (newer, "was made by a newer Mozaika; update this one"),
        (damaged, "is damaged|There are no games of Mozaika in"),
        (other, "There are no games of Mozaika in"),
        (lambda path: path.write_text("a letter"), "There are no games of Mozaika in"),
        (lambda path: path.unlink(), "There is no file"),
    ],
)
async def test_what_is_no_backup_is_refused_and_changes_nothing(path, tmp_path, change, sentence):
    file, store = tmp_path / "backup.db", SqliteStore(path)
    for number in range(40):
        await store.create(header(f"game {number}"), [Event(n, 0, "move", "x" * 99) for n in range(20)])
    back_up(path, file)
    await store.close()
    change(file)
    with pytest.raises(StoreError, match=sentence):
        restore(file, path)
    assert check_backup(path) == 40
    assert not list(tmp_path.glob("*before*"))
    assert not list(tmp_path.glob(".*")), "nothing half-made is left"


async def test_a_backup_that_fails_leaves_the_older_one(store, path, tmp_path, monkeypatch):
    file = tmp_path / "backup.db"
    await store.create(header("first"), [])
    back_up(path, file)
    with pytest.raises(StoreError, match="already; choose another name, or say --force"):
        back_up(path, file)
    await store.create(header("second"), [])
    with monkeypatch.context() as patch:
        patch.setattr(
            backups, "check_backup", lambda path: (_ for _ in ()).throw(StoreError("It is damaged."))
        )
        with pytest.raises(StoreError, match="damaged"):
            back_up(path, file, force=True)
    assert check_backup(file) == 1
    assert back_up(path, file, force=True) == 2
    with pytest.raises(StoreError, match="the store itself"):
        back_up(path, path, force=True)


async def test_a_table_is_closed_beside_a_running_server(store, path):
    hall = Hall(store, patience=0, answer_seconds=0)
    shared, _ = await hall.create(plan(ANIA, BARTEK))
    await move(shared)
    beside = SqliteStore(path, beside=True)
    told: list[str] = []
    shared.listeners.append(lambda _, events: told.extend(event.kind for event in events))
    said = await close_table(beside, shared.header.id, "The server moves house.")
    assert said == "The operator of this server has closed this table: The server moves house."
    assert await store.changes(0) is None
    await hall.catch_up()
    assert told == ["close"]
    assert len({shared.tell_closed(Words(lang)) for lang in LANGUAGES}) == 3
    with pytest.raises(NotNow, match="moves house"):
        await move(shared, 1)
    with pytest.raises(NotNow, match="moves house"):
        await take_back(shared, ANIA.guest, shared.seq, "a-key")
    for name, sentence in ((shared.header.id, "closed already"), ("nowhere", "There is no table nowhere")):
        with pytest.raises((ValueError, NotThere), match=sentence):
            await close_table(beside, name)
    with pytest.raises(ValueError, match="one line"):
        await close_table(beside, shared.header.id, "x" * 201)
    await beside.close()
    await hall.close()
    kept = await store.load(shared.header.id)
    assert kept[1][-1].kind == "close"


async def test_at_a_closed_table_no_bot_moves(store):
    hall = Hall(store, patience=60, answer_seconds=0)
    shared, _ = await hall.create(plan(ANIA, BOT))
    await move(shared)
    assert shared.bots_to_move()
    await shared.announce("close", "")
    assert not shared.bots_to_move()
    assert shared.tell_closed(Words()) == "The operator of this server has closed this table."
    await hall.close()


async def test_at_a_closed_table_nobody_is_waited_for(store):
    hall = Hall(store, patience=0, answer_seconds=60)
    shared, _ = await hall.create(plan(ANIA, BARTEK))
    assert hall.deadlines._waits, "both are asked to have a part in the draws"
    await shared.announce("close", "")
    assert not hall.deadlines._waits
    await hall.close()


async def test_of_a_move_and_a_closing_at_once_the_log_decides(store, path):
    """The server learns of it when it wants to keep the next move."""
    hall = Hall(store, patience=0, answer_seconds=0)
    shared, _ = await hall.create(plan(ANIA, BARTEK))
    beside = SqliteStore(path, beside=True)
    await close_table(beside, shared.header.id)
    with pytest.raises(NotNow):
        await move(shared)
    assert shared.closed == ""
    await beside.close()
    await hall.close()


async def age(store, name, days, *, seen=None):
    """As if a game had been played so many days ago."""
    then = time.time() - days * DAY

    def job(db):
        db.execute("UPDATE games SET created = ? WHERE id = ?", (then, name))
        db.execute("UPDATE log SET at = ? WHERE game = ?", (then, name))
        if seen is not None:
            db.execute("INSERT OR REPLACE INTO visits VALUES (?, ?)", (name, time.time() - seen * DAY))

    await store._write(job)


@pytest.fixture
async def old_games(store):
    """By what they are: the ids of some games."""
    games = {}
    for kind in ("young", "abandoned", "finished", "looked at", "closed", "outdated"):
        shared = await seated(store, ANIA, BARTEK)
        games[kind] = shared.header.id
        if kind == "finished":
            await finish(shared)
        if kind == "closed":
            await close_table(store, shared.header.id)
        await age(
            store, shared.header.id, 1 if kind == "young" else 100, seen=3 if kind == "looked at" else None
        )
    head = (await store.load(games["outdated"]))[0]
    text = json.dumps({**json.loads(apsw_header(store, head.id)), "version": 0})
    await store._write(
        lambda db: db.execute("UPDATE games SET header = ? WHERE id = ?", (text.encode(), head.id))
    )
    return games


def apsw_header(store, name):
    return store._reader.execute("SELECT header FROM games WHERE id = ?", (name,)).fetchall()[0][0]


async def test_only_unfinished_games_that_nobody_uses_are_cleared_away(store, path, old_games, run):
    hall = Hall(store, patience=0, answer_seconds=0)
    await hall.find(old_games["abandoned"])
    flags = ("--older-than", "90d", "--store", path)
    said = await asyncio.to_thread(run, "prune", "--dry-run", *flags)
    assert "2 unfinished games would go." in said
    assert old_games["abandoned"] in said
    assert len(await store.list_games()) == 6
    gone = json.loads(await asyncio.to_thread(run, "prune", "--json", *flags))
    assert {each["id"] for each in gone["tables"]} == {old_games["abandoned"], old_games["closed"]}
    left = {kept.id for kept in await store.list_games()}
    assert left == set(old_games.values()) - {old_games["abandoned"], old_games["closed"]}
    assert await store.changes(0) is None
    await hall.catch_up()
    assert await hall.find(old_games["abandoned"]) is None, "also where it was in memory"
    assert old_games["abandoned"] not in await store.games_of(ANIA.guest)
    await hall.close()


async def test_a_game_that_cannot_be_read_hides_no_other(store, path, run):
    names = [(await seated(store, ANIA, BARTEK)).header.id for _ in range(3)]
    for name in names:
        await age(store, name, 100)
    await store.append(names[0], [Event(1_000, 0, "move", "no move at all", None, 1.0)])
    await store._write(lambda db: db.execute("UPDATE games SET header = 'x' WHERE id = ?", (names[1],)))
    gone = json.loads(
        await asyncio.to_thread(run, "prune", "--dry-run", "--json", "--older-than", "90d", "--store", path)
    )
    assert [each["id"] for each in gone["tables"]] == [names[2]]
    assert {kept.id for kept in await store.list_games()} == set(names)
    for name in names[:2]:
        said = await asyncio.to_thread(lambda name=name: run("tables", "show", name, "--store", path, code=2))
        assert f"The log of the table {name} makes no sense" in " ".join(said.split())


async def test_what_is_used_meanwhile_is_not_cleared_away(store):
    name, before = (await seated(store, ANIA, BARTEK)).header.id, time.time() - 90 * DAY
    await age(store, name, 100)
    await store.visit(name)
    assert not await store.remove(name, before)
    await age(store, name, 100, seen=100)
    await store.append(name, [Event(1_000, 0, "move", "late")])
    assert not await store.remove(name, before)
    assert not await store.remove("nowhere", before)
    await store.visit("nowhere")
    assert await store.since(name, 999) == [
        Event(1_000, 0, "move", "late", None, (await store.load(name))[1][-1].at)
    ]
    assert await store.since(name, 1_000) == []
    assert await store.since("nowhere", 0) is None


async def test_that_somebody_looks_is_noted_once_a_day(store):
    hall = Hall(store, patience=0, answer_seconds=0)
    shared, _ = await hall.create(plan(ANIA, BARTEK))
    await hall.note_visits()
    assert [kept.seen for kept in await store.list_games()] == [0]
    shared.watchers[asyncio.Event()] = ""
    await hall.note_visits()
    [first] = [kept.seen for kept in await store.list_games()]
    assert abs(time.time() - first) < 100
    await hall.note_visits()
    assert [kept.seen for kept in await store.list_games()] == [first]
    await hall.close()


async def test_what_this_process_keeps_does_not_count_as_touched(store, path):
    await store.create(header("game"), [])
    assert await store.changes(0) == set()
    beside = SqliteStore(path, beside=True)
    await beside.visit("game")
    assert await store.changes(0) is None
    assert await store.changes(0) == set()
    await beside.close()


def test_backup_and_restore_on_the_command_line(run, path, tmp_path):
    file = tmp_path / "backup.db"
    assert "There are no games in" in run("backup", file, "--store", path, code=2)
    asyncio.run(SqliteStore(path).close())
    assert "0 games are in" in run("backup", file, "--store", path)
    assert "say --force" in run("backup", file, "--store", path, code=2)
    assert "0 games are in" in run("backup", file, "--store", path, "--force")
    said = run("restore", file, "--store", path)
    assert "What was there before is in" in said
    file.write_text("a letter")
    assert "There are no games of Mozaika in" in run("restore", file, "--store", path, code=2)


async def test_tables_on_the_command_line(run, store, path):
    shared = await seated(store, ANIA, BOT)
    name, where = shared.header.id, ("--store", path)

    async def ask(*arguments, code=0):
        return await asyncio.to_thread(lambda: run("tables", *arguments, *where, code=code))

    assert name in await ask()
    assert name not in await ask("list", "--older-than", "3d")
    [facts] = json.loads(await ask("--json"))
    assert (facts["game"], facts["seats"]) == (FIRST, 2)
    shown = await ask("show", name)
    assert "seats: Ania (person), Random (bot)" in shown
    assert "state: running" in shown
    [seed] = (await store.seeds(name)).values()
    assert seed not in shown + await ask("show", name, "--json")
    assert "has closed this table: Bye." in await ask("close", name, "--reason", "Bye.")
    assert json.loads(await ask("show", name, "--json"))["reason"] == "Bye."
    for arguments, sentence in (
        (("close", name), "closed already"),
        (("show", "nowhere"), "There is no table nowhere."),
        (("show",), "Say which table, by its id."),
        (("list", name), "takes no id"),
        (("open", name), "list, show, close, strike"),
        (("strike", name), "No list has a result"),
        (("list", "--older-than", "soon"), "such as 90d"),
    ):
        assert sentence in await ask(*arguments, code=2)


def test_people_at_a_closed_table_read_so(run, path, monkeypatch):
    """From the command of the operator, through the store and the running server, to the screen."""
    monkeypatch.setattr("mozaika.table.hall.BETWEEN_LOOKS", 0.02)
    wish = {"game": FIRST, "seats": [{"kind": "me"}, {"kind": "screen"}]}
    with TestClient(build_app(lambda: SqliteStore(path))) as client:
        table = client.post("/api/games", json=wish, headers=once()).json()["id"]
        before = client.get(f"/api/games/{table}/view").json()
        assert before["you"]["turn"]
        assert not before["closed"]
        run("tables", "close", table, "--store", path)
        while not (view := client.get(f"/api/games/{table}/view?lang=de").json())["closed"]:
            time.sleep(0.02)
        assert view["closed"] == "Wer diesen Server betreibt, hat diesen Tisch geschlossen."
        assert (view["you"]["turn"], view["scene"]["walks"], view["undo"]["possible"]) == (False, [], False)
        assert [mine["closed"] for mine in client.get("/api/games/mine").json()] == [True]
        wish = {"seq": view["seq"], "seat": 1, "move": before["scene"]["walks"][0]["move"]}
        refused = client.post(f"/api/games/{table}/moves", json=wish, headers=once())
        assert (refused.status_code, refused.json()["detail"]) == (409, view["closed"])


def test_a_game_that_could_still_be_looked_at_is_not_pruned(run, path):
    assert "at least 2d" in run("prune", "--older-than", "47h", "--store", path, code=2)


def test_beside_nobody_nothing_is_made_or_brought_up_to_date(path, monkeypatch):
    with pytest.raises(StoreError, match="There are no games in"):
        SqliteStore(path, beside=True)
    assert not path.exists()
    asyncio.run(SqliteStore(path).close())
    with closing(apsw.Connection(str(path))) as db:
        db.execute("PRAGMA user_version = 1")
    with pytest.raises(StoreError, match="start the server first"):
        SqliteStore(path, beside=True)
    with closing(apsw.Connection(str(path))) as db:
        assert db.execute("PRAGMA user_version").fetchall() == [(1,)]
