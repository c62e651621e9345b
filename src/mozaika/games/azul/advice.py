"""A move of Azul as advice: what to do, what it gains, what it denies to others and what it risks."""

from collections.abc import Iterator

from mozaika.games.azul.bot import likely_column
from mozaika.games.azul.pieces import CENTRE, LINES, ON_CENTRE, PENALTIES, PLACES, TARGETS
from mozaika.games.azul.rules import COLUMN, ROW, occupied, outlook, placement_points, take
from mozaika.games.azul.tell import count_colored, name_color
from mozaika.kernel import count_bits
from mozaika.sentence import Argument, Suggestion
from mozaika.state import State, copy_of
from mozaika.words import Words

MANY = 3
"""From so many tiles of five on, a row, a column or a colour is worth a word."""


def suggest(view: State, seat: int, move: int, names: tuple[str, ...], words: Words) -> Suggestion:
    """A take, or a space of the grey wall."""
    if move >= PLACES:
        return _suggest_space(view, seat, move, words)
    pair, target = divmod(move, TARGETS)
    source, color = divmod(pair, 5)
    after = copy_of(view)
    take(after, seat, move)
    arguments = [
        *_gains(view, after, seat, source, color, target, words),
        *_denies(view, after, seat, source, color, names, words),
        *_risks(view, after, seat, color, target, words),
        *_gives(view, after, seat, color, names, words),
    ]
    return Suggestion(_say_take(view, source, color, target, words), arguments)


def _say_take(view: State, source: int, color: int, target: int, words: Words) -> str:
    tiles = count_colored(color, int(view["sources"][source, color]), words)
    match source, target:
        case 0, 0:
            return words.say("Take {tiles} from the centre straight to the floor.", tiles=tiles)
        case 0, _:
            return words.say("Take {tiles} from the centre for line {line}.", tiles=tiles, line=target)
        case _, 0:
            return words.say(
                "Take {tiles} from factory {factory} straight to the floor.", tiles=tiles, factory=source
            )
        case _:
            return words.say(
                "Take {tiles} from factory {factory} for line {line}.",
                tiles=tiles,
                factory=source,
                line=target,
            )


def _gains(
    view: State, after: State, seat: int, source: int, color: int, target: int, words: Words
) -> Iterator[Argument]:
    """AZ-A4, AZ-P2, AZ-E2: what the line brings, or how far it comes; and who starts the next round."""
    have = int(after["line_count"][seat, target - 1]) if target else 0
    if target and have == target:
        points = _tiled(after, seat) - _tiled(view, seat)
        text = words.count(
            "It completes line {line}: {n} point when the walls are tiled.",
            "It completes line {line}: {n} points when the walls are tiled.",
            points,
            line=target,
        )
        yield Argument("gains", text)
        column = likely_column(view, seat, occupied(view, seat), target - 1, color)
        yield from _nearer(view, seat, target - 1, column, color, words)
    elif target:
        text = words.say("Line {line} then has {have} of {all} tiles.", line=target, have=have, all=target)
        yield Argument("gains", text)
    if source == CENTRE and view["marker"] == ON_CENTRE:
        yield Argument("gains", words.say("You start the next round."))


def _tiled(state: State, seat: int) -> int:
    """What the full lines of a seat bring, whatever has fallen."""
    alone = copy_of(state)
    alone["fallen"][seat], alone["score"][seat] = 0, 100
    return int(outlook(alone, seat))


def _nearer(view: State, seat: int, row: int, column: int, color: int, words: Words) -> Iterator[Argument]:
    """AZ-E2: of row, column and colour the one that a tile there brings nearest to its end."""
    filled = occupied(view, seat)
    if column < 0:
        return
    found = (
        (count_bits(filled >> column & COLUMN), words.say("column {n}", n=column + 1)),
        (
            count_bits(int(view["wall"][seat, color])),
            words.say("the colour {color}", color=name_color(color, words)),
        ),
        (count_bits(filled >> 5 * row & ROW), words.say("row {n}", n=row + 1)),
    )
    most, name = max(found, key=lambda each: each[0])
    if most + 1 >= MANY:
        text = words.say("On the wall {what} then has {n} of 5 tiles.", what=name, n=most + 1)
        yield Argument("gains", text)


def _denies(
    view: State, after: State, seat: int, source: int, color: int, names: tuple[str, ...], words: Words
) -> Iterator[Argument]:
    """A line that somebody else could have completed with these tiles and cannot any more."""
    seats, taken = int(view["seats"]), int(view["sources"][source, color])
    for step in range(1, seats):
        other = (seat + step) % seats
        for row in range(LINES - 1, -1, -1):
            missing = _missing(view, other, row, color)
            if 0 < missing <= taken and int(after["sources"][:, color].max()) < missing:
                text = words.say(
                    "{name} can no longer complete line {line} in one go.", name=names[other], line=row + 1
                )
                yield Argument("denies", text)
                return


def _missing(state: State, seat: int, row: int, color: int) -> int:
    """How many tiles of a colour a line lacks that has begun with it; 0 for any other."""
    count = int(state["line_count"][seat, row])
    return row + 1 - count if count and int(state["line_color"][seat, row]) == color else 0


def _risks(view: State, after: State, seat: int, color: int, target: int, words: Words) -> Iterator[Argument]:
    """AZ-W3: what falls; and a line that cannot be filled any more before it is tiled."""
    fallen, now = int(view["fallen"][seat]), int(after["fallen"][seat])
    if cost := int(PENALTIES[now]) - int(PENALTIES[fallen]):
        text = words.count("On the floor it costs {n} point.", "On the floor it costs {n} points.", cost)
        yield Argument("risks", text)
    elif not target:
        yield Argument("gains", words.say("The floor is full: it costs nothing more."))
    if target and _missing(after, seat, target - 1, color) > int(after["sources"][:, color].sum()):
        text = words.say(
            "Too few tiles of this colour are left to fill line {line} in this round.", line=target
        )
        yield Argument("risks", text)


def _gives(
    view: State, after: State, seat: int, color: int, names: tuple[str, ...], words: Words
) -> Iterator[Argument]:
    """What the rest of a factory makes possible in the centre for who is next."""
    other = (seat + 1) % int(view["seats"])
    for row in range(LINES - 1, -1, -1):
        for each in range(5):
            missing = _missing(view, other, row, each)
            most = int(view["sources"][:, each].max())
            if each != color and missing and most < missing <= int(after["sources"][CENTRE, each]):
                text = words.say(
                    "{name} could then complete line {line} from the centre.",
                    name=names[other],
                    line=row + 1,
                )
                yield Argument("risks", text)
                return


def _suggest_space(view: State, seat: int, move: int, words: Words) -> Suggestion:
    """AZ-G1"""
    row, column = divmod(move - PLACES, 5)
    color = int(view["line_color"][seat, row])
    text = words.say(
        "Place {color} in row {row}, column {column}.",
        color=name_color(color, words),
        row=row + 1,
        column=column + 1,
    )
    points = int(placement_points(occupied(view, seat), row, column))
    brings = words.count("It brings {n} point.", "It brings {n} points.", points)
    return Suggestion(text, [Argument("gains", brings), *_nearer(view, seat, row, column, color, words)])
