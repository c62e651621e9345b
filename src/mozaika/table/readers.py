"""Reads what people send: beside the event loop, a few texts at a time, and nobody waits for ever.

A thread cannot be stopped. One that takes too long is left alone and keeps its place until it has ended, so
that at most a few of them ever run; what it reads is bounded by its size.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import ParamSpec, TypeVar

from mozaika.words import later

AT_ONCE = 2
MOST_WAITING = 16
SECONDS = 5.0

P = ParamSpec("P")
T = TypeVar("T")


class Overworked(Exception):
    """The readers have no time for this; the message is a sentence."""


class Readers:
    """A few threads with a short queue."""

    def __init__(
        self, at_once: int = AT_ONCE, most_waiting: int = MOST_WAITING, seconds: float = SECONDS
    ) -> None:
        self.most, self.seconds = at_once + most_waiting, seconds
        self.reading = 0
        """How many texts are being read or wait for it, also those that nobody waits for any more."""
        self._threads = ThreadPoolExecutor(at_once, thread_name_prefix="reader")

    async def ask(self, read: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """What a function makes of a text; Overworked if that takes too long or too many have come."""
        if self.reading >= self.most:
            raise Overworked(later("Many people have sent something to be read; try again in a moment."))
        self.reading += 1
        work = self._threads.submit(read, *arguments, **named)
        work.add_done_callback(partial(self._rest, asyncio.get_running_loop()))
        try:
            return await asyncio.wait_for(asyncio.wrap_future(work), self.seconds)
        except TimeoutError:
            raise Overworked(later("It took too long to read this; try again, or send less.")) from None

    def _rest(self, loop: asyncio.AbstractEventLoop, _: object) -> None:
        with suppress(RuntimeError):  # the server has stopped meanwhile
            loop.call_soon_threadsafe(self._free_place)

    def _free_place(self) -> None:
        self.reading -= 1

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
