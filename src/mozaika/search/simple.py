"""Players that do not look ahead. Any game."""

import numpy as np
from numpy.typing import NDArray

from mozaika.game import Game
from mozaika.kernel import apply, kernel, legal, promise, random_below, random_bits, swift
from mozaika.search.effort import demand
from mozaika.state import Ints, Random, State
from mozaika.thought import Budget, Thought


def random_mover(game: Game, view: State, seat: int, random: Random, budget: Budget | None = None) -> Thought:
    """Any legal move, each as likely."""
    moves = game.legal_moves(game.guess(view, seat, random), seat)
    return Thought(moves[random_below(random, len(moves))])


def greedy(game: Game, view: State, seat: int, random: Random, budget: Budget | None = None) -> Thought:
    """Takes what looks best at once."""
    demand(game, "greedy", "promise")
    state = game.guess(view, seat, random)
    moves, trial = np.empty(game.most_moves, np.int32), np.empty(1, game.state)
    return Thought(int(swift(greediest, game.state)(state, seat, random, moves, trial)))


@kernel
def greediest(state: State, seat: int, random: Random, moves: Ints, trial: NDArray[np.void]) -> int:
    """The move after which the game promises most; among equals one at random."""
    best = -(1 << 60)
    chosen = 0
    equals = 0
    for index in range(legal(state, seat, moves)):
        trial[0] = state
        apply(trial[0], seat, int(moves[index]))
        value = promise(trial[0], seat)
        if value > best:
            best = value
            equals = 0
        if value == best:
            equals += 1
            if random_below(random, equals) == 0:
                chosen = int(moves[index])
    return chosen


def first_sight(
    game: Game, view: State, seat: int, random: Random, budget: Budget | None = None, *, noise: float
) -> Thought:
    """Whatever catches the eye: the move that the game rates best, give or take some noise."""
    demand(game, "a bot that plays at first sight", "rate")
    state = game.guess(view, seat, random)
    moves = np.array(game.legal_moves(state, seat), np.int32)
    rates = np.zeros(len(moves), np.float32)
    assert game.judgement.rate is not None  # noqa: S101  it was demanded
    swift(game.judgement.rate)(state, seat, moves, len(moves), rates)
    luck = [random_bits(random) / 2**64 for _ in moves]
    return Thought(int(moves[(rates + noise * np.array(luck)).argmax()]))
