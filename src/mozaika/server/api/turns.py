"""Turns for programs that play: an event when a seat of theirs is to move, with all that a move needs."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AbstractContextManager, suppress
from time import monotonic
from typing import Any

import msgspec
from litestar import get
from litestar.datastructures import State as AppState
from litestar.response import Stream

from mozaika.server.api.fields import TableId, find_table
from mozaika.server.guard import Limits
from mozaika.server.guests import Guest
from mozaika.table.hall import Hall
from mozaika.table.shared import SharedTable
from mozaika.table.turns import seats_to_move, tell_end, tell_turn

HEARTBEAT = 15.0


@get(
    "/api/games/{table:str}/turns",
    summary="Your turns as server-sent events: the position and the legal moves",
    media_type="text/event-stream",
)
async def await_turns(
    table: TableId, guest: Guest, hall: Hall, app_state: AppState, limits: Limits
) -> Stream:
    """Events are `turn`, `over`, and `beat` where nothing happens. The stream ends with the game."""
    shared = await find_table(hall, table, guest)
    sits = bool(shared.seats_of(guest.id))
    limits.check_stream(guest, table, sits=sits)
    hall.look(shared, guest.address, plays=sits)
    news = _follow(shared, guest.id, app_state.closing, limits.streaming(guest.address, table))
    headers = {"X-Accel-Buffering": "no"}
    return Stream(news, media_type="text/event-stream", headers=headers, cookies=guest.cookies)


async def _follow(
    shared: SharedTable, guest: str, closing: asyncio.Event, counted: AbstractContextManager[None]
) -> AsyncGenerator[bytes, None]:
    """A turn is told once for each moment of the table; after a reconnection again."""
    bell, told, begun = asyncio.Event(), -1, monotonic()
    with counted:
        shared.watchers[bell] = guest
        shared.presence.come(guest)
        try:
            while not closing.is_set() and shared.watchers.let_go_at <= begun:
                seq, state = shared.seq, shared.table.state
                if told != seq:
                    told = seq
                    for seat in seats_to_move(shared, guest):
                        view = shared.table.game.hide(state, seat)
                        turn = await asyncio.to_thread(tell_turn, shared.table.game, view, seat, seq)
                        yield _event("turn", turn)
                    if shared.table.is_over:
                        yield _event("over", tell_end(shared))
                        return
                    continue
                bell.clear()
                with suppress(TimeoutError):
                    await asyncio.wait_for(bell.wait(), HEARTBEAT)
                    continue
                yield _event("beat", {})
        finally:
            shared.watchers.pop(bell, None)
            shared.presence.go(guest)


def _event(kind: str, data: Any) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (kind.encode(), msgspec.json.encode(data))


HANDLERS = (await_turns,)
