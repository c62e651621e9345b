"""What people may not know of a shared table: what others saw on a seat, and the record until the end."""

from functools import partial

from mozaika import chance, epochs
from mozaika.record import Record
from mozaika.state import WATCHER
from mozaika.table.refusals import NotNow
from mozaika.table.shared import SharedTable
from mozaika.words import later


def holds_secrets(shared: SharedTable, seat: int, guest: str) -> bool:
    """Whether others have seen on a seat what a guest who has played on another must not learn."""
    played = any(guest in sitters for each, sitters in enumerate(shared.sitters) if each != seat)
    return played and bool(shared.sitters[seat] - {guest}) and _was_told(shared, seat)


def is_seen_through(shared: SharedTable, seat: int, guest: str) -> bool:
    """Whether, with a guest on a seat, somebody would play against others after having seen their secrets, as
    whoever has played on both seats has, on one screen.
    """
    people = {at: who for who, seats in shared.company.guests.items() for at in seats} | {seat: guest}
    return any(
        shared.sitters[at] & (set(people.values()) - {who}) and _was_told(shared, at)
        for at, who in people.items()
    )


def _was_told(shared: SharedTable, seat: int) -> bool:
    """Whether a seat has ever seen what a watcher has not."""
    hide, states = shared.table.game.hide, map(shared.table.state_at, range(shared.table.ply + 1))
    return any(hide(state, seat).tobytes() != hide(state, WATCHER).tobytes() for state in states)


def brings_secrets(shared: SharedTable) -> bool:
    """Whether a game begins with a position that hides something: whoever brought it may know what."""
    first = shared.table.state_at(0)
    return (
        bool(shared.header.position) and shared.table.game.hide(first, WATCHER).tobytes() != first.tobytes()
    )


def keeps_secrets_from(shared: SharedTable, guest: str) -> bool:
    """Whether there was ever anything that a guest may not know yet."""
    table = shared.table
    return (
        not table.is_over
        and not shared.header.told
        and any(map(partial(_hides, shared, guest), range(table.ply + 1)))
    )


def _hides(shared: SharedTable, guest: str, ply: int) -> bool:
    eyes, game, state = shared.eyes_of(guest, ply), shared.table.game, shared.table.state_at(ply)
    if len(eyes) == len(shared.seats):  # on one screen
        return False
    return game.hide(state, eyes[0] if eyes else WATCHER).tobytes() != state.tobytes()


def record_for(shared: SharedTable, guest: str) -> Record:
    """The record of the game, if a guest may read it now."""
    if keeps_secrets_from(shared, guest):
        raise NotNow(later("This game has secrets; its record can be read when it is over."))
    record = shared.table.record()
    record.names = shared.names(shared.table.game.words())
    if shared.course is not None or shared.header.told:
        return record
    first = shared.draws.epochs[0] if len(shared.draws.epochs) == 1 else None
    if first is not None and first.alone:
        record.draws, record.commitment = chance.METHOD, first.commitment
        record.seed = shared.shown_seed or ""
    else:
        record.draws, record.table = epochs.METHOD, shared.header.id
        record.epochs = shared.draws.for_record(shown=shared.table.is_over)
    return record
