"""Limits of several processes: each tells the others what it has let pass and how many streams it has. So all
together allow hardly more than one alone.
"""

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping
from secrets import token_hex
from typing import Annotated

import msgspec

from mozaika.server.guard import Buckets, Limits, Streams
from mozaika.store import Store

SECONDS_GATHERED = 1.0
ROUNDS = 10
"""So many times less often all is said again that others would forget."""
SPENT, STREAMS = "spent", "streams"
MOST_AT_ONCE = 50
"""So many names fit into one word."""
FEW_STREAMS = 3
"""Of fewer streams under a name nobody is told: most people have no more."""

Number = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]


class Spent(msgspec.Struct, array_like=True):
    """What was let pass, by the name of the limit and of whoever asked."""

    limit: str
    names: dict[str, Number]


class Open(msgspec.Struct, array_like=True):
    """How many streams a process has, by what they are counted by."""

    process: str
    names: dict[str, Number]


class Sharing:
    """What one process says of its limits, and hears of those of the others."""

    def __init__(self, limits: Limits, store: Store) -> None:
        self.buckets, self.streams, self.store = limits.buckets(), limits.streams, store
        self.process = token_hex(6)
        self._told: dict[str, int] = {}
        """How many streams the others think we have."""
        self._rounds = 0
        store.listen(SPENT, self._hear_spent)
        store.listen(STREAMS, self._hear_streams)
        for buckets in self.buckets.values():
            buckets.spent = Counter()

    def tell(self) -> None:
        """Whatever is worth a word since the last time."""
        for limit, buckets in self.buckets.items():
            for part in _in_parts(_take(buckets)):
                self._say(SPENT, Spent(limit, part))
        self._rounds += 1
        for part in _in_parts(self._changed(self.streams, again=self._rounds % ROUNDS == 0)):
            self._say(STREAMS, Open(self.process, part))
        self.streams.forget()

    def _say(self, subject: str, word: Spent | Open) -> None:
        self.store.tell(subject, msgspec.json.encode(word).decode())

    def _changed(self, streams: Streams, *, again: bool) -> dict[str, int]:
        now = {name: number for name, number in streams.here.items() if number >= FEW_STREAMS}
        gone = dict.fromkeys(self._told.keys() - now, 0)
        known, self._told = self._told, now
        return gone | {name: number for name, number in now.items() if again or known.get(name) != number}

    def _hear_spent(self, said: str) -> None:
        spent = msgspec.json.decode(said, type=Spent)
        for name, number in spent.names.items():
            self.buckets[spent.limit].charge(name, number)

    def _hear_streams(self, said: str) -> None:
        told = msgspec.json.decode(said, type=Open)
        for name, number in told.names.items():
            self.streams.note(told.process, name, number)


async def share_limits(limits: Limits, store: Store) -> None:
    """For as long as the server runs."""
    sharing = Sharing(limits, store)
    while True:
        await asyncio.sleep(SECONDS_GATHERED)
        sharing.tell()


def _in_parts(names: Mapping[str, int]) -> Iterator[dict[str, int]]:
    told = list(names.items())
    for first in range(0, len(told), MOST_AT_ONCE):
        yield dict(told[first : first + MOST_AT_ONCE])


def _take(buckets: Buckets) -> dict[str, int]:
    """Who has asked for something worth a word: a hundredth of what they may have at once."""
    least, spent = max(1.0, buckets.burst / 100), buckets.spent or Counter()
    told = {name: number for name, number in spent.items() if number >= least}
    for name in told:
        del spent[name]
    if len(spent) > buckets.most:
        spent.clear()
    return told
