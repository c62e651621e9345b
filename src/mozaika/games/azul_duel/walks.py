"""The legal moves of Azul Duel as walks over spots, each with a ghost of what it would do and its points."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from mozaika.games.azul_duel.artwork import CHIP_SYMBOLS, MARKER_SYMBOL, PLATE_SYMBOLS, TILE_SYMBOLS
from mozaika.games.azul_duel.chips import price
from mozaika.games.azul_duel.dome import free_columns, placement_points, special_after
from mozaika.games.azul_duel.factories import rest_code
from mozaika.games.azul_duel.layout import (
    CHIP_SPOTS,
    MOON_SPOTS,
    SLOT_SPOTS,
    SPACE_SPOTS,
    STAY_SPOTS,
    STORE_SPOTS,
    SUN_SPOTS,
    TARGET_SPOTS,
    Layout,
    name_back_spot,
    name_plate_spot,
    name_rest_spot,
    name_turn_spot,
    spread,
)
from mozaika.games.azul_duel.lines import open_lines
from mozaika.games.azul_duel.notation import (
    join_order,
    join_payment,
    join_placing,
    join_take,
    list_order,
    write_move,
    write_tiling,
)
from mozaika.games.azul_duel.pieces import (
    ACQUIRE,
    BROKEN,
    CHIP_LETTERS,
    CHIP_SHOWS,
    CHIP_TAKES,
    CHIPS_A_ROUND,
    CHIPS_OF_A_TYPE,
    CHOICE,
    DRAW,
    DRAWING,
    FACE_UP,
    LARGE,
    LETTERS,
    LINES,
    MARKER_PENALTY,
    PAYMENTS,
    PENALTIES,
    PLATES,
    REST_ORDERS,
    RETURN,
    RETURNS,
    SETUP,
    SMALL,
    STACK,
    STACKS,
    STAYS,
    STOP,
    TARGETS,
    TILE_SPECIAL,
    TILINGS,
)
from mozaika.games.azul_duel.seen import Counts, Seen
from mozaika.kernel import kernel, swift_rule
from mozaika.scene import Sprite, Walk, part
from mozaika.state import Ints, State, copy_of

_move_text = lru_cache(maxsize=1 << 13)(write_move)

Ghost = tuple[Sprite, ...]

SOURCE_SPOTS = (*SUN_SPOTS, MOON_SPOTS)


def walk(view: State, seen: Seen, seat: int, layout: Layout) -> Sequence[Walk]:
    """All that a seat may do now, in the order of `rules.legal`."""
    if not seen.is_mover(seat):
        return ()
    phase, dome = seen.phase, seen.boards[seat].dome
    if phase == ACQUIRE:
        return _walk_actions(view, seen, seat, layout)
    if phase == SETUP:
        return _walk_plates(layout, dome.plates, seen.shown)
    if phase == STACK:
        return _walk_orders(view, seen, layout)
    if phase == DRAWING:
        return (_walk_draw(seen, seat, layout), Walk(_move_text(STOP), ("stop",), (), 0))
    if phase == CHOICE:
        return _walk_plates(layout, dome.plates, seen.hand)
    if phase == RETURN:
        return _walk_returns(seen, layout)
    return _walk_tilings(view, seat, layout)


def move_along(view: State, seat: int, spots: tuple[str, ...]) -> int:
    """The move of a walk, whether it is legal or not."""
    if spots in _MOVES:
        return _MOVES[spots]
    try:
        kinds = [spot.split("-") for spot in spots]
        match kinds:
            case [["plate", plate], ["turn", _, turn], ["slot", slot]]:
                return join_placing(_number(plate, PLATES), _number(slot, 9) - 1, int(turn) % 4)
            case [["plate", plate], ["slot", slot]]:
                return join_placing(_number(plate, PLATES), _number(slot, 9) - 1, 0)
            case [["rest", rest, _], *_]:
                return STACKS + join_order(_complete(rest, [int(index) - 1 for _, _, index in kinds]))
            case [["space", row, column], *chips]:
                payment = join_payment(letters for _, letters, _ in chips)
                return _join_tiling(_number(row, LINES) - 1, _number(column, 6) - 1, payment)
            case [["store", letters, _]]:
                return _join_tiling(0, 0, join_payment([letters]))
    except (ValueError, IndexError):
        pass
    raise ValueError(f"No move goes over {', '.join(spots)}.")


def _number(text: str, most: int) -> int:
    if not 1 <= int(text) <= most:
        raise ValueError(f"{text} is not one of {most}.")
    return int(text)


def _complete(rest: str, stacked: list[int]) -> list[int]:
    """The order of a rest when these of its tiles lie at the bottom and the others follow."""
    others = [index for index in range(len(rest)) if index not in stacked]
    return [LETTERS.index(rest[index]) for index in (*stacked, *others)]


def _join_tiling(row: int, column: int, payment: int) -> int:
    return TILINGS + (row * PAYMENTS + payment) * 6 + column


_MOVES: dict[tuple[str, ...], int] = {("stack",): DRAW, ("stop",): STOP}
for _source, _spots in enumerate(SOURCE_SPOTS):
    for _color, _spot in enumerate(_spots):
        _MOVES[(_spot,)] = join_take(_source, _color, 0)
        for _target, _place in enumerate(TARGET_SPOTS):
            _MOVES[_spot, _place] = join_take(_source, _color, _target)
_MOVES |= {(name_back_spot(plate),): RETURNS + plate - 1 for plate in range(1, PLATES + 1)}
_MOVES |= {(spot,): join_placing(1, slot, 0) for slot, spot in enumerate(SLOT_SPOTS)}
_MOVES |= {(spot,): CHIP_TAKES + factory for factory, spot in enumerate(CHIP_SPOTS)}
_MOVES |= {(spot,): STAYS + row for row, spot in enumerate(STAY_SPOTS)}
_MOVES |= {(spot,): _join_tiling(row - 1, 0, 0) for row, spot in enumerate(TARGET_SPOTS) if row}
_MOVES[(TARGET_SPOTS[0],)] = join_take(0, 0, 0)


def _walk_actions(view: State, seen: Seen, seat: int, layout: Layout) -> list[Walk]:
    walks, owned = _Takes(view, seen, seat, layout).walk(), seen.boards[seat]
    if owned.tokens > 0:
        walks += _walk_plates(layout, owned.dome.plates, seen.shown)
        if seen.height > 0:
            walks.append(_walk_draw(seen, seat, layout))
    if owned.chosen < CHIPS_A_ROUND:
        place = layout.boards[0].seating.store[sum(owned.store)]
        for factory, chip in enumerate(seen.chips):
            if chip >= FACE_UP:
                ghost = (place.hold(CHIP_SYMBOLS[chip - FACE_UP]),)
                walks.append(Walk(_move_text(CHIP_TAKES + factory), (CHIP_SPOTS[factory],), ghost, 0))
    return walks


class _Takes:
    """The takes of tiles in one turn. Many do the same to the board, which is worked out once."""

    def __init__(self, view: State, seen: Seen, seat: int, layout: Layout) -> None:
        self.view, self.seen, self.seat, self.seating = view, seen, seat, layout.boards[0].seating
        owned = seen.boards[seat]
        self.counts, self.colors, self.dome = owned.counts, owned.colors, owned.dome
        self.broken, self.score, self.marked = sum(owned.broken), owned.score, owned.marked
        free, gains = np.zeros(NO_LINE, np.int32), np.zeros(NO_LINE + 1, np.int32)
        swift_rule(foresee)(copy_of(view), seat, free, gains)
        self.free, self.gains = free.tolist(), gains.tolist()
        self.effects: dict[tuple[int, int, int, bool], tuple[Ghost, int]] = {}
        self.doomed = sum(n for row, n in enumerate(self.counts) if n and self.breaks(row, self.colors[row]))
        self.before = self.outlook(-1, 0, self.broken, self.marked)

    def walk(self) -> list[Walk]:
        lines = open_lines(self.view, self.seat)
        walks: list[Walk] = []
        for source, taken in enumerate(self.sources()):
            for color, (n, marked) in enumerate(taken):
                for target in range(TARGETS if n else 0):
                    if lines >> TARGETS * color + target & 1:
                        take = (color, n, target, marked)
                        if take not in self.effects:
                            self.effects[take] = self.foresee(*take)
                        spots = (SOURCE_SPOTS[source][color], TARGET_SPOTS[target])
                        text = _move_text(join_take(source, color, target))
                        walks.append(Walk(text, spots, *self.effects[take]))
        return walks

    def sources(self) -> list[list[tuple[int, bool]]]:
        """For each source and colour: how many tiles, and whether the marker comes with them."""
        sun = self.seen.sun
        small = [[(n, False) for n in counts] for counts in sun[:SMALL]]
        large = [(n, 0 < n == sum(sun[LARGE])) for n in sun[LARGE]]  # AD-T5
        return [*small, large, list(self.seen.offered)]

    def foresee(self, color: int, n: int, target: int, marked: bool) -> tuple[Ghost, int]:
        """What a take would do: the sprites that would appear, and how the outlook would change."""
        symbol, ghost, fit, completed, row = TILE_SYMBOLS[color], [], 0, -1, target - 1
        if target:
            held = self.counts[row]
            fit = min(n, target - held)  # AD-L1
            ghost = [place.hold(symbol) for place in self.seating.lines[row][held : held + fit]]
            completed = row if held + fit == target else -1
        if marked:
            ghost.append(self.seating.marker.hold(MARKER_SYMBOL))
        broken = min(BROKEN, self.broken + n - fit)  # AD-L2
        ghost += [place.hold(symbol) for place in self.seating.broken[self.broken : broken]]
        if fit and self.breaks(row, color):  # AD-W3
            broken += fit
        marked = marked or self.marked
        return tuple(ghost), self.outlook(completed, color, broken, marked) - self.before

    def outlook(self, completed: int, color: int, broken: int, marked: bool) -> int:
        """How the points would change if the round ended now and one more line had been completed."""
        cost = int(PENALTIES[min(BROKEN, broken + self.doomed)]) + MARKER_PENALTY * marked
        gain = self.gains[completed * COLORS + color if completed >= 0 else NO_LINE]
        return max(-self.score, gain - cost)

    def breaks(self, row: int, color: int) -> bool:
        """AD-W3: whether the dome row will never take this colour."""
        first = row // 2 * 3
        return not self.free[row * COLORS + color] and 0 not in self.dome.plates[first : first + 3]


COLORS = len(LETTERS)
NO_LINE = LINES * COLORS


@kernel
def foresee(state: State, seat: int, free: Ints, gains: Ints) -> None:
    """For each row and colour: the free spaces of the dome, and what all complete lines would bring if that
    line were complete, too; last of all what they bring as they are. In the end the state is as it was.
    """
    for row in range(LINES):
        held = int(state["line_count"][seat, row])
        for color in range(COLORS):
            free[row * COLORS + color] = free_columns(state, seat, row, color)
            if held == 0 or (held <= row and state["line_color"][seat, row] == color):
                gains[row * COLORS + color] = gain(state, seat, row, color)
    gains[NO_LINE] = gain(state, seat, -1, 0)


@kernel
def gain(state: State, seat: int, completed: int, color: int) -> int:
    """AD-W1: the points of all complete lines and of one more; each takes the space that brings most."""
    points = 0
    filled = 0
    for row in range(LINES):
        line_color = -1
        if row == completed:
            line_color = color
        elif state["line_count"][seat, row] == row + 1:
            line_color = int(state["line_color"][seat, row])
        columns = free_columns(state, seat, row, line_color) if line_color >= 0 else 0
        best = 0
        spaces = 0
        for column in range(6):
            if columns >> column & 1:
                earned, special = earn(state, seat, row, column)
                if earned > best:
                    best = earned
                    spaces = 1 << row * 6 + column | (1 << special if special >= 0 else 0)
        points += best
        filled |= spaces
        fill(state, seat, spaces, TILE_SPECIAL)  # any tile: it only joins groups
    fill(state, seat, filled, 0)
    return points


@kernel
def fill(state: State, seat: int, spaces: int, tile: int) -> None:
    for space in range(36):
        if spaces >> space & 1:
            state["tile"][seat, space] = tile


@kernel
def earn(state: State, seat: int, row: int, column: int) -> tuple[int, int]:
    """AD-P3: the points of a tile on a space, and the space of the special tile that it brings, or -1."""
    points, space = placement_points(state, seat, row, column), row * 6 + column
    state["tile"][seat, space] = TILE_SPECIAL
    special = special_after(state, seat, row, column)
    state["tile"][seat, space] = 0
    if special >= 0:
        points += special // 6 + 1
    return points, special


@part
def _walk_plates(layout: Layout, slots: Counts, plates: Counts) -> tuple[Walk, ...]:
    """Each plate, turned in four ways, on each slot that is free."""
    places, walks = layout.boards[0].seating.slots, []
    free = [slot for slot, plate in enumerate(slots) if plate == 0]
    for plate in sorted(plate for plate in plates if plate):
        start, turns = name_plate_spot(plate), [name_turn_spot(plate, turn) for turn in range(4)]
        for slot in free:
            for turn, tray in enumerate(turns):
                ghost = (places[slot].hold(PLATE_SYMBOLS[plate], turn),)
                text = _move_text(join_placing(plate, slot, turn))
                walks.append(Walk(text, (start, tray, SLOT_SPOTS[slot]), ghost, 0))
    return tuple(walks)


def _walk_draw(seen: Seen, seat: int, layout: Layout) -> Walk:
    n = len(seen.hand)
    place = spread(layout.hand, n + 1, layout.most_held)[n]
    cost = 1 if seen.boards[seat].score > 0 else 0  # AD-A4
    return Walk(_move_text(DRAW), ("stack",), (place.hold(PLATE_SYMBOLS[seen.back]),), -cost)


def _walk_returns(seen: Seen, layout: Layout) -> list[Walk]:
    n = len(seen.under)
    place = spread(layout.under, n + 1, layout.most_under)[n]
    return [
        Walk(
            _move_text(RETURNS + plate - 1), (name_back_spot(plate),), (place.hold(PLATE_SYMBOLS[plate]),), 0
        )
        for plate in sorted(seen.hand)
    ]


def _walk_orders(view: State, seen: Seen, layout: Layout) -> list[Walk]:
    """AD-T1: one points at the tiles from bottom to top until the others are all alike."""
    factory, rest = seen.stacking - 1, seen.rest
    places = layout.factories[factory].stack
    count, *orders = REST_ORDERS[rest_code(view, factory)].tolist()
    walks = []
    for order in orders[:count]:
        colors = list_order(order)
        spots: list[str] = []
        left = list(enumerate(rest))
        while len({letter for _, letter in left}) > 1:
            index, letter = next(tile for tile in left if tile[1] == LETTERS[colors[len(spots)]])
            left.remove((index, letter))
            spots.append(name_rest_spot(rest, index))
        ghost = tuple(place.hold(TILE_SYMBOLS[color]) for place, color in zip(places, colors, strict=False))
        walks.append(Walk(_move_text(STACKS + order), tuple(spots), ghost, 0))
    return walks


def _walk_tilings(view: State, seat: int, layout: Layout) -> tuple[Walk, ...]:
    row = int(view["next_line"][seat])
    color, missing = int(view["line_color"][seat, row]), row + 1 - int(view["line_count"][seat, row])
    free = swift_rule(free_columns)(view, seat, row, color)
    spaces, after, effects = layout.boards[0].seating.spaces, copy_of(view), []
    for column in range(6):
        if free >> column & 1:
            points, special = swift_rule(earn)(after, seat, row, column)
            ghost = [spaces[row][column].hold(TILE_SYMBOLS[color])]
            if special >= 0:
                ghost.append(spaces[special // 6][special % 6].hold(TILE_SYMBOLS[-1]))
            effects.append((column, tuple(ghost), points))
    return _walk_payments(row, tuple(effects), tuple(view["store"][seat].tolist()), color, missing)


@part
def _walk_payments(
    row: int, effects: tuple[tuple[int, Ghost, int], ...], store: tuple[int, ...], color: int, missing: int
) -> tuple[Walk, ...]:
    """Every payment for every space, with what a tile does there."""
    places = [
        (write_tiling(row, column, 0), SPACE_SPOTS[row][column], tiles, points)
        for column, tiles, points in effects
    ]
    walks = [
        Walk(text + pay, (spot, *chips), tiles, points)
        for pay, chips in _payments(store, color, missing)
        for text, spot, tiles, points in places
    ]
    if missing:
        walks.append(Walk(_move_text(STAYS + row), (STAY_SPOTS[row],), (), 0))
    return tuple(walks)


def _payments(store: tuple[int, ...], color: int, missing: int) -> list[tuple[str, tuple[str, ...]]]:
    """AD-W4: the payments for so many missing tiles, ascending, as a move ends with them, and the chips one
    points at.
    """
    handfuls: list[tuple[int, int, str, tuple[str, ...]]] = [(0, 0, "", ())]
    shows = [int(shown) >> color & 1 for shown in CHIP_SHOWS]
    left, matching_left = sum(store), sum(n for n, matches in zip(store, shows, strict=True) if matches)
    prices = [price(matching, missing) for matching in range(left + 1)]
    for chip, owned in reversed([*enumerate(store)]):
        if owned:
            left, matches = left - owned, shows[chip]
            handfuls = [
                (chips + n, matching + n * matches, _CHIPS[chip][n] + text, STORE_SPOTS[chip][:n] + spots)
                for chips, matching, text, spots in handfuls
                for n in range(
                    max(0, prices[matching + matching_left] - chips - left),
                    min(owned, prices[matching] - chips) + 1,
                )
            ]
            matching_left -= owned * matches
    return [
        (f" pay{text}" if text else "", spots)
        for chips, matching, text, spots in handfuls
        if chips == prices[matching]
    ]


_CHIPS = tuple(tuple(f" {letters}" * n for n in range(CHIPS_OF_A_TYPE + 1)) for letters in CHIP_LETTERS)
"""So many chips of a type, as they stand in a move."""
