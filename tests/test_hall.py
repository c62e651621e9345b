"""The hall watches its tables: whatever brings a bot to move wakes it, and nobody has to remember that."""

import asyncio
import time

import pytest

from kinds import FIRST
from mozaika.games import GAMES
from mozaika.store import Hook, StoreError
from mozaika.table import hall as hall_module
from mozaika.table import shared as shared_module
from mozaika.table.caller import Caller, set_hook
from mozaika.table.events import CLOSE, DEAL, KINDS, REMATCH, RESIGN, STEP
from mozaika.table.hall import Hall
from mozaika.table.outdated import Damaged
from mozaika.table.refusals import Stale
from mozaika.table.seating import SeatChange, change_seat, make_link, revoke_links
from mozaika.table.shared import SECONDS_OF_A_LOOK
from mozaika.table.takeback import answer, take_back
from tables import ANIA, BARTEK, BOT, again, finish, move, plan, seated, to_move
from test_store import Watched

pytestmark = pytest.mark.anyio

ENGLISH = GAMES[FIRST].words("en")
HAND_OVER = SeatChange("bot", bot="random")


@pytest.fixture
async def hall(store):
    """Bots are woken, and wait so long that none of them moves."""
    hall = Hall(store, patience=1_000)
    yield hall
    await hall.close()


async def test_a_bot_that_begins_a_new_table_is_woken(hall):
    await hall.create(plan(BOT, ANIA))
    assert to_move(hall) == [0]


async def test_a_bot_is_woken_at_a_table_that_is_found_again(hall, store):
    shared = await seated(store, BOT, ANIA)
    assert to_move(hall) == []
    await hall.find(shared.header.id)
    assert to_move(hall) == [0]


async def test_a_move_wakes_the_bot_after_it(hall, store):
    shared = hall.take_in(await seated(store, ANIA, BOT))
    assert to_move(hall) == []
    await move(shared)
    assert to_move(hall) == [1]
    assert hall.moves == 1


async def test_a_bot_that_sits_down_where_it_is_to_move_is_woken(hall, store):
    shared = hall.take_in(await seated(store, ANIA, BARTEK))
    await change_seat(shared, 1, HAND_OVER, ANIA.guest, ENGLISH)
    assert to_move(hall) == [0]


async def test_a_move_that_is_taken_back_wakes_the_bot_that_has_taken_over(hall, store):
    shared = hall.take_in(await seated(store, ANIA, ANIA))
    await move(shared)
    await change_seat(shared, 1, HAND_OVER, ANIA.guest, ENGLISH)
    assert to_move(hall) == []
    assert await take_back(shared, ANIA.guest, shared.seq, "back") == (shared.seq, False)
    assert to_move(hall) == [0]


async def test_so_does_one_that_others_agree_to(hall, store):
    shared = hall.take_in(await seated(store, ANIA, BARTEK))
    await move(shared)
    await change_seat(shared, 1, HAND_OVER, ANIA.guest, ENGLISH)
    assert (await take_back(shared, ANIA.guest, shared.seq, "please"))[1]
    assert to_move(hall) == []
    await answer(shared, BARTEK.guest, shared.seq, "yes", agree=True)
    assert to_move(hall) == [0]


async def test_a_bot_is_woken_by_what_happened_in_again(hall, store):
    shared = hall.take_in(await seated(store, ANIA, BOT))
    await move(await again(shared))
    assert to_move(hall) == []
    with pytest.raises(Stale):
        await move(shared, command="too late")
    assert to_move(hall) == [1]


@pytest.mark.parametrize("kept", [True, False])
async def test_a_bot_is_woken_by_a_move_whose_keeping_was_in_doubt(hall, store, kept):
    shared = hall.take_in(await seated(store, ANIA, BOT))
    watched = Watched(store)
    watched.failing, watched.kept = True, kept
    try:
        await move(shared, command="doubtful")
    except StoreError:
        assert not kept
    assert to_move(hall) == ([1] if kept else [])
    assert hall.moves == kept


async def test_no_kind_of_event_leaves_a_bot_asleep(hall, store):
    """Whatever happens: who is told of it after the hall finds every bot awake that is to move."""
    shared, seen = hall.take_in(await seated(store, ANIA, BARTEK)), set()

    def look(told, events):
        assert set(to_move(hall)) >= {seat for seat, _ in told.bots_to_move()}
        seen.update(event.kind for event in events)

    shared.listeners.append(look)
    await make_link(shared, ANIA.guest, "the link")
    await set_hook(Caller("https://here"), shared, Hook(0, ANIA.guest, "https://there", "key"), "hook")
    for agree in (False, True):
        await move(shared, shared.table.movers[0])
        mover = shared.seats[shared.table.entries[-1].seat]
        other = BARTEK if mover == ANIA else ANIA
        await take_back(shared, mover.guest, shared.seq, f"please {agree}")
        await answer(shared, other.guest, shared.seq, f"well {agree}", agree=agree)
    await revoke_links(shared, ANIA.guest)
    await change_seat(shared, 1, HAND_OVER, ANIA.guest, ENGLISH)
    await change_seat(shared, 1, SeatChange("back"), ANIA.guest, ENGLISH)
    await finish(shared)
    await shared.announce(REMATCH, "/t/another")
    await change_seat(shared, 2, SeatChange("remove"), ANIA.guest, ENGLISH)
    await shared.announce(RESIGN, '{"0": {"kind": "bot", "bot": "random"}}')
    await shared.announce(CLOSE, "")
    assert seen == set(KINDS) - {STEP, DEAL}, "lessons and deals have tests of their own"


async def test_bots_alone_think_only_while_somebody_looks(hall, store, monkeypatch):
    shared = hall.take_in(await seated(store, BOT, BOT))
    assert to_move(hall) == []
    now = [time.monotonic()]
    monkeypatch.setattr(shared_module, "monotonic", lambda: now[0])
    assert shared.waits_for_a_look
    shared.watchers[asyncio.Event()] = ""
    assert not shared.waits_for_a_look, "somebody watches"
    shared.watchers.clear()
    hall.look(shared, "192.0.2.1", plays=False)
    assert to_move(hall) == [0]
    assert not shared.waits_for_a_look
    now[0] += SECONDS_OF_A_LOOK + 1
    assert shared.waits_for_a_look
    assert not (await seated(store, BOT, ANIA)).waits_for_a_look, "a person comes back to a move"


async def test_who_hands_over_to_a_bot_among_bots_and_goes_leaves_them_waiting(hall, store):
    shared = hall.take_in(await seated(store, ANIA, BOT))
    await change_seat(shared, 1, HAND_OVER, ANIA.guest, ENGLISH)
    assert to_move(hall) == []


async def test_thinking_is_for_whoever_plays_at_a_table(hall, store):
    shared = hall.take_in(await seated(store, ANIA, BOT))
    hall.look(shared, "a watcher", plays=False)
    assert shared.address == "a watcher", "the owner may have come before a restart"
    hall.look(shared, "a player", plays=True)
    hall.look(shared, "a watcher", plays=False)
    assert shared.address == "a player"


async def test_a_bot_to_move_wakes_after_a_restart_without_a_visitor(hall, store, monkeypatch):
    monkeypatch.setattr(hall_module, "BETWEEN_RESUMED", 0)
    waiting = await seated(store, BOT, ANIA)
    for others in ((ANIA, BOT), (ANIA, BARTEK), (BOT, BOT)):
        await seated(store, *others)
    assert len(await store.resumable(10)) == 3, "there are no bots where only people play"
    await hall.resume()
    assert to_move(hall) == [0]
    assert list(hall.tables) == [waiting.header.id], "nothing else is loaded for it"


async def test_a_table_that_goes_on_after_a_restart_knows_whom_to_call(hall, store, monkeypatch):
    monkeypatch.setattr(hall_module, "BETWEEN_RESUMED", 0)
    waiting, hook = await seated(store, BOT, ANIA), Hook(1, ANIA.guest, "https://there", "key")
    await store.set_hook(waiting.header.id, hook)
    await hall.resume()
    assert hall.tables[waiting.header.id].hooks == {1: hook}


async def test_after_a_start_the_games_that_nobody_asks_for_take_a_small_part_of_the_time(
    hall, store, monkeypatch
):
    """On a machine that has much to do a game takes long to read, and everybody comes back just then."""
    clock, slept, read = [0.0], [], hall._read

    async def read_slowly(name):
        clock[0] += 1
        return await read(name)

    async def sleep(seconds):
        slept.append(seconds)

    for _ in range(3):
        await seated(store, BOT, ANIA)
    monkeypatch.setattr(hall, "_read", read_slowly)
    monkeypatch.setattr(hall_module, "sleep", sleep)
    monkeypatch.setattr(hall_module.time, "monotonic", lambda: clock[0])
    await hall.resume()
    rest = 1 / hall_module.SHARE_OF_RESUMED - 1
    assert slept == [hall_module.BETWEEN_RESUMED, rest, rest]


async def test_only_games_that_were_used_lately_are_looked_at_after_a_start(store):
    old, new = await seated(store, BOT, ANIA), await seated(store, BOT, ANIA)
    await store._write(lambda db: db.execute("UPDATE games SET created = 0 WHERE id = ?", (old.header.id,)))
    assert await store.resumable(10) == [new.header.id]
    await store.visit(old.header.id)
    assert set(await store.resumable(10)) == {new.header.id, old.header.id}
    assert len(await store.resumable(1)) == 1


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE log SET text = 'nonsense' WHERE kind = 'draw'",
        "UPDATE log SET text = '{' WHERE kind = 'sit'",
        "UPDATE games SET header = x'7b'",
    ],
)
async def test_a_game_that_makes_no_sense_is_said_to_be_damaged_and_stops_nobody(hall, store, damage):
    broken = await seated(store, BOT, ANIA)
    await store._write(lambda db: db.execute(damage))
    fine = await seated(store, BOT, ANIA)
    with pytest.raises(Damaged):
        await hall.find(broken.header.id)
    await hall.resume()
    assert list(hall.tables) == [fine.header.id]
