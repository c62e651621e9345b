"""Reviews: what each decision was worth, how lucky each draw was; and what makes the numbers true.

About 6 s of CPU: parts of games, few nodes.
"""

import asyncio
import re
import sys
from dataclasses import replace
from random import Random
from xml.etree import ElementTree

import msgspec
import numpy as np
import pytest

import mozaika
from mozaika import Budget, Record, Table
from mozaika.games import GAMES
from mozaika.kernel import new_random, warm
from mozaika.lab.calibrate import TARGET, sharpness_for, slope_of
from mozaika.reviewing import Reviewer
from mozaika.reviewing.calibration import Calibration
from mozaika.reviewing.graph import draw_graph
from mozaika.reviewing.judge import Judge
from mozaika.reviewing.page import write_page
from mozaika.reviewing.steps import GLANCES, Going, Step, run, take_far
from mozaika.reviewing.tell import tell_turning_points
from mozaika.state import CHANCE
from mozaika.table.hall import Hall
from mozaika.table.refusals import BadWish, NotNow
from mozaika.table.secrets import record_for
from mozaika.table.told import keep_told, read_told
from mozaika.words import LANGUAGES
from tables import ANIA, seated

NODES = 120


def played(game, seats, bots, plies):
    """The beginning of a game between bots, or all of it."""
    warm(GAMES[game])
    table = Table(game, seats, seed="a review", names=("Ania", "<b>Bo", "Cy", "Di")[:seats])
    while not table.is_over and table.ply < plies:
        seat = table.movers[0]
        table.play(table.ask(bots[seat % len(bots)], seat, Budget(NODES, 60_000)), seat)
    return table.record(reveal=True)


def begun(record):
    """The first round of a game."""
    return replace(record, entries=record.entries[:26], seed="", commitment="", draws="told")


@pytest.fixture(scope="module")
def azul():
    return played("azul", 2, ("beginner", "club"), 1_000)


@pytest.fixture(scope="module")
def reviewed(azul):
    return mozaika.review(azul, NODES)


def test_a_result_is_what_was_expected_luck_decisions_and_a_rest_that_is_shown(reviewed):
    assert reviewed.over
    assert reviewed.done == reviewed.steps
    assert sum(player.result for player in reviewed.players) == pytest.approx(1)
    for player in reviewed.players:
        parts = player.start + player.luck + player.own + player.others + player.rest
        assert parts == pytest.approx(player.result)
    for draw in reviewed.draws:
        assert sum(draw.luck) == pytest.approx(0, abs=1e-9)
    assert len(reviewed.draws) == 1 + sum(
        before.ply + 1 < after.ply
        for before, after in zip(reviewed.decisions, reviewed.decisions[1:], strict=False)
    )


def test_only_what_is_surely_worse_is_marked_and_the_best_loses_nothing(reviewed):
    assert any(decision.mark for decision in reviewed.decisions)
    for decision in reviewed.decisions:
        assert decision.loss >= 0
        if decision.best == decision.move:
            assert decision.loss == decision.error == 0
            assert decision.accuracy == 100
        if decision.mark:
            assert decision.loss > 2 * decision.error
            assert decision.loss >= 0.03


def test_who_plays_better_loses_less(reviewed):
    beginner, club = reviewed.players
    assert club.loss < beginner.loss
    assert club.accuracy > beginner.accuracy
    assert sum(player.decisions for player in reviewed.players) == sum(
        decision.choices > 1 for decision in reviewed.decisions
    )


def test_a_review_is_the_same_every_time(azul):
    first = mozaika.review(begun(azul), NODES)
    assert first == mozaika.review(Record.read(begun(azul).write()), NODES)
    assert not first.over
    assert msgspec.json.decode(msgspec.json.encode(first), type=mozaika.Review) == first


def test_a_review_can_be_looked_at_before_it_is_whole(azul):
    going = Going(Reviewer(begun(azul), NODES))
    turns = sum(entry.seat != CHANCE for entry in going.reviewer.record.entries)
    known = [going.result() for _ in run(going)]
    glances = -(-turns // GLANCES)
    assert [len(each.curve) for each in known[glances - 1 :]] == [turns] * (len(known) - glances + 1)
    assert [each.done for each in known] == [*range(1, len(going.steps) + 1)]


def test_a_review_that_was_cut_off_goes_on_where_it_was_and_anywhere(azul):
    record = begun(azul)
    text, whole = record.write(), mozaika.review(record, NODES)
    going = Going(Reviewer(record, NODES), text, NODES)
    for step in going.left[:7]:
        going.add(step, take_far(msgspec.json.decode(msgspec.json.encode(step), type=Step)))
    kept = msgspec.json.decode(msgspec.json.encode(going.result()), type=mozaika.Review)
    again = Going(Reviewer(record, NODES), text, NODES, kept)
    assert again.result() == kept
    assert len(again.left) == len(going.steps) - 7
    for _ in run(again):
        pass
    assert again.result() == whole


@pytest.mark.parametrize(("game", "seats"), [("fits", 1), ("azul_duel", 2), ("gemino", 2), ("azul", 3)])
def test_every_game_can_be_reviewed(game, seats):
    record = played(game, seats, ("casual",), 36)
    found = mozaika.review(replace(record, entries=record.entries[:36]), 40)
    assert found.unit == ("points" if seats == 1 else "share")
    assert found.decisions
    for value in found.curve:
        assert len(value.points) == seats
        assert sum(value.shares) == pytest.approx(1)


def test_nobody_is_blamed_for_what_could_not_be_known():
    """Two games that differ only in what a seat cannot see come to the same judgement of its move."""
    table, random = Table("azul_duel", 2, seed="z"), Random(1)
    game, judge = table.game, Judge(table.game, Calibration(2), 40)
    while True:
        seat = table.movers[0]
        other = game.guess(game.hide(table.state, seat), seat, new_random(7))
        if other.tobytes() != table.state.tobytes():
            break
        table.play(random.choice(table.legal_moves(seat)), seat)
    moves = game.legal_moves(table.state, seat)[:2]
    here, there = (judge.compare(state, seat, moves, table.ply) for state in (table.state, other))
    assert (here == there).all()


def test_a_page_needs_nothing_from_outside_and_names_stay_names(azul, reviewed):
    for lang in LANGUAGES:
        page = write_page(azul, reviewed, lang)
        assert "<b>Bo" not in page
        assert not re.search(r"(src|href)=|https?://(?!www\.w3\.org/2000/svg)", page)
    graph = ElementTree.fromstring(draw_graph(reviewed, azul.game.words("pl")))
    marked = {decision.ply for decision in reviewed.decisions if decision.mark}
    assert {int(each.get("data-ply")) for each in graph.iter() if each.get("data-ply")} == marked


def test_at_most_three_moments_are_said_to_have_decided_a_game(azul, reviewed):
    told = tell_turning_points(azul, reviewed, azul.game.words("de"))
    assert 1 <= len(told) <= 3
    assert [each.ply for each in told] == sorted(each.ply for each in told)


def test_shares_are_made_less_extreme_and_stay_shares():
    calibration = Calibration(2, slopes=(0.5, 1.0, 1.0, 1.0), plies=100)
    corrected = calibration.correct((0.9, 0.1), 0)
    assert corrected == pytest.approx((0.75, 0.25))
    assert calibration.correct((0.9, 0.1), 99) == pytest.approx((0.9, 0.1))
    assert sum(calibration.correct((0.7, 0.2, 0.1), 10)) == pytest.approx(1)
    assert calibration.correct((1.0,), 10) == (1.0,)


def test_the_slope_of_shares_that_are_twice_as_sure_as_they_may_be_is_a_half():
    random = np.random.default_rng(1)
    for seats in (2, 4):
        chances = random.dirichlet([1.5] * seats, 20_000)
        won = np.array([random.multinomial(1, each) for each in chances], float)
        sure = chances**2 / (chances**2).sum(axis=1, keepdims=True)
        assert slope_of(sure, won) == pytest.approx(0.5, abs=0.02)
        assert slope_of(chances, won) == pytest.approx(1, abs=0.03)


def test_accuracy_falls_so_that_the_losses_of_a_strong_bot_come_to_the_target():
    losses = [0.0, 0.001, 0.02, 0.0, 0.05]
    calibration = Calibration(2, sharpness=sharpness_for(losses))
    assert np.mean([calibration.accuracy(loss) for loss in losses]) == pytest.approx(TARGET, abs=0.1)


async def brought(store, plies=20):
    """A hall with the beginning of a game that somebody has brought as a record."""
    text = played("fits", 1, ("casual",), plies).write()
    hall = Hall(store, answer_seconds=0)
    name = await keep_told(store, *read_told(text, "en"), "ania")
    return hall, await hall.find(name)


async def whole(hall, shared, guest=""):
    async with asyncio.timeout(120):
        while True:
            record, review = await hall.reviews.find(shared, guest, "there")
            if review is not None and review.done == review.steps:
                return record, review
            await asyncio.sleep(0.05)


@pytest.fixture
def quick(monkeypatch):
    """Reviews of few nodes, whatever is calibrated."""
    few = Calibration(1, nodes=40, look=4, redraws=2)
    monkeypatch.setattr(sys.modules["mozaika.reviewing.review"], "calibration_of", lambda *_: few)
    monkeypatch.setattr("mozaika.reviewing.judge.FEW", 0)
    take_far.__globals__["_reviewer_of"].cache_clear()


@pytest.mark.anyio
async def test_a_game_that_goes_on_is_not_reviewed(store):
    hall = Hall(store, answer_seconds=0)
    shared = hall.take_in(await seated(store, ANIA, game="fits"))
    with pytest.raises(NotNow):
        await hall.reviews.find(shared, ANIA.guest, "here")
    await hall.close()


@pytest.mark.anyio
async def test_a_review_is_thought_once_for_everybody_and_nobody_waits_twice(store, quick, monkeypatch):
    hall, shared = await brought(store)
    found = await asyncio.gather(*(whole(hall, shared, guest) for guest in (ANIA.guest, "", "x")))
    assert len({id(record) for record, _ in found}) == 1
    assert all(review == found[0][1] for _, review in found)
    async with asyncio.timeout(60):
        while (kept := await store.review(shared.header.id)) is None or not kept.whole:
            await asyncio.sleep(0.05)
    await hall.close()
    taken = []
    monkeypatch.setattr("mozaika.table.thinkers.take_far", taken.append)
    again = Hall(store, answer_seconds=0)
    _, kept = await again.reviews.find(await again.find(shared.header.id), "", "elsewhere")
    assert kept == found[0][1]
    assert not taken
    await again.close()


@pytest.mark.anyio
async def test_what_a_server_had_thought_before_it_stopped_is_not_thought_again(store, quick, monkeypatch):
    monkeypatch.setattr("mozaika.table.reviews.SECONDS_BETWEEN_KEEPS", 0)
    hall, shared = await brought(store)
    taken = []
    monkeypatch.setattr("mozaika.table.thinkers.take_far", lambda step: taken.append(step) or take_far(step))
    async with asyncio.timeout(60):
        while len(taken) < 5:
            await hall.reviews.find(shared, "", "here")
            await asyncio.sleep(0.05)
    await hall.close()
    known = msgspec.json.decode((await store.review(shared.header.id)).text, type=mozaika.Review)
    assert 0 < known.done < known.steps
    taken.clear()
    again = Hall(store, answer_seconds=0)
    _, review = await whole(again, await again.find(shared.header.id))
    assert len(taken) <= review.steps - known.done
    await again.close()


@pytest.mark.anyio
async def test_the_same_record_is_the_same_table_for_everybody_and_nobody_plays_there(store):
    hall, shared = await brought(store)
    record = record_for(shared, "x")
    again = Record.read(record.write())
    assert (await keep_told(store, *read_told(again.write(), "de"), "bartek")) == shared.header.id
    assert [await store.is_admitted(guest, shared.header.id) for guest in ("ania", "bartek", "x")] == [
        1,
        1,
        0,
    ]
    assert (record.draws, list(record.entries)) == ("told", list(shared.table.entries))
    assert not shared.header.counts
    assert shared.due() is None
    assert not shared.bots_to_move()
    other = replace(again, names=("Zoe",))
    assert read_told(other.write(), "en")[0].id != shared.header.id
    with pytest.raises(BadWish):
        read_told(replace(again, entries=[]).write(), "en")
    await hall.close()
