"""The ground of a GEMINO picture: table, boards and panels as SVG texts that stay through a game."""

from functools import lru_cache

from mozaika.games.gemino.artwork import BLANK_SYMBOL, FIELD_SYMBOLS, TILE_SYMBOLS, TURN_SYMBOL
from mozaika.games.gemino.layout import Board, Panel, lay_out
from mozaika.games.gemino.notation import COLUMNS
from mozaika.games.gemino.pieces import BOARDS, FIELDS, POINTS_TO_WIN, SIZE
from mozaika.places import Box, draw_box, draw_circle, draw_table, draw_text, draw_use
from mozaika.scene import Shape

Colors = tuple[int, ...]
"""The colour of each field of a board; none of a board whose side is not drawn yet."""


@lru_cache(maxsize=64)
def draw_ground(seats: int, sides: tuple[Colors, Colors], shape: Shape) -> str:
    layout = lay_out(seats, shape)
    return "".join(
        (
            '<g aria-hidden="true">',
            draw_table("mz-ge", "gemino-tesserae", layout.width, layout.height, shape),
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
        parts.append(draw_use(symbol, place.field(field)))
    letter = 5 if shape == "wide" else 4
    for index in range(SIZE):
        middle = frame + (index + 0.5) * place.cell
        column = COLUMNS[board * SIZE + index]
        parts.append(_write_edge(column, x + middle, y + frame / 2 + letter, shape))
        parts.append(_write_edge(str(index + 1), x + frame / 2, y + middle + letter, shape))
    return "".join(parts)


def _draw_square(style: str, x: float, y: float, size: float, corner: int) -> str:
    return draw_box(f"mz-ge-{style}", Box(x, y, size, size), corner)


def _write_edge(text: str, x: float, y: float, shape: Shape) -> str:
    return draw_text(f"mz-ge-edge-{shape}", x, y, text)


def _draw_panel(panel: Panel, symbol: str) -> str:
    return "".join(
        (
            draw_box("mz-ge-panel", Box(panel.x, panel.y, panel.width, panel.height), 8),
            *(draw_circle("mz-ge-slot", place) for place in panel.points[:POINTS_TO_WIN]),
            draw_use(TURN_SYMBOL, panel.turn, "mz-ge-unlit"),
            draw_use(symbol, panel.sign),
        )
    )
