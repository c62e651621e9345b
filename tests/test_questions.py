"""Who may ask for a hint, an evaluation or hindsight, and what they may see; without a server."""

import asyncio
import dataclasses
import threading

import pytest

from kinds import FIRST
from mozaika.games import GAMES
from mozaika.sentence import Hindsight
from mozaika.state import WATCHER
from mozaika.table.hall import Hall
from mozaika.table.levels import adviser
from mozaika.table.questions import explain_move
from mozaika.table.refusals import NotAllowed, NotNow, Stale
from mozaika.table.takeback import take_back
from mozaika.thought import Budget
from tables import ANIA, BARTEK, BOT, OPEN, STRANGER, finish, move, seated
from thinkers import thinking

pytestmark = pytest.mark.anyio


@pytest.fixture
async def hall(store, monkeypatch):
    monkeypatch.setitem(GAMES, FIRST, thinking(GAMES[FIRST]))
    hall = Hall(store, patience=1_000, budget=Budget(nodes=1))
    yield hall
    await hall.close()


async def test_a_hint_is_for_who_is_to_move_now(hall, store):
    shared = await seated(store, ANIA, BOT)
    ask = hall.questions.give_hint
    for guest, number in ((STRANGER, 1), (ANIA.guest, 2)):
        with pytest.raises(NotAllowed, match="You do not sit"):
            await ask(shared, guest, number, shared.seq)
    hint = await ask(shared, ANIA.guest, 1, shared.seq)
    assert hint.seat == 0
    assert hint.bot == adviser(shared.table.game)
    assert hint.thought.move in shared.table.game.legal_moves(hint.view, 0)
    seq = shared.seq
    await move(shared)
    with pytest.raises(Stale):
        await ask(shared, ANIA.guest, 1, seq)
    with pytest.raises(NotNow, match="not your turn"):
        await ask(shared, ANIA.guest, 1, shared.seq)


async def test_hints_are_not_given_where_other_people_play(hall, store):
    for seats, more in (((ANIA, BARTEK), {}), ((ANIA, OPEN), {}), ((ANIA, BOT), {"hints": False})):
        shared = await seated(store, *seats, **more)
        with pytest.raises(NotAllowed, match="no hints at this table"):
            await hall.questions.give_hint(shared, ANIA.guest, 1, shared.seq)
        with pytest.raises(NotAllowed, match="no hints at this table"):
            await hall.questions.evaluate(shared, STRANGER, shared.seq)
    wanted = await seated(store, ANIA, BARTEK, hints=True)
    assert await hall.questions.give_hint(wanted, ANIA.guest, 1, wanted.seq)


async def test_a_hint_that_the_game_has_overtaken_is_not_given(hall, store, monkeypatch):
    shared = await seated(store, ANIA, BOT)
    bots, started, go = shared.table.game.bots, threading.Event(), threading.Event()
    think = bots[adviser(shared.table.game)]

    def slow(*arguments):
        started.set()
        go.wait(60)
        return think(*arguments)

    monkeypatch.setitem(bots, adviser(shared.table.game), slow)
    asking = asyncio.create_task(hall.questions.give_hint(shared, ANIA.guest, 1, shared.seq))
    await asyncio.to_thread(started.wait, 60)
    await move(shared)
    go.set()
    with pytest.raises(Stale):
        await asking


async def test_an_evaluation_is_found_through_the_eyes_of_one_seat_or_of_nobody(hall, store, monkeypatch):
    """Several people on one screen have secrets from each other, so they see what everybody knows."""
    eyes = []
    game = GAMES[FIRST]

    def hide(state, seat):
        eyes.append(seat)
        return game.hide(state, seat)

    for seats, guest, expected in (
        ((ANIA, BOT), ANIA.guest, 0),
        ((ANIA, ANIA), ANIA.guest, WATCHER),
        ((ANIA, BOT), STRANGER, WATCHER),
    ):
        shared = await seated(store, *seats)
        monkeypatch.setattr(shared.table, "game", dataclasses.replace(game, hide=hide))
        eyes.clear()
        await hall.questions.evaluate(shared, guest, shared.seq)
        assert eyes[0] == expected


async def test_in_a_game_without_bots_nobody_can_be_asked(hall, store, monkeypatch):
    shared = await seated(store, ANIA, ANIA)
    monkeypatch.setattr(shared.table, "game", dataclasses.replace(shared.table.game, bots={}))
    for asked in (
        hall.questions.give_hint(shared, ANIA.guest, 1, shared.seq),
        hall.questions.evaluate(shared, ANIA.guest, shared.seq),
    ):
        with pytest.raises(ValueError, match="has no bots, so there is nobody to ask") as refused:
            await asked
        assert refused.value.said(shared.table.game.words("de")) != str(refused.value)


async def test_why_a_move_is_refused_is_told_from_what_the_guest_sees(store):
    shared = await seated(store, ANIA, BARTEK)
    words, legal = shared.table.game.words(), shared.table.legal_moves(0)[0]
    assert explain_move(shared, ANIA.guest, 1, legal, [], words) == (None, None)
    assert explain_move(shared, ANIA.guest, 1, "nonsense", [], words) == ("There is no such move.", None)
    assert explain_move(shared, ANIA.guest, 1, "", ["nowhere"], words).sentence == "There is no such move."
    for guest, number in ((BARTEK.guest, 2), (BARTEK.guest, 1), (STRANGER, 1), (STRANGER, 0)):
        assert explain_move(shared, guest, number, legal, [], words).rule


@pytest.fixture
def looked_back(monkeypatch):
    """The first game with a hindsight that says how often it was asked, and by which thread."""
    asked = []

    def hindsight(start, entries):
        asked.append(threading.current_thread().name)
        return [Hindsight("Result", {}, [len(entries)], [len(asked)])]

    monkeypatch.setitem(GAMES, FIRST, dataclasses.replace(GAMES[FIRST], hindsight=hindsight))
    return asked


async def test_hindsight_is_found_once_and_in_threads_of_its_own(looked_back, store):
    hall = Hall(store)
    shared = await seated(store, ANIA, ANIA)
    with pytest.raises(NotNow, match="only after some games"):
        await hall.questions.hindsight(shared)
    await finish(shared)
    answers = await asyncio.gather(*(hall.questions.hindsight(shared) for _ in range(4)))
    await shared.announce("rematch", "/t/another")
    answers.append(await hall.questions.hindsight(shared))
    assert all(answer == answers[0] for answer in answers)
    assert len(looked_back) == 1
    assert looked_back[0].startswith("hindsight")
    await hall.close()


async def test_a_game_that_ends_otherwise_after_an_undo_is_looked_at_anew(looked_back, store):
    hall = Hall(store)
    shared = await seated(store, ANIA, ANIA)
    await finish(shared)
    await hall.questions.hindsight(shared)
    await take_back(shared, ANIA.guest, shared.seq, "back")
    with pytest.raises(NotNow):
        await hall.questions.hindsight(shared)
    await finish(shared)
    assert (await hall.questions.hindsight(shared))[0].possible == [2]
    await hall.close()


async def test_hindsight_that_failed_is_tried_again(store, monkeypatch):
    failures = [ValueError("not now"), None]

    def hindsight(start, entries):
        if failure := failures.pop(0):
            raise failure
        return []

    monkeypatch.setitem(GAMES, FIRST, dataclasses.replace(GAMES[FIRST], hindsight=hindsight))
    hall = Hall(store)
    shared = await seated(store, ANIA, ANIA)
    await finish(shared)
    with pytest.raises(ValueError, match="not now"):
        await hall.questions.hindsight(shared)
    assert await hall.questions.hindsight(shared) == []
    await hall.close()
