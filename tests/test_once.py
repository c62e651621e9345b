"""Sending a change twice is sending it once (P3): one key, one effect, one answer, also after a restart."""

import asyncio
from pathlib import Path

import pytest
from litestar.testing import TestClient

from kinds import FIRST
from mozaika.games import GAMES
from mozaika.server.app import build_app
from mozaika.state import CHANCE
from mozaika.store import StoreError
from mozaika.store.sqlite import SqliteStore
from mozaika.table import Table
from mozaika.table.caller import Caller
from mozaika.table.commands import name_opening
from mozaika.table.events import Occupant
from mozaika.table.hall import Hall
from mozaika.table.plan import Plan
from test_store import Watched

pytestmark = pytest.mark.filterwarnings(
    "ignore::litestar.exceptions.base_exceptions.LitestarDeprecationWarning"
)
ME, SCREEN, OPEN = {"kind": "me", "name": "Ania"}, {"kind": "screen", "name": "Adam"}, {"kind": "open"}
WISH = {"game": FIRST, "seats": [ME, SCREEN], "options": {"start": "1"}}
KEY = "the-same-key"


class House:
    """A server in this process, with one guest, that can be stopped and started again."""

    def __init__(self, path: Path) -> None:
        self.path, self.cookies = path, {}
        self.start()

    def start(self) -> None:
        quiet = {"burst": 10_000, "patience": 3_600, "caller": Caller("http://here", ["127.0.0.1"])}
        app = build_app(lambda: SqliteStore(self.path), **quiet)
        self.client = TestClient(app, cookies=self.cookies)
        self.client.__enter__()

    def restart(self) -> None:
        self.cookies = dict(self.client.cookies)
        self.close()
        self.start()

    def close(self) -> None:
        self.client.__exit__()

    def post(self, url, wish=None, key=KEY):
        return self.client.post(url, json=wish or {}, headers={"Idempotency-Key": key})

    def open(self, *seats, key="opening it"):
        return f"/api/games/{self.post('/api/games', {**WISH, 'seats': seats}, key).json()['id']}"

    def view(self, table):
        return self.client.get(f"{table}/view").json()


@pytest.fixture
def house(tmp_path):
    house = House(tmp_path / "games.db")
    house.client.get("/api/games/mine")  # who has no cookie yet is another guest each time
    yield house
    house.close()


def changes(house):
    """Every change of the API but entering, ready to be sent: the address, the wish, and another wish."""
    table, alone = house.open(ME, OPEN), house.open(ME, SCREEN, key="another key")
    view = house.view(alone)
    yield "/api/games", WISH, {**WISH, "hints": False}
    yield "/api/games", {"from": view["id"]}, {"from": view["id"], "hints": False}
    yield f"{table}/seats/2", {"action": "bot"}, {"action": "sit"}
    yield f"{table}/seats/1/hook", {"url": "http://127.0.0.1:9/x"}, {"url": ""}
    move = {"seq": view["seq"], "seat": 1, "move": view["scene"]["walks"][0]["move"]}
    yield f"{alone}/moves", move, {**move, "move": view["scene"]["walks"][1]["move"]}
    undo = {"seq": house.view(alone)["seq"]}
    yield f"{alone}/undo", undo, {"seq": undo["seq"] + 1}


def test_every_change_sent_twice_happens_once_and_has_the_same_answer_after_a_restart(house):
    for index, (url, wish, other) in enumerate(changes(house)):
        key = f"change {index}"
        first = house.post(url, wish, key)
        assert first.is_success, first.text
        mine = house.client.get("/api/games/mine").json()
        again = house.post(url, wish, key)
        house.restart()
        later = house.post(url, wish, key)
        assert first.json() == again.json() == later.json(), url
        assert first.status_code == again.status_code == later.status_code
        assert len(house.client.get("/api/games/mine").json()) == len(mine)
        refused = house.post(url, other, key)
        assert refused.status_code == 422, url
        assert "key" in refused.json()["detail"]


def test_a_link_is_made_once_for_a_key(house):
    table = house.open(ME, OPEN)
    links = [house.post(f"{table}/link").json()["link"] for _ in range(2)]
    seq = house.view(table)["seq"]
    house.restart()
    links.append(house.post(f"{table}/link").json()["link"])
    assert house.view(table)["seq"] == seq
    assert len(set(links)) == 1
    assert house.post(f"{table}/link", key="another key").json()["link"] != links[0]
    house.client.cookies.clear()
    house.client.get("/api/games/mine")
    assert house.post(f"{table}/enter", {"token": links[0].split("#k=")[1]}).status_code == 204


def test_a_rematch_asked_for_twice_is_one_and_keeps_its_link(house, monkeypatch):
    table = house.open(ME, SCREEN)
    monkeypatch.setattr(Table, "is_over", True)
    answers = [house.post(f"{table}/rematch").json() for _ in range(2)]
    house.restart()
    answers.append(house.post(f"{table}/rematch").json())
    assert answers[0]["link"].startswith(f"{answers[0]['url']}#k=")
    assert answers[0] == answers[1] == answers[2]
    slower = house.post(f"{table}/rematch", key="another key").json()
    assert slower["id"] == answers[0]["id"]


def test_no_change_is_made_without_a_key(house):
    for url, wish, _ in changes(house):
        assert house.client.post(url, json=wish).status_code == 400, url
    table = house.open(ME, OPEN)
    for url in (f"{table}/link", f"{table}/rematch", f"{table}/enter"):
        assert house.client.post(url, json={"token": "x"}).status_code == 400, url


def test_another_guest_with_the_same_key_has_a_table_of_their_own(house):
    first = house.post("/api/games", WISH).json()
    house.client.cookies.clear()
    house.client.get("/api/games/mine")
    second = house.post("/api/games", WISH).json()
    assert first["id"] != second["id"]
    assert first["link"].split("#")[1] != second["link"].split("#")[1]


@pytest.mark.anyio
async def test_openings_at_once_and_after_an_unknown_outcome_are_one_table(tmp_path):
    store = SqliteStore(tmp_path / "games.db")
    hall = Hall(store)
    seats = [Occupant("person", "Ania", "ania"), Occupant("person", "Adam", "ania")]

    async def create():
        opening = name_opening("a secret", KEY, WISH)
        return await hall.create(Plan(GAMES[FIRST], GAMES[FIRST].read_options(), seats, "ania"), opening)

    watched = Watched(store)
    watched.failing = True
    with pytest.raises(StoreError):
        await create()
    watched.failing = False
    opened = await asyncio.gather(*(create() for _ in range(5)))
    assert len({id(shared) for shared, _ in opened}) == 1
    assert len({link for _, link in opened}) == 1
    assert len(await store.games_of("ania")) == 1
    assert opened[0][0].table.movers != [CHANCE]
    await hall.close()
    await store.close()
