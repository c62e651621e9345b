"""What bots see and find: a plan is the rules once more, for one ramp."""

from dataclasses import replace
from math import inf
from random import Random

import numpy as np
import pytest

from mozaika import kernel
from mozaika.games.fits import GAME, appraisal, bot, rules
from mozaika.games.fits.layout import lay_out
from mozaika.games.fits.notation import parse_move, write_move
from mozaika.games.fits.pieces import COLUMNS, MOST_MOVES, NAMES
from mozaika.games.fits.rules import piece_of
from mozaika.games.fits.tests.boards import play_out
from mozaika.games.fits.tests.witnesses import EXAMPLES, PERFECT
from mozaika.games.fits.walks import walk
from mozaika.lab.simulate import play_game
from mozaika.record import Record
from mozaika.state import CHANCE
from mozaika.table import Table
from mozaika.thought import LEVELS, Budget

OWN = ".....9/....../..a.../....../.-3..../....0./....../a...../....../...b../....../b....-9"


@pytest.mark.parametrize("boards", ["1", "2", "3", "4", "A"])
def test_a_plan_lands_and_scores_as_the_rules_do(boards):
    own = {"own": OWN} if boards == "A" else {}
    at, random = Table("fits", 2, seed=3, boards=boards, **own), Random(3)
    while not at.is_over:
        seat = random.choice(at.movers)
        plan = appraisal.new_plan(at.state, seat, 0)
        move = random.choice(at.legal_moves(seat))
        number = parse_move(move)
        if move != "aside":
            way, column = divmod(number, COLUMNS)
            assert appraisal.land(plan, way, column) == rules.landing(at.state, seat, way, column)
        appraisal.settle(plan, number)
        after = at.state.copy()
        rules.apply(after, seat, number)
        if after["round"] == at.state["round"]:
            assert (plan["trial"]["heights"] == after["heights"][seat]).all()
            assert (plan["trial"]["columns"] == after["columns"][seat]).all()
        at.play(move, seat)
        rules.score_ramp(after, seat)
        assert appraisal.points_of(plan) == after["tally"][seat, 0].sum()


@pytest.mark.parametrize("boards", ["1", "2", "3", "4", "A"])
def test_the_points_of_a_ghost_are_the_points_it_brings(boards):
    """What a walk promises is how the round would change if it ended then."""
    own = {"own": OWN} if boards == "A" else {}
    at, random = Table("fits", 1, seed=8, boards=boards, **own), Random(8)
    layout = lay_out(1, 1, "wide")
    while not at.is_over:
        before = at.state.copy()
        rules.score_ramp(before, 0)
        for each in walk(at.state, 0, layout.ramps[0], at.words)[0]:
            after = at.state.copy()
            rules.apply(after, 0, parse_move(each.move))
            rules.score_ramp(after, 0)
            assert each.points == after["tally"][0, 0].sum() - before["tally"][0, 0].sum()
        at.play(random.choice(at.legal_moves()))


def test_a_piece_in_the_hand_can_be_brought_everywhere_by_keys():
    """From the first hold every placing is reached by shifting, turning and flipping."""
    for seed in range(6):
        at = Table("fits", 1, seed=seed, boards="1")
        for _ in range(seed * 2):
            at.play(at.ask("greedy"))
        scene = GAME.scene(at.state, 0, ("Ann",), at.words, "wide")
        walks = {each.move: each for each in scene.walks if each.hold}
        reached, todo = {scene.held}, [scene.held]
        while todo:
            for move in walks[todo.pop()].hold.near.values():
                if move not in reached:
                    reached.add(move)
                    todo.append(move)
        assert reached == set(walks)


def test_turning_goes_round_and_flipping_twice_comes_back():
    at = Table("fits", 1, draws="told")
    at.draw("start L5")
    scene = GAME.scene(at.state, 0, ("Ann",), at.words, "wide")
    near = {each.move: each.hold.near for each in scene.walks if each.hold}
    assert near["L5 r0 >C"]["turn"] == "L5 r1 >B"
    assert near["L5 r0 >C"]["flip"] == "L5 r0f >C"
    assert near["L5 r0f >C"]["flip"] == "L5 r0 >C"
    assert near["L5 r1 >B"]["flip"] == "L5 r3f >B", "mirrored as one sees it"
    assert "left" not in near["L5 r0 >A"]
    assert near["L5 r0 >A"]["right"] == "L5 r0 >B"
    assert scene.held == "L5 r0 >C"


def test_words_for_what_a_placing_does():
    at = Table("fits", 1, draws="told", boards="1")
    at.draw("start U5")
    scene = GAME.scene(at.state, 0, ("Ann",), at.words, "wide")
    texts = {each.move: each.hold.text for each in scene.walks if each.hold}
    assert texts["U5 r2 >A"] == "column A: lands on row 1, closes 1 square"
    assert texts["U5 r0 >A"] == "column A: lands on row 1"
    at = Table("fits", 1, draws="told", boards="3")
    at.draw("start U5")
    covering = GAME.scene(at.state, 0, ("Ann",), at.words, "wide")
    texts |= {each.move: each.hold.text for each in covering.walks if each.hold}
    assert texts["U5 r0 >A"] == "column A: lands on row 1, covers 1"
    polish = GAME.scene(at.state, 0, ("Ann",), GAME.words("pl"), "tall")
    said = {each.move: each.hold.text for each in polish.walks if each.hold}
    assert said["U5 r2 >A"] == "kolumna A: ląduje w rzędzie 1, zasłania: 1, odcina 1 pole"


def mean_of(level, nodes, games=5):
    """The mean of some short games."""
    options, budget = GAME.read_options({"boards": "14"}), Budget(nodes=nodes, milliseconds=60_000)
    played = [play_game(GAME, options, GAME.bots, [level], f"level {n}", budget) for n in range(games)]
    return np.mean([GAME.points(record.state())[0] for _, record in played])


def test_levels_are_stronger_one_after_the_other():
    """With little to think; the measured levels stand in the README."""
    kernel.warm(GAME)
    means = [mean_of(level, nodes) for level, nodes in zip(LEVELS, (1, 1, 200, 1_000, 1_000), strict=True)]
    assert mean_of("random", 1) + 25 < means[0]
    assert means[0] + 10 < means[1]
    assert means[1] + 2 < means[2]
    assert means[2] < min(means[3:]), "with so little time an expert and a champion are too near to compare"


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("nodes", [1, 7, 60, 500])
def test_a_level_keeps_its_budget_of_nodes_and_finds_the_same_again(level, nodes):
    kernel.warm(GAME)
    at, budget = Table("fits", 2, seed=4), Budget(nodes=nodes, milliseconds=60_000)
    for _ in range(8):
        thoughts = {GAME.bots[level](GAME, at.state, 0, kernel.new_random(9), budget) for _ in range(3)}
        [thought] = thoughts
        assert thought.move in GAME.legal_moves(at.state, 0)
        assert 0 < thought.nodes <= 1.2 * nodes
        at.play(write_move(thought.move), 0)
        while 0 not in at.movers:
            at.play(at.ask("greedy", 1), 1)


@pytest.mark.parametrize("level", ["expert", "champion"])
def test_a_level_that_is_late_has_looked_at_every_move_once(level):
    """And at the better half of them once more, as often as they are halved; then it answers."""
    kernel.warm(GAME)
    at = Table("fits", 1, seed=4)
    thought = GAME.bots[level](
        GAME, at.state, 0, kernel.new_random(9), Budget(nodes=50_000, milliseconds=0.001)
    )
    moves = len(at.legal_moves())
    assert moves <= thought.nodes < 5 * moves


@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_sees_only_what_the_game_lets_it_guess(level):
    kernel.warm(GAME)
    real, other = Table("fits", 1, seed=1, boards="1"), Table("fits", 1, seed=2, boards="4")
    assert piece_of(real.state, 0) != piece_of(other.state, 0)
    blind = replace(GAME, guess=lambda *_: other.state.copy())
    play, budget = GAME.bots[level], Budget(nodes=200, milliseconds=60_000)
    blindly = play(blind, real.state, 0, kernel.new_random(5), budget)
    assert blindly == play(GAME, other.state, 0, kernel.new_random(5), budget)


THINKERS = pytest.mark.parametrize("level", ["club", "expert", "champion"])


@THINKERS
def test_who_plays_alone_knows_what_to_expect(level):
    kernel.warm(GAME)
    at, budget = Table("fits", 1, seed=6, boards="21"), Budget(nodes=200, milliseconds=60_000)
    while not at.is_over:
        thought = GAME.bots[level](GAME, at.state, 0, kernel.new_random(5), budget)
        assert thought.shares == (1.0,)
        assert abs(thought.points[0] - sum(bot.PAR[:2])) < 15
        at.play(write_move(thought.move))
    assert thought.points == (at.scores[0],), "with the last card nothing is left to chance"


@THINKERS
def test_everybody_can_expect_points_and_a_share(level):
    """Ann places as an expert does and Ben nothing: she can be the surer of it the longer they play."""
    kernel.warm(GAME)
    at, budget = Table("fits", 2, seed=6, boards="2"), Budget(nodes=200, milliseconds=60_000)
    ahead, sure = [], []
    while not at.is_over:
        if 0 not in at.movers:
            at.play("aside", 1)
            continue
        thought = GAME.bots[level](GAME, at.state, 0, kernel.new_random(5), budget)
        assert sum(thought.shares) == pytest.approx(1)
        ahead.append(thought.points[0] - thought.points[1])
        sure.append(thought.shares[0])
        at.play(write_move(thought.move), 0)
    assert abs(ahead[0]) < 6
    assert sorted(sure[::5]) == sure[::5]
    assert sure[-1] > 0.999
    assert thought.points[1] < at.scores[0]


def test_boards_of_ones_own_are_expected_to_be_like_others():
    at, budget = Table("fits", 1, seed=6, boards="1A", own=OWN), Budget(nodes=50, milliseconds=60_000)
    alone = Table("fits", 1, seed=6, boards="1")
    two, one = (GAME.bots["club"](GAME, each.state, 0, kernel.new_random(5), budget) for each in (at, alone))
    assert two.points[0] == pytest.approx(one.points[0] + np.mean(bot.PAR))


def test_a_tree_tries_most_often_what_does_best():
    """Compiled and plain code grow the same tree."""
    at = Table("fits", 1, seed=7, boards="1")
    while int(at.state["left"]).bit_count() > 3:
        at.play(at.ask("greedy"))
    trees = []
    for try_moves in (bot.try_moves, kernel.compiled(bot.try_moves)):
        explorer = bot.Explorer(at.state, 0, 3, 100)
        moves = explorer.rank_moves(piece_of(at.state, 0))[:2]
        explorer.begin(len(moves))
        assert explorer.play(40, try_moves, moves, inf) == 40
        trees.append(explorer)
    assert trees[0].nodes.tobytes() == trees[1].nodes.tobytes()
    assert (trees[0].sums == trees[1].sums).all()
    grown = trees[1].nodes[1 : 1 + trees[1].nodes[0]["visits"]]
    assert len(grown) > 6
    assert (grown["visits"] == grown["tries"].sum(axis=1)).all()
    first = grown[grown["visits"].argmax()]
    tried = first["tries"] > 0
    means = first["sums"][tried] / first["tries"][tried]
    assert means[first["tries"][tried].argmax()] == means.max()
    full = bot.Explorer(at.state, 0, 3, 0)
    full.begin(len(moves))
    full.play(2, bot.try_moves, moves, inf)
    assert full.nodes[0]["visits"] == 0, "without room nothing grows"


def test_a_bot_with_one_move_makes_it():
    example = EXAMPLES[1]
    at = play_out(example.drawn, example.order, boards="21")
    at.draw("start L5")
    at.play("aside")
    for name, play in GAME.bots.items():
        at.draw("card X5")
        at.state["heights"][0] = 12
        move = play(GAME, at.state, 0, kernel.new_random(1), Budget(nodes=10)).move
        assert write_move(move) == "aside", name
        at.undo()


@pytest.mark.parametrize("witness", [*EXAMPLES, *PERFECT], ids=lambda witness: witness.name)
def test_hindsight_finds_at_least_what_was_made(witness):
    at = play_out(witness.drawn, witness.order, boards=str(witness.board))
    [part] = bot.hindsight(at.record().start(), at.entries)
    assert part.name(at.words) == f"round 1, board {witness.board}"
    assert part.made == [witness.total]
    assert part.possible[0] >= witness.total


def test_hindsight_looks_at_every_seat_and_every_round():
    at = Table("fits", 2, seed=1, boards="31")
    while not at.is_over:
        seat = at.movers[0]
        at.play(at.ask("greedy", seat), seat)
    parts = bot.hindsight(at.record().start(), at.entries)
    assert [part.name(GAME.words("de")) for part in parts] == ["Runde 1, Tafel 3", "Runde 2, Tafel 1"]
    assert [sum(part.made[seat] for part in parts) for seat in range(2)] == at.scores
    assert all(best >= made for part in parts for made, best in zip(part.made, part.possible, strict=True))
    assert sum(part.possible[0] for part in parts) > at.scores[0]
    unfinished = Table.from_record(Record.read(at.record().write()), 20, drawing=False)
    assert bot.hindsight(unfinished.record().start(), unfinished.entries) == []


def test_a_wider_beam_knows_the_cards():
    """Compiled and plain code find the same."""
    at = Table("fits", 1, draws="told", boards="2")
    at.draw("start L5")
    order = [piece for piece in range(len(NAMES)) if NAMES[piece] != "L5"]
    narrow = bot.best_points(at.state, 0, order, 3)
    assert narrow <= bot.best_points(at.state, 0, order, 300)
    ramps, children = np.zeros(2, bot.RAMP), np.zeros(2 * MOST_MOVES, bot.RAMP)
    plan = appraisal.new_plan(at.state, 0, 0)
    twins = [children.copy(), children.copy()]
    for spread, found in zip((bot.spread, kernel.compiled(bot.spread)), twins, strict=True):
        assert spread(plan, ramps[:1], 1, found) == 33
    assert twins[0].tobytes() == twins[1].tobytes()


def test_chance_is_no_seat_for_a_bot():
    at = Table("fits", 1, draws="told")
    assert at.movers == [CHANCE]
    with pytest.raises(ValueError, match="something has to be drawn"):
        at.ask("expert")
