"""Sketches: a table in letters, whose colours are console mark-up."""

import re
from collections.abc import Iterable

_MARK_UP = re.compile(r"\[[^\]]*\]")


def plain(sketch: str) -> str:
    """A sketch without its mark-up."""
    return _MARK_UP.sub("", sketch)


def plain_name(name: str) -> str:
    """A name that cannot be taken for mark-up."""
    return name.replace("[", "(").replace("]", ")")


def pad(text: str, width: int) -> str:
    """Fill up with blanks to a width; mark-up takes no room."""
    return text + " " * (width - len(plain(text)))


def set_beside(columns: Iterable[list[str]], width: int) -> list[str]:
    """Columns of a sketch side by side, as lines."""
    return ["".join(pad(text, width) for text in row).rstrip() for row in zip(*columns, strict=True)]
