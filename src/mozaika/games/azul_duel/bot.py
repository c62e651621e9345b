"""What only Azul Duel knows about playing well."""

import numpy as np
from numpy.typing import NDArray

from mozaika.game import Budget, Game, Ints, Random, State, Thought
from mozaika.games.azul_duel.pieces import CHIP_TYPES, KIND, LINES, MOST_MOVES, STATE, TILING
from mozaika.games.azul_duel.rules import (
    all_objectives,
    apply,
    free_columns,
    legal,
    penalty,
    placement_points,
    plates_on_row,
    space_at,
)
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
    """How good a board looks, in 64ths of a point: what it has, and what is on its way."""
    value = 64 * int(state["score"][seat]) + 48 * all_objectives(state, seat)
    if state["phase"] < TILING:  # later they have been paid
        value -= 64 * penalty(state, seat)
    for row in range(LINES):
        value += _line_promise(state, seat, row)
    for chip in range(CHIP_TYPES):
        value += 40 * int(state["store"][seat, chip])
    for slot in range(9):
        plate = int(state["slot_plate"][seat, slot])
        if plate > 0:
            value += 32 + 16 * int(KIND[plate])
    return value


@kernel
def _line_promise(state: State, seat: int, row: int) -> int:
    """What a line is worth: the best space it could go to, by how full it is."""
    count = int(state["line_count"][seat, row])
    color = int(state["line_color"][seat, row])
    if count == 0:
        return 8 * _places_for_any(state, seat, row)
    columns = free_columns(state, seat, row, color)
    if columns == 0:
        missing = 3 - plates_on_row(state, seat, row)
        return -40 * count if missing == 0 else 10 * count
    best = 0
    for column in range(6):
        if columns >> column & 1:
            points = 64 * placement_points(state, seat, row, column)
            if space_at(state, seat, row, column) == color:
                points += 16  # wild spaces are for later
            best = max(best, points)
    if count == row + 1:
        return best + 32
    return best * count * count // ((row + 1) * (row + 1)) - 4 * row


@kernel
def _places_for_any(state: State, seat: int, row: int) -> int:
    """How many colours an empty line could still take."""
    places = 0
    for color in range(5):
        if free_columns(state, seat, row, color) != 0:
            places += 1
    return places
