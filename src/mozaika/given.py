"""What callers give: a TypeError or ValueError with a sentence where it is something else."""

import operator
from typing import Any


def whole_number(name: str, value: Any) -> int:
    """A whole number that somebody has given."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is a whole number, not {value!r}.") from None


def at_least(name: str, value: Any, least: int) -> int:
    """A whole number that is not too small."""
    if (number := whole_number(name, value)) < least:
        raise ValueError(f"{name} is {least} or more, not {value}.")
    return number


def seat_among(seat: Any, seats: int) -> int:
    """A seat, counted from 0, of so many."""
    if not 0 <= whole_number("A seat", seat) < seats:
        raise ValueError(f"There is no seat {seat}; seats count from 0 to {seats - 1}.")
    return int(seat)


def some_text(name: str, value: Any) -> str:
    """A text that somebody has given."""
    if not isinstance(value, str):
        raise TypeError(f"{name} is a text, not {value!r}.")
    return value
