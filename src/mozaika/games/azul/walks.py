"""The legal moves of Azul as walks over spots, each with a ghost of what it would do and its points."""

from functools import cache

import numpy as np

from mozaika.games.azul import rules
from mozaika.games.azul.artwork import MARKER_SYMBOL, TILE_SYMBOLS
from mozaika.games.azul.layout import SOURCE_SPOTS, TARGET_SPOTS, WALL_SPOTS, Layout, Seating
from mozaika.games.azul.notation import write_move
from mozaika.games.azul.pieces import (
    CENTRE,
    FLOOR,
    LINES,
    MOST_MOVES,
    OFFER,
    ON_CENTRE,
    PLACES,
    TARGETS,
    TILING,
)
from mozaika.kernel import swift_rule
from mozaika.scene import Sprite, Walk, part
from mozaika.state import State, copy_of

_move_text = cache(write_move)

Ghost = tuple[Sprite, ...]


def walk(view: State, seat: int, layout: Layout) -> list[Walk]:
    """All that a seat may do now, in the order of `rules.legal`."""
    if view["phase"] == OFFER and view["turn"] == seat:
        return _Takes(view, seat, layout).walk()
    if view["phase"] == TILING and view["next_line"][seat] < LINES:
        return _walk_places(view, seat, layout.boards[0].seating)
    return []


def move_along(view: State, seat: int, spots: tuple[str, ...]) -> int:
    """The move of a walk, whether it is legal or not."""
    if spots not in _MOVES:
        raise ValueError(f"No move goes over {', '.join(spots)}.")
    return _MOVES[spots]


_MOVES = {
    (SOURCE_SPOTS[source][color], TARGET_SPOTS[target]): (source * 5 + color) * TARGETS + target
    for source in range(10)
    for color in range(5)
    for target in range(TARGETS)
} | {(WALL_SPOTS[row][column],): PLACES + row * 5 + column for row in range(LINES) for column in range(5)}


def _list_moves(view: State, seat: int) -> list[int]:
    moves = np.empty(MOST_MOVES, np.int32)
    found: list[int] = moves[: swift_rule(rules.legal)(view, seat, moves)].tolist()
    return found


class _Takes:
    """The takes of one turn. Many do the same to the board, which is worked out once."""

    def __init__(self, view: State, seat: int, layout: Layout) -> None:
        self.view, self.seat, self.layout = view, seat, layout
        self.after, self.look_out = copy_of(view), swift_rule(rules.outlook)
        self.counts: list[int] = view["line_count"][seat].tolist()
        self.fallen = int(view["fallen"][seat])
        self.marked = bool(view["marker"] == ON_CENTRE)
        self.before = self.look_out(view, seat)
        self.effects: dict[tuple[int, int, int, bool], tuple[Ghost, int]] = {}
        self.outlooks: dict[tuple[int, int, int], int] = {}

    def walk(self) -> list[Walk]:
        walks: list[Walk] = []
        sources = self.view["sources"].tolist()
        for move in _list_moves(self.view, self.seat):
            (source, color), target = divmod(move // TARGETS, 5), move % TARGETS
            take = (color, sources[source][color], target, source == CENTRE and self.marked)
            if take not in self.effects:
                self.effects[take] = self.foresee(*take)
            spots = (SOURCE_SPOTS[source][color], TARGET_SPOTS[target])
            walks.append(Walk(_move_text(move), spots, *self.effects[take]))
        return walks

    def foresee(self, color: int, n: int, target: int, marked: bool) -> tuple[Ghost, int]:
        """What a take would do: the sprites that would appear, and how the outlook would change."""
        held = self.counts[target - 1] if target else 0
        ghost, after = _show_take(self.layout, color, n, target, held, self.fallen, marked)
        completed = target if target and held + n >= target else 0
        key = (completed, color if completed else 0, after)
        if key not in self.outlooks:
            self.outlooks[key] = self.outlook(*key)
        return ghost, self.outlooks[key] - self.before

    def outlook(self, completed: int, color: int, fallen: int) -> int:
        """The outlook when a line has been completed and so many floor spaces are occupied."""
        after, line = self.after, (self.seat, completed - 1)
        after["fallen"][self.seat] = fallen
        if not completed:
            return self.look_out(after, self.seat)
        after["line_count"][line], after["line_color"][line] = completed, color
        outlook = self.look_out(after, self.seat)
        after["line_count"][line] = self.counts[completed - 1]
        return outlook


@part
def _show_take(
    layout: Layout, color: int, n: int, target: int, held: int, fallen: int, marked: bool
) -> tuple[Ghost, int]:
    """The sprites that a take brings to the viewer's board, and how many floor spaces are occupied then."""
    seating, symbol, fit = layout.boards[0].seating, TILE_SYMBOLS[color], 0
    ghost: list[Sprite] = []
    if target:
        fit = min(n, target - held)  # AZ-A4
        ghost = [place.hold(symbol) for place in seating.lines[target - 1][held : held + fit]]
    if marked:  # AZ-A3, AZ-A8
        ghost.append((*seating.floor, seating.held)[fallen].hold(MARKER_SYMBOL))
        fallen = min(FLOOR, fallen + 1)
    after = min(FLOOR, fallen + n - fit)  # AZ-A7
    ghost += [place.hold(symbol) for place in seating.floor[fallen:after]]
    return tuple(ghost), after


def _walk_places(view: State, seat: int, seating: Seating) -> list[Walk]:
    color, filled = int(view["line_color"][seat, view["next_line"][seat]]), rules.occupied(view, seat)
    walks = []
    for move in _list_moves(view, seat):
        row, column = divmod(move - PLACES, 5)
        ghost = (seating.wall[row][column].hold(TILE_SYMBOLS[color]),)
        points = rules.placement_points(filled, row, column)
        walks.append(Walk(_move_text(move), (WALL_SPOTS[row][column],), ghost, points))
    return walks
