"""The log: where games are kept. One protocol for every store."""

from typing import Protocol

import msgspec


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """What is fixed about a game before its first event."""

    id: str
    game: str
    version: int
    options: dict[str, str]
    seats: int
    seed: str
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


class StoreError(Exception):
    """The store could not answer. Whether it kept what it was given is unknown."""


class Taken(Exception):
    """Another event has this number or this command already: nothing was kept."""


class Store(Protocol):
    """Keeps games. What `append` has returned from survives a crash."""

    async def create(self, header: Header, events: list[Event]) -> None:
        """Keep a new game with its first events, and admit its owner. Taken if there is one of this id."""

    async def append(self, game: str, events: list[Event]) -> None:
        """Keep events, all or none. Taken if one of their numbers or commands is not new."""

    async def load(self, game: str) -> tuple[Header, list[Event]] | None:
        """A game and its whole log."""

    async def admit(self, guest: str, game: str) -> None:
        """Let a guest sit down at a table."""

    async def is_admitted(self, guest: str, game: str) -> bool: ...

    async def games_of(self, guest: str, most: int = 50) -> list[str]:
        """The tables a guest was admitted to, the newest first."""

    async def check(self) -> None:
        """StoreError if the store does not work."""

    async def close(self) -> None: ...
