"""What a position of Azul Duel will bring: features of a board, and a small net that was fitted to the ends
of many games.
"""

from pathlib import Path

import numpy as np

from mozaika.games.azul_duel.chips import can_pay
from mozaika.games.azul_duel.dome import free_columns, placement_points, plates_on_row, space_at
from mozaika.games.azul_duel.factories import top_tile
from mozaika.games.azul_duel.lines import broken_tiles
from mozaika.games.azul_duel.objectives import all_objectives, count_spaces, objective_points
from mozaika.games.azul_duel.pieces import (
    ALL_WILD,
    CHIP_TYPES,
    COLUMNS,
    CORNERS,
    DEAL,
    DIAGONALS,
    EDGE,
    EMPTY_SPECIALS,
    FIVE_COLORS,
    KIND,
    LINES,
    MOON,
    OVER,
    ROWS,
    SMALL,
    SPECIAL,
    TILING,
    WILD,
)
from mozaika.judgement import Net
from mozaika.kernel import kernel
from mozaika.search.net import add_up, see, share_by_points, share_by_rank
from mozaika.state import Floats, Ints, State

# Where the features of each sort begin.
TIME = 0  # how much of the round is over
MARKER = TIME + 6  # with the seat, with the other, or still on its factory
TO_MOVE = MARKER + 3
TOKENS_LEFT = TO_MOVE + 1
CHIPS_CHOSEN = TOKENS_LEFT + 3
IN_HAND = CHIPS_CHOSEN + 3
BY_BROKEN = IN_HAND + 1
BY_PLATES = BY_BROKEN + 5  # how many of each kind
BY_CHIPS = BY_PLATES + 20
NOW = BY_CHIPS + 11  # what the objectives would bring now
BY_LINE = NOW + 1  # line and tiles in it, its tile having a space,
WAITING = BY_LINE + 27  # or none yet,
DOOMED = WAITING + 27  # or never
PENDING = DOOMED + 6  # the points of a complete line, or of its part
PENDING_SPECIAL = PENDING + 12  # and of the special tile that it brings
PAYABLE = PENDING_SPECIAL + 2  # lines that chips can complete
FILLABLE = PAYABLE + 6  # lines that one take can complete, the seat being to move or not
OPEN_COLORS = FILLABLE + 12  # how many colours an empty line can take
SPACE_FILLED = OPEN_COLORS + 36
SPACE_OPEN = SPACE_FILLED + 36
BY_REACH = SPACE_OPEN + 36  # the points that the open spaces of a row would bring
WILD_OPEN = BY_REACH + 6
SPECIAL_OPEN = WILD_OPEN + 6  # by its row and by how many spaces of its plate are filled
BY_ROW = SPECIAL_OPEN + 24
FULL_ROW = BY_ROW + 42  # for each objective: how far it has come
FULL_COLUMN = FULL_ROW + 7
FULL_DIAGONAL = FULL_COLUMN + 7
COLORFUL = FULL_DIAGONAL + 7
ON_EDGE = COLORFUL + 7
UPPER_CORNER = ON_EDGE + 1
LOWER_CORNER = UPPER_CORNER + 5
WILD_LEFT = LOWER_CORNER + 5
WILD_DONE = WILD_LEFT + 10
SPECIALS_LEFT = WILD_DONE + 1
FEATURES = SPECIALS_LEFT + 1

UNITS = 12
"""The units of the net: the first has its own weights in each round and counts as it is, the others only
where they are positive."""

_fitted = np.load(Path(__file__).parent / "weights.npz")
LAYER, START, OUT, SPREAD = (_fitted[name] for name in ("layer", "start", "out", "spread"))
"""For each round: what a feature gives to each unit, where the units start, what each is worth in points, and
how uncertain the points are by how much of the round is over.
"""


@kernel
def look_at(state: State, seat: int, sight: Floats) -> None:
    """The features of a board."""
    layer = LAYER[int(state["round"]) - 1]
    see(sight, layer, TIME + time_of(state), 1.0)
    if state["phase"] < TILING:
        look_at_turn(state, seat, sight, layer)
    chips = 0
    for chip in range(CHIP_TYPES):
        chips += int(state["store"][seat, chip])
    see(sight, layer, BY_CHIPS + chips, 1.0)
    see(sight, layer, NOW, float(all_objectives(state, seat)))
    for row in range(LINES):
        look_at_line(state, seat, row, sight, layer)
        look_at_row(state, seat, row, sight, layer)
    look_at_plates(state, seat, sight, layer)
    look_at_objectives(state, seat, sight, layer)


@kernel
def time_of(state: State) -> int:
    """How much of a round is over, from 0 to 5: by the tiles that are left, and 5 for the tiling."""
    if state["phase"] >= TILING:
        return 5
    if state["phase"] <= DEAL:
        return 0
    tiles = 0
    for color in range(5):
        tiles += int(state["large_moon"][color])
        for factory in range(5):
            tiles += int(state["sun"][factory, color])
    for factory in range(SMALL):
        for level in range(3):
            if state["moon"][factory, level] > 0:
                tiles += 1
    return 4 - (tiles + 4) // 6 if tiles > 0 else 4


@kernel
def look_at_turn(state: State, seat: int, sight: Floats, layer: Floats) -> None:
    """What the seat can still do in this round, and what it will have to pay."""
    marker = int(state["marker"])
    see(sight, layer, MARKER + (0 if marker == seat else 1 if marker == 1 - seat else 2), 1.0)
    if state["turn"] == seat:
        see(sight, layer, TO_MOVE, 1.0)
        if state["piles"][0] > 0:
            see(sight, layer, IN_HAND, 1.0)
    see(sight, layer, TOKENS_LEFT + int(state["tokens"][seat]), 1.0)
    see(sight, layer, CHIPS_CHOSEN + int(state["chosen"][seat]), 1.0)
    see(sight, layer, BY_BROKEN + broken_tiles(state, seat), 1.0)


@kernel
def look_at_line(state: State, seat: int, row: int, sight: Floats, layer: Floats) -> None:
    """A line: how full it is, where its tile can go and how it could be completed."""
    count = int(state["line_count"][seat, row])
    if count == 0:
        colors = 0
        for color in range(5):
            if free_columns(state, seat, row, color) != 0:
                colors += 1
        see(sight, layer, OPEN_COLORS + 6 * row + colors, 1.0)
        return
    color = int(state["line_color"][seat, row])
    columns = free_columns(state, seat, row, color)
    if columns == 0:
        if plates_on_row(state, seat, row) == 3:
            see(sight, layer, DOOMED + row, float(count))
        else:
            see(sight, layer, WAITING + row * (row + 3) // 2 + count, 1.0)
        return
    see(sight, layer, BY_LINE + row * (row + 3) // 2 + count, 1.0)
    look_at_end_of_line(state, seat, row, columns, sight, layer)
    missing = row + 1 - count
    if missing > 0 and can_pay(state, seat, color, missing):
        see(sight, layer, PAYABLE + row, 1.0)
    if missing > 0 and state["phase"] < TILING and most_at_once(state, color) >= missing:
        see(sight, layer, FILLABLE + (0 if state["turn"] == seat else 6) + row, 1.0)


@kernel
def look_at_end_of_line(
    state: State, seat: int, row: int, columns: int, sight: Floats, layer: Floats
) -> None:
    """The points that wait at the end of a line, by how full it is."""
    best = 0
    special = 0
    for column in range(6):
        if columns >> column & 1:
            points = placement_points(state, seat, row, column)
            more = special_points(state, seat, row, column)
            if points + more > best + special:
                best = points
                special = more
    count = int(state["line_count"][seat, row])
    part = count / (row + 1)
    see(sight, layer, PENDING + (6 if count <= row else 0) + row, best * part)
    see(sight, layer, PENDING_SPECIAL + (1 if count <= row else 0), special * part)


@kernel
def most_at_once(state: State, color: int) -> int:
    """How many tiles of a colour one take can bring."""
    most = int(state["large_moon"][color])
    for factory in range(SMALL):
        if top_tile(state, factory) == color + 1:
            most += 1
    for factory in range(MOON):
        most = max(most, int(state["sun"][factory, color]))
    return most


@kernel
def special_points(state: State, seat: int, row: int, column: int) -> int:
    """What a special tile brings if the tile there is the last that its plate waits for."""
    points = 0
    for index in range(4):
        line, place = row // 2 * 2 + index // 2, column // 2 * 2 + index % 2
        if space_at(state, seat, line, place) == SPECIAL:
            points = line + 1
        elif state["tile"][seat, line * 6 + place] == 0 and (line != row or place != column):
            return 0
    return points


@kernel
def look_at_plates(state: State, seat: int, sight: Floats, layer: Floats) -> None:
    """How many plates there are, of what kind, and how near their special tiles are."""
    plates = 0
    wilds = 0
    for slot in range(9):
        plate = int(state["slot_plate"][seat, slot])
        if plate == 0:
            continue
        plates += 1
        wilds += int(KIND[plate])
        filled = 0
        special = -1
        for index in range(4):
            row, column = slot // 3 * 2 + index // 2, slot % 3 * 2 + index % 2
            if state["tile"][seat, row * 6 + column] > 0:
                filled += 1
            elif space_at(state, seat, row, column) == SPECIAL:
                special = row
        if special >= 0:
            see(sight, layer, SPECIAL_OPEN + 4 * special + filled, 1.0)
    see(sight, layer, BY_PLATES + plates, 1.0)
    see(sight, layer, BY_PLATES + 10 + wilds, 1.0)


@kernel
def look_at_row(state: State, seat: int, row: int, sight: Floats, layer: Floats) -> None:
    """The spaces of a row of the dome: filled, open, and what an open one would bring."""
    filled = 0
    reach = 0
    for column in range(6):
        space = space_at(state, seat, row, column)
        if state["tile"][seat, row * 6 + column] > 0:
            filled += 1
            see(sight, layer, SPACE_FILLED + row * 6 + column, 1.0)
        elif space <= WILD:
            see(sight, layer, SPACE_OPEN + row * 6 + column, 1.0)
            reach += placement_points(state, seat, row, column) - 1
            if space == WILD:
                see(sight, layer, WILD_OPEN + row, 1.0)
    see(sight, layer, BY_ROW + 7 * row + filled, 1.0)
    see(sight, layer, BY_REACH + row, float(reach))


@kernel
def look_at_objectives(state: State, seat: int, sight: Floats, layer: Floats) -> None:
    """How far each objective has come."""
    tiles = state["tile"][seat]
    wanted = int(state["objectives"])
    for line in range(6):
        if wanted >> ROWS & 1:
            see(sight, layer, FULL_ROW + filled_of(tiles, 6 * line, 1), 1.0)
        if wanted >> COLUMNS & 1:
            see(sight, layer, FULL_COLUMN + filled_of(tiles, line, 6), 1.0)
        if wanted >> FIVE_COLORS & 1:
            see(sight, layer, COLORFUL + colors_of(tiles, line), 1.0)
    if wanted >> DIAGONALS & 1:
        see(sight, layer, FULL_DIAGONAL + filled_of(tiles, 0, 7), 1.0)
        see(sight, layer, FULL_DIAGONAL + filled_of(tiles, 5, 5), 1.0)
    if wanted >> CORNERS & 1:
        look_at_corners(tiles, sight, layer)
    if wanted >> EDGE & 1:
        see(sight, layer, ON_EDGE, float(objective_points(state, seat, EDGE)))
    if wanted >> ALL_WILD & 1:
        see(sight, layer, WILD_LEFT + count_spaces(state, seat, WILD, False), 1.0)
        see(sight, layer, WILD_DONE, float(count_spaces(state, seat, WILD, True)))
    if wanted >> EMPTY_SPECIALS & 1:
        see(sight, layer, SPECIALS_LEFT, float(count_spaces(state, seat, SPECIAL, False)))


@kernel
def look_at_corners(tiles: Ints, sight: Floats, layer: Floats) -> None:
    for corner in (0, 4, 24, 28):
        filled = 0
        for space in (corner, corner + 1, corner + 6, corner + 7):
            if tiles[space] > 0:
                filled += 1
        see(sight, layer, (UPPER_CORNER if corner < 24 else LOWER_CORNER) + filled, 1.0)


@kernel
def filled_of(tiles: Ints, first: int, step: int) -> int:
    """How many of the six spaces of a line have tiles."""
    filled = 0
    for index in range(6):
        if tiles[first + index * step] > 0:
            filled += 1
    return filled


@kernel
def colors_of(tiles: Ints, row: int) -> int:
    """How many different tiles a row has."""
    colors = 0
    for column in range(6):
        colors |= 1 << int(tiles[row * 6 + column])
    different = 0
    for color in range(1, 7):
        different += colors >> color & 1
    return different


@kernel
def appraise(state: State, shares: Floats, points: Floats) -> None:
    """What the game has brought, or what the net thinks that it will bring."""
    if state["phase"] == OVER:
        for seat in range(2):
            points[seat] = state["score"][seat]
        share_by_rank(state, shares)
        return
    turn = int(state["round"]) - 1
    units = np.empty(UNITS, np.float32)
    for seat in range(2):
        units[:] = START[turn]
        look_at(state, seat, units)
        points[seat] = max(0.0, float(state["score"][seat]) + add_up(units, OUT[turn]))
    share_by_points(points, float(SPREAD[turn, time_of(state)]), 2, shares)


NET = Net(
    look_at=look_at,
    features=FEATURES,
    units=UNITS,
    kinds=5,
    kind=lambda state: int(state["round"]) - 1,
    times=6,
    time=time_of,
    tied=True,
)
