"""The ground of an Azul picture: table, plates, boards and ledger as SVG texts that stay through a game."""

from functools import lru_cache

import numpy as np

from mozaika.games.azul import artwork
from mozaika.games.azul.artwork import TILE_SYMBOLS
from mozaika.games.azul.layout import (
    BODY_HEIGHT,
    BODY_WIDTH,
    FLOOR_TOP,
    FRIEZE_UNITS,
    INSET,
    LETTER_SIZES,
    LINES_LEFT,
    PITCH,
    SPACE,
    WALL_LEFT,
    Board,
    Heap,
    Layout,
    lay_out,
)
from mozaika.games.azul.pieces import FLOOR, LINES, PENALTIES
from mozaika.games.azul.rules import printed_column
from mozaika.places import (
    Place,
    draw_box,
    draw_circle,
    draw_frame,
    draw_frieze,
    draw_table,
    draw_text,
    draw_use,
    size_texts,
)
from mozaika.scene import Shape

_ROUNDED_SQUARE = "h26q5 0 5 5v26q0 5-5 5h-26q-5 0-5-5v-26q0-5 5-5z"


def _draw_spaces(left: float, top: float, places: list[tuple[int, int]]) -> str:
    """Outlines of spaces as one path; places are (column, row)."""
    return "".join(f"M{left + PITCH * x + 7:g} {top + PITCH * y + 2:g}{_ROUNDED_SQUARE}" for x, y in places)


_LINE_SPACES = [(column, row) for row in range(LINES) for column in range(4 - row, 5)]
_WALL_SPACES = [(column, row) for row in range(LINES) for column in range(5)]
_FLOOR_SPACES = [(column, 0) for column in range(FLOOR)]
_PRINTED = "".join(
    draw_use(
        symbol, Place(WALL_LEFT + PITCH * printed_column(row, color) + INSET, PITCH * row + INSET, SPACE)
    )
    for row in range(LINES)
    for color, symbol in enumerate(TILE_SYMBOLS)
)
_ARROWS = "".join(
    f'<path class="mz-az-arrow" d="M225 {PITCH * row + 14}l7 6l-7 6z"/>' for row in range(LINES)
)
_BODY = (
    f'<path class="mz-az-space" d="{_draw_spaces(LINES_LEFT, 0, _LINE_SPACES)}"/>'
    f'<path class="mz-az-space mz-az-low" d="{_draw_spaces(LINES_LEFT, FLOOR_TOP, _FLOOR_SPACES)}"/>{_ARROWS}'
)
_WALLS = {
    "coloured": f'<g class="mz-az-printed">{_PRINTED}</g>',
    "grey": f'<path class="mz-az-space mz-az-grey" d="{_draw_spaces(WALL_LEFT, 0, _WALL_SPACES)}"/>',
}
_NUMBERS = {"near": 17, "middle": 20}
"""How large the numbers on a body are; on one that is far away there are none, for nobody could read them."""


def _distance(board: Board) -> str:
    return "near" if board.pitch > 40 else "middle" if board.pitch >= 30 else "far"


def _write_numbers(side: str, size: int) -> str:
    """Of the lines, of the columns of a grey wall, and what the floor costs."""
    middle = 20 + 0.35 * size
    lines = [
        draw_text(
            f"mz-az-line-{size}", LINES_LEFT + PITCH * (4 - row) - 9, PITCH * row + middle, str(row + 1)
        )
        for row in range(LINES)
    ]
    columns = [
        draw_text(f"mz-az-column-{size}", WALL_LEFT + PITCH * column + 20, middle, str(column + 1))
        for column in range(5 if side == "grey" else 0)
    ]
    costs = [
        draw_text(f"mz-az-penalty-{size}", LINES_LEFT + PITCH * space + 20, FLOOR_TOP + middle, f"−{cost}")
        for space, cost in enumerate(np.diff(PENALTIES))
    ]
    return "".join((*lines, *columns, *costs))


_BODIES = "".join(
    f'<symbol id="azul-body-{side}-{distance}" viewBox="0 0 {BODY_WIDTH} {BODY_HEIGHT}">{_BODY}{wall}'
    + (_write_numbers(side, _NUMBERS[distance]) if distance in _NUMBERS else "")
    + "</symbol>"
    for side, wall in _WALLS.items()
    for distance in (*_NUMBERS, "far")
)
SYMBOLS = artwork.SYMBOLS + draw_frieze("azul-frieze", FRIEZE_UNITS, artwork.FRIEZE) + _BODIES

STYLE = artwork.STYLE + size_texts("mz-az", sorted({*LETTER_SIZES, *_NUMBERS.values()}))


@lru_cache(maxsize=64)
def draw_ground(seats: int, grey: bool, shape: Shape, bag: str, lid: str) -> str:
    """The words are given, so that a ground is kept for each language."""
    layout = lay_out(seats, shape)
    return "".join(
        (
            '<g aria-hidden="true">',
            draw_table("mz-az", "azul-weave", layout.width, layout.height, shape),
            _draw_offer(layout),
            *(_draw_board(board, grey) for board in layout.boards),
            layout.ledger.draw("mz-az", "word", (bag, lid), TILE_SYMBOLS),
            "</g>",
        )
    )


def _draw_offer(layout: Layout) -> str:
    corner = min(layout.pool.width, layout.pool.height) / 2
    parts = [
        draw_box("mz-az-pool", layout.pool, corner),
        draw_box("mz-az-rule", layout.pool, corner - 5, 5),
    ]
    if layout.ring:
        parts.insert(0, '<circle class="mz-az-thread" cx="{:g}" cy="{:g}" r="{:g}"/>'.format(*layout.ring))
    parts += [draw_circle("mz-az-thread", layout.marker, 1), *map(_draw_trace, TILE_SYMBOLS, layout.heaps)]
    for number, factory in enumerate(layout.factories, 1):
        cx, cy, radius = factory.x, factory.y, factory.radius
        above = cy - factory.places[0].y + 7
        dx, dy = (0, above) if layout.ring else (0.84 * radius, 0.78 * radius)
        if not layout.ring and cy > layout.factories[0].y:
            dy = -dy - 2
        parts.append(draw_use("azul-plate", Place(cx - radius, cy - radius, 2 * radius)))
        parts.append(draw_text(f"mz-az-number-{layout.number}", cx - dx, cy - dy + 3, str(number)))
    return "".join(parts)


def _draw_trace(symbol: str, heap: Heap) -> str:
    """Which colour lies where in the centre; small, so that a tile covers it."""
    x, y, tile = heap.places(1)[0]
    return draw_use(symbol, Place(x + 0.2 * tile, y + 0.2 * tile, 0.6 * tile), "mz-az-trace")


def _draw_board(board: Board, grey: bool) -> str:
    body, side = board.body, f"{'grey' if grey else 'coloured'}-{_distance(board)}"
    return (
        draw_frame("mz-az", "azul-frieze", board)
        + f'<use href="#azul-body-{side}" x="{body.x:g}" y="{body.y:g}" width="{body.width:g}"'
        f' height="{body.height:g}"/>' + draw_use("azul-turn", board.turn, "mz-az-unlit")
    )
