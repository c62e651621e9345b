"""Parting with a game: giving it up, and forgetting it.

Among people the game goes on: a bot takes the seat of whoever gives up, for good. Where nobody else plays,
it ends there. A game is forgotten by one person; when nobody else has a part in it, it is removed.
"""

import time

import msgspec

from mozaika.table.events import RESIGN, Occupant
from mozaika.table.hall import Hall
from mozaika.table.hooks import end_hooks
from mozaika.table.levels import usual_opponent
from mozaika.table.outdated import Damaged, Outdated
from mozaika.table.refusals import NotAllowed, NotNow
from mozaika.table.seating import seat_bot
from mozaika.table.shared import SharedTable
from mozaika.words import Words, later


async def resign(shared: SharedTable, guest: str, words: Words, command: str | None = None) -> int:
    """Give a game up. Returns the seq after it."""

    def make() -> str:
        if not shared.seats_of(guest):
            raise NotAllowed(later("You do not play in this game."))
        if shared.table.is_over:
            raise NotNow(later("The game is over."))
        return msgspec.json.encode(_who_takes_over(shared, guest, words)).decode()

    seq = await shared.announce(RESIGN, make, command=command)
    await end_hooks(shared)
    return seq


def _who_takes_over(shared: SharedTable, guest: str, words: Words) -> dict[int, Occupant]:
    """Bots for the seats of a guest; none where nobody is left to play with them."""
    if not shared.other_guests(guest):
        return {}
    game, seats = shared.table.game, list(shared.seats)
    for seat in (mine := shared.seats_of(guest)):
        seats[seat] = seat_bot(game, usual_opponent(game), seats, words)
    return {seat: seats[seat] for seat in mine}


async def forget(hall: Hall, name: str, guest: str) -> bool:
    """Take a game from a guest's list; what is not there is forgotten. Returns whether it was removed."""
    try:
        shared = await hall.find(name)
    except (Outdated, Damaged):  # who else has a part in it is not known
        return await hall.store.forget(guest, name, alone=False)
    if shared is None:
        return False
    others = shared.other_guests(guest)
    plays_on = shared.seats_of(guest) and not shared.table.is_over and shared.closed is None
    if others and plays_on:
        raise NotNow(later("Others play with you; give the game up first."))
    if shared.header.deal and plays_on:  # first: a table that is gone must not be made anew
        await hall.store.deals.end(name, time.time(), "")
    removed = await hall.store.forget(guest, name, alone=not others)
    if removed:
        hall.drop(shared)
    return removed
