"""How long people are waited for who are asked to have a part in the draws."""

import asyncio
import logging
from typing import NamedTuple

from mozaika.store import StoreError
from mozaika.table.refusals import Stale
from mozaika.table.shared import SharedTable

SECONDS = 5.0
"""So long a browser has for each answer, if nobody says otherwise."""
MOST_ROUNDS = 6
"""So many times as long somebody is waited for who has not come to the table yet."""
SECONDS_TO_RECOVER = 1.0

log = logging.getLogger("mozaika")


class _Wait(NamedTuple):
    """What a table waits for, and the guests who were not at the table yet when the waiting began."""

    what: tuple[int, str]
    timer: asyncio.TimerHandle
    absent: frozenset[str]
    rounds: int


class Deadlines:
    """Of all tables of a hall. After a restart the time begins anew."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._waits: dict[str, _Wait] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def watch(self, shared: SharedTable) -> None:
        """Something has happened at a table: wait for what it waits for now."""
        name, known = shared.header.id, self._waits.get(shared.header.id)
        what = _awaited(shared)
        if known is not None and known.what == what:
            return
        if known is not None:
            known.timer.cancel()
            del self._waits[name]
        if what is not None:
            self._arm(shared, what, 1)

    def _arm(self, shared: SharedTable, what: tuple[int, str], rounds: int) -> None:
        seconds = self.seconds if what[0] else SECONDS_TO_RECOVER
        timer = asyncio.get_running_loop().call_later(seconds, self._ring, shared)
        absent = frozenset(each for each in shared.draws.missing() if not _has_come(shared, each))
        self._waits[shared.header.id] = _Wait(what, timer, absent, rounds)

    def _ring(self, shared: SharedTable) -> None:
        what, _, absent, rounds = self._waits.pop(shared.header.id)
        if what[0] and rounds < MOST_ROUNDS and shared.draws.missing() & absent:
            self._arm(shared, what, rounds + 1)
            return
        task = asyncio.create_task(self._go_on(shared, what))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _go_on(self, shared: SharedTable, what: tuple[int, str]) -> None:
        try:
            await (shared.time_out(*what) if what[0] else shared.go_on())
        except (Stale, StoreError):
            log.warning("the draws of a table could not be settled")
        self.watch(shared)

    def close(self) -> None:
        for wait in self._waits.values():
            wait.timer.cancel()
        for task in self._tasks:
            task.cancel()


def _awaited(shared: SharedTable) -> tuple[int, str] | None:
    """The stage of an epoch at which people are waited for; 0 if the table itself has something to do."""
    if shared.due() is not None:
        return 0, ""
    epoch, ended = shared.draws.pending, shared.table.is_over or shared.closed is not None
    return (epoch.number, epoch.stage) if epoch is not None and not ended else None


def _has_come(shared: SharedTable, guest: str) -> bool:
    """Whether a guest looks at a table or has done something there; who is in a rematch may not yet."""
    return guest in shared.presence or any(name.startswith(f"{guest[:8]}-") for name in shared.commands)
