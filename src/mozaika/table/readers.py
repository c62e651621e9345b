"""Reads what people send: beside the event loop, a few texts at a time, and nobody waits for ever.

A thread cannot be stopped. One that takes too long is left alone and keeps its place until it has ended, so
that at most a few of them ever run; what it reads is bounded by its size. What is long goes to a process
(`beside`), which is ended.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import ParamSpec, TypeVar

from mozaika.table.beside import TOO_LONG, dismiss_helpers
from mozaika.table.pool import Overworked, Pool
from mozaika.words import later

AT_ONCE = 2
MOST_WAITING = 200
MOST_OF_ONE = 60
"""A page of rules has twenty figures, and a family may open it together."""
SECONDS = 30.0
"""Where several want a processor, a process beside this one takes some to begin."""

P = ParamSpec("P")
T = TypeVar("T")


class Readers:
    """A few threads, and for each address a short line before them."""

    def __init__(
        self,
        at_once: int = AT_ONCE,
        most_waiting: int = MOST_WAITING,
        most_of_one: int = MOST_OF_ONE,
        seconds: float = SECONDS,
    ) -> None:
        self.seconds = seconds
        self.pool = Pool(
            "reader",
            at_once,
            most_waiting=most_waiting,
            most_of_one=most_of_one,
            sentence=later("Many people have sent something to be read; try again in a moment."),
        )

    async def ask(self, who: str, read: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """What a function makes of a text; Overworked if that takes too long or too many have come."""
        try:
            work = partial(read, *arguments, **named)
            return await asyncio.wait_for(self.pool.ask(who, work), self.seconds)
        except TimeoutError:
            raise Overworked(TOO_LONG) from None

    def close(self) -> None:
        self.pool.close()
        dismiss_helpers()
