"""What a guest sees of a table: a moment, or the news as they come."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from time import monotonic
from typing import Annotated, Any

import msgspec
from litestar import Request, Response, get
from litestar.datastructures import State as AppState
from litestar.params import Parameter
from litestar.response import Stream

from mozaika.server.api.fields import Ply, SeatNumber, ShapeName, TableId, find_table
from mozaika.server.guard import Limits, find_short_way
from mozaika.server.guests import Guest
from mozaika.server.news import BEAT, BYE, News, Plain, Zipped, write_presence, write_view
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
    form = Plain()
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        headers["Content-Encoding"], form = "gzip", Zipped()
    bell = Bell(shared, viewer, form, find_short_way(request.scope), app_state.closing)
    written = follow(bell, limits.streaming(guest.address, table))
    return Stream(written, media_type="text/event-stream", headers=headers, cookies=guest.cookies)


class Bell(asyncio.Event):
    """Rings when something may be new, and now and then by itself, so that both sides know of each other.

    What is new goes out as soon as the loop has time, on the short way of the line. Whoever waits for the
    bell is woken only where the line does not take it.
    """

    def __init__(
        self,
        shared: SharedTable,
        viewer: Viewer,
        form: Plain,
        write: Callable[[bytes], bool],
        closing: asyncio.Event,
    ) -> None:
        super().__init__()
        self.shared, self.viewer, self.form, self.write, self.closing = shared, viewer, form, write, closing
        self.is_busy = True
        """Whether something is still to go out before what is new now; at first the head of the answer."""
        self._seen, self._here = -1, shared.who_is_here()
        self._is_ringing = self._is_late = False
        self._begun = monotonic()

    @property
    def is_over(self) -> bool:
        """Whether the server stops, or those who look here have been let go."""
        return self.closing.is_set() or self.shared.watchers.let_go_at > self._begun

    def set(self) -> None:
        if not self._is_ringing:
            self._is_ringing = True
            asyncio.get_running_loop().call_soon(self._ring)

    def _ring(self) -> None:
        self._is_ringing = False
        if self.is_busy or self.is_over or not self.write(b""):
            super().set()
            return
        try:
            news = self.newest()
        except Exception:  # noqa: BLE001  whoever waits meets it, too
            super().set()
        else:
            self.write(self.form.write(news) if news else b"")

    def newest(self) -> News | None:
        """The newest view if there is one; a slow viewer misses those between, never the last.

        One bell rings for everything; what differs from what was sent last says what for.
        """
        shared, viewer = self.shared, self.viewer
        is_other = is_known(shared, viewer.guest) != viewer.admitted
        if is_other:
            viewer = self.viewer = msgspec.structs.replace(viewer, admitted=not viewer.admitted)
        if is_other or self._seen != shared.seq:
            news = write_view(shared, viewer, max(0, self._seen))
            self._seen, self._here = shared.seq, shared.who_is_here()
        elif self._here != shared.who_is_here():
            self._here = shared.who_is_here()
            news = write_presence(self._here)
        elif self._is_late:
            news = BEAT
        else:
            return None
        self._is_late = False
        return news

    def _wait(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(HEARTBEAT, self._beat)

    def _beat(self) -> None:
        self._is_late = True
        self.set()
        self._wait()

    @contextmanager
    def hung(self) -> Iterator[None]:
        """Somebody is there; the bell has just rung."""
        self.set()
        self._wait()
        self.shared.watchers[self] = self.viewer.guest
        self.shared.presence.come(self.viewer.guest)
        try:
            yield
        finally:
            self.is_busy = True
            self._timer.cancel()
            self.shared.watchers.pop(self, None)
            self.shared.presence.go(self.viewer.guest)


async def follow(bell: Bell, counted: AbstractContextManager[None]) -> AsyncGenerator[bytes, None]:
    """What does not go out on the short way: the first view, whatever the line does not take, and the end."""
    with counted, bell.hung():
        while not bell.is_over:
            await bell.wait()
            bell.clear()
            if bell.is_over:
                break
            bell.is_busy = True
            if news := bell.newest():
                yield bell.form.write(news)
            bell.is_busy = False
        yield bell.form.write(BYE) + bell.form.end()


HANDLERS = (see_table, see_walks, see_log, see_letters, watch_table)
