"""What a guest sees of a table: a moment, or the news as they come."""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from contextlib import AbstractContextManager, contextmanager
from time import monotonic
from typing import Annotated, Any

import msgspec
from litestar import Request, Response, get
from litestar.datastructures import State as AppState
from litestar.params import Parameter
from litestar.response import Stream

from mozaika.server.api.fields import Ply, SeatNumber, ShapeName, TableId, find_table
from mozaika.server.guard import Limits
from mozaika.server.guests import Guest
from mozaika.server.news import BEAT, BYE, News, write_plain, write_presence, write_view, write_zipped
from mozaika.server.views import View, Viewer, build_view, find_walks, tell_log, write_letters
from mozaika.server.walks import Ways
from mozaika.table.hall import Hall
from mozaika.table.refusals import Stale
from mozaika.table.seating import is_admitted, is_known, own_seat
from mozaika.table.shared import SharedTable
from mozaika.table.telling import LogLine

HEARTBEAT = 15.0


async def _viewer(hall: Hall, shared: SharedTable, guest: Guest, shape: ShapeName) -> Viewer:
    admitted = await is_admitted(shared, guest.id)
    return Viewer(guest.id, admitted, guest.lang, shape, hall.caller is not None, guest.root)


@get("/api/games/{table:str}/view", summary="What you see of a table, now or at a ply")
async def see_table(
    table: TableId,
    guest: Guest,
    hall: Hall,
    shape: ShapeName = "wide",
    ply: Ply = None,
) -> Response[View]:
    shared = await find_table(hall, table, guest)
    hall.look(shared, guest.address, plays=bool(shared.seats_of(guest.id)))
    view = build_view(shared, await _viewer(hall, shared, guest, shape), ply)
    return Response(view, cookies=guest.cookies)


@get("/api/games/{table:str}/walks", summary="How your walks go on from some spots")
async def see_walks(
    table: TableId,
    guest: Guest,
    hall: Hall,
    seq: Annotated[int, Parameter(ge=0, le=1 << 40)],
    seat: SeatNumber,
    spots: Annotated[str, Parameter(max_length=400, description="Names of spots, with commas.")],
    shape: ShapeName = "wide",
) -> Response[Ways]:
    shared = await find_table(hall, table, guest)
    own = own_seat(shared, guest.id, seat)
    if not shared.is_fresh(own, seq):
        raise Stale(shared.seq)
    viewer = await _viewer(hall, shared, guest, shape)
    ways = find_walks(shared, own, tuple(spots.split(",")), viewer)
    return Response(ways, cookies=guest.cookies)


@get("/api/games/{table:str}/log", summary="What happened at a table, from one ply up to another")
async def see_log(
    table: TableId,
    guest: Guest,
    hall: Hall,
    since: Annotated[int, Parameter(ge=0, le=100_000)] = 0,
    until: Annotated[int, Parameter(ge=0, le=100_000)] = 100_000,
) -> Response[list[LogLine]]:
    shared = await find_table(hall, table, guest)
    lines = tell_log(shared, await _viewer(hall, shared, guest, "wide"), since, until)
    return Response(lines, cookies=guest.cookies)


@get("/api/games/{table:str}/letters", summary="What you see of a table, in letters", media_type="text/plain")
async def see_letters(table: TableId, guest: Guest, hall: Hall, ply: Ply = None) -> Response[str]:
    shared = await find_table(hall, table, guest)
    text = write_letters(shared, await _viewer(hall, shared, guest, "wide"), ply)
    return Response(text, media_type="text/plain", cookies=guest.cookies)


@get(
    "/api/games/{table:str}/events",
    summary="News of a table as server-sent events",
    media_type="text/event-stream",
)
async def watch_table(
    request: "Request[Any, Any, Any]",
    table: TableId,
    guest: Guest,
    hall: Hall,
    app_state: AppState,
    limits: Limits,
    shape: ShapeName = "wide",
) -> Stream:
    shared = await find_table(hall, table, guest)
    viewer = await _viewer(hall, shared, guest, shape)
    sits = bool(shared.seats_of(guest.id))
    limits.check_stream(guest, table, sits=sits)
    hall.look(shared, guest.address, plays=sits)
    headers = {"X-Accel-Buffering": "no", "Vary": "Accept-Encoding"}
    zipped = "gzip" in request.headers.get("Accept-Encoding", "")
    if zipped:
        headers["Content-Encoding"] = "gzip"
    news = _follow(shared, viewer, app_state.closing, limits.streaming(guest.address, table))
    written = write_zipped(news) if zipped else write_plain(news)
    return Stream(written, media_type="text/event-stream", headers=headers, cookies=guest.cookies)


class _Bell(asyncio.Event):
    """Rings when something may be new, and now and then by itself, so that both sides know of each other."""

    def __init__(self) -> None:
        super().__init__()
        self.is_late = False
        self._wait()

    def _wait(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(HEARTBEAT, self._beat)

    def _beat(self) -> None:
        self.is_late = True
        self.set()
        self._wait()

    def stop(self) -> None:
        self._timer.cancel()


async def _follow(
    shared: SharedTable, viewer: Viewer, closing: asyncio.Event, counted: AbstractContextManager[None]
) -> AsyncGenerator[News, None]:
    """The newest view whenever there is one; a slow viewer misses those between, never the last.

    One bell rings for everything; what differs from what was sent last says what for.
    """
    with counted, _look_on(shared, viewer.guest) as bell:
        seen, here, begun = -1, shared.who_is_here(), monotonic()
        while not closing.is_set():
            await bell.wait()
            bell.clear()
            if closing.is_set() or shared.let_go_at > begun:
                break
            is_other = is_known(shared, viewer.guest) != viewer.admitted
            if is_other:
                viewer = msgspec.structs.replace(viewer, admitted=not viewer.admitted)
            if is_other or seen != shared.seq:
                news = write_view(shared, viewer, max(0, seen))
                seen, here = shared.seq, shared.who_is_here()
            elif here != shared.who_is_here():
                here = shared.who_is_here()
                news = write_presence(here)
            elif bell.is_late:
                news = BEAT
            else:
                continue
            bell.is_late = False
            yield news
        yield BYE


@contextmanager
def _look_on(shared: SharedTable, guest: str) -> Iterator[_Bell]:
    """Somebody is there, and has a bell, which has just rung."""
    bell = _Bell()
    bell.set()
    shared.watchers[bell] = guest
    shared.presence.come(guest)
    try:
        yield bell
    finally:
        bell.stop()
        shared.watchers.pop(bell, None)
        shared.presence.go(guest)


HANDLERS = (see_table, see_walks, see_log, see_letters, watch_table)
