"""A move in stages: a short sequence of choices, each out of a small fixed set.

What a person chooses one after the other, and what a learning program can have as its actions: the numbers of
moves go into the millions, the choices of all stages together are a few hundred.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mozaika.state import Ints, State


@dataclass(frozen=True)
class Stage:
    """What a choice is about, and how many there are."""

    name: str
    size: int
    prompt: str = ""
    """What a person is asked at this choice; `{chosen}` is what was chosen before it."""
    spots: tuple[str, ...] = ()
    """The spots one points at for it, as patterns with `*` for any letters."""
    at: int | None = None
    """After how many other spots, where the same spots stand for several choices."""
    last: bool = False
    """Whether no choice ever follows one of these."""


@dataclass(frozen=True, kw_only=True)
class Stages:
    """How the moves of a game's seats fall into choices. Choices are numbered through all the stages."""

    parts: tuple[Stage, ...]
    longest: int
    """No move takes more choices."""
    split: Callable[[int, Ints], int]
    """Fills the buffer with the choices of a move; returns how many. Compiled."""
    choices: Callable[[State, int, Ints, int, Ints], int]
    """Of a seat that has made so many choices of a buffer: fills another with what it may choose next,
    ascending; returns how many, 0 when the move is complete. Compiled.
    """
    join: Callable[[State, Ints, int], int]
    """The move of a complete sequence of so many choices. Compiled."""
    several: str = ""
    """What a person is asked where a move can begin with choices of several stages."""
    regret: tuple[str, str] = ("", "")
    """A spot to which beginners are sorry to bring something, and a warning; `{n}` is how much."""

    @property
    def size(self) -> int:
        """How many choices there are in all."""
        return sum(part.size for part in self.parts)

    @property
    def remembered(self) -> list[int]:
        """The choices that others may follow."""
        followed = [not part.last for part in self.parts for _ in range(part.size)]
        return [choice for choice in range(self.size) if followed[choice]]

    def stage_of(self, choice: int) -> Stage:
        """The stage that a choice belongs to."""
        for part in self.parts:
            if choice < part.size:
                return part
            choice -= part.size
        raise ValueError(f"There are {self.size} choices, counted from 0; there is no {choice + self.size}.")

    def split_move(self, move: int) -> list[int]:
        """The choices of a move."""
        buffer = np.zeros(self.longest, np.int32)
        return [int(choice) for choice in buffer[: self.split(move, buffer)]]

    def next_choices(self, state: State, seat: int, made: list[int]) -> list[int]:
        """What a seat may choose after the choices it has made; nothing when they are a move."""
        prefix, buffer = np.zeros(self.longest, np.int32), np.zeros(self.size, np.int32)
        prefix[: len(made)] = made
        found = buffer[: self.choices(state, seat, prefix, len(made), buffer)]
        return [int(choice) for choice in found]

    def skip_forced(self, state: State, seat: int, made: list[int]) -> list[int]:
        """The same choices and those after them that are none, because there is only one."""
        while len(forced := self.next_choices(state, seat, made)) == 1:
            made = made + forced
        return made

    def join_choices(self, state: State, made: list[int]) -> int:
        """The move of a complete sequence of choices."""
        prefix = np.zeros(self.longest, np.int32)
        prefix[: len(made)] = made
        return int(self.join(state, prefix, len(made)))
