"""Azul as a picture: what a viewer sees of the table as sprites, labels, spots and walks."""

from collections.abc import Iterator

from mozaika.games.azul.artwork import DARK_STYLE, MARKER_SYMBOL, TILE_SYMBOLS, TURN_SYMBOL
from mozaika.games.azul.ground import STYLE, SYMBOLS, draw_ground
from mozaika.games.azul.layout import (
    SOURCE_SPOTS,
    TARGET_SPOTS,
    WALL_SPOTS,
    Board,
    Heap,
    Layout,
    Seating,
    lay_out,
)
from mozaika.games.azul.pieces import CENTRE, LINES, MARKER, ON_CENTRE, PENALTIES, TILING
from mozaika.games.azul.tell import count_colored, name_color, name_phase, pointed_at, say_last_round
from mozaika.games.azul.walks import walk
from mozaika.places import Box, Place, surround, write_round
from mozaika.scene import Label, Scene, Shape, Spot, Sprite, shorten
from mozaika.state import State
from mozaika.words import Words

Group = tuple[Box, tuple[Place, ...], int]
"""Tiles of one colour at a source: the box round them, their places, the colour."""


def scene(view: State, seat: int, names: tuple[str, ...], words: Words, shape: Shape) -> Scene:
    """The table as a viewer sees it; the viewer's board comes first, then the others clockwise."""
    seats = int(view["seats"])
    layout = lay_out(seats, shape)
    order = [(max(seat, 0) + index) % seats for index in range(seats)]
    sources = view["sources"].tolist()
    offer = [_lay_source(layout, source, sources[source]) for source in range(len(layout.factories) + 1)]
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
        walks=tuple(walk(view, seat, layout.boards[0].seating)) if seat >= 0 else (),
        notice=say_last_round(view, names, words),
    )


def _lay_source(layout: Layout, source: int, counts: list[int]) -> list[Group]:
    if source == CENTRE:
        heaps = zip(layout.heaps, counts, strict=True)
        return [(heap.box, heap.places(n), color) for color, (heap, n) in enumerate(heaps) if n]
    groups: list[Group] = []
    first = 0
    # the larger group first: its box may reach under that of a single tile
    for n, color in sorted(((n, color) for color, n in enumerate(counts) if n), key=_larger_first):
        places = layout.factories[source - 1].places[first : first + n]
        groups.append((surround(places), places, color))
        first += n
    return groups


def _larger_first(group: tuple[int, int]) -> tuple[int, int]:
    return -group[0], group[1]


def _lay_sprites(view: State, order: list[int], offer: list[list[Group]], layout: Layout) -> list[Sprite]:
    sprites = [
        Sprite(TILE_SYMBOLS[color], x, y, size)
        for groups in offer
        for _, places, color in groups
        for x, y, size in places
    ]
    if view["marker"] == ON_CENTRE:
        sprites.append(layout.marker.hold(MARKER_SYMBOL))
    boards = list(zip(layout.boards, order, strict=True))
    for board, seat in boards:
        _lay_board(sprites, view, seat, board.seating)
    pointed = pointed_at(view)
    return sprites + [board.seating.turn.hold(TURN_SYMBOL) for board, seat in boards if pointed >> seat & 1]


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
            sprites.append(place.hold(MARKER_SYMBOL if piece == MARKER else TILE_SYMBOLS[piece - 1]))
    if view["marker"] == seat and MARKER not in fallen:  # AZ-A8, AZ-W4
        sprites.append(seating.held.hold(MARKER_SYMBOL))


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
    for board, seat in zip(layout.boards, order, strict=True):
        labels += _write_board(board, names[seat], scores[seat], fallen[seat])
    labels += layout.ledger.write("mz-az", view["bag"].tolist(), view["lid"].tolist())
    return labels + _write_crowds(layout.heaps, view["sources"][CENTRE].tolist())


def _say_phase(view: State, viewer: int, words: Words) -> str:
    if view["phase"] == TILING and viewer >= 0 and view["next_line"][viewer] < LINES:
        return words.say("place the tile of line {row}", row=int(view["next_line"][viewer]) + 1)
    return name_phase(view, words)


def _write_board(board: Board, name: str, score: int, fallen: int) -> list[Label]:
    letters, body, seating, y = board.letters, board.body, board.seating, board.middle
    labels = [
        _write(shorten(name, board.name_room), seating.turn.x + 1.45 * letters.name, y, "name", letters.name),
        _write(str(score), body.x + body.width, y, "score", letters.score),
    ]
    if fallen:
        last = seating.floor[-1]
        x, y = last.x + 1.25 * last.size, last.y + last.size / 2
        labels.append(_write(f"−{PENALTIES[fallen]}", x, y, "cost", letters.small))
    return labels


def _write(text: str, x: float, middle: float, kind: str, size: int) -> Label:
    """A text whose figures stand round a height."""
    return write_round(text, x, middle, f"mz-az-{kind}", size)


def _write_crowds(heaps: tuple[Heap, ...], counts: list[int]) -> list[Label]:
    return [
        _write(f"×{n}", *heap.number, "count", heap.number_size)
        for heap, n in zip(heaps, counts, strict=True)
        if heap.is_crowd(n)
    ]


def _name_spots(view: State, seat: int, offer: list[list[Group]], layout: Layout, words: Words) -> list[Spot]:
    spots = [
        Spot(SOURCE_SPOTS[source][color], *box, _say_source(view, source, color, len(places), words))
        for source, groups in enumerate(offer)
        for box, places, color in groups
    ]
    seating, wall = layout.boards[0].seating, _read_wall(view, seat)
    spots += _name_lines(view, seat, wall, seating, words)
    spots.append(Spot("floor", *surround(seating.floor), _say_floor(int(view["fallen"][seat]), words)))
    if view["phase"] == TILING and view["grey"]:
        spots += _name_wall(wall, seating, words)
    return spots


def _name_lines(view: State, seat: int, wall: list[list[int]], seating: Seating, words: Words) -> list[Spot]:
    counts, colors = view["line_count"][seat].tolist(), view["line_color"][seat].tolist()
    names = [name_color(color, words) for color in range(5)]
    spots = []
    for row, places in enumerate(seating.lines):
        tiles = count_colored(colors[row], counts[row], words) if counts[row] else words.say("empty")
        filled = [f"{names[color]} {column}" for column, color in enumerate(wall[row], 1) if color >= 0]
        on_wall = ", ".join(filled) or words.say("empty")
        label = words.say("line {row}: {tiles}; wall: {wall}", row=row + 1, tiles=tiles, wall=on_wall)
        spots.append(Spot(TARGET_SPOTS[row + 1], *surround(places), label))
    return spots


def _name_wall(wall: list[list[int]], seating: Seating, words: Words) -> list[Spot]:
    return [
        Spot(
            WALL_SPOTS[row][column],
            *surround((seating.wall[row][column],)),
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


def _say_source(view: State, source: int, color: int, n: int, words: Words) -> str:
    tiles = count_colored(color, n, words)
    if source != CENTRE:
        return words.say("factory {n}, {tiles}", n=source, tiles=tiles)
    if view["marker"] == ON_CENTRE:  # AZ-A3
        return words.say("centre, {tiles} and the start marker", tiles=tiles)
    return words.say("centre, {tiles}", tiles=tiles)


def _say_floor(fallen: int, words: Words) -> str:
    if not fallen:
        return words.say("floor: empty")
    cost = PENALTIES[fallen]
    return words.count(
        "floor: {n} space taken, −{cost}", "floor: {n} spaces taken, −{cost}", fallen, cost=cost
    )
