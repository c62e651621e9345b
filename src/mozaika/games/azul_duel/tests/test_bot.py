"""What the bots of Azul Duel see and how well they play."""

from itertools import pairwise
from random import Random

import numpy as np
import pytest

from mozaika import kernel
from mozaika.games.azul_duel import GAME, appraisal
from mozaika.games.azul_duel.pieces import KIND
from mozaika.state import State
from mozaika.table import Table
from mozaika.thought import LEVELS, Budget

FEW = Budget(nodes=60, milliseconds=60_000)


@pytest.fixture(scope="module", autouse=True)
def _compiled():
    kernel.warm(GAME)


def play_on(at: Table, random: Random, moves: int) -> None:
    for _ in range(moves):
        if at.is_over:
            return
        seat = random.choice(at.movers)
        at.play(random.choice(at.legal_moves(seat)), seat)


def positions(seed: int) -> list[State]:
    """Positions of a game by random moves, one of every phase and more."""
    at, random = Table("azul_duel", 2, seed=seed), Random(seed)
    found = []
    while not at.is_over:
        found.append(at.state.copy())
        play_on(at, random, 1)
    return [*found, at.state.copy()]


def test_every_level_plays():
    assert [name for name in GAME.bots if name in LEVELS] == list(LEVELS)


@pytest.mark.parametrize("level", LEVELS)
def test_levels_play_legal_moves_and_the_same_ones_again(level):
    """The time that a level takes is not limited here, only its nodes."""
    at, random = Table("azul_duel", 2, seed=5), Random(5)
    while not at.is_over:
        seat = at.movers[0]
        view = GAME.hide(at.state, seat)
        thoughts = [GAME.bots[level](GAME, view, seat, kernel.new_random(3), FEW) for _ in range(2)]
        assert thoughts[0] == thoughts[1]
        assert thoughts[0].move in GAME.legal_moves(at.state, seat)
        play_on(at, random, 5)


@pytest.mark.parametrize("seed", range(3))
def test_an_appraisal_divides_one_victory(seed):
    appraise = kernel.compiled(appraisal.appraise)
    for state in positions(seed):
        shares, points = np.zeros(4), np.zeros(4)
        appraise(state, shares, points)
        assert shares[:2].sum() == pytest.approx(1)
        assert (points[:2] >= 0).all()
        assert (shares[0] > shares[1]) == (points[0] > points[1]) or points[0] == points[1]


class Seen(dict):
    """Room for all features, and for any others that there should not be."""

    def __len__(self) -> int:
        return appraisal.FEATURES

    def __missing__(self, feature: int) -> float:
        return 0.0


@pytest.mark.parametrize("seed", range(3))
def test_every_feature_has_its_weights(seed):
    """Compiled code would read the weights of something else."""
    for state in positions(seed)[:-1:3]:
        for seat in range(2):
            seen = Seen()
            appraisal.look_at(state, seat, seen)
            assert set(seen.keys()) <= set(range(appraisal.FEATURES))
            assert any(seen.values())


def test_a_finished_game_is_worth_what_it_brought():
    last = positions(7)[-1]
    shares, points = np.zeros(4), np.zeros(4)
    kernel.compiled(appraisal.appraise)(last, shares, points)
    assert points[:2].tolist() == last["score"].tolist()
    assert sorted(shares[:2]) in ([0.0, 1.0], [0.5, 0.5])


def twins() -> tuple[State, State, int]:
    """Two games that differ only in which of two plates lies where, and the seat that cannot know it."""
    for seed in range(200):
        at, random = Table("azul_duel", 2, seed=seed), Random(seed)
        while "draw" not in at.legal_moves():
            play_on(at, random, 1)
        seat = at.movers[0]
        for move in ("draw", "draw", "draw", "draw", "stop"):
            at.play(move)
        while at.movers[0] == seat:
            play_on(at, random, 1)
        under = [int(plate) for plate in at.state["plate"][1, : at.state["piles"][1]]]
        for place, (one, other) in enumerate(pairwise(under)):
            if KIND[one] == KIND[other]:
                twin = at.state.copy()
                twin["plate"][1, place], twin["plate"][1, place + 1] = other, one
                return at.state.copy(), twin, 1 - seat
    raise AssertionError("no such game among 200")


@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_cannot_see_what_its_seat_cannot_know(level):
    state, twin, seat = twins()
    assert state.tobytes() != twin.tobytes()
    moves = [
        GAME.bots[level](GAME, GAME.hide(each, seat), seat, kernel.new_random(11), FEW)
        for each in (state, twin)
    ]
    assert moves[0] == moves[1]
    knows = [GAME.hide(each, 1 - seat).tobytes() for each in (state, twin)]
    assert knows[0] != knows[1], "the player who put them back does know"


def test_expert_beats_greedy():
    """With few nodes and over few games; the measured levels stand in docs/strength.md."""
    points = np.zeros(2)
    won = 0
    for game in range(6):
        at = Table("azul_duel", 2, seed=f"level {game}")
        expert = game % 2
        while not at.is_over:
            seat = at.movers[0]
            at.play(at.ask("expert" if seat == expert else "greedy", seat, budget=FEW), seat)
        points += [at.scores[expert], at.scores[1 - expert]]
        won += at.scores[expert] > at.scores[1 - expert]
    assert won >= 4
    assert points[0] > points[1]


def test_first_sight_rates_every_move():
    for state in positions(2):
        for seat in range(2):
            moves = np.array(GAME.legal_moves(state, seat), np.int32)
            if len(moves):
                rates = np.full(len(moves), np.nan, np.float32)
                kernel.compiled(GAME.judgement.rate)(state, seat, moves, len(moves), rates)
                assert np.isfinite(rates).all()
