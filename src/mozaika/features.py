"""A state as numbers for programs that learn: what a seat sees of it, most of it from 0 to 1."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray

from mozaika.state import Floats, Ints, State


@dataclass(frozen=True)
class Feature:
    """A block of numbers: its name, its shape, and what it says."""

    name: str
    shape: tuple[int, ...]
    about: str

    @property
    def size(self) -> int:
        return prod(self.shape)

    def names(self) -> Iterator[str]:
        """A name for each number."""
        if self.size == 1:
            yield self.name
            return
        for place in product(*map(range, self.shape)):
            yield f"{self.name}[{','.join(map(str, place))}]"


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What can be told of each move, for nets that rate moves."""

    names: tuple[str, ...]
    seats: tuple[int, ...]
    """For which numbers of players."""
    most_moves: int
    tell: Callable[[Floats, Ints, Floats, Ints, Floats], int]
    """From observations, one for each game: fills in the moves of all games one after the other, the facts of
    each move, where the moves of each game end (the first number stays 0), and how many points ahead the seat
    is; returns how many moves there are. A game has none where it cannot tell. Compiled.
    """


@dataclass(frozen=True, kw_only=True)
class Features:
    """What a seat sees of a state: the table once, then each seat, from the one that looks on clockwise."""

    table: tuple[Feature, ...]
    each: tuple[Feature, ...]
    observe: Callable[[State, int, Floats], None]
    """Fills the buffer for a seat, of a state as of the view that the seat has of it. Compiled."""
    facts: Facts | None = None
    """What can be told of moves."""

    def size(self, seats: int) -> int:
        """How many numbers there are."""
        return sum(part.size for part in self.table) + seats * sum(part.size for part in self.each)

    def blocks(self, seats: int) -> dict[str, tuple[slice, tuple[int, ...]]]:
        """Where each block lies, and its shape; those of seats begin with `own.`, `next1.`, `next2.` …"""
        owners = ["own.", *(f"next{number}." for number in range(1, seats))]
        parts = [("", part) for part in self.table] + [(who, part) for who in owners for part in self.each]
        found, at = dict[str, tuple[slice, tuple[int, ...]]](), 0
        for who, part in parts:
            found[who + part.name] = slice(at, at + part.size), part.shape
            at += part.size
        return found

    def names(self, seats: int) -> list[str]:
        """A name for each number."""
        owners = ["own.", *(f"next{number}." for number in range(1, seats))]
        names = [name for part in self.table for name in part.names()]
        return names + [who + name for who in owners for part in self.each for name in part.names()]

    def of(self, state: State, seat: int) -> dict[str, NDArray[np.float32]]:
        """What a seat sees, block by block."""
        seats = int(state["seats"])
        seen = np.zeros(self.size(seats), np.float32)
        self.observe(state, seat, seen)
        return {name: seen[where].reshape(shape) for name, (where, shape) in self.blocks(seats).items()}
