"""The legal moves of FITS as walks over spots, with a ghost, points, and how else to hold the piece."""

from collections.abc import Iterator
from functools import cache, reduce
from operator import and_
from typing import NamedTuple

import numpy as np

from mozaika.games.fits.artwork import CLOSED
from mozaika.games.fits.layout import ASIDE_SPOT, COLUMN_SPOTS, WAY_SPOTS, Ramp
from mozaika.games.fits.notation import write_move
from mozaika.games.fits.pieces import (
    COLUMNS,
    DECLINE,
    FIRST_WAY,
    LETTERS,
    MOST_MOVES,
    PAIR_POINTS,
    PLAIN,
    ROWS,
    SYMBOLS,
    WAY_OF,
    WAYS,
    WIDTH,
    ZERO,
)
from mozaika.games.fits.rules import closed_under, legal, piece_of, rest_on
from mozaika.games.fits.tell import name_field
from mozaika.kernel import swift_rule
from mozaika.scene import Hold, Walk, part
from mozaika.state import State
from mozaika.words import Words

_move_text = cache(write_move)
_PAIR = (0, -PAIR_POINTS, PAIR_POINTS)
"""FI-S5: what a pair brings if none, one or both of its symbols are uncovered."""


def move_along(view: State, seat: int, spots: tuple[str, ...]) -> int:
    """The move of a walk, whether it is legal or not; a column alone stands for any piece in it."""
    if spots not in _MOVES:
        raise ValueError(f"No move goes over {', '.join(spots)}.")
    return _MOVES[spots]


_MOVES = (
    {
        (WAY_SPOTS[way], COLUMN_SPOTS[column]): way * COLUMNS + column
        for way in range(len(WAYS))
        for column in range(COLUMNS)
    }
    | {(spot,): column for column, spot in enumerate(COLUMN_SPOTS)}
    | {(ASIDE_SPOT,): DECLINE}
)


def walk(view: State, seat: int, ramp: Ramp, words: Words) -> tuple[tuple[Walk, ...], str]:
    """All that a seat may do now, in the order of `rules.legal`; and what the hand shows at first."""
    moves, at = np.empty(MOST_MOVES, np.int32), max(int(view["round"]), 1) - 1
    found = tuple(moves[: swift_rule(legal)(view, seat, moves)].tolist())
    if not found:
        return (), ""
    columns, heights = (tuple(view[name][seat].tolist()) for name in ("columns", "heights"))
    board = _Board(tuple(view["fields"][at].tolist()), bool(view["rows_score"][at]), columns, heights)
    return (*_walk(ramp, board, found[:-1], words), _ASIDE), _first_held(found[:-1], piece_of(view, seat))


class _Board(NamedTuple):
    """What lies on a ramp in a round, and where."""

    fields: tuple[int, ...]
    rows_score: bool
    columns: tuple[int, ...]
    heights: tuple[int, ...]


@part
def _walk(ramp: Ramp, board: _Board, moves: tuple[int, ...], words: Words) -> tuple[Walk, ...]:
    """While the others place their pieces nothing of it changes."""
    return tuple(_Placing(board, ramp, words).walk(moves))


def _first_held(found: tuple[int, ...], piece: int) -> str:
    """As on the card, in the middle if it can be."""
    if not found:
        return ""
    way = int(FIRST_WAY[piece])
    middle = (COLUMNS - int(WIDTH[way])) // 2
    return _move_text(min(found, key=lambda move: (abs(move // COLUMNS - way), abs(move % COLUMNS - middle))))


_ASIDE = Walk(_move_text(DECLINE), (ASIDE_SPOT,), (), 0)


class _Drop(NamedTuple):
    """What never changes of a placing."""

    text: str
    spots: tuple[str, ...]
    squares: tuple[int, ...]
    """Where the squares of the piece lie when it lands on row 0, counted row by row."""
    columns: tuple[tuple[int, int], ...]
    """The columns it covers, with its squares there as bits."""
    near: tuple[tuple[str, tuple[int, ...]], ...]
    """What one comes to by `left`, `right`, `turn` and `flip`: the first of each that is legal."""


@cache
def _drop(move: int) -> _Drop:
    way, column = divmod(move, COLUMNS)
    art = WAYS[way][3][::-1]
    squares = [
        (column + across, up) for up, row in enumerate(art) for across, mark in enumerate(row) if mark == "#"
    ]
    return _Drop(
        _move_text(move),
        (WAY_SPOTS[way], COLUMN_SPOTS[column]),
        tuple(up * COLUMNS + across for across, up in squares),
        tuple(
            (at, sum(1 << up for across, up in squares if across == at))
            for at in range(column, column + len(art[0]))
        ),
        tuple(_list_near(way, column)),
    )


def _list_near(way: int, column: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    """How to come from here to other ways and columns, with as little moving aside as there can be."""
    piece, turns, flipped, _ = WAYS[way]
    here, last = way * COLUMNS, COLUMNS - int(WIDTH[way])
    yield "left", tuple(range(here + column - 1, here - 1, -1))
    yield "right", tuple(range(here + column + 1, here + last + 1))
    yield "turn", _nearest([WAY_OF[piece, (turns + n) % 4, flipped] for n in (1, 2, 3)], way, column)
    # mirrored as one sees it: a piece that stands on its side is flipped and turned the other way
    yield "flip", _nearest([WAY_OF[piece, -turns % 4, not flipped]], way, column)


def _nearest(ways: list[int], way: int, column: int) -> tuple[int, ...]:
    """The placings of these ways, one way after the other, their middle as near as can be."""
    found: list[int] = []
    for other in ways:
        if other != way:
            wanted = column + (int(WIDTH[way]) - int(WIDTH[other])) / 2
            there = range(COLUMNS + 1 - int(WIDTH[other]))
            found += [other * COLUMNS + at for _, at in sorted((abs(at - wanted), at) for at in there)]
    return tuple(found)


@part
def _say(column: int, row: int, special: tuple[int, ...], closed: int, out: int, words: Words) -> str:
    """What a placing does, in words."""
    parts = [words.say("column {column}: lands on row {row}", column=LETTERS[column], row=row + 1)]
    if special:
        named = ", ".join(name_field(field, words) for field in special)
        parts.append(words.say("covers {fields}", fields=named))
    if closed:
        parts.append(words.count("closes {n} square", "closes {n} squares", closed))
    if out:
        parts.append(words.count("{n} square sticks out", "{n} squares stick out", out))
    return ", ".join(parts)


class _Placing:
    """The placings of one piece. What they have in common is looked up once."""

    def __init__(self, board: _Board, ramp: Ramp, words: Words) -> None:
        self.ramp, self.words = ramp, words
        self.fields, self.rows_score, self.columns, self.heights = board
        self.full = reduce(and_, self.columns, _ALL_ROWS)
        self.symbols: dict[int, int] = {}
        """How many squares with each symbol are uncovered."""
        for place, field in enumerate(self.fields):
            if field >= SYMBOLS and not self.columns[place % COLUMNS] >> place // COLUMNS & 1:
                self.symbols[field] = self.symbols.get(field, 0) + 1

    def walk(self, moves: tuple[int, ...]) -> Iterator[Walk]:
        legal_moves, ramp = set(moves), self.ramp
        for move in moves:
            drop, (way, column) = _drop(move), divmod(move, COLUMNS)
            row = rest_on(self.heights, way, column)
            seen = [self.fields[place] for each in drop.squares if (place := each + row * COLUMNS) < _PLACES]
            special = tuple(field for field in seen if field != PLAIN)
            closed = closed_under(self.heights, way, column, row)
            ghost = (ramp.lay(way, column, row), *(ramp.mark(CLOSED, *square) for square in closed))
            said = _say(column, row, special, len(closed), len(drop.squares) - len(seen), self.words)
            near = {}
            for name, others in drop.near:
                for other in others:
                    if other in legal_moves:
                        near[name] = _drop(other).text
                        break
            points = len(seen) - len(special) + self.points(special)
            if self.rows_score:
                points += self.rows(drop, row)
            yield Walk(drop.text, drop.spots, ghost, points, Hold(said, (ramp.hold(way, column),), near))

    def points(self, special: tuple[int, ...]) -> int:
        """What it changes that these fields are covered; FI-S1: every other square brings a point."""
        gain = 0
        for field in set(special):
            if field < SYMBOLS:  # FI-S3, FI-S4
                gain -= special.count(field) * (field - ZERO)
            else:
                shown = self.symbols[field]
                gain += _PAIR[shown - special.count(field)] - _PAIR[shown]
        return gain

    def rows(self, drop: _Drop, row: int) -> int:
        """FI-S2: how many rows a piece completes."""
        columns = list(self.columns)
        for at, squares in drop.columns:
            columns[at] |= squares << row
        return (reduce(and_, columns, _ALL_ROWS) & ~self.full).bit_count()


_ALL_ROWS, _PLACES = (1 << ROWS) - 1, ROWS * COLUMNS
