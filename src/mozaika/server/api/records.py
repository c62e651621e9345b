"""Records: a game as a text, and whether its draws were fixed before play."""

from typing import Any

import msgspec
from litestar import Request, Response, get, post

from mozaika.record import Record
from mozaika.server.api.fields import TableId, find_table
from mozaika.server.guard import Limits
from mozaika.server.guests import Guest
from mozaika.server.problems import Problem
from mozaika.store import Header
from mozaika.table.hall import Hall
from mozaika.table.outdated import Outdated
from mozaika.words import later

RECORD_LIMIT = 1 << 20


class Verified(msgspec.Struct):
    ok: bool
    faults: list[str]
    game: str
    moves: int


@get("/api/games/{table:str}/record", summary="The game as a record", media_type="text/plain")
async def see_record(table: TableId, guest: Guest, hall: Hall) -> Response[str]:
    try:
        shared = await find_table(hall, table)
    except Outdated as kept:
        return _send_record(kept.record(), kept.header)
    return _send_record(shared.record_for(guest.id).write(), shared.header)


def _send_record(text: str, header: Header) -> Response[str]:
    name = f'attachment; filename="{header.game}-{header.id}.txt"'
    return Response(text, media_type="text/plain", headers={"Content-Disposition": name})


@post(
    "/api/verify",
    summary="Check a record, sent as plain text",
    status_code=200,
    request_max_body_size=RECORD_LIMIT,
)
async def verify_record(
    request: "Request[Any, Any, Any]", guest: Guest, hall: Hall, limits: Limits
) -> Response[Verified]:
    limits.readings.check(guest)
    try:
        text = (await request.body()).decode("utf-8")
    except UnicodeDecodeError:
        raise Problem(422, later("A record is a text in UTF-8.")) from None
    return Response(await hall.readers.ask(guest.address, _verify, text, guest.lang), cookies=guest.cookies)


def _verify(text: str, lang: str) -> Verified:
    record = Record.read(text, lang)
    faults = record.verify(lang=lang)
    return Verified(not faults, faults, record.game.name, len(record.entries))


HANDLERS = (see_record, verify_record)
