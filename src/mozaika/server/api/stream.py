"""What a guest sees of a table: a moment, or the news as they come."""

import asyncio
import zlib
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated, Any

import msgspec
from litestar import Request, Response, get
from litestar.datastructures import State as AppState
from litestar.params import Parameter
from litestar.response import Stream

from mozaika.server.api.fields import Ply, SeatNumber, ShapeName, TableId, find_table
from mozaika.server.guard import Limits
from mozaika.server.guests import Guest
from mozaika.server.views import View, Viewer, build_view, find_walks, tell_log, write_letters
from mozaika.server.walks import Ways
from mozaika.table.hall import Hall
from mozaika.table.refusals import Stale
from mozaika.table.seating import is_admitted, own_seat
from mozaika.table.shared import LogLine, SharedTable

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
    shared = await find_table(hall, table)
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
    shared = await find_table(hall, table)
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
    shared = await find_table(hall, table)
    lines = tell_log(shared, await _viewer(hall, shared, guest, "wide"), since, until)
    return Response(lines, cookies=guest.cookies)


@get("/api/games/{table:str}/letters", summary="What you see of a table, in letters", media_type="text/plain")
async def see_letters(table: TableId, guest: Guest, hall: Hall, ply: Ply = None) -> Response[str]:
    shared = await find_table(hall, table)
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
    shared = await find_table(hall, table)
    viewer = await _viewer(hall, shared, guest, shape)
    sits = bool(shared.seats_of(guest.id))
    limits.check_stream(guest, len(shared.watchers), sits=sits)
    hall.look(shared, guest.address, plays=sits)
    headers = {"X-Accel-Buffering": "no", "Vary": "Accept-Encoding"}
    news = _count(_tell_news(hall, shared, viewer, app_state.closing), limits, guest.address)
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        headers["Content-Encoding"] = "gzip"
        news = _zip(news)
    return Stream(news, media_type="text/event-stream", headers=headers, cookies=guest.cookies)


async def _count(
    news: AsyncGenerator[bytes, None], limits: Limits, address: str
) -> AsyncGenerator[bytes, None]:
    with limits.streaming(address):
        async with aclosing(news):
            async for each in news:
                yield each


async def _zip(news: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    """Each piece of news compressed and sent at once; the small window keeps a stream small."""
    zipper = zlib.compressobj(1, zlib.DEFLATED, 16 + 12, 5)
    async with aclosing(news):
        async for each in news:
            yield zipper.compress(each) + zipper.flush(zlib.Z_SYNC_FLUSH)
    yield zipper.flush()


async def _tell_news(
    hall: Hall, shared: SharedTable, viewer: Viewer, closing: asyncio.Event
) -> AsyncGenerator[bytes, None]:
    """The newest view whenever there is one; a slow viewer misses those between, never the last."""
    changed = asyncio.Event()
    changed.set()
    shared.watchers.add(changed)
    shared.online[viewer.guest] = shared.online.get(viewer.guest, 0) + 1
    shared.show()
    seen = 0
    try:
        while not closing.is_set():
            try:
                await asyncio.wait_for(changed.wait(), HEARTBEAT)
            except TimeoutError:
                yield b"event: beat\ndata: {}\n\n"
                continue
            if closing.is_set():
                break
            changed.clear()
            viewer = msgspec.structs.replace(viewer, admitted=await is_admitted(shared, viewer.guest))
            view = build_view(shared, viewer, seen=seen)
            seen = view.seq
            yield b"event: view\nid: %d\ndata: %s\n\n" % (view.seq, msgspec.json.encode(view))
        yield b"event: bye\ndata: {}\n\n"
    finally:
        shared.watchers.discard(changed)
        shared.online[viewer.guest] -= 1
        if not shared.online[viewer.guest]:
            del shared.online[viewer.guest]
        shared.show()


HANDLERS = (see_table, see_walks, see_log, see_letters, watch_table)
