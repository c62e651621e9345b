"""Players that do not look ahead. Any game."""

import numpy as np

from mozaika.game import Budget, Game, Random, State, Thought
from mozaika.kernel import random_below, random_bits, swift


def random_mover(game: Game, view: State, seat: int, random: Random, budget: Budget | None = None) -> Thought:
    """Any legal move, each as likely."""
    moves = game.legal_moves(game.guess(view, seat, random), seat)
    return Thought(moves[random_below(random, len(moves))])


def first_sight(
    game: Game, view: State, seat: int, random: Random, budget: Budget | None = None, *, noise: float
) -> Thought:
    """Whatever catches the eye: the move that the game rates best, give or take some noise."""
    state = game.guess(view, seat, random)
    moves = np.array(game.legal_moves(state, seat), np.int32)
    rates = np.zeros(len(moves), np.float32)
    assert game.rate is not None, f"{game.id} does not rate moves"  # noqa: S101
    swift(game.rate)(state, seat, moves, len(moves), rates)
    luck = [random_bits(random) / 2**64 for _ in moves]
    return Thought(int(moves[(rates + noise * np.array(luck)).argmax()]))
