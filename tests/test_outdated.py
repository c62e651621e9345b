"""A game that was begun under other rules is kept and shown as such; nobody plays on."""

import dataclasses

import pytest
from litestar.testing import TestClient

from kinds import FIRST
from mozaika.games import GAMES
from mozaika.record import Record
from mozaika.server.app import build_app
from mozaika.store.sqlite import SqliteStore
from mozaika.words import LANGUAGES
from server_process import once

pytestmark = pytest.mark.filterwarnings(
    "ignore::litestar.exceptions.base_exceptions.LitestarDeprecationWarning"
)
ME, SCREEN = {"kind": "me", "name": "Ania"}, {"kind": "screen", "name": "Adam"}


def visit(path, cookies):
    return TestClient(build_app(lambda: SqliteStore(path), burst=1_000), cookies=cookies)


@pytest.fixture
def begun(tmp_path):
    """A game with a move, one that was taken back, and another; its table, its record, and who plays."""
    path = tmp_path / "games.db"
    with visit(path, {}) as client:
        wish = {"game": FIRST, "seats": [ME, SCREEN], "options": {"start": "1"}}
        table = "/api/games/" + client.post("/api/games", json=wish, headers=once()).json()["id"]
        for choice, undo in ((0, True), (3, False), (5, False)):
            view = client.get(f"{table}/view").json()
            move = view["scene"]["walks"][choice]["move"]
            wish = {"seq": view["seq"], "seat": view["you"]["seat"], "move": move}
            made = client.post(f"{table}/moves", json=wish, headers=once())
            if undo:
                client.post(f"{table}/undo", json={"seq": made.json()["seq"]}, headers=once())
        record = client.get(f"{table}/record").text
        return path, table, record, dict(client.cookies)


@pytest.fixture
def changed(begun, monkeypatch):
    game = GAMES[FIRST]
    monkeypatch.setitem(GAMES, game.id, dataclasses.replace(game, version=game.version + 1))
    return begun


@pytest.fixture
def removed(begun):
    shelf = dict(GAMES)
    del GAMES[FIRST]
    yield begun
    GAMES.clear()
    GAMES.update(shelf)


@pytest.mark.parametrize("happened", ["changed", "removed"])
def test_nothing_is_replayed_under_other_rules(happened, request):
    path, table, _, cookies = request.getfixturevalue(happened)
    before = path.read_bytes()
    with visit(path, cookies) as client:
        for url in (f"{table}/view", f"{table}/events", f"{table}/picture.svg"):
            assert client.get(url).status_code == 409, url
        wish = {"seq": 5, "seat": 1, "move": "a1"}
        assert client.post(f"{table}/moves", json=wish, headers=once()).status_code == 409
        said = set()
        for lang in LANGUAGES:
            page = client.get(
                table.replace("/api/games", "/t"), headers={"Accept": "text/html", "Accept-Language": lang}
            )
            assert page.status_code == 409
            assert f'href="{table}/record"' in page.text
            said.add(page.text)
        assert "rules that are no longer played here" in "".join(said)
        assert len(said) == len(LANGUAGES)
        mine = client.get("/api/games/mine").json()
        assert [(each["outdated"], each["yours"], each["seats"]) for each in mine] == [
            (True, False, ["Ania", "Adam"])
        ]
        assert client.get("/").status_code == 200
        kept = client.get(f"{table}/record")
        assert "attachment" in kept.headers["content-disposition"]
    assert path.read_bytes() == before, "the store keeps the log untouched"
    assert "\nSeed:" not in kept.text


def test_its_record_is_the_one_that_it_had_under_its_own_rules(begun, monkeypatch):
    path, table, record, cookies = begun
    with monkeypatch.context() as patch:
        game = GAMES[FIRST]
        patch.setitem(GAMES, game.id, dataclasses.replace(game, version=game.version + 1))
        with visit(path, cookies) as client:
            kept = client.get(f"{table}/record").text
    with visit(path, cookies) as client:
        assert client.get(f"{table}/view").status_code == 200, "with its own rules it goes on"
    assert Record.read(kept).write() == record
