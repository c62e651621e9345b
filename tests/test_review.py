"""Reviews: what each decision was worth, how lucky each draw was; and what makes the numbers true.

About 6 s of CPU: parts of games, few nodes.
"""

import asyncio
import re
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
from mozaika.reviewing.tell import tell_turning_points
from mozaika.state import CHANCE
from mozaika.table.hall import Hall
from mozaika.table.refusals import NotNow
from mozaika.words import LANGUAGES
from tables import ANIA, finish, seated

NODES = 120


def played(game, seats, bots, plies):
    """The beginning of a game between bots, or all of it."""
    warm(GAMES[game])
    table = Table(game, seats, seed="a review", names=("Ania", "<b>Bo", "Cy", "Di")[:seats])
    while not table.is_over and table.ply < plies:
        seat = table.movers[0]
        table.play(table.ask(bots[seat % len(bots)], seat, Budget(NODES, 60_000)), seat)
    return table.record(reveal=True)


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
    begun = replace(azul, entries=azul.entries[:26], seed="", commitment="", draws="told")
    first = mozaika.review(begun, NODES)
    assert first == mozaika.review(Record.read(begun.write()), NODES)
    assert not first.over
    assert msgspec.json.decode(msgspec.json.encode(first), type=mozaika.Review) == first


def test_a_review_can_be_looked_at_before_it_is_whole(azul):
    reviewer = Reviewer(replace(azul, entries=azul.entries[:26], seed="", commitment="", draws="told"), NODES)
    turns = sum(entry.seat != CHANCE for entry in reviewer.record.entries)
    known = [reviewer.result() for _ in reviewer.run()]
    assert [len(each.curve) for each in known[: turns + 1]] == [*range(1, turns + 1), turns]
    assert [each.done for each in known] == [*range(1, reviewer.steps + 1)]


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
    odds = random.normal(0, 1, 20_000)
    won = (random.random(20_000) < 1 / (1 + np.exp(-odds))).astype(float)
    assert slope_of(1 / (1 + np.exp(-2 * odds)), won) == pytest.approx(0.5, abs=0.02)


def test_accuracy_falls_so_that_the_losses_of_a_strong_bot_come_to_the_target():
    losses = [0.0, 0.001, 0.02, 0.0, 0.05]
    calibration = Calibration(2, sharpness=sharpness_for(losses))
    assert np.mean([calibration.accuracy(loss) for loss in losses]) == pytest.approx(TARGET, abs=0.1)


@pytest.mark.anyio
async def test_a_finished_game_is_reviewed_once_for_everybody_and_one_that_goes_on_is_not(store):
    warm(GAMES["fits"])
    hall = Hall(store, answer_seconds=0)
    shared = hall.take_in(await seated(store, ANIA, game="fits"))
    with pytest.raises(NotNow):
        await hall.reviews.find(shared, ANIA.guest, "here")
    await finish(shared)
    found = await asyncio.gather(
        *(hall.reviews.find(shared, guest, "here") for guest in (ANIA.guest, "", "x"))
    )
    assert len({id(record) for record, _ in found}) == 1
    while True:
        _, review = await hall.reviews.find(shared, "", "there")
        if review is not None and review.done:
            break
    assert 0 < review.done <= review.steps
    await hall.close()
