"""What is in the box of FITS: pieces and the ways they can lie, boards, the state record, the moves."""

from typing import Literal

import numpy as np

from mozaika.options import Grid, Line, Options

SEATS = range(1, 5)
COLUMNS, ROWS = 6, 12  # FI-B1
SQUARES = COLUMNS * ROWS
MOST_ROUNDS = 4
LETTERS = "ABCDEF"
"""The columns from left to right; rows count from 1 at the bottom."""

Art = tuple[str, ...]

PIECES: dict[str, Art] = {  # FI-B1: ten of five squares, four of four, two of three; 72 squares in all
    "F5": (".##", "##.", ".#."),
    "L5": ("#.", "#.", "#.", "##"),
    "N5": (".#", ".#", "##", "#."),
    "P5": ("##", "##", "#."),
    "T5": ("###", ".#.", ".#."),
    "U5": ("#.#", "###"),
    "V5": ("#..", "#..", "###"),
    "W5": ("#..", "##.", ".##"),
    "X5": (".#.", "###", ".#."),
    "Y5": (".#", "##", ".#", ".#"),
    "O4": ("##", "##"),
    "T4": ("###", ".#."),
    "L4": ("#.", "#.", "##"),
    "S4": (".##", "##."),
    "I3": ("###",),
    "V3": ("#.", "##"),
}
NAMES = tuple(PIECES)
CODES = "FLNPTUVWXYOtlsiv"
"""One letter for each piece in positions and sketches."""
ALL_PIECES = (1 << len(NAMES)) - 1
START_PIECES = tuple(map(NAMES.index, ("L5", "T5", "U5", "V5")))  # FI-B2: ours, not the printed ones


def turn(art: Art) -> Art:
    """A quarter turn clockwise."""
    return tuple("".join(column) for column in zip(*art[::-1], strict=True))


def flip(art: Art) -> Art:
    """The mirror image, left and right exchanged."""
    return tuple(row[::-1] for row in art)


def turned(art: Art, turns: int, flipped: bool) -> Art:
    """A piece flipped first, then turned so many times."""
    art = flip(art) if flipped else art
    for _ in range(turns):
        art = turn(art)
    return art


MANNERS = tuple((turns, flipped) for flipped in (False, True) for turns in range(4))
"""Eight ways to hold a piece (FI-P1); of those that look alike the first one counts."""
WAYS: list[tuple[int, int, bool, Art]] = []
"""How each piece can lie, one piece after the other: piece, turns, flipped, art."""
FIRST_WAY = np.zeros(len(NAMES) + 1, np.int16)
"""The ways of a piece begin here and end where those of the next begin."""
WAY_OF: dict[tuple[int, int, bool], int] = {}
"""The way of a piece that is turned and flipped, also for those that look alike."""
for _piece, _art in enumerate(PIECES.values()):
    FIRST_WAY[_piece] = len(WAYS)
    for _turns, _flipped in MANNERS:
        _lies = turned(_art, _turns, _flipped)
        _alike = [way for way in range(int(FIRST_WAY[_piece]), len(WAYS)) if WAYS[way][3] == _lies]
        WAY_OF[_piece, _turns, _flipped] = _alike[0] if _alike else len(WAYS)
        if not _alike:
            WAYS.append((_piece, _turns, _flipped, _lies))
FIRST_WAY[len(NAMES)] = len(WAYS)

TALLEST = 4
WIDTH = np.array([len(art[0]) for *_, art in WAYS], np.int8)
PIECE_OF = np.array([piece for piece, *_ in WAYS], np.int8)
SHAPE = np.zeros((len(WAYS), TALLEST), np.int16)
"""For each column of a way the squares it takes: bit row, counted from the lowest square of the piece."""
BOTTOM = np.zeros((len(WAYS), TALLEST), np.int8)
"""How far above that the column begins; columns that are not there hang so low that they stop nothing."""
TOP = np.zeros((len(WAYS), TALLEST), np.int8)
for _way, (*_, _lies) in enumerate(WAYS):
    for _column in range(TALLEST):
        _there = [row for row, squares in enumerate(_lies[::-1]) if squares[_column : _column + 1] == "#"]
        SHAPE[_way, _column] = sum(1 << row for row in _there)
        BOTTOM[_way, _column] = min(_there, default=0)
        TOP[_way, _column] = max(_there, default=-1) + 1

PLAIN = 0
"""A square that costs a point if it stays uncovered; other fields have a value, or one of two symbols."""
ZERO = 10
"""A field of a value is this plus the value: 1 to 19."""
SYMBOLS = 20
"""A field with a symbol is this plus the place of its letter: 20 to 45."""
SQUARE_POINTS, ROW_POINTS, PAIR_POINTS = -1, 1, 3  # FI-S1, FI-S2, FI-S5

OUR_BOARDS = (  # FI-B2: our design but for the first, calibrated to the solo table
    ("rows", *("......",) * ROWS),
    (
        *("......", "....2.", "......", "1.....", "...3..", "......"),
        *("......", "..3...", ".....1", "......", ".2....", "......"),
    ),
    (
        *("......", ".....1", "......", ".2-5...", "......", "...3-5."),
        *(".-53...", "......", "...-52.", "......", "1.....", "......"),
    ),
    (
        *("......", "....e.", "..d...", ".....c", ".b....", "...a.."),
        *("e.....", ".....d", "..c...", "....b.", ".a....", "......"),
    ),
)
"""Rows from top to bottom as a player would write them; “rows” says that full rows score."""
BOARD_NAMES = "1234ABCD"
"""Ours, then a player's own."""

ORDER, DEAL, CARD, PLACE, OVER = range(5)
PHASES = ("order", "deal", "card", "place", "over")
"""ORDER: a random order of the boards is drawn. DEAL: start cards. CARD: the next card is turned."""

SOURCES = 4
BY_SQUARES, BY_ROWS, BY_FIELDS, BY_PAIRS = range(SOURCES)
"""Where points come from."""

STATE = np.dtype(
    [
        ("seats", np.int8),  # how many play
        ("phase", np.int8),  # a number of PHASES
        ("rounds", np.int8),  # how many there are
        ("round", np.int8),  # the round that is played, or was played last
        ("ordered", np.int8),  # while the order is drawn: how many boards have their place
        ("boards", np.int8, (MOST_ROUNDS,)),  # of each round the place of its board in BOARD_NAMES, plus 1
        ("rows_score", np.int8, (MOST_ROUNDS,)),  # of each round: 1 where full rows score
        ("fields", np.int8, (MOST_ROUNDS, SQUARES)),  # of each round: its board, from the bottom left
        ("start", np.int8, (4,)),  # the piece on each player's start card, plus 1
        ("card", np.int8),  # the piece on the card that is played, plus 1; 0 for the start cards
        ("left", np.int32),  # the cards to come: bit piece
        ("pending", np.int8),  # the seats that have not placed: bit seat
        ("heights", np.int8, (4, COLUMNS)),  # of each seat and column: how high the pieces reach
        ("columns", np.int16, (4, COLUMNS)),  # of each seat and column the covered squares: bit row
        ("laid", np.int16, (4, len(NAMES))),  # of each seat and piece: 1 + 16 * move + row where it lies
        ("aside", np.int32, (4,)),  # of each seat the pieces that were declined: bit piece
        ("tally", np.int16, (4, MOST_ROUNDS, SOURCES)),  # points of each seat, round and source (BY_…)
    ]
)

# A move is a number: a way and a column, then declining, then what CHANCE does.
DECLINE = len(WAYS) * COLUMNS
CARDS = DECLINE + 1
STARTS = CARDS + len(NAMES)
ORDERS = STARTS + len(NAMES)
MOVES = ORDERS + len(BOARD_NAMES)
MOST_MOVES = 1 + max(
    sum(COLUMNS + 1 - int(WIDTH[way]) for way in range(FIRST_WAY[piece], FIRST_WAY[piece + 1]))
    for piece in range(len(NAMES))
)
"""Every way of a piece in every column, and declining."""


class FitsOptions(Options, frozen=True, kw_only=True):
    """FI-V1: which boards, in which order; FI-B2: boards of the players' own."""

    boards: Line = "1234"
    order: Literal["given", "random"] = "given"
    own: Grid = ""
