"""Whoever thinks for others: takes jobs from the queue of a store, and thinks in threads of its own."""

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from random import random
from secrets import token_hex

import msgspec

from mozaika.kernel import never_waiting
from mozaika.store import StoreError
from mozaika.store.queue import ENDLESS, SECONDS_OF_A_LEASE, SECONDS_OF_A_THOUGHT, Claimed, Queue
from mozaika.table.jobs import Work, do, get_ready
from mozaika.table.pool import step_back

SECONDS_TO_STOP = 3.0
SHORTEST_HESITATION, LONGEST_HESITATION = 0.005, 0.5

log = logging.getLogger("mozaika")


class Worker:
    """So many threads that think; nobody waits for a compiler."""

    def __init__(self, queue: Queue, at_once: int) -> None:
        self.queue, self.at_once = queue, at_once
        self.name = token_hex(6)
        self.done = 0
        self._threads = self._new_threads()
        self._running: dict[asyncio.Task[None], str] = {}
        """What is being answered, and the keys of the jobs."""
        self._tasks: list[asyncio.Task[None]] = []

    def _new_threads(self) -> ThreadPoolExecutor:
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
        self._threads.shutdown(wait=False, cancel_futures=True)

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
            await get_ready(work)
            working = partial(never_waiting()(do), work)
            async with asyncio.timeout(SECONDS_OF_A_THOUGHT):
                found = await asyncio.get_running_loop().run_in_executor(self._threads, working)
            answer = msgspec.json.encode(found)
        except TimeoutError:
            log.error("a thought does not end")  # noqa: TRY400
            failure = ENDLESS
            self._threads.shutdown(wait=False)  # one of them is lost
            self._threads = self._new_threads()
        except Exception as error:  # a worker outlives whatever a job does
            log.exception("a thought has failed")
            failure = str(error) or type(error).__name__
        with suppress(StoreError):  # the lease ends, and somebody thinks it again
            await self.queue.finish(claimed.key, answer, failure)
            self.done += 1
