"""What a bot advises: its move, what the move does, what the bot expects, and how the game may go on.

Everything is made from the view of one seat, so it cannot say what the seat may not know.
"""

from zlib import crc32

import msgspec

from mozaika.game import Game
from mozaika.kernel import new_random, swift_game
from mozaika.reviewing.tell import follow_line
from mozaika.sentence import Argument, Sentence
from mozaika.state import Random, State, seats_in
from mozaika.thought import Alternative, Budget, Thought
from mozaika.words import Words


class OtherAdvice(msgspec.Struct, frozen=True):
    """Another move in words."""

    move: str
    headline: str
    arguments: list[Argument]
    compared: str
    """What the bot expects of it, beside the better one; empty if it does not say."""


class Advice(msgspec.Struct, frozen=True):
    """A hint in words."""

    move: str
    headline: str
    """What to do."""
    arguments: list[Argument]
    """What speaks for it and against it."""
    expects: str
    """What the bot expects of the game; empty if it does not say."""
    follows: list[Sentence]
    """What is likely to come after it, a sentence for each move."""
    other: OtherAdvice | None
    """The next best move, to compare."""


def random_for(view: State) -> Random:
    """The same view gets the same random numbers, whatever is hidden behind it."""
    return new_random(crc32(view.tobytes()))


def think(game: Game, bot: str, view: State, seat: int, budget: Budget | None) -> Thought:
    """What a bot thinks for a seat that is to move."""
    return game.bots[bot](game, view, seat, random_for(view), budget)


def evaluate(game: Game, bot: str, view: State, viewer: int, budget: Budget) -> Thought:
    """What a bot expects of a game that goes on, from what a viewer knows; whoever is to move."""
    random = random_for(view)
    state = game.guess(view, viewer, random)
    seat = seats_in(swift_game(game).movers(state))[0]
    return game.bots[bot](game, game.hide(state, seat), seat, random, budget)


def advise(
    game: Game, view: State, seat: int, thought: Thought, names: tuple[str, ...], words: Words
) -> Advice:
    """A thought of a bot for a seat, in words."""
    text, arguments = game.suggest(view, seat, thought.move, names, words)
    return Advice(
        move=game.write_move(thought.move),
        headline=text,
        arguments=arguments,
        expects=_expectation(thought, seat, words),
        follows=foresee(game, view, seat, thought, game.words(words.lang, to_you=True)),
        other=_other(game, view, seat, thought, names, words),
    )


def _other(
    game: Game, view: State, seat: int, thought: Thought, names: tuple[str, ...], words: Words
) -> OtherAdvice | None:
    if thought.other is None:
        return None
    text, arguments = game.suggest(view, seat, thought.other.move, names, words)
    compared = _comparison(thought, thought.other, seat, words)
    return OtherAdvice(game.write_move(thought.other.move), text, arguments, compared)


def _comparison(thought: Thought, other: Alternative, seat: int, words: Words) -> str:
    """What is expected of another move; a search may like it less although it looks as good."""
    if len(thought.shares) > 1:
        there, here = (round(100 * shares[seat]) for shares in (other.shares, thought.shares))
        text = words.say(
            "With this one it puts your chance at {there}%, not {here}%.", there=there, here=here
        )
    elif thought.points:
        there, here = (round(points[seat]) for points in (other.points, thought.points))
        text = words.say("There it expects about {there} points, not {here}.", there=there, here=here)
    else:
        return ""
    return text.replace("-", "−") if there < here else words.say("It finds both about equally good.")


def _expectation(thought: Thought, seat: int, words: Words) -> str:
    share = round(100 * thought.shares[seat]) if len(thought.shares) > 1 else None
    mine, others = thought.points[seat : seat + 1], thought.points[:seat] + thought.points[seat + 1 :]
    points = " : ".join(f"{each:.0f}".replace("-", "−") for each in mine + others)
    if share is None:
        return words.say("It expects about {points} points.", points=points) if points else ""
    if not points:
        return words.say("It puts your chance of winning at {share}%.", share=share)
    return words.say(
        "It puts your chance of winning at {share}%, the score at about {points}.", share=share, points=points
    )


def foresee(game: Game, view: State, seat: int, thought: Thought, words: Words) -> list[Sentence]:
    """The moves after the first one, up to a draw that the bot has not foreseen."""
    if not thought.line:
        return []
    return follow_line(game, game.guess(view, seat, random_for(view)), thought.line, seat, words)
