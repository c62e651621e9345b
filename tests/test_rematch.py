"""Tables that come from another one: a rematch, and playing on from a moment; without a server."""

import dataclasses

import pytest

from kinds import FIRST
from mozaika.games import GAMES
from mozaika.kernel import new_random
from mozaika.state import WATCHER
from mozaika.table.commands import name_opening
from mozaika.table.events import Occupant
from mozaika.table.hall import Hall
from mozaika.table.levels import usual_opponent
from mozaika.table.plan import create_game
from mozaika.table.refusals import BadWish, NotAllowed, NotNow
from mozaika.table.rematch import plan_on, plan_rematch, play_again
from mozaika.table.seating import is_admitted
from mozaika.table.secrets import keeps_secrets_from
from tables import ANIA, BARTEK, BOT, OPEN, STRANGER, finish, move, seated
from test_secrets import game_with_secrets, shared_table

pytestmark = pytest.mark.anyio

ENGLISH = GAMES[FIRST].words("en")


def play_on(shared, guest, ply=None, hints=None):
    return plan_on(shared, guest, ply, hints, ENGLISH, new_random(1))


async def test_a_rematch_is_for_who_has_played_and_after_the_game(store):
    shared = await seated(store, ANIA, BARTEK, BOT, hints=True)
    with pytest.raises(NotAllowed, match="Only who has played"):
        plan_rematch(shared, STRANGER)
    with pytest.raises(NotNow, match="not over yet"):
        plan_rematch(shared, ANIA.guest)
    await finish(shared)
    plan = plan_rematch(shared, BARTEK.guest)
    assert list(plan.seats) == [BARTEK, BOT, ANIA]
    assert (plan.owner, plan.hints, plan.position, plan.seed) == (BARTEK.guest, True, "", "")
    assert plan.game.write_options(plan.options) == shared.header.options


async def test_all_who_ask_for_a_rematch_come_to_the_same_table(store):
    hall = Hall(store, patience=60)
    shared = hall.take_in(await seated(store, ANIA, BARTEK))
    await finish(shared)
    first, second = (name_opening(name, "again") for name in ("ania", "bartek"))
    assert await play_again(hall, shared, ANIA.guest, first) == first.id
    assert await play_again(hall, shared, BARTEK.guest, second) == first.id
    assert await hall.find(second.id) is None
    assert await is_admitted(await hall.find(first.id), BARTEK.guest)
    await hall.close()


async def test_bots_play_on_for_everybody_else(store):
    shared = await seated(store, ANIA, BARTEK, BOT)
    await move(shared)
    plan = play_on(shared, BARTEK.guest)
    assert [each.kind for each in plan.seats] == ["bot", "person", "bot"]
    assert plan.seats[1:] == [BARTEK, BOT]
    assert plan.seats[0].bot == usual_opponent(GAMES[FIRST])
    assert plan.owner == BARTEK.guest
    watching = play_on(shared, STRANGER)
    assert watching.seats[0] == Occupant("person", "", STRANGER)
    assert [each.kind for each in watching.seats[1:]] == ["bot", "bot"]
    assert len({each.name for each in watching.seats}) == 3


async def test_one_plays_on_from_any_moment(store):
    shared = await seated(store, ANIA, ANIA)
    await move(shared, 0)
    await move(shared, 1)
    game = shared.table.game
    for ply in range(shared.table.ply + 1):
        again, _ = await create_game(store, play_on(shared, ANIA.guest, ply))
        assert game.write_position(again.table.state_at(0)) == game.write_position(shared.table.state_at(ply))
    assert play_on(shared, ANIA.guest).position == game.write_position(shared.table.state)
    with pytest.raises(ValueError, match="The table has the plies"):
        play_on(shared, ANIA.guest, shared.table.ply + 1)


async def test_hints_that_a_table_does_not_give_are_not_had_at_a_second_one(store):
    among_people = await seated(store, ANIA, BARTEK)
    assert play_on(among_people, ANIA.guest, hints=True).hints is False
    await finish(among_people)
    assert play_on(among_people, ANIA.guest, hints=True).hints is True
    alone = await seated(store, ANIA, BOT)
    assert play_on(alone, ANIA.guest).hints is None
    unwanted = await seated(store, ANIA, BOT, hints=False)
    assert play_on(unwanted, ANIA.guest).hints is False
    with_a_free_seat = await seated(store, ANIA, OPEN)
    assert play_on(with_a_free_seat, ANIA.guest, hints=True).hints is False


def test_what_a_guest_may_not_know_is_dealt_anew():
    """Whoever plays on from a running game gets a state that fits what they have seen."""
    shared = shared_table(game_with_secrets(1))
    game, state = shared.table.game, shared.table.state
    seats = {name: seat for seat, name in enumerate(("ann", "ben"))} | {STRANGER: WATCHER}
    kept = {guest: seat for guest, seat in seats.items() if keeps_secrets_from(shared, guest)}
    assert {WATCHER} < set(kept.values()) < set(seats.values())
    for guest, seat in kept.items():
        plans = [plan_on(shared, guest, None, None, ENGLISH, new_random(n)) for n in range(12)]
        dealt = [game.parse_position(plan.position) for plan in plans]
        assert len({each.tobytes() for each in dealt}) > 1
        seen = game.hide(state, seat).tobytes()
        assert {game.hide(each, seat).tobytes() for each in dealt} == {seen}


async def test_a_game_without_bots_is_played_on_where_nobody_is_missing(store, monkeypatch):
    alone = await seated(store, ANIA, ANIA)
    together = await seated(store, ANIA, BARTEK)
    for shared in (alone, together):
        monkeypatch.setattr(shared.table, "game", dataclasses.replace(shared.table.game, bots={}))
    assert play_on(alone, ANIA.guest).seats == [ANIA, ANIA]
    with pytest.raises(BadWish, match="has no bots"):
        play_on(together, ANIA.guest)
