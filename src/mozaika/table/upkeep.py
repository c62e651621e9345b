"""What an operator does with tables from outside, also while a server runs: clear away, close, strike.

The log decides who was faster, as it does between two players; the server adopts what was kept beside it.
"""

from collections.abc import AsyncIterator

from mozaika.store import NO_SEEDS, Kept, Store, StoreError
from mozaika.table.events import CLOSE
from mozaika.table.outdated import Damaged, Outdated, check_rules
from mozaika.table.refusals import NotThere, Stale
from mozaika.table.shared import SharedTable
from mozaika.words import Words

LEAST_AGE = 2 * 86_400.0
"""That somebody looks is noted once a day, so nothing younger may be cleared away."""
LONGEST_REASON = 200
ATTEMPTS = 5


async def find_abandoned(store: Store, before: float) -> AsyncIterator[Kept]:
    """Unfinished games that nobody has played, nor looked at, since a time.

    Whether a game of older rules, or one that cannot be read, has ended nobody can tell; it is left alone.
    """
    for kept in await store.list_games():
        if kept.used >= before:
            break
        try:
            shared = await load_table(store, kept.id)
        except (Outdated, Damaged, NotThere):
            continue
        if not shared.table.is_over:
            yield kept


async def load_table(store: Store, name: str) -> SharedTable:
    """A table as it stands in the store; NotThere if there is none, Outdated or Damaged if need be."""
    try:
        found = await store.load(name)
        if found is not None:
            check_rules(*found, NO_SEEDS)
            return SharedTable(*found, store)
    except (Outdated, StoreError):
        raise
    except Exception as error:
        raise Damaged(name) from error
    raise NotThere(f"There is no table {name}.")


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


async def strike_result(store: Store, name: str) -> str:
    """Take what was reached at a table off the list of its deal. Who played there keeps it as an attempt."""
    if not await store.deals.strike(name):
        raise NotThere(f"No list has a result of the table {name}.")
    return f"The result of the table {name} is on no list any more."
