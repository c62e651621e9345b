"""FITS as a picture: what a viewer sees of the table as sprites, labels, spots and walks."""

import numpy as np

from mozaika.games.fits.artwork import DARK_STYLE, GAIN, LOSS, LOST, ROW, TURN_SYMBOL, field_symbol
from mozaika.games.fits.ground import STYLE, Board, draw_ground, draw_symbols, icon_square
from mozaika.games.fits.layout import (
    ASIDE_SPOT,
    COLUMN_SPOTS,
    WAY_SPOTS,
    Layout,
    Ramp,
    lay_icon,
    lay_in,
    lay_out,
)
from mozaika.games.fits.notation import rounds_scored
from mozaika.games.fits.pieces import (
    BOARD_NAMES,
    COLUMNS,
    FIRST_WAY,
    LETTERS,
    NAMES,
    PLACE,
    PLAIN,
    ROWS,
    STATE,
    SYMBOLS,
    WAYS,
    WIDTH,
    ZERO,
)
from mozaika.games.fits.rules import piece_of, total
from mozaika.games.fits.tell import board_name, name_phase, pointed_at, say_manner, signed
from mozaika.games.fits.walks import first_held, walk
from mozaika.places import Box
from mozaika.scene import Label, Scene, Shape, Spot, Sprite, part
from mozaika.state import State
from mozaika.words import Words

LOOK_AT_SCORES = 2600
"""Milliseconds to look at a ramp that has just been scored."""


def scene(view: State, seat: int, names: tuple[str, ...], words: Words, shape: Shape) -> Scene:
    """The table as a viewer sees it; the viewer's ramp comes first, then the others clockwise."""
    seats, rounds = int(view["seats"]), int(view["rounds"])
    layout = lay_out(seats, rounds, shape)
    order = [(max(seat, 0) + index) % seats for index in range(seats)]
    boards = _read_boards(*(view[name].tobytes() for name in ("boards", "rows_score", "fields")))
    placing = seat >= 0 and bool(view["phase"] == PLACE and int(view["pending"]) >> seat & 1)
    scored = is_scored(view)
    return Scene(
        width=layout.width,
        height=layout.height,
        title=words.say("FITS, round {n}", n=int(view["round"])),
        style=STYLE,
        dark_style=DARK_STYLE,
        symbols=draw_symbols(boards),
        ground=draw_ground(seats, boards, shape, _name_places(words)),
        sprites=tuple(_lay_sprites(view, seat, order, layout, placing=placing)),
        labels=tuple(_write_labels(view, seat, order, names, words, layout)),
        spots=tuple(_name_spots(view, seat, layout, words, placing=placing)) if seat >= 0 else (),
        walks=tuple(walk(view, seat, layout.ramps[0], words)) if placing else (),
        held=first_held(view, seat) if placing else "",
        pause=LOOK_AT_SCORES if scored else 0,
    )


def _name_places(words: Words) -> tuple[str, ...]:
    return (
        words.say("card"),
        words.say("start card"),
        words.say("how it can lie"),
        words.say("set aside"),
        words.say("cards to come"),
        words.say("boards 1 to 4: our own design"),
        words.say("full rows +1"),
    )


@part
def _read_boards(*kept: bytes) -> tuple[Board, ...]:
    """The boards of the game, of what the state says of them."""
    numbers, rows_score, fields = (
        np.frombuffer(each, STATE[name].base).reshape(STATE[name].shape).tolist()
        for name, each in zip(("boards", "rows_score", "fields"), kept, strict=True)
    )
    return tuple(
        (BOARD_NAMES[number - 1], bool(score), tuple(each))
        for number, score, each in zip(numbers, rows_score, fields, strict=True)
        if number
    )


def is_scored(view: State) -> bool:
    """Whether the ramps show a round that has just ended."""
    return bool(view["round"] > 0) and rounds_scored(view) == view["round"]


def _lay_sprites(
    view: State, viewer: int, order: list[int], layout: Layout, *, placing: bool
) -> list[Sprite]:
    sprites: list[Sprite] = []
    fields = tuple(view["fields"][max(int(view["round"]), 1) - 1].tolist())
    for ramp, seat in zip(layout.ramps, order, strict=True):
        sprites += _lay_ramp(view, seat, ramp, fields, held=placing and seat == viewer)
    left, square = int(view["left"]), icon_square(layout)
    sprites += [lay_icon(piece, box, square) for piece, box in enumerate(layout.deck) if left >> piece & 1]
    big = 0.2 * layout.card.width if layout.shape == "wide" else 15
    if view["card"]:
        sprites.append(lay_icon(int(view["card"]) - 1, layout.card, big))
    own = int(view["start"][order[0]])
    if own:
        sprites.append(lay_icon(own - 1, layout.start, big))
    if placing:
        sprites += [lay_in(way, box, box.width / 4.6) for way, box in _ways(view, viewer, layout)]
    pointed = pointed_at(view)
    for ramp, seat in zip(layout.ramps, order, strict=True):
        if pointed >> seat & 1:
            x, y = ramp.name
            sprites.append(
                Sprite(TURN_SYMBOL, round(x - ramp.letters, 1), y - 0.8 * ramp.letters, ramp.letters)
            )
    return sprites


def _ways(view: State, seat: int, layout: Layout) -> list[tuple[int, Box]]:
    piece = piece_of(view, seat)
    ways = range(int(FIRST_WAY[piece]), int(FIRST_WAY[piece + 1]))
    return list(zip(ways, layout.ways, strict=False))


def _lay_ramp(view: State, seat: int, ramp: Ramp, fields: tuple[int, ...], *, held: bool) -> list[Sprite]:
    columns = tuple(view["columns"][seat].tolist())
    sprites = [*_lay_fields(ramp, fields, columns), *_lay_pieces(ramp, tuple(view["laid"][seat].tolist()))]
    if view["phase"] == PLACE and int(view["pending"]) >> seat & 1 and not held:
        way = int(FIRST_WAY[piece_of(view, seat)])
        sprites.append(ramp.hold(way, (COLUMNS - int(WIDTH[way])) // 2))
    sprites += _lay_aside(ramp, int(view["aside"][seat]))
    if ramp.start.width and view["start"][seat]:
        sprites.append(lay_icon(int(view["start"][seat]) - 1, ramp.start, ramp.start.width / 4.4))
    if is_scored(view):
        rows_score = bool(view["rows_score"][int(view["round"]) - 1])
        sprites += _mark_scores(ramp, fields, columns, rows_score)
    return sprites


@part
def _open_squares(columns: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """The squares (column, row) that nothing covers, from the bottom up."""
    return tuple(
        (column, row) for row in range(ROWS) for column in range(COLUMNS) if not columns[column] >> row & 1
    )


@part
def _lay_fields(ramp: Ramp, fields: tuple[int, ...], columns: tuple[int, ...]) -> tuple[Sprite, ...]:
    return tuple(
        ramp.mark(field_symbol(field), column, row)
        for column, row in _open_squares(columns)
        if (field := fields[row * COLUMNS + column]) != PLAIN
    )


@part
def _lay_pieces(ramp: Ramp, laid: tuple[int, ...]) -> tuple[Sprite, ...]:
    sprites = []
    for each in laid:
        if each:
            move, row = divmod(each - 1, 16)
            way, column = divmod(move, COLUMNS)
            sprites.append(ramp.lay(way, column, row))
    return tuple(sprites)


@part
def _lay_aside(ramp: Ramp, aside: int) -> tuple[Sprite, ...]:
    square, x = ramp.icon, ramp.aside.x + ramp.icon
    sprites = []
    for piece in (piece for piece in range(len(NAMES)) if aside >> piece & 1):
        art = WAYS[FIRST_WAY[piece]][3]
        box = Box(x, ramp.aside.y, len(art[0]) * square, ramp.aside.height)
        sprites.append(lay_icon(piece, box, square))
        x += (len(art[0]) + 0.8) * square
    return tuple(sprites)


@part
def _mark_scores(
    ramp: Ramp, fields: tuple[int, ...], columns: tuple[int, ...], rows_score: bool
) -> tuple[Sprite, ...]:
    """What open squares and full rows brought, from the bottom up: so the scoring walks over the ramp."""
    open_squares = _open_squares(columns)
    seen = [fields[row * COLUMNS + column] for column, row in open_squares]
    sprites = []
    for (column, row), field in zip(open_squares, seen, strict=True):
        if field == PLAIN:
            sprites.append(ramp.mark(LOST, column, row))
        elif field != ZERO:
            good = seen.count(field) == 2 if field >= SYMBOLS else field > ZERO
            sprites.append(ramp.mark(GAIN if good else LOSS, column, row))
    if rows_score:
        x = ramp.x + COLUMNS * ramp.square - 0.3 * ramp.square
        sprites += [
            Sprite(ROW, round(x, 1), ramp.corner(0, row)[1] + 0.2 * ramp.square, round(0.6 * ramp.square, 1))
            for row in range(ROWS)
            if all(covered >> row & 1 for covered in columns)
        ]
    return tuple(sprites)


def _write_labels(
    view: State, viewer: int, order: list[int], names: tuple[str, ...], words: Words, layout: Layout
) -> list[Label]:
    shape = layout.shape
    title = words.say(
        "Round {n} of {all}: board {name}",
        n=max(int(view["round"]), 1),
        all=int(view["rounds"]),
        name=board_name(view),
    )
    labels = [
        Label(title, *layout.title, f"mz-fi-title-{shape}"),
        Label(_say_phase(view, viewer, words), *layout.phase, f"mz-fi-phase-{shape}"),
    ]
    for ramp, seat in zip(layout.ramps, order, strict=True):
        name = names[seat] if len(names[seat]) <= ramp.name_room else names[seat][: ramp.name_room - 1] + "…"
        x, y = ramp.name
        labels.append(Label(name, round(x + 0.3 * ramp.letters, 1), y, f"mz-fi-name-{ramp.letters}"))
        labels.append(Label(signed(total(view, seat)), *ramp.total, f"mz-fi-total-{ramp.letters}"))
    if view["card"]:
        labels.append(_write_under(layout.card, NAMES[view["card"] - 1], layout))
    if view["start"][order[0]]:
        labels.append(_write_under(layout.start, NAMES[view["start"][order[0]] - 1], layout))
    return labels + _write_thumbs(view, order[0], words, layout)


def _write_under(box: Box, text: str, layout: Layout) -> Label:
    return Label(text, box.x + box.width - 16, box.y + layout.words + 2, f"mz-fi-card-{layout.words}")


def _write_thumbs(view: State, seat: int, words: Words, layout: Layout) -> list[Label]:
    """The names of the boards, and what each has brought the viewer."""
    labels = []
    played = rounds_scored(view)
    for at, box in enumerate(layout.thumbs):
        name = BOARD_NAMES[view["boards"][at] - 1]
        now = at == max(int(view["round"]), 1) - 1
        style = f"mz-fi-{'current' if now else 'board'}-{layout.words}"
        text = f"▸ {name}" if now else name
        x, y = box.x + box.width / 2, box.y - 6
        labels.append(Label(text, x, y, style))
        if at < played:
            points = int(view["tally"][seat, at].sum())
            under = box.y + box.height + 1.15 * layout.words
            labels.append(Label(signed(points), x, round(under, 1), f"mz-fi-won-{layout.words}"))
    return labels


def _say_phase(view: State, viewer: int, words: Words) -> str:
    if is_scored(view):
        return words.say("the round is scored")
    if view["phase"] == PLACE and viewer >= 0:
        if int(view["pending"]) >> viewer & 1:
            return words.say("place {piece}", piece=NAMES[piece_of(view, viewer)])
        return words.say("the others are placing")
    return name_phase(view, words)


def _name_spots(view: State, seat: int, layout: Layout, words: Words, *, placing: bool) -> list[Spot]:
    ramp, spots = layout.ramps[0], []
    if placing:
        spots = [Spot(WAY_SPOTS[way], *box, say_manner(way, words)) for way, box in _ways(view, seat, layout)]
    heights = view["heights"][seat].tolist()
    for column, spot in enumerate(COLUMN_SPOTS):
        x, y = ramp.corner(column, ROWS - 1)
        label = words.count(
            "column {column}: {n} row high",
            "column {column}: {n} rows high",
            heights[column],
            column=LETTERS[column],
        )
        spots.append(Spot(spot, x, y, ramp.square, ROWS * ramp.square, label))
    spots.append(Spot(ASIDE_SPOT, *layout.aside, words.say("set aside")))
    return spots
