"""Limits of several processes: each tells the others what it has let pass, so that all together allow hardly
more than one alone.
"""

import asyncio
from collections import Counter

import msgspec

from mozaika.server.guard import Buckets, Limits
from mozaika.store import Store

SECONDS_GATHERED = 1.0
SPENT = "spent"
MOST_AT_ONCE = 50
"""So many names fit into one word."""


class Spent(msgspec.Struct, array_like=True):
    """What was let pass, by the name of the limit and of whoever asked."""

    limit: str
    names: dict[str, int]


async def share_limits(limits: Limits, store: Store) -> None:
    """For as long as the server runs."""
    found = limits.buckets()

    def hear(said: str) -> None:
        spent = msgspec.json.decode(said, type=Spent)
        for name, number in spent.names.items():
            found[spent.limit].charge(name, number)

    store.listen(SPENT, hear)
    for buckets in found.values():
        buckets.spent = Counter()
    while True:
        await asyncio.sleep(SECONDS_GATHERED)
        for limit, buckets in found.items():
            told = _take(buckets)
            for first in range(0, len(told), MOST_AT_ONCE):
                spent = Spent(limit, dict(told[first : first + MOST_AT_ONCE]))
                store.tell(SPENT, msgspec.json.encode(spent).decode())


def _take(buckets: Buckets) -> list[tuple[str, int]]:
    """Who has asked for something worth a word: a hundredth of what they may have at once."""
    least, spent = max(1.0, buckets.burst / 100), buckets.spent or Counter()
    told = [(name, number) for name, number in spent.items() if number >= least]
    for name, _ in told:
        del spent[name]
    if len(spent) > buckets.most:
        spent.clear()
    return told
