"""Threads in which bots think and finished games are looked at, while everybody else is served."""

import os
from collections.abc import Callable
from functools import partial
from typing import ParamSpec, TypeVar

from mozaika.kernel import never_waiting
from mozaika.table.pool import Pool
from mozaika.words import later

MOST_WAITING = 500
MOST_OF_ONE = 32
"""So many thoughts of one address wait; three tables with four bots have a dozen."""

P = ParamSpec("P")
T = TypeVar("T")


class Thinkers:
    """One for each processor, at least two so that nobody has them all; and nobody waits for a compiler."""

    def __init__(self, name: str, most: int | None = None) -> None:
        at_once = most or max(2, os.cpu_count() or 1)
        self.pool = Pool(
            name,
            at_once,
            most_waiting=MOST_WAITING,
            most_of_one=MOST_OF_ONE,
            sentence=later("Many bots are thinking; try again in a moment."),
            modest=True,
        )

    async def ask(self, who: str, question: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """What somebody comes to who has time to think; Overworked if too much is asked."""
        return await self.pool.ask(who, partial(never_waiting()(question), *arguments, **named))

    def close(self) -> None:
        self.pool.close()
