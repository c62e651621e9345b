"""Azul as a picture: what a viewer sees of the table as sprites, labels, spots and walks."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from mozaika.games.azul.artwork import DARK_STYLE, MARKER_SYMBOL, TILE_SYMBOLS, TURN_SYMBOL
from mozaika.games.azul.ground import STYLE, SYMBOLS, draw_ground
from mozaika.games.azul.layout import (
    SOURCE_SPOTS,
    TARGET_SPOTS,
    WALL_SPOTS,
    Layout,
    lay_out,
    name_areas,
)
from mozaika.games.azul.pieces import CENTRE, FACTORIES, LINES, MARKER, ON_CENTRE, PENALTIES, STATE, TILING
from mozaika.games.azul.tell import (
    count_colored,
    find_finisher,
    name_color,
    name_phase,
    pointed_at,
    say_last_round,
)
from mozaika.games.azul.walks import walk
from mozaika.places import Box, Place, surround, write_round
from mozaika.scene import Label, Scene, Shape, Spot, Sprite, part, shorten
from mozaika.state import State, read_state
from mozaika.words import Words


class Group(NamedTuple):
    """Tiles of one colour at a source: the box round them, and the sprites."""

    box: Box
    tiles: tuple[Sprite, ...]
    color: int


class Laid(NamedTuple):
    """What lies on a board."""

    counts: tuple[int, ...]
    colors: tuple[int, ...]
    """Of each line."""
    wall: tuple[int, ...]
    floor: tuple[int, ...]


class Sight(NamedTuple):
    """What there is to see, as plain values."""

    offer: "Offer"
    boards: tuple[Laid, ...]
    scores: tuple[int, ...]
    fallen: tuple[int, ...]
    bag: tuple[int, ...]
    lid: tuple[int, ...]
    number: int
    """Of the round."""
    marker: int
    pointed: int
    """Bit mask of the seats that are to move, or have won."""
    seats: int
    grey: bool
    phase: int
    next_lines: tuple[int, ...]
    finisher: int
    """The seat that is about to complete a row, or -1."""


def scene(view: State, seat: int, names: tuple[str, ...], words: Words, shape: Shape) -> Scene:
    """The table as a viewer sees it; the viewer's board comes first, then the others clockwise."""
    sight = _see(view.tobytes())
    seats, layout = sight.seats, lay_out(sight.seats, shape)
    order = [(max(seat, 0) + index) % seats for index in range(seats)]
    title, ground = _frame(layout, seats, sight.grey, sight.number, words)
    return Scene(
        width=layout.width,
        height=layout.height,
        title=title,
        style=STYLE,
        dark_style=DARK_STYLE,
        symbols=SYMBOLS,
        ground=ground,
        sprites=_lay_sprites(
            layout,
            sight.offer,
            sight.marker == ON_CENTRE,
            tuple((sight.boards[each], sight.marker == each, sight.pointed >> each & 1) for each in order),
        ),
        labels=tuple(_write_labels(sight, seat, order, names, words, layout)),
        spots=tuple(_name_spots(sight, seat, layout, words)) if seat >= 0 else (),
        walks=tuple(walk(view, seat, layout)) if seat >= 0 and sight.pointed >> seat & 1 else (),
        notice=say_last_round(sight.finisher, names, words),
        areas=name_areas(layout),
    )


@part
def _frame(layout: Layout, seats: int, grey: bool, number: int, words: Words) -> tuple[str, str]:
    """The title and the ground."""
    title = words.say("Azul, round {n}", n=number)
    return title, draw_ground(seats, grey, layout.shape, words.say("bag"), words.say("lid"))


@lru_cache(maxsize=50)
def _see(kept: bytes) -> Sight:
    """Read once for all who may know the same."""
    view = read_state(kept, STATE)
    seats = int(view["seats"])
    parts = (view[part][:seats].tolist() for part in ("line_count", "line_color", "wall", "floor"))
    return Sight(
        offer=tuple(map(tuple, view["sources"][: FACTORIES[seats] + 1].tolist())),
        boards=tuple(Laid(*map(tuple, board)) for board in zip(*parts, strict=True)),
        scores=tuple(view["score"].tolist()),
        fallen=tuple(view["fallen"].tolist()),
        bag=tuple(view["bag"].tolist()),
        lid=tuple(view["lid"].tolist()),
        number=int(view["round"]),
        marker=int(view["marker"]),
        pointed=pointed_at(view),
        seats=seats,
        grey=bool(view["grey"]),
        phase=int(view["phase"]),
        next_lines=tuple(view["next_line"].tolist()),
        finisher=find_finisher(view),
    )


def boxes(view: State, viewer: int, seat: int, places: tuple[str, ...], shape: Shape) -> list[Box]:
    """Where the wall spaces and the floor of a seat lie."""
    seats = int(view["seats"])
    seating = lay_out(seats, shape).boards[(seat - max(viewer, 0)) % seats].seating
    named = {
        WALL_SPOTS[row][column]: (seating.wall[row][column],) for row in range(LINES) for column in range(5)
    }
    return [surround({**named, "floor": seating.floor}[place]) for place in places]


Offer = tuple[tuple[int, ...], ...]
"""For each source the tiles of each colour there."""


@part
def _lay_offer(layout: Layout, offer: Offer) -> tuple[Sprite, ...]:
    groups = (group for source, counts in enumerate(offer) for group in _lay_source(layout, source, counts))
    return tuple(tile for group in groups for tile in group.tiles)


@part
def _lay_source(layout: Layout, source: int, counts: tuple[int, ...]) -> tuple[Group, ...]:
    if source == CENTRE:
        heaps = zip(layout.heaps, counts, strict=True)
        return tuple(_group(heap.box, heap.places(n), color) for color, (heap, n) in enumerate(heaps) if n)
    groups: list[Group] = []
    first = 0
    # the larger group first: its box may reach under that of a single tile
    for n, color in sorted(((n, color) for color, n in enumerate(counts) if n), key=_larger_first):
        places = layout.factories[source - 1].places[first : first + n]
        groups.append(_group(surround(places), places, color))
        first += n
    return tuple(groups)


def _group(box: Box, places: tuple[Place, ...], color: int) -> Group:
    return Group(box, tuple(place.hold(TILE_SYMBOLS[color]) for place in places), color)


def _larger_first(group: tuple[int, int]) -> tuple[int, int]:
    return -group[0], group[1]


@part
def _lay_sprites(
    layout: Layout, offer: Offer, is_marked: bool, boards: tuple[tuple[Laid, bool, int], ...]
) -> tuple[Sprite, ...]:
    """What lies on the table; with each board whether the marker is there, and whether it is pointed at."""
    sprites = [*_lay_offer(layout, offer)]
    if is_marked:
        sprites.append(layout.marker.hold(MARKER_SYMBOL))
    for index, (laid, holds_marker, _) in enumerate(boards):
        sprites += _lay_board(layout, index, laid, holds_marker)
    for board, (_, _, pointed) in zip(layout.boards, boards, strict=True):
        if pointed:
            sprites.append(board.seating.turn.hold(TURN_SYMBOL))
    return tuple(sprites)


@part
def _lay_board(layout: Layout, index: int, laid: Laid, holds_marker: bool) -> tuple[Sprite, ...]:
    sprites: list[Sprite] = []
    for row, count in enumerate(laid.counts):
        if count:
            sprites += _lay_line(layout, index, row, laid.colors[row], count)
    sprites += _lay_wall(layout, index, laid.wall)
    sprites += _lay_floor(layout, index, laid.floor)
    if holds_marker and MARKER not in laid.floor:  # AZ-A8, AZ-W4
        sprites.append(layout.boards[index].seating.held.hold(MARKER_SYMBOL))
    return tuple(sprites)


@part
def _lay_line(layout: Layout, index: int, row: int, color: int, count: int) -> tuple[Sprite, ...]:
    places = layout.boards[index].seating.lines[row][:count]
    return tuple(place.hold(TILE_SYMBOLS[color]) for place in places)


@part
def _lay_wall(layout: Layout, index: int, wall: tuple[int, ...]) -> tuple[Sprite, ...]:
    places = layout.boards[index].seating.wall
    return tuple(
        places[row][column].hold(TILE_SYMBOLS[color])
        for color, spaces in enumerate(wall)
        for row, column in _spaces(spaces)
    )


@part
def _lay_floor(layout: Layout, index: int, fallen: tuple[int, ...]) -> tuple[Sprite, ...]:
    return tuple(
        place.hold(MARKER_SYMBOL if piece == MARKER else TILE_SYMBOLS[piece - 1])
        for piece, place in zip(fallen, layout.boards[index].seating.floor, strict=True)
        if piece
    )


def _spaces(bits: int) -> Iterator[tuple[int, int]]:
    """The rows and columns of a bit mask of wall spaces."""
    while bits:
        yield divmod((bits & -bits).bit_length() - 1, 5)
        bits &= bits - 1


def _write_labels(
    sight: Sight,
    viewer: int,
    order: list[int],
    names: tuple[str, ...],
    words: Words,
    layout: Layout,
) -> list[Label]:
    line = sight.next_lines[viewer] if sight.phase == TILING and viewer >= 0 else LINES
    labels = [*_write_head(layout, sight.phase, line, sight.number, words)]
    for index, seat in enumerate(order):
        labels += _write_board(layout, index, names[seat], sight.scores[seat], sight.fallen[seat])
    labels += _write_heaps(layout, sight.bag, sight.lid)
    labels += _write_crowds(layout, sight.offer[CENTRE])
    return labels


@part
def _write_head(layout: Layout, phase: int, line: int, number: int, words: Words) -> tuple[Label, ...]:
    """What is done now, by the viewer with a line, and in which round."""
    said = (
        words.say("place the tile of line {row}", row=line + 1) if line < LINES else name_phase(phase, words)
    )
    head = Label(said, *layout.phase, f"mz-az-phase-{layout.shape}")
    if not number:
        return (head,)
    return head, Label(words.say("Round {n}", n=number), *layout.title, f"mz-az-title-{layout.shape}")


@part
def _write_heaps(layout: Layout, bag: tuple[int, ...], lid: tuple[int, ...]) -> tuple[Label, ...]:
    return tuple(layout.ledger.write("mz-az", bag, lid))


@part
def _write_board(layout: Layout, index: int, name: str, score: int, fallen: int) -> tuple[Label, ...]:
    board = layout.boards[index]
    letters, body, seating, y = board.letters, board.body, board.seating, board.middle
    labels = [
        _write(shorten(name, board.name_room), seating.turn.x + 1.45 * letters.name, y, "name", letters.name),
        _write(str(score), body.x + body.width, y, "score", letters.score),
    ]
    if fallen:
        last = seating.floor[-1]
        x, y = last.x + 1.25 * last.size, last.y + last.size / 2
        labels.append(_write(f"−{PENALTIES[fallen]}", x, y, "cost", letters.small))
    return tuple(labels)


def _write(text: str, x: float, middle: float, kind: str, size: int) -> Label:
    """A text whose figures stand round a height."""
    return write_round(text, x, middle, f"mz-az-{kind}", size)


@part
def _write_crowds(layout: Layout, counts: tuple[int, ...]) -> tuple[Label, ...]:
    return tuple(
        _write(f"×{n}", *heap.number, "count", heap.number_size)
        for heap, n in zip(layout.heaps, counts, strict=True)
        if heap.is_crowd(n)
    )


def _name_spots(sight: Sight, seat: int, layout: Layout, words: Words) -> list[Spot]:
    laid, marked = sight.boards[seat], sight.marker == ON_CENTRE
    spots = [*_name_offer(layout, sight.offer, marked, words), *_name_lines(layout, laid, words)]
    spots.append(_name_floor(layout, sight.fallen[seat], words))
    if sight.phase == TILING and sight.grey:
        spots += _name_wall(layout, _read_wall(laid.wall), words)
    return spots


@part
def _name_offer(layout: Layout, offer: Offer, marked: bool, words: Words) -> tuple[Spot, ...]:
    return tuple(
        spot
        for source, counts in enumerate(offer)
        for spot in _name_source(layout, source, counts, marked and source == CENTRE, words)
    )


@part
def _name_lines(layout: Layout, laid: Laid, words: Words) -> tuple[Spot, ...]:
    lines = zip(laid.counts, laid.colors, _read_wall(laid.wall), strict=True)
    return tuple(
        _name_line(layout, row, count, color if count else 0, filled, words)
        for row, (count, color, filled) in enumerate(lines)
    )


@part
def _name_source(
    layout: Layout, source: int, counts: tuple[int, ...], marked: bool, words: Words
) -> tuple[Spot, ...]:
    return tuple(
        Spot(SOURCE_SPOTS[source][color], *box, _say_source(source, color, len(tiles), marked, words))
        for box, tiles, color in _lay_source(layout, source, counts)
    )


@part
def _name_line(layout: Layout, row: int, count: int, color: int, wall: tuple[int, ...], words: Words) -> Spot:
    filled = [f"{name_color(each, words)} {column}" for column, each in enumerate(wall, 1) if each >= 0]
    on_wall = ", ".join(filled) or words.say("empty")
    label = words.say("line {row}: empty; wall: {wall}", row=row + 1, wall=on_wall)
    if count:
        tiles = count_colored(color, count, words)
        label = words.say("line {row}: {tiles}; wall: {wall}", row=row + 1, tiles=tiles, wall=on_wall)
    return Spot(TARGET_SPOTS[row + 1], *surround(layout.boards[0].seating.lines[row]), label)


@part
def _name_floor(layout: Layout, fallen: int, words: Words) -> Spot:
    return Spot("floor", *surround(layout.boards[0].seating.floor), _say_floor(fallen, words))


@part
def _name_wall(layout: Layout, wall: tuple[tuple[int, ...], ...], words: Words) -> tuple[Spot, ...]:
    places = layout.boards[0].seating.wall
    return tuple(
        Spot(
            WALL_SPOTS[row][column],
            *surround((places[row][column],)),
            words.say("wall, row {row}, column {column}", row=row + 1, column=column + 1),
        )
        for row, colors in enumerate(wall)
        for column, color in enumerate(colors)
        if color < 0
    )


@part
def _read_wall(spaces_of: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """The colour on each space of a wall, row by row; -1 where there is none."""
    wall = [[-1] * 5 for _ in range(LINES)]
    for color, spaces in enumerate(spaces_of):
        for row, column in _spaces(spaces):
            wall[row][column] = color
    return tuple(map(tuple, wall))


def _say_source(source: int, color: int, n: int, marked: bool, words: Words) -> str:
    tiles = count_colored(color, n, words)
    if source != CENTRE:
        return words.say("factory {n}, {tiles}", n=source, tiles=tiles)
    if marked:  # AZ-A3
        return words.say("centre, {tiles} and the start marker", tiles=tiles)
    return words.say("centre, {tiles}", tiles=tiles)


def _say_floor(fallen: int, words: Words) -> str:
    if not fallen:
        return words.say("floor: empty")
    cost = PENALTIES[fallen]
    return words.count(
        "floor: {n} space taken, −{cost}", "floor: {n} spaces taken, −{cost}", fallen, cost=cost
    )
