"""Jobs that PostgreSQL keeps until some process has time for them: claimed, leased, and answered once.

Who asks for the same gets the same answer. The table may be emptied by a crash: whoever waits asks again.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from mozaika.store import StoreError
from mozaika.store import statements as sql

if TYPE_CHECKING:  # it needs what only PostgreSQL needs
    from mozaika.store.bus import Bus

SECONDS_OF_A_LEASE = 3.0
"""Who has not said for so long that a job is being done does not do it any more."""
MOST_TRIES = 3
MOST_OF_ONE = 32
SECONDS_OF_A_THOUGHT = 120.0
"""Who has not done a job after so long never will."""
SECONDS_BETWEEN_LOOKS = 1.0
SECONDS_TO_WAIT = 30.0
SECONDS_KEPT = 60
"""So long an answer stays for others who ask for the same, and a failure."""
SECONDS_UNCLAIMED = 600
"""After so long nobody waits for a job any more; or they ask again."""
ASKED, DONE = "job", "done"
DIED, ENDLESS = "whoever tried it has died of it", "it does not end"
DEADLY = DIED, ENDLESS
"""Why a job has failed that nobody should try again."""

log = logging.getLogger("mozaika")


class LineFull(Exception):
    """Too much of one person waits already, or nobody had time."""


class JobFailed(Exception):
    """Whoever did it could not; the message says why."""


class Claimed(NamedTuple):
    """A job that is ours for a while."""

    key: str
    what: bytes


class Queue:
    """Both ends of it: those who ask, and those who work."""

    def __init__(self, do: Callable[[Callable[[Any], Awaitable[Any]]], Awaitable[Any]], bus: "Bus") -> None:
        """How something is done with a connection; and how others hear of it."""
        self._do, self.bus = do, bus
        self._asked: dict[str, set[asyncio.Future[bytes]]] = {}
        self._answered: set[str] = set()
        self._looking: asyncio.Task[None] | None = None
        self._woken = asyncio.Event()
        bus.listen(ASKED, lambda _: self._woken.set())
        bus.listen(DONE, self._hear_done)
        bus.listen_again(self._woken.set)

    async def ask(self, key: str, what: bytes, who: str, *, urgent: bool) -> bytes:
        """The answer of whoever has time; LineFull if there is none, JobFailed if nobody can."""
        answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._asked.setdefault(key, set()).add(answer)
        last = time.monotonic() + SECONDS_TO_WAIT
        try:
            await self._put(key, what, who, urgent)
            while not answer.done():
                await asyncio.wait([answer], timeout=SECONDS_BETWEEN_LOOKS)
                if time.monotonic() > last and not answer.done():
                    raise LineFull
                if not answer.done():
                    with suppress(StoreError):
                        await self._put(key, what, who, urgent)
            return answer.result()
        finally:
            self._asked[key].discard(answer)
            if not self._asked[key]:
                del self._asked[key]

    async def _put(self, key: str, what: bytes, who: str, urgent: bool) -> None:
        """Keep a job if it is new; else look whether it is done."""
        if await self._do(lambda db: db.fetchval(sql.PUT_JOB, key, what, who, urgent, MOST_OF_ONE)):
            self._woken.set()
            self.bus.tell(ASKED, "")
        elif not await self._look({key}):
            raise LineFull

    async def _look(self, keys: set[str]) -> int:
        """Tell those who wait of answers. Returns how many of these jobs there are."""
        rows = await self._do(lambda db: db.fetch(sql.LOOK_AT_JOBS, list(keys)))
        for key, is_done, answer, failure in rows:
            if is_done:
                self._tell(key, answer, failure)
        return len(rows)

    def _tell(self, key: str, answer: bytes | None, failure: str | None) -> None:
        for waiting in self._asked.get(key, ()):
            if not waiting.done():
                if answer is not None:
                    waiting.set_result(answer)
                else:
                    waiting.set_exception(JobFailed(failure))

    def _hear_done(self, key: str) -> None:
        if key in self._asked:
            self._answered.add(key)
            if self._looking is None or self._looking.done():
                self._looking = asyncio.create_task(self._look_at_all())

    async def _look_at_all(self) -> None:
        with suppress(StoreError):  # whoever waits looks again
            while self._answered:
                keys, self._answered = self._answered, set()
                await self._look(keys)

    async def claim(self, worker: str, most: int) -> list[Claimed]:
        """So many jobs at most that nobody does: the urgent ones first, and people take turns."""
        rows = await self._do(
            lambda db: db.fetch(sql.CLAIM_JOBS, worker, SECONDS_OF_A_LEASE, most, MOST_TRIES)
        )
        return [Claimed(*row) for row in rows]

    async def renew(self, worker: str, keys: list[str]) -> None:
        """These jobs a worker is still doing. What nobody has survived fails; what is old goes."""
        await self._do(lambda db: db.execute(sql.RENEW_JOBS, worker, SECONDS_OF_A_LEASE, keys))
        await self._do(lambda db: db.execute(sql.FAIL_JOBS, MOST_TRIES, DIED))
        await self._do(lambda db: db.execute(sql.FORGET_JOBS, SECONDS_KEPT, SECONDS_UNCLAIMED))

    async def reject(self, key: str) -> None:
        """An answer was none: whoever asks next gets another."""
        await self._do(lambda db: db.execute(sql.REJECT_JOB, key))

    async def give_back(self, worker: str) -> None:
        """What a worker has not done others may do now."""
        await self._do(lambda db: db.execute(sql.GIVE_BACK_JOBS, worker))
        self.bus.tell(ASKED, "")

    async def finish(self, key: str, answer: bytes | None, failure: str | None = None) -> None:
        """Let whoever waits have the answer, or know why there is none."""
        await self._do(lambda db: db.execute(sql.FINISH_JOB, key, answer, failure))
        self._tell(key, answer, failure)
        self.bus.tell(DONE, key)

    async def wait(self) -> bool:
        """Until something may be to do: whether somebody has said so, or it is only time to look again."""
        with suppress(TimeoutError):
            async with asyncio.timeout(SECONDS_BETWEEN_LOOKS):
                await self._woken.wait()
        woken = self._woken.is_set()
        self._woken.clear()
        return woken

    def wake(self) -> None:
        """There may be time for another job."""
        self._woken.set()
