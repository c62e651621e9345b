"""Azul as numbers for programs that learn."""

import numpy as np

from mozaika.features import Feature, Features
from mozaika.games.azul.facts import FACTS
from mozaika.games.azul.pieces import FLOOR, LINES, ON_CENTRE, TILES_PER_COLOR, TILES_PER_FACTORY, TILING
from mozaika.games.azul.rules import occupied
from mozaika.kernel import kernel
from mozaika.state import Floats, State

TABLE = (
    Feature("sources", (10, 5), "tiles of each colour on the centre, then on each factory, in fours"),
    Feature("bag", (5,), "tiles of each colour in it, as a part of 20"),
    Feature("lid", (5,), "tiles of each colour in it, as a part of 20"),
    Feature("marker", (1,), "1 while the start marker lies on the centre"),
    Feature("round", (1,), "its number, in tenths"),
    Feature("grey", (1,), "1 with the grey wall"),
    Feature("tiling", (1,), "1 while tiles are laid on the grey wall"),
)
EACH = (
    Feature("line_fill", (5,), "how full each line is"),
    Feature("line_color", (5, 5), "1 for the colour of each line; none where it is empty"),
    Feature("row_colors", (5, 5), "1 for each colour that a row of the wall has"),
    Feature("spaces", (5, 5), "1 for each filled space of the wall, row by row"),
    Feature("floor", (1,), "occupied floor spaces, as a part of 7"),
    Feature("first", (1,), "1 for who holds the start marker"),
    Feature("next_line", (1,), "how far the tiling has come, in fifths"),
    Feature("score", (1,), "points, in hundreds"),
)
BAG = 50
MARKER = BAG + 10
SIZE = sum(part.size for part in TABLE)
EACH_SIZE = sum(part.size for part in EACH)
COLOR, ROWS, SPACES, FALLEN = 5, 30, 55, 80
PARTS = np.array([1 / (row + 1) for row in range(LINES)], np.float32)


FOURTHS = np.arange(TILES_PER_COLOR + 1, dtype=np.float32) / TILES_PER_FACTORY
BITS = np.array([[mask >> bit & 1 for bit in range(8)] for mask in range(32)], np.float32)
"""The bits of a row. Eight are copied in one step; what is too much is written over by what comes after."""


@kernel
def observe(state: State, seat: int, out: Floats) -> None:
    for source in range(10):
        for color in range(5):
            out[5 * source + color] = FOURTHS[int(state["sources"][source, color])]
    for color in range(5):
        out[BAG + color] = state["bag"][color] * (1.0 / TILES_PER_COLOR)
        out[BAG + 5 + color] = state["lid"][color] * (1.0 / TILES_PER_COLOR)
    out[MARKER] = 1.0 if state["marker"] == ON_CENTRE else 0.0
    out[MARKER + 1] = state["round"] * 0.1
    out[MARKER + 2] = state["grey"]
    out[MARKER + 3] = 1.0 if state["phase"] == TILING else 0.0
    seats = int(state["seats"])
    who = seat
    for number in range(seats):
        see_board(state, who, out[SIZE + number * EACH_SIZE :])
        who = who + 1 if who + 1 < seats else 0


@kernel
def see_board(state: State, who: int, board: Floats) -> None:
    for row in range(LINES):
        board[row] = state["line_count"][who, row] * PARTS[row]
    for row in range(LINES):
        laid = 1 << int(state["line_color"][who, row]) if state["line_count"][who, row] > 0 else 0
        for bit in range(8):
            board[COLOR + 5 * row + bit] = BITS[laid, bit]
    for row in range(LINES):
        colors = int(state["row_colors"][who, row])
        for bit in range(8):
            board[ROWS + 5 * row + bit] = BITS[colors, bit]
    filled = occupied(state, who)
    for row in range(LINES):
        spaces = filled >> 5 * row & 31
        for bit in range(8):
            board[SPACES + 5 * row + bit] = BITS[spaces, bit]
    board[FALLEN] = state["fallen"][who] * (1.0 / FLOOR)
    board[FALLEN + 1] = 1.0 if state["marker"] == who else 0.0
    board[FALLEN + 2] = state["next_line"][who] * 0.2
    board[FALLEN + 3] = state["score"][who] * 0.01


FEATURES = Features(table=TABLE, each=EACH, observe=observe, facts=FACTS)
