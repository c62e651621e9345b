"""The legal moves of Azul as walks over spots, each with a ghost of what it would do and its points."""

from functools import cache
from itertools import product

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
from mozaika.kernel import kernel, swift_rule
from mozaika.scene import Sprite, Walk, part
from mozaika.state import Ints, State, copy_of

_move_text = cache(write_move)

Ghost = tuple[Sprite, ...]


def walk(view: State, seat: int, layout: Layout) -> list[Walk]:
    """All that a seat may do now, in the order of `rules.legal`."""
    if view["phase"] == OFFER and view["turn"] == seat:
        return _walk_takes(view, seat, layout)
    if view["phase"] == TILING and view["next_line"][seat] < LINES:
        return _walk_places(view, seat, layout.boards[0].seating)
    return []


def move_along(view: State, seat: int, spots: tuple[str, ...]) -> int:
    """The move of a walk, whether it is legal or not."""
    if spots not in _MOVES:
        raise ValueError(f"No move goes over {', '.join(spots)}.")
    return _MOVES[spots]


_TAKES = tuple(
    (source, color, target, write_move(move), (SOURCE_SPOTS[source][color], TARGET_SPOTS[target]))
    for move, (source, color, target) in enumerate(product(range(10), range(5), range(TARGETS)))
)
"""Of each take, by its number, what never changes."""

_MOVES = {spots: move for move, (*_, spots) in enumerate(_TAKES)} | {
    (WALL_SPOTS[row][column],): PLACES + row * 5 + column for row in range(LINES) for column in range(5)
}


def _list_moves(view: State, seat: int) -> list[int]:
    moves = np.empty(MOST_MOVES, np.int32)
    found: list[int] = moves[: swift_rule(rules.legal)(view, seat, moves)].tolist()
    return found


def _walk_takes(view: State, seat: int, layout: Layout) -> list[Walk]:
    moves = _list_moves(view, seat)
    points = np.empty(len(moves), np.int32)
    swift_rule(foresee)(copy_of(view), seat, np.array(moves, np.int32), points)
    sources, counts = view["sources"].tolist(), [0, *view["line_count"][seat].tolist()]
    fallen, marked = int(view["fallen"][seat]), bool(view["marker"] == ON_CENTRE)
    ghosts: dict[tuple[int, int, int, bool], Ghost] = {}
    """Many takes bring the same to the board."""
    walks: list[Walk] = []
    for move, gained in zip(moves, points.tolist(), strict=True):
        source, color, target, text, spots = _TAKES[move]
        take = (color, sources[source][color], target, marked and source == CENTRE)
        ghost = ghosts.get(take)
        if ghost is None:
            ghost = ghosts[take] = _show_take(layout, *take, counts[target], fallen)
        walks.append(Walk(text, spots, ghost, gained))
    return walks


@kernel
def foresee(state: State, seat: int, moves: Ints, points: Ints) -> None:
    """How each of some takes would change the outlook of a seat; in the end the state is as it was."""
    before = rules.outlook(state, seat)
    fallen = int(state["fallen"][seat])
    for index in range(len(moves)):
        move = int(moves[index])
        target, color, source = move % TARGETS, move // TARGETS % 5, move // TARGETS // 5
        n = int(state["sources"][source, color])
        down = fallen + n
        if source == CENTRE and state["marker"] == ON_CENTRE:  # AZ-A3, AZ-A8
            down = min(FLOOR, fallen + 1) + n
        if target == 0:
            state["fallen"][seat] = min(FLOOR, down)
            points[index] = rules.outlook(state, seat) - before
        else:
            line = target - 1
            held, held_color = int(state["line_count"][seat, line]), int(state["line_color"][seat, line])
            fit = min(n, target - held)
            state["fallen"][seat] = min(FLOOR, down - fit)
            state["line_count"][seat, line] = held + fit
            state["line_color"][seat, line] = color
            points[index] = rules.outlook(state, seat) - before
            state["line_count"][seat, line] = held
            state["line_color"][seat, line] = held_color
    state["fallen"][seat] = fallen


@part
def _show_take(
    layout: Layout, color: int, n: int, target: int, marked: bool, held: int, fallen: int
) -> Ghost:
    """The sprites that a take brings to the viewer's board."""
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
    return tuple(ghost)


def _walk_places(view: State, seat: int, seating: Seating) -> list[Walk]:
    color, filled = int(view["line_color"][seat, view["next_line"][seat]]), rules.occupied(view, seat)
    walks = []
    for move in _list_moves(view, seat):
        row, column = divmod(move - PLACES, 5)
        ghost = (seating.wall[row][column].hold(TILE_SYMBOLS[color]),)
        points = rules.placement_points(filled, row, column)
        walks.append(Walk(_move_text(move), (WALL_SPOTS[row][column],), ghost, points))
    return walks
