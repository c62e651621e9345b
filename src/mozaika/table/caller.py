"""Calls an address when it is somebody's turn, for people who have asked for it."""

import asyncio
import logging
import re
import urllib.request
from weakref import WeakKeyDictionary

import msgspec

from mozaika.state import CHANCE
from mozaika.table.refusals import BadWish, NotAllowed
from mozaika.table.seating import own_seat
from mozaika.table.shared import HOOK, SharedTable
from mozaika.words import later

SECONDS = 5.0
log = logging.getLogger("mozaika")


class Caller:
    """Posts a few words as JSON, once for each turn. It never waits, and a failure is only noted."""

    def __init__(self, origin: str) -> None:
        """The origin is what stands before the path of a table: `https://mozaika.example`."""
        self.origin = origin
        self._called: WeakKeyDictionary[SharedTable, set[int]] = WeakKeyDictionary()
        self._calls: set[asyncio.Task[None]] = set()

    def call(self, shared: SharedTable) -> None:
        """Call everybody whose turn has come since the last time."""
        turns = {seat for seat in shared.table.movers if seat != CHANCE}
        for seat in turns - self._called.get(shared, set()):
            if address := shared.hooks.get(seat):
                body = {
                    "text": f"{shared.table.game.name}: {shared.seats[seat].name}, it is your turn.",
                    "url": f"{self.origin}/t/{shared.header.id}",
                    "game": shared.table.game.id,
                    "seat": seat + 1,
                }
                task = asyncio.create_task(self._post(address, msgspec.json.encode(body)))
                self._calls.add(task)
                task.add_done_callback(self._calls.discard)
        self._called[shared] = turns

    async def _post(self, address: str, body: bytes) -> None:
        request = urllib.request.Request(address, body, {"Content-Type": "application/json"})  # noqa: S310
        try:
            await asyncio.to_thread(_send, request)
        except (OSError, ValueError) as error:
            log.warning("a turn could not be announced: %s", error)


async def set_hook(
    caller: Caller | None, shared: SharedTable, guest: str, number: int, address: str, command: str
) -> int:
    """Note what to call when it is the turn of a guest's seat, counted from 1. Returns the seq after it."""
    seat = own_seat(shared, guest, number)
    if caller is None:
        raise NotAllowed(later("This server does not call other addresses."))
    if address and not re.fullmatch(r"https?://[^\s]+", address):
        raise BadWish(later("An address begins with http:// or https://."))
    return await shared.announce(HOOK, address, seat, command)


def _send(request: urllib.request.Request) -> None:
    with urllib.request.urlopen(request, timeout=SECONDS):  # noqa: S310  the scheme was checked
        pass
