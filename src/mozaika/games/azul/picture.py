"""Azul as a picture: what a viewer sees of the table as sprites, labels, spots and walks."""

from collections.abc import Iterator
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
from mozaika.games.azul.pieces import CENTRE, LINES, MARKER, ON_CENTRE, PENALTIES, TILING
from mozaika.games.azul.tell import count_colored, name_color, name_phase, pointed_at, say_last_round
from mozaika.games.azul.walks import walk
from mozaika.places import Box, Place, surround, write_round
from mozaika.scene import Label, Scene, Shape, Spot, Sprite, part, shorten
from mozaika.state import State
from mozaika.words import Words


class Group(NamedTuple):
    """Tiles of one colour at a source: the box round them, and the sprites."""

    box: Box
    tiles: tuple[Sprite, ...]
    color: int


def scene(view: State, seat: int, names: tuple[str, ...], words: Words, shape: Shape) -> Scene:
    """The table as a viewer sees it; the viewer's board comes first, then the others clockwise."""
    seats = int(view["seats"])
    layout = lay_out(seats, shape)
    order = [(max(seat, 0) + index) % seats for index in range(seats)]
    offer = list(enumerate(map(tuple, view["sources"][: len(layout.factories) + 1].tolist())))
    return Scene(
        width=layout.width,
        height=layout.height,
        title=words.say("Azul, round {n}", n=int(view["round"])),
        style=STYLE,
        dark_style=DARK_STYLE,
        symbols=SYMBOLS,
        ground=draw_ground(seats, bool(view["grey"]), shape, words.say("bag"), words.say("lid")),
        sprites=tuple(_lay_sprites(view, order, offer, layout)),
        labels=tuple(_write_labels(view, seat, order, names, words, layout)),
        spots=tuple(_name_spots(view, seat, offer, layout, words)) if seat >= 0 else (),
        walks=tuple(walk(view, seat, layout)) if seat >= 0 else (),
        notice=say_last_round(view, names, words),
        areas=name_areas(layout),
    )


def boxes(view: State, viewer: int, seat: int, places: tuple[str, ...], shape: Shape) -> list[Box]:
    """Where the wall spaces and the floor of a seat lie."""
    seats = int(view["seats"])
    seating = lay_out(seats, shape).boards[(seat - max(viewer, 0)) % seats].seating
    named = {
        WALL_SPOTS[row][column]: (seating.wall[row][column],) for row in range(LINES) for column in range(5)
    }
    return [surround(named.get(place, seating.floor)) for place in places]


Offer = list[tuple[int, tuple[int, ...]]]
"""The sources, each with the tiles of each colour there."""


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


def _lay_sprites(view: State, order: list[int], offer: Offer, layout: Layout) -> list[Sprite]:
    sprites = [tile for source in offer for group in _lay_source(layout, *source) for tile in group.tiles]
    if view["marker"] == ON_CENTRE:
        sprites.append(layout.marker.hold(MARKER_SYMBOL))
    for index, seat in enumerate(order):
        _lay_board(sprites, view, seat, layout, index)
    pointed = pointed_at(view)
    turns = (layout.boards[index].seating.turn for index, seat in enumerate(order) if pointed >> seat & 1)
    return sprites + [turn.hold(TURN_SYMBOL) for turn in turns]


def _lay_board(sprites: list[Sprite], view: State, seat: int, layout: Layout, index: int) -> None:
    counts, colors = view["line_count"][seat].tolist(), view["line_color"][seat].tolist()
    for row, count in enumerate(counts):
        if count:
            sprites += _lay_line(layout, index, row, colors[row], count)
    sprites += _lay_wall(layout, index, tuple(view["wall"][seat].tolist()))
    fallen = tuple(view["floor"][seat].tolist())
    sprites += _lay_floor(layout, index, fallen)
    if view["marker"] == seat and MARKER not in fallen:  # AZ-A8, AZ-W4
        sprites.append(layout.boards[index].seating.held.hold(MARKER_SYMBOL))


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
    view: State, viewer: int, order: list[int], names: tuple[str, ...], words: Words, layout: Layout
) -> list[Label]:
    labels = [Label(_say_phase(view, viewer, words), *layout.phase, f"mz-az-phase-{layout.shape}")]
    if view["round"]:
        title = words.say("Round {n}", n=int(view["round"]))
        labels.append(Label(title, *layout.title, f"mz-az-title-{layout.shape}"))
    scores, fallen = view["score"].tolist(), view["fallen"].tolist()
    for index, seat in enumerate(order):
        labels += _write_board(layout, index, names[seat], scores[seat], fallen[seat])
    labels += _write_ledger(layout, tuple(view["bag"].tolist()), tuple(view["lid"].tolist()))
    labels += _write_crowds(layout, tuple(view["sources"][CENTRE].tolist()))
    return labels


def _say_phase(view: State, viewer: int, words: Words) -> str:
    if view["phase"] == TILING and viewer >= 0 and view["next_line"][viewer] < LINES:
        return words.say("place the tile of line {row}", row=int(view["next_line"][viewer]) + 1)
    return name_phase(view, words)


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
def _write_ledger(layout: Layout, bag: tuple[int, ...], lid: tuple[int, ...]) -> tuple[Label, ...]:
    return tuple(layout.ledger.write("mz-az", bag, lid))


@part
def _write_crowds(layout: Layout, counts: tuple[int, ...]) -> tuple[Label, ...]:
    return tuple(
        _write(f"×{n}", *heap.number, "count", heap.number_size)
        for heap, n in zip(layout.heaps, counts, strict=True)
        if heap.is_crowd(n)
    )


def _name_spots(view: State, seat: int, offer: Offer, layout: Layout, words: Words) -> list[Spot]:
    marked = bool(view["marker"] == ON_CENTRE)
    spots = [
        spot
        for source, counts in offer
        for spot in _name_source(layout, source, counts, marked and source == CENTRE, words)
    ]
    wall = _read_wall(tuple(view["wall"][seat].tolist()))
    lines = zip(view["line_count"][seat].tolist(), view["line_color"][seat].tolist(), wall, strict=True)
    spots += [
        _name_line(layout, row, count, color if count else 0, filled, words)
        for row, (count, color, filled) in enumerate(lines)
    ]
    spots.append(_name_floor(layout, int(view["fallen"][seat]), words))
    if view["phase"] == TILING and view["grey"]:
        spots += _name_wall(layout, wall, words)
    return spots


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
