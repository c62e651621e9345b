"""Where everything lies on a table of FITS, for a number of seats and a shape; and what places are called."""

from dataclasses import dataclass
from functools import cache

from mozaika.games.fits.artwork import TURN_SYMBOL, box_of, piece_symbol
from mozaika.games.fits.notation import write_manner
from mozaika.games.fits.pieces import COLUMNS, FIRST_WAY, LETTERS, NAMES, ROWS, TALLEST, WAYS
from mozaika.places import Box
from mozaika.scene import Shape, Sprite, part

HIGH = ROWS + TALLEST
"""A ramp is drawn so many rows high: above the board pieces are held, and may stick out."""

COLUMN_SPOTS = tuple(f"column-{letter}" for letter in LETTERS)
WAY_SPOTS = tuple(f"way-{NAMES[piece]}-{write_manner(way)}" for way, (piece, *_) in enumerate(WAYS))
ASIDE_SPOT = "aside"
LETTER_SIZES = (10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 26, 30)


@cache
def _offset(way: int) -> tuple[int, int]:
    """Where in its turned drawing a piece begins, in squares."""
    piece, turns, _, art = WAYS[way]
    side, (height, width) = box_of(piece), (len(art), len(art[0]))
    # a piece is drawn in the upper left corner of its square; turning takes that corner along
    return ((0, 0), (side - width, 0), (side - width, side - height), (0, side - height))[turns]


def lay_way(way: int, x: float, y: float, square: float) -> Sprite:
    """A piece as it lies, by its upper left corner and the side of a square."""
    piece, turns, _, _ = WAYS[way]
    across, down = _offset(way)
    left, top = round(x - across * square, 1), round(y - down * square, 1)
    return Sprite(_symbol_of(way), left, top, round(box_of(piece) * square, 1), turns)


@cache
def _symbol_of(way: int) -> str:
    piece, _, flipped, _ = WAYS[way]
    return piece_symbol(piece, flipped)


@part
def lay_in(way: int, box: Box, square: float) -> Sprite:
    """A piece in the middle of a box."""
    art = WAYS[way][3]
    x = box.x + (box.width - len(art[0]) * square) / 2
    y = box.y + (box.height - len(art) * square) / 2
    return lay_way(way, x, y, square)


@part
def lay_icon(piece: int, box: Box, square: float) -> Sprite:
    """A piece as on its card."""
    return lay_in(int(FIRST_WAY[piece]), box, square)


@dataclass(frozen=True, eq=False)
class Ramp:
    """A ramp by the upper left corner of its highest row, and the side of a square. It is its own key."""

    x: float
    y: float
    square: float
    name: tuple[float, float]
    total: tuple[float, float]
    letters: int
    """The size of the name."""
    name_room: float
    """As a multiple of the size of the letters."""
    start: Box
    """Where the start card is remembered."""
    aside: Box
    icon: float
    """The side of a square of the pieces that are set aside."""

    @property
    def board(self) -> Box:
        """The twelve rows that count."""
        top = self.y + TALLEST * self.square
        return Box(self.x, top, COLUMNS * self.square, ROWS * self.square)

    def corner(self, column: int, row: int) -> tuple[float, float]:
        """The upper left corner of a square."""
        return round(self.x + column * self.square, 1), round(self.y + (HIGH - 1 - row) * self.square, 1)

    @part
    def lay(self, way: int, column: int, row: int) -> Sprite:
        """A piece whose lowest square lies in a row."""
        x, y = self.corner(column, row + len(WAYS[way][3]) - 1)
        return lay_way(way, x, y, self.square)

    @part
    def hold(self, way: int, column: int) -> Sprite:
        """A piece in the hand, above the ramp."""
        return lay_way(way, *self.corner(column, HIGH - 1), self.square)

    @part
    def point(self) -> Sprite:
        """That the player is to move, or has won."""
        x, y = self.name
        return Sprite(TURN_SYMBOL, round(x - self.letters, 1), y - 0.8 * self.letters, self.letters)

    @part
    def mark(self, symbol: str, column: int, row: int) -> Sprite:
        return Sprite(symbol, *self.corner(column, row), self.square)


@dataclass(frozen=True, eq=False)
class Layout:
    """Where everything lies for a number of seats in a shape. There is one of each, so it is its own key."""

    shape: Shape
    width: float
    height: float
    title: tuple[float, float]
    phase: tuple[float, float]
    ramps: tuple[Ramp, ...]
    """The viewer's ramp first, then clockwise."""
    card: Box
    start: Box
    ways: tuple[Box, ...]
    aside: Box
    deck: tuple[Box, ...]
    thumbs: tuple[Box, ...]
    """Small pictures of the boards of the game."""
    design: tuple[float, float]
    """Where it says whose boards they are."""
    words: int
    """The size of the words beside things."""


@cache
def name_areas(layout: Layout) -> tuple[tuple[str, Box], ...]:
    """What can be cut out of the picture: ramps with what is above and beside them, and the cards."""
    ramps = []
    for n, ramp in enumerate(layout.ramps, 1):
        board, left, right = ramp.board, (1 if n == 1 else 0.3) * ramp.square, 0.4 * ramp.square
        top = ramp.name[1] - 1.2 * ramp.letters
        bottom = board.y + board.height + (0.7 if n == 1 else 1.8) * ramp.square
        ramps.append((f"ramp-{n}", Box(board.x - left, top, board.width + left + right, bottom - top)))
    near, top = layout.card.x, layout.card.y - 1.5 * layout.words
    across = layout.aside.width + 2.3 * layout.words  # the title above them is a little wider
    cards = Box(near, top, across, layout.aside.y + layout.aside.height - top)
    return (*ramps, ("cards", cards))


@cache
def lay_out(seats: int, rounds: int, shape: Shape) -> Layout:
    return _wide(seats, rounds) if shape == "wide" else _tall(seats, rounds)


def _wide(seats: int, rounds: int) -> Layout:
    own = Ramp(64, 72, 40, (64, 48), (304, 48), 22, 7.3, Box(0, 0, 0, 0), Box(340, 500, 300, 76), 9)
    return Layout(
        shape="wide",
        width=1200,
        height=760,
        title=(340, 54),
        phase=(340, 84),
        ramps=(own, *_others(seats - 1, (700, 78), 24, 168, 16)),
        card=Box(340, 126, 144, 120),
        start=Box(496, 126, 144, 120),
        ways=tuple(Box(340 + 76 * (i % 4), 282 + 76 * (i // 4), 72, 72) for i in range(8)),
        aside=Box(340, 476, 300, 100),
        deck=tuple(Box(340 + 37.5 * (i % 8), 614 + 44 * (i // 8), 37.5, 44) for i in range(len(NAMES))),
        thumbs=_thumbs(rounds, (700, 550), 12, 124, 4)
        if seats > 1
        else _thumbs(rounds, (740, 78), 22, 220, 2),
        design=(700, 750),
        words=16,
    )


def _tall(seats: int, rounds: int) -> Layout:
    own = Ramp(24, 48, 29, (24, 42), (198, 42), 14, 8.8, Box(0, 0, 0, 0), Box(206, 266, 148, 42), 5)
    square, step, thumbs, bottom = _TALL_BELOW.get(seats, _TALL_BELOW[3])
    return Layout(
        shape="tall",
        width=360,
        height=bottom,
        title=(8, 22),
        phase=(352, 21),
        ramps=(own, *_others(seats - 1, (22, 566), square, step, 12)),
        card=Box(206, 62, 72, 64),
        start=Box(282, 62, 72, 64),
        ways=tuple(Box(206 + 37 * (i % 4), 146 + 37 * (i // 4), 36, 36) for i in range(8)),
        aside=Box(206, 242, 148, 66),
        deck=tuple(Box(206 + 37 * (i % 4), 330 + 37 * (i // 4), 37, 37) for i in range(len(NAMES))),
        thumbs=_thumbs(rounds, *thumbs),
        design=(22, bottom - 6),
        words=11,
    )


_TALL_BELOW = {
    1: (0, 0, ((22, 548), 7, 84, 4), 678),
    2: (14, 138, ((160, 576), 6.5, 108, 2), 852),
    3: (10, 116, ((22, 762), 7, 84, 4), 892),
}
"""For each number of seats: how large the others' ramps are and how far apart, where the boards of the game
lie, and where all ends.
"""


def _others(
    count: int, at: tuple[float, float], square: float, step: float, letters: int
) -> tuple[Ramp, ...]:
    """The ramps of the other players, side by side."""
    ramps = []
    for index in range(count):
        x, y = at[0] + step * index, at[1]
        width, bottom = COLUMNS * square, y + HIGH * square
        head = max(width, step - 16)
        ramps.append(
            Ramp(
                x,
                y,
                square,
                (x, y - 10),
                (x + head, y - 10),
                letters,
                round(head / letters - 3, 1),
                Box(x, bottom + 4, 1.6 * square, 1.6 * square),
                Box(x + 1.8 * square, bottom + 4, width - 1.8 * square, 1.6 * square),
                square / 5,
            )
        )
    return tuple(ramps)


def _thumbs(rounds: int, at: tuple[float, float], square: float, step: float, across: int) -> tuple[Box, ...]:
    width, height = COLUMNS * square, ROWS * square
    return tuple(
        Box(at[0] + step * (i % across), at[1] + (height + 76) * (i // across), width, height)
        for i in range(rounds)
    )
