"""What rules work on: the record of one state, buffers that they fill, and seats.

Seats count from 0 in code, as arrays do, and from 1 in every text, as people do.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

CHANCE = 15
"""The seat that draws tiles, cards, plates and chips."""

WATCHER = -1
"""Whoever looks on without a seat."""

State: TypeAlias = np.void
"""One record of the game's dtype: `state["wall"][seat, row]`."""

Ints: TypeAlias = NDArray[np.int32]
"""A buffer of moves, weights, points or ranks."""

Floats: TypeAlias = NDArray[np.floating[Any]]
"""A buffer of what searches expect."""

Random: TypeAlias = NDArray[np.uint64]
"""The state of a small random generator for searches: one number. Games at a table never use it."""


def copy_of(state: State) -> State:
    """The same state once more. NumPy's own copy goes field by field, which takes ten times as long."""
    return read_state(state.tobytes(), state.dtype)


def read_state(kept: bytes, kind: np.dtype[np.void]) -> State:
    """The state whose bytes were kept."""
    state: State = np.frombuffer(bytearray(kept), kind)[0]
    return state


def seats_in(mask: int) -> list[int]:
    """The seats of a bit mask, ascending."""
    seats, left = list[int](), int(mask)
    while left:
        seats.append((left & -left).bit_length() - 1)
        left &= left - 1
    return seats


def per_seat(rule: Callable[[State, Ints], None], state: State) -> list[int]:
    """What a rule says of each seat, as a list."""
    buffer = np.zeros(CHANCE, np.int32)
    rule(state, buffer)
    found: list[int] = buffer[: state["seats"]].tolist()
    return found
