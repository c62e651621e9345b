"""Reviews of finished games: each is thought once for everybody, in small steps of low priority, and kept.

What is known is in the store from time to time, so whoever goes on after a restart, or in another process,
goes on from there.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import suppress
from hashlib import sha256
from time import monotonic
from typing import Any, TypeVar

import msgspec

from mozaika.game import Game
from mozaika.kernel import never_waiting
from mozaika.record import Record
from mozaika.reviewing import Review, Reviewer
from mozaika.reviewing.calibration import calibration_of
from mozaika.reviewing.steps import METHOD, Going, Step, read_over
from mozaika.store import KeptReview, Store, StoreError
from mozaika.table.pool import Overworked
from mozaika.table.refusals import NotNow
from mozaika.table.secrets import record_for
from mozaika.table.shared import SharedTable
from mozaika.table.thinkers import Helpless, Thinkers
from mozaika.words import later

Answer = TypeVar("Answer")

MOST_IN_MEMORY = 200
STEPS_AT_ONCE = 2
SECONDS_TO_WAIT = 2.0
"""So long an answer waits for the first curve."""
SECONDS_BETWEEN_KEEPS = 5.0
SECONDS_TO_RECOVER = 1.0


class _Asked:
    """A review that somebody wants, and what is known of it."""

    def __init__(self, record: Record, of: str) -> None:
        self.record, self.of = record, of
        self.going: Going | None = None
        self.whole: Review | None = None
        self.has_curve = asyncio.Event()
        self.task: asyncio.Task[None] | None = None

    @property
    def has_failed(self) -> bool:
        task = self.task
        return task is None or (task.done() and (task.cancelled() or task.exception() is not None))

    def known(self) -> Review | None:
        if self.whole is None and self.going is not None:
            return self.going.result()
        return self.whole


class Reviews:
    """Of all tables of a hall."""

    def __init__(self, store: Store, mind: Executor | None = None) -> None:
        self.store = store
        self._thinkers = Thinkers("review", 1, store.queue, mind)
        self._asked: OrderedDict[str, _Asked] = OrderedDict()

    async def find(self, shared: SharedTable, guest: str, address: str) -> tuple[Record, Review | None]:
        """The record of a game that is over, or was told, and what is known of its review after a moment."""
        if not shared.table.is_over and not shared.header.told:
            raise NotNow(later("A game can be reviewed when it is over."))
        name, of = shared.header.id, _what(shared)
        asked = self._asked.get(name)
        if asked is None or asked.of != of or asked.has_failed:
            asked = self._asked[name] = _Asked(record_for(shared, guest), of)
            asked.task = asyncio.create_task(self._make(name, asked, address))
        self._asked.move_to_end(name)
        while len(self._asked) > MOST_IN_MEMORY:
            _, oldest = self._asked.popitem(last=False)
            if oldest.task is not None:
                oldest.task.cancel()
        await _wait_for_curve(asked)
        return asked.record, asked.known()

    async def _make(self, name: str, asked: _Asked, address: str) -> None:
        try:
            known = await self._look_up(name, asked.of)
            if known is not None and known.done == known.steps:
                asked.whole = known
                return
            record = asked.record
            text, states = await self._thinkers.ask(address, record.game, read_over, record)
            with never_waiting():
                reviewer = Reviewer(record, states=list(states))
            going = asked.going = Going(reviewer, text, known=known)
            await self._go_on(name, asked, going, address)
            asked.whole, asked.going = going.result(), None
            await self._keep(name, asked.of, asked.whole)
        finally:
            asked.has_curve.set()

    async def _look_up(self, name: str, of: str) -> Review | None:
        with suppress(StoreError, msgspec.MsgspecError):
            kept = await self.store.review(name)
            if kept is not None and kept.of == of:
                return msgspec.json.decode(kept.text, type=Review)
        return None

    async def _go_on(self, name: str, asked: _Asked, going: Going, address: str) -> None:
        """Take all steps that are left, a few at a time and in their order."""
        left, kept = iter(list(going.left)), monotonic()

        async def work() -> None:
            nonlocal kept
            for step in left:
                await self._take(going, step, address)
                if going.has_curve:
                    asked.has_curve.set()
                if monotonic() - kept > SECONDS_BETWEEN_KEEPS:
                    kept = monotonic()
                    await self._keep(name, asked.of, going.result())

        async with asyncio.TaskGroup() as group:
            for _ in range(STEPS_AT_ONCE):
                group.create_task(work())

    async def _take(self, going: Going, step: Step, address: str) -> None:
        while True:
            try:
                going.add(step, await self._thinkers.review(address, step, going.believes))
            except Helpless:
                raise
            except (Overworked, StoreError):  # others go first
                await asyncio.sleep(SECONDS_TO_RECOVER)
            else:
                return

    async def _keep(self, name: str, of: str, review: Review) -> None:
        text = msgspec.json.encode(review).decode()
        with suppress(StoreError):  # it can be thought again
            await self.store.keep_review(name, KeptReview(of, text, review.done == review.steps))

    async def ask(self, address: str, game: Game, question: Callable[..., Answer], *given: Any) -> Answer:
        """Let the judge look at something else, in turn with the reviews."""
        return await self._thinkers.ask(address, game, question, *given)

    def close(self) -> None:
        for asked in self._asked.values():
            if asked.task is not None:
                asked.task.cancel()
        self._thinkers.close()


async def _wait_for_curve(asked: _Asked) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(SECONDS_TO_WAIT):
            await asked.has_curve.wait()
    if asked.task is not None and asked.task.done() and asked.has_failed:
        asked.task.result()


def _what(shared: SharedTable) -> str:
    """Of which moves a review is, and by whom: of anything else it would be worth nothing."""
    calibration = calibration_of(shared.table.game, len(shared.seats))
    last = shared.entry_seqs[-1] if shared.entry_seqs else 0
    about = msgspec.json.encode([METHOD, last, shared.table.ply, calibration])
    return sha256(about).hexdigest()[:32]
