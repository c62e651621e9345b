"""Long work on a cluster of Ray: the same results as here, in the same order. Nothing else imports Ray."""

import os
from collections import deque
from collections.abc import Callable, Generator, Sequence
from time import perf_counter
from typing import Any, TypeVar

SECONDS_OF_A_TASK = 1.0
"""Less is not worth the way: so much work is sent at once that it takes about so long."""
AHEAD = 2
"""So many tasks wait for each processor."""
LOCAL = "local"
PASSED_ON = ("MOZAIKA_CACHE", "PYTHONPATH")

A = TypeVar("A")
T = TypeVar("T")
R = TypeVar("R")


class Cluster:
    """Other machines, or a cluster of this one alone."""

    def __init__(self, address: str) -> None:
        """The address of a cluster as Ray writes it, or `local` for a new one on this machine."""
        try:
            import ray
        except ModuleNotFoundError:
            raise ValueError("--ray needs Ray, which is not installed: pip install 'mozaika[ray]'.") from None
        self._ray: Any = ray
        known = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        here = {"include_dashboard": False} if address == LOCAL else {"address": address}
        try:
            ray.init(logging_level="ERROR", log_to_driver=False, runtime_env={"env_vars": known}, **here)
        except Exception as error:  # noqa: BLE001  of no kind where a node takes too long to start
            raise ValueError(f"There is no cluster of Ray at {address}: {error}") from None
        self.processors = max(1, int(ray.cluster_resources().get("CPU", 1)))

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, *_: object) -> None:
        self._ray.shutdown()

    def map(self, work: Callable[[A, Sequence[T]], list[R]], about: A, items: Sequence[T]) -> Generator[R]:
        """What `work(about, some of the items)` gives for all of them, in their order.

        A task whose machine dies is done by another.
        """
        task, about_it = self._ray.remote(_timed), self._ray.put(about)
        waiting: deque[Any] = deque()
        begun, at_once = 0, 1
        try:
            while begun < len(items) or waiting:
                while begun < len(items) and len(waiting) < AHEAD * self.processors:
                    part = items[begun : begun + at_once]
                    waiting.append(task.remote(work, about_it, part))
                    begun += len(part)
                seconds, found = self._ray.get(waiting.popleft())
                if seconds < SECONDS_OF_A_TASK:
                    at_once = max(at_once, 2 * len(found))
                yield from found
        finally:
            for each in waiting:
                self._ray.cancel(each)


def _timed(work: Callable[[A, Sequence[T]], list[R]], about: A, items: Sequence[T]) -> tuple[float, list[R]]:
    start = perf_counter()
    found = work(about, items)
    return perf_counter() - start, found
