"""How good a placing looks, and what a round is worth: a ramp on a desk of its own, for searches."""

import numpy as np
from numpy.typing import NDArray

from mozaika.games.fits.pieces import (
    BOTTOM,
    COLUMNS,
    DECLINE,
    FIRST_WAY,
    NAMES,
    PAIR_POINTS,
    PLAIN,
    ROWS,
    SHAPE,
    SQUARES,
    SYMBOLS,
    TOP,
    WIDTH,
    ZERO,
)
from mozaika.kernel import count_bits, kernel
from mozaika.state import State

# What a placing is worth, in points of a kind; found by letting the greedy player play some million rounds.
COVER, CLOSE = 2.3, 4.4  # a plain square covered, or closed for good
COVER_GOOD, COVER_BAD, LEAVE = 4.7, 1.05, 1.35  # each point of a field: lost, avoided, or kept for good
BREAK_PAIR, KEEP_SYMBOL = 50.0, 2.5  # while the other symbol is open
JOIN_PAIR, LEAVE_SINGLE = 8.7, 4.0  # the other symbol is closed; is covered
STEPS = np.array([0.05, 0.0, 0.95, 2.1, 7.2])  # what a step of so many rows between two columns costs
WELL = 1.15  # each row of a column that is lower than both beside it
TOUCH = 1.35  # each square beside the ramp's edge or another piece
RISE, STICK_OUT = 0.37, 0.86  # the row it lands on; each row above the board
FULL_ROW = 1.0  # a row that is full, where full rows score
LAST = 0.13  # how much the shape of the surface still counts when no card is left
CARDS_IN_ALL = 16.0

RAMP = np.dtype(
    [
        ("heights", np.int8, (COLUMNS,)),
        ("columns", np.int16, (COLUMNS,)),
        ("earned", np.float64),
        ("value", np.float64),
    ]
)
"""A ramp in a search: what its pieces have earned, and how good it looks."""

PLAN = np.dtype(
    [
        ("random", np.uint64, (1,)),
        ("rows_score", np.int8),
        ("fields", np.int8, (SQUARES,)),
        ("partner", np.int8, (SQUARES,)),  # the square with the same symbol
        ("cards", np.int8, (len(NAMES),)),  # the pieces still to come
        ("count", np.int8),
        ("left", np.int8),  # how many of them come after the piece that is looked at
        ("depth", np.int8),  # how many cards were played in the tree
        ("path", np.int32, (len(NAMES),)),  # by which nodes
        ("taken", np.int8, (len(NAMES),)),  # and by which of their moves
        ("ramp", RAMP),
        ("trial", RAMP),
    ]
)
"""The desk of a search for one seat in one round."""


def new_plan(state: State, seat: int, seed: int) -> State:
    """A plan for the ramp of a seat; the cards to come are those that the seat will have to place."""
    plan: State = np.zeros(1, PLAN)[0]
    plan["random"] = seed
    at = max(int(state["round"]), 1) - 1
    plan["rows_score"], plan["fields"] = state["rows_score"][at], state["fields"][at]
    fields = state["fields"][at].tolist()
    for place, field in enumerate(fields):
        if field >= SYMBOLS:
            plan["partner"][place] = next(
                other for other, same in enumerate(fields) if same == field and other != place
            )
    start = int(state["start"][seat]) - 1
    cards = [piece for piece in range(len(NAMES)) if state["left"] >> piece & 1 and piece != start]
    plan["count"] = len(cards)
    plan["cards"][: len(cards)] = cards
    for field in ("heights", "columns"):
        plan["ramp"][field] = plan["trial"][field] = state[field][seat]
    return plan


@kernel
def land(plan: State, way: int, column: int) -> int:
    """The row on which a piece comes to rest on the trial ramp; `rules.landing` for a plan."""
    row = 0
    for step in range(WIDTH[way]):
        rest = int(plan["trial"]["heights"][column + step]) - int(BOTTOM[way, step])
        row = max(row, rest)
    return row


@kernel
def settle(plan: State, move: int) -> None:
    """Place on the trial ramp, or leave it as it is."""
    if move == DECLINE:
        return
    way = move // COLUMNS
    column = move - way * COLUMNS
    row = land(plan, way, column)
    ramp = plan["trial"]
    for step in range(WIDTH[way]):
        ramp["columns"][column + step] |= int(SHAPE[way, step]) << row
        ramp["heights"][column + step] = row + int(TOP[way, step])


@kernel
def worth(plan: State, way: int, column: int, row: int) -> float:
    """How good a placing looks: what it earns, less what it makes of the surface."""
    return earn(plan, way, column, row) - unevenness(plan, way, column, row)


@kernel
def earn(plan: State, way: int, column: int, row: int) -> float:
    """What a placing is worth by the squares that it covers and closes, and by what it touches."""
    ramp = plan["trial"]
    value = -RISE * row
    cards = int(plan["left"]) / CARDS_IN_ALL
    close = CLOSE * min(1.0, 0.63 + 0.75 * cards)  # at last nothing could fill the gap anyway
    keep = min(1.0, 1.64 - 1.27 * cards)  # and early nothing is safe
    for step in range(WIDTH[way]):
        at = column + step
        shape = int(SHAPE[way, step]) << row
        top = row + int(TOP[way, step])
        for square in range(int(ramp["heights"][at]), min(ROWS, top)):
            place = square * COLUMNS + at
            field = int(plan["fields"][place])
            covers = shape >> square & 1 == 1
            if field == PLAIN:
                value += COVER if covers else -close
            elif field >= SYMBOLS:
                value += worth_of_symbol(plan, int(plan["partner"][place]), covers, keep)
            elif covers:
                points = field - ZERO
                value -= points * (COVER_GOOD if points > 0 else COVER_BAD)
            else:
                value += LEAVE * keep * (field - ZERO)
        value += STICK_OUT * max(0, top - ROWS)
    end = column + int(WIDTH[way])
    left = int(SHAPE[way, 0]) << row
    right = int(SHAPE[way, end - column - 1]) << row
    if column > 0:
        left &= int(ramp["columns"][column - 1])
    if end < COLUMNS:
        right &= int(ramp["columns"][end])
    if plan["rows_score"]:
        value += FULL_ROW * completed_rows(plan, way, column, row)
    return value + TOUCH * (count_bits(left) + count_bits(right))


@kernel
def completed_rows(plan: State, way: int, column: int, row: int) -> int:
    """How many rows a placing would fill."""
    before = (1 << ROWS) - 1
    after = before
    for at in range(COLUMNS):
        covered = int(plan["trial"]["columns"][at])
        before &= covered
        if column <= at < column + WIDTH[way]:
            covered |= int(SHAPE[way, at - column]) << row
        after &= covered
    return count_bits(after & ~before)


@kernel
def worth_of_symbol(plan: State, partner: int, covers: bool, keep: float) -> float:
    """What it is worth to cover or to close a symbol, by what has become of the other one."""
    row = partner // COLUMNS
    column = partner - row * COLUMNS
    if int(plan["trial"]["columns"][column]) >> row & 1:
        return LEAVE_SINGLE if covers else -LEAVE_SINGLE * keep
    if row < plan["trial"]["heights"][column]:
        return -JOIN_PAIR if covers else JOIN_PAIR * keep
    return -BREAK_PAIR if covers else KEEP_SYMBOL * keep


@kernel
def unevenness(plan: State, way: int, column: int, row: int) -> float:
    """How hard the surface after a placing makes it for the pieces to come."""
    cost = 0.0
    last = ROWS
    drop = ROWS  # how far the column before lies below the one before it
    for at in range(COLUMNS):
        height = int(plan["trial"]["heights"][at])
        if column <= at < column + WIDTH[way]:
            height = row + int(TOP[way, at - column])
        if at > 0:
            cost += STEPS[min(abs(height - last), 4)]
            cost += WELL * max(0, min(height - last, drop))
            drop = last - height
        last = height
    cost += WELL * max(0, min(ROWS - last, drop))
    return cost * (LAST + int(plan["left"]) / CARDS_IN_ALL)


@kernel
def choose(plan: State, piece: int) -> int:
    """The placing that looks best; declining if none looks better than nothing."""
    best = 0.0
    chosen = DECLINE
    for way in range(FIRST_WAY[piece], FIRST_WAY[piece + 1]):
        for column in range(COLUMNS + 1 - WIDTH[way]):
            row = land(plan, way, column)
            if row < ROWS:
                value = worth(plan, way, column, row)
                if value > best:
                    best = value
                    chosen = way * COLUMNS + column
    return chosen


@kernel
def rank(plan: State, piece: int, moves: NDArray[np.int16], values: NDArray[np.float64]) -> int:
    """Fill `moves` with those that look best, the best first, as many as there is room for; how many."""
    count = 1
    moves[0] = DECLINE
    values[0] = 0.0
    for way in range(FIRST_WAY[piece], FIRST_WAY[piece + 1]):
        for column in range(COLUMNS + 1 - WIDTH[way]):
            row = land(plan, way, column)
            if row < ROWS:
                value = worth(plan, way, column, row)
                at = count
                while at > 0 and values[at - 1] < value:
                    if at < len(moves):
                        moves[at] = moves[at - 1]
                        values[at] = values[at - 1]
                    at -= 1
                if at < len(moves):
                    moves[at] = way * COLUMNS + column
                    values[at] = value
                count = min(count + 1, len(moves))
    return count


@kernel
def points_of(plan: State) -> int:
    """The points of the trial ramp if the round ended now; `rules.score_ramp` for a plan."""
    points = 0
    seen = 0
    twice = 0
    common = (1 << ROWS) - 1
    for column in range(COLUMNS):
        covered = int(plan["trial"]["columns"][column])
        common &= covered
        for row in range(ROWS):
            if covered >> row & 1 == 0:
                field = int(plan["fields"][row * COLUMNS + column])
                if field == PLAIN:
                    points -= 1
                elif field < SYMBOLS:
                    points += field - ZERO
                else:
                    symbol = 1 << field - SYMBOLS
                    twice |= seen & symbol
                    seen |= symbol
    if plan["rows_score"]:
        points += count_bits(common)
    return points + PAIR_POINTS * (2 * count_bits(twice) - count_bits(seen))
