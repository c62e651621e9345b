"""The legal moves of FITS as walks over spots, with a ghost, points, and how else to hold the piece."""

from functools import cache, reduce
from operator import and_

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
from mozaika.games.fits.rules import closed_under, landing, legal, piece_of
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


def walk(view: State, seat: int, ramp: Ramp, words: Words) -> list[Walk]:
    """All that a seat may do now, in the order of `rules.legal`."""
    found = _list_moves(view, seat)
    if not found:
        return []
    placing = _Placing(view, seat, ramp, found[:-1], words)
    return [*(placing.walk(move) for move in found[:-1]), Walk(_move_text(DECLINE), (ASIDE_SPOT,), (), 0)]


def first_held(view: State, seat: int) -> str:
    """The move that the hand shows at first: as on the card, in the middle if it can be."""
    found = _list_moves(view, seat)[:-1]
    if not found:
        return ""
    way = int(FIRST_WAY[piece_of(view, seat)])
    middle = (COLUMNS - int(WIDTH[way])) // 2
    return _move_text(min(found, key=lambda move: (abs(move // COLUMNS - way), abs(move % COLUMNS - middle))))


def _list_moves(view: State, seat: int) -> list[int]:
    moves = np.empty(MOST_MOVES, np.int32)
    found: list[int] = moves[: swift_rule(legal)(view, seat, moves)].tolist()
    return found


@cache
def _squares(way: int) -> list[tuple[int, int]]:
    """The squares of a piece as it lies, from its leftmost column and its lowest row."""
    art = WAYS[way][3][::-1]
    return [(across, up) for up, row in enumerate(art) for across, mark in enumerate(row) if mark == "#"]


@part
def _say_landing(column: int, row: int, words: Words) -> str:
    return words.say("column {column}: lands on row {row}", column=LETTERS[column], row=row + 1)


def _common(columns: list[int]) -> int:
    """Bit mask of the rows of the board that all columns cover."""
    return reduce(and_, columns, (1 << ROWS) - 1)


class _Placing:
    """The placings of one piece. What they have in common is looked up once."""

    def __init__(self, view: State, seat: int, ramp: Ramp, moves: list[int], words: Words) -> None:
        self.view, self.seat, self.ramp, self.words = view, seat, ramp, words
        self.columns_of: dict[int, list[int]] = {}
        """Where each way of the piece can be placed."""
        for move in moves:
            self.columns_of.setdefault(move // COLUMNS, []).append(move % COLUMNS)
        at = max(int(view["round"]), 1) - 1
        self.fields: list[int] = view["fields"][at].tolist()
        self.rows_score = bool(view["rows_score"][at])
        self.columns: list[int] = view["columns"][seat].tolist()
        self.heights: list[int] = view["heights"][seat].tolist()
        self.landing = swift_rule(landing)
        self.symbols: dict[int, int] = {}
        """How many squares with each symbol are uncovered."""
        for place, field in enumerate(self.fields):
            if field >= SYMBOLS and not self.columns[place % COLUMNS] >> place // COLUMNS & 1:
                self.symbols[field] = self.symbols.get(field, 0) + 1

    def walk(self, move: int) -> Walk:
        way, column = divmod(move, COLUMNS)
        row = int(self.landing(self.view, self.seat, way, column))
        covered = [(column + across, row + up) for across, up in _squares(way)]
        closed = closed_under(self.heights, way, column, row)
        ghost = (
            self.ramp.lay(way, column, row),
            *(self.ramp.mark(CLOSED, across, square) for across, square in closed),
        )
        hold = Hold(
            self.say(column, row, covered, len(closed)),
            (self.ramp.hold(way, column),),
            self.near(way, column),
        )
        spots = (WAY_SPOTS[way], COLUMN_SPOTS[column])
        return Walk(_move_text(move), spots, ghost, self.points(covered), hold)

    def points(self, covered: list[tuple[int, int]]) -> int:
        """How the points of the round would change if it ended after this move."""
        gain, hidden, columns = 0, dict.fromkeys(self.symbols, 0), list(self.columns)
        for column, row in covered:
            columns[column] |= 1 << row
            field = self.fields[row * COLUMNS + column] if row < ROWS else ZERO
            if field == PLAIN:  # FI-S1
                gain += 1
            elif field < SYMBOLS:  # FI-S3, FI-S4
                gain -= field - ZERO
            else:
                hidden[field] += 1
        for field, n in hidden.items():
            gain += _PAIR[self.symbols[field] - n] - _PAIR[self.symbols[field]]
        if self.rows_score:  # FI-S2
            gain += (_common(columns) & ~_common(self.columns)).bit_count()
        return gain

    def say(self, column: int, row: int, covered: list[tuple[int, int]], closed: int) -> str:
        """What a placing does, in words."""
        words = self.words
        parts = [_say_landing(column, row, words)]
        special = [self.fields[up * COLUMNS + across] for across, up in covered if up < ROWS]
        if named := [name_field(field, words) for field in special if field != PLAIN]:
            parts.append(words.say("covers {fields}", fields=", ".join(named)))
        if closed:
            parts.append(words.count("closes {n} square", "closes {n} squares", closed))
        if out := sum(up >= ROWS for _, up in covered):
            parts.append(words.count("{n} square sticks out", "{n} squares stick out", out))
        return ", ".join(parts)

    def near(self, way: int, column: int) -> dict[str, str]:
        """How to come from here to other ways and columns, with as little moving aside as there can be."""
        piece, turns, flipped, _ = WAYS[way]
        beside, here = self.columns_of[way], way * COLUMNS
        steps = {
            "left": max((here + other for other in beside if other < column), default=None),
            "right": min((here + other for other in beside if other > column), default=None),
            "turn": self.nearest([WAY_OF[piece, (turns + n) % 4, flipped] for n in (1, 2, 3)], way, column),
            # mirrored as one sees it: a piece that stands on its side is flipped and turned the other way
            "flip": self.nearest([WAY_OF[piece, -turns % 4, not flipped]], way, column),
        }
        return {name: _move_text(move) for name, move in steps.items() if move is not None}

    def nearest(self, ways: list[int], way: int, column: int) -> int | None:
        """The move of the first of these ways that can be placed at all, its middle as near as can be."""
        for other in ways:
            if other != way and (found := self.columns_of.get(other)):
                wanted = column + (len(WAYS[way][3][0]) - len(WAYS[other][3][0])) / 2
                return other * COLUMNS + min(found, key=lambda there: (abs(there - wanted), there))
        return None
