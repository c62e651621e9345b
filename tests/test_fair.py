"""Nobody knows the draws: every known way to learn or choose a seed among people, tried at a table."""

import pytest

from mozaika import kernel
from mozaika.game import CHANCE
from mozaika.games import GAMES
from mozaika.store.sqlite import SqliteStore
from mozaika.table.refusals import NotAllowed, NotNow
from mozaika.table.seating import SeatChange, change_seat
from mozaika.table.takeback import answer, last_move, may_answer, take_back
from tables import ANIA, BARTEK, BOT, ENGLISH, OPEN, again, finish, move, seated

pytestmark = pytest.mark.anyio

LEAVE, HAND_OVER = SeatChange("leave"), SeatChange("bot", bot="random")


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture
async def store(tmp_path):
    kernel.warm(GAMES["azul"])
    store = SqliteStore(tmp_path / "games.db")
    yield store
    await store.close()


async def to_the_next_draw(shared):
    """Plays on until something has been drawn after a move."""
    ply = shared.table.ply
    while all(entry.seat != CHANCE for entry in shared.table.entries[ply:]):
        await move(shared, shared.table.movers[0])


async def test_a_game_that_has_ended_among_people_is_final(store):
    """The end shows the seed. Whoever could take the last move back would know the next round."""
    shared = await seated(store, ANIA, BARTEK)
    assert shared.shown_seed is None
    await finish(shared)
    assert shared.shown_seed
    for again_or_not in (shared, await again(shared)):
        for who in (ANIA, BARTEK):
            assert last_move(again_or_not, who.guest) is None
            with pytest.raises(NotNow, match="is final"):
                await take_back(again_or_not, who.guest, shared.seq, f"back {who.name}")
    assert shared.table.is_over


async def test_a_final_game_stays_final_when_the_others_have_left(store):
    shared = await seated(store, ANIA, BARTEK)
    await finish(shared)
    await change_seat(shared, 2, LEAVE, BARTEK.guest, ENGLISH)
    await change_seat(shared, 2, SeatChange("sit"), ANIA.guest, ENGLISH)
    assert shared.other_guests(ANIA.guest) == set()
    for table in (shared, await again(shared)):
        with pytest.raises(NotNow, match="is final"):
            await take_back(table, ANIA.guest, table.seq, "back")


async def test_against_bots_the_last_move_is_taken_back_as_ever(store):
    shared = await seated(store, ANIA, BOT)
    await finish(shared)
    await take_back(shared, ANIA.guest, shared.seq, "back")
    assert not shared.table.is_over
    assert shared.shown_seed is None


async def test_who_sits_behind_a_bot_still_has_to_agree(store):
    shared = await seated(store, ANIA, BARTEK)
    await to_the_next_draw(shared)
    await change_seat(shared, 2, HAND_OVER, BARTEK.guest, ENGLISH)
    ply = shared.table.ply
    assert await take_back(shared, ANIA.guest, shared.seq, "back") == (shared.seq, True), "it asks"
    assert shared.table.ply == ply
    assert may_answer(shared, BARTEK.guest)
    with pytest.raises(NotAllowed):
        await answer(shared, ANIA.guest, shared.seq, "for him", agree=True)
    await answer(shared, BARTEK.guest, shared.seq, "yes", agree=True)
    assert shared.table.ply < ply


async def test_nothing_is_taken_back_behind_the_back_of_who_has_left(store):
    """Their seat is free, so nobody could be asked."""
    shared = await seated(store, ANIA, BARTEK)
    await to_the_next_draw(shared)
    await change_seat(shared, 2, LEAVE, BARTEK.guest, ENGLISH)
    ply = shared.table.ply
    with pytest.raises(NotNow, match="A seat is free"):
        await take_back(shared, ANIA.guest, shared.seq, "back")
    assert shared.table.ply == ply
    assert shared.seats[1] == OPEN
