"""How GEMINO looks: fields, tiles and all colours, drawn for Mozaika as SVG texts.

The six fills stay apart for colour-blind eyes (a test measures them), every colour has a pattern of its own,
and every player a symbol.
"""

from mozaika.games.gemino.pieces import COLORS

FIELD_SYMBOLS = tuple(f"gemino-{color}" for color in COLORS)
BLANK_SYMBOL = "gemino-blank"
TILE_SYMBOLS = ("gemino-cross", "gemino-square", "gemino-circle", "gemino-star")
THREAT_SYMBOLS = tuple(f"{symbol}-threat" for symbol in TILE_SYMBOLS)
SCORED_SYMBOL, TURN_SYMBOL = "gemino-scored", "gemino-turn"

FILLS = ("#A81A1A", "#DE8A34", "#FBEC7C", "#2B7A5E", "#8FBFE0", "#43128A")
_INKS = ("#F2B3AA", "#6E3604", "#8C7000", "#B5E3D1", "#235982", "#C9B2F2")

PATTERNS = (
    # red: slanting bars
    '<path d="M6 20L20 6M6 38L38 6M6 54L54 6M22 54L54 22M40 54L54 40"/>',
    # orange: rings
    '<circle cx="16" cy="16" r="6"/><circle cx="44" cy="16" r="6"/><circle cx="16" cy="44" r="6"/>'
    '<circle cx="44" cy="44" r="6"/><circle cx="30" cy="30" r="4"/>',
    # yellow: crosslets
    '<path d="M10 14h10M15 9v10M40 14h10M45 9v10M25 30h10M30 25v10M10 46h10M15 41v10M40 46h10M45 41v10"/>',
    # green: rafters
    '<path d="M6 18L18 8L30 18L42 8L54 18M6 34L18 24L30 34L42 24L54 34M6 50L18 40L30 50L42 40L54 50"/>',
    # blue: waves
    '<path d="M6 14q6-7 12 0t12 0t12 0t12 0M6 30q6-7 12 0t12 0t12 0t12 0M6 46q6-7 12 0t12 0t12 0t12 0"/>',
    # violet: lozenges
    '<path d="M16 7l8 9l-8 9l-8-9zM44 7l8 9l-8 9l-8-9zM16 35l8 9l-8 9l-8-9zM44 35l8 9l-8 9l-8-9z"/>',
)

_FIELDS = "".join(
    f'<symbol id="{symbol}" viewBox="0 0 60 60"><rect x="1" y="1" width="58" height="58" rx="5" fill="{fill}"/>'
    f'<g fill="none" stroke="{ink}" stroke-width="2.4" stroke-linecap="round" stroke-opacity=".75">{pattern}</g>'
    '<path d="M4 55V8a4 4 0 0 1 4-4H55" fill="none" stroke="#FFF" stroke-opacity=".35" stroke-width="1.6"/>'
    '<path d="M56 6V52a4 4 0 0 1-4 4H6" fill="none" stroke="#000" stroke-opacity=".28" stroke-width="1.6"/></symbol>'
    for symbol, fill, ink, pattern in zip(FIELD_SYMBOLS, FILLS, _INKS, PATTERNS, strict=True)
)
_BLANK = (
    f'<symbol id="{BLANK_SYMBOL}" viewBox="0 0 60 60">'
    '<rect class="mz-ge-blank" x="1" y="1" width="58" height="58" rx="5"/></symbol>'
)

SHAPES = (
    # GE-B1: a red cross, a blue square, a yellow circle, a green star
    '<path fill="#C0202E" stroke="#5C0A12" d="M16 8h8v8h8v8h-8v8h-8v-8h-8v-8h8z"/>',
    '<rect fill="#2668B4" stroke="#0E2F57" x="10" y="10" width="20" height="20" rx="1.5"/>',
    '<circle fill="#F0B51D" stroke="#6B4A00" cx="20" cy="20" r="11"/>',
    '<path fill="#1F8A50" stroke="#0A4023"'
    ' d="M20 7.200l3.900 8.100l8.900 1.200l-6.500 6.200l1.600 8.900l-7.900-4.300l-7.900 4.300l1.600-8.900l-6.500-6.200l8.900-1.200z"/>',
)
_TILES = "".join(
    f'<symbol id="{symbol}" viewBox="0 0 40 40">'
    '<rect x="1" y="1" width="38" height="38" rx="8" fill="#FCF7EA" stroke="#3F3220" stroke-width="1.6"/>'
    '<rect x="3.600" y="3.600" width="32.800" height="32.800" rx="5.500" fill="none" stroke="#D8C9A6" stroke-width="1.4"/>'
    f'<g stroke-width="1.800" stroke-linejoin="round">{shape}</g></symbol>'
    for symbol, shape in zip(TILE_SYMBOLS, SHAPES, strict=True)
)
_THREATS = "".join(
    f'<symbol id="{symbol}" viewBox="0 0 40 40">'
    '<circle cx="20" cy="20" r="18.500" fill="#FFF" stroke="#111" stroke-width="2.600"/>'
    f'<g stroke-width="1.800" stroke-linejoin="round">{shape}</g></symbol>'
    for symbol, shape in zip(THREAT_SYMBOLS, SHAPES, strict=True)
)
_SCORED = (
    f'<symbol id="{SCORED_SYMBOL}" viewBox="0 0 40 40"><rect x="2.500" y="2.500" width="35" height="35" rx="8" fill="none"'
    ' stroke="#111" stroke-width="5"/><rect x="2.500" y="2.500" width="35" height="35" rx="8" fill="none" stroke="#FFD23F"'
    ' stroke-width="3" stroke-dasharray="6 3"/></symbol>'
)
_TURN = f'<symbol id="{TURN_SYMBOL}" viewBox="0 0 40 40"><path class="mz-ge-accent" d="M6 4L36 20L6 36L13 20Z"/></symbol>'
_TESSERAE = (
    '<pattern id="gemino-tesserae" width="18" height="18" patternUnits="userSpaceOnUse">'
    '<path class="mz-ge-grout" d="M0 .5H18M.5 0V9M9.500 9V18M0 9.500H18"/></pattern>'
)

SYMBOLS = _FIELDS + _BLANK + _TILES + _THREATS + _SCORED + _TURN + _TESSERAE

STYLE = (
    '[class*="mz-ge-"]{pointer-events:none}'
    'text[class*="mz-ge-"]{font-family:system-ui,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;fill:#3A2B1C;'
    "font-variant-numeric:tabular-nums lining-nums}"
    'text[class*="mz-ge-title"],text[class*="mz-ge-phase"],text[class*="mz-ge-name"]'
    '{font-family:"Iowan Old Style","Palatino Linotype",Palatino,Georgia,serif}'
    ".mz-ge-title-wide{font-size:30px}.mz-ge-title-tall{font-size:18px}"
    ".mz-ge-phase-wide{font-size:20px;font-style:italic;text-anchor:end}"
    ".mz-ge-phase-tall{font-size:14px;font-style:italic;text-anchor:end}"
    ".mz-ge-name-wide{font-size:20px}.mz-ge-name-tall{font-size:12px}"
    ".mz-ge-hand-wide{font-size:17px;font-weight:600;text-anchor:end}"
    ".mz-ge-hand-tall{font-size:12px;font-weight:600;text-anchor:end}"
    'text[class*="mz-ge-edge"]{text-anchor:middle;fill:#5E4A33;font-weight:600}'
    "text.mz-ge-edge-wide{font-size:16px}text.mz-ge-edge-tall{font-size:11px}"
    ".mz-ge-table{fill:#EEE4D2}.mz-ge-grout{fill:none;stroke:#6B5233;stroke-opacity:.1}"
    ".mz-ge-frame{fill:#D9C6A2;stroke:#6B5233;stroke-width:1.4}.mz-ge-bed{fill:#4A3B2A}"
    ".mz-ge-blank{fill:#8F8168}.mz-ge-panel{fill:#FBF6EA;stroke:#6B5233;stroke-width:1.2}"
    ".mz-ge-slot{fill:#EADDC2;stroke:#8A6F47;stroke-width:1.4;stroke-dasharray:3 2}"
    ".mz-ge-accent{fill:#B3431E}.mz-ge-unlit{opacity:.14}"
)

DARK_STYLE = (
    'text[class*="mz-ge-"]{fill:#F0E6D4}text[class*="mz-ge-edge"]{fill:#D8C6A6}'
    ".mz-ge-table{fill:#191410}.mz-ge-grout{stroke:#E8D5B0;stroke-opacity:.07}"
    ".mz-ge-frame{fill:#3B2F22;stroke:#8A6F47}.mz-ge-bed{fill:#0D0A07}.mz-ge-blank{fill:#4C4132}"
    ".mz-ge-panel{fill:#261E16;stroke:#8A6F47}.mz-ge-slot{fill:#32281C;stroke:#A98D5F}.mz-ge-accent{fill:#F5915F}"
)
