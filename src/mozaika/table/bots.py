"""The bots at the tables of a hall: each thinks when it is to move, and uses the same door as people."""

import asyncio
import logging
from functools import partial

from mozaika.moves import MoveError
from mozaika.store import StoreError
from mozaika.table.jobs import new_job
from mozaika.table.pool import Overworked
from mozaika.table.refusals import Stale
from mozaika.table.shared import SharedTable
from mozaika.table.thinkers import Helpless, Thinkers
from mozaika.thought import Budget

PATIENCE = 0.2
"""A bot waits so many seconds before it moves: pages show one move after the other anyway."""

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
        if shared.waits_for_a_look:
            return
        for seat, bot in shared.bots_to_move():
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

    async def _play(self, shared: SharedTable, seat: int, bot: str) -> None:
        seq = -1
        while seq != shared.seq:  # where another process leads the game, it also sees to the bots, if it can
            seq = shared.seq
            await asyncio.sleep(self.patience + SECONDS_FOR_OTHERS * shared.led_elsewhere)
            if not shared.led_elsewhere:
                break
        table, seq = shared.table, shared.seq
        if (seat, bot) not in shared.bots_to_move():
            return
        view, game = table.game.hide(table.state, seat), table.game
        job = new_job("move", game, bot, view, seat, self.budget, shared.luck_of_bot())
        who, urgent = shared.address or shared.header.owner, bool(shared.company.guests)
        try:
            thought = await self.thinkers.think(who, job, urgent=urgent)
            if thought is not None:
                await shared.submit(seat, seq, f"bot-{seat}-{seq}", game.write_move(thought.move))
        except (Stale, MoveError):
            return  # the game went on without it, by an undo or another seat's move; it will be asked again
        except Helpless:
            await asyncio.sleep(SECONDS_AFTER_FAILURE)
        except (StoreError, Overworked):
            await asyncio.sleep(SECONDS_TO_RECOVER)

    def close(self) -> None:
        """Stop thinking."""
        for task in list(self._thinking.values()):
            task.cancel()
