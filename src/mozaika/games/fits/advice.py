"""A placing of FITS as advice: what to do, what it gains and what it risks. Nobody else's ramp is touched."""

from collections.abc import Iterator

from mozaika.games.fits.pieces import (
    COLUMNS,
    DECLINE,
    LETTERS,
    NAMES,
    PLAIN,
    ROWS,
    SHAPE,
    SYMBOLS,
    TOP,
    WIDTH,
    ZERO,
)
from mozaika.games.fits.rules import closed_squares, full_rows, landing, piece_of, place
from mozaika.games.fits.tell import name_field, say_manner
from mozaika.sentence import Argument, Suggestion
from mozaika.state import State, copy_of
from mozaika.words import Words

DEEP = 3
"""From so many rows on a gap is hard to fill."""


def suggest(view: State, seat: int, move: int, names: tuple[str, ...], words: Words) -> Suggestion:
    piece = NAMES[piece_of(view, seat)]
    if move == DECLINE:
        text = words.say("Set {piece} aside.", piece=piece)
        kept = words.say("Your ramp stays open for the pieces that fit better.")
        lost = words.say("There is one piece less to cover squares with.")
        return Suggestion(text, [Argument("gains", kept), Argument("risks", lost)])
    way, column = divmod(move, COLUMNS)
    text = words.say(
        "Lay {piece} in column {column}, {manner}; it lands on row {row}.",
        piece=piece,
        column=LETTERS[column],
        manner=say_manner(way, words),
        row=landing(view, seat, way, column) + 1,
    )
    covered = _covered(view, seat, way, column)
    arguments = [
        *_gains(view, seat, way, column, covered, words),
        *_risks(view, seat, way, column, covered, words),
    ]
    return Suggestion(text, arguments)


def _fields(view: State) -> list[int]:
    found: list[int] = view["fields"][max(int(view["round"]), 1) - 1].tolist()
    return found


def _covered(view: State, seat: int, way: int, column: int) -> list[int]:
    """What the squares of the board show that a piece would cover."""
    low, fields = int(landing(view, seat, way, column)), _fields(view)
    return [
        fields[row * COLUMNS + column + step]
        for step in range(int(WIDTH[way]))
        for row in range(low, min(ROWS, low + int(TOP[way, step])))
        if int(SHAPE[way, step]) >> row - low & 1
    ]


def _gains(
    view: State, seat: int, way: int, column: int, covered: list[int], words: Words
) -> Iterator[Argument]:
    """FI-S1, FI-S2, FI-S4"""
    if plain := covered.count(PLAIN):
        text = words.count(
            "It covers {n} square that would cost a point.",
            "It covers {n} squares that would cost a point each.",
            plain,
        )
        yield Argument("gains", text)
    after = copy_of(view)
    place(after, seat, way, column)
    at = max(int(view["round"]), 1) - 1
    if view["rows_score"][at] and (rows := full_rows(after, seat) - full_rows(view, seat)):
        text = words.count("It fills {n} row: 1 point.", "It fills {n} rows: 1 point each.", rows)
        yield Argument("gains", text)
    if bad := [name_field(field, words) for field in covered if PLAIN < field < ZERO]:
        yield Argument(
            "gains", words.say("It hides what would cost points: {fields}.", fields=", ".join(bad))
        )


def _risks(
    view: State, seat: int, way: int, column: int, covered: list[int], words: Words
) -> Iterator[Argument]:
    """FI-P1, FI-S3, FI-S5: what is closed or hidden for good, and a gap that few pieces fill."""
    fields = _fields(view)
    closed = closed_squares(view, seat, way, column)
    if n := sum(fields[row * COLUMNS + at] == PLAIN for at, row in closed):
        text = words.count(
            "It closes {n} square for good: a point less.",
            "It closes {n} squares for good: a point less for each.",
            n,
        )
        yield Argument("risks", text)
    if good := [name_field(field, words) for field in covered if ZERO < field < SYMBOLS]:
        text = words.say("It hides what would bring points: {fields}.", fields=", ".join(good))
        yield Argument("risks", text)
    if twins := [name_field(field, words) for field in covered if field >= SYMBOLS]:
        text = words.say(
            "It covers a symbol, which counts only with its twin: {fields}.", fields=", ".join(twins)
        )
        yield Argument("risks", text)
    after = copy_of(view)
    place(after, seat, way, column)
    deep, where = max((depth, -at) for at, depth in enumerate(_gaps(after, seat)))
    if deep >= DEEP and deep > _gaps(view, seat)[-where]:
        text = words.count(
            "It leaves a gap {n} row deep in column {column}.",
            "It leaves a gap {n} rows deep in column {column}.",
            deep,
            column=LETTERS[-where],
        )
        yield Argument("risks", text)


def _gaps(state: State, seat: int) -> list[int]:
    """How far each column lies below both beside it."""
    heights = [ROWS, *state["heights"][seat].tolist(), ROWS]
    return [max(0, min(heights[at - 1], heights[at + 1]) - heights[at]) for at in range(1, COLUMNS + 1)]
