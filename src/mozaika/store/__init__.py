"""The log: where games are kept. One protocol for every store."""

import re
from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

if TYPE_CHECKING:
    from mozaika.store.deals import Deals
    from mozaika.store.queue import Queue


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
    lesson: str = ""
    """The lesson that is taken at this table; empty where people just play."""
    practice: bool = False
    """Whether the game is played to learn: it counts nowhere."""
    told: bool = False
    """Whether it was brought as a record: nobody plays here."""
    deal: str = ""
    """The deal that is played here, if others play the same."""
    sealed: float = 0.0
    """Until when nobody is shown the seed, although the game may be over."""
    chosen: bool = False
    """Whether whoever opened the table has chosen the seed."""

    @property
    def counts(self) -> bool:
        """Whether it is a game like others: no lesson, no practice, and played here."""
        return not self.lesson and not self.practice and not self.told


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


class KeptReview(msgspec.Struct, frozen=True):
    """The review of a game as far as it is known, and of what: if that has changed, it is worth nothing."""

    of: str
    text: str
    """JSON."""
    whole: bool = False


class Whole(msgspec.Struct, frozen=True):
    """All that a store keeps of a game, to be kept elsewhere."""

    id: str
    created: float
    header: str
    """As JSON; also one that nobody can read any more."""
    events: list[Event]
    seeds: dict[int, str]
    admitted: dict[str, float]
    """The guests who may sit down, and since when."""
    visited: float
    hooks: list[Hook]
    review: KeptReview | None = None
    helped: bool = False
    """Whether somebody has had a hint there."""
    called: tuple[tuple[int, int], ...] = ()
    """For which turns of which seats somebody was called: the seq with which the last one began."""


class StoreError(Exception):
    """The store could not answer. Whether it kept what it was given is unknown."""


class Taken(Exception):
    """Another event has this number or this command already: nothing was kept."""


class Store(Protocol):
    """Keeps games. What `append` has returned from survives a crash."""

    @property
    def waiting(self) -> int:
        """How many changes wait to be kept."""

    @property
    def is_shared(self) -> bool:
        """Whether other processes serve the same games: then what is in memory may be old."""

    @property
    def queue(self) -> "Queue | None":
        """Jobs for whichever process has time; None where there is only this one."""

    @property
    def deals(self) -> "Deals":
        """Draws that several people play, each at a table of their own."""

    async def open(self) -> None:
        """Begin, before anything else is asked; StoreError if nothing can be kept there."""

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

    async def changes(self, seconds: float) -> set[str] | None:
        """Wait, so long at most, until another process has changed games. None: it may be any of them.

        A change may be missed: `behind` tells for certain.
        """

    async def behind(self, known: Mapping[str, int]) -> set[str]:
        """Which of these games have gone on after these numbers, or are not there any more."""

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

    async def note_call(self, game: str, seat: int, seq: int) -> bool:
        """Whether nobody was called yet for the turn of a seat that began with an event."""

    async def keep_review(self, game: str, review: KeptReview) -> None:
        """Keep the review of a game instead of the one before; of the same, a whole one stays."""

    async def review(self, game: str) -> KeptReview | None:
        """What is known of a game that somebody has had reviewed."""

    def tell(self, subject: str, word: str) -> None:
        """Say something short to the other processes that serve the same games; it may be lost."""

    def listen(self, subject: str, heard: Callable[[str], None]) -> None:
        """Have a function called with what the others say about a subject."""

    async def is_admitted(self, guest: str, game: str) -> bool: ...

    async def games_of(self, guest: str, most: int = 50, skip: int = 0) -> list[str]:
        """The tables a guest was admitted to, the newest first."""

    async def forget(self, guest: str, game: str, *, alone: bool) -> bool:
        """Take a game from the tables of a guest; who is alone and leaves nobody admitted, removes it.

        Returns whether it was removed.
        """

    async def resumable(self, most: int) -> list[str]:
        """Games with bots that were used last: one of them may have been about to move."""

    async def copy_out(self, game: str) -> Whole | None:
        """Everything that is kept of a game, what it draws from, too."""

    async def copy_in(self, whole: Whole) -> None:
        """Keep a game of another store as it was there. Taken if there is one of this id."""

    async def check(self) -> None:
        """StoreError if the store does not work: it is written to."""

    async def close(self) -> None: ...


def read_scripts(dialect: str) -> list[Any]:
    """The numbered scripts that bring a database up to date; a number means the same in every dialect."""
    folder = files("mozaika.store").joinpath("migrations", dialect)
    return [file for file in folder.iterdir() if file.name.endswith(".sql")]


def by_number(scripts: list[Any]) -> dict[int, Any]:
    """Scripts by their numbers, the first first."""
    found = {int(re.match(r"\d+", file.name)[0]): file for file in scripts}  # type: ignore[index]
    return dict(sorted(found.items()))
