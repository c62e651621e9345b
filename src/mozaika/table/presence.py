"""Who is at a table: the guests whose pages follow it, here or at another process.

Comings and goings are told gathered.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Container
from itertools import islice
from time import monotonic

SECONDS_GATHERED = 0.25
SECONDS_REMEMBERED = 25.0
"""What another process has said counts for so long; it says it again before that."""

WOKEN_AT_ONCE, SECONDS_BETWEEN_WAKING = 12, 0.005
"""Of many who watch so many are told at once, so that other tables have their turn between."""


class Watchers(dict[asyncio.Event, str]):
    """The bells of everybody who looks, and whose they are."""

    def __init__(self) -> None:
        super().__init__()
        self.unrung: dict[asyncio.Event, None] = {}
        self.let_go_at = float("-inf")
        """When they were last sent away, because the log did not answer."""

    def let_go(self) -> None:
        """Send all of them away: others may know how the game has gone on, and here nobody does."""
        self.let_go_at = monotonic()
        self.ring(())

    def ring(self, first: Container[str]) -> None:
        """All of them; where they are many those of some guests, then a few at a time."""
        if len(self) <= WOKEN_AT_ONCE:
            for bell in self:
                bell.set()
            return
        going_on = bool(self.unrung)
        for bell, guest in self.items():
            if guest in first:
                bell.set()
            else:
                self.unrung[bell] = None
        if not going_on:
            self._ring_some()

    def _ring_some(self) -> None:
        for bell in list(islice(self.unrung, WOKEN_AT_ONCE)):
            del self.unrung[bell]
            bell.set()
        if self.unrung:
            asyncio.get_running_loop().call_later(SECONDS_BETWEEN_WAKING, self._ring_some)


class Presence:
    """The guests who are there, each with one page or more."""

    def __init__(self, matters: Callable[[str], object], tell: Callable[[], None]) -> None:
        """What to call, a moment later, after somebody has come or gone who matters."""
        self._matters, self._tell = matters, tell
        self.tell_others: Callable[[], None] = lambda: None
        """What to call besides, when it has happened here."""
        self._pages: Counter[str] = Counter()
        self._elsewhere: dict[str, tuple[float, frozenset[str]]] = {}
        self._telling: asyncio.TimerHandle | None = None
        self.changes = 0
        """How often somebody has come or gone."""

    def __contains__(self, guest: str) -> bool:
        return guest in self._pages or any(guest in guests for _, guests in self._elsewhere.values())

    def here(self) -> list[str]:
        """Who is here, at this process, and matters."""
        return [guest for guest in self._pages if self._matters(guest)]

    def come(self, guest: str) -> None:
        """A guest has opened a page."""
        self._pages[guest] += 1
        if self._pages[guest] == 1:
            self.changes += 1
            self._tell_soon(guest)

    def go(self, guest: str) -> None:
        """A guest has closed a page."""
        self._pages[guest] -= 1
        if not self._pages[guest]:
            del self._pages[guest]
            self.changes += 1
            self._tell_soon(guest)

    def note(self, process: str, guests: frozenset[str]) -> None:
        """Another process has said who is there."""
        _, known = self._elsewhere.pop(process, (0.0, frozenset()))
        if guests:
            self._elsewhere[process] = monotonic(), guests
        if guests != known:
            self.changes += 1
            self._tell()

    def forget(self) -> None:
        """Who has not been heard of for long is gone."""
        oldest = monotonic() - SECONDS_REMEMBERED
        for process in [each for each, (at, _) in self._elsewhere.items() if at < oldest]:
            self.note(process, frozenset())

    def _tell_soon(self, guest: str) -> None:
        if self._telling is None and self._matters(guest):
            self._telling = asyncio.get_running_loop().call_later(SECONDS_GATHERED, self._tell_now)

    def _tell_now(self) -> None:
        self._telling = None
        self._tell()
        self.tell_others()
