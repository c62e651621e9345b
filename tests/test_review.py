"""Reviews: what each decision was worth, how lucky each draw was; and what makes the numbers true.

About 6 s of CPU: parts of games, few nodes.
"""

import asyncio
import re
import sys
import threading
from dataclasses import replace
from itertools import product
from random import Random
from xml.etree import ElementTree

import msgspec
import numpy as np
import pytest
from litestar.testing import TestClient

import mozaika
from mozaika import Budget, Record, Table
from mozaika.cli.reviewing import _print_review
from mozaika.games import GAMES
from mozaika.kernel import new_random, warm
from mozaika.lab.calibrate import (
    LEAST_LUCKY,
    MOST_SHARP,
    TARGET,
    Found,
    Marked,
    Plan,
    calibrate,
    doubt_of,
    measure_ahead,
    measure_level,
    sharpness_for,
    slope_of,
    weigh_luck,
    weigh_marks,
)
from mozaika.lab.measuring import Looked, Lost, Lucky, Meter, Planted, Planting, Players
from mozaika.reviewing import Possible, Reviewer
from mozaika.reviewing.calibration import Calibration, LevelLoss, Like, Opinion
from mozaika.reviewing.graph import draw_graph
from mozaika.reviewing.judge import CLOSER, Judge
from mozaika.reviewing.numbers import MEANINGS, list_sheets, tell_like
from mozaika.reviewing.page import write_page
from mozaika.reviewing.steps import GLANCES, Going, Step, run, take_far, take_step
from mozaika.reviewing.tell import tell_decision, tell_draws, tell_every_draw, tell_judge, tell_turning_points
from mozaika.reviewing.weighing import MARKS, mark_loss, weigh
from mozaika.server.app import build_app
from mozaika.state import CHANCE
from mozaika.store.sqlite import SqliteStore
from mozaika.table.hall import Hall
from mozaika.table.levels import name_bot
from mozaika.table.refusals import BadWish, NotNow
from mozaika.table.secrets import record_for
from mozaika.table.told import keep_told, read_told
from mozaika.thought import LEVELS, Thought
from mozaika.words import LANGUAGES
from server_process import once
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


class Says(Judge):
    """A judge of whom it is known how much better it finds its own move than any other, at first and when it
    looks closer, and how much that wavers.
    """

    name, nodes, calibration = "somebody", 1, Calibration(2)

    def __init__(self, leads, noise=0.001, own=0):
        self.leads, self.noise, self.own, self.asked = leads, noise, own, []
        if len(leads) > 1:
            self.closer = Says(leads[1:], noise, own)

    def think(self, state, seat):
        return Thought(self.own)

    def compare(self, state, seat, moves, ply, attempts=None):
        self.asked.append(moves)
        errors = self.noise * (np.arange(attempts or 8) % 2 - 0.5)
        found = np.zeros((len(moves), attempts or 8, 2, 2))
        found[1:, :, 0, seat] -= self.leads[0] + errors
        found[1:, :, 0, 1 - seat] += self.leads[0] + errors
        return found


@pytest.mark.parametrize(
    ("leads", "noise", "mark", "loss"),
    [
        ((0.2, 0.18), 0.001, "blunder", 0.18),  # both looks agree; the second says how much
        ((0.2, 0.01), 0.001, "", 0.01),  # it stood out by chance
        ((0.2, 0.05), 0.2, "", 0.05),  # nobody can be sure
        ((0.2, -0.1), 0.001, "", -0.1),
        ((-0.2, 0.01), 0.001, "", 0.01),  # a gain is looked at again just the same
        ((0.02,), 0.001, "", 0.02),  # too little to be marked: one look
        ((-0.02,), 0.001, "", -0.02),
    ],
)
def test_what_would_be_marked_is_looked_at_once_more_closer(leads, noise, mark, loss):
    judge = Says(leads, noise)
    found = weigh(judge, Table("azul", 2).state, 0, [0, 5], 3)
    assert (found[0].loss, found[0].error, found[0].mark) == (0, 0, "")
    assert found[5].mark == mark
    assert found[5].loss == pytest.approx(loss)
    assert found[5].effect[0] == pytest.approx([-loss, loss])
    if len(leads) > 1:
        assert judge.closer.asked == [[0, 5]]


def test_what_a_deeper_search_could_find_otherwise_is_not_marked():
    judge = Says((0.2, 0.18))
    judge.closer.calibration = Calibration(2, doubt=0.1)
    weighed = weigh(judge, Table("azul", 2).state, 0, [5], 3)[5]
    assert (weighed.mark, weighed.loss) == ("", pytest.approx(0.18))
    assert weighed.error == pytest.approx(0.1, abs=1e-4)


def test_nothing_is_wrong_with_a_move_that_the_judge_would_play_after_a_closer_look():
    judge = Says((0.2, 0.2))
    judge.closer.own = 5
    assert weigh(judge, Table("azul", 2).state, 0, [5], 3)[5].loss == 0


def test_a_closer_look_has_more_nodes_and_random_numbers_of_its_own(azul):
    judge, state = Judge(azul.game, Calibration(2, nodes=80, look=8)), list(azul.states())[24]
    assert (judge.closer.nodes, judge.closer.nodes_of_a_look) == (CLOSER * 80, CLOSER * 8)
    seat, judge.closer.nodes_of_a_look = azul.entries[24].seat, judge.nodes_of_a_look
    moves = azul.game.legal_moves(state, seat)[:2]
    first, second = (each.compare(state, seat, moves, 24) for each in (judge, judge.closer))
    assert (first != second).any()
    assert (second == judge.deeper(1).compare(state, seat, moves, 24)).all()


def test_what_turned_out_better_than_the_judges_own_move_counts_as_a_gain(azul):
    reviewer = Reviewer(begun(azul), NODES)
    first, second = [ply for ply in reviewer.turns if azul.entries[ply].seat == 0][:2]
    for ply, lead in ((first, -0.1), (second, 0.2)):
        moves = azul.game.legal_moves(reviewer.states[ply], 0)
        reviewer.decider = Says((lead, lead), own=moves[moves[0] == azul.entries[ply].move])
        reviewer.decisions[ply] = reviewer.decide(ply)[1]
    gain, mistake = reviewer.decisions[first], reviewer.decisions[second]
    assert (gain.loss, gain.error, gain.mark, gain.accuracy, gain.best) == (0, 0, "", 100, gain.move)
    assert gain.effect == pytest.approx((0.1, -0.1))
    assert mistake.mark == MARKS[0][0]
    player, other = reviewer.result(2, 9).players
    assert player.loss == pytest.approx(0.05)
    assert (player.own, other.others) == pytest.approx((-0.1, 0.1))


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


def test_what_a_step_cannot_have_found_is_not_believed(azul):
    """A worker may be broken or lie, and a review is kept: one nonsense in it would spoil it for ever."""
    going = Going(Reviewer(begun(azul), NODES))
    taken = {step.kind: (step, take_step(step, going.reviewer)) for step in reversed(going.left)}
    assert all(going.believes(*each) for each in taken.values())
    step, part = taken["decision"]
    (value,), (decision,) = part.values, part.decisions
    change = msgspec.structs.replace
    wrong = [
        *(change(decision, best=best) for best in ("nonsense", "", decision.move + "x", "chance")),
        *(change(decision, line=line) for line in (((9, decision.best),), ((1, "nonsense"),))),
        *(change(decision, **{name: 3}) for name in ("ply", "seat")),
        change(decision, move="nonsense"),
        change(decision, effect=()),
    ]
    lies = [change(part, decisions=(each,)) for each in wrong]
    lies += [change(part, values=(change(value, shares=shares),)) for shares in ((), (0.0,) * 9)]
    assert not any(going.believes(step, each) for each in lies)
    step, part = taken["glance"]
    assert not going.believes(step, change(part, values=part.values[:1] * len(part.values)))
    step, part = taken["draw"]
    assert not going.believes(step, change(part, draws=(change(part.draws[0], luck=()),)))


def test_hindsight_that_cannot_be_said_is_not_believed():
    record = played("fits", 1, ("random",), 1_000)
    going = Going(Reviewer(record, NODES))
    step = going.left[-1]
    part = take_step(step, going.reviewer)
    assert going.believes(step, part)
    possible, change = part.hindsight[0], msgspec.structs.replace
    for wrong in (change(possible, sentence="{who} {knows}"), change(possible, made=())):
        assert not going.believes(step, change(part, hindsight=(wrong,)))


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
        numbers = re.findall(r"\d([.,])\d", re.sub(r"<style>[^<]*</style>|<[^>]*>", " ", page))
        assert set(numbers) == {"." if lang == "en" else ","}
        assert not re.search(r"<p>(?:(?!</p>).)*<details", page), "which would end the paragraph"
    every, page = [each for each in reviewed.decisions if each.choices > 1], write_page(azul, reviewed, "en")
    for title, name in {
        "What decided the game": "decisive",
        "Decisions to look at again": "decision",
    }.items():
        assert f"<h2>{title}</h2>&nbsp;<span>?</span></summary><p>{MEANINGS[name]}</p>" in page
    told = page.partition(f"All decisions with a choice: {len(every)}<")[2]
    assert told.partition("</table>")[0].count("<tr>") == 1 + len(every)
    graph = ElementTree.fromstring(draw_graph(reviewed, azul.game.words("pl")))
    marked = {decision.ply for decision in reviewed.decisions if decision.mark}
    assert {int(each.get("data-ply")) for each in graph.iter() if each.get("data-ply")} == marked


def test_levels_are_called_in_a_review_as_at_the_table_in_every_language(azul, reviewed):
    player = reviewed.players[0]
    for lang, level in product(LANGUAGES, LEVELS):
        words = azul.game.words(lang)
        told = tell_like(msgspec.structs.replace(player, like=Like(1500, 1400, 1600, level)), words)
        assert told.startswith(f"{name_bot(level, words)}: 1500")
        judged = tell_judge(msgspec.structs.replace(reviewed, judge=level), words)
        assert name_bot(level, words) in judged


@pytest.mark.filterwarnings("ignore::litestar.exceptions.base_exceptions.LitestarDeprecationWarning")
def test_bots_are_called_in_a_review_as_on_the_board_beside_it(azul, reviewed, tmp_path, monkeypatch):
    async def find(*_):
        return azul, reviewed

    monkeypatch.setattr("mozaika.table.reviews.Reviews.find", find)
    with TestClient(build_app(lambda: SqliteStore(tmp_path / "games.db"))) as client:
        wish = {"game": "azul", "seats": [{"kind": "bot", "bot": "greedy"}, {"kind": "me", "name": "Ania"}]}
        table = client.post("/api/games", json=wish, headers=once()).json()["id"]
        seen = client.get(f"/api/games/{table}/review?lang=de")
    assert seen.json()["names"] == ["Nimmersatt", "Ania"]
    assert "Nimmersatt: nimmt" in seen.text
    assert "Nimmersatt</text>" in seen.json()["graph"]
    assert "Bo:" not in seen.text


def test_the_terminal_tells_the_course_the_draws_and_what_would_have_been_possible(azul, reviewed, capsys):
    draw = msgspec.structs.replace(reviewed.draws[0], luck=(0.2, -0.2), error=0.01)
    part = Possible("Round {round}", {"round": 1}, (7, 9), (11, 12))
    review = msgspec.structs.replace(reviewed, draws=(draw,), hindsight=(part,))
    _print_review(azul, review, azul.game.words("en"))
    told = capsys.readouterr().out
    assert "The course of the game" in told
    assert "20% of the victory more than usual." in told.partition("What was drawn")[2]
    assert "7 of 11" in told.partition("What would have been possible")[2]


def test_what_came_up_is_said_where_the_game_tells_it_in_a_sentence(azul, reviewed):
    cards = played("fits", 2, ("greedy",), 12)
    words, entries = cards.game.words("en"), cards.entries
    ply = max(at for at, entry in enumerate(entries) if entry.seat == CHANCE)
    draw = msgspec.structs.replace(reviewed.draws[0], ply=ply, until=ply + 1, luck=(-0.2, 0.2), error=0.01)
    (told,) = tell_draws(cards, msgspec.structs.replace(reviewed, draws=(draw,)), words)
    assert re.match(r"The card shows \w+\. What was drawn was \w+ for ", told.text)
    draw = msgspec.structs.replace(reviewed.draws[0], luck=(-0.2, 0.2), error=0.01)  # many tiles at once
    (told,) = tell_draws(azul, msgspec.structs.replace(reviewed, draws=(draw,)), words)
    assert told.text.startswith("What was drawn")
    draw = msgspec.structs.replace(draw, ply=0, until=2)  # a start card for everybody
    (told,) = tell_draws(cards, msgspec.structs.replace(reviewed, draws=(draw,)), words)
    each = r"gets the start card \w+\."
    assert re.match(rf"Round 1 is played on board 1\. Ania: {each} <b>Bo: {each} What was", told.text)


def test_every_draw_has_its_luck_and_how_unsure_that_is(azul, reviewed):
    draws = [
        msgspec.structs.replace(each, luck=(-0.004, 0.004), error=0.013) for each in reviewed.draws
    ]  # too small for a sentence
    review = msgspec.structs.replace(reviewed, draws=tuple(draws))
    assert not tell_draws(azul, review, azul.game.words("en"))
    told = tell_every_draw(azul, review, azul.game.words("en"))
    assert [each.ply for each in told] == [each.until for each in draws]
    assert all(each.text.endswith("Ania: −0.4%, <b>Bo: +0.4% (± 1.3%)") for each in told)
    page = write_page(azul, review, "en")
    assert page.partition(f"All draws: {len(draws)}<")[2].count("(± 1.3%)") == len(draws)


def test_at_most_three_moments_are_said_to_have_decided_a_game(azul, reviewed):
    told = tell_turning_points(azul, reviewed, azul.game.words("de"))
    assert 1 <= len(told) <= 3
    assert [each.ply for each in told] == sorted(each.ply for each in told)


@pytest.mark.parametrize(
    ("points", "told"),
    [
        (2.64, "(20% of the victory, 2.6 points more)"),
        (-0.24, "(20% of the victory more, 0.2 points fewer)"),
        (0.04, "(20% of the victory more)"),
    ],
)
def test_what_wins_more_often_may_bring_fewer_points(azul, reviewed, points, told):
    ply, first = reviewed.decisions[0].ply, reviewed.decisions[0]
    state = list(azul.states())[ply]
    moves = map(azul.game.write_move, azul.game.legal_moves(state, first.seat - 1))
    best = next(move for move in moves if move != first.move)
    decision = msgspec.structs.replace(first, best=best, loss=0.2, loss_points=points)
    assert told in tell_decision(azul, state, decision, reviewed, azul.game.words("en"))


def test_two_moves_that_are_told_alike_are_told_apart(azul, reviewed, monkeypatch):
    monkeypatch.setattr("mozaika.reviewing.tell.tell_move", lambda *_: "lays a piece.")
    decision = msgspec.structs.replace(reviewed.decisions[0], move="P r0 >A", best="P r1 >A", loss=0.2)
    said = tell_decision(azul, next(azul.states()), decision, reviewed, azul.game.words("en"))
    assert "lays a piece. (P r0 >A) Better: lays a piece. (P r1 >A)" in said


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
    assert sharpness_for([0.0, -0.1, 1e-5]) == MOST_SHARP, "who loses nothing says nothing about it"


def test_a_total_of_the_luck_is_told_only_where_it_explains_games_that_its_weight_does_not_come_from():
    random = np.random.default_rng(3)
    luck = random.normal(0, 0.2, LEAST_LUCKY)
    won = np.clip(0.5 + luck + random.normal(0, 0.1, LEAST_LUCKY), 0, 1)

    def weigh(results, *, games=LEAST_LUCKY):
        found = Found(Calibration(2))
        rows = [Lucky(result, ((9, each),)) for result, each in zip(results, luck, strict=True)]
        weigh_luck(found, rows[:games])
        return found

    explained = weigh(won)
    assert explained.calibration.luck_counts
    assert explained.spread_low < explained.spread < explained.spread_high < 0.8
    assert not weigh(won, games=LEAST_LUCKY - 2).calibration.luck_counts
    assert not weigh(random.permutation(won)).calibration.luck_counts
    other_way = np.where(np.arange(LEAST_LUCKY) % 2, won, 1 - won)  # each half says the opposite of the other
    assert weigh(other_way).spread > 1.2


def test_of_the_luck_as_much_is_told_as_shows_in_results(azul):
    calibration = Calibration(2, nodes=40, look=4, redraws=2)
    whole, half = (
        Reviewer(begun(azul), calibration=msgspec.structs.replace(calibration, luck=part))
        for part in (1.0, 0.5)
    )
    whole.draws = half.draws = {0: whole.judge_draw(*whole.drawn[0])}
    for one, other in zip(whole.result(1, 2).players, half.result(1, 2).players, strict=True):
        assert other.luck == pytest.approx(one.luck / 2)
        assert other.luck_error == pytest.approx(one.luck_error / 2)
        assert other.luck + other.rest == pytest.approx(one.luck + one.rest)


def test_an_accuracy_that_nobody_has_measured_says_so(azul):
    three = played("azul", 3, ("beginner",), 30)
    for record, measured in ((begun(azul), True), (three, False)):
        review = Going(Reviewer(record)).result()
        accuracy = list_sheets(review, azul.game.words("en"))[0].rows[0]
        assert bool(review.asked) is measured
        assert ("nobody has measured" in accuracy.meaning) is not measured


def test_who_somebody_plays_like_is_as_unsure_as_everything_it_comes_from(azul):
    known = {each.bot: each for each in azul.game.ratings().bots}
    losses = {"beginner": 0.06, "casual": 0.04, "club": 0.02, "expert": 0.01, "champion": -0.001}

    def like(width, loss, low, high):
        levels = [LevelLoss(bot, 99, each, each - width, each + width) for bot, each in losses.items()]
        return Calibration(2, levels=tuple(levels)).like(loss, low, high, azul.game)

    sure = like(0.0, 0.02, 0.02, 0.02)
    assert (sure.bot, sure.rating) == ("club", known["club"].rating)
    assert (sure.low, sure.high) == (known["club"].low, known["club"].high)
    unsure = like(0.005, 0.02, 0.01, 0.03)
    assert unsure.rating == sure.rating
    assert unsure.low < sure.low < sure.high < unsure.high
    assert like(0.005, -0.01, -0.02, 0.0).bot == "champion"
    losses |= {"beginner": 0.04, "casual": 0.06}  # the wrong way round: it can be either
    either = like(0.0, 0.05, 0.05, 0.05)
    assert (either.low, either.high) == (known["beginner"].low, known["casual"].high)
    assert known["beginner"].rating < either.rating < known["casual"].rating


def test_a_planted_move_is_marked_as_a_review_would_mark_it_and_doubt_comes_from_other_games():
    found = Found(Calibration(2))
    sure, unsure = Planted(0.1, 0.01, 0.1), Planted(0.1, 0.01, 0.0)  # as true as it seems, and not at all
    bad, waver = Planted(0.2, 0.02, 0.3), Planted(0.2, 0.15, 0.3)
    nothing, slight = Planted(0.01, 0.001, 0.0), Planted(0.05, 0.01, 0.01)
    weigh_marks(found, [Planting((bad, waver, sure)), Planting((nothing, slight))])
    assert (found.bad, found.good) == (Marked(2, 1), Marked(2, 1))
    assert found.calibration.doubt == pytest.approx(0.04 / 2**0.5, abs=1e-4), "of what is less than a blunder"
    weigh_marks(found, [Planting((bad, waver, unsure)), Planting((nothing, slight))])
    assert (found.bad, found.good) == (Marked(2, 1), Marked(3, 1))
    assert found.calibration.doubt == pytest.approx((0.0116 / 2) ** 0.5, abs=1e-4)


def test_doubt_is_so_large_that_of_good_moves_hardly_any_are_marked():
    sure = [Planted(0.1, 0.0, 0.1)] * 40
    good = [Planted(0.0, 0.0, 0.0)] * 97 + [Planted(loss, 0.0, 0.0) for loss in (0.04, 0.08, 0.09, 0.12)]
    doubt = doubt_of([*sure, *good], alone=False)
    assert doubt == pytest.approx(0.08 / 2), "of 101 and one more 3 may be: 2 of these"
    assert sum(bool(mark_loss(move.loss, doubt, alone=False)) for move in good) == 2
    few = [*sure, *good[70:]]
    assert doubt_of(few, alone=False) < doubt, "31 are too few to tell"


def test_a_judge_that_is_calibrated_can_be_measured_further_and_what_was_measured_is_kept(
    tmp_path, monkeypatch
):
    game, players = GAMES["azul"], Players("greedy", 1, {"club": 2, "expert": 4, "champion": 20})
    plain = Calibration(2, nodes=40, look=4, slopes=(0.5,) * 4, games=70, sharpness=3.0)
    plan = Plan(games=0, luck_games=0, level_games=1, planted_games=1, players=players)
    *_, (_, _, _, found) = calibrate(game, plain, plan, tmp_path)
    assert found.calibration == plain, "one game says nothing about levels"
    assert {path.name for path in tmp_path.iterdir()} == {"azul-2-levels.jsonl", "azul-2-planted.jsonl"}
    for measure in ("lose", "plant"):
        monkeypatch.setattr(Meter, measure, None)
    other = msgspec.structs.replace(
        plain, sharpness=5.0, games=80
    )  # what comes out of rows does not change them
    *_, (_, _, _, again) = calibrate(game, other, plan, tmp_path)
    assert (again.bad, again.good) == (found.bad, found.good)


def test_who_looks_as_the_judge_does_needs_no_correction_of_their_own(monkeypatch):
    rows = [Looked(40, (1.0, 0.0), ((5, (0.6, 0.4)), (35, (0.9, 0.1)))) for _ in range(8)]
    monkeypatch.setattr(Meter, "look", lambda _, number: rows[number])
    plan = Plan(games=4, decider_games=4, luck_games=0, level_games=0, planted_games=0)
    for look, looks in ((4, 0), (6, 2)):
        plain = Calibration(2, nodes=40, look=4, decider=Opinion("expert", 80, look))
        *_, (_, _, _, found) = calibrate(GAMES["azul"], plain, plan)
        assert found.calibration.decider.slopes == found.calibration.slopes
        assert len(found.decider_fits) == looks


def test_levels_are_compared_at_the_same_moments():
    hard, easy = {"club": (0.3, 0.5), "casual": (0.32, 0.5)}, {"club": (0.0, 0.02), "casual": (0.03, 0.01)}
    rows = [Lost(hard), Lost(easy), Lost(hard), Lost({"club": (0.9,)})]
    ahead = measure_ahead(rows, "casual", "club")
    assert (ahead.bot, ahead.games) == ("casual", 3)
    assert ahead.low == ahead.loss == ahead.high == pytest.approx(0.01), "each game is as hard for both"


def test_a_level_that_plays_better_than_the_judge_has_a_mean_below_zero():
    rows = [Lost({"club": (0.1, -0.3)}), Lost({"club": (0.0, -0.1)}), Lost({"club": (-0.2, 0.0)})]
    level = measure_level(rows, "club")
    assert level.low < level.loss < 0
    assert level.loss == pytest.approx(-0.0833, abs=1e-4)


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
    monkeypatch.setattr("mozaika.table.jobs.take_far", taken.append)
    again = Hall(store, answer_seconds=0)
    _, kept = await again.reviews.find(await again.find(shared.header.id), "", "elsewhere")
    assert kept == found[0][1]
    assert not taken
    await again.close()


@pytest.mark.anyio
async def test_what_a_server_had_thought_before_it_stopped_is_not_thought_again(store, quick, monkeypatch):
    monkeypatch.setattr("mozaika.table.reviews.SECONDS_BETWEEN_KEEPS", 0)
    hall, shared = await brought(store)
    taken, stopped = [], threading.Event()

    def take(step):
        taken.append(step)
        if len(taken) > 5:
            stopped.wait(60)
        return take_far(step)

    monkeypatch.setattr("mozaika.table.jobs.take_far", take)
    async with asyncio.timeout(60):
        while len(taken) <= 5 or await store.review(shared.header.id) is None:
            await hall.reviews.find(shared, "", "here")
            await asyncio.sleep(0.05)
    await hall.close()
    stopped.set()
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
