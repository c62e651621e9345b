"""What searches share: what they demand of a game, a clock that ends them in time, threads that divide the
work, a desk with a style.
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from functools import cache
from time import perf_counter
from typing import Any, TypeVar

import numpy as np

from mozaika.game import Game
from mozaika.state import State

Found = TypeVar("Found")

SOONEST = 1e-6
"""No time is taken to be shorter, in seconds."""


def demand(game: Game, bot: str, *parts: str) -> None:
    """ValueError with a sentence where a bot needs a judgement that a game does not have."""
    for part in parts:
        if getattr(game.judgement, part) is None:
            raise ValueError(f"{game.name} has no `{part}`, and {bot} needs it.")


class Clock:
    """Says how much to do before it is asked again: ever more, up to an eighth of what is left."""

    def __init__(self, most: int, until: float) -> None:
        """For so much work, or until a moment of `perf_counter`."""
        self.most, self.until, self.start = most, until, perf_counter()
        self.at_once = 1

    def next(self, done: int) -> int:
        """How much more to do when so much is done; 0 when the budget is spent. Something is always done."""
        if done:
            now = perf_counter()
            if now >= self.until:
                return 0
            pace = done / max(now - self.start, SOONEST)
            self.at_once = max(1, int(min(2 * self.at_once, pace * (self.until - now) / 8)))
        return min(self.at_once, self.most - done)


def in_threads(search: Callable[..., Found], parts: Sequence[Any], nodes: int, *same: Any) -> list[Found]:
    """Search on each part at once, with a share of the nodes, and what is the same for all."""
    threads = len(parts)
    shares = [nodes // threads + (index < nodes % threads) for index in range(threads)]
    if threads == 1:
        return [search(parts[0], nodes, *same)]
    return list(_workers().map(search, parts, shares, *([each] * threads for each in same)))


@cache
def _workers() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="search")


def desk_for(layout: np.dtype[Any], style: Any) -> State:
    """A clean desk on which the style of a search lies."""
    desk: State = np.zeros(1, layout)[0]
    for each in fields(style):
        if each.name in (layout.names or ()):
            desk[each.name] = getattr(style, each.name)
    return desk
