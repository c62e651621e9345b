"""Where everything lies on an Azul table, for a number of seats and a shape; and what places are called."""

import math
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain
from typing import NamedTuple

from mozaika.games.azul.pieces import COLORS, FACTORIES, FLOOR, LINES
from mozaika.places import Box, Frame, Ledger, Letters, Place, surround
from mozaika.scene import Shape

PITCH = 40
"""From space to space on the drawing of a board; its other lengths are made for this one."""
LINES_LEFT, WALL_LEFT, BODY_WIDTH = 18, 240, 440
FLOOR_TOP, BODY_HEIGHT = 214, 254
INSET, SPACE = 1.2, 37.6

SOURCE_SPOTS = tuple(
    tuple(f"factory-{source}-{color}" if source else f"centre-{color}" for color in COLORS)
    for source in range(10)
)
TARGET_SPOTS = ("floor", *(f"line-{row + 1}" for row in range(LINES)))
WALL_SPOTS = tuple(tuple(f"wall-{row + 1}-{column + 1}" for column in range(5)) for row in range(LINES))


_LETTERS = (
    Letters(22, 32, 17),
    Letters(18, 26, 16),
    Letters(17, 22, 16),
    Letters(16, 22, 13),
    Letters(13, 18, 11),
    Letters(11, 15, 11),
)
"""Of the wide shape, which is drawn at 7/10 on a small screen, and of the tall one, which is not."""
LETTER_SIZES = tuple(sorted({*range(10, 18), *chain(*_LETTERS)}))
"""Factories, ledgers and heaps take theirs from these too."""
FRIEZE_UNITS = (16, 12, 8, 6, 4)


class Seating(NamedTuple):
    """The places of one board, ready for sprites."""

    lines: tuple[tuple[Place, ...], ...]
    """Each line from right to left, as it fills."""
    wall: tuple[tuple[Place, ...], ...]
    floor: tuple[Place, ...]
    held: Place
    """For a marker that has no space on the floor."""
    turn: Place


@dataclass(frozen=True)
class Board(Frame):
    @cached_property
    def body(self) -> Box:
        """Where the lines, the wall and the floor are: centred, low in the frame."""
        scale = self.pitch / PITCH
        width, height = BODY_WIDTH * scale, BODY_HEIGHT * scale
        bottom = self.y + self.height - self.unit - 0.16 * self.pitch
        return Box(round(self.x + (self.width - width) / 2, 1), round(bottom - height, 1), width, height)

    @cached_property
    def seating(self) -> Seating:
        return Seating(
            lines=tuple(
                tuple(self._place(LINES_LEFT + PITCH * (4 - i), PITCH * row) for i in range(row + 1))
                for row in range(LINES)
            ),
            wall=tuple(
                tuple(self._place(WALL_LEFT + PITCH * column, PITCH * row) for column in range(5))
                for row in range(LINES)
            ),
            floor=tuple(self._place(LINES_LEFT + PITCH * i, FLOOR_TOP) for i in range(FLOOR)),
            held=self._place(WALL_LEFT + PITCH * 4, FLOOR_TOP),
            turn=self.turn,
        )

    def _place(self, left: float, top: float) -> Place:
        """A space of the board, from its place in the drawing of the body."""
        scale = self.pitch / PITCH
        x, y = self.body.x + (left + INSET) * scale, self.body.y + (top + INSET) * scale
        return Place(round(x, 1), round(y, 1), round(SPACE * scale, 1))


@dataclass(frozen=True)
class Factory:
    """A round plate, by its middle."""

    x: float
    y: float
    radius: float

    @cached_property
    def places(self) -> tuple[Place, ...]:
        pitch = round(0.62 * self.radius) if self.radius > 50 else 24 + (self.radius - 34) // 2
        size = pitch - 2 if self.radius > 50 else pitch - 1
        gap = (pitch - size) / 2
        return tuple(
            Place(
                round(self.x + pitch * (column - 1) + gap, 1),
                round(self.y + pitch * (row - 1) + gap, 1),
                size,
            )
            for row in range(2)
            for column in range(2)
        )


@dataclass(frozen=True, eq=False)
class Heap:
    """Where the tiles of one colour lie in the centre: side by side, or as a crowd with their number."""

    box: Box
    crowd: Box
    """What the tiles of a crowd take of the box; the rest is for their number."""
    tile: float
    number: tuple[float, float]
    """Its middle."""
    number_size: int

    def is_crowd(self, n: int) -> bool:
        return (self.tile + 2) * n - 2 > self.box.width

    def places(self, n: int) -> tuple[Place, ...]:
        return _places_in_heap(self, n)


MOST_SEEN = 4
"""So many tiles of a crowd show an edge; the next lie exactly on the last, for edges in a row are a blur."""


@cache
def _places_in_heap(heap: Heap, n: int) -> tuple[Place, ...]:
    size, seen = heap.tile, min(n, MOST_SEEN) - 1
    room, step = heap.box, size + 2
    if heap.is_crowd(n):
        room = heap.crowd
        step = min(0.28 * size, (room.width - size) / seen)
    left = room.x + (room.width - size - step * seen) / 2
    top = round(heap.crowd.y + (heap.crowd.height - size) / 2, 1)
    return tuple(Place(round(left + step * min(i, seen), 1), top, size) for i in range(n))


@dataclass(frozen=True, eq=False)
class Layout:
    """Where everything lies for a number of seats in a shape. There is one of each, so it is its own key."""

    shape: Shape
    width: float
    height: float
    title: tuple[float, float]
    phase: tuple[float, float]
    factories: tuple[Factory, ...]
    pool: Box
    """The centre of the table."""
    heaps: tuple[Heap, ...]
    """In the centre, one for each colour."""
    marker: Place
    boards: tuple[Board, ...]
    """The viewer's board first, then clockwise."""
    ledger: Ledger
    number: int
    """The size of the numbers of factories."""
    ring: tuple[float, float, float] | None = None
    """The circle on which factories stand: middle and radius."""


@cache
def name_areas(layout: Layout) -> tuple[tuple[str, Box], ...]:
    """What can be cut out of the picture: boards, their walls and floors, and factories one by one."""
    boards = [
        (f"board-{n}", Box(board.x, board.y, board.width, board.height))
        for n, board in enumerate(layout.boards, 1)
    ]
    boards += [
        (f"wall-{n}", surround(tuple(place for row in board.seating.wall for place in row)))
        for n, board in enumerate(layout.boards, 1)
    ]
    boards += [(f"floor-{n}", surround(board.seating.floor)) for n, board in enumerate(layout.boards, 1)]
    factories = [
        (f"factory-{n}", Box(each.x - each.radius, each.y - each.radius, 2 * each.radius, 2 * each.radius))
        for n, each in enumerate(layout.factories, 1)
    ]
    return (*boards, *factories, ("centre", layout.pool))


@cache
def lay_out(seats: int, shape: Shape) -> Layout:
    return _wide(seats) if shape == "wide" else _tall(seats)


def _wide(seats: int) -> Layout:
    boards, ledger = _WIDE_BOARDS[seats], _WIDE_LEDGERS[seats]
    x, y, ring, radius = _WIDE_RINGS[seats]
    count = FACTORIES[seats]
    angles = [math.tau * (index / count - 0.25) for index in range(count)]
    inner = ring - radius - 10
    tile = round(0.32 * inner)
    return Layout(
        shape="wide",
        width=1200,
        height=ledger.box.y + ledger.box.height + 16,
        title=(28, 54),
        phase=(28, 82),
        factories=tuple(
            Factory(round(x + ring * math.cos(a), 1), round(y + ring * math.sin(a), 1), radius)
            for a in angles
        ),
        pool=Box(x - inner, y - inner, 2 * inner, 2 * inner),
        heaps=tuple(
            _heap_over_number(x + inner * across, y + inner * down, 0.54 * inner, tile)
            for across, down in _WIDE_HEAPS
        ),
        marker=Place(x - tile / 2, round(y - 0.71 * inner - tile / 2, 1), tile),
        boards=boards,
        ledger=ledger,
        number=16,
        ring=(x, y, ring),
    )


def _heap_over_number(x: float, y: float, width: float, tile: float) -> Heap:
    """A heap by its middle."""
    box = Box(round(x - width / 2, 1), round(y - tile / 2 - 12, 1), round(width, 1), tile + 24)
    crowd = Box(box.x + 4, box.y, box.width - 8, tile + 4)
    return Heap(box, crowd, tile, (round(x, 1), box.y + tile + 13), 17)


_WIDE_HEAPS = ((-0.57, -0.09), (0, -0.09), (0.57, -0.09), (-0.29, 0.47), (0.29, 0.47))
"""In a disc three heaps fit across, and two below; as parts of its radius from its middle."""
_WIDE_RINGS = {2: (302, 388, 210, 70), 3: (302, 388, 210, 68), 4: (256, 324, 174, 57)}
_WIDE_BOARDS = {
    2: (Board(592, 16, 16, 37, 25, 49, _LETTERS[0]), Board(592, 430, 12, 34, 24, 34, _LETTERS[1])),
    3: (
        Board(592, 16, 16, 37, 25, 49, _LETTERS[0]),
        Board(592, 430, 8, 36, 25, 23.5, _LETTERS[2]),
        Board(896, 430, 8, 36, 25, 23.5, _LETTERS[2]),
    ),
    4: (
        Board(512, 16, 16, 42, 28, 56, _LETTERS[0]),
        Board(512, 474, 6, 36, 29, 18.2, _LETTERS[2]),
        Board(740, 474, 6, 36, 29, 18.2, _LETTERS[2]),
        Board(968, 474, 6, 36, 29, 18.2, _LETTERS[2]),
    ),
}
_WIDE_LEDGERS = {
    2: Ledger(Box(1014, 430, 170, 288), True, 17),
    3: Ledger(Box(592, 644, 592, 84), False, 16),
    4: Ledger(Box(26, 574, 460, 74), False, 16),
}


def _tall(seats: int) -> Layout:
    radius, rows, below = _TALL_ROWS[seats]
    own = Board(4, below + 50, 8, 44, 31, 30, _LETTERS[3])
    edge = own.y + own.height + 6
    small: tuple[Board, ...] = (Board(4, edge, 6, 40, 28, 20, _LETTERS[4]),)
    ledger = Ledger(Box(250, edge, 106, 168), True, 13)
    if seats > 2:
        small = tuple(
            Board(4 + 180 * (i % 2), edge + 130 * (i // 2), 4, 43, 31, 14.6, _LETTERS[5])
            for i in range(seats - 1)
        )
        ledger = Ledger(Box(30, edge + 130, 300, 60), False, 11)
    if seats == 4:
        ledger = Ledger(Box(210, edge + 130, 120, 124), True, 11)
    return Layout(
        shape="tall",
        width=360,
        height=ledger.box.y + ledger.box.height + 6,
        title=(10, 25),
        phase=(350, 24),
        factories=tuple(Factory(x + step * i, y, radius) for x, y, step, count in rows for i in range(count)),
        pool=Box(4, below, 352, 44),
        heaps=tuple(_heap_beside_number(44 + 61 * color, below + 7) for color in range(5)),
        marker=Place(11, below + 7, 30),
        boards=(own, *small),
        ledger=ledger,
        number=11,
    )


def _heap_beside_number(left: float, top: float) -> Heap:
    return Heap(Box(left, top, 58, 30), Box(left, top, 34, 30), 27, (left + 46.5, top + 15), 13)


_TALL_ROWS = {
    2: (34, ((40, 70, 70, 5),), 110),
    3: (38, ((51, 74, 86, 4), (94, 140, 86, 3)), 184),
    4: (34, ((40, 70, 70, 5), (75, 132, 70, 4)), 172),
}
"""For each number of seats: the radius of a factory, rows of factories, and where they end."""
