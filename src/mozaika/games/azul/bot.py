"""What only Azul knows about playing well."""

import numpy as np
from numpy.typing import NDArray

from mozaika.game import Budget, Game, Ints, Random, State, Thought
from mozaika.games.azul.pieces import LINES, MOST_MOVES, STATE
from mozaika.games.azul.rules import ROW, apply, count_bits, legal, occupied, outlook
from mozaika.kernel import kernel, random_below, swift


def greedy(game: Game, view: State, seat: int, random: Random, budget: Budget | None = None) -> Thought:
    """Takes what looks best at once."""
    state = game.guess(view, seat, random)
    move = swift(greediest)(state, seat, random, np.empty(MOST_MOVES, np.int32), np.empty(1, STATE))
    return Thought(int(move))


@kernel
def greediest(state: State, seat: int, random: Random, moves: Ints, trial: NDArray[np.void]) -> int:
    """The move after which the board promises most; among equals one at random."""
    best = -(1 << 30)
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


@kernel
def promise(state: State, seat: int) -> int:
    """How good a board looks, in 64ths of a point: what the round would bring now, and what is on its way."""
    value = 64 * (int(state["score"][seat]) + outlook(state, seat))
    filled = occupied(state, seat)
    for row in range(LINES):
        count = int(state["line_count"][seat, row])
        if count == row + 1:  # a row with many tiles brings the bonus and the end nearer
            value += 6 * count_bits(filled >> 5 * row & ROW)
        elif count > 0:  # an almost full line is worth more than one just begun
            value += 16 * count * count // (row + 1) - 4 * row
    if state["marker"] == seat:
        value += 24
    return value
