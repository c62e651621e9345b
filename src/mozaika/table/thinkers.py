"""Where bots think: in the process beside a server (`mind`), or in threads where nobody has to be served; or,
where the store has a queue, in whichever process has time.
"""

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

import msgspec

from mozaika.game import Game
from mozaika.games import find_game
from mozaika.reviewing.steps import Part, Step
from mozaika.store.queue import DEADLY, JobFailed, LineFull, Queue
from mozaika.table.jobs import (
    SECONDS_TO_COMPILE,
    Job,
    Work,
    can_answer,
    key_of,
    load_kernels,
    perform,
    take,
    think_about,
)
from mozaika.table.pool import Overworked, Pool, Unwanted, step_back
from mozaika.thought import Thought
from mozaika.words import later

MOST_WAITING = 500
MOST_OF_ONE = 32
"""So many thoughts of one address wait; three tables with four bots have a dozen."""
MANY = later("Many bots are thinking; try again in a moment.")

FAILED = later("Nobody could think about this; try again in a minute.")

log = logging.getLogger("mozaika")
P = ParamSpec("P")
T = TypeVar("T")


class Helpless(Overworked):
    """Whoever tried to think about it has failed."""


def threads_here() -> int:
    """One for each processor, at least two so that nobody has them all."""
    return max(2, os.cpu_count() or 1)


class Thinkers:
    """So many thoughts at once, in which nobody waits for a compiler; and a queue, if others think, too."""

    def __init__(
        self,
        name: str,
        most: int | None = None,
        queue: Queue | None = None,
        mind: Executor | None = None,
    ) -> None:
        """With the process that thinks for a server, if there is one; else in threads."""
        self.queue, self.mind = queue, mind
        self._prepared: set[str] = set()
        most = most or threads_here()
        self.pool = Pool(
            name,
            most,
            most_waiting=MOST_WAITING,
            most_of_one=MOST_OF_ONE,
            sentence=MANY,
            workers=mind or ThreadPoolExecutor(most, name, step_back),
        )

    def prepare(self, game: Game) -> None:
        """Somebody will have to think about this game soon."""
        if self.mind is not None and game.id not in self._prepared:
            self._prepared.add(game.id)
            self.mind.submit(load_kernels, game)

    async def ask(
        self, who: str, game: Game, question: Callable[P, T], *arguments: P.args, **named: P.kwargs
    ) -> T:
        """What somebody comes to who has time to think about a game; Overworked if too much is asked.

        The question is a function of a module: it may be asked in another process.
        """
        return await self.pool.ask(who, partial(think_about, game, question, *arguments, **named))

    async def think(
        self, who: str, job: Job, *, urgent: bool = True, wanted: Callable[[], bool] = lambda: True
    ) -> Thought | None:
        """What a bot comes to; None if nobody wants to know any more. Urgent is what somebody waits for.

        An answer of others that cannot be right is not believed, nor that there is none: it is thought here.
        """
        if self.queue is None:
            return await self._perform(who, job, wanted)
        thought = await self._ask_others(self.queue, job, who, urgent=urgent, kind=Thought)
        if thought is not None and can_answer(job, thought):
            return thought
        return await self._ask_here(self.queue, job, partial(self._perform, who, job, wanted))

    async def review(self, who: str, step: Step, believes: Callable[[Step, Part], bool]) -> Part:
        """What a step of a review finds, as far as it is believed; what somebody waits for goes first."""
        if self.queue is None:
            return await self._take(who, step)
        part = await self._ask_others(self.queue, step, who, urgent=False, kind=Part)
        if part is not None and believes(step, part):
            return part
        return await self._ask_here(self.queue, step, partial(self._take, who, step))

    async def _perform(self, who: str, job: Job, wanted: Callable[[], bool]) -> Thought | None:
        try:
            return await self.pool.ask(who, partial(think_about, find_game(job.game), perform, job), wanted)
        except Unwanted:
            return None

    async def _take(self, who: str, step: Step) -> Part:
        while (part := await self.pool.ask(who, partial(take, step))) is None:
            await asyncio.sleep(SECONDS_TO_COMPILE)
        return part

    async def _ask_others(
        self, queue: Queue, work: Work, who: str, *, urgent: bool, kind: type[T]
    ) -> T | None:
        """What whichever process has time comes to; None if that makes no sense, or it could not do it."""
        try:
            answer = await queue.ask(key_of(work), msgspec.json.encode(work), who, urgent=urgent)
        except LineFull:
            raise Overworked(MANY) from None
        except JobFailed as error:
            log.error("another process could not think about a position: %s", error)  # noqa: TRY400
            if str(error) in DEADLY:
                raise Helpless(FAILED) from None
            return None  # it may be broken, and then be the quickest to fail
        try:
            return msgspec.json.decode(answer, type=kind)
        except msgspec.MsgspecError:
            return None

    async def _ask_here(self, queue: Queue, work: Work, think: Callable[[], Awaitable[T]]) -> T:
        """What others have no good answer to; Helpless if there is none here either."""
        log.error("an answer of another process cannot be right")
        await queue.reject(key_of(work))
        try:
            return await think()
        except Overworked:
            raise
        except Exception:
            log.exception("a thought has failed here, too")
            raise Helpless(FAILED) from None

    def close(self) -> None:
        self.pool.close()
