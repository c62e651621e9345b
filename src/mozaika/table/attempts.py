"""Who has played a deal: each guest's first attempt counts, and stands apart from all later ones.

What nobody learns before they have played a deal to its end: its seed, its draws, and what others have made
of it. The attempts of a guest come one after the other, so nobody tries at one table what they do at another.
"""

import hmac
import time
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from mozaika.store import Store, Taken
from mozaika.store.deals import KeptAttempt
from mozaika.table.commands import Opening
from mozaika.table.deals import (
    Deal,
    Outcome,
    describe_game,
    find_deal,
    judge,
    keep_deal,
    note_end,
    plan_attempt,
)
from mozaika.table.events import DEAL
from mozaika.table.hall import Hall
from mozaika.table.outdated import Damaged, Outdated
from mozaika.table.refusals import NotAllowed, NotNow
from mozaika.table.shared import SharedTable
from mozaika.words import Words, later

TRIES = 5
SECONDS_TO_RECOVER = 3_600.0
"""So long after it was begun an attempt gets its table, where making that has failed. Later it had one."""
MOST_ATTEMPTS = 50
"""So often one guest may begin a deal."""


class NotPlayed(NotAllowed):
    """Somebody has not played a deal yet, and wants to see how others did."""

    def __init__(self, deal: str) -> None:
        super().__init__(later("Play this deal to its end first; then you can look at the games of others."))
        self.deal = deal


class Played(NamedTuple):
    """An attempt that has ended, and what is to be said about it."""

    attempt: KeptAttempt
    outcome: Outcome
    marks: list[str]


class Results(NamedTuple):
    """The best first, those that count apart from the others; and how many people have begun."""

    first: list[Played]
    later: list[Played]
    people: int


def mark_place(seed: str, address: str) -> str:
    """The same for attempts at a deal from one address, and tells nobody which that is."""
    return hmac.digest(seed.encode(), f"address {address}".encode(), "sha256").hex()[:16] if address else ""


async def challenge(hall: Hall, shared: SharedTable, guest: str, name: str, address: str) -> str:
    """Make a deal of a finished game, under a name. Returns the name of the deal; it may be known already."""
    if shared.deal and shared.seats_of(guest):
        return shared.deal
    about, store, now = describe_game(shared, guest), shared.store, time.time()
    seed, table = shared.draws.seed(), shared.header.id
    outcome = judge(shared, helped=await store.deals.was_helped(table))
    await keep_deal(store, name, "", about, seed, now)
    await store.deals.keep_attempt(
        KeptAttempt(
            table,
            name,
            guest,
            1,
            about.by,
            mark_place(seed, address),
            shared.header.created,
            now,
            msgspec.json.encode(outcome).decode(),
        )
    )
    await shared.announce(DEAL, lambda: shared.deal or name)
    return shared.deal


async def begin(
    hall: Hall, name: str, guest: str, called: str, opening: Opening, address: str, words: Words
) -> str:
    """Sit down to a deal. Returns the table; it is the one at which the guest plays the deal already."""
    store, deals = hall.store, hall.store.deals
    deal, now = await find_deal(store, name), time.time()
    if now < deal.begins:
        raise NotNow(later("This deal can be played from {day} on."), day=deal.day)
    seed = await deals.seed(name)
    plan = plan_attempt(deal, guest, called, seed, words)
    attempt = KeptAttempt(
        opening.id, name, guest, 0, plan.seats[deal.seat].name, mark_place(seed, address), now
    )
    for _ in range(TRIES):
        mine = await deals.attempts(name, guest)
        known = any(each.game == opening.id for each in mine)
        if len(mine) >= MOST_ATTEMPTS and not known and all(each.ended for each in mine):
            raise NotNow(later("You have played this deal often enough."))
        try:
            await deals.begin(attempt)
        except Taken:  # begun twice at once
            continue
        mine = await deals.attempts(name, guest)
        if this := next((each for each in mine if each.game == opening.id), None):
            if await hall.opened(opening, guest) is None:
                await _check_new(store, this, now)
                await hall.create(plan, opening)
            return opening.id
        running = next((each for each in mine if not each.ended), None)
        if running is None:
            continue
        if await _goes_on(hall, running.game):
            return running.game
        await deals.end(running.game, now, "")  # its table is gone, and does not come back
    raise NotNow(later("The game has gone on meanwhile."))


async def _check_new(store: Store, attempt: KeptAttempt, now: float) -> None:
    """NotNow if an attempt had a table that was removed: who plays it anew knows the draws."""
    if not attempt.ended and now - attempt.begun <= SECONDS_TO_RECOVER:
        return
    await store.deals.end(attempt.game, now, "")
    raise NotNow(later("The game has gone on meanwhile."))


async def _goes_on(hall: Hall, table: str) -> bool:
    """Whether an attempt can be played on; what it has come to is noted, if that was missed."""
    try:
        shared = await hall.find(table)
    except (Outdated, Damaged):
        return False
    if shared is None:
        return False
    await note_end(shared)
    return not shared.table.is_over and shared.closed is None


async def catch_up(hall: Hall, mine: Sequence[KeptAttempt]) -> bool:
    """Note the end of attempts whose end was missed, as by a crash. Returns whether there were any."""
    found = [each for each in mine if not each.ended and not await _goes_on(hall, each.game)]
    return bool(found)


async def knows(store: Store, deal: Deal, guest: str) -> bool:
    """Whether a guest may know the draws of a deal and what others have made of it."""
    if deal.ends and time.time() >= deal.ends:
        return True
    return any(each.result for each in await store.deals.attempts(deal.id, guest))


async def check_seen(shared: SharedTable, guest: str) -> None:
    """NotPlayed if a table shows a deal that a guest has still to play."""
    if shared.deal and guest not in (shared.header.owner, *shared.company.guests):
        deal = await find_deal(shared.store, shared.deal)
        if not await knows(shared.store, deal, guest):
            raise NotPlayed(deal.id)


async def shown_seed(store: Store, deal: Deal, guest: str) -> str:
    """The seed of a deal, if it may be shown: that of a day to everybody, when the day is over."""
    if deal.day and time.time() < deal.ends:
        return ""
    return await store.deals.seed(deal.id) if await knows(store, deal, guest) else ""


def list_results(deal: Deal, attempts: Sequence[KeptAttempt]) -> Results:
    """The results of a deal. First ones are those that a guest has made at the first attempt, without help,
    and of a day before it was over.
    """
    first, others, places = list[Played](), list[Played](), dict[str, str]()
    for attempt in sorted(attempts, key=lambda each: each.begun):
        near = places.setdefault(attempt.place, attempt.guest) if attempt.place else attempt.guest
        if not attempt.result:
            continue
        outcome = msgspec.json.decode(attempt.result, type=Outcome)
        marks = list(outcome.helps)
        if attempt.number > 1:
            marks.insert(0, "again")
        if deal.ends and attempt.ended >= deal.ends:
            marks.append("late")
        counts = not marks
        if near != attempt.guest:
            marks.append("connection")
        (first if counts else others).append(Played(attempt, outcome, marks))
    for rows in (first, others):
        rows.sort(key=lambda played: _merit(deal, played))
    return Results(first, others, len({attempt.guest for attempt in attempts}))


def _merit(deal: Deal, played: Played) -> tuple[float, ...]:
    """The place first; then by how much one was ahead of everybody else, or how far behind."""
    scores, seat = played.outcome.scores, deal.seat
    others = scores[:seat] + scores[seat + 1 :]
    return played.outcome.ranks[seat], max(others, default=0) - scores[seat], played.attempt.ended
