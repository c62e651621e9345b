"""Azul as a picture: the table as a scene for one viewer, and as a sketch in letters."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, NamedTuple, cast
from xml.sax.saxutils import escape

import numpy as np

from mozaika.game import State
from mozaika.games.azul import artwork, rules
from mozaika.games.azul.notation import write_move
from mozaika.games.azul.pieces import (
    CENTRE,
    COLORS,
    FACTORIES,
    FLOOR,
    LETTERS,
    LINES,
    MARKER,
    OFFER,
    ON_CENTRE,
    OVER,
    PENALTIES,
    PLACES,
    TARGETS,
    TILING,
)
from mozaika.scene import Label, Scene, Shape, Spot, Sprite, Walk
from mozaika.words import Words

symbols = artwork.SYMBOLS

TILE_SYMBOLS = tuple(f"azul-{color}" for color in COLORS)
SOURCE_SPOTS = tuple(
    tuple(f"factory-{source}-{color}" if source else f"centre-{color}" for color in COLORS)
    for source in range(10)
)
TARGET_SPOTS = ("floor", *(f"line-{row + 1}" for row in range(LINES)))
COSTS = tuple(int(cost) for cost in PENALTIES)

NUMBER_ROOM = 20
"""How wide the number of tiles is that is written beside a crowd in the centre."""

_move_text = cache(write_move)


class Place(NamedTuple):
    """The upper left corner of a sprite and its size."""

    x: float
    y: float
    size: float

    def hold(self, symbol: str) -> Sprite:
        return Sprite(symbol, self.x, self.y, self.size)


class Box(NamedTuple):
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Board:
    """Where a player's board lies. Its frame is a frieze of whole units, `across` by `down`."""

    x: float
    y: float
    unit: int
    across: int
    down: int
    pitch: float
    kind: int
    """Which of the letter sizes it uses, from large to small."""

    @property
    def width(self) -> int:
        return self.unit * self.across

    @property
    def height(self) -> int:
        return self.unit * self.down

    @property
    def body(self) -> Box:
        """Where the lines, the wall and the floor are: centred, low in the frame."""
        scale = self.pitch / artwork.PITCH
        width, height = artwork.BODY_WIDTH * scale, artwork.BODY_HEIGHT * scale
        bottom = self.y + self.height - self.unit - 0.16 * self.pitch
        return Box(round(self.x + (self.width - width) / 2, 1), round(bottom - height, 1), width, height)

    @property
    def middle(self) -> float:
        """The height on which the name and the score stand."""
        return (self.y + self.unit + self.body.y) / 2

    @property
    def name_size(self) -> int:
        return artwork.NAME_SIZES[self.kind]

    @property
    def longest_name(self) -> int:
        """How many letters fit between the turn mark and the score."""
        score = 1.9 * artwork.SCORE_SIZES[self.kind]
        return int((self.body.width - 1.5 * self.name_size - score) / (0.52 * self.name_size))

    def place(self, left: float, top: float) -> Place:
        """A space of the board, from its place in the drawing of the body."""
        scale, inset = self.pitch / artwork.PITCH, artwork.INSET
        x, y = self.body.x + (left + inset) * scale, self.body.y + (top + inset) * scale
        return Place(round(x, 1), round(y, 1), round(artwork.SPACE * scale, 1))


@dataclass(frozen=True)
class Ledger:
    """The counts of bag and lid; upright, the colours stand below one another."""

    box: Box
    upright: bool
    size: int

    def cell(self, color: int, column: int) -> tuple[float, float]:
        """The middle of a cell: colours 0 to 4 and the total after a head (-1); then mark, bag and lid."""
        x, y, width, height = self.box
        along, step = (color + 1.5) / 7, (column + 0.5) / 3
        if self.upright:
            near = min(width - 8, 12 * self.size)
            return round(x + (width - near) / 2 + near * step, 1), round(y + 4 + (height - 8) * along, 1)
        return round(x + 4 + (width - 8) * along, 1), round(y + 4 + (height - 8) * step, 1)


@dataclass(frozen=True)
class Layout:
    """Where everything lies for a number of seats in a shape."""

    shape: Shape
    width: float
    height: float
    title: tuple[float, float]
    phase: tuple[float, float]
    factories: tuple[tuple[float, float], ...]
    radius: float
    pool: Box
    """The centre of the table."""
    pool_tile: float
    groups: tuple[Box, ...]
    """In the centre, where the tiles of each colour lie."""
    marker: Place
    boards: tuple[Board, ...]
    """The viewer's board first, then clockwise."""
    ledger: Ledger
    ring: tuple[float, float, float] | None = None
    """The circle on which factories stand: middle and radius."""


class Seating(NamedTuple):
    """The places of one board, ready for sprites."""

    lines: tuple[tuple[Place, ...], ...]
    """Each line from right to left, as it fills."""
    wall: tuple[tuple[Place, ...], ...]
    floor: tuple[Place, ...]
    held: Place
    """For a marker that has no space on the floor."""
    turn: Place


@lru_cache
def _layout(seats: int, shape: Shape) -> Layout:
    return _wide(seats) if shape == "wide" else _tall(seats)


def _wide(seats: int) -> Layout:
    boards, ledger = _WIDE_BOARDS[seats], _WIDE_LEDGERS[seats]
    x, y, ring, radius = _WIDE_RINGS[seats]
    count = FACTORIES[seats]
    angles = [math.tau * (index / count - 0.25) for index in range(count)]
    inner = ring - radius - 10
    tile = round(0.24 * inner)
    groups = tuple(
        Box(x - 2.7 * tile, y + 10 + (tile + 2) * (color - 2.5), 5.4 * tile, tile + 2) for color in range(5)
    )
    return Layout(
        shape="wide",
        width=1200,
        height=ledger.box.y + ledger.box.height + 16,
        title=(28, 54),
        phase=(28, 82),
        factories=tuple((round(x + ring * math.cos(a), 1), round(y + ring * math.sin(a), 1)) for a in angles),
        radius=radius,
        pool=Box(x - inner, y - inner, 2 * inner, 2 * inner),
        pool_tile=tile,
        groups=groups,
        marker=Place(x - tile / 2, y + 5 - 2.5 * (tile + 2) - tile, tile),
        boards=boards,
        ledger=ledger,
        ring=(x, y, ring),
    )


_WIDE_RINGS = {2: (302, 388, 210, 70), 3: (302, 388, 210, 68), 4: (326, 414, 230, 70)}
_WIDE_BOARDS = {
    2: (Board(592, 16, 16, 37, 25, 49, 0), Board(592, 430, 12, 35, 24, 34, 1)),
    3: (
        Board(592, 16, 16, 37, 25, 49, 0),
        Board(592, 430, 8, 36, 25, 23.5, 3),
        Board(896, 430, 8, 36, 25, 23.5, 3),
    ),
    4: (
        Board(640, 16, 16, 34, 23, 45, 0),
        Board(640, 398, 8, 33, 23, 21.5, 3),
        Board(920, 398, 8, 33, 23, 21.5, 3),
        Board(640, 596, 8, 33, 23, 21.5, 3),
    ),
}
_WIDE_LEDGERS = {
    2: Ledger(Box(1026, 430, 158, 288), True, 17),
    3: Ledger(Box(592, 644, 592, 84), False, 14),
    4: Ledger(Box(920, 596, 264, 184), True, 14),
}


def _tall(seats: int) -> Layout:
    radius, rows, below = _TALL_ROWS[seats]
    own = Board(4, below + 50, 8, 44, 31, 30, 2)
    edge = own.y + own.height + 6
    small: tuple[Board, ...] = (Board(4, edge, 6, 40, 28, 20, 3),)
    ledger = Ledger(Box(250, edge, 106, 168), True, 13)
    if seats > 2:
        small = tuple(
            Board(4 + 180 * (i % 2), edge + 130 * (i // 2), 4, 43, 31, 14.6, 4) for i in range(seats - 1)
        )
        ledger = Ledger(Box(4, edge + 130, 352, 60), False, 11)
    if seats == 4:
        ledger = Ledger(Box(184, edge + 130, 172, 124), True, 11)
    return Layout(
        shape="tall",
        width=360,
        height=ledger.box.y + ledger.box.height + 6,
        title=(10, 25),
        phase=(350, 24),
        factories=tuple((x + step * i, y) for x, y, step, count in rows for i in range(count)),
        radius=radius,
        pool=Box(4, below, 352, 44),
        pool_tile=27,
        groups=tuple(Box(44 + 61 * color, below + 7, 58, 30) for color in range(5)),
        marker=Place(11, below + 7, 30),
        boards=(own, *small),
        ledger=ledger,
    )


_TALL_ROWS = {
    2: (34, ((40, 70, 70, 5),), 110),
    3: (38, ((51, 74, 86, 4), (94, 140, 86, 3)), 184),
    4: (34, ((40, 70, 70, 5), (75, 132, 70, 4)), 172),
}
"""For each number of seats: the radius of a factory, rows of factories, and where they end."""


@cache
def _seating(board: Board) -> Seating:
    pitch, left, wall = artwork.PITCH, artwork.LINES_LEFT, artwork.WALL_LEFT
    middle, size = board.middle, 0.95 * board.name_size
    return Seating(
        lines=tuple(
            tuple(board.place(left + pitch * (4 - i), pitch * row) for i in range(row + 1))
            for row in range(LINES)
        ),
        wall=tuple(
            tuple(board.place(wall + pitch * column, pitch * row) for column in range(5))
            for row in range(LINES)
        ),
        floor=tuple(board.place(left + pitch * i, artwork.FLOOR_TOP) for i in range(FLOOR)),
        held=board.place(wall + pitch * 4, artwork.FLOOR_TOP),
        turn=Place(board.body.x, round(middle - size / 2, 1), round(size, 1)),
    )


@lru_cache(maxsize=64)
def _ground(seats: int, grey: bool, shape: Shape, bag: str, lid: str) -> str:
    """All that stays as it is during a game. The words are given, so that it is kept for each language."""
    layout = _layout(seats, shape)
    corner = 18 if shape == "wide" else 0
    size = f'width="{layout.width:g}" height="{layout.height:g}" rx="{corner}"'
    return "".join(
        (
            f'<g aria-hidden="true"><rect class="mz-az-table" {size}/><rect fill="url(#azul-weave)" {size}/>',
            _draw_offer(layout),
            *(_draw_board(board, grey) for board in layout.boards),
            _draw_ledger(layout.ledger, bag, lid),
            "</g>",
        )
    )


def _at(x: float, y: float, size: float) -> str:
    return f'x="{x:g}" y="{y:g}" width="{size:g}" height="{size:g}"'


def _draw_offer(layout: Layout) -> str:
    radius, (x, y, width, height) = layout.radius, layout.pool
    corner = min(width, height) / 2
    parts = [
        f'<rect class="mz-az-{style}" x="{x + inset:g}" y="{y + inset:g}" width="{width - 2 * inset:g}"'
        f' height="{height - 2 * inset:g}" rx="{corner - inset:g}"/>'
        for style, inset in (("pool", 0), ("rule", 5))
    ]
    if layout.ring:
        parts.insert(0, '<circle class="mz-az-thread" cx="{:g}" cy="{:g}" r="{:g}"/>'.format(*layout.ring))
    parts += [_draw_home(layout.marker), _draw_traces(layout)]
    for number, (cx, cy) in enumerate(layout.factories, 1):
        dx, dy = (0, 0.7 * radius) if layout.ring else (0.84 * radius, 0.78 * radius)
        if not layout.ring and cy > layout.factories[0][1]:
            dy = -dy - 2
        parts.append(
            f'<use href="#azul-plate" {_at(cx - radius, cy - radius, 2 * radius)}/>'
            f'<text class="mz-az-factory-number" x="{cx - dx:g}" y="{cy - dy + 3:g}">{number}</text>'
        )
    return "".join(parts)


def _draw_home(place: Place) -> str:
    """Where the start marker lies at the beginning of a round."""
    half = place.size / 2
    return f'<circle class="mz-az-thread" cx="{place.x + half:g}" cy="{place.y + half:g}" r="{half - 1:g}"/>'


def _draw_traces(layout: Layout) -> str:
    """Which colour lies where in the centre; small, so that tiles cover them."""
    size = 0.6 * layout.pool_tile
    return "".join(
        f'<use class="mz-az-trace" href="#{symbol}"'
        f" {_at(x + (width - size) / 2, y + (height - size) / 2, size)}/>"
        for symbol, (x, y, width, height) in zip(TILE_SYMBOLS, layout.groups, strict=True)
    )


def _draw_board(board: Board, grey: bool) -> str:
    unit, width, height, body = board.unit, board.width, board.height, board.body
    side = "grey" if grey else "coloured"
    inner = f"M{unit} {unit}H{width - unit}V{height - unit}H{unit}Z"
    return (
        f'<g transform="translate({board.x:g} {board.y:g})">'
        f'<rect fill="url(#azul-frieze-{unit})" width="{width}" height="{height}"/>'
        f'<path class="mz-az-paper" d="{inner}"/>'
        f'<path class="mz-az-edge" d="M0 0H{width}V{height}H0Z{inner}"/>'
        f'</g><use href="#azul-body-{side}" x="{body.x:g}" y="{body.y:g}" width="{body.width:g}"'
        f' height="{body.height:g}"/>'
        f'<use class="mz-az-unlit" href="#azul-turn" {_at(*_seating(board).turn)}/>'
    )


def _draw_ledger(ledger: Ledger, bag: str, lid: str) -> str:
    x, y, width, height = ledger.box
    tile = round(1.35 * ledger.size)
    parts = [
        f'<rect class="mz-az-paper" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"/>'
        f'<path class="mz-az-edge" d="M{x:g} {y:g}h{width:g}v{height:g}h{-width:g}z'
        f'M{x + 3:g} {y + 3:g}h{width - 6:g}v{height - 6:g}h{6 - width:g}z"/>'
    ]
    for column, word in enumerate((bag, lid), 1):
        cx, cy = ledger.cell(-1, column)
        place = f'x="{cx:g}" y="{cy + 0.35 * ledger.size:g}"'
        parts.append(f'<text class="mz-az-word-{ledger.size}" {place}>{escape(word)}</text>')
    for color, symbol in enumerate(TILE_SYMBOLS):
        cx, cy = ledger.cell(color, 0)
        parts.append(f'<use href="#{symbol}" {_at(cx - tile / 2, cy - tile / 2, tile)}/>')
    return "".join(parts)


def scene(view: State, seat: int, names: tuple[str, ...], words: Words, shape: Shape) -> Scene:
    """The table as a viewer sees it; the viewer's board comes first, then the others clockwise."""
    seats = int(view["seats"])
    layout = _layout(seats, shape)
    order = [(max(seat, 0) + index) % seats for index in range(seats)]
    sources = view["sources"].tolist()
    offer = [_lay_source(layout, source, sources[source]) for source in range(FACTORIES[seats] + 1)]
    sprites = [sprite for groups in offer for _, places, color in groups for sprite in _hold(places, color)]
    if view["marker"] == ON_CENTRE:
        sprites.append(layout.marker.hold("azul-marker"))
    for board, sitter in zip(layout.boards, order, strict=True):
        _lay_board(sprites, view, sitter, _seating(board))
    sprites += _lay_turns(view, order, layout)
    return Scene(
        width=layout.width,
        height=layout.height,
        title=words.say("Azul, round {n}", n=int(view["round"])),
        style=artwork.STYLE,
        dark_style=artwork.DARK_STYLE,
        symbols=symbols,
        ground=_ground(seats, bool(view["grey"]), shape, words.say("bag"), words.say("lid")),
        sprites=tuple(sprites),
        labels=tuple(_write_labels(view, seat, order, names, words, layout, sources)),
        spots=tuple(_name_spots(view, seat, sources, offer, layout, words)) if seat >= 0 else (),
        walks=tuple(_walk(view, seat, sources, _seating(layout.boards[0]))) if seat >= 0 else (),
    )


Group = tuple[Box, tuple[Place, ...], int]
"""Tiles of one colour at a source: the box round them, their places, the colour."""


def _hold(places: tuple[Place, ...], color: int) -> list[Sprite]:
    symbol = TILE_SYMBOLS[color]
    return [Sprite(symbol, x, y, size) for x, y, size in places]


def _lay_source(layout: Layout, source: int, counts: list[int]) -> list[Group]:
    if source == CENTRE:
        return [_lay_group(layout, color, n) for color, n in enumerate(counts) if n]
    corners = _corners(*layout.factories[source - 1], layout.radius)
    groups: list[Group] = []
    first = 0
    # the larger group first: its box may reach under that of a single tile
    for n, color in sorted(((n, color) for color, n in enumerate(counts) if n), key=_larger_first):
        places = corners[first : first + n]
        groups.append((_box(places), places, color))
        first += n
    return groups


def _larger_first(group: tuple[int, int]) -> tuple[int, int]:
    return -group[0], group[1]


@cache
def _corners(x: float, y: float, radius: float) -> tuple[Place, ...]:
    """The four places on a factory."""
    pitch = round(0.62 * radius) if radius > 50 else 24 + (radius - 34) // 2
    size = pitch - 2 if radius > 50 else pitch - 1
    gap = (pitch - size) / 2
    return tuple(
        Place(round(x + pitch * (column - 1) + gap, 1), round(y + pitch * (row - 1) + gap, 1), size)
        for row in range(2)
        for column in range(2)
    )


@cache
def _box(places: tuple[Place, ...]) -> Box:
    left, top = min(place.x for place in places), min(place.y for place in places)
    right, bottom = max(place.x for place in places), max(place.y for place in places)
    size = places[0].size
    width, height = right - left + size + 2, bottom - top + size + 2
    return Box(round(left - 1, 1), round(top - 1, 1), round(width, 1), round(height, 1))


def _lay_group(layout: Layout, color: int, n: int) -> Group:
    """Tiles of a colour in the centre lie side by side; many lie closer and leave room for their number."""
    box, size = layout.groups[color], layout.pool_tile
    room = box.width - (NUMBER_ROOM if _is_crowd(layout, n) else 0)
    step = min(size + 2, (room - size) / max(n - 1, 1))
    left, top = box.x + (room - size - step * (n - 1)) / 2, box.y + (box.height - size) / 2
    return box, tuple(Place(round(left + step * i, 1), top, size) for i in range(n)), color


def _is_crowd(layout: Layout, n: int) -> bool:
    return (layout.pool_tile + 2) * n - 2 > layout.groups[0].width


def _lay_board(sprites: list[Sprite], view: State, seat: int, seating: Seating) -> None:
    counts, colors = view["line_count"][seat].tolist(), view["line_color"][seat].tolist()
    for row, count in enumerate(counts):
        symbol = TILE_SYMBOLS[colors[row]]
        sprites.extend([Sprite(symbol, x, y, size) for x, y, size in seating.lines[row][:count]])
    for color, spaces in enumerate(view["wall"][seat].tolist()):
        symbol = TILE_SYMBOLS[color]
        sprites.extend([Sprite(symbol, *seating.wall[row][column]) for row, column in _spaces(spaces)])
    fallen = view["floor"][seat].tolist()
    for piece, place in zip(fallen, seating.floor, strict=True):
        if piece:
            sprites.append(place.hold("azul-marker" if piece == MARKER else TILE_SYMBOLS[piece - 1]))
    if view["marker"] == seat and MARKER not in fallen:  # AZ-A8, AZ-W4
        sprites.append(seating.held.hold("azul-marker"))


def _lay_turns(view: State, order: list[int], layout: Layout) -> list[Sprite]:
    marked = _marked(view)
    return [
        _seating(board).turn.hold("azul-turn")
        for board, seat in zip(layout.boards, order, strict=True)
        if marked >> seat & 1
    ]


def _marked(view: State) -> int:
    """Bit mask of the seats that are to move, or have won."""
    if view["phase"] != OVER:
        return rules.movers(view)
    places = np.zeros(4, np.int32)
    rules.ranks(view, places)
    return sum(1 << seat for seat in range(int(view["seats"])) if places[seat] == 1)


def _write_labels(
    view: State,
    viewer: int,
    order: list[int],
    names: tuple[str, ...],
    words: Words,
    layout: Layout,
    sources: list[list[int]],
) -> list[Label]:
    labels = [Label(_phase(view, viewer, words), *layout.phase, f"mz-az-phase-{layout.shape}")]
    if view["round"]:
        labels.append(
            Label(words.say("Round {n}", n=int(view["round"])), *layout.title, f"mz-az-title-{layout.shape}")
        )
    scores, fallen = view["score"].tolist(), view["fallen"].tolist()
    for board, seat in zip(layout.boards, order, strict=True):
        labels += _write_board(board, names[seat], scores[seat], fallen[seat])
    labels += _write_ledger(layout.ledger, view["bag"].tolist(), view["lid"].tolist())
    for color, n in enumerate(sources[CENTRE]):
        if _is_crowd(layout, n):
            box = layout.groups[color]
            x, y = box.x + box.width - NUMBER_ROOM / 2, box.y + box.height / 2 + 5
            labels.append(Label(f"×{n}", x, y, "mz-az-count-13"))
    return labels


def _phase(view: State, viewer: int, words: Words) -> str:
    if view["phase"] == TILING and viewer >= 0 and view["next_line"][viewer] < LINES:
        return words.say("place the tile of line {row}", row=int(view["next_line"][viewer]) + 1)
    return _phase_name(view, words)


def _phase_name(view: State, words: Words) -> str:
    return (
        words.say("drawing the start player"),
        words.say("filling the factories"),
        words.say("factory offer"),
        words.say("wall tiling"),
        words.say("game over"),
    )[view["phase"]]


def _write_board(board: Board, name: str, score: int, fallen: int) -> list[Label]:
    size, big, body = board.name_size, artwork.SCORE_SIZES[board.kind], board.body
    turn = _seating(board).turn
    longest = board.longest_name
    if len(name) > longest:
        name = name[: longest - 1].rstrip() + "…"
    labels = [
        Label(
            name, round(turn.x + 1.45 * size, 1), round(board.middle + 0.34 * size, 1), f"mz-az-name-{size}"
        ),
        Label(
            str(score),
            round(body.x + body.width, 1),
            round(board.middle + 0.36 * big, 1),
            f"mz-az-score-{big}",
        ),
    ]
    if fallen:
        _, y, space = _seating(board).floor[0]
        small = _COST_SIZES[board.kind]
        right = _seating(board).floor[-1].x + 1.25 * space
        labels.append(
            Label(
                f"−{COSTS[fallen]}",
                round(right, 1),
                round(y + space / 2 + 0.36 * small, 1),
                f"mz-az-cost-{small}",
            )
        )
    return labels


_COST_SIZES = (17, 14, 13, 11, 11)


def _write_ledger(ledger: Ledger, bag: list[int], lid: list[int]) -> list[Label]:
    labels = []
    for column, counts in ((1, bag), (2, lid)):
        for color, n in enumerate((*counts, sum(counts))):
            x, y = ledger.cell(color, column)
            style = f"mz-az-{'total' if color == 5 else 'count'}-{ledger.size}"
            labels.append(Label(str(n), x, round(y + 0.36 * ledger.size, 1), style))
    return labels


def _name_spots(
    view: State, seat: int, sources: list[list[int]], offer: list[list[Group]], layout: Layout, words: Words
) -> list[Spot]:
    spots = [
        Spot(SOURCE_SPOTS[source][color], *box, _say_source(view, source, color, sources, words))
        for source, groups in enumerate(offer)
        for box, _, color in groups
    ]
    seating, wall = _seating(layout.boards[0]), _read_wall(view, seat)
    spots += _name_lines(view, seat, wall, seating, words)
    spots.append(Spot("floor", *_box(seating.floor), _say_floor(int(view["fallen"][seat]), words)))
    if view["phase"] == TILING and view["grey"]:
        spots += _name_wall(wall, seating, words)
    return spots


def _name_lines(view: State, seat: int, wall: list[list[int]], seating: Seating, words: Words) -> list[Spot]:
    counts, colors = view["line_count"][seat].tolist(), view["line_color"][seat].tolist()
    spots = []
    for row, places in enumerate(seating.lines):
        tiles = _say_tiles(colors[row], counts[row], words) if counts[row] else words.say("empty")
        on_wall = _say_row(wall[row], words)
        label = words.say("line {row}: {tiles}; wall: {wall}", row=row + 1, tiles=tiles, wall=on_wall)
        spots.append(Spot(TARGET_SPOTS[row + 1], *_box(places), label))
    return spots


def _name_wall(wall: list[list[int]], seating: Seating, words: Words) -> list[Spot]:
    return [
        Spot(
            f"wall-{row + 1}-{column + 1}",
            *_box((seating.wall[row][column],)),
            words.say("wall: row {row}, column {column}", row=row + 1, column=column + 1),
        )
        for row, colors in enumerate(wall)
        for column, color in enumerate(colors)
        if color < 0
    ]


def _read_wall(view: State, seat: int) -> list[list[int]]:
    """The colour on each space of a wall, row by row; -1 where there is none."""
    wall = [[-1] * 5 for _ in range(LINES)]
    for color, spaces in enumerate(view["wall"][seat].tolist()):
        for row, column in _spaces(spaces):
            wall[row][column] = color
    return wall


def _spaces(bits: int) -> Iterator[tuple[int, int]]:
    """The rows and columns of a bit mask of wall spaces."""
    while bits:
        yield divmod((bits & -bits).bit_length() - 1, 5)
        bits &= bits - 1


def _say_source(view: State, source: int, color: int, sources: list[list[int]], words: Words) -> str:
    tiles = _say_tiles(color, sources[source][color], words)
    if source != CENTRE:
        return words.say("factory {n}, {tiles}", n=source, tiles=tiles)
    if view["marker"] == ON_CENTRE:  # AZ-A3
        return words.say("centre, {tiles} and the start marker", tiles=tiles)
    return words.say("centre, {tiles}", tiles=tiles)


def _say_floor(fallen: int, words: Words) -> str:
    if not fallen:
        return words.say("floor: empty")
    cost = COSTS[fallen]
    return words.count(
        "floor: {n} space taken, −{cost}", "floor: {n} spaces taken, −{cost}", fallen, cost=cost
    )


def _say_tiles(color: int, n: int, words: Words) -> str:
    match COLORS[color]:
        case "blue":
            return words.count("{n} blue tile", "{n} blue tiles", n)
        case "yellow":
            return words.count("{n} yellow tile", "{n} yellow tiles", n)
        case "red":
            return words.count("{n} red tile", "{n} red tiles", n)
        case "black":
            return words.count("{n} black tile", "{n} black tiles", n)
        case _:
            return words.count("{n} white tile", "{n} white tiles", n)


def _say_row(colors: list[int], words: Words) -> str:
    """The colours of a wall row, each with its column."""
    names = {
        0: lambda: words.say("blue"),
        1: lambda: words.say("yellow"),
        2: lambda: words.say("red"),
        3: lambda: words.say("black"),
        4: lambda: words.say("white"),
    }
    filled = [f"{names[color]()} {column}" for column, color in enumerate(colors, 1) if color >= 0]
    return ", ".join(filled) or words.say("empty")


def _walk(view: State, seat: int, sources: list[list[int]], seating: Seating) -> list[Walk]:
    if view["phase"] == OFFER and view["turn"] == seat:
        return _walk_takes(view, seat, sources, seating)
    if view["phase"] == TILING and view["next_line"][seat] < LINES:
        return _walk_places(view, seat, seating)
    return []


def _walk_takes(view: State, seat: int, sources: list[list[int]], seating: Seating) -> list[Walk]:
    own = _own(view, seat)
    rows, before = rules.open_rows(own, seat), rules.outlook(own, seat)
    marked = view["marker"] == ON_CENTRE
    effects: dict[tuple[int, int, int, bool], tuple[tuple[Sprite, ...], int]] = {}
    outlooks: dict[tuple[int, int, int], int] = {}
    walks: list[Walk] = []
    for source, counts in enumerate(sources):
        for color, n in enumerate(counts):
            fits = rules.targets(rows, color) if n else 0
            for target in range(TARGETS):
                if not fits >> target & 1:
                    continue
                take = (color, n, target, source == CENTRE and bool(marked))
                if take not in effects:
                    effects[take] = _effect(own, seat, take, seating, outlooks, before)
                move = (source * 5 + color) * TARGETS + target
                spots = (SOURCE_SPOTS[source][color], TARGET_SPOTS[target])
                walks.append(Walk(_move_text(move), spots, *effects[take]))
    return walks


def _own(view: State, seat: int) -> State:
    """What the rules read of one board, in dictionaries, from which plain rules read far faster."""
    own: dict[str, Any] = {"grey": int(view["grey"])}
    for field in ("line_count", "line_color", "row_colors", "wall"):
        own[field] = {(seat, index): value for index, value in enumerate(view[field][seat].tolist())}
    for field in ("score", "fallen"):
        own[field] = {seat: int(view[field][seat])}
    return cast("State", own)


def _effect(
    own: State,
    seat: int,
    take: tuple[int, int, int, bool],
    seating: Seating,
    outlooks: dict[tuple[int, int, int], int],
    before: int,
) -> tuple[tuple[Sprite, ...], int]:
    """What a take would do: the sprites that would appear, and how the outlook would change."""
    color, n, target, marked = take
    symbol, row = TILE_SYMBOLS[color], target - 1
    held, fallen = (own["line_count"][seat, row] if target else 0), own["fallen"][seat]
    fit = min(n, target - held)  # AZ-A4
    ghost = [place.hold(symbol) for place in seating.lines[row][held : held + fit]] if target else []
    if marked:  # AZ-A3, AZ-A8
        ghost.append((*seating.floor, seating.held)[fallen].hold("azul-marker"))
        fallen = min(FLOOR, fallen + 1)
    after = min(FLOOR, fallen + n - fit)  # AZ-A7
    ghost += [place.hold(symbol) for place in seating.floor[fallen:after]]
    completed = target if target and held + fit == target else 0
    key = (completed, color if completed else 0, after)
    if key not in outlooks:
        outlooks[key] = _outlook_after(own, seat, key)
    return tuple(ghost), outlooks[key] - before


def _outlook_after(own: State, seat: int, key: tuple[int, int, int]) -> int:
    """The outlook when a line has been completed and so many floor spaces are occupied."""
    completed, color, fallen = key
    after = cast("dict[str, Any]", own) | {"fallen": {seat: fallen}}
    if completed:
        line = (seat, completed - 1)
        after["line_count"] = own["line_count"] | {line: completed}
        after["line_color"] = own["line_color"] | {line: color}
    return rules.outlook(cast("State", after), seat)


def _walk_places(view: State, seat: int, seating: Seating) -> list[Walk]:
    own, row = _own(view, seat), int(view["next_line"][seat])
    color = own["line_color"][seat, row]
    columns, filled = rules.free_columns(own, seat, row, color), rules.occupied(own, seat)
    return [
        Walk(
            _move_text(PLACES + row * 5 + column),
            (f"wall-{row + 1}-{column + 1}",),
            (seating.wall[row][column].hold(TILE_SYMBOLS[color]),),
            rules.placement_points(filled, row, column),
        )
        for column in range(5)
        if columns >> column & 1
    ]


def sketch(view: State, words: Words) -> str:
    """The table as text with console mark-up, under 80 columns wide."""
    seats = int(view["seats"])
    head = words.say("Round {n}", n=int(view["round"])) + ": " + _phase_name(view, words)
    boards = [_sketch_board(view, seat, words) for seat in range(seats)]
    pairs = [_side_by_side(boards[index : index + 2]) for index in range(0, seats, 2)]
    stores = [
        words.say("bag") + _sketch_counts(view["bag"].tolist()),
        words.say("lid") + _sketch_counts(view["lid"].tolist()),
    ]
    return "\n\n".join([head, _sketch_offer(view, words), "\n".join(stores), *pairs]) + "\n"


def _sketch_offer(view: State, words: Words) -> str:
    sources = view["sources"].tolist()
    factories = [
        f"F{source}  {_letters(sources[source]) or '-'}"
        for source in range(1, FACTORIES[int(view["seats"])] + 1)
    ]
    rows = [
        "".join(_pad(text, 15) for text in factories[i : i + 5]).rstrip() for i in range(0, len(factories), 5)
    ]
    marker = "* " if view["marker"] == ON_CENTRE else ""
    centre = words.say("centre") + "  " + marker + _letters(sources[CENTRE])
    return "\n".join([*rows, centre.rstrip()])


def _sketch_counts(counts: list[int]) -> str:
    return f" {sum(counts):>3}  " + "  ".join(f"{n:>2} {_ink(color)}" for color, n in enumerate(counts))


def _sketch_board(view: State, seat: int, words: Words) -> list[str]:
    mark = ">" if _marked(view) >> seat & 1 else " "
    seated = words.say("Seat {n}", n=seat + 1)
    points = words.count("{n} point", "{n} points", int(view["score"][seat]))
    rows = [f"{mark} {seated}  {points}"]
    counts, colors = view["line_count"][seat].tolist(), view["line_color"][seat].tolist()
    for row, spaces in enumerate(_read_wall(view, seat)):
        empty, tiles = row + 1 - counts[row], [_ink(colors[row])] * counts[row]
        line = "  " * (LINES - 1 - row) + " ".join(["."] * empty + tiles)
        wall = " ".join(_sketch_space(view, row, column, color) for column, color in enumerate(spaces))
        rows.append(f"  {row + 1} {line}  {wall}")
    return [*rows, _sketch_floor(view, seat, words)]


def _sketch_space(view: State, row: int, column: int, color: int) -> str:
    if color >= 0:
        return _ink(color)
    return "." if view["grey"] else f"[{artwork.FAINT}]{LETTERS[(column - row) % 5].lower()}[/]"


def _sketch_floor(view: State, seat: int, words: Words) -> str:
    fallen = view["floor"][seat].tolist()
    pieces = ["." if not piece else "*" if piece == MARKER else _ink(piece - 1) for piece in fallen]
    held = "  *" if view["marker"] == seat and MARKER not in fallen else ""
    cost = COSTS[int(view["fallen"][seat])]
    costs = f"  −{cost}" if cost else ""
    return "  " + words.say("floor") + " " + " ".join(pieces) + costs + held


def _side_by_side(boards: list[list[str]]) -> str:
    return "\n".join("".join(_pad(text, 38) for text in row).rstrip() for row in zip(*boards, strict=True))


def _letters(counts: list[int]) -> str:
    return " ".join(_ink(color) for color, n in enumerate(counts) for _ in range(n))


def _ink(color: int) -> str:
    return f"[{artwork.INKS[color]}]{LETTERS[color]}[/]"


def _pad(text: str, width: int) -> str:
    """Fill up with blanks to a width; mark-up takes no room."""
    return text + " " * (width - len(re.sub(r"\[[^]]*\]", "", text)))
