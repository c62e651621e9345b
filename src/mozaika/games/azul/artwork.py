"""How Azul looks: glazed tiles, plates and all colours, drawn for Mozaika as SVG texts.

Every tile has a motif of its own, a dark outer and a light inner line, so that it is known without colour
and stands out on paper and on night blue.
"""

from mozaika.games.azul.pieces import COLORS

TILE_SYMBOLS = tuple(f"azul-{color}" for color in COLORS)
MARKER_SYMBOL, TURN_SYMBOL = "azul-marker", "azul-turn"

_FILLS = ("#3A86C8", "#F2B01E", "#9E1B32", "#16161A", "#F4F7FA")
_EDGES = (
    ("#123A61", "#A9D3F5"),
    ("#7A4E00", "#FFE7A6"),
    ("#4A0713", "#EBA3A8"),
    ("#000", "#8D8D99"),
    ("#3D516B", "#FFF"),
)

_MOTIFS = (
    # blue: an eight-pointed star
    '<path fill="#F6FAFF" d="M20 5.6L24.2 9.8H30.2V15.8L34.4 20L30.2 24.2V30.2H24.2L20 34.4L15.8 30.2H9.8V24.2L5.6 20'
    'L9.8 15.8V9.8H15.8Z"/><path fill="#1B4E82" d="M20 13.2L26.8 20L20 26.8L13.2 20Z"/>'
    '<circle cx="20" cy="20" r="2.7" fill="#F6FAFF"/>',
    # yellow: four leaves
    '<path fill="#7C3F00" d="M20 20C17.6 11.5 23 6.8 33.2 6.8C33.2 17 28.5 22.4 20 20C28.5 17.6 33.2 23 33.2 33.2'
    "C23 33.2 17.6 28.5 20 20C22.4 28.5 17 33.2 6.8 33.2C6.8 23 11.5 17.6 20 20C11.5 22.4 6.8 17 6.8 6.8"
    'C17 6.8 22.4 11.5 20 20Z"/><g stroke="#F2B01E" stroke-width="1.3" stroke-linecap="round">'
    '<path d="M23.5 16.5L29 11M23.5 23.5L29 29M16.5 23.5L11 29M16.5 16.5L11 11"/></g>'
    '<circle cx="20" cy="20" r="2.4" fill="#FFF0C4"/>',
    # red: a diamond
    '<path fill="#FBE3D4" fill-rule="evenodd" d="M20 5.8L34.2 20L20 34.2L5.8 20ZM20 12.4L12.4 20L20 27.6L27.6 20Z"/>'
    '<path fill="#FBE3D4" d="M20 16L24 20L20 24L16 20Z"/>',
    # black: a ring among arcs
    '<g fill="none" stroke="#E2CF9F"><circle cx="20" cy="20" r="8.2" stroke-width="3.4"/>'
    '<path stroke-width="2.2" d="M14.2 5A9.2 9.2 0 0 1 5 14.2M25.8 5A9.2 9.2 0 0 0 35 14.2M14.2 35'
    'A9.2 9.2 0 0 0 5 25.8M25.8 35A9.2 9.2 0 0 1 35 25.8"/></g><circle cx="20" cy="20" r="2.7" fill="#E2CF9F"/>',
    # white: a frost flower
    '<g fill="none" stroke="#1F5C99" stroke-width="2.3" stroke-linecap="round"><path d="M20 6.4V33.6M6.4 20H33.6'
    'M11.8 11.8L28.2 28.2M28.2 11.8L11.8 28.2"/><path stroke-width="1.9" d="M16.4 7.6L20 11.2L23.6 7.6M16.4 32.4'
    'L20 28.8L23.6 32.4M7.6 16.4L11.2 20L7.6 23.6M32.4 16.4L28.8 20L32.4 23.6"/></g>'
    '<circle cx="20" cy="20" r="3.2" fill="#F4F7FA" stroke="#1F5C99" stroke-width="1.8"/>',
)

_TILES = "".join(
    f'<symbol id="{symbol}" viewBox="0 0 40 40">'
    f'<rect x=".7" y=".7" width="38.6" height="38.6" rx="5" fill="{fill}" stroke="{dark}" stroke-width="1.4"/>'
    f'<rect x="2.3" y="2.3" width="35.4" height="35.4" rx="3.6" fill="none" stroke="{light}" stroke-width="1.5"/>'
    f'{motif}<path d="M5.4 11V8.4A3 3 0 0 1 8.4 5.4H17" fill="none" stroke="#FFF" stroke-opacity=".6"'
    ' stroke-width="1.5" stroke-linecap="round"/></symbol>'
    for symbol, fill, (dark, light), motif in zip(TILE_SYMBOLS, _FILLS, _EDGES, _MOTIFS, strict=True)
)

_MARKER = (
    '<symbol id="azul-marker" viewBox="0 0 40 40"><circle cx="20" cy="20" r="18.8" fill="#FBF3E0" stroke="#5A2A12"'
    ' stroke-width="1.6"/><circle cx="20" cy="20" r="16.2" fill="none" stroke="#C4552D" stroke-width="2"/>'
    '<circle cx="20" cy="20" r="12.6" fill="none" stroke="#C4552D" stroke-width="2.2" stroke-dasharray="0 3.96"'
    ' stroke-linecap="round"/><path fill="#5A2A12" d="M21.9 12.4V25.2H24.4V27.6H16.4V25.2H18.9V16.2L16.2 17.2V14.7'
    'L20.2 12.4Z"/></symbol>'
)

_TURN = (
    '<symbol id="azul-turn" viewBox="0 0 40 40"><path class="mz-az-accent" d="M20 1C21.6 12.6 27.4 18.4 39 20'
    'C27.4 21.6 21.6 27.4 20 39C18.4 27.4 12.6 21.6 1 20C12.6 18.4 18.4 12.6 20 1Z"/>'
    '<path class="mz-az-accent" d="M8 8L15 12.6L12.6 15ZM32 8L27.4 15L25 12.6ZM32 32L25 27.4L27.4 25ZM8 32'
    'L12.6 25L15 27.4Z"/></symbol>'
)

_PLATE = (
    '<symbol id="azul-plate" viewBox="0 0 100 100"><circle class="mz-az-plate" cx="50" cy="50" r="49"/>'
    '<circle class="mz-az-band" cx="50" cy="50" r="45.4"/><circle class="mz-az-beads" cx="50" cy="50" r="45.4"/>'
    '<circle class="mz-az-fine" cx="50" cy="50" r="41.6"/><circle class="mz-az-fine" cx="50" cy="50" r="17"/>'
    '<path class="mz-az-fine" d="M50 22C58 34 66 42 78 50C66 58 58 66 50 78C42 66 34 58 22 50C34 42 42 34 50 22Z"/>'
    "</symbol>"
)

FRIEZE = (
    '<rect class="mz-az-glaze" width="16" height="16"/><path class="mz-az-leaf" d="M8 0C9.4 4.6 11.4 6.6 16 8'
    'C11.4 9.4 9.4 11.4 8 16C6.6 11.4 4.6 9.4 0 8C4.6 6.6 6.6 4.6 8 0Z"/>'
    '<path class="mz-az-bud" d="M0 0H3.4A3.4 3.4 0 0 1 0 3.4ZM16 0V3.4A3.4 3.4 0 0 1 12.6 0ZM16 16H12.6'
    'A3.4 3.4 0 0 1 16 12.6ZM0 16V12.6A3.4 3.4 0 0 1 3.4 16Z"/><circle class="mz-az-eye" cx="8" cy="8" r="1.3"/>'
)
_WEAVE = (
    '<pattern id="azul-weave" width="56" height="56" patternUnits="userSpaceOnUse"><g class="mz-az-weave">'
    '<circle cx="28" cy="28" r="28"/><circle cx="0" cy="0" r="28"/><circle cx="56" cy="0" r="28"/>'
    '<circle cx="0" cy="56" r="28"/><circle cx="56" cy="56" r="28"/></g></pattern>'
)

SYMBOLS = _TILES + _MARKER + _TURN + _PLATE + _WEAVE

STYLE = (
    '[class*="mz-az-"]{pointer-events:none}'
    'text[class*="mz-az-"]{font-family:system-ui,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;fill:#24385C;'
    "font-variant-numeric:tabular-nums lining-nums}"
    'text[class*="mz-az-name"],text[class*="mz-az-title"],text[class*="mz-az-phase"],text[class*="mz-az-word"]'
    '{font-family:"Iowan Old Style","Palatino Linotype",Palatino,Georgia,serif}'
    'text[class*="mz-az-score"]{font-weight:700;text-anchor:end}'
    'text[class*="mz-az-cost"]{font-weight:600;fill:#A3341B}'
    'text[class*="mz-az-count"]{text-anchor:middle}text[class*="mz-az-total"]{text-anchor:middle;font-weight:700}'
    'text[class*="mz-az-word"]{text-anchor:middle;font-style:italic;fill:#4D6088}'
    ".mz-az-title-wide{font-size:34px}.mz-az-phase-wide{font-size:19px;font-style:italic}"
    ".mz-az-title-tall{font-size:20px}.mz-az-phase-tall{font-size:15px;font-style:italic;text-anchor:end}"
    'text[class*="mz-az-line"],text[class*="mz-az-column"],text[class*="mz-az-number"]{fill:#4D5E82;text-anchor:middle}'
    'text[class*="mz-az-penalty"]{fill:#6F2413;text-anchor:middle}'
    ".mz-az-table{fill:#EFE6D5}.mz-az-weave{fill:none;stroke:#1F3F78;stroke-opacity:.06}"
    ".mz-az-paper{fill:#FCF8EF}.mz-az-edge{fill:none;stroke:#24457F;stroke-width:1.2}"
    ".mz-az-glaze{fill:#F4F6F5}.mz-az-leaf{fill:#3D6DB0}.mz-az-bud{fill:#DDB566}.mz-az-eye{fill:#F4F6F5}"
    ".mz-az-plate{fill:#FBF7EE;stroke:#24457F;stroke-width:1.4}.mz-az-band{fill:none;stroke:#DCE5EF;stroke-width:6}"
    ".mz-az-beads{fill:none;stroke:#2F5FA3;stroke-width:3;stroke-linecap:round;stroke-dasharray:0 7.13}"
    ".mz-az-fine{fill:none;stroke:#2F5FA3;stroke-opacity:.35;stroke-width:1}"
    ".mz-az-pool{fill:#F7F0E2;stroke:#24457F;stroke-width:1.2}"
    ".mz-az-thread{fill:none;stroke:#24457F;stroke-opacity:.35;stroke-width:1.2;stroke-dasharray:1 6;"
    "stroke-linecap:round}"
    ".mz-az-space{fill:#EDE6D8;stroke:#A9A28F;stroke-width:1.3;stroke-linejoin:round}.mz-az-low{fill:#F3E4DA}"
    ".mz-az-grey{fill:#E3E2DE}.mz-az-arrow{fill:#8FA0BE}.mz-az-printed{opacity:.3}"
    ".mz-az-rule{fill:none;stroke:#24457F;stroke-opacity:.3}.mz-az-accent{fill:#C4552D}.mz-az-unlit{opacity:.16}.mz-az-trace{opacity:.13}"
)

DARK_STYLE = (
    'text[class*="mz-az-"]{fill:#DCE6F7}text[class*="mz-az-word"]{fill:#9FB3D6}'
    'text[class*="mz-az-cost"]{fill:#F2A08A}'
    'text[class*="mz-az-line"],text[class*="mz-az-column"],text[class*="mz-az-number"]{fill:#A9BDE0}'
    'text[class*="mz-az-penalty"]{fill:#F6C9BC}'
    ".mz-az-table{fill:#0C1424}.mz-az-weave{stroke:#9DB8E8;stroke-opacity:.05}"
    ".mz-az-paper{fill:#14203A}.mz-az-edge{stroke:#5E82BC}"
    ".mz-az-glaze{fill:#17264A}.mz-az-leaf{fill:#4D74B3}.mz-az-bud{fill:#8F6F38}.mz-az-eye{fill:#17264A}"
    ".mz-az-plate{fill:#1A2846;stroke:#5E82BC}.mz-az-band{stroke:#233558}.mz-az-beads{stroke:#5C86C6}"
    ".mz-az-fine{stroke:#7FA3DC}.mz-az-pool{fill:#101B32;stroke:#5E82BC}.mz-az-thread{stroke:#7FA3DC}"
    ".mz-az-space{fill:#1E2C4A;stroke:#4A5E86}.mz-az-low{fill:#2B2A42}.mz-az-grey{fill:#283449}"
    ".mz-az-arrow{fill:#5C76A6}.mz-az-printed{opacity:.2}.mz-az-rule{stroke:#7FA3DC}.mz-az-accent{fill:#F08A5D}"
    ".mz-az-trace{opacity:.22}"
)
