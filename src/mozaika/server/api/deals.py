"""Deals: challenge others with a game, play what others have played, and the deals of the days."""

import time
from typing import Annotated

import msgspec
from litestar import Response, get, post
from litestar.params import Parameter

from mozaika.games import GAMES
from mozaika.server.api.fields import DealId, Key, TableId, find_table
from mozaika.server.deals import Days, DealView, view_days, view_deal
from mozaika.server.guard import Limits
from mozaika.server.guests import Guest
from mozaika.table import attempts
from mozaika.table.commands import name_deal, name_opening
from mozaika.table.deals import find_deal, list_days
from mozaika.table.hall import Hall
from mozaika.table.seating import Name
from mozaika.words import Words

MOST_DAYS = 30


class Challenge(msgspec.Struct):
    """A deal to send to others."""

    id: str
    url: str


class AttemptWish(msgspec.Struct, forbid_unknown_fields=True):
    """Under which name somebody plays a deal."""

    name: Name = ""
    """How you are called in the list of results."""


class Attempt(msgspec.Struct):
    """The table at which you play a deal; the one of before, if you have not ended it."""

    id: str
    url: str


@post("/api/games/{table:str}/challenge", summary="Let others play the same draws against the same bots")
async def challenge(
    table: TableId, key: Key, guest: Guest, hall: Hall, limits: Limits
) -> Response[Challenge]:
    """A game makes one deal, whatever the key: the second time nothing changes."""
    limits.openings.check(guest)
    shared = await find_table(hall, table, guest)
    name = await attempts.challenge(hall, shared, guest.id, name_deal(guest.secret, table), guest.address)
    return Response(Challenge(name, f"{guest.root}/deal/{name}"), status_code=201, cookies=guest.cookies)


@get("/api/deals/{deal:str}", summary="A deal, and its results if you have played it")
async def see_deal(deal: DealId, guest: Guest, hall: Hall) -> Response[DealView]:
    return Response(await view_deal(hall, deal, guest), cookies=guest.cookies)


@post("/api/deals/{deal:str}/attempts", summary="Sit down to a deal, or go on with it")
async def begin_attempt(
    deal: DealId, data: AttemptWish, key: Key, guest: Guest, hall: Hall, limits: Limits
) -> Response[Attempt]:
    limits.openings.check(guest)
    opening = name_opening(guest.secret, f"{key} at {deal}", data)
    game = GAMES.get((await find_deal(hall.store, deal)).about.game)
    words = game.words(guest.lang) if game else Words(guest.lang)
    table = await attempts.begin(hall, deal, guest.id, data.name, opening, guest.address, words)
    return Response(Attempt(table, f"{guest.root}/t/{table}"), status_code=201, cookies=guest.cookies)


@get("/api/daily", summary="The deals of the days: what is fixed, what is played, what was")
async def see_days(
    guest: Guest, hall: Hall, back: Annotated[int, Parameter(ge=0, le=MOST_DAYS)] = MOST_DAYS
) -> Response[Days]:
    deals = await list_days(hall.store, back, time.time())
    return Response(await view_days(hall, deals, guest), cookies=guest.cookies)


HANDLERS = (challenge, see_deal, begin_attempt, see_days)
