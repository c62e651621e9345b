"""GEMINO as a picture: what a viewer sees of the table as sprites, labels, spots and walks."""

from mozaika.games.gemino.artwork import (
    DARK_STYLE,
    STYLE,
    SYMBOLS,
    THREAT_SYMBOLS,
    TILE_SYMBOLS,
    TURN_SYMBOL,
)
from mozaika.games.gemino.ground import Colors, draw_ground
from mozaika.games.gemino.layout import FIELD_SPOTS, MOVE_SPOTS, Layout, lay_out, line_spot
from mozaika.games.gemino.notation import fields_in, write_field, write_line
from mozaika.games.gemino.pieces import BOARDS, FIELDS, NO_LINE
from mozaika.games.gemino.rules import (
    color_of,
    completed,
    completing,
    in_hand,
    is_begun,
    is_laid,
    kind_of,
    leaves_five,
    score,
)
from mozaika.games.gemino.tell import find_threats, name_color, name_phase, pointed_at, say_threats
from mozaika.games.gemino.walks import begin_walks, open_fields
from mozaika.scene import Label, Layer, Scene, Shape, Spot, Sprite, shorten
from mozaika.state import State
from mozaika.words import Words


def scene(view: State, seat: int, names: tuple[str, ...], words: Words, shape: Shape) -> Scene:
    """The table as a viewer sees it: the same for all but for what can be pointed at."""
    layout = lay_out(int(view["seats"]), shape)
    sides = (_read_colors(view, 0), _read_colors(view, 1))
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
        spots=(*_name_fields(view, seat, names, words, layout), *later) if seat >= 0 else (),
        walks=tuple(begin_walks(view, seat, layout)) if seat >= 0 else (),
        later=tuple(spot.name for spot in later),
        loose=(0, 2),
        layers=(_mark_threats(view, names, words, layout),) if is_begun(view) else (),
    )


def _read_colors(view: State, board: int) -> Colors:
    return tuple(color_of(view, board, field) for field in range(FIELDS)) if is_laid(view, board) else ()


def _lay_sprites(view: State, layout: Layout) -> list[Sprite]:
    sprites = []
    pointed = pointed_at(view)
    for seat, panel in enumerate(layout.panels):
        symbol = TILE_SYMBOLS[seat]
        for board in BOARDS:
            fields = fields_in(int(view["tiles"][seat, board]))
            sprites += [layout.boards[board].tile(field).hold(symbol) for field in fields]
        sprites += [place.hold(symbol) for place in panel.points[: score(view, seat)]]
        sprites += [place.hold(symbol) for place in panel.hand[: in_hand(view, seat)]]
        if pointed >> seat & 1:
            sprites.append(panel.turn.hold(TURN_SYMBOL))
    return sprites


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
    marks = [
        layout.boards[board].corner(field, seat).hold(THREAT_SYMBOLS[seat])
        for seat, places in enumerate(find_threats(view))
        for board, field in places
    ]
    return Layer("threats", words.say("Threats"), tuple(marks), say_threats(view, names, words))


def _name_fields(view: State, seat: int, names: tuple[str, ...], words: Words, layout: Layout) -> list[Spot]:
    hint = words.say("Now a field of the same colour on the other board.")
    spots = []
    for board in BOARDS if is_begun(view) else ():
        owners = {
            field: owner
            for owner in range(len(names))
            for field in fields_in(int(view["tiles"][owner, board]))
        }
        for field, name in enumerate(FIELD_SPOTS[board]):
            color = name_color(color_of(view, board, field), words)
            owner = owners.get(field)
            if owner is None:
                label = words.say("{field} {color}: empty", field=name, color=color)
            elif owner == seat:
                label = words.say("{field} {color}: your tile", field=name, color=color)
            else:
                label = words.say(
                    "{field} {color}: tile of {name}", field=name, color=color, name=names[owner]
                )
            spots.append(Spot(name, *_box(layout, board, field), label, hint=hint))
    return spots


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
    hint = words.say("Now the tile that moves there.")
    return [
        Spot(
            MOVE_SPOTS[board][field],
            *_box(layout, board, field),
            words.say("{field} moves away", field=write_field(board, field)),
            hint=hint,
        )
        for board in BOARDS
        for field in fields_in(int(view["tiles"][seat, board]))
    ]


def _name_lines(view: State, seat: int, opened: tuple[int, int], words: Words, layout: Layout) -> list[Spot]:
    """GE-P3"""
    length, kind = 4 + leaves_five(view), kind_of(view)
    hint = words.say("Now the line that scores.")
    spots = []
    for board in BOARDS:
        tiles = int(view["tiles"][seat, board])
        for field in fields_in(completing(view, seat, board) & opened[board]):
            for line in fields_in(completed(tiles | 1 << field, field, kind) & ~(1 << NO_LINE)):
                name, end = line_spot(board, field, line, length)
                ends = write_line(board, field, line, length).replace("-", "–")
                label = words.say("line {line} scores", line=ends)
                spots.append(Spot(name, *_box(layout, board, end), label, hint=hint))
    return spots


def _box(layout: Layout, board: int, field: int) -> tuple[float, float, float, float]:
    x, y, size = layout.boards[board].field(field)
    return x, y, size, size
