"""All the tables of one process, and the bots that play at them."""

import asyncio
import logging
import os
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from mozaika import chance
from mozaika.game import Budget, Game, MoveError, Options, State, Thought
from mozaika.kernel import never_waiting, new_random, warmer
from mozaika.store import Store, StoreError, Taken
from mozaika.table import advice
from mozaika.table.caller import Caller
from mozaika.table.commands import Opening, Reused, digest, new_opening
from mozaika.table.levels import adviser
from mozaika.table.outdated import check_rules
from mozaika.table.readers import Readers
from mozaika.table.shared import LINK, REMATCH, NotAllowed, Occupant, SharedTable, Stale, create_game
from mozaika.words import later

MOST_TABLES = 2_000
"""So many tables are kept in memory; the store has them all."""
PATIENCE = 0.5
"""A bot waits so many seconds before it moves, so that people can follow."""

SECONDS_TO_RECOVER = 1.0
"""A bot waits so long for a store that does not answer."""

GLANCE = Budget(milliseconds=300)
"""How long an evaluation takes."""

log = logging.getLogger("mozaika")


class Hall:
    """Opens tables, finds them again, and lets bots take their turns."""

    def __init__(
        self,
        store: Store,
        *,
        patience: float = PATIENCE,
        budget: Budget | None = None,
        caller: Caller | None = None,
        readers: Readers | None = None,
    ) -> None:
        """The hall over a store; with a caller, people can have their turns announced to an address."""
        self.store = store
        self.readers = readers or Readers()
        self.caller = caller
        self.patience = patience
        self.budget = budget
        self.tables: OrderedDict[str, SharedTable] = OrderedDict()
        self._loading: dict[str, asyncio.Task[SharedTable | None]] = {}
        self._thinkers = ThreadPoolExecutor(max_workers=os.cpu_count() or 1, thread_name_prefix="bot")
        self._thinking: dict[tuple[str, int], asyncio.Task[None]] = {}
        self._evaluating = asyncio.Semaphore(1)
        self.moves = self.created = 0

    @property
    def thinking(self) -> int:
        return len(self._thinking)

    async def create(
        self,
        game: str,
        options: Options,
        seats: Sequence[Occupant],
        owner: str,
        *,
        seed: str = "",
        position: str = "",
        hints: bool | None = None,
        opening: Opening | None = None,
    ) -> tuple[SharedTable, str]:
        """Open a new table, or find the one of the same opening. Returns it and the secret of its link."""
        opening = opening or new_opening()
        if known := await self.opened(opening, owner):
            return known, opening.link
        try:
            live, link = await create_game(
                *(self.store, game, options, seats, owner),
                seed=seed,
                position=position,
                hints=hints,
                opening=opening,
            )
        except Taken:  # the same was asked twice at once
            if known := await self.opened(opening, owner):
                return known, opening.link
            raise
        self.created += 1
        live = self._remember(live)
        self.wake_bots(live)
        return live, link

    async def opened(self, opening: Opening, owner: str) -> SharedTable | None:
        """The table that an opening has brought about already; Reused if another was asked for then."""
        live = await self.find(opening.id)
        if live is not None and (live.header.owner, live.header.wish) != (owner, opening.wish):
            raise Reused
        return live

    async def play_again(self, live: SharedTable, guest: str, opening: Opening) -> str:
        """The same people once more, the seats moved on by one. Returns the id of the table, which may be
        one that somebody else has opened for it.
        """
        async with live.creating:
            if not live.rematch:
                options = live.table.game.read_options(live.header.options)
                seats = [*live.seats[1:], live.seats[0]]
                await self.create(
                    *(live.header.game, options, seats, guest), hints=live.header.hints, opening=opening
                )
                for other in live.other_guests(guest):
                    await self.store.admit(other, opening.id)
                await live.announce(REMATCH, f"/t/{opening.id}")
            return live.rematch.removeprefix("/t/")

    async def find(self, name: str) -> SharedTable | None:
        """The table of an id, from memory or from the store; Outdated if it cannot go on."""
        if name in self.tables:
            self.tables.move_to_end(name)
            return self.tables[name]
        if name not in self._loading:
            self._loading[name] = asyncio.create_task(self._load(name))
            self._loading[name].add_done_callback(lambda _: self._loading.pop(name))
        return await asyncio.shield(self._loading[name])

    async def _load(self, name: str) -> SharedTable | None:
        kept = await self.store.load(name)
        if kept is None:
            return None
        check_rules(*kept)
        live = self._remember(SharedTable(*kept, self.store))
        self.wake_bots(live)
        return live

    def _remember(self, live: SharedTable) -> SharedTable:
        """Keep a table in memory; if it has come there meanwhile, that one counts."""
        live = self.tables.setdefault(live.header.id, live)
        warmer.load(live.table.game)
        if len(self.tables) > MOST_TABLES:
            thinking = {name for name, _ in self._thinking}
            idle = [
                name for name, table in self.tables.items() if not table.watchers and name not in thinking
            ]
            for name in idle[: len(self.tables) - MOST_TABLES]:
                del self.tables[name]
        return live

    async def submit(self, live: SharedTable, seat: int, seq: int, command: str, text: str, lang: str) -> int:
        """A person's move, and then the bots'."""
        after = await live.submit(seat, seq, command, text, lang)
        self.moves += 1
        self.wake_bots(live)
        return after

    async def enter(self, live: SharedTable, guest: str, link: str) -> None:
        """Let a guest who has the link sit down."""
        if digest(link) not in live.links:
            raise NotAllowed(later("This link does not open this table."))
        await self.store.admit(guest, live.header.id)

    async def make_link(self, live: SharedTable, link: str, command: str | None = None) -> None:
        """Let a new secret open the table; only its digest is kept."""
        await live.announce(LINK, digest(link), command=command)

    async def is_admitted(self, live: SharedTable, guest: str) -> bool:
        if guest == live.header.owner or live.seats_of(guest):
            return True
        return await self.store.is_admitted(guest, live.header.id)

    def wake_bots(self, live: SharedTable) -> None:
        """Let every bot that is to move think, each once; and call the people whose turn it now is."""
        if self.caller is not None:
            self.caller.call(live)
        for seat, bot in live.bots_to_move():
            key = (live.header.id, seat)
            if key not in self._thinking:
                task = asyncio.create_task(self._play_bot(live, seat, bot))
                self._thinking[key] = task
                task.add_done_callback(partial(self._rest, live, key))

    def _rest(self, live: SharedTable, key: tuple[str, int], task: "asyncio.Task[None]") -> None:
        """A bot has moved. If it failed it is not asked again, so that it cannot fail for ever."""
        self._thinking.pop(key, None)
        if task.cancelled():
            return
        if error := task.exception():
            log.error("a bot failed", exc_info=error)
        else:
            self.wake_bots(live)

    async def _play_bot(self, live: SharedTable, seat: int, bot: str) -> None:
        await asyncio.sleep(self.patience)
        table, seq = live.table, live.seq
        if (seat, bot) not in live.bots_to_move():
            return
        view, game = table.game.hide(table.state, seat), table.game
        random = new_random(chance.luck_of_bot(table.seed, table.ply))
        thought = await self._ask_thinkers(game.bots[bot], game, view, seat, random, self.budget)
        try:
            await live.submit(seat, seq, f"bot-{seat}-{seq}", game.write_move(thought.move))
            self.moves += 1
        except (Stale, MoveError):
            return  # the game went on without it, by an undo or another seat's move; it will be asked again
        except StoreError:
            await asyncio.sleep(SECONDS_TO_RECOVER)

    async def think(self, game: Game, view: State, seat: int) -> Thought:
        """What the adviser would play for a seat that has this view."""
        return await self._ask_thinkers(advice.think, game, adviser(game), view, seat, self.budget)

    async def evaluate(self, live: SharedTable, viewer: int) -> Thought | None:
        """What the adviser expects of a game, from what a viewer knows; None if the game has gone on.

        It is found once for everybody who knows the same.
        """
        if live.evaluations[0] != live.seq:
            live.evaluations = live.seq, {}
        view, found = live.table.game.hide(live.table.state, viewer), live.evaluations[1]
        if (key := view.tobytes()) not in found:
            found[key] = asyncio.create_task(self._evaluate(live, view, viewer))
        return await asyncio.shield(found[key])

    async def _evaluate(self, live: SharedTable, view: State, viewer: int) -> Thought | None:
        """One at a time, so that bots who have to move need not wait."""
        game, seq = live.table.game, live.seq
        async with self._evaluating:
            if live.seq != seq:
                return None
            return await self._ask_thinkers(
                advice.evaluate, game, adviser(game), view, viewer, self.budget or GLANCE
            )

    async def _ask_thinkers(self, question: Callable[..., Thought], *arguments: Any) -> Thought:
        return await asyncio.get_running_loop().run_in_executor(
            self._thinkers, never_waiting()(question), *arguments
        )

    async def close(self) -> None:
        """Stop thinking, and let everybody who watches go."""
        for task in list(self._thinking.values()):
            task.cancel()
        self._thinkers.shutdown(wait=False, cancel_futures=True)
        self.readers.close()
        for live in self.tables.values():
            live.show()
