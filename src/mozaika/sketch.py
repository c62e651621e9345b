"""Sketches: a table in letters, whose colours are console mark-up."""

import re

_MARK_UP = re.compile(r"\[[^\]]*\]")


def plain(sketch: str) -> str:
    """A sketch without its mark-up."""
    return _MARK_UP.sub("", sketch)


def plain_name(name: str) -> str:
    """A name that cannot be taken for mark-up."""
    return name.replace("[", "(").replace("]", ")")
