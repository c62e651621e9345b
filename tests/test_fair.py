"""Nobody knows the draws: every known way to learn or choose a seed among people, tried at a table.

docs/fair.md says what is proven; P10.
"""

import asyncio
import hashlib
import hmac
import json
import re
import shutil
import subprocess
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from kinds import FIRST
from mozaika import chance, epochs, kernel, web
from mozaika.games import GAMES
from mozaika.record import Record, RecordError
from mozaika.server.app import build_app
from mozaika.server.views import Viewer, build_view
from mozaika.state import CHANCE
from mozaika.store import StoreError
from mozaika.store.sqlite import SqliteStore
from mozaika.table import seating
from mozaika.table.commands import Reused, name_command, name_opening
from mozaika.table.deadlines import MOST_ROUNDS
from mozaika.table.hall import Hall
from mozaika.table.plan import plan_game
from mozaika.table.refusals import BadWish, NotAllowed, NotNow
from mozaika.table.rematch import play_again
from mozaika.table.seating import SeatChange, change_seat, enter, make_link
from mozaika.table.secrets import record_for
from mozaika.table.takeback import answer, last_move, may_answer, take_back
from server_process import once
from tables import ANIA, BARTEK, BOT, CELINA, ENGLISH, OPEN, again, finish, move, seated
from test_store import Watched

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.filterwarnings("ignore::litestar.exceptions.base_exceptions.LitestarDeprecationWarning"),
]

LEAVE, HAND_OVER = SeatChange("leave"), SeatChange("bot", bot="random")
SIT = SeatChange("sit")


@pytest.fixture
async def store(tmp_path):
    kernel.warm(GAMES[FIRST])
    store = SqliteStore(tmp_path / "games.db")
    yield store
    await store.close()


class Browser:
    """What a browser does by itself: pledges when asked, and shows its contribution when all have."""

    def __init__(self, who):
        self.guest, self.name = who.guest, who.name
        self.numbers = {}

    def party(self, shared):
        return shared.draws.pending.party_of(self.guest)

    async def pledge(self, shared):
        epoch = shared.draws.pending
        number = self.numbers.setdefault(epoch.number, epochs.new_number())
        promised = epochs.pledge(shared.header.id, epoch, self.party(shared), number)
        command = name_command(self.guest, f"pledge {epoch.number}", promised)
        return await shared.pledge(self.guest, epoch.number, promised, command)

    async def show(self, shared):
        epoch = shared.draws.pending
        number = self.numbers[epoch.number]
        command = name_command(self.guest, f"show {epoch.number}", number)
        return await shared.contribute(self.guest, epoch.number, number, command)


async def settle(shared, *people):
    """Everybody named here answers."""
    browsers = [Browser(who) for who in people]
    for browser in browsers:
        await browser.pledge(shared)
    if shared.draws.pending.stage == "pledging":
        await run_out(shared)
    for browser in browsers:
        await browser.show(shared)


async def run_out(shared):
    """The time is over that people have for their answers."""
    epoch = shared.draws.pending
    await shared.time_out(epoch.number, epoch.stage)


async def come(shared, who, number=2):
    """Somebody comes by the link and sits down."""
    await make_link(shared, shared.header.owner, f"link of {who.name}")
    await enter(shared, who.guest, f"link of {who.name}")
    await change_seat(shared, number, SeatChange("sit", name=who.name), who.guest, ENGLISH)


def draws_of(shared):
    return [entry.move for entry in shared.table.entries if entry.seat == CHANCE]


async def to_the_next_draw(shared):
    """Plays on until something has been drawn after a move."""
    ply = shared.table.ply
    while all(entry.seat != CHANCE for entry in shared.table.entries[ply:]):
        await move(shared, shared.table.movers[0])


async def test_a_table_of_one_guest_is_dealt_at_once(store):
    for seats in ((ANIA, ANIA), (ANIA, BOT), (BOT, BOT)):
        shared = await seated(store, *seats, asking=True)
        assert shared.table.movers == [0]
        assert len(shared.draws.epochs) == 1
        assert shared.commitment == record_for(shared, ANIA.guest).commitment
        assert "epoch" not in record_for(shared, ANIA.guest).write()


async def test_a_chosen_seed_is_worth_nothing_once_somebody_comes(store):
    """Way 1: open [me, screen] with a seed, leave the second seat, send the link."""
    shared = await seated(store, ANIA, ANIA, seed="chosen", asking=True)
    chosen, first = draws_of(shared), shared.commitment
    await change_seat(shared, 2, LEAVE, ANIA.guest, ENGLISH)
    await come(shared, BARTEK)
    assert draws_of(shared) == [], "nobody has moved: it is dealt anew"
    await settle(shared, ANIA, BARTEK)
    assert len(draws_of(shared)) == len(chosen)
    assert draws_of(shared) != chosen
    assert shared.commitment != first
    for ply in range(shared.table.ply):
        assert epochs.governing(shared.draws.epochs, ply).number == 1


async def test_moves_made_before_somebody_comes_stay_and_the_draws_after_them_are_new(store):
    shared = await seated(store, ANIA, ANIA, seed="chosen", asking=True)
    await move(shared, 0)
    ply, entries = shared.table.ply, shared.table.entries
    await change_seat(shared, 2, LEAVE, ANIA.guest, ENGLISH)
    await come(shared, BARTEK)
    await settle(shared, ANIA, BARTEK)
    assert shared.table.entries == entries
    assert [(epoch.number, epoch.ply, epoch.alone) for epoch in shared.draws.epochs] == [
        (0, 0, True),
        (1, ply, False),
    ]
    await to_the_next_draw(shared)
    for at, entry in enumerate(shared.table.entries):
        if entry.seat == CHANCE and at > ply:
            assert epochs.governing(shared.draws.epochs, at).number == 1


async def test_a_game_with_a_bot_that_was_taken_back_tells_nothing_about_the_next(store):
    """Way 2: a bot on the free seat, play to the end, read the seed, take all back, invite."""
    shared = await seated(store, ANIA, OPEN, asking=True)
    assert draws_of(shared) == []
    await change_seat(shared, 2, HAND_OVER, ANIA.guest, ENGLISH)
    seen = draws_of(shared)
    assert seen
    await finish(shared)
    assert shared.shown_seed
    first = shared.commitment
    while any(entry.seat != CHANCE for entry in shared.table.entries):
        await take_back(shared, ANIA.guest, shared.seq, f"back {shared.seq}")
        if all(entry.seat != 0 for entry in shared.table.entries):
            break
    await change_seat(shared, 2, SIT, ANIA.guest, ENGLISH)
    await change_seat(shared, 2, LEAVE, ANIA.guest, ENGLISH)
    await come(shared, BARTEK)
    assert draws_of(shared) == []
    await settle(shared, ANIA, BARTEK)
    assert draws_of(shared) != seen
    assert shared.commitment != first
    assert shared.shown_seed is None


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
    with pytest.raises(NotNow):
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


async def test_draws_that_were_taken_back_are_never_made_again_among_people(store):
    shared = await seated(store, ANIA, BARTEK, asking=True)
    await settle(shared, ANIA, BARTEK)
    await to_the_next_draw(shared)
    before, seen = shared.table.ply, shared.table.entries
    mover = next(entry.seat for entry in reversed(seen) if entry.seat != CHANCE)
    asker, other = ((ANIA, BARTEK), (BARTEK, ANIA))[mover]
    await take_back(shared, asker.guest, shared.seq, "please")
    await answer(shared, other.guest, shared.seq, "yes", agree=True)
    assert shared.draws.pending.number == 2
    assert shared.table.ply < before
    undone = seen[shared.table.ply]
    await move(shared, mover)
    assert shared.table.movers == [CHANCE], "a move is made while the draws are settled, and they wait"
    assert build_view(shared, Viewer(ANIA.guest, True, "en", "wide")).fair.waits
    await settle(shared, ANIA, BARTEK)
    assert shared.table.entries[: shared.table.ply][-1].seat == CHANCE
    assert seen[shared.draws.current.ply - 1] == undone == shared.table.entries[shared.draws.current.ply - 1]
    assert shared.table.entries != seen


async def test_a_move_that_is_taken_back_before_a_draw_changes_no_epoch(store):
    shared = await seated(store, ANIA, BARTEK, asking=True)
    await settle(shared, ANIA, BARTEK)
    await move(shared, 0)
    await take_back(shared, ANIA.guest, shared.seq, "please")
    await answer(shared, BARTEK.guest, shared.seq, "yes", agree=True)
    assert shared.draws.pending is None
    assert shared.is_dealing


async def test_who_comes_back_after_draws_were_looked_at_gets_others(store):
    """Alone with a bot everything can be taken back; so the draws seen then are worth nothing afterwards."""
    shared = await seated(store, ANIA, BARTEK, asking=True)
    await settle(shared, ANIA, BARTEK)
    await change_seat(shared, 2, LEAVE, BARTEK.guest, ENGLISH)
    await change_seat(shared, 2, HAND_OVER, ANIA.guest, ENGLISH)
    await to_the_next_draw(shared)
    await take_back(shared, ANIA.guest, shared.seq, "back")
    assert shared.is_dealing, "alone the same draws come again"
    await change_seat(shared, 2, SIT, ANIA.guest, ENGLISH)
    await change_seat(shared, 2, LEAVE, ANIA.guest, ENGLISH)
    await come(shared, BARTEK)
    assert shared.draws.pending.number == 2


async def test_who_has_had_a_part_and_comes_back_to_an_honest_table_goes_on_with_it(store):
    shared = await seated(store, ANIA, BARTEK, asking=True)
    await settle(shared, ANIA, BARTEK)
    await change_seat(shared, 2, LEAVE, BARTEK.guest, ENGLISH)
    await come(shared, BARTEK)
    assert shared.is_dealing
    assert [epoch.number for epoch in shared.draws.epochs] == [1]


async def test_nothing_is_drawn_while_a_seat_is_free_in_the_middle_of_a_game(store):
    """Who comes then has a part in what is drawn next; who comes back goes on."""
    for comes, number in ((BARTEK, 1), (CELINA, 2)):
        shared = await seated(store, ANIA, BARTEK, asking=True)
        await settle(shared, ANIA, BARTEK)
        while len(shared.table.legal_moves(shared.table.movers[0])) > 6 or shared.table.movers != [0]:
            await move(shared, shared.table.movers[0])
        await change_seat(shared, 2, LEAVE, BARTEK.guest, ENGLISH)
        while shared.table.movers != [CHANCE]:
            await move(shared, shared.table.movers[0])
        drawn = len(draws_of(shared))
        assert (await again(shared)).due() is None
        await come(shared, comes)
        if number == 2:
            await settle(shared, ANIA, CELINA)
        assert len(draws_of(shared)) > drawn
        assert shared.draws.current.number == number


async def test_a_deal_among_people_is_not_changed_by_who_leaves_and_comes_as_another(store):
    """Else somebody could leave and sit down again under another name until the deal is a good one."""
    shared = await seated(store, ANIA, BARTEK, asking=True)
    await settle(shared, ANIA, BARTEK)
    dealt = draws_of(shared)
    await change_seat(shared, 2, LEAVE, BARTEK.guest, ENGLISH)
    await come(shared, CELINA)
    assert shared.draws.pending.number == 2
    await settle(shared, ANIA, CELINA)
    assert draws_of(shared) == dealt


async def test_a_deal_among_people_stays_although_one_guest_alone_sat_there_meanwhile(store):
    shared = await seated(store, ANIA, BARTEK, asking=True)
    await settle(shared, ANIA, BARTEK)
    dealt = draws_of(shared)
    for number, who in ((1, ANIA), (2, BARTEK)):
        await change_seat(shared, number, LEAVE, who.guest, ENGLISH)
    await come(shared, CELINA)
    await change_seat(shared, 1, HAND_OVER, ANIA.guest, ENGLISH)
    assert shared.draws.current.alone
    await change_seat(shared, 1, SIT, ANIA.guest, ENGLISH)
    await settle(shared, ANIA, CELINA)
    assert draws_of(shared) == dealt


async def test_the_board_waits_for_people(store):
    """Nothing is drawn, no bot moves, nobody can move; and everybody is told why."""
    hall = Hall(store, patience=0)
    shared = hall.take_in(await seated(store, BOT, ANIA, OPEN, asking=True))
    assert shared.table.movers == [CHANCE]
    assert hall.bots.thinking == 0
    said = set()
    for lang in ("en", "pl", "de"):
        for who in (ANIA.guest, "watcher"):
            view = build_view(shared, Viewer(who, True, lang, "wide"))
            assert not view.you.turn
            assert not view.over
            assert not view.scene.walks
            said.add(view.fair.notice)
    assert len(said - {""}) == 3
    with pytest.raises(ValueError, match=r".+"):
        await shared.submit(1, shared.seq, "early", "F1 blue >1")
    with pytest.raises(NotAllowed):
        await hall.questions.evaluate(shared, ANIA.guest, shared.seq)
    await come(shared, BARTEK, 3)
    assert hall.bots.thinking == 0
    await settle(shared, ANIA, BARTEK)
    assert shared.table.movers == [0]
    assert hall.bots.thinking == 1
    await hall.close()


async def test_nobody_chooses_the_seed_of_a_table_with_a_free_seat_or_of_a_rematch(store):
    game = GAMES[FIRST]
    with pytest.raises(BadWish, match="nobody chooses the seed"):
        plan_game(game, game.read_options(), [ANIA, OPEN], ANIA.guest, seed="mine", hints=None)
    shared = await seated(store, ANIA, BARTEK, seed="mine", asking=True)
    await settle(shared, ANIA, BARTEK)
    assert "mine" not in (await store.seeds(shared.header.id)).values()


async def test_the_seed_is_the_documented_function_of_all_that_was_said(store):
    shared = await seated(store, ANIA, BARTEK, ANIA, asking=True)
    name, epoch = shared.header.id, shared.draws.pending
    secret = (await store.seeds(name))[1]
    assert epoch.commitment == hashlib.sha256(f"mozaika epoch\n{name}\n1\n{secret}".encode()).hexdigest()
    browsers = [Browser(ANIA), Browser(BARTEK)]
    for browser in browsers:
        await browser.pledge(shared)
    ania, bartek = (browser.numbers[1] for browser in browsers)
    said = f"mozaika pledge\n{name}\n1\n{epoch.commitment}\n1+3\n{ania}"
    assert epoch.parties[0].pledge == hashlib.sha256(said.encode()).hexdigest()
    for browser in reversed(browsers):
        await browser.show(shared)
    message = f"mozaika seed\n{name}\n1\n1+3 {ania}\n2 {bartek}"
    seed = hmac.digest(secret.encode(), message.encode(), "sha256").hex()
    assert shared.draws.seed() == seed
    game = shared.table.game
    assert shared.table.entries[0].move == chance.draw(game, shared.table.state_at(0), seed, 0)


async def test_an_epoch_goes_on_after_a_crash_at_any_moment(store):
    shared = await seated(store, ANIA, OPEN, asking=True)
    await come(shared, BARTEK)
    steps = [Browser(ANIA), Browser(BARTEK)]
    for browser in steps:
        await browser.pledge(shared)
        shared = await again(shared)
        await shared.go_on()
    for browser in steps:
        await browser.show(shared)
        shared = await again(shared)
        await shared.go_on()
    assert shared.is_dealing
    assert shared.table.movers == [0]
    twin = await again(shared)
    assert twin.draws.seed() == shared.draws.seed()
    assert [each.stage for each in twin.draws.epochs] == ["settled"]


@pytest.mark.parametrize("kept", [False, True])
async def test_an_answer_whose_fate_is_unknown_is_given_once_more(store, kept):
    shared = await seated(store, ANIA, BARTEK, asking=True)
    watched, ania, bartek = Watched(store), Browser(ANIA), Browser(BARTEK)
    for answering in (ania.pledge, bartek.pledge, ania.show, bartek.show):
        watched.failing, watched.kept = True, kept
        try:
            await answering(shared)
        except StoreError:
            assert not kept
        watched.failing = False
        if not kept:
            await answering(shared)
        await shared.go_on()
    assert shared.is_dealing
    assert len([event for event in (await store.load(shared.header.id))[1] if event.kind == "pledge"]) == 2
    assert (await again(shared)).table.entries == shared.table.entries


async def test_what_is_said_twice_is_said_once_and_nothing_else_after_it(store):
    shared = await seated(store, ANIA, BARTEK, asking=True)
    ania, bartek = Browser(ANIA), Browser(BARTEK)
    first = await ania.pledge(shared)
    assert await ania.pledge(shared) == first
    said = ania.party(shared).pledge
    assert (
        await shared.pledge(ANIA.guest, 1, said, name_command(ANIA.guest, "other page", said)) == shared.seq
    )
    epoch, other = shared.draws.pending, epochs.new_number()
    with pytest.raises(Reused):
        await shared.pledge(ANIA.guest, 1, other, name_command(ANIA.guest, "pledge 1", other))
    with pytest.raises(NotNow, match="pledged already"):
        await shared.pledge(ANIA.guest, 1, other, name_command(ANIA.guest, "second tab", other))
    with pytest.raises(NotNow):
        await ania.show(shared)
    with pytest.raises(NotNow):  # a pledge is no contribution, though it was said before
        await shared.contribute(ANIA.guest, 1, said, name_command(ANIA.guest, "early", said))
    with pytest.raises(NotAllowed):
        await shared.pledge(CELINA.guest, 1, other, name_command(CELINA.guest, "watcher", other))
    with pytest.raises(NotNow):
        await shared.pledge(BARTEK.guest, 2, other, name_command(BARTEK.guest, "early", other))
    with pytest.raises(BadWish):
        await shared.pledge(BARTEK.guest, 1, "x" * 64, name_command(BARTEK.guest, "no number", "x"))
    await bartek.pledge(shared)
    assert epoch.stage == "showing"
    with pytest.raises(BadWish, match="not the one that was pledged"):
        await shared.contribute(ANIA.guest, 1, other, name_command(ANIA.guest, "another", other))
    first = await ania.show(shared)
    assert await ania.show(shared) == first
    await bartek.show(shared)
    with pytest.raises(NotNow):
        await shared.contribute(BARTEK.guest, 1, other, name_command(BARTEK.guest, "late", other))


async def test_who_does_not_answer_is_left_out_and_the_record_says_so(store):
    shared = await seated(store, ANIA, BARTEK, asking=True)
    await settle(shared, BARTEK)
    await finish(shared)
    record = record_for(shared, ANIA.guest)
    assert "epoch 1 seat 1: left out" in record.write()
    proof = Record.read(record.write()).prove()
    assert proof.faults == []
    assert any("seat 2 added numbers" in each for each in proof.proven)
    assert any("seat 1 had no part" in each for each in proof.unproven)


async def test_programs_that_do_not_answer_play_all_the_same(store):
    shared = await seated(store, ANIA, BARTEK, asking=True)
    await run_out(shared)
    await finish(shared)
    proof = Record.read(record_for(shared, ANIA.guest).write()).prove(shared.commitment)
    assert proof.faults == []
    assert any("it could choose them" in each for each in proof.unproven)


async def test_who_pledges_and_does_not_show_begins_everything_anew_without_them(store):
    """Together with the server they would know two seeds, and could choose."""
    shared = await seated(store, ANIA, BARTEK, asking=True)
    ania, bartek = Browser(ANIA), Browser(BARTEK)
    await ania.pledge(shared)
    await bartek.pledge(shared)
    await ania.show(shared)
    first = shared.draws.pending
    await run_out(shared)
    second = shared.draws.pending
    assert (first.stage, second.number, draws_of(shared)) == ("dropped", 2, [])
    assert second.commitment != first.commitment
    with pytest.raises(NotNow):
        await shared.contribute(BARTEK.guest, 1, bartek.numbers[1], name_command(BARTEK.guest, "late", 1))
    with pytest.raises(NotAllowed):
        await bartek.pledge(shared)
    await ania.pledge(shared)
    await ania.show(shared)
    assert ania.numbers[1] != ania.numbers[2]
    await finish(shared)
    text = record_for(shared, ANIA.guest).write()
    assert "epoch 1: dropped" in text
    assert "epoch 2 seat 2: silent" in text
    proof = Record.read(text).prove()
    assert proof.faults == []
    assert any("seat 2 did not show" in each for each in proof.unproven)


async def test_who_comes_or_goes_while_the_draws_are_settled_makes_them_settle_anew(store):
    shared = await seated(store, ANIA, OPEN, asking=True)
    await come(shared, BARTEK)
    ania, bartek = Browser(ANIA), Browser(BARTEK)
    await ania.pledge(shared)
    await bartek.pledge(shared)
    await change_seat(shared, 2, LEAVE, BARTEK.guest, ENGLISH)
    assert shared.draws.pending is None
    with pytest.raises(NotNow):
        await shared.contribute(ANIA.guest, 1, ania.numbers[1], name_command(ANIA.guest, "alone", 1))
    await come(shared, CELINA)
    await settle(shared, ANIA, CELINA)
    assert [(each.number, each.stage) for each in shared.draws.epochs] == [(1, "dropped"), (2, "settled")]


async def until_dealt(shared):
    async with asyncio.timeout(20):
        while shared.table.movers == [CHANCE]:
            await asyncio.sleep(0.001)


async def test_who_comes_and_goes_for_ever_does_not_make_a_record_that_nobody_can_read(store, monkeypatch):
    """Each time the draws begin anew, and a record has room for a thousand attempts."""
    monkeypatch.setattr(seating, "MOST_SITTINGS", 3)
    shared = await seated(store, ANIA, BARTEK, asking=True)
    for _ in range(2):
        await change_seat(shared, 2, LEAVE, BARTEK.guest, ENGLISH)
        await come(shared, BARTEK)
    await change_seat(shared, 2, LEAVE, BARTEK.guest, ENGLISH)
    with pytest.raises(NotAllowed, match="too often"):
        await come(shared, BARTEK)
    shared = await again(shared)
    with pytest.raises(NotAllowed, match="too often"):
        await change_seat(shared, 2, SIT, BARTEK.guest, ENGLISH)
    await come(shared, CELINA)
    await settle(shared, ANIA, CELINA)
    assert shared.is_dealing


async def test_the_hall_waits_for_a_while_and_longer_for_who_is_yet_to_come(store):
    hall = Hall(store, patience=60, answer_seconds=600)
    shared = hall.take_in(await seated(store, ANIA, BARTEK))
    await finish(shared)
    opening = name_opening("ania", "again")
    await play_again(hall, shared, ANIA.guest, opening)
    rematch = await hall.find(opening.id)
    for rounds in range(1, MOST_ROUNDS):
        wait = hall.deadlines._waits[opening.id]
        assert (wait.rounds, wait.absent) == (rounds, {ANIA.guest, BARTEK.guest})
        hall.deadlines._ring(rematch)
    assert draws_of(rematch) == []
    hall.deadlines._ring(rematch)
    await until_dealt(rematch)
    await hall.close()


async def test_who_is_at_the_table_and_does_not_answer_is_not_waited_for_long(store):
    hall = Hall(store, patience=60, answer_seconds=600)
    shared = hall.take_in(await seated(store, ANIA, BARTEK, asking=True))
    for who in (ANIA, BARTEK):
        shared.presence.come(who.guest)
    hall.deadlines._ring(shared)
    hall.deadlines._ring(shared)
    await until_dealt(shared)
    await hall.close()


async def test_after_a_restart_the_hall_goes_on_where_the_table_stopped(store):
    shared = await seated(store, ANIA, BARTEK, asking=True)
    hall = Hall(store, patience=60, answer_seconds=0.001)
    await until_dealt(await hall.find(shared.header.id))
    await hall.close()


async def test_a_game_from_before_epochs_goes_on_with_one(store):
    """Its log has no word of them; what was drawn stays, what comes is new."""
    old = await seated(store, ANIA, ANIA, seed="old")
    await move(old, 0)
    await old.sit(1, lambda _: BARTEK)
    kinds = [event.kind for event in (await store.load(old.header.id))[1]]
    assert kinds[-3:] == ["commit", "pledged", "settle"]
    ply = old.draws.current.ply
    assert ply == old.table.ply
    await finish(old)
    record = Record.read(record_for(old, ANIA.guest).write())
    assert record.prove().faults == []
    assert record.epochs[0].secret == "old"


async def test_what_draws_come_from_is_in_nothing_that_is_shown(store):
    """Not in a view, a record, a header or an event, until the end."""
    shared = await seated(store, ANIA, BARTEK, asking=True)
    await settle(shared, ANIA, BARTEK)
    await to_the_next_draw(shared)
    secret = (await store.seeds(shared.header.id))[1]
    told = [repr(await store.load(shared.header.id)), record_for(shared, ANIA.guest).write()]
    told += [repr(build_view(shared, Viewer(who, True, "en", "wide"))) for who in (ANIA.guest, "", "x")]
    told.append(repr(shared.table.record()))
    for text in told:
        assert secret not in text
        assert shared.draws.seed() not in text
    await finish(shared)
    assert secret in record_for(shared, ANIA.guest).write()
    assert build_view(shared, Viewer("", True, "en", "wide")).seed == shared.draws.seed()


played = []


async def agreed_game(store):
    """The record of a game whose draws both had a part in, and its commitment; played once for all."""
    if not played:
        shared = await seated(store, ANIA, BARTEK, asking=True)
        await settle(shared, ANIA, BARTEK)
        await finish(shared)
        played.extend([record_for(shared, ANIA.guest).write(), shared.commitment])
    return played


async def test_a_record_proves_who_had_a_part_in_its_draws(store):
    text, commitment = await agreed_game(store)
    record = Record.read(text)
    assert record.write() == text
    proof = record.prove(commitment)
    assert proof.faults == []
    assert any("seat 1, 2 added numbers" in each for each in proof.proven)
    assert any("All draws follow" in each for each in proof.proven)
    assert not any("give the one that you kept" in each for each in proof.unproven)
    assert any("give the one that you kept" in each for each in record.prove().unproven)
    assert record.verify("0" * 64)
    for lang in ("pl", "de"):
        translated = record.prove(commitment, lang)
        for own, other in zip(
            proof.proven + proof.unproven, translated.proven + translated.unproven, strict=True
        ):
            assert own != other


async def test_each_draw_lies_where_the_record_says(store):
    record = Record.read((await agreed_game(store))[0])
    drawn = record.stretches()
    assert len(drawn) == sum(entry.seat == CHANCE for entry in record.entries)
    for ply, total, first, width in drawn:
        assert first <= chance.number_below(record.seed_at(ply), ply, total) < first + width


CHECK = """
import { check, parse, wrongDraws } from "./proof.js";
const { text, commitment, stretches } = JSON.parse(process.argv[2]);
const record = parse(text);
const { faults, proven } = check(record, {}, commitment);
const found = [faults, proven.map(([key]) => key), wrongDraws(record, stretches), record.drawn.length];
console.log(JSON.stringify(found));
"""


async def test_the_page_and_python_come_to_the_same_result(store, tmp_path):
    """What the server writes is checked by the modules of the page, which have formulas of their own."""
    text, commitment = await agreed_game(store)
    stretches = Record.read(text).stretches()
    wish = {"text": text, "commitment": commitment, "stretches": stretches}
    found = run_page_module(tmp_path, CHECK, wish)
    assert found == [[], ["proof_part", "proof_given"], [], len(stretches)]


READ = """
import { parse } from "./proof.js";
console.log(JSON.stringify(JSON.parse(process.argv[2]).map((text) => {
  const { epochs, table, drawn } = parse(text);
  const told = epochs.map((each) => [each.number, each.stage, each.ply, each.commitment, each.secret]);
  return [table, drawn, told];
})));
"""
HIDING: dict[str, Callable[[str], str]] = {
    "from the page, by two blanks": lambda line: line.replace("epoch 1", "epoch  1"),
    "from the page, by a blank of another kind": lambda line: line.replace("epoch 1", "epoch\N{EM SPACE}1"),
    "from the page, behind a remark": lambda line: f"# x\v{line}",
    "from the page, behind another remark": lambda line: f"# x\u2028{line}",
    "from the page, behind a control character": lambda line: f"\x1f{line}",
    "from Python, as a header": lambda line: line.replace("epoch 1", "EPOCH 1"),
    "from Python, behind a mark": lambda line: f"\ufeff{line}",
    "from Python, with noughts": lambda line: line.replace("epoch 1", "epoch 00001"),
    "from Python, as a remark": lambda line: f"x # {line}",
}


async def test_no_line_is_there_for_the_page_alone_or_for_python_alone(store, tmp_path):
    """A server could else show a browser the epochs it had a part in, and whoever verifies others."""
    text, _ = await agreed_game(store)
    head, _, rest = re.split(r"^(epoch .*\n)+", text, maxsplit=1, flags=re.MULTILINE)
    said = text.removeprefix(head).removesuffix(rest)
    records = [text, head.replace("Seats:", "CHANCE: a, b\nSeats:") + said + rest]
    for hide in HIDING.values():
        hidden = "".join(map(hide, said.splitlines(keepends=True)))
        records += [head + hidden + said + rest, head + hidden + rest]
    seen = [_as_python_reads(record) for record in records]
    shown = run_page_module(tmp_path, READ, records)
    assert [each for each in zip(seen, shown, strict=True) if each[0] not in (None, each[1])] == []
    assert seen[0] is not None
    assert sum(each is not None for each in seen) >= len(HIDING), "some of these records can be read"


def _as_python_reads(text: str) -> list[object] | None:
    """What the page should see, too; None where verifying says that this is no record."""
    try:
        record = Record.read(text)
    except RecordError:
        return None
    drawn = [ply for ply, entry in enumerate(record.entries) if entry.seat == CHANCE]
    stages = ["alone" if epoch.alone else epoch.stage for epoch in record.epochs]
    told = [
        [epoch.number, stage, epoch.ply, epoch.commitment, epoch.secret]
        for epoch, stage in zip(record.epochs, stages, strict=True)
    ]
    return [record.table, drawn, told]


def run_page_module(folder: Path, code: str, wish: object) -> Any:
    """What code says that imports the modules of the page which check draws."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("No Node here; it runs the modules of the page.")
    (folder / "package.json").write_text('{"type": "module"}', "utf-8")
    (folder / "check.js").write_text(code, "utf-8")
    for name in ("proof.js", "sha256.js"):
        shutil.copy(Path(web.__file__).parent / "static" / name, folder)
    told = subprocess.run(
        [node, folder / "check.js", json.dumps(wish)], capture_output=True, text=True, check=True
    )
    return json.loads(told.stdout)


@pytest.mark.parametrize("what", ["secret", "seat 1 contribution", "seat 2 pledge", "commitment"])
async def test_a_record_that_was_changed_is_found_out(store, what):
    text, _ = await agreed_game(store)
    line = next(each for each in text.splitlines() if each.startswith(f"epoch 1 {what}: "))
    changed = line[:-1] + ("0" if line[-1] != "0" else "1")
    assert Record.read(text.replace(line, changed)).verify()


async def test_a_server_that_swaps_secret_and_commitment_is_found_out_by_who_kept_the_first(store):
    """And by who contributed: the pledge is about the commitment that was shown."""
    text, commitment = await agreed_game(store)
    record = Record.read(text)
    epoch = record.epochs[0]
    epoch.secret = epochs.new_number()
    epoch.commitment = epochs.commit(record.table, 1, epoch.secret)
    assert any("not what was pledged" in each for each in record.verify())
    assert record.verify(commitment)


async def test_the_order_of_lines_in_a_record_chooses_no_seed(store):
    """A server that has all numbers could else choose among the orders of the people: 24 seeds for four."""
    text, _ = await agreed_game(store)
    lines = text.splitlines(keepends=True)
    first, second = (
        [at for at, line in enumerate(lines) if line.startswith(f"epoch 1 seat {n} ")] for n in "12"
    )
    turned = "".join(lines[: first[0]] + [lines[at] for at in second + first] + lines[second[-1] + 1 :])
    assert turned != text
    assert Record.read(turned).seed_at(0) == Record.read(text).seed_at(0)


async def test_a_number_that_was_pledged_cannot_be_left_out_of_a_settled_epoch(store):
    """Whoever settles could else choose, for each accomplice, between two seeds."""
    text, _ = await agreed_game(store)
    line = next(each for each in text.splitlines(keepends=True) if "epoch 1 seat 2 contribution" in each)
    faults = Record.read(text.replace(line, "")).verify()
    assert any("is not among the numbers" in each for each in faults)


async def test_a_fingerprint_of_an_attempt_that_was_given_up_proves_nothing_of_the_next(store):
    shared = await seated(store, ANIA, BARTEK, asking=True)
    given_up = shared.commitment
    browser = Browser(ANIA)
    await browser.pledge(shared)
    await run_out(shared)
    await run_out(shared)  # Ania does not show her number
    await settle(shared, BARTEK)
    await finish(shared)
    record = record_for(shared, ANIA.guest)
    assert record.verify(given_up) == []
    for published, matches in ((given_up, False), (shared.commitment, True)):
        proof = record.prove(published)
        assert any("that you gave" in each for each in proof.proven) == matches
        assert any("give the one that you kept" in each for each in proof.unproven) != matches


async def test_a_draw_that_was_changed_is_found_out(store):
    text, _ = await agreed_game(store)
    record = Record.read(text)
    ply = next(at for at, (one, two) in enumerate(pairwise(record.entries)) if one.seat == two.seat == CHANCE)
    record.entries[ply], record.entries[ply + 1] = record.entries[ply + 1], record.entries[ply]
    while record.entries[ply] == record.entries[ply + 1]:
        ply += 1
        record.entries[ply], record.entries[ply + 1] = record.entries[ply + 1], record.entries[ply]
    assert any("the seed gives" in each for each in record.verify())


@pytest.mark.parametrize(
    "wrong",
    [
        "epoch 1 secret: x",
        "epoch 2 secret: " + "0" * 64,
        "epoch 1: settled",
        "epoch 0: settled",
        "epoch 3: perhaps",
        "epoch 1 seat 1: left out",
        "epoch 1 seat 3: left out",
        "epoch 1 seat 0: left out",
        "epoch 1 seat 2+1: left out",
        "epoch 1 seat 2 contribution: " + "0" * 64,
        "epoch 1 nonsense: 1",
        "epoch 99999: settled",
    ],
)
async def test_nonsense_about_epochs_is_refused_with_its_line(store, wrong):
    text, _ = await agreed_game(store)
    head, mark, rest = text.partition("chance: ")
    with pytest.raises(ValueError, match=rf"Line {head.count(chr(10)) + 1}: "):
        Record.read(f"{head}{wrong}\n{mark}{rest}")


async def test_a_game_played_on_from_a_position_says_that_somebody_chose_it(store):
    """Who plays on from a finished game knows all that was hidden in it, and may then invite somebody."""
    done = await seated(store, ANIA, BARTEK)
    await finish(done)
    position = done.table.game.write_position(done.table.state_at(done.table.ply - 3))
    shared = await seated(store, ANIA, BOT, position=position, asking=True)
    await change_seat(shared, 2, SIT, ANIA.guest, ENGLISH)
    await change_seat(shared, 2, LEAVE, ANIA.guest, ENGLISH)
    await come(shared, BARTEK)
    await settle(shared, ANIA, BARTEK)
    assert build_view(shared, Viewer(BARTEK.guest, True, "en", "wide")).fair.position
    await finish(shared)
    assert any("Who chose the position" in each for each in record_for(shared, ANIA.guest).prove().unproven)


async def test_a_rematch_is_dealt_when_both_have_been_asked_anew(store):
    hall = Hall(store, patience=60, answer_seconds=600)
    shared = hall.take_in(await seated(store, ANIA, BARTEK))
    await finish(shared)
    opening = name_opening("ania", "again")
    await play_again(hall, shared, ANIA.guest, opening)
    rematch = await hall.find(opening.id)
    assert draws_of(rematch) == []
    await settle(rematch, ANIA, BARTEK)
    assert draws_of(rematch)
    await hall.close()


async def test_a_second_cookie_of_the_owner_gives_the_owner_nothing_against_a_third_person(store):
    """They agree with themselves to take draws back as often as they like; who then comes is asked anew."""
    shared = await seated(store, ANIA, BARTEK, asking=True)
    await settle(shared, ANIA, BARTEK)
    await to_the_next_draw(shared)
    mover = next(entry.seat for entry in reversed(shared.table.entries) if entry.seat != CHANCE)
    asker, other = ((ANIA, BARTEK), (BARTEK, ANIA))[mover]
    await take_back(shared, asker.guest, shared.seq, "please")
    await answer(shared, other.guest, shared.seq, "yes", agree=True)
    await settle(shared, ANIA, BARTEK)
    await change_seat(shared, 2, LEAVE, BARTEK.guest, ENGLISH)
    await come(shared, CELINA)
    assert shared.draws.pending.number == 3
    assert not shared.is_dealing
    await settle(shared, ANIA, CELINA)
    assert shared.draws.current.ply == shared.table.ply


def test_the_program_in_the_documents_has_a_part_in_the_draws(tmp_path):
    """Two programs that know HTTP only, with the lines of docs/fair.md."""
    text = (Path(__file__).parents[1] / "docs" / "fair.md").read_text("utf-8")
    lines = {}
    exec(re.search(r"```python\n(.*?)```", text, re.DOTALL)[1], lines)
    app = build_app(lambda: SqliteStore(tmp_path / "games.db"), burst=1_000, answer_seconds=600)
    with TestClient(app) as client:

        def ask(who, path, wish=None):
            headers = {**once(), "Cookie": f"mozaika={who * 24}"}
            asked = (
                client.get(path, headers=headers)
                if wish is None
                else client.post(path, json=wish, headers=headers)
            )
            assert asked.is_success, asked.text
            return asked.json() if asked.content else None

        seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "screen"}]
        made = ask("a", "/api/games", {"game": FIRST, "seats": seats})
        at, numbers = f"/api/games/{made['id']}", {"a": {}, "b": {}}
        ask("b", f"{at}/enter", {"token": made["link"].split("#k=")[1]})
        ask("b", f"{at}/seats/2", {"action": "sit"})
        for who in "abab":
            view = ask(who, f"{at}/view")
            assert view["plies"] == 0
            lines["answer"](view, numbers[who], lambda path, wish, who=who: ask(who, f"{at}/{path}", wish))
        view = ask("a", f"{at}/view")
        assert view["plies"] > 0
        parties = view["fair"]["epochs"][-1]["parties"]
        assert [(party["seats"], party["shown"]) for party in parties] == [([1, 3], True), ([2], True)]
