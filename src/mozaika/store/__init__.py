"""The log: where games are kept. One protocol for every store."""

from collections.abc import Mapping
from typing import Protocol

import msgspec


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """What is fixed about a game before its first event."""

    id: str
    game: str
    version: int
    options: dict[str, str]
    seats: int
    owner: str
    """A digest of the owner's secret."""
    link: str
    """A digest of the secret in the link that lets people sit down."""
    position: str = ""
    created: float = 0.0
    hints: bool | None = None
    """Whether hints and the evaluation are allowed, if the owner has decided it."""
    wish: str = ""
    """A digest of what the owner asked for when the table was opened."""


class Event(msgspec.Struct, frozen=True, array_like=True):
    """Something that happened at a table."""

    seq: int
    seat: int
    kind: str
    text: str
    command: str | None = None
    at: float = 0.0


NO_SEEDS: Mapping[int, str] = {}


class Kept(msgspec.Struct, frozen=True):
    """A game as a list of all games tells it."""

    id: str
    game: str
    seats: int
    created: float
    events: int
    last: float
    """When something last happened at its table."""
    seen: float
    """When somebody last looked at it, to the day; 0 if that was never noted."""

    @property
    def used(self) -> float:
        """When anybody last had to do with it."""
        return max(self.created, self.last, self.seen)


class Hook(msgspec.Struct, frozen=True):
    """An address to call when it is the turn of a seat, as long as a guest sits there; signed with a key."""

    seat: int
    guest: str
    url: str
    key: str


class StoreError(Exception):
    """The store could not answer. Whether it kept what it was given is unknown."""


class Taken(Exception):
    """Another event has this number or this command already: nothing was kept."""


class Store(Protocol):
    """Keeps games. What `append` has returned from survives a crash."""

    @property
    def waiting(self) -> int:
        """How many changes wait to be kept."""

    async def create(self, header: Header, events: list[Event], seeds: Mapping[int, str] = NO_SEEDS) -> None:
        """Keep a new game with its first events, and admit its owner. Taken if there is one of this id."""

    async def append(self, game: str, events: list[Event], seeds: Mapping[int, str] = NO_SEEDS) -> None:
        """Keep events and what new epochs draw from, all or none. Taken if a number or command is not new."""

    async def load(self, game: str) -> tuple[Header, list[Event]] | None:
        """A game and its whole log."""

    async def seeds(self, game: str) -> dict[int, str]:
        """What the draws of a game come from, by the number of the epoch; nothing that is shown reads it."""

    async def since(self, game: str, seq: int) -> list[Event] | None:
        """What was kept after a number; None if there is no such game any more."""

    async def touched(self) -> bool:
        """Whether another process has changed something since this was asked the last time."""

    async def list_games(self) -> list[Kept]:
        """All games, those first that nobody has had to do with for longest."""

    async def visit(self, game: str) -> None:
        """Note that somebody looks at a table now."""

    async def remove(self, game: str, before: float) -> bool:
        """Forget a game and its log, unless somebody has had to do with it since a time."""

    async def admit(self, guest: str, game: str) -> None:
        """Let a guest sit down at a table."""

    async def dismiss(self, game: str, others: set[str]) -> None:
        """Nobody may sit down at a table any more but these guests."""

    async def set_hook(self, game: str, hook: Hook) -> None:
        """Keep an address instead of the one before; an empty one is none."""

    async def hooks(self, game: str) -> list[Hook]:
        """The addresses that are called for a game."""

    async def is_admitted(self, guest: str, game: str) -> bool: ...

    async def games_of(self, guest: str, most: int = 50) -> list[str]:
        """The tables a guest was admitted to, the newest first."""

    async def resumable(self, most: int) -> list[str]:
        """Games with bots that were used last: one of them may have been about to move."""

    async def check(self) -> None:
        """StoreError if the store does not work: it is written to."""

    async def close(self) -> None: ...
