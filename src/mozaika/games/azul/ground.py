"""The ground of an Azul picture: table, plates, boards and ledger as SVG texts that stay through a game."""

from functools import lru_cache
from xml.sax.saxutils import escape

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
    Ledger,
    Place,
    lay_out,
)
from mozaika.games.azul.pieces import FLOOR, LINES, PENALTIES
from mozaika.games.azul.rules import printed_column
from mozaika.scene import Shape

_ROUNDED_SQUARE = "h26q5 0 5 5v26q0 5-5 5h-26q-5 0-5-5v-26q0-5 5-5z"


def _draw_spaces(left: float, top: float, places: list[tuple[int, int]]) -> str:
    """Outlines of spaces as one path; places are (column, row)."""
    return "".join(f"M{left + PITCH * x + 7:g} {top + PITCH * y + 2:g}{_ROUNDED_SQUARE}" for x, y in places)


def _draw_at(x: float, y: float, size: float) -> str:
    return f'x="{x:g}" y="{y:g}" width="{size:g}" height="{size:g}"'


_LINE_SPACES = [(column, row) for row in range(LINES) for column in range(4 - row, 5)]
_WALL_SPACES = [(column, row) for row in range(LINES) for column in range(5)]
_FLOOR_SPACES = [(column, 0) for column in range(FLOOR)]
_PRINTED = "".join(
    f'<use href="#{symbol}"'
    f" {_draw_at(WALL_LEFT + PITCH * printed_column(row, color) + INSET, PITCH * row + INSET, SPACE)}/>"
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
_FRIEZES = "".join(
    f'<pattern id="azul-frieze-{unit}" width="{unit}" height="{unit}" patternUnits="userSpaceOnUse"'
    f' viewBox="0 0 16 16">{artwork.FRIEZE}</pattern>'
    for unit in FRIEZE_UNITS
)
SYMBOLS = artwork.SYMBOLS + _FRIEZES + _BODIES

STYLE = artwork.STYLE + "".join(
    f'text[class^="mz-az-"][class$="-{size}"]{{font-size:{size}px}}' for size in LETTER_SIZES
)


@lru_cache(maxsize=64)
def draw_ground(seats: int, grey: bool, shape: Shape, bag: str, lid: str) -> str:
    """The words are given, so that a ground is kept for each language."""
    layout = lay_out(seats, shape)
    corner = 18 if shape == "wide" else 0
    size = f'width="{layout.width:g}" height="{layout.height:g}" rx="{corner}"'
    return "".join(
        (
            f'<g aria-hidden="true"><rect class="mz-az-table" {size}/><rect fill="url(#azul-weave)" {size}/>',
            _draw_offer(layout),
            *(_draw_board(board, grey) for board in layout.boards),
            _draw_ledger(layout.ledger, bag, lid),
            "</g>",
        )
    )


def _draw_offer(layout: Layout) -> str:
    x, y, width, height = layout.pool
    corner = min(width, height) / 2
    parts = [
        f'<rect class="mz-az-{style}" x="{x + inset:g}" y="{y + inset:g}" width="{width - 2 * inset:g}"'
        f' height="{height - 2 * inset:g}" rx="{corner - inset:g}"/>'
        for style, inset in (("pool", 0), ("rule", 5))
    ]
    if layout.ring:
        parts.insert(0, '<circle class="mz-az-thread" cx="{:g}" cy="{:g}" r="{:g}"/>'.format(*layout.ring))
    parts += [_draw_home(layout.marker), *map(_draw_trace, TILE_SYMBOLS, layout.heaps)]
    for number, factory in enumerate(layout.factories, 1):
        cx, cy, radius = factory.x, factory.y, factory.radius
        dx, dy = (0, 0.7 * radius) if layout.ring else (0.84 * radius, 0.78 * radius)
        if not layout.ring and cy > layout.factories[0].y:
            dy = -dy - 2
        parts.append(
            f'<use href="#azul-plate" {_draw_at(cx - radius, cy - radius, 2 * radius)}/>'
            f'<text class="mz-az-factory-number" x="{cx - dx:g}" y="{cy - dy + 3:g}">{number}</text>'
        )
    return "".join(parts)


def _draw_home(place: Place) -> str:
    """Where the start marker lies at the beginning of a round."""
    half = place.size / 2
    return f'<circle class="mz-az-thread" cx="{place.x + half:g}" cy="{place.y + half:g}" r="{half - 1:g}"/>'


def _draw_trace(symbol: str, heap: Heap) -> str:
    """Which colour lies where in the centre; small, so that a tile covers it."""
    x, y, tile = heap.places(1)[0]
    return (
        f'<use class="mz-az-trace" href="#{symbol}" {_draw_at(x + 0.2 * tile, y + 0.2 * tile, 0.6 * tile)}/>'
    )


def _draw_board(board: Board, grey: bool) -> str:
    unit, width, height, body = board.unit, board.width, board.height, board.body
    side = "grey" if grey else "coloured"
    inner = f"M{unit} {unit}H{width - unit}V{height - unit}H{unit}Z"
    return (
        f'<g transform="translate({board.x:g} {board.y:g})">'
        f'<rect fill="url(#azul-frieze-{unit})" width="{width}" height="{height}"/>'
        f'<path class="mz-az-paper" d="{inner}"/>'
        f'<path class="mz-az-edge" d="M0 0H{width}V{height}H0Z{inner}"/>'
        f'</g><use href="#azul-body-{side}" x="{body.x:g}" y="{body.y:g}" width="{body.width:g}"'
        f' height="{body.height:g}"/>'
        f'<use class="mz-az-unlit" href="#azul-turn" {_draw_at(*board.seating.turn)}/>'
    )


def _draw_ledger(ledger: Ledger, bag: str, lid: str) -> str:
    x, y, width, height = ledger.box
    tile = round(1.35 * ledger.size)
    parts = [
        f'<rect class="mz-az-paper" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"/>'
        f'<path class="mz-az-edge" d="M{x:g} {y:g}h{width:g}v{height:g}h{-width:g}z'
        f'M{x + 3:g} {y + 3:g}h{width - 6:g}v{height - 6:g}h{6 - width:g}z"/>'
    ]
    for column, word in enumerate((bag, lid), 1):
        cx, cy = ledger.cell(-1, column)
        place = f'x="{cx:g}" y="{cy + 0.35 * ledger.size:g}"'
        parts.append(f'<text class="mz-az-word-{ledger.size}" {place}>{escape(word)}</text>')
    for color, symbol in enumerate(TILE_SYMBOLS):
        cx, cy = ledger.cell(color, 0)
        parts.append(f'<use href="#{symbol}" {_draw_at(cx - tile / 2, cy - tile / 2, tile)}/>')
    return "".join(parts)
