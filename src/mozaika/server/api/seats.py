"""Seats: come to a table, sit down, leave, hand over to a bot and back, have one's turns announced."""

import msgspec
from litestar import Response, post

from mozaika.server.api.fields import Done, Key, SeatNumber, TableId, Text, find_table
from mozaika.server.guests import Guest
from mozaika.store import Hook
from mozaika.table import caller, seating
from mozaika.table.commands import name_command, name_hook_key, name_link
from mozaika.table.hall import Hall
from mozaika.table.seating import Name, SeatChange


class Token(msgspec.Struct, forbid_unknown_fields=True):
    token: Name
    """What comes after #k= in a link; k= is not part of it."""


class Link(msgspec.Struct):
    link: str
    """The page of the table, #k= and a secret: whoever opens it may sit down."""


class HookSet(msgspec.Struct):
    """The key with which calls are signed: HMAC-SHA256 of the timestamp, a full stop and the body."""

    seq: int
    key: str


class HookWish(msgspec.Struct, forbid_unknown_fields=True):
    url: Text
    """Called by POST when it is your turn; empty: no more."""


@post("/api/games/{table:str}/enter", summary="Show the secret of the link", status_code=204)
async def enter_table(table: TableId, data: Token, key: Key, guest: Guest, hall: Hall) -> Response[None]:
    """Who has entered has entered, whatever the key: the second time nothing changes."""
    await seating.enter(await find_table(hall, table, guest), guest.id, data.token)
    return Response(None, status_code=204, cookies=guest.cookies)


@post("/api/games/{table:str}/link", summary="A link that lets people sit down")
async def make_link(table: TableId, key: Key, guest: Guest, hall: Hall) -> Response[Link]:
    shared, link = await find_table(hall, table, guest), name_link(guest.secret, table, key)
    await seating.make_link(shared, guest.id, link, name_command(guest.id, key, "link"))
    return Response(Link(f"{guest.root}/t/{table}#k={link}"), status_code=201, cookies=guest.cookies)


@post("/api/games/{table:str}/revoke", summary="Let no link of before open your table", status_code=200)
async def revoke_links(table: TableId, key: Key, guest: Guest, hall: Hall) -> Response[Done]:
    shared, command = await find_table(hall, table, guest), name_command(guest.id, key, "revoke")
    return Response(Done(await seating.revoke_links(shared, guest.id, command)), cookies=guest.cookies)


@post(
    "/api/games/{table:str}/seats/{seat:int}",
    summary="Sit down, leave, hand over to a bot and back; ask somebody to leave your table",
    status_code=200,
)
async def change_seat(
    table: TableId, seat: SeatNumber, data: SeatChange, key: Key, guest: Guest, hall: Hall
) -> Response[Done]:
    shared, command = await find_table(hall, table, guest), name_command(guest.id, key, "seat", seat, data)
    words = shared.table.game.words(guest.lang)
    seq = await seating.change_seat(shared, seat, data, guest.id, words, command)
    return Response(Done(seq), cookies=guest.cookies)


@post(
    "/api/games/{table:str}/seats/{seat:int}/hook",
    summary="An address to call when it is your turn; an empty one ends it",
    status_code=200,
)
async def set_hook(
    table: TableId, seat: SeatNumber, data: HookWish, key: Key, guest: Guest, hall: Hall
) -> Response[HookSet]:
    shared, command = await find_table(hall, table, guest), name_command(guest.id, key, "hook", seat, data)
    signing = name_hook_key(guest.secret, table, seat)
    seq = await caller.set_hook(hall.caller, shared, Hook(seat - 1, guest.id, data.url, signing), command)
    return Response(HookSet(seq, signing), cookies=guest.cookies)


HANDLERS = (enter_table, make_link, revoke_links, change_seat, set_hook)
