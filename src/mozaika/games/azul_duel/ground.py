"""The ground of an Azul Duel picture: table, factories, boards and ledger, which stay through a game."""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple
from xml.sax.saxutils import escape

import numpy as np

from mozaika.games.azul_duel import artwork
from mozaika.games.azul_duel.artwork import PIP_SYMBOL, TILE_SYMBOLS, TOKEN_SYMBOL, TOP_SYMBOLS, TURN_SYMBOL
from mozaika.games.azul_duel.layout import (
    BODY_HEIGHT,
    BODY_WIDTH,
    DOME_LEFT,
    LOW_TOP,
    MARKER_LEFT,
    PITCH,
    PLATE,
    PLATE_STEP,
    STORE_PITCH,
    VALUES,
    Board,
    Box,
    Layout,
    Ledger,
    Place,
    across_plates,
    lay_out,
)
from mozaika.games.azul_duel.pieces import BROKEN, LINES, MARKER_PENALTY, PENALTIES, STORE
from mozaika.scene import Shape

FRIEZE_UNITS = (16, 12, 4)


class Captions(NamedTuple):
    """The words of a ground; for each language a ground is kept."""

    bag: str
    tower: str
    plates: str
    chips: str
    moons: str
    display: str
    objectives: str


def _squares(places: Sequence[tuple[float, float]]) -> str:
    """Outlines of spaces as one path, by their upper left corners."""
    return "".join(f"M{x + 7:g} {y + 2:g}h26q5 0 5 5v26q0 5-5 5h-26q-5 0-5-5v-26q0-5 5-5z" for x, y in places)


def _at(x: float, y: float, size: float) -> str:
    return f'x="{x:g}" y="{y:g}" width="{size:g}" height="{size:g}"'


def _box(style: str, box: Box, corner: float, inset: float = 0) -> str:
    x, y, width, height = box
    return (
        f'<rect class="{style}" x="{x + inset:g}" y="{y + inset:g}" width="{width - 2 * inset:g}"'
        f' height="{height - 2 * inset:g}" rx="{corner:g}"/>'
    )


def _text(style: str, x: float, y: float, text: str) -> str:
    return f'<text class="mz-ad-{style}" x="{x:g}" y="{y:g}">{escape(text)}</text>'


_DOME = 3 * PLATE_STEP - (PLATE_STEP - PLATE)


def _draw_vault() -> str:
    """A dome seen from below: ribs and rings under the slots, until plates cover them."""
    middle, half = DOME_LEFT + _DOME / 2, _DOME / 2
    ribs = []
    for i in range(16):
        x, y = math.sin(math.tau * i / 16), math.cos(math.tau * i / 16)
        ribs.append(f"M{middle + 22 * x:.5g} {half + 22 * y:.5g}L{middle + 118 * x:.5g} {half + 118 * y:.5g}")
    rings = "".join(
        f'<circle class="mz-ad-rib" cx="{middle:g}" cy="{half:g}" r="{r}"/>' for r in (22, 56, 90, 118)
    )
    slots = "".join(
        f'<rect class="mz-ad-slot" x="{DOME_LEFT + PLATE_STEP * (slot % 3) + 1.5:g}"'
        f' y="{PLATE_STEP * (slot // 3) + 1.5:g}" width="{PLATE - 3}" height="{PLATE - 3}" rx="6"/>'
        for slot in range(9)
    )
    frame = _box("mz-ad-vault", Box(DOME_LEFT - 3, -3, _DOME + 6, _DOME + 6), 8)
    return f'{frame}<path class="mz-ad-rib" d="{"".join(ribs)}"/>{rings}{slots}'


_LINE_SPACES = [(PITCH * column, across_plates(row)) for row in range(LINES) for column in range(5 - row, 6)]
_ROWS = "".join(
    f'<path class="mz-ad-arrow" d="M243 {across_plates(row) + 14}l7 6l-7 6z"/>'
    f'<path class="mz-ad-jewel" d="{artwork.FLOWER}"'
    f' transform="translate({VALUES - 16} {across_plates(row) + 4}) scale(.8)"/>'
    + _text("worth-body", VALUES, across_plates(row) + 25.5, str(row + 1))
    for row in range(LINES)
)
_PENALTIES = "".join(
    _text("penalty-body", PITCH * space + 20, LOW_TOP + 26, f"−{cost}")
    for space, cost in enumerate(np.diff(PENALTIES))
) + _text("penalty-body", MARKER_LEFT + 20, LOW_TOP + 26, f"−{MARKER_PENALTY}")
_STORE = "".join(
    f'<circle class="mz-ad-store" cx="{DOME_LEFT + STORE_PITCH * (i % 5) + 19:g}"'
    f' cy="{LOW_TOP + STORE_PITCH * (i // 5) + 19:g}" r="16"/>'
    for i in range(STORE)
)
_BODY = (
    f'<symbol id="duel-body" viewBox="-4 -4 {BODY_WIDTH + 8} {BODY_HEIGHT + 8}">{_draw_vault()}'
    f'<path class="mz-ad-space" d="{_squares(_LINE_SPACES)}"/>'
    f'<path class="mz-ad-space mz-ad-low" d="{_squares([(PITCH * i, LOW_TOP) for i in range(BROKEN)])}"/>'
    f'<circle class="mz-ad-space mz-ad-low" cx="{MARKER_LEFT + 20}" cy="{LOW_TOP + 20}" r="18"/>'
    f"{_PENALTIES}{_ROWS}{_STORE}</symbol>"
)
_FRIEZES = "".join(
    f'<pattern id="duel-frieze-{unit}" width="{unit}" height="{unit}" patternUnits="userSpaceOnUse"'
    f' viewBox="0 0 16 16">{artwork.FRIEZE}</pattern>'
    for unit in FRIEZE_UNITS
)
SYMBOLS = artwork.SYMBOLS + _FRIEZES + _BODY

STYLE = (
    artwork.STYLE
    + 'text[class$="-body"]{font-size:16px}'
    + "".join(
        f'text[class^="mz-ad-"][class$="-{size}"]{{font-size:{size}px}}'
        for size in sorted({size for shape in ("wide", "tall") for size in lay_out(shape).letter_sizes})
    )
)


@lru_cache(maxsize=16)
def draw_ground(shape: Shape, captions: Captions) -> str:
    layout = lay_out(shape)
    corner = 18 if shape == "wide" else 0
    size = f'width="{layout.width:g}" height="{layout.height:g}" rx="{corner}"'
    return "".join(
        (
            f'<g aria-hidden="true"><rect class="mz-ad-table" {size}/>',
            f'<rect fill="url(#duel-lattice)" {size}/>',
            _draw_factories(layout),
            _draw_bar(layout, captions.moons),
            _draw_plates(layout, captions),
            *(_draw_board(board, captions) for board in layout.boards),
            _draw_aims(layout, captions.objectives),
            _draw_ledger(layout.ledger, captions.bag, captions.tower),
            "</g>",
        )
    )


def _draw_factories(layout: Layout) -> str:
    parts = []
    icon, small = 1.5 * layout.word, round(1.2 * layout.word, 1)
    corner = 12 if layout.shape == "wide" else 8
    for number, factory in enumerate(layout.factories, 1):
        x, y, night = factory.box.x, factory.box.y, factory.night
        parts += [
            _box("mz-ad-day", factory.box, corner),
            _half_panel(night, corner),
            f'<use href="#duel-sun" {_at(x + 5, y + 5, icon)}/>',
            _text(
                f"number-{layout.word}",
                x + factory.day.width - 0.8 * icon,
                y + 1.1 * layout.word + 4,
                str(number),
            ),
            f'<use href="#duel-moon" {_at(round(night.x + night.width - small - 4, 1), y + 4, small)}/>',
            f'<circle class="mz-ad-well" cx="{factory.chip.x + factory.chip.size / 2:g}"'
            f' cy="{factory.chip.y + factory.chip.size / 2:g}" r="{factory.chip.size / 2:g}"/>',
            *(_outline("mz-ad-hearth", place) for place in factory.sun),
        ]
    x, y, _, height = layout.large
    top = y + (height - icon) / 2
    parts += [
        _box("mz-ad-day", layout.large, corner),
        _half_panel(layout.large_night, corner),
        f'<use href="#duel-sun" {_at(x + 0.35 * icon, round(top, 1), icon)}/>',
        f'<use href="#duel-moon" {_at(layout.large_night.x + 0.4 * icon, round(top, 1), icon)}/>',
        *(_outline("mz-ad-hearth", place) for place in layout.large_sun),
        *(_outline("mz-ad-well", place) for place in layout.large_moon[:4]),
        f'<circle class="mz-ad-well" cx="{layout.marker.x + layout.marker.size / 2:g}"'
        f' cy="{layout.marker.y + layout.marker.size / 2:g}" r="{layout.marker.size / 2 - 1:g}"/>',
    ]
    return "".join(parts)


def _half_panel(box: Box, corner: float) -> str:
    """The right half of a factory: the moon side."""
    x, y, width, height = box
    return (
        f'<path class="mz-ad-night" d="M{x:g} {y:g}h{width - corner:g}q{corner:g} 0 {corner:g} {corner:g}'
        f'v{height - 2 * corner:g}q0 {corner:g}-{corner:g} {corner:g}h{corner - width:g}z"/>'
    )


def _outline(style: str, place: Place) -> str:
    return _box(style, Box(place.x, place.y, place.size, place.size), 4, 1)


def _draw_bar(layout: Layout, moons: str) -> str:
    x, y, _, height = layout.bar
    icon, first = 1.5 * layout.word, layout.offers[0]
    parts = [
        _box("mz-ad-night", layout.bar, 12 if layout.shape == "wide" else 8),
        f'<use href="#duel-moon" {_at(x + 0.35 * icon, round(y + (height - icon) / 2, 1), icon)}/>',
    ]
    if layout.shape == "wide":
        for line, word in enumerate(moons.split("|")):
            parts.append(_text(f"night-{layout.word}", x + 1.5 * icon, first.number[1] - 3 + 17 * line, word))
    for offer, symbol in zip(layout.offers, TOP_SYMBOLS, strict=True):
        parts += [
            _box("mz-ad-cellbar", offer.box, 7),
            f'<use class="mz-ad-trace" href="#{symbol}" {_at(*offer.tile)}/>',
        ]
    return "".join(parts)


def _draw_plates(layout: Layout, captions: Captions) -> str:
    word, above = layout.word, 0.45 * layout.word
    places = (*layout.display, layout.stack)
    return "".join(
        (
            *(_outline("mz-ad-slot", place) for place in places),
            _text(f"word-{word}", places[0].x, places[0].y - above, captions.display),
        )
    )


def _draw_board(board: Board, captions: Captions) -> str:
    unit, width, height, body = board.unit, board.width, board.height, board.body
    inner = f"M{unit} {unit}H{width - unit}V{height - unit}H{unit}Z"
    air, size = 4 * board.scale, board.letters.word
    seating = board.seating
    right = seating.tokens[1].x + 1.3 * seating.tokens[1].size
    return (
        f'<g transform="translate({board.x:g} {board.y:g})">'
        f'<rect fill="url(#duel-frieze-{unit})" width="{width}" height="{height}"/>'
        f'<path class="mz-ad-paper" d="{inner}"/>'
        f'<path class="mz-ad-edge" d="M0 0H{width}V{height}H0Z{inner}"/>'
        f'</g><use href="#duel-body" x="{body.x - air:g}" y="{body.y - air:g}"'
        f' width="{body.width + 2 * air:g}" height="{body.height + 2 * air:g}"/>'
        f'<use class="mz-ad-unlit" href="#{TURN_SYMBOL}" {_at(*seating.turn)}/>'
        + "".join(
            f'<use class="mz-ad-unlit" href="#{TOKEN_SYMBOL}" {_at(*place)}/>' for place in seating.tokens
        )
        + "".join(f'<use class="mz-ad-unlit" href="#{PIP_SYMBOL}" {_at(*place)}/>' for place in seating.pips)
        + _text(
            f"word-{size}",
            right,
            seating.tokens[0].y + 0.5 * seating.tokens[0].size + 0.3 * size,
            captions.plates,
        )
        + _text(
            f"word-{size}", right, seating.pips[0].y + 0.5 * seating.pips[0].size + 0.3 * size, captions.chips
        )
    )


def _draw_card(box: Box) -> str:
    """A sheet of paper with a double line round it."""
    x, y, width, height = box
    return (
        f'<rect class="mz-ad-paper" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"/>'
        f'<path class="mz-ad-edge" d="M{x:g} {y:g}h{width:g}v{height:g}h{-width:g}z'
        f'M{x + 3:g} {y + 3:g}h{width - 6:g}v{height - 6:g}h{6 - width:g}z"/>'
    )


def _draw_aims(layout: Layout, objectives: str) -> str:
    aims = layout.aims
    x, y, width, _ = aims.box
    lines = "".join(
        f'<path class="mz-ad-rule" d="M{x + 8:g} {y + aims.head + aims.step * i:g}h{width - 16:g}"/>'
        for i in range(4)
    )
    head = _text(f"word-{layout.word}", x + 10, y + 0.58 * aims.head + 0.36 * layout.word, objectives)
    return f"{_draw_card(aims.box)}{head}{lines}"


def _draw_ledger(ledger: Ledger, bag: str, tower: str) -> str:
    tile = round(1.35 * ledger.size)
    parts = [_draw_card(ledger.box)]
    for column, word in enumerate((bag, tower), 1):
        x, y = ledger.cell(-1, column)
        parts.append(_text(f"head-{ledger.size}", x, y + 0.35 * ledger.size, word))
    for color in range(5):
        x, y = ledger.cell(color, 0)
        parts.append(f'<use href="#{TILE_SYMBOLS[color]}" {_at(x - tile / 2, y - tile / 2, tile)}/>')
    return "".join(parts)
