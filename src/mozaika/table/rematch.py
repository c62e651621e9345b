"""Tables that come from another table: the same people once more, or a game that goes on from a moment."""

import msgspec

from mozaika.state import WATCHER, Random
from mozaika.table.commands import Opening
from mozaika.table.events import REMATCH, Occupant
from mozaika.table.hall import Hall
from mozaika.table.levels import usual_opponent
from mozaika.table.plan import Plan
from mozaika.table.refusals import NotAllowed, NotNow
from mozaika.table.seating import seat_bot
from mozaika.table.secrets import keeps_secrets_from
from mozaika.table.shared import SharedTable
from mozaika.words import Words, later


def plan_rematch(shared: SharedTable, guest: str) -> Plan:
    """The same people and options, the seats moved on by one."""
    if not shared.seats_of(guest):
        raise NotAllowed(later("Only who has played can ask for a rematch."))
    if not shared.table.is_over:
        raise NotNow(later("The game is not over yet."))
    game = shared.table.game
    seats = [msgspec.structs.replace(seat, instead="") for seat in (*shared.seats[1:], shared.seats[0])]
    # a deal has no hints because others play it; nobody else plays the rematch
    hints = None if shared.header.deal else shared.header.hints
    return Plan(game, game.read_options(shared.header.options), seats, guest, hints=hints)


async def play_again(hall: Hall, shared: SharedTable, guest: str, opening: Opening) -> str:
    """Open the table of a rematch. Returns its id; it may be one that somebody else has opened for it."""
    plan = plan_rematch(shared, guest)
    async with shared.creating:
        if not shared.rematch:
            await hall.create(plan, opening)
            for other in shared.other_guests(guest):
                await shared.store.admit(other, opening.id)
            # another process may have been faster
            await shared.announce(REMATCH, lambda: shared.rematch or f"/t/{opening.id}")
        return shared.rematch.removeprefix("/t/")


def plan_on(
    shared: SharedTable, guest: str, ply: int | None, hints: bool | None, words: Words, random: Random
) -> Plan:
    """A game of one's own that goes on from a moment of another; bots play for everybody else.

    What the guest may not know yet is dealt anew.
    """
    if shared.header.deal and not shared.table.is_over:
        raise NotNow(later("Others play the same deal: try nothing out before it is over."))
    game, at = shared.table.game, shared.table.ply if ply is None else ply
    state, mine = shared.table.state_at(at), shared.eyes_of(guest, at)
    if keeps_secrets_from(shared, guest):
        seat = mine[0] if mine else WATCHER
        state = game.guess(game.hide(state, seat), seat, random)
    return Plan(
        game,
        game.read_options(game.options_of(state)),
        _company(shared, guest, words),
        guest,
        position=game.write_position(state),
        # nobody asks at a second table what the first one does not allow
        hints=hints if shared.gives_hints or shared.table.is_over else False,
    )


def _company(shared: SharedTable, guest: str, words: Words) -> list[Occupant]:
    game, mine, seats = shared.table.game, shared.seats_of(guest), list(shared.seats)
    if not mine:
        seats[0], mine = Occupant("person", "", guest), [0]
    for seat, occupant in enumerate(seats):
        if occupant.kind != "bot" and seat not in mine:
            seats[seat] = seat_bot(game, usual_opponent(game), seats, words)
    return seats
