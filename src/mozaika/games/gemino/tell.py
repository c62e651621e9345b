"""What happens in a game of GEMINO, as sentences with points and rule ids; and why a move is refused."""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from msgspec.structs import replace

from mozaika.games.gemino.notation import fields_in, write_field, write_line
from mozaika.games.gemino.pieces import (
    BOARDS,
    HAND,
    LAST_ROUND,
    NO_LINE,
    POINTS_TO_WIN,
    SIDE_DRAWS,
    SIDES,
    STARTS,
    line_fields,
)
from mozaika.games.gemino.rules import (
    after,
    apply,
    color_of,
    completed,
    completing,
    is_begun,
    is_five,
    is_jammed,
    kind_of,
    movers,
    ranks,
    score,
    unpack,
)
from mozaika.kernel import swift_rule
from mozaika.places import point_at
from mozaika.sentence import Sentence
from mozaika.state import State, copy_of
from mozaika.words import Words, later

SENTENCE = later("Two boards, one colour: play on both at once and bring your tiles into line.")

LABELS = {
    "board1": later("Board 1"),
    "board2": later("Board 2"),
    "A": later("side A"),
    "B": later("side B"),
    "own": later("own side"),
    "start": later("Who starts"),
    "random": later("drawn by lot"),
    "1": later("seat 1"),
    "2": later("seat 2"),
    "3": later("seat 3"),
    "4": later("seat 4"),
    "leave": later("With two players, of a line of five leave"),
    "line": later("all five"),
    "four": later("only four"),
}

HINTS = {
    "own": later(
        "For a board that is to be your own: six rows of six letters R, O, Y, G, B, V, each letter once in "
        "each row and column. For two boards leave an empty row between them."
    )
}

REFUSALS = {
    "GE-B2": later("It is somebody else's turn."),
    "GE-B2 begins": later("First the sides and the start player are drawn."),
    "GE-B2 draws": later(
        "First the sides are drawn, then who starts, and all of it once, before the first turn."
    ),
    "GE-B2 seats": later("There are not so many seats at this table."),
    "GE-T1": later("The two fields must be empty, on different boards and of the same colour."),
    "GE-T2": later(
        "With two tiles in hand you play two; with one you play it and move one; "
        "with none you move one on each board."
    ),
    "GE-T3": later("No field of this colour is empty on the other board."),
    "GE-P1": later("That completes a line, and a complete line must score."),
    "GE-P3": later("No such line is completed there."),
    "GE-E1": later("The game is over: somebody has 3 points."),
    "GE-E2": later("The game is over."),
}


def tell(state: State, seat: int, move: int, viewer: int, words: Words) -> list[Sentence]:
    """What a move does, in the order in which it happens; everybody sees all of it."""
    if move >= SIDE_DRAWS:
        board, side = divmod(move - SIDE_DRAWS, 2)
        name = list(SIDES[board])[side]
        return [Sentence(words.say("Side {side} of board {n} lies up.", side=name, n=board + 1), "GE-B2")]
    if move >= STARTS:
        return [Sentence(words.say("starts the game."), "GE-B2", move - STARTS)]
    then = copy_of(state)
    swift_rule(apply)(then, seat, move)
    *sentences, last = (
        _tell_plays(state, seat, move, words),
        *_tell_lines(state, seat, move, words),
        *_tell_end(then, seat, words),
    )
    return [*sentences, replace(last, closes=bool(then["over"] or then["round"] > state["round"]))]


def _tell_plays(state: State, seat: int, move: int, words: Words) -> Sentence:
    first, second, source, other_source, *_ = unpack(move)
    names = {
        "first": write_field(0, first),
        "second": write_field(1, second),
        "color": name_color(color_of(state, 0, first), words),
    }
    if source != HAND:
        names["away"] = write_field(0, source - 1)
    if other_source != HAND:
        names["other_away"] = write_field(1, other_source - 1)
    match source != HAND, other_source != HAND:
        case False, False:
            return Sentence(words.say("plays on {first} and {second} ({color}).", **names), "GE-T1", seat)
        case False, True:
            text = words.say("plays on {first} and moves {other_away} to {second} ({color}).", **names)
        case True, False:
            text = words.say("moves {away} to {first} and plays on {second} ({color}).", **names)
        case _:
            text = words.say("moves {away} to {first} and {other_away} to {second} ({color}).", **names)
    return Sentence(text, "GE-T2", seat)


def _tell_lines(state: State, seat: int, move: int, words: Words) -> Iterator[Sentence]:
    first, second, source, other_source, five, line, other_line = unpack(move)
    for board, field, came, scored in ((0, first, source, line), (1, second, other_source, other_line)):
        if scored != NO_LINE:
            lines = completed(after(state, seat, board, came, field), field, kind_of(state))
            leave = write_line(board, field, scored, 4 + five).replace("-", "–")
            if state["four"]:
                text = words.say(
                    "scores five in a line on board {n}, and {line} leave: 1 point.", line=leave, n=board + 1
                )
            else:
                text = words.say("scores the line {line} on board {n}: 1 point.", line=leave, n=board + 1)
            places = tuple(write_field(board, each) for each in line_fields(field, scored, 4 + five))
            rule = "GE-P3" if state["four"] or lines & (lines - 1) else "GE-P1"
            yield Sentence(text, rule, seat, 1, places)
            text = words.count("{n} tile returns to the hand.", "{n} tiles return to the hand.", 3 + five)
            yield Sentence(text, "GE-P2", seat)


def _tell_end(then: State, seat: int, words: Words) -> Iterator[Sentence]:
    if not then["over"]:
        return
    if (points := score(then, seat)) >= POINTS_TO_WIN:
        yield Sentence(
            words.count("has {n} point and wins.", "has {n} points and wins.", points), "GE-E1", seat
        )
    elif is_jammed(then):
        yield Sentence(words.say("No colour has an empty field on both boards; the game ends."), "GE-E2")
    else:
        yield Sentence(words.say("Round {n} was the last; the game ends.", n=LAST_ROUND), "GE-E2")


def tally(state: State, words: Words) -> list[tuple[str, list[int]]]:
    """On which board each seat scored."""
    seats = range(state["seats"])
    return [
        (words.say("board {n}", n=board + 1), [int(state["points"][seat, board]) for seat in seats])
        for board in BOARDS
    ]


def name_color(color: int, words: Words) -> str:
    return words.say(COLOR_NAMES[color])


COLOR_NAMES = (
    later("red"),
    later("orange"),
    later("yellow"),
    later("green"),
    later("blue"),
    later("violet"),
)


def name_phase(view: State, words: Words) -> str:
    if view["over"]:
        return words.say("game over")
    if not is_begun(view):
        return words.say("sides and start player are drawn")
    return words.say("five in a line score") if is_five(view) else words.say("four in a line score")


pointed_at = point_at(movers, ranks)


Threats: TypeAlias = Sequence[Sequence[tuple[int, int]]]
"""For each seat the boards and fields on which one more tile would complete a line."""


def find_threats(view: State) -> Threats:
    """GE-P1"""
    find = swift_rule(completing)
    return [
        [(board, field) for board in BOARDS for field in fields_in(find(view, seat, board))]
        for seat in range(view["seats"])
    ]


def say_threats(threats: Threats, names: tuple[str, ...], words: Words) -> str:
    """All threats as one sentence."""
    parts = [
        f"{name}: {', '.join(write_field(*place) for place in places)}"
        for name, places in zip(names, threats, strict=True)
        if places
    ]
    if not parts:
        return words.say("Nobody is one tile short of a line.")
    return words.say("One tile short of a line: {threats}.", threats="; ".join(parts))
