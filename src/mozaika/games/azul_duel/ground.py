"""The ground of an Azul Duel picture: table, factories, boards and ledger, which stay through a game."""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

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
    STORE_LEFT,
    STORE_PITCH,
    VALUES,
    Board,
    Layout,
    across_plates,
    lay_out,
)
from mozaika.games.azul_duel.pieces import BROKEN, LINES, MARKER_PENALTY, PENALTIES, STORE
from mozaika.places import (
    Box,
    Place,
    draw_box,
    draw_card,
    draw_circle,
    draw_frame,
    draw_frieze,
    draw_table,
    draw_text,
    draw_use,
    size_texts,
)
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
    frame = draw_box("mz-ad-vault", Box(DOME_LEFT - 3, -3, _DOME + 6, _DOME + 6), 8)
    return f'{frame}<path class="mz-ad-rib" d="{"".join(ribs)}"/>{rings}{slots}'


_LINE_SPACES = [(PITCH * column, across_plates(row)) for row in range(LINES) for column in range(5 - row, 6)]
_ROWS = "".join(
    f'<path class="mz-ad-arrow" d="M243 {across_plates(row) + 14}l7 6l-7 6z"/>'
    f'<path class="mz-ad-jewel" d="{artwork.FLOWER}"'
    f' transform="translate({VALUES - 16} {across_plates(row) + 4}) scale(.8)"/>'
    for row in range(LINES)
)


def _write_numbers(size: int) -> str:
    """What rows and the spaces for broken tiles are worth."""
    worth = [
        draw_text(f"mz-ad-worth-{size}", VALUES, across_plates(row) + 20 + 0.35 * size, str(row + 1))
        for row in range(LINES)
    ]
    low = LOW_TOP + 20 + 0.35 * size
    costs = [*np.diff(PENALTIES), MARKER_PENALTY]
    places = [*(PITCH * space for space in range(BROKEN)), MARKER_LEFT]
    return "".join(worth) + "".join(
        draw_text(f"mz-ad-penalty-{size}", x + 20, low, f"−{cost}")
        for x, cost in zip(places, costs, strict=True)
    )


_STORE = "".join(
    f'<circle class="mz-ad-store" cx="{STORE_LEFT + STORE_PITCH * (i % 5) + 19:g}"'
    f' cy="{LOW_TOP + STORE_PITCH * (i // 5) + 19:g}" r="16"/>'
    for i in range(STORE)
)
_NUMBERS = (17, 23, 25)
"""The sizes of the numbers on a body: on a smaller board they are drawn larger."""
_BODY = "".join(
    f'<symbol id="duel-body-{size}" viewBox="-4 -4 {BODY_WIDTH + 8} {BODY_HEIGHT + 8}">{_draw_vault()}'
    f'<path class="mz-ad-space" d="{_squares(_LINE_SPACES)}"/>'
    f'<path class="mz-ad-space mz-ad-low" d="{_squares([(PITCH * i, LOW_TOP) for i in range(BROKEN)])}"/>'
    f'<circle class="mz-ad-space mz-ad-low" cx="{MARKER_LEFT + 20}" cy="{LOW_TOP + 20}" r="18"/>'
    f"{_ROWS}{_STORE}{_write_numbers(size)}</symbol>"
    for size in _NUMBERS
)
SYMBOLS = artwork.SYMBOLS + draw_frieze("duel-frieze", FRIEZE_UNITS, artwork.FRIEZE) + _BODY

STYLE = artwork.STYLE + size_texts(
    "mz-ad", sorted({*_NUMBERS, *lay_out("wide").letter_sizes, *lay_out("tall").letter_sizes})
)


@lru_cache(maxsize=16)
def draw_ground(shape: Shape, captions: Captions) -> str:
    layout = lay_out(shape)
    return "".join(
        (
            '<g aria-hidden="true">',
            draw_table("mz-ad", "duel-lattice", layout.width, layout.height, shape),
            _draw_factories(layout),
            _draw_bar(layout, captions.moons),
            _draw_plates(layout, captions),
            *map(_draw_board, layout.boards),
            _write_duties(layout.boards[0], captions),
            _draw_aims(layout, captions.objectives),
            layout.ledger.draw("mz-ad", "head", (captions.bag, captions.tower), TILE_SYMBOLS[:5]),
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
            draw_box("mz-ad-day", factory.box, corner),
            _half_panel(night, corner),
            draw_use("duel-sun", Place(x + 5, y + 5, icon)),
            draw_text(
                f"mz-ad-number-{layout.word}",
                x + factory.day.width - 0.8 * icon,
                y + 1.1 * layout.word + 4,
                str(number),
            ),
            draw_use("duel-moon", Place(round(night.x + night.width - small - 4, 1), y + 4, small)),
            draw_circle("mz-ad-well", factory.chip),
            *(_outline("mz-ad-hearth", place) for place in factory.sun),
        ]
    x, y, _, height = layout.large
    top = y + (height - icon) / 2
    parts += [
        draw_box("mz-ad-day", layout.large, corner),
        _half_panel(layout.large_night, corner),
        draw_use("duel-sun", Place(x + 0.35 * icon, round(top, 1), icon)),
        draw_use("duel-moon", Place(layout.large_night.x + 0.4 * icon, round(top, 1), icon)),
        *(_outline("mz-ad-hearth", place) for place in layout.large_sun),
        *(_outline("mz-ad-well", place) for place in layout.large_moon[:4]),
        draw_circle("mz-ad-well", layout.marker, 1),
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
    return draw_box(style, Box(place.x, place.y, place.size, place.size), 4, 1)


def _draw_bar(layout: Layout, moons: str) -> str:
    x, y, _, height = layout.bar
    icon, first = 1.5 * layout.word, layout.offers[0]
    parts = [
        draw_box("mz-ad-night", layout.bar, 12 if layout.shape == "wide" else 8),
        draw_use("duel-moon", Place(x + 0.35 * icon, round(y + (height - icon) / 2, 1), icon)),
    ]
    if layout.shape == "wide":
        for line, word in enumerate(moons.split("|")):
            parts.append(
                draw_text(f"mz-ad-night-{layout.word}", x + 1.5 * icon, first.number[1] - 3 + 17 * line, word)
            )
    for offer, symbol in zip(layout.offers, TOP_SYMBOLS, strict=True):
        parts += [
            draw_box("mz-ad-cellbar", offer.box, 7),
            draw_use(symbol, offer.tile, "mz-ad-trace"),
        ]
    return "".join(parts)


def _draw_plates(layout: Layout, captions: Captions) -> str:
    word, above = layout.word, 0.45 * layout.word
    places = (*layout.display, layout.stack)
    return "".join(
        (
            *(_outline("mz-ad-slot", place) for place in places),
            draw_text(f"mz-ad-word-{word}", places[0].x, places[0].y - above, captions.display),
        )
    )


def _draw_board(board: Board) -> str:
    body, seating, air = board.body, board.seating, 4 * board.scale
    number = next((n for n in _NUMBERS if n * board.scale >= board.letters.small), _NUMBERS[-1])
    return (
        draw_frame("mz-ad", "duel-frieze", board)
        + f'<use href="#duel-body-{number}" x="{body.x - air:g}" y="{body.y - air:g}"'
        f' width="{body.width + 2 * air:g}" height="{body.height + 2 * air:g}"/>'
        + draw_use(TURN_SYMBOL, board.turn, "mz-ad-unlit")
        + "".join(draw_use(TOKEN_SYMBOL, place, "mz-ad-unlit") for place in seating.tokens)
        + "".join(draw_use(PIP_SYMBOL, place, "mz-ad-unlit") for place in seating.pips)
    )


def _write_duties(board: Board, captions: Captions) -> str:
    """What tokens and pips stand for, on the viewer's board only: on the other it would lie on tiles."""
    size, seating = board.letters.small, board.seating
    parts = []
    for places, caption in ((seating.tokens, captions.plates), (seating.pips, captions.chips)):
        x, y, side = places[1]
        parts.append(draw_text(f"mz-ad-word-{size}", x + 1.3 * side, y + 0.5 * side + 0.3 * size, caption))
    return "".join(parts)


def _draw_aims(layout: Layout, objectives: str) -> str:
    aims = layout.aims
    x, y, width, _ = aims.box
    lines = "".join(
        f'<path class="mz-ad-rule" d="M{x + 8:g} {y + aims.head + aims.step * i:g}h{width - 16:g}"/>'
        for i in range(4)
    )
    head = draw_text(
        f"mz-ad-word-{layout.word}", x + 10, y + 0.58 * aims.head + 0.36 * layout.word, objectives
    )
    return draw_card("mz-ad", aims.box) + head + lines
