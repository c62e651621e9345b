"""Where things lie: places, boxes, framed boards and ledgers, which every game lays its table out with.

A `style` is what the CSS classes of a game begin with, such as `mz-az`.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple
from xml.sax.saxutils import escape

from mozaika.kernel import swift_rule
from mozaika.scene import Label, Shape, Sprite, measure, part
from mozaika.state import Ints, State, per_seat


class Place(NamedTuple):
    """The upper left corner of a sprite and its size."""

    x: float
    y: float
    size: float

    def hold(self, symbol: str, turn: int = 0) -> Sprite:
        return Sprite(symbol, self.x, self.y, self.size, turn)

    def inset(self, part: float) -> "Place":
        """A smaller place with the same middle."""
        gap = part * self.size
        return Place(round(self.x + gap, 1), round(self.y + gap, 1), round(self.size - 2 * gap, 1))


class Box(NamedTuple):
    x: float
    y: float
    width: float
    height: float


Cell = tuple[int, int]


def joined(has: Callable[[int, int], bool], row: int, column: int) -> tuple[list[Cell], list[Cell]]:
    """The unbroken groups of a grid that a new tile joins, in its row and in its column; it is in both."""

    def reach(down: int, across: int) -> list[Cell]:
        found, cell = list[Cell](), (row + down, column + across)
        while has(*cell):
            found.append(cell)
            cell = cell[0] + down, cell[1] + across
        return found

    here = [(row, column)]
    return reach(0, -1) + here + reach(0, 1), reach(-1, 0) + here + reach(1, 0)


@cache
def surround(places: tuple[Place, ...]) -> Box:
    """The box round places of one size, with a little air."""
    left, top = min(place.x for place in places), min(place.y for place in places)
    right, bottom = max(place.x for place in places), max(place.y for place in places)
    size = places[0].size
    width, height = right - left + size + 2, bottom - top + size + 2
    return Box(round(left - 1, 1), round(top - 1, 1), round(width, 1), round(height, 1))


class Letters(NamedTuple):
    """How large the texts of a board are."""

    name: int
    score: int
    small: int


@dataclass(frozen=True)
class Frame:
    """Where a player's board lies. Its frame is a frieze of whole units, `across` by `down`."""

    x: float
    y: float
    unit: int
    across: int
    down: int
    pitch: float
    """From space to space."""
    letters: Letters

    @property
    def width(self) -> int:
        return self.unit * self.across

    @property
    def height(self) -> int:
        return self.unit * self.down

    @property
    def body(self) -> Box:
        """What is drawn in the frame, below the name and the score."""
        raise NotImplementedError

    @cached_property
    def middle(self) -> float:
        """The height on which the name and the score stand."""
        return (self.y + self.unit + self.body.y) / 2

    @cached_property
    def name_room(self) -> float:
        """From the turn mark to the score, as a multiple of the size of the letters."""
        name, score, _ = self.letters
        return (self.body.width - 1.9 * score) / name - 1.5

    @property
    def score(self) -> Box:
        """Where the score stands: at the right end of the name's line."""
        width, height = 1.9 * self.letters.score, 1.2 * self.letters.score
        left, top = self.body.x + self.body.width - width, self.middle - height / 2
        return Box(round(left, 1), round(top, 1), round(width, 1), round(height, 1))

    @property
    def turn(self) -> Place:
        """Where it is shown that the player is to move: before the name."""
        size = 0.95 * self.letters.name
        return Place(self.body.x, round(self.middle - size / 2, 1), round(size, 1))


LEAST_HEAD, HEAD_GAP = 11, 10
_COLUMNS = (0.1, 0.36, 0.79)
"""The middles of the columns of an upright ledger: a mark needs less room than a word."""


@dataclass(frozen=True)
class Ledger:
    """The counts of two heaps, colour by colour; upright, the colours stand below one another."""

    box: Box
    upright: bool
    size: int

    def cell(self, color: int, column: int) -> tuple[float, float]:
        """The middle of a cell: colours 0 to 4 and the total after a head (-1); then mark and both heaps."""
        x, y, width, height = self.box
        along = (color + 1.5) / 7
        if self.upright:
            left = x + (width - self.near) / 2 + self.near * _COLUMNS[column]
            return round(left, 1), round(y + 4 + (height - 8) * along, 1)
        return round(x + 4 + (width - 8) * along, 1), round(y + 4 + (height - 8) * (column + 0.5) / 3, 1)

    @property
    def near(self) -> float:
        """How wide the columns of an upright one are together."""
        return min(self.box.width - 8, 12 * self.size)

    def head_size(self, words: tuple[str, str]) -> int:
        """How large what the heaps are called can be, so that the words do not touch."""
        widths = [measure(word) for word in words]
        if self.upright:
            most = (self.near * (_COLUMNS[2] - _COLUMNS[1]) - HEAD_GAP) / (sum(widths) / 2)
        else:
            most = ((self.box.width - 8) / 7 - HEAD_GAP) / max(widths)
        return max(LEAST_HEAD, min(self.size, int(most)))

    def write(self, style: str, first: Sequence[int], second: Sequence[int]) -> list[Label]:
        """The counts of both heaps and their totals."""
        return [
            write_round(str(n), *self.cell(color, column), f"{style}-{kind}", self.size)
            for column, counts in ((1, first), (2, second))
            for color, n in enumerate((*counts, sum(counts)))
            for kind in ("total" if color == 5 else "count",)
        ]

    def draw(self, style: str, head: str, words: tuple[str, str], symbols: Iterable[str]) -> str:
        """The card under the counts: what the heaps are called, and the colours."""
        tile, small = round(1.35 * self.size), self.head_size(words)
        parts = [draw_card(style, self.box)]
        for column, word in enumerate(words, 1):
            x, y = self.cell(-1, column)
            parts.append(draw_text(f"{style}-{head}-{small}", x, y + 0.35 * small, word))
        for color, symbol in enumerate(symbols):
            x, y = self.cell(color, 0)
            parts.append(draw_use(symbol, Place(x - tile / 2, y - tile / 2, tile)))
        return "".join(parts)


@part
def write_round(text: str, x: float, middle: float, style: str, size: int) -> Label:
    """A text whose figures stand round a height; its class ends with its size, for `size_texts`."""
    return Label(text, round(x, 1), round(middle + 0.36 * size, 1), f"{style}-{size}")


def size_texts(style: str, sizes: Iterable[int]) -> str:
    """A style sheet in which the classes of a game say at their end how large their texts are."""
    return "".join(f'text[class^="{style}-"][class$="-{size}"]{{font-size:{size}px}}' for size in sizes)


def draw_table(style: str, weave: str, width: float, height: float, shape: Shape) -> str:
    """The table itself, in its colour and under its pattern."""
    corner = 18 if shape == "wide" else 0
    size = f'width="{width:g}" height="{height:g}" rx="{corner}"'
    return f'<rect class="{style}-table" {size}/><rect fill="url(#{weave})" {size}/>'


def draw_frieze(name: str, units: Iterable[int], frieze: str) -> str:
    """A pattern for each size of a unit in which frames are drawn."""
    return "".join(
        f'<pattern id="{name}-{unit}" width="{unit}" height="{unit}" patternUnits="userSpaceOnUse"'
        f' viewBox="0 0 16 16">{frieze}</pattern>'
        for unit in units
    )


def draw_frame(style: str, frieze: str, frame: Frame) -> str:
    unit, width, height = frame.unit, frame.width, frame.height
    inner = f"M{unit} {unit}H{width - unit}V{height - unit}H{unit}Z"
    return (
        f'<g transform="translate({frame.x:g} {frame.y:g})">'
        f'<rect fill="url(#{frieze}-{unit})" width="{width}" height="{height}"/>'
        f'<path class="{style}-paper" d="{inner}"/>'
        f'<path class="{style}-edge" d="M0 0H{width}V{height}H0Z{inner}"/></g>'
    )


def draw_card(style: str, box: Box) -> str:
    """A sheet of paper with a double line round it."""
    x, y, width, height = box
    return (
        f'<rect class="{style}-paper" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"/>'
        f'<path class="{style}-edge" d="M{x:g} {y:g}h{width:g}v{height:g}h{-width:g}z'
        f'M{x + 3:g} {y + 3:g}h{width - 6:g}v{height - 6:g}h{6 - width:g}z"/>'
    )


def draw_box(style: str, box: Box, corner: float, inset: float = 0) -> str:
    x, y, width, height = box
    return (
        f'<rect class="{style}" x="{x + inset:g}" y="{y + inset:g}" width="{width - 2 * inset:g}"'
        f' height="{height - 2 * inset:g}" rx="{corner:g}"/>'
    )


def draw_use(symbol: str, place: Place, style: str = "") -> str:
    """A symbol at a place of the ground."""
    x, y, size = place
    styled = f'class="{style}" ' if style else ""
    return f'<use {styled}href="#{symbol}" x="{x:g}" y="{y:g}" width="{size:g}" height="{size:g}"/>'


def draw_circle(style: str, place: Place, inset: float = 0) -> str:
    """The circle that a place has room for."""
    half = place.size / 2
    return f'<circle class="{style}" cx="{place.x + half:g}" cy="{place.y + half:g}" r="{half - inset:g}"/>'


def draw_text(style: str, x: float, y: float, text: str) -> str:
    return f'<text class="{style}" x="{x:g}" y="{y:g}">{escape(text)}</text>'


def point_at(movers: Callable[[State], int], ranks: Callable[[State, Ints], None]) -> Callable[[State], int]:
    """By the rules of a game: bit mask of the seats that are to move, or have won."""

    def pointed_at(view: State) -> int:
        if mask := movers(view):
            return mask
        places = per_seat(swift_rule(ranks), view)
        return sum(1 << seat for seat, place in enumerate(places) if place == 1)

    return pointed_at
