"""GEMINO as a picture: what a viewer sees of the table as sprites, labels, spots and walks."""

from mozaika.games.gemino.artwork import (
    DARK_STYLE,
    SCORED_SYMBOL,
    STYLE,
    SYMBOLS,
    THREAT_SYMBOLS,
    TILE_SYMBOLS,
    TURN_SYMBOL,
)
from mozaika.games.gemino.ground import Colors, draw_ground
from mozaika.games.gemino.layout import FIELD_SPOTS, MOVE_SPOTS, Layout, lay_out, line_spot, name_areas
from mozaika.games.gemino.notation import fields_in, read_field, write_field, write_line
from mozaika.games.gemino.pieces import BOARDS, FIELDS, NO_LINE, STARTS, line_fields
from mozaika.games.gemino.rules import (
    after,
    apply,
    completed,
    completing,
    in_hand,
    is_begun,
    kind_of,
    leaves_five,
    score,
    unpack,
)
from mozaika.games.gemino.tell import Threats, find_threats, name_color, name_phase, pointed_at, say_threats
from mozaika.games.gemino.walks import begin_walks, open_fields
from mozaika.kernel import swift_rule
from mozaika.places import Box
from mozaika.scene import Glimpse, Label, Layer, Scene, Shape, Spot, Sprite, part, shorten
from mozaika.state import State, copy_of
from mozaika.words import Words


def scene(view: State, seat: int, names: tuple[str, ...], words: Words, shape: Shape) -> Scene:
    """The table as a viewer sees it: the same for all but for what can be pointed at."""
    layout = lay_out(int(view["seats"]), shape)
    one, other = view["colors"].tolist()
    sides = (_read_colors(tuple(one)), _read_colors(tuple(other)))
    later = _name_later(view, seat, words, layout) if seat >= 0 else []
    return Scene(
        width=layout.width,
        height=layout.height,
        title=words.say("GEMINO, round {n}", n=int(view["round"])),
        style=STYLE,
        dark_style=DARK_STYLE,
        symbols=SYMBOLS,
        ground=draw_ground(int(view["seats"]), sides, shape),
        sprites=tuple(_lay_sprites(view, layout)),
        labels=tuple(_write_labels(view, names, words, layout)),
        spots=(*_name_fields(view, seat, names, sides, words, layout), *later) if seat >= 0 else (),
        walks=tuple(begin_walks(view, seat, layout)) if seat >= 0 else (),
        later=tuple(spot.name for spot in later),
        loose=(0, 2),
        areas=name_areas(layout),
        layers=(_mark_threats(view, names, words, layout),) if is_begun(view) else (),
    )


@part
def _read_colors(fields_of: tuple[int, ...]) -> Colors:
    """The colour of each field of a board; nothing while its side is not drawn."""
    if not fields_of[0]:
        return ()
    return tuple(
        next(color for color, fields in enumerate(fields_of) if fields >> field & 1)
        for field in range(FIELDS)
    )


def glimpse(view: State, seat: int, move: int, shape: Shape) -> Glimpse | None:
    """GE-P2: the lines that leave the boards are seen once; the last one stays."""
    if move >= STARTS:
        return None
    first, second, source, other_source, five, line, other_line = unpack(move)
    layout, laid = lay_out(int(view["seats"]), shape), copy_of(view)
    marks: list[Sprite] = []
    for board, field, came, scored in ((0, first, source, line), (1, second, other_source, other_line)):
        laid["tiles"][seat, board] = after(view, seat, board, came, field)
        fields = line_fields(field, scored, 4 + five) if scored != NO_LINE else ()
        marks += [layout.boards[board].tile(each).hold(SCORED_SYMBOL) for each in fields]
    if not marks:
        return None
    done = copy_of(view)
    swift_rule(apply)(done, seat, move)
    done["tiles"][seat] = laid["tiles"][seat]
    return Glimpse(
        sprites=tuple(_lay_sprites(laid, layout)),
        marks=tuple(marks),
        stays=(*_lay_sprites(done, layout), *marks) if done["over"] else (),
    )


def _lay_sprites(view: State, layout: Layout) -> list[Sprite]:
    sprites: list[Sprite] = []
    pointed, tiles = pointed_at(view), view["tiles"].tolist()
    for seat in range(len(layout.panels)):
        for board in BOARDS:
            sprites += _lay_tiles(layout, seat, board, tiles[seat][board])
        hand, points = max(0, in_hand(view, seat)), score(view, seat)  # the last line may lie there still
        sprites += _lay_panel(layout, seat, points, hand, bool(pointed >> seat & 1))
    return sprites


@part
def _lay_tiles(layout: Layout, seat: int, board: int, tiles: int) -> tuple[Sprite, ...]:
    return tuple(layout.boards[board].tile(field).hold(TILE_SYMBOLS[seat]) for field in fields_in(tiles))


@part
def _lay_panel(layout: Layout, seat: int, points: int, hand: int, to_move: bool) -> tuple[Sprite, ...]:
    panel, symbol = layout.panels[seat], TILE_SYMBOLS[seat]
    sprites = [place.hold(symbol) for place in (*panel.points[:points], *panel.hand[:hand])]
    return (*sprites, panel.turn.hold(TURN_SYMBOL)) if to_move else tuple(sprites)


def _write_labels(view: State, names: tuple[str, ...], words: Words, layout: Layout) -> list[Label]:
    shape = layout.shape
    labels = [
        Label(words.say("Round {n}", n=int(view["round"])), *layout.title, f"mz-ge-title-{shape}"),
        Label(name_phase(view, words), *layout.phase, f"mz-ge-phase-{shape}"),
    ]
    for seat, panel in enumerate(layout.panels):
        name = shorten(names[seat], panel.name_room)
        labels.append(Label(name, *panel.name, f"mz-ge-name-{shape}"))
        labels.append(Label(str(in_hand(view, seat)), *panel.count, f"mz-ge-hand-{shape}"))
    return labels


def _mark_threats(view: State, names: tuple[str, ...], words: Words, layout: Layout) -> Layer:
    """GE-P1: where somebody is one tile short of a line, with that player's symbol."""
    return _mark(tuple(map(tuple, find_threats(view))), names, words, layout)


@part
def _mark(threats: Threats, names: tuple[str, ...], words: Words, layout: Layout) -> Layer:
    marks = [
        layout.boards[board].corner(field, seat).hold(THREAT_SYMBOLS[seat])
        for seat, places in enumerate(threats)
        for board, field in places
    ]
    return Layer("threats", words.say("Threats"), tuple(marks), say_threats(threats, names, words))


def _name_fields(
    view: State,
    seat: int,
    names: tuple[str, ...],
    sides: tuple[Colors, Colors],
    words: Words,
    layout: Layout,
) -> list[Spot]:
    spots: list[Spot] = []
    tiles = view["tiles"].tolist()
    for board in BOARDS if is_begun(view) else ():
        lie = tuple(tiles[owner][board] for owner in range(len(names)))
        spots += _name_board(layout, board, sides[board], lie, seat, names, words)
    return spots


@part
def _name_board(
    layout: Layout,
    board: int,
    side: Colors,
    tiles: tuple[int, ...],
    seat: int,
    names: tuple[str, ...],
    words: Words,
) -> tuple[Spot, ...]:
    """The fields of a board, with the tiles of each player as bits."""
    owners = {field: owner for owner, lie in enumerate(tiles) for field in fields_in(lie)}
    spots = []
    for field, color in enumerate(side):
        owner = owners.get(field)
        whose = "" if owner is None or owner == seat else names[owner]
        spots.append(_name_field(layout, board, field, color, owner is None, whose, words))
    return tuple(spots)


@part
def _name_field(
    layout: Layout, board: int, field: int, color: int, is_empty: bool, whose: str, words: Words
) -> Spot:
    """A field with a tile of the viewer, or of whom it is; or an empty one."""
    name, said = FIELD_SPOTS[board][field], name_color(color, words)
    if is_empty:
        label = words.say("{field} {color}: empty", field=name, color=said)
    elif not whose:
        label = words.say("{field} {color}: your tile", field=name, color=said)
    else:
        label = words.say("{field} {color}: tile of {name}", field=name, color=said, name=whose)
    return Spot(name, *_box(layout, board, field), label)


def _name_later(view: State, seat: int, words: Words, layout: Layout) -> list[Spot]:
    """Upon the fields, where needed: a tile that may move, and the far end of a line that may score."""
    opened = open_fields(view, seat)
    if not any(opened):
        return []
    return _name_sources(view, seat, words, layout) + _name_lines(view, seat, opened, words, layout)


def _name_sources(view: State, seat: int, words: Words, layout: Layout) -> list[Spot]:
    """GE-T2: tiles move when there are not two in the hand."""
    if in_hand(view, seat) >= 2:
        return []
    return [
        _name_source(layout, board, field, words)
        for board in BOARDS
        for field in fields_in(int(view["tiles"][seat, board]))
    ]


@part
def _name_source(layout: Layout, board: int, field: int, words: Words) -> Spot:
    label = words.say("{field} moves away", field=write_field(board, field))
    return Spot(MOVE_SPOTS[board][field], *_box(layout, board, field), label)


def _name_lines(view: State, seat: int, opened: tuple[int, int], words: Words, layout: Layout) -> list[Spot]:
    """GE-P3"""
    length, kind = 4 + leaves_five(view), kind_of(view)
    spots = []
    for board in BOARDS:
        tiles = int(view["tiles"][seat, board])
        for field in fields_in(swift_rule(completing)(view, seat, board) & opened[board]):
            for line in fields_in(completed(tiles | 1 << field, field, kind) & ~(1 << NO_LINE)):
                name, end = line_spot(board, field, line, length)
                ends = write_line(board, field, line, length).replace("-", "–")
                label = words.say("line {line} scores", line=ends)
                spots.append(Spot(name, *_box(layout, board, end), label))
    return spots


def _box(layout: Layout, board: int, field: int) -> tuple[float, float, float, float]:
    x, y, size = layout.boards[board].field(field)
    return x, y, size, size


def boxes(view: State, viewer: int, seat: int, places: tuple[str, ...], shape: Shape) -> list[Box]:
    """Where fields lie."""
    layout = lay_out(int(view["seats"]), shape)
    return [Box(*_box(layout, *read_field(place))) for place in places]
