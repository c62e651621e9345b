"""Moves as people write them: in full or shortened; and what is wrong with them."""

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

from mozaika.given import some_text
from mozaika.words import Words

LONGEST_MOVE = 200
"""No text of a move has more letters."""


class MoveError(ValueError):
    """A move that cannot be played; its message is a sentence for the player."""


class UnknownMove(MoveError):
    """The text is no move of this game."""


class IllegalMove(MoveError):
    """A move of this game, but not now; `rule` is the id of the rule that forbids it."""

    def __init__(self, sentence: str, rule: str) -> None:
        super().__init__(sentence)
        self.rule = rule

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.rule)


class AmbiguousMove(MoveError):
    """A text that could mean several legal moves, listed in `candidates`."""

    def __init__(self, sentence: str, candidates: tuple[str, ...]) -> None:
        super().__init__(sentence)
        self.candidates = candidates

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.candidates)


def tidy_move(text: str, words: Words) -> str:
    """A text that may be a move, without blanks that do not matter."""
    if len(some_text("A move", text)) > LONGEST_MOVE:
        raise UnknownMove(words.say("No move has more than {most} letters.", most=LONGEST_MOVE))
    return " ".join(text.split())


def find_shortened(text: str, moves: Iterable[int], write_move: Callable[[int], str], words: Words) -> int:
    """The one of these moves that a text shortens. All are spelt, so thousands take a while."""
    typed, meant = _split(text), dict[str, int]()
    for move in moves:
        full = write_move(move)
        if typed and typed[0] in full.lower() and _shortens(typed, _split(full)):
            meant[full] = move
    if len(meant) == 1:
        return next(iter(meant.values()))
    if not meant:
        raise UnknownMove(words.say("There is no move “{text}” now.", text=text))
    some = ", ".join(islice(meant, 4)) + (", …" if len(meant) > 4 else "")
    raise AmbiguousMove(words.say("“{text}” could be {some}.", text=text, some=some), tuple(meant))


def _split(text: str) -> list[str]:
    return text.lower().replace(">", " ").split()


def _shortens(typed: list[str], full: list[str]) -> bool:
    """Whether the typed words begin words of the full text, in their order."""
    rest = iter(full)
    return all(any(word.startswith(part) for word in rest) for part in typed)
