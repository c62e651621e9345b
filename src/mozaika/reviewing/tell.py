"""A review in words: what was played, what was better, and the moments that decided the game."""

from typing import NamedTuple

from mozaika.kernel import swift_game
from mozaika.record import Record
from mozaika.reviewing.review import CERTAIN, Decision, Draw, Player, Review
from mozaika.state import CHANCE, State
from mozaika.words import Words, later

MARK_NAMES = {
    "inaccuracy": later("inaccuracy"),
    "mistake": later("mistake"),
    "blunder": later("blunder"),
}
MEANINGS = {
    "loss": later(
        "What the decisions with a real choice lost against the best that the judge found, in the mean; "
        "the interval says how much this would change by chance."
    ),
    "accuracy": later(
        "100 if every decision was as good as the judge's; measured so that our strongest bot in a hurry "
        "comes to about 95."
    ),
    "luck": later(
        "How much better what was drawn was than such draws are in the mean; it does not depend on how it "
        "was played."
    ),
    "rest": later("What the judge cannot explain, because it expects other things before than after."),
    "mark": later("Marked is only what differs by more than twice its own standard error."),
}
"""What each number means, in a sentence."""
DECISIVE = 3


class Telling(NamedTuple):
    """A sentence about a moment."""

    ply: int
    text: str


def tell_move(record: Record, state: State, seat: int, move: str, words: Words) -> str:
    """What a move of a seat, counted from 1, does, as everybody would be told."""
    game = record.game
    sentences = swift_game(game).tell(state, seat - 1, game.parse_move(move), CHANCE, words)
    return sentences[0].text if sentences else move


def tell_amount(review: Review, amount: float, words: Words) -> str:
    """How much something was worth."""
    if review.unit == "points":
        return words.say("{points} points", points=_signed(f"{amount:.1f}"))
    return words.say("{share}% of the victory", share=_signed(f"{100 * amount:.0f}"))


def tell_loss(review: Review, player: Player, words: Words) -> str:
    """What a player's decisions lost in the mean, and between what that lies."""
    if review.unit == "points":
        said = (f"{each:.2f}" for each in (player.loss, player.loss_low, player.loss_high))
        return words.say("{loss} ({low} to {high})", **dict(zip(("loss", "low", "high"), said, strict=True)))
    said = (f"{100 * each:.1f}" for each in (player.loss, player.loss_low, player.loss_high))
    return words.say("{loss}% ({low} to {high})", **dict(zip(("loss", "low", "high"), said, strict=True)))


def _signed(text: str) -> str:
    return text.replace("-", "−")


def tell_decision(record: Record, state: State, decision: Decision, review: Review, words: Words) -> str:
    """What was played, and what was better."""
    name = review.names[decision.seat - 1]
    played = tell_move(record, state, decision.seat, decision.move, words)
    if decision.best == decision.move:
        return f"{name}: {played}"
    better = tell_move(record, state, decision.seat, decision.best, words)
    worth = tell_amount(review, decision.loss, words)
    return words.say(
        "{name}: {played} Better: {better} ({worth} more)",
        name=name,
        played=played,
        better=better,
        worth=worth,
    )


def tell_draw(draw: Draw, review: Review, words: Words) -> str:
    """Whom a draw helped most."""
    seat = max(range(len(draw.luck)), key=lambda each: abs(draw.luck[each]))
    name, worth = review.names[seat], tell_amount(review, abs(draw.luck[seat]), words)
    sentence = later("What was drawn was lucky for {name}: {worth} more than usual.")
    if draw.luck[seat] < 0:
        sentence = later("What was drawn was unlucky for {name}: {worth} less than usual.")
    return words.say(sentence, name=name, worth=worth)


def sure_draws(review: Review) -> list[Draw]:
    """The draws that surely changed something."""
    least = 0.5 if review.unit == "points" else 0.01
    sizes = [max(map(abs, draw.luck)) for draw in review.draws]
    pairs = zip(review.draws, sizes, strict=True)
    return [draw for draw, size in pairs if size > CERTAIN * draw.error and size >= least]


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
        (max(map(abs, draw.luck)), Telling(draw.ply, tell_draw(draw, review, words)))
        for draw in sure_draws(review)
    ]
    weighed.sort(key=lambda each: -each[0])
    return sorted(telling for _, telling in weighed[:DECISIVE])


def tell_judge(review: Review, words: Words) -> str:
    """Who has judged, and how sure that is."""
    said = words.say(
        "Judged by our {judge}, who looks at {nodes} positions for each decision.",
        judge=words.say(review.judge.capitalize()),
        nodes=review.nodes,
    )
    if review.calibrated:
        return said
    unsure = words.say("For this number of players its numbers have not been measured against results.")
    return f"{said} {unsure}"
