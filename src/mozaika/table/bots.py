"""The bots at the tables of a hall: each thinks when it is to move, and uses the same door as people."""

import asyncio
import logging
from functools import partial

import msgspec

from mozaika import chance
from mozaika.moves import MoveError
from mozaika.state import CHANCE
from mozaika.store import StoreError
from mozaika.table.engaged import find_engaged
from mozaika.table.events import Occupant
from mozaika.table.jobs import new_job
from mozaika.table.levels import usual_opponent
from mozaika.table.pool import Overworked
from mozaika.table.refusals import Stale
from mozaika.table.seating import seat_bot
from mozaika.table.shared import SharedTable
from mozaika.table.thinkers import Helpless, Thinkers
from mozaika.thought import Budget, Thought
from mozaika.words import Words

PATIENCE = 0.2
"""A bot waits so many seconds before it moves: pages show one move after the other anyway."""

SHARE_WITHIN_A_TURN = 0.2
"""Of its patience, what a bot has before it goes on with its turn."""
SECONDS_FOR_OTHERS = 2.0
"""So long a bot waits besides where another process has brought about its turn."""
SECONDS_TO_RECOVER = 1.0
"""A bot waits so long for a store that does not answer, or where others have too much to think about."""
SECONDS_AFTER_FAILURE = 60.0
"""A position that nobody could think about is asked again so much later: a worker may have been to blame."""

log = logging.getLogger("mozaika")


class Bots:
    """Those who have to move, at any table."""

    def __init__(self, thinkers: Thinkers, patience: float, budget: Budget | None) -> None:
        self.thinkers, self.patience, self.budget = thinkers, patience, budget
        self._thinking: dict[tuple[str, int], asyncio.Task[None]] = {}

    @property
    def thinking(self) -> int:
        """How many think now."""
        return len(self._thinking)

    def tables(self) -> set[str]:
        """The ids of the tables at which one is thinking."""
        return {name for name, _ in self._thinking}

    def wake(self, shared: SharedTable) -> None:
        """Let every bot that is to move think, each once; bots alone only while somebody looks."""
        to_move = shared.bots_to_move()
        if not to_move or shared.waits_for_a_look:
            return
        for seat, bot in to_move:
            key = (shared.header.id, seat)
            if key not in self._thinking:
                task = asyncio.create_task(self._play(shared, seat, bot))
                self._thinking[key] = task
                task.add_done_callback(partial(self._rest, shared, key))

    def _rest(self, shared: SharedTable, key: tuple[str, int], task: "asyncio.Task[None]") -> None:
        """A bot has moved. If it failed it is not asked again, so that it cannot fail for ever."""
        self._thinking.pop(key, None)
        if task.cancelled():
            return
        if error := task.exception():
            log.error("a bot failed", exc_info=error)
        else:
            self.wake(shared)

    def patience_of(self, shared: SharedTable, seat: int) -> float:
        """The seconds a bot waits: a turn of several moves among others is waited for once."""
        moved = next((entry.seat for entry in reversed(shared.table.entries) if entry.seat != CHANCE), CHANCE)
        goes_on = len(shared.seats) > 1 and moved == seat
        return self.patience * (SHARE_WITHIN_A_TURN if goes_on else 1.0)

    async def _play(self, shared: SharedTable, seat: int, bot: str) -> None:
        seq = -1
        while seq != shared.seq:  # where another process leads the game, it also sees to the bots, if it can
            seq = shared.seq
            await asyncio.sleep(self.patience_of(shared, seat) + SECONDS_FOR_OTHERS * shared.led_elsewhere)
            if not shared.led_elsewhere:
                break
        table, seq = shared.table, shared.seq
        if (seat, bot) not in shared.bots_to_move():
            return
        game = table.game
        try:
            thought = await self._think(shared, seat, bot)
            if thought is not None:
                await shared.submit(seat, seq, f"bot-{seat}-{seq}", game.write_move(thought.move))
        except (Stale, MoveError):
            return  # the game went on without it, by an undo or another seat's move; it will be asked again
        except Helpless:
            await asyncio.sleep(SECONDS_AFTER_FAILURE)
        except (StoreError, Overworked):
            await asyncio.sleep(SECONDS_TO_RECOVER)

    async def _think(self, shared: SharedTable, seat: int, bot: str) -> Thought | None:
        """What a bot comes to; None if nobody wants to know, or somebody else has its seat now."""
        table, who = shared.table, shared.address or shared.header.owner
        view, luck = table.game.hide(table.state, seat), chance.luck_of_bot(shared.draws.seed(), table.ply)
        if bot in table.game.bots:
            job = new_job("move", table.game, bot, view, seat, self.budget, luck)
            return await self.thinkers.think(who, job, urgent=bool(shared.company.guests))
        try:
            return await find_engaged(table.game, bot).think(who, view, seat, luck)
        except Overworked:
            raise
        except Exception as error:  # noqa: BLE001  whatever a bot of somebody's own does, the game goes on
            log.warning("%s is replaced at the table %s: %s", bot, shared.header.id, error)
            await self._replace(shared, seat, bot)
            return None

    async def _replace(self, shared: SharedTable, seat: int, bot: str) -> None:
        """Give the seat of a bot that has failed to one of the game's."""
        game = shared.table.game

        def change(sitting: Occupant) -> Occupant:
            if sitting.bot != bot:
                return sitting
            new = seat_bot(game, usual_opponent(game), shared.seats, Words())
            name = sitting.name if sitting.guest else new.name
            return msgspec.structs.replace(new, name=name, guest=sitting.guest, instead=bot)

        await shared.sit(seat, change)

    def close(self) -> None:
        """Stop thinking."""
        for task in list(self._thinking.values()):
            task.cancel()
