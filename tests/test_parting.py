"""Giving a game up, and forgetting it."""

import pytest
from litestar.testing import TestClient

from kinds import FIRST
from mozaika.server.app import build_app
from mozaika.store.sqlite import SqliteStore
from mozaika.table.commands import Reused, name_command
from mozaika.table.hall import Hall
from mozaika.table.levels import usual_opponent
from mozaika.table.parting import forget, resign
from mozaika.table.refusals import NotAllowed, NotNow
from mozaika.table.seating import SeatChange, change_seat
from server_process import once
from tables import ANIA, BARTEK, BOT, ENGLISH, OPEN, STRANGER, again, finish, seated

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.filterwarnings("ignore::litestar.exceptions.base_exceptions.LitestarDeprecationWarning"),
]


@pytest.mark.parametrize("other", [BOT, OPEN], ids=["a bot", "a free seat"])
async def test_where_nobody_else_plays_a_game_that_was_given_up_is_over(store, other):
    shared = await seated(store, ANIA, other)
    await resign(shared, ANIA.guest, ENGLISH)
    for table in (shared, await again(shared)):
        assert table.resigned
        assert table.tell_closed(ENGLISH) == "This game was given up."
        assert not table.bots_to_move()
        with pytest.raises(NotNow, match="given up"):
            await table.submit(0, table.seq, "too late", "any move")
    with pytest.raises(NotNow):
        await resign(shared, ANIA.guest, ENGLISH)


async def test_among_people_a_bot_takes_over_for_good(store):
    shared = await seated(store, ANIA, BARTEK)
    await resign(shared, ANIA.guest, ENGLISH)
    for table in (shared, await again(shared)):
        bot, sitting = table.seats
        assert (bot.kind, bot.bot, bot.guest) == ("bot", usual_opponent(shared.table.game), "")
        assert sitting == BARTEK
        assert table.closed is None
    with pytest.raises(NotAllowed):
        await change_seat(shared, 1, SeatChange("back"), ANIA.guest, ENGLISH)
    await resign(shared, BARTEK.guest, ENGLISH)
    assert shared.resigned, "now nobody is left"


async def test_giving_up_happens_once_for_a_key(store):
    shared = await seated(store, ANIA, BARTEK)
    command = name_command(ANIA.guest, "the key", "resign")
    seq = await resign(shared, ANIA.guest, ENGLISH, command)
    assert await resign(shared, ANIA.guest, ENGLISH, command) == seq == shared.seq
    with pytest.raises(Reused):
        await resign(shared, ANIA.guest, ENGLISH, name_command(ANIA.guest, "the key", "another wish"))


async def test_only_who_plays_gives_up_and_only_before_the_end(store):
    shared = await seated(store, ANIA, BOT)
    with pytest.raises(NotAllowed):
        await resign(shared, STRANGER, ENGLISH)
    await finish(shared)
    with pytest.raises(NotNow, match="over"):
        await resign(shared, ANIA.guest, ENGLISH)


async def test_a_game_is_removed_when_the_last_who_has_a_part_in_it_forgets_it(store):
    hall = Hall(store)
    shared = hall.take_in(await seated(store, ANIA, BARTEK))
    name = shared.header.id
    await store.admit(BARTEK.guest, name)
    with pytest.raises(NotNow, match="give the game up first"):
        await forget(hall, name, ANIA.guest)
    await resign(shared, ANIA.guest, ENGLISH)
    await forget(hall, name, STRANGER)
    await forget(hall, name, ANIA.guest)
    assert await store.games_of(ANIA.guest) == []
    assert await store.games_of(BARTEK.guest) == [name]
    await forget(hall, name, BARTEK.guest)
    assert await store.load(name) is None
    assert name not in hall.tables
    await forget(hall, name, BARTEK.guest)
    await hall.close()


def test_my_games_tell_points_and_places_and_lose_what_is_forgotten(tmp_path):
    wish = {"game": FIRST, "seats": [{"kind": "me"}, {"kind": "bot", "bot": "random"}]}
    with TestClient(build_app(lambda: SqliteStore(tmp_path / "games.db"), burst=1000)) as client:
        first, second = (client.post("/api/games", json=wish, headers=once()).json()["id"] for _ in range(2))
        assert client.post(f"/api/games/{first}/resign", headers=once()).status_code == 200
        assert client.post(f"/api/games/{second}/forget", headers=once()).json() == {"removed": True}
        (mine,) = client.get("/api/games/mine").json()
        assert (mine["id"], mine["resigned"], mine["yours"], mine["mine"]) == (first, True, False, [1])
        assert len(mine["scores"]) == len(mine["ranks"]) == 2
        assert client.get(f"/t/{second}", headers={"Accept": "text/html"}).status_code == 404
        assert client.get("/api/games/mine", params={"skip": 1}).json() == []
