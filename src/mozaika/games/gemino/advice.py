"""A turn of GEMINO as advice: what to do, what it gains, what it denies to others and what it risks."""

from collections.abc import Iterator, Sequence

from mozaika.games.gemino.notation import fields_in, write_field
from mozaika.games.gemino.pieces import ALL_LINES, BOARDS, HAND, LINE_COUNTS, NO_LINE, POINTS_TO_WIN
from mozaika.games.gemino.rules import apply, color_of, completing, is_five, occupied, score, unpack
from mozaika.games.gemino.tell import name_color
from mozaika.kernel import swift_rule
from mozaika.sentence import Argument, Suggestion
from mozaika.state import State, copy_of
from mozaika.words import Words

Field = tuple[int, int]
"""A board and a field of it."""


def suggest(view: State, seat: int, move: int, names: tuple[str, ...], words: Words) -> Suggestion:
    after = copy_of(view)
    swift_rule(apply)(after, seat, move)
    first, second, *_ = unpack(move)
    fields = ((0, first), (1, second))
    arguments = [
        *_gains(view, after, seat, move, fields, words),
        *_denies(view, after, seat, fields, names, words),
        *_risks(after, seat, names, words),
    ]
    return Suggestion(_say_turn(view, move, words), arguments)


def _say_turn(view: State, move: int, words: Words) -> str:
    first, second, source, other_source, *_ = unpack(move)
    names = {
        "first": write_field(0, first),
        "second": write_field(1, second),
        "away": write_field(0, source - 1) if source != HAND else "",
        "other_away": write_field(1, other_source - 1) if other_source != HAND else "",
        "color": name_color(color_of(view, 0, first), words),
    }
    match source != HAND, other_source != HAND:
        case False, False:
            return words.say("Play on {first} and {second} ({color}).", **names)
        case False, True:
            return words.say("Play on {first} and move {other_away} to {second} ({color}).", **names)
        case True, False:
            return words.say("Move {away} to {first} and play on {second} ({color}).", **names)
        case _:
            return words.say("Move {away} to {first} and {other_away} to {second} ({color}).", **names)


def _gains(
    view: State, after: State, seat: int, move: int, fields: Sequence[Field], words: Words
) -> Iterator[Argument]:
    """GE-P1: points; else a line that lacks one tile; else how far lines have come that are still open."""
    *_, line, other_line = unpack(move)
    for board, scored in enumerate((line, other_line)):
        if scored != NO_LINE:
            yield Argument("gains", words.say("It scores a line on board {n}: 1 point.", n=board + 1))
    if score(after, seat) >= POINTS_TO_WIN:
        yield Argument("gains", words.say("With it you win the game."))
        return
    known = set(_short_of_a_line(view, seat))
    threats = [field for field in _short_of_a_line(after, seat) if field not in known]
    if threats:
        text = words.say("You are then one tile short of a line: {fields}.", fields=_write(threats))
        yield Argument("gains", text)
    elif line == other_line == NO_LINE:
        most, number = _open_lines(after, seat, fields)
        if most > 1:
            text = words.count(
                "{n} of your tiles then lies in a line that is open to you.",
                "{n} of your tiles then lie in a line that is open to you.",
                most,
            )
            yield Argument("gains", text)
        elif number:
            text = words.count(
                "Through the two fields runs {n} line that is open to you.",
                "Through the two fields run {n} lines that are open to you.",
                number,
            )
            yield Argument("gains", text)
        else:
            yield Argument("risks", words.say("No line through the two fields is open to you."))


def _short_of_a_line(state: State, seat: int) -> list[Field]:
    find = swift_rule(completing)
    return [(board, field) for board in BOARDS for field in fields_in(find(state, seat, board))]


def _write(fields: Sequence[Field]) -> str:
    return ", ".join(write_field(*field) for field in fields)


def _lines(state: State) -> list[int]:
    five = is_five(state)
    return [int(line) for line in ALL_LINES[five, : LINE_COUNTS[five]]]


def _open_lines(state: State, seat: int, fields: Sequence[Field]) -> tuple[int, int]:
    """The lines through some fields that nobody else has a tile in: the most tiles in one, and how many."""
    counts = []
    for board, field in fields:
        own = int(state["tiles"][seat, board])
        others = occupied(state, board) & ~own
        through = [line for line in _lines(state) if line >> field & 1 and not line & others]
        counts += [(line & own).bit_count() for line in through]
    return max(counts, default=0), len(counts)


def _denies(
    view: State, after: State, seat: int, fields: Sequence[Field], names: tuple[str, ...], words: Words
) -> Iterator[Argument]:
    """A line of somebody else that lacks one tile, or the longest that a tile stops; GE-P2: if it stays."""
    seats, stopped = int(view["seats"]), (1, "")
    fields = [(board, field) for board, field in fields if after["tiles"][seat, board] >> field & 1]
    for step in range(1, seats):
        other = (seat + step) % seats
        blocked = [field for field in _short_of_a_line(view, other) if field in fields]
        if blocked:
            text = words.say("It blocks {name} on {fields}.", name=names[other], fields=_write(blocked))
            yield Argument("denies", text)
            return
        most, _ = _open_lines(view, other, fields)
        stopped = max(stopped, (most, names[other]), key=lambda each: each[0])
    if stopped[1]:
        text = words.count(
            "It stops a line in which {name} has {n} tile.",
            "It stops a line in which {name} has {n} tiles.",
            stopped[0],
            name=stopped[1],
        )
        yield Argument("denies", text)


def _risks(after: State, seat: int, names: tuple[str, ...], words: Words) -> Iterator[Argument]:
    """Who could complete a line before it is one's turn again, the next one first."""
    seats = int(after["seats"])
    for step in range(1, 1 if after["over"] else seats):
        other = (seat + step) % seats
        if threats := _short_of_a_line(after, other):
            text = words.say(
                "{name} is one tile short of a line: {fields}.", name=names[other], fields=_write(threats)
            )
            yield Argument("risks", text)
            return
