"""What guests ask about a game: a hint, an evaluation, why a move is refused, what would have been possible.

Who may ask, and through whose eyes the answer is found: nobody learns what they may not know.
"""

import asyncio
from collections.abc import Sequence
from concurrent.futures import Executor
from typing import Any, NamedTuple

from mozaika.game import Game
from mozaika.sentence import Hindsight
from mozaika.state import CHANCE, WATCHER, State, seats_in
from mozaika.table.jobs import new_job
from mozaika.table.levels import adviser
from mozaika.table.refusals import NotAllowed, NotNow, Stale
from mozaika.table.seating import own_seat
from mozaika.table.shared import SharedTable
from mozaika.table.thinkers import Thinkers
from mozaika.thought import Budget, Thought
from mozaika.words import Words, later

GLANCE = Budget(milliseconds=300)
"""How long an evaluation takes."""


class Hint(NamedTuple):
    """What a bot thinks for a seat, and the view it thought about."""

    seat: int
    bot: str
    view: State
    thought: Thought


class Reason(NamedTuple):
    """Why a move cannot be made, and the id of the rule; nothing if it can."""

    sentence: str | None = None
    rule: str | None = None


class Questions:
    """Answers what is asked at the tables of a hall."""

    def __init__(self, thinkers: Thinkers, budget: Budget | None, mind: Executor | None = None) -> None:
        self.thinkers, self.budget = thinkers, budget
        # one at a time each, so that bots who have to move need not wait
        self._evaluators = Thinkers("evaluation", 1, thinkers.queue, mind)
        self._historians = Thinkers("hindsight", 1, mind=mind)

    async def give_hint(
        self, shared: SharedTable, guest: str, number: int, seq: int, address: str = ""
    ) -> Hint:
        """What the adviser would play on a guest's seat, counted from 1."""
        seat = own_seat(shared, guest, number)
        _check_hints(shared)
        _check_fresh(shared, seat, seq)
        if seat not in shared.table.movers:
            raise NotNow(later("It is not your turn."))
        await _note_help(shared)
        game = shared.table.game
        bot, view = adviser(game), game.hide(shared.table.state, seat)
        thought = await self.thinkers.think(address, new_job("hint", game, bot, view, seat, self.budget))
        _check_fresh(shared, seat, seq)
        if thought is None:
            raise Stale(shared.seq)
        return Hint(seat, bot, view, thought)

    async def evaluate(
        self, shared: SharedTable, guest: str, seq: int, ply: int | None = None, address: str = ""
    ) -> Thought:
        """What the adviser expects of a game now or expected at a ply, from what a guest knew.

        It is found once for everybody who knows the same.
        """
        table, game = shared.table, shared.table.game
        past = ply is not None and ply < table.ply
        _check_hints(shared, over=past)
        if seq != shared.seq and not past:
            raise Stale(shared.seq)
        state = table.state_at(ply) if ply is not None and past else table.state
        if CHANCE in seats_in(game.movers(state)):
            raise NotNow(later("Nothing can be said before something has been drawn."))
        await _note_help(shared)
        viewer, now = _evaluator(shared, guest, table.ply if ply is None else ply), shared.seq
        if shared.evaluations[0] != now:
            shared.evaluations = now, {}
        view, found = game.hide(state, viewer), shared.evaluations[1]
        if (key := view.tobytes()) not in found or _has_failed(found[key]):
            budget = self.budget or GLANCE
            job = new_job("evaluation", game, adviser(game), view, viewer, budget)
            asked = self._evaluators.think(address, job, urgent=False, wanted=lambda: shared.seq == now)
            found[key] = asyncio.create_task(asked)
        if (thought := await asyncio.shield(found[key])) is None:
            raise Stale(shared.seq)
        return thought

    async def hindsight(self, shared: SharedTable, address: str = "") -> list[Hindsight]:
        """What would have been possible in a finished game, found once for everybody."""
        table = shared.table
        if table.game.hindsight is None or not table.is_over:
            raise NotNow(later("What would have been possible is known only after some games."))
        if shared.hindsight is None or _has_failed(shared.hindsight):
            asked = self._historians.ask(
                address, table.game, find_hindsight, table.game, table.state_at(0), table.entries
            )
            shared.hindsight = asyncio.create_task(asked)
        return await asyncio.shield(shared.hindsight)

    def close(self) -> None:
        self._evaluators.close()
        self._historians.close()


def find_hindsight(game: Game, start: State, entries: Sequence[tuple[int, int]]) -> list[Hindsight]:
    """What would have been possible, which some games can tell."""
    return game.hindsight(start, entries) if game.hindsight is not None else []


def explain_move(
    shared: SharedTable, guest: str, number: int, move: str, spots: Sequence[str], words: Words
) -> Reason:
    """Why a guest cannot make a move on a seat, counted from 1: a text, or a walk over spots."""
    game, seat = shared.table.game, number - 1
    if seat not in shared.seats_of(guest):
        seat = WATCHER
    view = game.hide(shared.table.state, seat)
    try:
        meant = game.move_along(view, seat, tuple(spots)) if spots else game.parse_move(move)
    except ValueError:
        return Reason(words.say("There is no such move."))
    if seat != WATCHER and meant in game.legal_moves(view, seat):
        return Reason()
    return Reason(*game.refuse(view, seat, meant, words))


def _has_failed(task: "asyncio.Task[Any]") -> bool:
    return task.done() and (task.cancelled() or task.exception() is not None)


def _check_hints(shared: SharedTable, *, over: bool = False) -> None:
    """Whether anybody may ask what is good at this table now; or also when the game is over."""
    if not shared.gives_hints:
        raise NotAllowed(
            later("There are no hints at this table, because other people play or its owner wants none.")
        )
    if shared.table.is_over and not over:
        raise NotNow(later("The game is over."))


async def _note_help(shared: SharedTable) -> None:
    """Whoever makes a challenge of this game has not played it without help."""
    if not shared.helped and shared.header.counts and not shared.table.is_over and not shared.is_among_people:
        await shared.store.deals.note_help(shared.header.id)
        shared.helped = True


def _check_fresh(shared: SharedTable, seat: int, seq: int) -> None:
    if not shared.is_fresh(seat, seq):
        raise Stale(shared.seq)


def _evaluator(shared: SharedTable, guest: str, ply: int) -> int:
    """Through whose eyes a guest sees a moment evaluated: several on one screen have secrets."""
    mine = shared.eyes_of(guest, ply)
    return mine[0] if len(mine) == 1 else WATCHER
