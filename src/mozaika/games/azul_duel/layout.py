"""Where everything lies on an Azul Duel table, for each shape; and what places are called."""

from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

from mozaika.games.azul_duel.pieces import BROKEN, CHIP_LETTERS, COLORS, LINES, SMALL, STORE
from mozaika.places import LEAST_HEAD, Box, Frame, Ledger, Letters, Place, surround
from mozaika.scene import Shape

PITCH = 40
"""From space to space on the drawing of a board; its other lengths are made for this one."""
DOME_LEFT, VALUES, BODY_WIDTH = 256, 521, 534
LOW_TOP, BODY_HEIGHT = 260, 338
MARKER_LEFT, STORE_PITCH = 170, 38
STORE_LEFT = DOME_LEFT + 28
INSET, SPACE = 1.6, 36.8
PLATE = 2 * PITCH
PLATE_STEP = PLATE + 4
STAY_TOP, STAY_WIDTH = 298, 236

SUN_SPOTS = tuple(
    tuple(f"sun-{source + 1}-{color}" if source < SMALL else f"large-{color}" for color in COLORS)
    for source in range(SMALL + 1)
)
MOON_SPOTS = tuple(f"moon-{color}" for color in COLORS)
TARGET_SPOTS = ("broken", *(f"line-{row + 1}" for row in range(LINES)))
SLOT_SPOTS = tuple(f"slot-{slot + 1}" for slot in range(9))
SPACE_SPOTS = tuple(tuple(f"space-{row + 1}-{column + 1}" for column in range(6)) for row in range(6))
STAY_SPOTS = tuple(f"stay-{row + 1}" for row in range(LINES))
CHIP_SPOTS = tuple(f"chip-{factory + 1}" for factory in range(SMALL))
STORE_SPOTS = tuple((f"store-{letters}-1", f"store-{letters}-2") for letters in CHIP_LETTERS)
"""For each type of chip, the first and the second of it in the store."""


def name_plate_spot(plate: int) -> str:
    return f"plate-{plate}"


def name_back_spot(plate: int) -> str:
    """A plate in the hand that goes under the stack."""
    return f"back-{plate}"


def name_turn_spot(plate: int, turn: int) -> str:
    return f"turn-{plate}-{turn}"


def name_rest_spot(rest: str, index: int) -> str:
    """A tile that waits to be stacked, among those that do: `rest-KYY-2` is the first Y."""
    return f"rest-{rest}-{index + 1}"


@cache
def spread(box: Box, n: int, most: float) -> tuple[Place, ...]:
    """Places for so many squares in a box, as large as they can be and no larger than wanted."""
    size = most
    while (across := int((box.width + 3) // (size + 3))) * int((box.height + 3) // (size + 3)) < n:
        size -= 1
    return tuple(
        Place(box.x + (size + 3) * (index % across), box.y + (size + 3) * (index // across), size)
        for index in range(n)
    )


class Seating(NamedTuple):
    """The places of one board, ready for sprites."""

    lines: tuple[tuple[Place, ...], ...]
    """Each line from right to left, as it fills."""
    slots: tuple[Place, ...]
    spaces: tuple[tuple[Place, ...], ...]
    broken: tuple[Place, ...]
    marker: Place
    store: tuple[Place, ...]
    tokens: tuple[Place, ...]
    pips: tuple[Place, ...]
    stay: Box
    turn: Place


@dataclass(frozen=True)
class Board(Frame):
    @property
    def scale(self) -> float:
        return self.pitch / PITCH

    @cached_property
    def body(self) -> Box:
        """Where the lines, the dome and what is below are: centred, low in the frame."""
        width, height = round(BODY_WIDTH * self.scale, 1), round(BODY_HEIGHT * self.scale, 1)
        bottom = self.y + self.height - self.unit - 0.1 * self.pitch
        return Box(round(self.x + (self.width - width) / 2, 1), round(bottom - height, 1), width, height)

    @cached_property
    def seating(self) -> Seating:
        stay = self._place(0, STAY_TOP, STAY_WIDTH)
        return Seating(
            lines=tuple(
                tuple(self._tile(PITCH * (5 - i), across_plates(row)) for i in range(row + 1))
                for row in range(LINES)
            ),
            slots=tuple(
                self._place(DOME_LEFT + PLATE_STEP * (slot % 3), PLATE_STEP * (slot // 3), PLATE)
                for slot in range(9)
            ),
            spaces=tuple(
                tuple(
                    self._tile(DOME_LEFT + across_plates(column), across_plates(row)) for column in range(6)
                )
                for row in range(6)
            ),
            broken=tuple(self._tile(PITCH * i, LOW_TOP) for i in range(BROKEN)),
            marker=self._tile(MARKER_LEFT, LOW_TOP),
            store=tuple(
                self._place(
                    STORE_LEFT + STORE_PITCH * (i % 5) + 0.5, LOW_TOP + STORE_PITCH * (i // 5) + 0.5, 37
                )
                for i in range(STORE)
            ),
            tokens=tuple(self._place(TALLY_LEFT + 24 * i, 7, 22) for i in range(2)),
            pips=tuple(self._place(TALLY_LEFT + 24 * i, 49, 22) for i in range(2)),
            stay=Box(stay.x, stay.y, stay.size, round(PITCH * self.scale, 1)),
            turn=self.turn,
        )

    def _tile(self, left: float, top: float) -> Place:
        return self._place(left + INSET, top + INSET, SPACE)

    def _place(self, left: float, top: float, size: float) -> Place:
        """From a place in the drawing of the body to one on the table."""
        x, y = self.body.x + left * self.scale, self.body.y + top * self.scale
        return Place(round(x, 1), round(y, 1), round(size * self.scale, 1))


TALLY_LEFT = 2
"""What a player still has to do this round stands to the left of the short lines."""


def across_plates(index: int) -> int:
    """How far a row or a column is from the first: plates do not touch."""
    return PITCH * index + (PLATE_STEP - PLATE) * (index // 2)


@dataclass(frozen=True)
class Factory:
    """A small factory: four tiles on its sun side, and a chip with a stack of tiles on its moon side."""

    box: Box
    tile: float
    gap: float

    @cached_property
    def day(self) -> Box:
        x, y, _, height = self.box
        return Box(x, y, round(2 * self.tile + 3.5 * self.gap + 6, 1), height)

    @cached_property
    def night(self) -> Box:
        x, y, width, height = self.box
        return Box(x + self.day.width, y, round(width - self.day.width, 1), height)

    @cached_property
    def sun(self) -> tuple[Place, ...]:
        step = self.tile + self.gap
        left = self.day.x + (self.day.width - 2 * self.tile - self.gap) / 2
        top = self.box.y + self.box.height - 2 * step - 3
        return tuple(
            Place(round(left + step * (i % 2), 1), round(top + step * (i // 2), 1), self.tile)
            for i in range(4)
        )

    @cached_property
    def chip(self) -> Place:
        left = self.night.x + (self.night.width - self.tile) / 2
        return Place(round(left, 1), round(self.box.y + self.box.height - self.tile - 4, 1), self.tile)

    @cached_property
    def stack(self) -> tuple[Place, ...]:
        """From bottom to top, each tile a little over the one below."""
        x, y, size = self.chip
        return tuple(Place(x, round(y - size * (0.26 + 0.78 * level), 1), size) for level in range(3))


class Offer(NamedTuple):
    """What the moon sides offer of one colour: the colour, how many, and whether the marker comes along."""

    box: Box
    tile: Place
    number: tuple[float, float]
    sign: Place


@dataclass(frozen=True)
class Aims:
    """The objectives, one below the other, with what they would bring each player now."""

    box: Box
    head: float
    step: float
    icon: float
    name_size: int
    hint_size: int
    size: int
    apart: float
    """From one player's numbers to the other's."""

    def middle(self, index: int) -> float:
        return self.box.y + self.head + self.step * (index + 0.5)

    def column(self, board: int) -> float:
        """The middle of a player's numbers."""
        return round(self.box.x + self.box.width - 6 - self.apart * (1.5 - board), 1)


@dataclass(frozen=True, eq=False)
class Layout:
    """Where everything lies in a shape. There is one of each, so it is its own key."""

    shape: Shape
    width: float
    height: float
    title: tuple[float, float]
    phase: tuple[float, float]
    factories: tuple[Factory, ...]
    large: Box
    large_night: Box
    large_sun: tuple[Place, ...]
    large_moon: tuple[Place, ...]
    marker: Place
    bar: Box
    """The moon bar: what all moon sides together offer."""
    offers: tuple[Offer, ...]
    display: tuple[Place, ...]
    stack: Place
    under: Box
    """Plates that were put under the stack."""
    most_under: int
    """How large they are at most."""
    hand: Box
    most_held: int
    tray: tuple[Place, ...]
    """A plate in its four turns."""
    stop: Box
    word: int
    """The size of the words beside things."""
    boards: tuple[Board, ...]
    """The viewer's board first."""
    aims: Aims
    ledger: Ledger

    @cached_property
    def letter_sizes(self) -> list[int]:
        sizes = {self.word, self.aims.name_size, self.aims.hint_size, self.aims.size}
        heads = range(LEAST_HEAD, self.ledger.size + 1)
        return sorted(sizes.union(heads, *(board.letters for board in self.boards)))


def _offers(left: float, top: float, width: float, height: float, tile: float) -> tuple[Offer, ...]:
    """Five cells of the moon bar: the tile, how many, and a smaller marker."""
    middle, sign = top + height / 2, round(0.62 * tile, 1)
    return tuple(
        Offer(
            Box(x, top, width - 4, height),
            Place(x + 4, round(middle - tile / 2, 1), tile),
            (round(x + 4 + 1.42 * tile, 1), middle),
            Place(round(x + width - 7 - sign, 1), round(middle - sign / 2, 1), sign),
        )
        for x in (left + width * color for color in range(5))
    )


def _row(left: float, top: float, step: float, size: float, n: int) -> tuple[Place, ...]:
    return tuple(Place(round(left + step * i, 1), top, size) for i in range(n))


@cache
def name_areas(shape: Shape) -> tuple[tuple[str, Box], ...]:
    """What can be cut out of the picture."""
    layout = lay_out(shape)
    first, last, top = layout.display[0], layout.stack, layout.display[0].y - 1.5 * layout.word
    boards = [
        (f"board-{n}", Box(board.x, board.y, board.width, board.height))
        for n, board in enumerate(layout.boards, 1)
    ]
    for n, board in enumerate(layout.boards, 1):
        seating = board.seating
        boards.append((f"dome-{n}", surround(seating.slots)))
        boards.append((f"broken-{n}", surround((*seating.broken, seating.marker))))
    factories = [(f"factory-{n}", each.box) for n, each in enumerate(layout.factories, 1)]
    plates = Box(first.x, top, last.x + last.size - first.x, first.y + first.size - top)
    hand = Box(layout.hand.x, plates.y, layout.hand.width, layout.hand.y + layout.hand.height - plates.y)
    named = (("large", layout.large), ("moons", layout.bar), ("plates", plates), ("hand", hand))
    return (*boards, *factories, *named, ("objectives", layout.aims.box))


@cache
def lay_out(shape: Shape) -> Layout:
    return _wide() if shape == "wide" else _tall()


def _wide() -> Layout:
    return Layout(
        shape="wide",
        width=1200,
        height=762,
        title=(28, 52),
        phase=(28, 79),
        factories=tuple(Factory(Box(16 + 145.5 * i, 94, 139.5, 134), 38, 2) for i in range(SMALL)),
        large=Box(16, 234, 576, 54),
        large_night=Box(274, 234, 318, 54),
        large_sun=_row(62, 242, 40, 38, 5),
        large_moon=_row(382, 242, 40, 38, 5),
        marker=Place(328, 241, 40),
        bar=Box(16, 294, 576, 54),
        offers=_offers(122, 299, 93.6, 44, 33),
        display=_row(16, 378, 92, 86, 3),
        stack=Place(306, 378, 86),
        under=Box(418, 382, 172, 80),
        most_under=38,
        hand=Box(16, 494, 276, 72),
        most_held=70,
        tray=_row(306, 495, 73.3, 66, 4),
        stop=Box(306, 495, 286, 66),
        word=16,
        boards=(
            Board(608, 16, 16, 36, 26, 40, Letters(22, 32, 16)),
            Board(608, 446, 12, 35, 25, 29, Letters(18, 26, 16)),
        ),
        aims=Aims(Box(16, 572, 576, 174), 26, 36.5, 28, 17, 16, 17, 84),
        ledger=Ledger(Box(1036, 446, 148, 300), True, 17),
    )


def _tall() -> Layout:
    return Layout(
        shape="tall",
        width=360,
        height=946,
        title=(10, 24),
        phase=(350, 23),
        factories=tuple(Factory(Box(4 + 88.6 * i, 34, 86, 88), 24, 1) for i in range(SMALL)),
        large=Box(4, 126, 352, 34),
        large_night=Box(160, 126, 196, 34),
        large_sun=_row(29, 131, 25.6, 24, 5),
        large_moon=_row(225, 131, 25.6, 24, 5),
        marker=Place(193, 130, 26),
        bar=Box(4, 164, 352, 36),
        offers=_offers(27, 168, 65.6, 28, 22),
        display=_row(4, 218, 66, 63, 3),
        stack=Place(208, 218, 63),
        under=Box(286, 220, 70, 62),
        most_under=26,
        hand=Box(4, 300, 187, 54),
        most_held=54,
        tray=_row(196, 303, 40.8, 37, 4),
        stop=Box(196, 303, 158, 40),
        word=11,
        boards=(
            Board(4, 360, 4, 88, 64, 25.6, Letters(16, 22, 11)),
            Board(4, 754, 4, 64, 47, 18, Letters(13, 18, 11)),
        ),
        aims=Aims(Box(4, 620, 352, 130), 18, 27.5, 22, 13, 11, 13, 44),
        ledger=Ledger(Box(264, 754, 92, 188), True, 12),
    )
