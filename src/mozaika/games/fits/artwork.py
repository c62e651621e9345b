"""How FITS looks: wooden pieces, a ramp with its tracks, fields and all colours, drawn for Mozaika as SVG texts."""

import math
from functools import cache

from mozaika.games.fits.pieces import NAMES, PIECES, SYMBOLS, ZERO, Art, flip

TURN_SYMBOL = "fits-turn"
LOST, GAIN, LOSS, ROW, CLOSED = "fits-lost", "fits-gain", "fits-loss", "fits-row", "fits-closed"
FAR_LOST, FAR_ROW = "fits-far-lost", "fits-far-row"
"""The same without a number, for ramps on which nobody could read it."""
UNIT = 20
"""The side of a square in the drawings of pieces."""

_FILLS = (  # fill, edge, light
    ("#3A86C8", "#143A5E", "#7DB4E3"),
    ("#E9A91B", "#6E4600", "#F8D27A"),
    ("#B5364A", "#4F0D19", "#E08A96"),
    ("#3C8F63", "#123F28", "#84C8A2"),
    ("#7C5AA6", "#32204D", "#B79DD6"),
)


def piece_symbol(piece: int, flipped: bool) -> str:
    return f"fits-{NAMES[piece]}{'f' if flipped else ''}"


@cache
def box_of(piece: int) -> int:
    """The side of the square that a piece is drawn in, so that it can be turned in it."""
    art = PIECES[NAMES[piece]]
    return max(len(art), len(art[0]))


def _squares(art: Art) -> set[tuple[int, int]]:
    return {(x, y) for y, row in enumerate(art) for x, mark in enumerate(row) if mark == "#"}


def _draw_piece(piece: int, flipped: bool) -> str:
    fill, edge, light = _FILLS[piece % len(_FILLS)]
    art = PIECES[NAMES[piece]]
    squares = _squares(flip(art) if flipped else art)
    side = UNIT * box_of(piece)
    body = "".join(f"M{UNIT * x} {UNIT * y}h{UNIT}v{UNIT}h-{UNIT}z" for x, y in sorted(squares))
    grooves = "".join(
        f"M{UNIT * x + 5} {UNIT * y + 5}h{UNIT - 10}v{UNIT - 10}h-{UNIT - 10}z" for x, y in sorted(squares)
    )
    outline = ""
    for x, y in sorted(squares):
        left, top, right, bottom = UNIT * x, UNIT * y, UNIT * x + UNIT, UNIT * y + UNIT
        outline += "" if (x, y - 1) in squares else f"M{left} {top + 0.9}H{right}"
        outline += "" if (x, y + 1) in squares else f"M{left} {bottom - 0.9}H{right}"
        outline += "" if (x - 1, y) in squares else f"M{left + 0.9} {top}V{bottom}"
        outline += "" if (x + 1, y) in squares else f"M{right - 0.9} {top}V{bottom}"
    return (
        f'<symbol id="{piece_symbol(piece, flipped)}" viewBox="0 0 {side} {side}"><path fill="{fill}" d="{body}"/>'
        f'<path fill="none" stroke="{light}" stroke-opacity=".55" stroke-width="1.2" d="{grooves}"/>'
        f'<path fill="none" stroke="{edge}" stroke-width="1.8" stroke-linecap="square" d="{outline}"/></symbol>'
    )


def has_mirror(piece: int) -> bool:
    """Whether flipping a piece makes another shape of it."""
    art = PIECES[NAMES[piece]]
    turns = {art}
    for _ in range(3):
        art = tuple("".join(column) for column in zip(*art[::-1], strict=True))
        turns.add(art)
    return flip(PIECES[NAMES[piece]]) not in turns


_PIECES = "".join(
    _draw_piece(piece, flipped)
    for piece in range(len(NAMES))
    for flipped in ((False, True) if has_mirror(piece) else (False,))
)


def _polygon(points: int, radius: float, inner: float = 0, turn: float = -90) -> str:
    corners = []
    for index in range(points * (2 if inner else 1)):
        angle = math.radians(turn + 360 * index / (points * (2 if inner else 1)))
        size = inner if inner and index % 2 else radius
        corners.append(f"{20 + size * math.cos(angle):.1f} {20 + size * math.sin(angle):.1f}")
    return "M" + "L".join(corners) + "Z"


_SHAPES = (
    f'<path d="{_polygon(5, 15, 6.4)}"/>',
    '<circle cx="20" cy="20" r="11.5"/>',
    f'<path d="{_polygon(3, 15)}"/>',
    '<path d="M10 10H30V30H10Z"/>',
    f'<path d="{_polygon(4, 15)}"/>',
)
_GROUND = '<rect class="mz-fi-special" x="2" y="2" width="36" height="36" rx="5"/>'


NEAR, MIDDLE, FAR = 28, 22, 0
"""How large a square is at least on which a value is written with its sign, alone, or not at all."""


def field_symbol(field: int, square: float) -> str:
    distance = "" if square >= NEAR else "middle-" if square >= MIDDLE else "far-"
    return f"fits-{distance}field-{field}"


@cache
def draw_field(field: int) -> str:
    """A special field as seen from near and from far."""
    return "".join(
        f'<symbol id="{field_symbol(field, square)}" viewBox="0 0 40 40">{_GROUND}{_draw_mark(field, square)}</symbol>'
        for square in (NEAR, MIDDLE, FAR)
    )


def _draw_mark(field: int, square: float) -> str:
    """A value, or one of a pair of symbols; the first five have a shape, others a letter."""
    if field >= SYMBOLS:
        place = field - SYMBOLS
        if place < len(_SHAPES):
            return f'<g class="mz-fi-shape-{place}">{_SHAPES[place]}</g>'
        hollow = f'<g class="mz-fi-hollow">{_SHAPES[place % len(_SHAPES)]}</g>'
        letter = f'<text class="mz-fi-letter" x="20" y="28">{chr(ord("a") + place)}</text>'
        return hollow if square < MIDDLE else letter
    value = field - ZERO
    sign = "plus" if value > 0 else "minus" if value < 0 else "zero"
    mark = f'<path d="{_polygon(8, 17, 0, 22.5)}"/>' if value < 0 else '<circle cx="20" cy="20" r="15.5"/>'
    if square >= NEAR:
        text = f"−{-value}" if value < 0 else str(value)
        return f'<g class="mz-fi-{sign}">{mark}<text x="20" y="27.5">{text}</text></g>'
    if square >= MIDDLE:  # the octagon is dark, so that it says minus by itself
        return f'<g class="mz-fi-{sign} mz-fi-middle">{mark}<text x="20" y="30.500">{abs(value)}</text></g>'
    stroke = {"plus": "M11 20H29M20 11V29", "minus": "M11 20H29", "zero": ""}[sign]
    return f'<g class="mz-fi-{sign} mz-fi-far">{mark}<path class="mz-fi-sign" d="{stroke}"/></g>'


_MARKS = (
    f'<symbol id="{LOST}" viewBox="0 0 40 40"><circle class="mz-fi-bad" cx="20" cy="20" r="14"/>'
    '<text class="mz-fi-mark" x="20" y="26">−1</text></symbol>'
    f'<symbol id="{GAIN}" viewBox="0 0 40 40"><rect class="mz-fi-ring mz-fi-good" x="2" y="2" width="36" height="36"'
    ' rx="5"/></symbol>'
    f'<symbol id="{LOSS}" viewBox="0 0 40 40"><path class="mz-fi-ring mz-fi-bad" d="M4 4H36V36H4ZM4 4L36 36"/></symbol>'
    f'<symbol id="{ROW}" viewBox="0 0 40 40"><circle class="mz-fi-good mz-fi-full" cx="20" cy="20" r="18"/>'
    '<text class="mz-fi-mark mz-fi-row" x="20" y="27.500">+1</text></symbol>'
    f'<symbol id="{FAR_LOST}" viewBox="0 0 40 40"><circle class="mz-fi-bad" cx="20" cy="20" r="12"/>'
    '<path class="mz-fi-pale" d="M13 20H27"/></symbol>'
    f'<symbol id="{FAR_ROW}" viewBox="0 0 40 40"><circle class="mz-fi-good mz-fi-full" cx="20" cy="20" r="18"/>'
    '<path class="mz-fi-pale" d="M10 20H30M20 10V30"/></symbol>'
    f'<symbol id="{CLOSED}" viewBox="0 0 40 40"><rect class="mz-fi-shut" x="3" y="3" width="34" height="34" rx="4"/>'
    '<path class="mz-fi-cross" d="M10 10L30 30M30 10L10 30"/></symbol>'
)

_TURN = f'<symbol id="{TURN_SYMBOL}" viewBox="0 0 40 40"><path class="mz-fi-accent" d="M20 37L6 20H14V4H26V20H34Z"/></symbol>'

SYMBOL_TEXT = _PIECES + _MARKS + _TURN

STYLE = (
    '[class*="mz-fi-"]{pointer-events:none}'
    'text[class*="mz-fi-"],.mz-fi-plus text,.mz-fi-minus text,.mz-fi-zero text{font-family:system-ui,"Segoe UI",'
    'Roboto,"Helvetica Neue",Arial,sans-serif;fill:#3A2F22;font-variant-numeric:tabular-nums lining-nums}'
    'text[class*="mz-fi-name"],text[class*="mz-fi-title"],text[class*="mz-fi-phase"],text[class*="mz-fi-word"]'
    '{font-family:"Iowan Old Style","Palatino Linotype",Palatino,Georgia,serif}'
    'text[class*="mz-fi-total"]{font-weight:700;text-anchor:end}'
    'text[class*="mz-fi-word"]{font-style:italic;fill:#6A5840}'
    'text[class*="mz-fi-line"],text[class*="mz-fi-board"],text[class*="mz-fi-won"],text[class*="mz-fi-card"]'
    "{text-anchor:middle;fill:#6A5840}"
    'text[class*="mz-fi-won"]{font-weight:700}text[class*="mz-fi-current"]{text-anchor:middle;font-weight:700}'
    'text[class*="mz-fi-sum"]{font-weight:600}'
    ".mz-fi-title-wide{font-size:30px}.mz-fi-phase-wide{font-size:18px;font-style:italic}"
    ".mz-fi-title-tall{font-size:17px}.mz-fi-phase-tall{font-size:13px;font-style:italic;text-anchor:end}"
    ".mz-fi-table{fill:#EFE6D5}.mz-fi-grain{fill:none;stroke:#7A5A2E;stroke-opacity:.07}"
    ".mz-fi-frame{fill:#C99B5E;stroke:#6E4A1D;stroke-width:1.5}.mz-fi-slide{fill:#FBF6EA;stroke:#6E4A1D}"
    ".mz-fi-air{fill:#F3E9D4;fill-opacity:.6;stroke:#A98A5B;stroke-dasharray:3 4}"
    ".mz-fi-track{fill:none;stroke:#D9CBB0;stroke-width:1}.mz-fi-dot{fill:#9C8B70}"
    ".mz-fi-paper{fill:#FCF8EF;stroke:#A98A5B;stroke-width:1.2}.mz-fi-slot{fill:#F1E8D6;stroke:#C2AC85}"
    ".mz-fi-gone{opacity:.13}.mz-fi-unlit{opacity:.14}"
    ".mz-fi-special{fill:#FBF6EA;stroke:#C2AC85}"
    ".mz-fi-plus circle{fill:#CFE8D6;stroke:#23663F;stroke-width:2}.mz-fi-plus text{fill:#123F28}"
    ".mz-fi-minus path{fill:#F6D3CB;stroke:#A3341B;stroke-width:2}.mz-fi-minus text{fill:#6B1A09}"
    ".mz-fi-zero circle{fill:#EEE;stroke:#777;stroke-width:2}"
    ".mz-fi-plus text,.mz-fi-minus text,.mz-fi-zero text{font-size:21px;font-weight:700;text-anchor:middle}"
    ".mz-fi-plus.mz-fi-middle text,.mz-fi-minus.mz-fi-middle text,.mz-fi-zero.mz-fi-middle text{font-size:30px}"
    ".mz-fi-minus.mz-fi-middle path,.mz-fi-minus.mz-fi-far path{fill:#A3341B}.mz-fi-minus.mz-fi-middle text{fill:#FFF}"
    ".mz-fi-sign{fill:none;stroke:#123F28;stroke-width:5}.mz-fi-minus.mz-fi-far .mz-fi-sign,.mz-fi-pale"
    "{fill:none;stroke:#FFF;stroke-width:5}.mz-fi-hollow{fill:none;stroke:#3A2F22;stroke-width:4}"
    "text.mz-fi-letter{font-size:24px;font-weight:700;text-anchor:middle}"
    '[class*="mz-fi-shape-"]{fill:#3A86C8;stroke:#143A5E;stroke-width:1.6}.mz-fi-shape-0{fill:#E9A91B;stroke:#6E4600}'
    ".mz-fi-shape-2{fill:#3C8F63;stroke:#123F28}.mz-fi-shape-3{fill:#B5364A;stroke:#4F0D19}"
    ".mz-fi-shape-4{fill:#7C5AA6;stroke:#32204D}"
    ".mz-fi-bad{fill:#A3341B;stroke:#FFF;stroke-width:1}.mz-fi-good{fill:#23663F;stroke:#FFF}"
    ".mz-fi-ring.mz-fi-good{fill:none;stroke:#23663F;stroke-width:4}"
    ".mz-fi-ring.mz-fi-bad{fill:none;stroke:#A3341B;stroke-width:4}"
    "text.mz-fi-mark{font-size:17px;font-weight:700;text-anchor:middle;fill:#FFF}"
    "text.mz-fi-row{font-size:21px}"
    ".mz-fi-shut{fill:#A3341B;fill-opacity:.25;stroke:#A3341B;stroke-dasharray:4 3;stroke-width:2}"
    ".mz-fi-cross{fill:none;stroke:#A3341B;stroke-width:3;stroke-linecap:round}.mz-fi-accent{fill:#C4552D}"
)

DARK_STYLE = (
    'text[class*="mz-fi-"]{fill:#EADFCB}text[class*="mz-fi-word"],text[class*="mz-fi-line"],text[class*="mz-fi-board"],'
    'text[class*="mz-fi-won"],text[class*="mz-fi-card"]{fill:#BFAE90}'
    ".mz-fi-table{fill:#0C1424}.mz-fi-grain{stroke:#9DB8E8;stroke-opacity:.05}"
    ".mz-fi-frame{fill:#5A4325;stroke:#B88F55}.mz-fi-slide{fill:#1C2230;stroke:#B88F55}"
    ".mz-fi-air{fill:#161E30;stroke:#5E5A4E}.mz-fi-track{stroke:#333C4F}.mz-fi-dot{fill:#8E93A1}"
    ".mz-fi-paper{fill:#14203A;stroke:#6E6450}.mz-fi-slot{fill:#1C2944;stroke:#4F5A72}.mz-fi-gone{opacity:.25}"
    ".mz-fi-special{fill:#222B3D;stroke:#5C667C}"
    ".mz-fi-plus circle{fill:#1F4D33;stroke:#84C8A2}.mz-fi-plus text{fill:#DFF5E7}"
    ".mz-fi-minus path{fill:#5A1F14;stroke:#F2A08A}.mz-fi-minus text{fill:#FFE1DA}"
    ".mz-fi-minus.mz-fi-middle path,.mz-fi-minus.mz-fi-far path{fill:#F2A08A}.mz-fi-minus.mz-fi-middle text{fill:#3A0D05}"
    ".mz-fi-sign{stroke:#DFF5E7}.mz-fi-minus.mz-fi-far .mz-fi-sign{stroke:#3A0D05}.mz-fi-hollow{stroke:#EADFCB}"
    ".mz-fi-zero circle{fill:#333;stroke:#999}"
    "text.mz-fi-mark{fill:#FFF}.mz-fi-ring.mz-fi-good{stroke:#84C8A2}.mz-fi-ring.mz-fi-bad{stroke:#F2A08A}"
    ".mz-fi-shut{fill:#F2A08A;fill-opacity:.25;stroke:#F2A08A}.mz-fi-cross{stroke:#F2A08A}.mz-fi-accent{fill:#F08A5D}"
)
