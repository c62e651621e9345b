"""What happened and where the points came from, for a game that has no words of its own and hides nothing."""

from collections.abc import Callable

from mozaika.game import Game
from mozaika.sentence import Sentence, Suggestion
from mozaika.state import CHANCE, State, copy_of
from mozaika.words import Words


def teller_of(game: Game) -> Callable[[State, int, int, int, Words], list[Sentence]]:
    """Says a move as it is written, and who gets points for it."""

    def tell(state: State, seat: int, move: int, viewer: int, words: Words) -> list[Sentence]:
        after = copy_of(state)
        game.apply(after, seat, move)
        gains = [new - old for old, new in zip(game.points(state), game.points(after), strict=True)]
        text = game.write_move(move)
        if seat == CHANCE:
            told = [Sentence(words.say("Drawn: {outcome}", outcome=text), "")]
        else:
            told = [Sentence(text, "", seat, gains[seat])]
        others = (other for other, gain in enumerate(gains) if gain and other != seat)
        return told + [Sentence(words.say("points"), "", other, gains[other]) for other in others]

    return tell


def tally_of(game: Game) -> Callable[[State, Words], list[tuple[str, list[int]]]]:
    """One source for all points."""
    return lambda state, words: [(words.say("points"), game.points(state))]


def suggester_of(game: Game) -> Callable[[State, int, int, tuple[str, ...], Words], Suggestion]:
    """The move as it is written; what speaks for it only its game could tell."""

    def suggest(view: State, seat: int, move: int, names: tuple[str, ...], words: Words) -> Suggestion:
        return Suggestion(words.say("Play {move}.", move=game.write_move(move)), [])

    return suggest
