"""What callers give: a TypeError with a sentence where it is something else."""

import operator
from typing import Any


def whole_number(name: str, value: Any) -> int:
    """A whole number that somebody has given."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is a whole number, not {value!r}.") from None


def some_text(name: str, value: Any) -> str:
    """A text that somebody has given."""
    if not isinstance(value, str):
        raise TypeError(f"{name} is a text, not {value!r}.")
    return value
