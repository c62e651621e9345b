"""What the requests of several subjects have in common: their fields, and how a table is found."""

from typing import Annotated, Literal

import msgspec
from litestar.params import HeaderParameter, Parameter

from mozaika.game import Game
from mozaika.games import GAMES
from mozaika.server.guests import Guest
from mozaika.server.problems import Problem
from mozaika.table.attempts import check_seen
from mozaika.table.hall import Hall
from mozaika.table.shared import SharedTable
from mozaika.words import later

Text = Annotated[str, msgspec.Meta(max_length=200)]
Seq = Annotated[int, msgspec.Meta(ge=0, le=1 << 40)]
LONGEST_TABLE = 24
TableId = Annotated[str, Parameter(max_length=LONGEST_TABLE, description="The id of a table.")]
SeatNumber = Annotated[int, Parameter(ge=1, le=15, description="A seat, counted from 1.")]
ShapeName = Literal["wide", "tall"]
Ply = Annotated[int | None, Parameter(ge=0, le=100_000)]
DealId = Annotated[str, Parameter(max_length=60, description="The id of a deal.")]
KEY_NAME, KEY_LENGTHS = "Idempotency-Key", range(8, 65)
Key = Annotated[
    str,
    HeaderParameter(
        name=KEY_NAME,
        min_length=KEY_LENGTHS[0],
        max_length=KEY_LENGTHS[-1],
        description="Sent twice, it is done once; a new change needs a new key.",
    ),
]


class SeqWish(msgspec.Struct, forbid_unknown_fields=True):
    seq: Seq
    """How much had happened at the table when you decided: that of the turn, or of a view. Else 409."""


class Done(msgspec.Struct):
    seq: int
    """How much has happened at the table now."""
    asked: bool = False
    """Whether others were asked first."""


async def find_table(hall: Hall, table: str, guest: Guest) -> SharedTable:
    """A table that a guest may look at: not at others' games of a deal that they have still to play."""
    shared = await hall.find(table)
    if shared is None:
        raise Problem(404, later("There is no such table."))
    if shared.deal:
        await check_seen(shared, guest.id)
    return shared


def shelf_game(name: str) -> Game:
    """The game of an address."""
    if name not in GAMES:
        raise Problem(404, later("There is no such game on the shelf."))
    return GAMES[name]
