"""What an operator does with tables from outside, also while a server runs: clear away, close.

The log decides who was faster, as it does between two players; the server adopts what was kept beside it.
"""

from collections.abc import AsyncIterator

from mozaika.store import NO_SEEDS, Event, Header, Kept, Store, StoreError
from mozaika.table.outdated import Outdated, check_rules
from mozaika.table.refusals import Stale
from mozaika.table.shared import CLOSE, SharedTable
from mozaika.words import Words

LEAST_AGE = 2 * 86_400.0
"""That somebody looks is noted once a day, so nothing younger may be cleared away."""
LONGEST_REASON = 200
ATTEMPTS = 5


async def find_abandoned(store: Store, before: float) -> AsyncIterator[Kept]:
    """Unfinished games that nobody has played, nor looked at, since a time.

    Whether a game of older rules has ended nobody can tell any more; it is left alone.
    """
    for kept in await store.list_games():
        if kept.used >= before:
            break
        found = await store.load(kept.id)
        if found is not None and is_unfinished(*found):
            yield kept


def is_unfinished(header: Header, events: list[Event]) -> bool:
    try:
        check_rules(header, events, NO_SEEDS)
    except Outdated:
        return False
    return not SharedTable(header, events, None).table.is_over  # type: ignore[arg-type]  # nothing is kept


async def load_table(store: Store, name: str) -> SharedTable:
    """A table as it stands in the store; ValueError if there is none."""
    found = await store.load(name)
    if found is None:
        raise ValueError(f"There is no table {name}.")
    check_rules(*found, NO_SEEDS)
    return SharedTable(*found, store)


async def close_table(store: Store, name: str, reason: str = "") -> str:
    """Let nobody play on at a table. Returns the sentence that people read there."""
    reason = " ".join(reason.split())
    if not reason.isprintable() or len(reason) > LONGEST_REASON:
        raise ValueError(f"A reason is one line of at most {LONGEST_REASON} characters.")
    for _ in range(ATTEMPTS):
        shared = await load_table(store, name)
        if shared.closed is not None:
            raise ValueError(f"The table {name} is closed already.")
        if shared.table.is_over:
            raise ValueError(f"The game at the table {name} is over; there is nothing to close.")
        try:
            await shared.announce(CLOSE, reason)
        except Stale:  # somebody has moved meanwhile
            continue
        return shared.tell_closed(Words())
    raise StoreError(f"At the table {name} something happens all the time; try again.")
