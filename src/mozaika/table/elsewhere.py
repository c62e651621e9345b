"""What the processes that serve the same games tell each other of their tables: who is there."""

import time
from collections.abc import Mapping
from functools import partial
from secrets import token_hex

import msgspec

from mozaika.store import Store
from mozaika.table.shared import SharedTable

BETWEEN_SIGNS = 10.0
"""Seconds after which it is said again who is there."""
HERE, WHO = "here", "who"


class Here(msgspec.Struct, array_like=True):
    """Who is at a table of a process."""

    process: str
    table: str
    guests: frozenset[str]


class Elsewhere:
    """Tells others who is at our tables, and lets our tables know who is at theirs."""

    def __init__(self, store: Store, tables: Mapping[str, SharedTable]) -> None:
        self.store, self.tables = store, tables
        self.name = token_hex(6)
        self._said = 0.0
        store.listen(HERE, self._hear)
        store.listen(WHO, self._answer)

    def begin(self, shared: SharedTable) -> None:
        """A table has come into memory: others may have somebody there."""
        if self.store.is_shared:
            shared.presence.tell_others = partial(self.tell, shared)
            self.store.tell(WHO, shared.header.id)

    def tell(self, shared: SharedTable) -> None:
        """Say who is at a table here."""
        if self.store.is_shared:
            here = Here(self.name, shared.header.id, frozenset(shared.presence.here()))
            self.store.tell(HERE, msgspec.json.encode(here).decode())

    def go_on(self) -> None:
        """Now and then: say it again, and forget who is silent."""
        now, again = time.monotonic(), False
        if now - self._said > BETWEEN_SIGNS:
            self._said, again = now, True
        for shared in list(self.tables.values()):
            shared.presence.forget()
            if again and shared.watchers:
                self.tell(shared)

    def _hear(self, said: str) -> None:
        here = msgspec.json.decode(said, type=Here)
        if shared := self.tables.get(here.table):
            shared.presence.note(here.process, here.guests)

    def _answer(self, table: str) -> None:
        shared = self.tables.get(table)
        if shared is not None and shared.watchers:
            self.tell(shared)
