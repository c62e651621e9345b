"""Moves that are taken back: alone where nothing hangs on them, else when everybody agrees."""

from typing import NamedTuple

from mozaika.kernel import swift_game
from mozaika.state import CHANCE, copy_of, seats_in
from mozaika.store import Event
from mozaika.table.events import AGREE, ASK, REFUSE, UNDO
from mozaika.table.refusals import NotAllowed, NotNow
from mozaika.table.shared import SharedTable
from mozaika.words import later

FINAL = later("A game that has ended among people is final; you can play on from any moment at a new table.")
SAME_FOR_ALL = later(
    "Others play the same deal: nothing is taken back once somebody has answered or something was drawn."
)
NOBODY_TO_ASK = later("A seat is free; this can be taken back when somebody sits there and agrees.")


class LastMove(NamedTuple):
    """The last move of a guest, and whether it may be taken back without asking."""

    seat: int
    ply: int
    free: bool


def last_move(shared: SharedTable, guest: str) -> LastMove | None:
    """The move that a guest could take back.

    Among bots and on one screen nobody is asked; else only while nothing hangs on it: it must not cross a
    reveal or a draw, nor another player's move unless that was made beside it, nor take anybody's turn away.
    Where a game among people has ended its secrets are shown, so nothing is taken back there. Who plays a
    deal that others play, too, can ask nobody.
    """
    mine, entries = shared.seats_of(guest), shared.table.entries
    ended = shared.is_final or (shared.deal and shared.table.is_over)
    if not mine or ended or shared.course is not None:  # a lesson has steps instead
        return None
    for ply in range(len(entries) - 1, -1, -1):
        if (seat := entries[ply].seat) in mine:
            unseen = not shared.is_among_people and (not shared.deal or ply == len(entries) - 1)
            return LastMove(seat, ply, unseen or stands_alone(shared, ply))
    return None


def stands_alone(shared: SharedTable, ply: int) -> bool:
    """Whether everything after an entry would be as it is without it, and everybody's turn too."""
    table, (seat, _), later_on = shared.table, shared.table.entries[ply], shared.table.entries[ply + 1 :]
    turns, turns_now = shared.sights.at(ply).movers, shared.sights.at(table.ply).movers
    if any(entry.seat in (CHANCE, seat) for entry in later_on) or any(
        entry.seat not in turns for entry in later_on[:1]
    ):
        return False
    if later_on:
        game, state = swift_game(table.game), copy_of(table.state_at(ply))
        for entry in later_on:
            if entry.seat not in turns or entry.move not in game.legal_moves(state, entry.seat):
                return False
            game.apply(state, entry.seat, entry.move)
            turns = tuple(seats_in(table.game.movers(state)))
    return set(turns_now) <= set(turns)


def may_answer(shared: SharedTable, guest: str) -> bool:
    """Whether somebody else asks a guest to take a move back."""
    if shared.asked is None or not shared.seats_of(guest):
        return False
    return shared.seats[shared.asked].guest != guest and guest not in shared.agreed


async def take_back(shared: SharedTable, guest: str, seq: int, command: str) -> tuple[int, bool]:
    """Take the last move of a guest back, or ask the others. Returns the seq and whether it asks."""

    def make() -> list[Event]:
        if shared.is_final:
            raise NotNow(FINAL)
        last = last_move(shared, guest)
        if shared.deal and shared.seats_of(guest) and (last is None or not last.free):
            raise NotNow(SAME_FOR_ALL)
        if last is None:
            raise NotAllowed(later("There is no move of yours to take back."))
        if not last.free and not shared.other_guests(guest):
            raise NotNow(NOBODY_TO_ASK)
        beside = "+" if last.free and stands_alone(shared, last.ply) else ""
        return [Event(seq + 1, last.seat, UNDO if last.free else ASK, f"{last.ply}{beside}", command)]

    return await shared.perform(seq, command, make)


async def answer(shared: SharedTable, guest: str, seq: int, command: str, *, agree: bool) -> int:
    """Agree to somebody's taking back, or refuse it. Returns the seq after it."""

    def make() -> list[Event]:
        if shared.asked is None or not may_answer(shared, guest):
            raise NotAllowed(later("Nobody asks you to take a move back."))
        seat, asker = shared.seats_of(guest)[0], shared.seats[shared.asked].guest
        if not agree:
            return [Event(seq + 1, seat, REFUSE, guest, command)]
        events = [Event(seq + 1, seat, AGREE, guest, command)]
        last = last_move(shared, asker)
        if last is not None and shared.other_guests(asker) <= shared.agreed | {guest}:
            events.append(Event(seq + 2, shared.asked, UNDO, str(last.ply)))
        return events

    return (await shared.perform(seq, command, make))[0]
