"""What only Azul knows about playing well: how moves look at first sight, and what a board will bring."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from mozaika.game import Bot, Game
from mozaika.games.azul.pieces import (
    CENTRE,
    FLOOR,
    LINES,
    ON_CENTRE,
    OVER,
    PENALTIES,
    PLACES,
    TARGETS,
)
from mozaika.games.azul.rules import (
    COLUMN,
    ROW,
    free_columns,
    occupied,
    outlook,
    placement_points,
    printed_column,
)
from mozaika.judgement import Net
from mozaika.kernel import count_bits, kernel
from mozaika.search.alphabeta import Style as Deep
from mozaika.search.alphabeta import search_deep
from mozaika.search.net import add_up, see, share_by_points, share_by_rank
from mozaika.search.simple import first_sight, greedy
from mozaika.search.tree import Style, search_tree
from mozaika.state import Floats, Ints, Random, State
from mozaika.thought import MOST_NODES, Budget, Thought


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


# What a move looks like at first sight, in points.
BY_COLUMN, BY_COLOR = 0.35, 0.4  # each tile that its column or colour has already
COMPLETE, PARTIAL, BEGUN = 1.2, 0.55, 0.25
FIRST = 1.5  # holding the start marker
KEEN = 1.0  # how many times as likely a point makes a move, as a power of e


@kernel
def rate(state: State, seat: int, moves: Ints, n: int, out: Floats) -> None:
    """How each take or placing looks: what it brings now, what it builds up, what falls."""
    filled = occupied(state, seat)
    fallen = int(state["fallen"][seat])
    will = filled
    if state["grey"] == 0:
        for row in range(LINES):
            if state["line_count"][seat, row] == row + 1:
                will |= 1 << 5 * row + printed_column(row, int(state["line_color"][seat, row]))
    for index in range(n):
        move = int(moves[index])
        if move >= PLACES:
            row, column = divmod(move - PLACES, 5)
            color = int(state["line_color"][seat, row])
            out[index] = KEEN * space_worth(state, seat, filled, row, column, color)
            continue
        pair, target = divmod(move, TARGETS)
        source, color = divmod(pair, 5)
        over = int(state["sources"][source, color])
        first = source == CENTRE and state["marker"] == ON_CENTRE
        value = FIRST if first else 0.0
        if target > 0:
            row = target - 1
            have = int(state["line_count"][seat, row])
            fit = min(over, row + 1 - have)
            over -= fit
            worth = line_worth(state, seat, will, row, color)
            if have + fit == row + 1:
                value += worth + COMPLETE
            else:
                part = (have + fit) / (row + 1)
                value += worth * part * part * PARTIAL - BEGUN * (row + 1 - have - fit)
                if have > 0:
                    part = have / (row + 1)
                    value -= worth * part * part * PARTIAL
        floor = min(FLOOR, fallen + over + (1 if first else 0))
        out[index] = KEEN * (value - float(PENALTIES[floor] - PENALTIES[fallen]))


@kernel
def line_worth(state: State, seat: int, filled: int, row: int, color: int) -> float:
    """What a tile of a colour in a row would be worth."""
    if state["grey"] == 0:
        return space_worth(state, seat, filled, row, printed_column(row, color), color)
    columns = free_columns(state, seat, row, color)
    best = -3.0  # nothing fits: the line would fall
    for column in range(5):
        if columns >> column & 1:
            best = max(best, space_worth(state, seat, filled, row, column, color))
    return best


@kernel
def space_worth(state: State, seat: int, filled: int, row: int, column: int, color: int) -> float:
    """The points of a tile there, and how much nearer it brings the bonus."""
    return (
        placement_points(filled, row, column)
        + BY_COLUMN * count_bits(filled >> column & COLUMN)
        + BY_COLOR * count_bits(int(state["wall"][seat, color]))
    )


# The board of a seat as features, for a small net that was fitted to the ends of many games.
ROUNDS, BY_MOST, BY_OWN, BY_SEATS, STARTER = 0, 10, 16, 22, 25
BY_ROW, BY_COLUMNS, BY_COLORS, BY_CELL, BY_LINE = 26, 56, 86, 116, 141
PENDING, PENDING_COLUMN, PENDING_COLOR, FEATURES = 161, 211, 216, 221
UNITS = 32

_fitted = np.load(Path(__file__).parent / "weights.npz")
LAYER, START, OUT, SPREAD = (_fitted[name] for name in ("layer", "start", "out", "spread"))
"""For each wall: what a feature gives to each unit, where the units start, what each is worth in points, and
how uncertain the points are by the longest row of anybody.
"""


@kernel
def look_at(state: State, seat: int, sight: Floats) -> None:
    """The features of a board."""
    layer = LAYER[int(state["grey"])]
    filled = occupied(state, seat)
    see(sight, layer, ROUNDS + min(9, int(state["round"])), 1.0)
    see(sight, layer, BY_MOST + longest_of_all(state), 1.0)
    see(sight, layer, BY_OWN + longest_row(filled), 1.0)
    see(sight, layer, BY_SEATS + int(state["seats"]) - 2, 1.0)
    if state["starter"] == seat:
        see(sight, layer, STARTER, 1.0)
    for row in range(LINES):
        see(sight, layer, BY_ROW + 6 * row + count_bits(filled >> 5 * row & ROW), 1.0)
        see(sight, layer, BY_COLUMNS + 6 * row + count_bits(filled >> row & COLUMN), 1.0)
        see(sight, layer, BY_COLORS + 6 * row + count_bits(int(state["wall"][seat, row])), 1.0)
        count = int(state["line_count"][seat, row])
        see(sight, layer, BY_LINE + row * (row + 3) // 2 + count, 1.0)
        if count > 0:
            color = int(state["line_color"][seat, row])
            part = count / (row + 1)
            column = likely_column(state, seat, filled, row, color)
            see(sight, layer, PENDING_COLOR + count_bits(int(state["wall"][seat, color])), part)
            if column >= 0:
                see(sight, layer, PENDING + 10 * row + placement_points(filled, row, column) - 1, part)
                see(sight, layer, PENDING_COLUMN + count_bits(filled >> column & COLUMN), part)
    rest = filled
    while rest != 0:
        see(sight, layer, BY_CELL + count_bits((rest & -rest) - 1), 1.0)
        rest &= rest - 1


@kernel
def longest_row(filled: int) -> int:
    most = 0
    for row in range(LINES):
        most = max(most, count_bits(filled >> 5 * row & ROW))
    return most


@kernel
def longest_of_all(state: State) -> int:
    """The longest row of anybody: how near the end is."""
    most = 0
    for seat in range(state["seats"]):
        most = max(most, longest_row(occupied(state, seat)))
    return most


@kernel
def likely_column(state: State, seat: int, filled: int, row: int, color: int) -> int:
    """Where the tile of a line will go; -1 if nowhere."""
    if state["grey"] == 0:
        return printed_column(row, color)
    columns = free_columns(state, seat, row, color)
    best = 0
    chosen = -1
    for column in range(5):
        if columns >> column & 1:
            points = placement_points(filled, row, column)
            if points > best:
                best = points
                chosen = column
    return chosen


@kernel
def appraise(state: State, shares: Floats, points: Floats) -> None:
    """What the game has brought, or what the net thinks that it will bring."""
    seats = int(state["seats"])
    if state["phase"] == OVER:
        for seat in range(seats):
            points[seat] = state["score"][seat]
        share_by_rank(state, shares)
        return
    grey = int(state["grey"])
    units = np.empty(UNITS, np.float32)
    for seat in range(seats):
        units[:] = START[grey]
        look_at(state, seat, units)
        points[seat] = float(state["score"][seat]) + add_up(units, OUT[grey])
    share_by_points(points, float(SPREAD[grey, longest_of_all(state)]), seats, shares)


NET = Net(
    look_at=look_at,
    features=FEATURES,
    units=UNITS,
    kinds=2,
    kind=lambda state: int(state["grey"]),
    times=6,
    time=longest_of_all,
    before_draws=True,
)

LOOK = Style(margin=0.004, replies=4)
FAR = replace(LOOK, threads=2, budget=Budget(300_000, 1_000))
DEEP = Deep(widest=12, widens=True, margin=0.004, greed=0.01, threads=2, budget=Budget(MOST_NODES, 1_000))


def champion(game: Game, view: State, seat: int, random: Random, budget: Budget | None = None) -> Thought:
    """For two on the coloured wall alpha-beta; it thinks that all others play against the seat, which several
    do not, and the net has seen it play on that wall only.
    """
    if view["seats"] == 2 and not view["grey"]:
        return search_deep(game, view, seat, random, budget, DEEP)
    return search_tree(game, view, seat, random, budget, FAR)


LEVELS: dict[str, Bot] = {
    "beginner": partial(first_sight, noise=6.0),
    "casual": greedy,
    "club": partial(search_deep, style=Deep(widest=8, budget=Budget(300, 150))),
    "expert": partial(search_tree, style=replace(LOOK, budget=Budget(2_000, 1_000))),
    "champion": champion,
}
