"""Who is at a table: the guests whose pages follow it. Comings and goings are told gathered."""

import asyncio
from collections import Counter
from collections.abc import Callable

SECONDS_GATHERED = 0.25


class Presence:
    """The guests who are there, each with one page or more."""

    def __init__(self, matters: Callable[[str], object], tell: Callable[[], None]) -> None:
        """What to call, a moment later, after somebody has come or gone who matters."""
        self._matters, self._tell = matters, tell
        self._pages: Counter[str] = Counter()
        self._telling: asyncio.TimerHandle | None = None

    def __contains__(self, guest: str) -> bool:
        return guest in self._pages

    def come(self, guest: str) -> None:
        """A guest has opened a page."""
        self._pages[guest] += 1
        if self._pages[guest] == 1:
            self._tell_soon(guest)

    def go(self, guest: str) -> None:
        """A guest has closed a page."""
        self._pages[guest] -= 1
        if not self._pages[guest]:
            del self._pages[guest]
            self._tell_soon(guest)

    def _tell_soon(self, guest: str) -> None:
        if self._telling is None and self._matters(guest):
            self._telling = asyncio.get_running_loop().call_later(SECONDS_GATHERED, self._tell_now)

    def _tell_now(self) -> None:
        self._telling = None
        self._tell()
