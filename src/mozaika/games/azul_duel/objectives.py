"""The objectives: what each brings at the end, or would bring now."""

from mozaika.games.azul_duel.dome import space_at
from mozaika.games.azul_duel.pieces import (
    ALL_WILD,
    COLUMNS,
    CORNERS,
    DIAGONALS,
    EDGE,
    EMPTY_SPECIALS,
    FIVE_COLORS,
    ROWS,
    SPECIAL,
    TILE_SPECIAL,
    WILD,
)
from mozaika.kernel import kernel
from mozaika.state import State


@kernel
def all_objectives(state: State, seat: int) -> int:
    points = 0
    for objective in range(8):
        if state["objectives"] >> objective & 1:
            points += objective_points(state, seat, objective)
    return points


@kernel
def objective_points(state: State, seat: int, objective: int) -> int:
    """What an objective would bring if the game were over now."""
    if objective == ROWS:
        return 3 * _full_lines(state, seat, 6, 1)  # AD-O1
    if objective == COLUMNS:
        return 7 * _full_lines(state, seat, 1, 6)  # AD-O2
    if objective == DIAGONALS:  # AD-O3
        falling = _is_full(state, seat, 0, 7)
        return 10 * (falling + _is_full(state, seat, 5, 5))
    if objective == FIVE_COLORS:
        return 4 * _colorful_rows(state, seat)  # AD-O5
    if objective == EDGE:
        return _tiles_on_edge(state, seat)  # AD-O6
    if objective == CORNERS:  # AD-O7
        upper = _full_plate(state, seat, 0) + _full_plate(state, seat, 2)
        return 3 * upper + 8 * (_full_plate(state, seat, 6) + _full_plate(state, seat, 8))
    filled = count_spaces(state, seat, WILD if objective == ALL_WILD else SPECIAL, True)
    empty = count_spaces(state, seat, WILD if objective == ALL_WILD else SPECIAL, False)
    if objective == ALL_WILD:  # AD-O4: all of them or nothing
        return 2 * filled if empty == 0 else 0
    return -3 * empty  # AD-O8


@kernel
def _full_lines(state: State, seat: int, apart: int, step: int) -> int:
    """How many of the six lines of spaces that begin so far apart are full."""
    full = 0
    for line in range(6):
        full += _is_full(state, seat, line * apart, step)
    return full


@kernel
def _is_full(state: State, seat: int, first: int, step: int) -> int:
    for index in range(6):
        if state["tile"][seat, first + index * step] == 0:
            return 0
    return 1


@kernel
def _colorful_rows(state: State, seat: int) -> int:
    """AD-O5: rows with at least five different tiles, a special tile being one colour."""
    rows = 0
    for row in range(6):
        colors = 0
        for column in range(6):
            colors |= 1 << int(state["tile"][seat, row * 6 + column])
        different = 0
        for color in range(1, TILE_SPECIAL + 1):
            different += colors >> color & 1
        if different >= 5:
            rows += 1
    return rows


@kernel
def _tiles_on_edge(state: State, seat: int) -> int:
    tiles = 0
    for space in range(36):
        row, column = divmod(space, 6)
        outer = row in (0, 5) or column in (0, 5)
        if outer and state["tile"][seat, space] > 0:
            tiles += 1
    return tiles


@kernel
def _full_plate(state: State, seat: int, slot: int) -> int:
    first = slot // 3 * 12 + slot % 3 * 2
    for space in (first, first + 1, first + 6, first + 7):
        if state["tile"][seat, space] == 0:
            return 0
    return 1


@kernel
def count_spaces(state: State, seat: int, kind: int, filled: bool) -> int:
    """How many wild or special spaces of a dome are filled, or empty."""
    n = 0
    for space in range(36):
        there = space_at(state, seat, space // 6, space % 6) == kind
        if there and (state["tile"][seat, space] > 0) == filled:
            n += 1
    return n


def objective_spaces(state: State, seat: int, objective: int) -> list[int]:
    """The spaces by which an objective brings what it brings; of AD-O8 those that cost something."""
    tiles = state["tile"][seat].tolist()
    rows = [list(range(first, first + 6)) for first in range(0, 36, 6)]
    if objective == FIVE_COLORS:  # AD-O5
        colorful = [row for row in rows if len({tiles[space] for space in row} - {0}) >= 5]
        return [space for row in colorful for space in row if tiles[space]]
    if objective == EDGE:  # AD-O6
        return [space for space in range(36) if tiles[space] and ({*divmod(space, 6)} & {0, 5})]
    if objective in (ALL_WILD, EMPTY_SPECIALS):  # AD-O4, AD-O8
        kind, filled = (WILD, True) if objective == ALL_WILD else (SPECIAL, False)
        found = [space for space in range(36) if space_at(state, seat, *divmod(space, 6)) == kind]
        return [space for space in found if bool(tiles[space]) == filled]
    groups = {
        ROWS: rows,  # AD-O1
        COLUMNS: [list(range(first, 36, 6)) for first in range(6)],  # AD-O2
        DIAGONALS: [list(range(0, 36, 7)), list(range(5, 31, 5))],  # AD-O3
        CORNERS: [[first, first + 1, first + 6, first + 7] for first in (0, 4, 24, 28)],  # AD-O7
    }[objective]
    return sorted({space for group in groups if all(tiles[each] for each in group) for space in group})
