"""What people are told of a game: what happened, and what would have been possible."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from mozaika.state import CHANCE
from mozaika.words import Words


class Sentence(msgspec.Struct, frozen=True):
    """Something that happened, for people: the rule that made it so, and the points it brought."""

    text: str
    rule: str
    seat: int = CHANCE
    points: int = 0


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
