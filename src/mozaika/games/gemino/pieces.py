"""What is in the box of GEMINO: the boards, the lines, the state record and the numbering of moves."""

from typing import Literal

import numpy as np

from mozaika.options import Grid, Options

COLORS = ("red", "orange", "yellow", "green", "blue", "violet")
LETTERS = "ROYGBV"
"""One letter for each colour in grids."""

SEATS = range(2, 5)
TILES = 14  # GE-B1: each player's
POINTS_TO_WIN = 3  # GE-E1
LAST_ROUND = 60  # GE-E2

SIZE = 6
FIELDS = SIZE * SIZE
"""A field of a board is a number, row by row; a set of fields is a bit mask."""
BOARDS = range(2)

SIDES = (
    {
        "A": "ROYGBV/VBROYG/GYVBRO/ORGYVB/BVORGY/YGBVOR",
        "B": "ROVGBY/YGBOVR/BVYRGO/ORGVYB/GYOBRV/VBRYOG",
    },
    {
        "A": "BRGYVO/GVOBRY/YBRVOG/ROYGBV/VGBOYR/OYVRGB",
        "B": "YGBVOR/BOYRGV/VRGOYB/GYVBRO/OBRYVG/RVOGBY",
    },
)
"""GE-B1: both sides of each board, row by row. The printed ones are not known; these are ours."""

NOT_DRAWN = -1

STATE = np.dtype(
    [
        ("seats", np.int8),  # how many play
        ("over", np.int8),  # 1 when the game is over
        ("round", np.int8),  # from 1
        ("starter", np.int8),  # who begins each round; NOT_DRAWN before play begins
        ("turn", np.int8),  # the seat to move
        ("four", np.int8),  # GE-P3: 1 where lines have five tiles and four of them leave
        ("points", np.int8, (4, 2)),  # of each seat, scored on each board
        ("tiles", np.int64, (4, 2)),  # of each seat, on each board: a set of fields
        ("colors", np.int64, (2, 6)),  # of each board the fields of each colour, when its side is drawn
    ]
)
"""What a player holds is not written down: it is what neither lies on a board nor has become a point."""

# A line is named from the field that completes it: a direction, and how many fields lie before that field.
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (-1, 1))
"""GE-P1: along a row, down a column, falling, rising; as steps in rows and columns."""
LONGEST = 5
LINES = 1 + len(DIRECTIONS) * LONGEST
NO_LINE = 0


def line_fields(field: int, line: int, length: int) -> tuple[int, ...]:
    """The fields of a line from left to right or top to bottom; none where it would leave the board."""
    direction, before = divmod(line - 1, LONGEST)
    down, right = DIRECTIONS[direction]
    row, column = divmod(field, SIZE)
    places = [(row + down * step, column + right * step) for step in range(-before, length - before)]
    fits = before < length and all(0 <= r < SIZE and 0 <= c < SIZE for r, c in places)
    return tuple(SIZE * r + c for r, c in places) if fits else ()


def _line_mask(field: int, line: int, length: int) -> int:
    return sum(1 << each for each in line_fields(field, line, length))


LINES_THROUGH = np.array(
    [
        [[0, *(_line_mask(field, line, length) for line in range(1, LINES))] for field in range(FIELDS)]
        for length in (4, 5)
    ],
    np.int64,
)
"""For each length, field and number of a line its set of fields; 0 where there is none."""


def _needed(field: int, line: int, kind: int, after: int) -> int:
    """The tiles that a line needs. Where four of five leave, the fifth lies before or after them."""
    if kind < FOUR_OF_FIVE:
        return 0 if after else _line_mask(field, line, 4 + kind)
    direction, before = divmod(line - 1, LONGEST)
    longer = 1 + direction * LONGEST + before + 1 - after
    return _line_mask(field, longer, 5) if before < 4 and before + 1 - after < LONGEST else 0


FOURS, FIVES, FOUR_OF_FIVE = range(3)
"""Four are needed and leave; five are; five are needed and four of them leave."""
NEEDED = np.array(
    [
        [
            [[0, 0], *([_needed(field, line, kind, after) for after in range(2)] for line in range(1, LINES))]
            for field in range(FIELDS)
        ]
        for kind in range(3)
    ],
    np.int64,
)
"""For each kind of lines, field and number of what leaves: the sets of tiles that it needs, one or two."""
ALL_LINES = np.zeros((2, 54), np.int64)
"""For each length all lines of a board: 54 of four, 32 of five."""
for _five in range(2):
    _found = np.unique(LINES_THROUGH[_five])[1:]
    ALL_LINES[_five, : len(_found)] = _found
LINE_COUNTS = np.array([(lines != 0).sum() for lines in ALL_LINES], np.int64)

# A move is a number: for both boards the field that receives a tile, where that tile comes from and the line
# that scores; then what CHANCE does. Whether lines have five fields is part of it, because the text tells.
HAND = 0
"""The source of a new tile; a tile that moves comes from its field + 1."""
SOURCES = 1 + FIELDS
PAIRS_OF_LINES = LINES * LINES
WAYS = SOURCES * SOURCES * 2 * PAIRS_OF_LINES
"""In how many ways two fields could receive their tiles."""
STARTS = FIELDS * FIELDS * WAYS
SIDE_DRAWS = STARTS + 4
MOVES = SIDE_DRAWS + 4
ROW = 56
"""Room for the ways in which two fields that complete no line receive their tiles: 7 x 7, in whole eights."""
MOST_MOVES = 9_433 + 2 * ROW
"""More than a seat can ever have, as the README shows, and room for two rows."""


class GeminoOptions(Options, frozen=True, kw_only=True):
    """GE-B2: a side of each board; who starts is drawn or chosen. GE-B1: sides of the players' own.
    GE-P3: what leaves of a line of five.
    """

    board1: Literal["A", "B", "random", "own"] = "A"
    board2: Literal["A", "B", "random", "own"] = "A"
    own: Grid = ""
    start: Literal["random", "1", "2", "3", "4"] = "random"
    leave: Literal["line", "four"] = "line"
