"""Moving a club: all games of one store into another, and each is read again and compared."""

from collections.abc import Callable
from contextlib import suppress

from mozaika.store import Store, StoreError, Taken, Whole

EVERY = 1 << 31


async def copy_games(source: Store, target: Store, told: Callable[[int, int], None]) -> tuple[int, int]:
    """Copy what is not there yet. Returns how many games were compared, and how many events.

    StoreError if the other store has something else under the same id: nothing is overwritten. Whoever is
    interrupted begins again, and finds what was copied before.
    """
    games = [kept.id for kept in await source.list_games()]
    events = 0
    for number, name in enumerate(games, 1):
        whole = await source.copy_out(name)
        if whole is None:
            continue
        with suppress(Taken):  # of an earlier attempt, or another game of the same id
            await target.copy_in(whole)
        _compare(whole, await target.copy_out(name))
        events += len(whole.events)
        told(number, len(games))
    await _copy_deals(source, target)
    return len(games), events


async def _copy_deals(source: Store, target: Store) -> None:
    """Deals and who has played them; what is there already stays."""
    for deal in await source.deals.everything():
        seed, attempts = await source.deals.seed(deal.id), await source.deals.attempts(deal.id, most=EVERY)
        await target.deals.keep(deal, seed)
        for attempt in attempts:
            await target.deals.keep_attempt(attempt)
        if (await target.deals.find(deal.id), await target.deals.seed(deal.id)) != (deal, seed):
            raise StoreError(f"The deal {deal.id} is another one there.")
        if await target.deals.attempts(deal.id, most=EVERY) != attempts:
            raise StoreError(f"Other people have played the deal {deal.id} there.")


def _compare(whole: Whole, copy: Whole | None) -> None:
    if copy is None:
        raise StoreError(f"The game {whole.id} was not kept.")
    for mine, other in zip(whole.events, copy.events, strict=False):
        if mine != other:
            raise StoreError(f"The game {whole.id} is another one there: event {mine.seq} differs.")
    if whole != copy:
        raise StoreError(f"The game {whole.id} is another one there.")
