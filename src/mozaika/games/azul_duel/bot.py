"""What only Azul Duel knows about playing well: how moves look at first sight, and the levels."""

from dataclasses import replace
from functools import partial

import numpy as np

from mozaika.game import Bot
from mozaika.games.azul_duel.appraisal import colors_of, filled_of, special_points
from mozaika.games.azul_duel.dome import free_columns, placement_points, plates_on_row, space_at
from mozaika.games.azul_duel.factories import top_tile
from mozaika.games.azul_duel.lines import broken_tiles, penalty
from mozaika.games.azul_duel.objectives import all_objectives
from mozaika.games.azul_duel.pieces import (
    ACQUIRE,
    ALL_WILD,
    BROKEN,
    CHIP_SHOWS,
    CHIP_TAKES,
    CHIP_TYPES,
    COLUMNS,
    CORNERS,
    DIAGONALS,
    DRAW,
    EDGE,
    FACE_UP,
    FIVE_COLORS,
    KIND,
    LINES,
    MOON,
    ON_LARGE,
    PAYMENTS,
    PENALTIES,
    PLACINGS,
    ROUNDS,
    ROWS,
    SMALL,
    SPACES,
    SPECIAL,
    STACK,
    STACKS,
    STAYS,
    TARGETS,
    TILING,
    TILINGS,
    WILD,
)
from mozaika.kernel import kernel
from mozaika.search.simple import first_sight, greedy
from mozaika.search.tree import Style, search_tree
from mozaika.state import Floats, Ints, State
from mozaika.thought import Budget


@kernel
def promise(state: State, seat: int) -> int:
    """How good a board looks, in 64ths of a point: what it has, and what is on its way."""
    value = 64 * int(state["score"][seat]) + 48 * all_objectives(state, seat)
    if state["phase"] < TILING:  # later they have been paid
        value -= 64 * penalty(state, seat)
    for row in range(LINES):
        value += _line_promise(state, seat, row)
    for chip in range(CHIP_TYPES):
        value += 40 * int(state["store"][seat, chip])
    for slot in range(9):
        plate = int(state["slot_plate"][seat, slot])
        if plate > 0:
            value += 32 + 16 * int(KIND[plate])
    return value


@kernel
def _line_promise(state: State, seat: int, row: int) -> int:
    """What a line is worth: the best space it could go to, by how full it is."""
    count = int(state["line_count"][seat, row])
    color = int(state["line_color"][seat, row])
    if count == 0:
        return 8 * _places_for_any(state, seat, row)
    columns = free_columns(state, seat, row, color)
    if columns == 0:
        missing = 3 - plates_on_row(state, seat, row)
        return -40 * count if missing == 0 else 10 * count
    best = 0
    for column in range(6):
        if columns >> column & 1:
            points = 64 * placement_points(state, seat, row, column)
            if space_at(state, seat, row, column) == color:
                points += 16  # wild spaces are for later
            best = max(best, points)
    if count == row + 1:
        return best + 32
    return best * count * count // ((row + 1) * (row + 1)) - 4 * row


@kernel
def _places_for_any(state: State, seat: int, row: int) -> int:
    """How many colours an empty line could still take."""
    places = 0
    for color in range(5):
        if free_columns(state, seat, row, color) != 0:
            places += 1
    return places


# What a move looks like at first sight, in points.
COMPLETE, PARTIAL, BEGUN, IN_VAIN = 1.2, 0.6, 0.25, 2.5  # a line, and one that can never be tiled
WAITS = 2.125  # what a tile is worth whose plate is still to come
FIRST = -0.5  # the start marker
PLATE, SHARPER = 0.5, 1.5  # a plate, and how much more the difference between two ways to place one counts
DRAWN, DRAWN_AGAIN = 0.0, -2.0  # a plate from the stack
CHIP, MATCHING, CHIP_PAID = 0.7, 0.4, 0.6
TO_SPECIAL = 0.2  # each point of the special tile for which a plate waits


@kernel
def rate(state: State, seat: int, moves: Ints, n: int, out: Floats) -> None:
    """How each move looks, by what is to be decided."""
    if state["phase"] == STACK:
        rate_orders(state, seat, moves, n, out)
        return
    value = np.empty(36, np.float32)
    for space in range(36):
        value[space] = space_worth(state, seat, space // 6, space % 6)
    if state["phase"] == TILING:
        rate_tilings(state, seat, moves, n, value, out)
    else:
        rate_actions(state, seat, moves, n, value, out)


@kernel
def rate_actions(state: State, seat: int, moves: Ints, n: int, value: Floats, out: Floats) -> None:
    """Takes, plates and chips. The moves come in this order, so the plates lie together."""
    worth = np.empty((LINES, 5), np.float32)
    list_worths(state, seat, value, worth)
    placings = 0
    start = 0
    for index in range(n):
        move = int(moves[index])
        if move < PLACINGS:
            out[index] = take_worth(state, seat, move, worth)
            start = index + 1
        elif move < DRAW:
            placings += 1
        elif move == DRAW:
            out[index] = DRAWN if state["phase"] == ACQUIRE else DRAWN_AGAIN
        elif move >= CHIP_TAKES:
            out[index] = chip_worth(state, seat, int(state["chip"][move - CHIP_TAKES]) - FACE_UP)
        else:
            out[index] = 0.0
    if placings > 0:
        rate_placings(state, seat, moves, start, start + placings, value, worth, out)


@kernel
def list_worths(state: State, seat: int, value: Floats, worth: Floats) -> None:
    """What a tile of each colour would be worth in each row; WAITS or less if there is no space for it."""
    for row in range(LINES):
        none = np.float32(-IN_VAIN if plates_on_row(state, seat, row) == 3 else WAITS)
        for color in range(5):
            worth[row, color] = none
        for column in range(6):
            here = value[row * 6 + column]
            space = space_at(state, seat, row, column)
            for color in range(5):
                takes = space == WILD or space == color  # noqa: PLR1714  compiled tuples have one type
                if takes and here > 0:
                    old = worth[row, color]
                    worth[row, color] = here if old == none else max(old, here)


@kernel
def space_worth(state: State, seat: int, row: int, column: int) -> float:
    """The points of a tile on a space, and how much nearer it brings special tiles and objectives."""
    if state["tile"][seat, row * 6 + column] > 0:
        return 0.0
    special = special_points(state, seat, row, column)
    value = float(placement_points(state, seat, row, column)) + special
    if special == 0:
        value += TO_SPECIAL * special_row(state, seat, row, column)
    return value + aim_worth(state, seat, row, column)


@kernel
def aim_worth(state: State, seat: int, row: int, column: int) -> float:
    """How much nearer a tile on a space brings the objectives."""
    tiles = state["tile"][seat]
    wanted = int(state["objectives"])
    value = 0.0
    if wanted >> ROWS & 1:
        value += 0.12 * filled_of(tiles, 6 * row, 1)
    if wanted >> COLUMNS & 1:
        value += 0.3 * filled_of(tiles, column, 6)
    if wanted >> EDGE & 1 and (row in (0, 5) or column in (0, 5)):
        value += 1.0
    if wanted >> DIAGONALS & 1 and row == column:
        value += 0.4 * filled_of(tiles, 0, 7)
    if wanted >> DIAGONALS & 1 and row + column == 5:
        value += 0.4 * filled_of(tiles, 5, 5)
    if wanted >> CORNERS & 1 and row // 2 != 1 and column // 2 != 1:
        value += 1.5 if row > 3 else 0.6
    if wanted >> FIVE_COLORS & 1:
        value += 0.15 * colors_of(tiles, row)
    if wanted >> ALL_WILD & 1 and space_at(state, seat, row, column) == WILD:
        value += 1.5
    return value


@kernel
def special_row(state: State, seat: int, row: int, column: int) -> int:
    """The points of the special tile for which the plate of a space waits."""
    for index in range(4):
        line, place = row // 2 * 2 + index // 2, column // 2 * 2 + index % 2
        if space_at(state, seat, line, place) == SPECIAL and state["tile"][seat, line * 6 + place] == 0:
            return line + 1
    return 0


@kernel
def take_worth(state: State, seat: int, move: int, worth: Floats) -> float:
    """What a take builds up, and what it breaks."""
    pair, target = divmod(move, TARGETS)
    source, color = divmod(pair, 5)
    value = 0.0
    if source == MOON:
        over = int(state["large_moon"][color])
        if over > 0 and state["marker"] == ON_LARGE:
            value += FIRST
        for factory in range(SMALL):
            if top_tile(state, factory) == color + 1:
                over += 1
    else:
        over = int(state["sun"][source, color])
    if target > 0:
        row = target - 1
        have = int(state["line_count"][seat, row])
        fit = min(over, row + 1 - have)
        over -= fit
        if have + fit == row + 1:
            value += worth[row, color] + COMPLETE
        else:
            part = (have + fit) / (row + 1)
            value += worth[row, color] * part * part * PARTIAL - BEGUN * (row + 1 - have - fit)
        if have > 0:
            part = have / (row + 1)
            value -= worth[row, color] * part * part * PARTIAL
    broken = broken_tiles(state, seat)
    return value - float(PENALTIES[min(BROKEN, broken + over)] - PENALTIES[broken])


@kernel
def chip_worth(state: State, seat: int, chip: int) -> float:
    """A chip is worth more if lines have its colour."""
    value = CHIP
    for row in range(LINES):
        count = int(state["line_count"][seat, row])
        if 0 < count <= row and CHIP_SHOWS[chip] >> int(state["line_color"][seat, row]) & 1:
            value += MATCHING
    return value


@kernel
def rate_placings(
    state: State, seat: int, moves: Ints, start: int, end: int, value: Floats, worth: Floats, out: Floats
) -> None:
    """A plate by the spaces that it brings; only the best ways to place it look like anything."""
    wish = np.empty((36, 7), np.float32)
    list_wishes(state, seat, value, worth, wish)
    best = np.float32(-1000.0)
    for index in range(start, end):
        place, turn = divmod(int(moves[index]) - PLACINGS, 4)
        plate, slot = divmod(place, 9)
        total = np.float32(0.0)
        for part in range(4):
            space = (slot // 3 * 2 + part // 2) * 6 + slot % 3 * 2 + part % 2
            total += wish[space, SPACES[plate + 1, turn, part]]
        out[index] = total
        best = max(best, total)
    for index in range(start, end):
        out[index] = PLATE + 0.3 * best + SHARPER * (out[index] - best)


@kernel
def list_wishes(state: State, seat: int, value: Floats, worth: Floats, wish: Floats) -> None:
    """What each space would be worth, by what a new plate shows there."""
    for space in range(36):
        row = space // 6
        here = value[space]
        count = int(state["line_count"][seat, row])
        held = int(state["line_color"][seat, row])
        missing = 0
        for color in range(5):
            wish[space, color] = 0.25 * here
            if worth[row, color] == WAITS:
                wish[space, color] += 0.4
                missing += 1
        wish[space, WILD] = 0.3 * here + 0.2 * missing + 0.4
        wish[space, SPECIAL] = 0.4 * (row + 1)
        if count > 0:
            gain = here if worth[row, held] == WAITS else max(0.0, here - worth[row, held])
            wish[space, held] += gain * count / (row + 1)
            wish[space, WILD] += gain * count / (row + 1)


@kernel
def rate_orders(state: State, seat: int, moves: Ints, n: int, out: Floats) -> None:
    """The other player shall not like what lies on top."""
    for index in range(n):
        order = int(moves[index]) - STACKS
        top = order % 6 if order % 6 > 0 else order // 6 % 6
        value = 0.0
        for row in range(LINES):
            count = int(state["line_count"][1 - seat, row])
            if count > 0 and state["line_color"][1 - seat, row] == top - 1:
                value -= 0.8 if count == row else 0.3
            count = int(state["line_count"][seat, row])
            if count > 0 and state["line_color"][seat, row] == top - 1:
                value += 0.4 if count == row else 0.15
        out[index] = value


@kernel
def rate_tilings(state: State, seat: int, moves: Ints, n: int, value: Floats, out: Floats) -> None:
    """A space by its worth, chips by how many and how useful; in the last round they are for nothing else."""
    row = int(state["next_line"][seat])
    last = state["round"] == ROUNDS
    for index in range(n):
        move = int(moves[index])
        if move >= STAYS:
            out[index] = 0.0 if last else 1.0
            continue
        payment, column = divmod((move - TILINGS) % (PAYMENTS * 6), 6)
        cost = 0.0
        for chip in range(CHIP_TYPES):
            cost += payment % 3 * (CHIP_PAID if chip < 5 else CHIP_PAID + 0.2)
            payment //= 3
        out[index] = value[row * 6 + column] - (0.2 * cost if last else cost)
        if space_at(state, seat, row, column) == WILD:
            out[index] -= 0.3  # wild spaces are for later


_STYLE = Style(past_chance=True, playout=0, explore=0.5)

LEVELS: dict[str, Bot] = {
    "beginner": partial(first_sight, noise=4.0),
    "casual": greedy,
    "club": partial(search_tree, style=replace(_STYLE, widest=12, budget=Budget(60, 150))),
    "expert": partial(search_tree, style=replace(_STYLE, budget=Budget(2_500, 1_000))),
    "champion": partial(search_tree, style=replace(_STYLE, playout=6, threads=2, budget=Budget(20_000, 500))),
}
"""A turn has several moves, so the limits are for less than a turn."""
