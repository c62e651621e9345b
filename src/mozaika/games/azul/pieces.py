"""What is in the box of Azul: the pieces, the state record and the numbering of moves."""

from typing import Literal

import numpy as np

from mozaika.options import Options

COLORS = ("blue", "yellow", "red", "black", "white")
LETTERS = "BYRKW"
"""One letter for each colour in positions and sketches: K is black."""

SEATS = range(2, 5)
FACTORIES = (0, 0, 5, 7, 9)  # AZ-B1: by number of players
TILES_PER_COLOR = 20
TILES_PER_FACTORY = 4
OFFERED = np.array([TILES_PER_FACTORY * factories for factories in FACTORIES], np.int32)
LINES = 5
FLOOR = 7
PENALTIES = np.array([0, 1, 2, 4, 6, 8, 11, 14], np.int32)  # AZ-B2: what so many floor tiles cost in all
ROW_BONUS, COLUMN_BONUS, COLOR_BONUS = 2, 7, 10  # AZ-E2
LAST_ROUND = 30  # AZ-C5

CENTRE = 0
"""The source 0; factories are the sources 1 to 9."""
ON_CENTRE = -1
"""Where the start marker is while nobody holds it."""
MARKER = 6
"""The start marker on a floor; tiles are written there as colour + 1."""

CHOOSE, DEAL, OFFER, TILING, OVER = range(5)
PHASES = ("choose", "deal", "offer", "tiling", "over")
"""CHOOSE: who starts is drawn. The others follow AZ-S2."""

STATE = np.dtype(
    [
        ("seats", np.int8),  # how many play
        ("grey", np.int8),  # 1 with the grey wall
        ("phase", np.int8),  # a number of PHASES
        ("round", np.int8),  # from 1; 0 before it begins
        ("starter", np.int8),  # who began this round
        ("turn", np.int8),  # the seat to move in the offer
        ("marker", np.int8),  # the seat that holds it, or ON_CENTRE
        ("dealt", np.int8),  # tiles dealt so far, while the factories are being filled
        ("on_offer", np.int64),  # which tiles lie where: bit 5 * source + colour
        ("bag", np.int8, (5,)),  # tiles of each colour in it
        ("lid", np.int8, (5,)),  # tiles of each colour in it
        ("sources", np.int8, (10, 5)),  # on the centre, then on each factory: tiles of each colour
        ("line_color", np.int8, (4, 5)),  # of each seat and line; it means nothing while the line is empty
        ("line_count", np.int8, (4, 5)),  # of each seat and line: how many tiles lie there
        ("next_line", np.int8, (4,)),  # the line a seat is tiling; LINES when it is done
        ("fallen", np.int8, (4,)),  # of each seat: occupied floor spaces
        ("floor", np.int8, (4, 7)),  # of each seat and space: colour + 1, MARKER, or 0
        ("wall", np.int32, (4, 5)),  # of each seat and colour the spaces it fills: bit 5 * row + column
        ("row_colors", np.int8, (4, 5)),  # of each seat and wall row the colours in it: bit colour
        ("score", np.int16, (4,)),  # points of each seat
        ("lost", np.int16, (4,)),  # points the floor has cost each seat so far
    ]
)

# A move is a number: a take, then a placing on the grey wall, then what CHANCE does.
TARGETS = 6  # the floor, then the five lines
PLACES = 10 * 5 * TARGETS
DRAWS = PLACES + LINES * 5
STARTS = DRAWS + 5
MOVES = STARTS + 4
MOST_MOVES = 9 * TILES_PER_FACTORY * TARGETS + 8
"""Nine factories with four colours each, every target open, and the rest of the last row of TARGET_LISTS."""

TARGET_LISTS = np.zeros((1 << TARGETS, 8), np.int32)
"""For each bit mask of targets, the targets in it: a row of a fixed length is copied in one step."""
for _mask in range(1 << TARGETS):
    _listed = [target for target in range(TARGETS) if _mask >> target & 1]
    TARGET_LISTS[_mask, : len(_listed)] = _listed


class AzulOptions(Options, frozen=True, kw_only=True):
    """AZ-B4: one side of the board for all. AZ-S1: who starts is drawn, or chosen by the table's owner."""

    wall: Literal["coloured", "grey"] = "coloured"
    start: Literal["random", "1", "2", "3", "4"] = "random"
