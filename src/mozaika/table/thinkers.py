"""Threads in which bots think and finished games are looked at, while everybody else is served."""

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from mozaika.kernel import never_waiting

P = ParamSpec("P")
T = TypeVar("T")


class Thinkers:
    """One for each processor, and nobody waits for a compiler."""

    def __init__(self, name: str, most: int | None = None) -> None:
        self._threads = ThreadPoolExecutor(most or os.cpu_count() or 1, thread_name_prefix=name)

    async def ask(self, question: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """What somebody comes to who has time to think."""
        work = self._threads.submit(never_waiting()(question), *arguments, **named)
        return await asyncio.wrap_future(work)

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
