"""Whoever thinks for others: takes jobs from the queue of a store, and thinks in threads of its own, or in
the process beside a server.
"""

import asyncio
import logging
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import suppress
from random import random
from secrets import token_hex

import msgspec

from mozaika.reviewing.steps import Part
from mozaika.store import StoreError
from mozaika.store.queue import ENDLESS, SECONDS_OF_A_LEASE, SECONDS_OF_A_THOUGHT, Claimed, Queue
from mozaika.table.jobs import SECONDS_TO_COMPILE, Work, do
from mozaika.table.mind import Mind
from mozaika.table.pool import step_back
from mozaika.thought import Thought

SECONDS_TO_STOP = 3.0
SHORTEST_HESITATION, LONGEST_HESITATION = 0.005, 0.5

log = logging.getLogger("mozaika")


class Worker:
    """So many thoughts at once; nobody waits for a compiler."""

    def __init__(self, queue: Queue, at_once: int, mind: Mind | None = None) -> None:
        self.queue, self.at_once, self._mind = queue, at_once, mind
        self.name = token_hex(6)
        self.done = 0
        self._workers = mind or self._new_threads()
        self._running: dict[asyncio.Task[None], str] = {}
        """What is being answered, and the keys of the jobs."""
        self._tasks: list[asyncio.Task[None]] = []

    def _new_threads(self) -> Executor:
        return ThreadPoolExecutor(self.at_once, "thinker", step_back)

    def start(self) -> None:
        self._tasks = [asyncio.create_task(self._work()), asyncio.create_task(self._beat())]

    async def stop(self) -> None:
        """Take nothing new, finish what can be finished soon, and give the rest back."""
        for task in self._tasks[:1]:
            task.cancel()
        if self._running:
            await asyncio.wait(self._running, timeout=SECONDS_TO_STOP)
        self.close()
        with suppress(StoreError):
            await self.queue.give_back(self.name)

    def close(self) -> None:
        for task in (*self._tasks, *self._running):
            task.cancel()
        self._workers.shutdown(wait=False, cancel_futures=True)

    async def _work(self) -> None:
        """Of many who hear of a job one has it: who came too late hurries less the next time, so that
        hundreds of idle workers do not ask for every job.
        """
        hesitation = 0.0
        while True:
            try:
                free = self.at_once - len(self._running)
                claimed = await self.queue.claim(self.name, free) if free else []
            except StoreError:
                claimed = []
            for each in claimed:
                task = asyncio.create_task(self._answer(each))
                self._running[task] = each.key
                task.add_done_callback(self._end)
            if claimed:
                hesitation = 0.0
            elif await self.queue.wait():
                await asyncio.sleep(random() * hesitation)
                hesitation = min(LONGEST_HESITATION, 2 * hesitation + SHORTEST_HESITATION)
            else:
                hesitation = 0.0

    def _end(self, task: "asyncio.Task[None]") -> None:
        self._running.pop(task, None)
        self.queue.wake()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(SECONDS_OF_A_LEASE / 3)
            with suppress(StoreError):
                await self.queue.renew(self.name, list(self._running.values()))

    async def _answer(self, claimed: Claimed) -> None:
        answer, failure = None, None
        try:
            work = msgspec.json.decode(claimed.what, type=Work)
        except msgspec.MsgspecError:  # of another version, perhaps; the lease ends, and others try
            log.warning("a job was not understood")
            await asyncio.sleep(SECONDS_OF_A_LEASE)
            return
        try:
            while (found := await self._do(work)) is None:
                await asyncio.sleep(SECONDS_TO_COMPILE)
            answer = msgspec.json.encode(found)
        except TimeoutError:
            log.error("a thought does not end")  # noqa: TRY400
            failure = ENDLESS
            self._begin_anew()
        except Exception as error:  # a worker outlives whatever a job does
            log.exception("a thought has failed")
            failure = str(error) or type(error).__name__
        with suppress(StoreError):  # the lease ends, and somebody thinks it again
            await self.queue.finish(claimed.key, answer, failure)
            self.done += 1

    async def _do(self, work: Work) -> Thought | Part | None:
        async with asyncio.timeout(SECONDS_OF_A_THOUGHT):
            return await asyncio.get_running_loop().run_in_executor(self._workers, do, work)

    def _begin_anew(self) -> None:
        """Somebody who works here is lost."""
        if self._mind is not None:
            self._mind.restart()
        else:
            self._workers.shutdown(wait=False)
            self._workers = self._new_threads()
