"""All the tables of one process. The hall watches them: whatever happens at one, its bots get to move."""

import asyncio
import logging
import time
from asyncio import sleep
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from datetime import date
from functools import partial
from typing import Any

from mozaika.kernel import warmer
from mozaika.store import Event, Store, StoreError, Taken
from mozaika.table.bots import PATIENCE, Bots
from mozaika.table.caller import Caller
from mozaika.table.commands import Opening, Reused, new_opening
from mozaika.table.deadlines import SECONDS, Deadlines
from mozaika.table.deals import day_of, note_end, prepare_days
from mozaika.table.elsewhere import Elsewhere
from mozaika.table.events import MOVE, SIT
from mozaika.table.mind import Mind
from mozaika.table.outdated import Damaged, Outdated, check_rules
from mozaika.table.plan import Plan, create_game
from mozaika.table.questions import Questions
from mozaika.table.readers import Readers
from mozaika.table.reviews import Reviews
from mozaika.table.shared import SharedTable
from mozaika.table.thinkers import Thinkers, threads_here
from mozaika.table.worker import Worker
from mozaika.thought import Budget

MOST_TABLES = 2_000
"""So many tables are kept in memory; the store has them all."""
MOST_RESUMED, BETWEEN_RESUMED, SHARE_OF_RESUMED = 200, 0.02, 0.2
"""So many games are looked at after a start, with so many seconds between them for whoever asks meanwhile,
and never for more of the time than this: everybody comes back just then.
"""
BETWEEN_LOOKS = 1.0
"""Seconds after which it is noticed what an operator has done beside the server."""
MOST_BESIDE = 2
SECONDS_UNSURE = 3.0
"""Whoever follows a table is let go if the store has not answered for so long."""
BETWEEN_VISITS = 86_400.0
"""That somebody looks at a table is noted once in so many seconds."""


log = logging.getLogger("mozaika")


class Hall:
    """Opens tables, finds them again, and sees to it that bots and people learn of their turns."""

    def __init__(
        self,
        store: Store,
        *,
        patience: float = PATIENCE,
        budget: Budget | None = None,
        caller: Caller | None = None,
        readers: Readers | None = None,
        answer_seconds: float = SECONDS,
        thinks: bool = True,
        mind: Mind | None = None,
    ) -> None:
        """The hall over a store; with a caller, people can have their turns announced to an address.

        Where the store has a queue and this process does not think, others do. What it thinks is thought in
        its mind, else in threads. People have so many seconds
        to answer when they are asked to have a part in the draws; 0: nobody is.
        """
        self.store = store
        self.readers = readers or Readers()
        self.caller = caller
        self.tables: OrderedDict[str, SharedTable] = OrderedDict()
        self._loading: dict[str, asyncio.Task[SharedTable | None]] = {}
        self.deadlines = Deadlines(answer_seconds)
        self.elsewhere = Elsewhere(store, self.tables)
        self._mind = mind
        self._thinkers = Thinkers("bot", queue=store.queue, mind=mind)
        self._worker = Worker(store.queue, threads_here(), mind) if store.queue and thinks else None
        self.bots = Bots(self._thinkers, patience, budget)
        self.questions = Questions(self._thinkers, budget, mind)
        self.reviews = Reviews(store, mind)
        self.moves = self.created = 0
        self._works: set[asyncio.Task[None]] = set()
        self._subjects: Counter[str] = Counter()
        self._prepared: date | None = None

    @property
    def is_asking(self) -> bool:
        """Whether people are asked to have a part in the draws."""
        return self.deadlines.seconds > 0

    async def create(self, plan: Plan, opening: Opening | None = None) -> tuple[SharedTable, str]:
        """Open a new table, or find the one of the same opening. Returns it and the secret of its link."""
        opening = opening or new_opening()
        if known := await self.opened(opening, plan.owner):
            return known, opening.link
        try:
            shared, link = await create_game(self.store, plan, opening, asking=self.is_asking)
        except Taken:  # the same was asked twice at once
            if known := await self.opened(opening, plan.owner):
                return known, opening.link
            raise
        self.created += shared.header.counts
        return self.take_in(shared), link

    async def opened(self, opening: Opening, owner: str) -> SharedTable | None:
        """The table that an opening has brought about already; Reused if another was asked for then."""
        shared = await self.find(opening.id)
        if shared is not None and (shared.header.owner, shared.header.wish) != (owner, opening.wish):
            raise Reused
        return shared

    async def find(self, name: str) -> SharedTable | None:
        """The table of an id, from memory or from the store; Outdated if it cannot go on."""
        if shared := self.tables.get(name):
            self.tables.move_to_end(name)
            return shared if self._is_sure(shared) or await self._follow(shared) else None
        if name not in self._loading:
            self._loading[name] = asyncio.create_task(self._load(name))
            self._loading[name].add_done_callback(lambda _: self._loading.pop(name))
        return await asyncio.shield(self._loading[name])

    async def _load(self, name: str) -> SharedTable | None:
        shared = await self._read(name)
        if shared is None:
            return None
        await shared.find_hooks()
        shared.led_elsewhere = self.store.is_shared
        return self.take_in(shared)

    async def _read(self, name: str) -> SharedTable | None:
        """A table as the store has it; Outdated or Damaged if it cannot go on."""
        before = time.monotonic()
        try:
            kept = await self.store.load(name)
            if kept is None:
                return None
            header, events, seeds = *kept, await self.store.seeds(name)
            check_rules(header, events, seeds)
            shared = SharedTable(header, events, self.store, seeds, asking=self.is_asking)
        except (Outdated, StoreError):
            raise
        except Exception as error:
            log.exception("the game %s cannot be read", name)
            raise Damaged(name) from error
        shared.sure_at = before
        return shared

    async def resume(self) -> None:
        """After a start: bots who were to move go on, though nobody looks yet."""
        with suppress(StoreError):
            took = 0.0
            for name in await self.store.resumable(MOST_RESUMED):
                await sleep(max(BETWEEN_RESUMED, took / SHARE_OF_RESUMED - took))
                begun = time.monotonic()
                with suppress(Outdated, Damaged):
                    shared = None if name in self.tables else await self._read(name)
                    if shared is not None and shared.bots_to_move() and not shared.waits_for_a_look:
                        await shared.find_hooks()
                        self.take_in(shared)
                took = time.monotonic() - begun

    def take_in(self, shared: SharedTable) -> SharedTable:
        """Keep a table in memory and watch it; if it has come there meanwhile, that one counts."""
        if known := self.tables.get(shared.header.id):
            return known
        self.tables[shared.header.id] = shared
        warmer.load(shared.table.game)
        self._thinkers.prepare(shared.table.game)
        self._forget_idle_tables()
        shared.listeners.append(self._notice)
        self.elsewhere.begin(shared)
        self._notice(shared, ())
        return shared

    def look(self, shared: SharedTable, address: str, *, plays: bool) -> None:
        """Somebody looks at a table: bots who play among themselves go on, for whoever plays there."""
        shared.looked = time.monotonic()
        if plays or not shared.address:
            shared.address = address
        self.bots.wake(shared)

    def drop(self, shared: SharedTable) -> None:
        """A table is no longer in the store: nobody plays there, and whoever looks is let go."""
        shared.closed, shared.resigned = "", True
        self.tables.pop(shared.header.id, None)
        shared.show()

    def _forget_idle_tables(self) -> None:
        if len(self.tables) > MOST_TABLES:
            busy = self.bots.tables()
            idle = [name for name, table in self.tables.items() if not table.watchers and name not in busy]
            for name in idle[: len(self.tables) - MOST_TABLES]:
                del self.tables[name]

    def _notice(self, shared: SharedTable, events: Sequence[Event]) -> None:
        """Something has happened at a table: call the people whose turn it now is, and wake the bots."""
        self.moves += shared.header.counts and sum(event.kind == MOVE for event in events)
        self.deadlines.watch(shared)
        if shared.header.deal and (shared.table.is_over or shared.closed is not None):
            self._beside(partial(note_end, shared), f"end of {shared.header.id}")
        if any(event.kind == SIT for event in events):
            self.elsewhere.tell(shared)
        if self.caller is not None:
            self.caller.call(shared)
        self.bots.wake(shared)

    async def keep_up(self) -> None:
        """For as long as the hall is open: note who looks, and adopt what other processes have changed."""
        looked = 0.0
        if self._worker is not None:
            self._worker.start()
        while True:
            with suppress(StoreError):
                changed = await self.store.changes(BETWEEN_LOOKS)
                if changed is None:
                    self._beside(self.catch_up)
                elif changed:
                    self._hear_of(changed)
                if time.monotonic() - looked >= BETWEEN_LOOKS:
                    looked = time.monotonic()
                    self._beside(self.note_visits)
                    self._beside(self.prepare, "deals of days")
                    if self.store.is_shared:
                        self.elsewhere.go_on()
                        self._beside(self.catch_up)

    def _hear_of(self, changed: set[str]) -> None:
        """Tables at which somebody looks go on at once, the others when somebody asks for them."""
        for shared in [self.tables[name] for name in changed & self.tables.keys()]:
            shared.sure_at = float("-inf")
            if shared.watchers:
                self._beside(partial(self._follow, shared), shared.header.id)

    def _beside(self, work: Callable[[], Awaitable[Any]], subject: str = "") -> None:
        """Do something while hints are heard: where the store does not answer for one table, others go on.

        Two of a subject are enough, for the second sees all that has happened before it begins.
        """
        if self._subjects[subject] >= MOST_BESIDE:
            return
        self._subjects[subject] += 1
        task = asyncio.create_task(self._forgive(work, subject))
        self._works.add(task)
        task.add_done_callback(self._works.discard)

    async def _forgive(self, work: Callable[[], Awaitable[Any]], subject: str) -> None:
        try:
            with suppress(StoreError, TimeoutError):  # it is looked at again in a second
                await work()
        finally:
            self._subjects[subject] -= 1
            if not self._subjects[subject]:
                del self._subjects[subject]

    def _is_sure(self, shared: SharedTable) -> bool:
        """Whether a table in memory is as the store has it, but for what happened in the last second."""
        return not self.store.is_shared or time.monotonic() - shared.sure_at < BETWEEN_LOOKS

    async def _follow(self, shared: SharedTable) -> bool:
        """Adopt what other processes have kept; False if the game is there no more."""
        is_there = await shared.catch_up()
        if not is_there:
            self.tables.pop(shared.header.id, None)
            shared.show()
        return is_there

    async def prepare(self) -> None:
        """Once a day: fix the deals of the days to come."""
        now = time.time()
        if self._prepared != (today := day_of(now)):
            await prepare_days(self.store, now)
            self._prepared = today

    async def note_visits(self) -> None:
        """Let the store know of tables that somebody looks at, once a day."""
        now = time.time()
        for shared in list(self.tables.values()):
            if shared.watchers and now - shared.visited > BETWEEN_VISITS:
                shared.visited = now
                await self.store.visit(shared.header.id)

    async def catch_up(self) -> None:
        """Whatever was kept or removed by another process has happened here, too; where several processes
        serve the same games, at the tables at which somebody looks.
        """
        now, tables = time.monotonic(), list(self.tables.values())
        looked_at = [shared for shared in tables if shared.watchers or not self.store.is_shared]
        try:
            async with asyncio.timeout(SECONDS_UNSURE):
                behind = await self.store.behind({shared.header.id: shared.seq for shared in looked_at})
        except (StoreError, TimeoutError):
            self._let_go(looked_at)
            raise
        for shared in looked_at:
            if shared.header.id not in behind:
                shared.sure_at = max(shared.sure_at, now)
        await asyncio.gather(*(self._follow(shared) for shared in looked_at if shared.header.id in behind))

    def _let_go(self, tables: Iterable[SharedTable]) -> None:
        """The games may have gone on at other processes, which can show it."""
        oldest = time.monotonic() - SECONDS_UNSURE
        for shared in tables:
            if self.store.is_shared and max(shared.sure_at, shared.watchers.let_go_at) < oldest:
                shared.watchers.let_go()

    async def close(self) -> None:
        """Stop thinking, and let everybody who watches go."""
        for task in self._works:
            task.cancel()
        self.deadlines.close()
        self.bots.close()
        if self.caller is not None:
            self.caller.close()
        self.questions.close()
        self.reviews.close()
        self._thinkers.close()
        if self._worker is not None:
            await self._worker.stop()
        if self._mind is not None:
            await self._mind.end()
        self.readers.close()
        for shared in self.tables.values():
            shared.show()
