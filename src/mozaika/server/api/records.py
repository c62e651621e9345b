"""Records: a game as a text, and whether its draws were fixed before play."""

from typing import Annotated, Any

import msgspec
from litestar import Request, Response, get, post
from litestar.params import Parameter

from mozaika.server.api.fields import TableId, find_table
from mozaika.server.guard import Limits
from mozaika.server.guests import Guest
from mozaika.server.problems import Problem
from mozaika.store import Header
from mozaika.table.beside import beside
from mozaika.table.hall import Hall
from mozaika.table.outdated import Outdated
from mozaika.table.secrets import record_for
from mozaika.table.told import Verified, keep_told, prove_told, read_told
from mozaika.words import later

RECORD_LIMIT = 1 << 20


class KeptRecord(msgspec.Struct):
    """The table that a record has become: nobody plays there, and everybody who has its address can look."""

    id: str
    url: str
    review: str
    """Where its review is."""


@get("/api/games/{table:str}/record", summary="The game as a record", media_type="text/plain")
async def see_record(table: TableId, guest: Guest, hall: Hall) -> Response[str]:
    try:
        shared = await find_table(hall, table, guest)
    except Outdated as kept:
        return _send_record(kept.record(), kept.header)
    return _send_record(record_for(shared, guest.id).write(), shared.header)


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
    request: "Request[Any, Any, Any]",
    guest: Guest,
    hall: Hall,
    limits: Limits,
    commitment: Annotated[str, Parameter(max_length=80, description="What was published before play.")] = "",
) -> Response[Verified]:
    limits.readings.check(guest)
    text = await _read_text(request)
    found = await hall.readers.ask(guest.address, beside, prove_told, text, commitment, guest.lang)
    return Response(found, cookies=guest.cookies)


@post(
    "/api/records",
    summary="Keep a record, sent as plain text, as a table of its own; the same record is the same table",
    request_max_body_size=RECORD_LIMIT,
)
async def keep_record(
    request: "Request[Any, Any, Any]", guest: Guest, hall: Hall, limits: Limits
) -> Response[KeptRecord]:
    limits.openings.check(guest)
    text = await _read_text(request)
    header, events = await hall.readers.ask(guest.address, beside, read_told, text, guest.lang)
    name = await keep_told(hall.store, header, events, guest.id)
    url = f"{guest.root}/t/{name}"
    return Response(KeptRecord(name, url, f"{url}/review"), status_code=201, cookies=guest.cookies)


async def _read_text(request: "Request[Any, Any, Any]") -> str:
    try:
        return (await request.body()).decode("utf-8")
    except UnicodeDecodeError:
        raise Problem(422, later("A record is a text in UTF-8.")) from None


HANDLERS = (see_record, verify_record, keep_record)
