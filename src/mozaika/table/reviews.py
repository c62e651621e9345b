"""Reviews of finished games: each is made once for everybody, in slices, so that all have their turn."""

import asyncio
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress
from time import perf_counter

from mozaika.kernel import warmer
from mozaika.record import Record
from mozaika.reviewing import Review, Reviewer
from mozaika.table.refusals import NotNow
from mozaika.table.secrets import record_for
from mozaika.table.shared import SharedTable
from mozaika.table.thinkers import Thinkers
from mozaika.words import later

MOST_KEPT = 200
SECONDS_OF_A_SLICE = 0.4
SECONDS_TO_WAIT = 2.0
"""So long an answer waits for the first curve."""
SECONDS_TO_COMPILE = 0.3


class Going:
    """A review that is being made, and what is known of it."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.known: Review | None = None
        self.has_curve = asyncio.Event()
        self.task: asyncio.Task[None] | None = None


class Reviews:
    """Of all tables of a hall."""

    def __init__(self) -> None:
        self._thinkers = Thinkers("review", 1)
        self._going: OrderedDict[tuple[str, int], Going] = OrderedDict()

    async def find(self, shared: SharedTable, guest: str, address: str) -> tuple[Record, Review | None]:
        """The record of a finished game and as much of its review as is known after a moment."""
        if not shared.table.is_over:
            raise NotNow(later("A game can be reviewed when it is over."))
        key = (shared.header.id, shared.entry_seqs[-1] if shared.entry_seqs else 0)
        going = self._going.get(key)
        if going is None or going.task is None or _has_failed(going.task):
            going = self._going[key] = Going(record_for(shared, guest))
            going.task = asyncio.create_task(self._make(going, address))
        self._going.move_to_end(key)
        while len(self._going) > MOST_KEPT:
            _, oldest = self._going.popitem(last=False)
            if oldest.task is not None:
                oldest.task.cancel()
        await self._wait(going)
        return going.record, going.known

    async def _wait(self, going: Going) -> None:
        waiting = asyncio.create_task(going.has_curve.wait())
        try:
            tasks = [waiting] if going.task is None else [waiting, going.task]
            await asyncio.wait(tasks, timeout=SECONDS_TO_WAIT, return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()
        if going.task is not None and _has_failed(going.task):
            going.task.result()

    async def _make(self, going: Going, address: str) -> None:
        game = going.record.game
        warmer.load(game)
        while not warmer.is_warm(game):
            await asyncio.sleep(SECONDS_TO_COMPILE)
        reviewer = await self._thinkers.ask(address, Reviewer, going.record)
        steps = reviewer.run()
        while going.known is None or going.known.done < reviewer.steps:
            going.known = await self._thinkers.ask(address, _go_on, reviewer, steps)
            if len(going.known.curve) >= len(reviewer.turns):
                going.has_curve.set()

    def close(self) -> None:
        for going in self._going.values():
            if going.task is not None:
                going.task.cancel()
        self._thinkers.close()


def _go_on(reviewer: Reviewer, steps: Iterator[int]) -> Review:
    until = perf_counter() + SECONDS_OF_A_SLICE
    with suppress(StopIteration):
        while perf_counter() < until:
            next(steps)
    return reviewer.result()


def _has_failed(task: "asyncio.Task[None]") -> bool:
    return task.done() and (task.cancelled() or task.exception() is not None)
