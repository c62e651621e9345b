"""A few threads that work for everybody in turn: whoever asks for much waits for their own, not the others.

There is a line for each who asks (an address), and the lines take turns. None of them has all threads: there
is always one for somebody else. Others may do the work instead (`mind`); the lines are the same.
"""

import asyncio
import ctypes
import os
import platform
import struct
import sys
import threading
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

MODEST = 15
"""The niceness of threads that only compute: much beside a server, and not nothing beside another program."""
LONG_TURN = 4_000_000
"""Nanoseconds; everybody else has three million at most."""
SET_SCHEDULING = {"x86_64": 314, "aarch64": 274}
"""The number of the system call `sched_setattr`, which Python has no name for."""

T = TypeVar("T")
Job = tuple[Callable[[], Any], "asyncio.Future[Any]", Callable[[], bool]]


class Overworked(Exception):
    """There is no time for this; the message is a sentence."""


class Unwanted(Exception):
    """Nobody wants to know it any more."""


def step_back() -> None:
    """Where a processor is wanted by several, whoever serves people has it first: a thread that only computes
    is nice, and has long turns, because Linux lets whoever has short ones interrupt them at once.
    """
    if sys.platform == "linux":
        thread = threading.get_native_id()
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, thread, MODEST)
        _take_long_turns(os.getpriority(os.PRIO_PROCESS, thread))


def _take_long_turns(niceness: int) -> None:
    """A kernel before 6.12 takes no notice."""
    number = SET_SCHEDULING.get(platform.machine())
    if number is not None:
        wish = struct.pack("IIQiIQQQ", 48, os.SCHED_OTHER, 0, niceness, 0, LONG_TURN, 0, 0)
        ctypes.CDLL(None).syscall(number, 0, wish, 0)


class Pool:
    """Threads, and lines before them."""

    def __init__(
        self,
        name: str,
        at_once: int,
        *,
        most_waiting: int,
        most_of_one: int,
        sentence: str,
        workers: Executor | None = None,
    ) -> None:
        """So many jobs run at once; so many wait, in all and in a line; else this sentence. With who does the
        work, if not threads of its own.
        """
        self.sentence = sentence
        self.at_once, self.most_waiting, self.most_of_one = at_once, most_waiting, most_of_one
        self._workers = workers or ThreadPoolExecutor(at_once, name)
        self._lines: OrderedDict[str, deque[Job]] = OrderedDict()
        self._running: Counter[str] = Counter()
        self._closed = False

    @property
    def running(self) -> int:
        """How many jobs run, also those that nobody waits for any more."""
        return self._running.total()

    @property
    def waiting(self) -> int:
        return sum(map(len, self._lines.values()))

    async def ask(self, who: str, work: Callable[[], T], wanted: Callable[[], bool] = lambda: True) -> T:
        """What a job comes to; Overworked if too many wait already. Who has nothing here yet is let in.

        Unwanted if nobody wants to know any more when it would begin.
        """
        line, runs = self._lines.get(who, ()), self._running[who]
        begins = not line and self._may_begin(who) and self.running < self.at_once
        if not begins and (len(line) >= self.most_of_one or (runs and self.waiting >= self.most_waiting)):
            raise Overworked(self.sentence)
        answer: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        job = (work, answer, wanted)
        self._lines.setdefault(who, deque()).append(job)
        self._begin()
        try:
            return await answer
        finally:
            if job in self._lines.get(who, ()):  # nobody waits for it any more
                self._lines[who].remove(job)
                self._drop_empty(who)

    def _begin(self) -> None:
        """Let whoever is next begin, as long as there is somebody to work for them."""
        while not self._closed and self.running < self.at_once:
            who = next((each for each in self._lines if self._may_begin(each)), None)
            if who is None:
                return
            work, answer, wanted = self._lines[who].popleft()
            self._lines.move_to_end(who)
            self._drop_empty(who)
            if answer.done() or not wanted():
                if not answer.done():
                    answer.set_exception(Unwanted)
                continue
            self._running[who] += 1
            done = self._workers.submit(work)
            done.add_done_callback(partial(self._end, asyncio.get_running_loop(), who, answer))

    def _may_begin(self, who: str) -> bool:
        return self._running[who] < max(1, self.at_once - 1)

    def _end(
        self, loop: asyncio.AbstractEventLoop, who: str, answer: "asyncio.Future[Any]", done: Any
    ) -> None:
        with suppress(RuntimeError):  # the server has stopped meanwhile
            loop.call_soon_threadsafe(self._tell, who, answer, done)

    def _tell(self, who: str, answer: "asyncio.Future[Any]", done: Any) -> None:
        self._running[who] -= 1
        if not self._running[who]:
            del self._running[who]
        if not answer.done():
            if done.cancelled():
                answer.cancel()
            elif error := done.exception():
                answer.set_exception(error)
            else:
                answer.set_result(done.result())
        self._begin()

    def _drop_empty(self, who: str) -> None:
        if not self._lines[who]:
            del self._lines[who]

    def close(self) -> None:
        self._closed = True
        for line in self._lines.values():
            for _, answer, _ in line:
                answer.cancel()
        self._workers.shutdown(wait=False, cancel_futures=True)
