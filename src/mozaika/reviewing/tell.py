"""A review in words: what was played, what was better, and the moments that decided the game."""

from collections.abc import Sequence
from typing import NamedTuple

from mozaika.game import Game
from mozaika.kernel import swift_game
from mozaika.record import Record
from mozaika.reviewing.numbers import tell_amount, tell_luck
from mozaika.reviewing.review import Decision, Draw, Review
from mozaika.reviewing.weighing import CERTAIN
from mozaika.sentence import Sentence
from mozaika.state import CHANCE, State, copy_of, seats_in
from mozaika.thought import LEVEL_NAMES
from mozaika.words import Words, later

DECISIVE = 3
MOST_FOLLOWING = 3
"""So many moves are told of what may follow."""
MOST_DRAWN = 5
"""Of so much that was drawn at once each thing is told."""


class Telling(NamedTuple):
    """A sentence about a moment: what is decided there, or what had been drawn by then."""

    ply: int
    text: str


def tell_move(record: Record, state: State, seat: int, move: str, words: Words) -> str:
    """What a move of a seat, counted from 1, does, as everybody would be told."""
    game = record.game
    sentences = swift_game(game).tell(state, seat - 1, game.parse_move(move), CHANCE, words)
    return sentences[0].text if sentences else move


def tell_played(record: Record, state: State, decision: Decision, review: Review, words: Words) -> str:
    """Who played what."""
    played = tell_move(record, state, decision.seat, decision.move, words)
    return f"{review.names[decision.seat - 1]}: {played}"


def tell_decision(record: Record, state: State, decision: Decision, review: Review, words: Words) -> str:
    """What was played, and what was better."""
    name = review.names[decision.seat - 1]
    played = tell_move(record, state, decision.seat, decision.move, words)
    if decision.best == decision.move:
        return tell_played(record, state, decision, review, words)
    better = tell_move(record, state, decision.seat, decision.best, words)
    if played == better:  # as where a piece is only turned otherwise
        played, better = f"{played} ({decision.move})", f"{better} ({decision.best})"
    worth = tell_amount(review, decision.loss, words)
    sentence, points = later("{name}: {played} Better: {better} ({worth} more)"), ""
    if review.unit == "share":
        points = words.decimal(abs(decision.loss_points))
        if words.decimal(decision.loss_points) != points:
            sentence = later("{name}: {played} Better: {better} ({worth} more, {points} points fewer)")
        elif points != words.decimal(0.0):
            worth = words.say("{worth}, {points} points", worth=worth, points=points)
    return words.say(sentence, name=name, played=played, better=better, worth=worth, points=points)


def tell_line(record: Record, state: State, decision: Decision, words: Words) -> str:
    """What was likely after the better move; nothing if the judge has not seen so far."""
    game = record.game
    line = [(seat - 1, game.parse_move(move)) for seat, move in decision.line]
    told = follow_line(game, state, line, CHANCE, words)
    names = [record.names[seat] for seat, _ in line[1:] if seat != CHANCE]
    lines = [f"{name}: {each.text}" for name, each in zip(names, told, strict=False)]
    return words.say("Then perhaps: {told}", told=" ".join(lines)) if lines else ""


def follow_line(
    game: Game, state: State, line: Sequence[tuple[int, int]], eyes: int, words: Words
) -> list[Sentence]:
    """The moves of a line after the first one, for whoever sees through the eyes of a seat, up to a draw that
    was not foreseen.
    """
    told: list[Sentence] = []
    game, state = swift_game(game), copy_of(state)
    for number, (who, move) in enumerate(line):
        is_to_move = who in seats_in(game.movers(state))
        if not is_to_move or move not in game.legal_moves(state, who) or len(told) == MOST_FOLLOWING:
            break
        if number and who != CHANCE:
            told += game.tell(state, who, move, eyes, words)[:1]
        game.apply(state, who, move)
    return told


def tell_draw(record: Record, states: Sequence[State], draw: Draw, review: Review, words: Words) -> str:
    """What came up, if the game says it in a sentence, and whom it helped most."""
    seat = max(range(len(draw.luck)), key=lambda each: abs(draw.luck[each]))
    name, worth = review.names[seat], tell_amount(review, abs(draw.luck[seat]), words)
    sentence = later("What was drawn was lucky for {name}: {worth} more than usual.")
    if draw.luck[seat] < 0:
        sentence = later("What was drawn was unlucky for {name}: {worth} less than usual.")
    return f"{tell_drawn(record, states, draw, words)} {words.say(sentence, name=name, worth=worth)}".lstrip()


def tell_drawn(record: Record, states: Sequence[State], draw: Draw, words: Words) -> str:
    """What came up and what came of it, if the game says that in few sentences."""
    told = [
        each
        for ply in range(draw.ply, draw.until)
        for each in record.game.tell(states[ply], CHANCE, record.entries[ply].move, CHANCE, words)
    ]
    if max(len(told), draw.until - draw.ply) > MOST_DRAWN:
        return ""
    return " ".join(
        each.text if each.seat == CHANCE else f"{record.names[each.seat]}: {each.text}" for each in told
    )


def tell_every_draw(record: Record, review: Review, words: Words) -> list[Telling]:
    """All draws, each with its luck for every seat and how unsure that is."""
    states = list(record.states())

    def tell(draw: Draw) -> str:
        luck = zip(review.names, draw.luck, strict=True)
        each = ", ".join(f"{name}: {tell_luck(review, amount, words)}" for name, amount in luck)
        error = tell_luck(review, draw.error, words, signed=False)
        return f"{tell_drawn(record, states, draw, words)} {each} (± {error})".lstrip()

    return [Telling(draw.until, tell(draw)) for draw in review.draws]


def sure_draws(review: Review) -> list[Draw]:
    """The draws that surely changed something."""
    least = 0.5 if review.unit == "points" else 0.01
    sizes = [max(map(abs, draw.luck)) for draw in review.draws]
    pairs = zip(review.draws, sizes, strict=True)
    return [draw for draw, size in pairs if size > CERTAIN * draw.error and size >= least]


def tell_draws(record: Record, review: Review, words: Words) -> list[Telling]:
    """The draws that surely changed something."""
    states = list(record.states())
    return [
        Telling(draw.until, tell_draw(record, states, draw, review, words)) for draw in sure_draws(review)
    ]


def tell_turning_points(record: Record, review: Review, words: Words) -> list[Telling]:
    """The moments that decided the game, in the order in which they came."""
    states = list(record.states())
    weighed: list[tuple[float, Telling]] = [
        (
            decision.loss,
            Telling(decision.ply, tell_decision(record, states[decision.ply], decision, review, words)),
        )
        for decision in review.decisions
        if decision.mark
    ]
    weighed += [
        (max(map(abs, draw.luck)), Telling(draw.until, tell_draw(record, states, draw, review, words)))
        for draw in sure_draws(review)
    ]
    weighed.sort(key=lambda each: -each[0])
    return sorted(telling for _, telling in weighed[:DECISIVE])


def tell_judge(review: Review, words: Words) -> str:
    """Who has judged, and how sure that is."""
    said = words.say(
        "Judged by our {judge}, who looks at {nodes} positions for each decision.",
        judge=words.say(LEVEL_NAMES.get(review.judge, review.judge)),
        nodes=review.nodes,
    )
    if review.calibrated:
        return said
    unsure = words.say("For this number of players its numbers have not been measured against results.")
    return f"{said} {unsure}"
