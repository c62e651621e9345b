"""Draws: how a browser or a program of a player has a part in them."""

from typing import Annotated

import msgspec
from litestar import Response, post

from mozaika.server.api.fields import Done, Key, TableId, find_table
from mozaika.server.guests import Guest
from mozaika.table.commands import name_command
from mozaika.table.hall import Hall

Digits = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
EpochNumber = Annotated[int, msgspec.Meta(ge=1, le=1 << 20)]


class PledgeWish(msgspec.Struct, forbid_unknown_fields=True):
    epoch: EpochNumber
    """Which stretch of the game, counted from 1."""
    pledge: Digits
    """A digest of the contribution, in hexadecimal digits."""


class ContributionWish(msgspec.Struct, forbid_unknown_fields=True):
    epoch: EpochNumber
    """Which stretch of the game, counted from 1."""
    contribution: Digits
    """Your number, in hexadecimal digits."""


@post(
    "/api/games/{table:str}/draws/pledge",
    summary="Fix your contribution to the next draws without showing it",
    status_code=200,
)
async def pledge(table: TableId, data: PledgeWish, key: Key, guest: Guest, hall: Hall) -> Response[Done]:
    shared, command = await find_table(hall, table, guest), name_command(guest.id, key, "pledge", data)
    seq = await shared.pledge(guest.id, data.epoch, data.pledge, command)
    return Response(Done(seq), cookies=guest.cookies)


@post(
    "/api/games/{table:str}/draws/contribution",
    summary="Show your contribution to the next draws, once everybody has pledged",
    status_code=200,
)
async def contribute(
    table: TableId, data: ContributionWish, key: Key, guest: Guest, hall: Hall
) -> Response[Done]:
    shared, command = await find_table(hall, table, guest), name_command(guest.id, key, "contribution", data)
    seq = await shared.contribute(guest.id, data.epoch, data.contribution, command)
    return Response(Done(seq), cookies=guest.cookies)


HANDLERS = (pledge, contribute)
