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
_COLUMN_NUMBERS = "".join(
    f'<text class="mz-az-space-number" x="{WALL_LEFT + PITCH * column + 20}" y="25">{column + 1}</text>'
    for column in range(5)
)
_LINE_NUMBERS = "".join(
    f'<text class="mz-az-line-number" x="{LINES_LEFT + PITCH * (4 - row) - 9}" y="{PITCH * row + 25}">'
    f"{row + 1}</text>"
    f'<path class="mz-az-arrow" d="M225 {PITCH * row + 14}l7 6l-7 6z"/>'
    for row in range(LINES)
)
_PENALTIES = "".join(
    f'<text class="mz-az-penalty" x="{LINES_LEFT + PITCH * space + 20}" y="{FLOOR_TOP + 26}">−{cost}</text>'
    for space, cost in enumerate(np.diff(PENALTIES))
)
_BODY = (
    f'<path class="mz-az-space" d="{_draw_spaces(LINES_LEFT, 0, _LINE_SPACES)}"/>'
    f'<path class="mz-az-space mz-az-low" d="{_draw_spaces(LINES_LEFT, FLOOR_TOP, _FLOOR_SPACES)}"/>'
    f"{_LINE_NUMBERS}{_PENALTIES}"
)
_BODIES = (
    f'<symbol id="azul-body-coloured" viewBox="0 0 {BODY_WIDTH} {BODY_HEIGHT}">{_BODY}'
    f'<g class="mz-az-printed">{_PRINTED}</g></symbol>'
    f'<symbol id="azul-body-grey" viewBox="0 0 {BODY_WIDTH} {BODY_HEIGHT}">{_BODY}'
    f'<path class="mz-az-space mz-az-grey" d="{_draw_spaces(WALL_LEFT, 0, _WALL_SPACES)}"/>'
    f"{_COLUMN_NUMBERS}</symbol>"
)
SYMBOLS = artwork.SYMBOLS + draw_frieze("azul-frieze", FRIEZE_UNITS, artwork.FRIEZE) + _BODIES

STYLE = artwork.STYLE + size_texts("mz-az", LETTER_SIZES)


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
        dx, dy = (0, 0.7 * radius) if layout.ring else (0.84 * radius, 0.78 * radius)
        if not layout.ring and cy > layout.factories[0].y:
            dy = -dy - 2
        parts.append(draw_use("azul-plate", Place(cx - radius, cy - radius, 2 * radius)))
        parts.append(draw_text("mz-az-factory-number", cx - dx, cy - dy + 3, str(number)))
    return "".join(parts)


def _draw_trace(symbol: str, heap: Heap) -> str:
    """Which colour lies where in the centre; small, so that a tile covers it."""
    x, y, tile = heap.places(1)[0]
    return draw_use(symbol, Place(x + 0.2 * tile, y + 0.2 * tile, 0.6 * tile), "mz-az-trace")


def _draw_board(board: Board, grey: bool) -> str:
    body, side = board.body, "grey" if grey else "coloured"
    return (
        draw_frame("mz-az", "azul-frieze", board)
        + f'<use href="#azul-body-{side}" x="{body.x:g}" y="{body.y:g}" width="{body.width:g}"'
        f' height="{body.height:g}"/>' + draw_use("azul-turn", board.turn, "mz-az-unlit")
    )
