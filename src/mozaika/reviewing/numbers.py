"""All numbers of a review about its players: what each is called, what it means, and how sure it is."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from mozaika.reviewing.review import Player, Possible, Review, Value
from mozaika.reviewing.weighing import MARKS
from mozaika.thought import LEVEL_NAMES
from mozaika.words import Words, later, minus

MARK_NAMES = {
    "": "",
    "inaccuracy": later("inaccuracy"),
    "mistake": later("mistake"),
    "blunder": later("blunder"),
}
PLAYED, RESULT = later("How everybody played"), later("Where the result came from")
MEANINGS = {
    "points": later(
        "The points with which the judge expects each player to end; while much is still to be drawn they "
        "are a guess."
    ),
    "chance": later(
        "The share of the victory that each player can expect if all go on as the judge would; "
        "corrected by results, and checked on {games} games that it had not seen."
    ),
    "unsure chance": later(
        "The share of the victory that each player can expect if all go on as the judge would; "
        "for this number of players nobody has measured whether it comes true as often as it says."
    ),
    "accuracy": later(
        "100 if every decision was as good as the judge's; measured so that our strongest bot in a hurry "
        "comes to 95, or a little more where it hardly errs. From one game it is sure to a few points only."
    ),
    "unsure accuracy": later(
        "100 if every decision was as good as the judge's; for this number of players nobody has measured "
        "how fast it should fall, so compare it with nothing else."
    ),
    "loss": later(
        "What the decisions with a real choice lost in the mean against those of the judge; the interval "
        "says how much this would change by chance. Below 0 they were better than the judge's own."
    ),
    "like": later(
        "Which of our bots loses as much by a decision, by its measured rating; the interval comes from "
        "those of the mean loss, of what the bots lose and of their ratings, so one game says little. Who is "
        "far ahead or far behind has little to lose, and looks stronger than they are."
    ),
    "mark": later(
        "Marked is only what differs by more than twice its own standard error, also when the judge looks "
        "once more, closer."
    ),
    "decisive": later(
        "At most three decisions and draws: those that changed most what a player could expect, as the judge "
        "sees it, each by more than twice its own standard error."
    ),
    "decision": later(
        "How much more the better move would have brought, as the judge sees it; marked is only what differs "
        "by more than twice its own standard error, also when the judge looks once more, closer."
    ),
    "start": later("What the judge expected before the first draw; it knows the seats only."),
    "luck": later(
        "How much better what was drawn was than such draws are in the mean, as far as that shows in "
        "results; it does not depend on how it was played. Behind ± stands its standard error."
    ),
    "draw": later(
        "How much better what was drawn was than such draws are in the mean, however it was played; told in "
        "a sentence is only what differs by more than twice its standard error, which stands behind ± where "
        "all draws are listed."
    ),
    "possible": later(
        "Points made, and how many were at least possible for who knew all draws; a search has found them, "
        "so there may have been more, and nobody could have known."
    ),
    "own": later("What the own decisions brought, against those of the judge."),
    "others": later("What the decisions of the others brought, against those of the judge."),
    "rest": later("What the judge cannot explain, because it expects other things before than after."),
    "draws and rest": later(
        "What was drawn, and what the judge cannot explain. How much of it was luck is not told, because "
        "measured on many games it did not explain the results."
    ),
    "result": later(
        "The share of the victory at the end, or the points of a game alone; the sum of the above."
    ),
}
"""What each number means and how sure it is, in a sentence."""


class Row(NamedTuple):
    """A number of every player."""

    name: str
    meaning: str
    cells: list[str]


class Sheet(NamedTuple):
    """Numbers that belong together."""

    title: str
    rows: list[Row]


def list_sheets(review: Review, words: Words) -> list[Sheet]:
    """How everybody played, and where the result came from."""
    accuracy = "accuracy" if review.asked else "unsure accuracy"
    played = [
        _row(later("accuracy"), accuracy, review, words, lambda player: f"{player.accuracy:.0f}"),
        _row(later("mean loss"), "loss", review, words, lambda player: tell_loss(review, player, words)),
    ]
    if any(player.like for player in review.players):
        played.append(
            _row(later("played like"), "like", review, words, lambda player: tell_like(player, words))
        )
    for mark, *_ in reversed(MARKS):
        tell = partial(_number_of, mark)
        played.append(_row(MARK_NAMES[mark], "mark", review, words, tell))
    return [Sheet(words.say(PLAYED), played), Sheet(words.say(RESULT), _list_result(review, words))]


def _number_of(mark: str, player: Player) -> str:
    return str(player.marks[mark])


def _list_result(review: Review, words: Words) -> list[Row]:
    def amount(read: Callable[[Player], float], *, signed: bool = True) -> Callable[[Player], str]:
        return lambda player: tell_size(review, read(player), words, signed=signed)

    rows = [
        _row(later("at the start"), "start", review, words, amount(lambda player: player.start, signed=False))
    ]
    if review.luck_counts:
        rows.append(
            _row(
                later("luck"),
                "luck",
                review,
                words,
                lambda player: (
                    f"{tell_size(review, player.luck, words)}"
                    f" ± {tell_size(review, player.luck_error, words, signed=False)}"
                ),
            )
        )
    rows.append(_row(later("own decisions"), "own", review, words, amount(lambda player: player.own)))
    if len(review.players) > 1:
        rows.append(
            _row(later("decisions of others"), "others", review, words, amount(lambda player: player.others))
        )
    if review.luck_counts:
        rows.append(_row(later("rest"), "rest", review, words, amount(lambda player: player.rest)))
    else:
        both = amount(lambda player: player.luck + player.rest)
        rows.append(_row(later("draws and rest"), "draws and rest", review, words, both))
    rows.append(
        _row(later("result"), "result", review, words, amount(lambda player: player.result, signed=False))
    )
    return rows


def _row(name: str, meaning: str, review: Review, words: Words, tell: Callable[[Player], str]) -> Row:
    return Row(words.say(name), words.say(MEANINGS[meaning]), [tell(player) for player in review.players])


def tell_meanings(review: Review, words: Words) -> dict[str, str]:
    """What the numbers of the graph and of the lists mean."""
    chance = "chance" if review.calibrated else "unsure chance"
    return {
        "points": words.translate(MEANINGS["points"]),
        "chance": words.say(MEANINGS[chance], games=review.games),
        **{name: words.translate(MEANINGS[name]) for name in ("decisive", "decision", "draw", "possible")},
    }


def tell_like(player: Player, words: Words) -> str:
    """The level that loses as much, and its rating."""
    like = player.like
    if like is None:
        return "–"
    said = {name: minus(getattr(like, name)) for name in ("rating", "low", "high")}
    return words.say(
        "{level}: {rating} ({low} to {high})", level=words.say(LEVEL_NAMES.get(like.bot, like.bot)), **said
    )


def tell_size(review: Review, amount: float, words: Words, *, signed: bool = True) -> str:
    """A number in the unit of the review, in short."""
    points = review.unit == "points"
    text = words.decimal(amount) if points else words.decimal(100 * amount, 0)
    if signed and amount > 0 and text.strip("0.,"):
        text = f"+{text}"
    return text if points else words.say("{share}%", share=text)


def tell_luck(review: Review, amount: float, words: Words, *, signed: bool = True) -> str:
    """The luck of one draw, which is small: with a digit more than a sum."""
    points = review.unit == "points"
    text = words.decimal(amount, 2) if points else words.decimal(100 * amount)
    if signed and amount > 0 and text.strip("0.,"):
        text = f"+{text}"
    return text if points else words.say("{share}%", share=text)


def tell_amount(review: Review, amount: float, words: Words) -> str:
    """How much something was worth."""
    if review.unit == "points":
        return words.say("{points} points", points=words.decimal(amount))
    return words.say("{share}% of the victory", share=words.decimal(100 * amount, 0))


def tell_loss(review: Review, player: Player, words: Words) -> str:
    """What a player's decisions lost in the mean, and between what that lies."""
    values = (player.loss, player.loss_low, player.loss_high)
    points = review.unit == "points"
    loss, low, high = (words.decimal(each, 2) if points else words.decimal(100 * each) for each in values)
    sentence = later("{loss} ({low} to {high})") if points else later("{loss}% ({low} to {high})")
    return words.say(sentence, loss=loss, low=low, high=high)


def tell_value(review: Review, value: Value, words: Words) -> list[str]:
    """What each player could expect at a moment: points, and the chance to win."""
    points = [words.decimal(each) for each in value.points]
    if review.unit == "points":
        return points
    shares = [words.say("{share}%", share=words.decimal(100 * each, 0)) for each in value.shares]
    return [f"{each} ({share})" for each, share in zip(points, shares, strict=True)]


def tell_possible(part: Possible, words: Words) -> list[str]:
    """What each player made of a part of the game, and what was possible."""
    return [
        words.say("{n} of {all}", n=minus(made), all=minus(most))
        for made, most in zip(part.made, part.possible, strict=True)
    ]
