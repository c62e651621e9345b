"""What can happen at a shared table, and who sits there: the kinds of events in its log."""

from functools import lru_cache
from typing import Literal

import msgspec

from mozaika.table.levels import rename_bot
from mozaika.words import Words

KINDS = (
    "move",
    "draw",
    "undo",
    "sit",
    "ask",
    "agree",
    "refuse",
    "rematch",
    "link",
    "hook",
    "close",
    "remove",
    "revoke",
    "step",
    "resign",
    "deal",
)
(
    MOVE,
    DRAW,
    UNDO,
    SIT,
    ASK,
    AGREE,
    REFUSE,
    REMATCH,
    LINK,
    HOOK,
    CLOSE,
    REMOVE,
    REVOKE,
    STEP,
    RESIGN,
    DEAL,
) = KINDS
SETTLING = ("commit", "pledge", "pledged", "reveal", "settle")
"""With these an epoch of draws begins; with KINDS they are all that can happen at a table."""


class Occupant(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who sits on a seat."""

    kind: Literal["person", "bot", "open"]
    name: str = ""
    guest: str = ""
    """A digest of a person's secret; several seats of one screen have the same."""
    bot: str = ""
    instead: str = ""
    """The bot that failed at this table, if this one has taken its place."""

    def called(self, number: int, words: Words) -> str:
        """What others call them: by the seat who has no name."""
        if self.kind == "open":
            return words.say("free seat")
        if self.kind == "bot" and not self.guest:
            return rename_bot(self.name, self.bot, words)
        return self.name or words.say("Seat {n}", n=number)


@lru_cache(maxsize=2_000)
def call_all(seats: tuple[Occupant, ...], words: Words) -> tuple[str, ...]:
    """What everybody is called; a free seat, too."""
    return tuple(occupant.called(number, words) for number, occupant in enumerate(seats, 1))
