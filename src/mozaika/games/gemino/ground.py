"""The ground of a GEMINO picture: table, boards and panels as SVG texts that stay through a game."""

from functools import lru_cache

from mozaika.games.gemino.artwork import BLANK_SYMBOL, FIELD_SYMBOLS, TILE_SYMBOLS, TURN_SYMBOL
from mozaika.games.gemino.layout import Board, Panel, Place, lay_out
from mozaika.games.gemino.notation import COLUMNS
from mozaika.games.gemino.pieces import BOARDS, FIELDS, POINTS_TO_WIN, SIZE
from mozaika.scene import Shape

Colors = tuple[int, ...]
"""The colour of each field of a board; none of a board whose side is not drawn yet."""


@lru_cache(maxsize=64)
def draw_ground(seats: int, sides: tuple[Colors, Colors], shape: Shape) -> str:
    layout = lay_out(seats, shape)
    corner = 18 if shape == "wide" else 0
    size = f'width="{layout.width:g}" height="{layout.height:g}" rx="{corner}"'
    return "".join(
        (
            f'<g aria-hidden="true"><rect class="mz-ge-table" {size}/>'
            f'<rect fill="url(#gemino-tesserae)" {size}/>',
            *(_draw_board(layout.boards[board], board, sides[board], shape) for board in BOARDS),
            *map(_draw_panel, layout.panels, TILE_SYMBOLS),
            "</g>",
        )
    )


def _draw_board(place: Board, board: int, colors: Colors, shape: Shape) -> str:
    x, y, frame = place.x, place.y, place.frame
    parts = [_draw_square("frame", x, y, place.size, 8)]
    parts.append(_draw_square("bed", x + frame - 2, y + frame - 2, SIZE * place.cell + 4, 5))
    for field in range(FIELDS):
        symbol = FIELD_SYMBOLS[colors[field]] if colors else BLANK_SYMBOL
        parts.append(f'<use href="#{symbol}" {_at(place.field(field))}/>')
    letter = 5 if shape == "wide" else 4
    for index in range(SIZE):
        middle = frame + (index + 0.5) * place.cell
        column = COLUMNS[board * SIZE + index]
        parts.append(_write_edge(column, x + middle, y + frame / 2 + letter, shape))
        parts.append(_write_edge(str(index + 1), x + frame / 2, y + middle + letter, shape))
    return "".join(parts)


def _draw_square(style: str, x: float, y: float, size: float, corner: int) -> str:
    return (
        f'<rect class="mz-ge-{style}" x="{x:g}" y="{y:g}" width="{size:g}" height="{size:g}" rx="{corner}"/>'
    )


def _write_edge(text: str, x: float, y: float, shape: Shape) -> str:
    return f'<text class="mz-ge-edge-{shape}" x="{x:g}" y="{y:g}">{text}</text>'


def _draw_panel(panel: Panel, symbol: str) -> str:
    slots = "".join(
        f'<circle class="mz-ge-slot" cx="{x + size / 2:g}" cy="{y + size / 2:g}" r="{size / 2:g}"/>'
        for x, y, size in panel.points[:POINTS_TO_WIN]
    )
    return (
        f'<rect class="mz-ge-panel" x="{panel.x:g}" y="{panel.y:g}" width="{panel.width:g}"'
        f' height="{panel.height:g}" rx="8"/>{slots}'
        f'<use class="mz-ge-unlit" href="#{TURN_SYMBOL}" {_at(panel.turn)}/>'
        f'<use href="#{symbol}" {_at(panel.sign)}/>'
    )


def _at(place: Place) -> str:
    return f'x="{place.x:g}" y="{place.y:g}" width="{place.size:g}" height="{place.size:g}"'
