"""Where everything lies on a GEMINO table, for a number of seats and a shape; and what places are called."""

from dataclasses import dataclass
from functools import cache

from mozaika.games.gemino.notation import write_field, write_line
from mozaika.games.gemino.pieces import BOARDS, FIELDS, SIZE, TILES, line_fields
from mozaika.places import Box, Place
from mozaika.scene import Shape

MOST_POINTS = 4
TALL_HEIGHT = 573
"""With the bars above and below it both boards are seen whole on a phone."""


@dataclass(frozen=True)
class Board:
    """A board by the corner of its frame."""

    x: float
    y: float
    frame: float
    cell: float

    @property
    def size(self) -> float:
        return 2 * self.frame + SIZE * self.cell

    def field(self, field: int) -> Place:
        row, column = divmod(field, SIZE)
        return Place(
            self.x + self.frame + column * self.cell, self.y + self.frame + row * self.cell, self.cell
        )

    def tile(self, field: int) -> Place:
        """A tile is smaller than its field, so that the colour can still be seen."""
        return self.field(field).inset(0.13)

    def corner(self, field: int, seat: int) -> Place:
        """A corner of a field for each seat."""
        x, y, size = self.field(field)
        part = 0.44 * size
        return Place(
            round(x + 0.04 * size + (seat % 2) * 0.48 * size, 1),
            round(y + 0.04 * size + (seat // 2) * 0.48 * size, 1),
            round(part, 1),
        )


@dataclass(frozen=True)
class Panel:
    """What belongs to a player: the name, the tiles in hand, the points."""

    x: float
    y: float
    width: float
    height: float
    turn: Place
    sign: Place
    """For the player's symbol."""
    name: tuple[float, float]
    name_room: float
    """As a multiple of the size of the letters."""
    hand: tuple[Place, ...]
    count: tuple[float, float]
    points: tuple[Place, ...]


@dataclass(frozen=True, eq=False)
class Layout:
    """There is one for each number of seats and shape, so it is its own key."""

    shape: Shape
    width: float
    height: float
    title: tuple[float, float]
    phase: tuple[float, float]
    boards: tuple[Board, ...]
    panels: tuple[Panel, ...]


@cache
def name_areas(layout: Layout) -> tuple[tuple[str, Box], ...]:
    """What can be cut out of the picture."""
    boards = [
        (f"board-{n}", Box(board.x, board.y, board.size, board.size))
        for n, board in enumerate(layout.boards, 1)
    ]
    panels = [
        (f"player-{n}", Box(each.x, each.y, each.width, each.height))
        for n, each in enumerate(layout.panels, 1)
    ]
    return (*boards, *panels)


@cache
def lay_out(seats: int, shape: Shape) -> Layout:
    if shape == "wide":
        return Layout(
            shape="wide",
            width=1200,
            height=734,
            title=(42, 44),
            phase=(1158, 42),
            boards=(Board(40, 62, 24, 84), Board(608, 62, 24, 84)),
            panels=tuple(_wide_panel(seat, seats) for seat in range(seats)),
        )
    return Layout(
        shape="tall",
        width=360,
        height=TALL_HEIGHT,
        title=(8, 20),
        phase=(352, 20),
        boards=(Board(4, 28, 14, 40), Board(4, 301, 14, 40)),
        panels=tuple(_tall_panel(seat, seats) for seat in range(seats)),
    )


def _wide_panel(seat: int, seats: int) -> Panel:
    """Below the boards, side by side."""
    gap = 12
    width = (1120 - gap * (seats - 1)) / seats
    x, y, slot, tile = 40 + seat * (width + gap), 630, 28, 26
    step = min(tile + 2, (width - 24 - tile - 34) / (TILES - 1))
    slots = x + width - 12 - 3 * (slot + 3)
    return Panel(
        x=round(x, 1),
        y=y,
        width=round(width, 1),
        height=88,
        turn=Place(round(x + 10, 1), y + 14, 18),
        sign=Place(round(x + 33, 1), y + 8, 30),
        name=(round(x + 71, 1), y + 30),
        name_room=(slots - x - 76) / 20,
        hand=tuple(Place(round(x + 12 + step * i, 1), y + 51, tile) for i in range(TILES)),
        count=(round(x + width - 12, 1), y + 70),
        points=tuple(
            Place(round(slots + (slot + 3) * i if i < 3 else slots - 14, 1), y + 9, slot)
            for i in range(MOST_POINTS)
        ),
    )


def _tall_panel(seat: int, seats: int) -> Panel:
    """Beside the boards, below one another."""
    x, width, gap = 278, 78, 5
    height = min(140, (TALL_HEIGHT - 33 - gap * (seats - 1)) / seats)
    y = 28 + seat * (height + gap)
    return Panel(
        x=x,
        y=y,
        width=width,
        height=height,
        turn=Place(x + 5, y + 10, 13),
        sign=Place(x + 20, y + 5, 24),
        name=(x + 5, y + 44),
        name_room=(width - 10) / 12,
        hand=tuple(Place(x + 4 + 8 * (i % 7), y + 51 + 23 * (i // 7), 20) for i in range(TILES)),
        count=(x + width - 5, y + 22),
        points=tuple(
            Place(x + 5 + 24 * i if i < 3 else x + 29, y + 99 + (i // 3) * 8, 22) for i in range(MOST_POINTS)
        ),
    )


FIELD_SPOTS = tuple(tuple(write_field(board, field) for field in range(FIELDS)) for board in BOARDS)
MOVE_SPOTS = tuple(tuple(f"{name}-away" for name in names) for names in FIELD_SPOTS)


@cache
def line_spot(board: int, field: int, line: int, length: int) -> tuple[str, int]:
    """What a line is called that a tile on a field completes, and the field where one points at it.

    That is its far end: the far ends of the lines through a field are all different.
    """
    fields = line_fields(field, line, length)
    before = fields.index(field)
    end = fields[0] if before >= length - 1 - before else fields[-1]
    return f"{write_field(board, field)}+{write_line(board, field, line, length)}", end
