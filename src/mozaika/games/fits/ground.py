"""The ground of a FITS picture: table, ramps, cards and the boards of the game, as SVG texts that stay."""

from functools import lru_cache

from mozaika.games.fits import artwork
from mozaika.games.fits.artwork import draw_field, field_symbol
from mozaika.games.fits.layout import LETTER_SIZES, Layout, Ramp, lay_icon, lay_out
from mozaika.games.fits.pieces import COLUMNS, LETTERS, PLAIN, ROWS, TALLEST
from mozaika.places import Box, Place, draw_box, draw_table, draw_text, draw_use, size_texts
from mozaika.scene import Shape, Sprite

Board = tuple[str, bool, tuple[int, ...]]
"""The name of a board, whether full rows score on it, and its fields."""

_DOTS = (
    f'<pattern id="fits-dots" width="{1 / COLUMNS:.6f}" height="{1 / ROWS:.6f}" viewBox="0 0 20 20">'
    '<circle class="mz-fi-dot" cx="10" cy="10" r="2.2"/></pattern>'
)
_GRAIN = (
    '<pattern id="fits-grain" width="120" height="36" patternUnits="userSpaceOnUse"><path class="mz-fi-grain"'
    ' d="M0 6C30 2 60 12 120 6M0 18C40 24 80 14 120 18M0 30C20 27 70 34 120 30"/></pattern>'
)

STYLE = artwork.STYLE + size_texts("mz-fi", LETTER_SIZES)


@lru_cache(maxsize=64)
def draw_symbols(boards: tuple[Board, ...]) -> str:
    """The symbols of a game: pieces, marks, and the special fields on its boards."""
    fields = {field for _, _, squares in boards for field in squares if field != PLAIN}
    return artwork.SYMBOL_TEXT + _DOTS + _GRAIN + "".join(draw_field(field) for field in sorted(fields))


@lru_cache(maxsize=64)
def draw_ground(seats: int, boards: tuple[Board, ...], shape: Shape, words: tuple[str, ...]) -> str:
    """The words are given, so that a ground is kept for each language."""
    layout = lay_out(seats, len(boards), shape)
    card, start, ways, aside, deck, design, rows = words
    return "".join(
        (
            '<g aria-hidden="true">',
            draw_table("mz-fi", "fits-grain", layout.width, layout.height, shape),
            *(_draw_ramp(ramp, own=not index) for index, ramp in enumerate(layout.ramps)),
            _draw_card(layout, layout.card, card),
            _draw_card(layout, layout.start, start),
            _draw_ways(layout, ways),
            _draw_box(layout.aside),
            _write(layout, layout.aside.x, layout.aside.y - 6, aside),
            _draw_deck(layout, deck),
            *(
                _draw_thumb(layout, box, board, rows)
                for box, board in zip(layout.thumbs, boards, strict=True)
            ),
            _write_design(layout, boards, design),
            "</g>",
        )
    )


def _write(layout: Layout, x: float, y: float, text: str) -> str:
    return draw_text(f"mz-fi-word-{layout.words}", x, y, text)


def _draw_ramp(ramp: Ramp, *, own: bool) -> str:
    board, square = ramp.board, ramp.square
    edge = round(square / 5, 1)
    frame = Box(board.x - edge, board.y - edge / 2, board.width + 2 * edge, board.height + 1.5 * edge)
    air = Box(board.x, ramp.y, board.width, TALLEST * square)
    tracks = "".join(
        f"M{board.x + square * column:g} {ramp.y:g}V{board.y + board.height:g}"
        for column in range(1, COLUMNS)
    )
    parts = [
        draw_box("mz-fi-air", air, 0),
        draw_box("mz-fi-frame", frame, edge),
        draw_box("mz-fi-slide", board, 0),
        f'<path class="mz-fi-track" d="{tracks}"/>{_draw_dots(board)}',
    ]
    if own:
        size = 16 if square > 30 else 11
        for column, letter in enumerate(LETTERS):
            x, y = board.x + square * (column + 0.5), board.y + board.height + edge + size + 2
            parts.append(draw_text(f"mz-fi-line-{size}", x, y, letter))
        for row in range(ROWS):
            x, y = board.x - edge - size * 0.9, board.y + board.height - square * (row + 0.5) + 0.36 * size
            parts.append(draw_text(f"mz-fi-line-{size}", x, y, str(row + 1)))
    return "".join(parts)


def _draw_dots(board: Box) -> str:
    """A dot on every square; special fields lie over theirs."""
    x, y, width, height = board
    return f'<rect fill="url(#fits-dots)" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"/>'


def _draw_box(box: Box) -> str:
    return draw_box("mz-fi-paper", box, 6)


def _draw_card(layout: Layout, box: Box, word: str) -> str:
    return _draw_box(box) + _write(layout, box.x, box.y - 6, word)


def _draw_ways(layout: Layout, word: str) -> str:
    first = layout.ways[0]
    return _write(layout, first.x, first.y - 6, word) + "".join(
        draw_box("mz-fi-slot", box, 4) for box in layout.ways
    )


def icon_square(layout: Layout) -> float:
    """The side of a square of a piece among the cards to come."""
    return 8.5 if layout.shape == "wide" else 8


def _draw_deck(layout: Layout, word: str) -> str:
    first, last = layout.deck[0], layout.deck[-1]
    air = Box(first.x, first.y - 2, last.x + last.width - first.x, last.y + last.height - first.y + 4)
    gone = "".join(_use(lay_icon(piece, box, icon_square(layout))) for piece, box in enumerate(layout.deck))
    return _draw_box(air) + _write(layout, first.x, first.y - 9, word) + f'<g class="mz-fi-gone">{gone}</g>'


def _use(sprite: Sprite) -> str:
    return draw_use(sprite.symbol, Place(sprite.x, sprite.y, sprite.size))


def _draw_thumb(layout: Layout, box: Box, board: Board, rows: str) -> str:
    """A board of the game, small."""
    _, rows_score, fields = board
    square = box.width / COLUMNS
    parts = [draw_box("mz-fi-slide", box, 2), _draw_dots(box)]
    for place, field in enumerate(fields):
        if field != PLAIN:
            row, column = divmod(place, COLUMNS)
            x, y = box.x + square * column, box.y + square * (ROWS - 1 - row)
            parts.append(
                _use(Sprite(field_symbol(field, square), round(x, 1), round(y, 1), round(square, 1)))
            )
    if rows_score:
        parts.append(_write(layout, box.x, box.y + box.height + 2.3 * layout.words, rows))
    return "".join(parts)


def _write_design(layout: Layout, boards: tuple[Board, ...], design: str) -> str:
    """FI-B2: whose boards these are."""
    ours = any(name in "234" for name, _, _ in boards)
    return _write(layout, *layout.design, design) if ours else ""
