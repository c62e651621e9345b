"""What is in the box of Azul Duel: the pieces, the state record and the numbering of moves."""

from itertools import permutations, product
from typing import Literal

import numpy as np

from mozaika.options import Options

COLORS = ("blue", "yellow", "red", "black", "turquoise")
LETTERS = "BYRKT"
"""One letter for each colour in positions and sketches: K is black."""

SEATS = range(2, 3)
ROUNDS = 5
LAST_PLATES = 4  # AD-A5: in round 5 no plates are taken
TILES_PER_COLOR = 13  # AD-B1
TOKENS = 2
CHIPS_A_ROUND = 2  # AD-D1
START_POINTS = 5  # AD-B4
LINES = 6  # AD-B2
BROKEN = 4
PENALTIES = np.array([0, 1, 3, 6, 10], np.int32)  # AD-P4: what so many broken tiles cost in all
MARKER_PENALTY = 2  # AD-P4
SMALL = 4
LARGE = 4
"""The large factory comes after the small ones."""
LARGE_TILES, SMALL_TILES = 5, 4  # AD-S2
DEALT = LARGE_TILES + SMALL * SMALL_TILES
"""How many tiles a round wants: the large factory first, then the small ones (AD-N2)."""

# AD-B3: a plate has three colours and one special or wild space
WILD, SPECIAL, NOTHING = 5, 6, 7
"""What a space shows, after the five colours."""
TILE_SPECIAL = 6
"""A special tile on a dome; coloured tiles lie there as colour + 1."""
SPECIAL_BACK, WILD_BACK = 19, 20
"""A plate of which only the back is known."""
PLATES = 18
ALL_PLATES = (1 << PLATES + 1) - 2
"""Sets of plates are bit masks: bit 1 to 18."""

_FACES = (
    *("YKT*", "?BTK", "TRB?", "KYR?", "K*TR", "TY?K", "*KRB", "YBK*", "TRB*"),
    *("YR?B", "Y*KR", "TKR?", "BK*T", "RTY?", "TB?Y", "*TYB", "R?BK", "*YBR"),
)
"""The faces of the plates 1 to 18: two spaces above two; ? is wild, * is special."""

SPACES = np.full((WILD_BACK + 1, 4, 4), NOTHING, np.int8)
"""What each plate shows, by the number of quarter turns clockwise; plate 0 is an empty slot."""
for _plate, _face in enumerate(_FACES, 1):
    _spaces = [(LETTERS + "?*").index(letter) for letter in _face]
    for _turn in range(4):
        SPACES[_plate, _turn] = _spaces
        _spaces = [_spaces[2], _spaces[0], _spaces[3], _spaces[1]]

KINDS = ("special", "wild")
KIND = np.zeros(WILD_BACK + 1, np.int32)
"""0 for a special plate, 1 for a wild one; known by the back."""
for _plate, _face in enumerate(_FACES, 1):
    KIND[_plate] = "?" in _face
KIND[WILD_BACK] = 1
OF_KIND = np.array([sum(1 << p for p in range(1, PLATES + 1) if KIND[p] == k) for k in range(2)], np.int32)
"""The set of plates of each kind."""

# AD-B3: ten kinds of chips, two of each
CHIP_LETTERS = ("B", "Y", "R", "K", "T", "TY", "YK", "KB", "BR", "RT")
CHIP_TYPES = len(CHIP_LETTERS)
CHIPS_OF_A_TYPE = 2
CHIP_SHOWS = np.array([sum(1 << LETTERS.index(c) for c in chip) for chip in CHIP_LETTERS], np.int32)
"""The colours of each type of chip, as a bit mask."""
STORE = 10
NO_CHIP, FACE_DOWN, FACE_UP = 0, 1, 2
"""What lies on the moon side of a small factory; FACE_UP + type for a chip that has been turned."""

OBJECTIVES = ("rows", "five_colors", "columns", "edge", "diagonals", "corners", "wild", "empty_specials")
"""AD-S1: sides 2 n and 2 n + 1 are the two sides of one objective plate."""
ROWS, FIVE_COLORS, COLUMNS, EDGE, DIAGONALS, CORNERS, ALL_WILD, EMPTY_SPECIALS = range(8)
FIRST_GAME = ("rows", "columns", "diagonals", "out")
BY_CHANCE, OUT = 0, 3
"""What may be wished of an objective plate: anything, its first side (1), its second (2), or to be out."""

ON_LARGE = -1
"""Where the start marker is while nobody holds it."""

(AIM, CHOOSE, REFILL, DEAL, SETUP, ACQUIRE, STACK, DRAWING, LOOK, CHOICE, RETURN, TILING, OVER) = range(13)
PHASES = (
    *("aim", "choose", "refill", "deal", "setup", "acquire", "stack"),
    *("drawing", "look", "choice", "return", "tiling", "over"),
)
"""AIM, CHOOSE: objectives and start player are drawn. REFILL: plates are shown, DEAL: tiles are dealt.
SETUP: the first plates. ACQUIRE: a turn begins. STACK: the rest of a small factory waits for its order.
DRAWING: another plate, or stop; LOOK: their faces are turned for the player who drew them; CHOICE: one is
placed; RETURN: the others go back. TILING and OVER."""

PILE = 13
"""No more plates than this can be drawn in a turn, or put back: three of the 18 are shown and two placed."""
HAND, UNDER = 0, 1
"""The piles: plates drawn by the player whose turn it is, and plates put back under the stack."""

STATE = np.dtype(
    [
        ("seats", np.int8),  # how many play: 2
        ("phase", np.int8),  # a number of PHASES
        ("round", np.int8),  # 1 to 5
        ("starter", np.int8),  # who began this round
        ("turn", np.int8),  # the seat to move
        ("marker", np.int8),  # the seat that holds it, or ON_LARGE
        ("objectives", np.uint8),  # bit mask of OBJECTIVES
        ("number", np.int8),  # how many objectives shall be drawn; 0 when they are
        ("wishes", np.int8, (4,)),  # for each objective plate while they are not drawn
        ("dealt", np.int8),  # tiles dealt in this round; DEALT when that is over
        ("stacking", np.int8),  # the small factory whose rest is being stacked, from 1; else 0
        ("turning", np.int8),  # bit mask of the small factories whose chip is being turned
        ("top", np.int8),  # the back of the topmost unseen plate, 0 while it is not known
        ("left", np.int8, (2,)),  # unseen plates in the stack, by kind
        ("shown", np.int8, (3,)),  # the plates of the display; 0 where there is none
        ("piles", np.int8, (2,)),  # how many plates in the hand and under the stack
        ("plate", np.int8, (2, PILE)),  # which plates these are; a back if the face is not known
        ("by", np.int8, (2, PILE)),  # who put it under the stack (seat + 1) and knows it
        ("fresh", np.int8, (2, PILE)),  # whether it could be one that the other seat has never seen
        ("known", np.int32, (2, PILE)),  # or else one of these, which the other seat knows of
        ("unseen", np.int32),  # plates that nobody has seen (in a view: that the viewer has not)
        ("bag", np.int8, (5,)),  # tiles of each colour in it
        ("tower", np.int8, (5,)),  # tiles of each colour in it
        ("sun", np.int8, (5, 5)),  # tiles of each colour on each factory; the last row is the large one
        ("moon", np.int8, (4, 3)),  # on each small factory, a stack from bottom to top, as colour + 1
        ("large_moon", np.int8, (5,)),  # tiles of each colour on the moon side of the large factory
        ("chip", np.int8, (4,)),  # of each small factory: NO_CHIP, FACE_DOWN, or FACE_UP + type
        ("chips", np.int8, (10,)),  # chips that have not been turned, by type
        ("store", np.int8, (2, 10)),  # of each seat the chips that it has, by type
        ("spent", np.int8, (2, 10)),  # of each seat the chips that it has paid with, by type
        ("tokens", np.int8, (2,)),  # of each seat: tokens left in this round
        ("chosen", np.int8, (2,)),  # of each seat: chips taken in this round
        ("slot_plate", np.int8, (2, 9)),  # of each seat the plates on its dome; 0 for an empty slot
        ("slot_turn", np.int8, (2, 9)),  # how often each of these is turned, in quarters clockwise
        ("tile", np.int8, (2, 36)),  # of each seat: what lies on each space, row * 6 + column
        ("line_color", np.int8, (2, 6)),  # of each seat and line; it means nothing while the line is empty
        ("line_count", np.int8, (2, 6)),  # of each seat and line: how many tiles lie there
        ("next_line", np.int8, (2,)),  # the line a seat is tiling; LINES when it is done
        ("broken", np.int8, (2, 5)),  # of each seat the broken tiles, by colour
        ("score", np.int16, (2,)),  # points of each seat
        ("tiled", np.int16, (2,)),  # points of each seat for tiles so far
        ("gilded", np.int16, (2,)),  # points for special tiles
        ("paid", np.int16, (2,)),  # points paid for plates
        ("lost", np.int16, (2,)),  # points lost for broken tiles and the marker
    ]
)

# A move is a number: a take, a plate, a chip, an order of the rest, a tiling, then what CHANCE does.
TARGETS = 7  # broken, then the six lines
MOON = 5
"""The moon sides together, as a source after the five factories."""
PLACINGS = (MOON + 1) * 5 * TARGETS
DRAW = PLACINGS + PLATES * 9 * 4
STOP = DRAW + 1
RETURNS = STOP + 1
CHIP_TAKES = RETURNS + PLATES
STACKS = CHIP_TAKES + SMALL
ORDERS = 6 * 6 * 6
"""Three digits to the base 6, bottom to top, each a colour + 1 or 0."""
TILINGS = STACKS + ORDERS
PAYMENTS: int = 3**CHIP_TYPES
"""Chips that pay for a line: a digit to the base 3 for each type."""
STAYS = TILINGS + LINES * PAYMENTS * 6
AIMS = STAYS + LINES
STARTS = AIMS + (1 << len(OBJECTIVES))
BACKS = STARTS + 2
FACES = BACKS + 2
TURNS = FACES + PLATES
TILES = TURNS + CHIP_TYPES
MOVES = TILES + 5
MOST_MOVES = 6 * 252 + 1
"""Six spaces for a line and every payment for it, and leaving it. No payment contains another (AD-W4), so of
ten chips there are at most as many as there are sets of five."""

REST_ORDERS = np.zeros((1 << 10, 7), np.int32)
"""For so many tiles of each colour (two bits each, three in all): how many orders, then the orders."""
for _counts in product(range(4), repeat=5):
    if sum(_counts) < SMALL_TILES:
        _rest = [color + 1 for color, count in enumerate(_counts) for _ in range(count)]
        _rest += [0] * (3 - len(_rest))
        _orders = sorted(
            {
                36 * low + 6 * middle + high
                for low, middle, high in permutations(_rest)
                if not (middle and not low) and not (high and not middle)
            }
        )
        _code = sum(count << 2 * color for color, count in enumerate(_counts))
        REST_ORDERS[_code, 0] = len(_orders)
        REST_ORDERS[_code, 1 : len(_orders) + 1] = _orders


class DuelOptions(Options, frozen=True, kw_only=True):
    """AD-S1: how many objectives, or those of a first game; what each plate shows. AD-S3: who starts."""

    objectives: Literal["3", "4", "first_game"] = "3"
    plate_1: Literal["random", "rows", "five_colors", "out"] = "random"
    plate_2: Literal["random", "columns", "edge", "out"] = "random"
    plate_3: Literal["random", "diagonals", "corners", "out"] = "random"
    plate_4: Literal["random", "wild", "empty_specials", "out"] = "random"
    start: Literal["random", "1", "2"] = "random"
