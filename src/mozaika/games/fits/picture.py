"""FITS as a picture: what a viewer sees of the table as sprites, labels, spots and walks."""

from typing import NamedTuple

import numpy as np

from mozaika.games.fits.artwork import (
    DARK_STYLE,
    FAR_LOST,
    FAR_ROW,
    GAIN,
    LOSS,
    LOST,
    NEAR,
    ROW,
    field_symbol,
)
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
    name_areas,
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
from mozaika.games.fits.rules import piece_of
from mozaika.games.fits.tell import name_phase, pointed_at, say_manner
from mozaika.games.fits.walks import walk
from mozaika.places import Box
from mozaika.scene import Label, Scene, Shape, Spot, Sprite, part, shorten
from mozaika.sentence import with_minus
from mozaika.state import State, seats_in
from mozaika.words import Words

WAY_SQUARES = 5.2
"""A way is so many squares wide: no piece fills it, so the frame is drawn round the way, not a piece."""
LOOK_AT_SCORES = 2600
"""Milliseconds to look at a ramp that has just been scored."""


class _Seen(NamedTuple):
    """What is read of a view once: plain values, which parts are kept by."""

    round: int
    """The round whose board is on the ramps; the first one before the game."""
    placing: int
    """The seats that still have to place a piece, as bits."""
    scored: bool
    """Whether the ramps show a round that has just ended."""
    fields: tuple[int, ...]
    rows_score: bool
    columns: list[list[int]]
    laid: list[list[int]]
    aside: list[int]
    start: list[int]
    pieces: dict[int, int]
    """The piece that each seat has to place."""


def _see(view: State) -> _Seen:
    turn = max(int(view["round"]), 1)
    placing = int(view["pending"]) if view["phase"] == PLACE else 0
    return _Seen(
        round=turn,
        placing=placing,
        scored=is_scored(view),
        fields=tuple(view["fields"][turn - 1].tolist()),
        rows_score=bool(view["rows_score"][turn - 1]),
        columns=view["columns"].tolist(),
        laid=view["laid"].tolist(),
        aside=view["aside"].tolist(),
        start=view["start"].tolist(),
        pieces={seat: piece_of(view, seat) for seat in seats_in(placing)},
    )


def scene(view: State, seat: int, names: tuple[str, ...], words: Words, shape: Shape) -> Scene:
    """The table as a viewer sees it; the viewer's ramp comes first, then the others clockwise."""
    seats, rounds = int(view["seats"]), int(view["rounds"])
    layout, seen = lay_out(seats, rounds, shape), _see(view)
    order = [(max(seat, 0) + index) % seats for index in range(seats)]
    boards = _read_boards(*(view[name].tobytes() for name in ("boards", "rows_score", "fields")))
    walks, held = walk(view, seat, layout.ramps[0], words) if seat in seen.pieces else ((), "")
    return Scene(
        width=layout.width,
        height=layout.height,
        title=words.say("FITS, round {n}", n=int(view["round"])),
        style=STYLE,
        dark_style=DARK_STYLE,
        symbols=draw_symbols(boards),
        ground=draw_ground(seats, boards, shape, _name_places(words)),
        sprites=tuple(_lay_sprites(view, seat, order, layout, seen)),
        labels=tuple(_write_labels(view, seat, order, names, words, layout, seen)),
        spots=_name_spots(view, seat, layout, words, seen) if seat >= 0 else (),
        walks=walks,
        held=held,
        areas=name_areas(layout),
        pause=LOOK_AT_SCORES if seen.scored else 0,
    )


@part
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


def _lay_sprites(view: State, viewer: int, order: list[int], layout: Layout, seen: _Seen) -> list[Sprite]:
    sprites: list[Sprite] = []
    for ramp, seat in zip(layout.ramps, order, strict=True):
        sprites += _lay_ramp(seat, ramp, seen, held=seat == viewer)
    sprites += _lay_cards(layout, int(view["left"]), int(view["card"]), seen.start[order[0]])
    if viewer in seen.pieces:
        sprites += _lay_ways(layout, seen.pieces[viewer])
    pointed = pointed_at(view)
    return sprites + [
        ramp.point() for ramp, seat in zip(layout.ramps, order, strict=True) if pointed >> seat & 1
    ]


@part
def _lay_cards(layout: Layout, left: int, card: int, own: int) -> tuple[Sprite, ...]:
    """The pieces on the cards to come, on the card that is turned, and on the viewer's start card."""
    square = icon_square(layout)
    big = 0.2 * layout.card.width if layout.shape == "wide" else 13
    sprites = [lay_icon(piece, box, square) for piece, box in enumerate(layout.deck) if left >> piece & 1]
    sprites += [lay_icon(card - 1, layout.card, big)] if card else []
    sprites += [lay_icon(own - 1, layout.start, big)] if own else []
    return tuple(sprites)


@part
def _lay_ways(layout: Layout, piece: int) -> tuple[Sprite, ...]:
    return tuple(lay_in(way, box, box.width / WAY_SQUARES) for way, box in _ways(piece, layout))


def _ways(piece: int, layout: Layout) -> list[tuple[int, Box]]:
    ways = range(int(FIRST_WAY[piece]), int(FIRST_WAY[piece + 1]))
    return list(zip(ways, layout.ways, strict=False))


def _lay_ramp(seat: int, ramp: Ramp, seen: _Seen, *, held: bool) -> list[Sprite]:
    fields, columns = seen.fields, tuple(seen.columns[seat])
    sprites = [*_lay_fields(ramp, fields, columns), *_lay_pieces(ramp, tuple(seen.laid[seat]))]
    if seat in seen.pieces and not held:
        way = int(FIRST_WAY[seen.pieces[seat]])
        sprites.append(ramp.hold(way, (COLUMNS - int(WIDTH[way])) // 2))
    sprites += lay_aside(ramp, seen.aside[seat])
    if ramp.start.width and seen.start[seat]:
        sprites.append(lay_icon(seen.start[seat] - 1, ramp.start, ramp.start.width / 4.4))
    if seen.scored:
        sprites += _mark_scores(ramp, fields, columns, seen.rows_score)
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
        ramp.mark(field_symbol(field, ramp.square), column, row)
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
def lay_aside(ramp: Ramp, aside: int) -> tuple[Sprite, ...]:
    """Side by side, smaller where there are many."""
    pieces = [piece for piece in range(len(NAMES)) if aside >> piece & 1]
    widths = [len(WAYS[FIRST_WAY[piece]][3][0]) for piece in pieces]
    square = min(ramp.icon, ramp.aside.width / (1.2 + sum(widths) + 0.8 * len(widths)))
    x, sprites = ramp.aside.x + square, []
    for piece, width in zip(pieces, widths, strict=True):
        sprites.append(lay_icon(piece, Box(x, ramp.aside.y, width * square, ramp.aside.height), square))
        x += (width + 0.8) * square
    return tuple(sprites)


@part
def _mark_scores(
    ramp: Ramp, fields: tuple[int, ...], columns: tuple[int, ...], rows_score: bool
) -> tuple[Sprite, ...]:
    """What open squares and full rows brought, from the bottom up: so the scoring walks over the ramp."""
    open_squares, near = _open_squares(columns), ramp.square >= NEAR
    seen = [fields[row * COLUMNS + column] for column, row in open_squares]
    sprites = []
    for (column, row), field in zip(open_squares, seen, strict=True):
        if field == PLAIN:
            sprites.append(ramp.mark(LOST if near else FAR_LOST, column, row))
        elif field != ZERO:
            good = seen.count(field) == 2 if field >= SYMBOLS else field > ZERO
            sprites.append(ramp.mark(GAIN if good else LOSS, column, row))
    if rows_score:
        x, size = ramp.x + (COLUMNS - 0.45) * ramp.square, round(0.86 * ramp.square, 1)
        symbol = ROW if near else FAR_ROW
        sprites += [
            Sprite(symbol, round(x, 1), round(ramp.corner(0, row)[1] + 0.07 * ramp.square, 1), size)
            for row in range(ROWS)
            if all(covered >> row & 1 for covered in columns)
        ]
    return tuple(sprites)


def _write_labels(
    view: State,
    viewer: int,
    order: list[int],
    names: tuple[str, ...],
    words: Words,
    layout: Layout,
    seen: _Seen,
) -> list[Label]:
    tally, boards = view["tally"].sum(axis=2).tolist(), tuple(view["boards"].tolist())
    rounds, card, start = int(view["rounds"]), int(view["card"]), seen.start[order[0]]
    labels = [
        _write_title(layout, seen.round, rounds, boards[seen.round - 1], words),
        Label(_say_phase(view, viewer, words, seen), *layout.phase, f"mz-fi-phase-{layout.shape}"),
    ]
    for ramp, seat in zip(layout.ramps, order, strict=True):
        labels += _write_name(ramp, names[seat], sum(tally[seat][:rounds]))
    labels += [_write_under(layout.card, NAMES[card - 1], layout)] if card else []
    labels += [_write_under(layout.start, NAMES[start - 1], layout)] if start else []
    brought = tuple(tally[order[0]][: rounds_scored(view)])
    return [*labels, *_write_thumbs(layout, boards, seen.round - 1, brought, words)]


@part
def _write_title(layout: Layout, n: int, rounds: int, board: int, words: Words) -> Label:
    title = words.say("Round {n} of {all}", n=n, all=rounds)
    if layout.shape == "wide":
        title = words.say("Round {n} of {all}: board {name}", n=n, all=rounds, name=BOARD_NAMES[board - 1])
    return Label(title, *layout.title, f"mz-fi-title-{layout.shape}")


@part
def _write_name(ramp: Ramp, name: str, points: int) -> tuple[Label, Label]:
    x, y = ramp.name
    return (
        Label(
            shorten(name, ramp.name_room), round(x + 0.3 * ramp.letters, 1), y, f"mz-fi-name-{ramp.letters}"
        ),
        Label(with_minus(points), *ramp.total, f"mz-fi-total-{ramp.letters}"),  # FI-S6
    )


@part
def _write_under(box: Box, text: str, layout: Layout) -> Label:
    return Label(text, box.x + box.width - 16, box.y + layout.words + 2, f"mz-fi-card-{layout.words}")


@part
def _write_thumbs(
    layout: Layout, boards: tuple[int, ...], now: int, brought: tuple[int, ...], words: Words
) -> tuple[Label, ...]:
    """The names of the boards, and what each has brought the viewer."""
    labels = []
    for at, box in enumerate(layout.thumbs):
        name = words.say("board {name}", name=BOARD_NAMES[boards[at] - 1])
        style = f"mz-fi-{'current' if at == now else 'board'}-{layout.words}"
        text = f"▸ {name}" if at == now else name
        x, y = box.x + box.width / 2, box.y - 6
        labels.append(Label(text, x, y, style))
        if at < len(brought):
            under = box.y + box.height + 1.15 * layout.words
            points = _say_points(brought[at], words)
            labels.append(Label(points, x, round(under, 1), f"mz-fi-won-{layout.words}"))
    return tuple(labels)


def _say_points(points: int, words: Words) -> str:
    """With a word, so that it is no number of a board."""
    return words.count("{points} point", "{points} points", abs(points), points=with_minus(points))


def _say_phase(view: State, viewer: int, words: Words, seen: _Seen) -> str:
    if seen.scored:
        return words.say("the round is scored")
    if seen.placing and viewer >= 0:
        if viewer in seen.pieces:
            return words.say("place {piece}", piece=NAMES[seen.pieces[viewer]])
        return words.say("the others are placing")
    return name_phase(view, words)


def _name_spots(view: State, seat: int, layout: Layout, words: Words, seen: _Seen) -> tuple[Spot, ...]:
    ways = _name_ways(layout, seen.pieces[seat], words) if seat in seen.pieces else ()
    heights = enumerate(view["heights"][seat].tolist())
    columns = (_name_column(layout.ramps[0], column, height, words) for column, height in heights)
    return (*ways, *columns, Spot(ASIDE_SPOT, *layout.aside, words.say("set aside")))


@part
def _name_ways(layout: Layout, piece: int, words: Words) -> tuple[Spot, ...]:
    return tuple(Spot(WAY_SPOTS[way], *box, say_manner(way, words)) for way, box in _ways(piece, layout))


@part
def _name_column(ramp: Ramp, column: int, height: int, words: Words) -> Spot:
    x, y = ramp.corner(column, ROWS - 1)
    label = words.count(
        "column {column}: {n} row high", "column {column}: {n} rows high", height, column=LETTERS[column]
    )
    return Spot(COLUMN_SPOTS[column], x, y, ramp.square, ROWS * ramp.square, label)


def boxes(view: State, viewer: int, seat: int, places: tuple[str, ...], shape: Shape) -> list[Box]:
    """Where squares of a ramp lie."""
    seats = int(view["seats"])
    ramp = lay_out(seats, int(view["rounds"]), shape).ramps[(seat - max(viewer, 0)) % seats]
    corners = (ramp.corner(LETTERS.index(place[0]), int(place[1:]) - 1) for place in places)
    return [Box(x, y, ramp.square, ramp.square) for x, y in corners]
