"""Where bots think: in threads of this process, while everybody else is served; or, where the store has a
queue, in whichever process has time.
"""

import os
from collections.abc import Callable
from functools import partial
from typing import ParamSpec, TypeVar

import msgspec

from mozaika.kernel import never_waiting
from mozaika.store.queue import LineFull, Queue
from mozaika.table.jobs import Job, perform
from mozaika.table.pool import Overworked, Pool
from mozaika.thought import Thought
from mozaika.words import later

MOST_WAITING = 500
MOST_OF_ONE = 32
"""So many thoughts of one address wait; three tables with four bots have a dozen."""
MANY = later("Many bots are thinking; try again in a moment.")

P = ParamSpec("P")
T = TypeVar("T")


def threads_here() -> int:
    """One for each processor, at least two so that nobody has them all."""
    return max(2, os.cpu_count() or 1)


class Thinkers:
    """So many threads, in which nobody waits for a compiler; and a queue, if others think, too."""

    def __init__(self, name: str, most: int | None = None, queue: Queue | None = None) -> None:
        self.queue = queue
        self.pool = Pool(
            name,
            most or threads_here(),
            most_waiting=MOST_WAITING,
            most_of_one=MOST_OF_ONE,
            sentence=MANY,
            modest=True,
        )

    async def ask(self, who: str, question: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """What somebody comes to who has time to think; Overworked if too much is asked."""
        return await self.pool.ask(who, partial(never_waiting()(question), *arguments, **named))

    async def think(
        self, who: str, job: Job, *, urgent: bool = True, wanted: Callable[[], bool] = lambda: True
    ) -> Thought | None:
        """What a bot comes to; None if nobody wants to know any more. Urgent is what somebody waits for."""
        if self.queue is None:
            return await self.ask(who, _if_wanted, job, wanted)
        try:
            answer = await self.queue.ask(job.key, msgspec.json.encode(job), who, urgent=urgent)
        except LineFull:
            raise Overworked(MANY) from None
        return msgspec.json.decode(answer, type=Thought)

    def close(self) -> None:
        self.pool.close()


def _if_wanted(job: Job, wanted: Callable[[], bool]) -> Thought | None:
    return perform(job) if wanted() else None
