"""What a bot advises: its move, what the move does, what the bot expects, and how the game may go on.

Everything is made from the view of one seat, so it cannot say what the seat may not know.
"""

from zlib import crc32

import msgspec

from mozaika.game import Game
from mozaika.kernel import new_random, swift_game
from mozaika.sentence import Sentence
from mozaika.state import CHANCE, Random, State, seats_in
from mozaika.table.levels import short_name
from mozaika.thought import Budget, Thought
from mozaika.words import Words

MOST_FOLLOWING = 3
"""So many moves are told of what may follow."""


class Advice(msgspec.Struct, frozen=True):
    """A hint in words."""

    move: str
    headline: str
    does: list[Sentence]
    """What the move does at once: the points it counts on."""
    expects: str
    """What the bot expects of the game; empty if it does not say."""
    follows: list[Sentence]
    """What is likely to come after it, a sentence for each move."""


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


def advise(game: Game, bot: str, view: State, seat: int, thought: Thought, words: Words) -> Advice:
    """A thought of a bot for a seat, in words."""
    move = game.write_move(thought.move)
    return Advice(
        move=move,
        headline=words.say("{bot} would play {move}", bot=short_name(bot, words), move=move),
        does=game.tell(view, seat, thought.move, seat, words),
        expects=_expectation(thought, seat, words),
        follows=_following(game, view, seat, thought, words),
    )


def _expectation(thought: Thought, seat: int, words: Words) -> str:
    share = round(100 * thought.shares[seat]) if len(thought.shares) > 1 else None
    mine, others = thought.points[seat : seat + 1], thought.points[:seat] + thought.points[seat + 1 :]
    points = " : ".join(f"{each:.0f}".replace("-", "−") for each in mine + others)
    if share is None:
        return words.say("It expects about {points} points.", points=points) if points else ""
    if not points:
        return words.say("It expects {share} % of the victory.", share=share)
    return words.say(
        "It expects {share} % of the victory, about {points} points.", share=share, points=points
    )


def _following(game: Game, view: State, seat: int, thought: Thought, words: Words) -> list[Sentence]:
    """The moves after the first one, up to a draw that the bot has not foreseen."""
    told: list[Sentence] = []
    if not thought.line:
        return told
    game, state = swift_game(game), game.guess(view, seat, random_for(view))
    for number, (who, move) in enumerate(thought.line):
        is_to_move = who in seats_in(game.movers(state))
        if not is_to_move or move not in game.legal_moves(state, who) or len(told) == MOST_FOLLOWING:
            break
        if number and who != CHANCE:
            told += game.tell(state, who, move, seat, words)[:1]
        game.apply(state, who, move)
    return told
