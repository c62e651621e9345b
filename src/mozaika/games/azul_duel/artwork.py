"""How Azul Duel looks: tiles, plates, chips and all colours, drawn for Mozaika as SVG texts.

Every colour has a motif of its own, full on a tile and in outline on an empty space, so that both are known
without colour. Motifs look the same after a quarter turn, for plates are turned.
"""

import math

from mozaika.games.azul_duel.pieces import (
    CHIP_LETTERS,
    CHIP_SHOWS,
    COLORS,
    KINDS,
    OBJECTIVES,
    PLATES,
    SPACES,
    SPECIAL,
    SPECIAL_BACK,
    WILD,
)

TILE_SYMBOLS = (*(f"duel-{color}" for color in COLORS), "duel-gem")
"""The tiles of the five colours, then the special tile."""
TOP_SYMBOLS = tuple(f"duel-{color}-sign" for color in COLORS)
"""What the moon sides offer of a colour: signs, not tiles, so they never travel."""
PLATE_SYMBOLS = tuple(f"duel-plate-{plate}" for plate in range(PLATES + 1)) + tuple(
    f"duel-back-{kind}" for kind in KINDS
)
"""By the number of the plate, then the backs."""
CHIP_SYMBOLS = tuple(f"duel-chip-{letters}" for letters in CHIP_LETTERS)
CHIP_BACK_SYMBOL, SPENT_SYMBOL = "duel-chip-back", "duel-chip-spent"
AIM_SYMBOLS = tuple(f"duel-aim-{objective}" for objective in OBJECTIVES)
MARKER_SYMBOL, SIGN_SYMBOL = "duel-marker", "duel-marker-sign"
TOKEN_SYMBOL, PIP_SYMBOL, TURN_SYMBOL = "duel-token", "duel-pip", "duel-turn"
SLOT_SYMBOL = "duel-slot-sign"

_FILLS = ("#3A86C8", "#F2B01E", "#9E1B32", "#16161A", "#C4F7EE")
_LIGHTS = ("#F2F8FF", "#5E3200", "#FCE6DA", "#E8D8AE", "#0B6E72")
"""The motif on a tile."""
_RIMS = (
    ("#123A61", "#A9D3F5"),
    ("#7A4E00", "#FFE7A6"),
    ("#4A0713", "#E79AA2"),
    ("#000", "#85858F"),
    ("#0A5559", "#FFF"),
)
"""The dark outer and the light inner line of a tile."""


def star(points: int, outer: float, inner: float, x: float = 0, y: float = 0) -> str:
    """A star in the middle of a square of 40 that begins at a corner."""
    corners = [
        (x + 20 + r * math.sin(math.pi * i / points), y + 20 - r * math.cos(math.pi * i / points))
        for i in range(2 * points)
        for r in (inner if i % 2 else outer,)
    ]
    return "M" + "L".join(f"{across:.4g} {down:.4g}" for across, down in corners) + "Z"


def _flower(petals: int, outer: float, inner: float) -> str:
    """Round petals; the sign of special tiles and of their spaces."""
    ends = [
        (
            20 + inner * math.sin(math.tau * (i + 0.5) / petals),
            20 - inner * math.cos(math.tau * (i + 0.5) / petals),
        )
        for i in range(petals)
    ]
    width = 2 * inner * math.sin(math.pi / petals)
    bend = ((width / 2) ** 2 + (outer - inner * math.cos(math.pi / petals)) ** 2) / (
        2 * (outer - inner * math.cos(math.pi / petals))
    )
    arcs = "".join(f"A{bend:.4g} {bend:.4g} 0 0 1 {x:.4g} {y:.4g}" for x, y in ends)
    return f"M{ends[-1][0]:.4g} {ends[-1][1]:.4g}{arcs}Z"


FLOWER = _flower(8, 15.6, 12)


def _ring(radius: float) -> str:
    return f"M20 {20 - radius:g}a{radius:g} {radius:g} 0 1 0 .01 0z"


_LEAF = "M20 20C12 19.4 7.4 14.4 7 7C14.4 7.4 19.4 12 20 20Z"
_MOTIFS = (
    f'<path fill-rule="evenodd" d="{star(8, 14.4, 9.4)}{_ring(4.4)}"/>',
    "".join(f'<path d="{_LEAF}" transform="rotate({90 * i} 20 20)"/>' for i in range(4)),
    '<path fill-rule="evenodd" d="M20 4.8L35.2 20L20 35.2L4.8 20ZM20 13.4L13.4 20L20 26.6L26.6 20Z"/>',
    f'<path fill-rule="evenodd" d="{_ring(13.2)}{_ring(8.4)}{_ring(3.8)}"/>',
    '<path d="M12.6 5.6H27.4L22.6 17.4L34.4 12.6V27.4L22.6 22.6L27.4 34.4H12.6L17.4 22.6L5.6 27.4V12.6L17.4 17.4Z"/>',
)
_MOTIF_PARTS = "".join(f'<g id="duel-motif-{color}">{motif}</g>' for color, motif in enumerate(_MOTIFS))

_TILES = "".join(
    f'<symbol id="{symbol}" viewBox="0 0 40 40">'
    f'<rect x=".8" y=".8" width="38.4" height="38.4" rx="5.4" fill="{fill}" stroke="{dark}" stroke-width="1.6"/>'
    f'<path d="M4.6 3.3H35.4M3.3 4.6V35.4" fill="none" stroke="{light}" stroke-width="2" stroke-linecap="round"/>'
    f'<path d="M4.6 36.7H35.4M36.7 4.6V35.4" fill="none" stroke="{light}" stroke-opacity=".45" stroke-width="1.6"'
    f' stroke-linecap="round"/><use href="#duel-motif-{color}" fill="{ink}"/></symbol>'
    for color, (symbol, fill, (dark, light), ink) in enumerate(
        zip(TILE_SYMBOLS, _FILLS, _RIMS, _LIGHTS, strict=False)
    )
)
_GEM = (
    f'<symbol id="duel-gem" viewBox="0 0 40 40"><rect x=".8" y=".8" width="38.4" height="38.4" rx="5.4" fill="#FFF8E6"'
    ' stroke="#5A3A08" stroke-width="1.6"/><rect x="3.2" y="3.2" width="33.6" height="33.6" rx="3.4" fill="none"'
    f' stroke="#C8922B" stroke-width="2.2"/><path d="{FLOWER}" fill="#1F3F78"/>'
    f'<path d="{star(4, 9.6, 3.6)}" fill="#F3C75B"/></symbol>'
)
_TOPS = "".join(
    f'<symbol id="{top}" viewBox="0 0 40 40"><use href="#{tile}" width="40" height="40"/></symbol>'
    for top, tile in zip(TOP_SYMBOLS, TILE_SYMBOLS, strict=False)
)


def _wedges(radius: float) -> str:
    """A wheel of the five colours, for a space that takes any."""
    ends = [
        (20 + radius * math.sin(a), 20 - radius * math.cos(a)) for a in (math.tau * i / 5 for i in range(6))
    ]
    return "".join(
        f'<path fill="{_FILLS[i]}" d="M20 20L{ends[i][0]:.4g} {ends[i][1]:.4g}A{radius:g} {radius:g} 0 0 1'
        f' {ends[i + 1][0]:.4g} {ends[i + 1][1]:.4g}Z"/>'
        for i in range(5)
    )


_WHEEL = (
    f'<g id="duel-wheel"><g stroke="#FFF" stroke-width="1.3" stroke-linejoin="round">{_wedges(13.4)}</g>'
    '<circle cx="20" cy="20" r="13.4" fill="none" stroke="#22345A" stroke-width="1.3"/>'
    '<circle cx="20" cy="20" r="3.4" fill="#FFF" stroke="#22345A" stroke-width="1.2"/></g>'
)
_JEWEL = (
    f'<g id="duel-jewel"><path class="mz-ad-jewel" d="{FLOWER}"/>'
    f'<path class="mz-ad-glint" d="{star(4, 9, 3.4)}"/></g>'
)


def _space(shows: int, motif: str) -> str:
    return (
        f'<g id="duel-space-{shows}"><rect class="mz-ad-hollow mz-ad-hue-{shows}" x="1.6" y="1.6" width="36.8"'
        f' height="36.8" rx="4"/>{motif}</g>'
    )


_SPACE_PARTS = "".join(
    _space(color, f'<use href="#duel-motif-{color}" class="mz-ad-ink mz-ad-ink-{color}"/>')
    for color in range(5)
)
_SPACE_PARTS += _space(WILD, '<use href="#duel-wheel"/>') + _space(SPECIAL, '<use href="#duel-jewel"/>')

_PLATES = "".join(
    f'<symbol id="{PLATE_SYMBOLS[plate]}" viewBox="0 0 80 80">'
    '<rect class="mz-ad-plate" x=".6" y=".6" width="78.8" height="78.8" rx="6"/>'
    + "".join(
        f'<use href="#duel-space-{SPACES[plate, 0, index]}" x="{index % 2 * 40}" y="{index // 2 * 40}"/>'
        for index in range(4)
    )
    + "</symbol>"
    for plate in range(1, PLATES + 1)
)
_BACKS = "".join(
    f'<symbol id="{symbol}" viewBox="0 0 80 80"><rect class="mz-ad-back" x=".6" y=".6" width="78.8" height="78.8"'
    ' rx="6"/><rect class="mz-ad-lace" x="5" y="5" width="70" height="70" rx="3"/>'
    '<path class="mz-ad-lace" d="M40 5A35 35 0 0 0 75 40A35 35 0 0 0 40 75A35 35 0 0 0 5 40A35 35 0 0 0 40 5Z"/>'
    '<circle class="mz-ad-medal" cx="40" cy="40" r="21"/>'
    f'<use href="#{part}" x="20" y="20"/></symbol>'
    for symbol, part in zip(PLATE_SYMBOLS[SPECIAL_BACK:], ("duel-jewel", "duel-wheel"), strict=True)
)


def _half(color: int, side: int) -> str:
    """One of the two halves of a chip, parted by a diagonal."""
    sweep = f"M8.3 31.7A16.5 16.5 0 0 {side} 31.7 8.3Z"
    at = (9.6, 9.6) if side else (19.2, 19.2)
    return (
        f'<path fill="{_FILLS[color]}" d="{sweep}"/><use href="#duel-motif-{color}" fill="{_LIGHTS[color]}"'
        f' transform="translate({at[0] - 3:g} {at[1] - 3:g}) scale(.42)"/>'
    )


def _face(chip: int) -> str:
    colors = [color for color in range(5) if CHIP_SHOWS[chip] >> color & 1]
    if len(colors) == 2:
        return (
            _half(colors[0], 1)
            + _half(colors[1], 0)
            + '<path d="M8.3 31.7L31.7 8.3" stroke="#FFF" stroke-width="1.8"/>'
        )
    return (
        f'<circle cx="20" cy="20" r="16.5" fill="{_FILLS[colors[0]]}"/><use href="#duel-motif-{colors[0]}"'
        f' fill="{_LIGHTS[colors[0]]}" transform="translate(6 6) scale(.7)"/>'
    )


_CHIPS = "".join(
    f'<symbol id="{symbol}" viewBox="0 0 40 40"><circle cx="20" cy="20" r="19.2" fill="#FFF9EC" stroke="#4B3A22"'
    f' stroke-width="1.4"/>{_face(chip)}<circle cx="20" cy="20" r="16.5" fill="none" stroke="#4B3A22"'
    ' stroke-width="1"/></symbol>'
    for chip, symbol in enumerate(CHIP_SYMBOLS)
)
_CHIPS += (
    '<symbol id="duel-chip-back" viewBox="0 0 40 40"><circle cx="20" cy="20" r="19.2" fill="#C9AE82" stroke="#4B3A22"'
    ' stroke-width="1.4"/><circle cx="20" cy="20" r="15.4" fill="none" stroke="#6B5230" stroke-width="1.4"/>'
    f'<path fill="#6B5230" fill-rule="evenodd" d="{star(12, 13, 8.4)}{_ring(5)}"/></symbol>'
    '<symbol id="duel-chip-spent" viewBox="0 0 40 40"><circle class="mz-ad-spent" cx="20" cy="20" r="16"/>'
    '<path class="mz-ad-spent" d="M12.5 12.5L27.5 27.5M27.5 12.5L12.5 27.5"/></symbol>'
)

_MARKER = (
    '<symbol id="duel-marker" viewBox="0 0 40 40"><path fill="#FBF3E0" stroke="#5A2A12" stroke-width="1.6"'
    ' d="M12.4 1.4H27.6L38.6 12.4V27.6L27.6 38.6H12.4L1.4 27.6V12.4Z"/><path fill="none" stroke="#C4552D"'
    ' stroke-width="2.2" d="M14 5.2H26L34.8 14V26L26 34.8H14L5.2 26V14Z"/>'
    '<path fill="#5A2A12" d="M22.6 10.4V27H26V30H14.8V27H18.4V15.6L14.6 17V13.6L20 10.4Z"/></symbol>'
    '<symbol id="duel-marker-sign" viewBox="0 0 40 40"><use href="#duel-marker" width="40" height="40"/></symbol>'
)
_DOME = "M5 35V24C5 13.6 12.6 10.4 20 3.4C27.4 10.4 35 13.6 35 24V35Z"
_MARKS = (
    f'<symbol id="duel-token" viewBox="0 0 40 40"><path class="mz-ad-token" d="{_DOME}"/>'
    '<path class="mz-ad-ribs" d="M20 5V34M20 6C13.6 13 12 20 12 34M20 6C26.4 13 28 20 28 34M5.6 27.4H34.4"/></symbol>'
    '<symbol id="duel-pip" viewBox="0 0 40 40"><circle class="mz-ad-token" cx="20" cy="20" r="15"/>'
    f'<path class="mz-ad-ribs" d="{star(8, 9.4, 6)}"/></symbol>'
    '<symbol id="duel-slot-sign" viewBox="0 0 80 80"><rect class="mz-ad-slot" x="1" y="1" width="78" height="78" rx="6"/>'
    "</symbol>"
    f'<symbol id="duel-turn" viewBox="0 0 40 40"><path class="mz-ad-accent" d="{star(8, 19, 7.6)}"/></symbol>'
    '<symbol id="duel-sun" viewBox="0 0 40 40"><circle class="mz-ad-sunlight" cx="20" cy="20" r="8.6"/>'
    + "".join(
        f'<path class="mz-ad-ray" d="M20 7.4V2.6" transform="rotate({45 * i} 20 20)"/>' for i in range(8)
    )
    + '</symbol><symbol id="duel-moon" viewBox="0 0 40 40"><path class="mz-ad-moonlight"'
    ' d="M27.6 4.6A16.4 16.4 0 1 0 35.6 25.4A13 13 0 0 1 27.6 4.6Z"/></symbol>'
)


def _cells(*cells: tuple[int, int]) -> str:
    return "".join(f"M{2 + 6 * column:g} {2 + 6 * row:g}h5v5h-5z" for row, column in cells)


_ALL = [(row, column) for row in range(6) for column in range(6)]
_AIMED: dict[str, list[tuple[int, int]]] = {
    "rows": [cell for cell in _ALL if cell[0] == 2],
    "five_colors": [cell for cell in _ALL if cell[0] == 2 and cell[1] != 4],
    "columns": [cell for cell in _ALL if cell[1] == 3],
    "edge": [cell for cell in _ALL if {0, 5} & set(cell)],
    "diagonals": [cell for cell in _ALL if cell[0] == cell[1] or sum(cell) == 5],
    "corners": [cell for cell in _ALL if not {2, 3} & set(cell)],
    "wild": [],
    "empty_specials": [],
}
_AIMS = "".join(
    f'<symbol id="{symbol}" viewBox="0 0 39 39"><path class="mz-ad-cell" d="{_cells(*_ALL)}"/>'
    f'<path class="mz-ad-aim" d="{_cells(*_AIMED[name])}"/>'
    + {
        "wild": '<use href="#duel-wheel" x="-.5" y="-.5"/>',
        "empty_specials": '<use href="#duel-jewel" x="-.5" y="-.5"/>',
    }.get(name, "")
    + "</symbol>"
    for name, symbol in zip(OBJECTIVES, AIM_SYMBOLS, strict=True)
)

FRIEZE = (
    '<rect class="mz-ad-glaze" width="16" height="16"/><circle class="mz-ad-lobe" cx="8" cy="8" r="6.4"/>'
    '<path class="mz-ad-knot" d="M8 2.6C9 6 10 7 13.4 8C10 9 9 10 8 13.4C7 10 6 9 2.6 8C6 7 7 6 8 2.6Z"/>'
    '<path class="mz-ad-bead" d="M0 -2.6L2.6 0L0 2.6L-2.6 0ZM16 -2.6L18.6 0L16 2.6L13.4 0ZM0 13.4L2.6 16L0 18.6'
    'L-2.6 16ZM16 13.4L18.6 16L16 18.6L13.4 16Z"/>'
)
_LATTICE = (
    '<pattern id="duel-lattice" width="64" height="64" patternUnits="userSpaceOnUse"><path class="mz-ad-lattice"'
    ' d="M32 0L41 23L64 32L41 41L32 64L23 41L0 32L23 23ZM0 0L23 23M64 0L41 23M64 64L41 41M0 64L23 41"/></pattern>'
)

PARTS = _MOTIF_PARTS + _WHEEL + _JEWEL + _SPACE_PARTS
SYMBOLS = PARTS + _TILES + _GEM + _TOPS + _PLATES + _BACKS + _CHIPS + _MARKER + _MARKS + _AIMS + _LATTICE

_TINTS = ("#B4D3EE", "#F8DC98", "#E0B0B7", "#B4B4BA", "#D3F3EE", "#FBF7EE", "#F6ECD2")
_INKS = ("#17528C", "#8F5800", "#8C1229", "#101014", "#0B7377")
_DARK_TINTS = ("#23496F", "#5F4710", "#551724", "#07080C", "#2C6663", "#2A3550", "#453E2C")
_DARK_INKS = ("#9CCDF6", "#FFD067", "#F39AA7", "#C4C5CE", "#C4F7EE")

STYLE = (
    '[class*="mz-ad-"]{pointer-events:none}'
    'text[class*="mz-ad-"]{font-family:system-ui,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;fill:#24385C;'
    "font-variant-numeric:tabular-nums lining-nums}"
    'text[class*="mz-ad-name"],text[class*="mz-ad-title"],text[class*="mz-ad-phase"],text[class*="mz-ad-word"],'
    'text[class*="mz-ad-head"],text[class*="mz-ad-aimed"]'
    '{font-family:"Iowan Old Style","Palatino Linotype",Palatino,Georgia,serif}'
    'text[class*="mz-ad-score"]{font-weight:700;text-anchor:end}'
    'text[class*="mz-ad-cost"]{font-weight:600;fill:#A3341B}'
    'text[class*="mz-ad-count"],text[class*="mz-ad-head"]{text-anchor:middle}'
    'text[class*="mz-ad-total"]{text-anchor:middle;font-weight:700}'
    'text[class*="mz-ad-offer"]{text-anchor:middle;font-weight:600;fill:#EAF0FF}'
    'text[class*="mz-ad-press"]{text-anchor:middle;font-weight:600}'
    'text[class*="mz-ad-word"],text[class*="mz-ad-head"]{font-style:italic;fill:#4D6088}'
    'text[class*="mz-ad-hint"]{fill:#4D6088}text[class*="mz-ad-night"]{fill:#D7E2FB;font-style:italic}'
    ".mz-ad-title-wide{font-size:34px}.mz-ad-phase-wide{font-size:19px;font-style:italic}"
    ".mz-ad-title-tall{font-size:20px}.mz-ad-phase-tall{font-size:14px;font-style:italic;text-anchor:end}"
    'text[class*="mz-ad-number"]{text-anchor:middle;fill:#5B6C8F}'
    'text[class*="mz-ad-worth"]{text-anchor:middle;font-weight:700;fill:#1F3F78}'
    'text[class*="mz-ad-penalty"]{text-anchor:middle;fill:#6F2413}'
    ".mz-ad-table{fill:#EFE6D5}.mz-ad-lattice{fill:none;stroke:#1F3F78;stroke-opacity:.055}"
    ".mz-ad-paper{fill:#FCF8EF}.mz-ad-edge{fill:none;stroke:#24457F;stroke-width:1.2}"
    ".mz-ad-glaze{fill:#2F5FA3}.mz-ad-lobe{fill:#F4F6F5}.mz-ad-knot{fill:#2F5FA3}.mz-ad-bead{fill:#DDB566}"
    ".mz-ad-day{fill:#FBF1D9;stroke:#C9A24F;stroke-width:1.2}.mz-ad-night{fill:#22345F;stroke:#1A2A50;stroke-width:1.2}"
    ".mz-ad-sunlight{fill:#E2A229}.mz-ad-ray{stroke:#E2A229;stroke-width:2.8;stroke-linecap:round}"
    ".mz-ad-moonlight{fill:#E9D9A0}.mz-ad-well{fill:#1A2A50;fill-opacity:.5;stroke:#7C92C8;stroke-opacity:.5;"
    "stroke-dasharray:2 3}"
    ".mz-ad-hearth{fill:none;stroke:#C9A24F;stroke-opacity:.55;stroke-dasharray:2 3}"
    ".mz-ad-cellbar{fill:#31477A}.mz-ad-trace{opacity:.16}"
    ".mz-ad-space{fill:#EDE6D8;stroke:#A9A28F;stroke-width:1.3}.mz-ad-low{fill:#F3E4DA}.mz-ad-arrow{fill:#8FA0BE}"
    ".mz-ad-vault{fill:#E7EDF3;stroke:#24457F;stroke-opacity:.45;stroke-width:1.4}"
    ".mz-ad-rib{fill:none;stroke:#2F5FA3;stroke-opacity:.25;stroke-width:1.1}"
    ".mz-ad-slot{fill:none;stroke:#24457F;stroke-opacity:.5;stroke-width:1.3;stroke-dasharray:4 4}"
    ".mz-ad-plate{fill:#F6EEDD;stroke:#6B5B3C;stroke-width:1.2}.mz-ad-hollow{stroke:#6B5B3C;stroke-opacity:.55}"
    ".mz-ad-back{fill:#DCE5EF;stroke:#24457F;stroke-width:1.2}.mz-ad-lace{fill:none;stroke:#2F5FA3;stroke-opacity:.6;"
    "stroke-width:1.6}.mz-ad-medal{fill:#FCF8EF;stroke:#2F5FA3;stroke-width:1.6}"
    ".mz-ad-jewel{fill:#FFF8E6;stroke:#9A6A12;stroke-width:1.9;stroke-linejoin:round}"
    ".mz-ad-glint{fill:#C8922B}"
    ".mz-ad-spent{fill:none;stroke:#8F8878;stroke-width:1.8;stroke-dasharray:3 2.4}"
    ".mz-ad-store{fill:none;stroke:#A9A28F;stroke-width:1.2}"
    ".mz-ad-token{fill:#2F5FA3;stroke:#173463;stroke-width:1.8}.mz-ad-ribs{fill:none;stroke:#FFF;stroke-opacity:.75;"
    "stroke-width:1.6}.mz-ad-unlit{opacity:.16}.mz-ad-accent{fill:#C4552D}"
    ".mz-ad-cell{fill:#24457F;fill-opacity:.16}.mz-ad-aim{fill:#C4552D}"
    ".mz-ad-rule{fill:none;stroke:#24457F;stroke-opacity:.22}"
    ".mz-ad-ink{fill:#FFF;fill-opacity:.4;stroke-width:2.2;stroke-linejoin:round}"
    + "".join(f".mz-ad-hue-{shows}{{fill:{tint}}}" for shows, tint in enumerate(_TINTS))
    + "".join(f".mz-ad-ink-{color}{{stroke:{ink}}}" for color, ink in enumerate(_INKS))
)

DARK_STYLE = (
    'text[class*="mz-ad-"]{fill:#DCE6F7}text[class*="mz-ad-word"],text[class*="mz-ad-head"],'
    'text[class*="mz-ad-hint"]{fill:#A6B8DA}text[class*="mz-ad-cost"]{fill:#F2A08A}'
    'text[class*="mz-ad-number"]{fill:#8FA5CB}text[class*="mz-ad-penalty"]{fill:#F6C9BC}'
    'text[class*="mz-ad-worth"]{fill:#F3D58A}'
    ".mz-ad-table{fill:#0C1424}.mz-ad-lattice{stroke:#9DB8E8;stroke-opacity:.05}"
    ".mz-ad-paper{fill:#14203A}.mz-ad-edge{stroke:#5E82BC}"
    ".mz-ad-glaze{fill:#2C4A80}.mz-ad-lobe{fill:#17264A}.mz-ad-knot{fill:#5C86C6}.mz-ad-bead{fill:#8F6F38}"
    ".mz-ad-day{fill:#3A3122;stroke:#7F6730}.mz-ad-night{fill:#121C38;stroke:#3F578E}.mz-ad-cellbar{fill:#22325C}"
    ".mz-ad-trace{opacity:.22}.mz-ad-space{fill:#1E2C4A;stroke:#4A5E86}.mz-ad-low{fill:#2B2A42}"
    ".mz-ad-arrow{fill:#5C76A6}.mz-ad-vault{fill:#1A2846;stroke:#7FA3DC}.mz-ad-rib{stroke:#7FA3DC}"
    ".mz-ad-slot{stroke:#7FA3DC}.mz-ad-plate{fill:#39435C;stroke:#0A1020}.mz-ad-hollow{stroke:#8E9BB8}"
    ".mz-ad-back{fill:#233558;stroke:#5E82BC}.mz-ad-lace{stroke:#7FA3DC}.mz-ad-medal{fill:#14203A;stroke:#7FA3DC}"
    ".mz-ad-jewel{fill:#1F3F78;stroke:#F3D58A}.mz-ad-glint{fill:#F3C75B}.mz-ad-spent,.mz-ad-store{stroke:#5B6C8F}"
    ".mz-ad-token{fill:#6C9BE0;stroke:#0B1426}.mz-ad-ribs{stroke:#0B1426}.mz-ad-accent,.mz-ad-aim{fill:#F08A5D}"
    ".mz-ad-ink{fill:#000;fill-opacity:.25}.mz-ad-cell{fill:#9DB8E8;fill-opacity:.2}.mz-ad-rule{stroke:#7FA3DC}"
    + "".join(f".mz-ad-hue-{shows}{{fill:{tint}}}" for shows, tint in enumerate(_DARK_TINTS))
    + "".join(f".mz-ad-ink-{color}{{stroke:{ink}}}" for color, ink in enumerate(_DARK_INKS))
)
