"""What people are told of a game: what happened, and what would have been possible."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from mozaika.state import CHANCE
from mozaika.words import Said, Words


class Sentence(msgspec.Struct, frozen=True, gc=False):
    """Something that happened, for people: the rule that made it so, and the points it brought."""

    text: str
    rule: str
    seat: int = CHANCE
    points: int = 0
    places: tuple[str, ...] = ()
    """What made the points, by names that the game's `boxes` knows."""
    how: str = ""
    """How the points come together, where the text does not say it."""
    closes: bool = False
    """Whether a round has ended with it, also the last one."""
    to_you: str = ""
    """The text as it is said to the seat itself; empty where nobody asked for that, or it is the same."""

    def __post_init__(self) -> None:
        if isinstance(self.text, Said):
            msgspec.structs.force_setattr(self, "to_you", self.text.to_you)
            msgspec.structs.force_setattr(self, "text", str(self.text))


def add_up(parts: Sequence[int]) -> str:
    """How points come together, as a sum: `2 + 3 − 5 = 0`; nothing where there is nothing to add."""
    if len(parts) < 2:
        return ""
    first, *others = parts
    terms = [with_minus(first), *(f"{'−' if part < 0 else '+'} {abs(part)}" for part in others)]
    return f"{' '.join(terms)} = {with_minus(sum(parts))}"


def multiply(n: int, each: int) -> str:
    """The same for so many times as much: `2 × 7 = 14`."""
    return f"{n} × {with_minus(each)} = {with_minus(n * each)}"


def with_minus(points: int) -> str:
    """Points with a proper minus."""
    return f"−{-points}" if points < 0 else str(points)


class Argument(msgspec.Struct, frozen=True):
    """What speaks for or against a move: what it gains, what it denies to others, what it risks."""

    kind: Literal["gains", "denies", "risks"]
    text: str


class Suggestion(NamedTuple):
    """A move as advice to who could make it."""

    text: str
    arguments: list[Argument]


class Hindsight(NamedTuple):
    """A part of a game, the points of each seat, and how many each could have had at least."""

    sentence: str
    values: Mapping[str, Any]
    """What fills the blanks of the sentence."""
    made: list[int]
    possible: list[int]

    def name(self, words: Words) -> str:
        """What the part is called."""
        return words.say(self.sentence, **self.values)
