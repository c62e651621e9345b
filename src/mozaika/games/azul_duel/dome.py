"""The dome: what its plates show, which spaces take a colour, what a tile brings there."""

from mozaika.games.azul_duel.pieces import SPACES, SPECIAL, TILE_SPECIAL, WILD
from mozaika.kernel import kernel
from mozaika.state import State


@kernel
def space_at(state: State, seat: int, row: int, column: int) -> int:
    """What a dome shows on a space: a colour, WILD, SPECIAL, or NOTHING without a plate."""
    slot = row // 2 * 3 + column // 2
    plate = int(state["slot_plate"][seat, slot])
    return int(SPACES[plate, int(state["slot_turn"][seat, slot]), row % 2 * 2 + column % 2])


@kernel
def free_columns(state: State, seat: int, row: int, color: int) -> int:
    """AD-W1: bit mask of the free spaces of a dome row that take a colour: its own or wild."""
    columns = 0
    for column in range(6):
        space = space_at(state, seat, row, column)
        takes = space == WILD or space == color  # noqa: PLR1714  compiled tuples have one type
        if takes and state["tile"][seat, row * 6 + column] == 0:
            columns |= 1 << column
    return columns


@kernel
def plates_on_row(state: State, seat: int, row: int) -> int:
    first = row // 2 * 3
    n = 0
    for slot in range(first, first + 3):
        if state["slot_plate"][seat, slot] > 0:
            n += 1
    return n


@kernel
def plates_on_dome(state: State, seat: int) -> int:
    return plates_on_row(state, seat, 0) + plates_on_row(state, seat, 2) + plates_on_row(state, seat, 4)


@kernel
def placement_points(state: State, seat: int, row: int, column: int) -> int:
    """AD-P1, AD-P2: the groups that a tile joins, special tiles included."""
    tiles = state["tile"][seat]
    across = 1
    for step in range(column + 1, 6):
        if tiles[row * 6 + step] == 0:
            break
        across += 1
    for step in range(column - 1, -1, -1):
        if tiles[row * 6 + step] == 0:
            break
        across += 1
    down = 1
    for step in range(row + 1, 6):
        if tiles[step * 6 + column] == 0:
            break
        down += 1
    for step in range(row - 1, -1, -1):
        if tiles[step * 6 + column] == 0:
            break
        down += 1
    if across == 1:  # AD-P1: alone it counts once
        return down
    return across if down == 1 else across + down


@kernel
def gild(state: State, seat: int, row: int, column: int) -> int:
    """AD-W5: a special plate whose coloured spaces are filled gets its special tile. Returns its points."""
    special = special_after(state, seat, row, column)
    if special < 0:
        return 0
    points = special // 6 + 1
    state["tile"][seat, special] = TILE_SPECIAL
    state["gilded"][seat] += points
    state["score"][seat] += points
    return points


@kernel
def special_after(state: State, seat: int, row: int, column: int) -> int:
    """AD-W5: the special space of the plate there, if it is empty and all others are filled; else -1."""
    special = -1
    for index in range(4):
        line, place = row // 2 * 2 + index // 2, column // 2 * 2 + index % 2
        if space_at(state, seat, line, place) == SPECIAL:
            special = line * 6 + place
        elif state["tile"][seat, line * 6 + place] == 0:
            return -1
    return special if special >= 0 and state["tile"][seat, special] == 0 else -1
