"""How long a bot thinks, and what it says then."""

from dataclasses import dataclass
from math import inf

from mozaika.given import whole_number
from mozaika.words import later

LEVEL_NAMES = {
    "beginner": later("Beginner"),
    "casual": later("Casual"),
    "club": later("Club player"),
    "expert": later("Expert"),
    "champion": later("Champion"),
}
"""What the levels are called; what stands before “ (” is also their name at the table."""
LEVELS = tuple(LEVEL_NAMES)
"""The opponents that every game has, the weakest first. A game may have other bots to measure them by."""

MOST_NODES = 2_000_000
"""No bot looks at more for one move, however much time it has."""


@dataclass(frozen=True)
class Budget:
    """How long a bot may think. Whichever limit comes first ends the search."""

    nodes: int = 20_000
    milliseconds: float = 1_000.0

    def __post_init__(self) -> None:
        if whole_number("A number of nodes", self.nodes) < 1:
            raise ValueError(f"A bot looks at one node or more, not at {self.nodes}.")
        if not isinstance(self.milliseconds, int | float) or not self.milliseconds > 0:
            raise ValueError(f"A bot thinks for more than 0 milliseconds, not for {self.milliseconds!r}.")
        if self.nodes > MOST_NODES:
            raise ValueError(
                f"A bot looks at no more than {MOST_NODES:,} nodes for a move, not {self.nodes:,}."
            )

    @classmethod
    def of(cls, nodes: int | None, milliseconds: float | None) -> "Budget | None":
        """The limits that are given and no other; nothing where none is, for the time of the bot's level."""
        if nodes is None and milliseconds is None:
            return None
        return cls(MOST_NODES if nodes is None else nodes, inf if milliseconds is None else milliseconds)


@dataclass(frozen=True)
class Alternative:
    """Another move, and what a bot expects of it."""

    move: int
    shares: tuple[float, ...] = ()
    points: tuple[float, ...] = ()


@dataclass(frozen=True)
class Thought:
    """What a bot has come to: its move, and what it expects. Only `move` is always there."""

    move: int
    shares: tuple[float, ...] = ()
    """The share of the victory that each seat can expect, from 0 to 1."""
    points: tuple[float, ...] = ()
    """The points that each seat can expect to end with."""
    line: tuple[tuple[int, int], ...] = ()
    """What is likely to happen, as seats and moves, this move first."""
    nodes: int = 0
    """How much it has looked at."""
    other: Alternative | None = None
    """The next best move, if it has compared any."""
