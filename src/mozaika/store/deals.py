"""What a store keeps of deals: draws that several people play, each at a table of their own.

One protocol, and the same statements in both dialects but for how a value is named.
"""

import re
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

import msgspec

MOST_LISTED = 5_000
"""So many attempts at a deal are looked at for a list of its results."""


class KeptDeal(msgspec.Struct, frozen=True):
    id: str
    day: str
    """Such as 2026-11-18; empty for a challenge."""
    about: str
    """JSON."""
    created: float


class KeptAttempt(msgspec.Struct, frozen=True):
    """Somebody's attempt at a deal, at a table."""

    game: str
    deal: str
    guest: str
    number: int
    """Of this guest at this deal, from 1."""
    name: str
    place: str
    begun: float
    ended: float = 0.0
    """0 while it goes on."""
    result: str = ""
    """JSON; empty if it was given up."""


class Deals(Protocol):
    """Keeps deals and who has played them."""

    async def keep(self, deal: KeptDeal, seed: str) -> None:
        """Keep a deal; whoever was first has decided what it is."""

    async def find(self, deal: str) -> KeptDeal | None: ...

    async def seed(self, deal: str) -> str:
        """What its draws come from; nothing that is shown reads it before it may be known."""

    async def of_days(self, first: str, last: str) -> list[KeptDeal]:
        """Those of some days, the newest first."""

    async def everything(self) -> list[KeptDeal]: ...

    async def begin(self, attempt: KeptAttempt) -> None:
        """Keep a new attempt under the next number, unless the guest has one that goes on.

        Taken if somebody else has begun one for the same guest at the same moment: then try again.
        """

    async def keep_attempt(self, attempt: KeptAttempt) -> None:
        """Keep an attempt as it is, unless its table or its number is known."""

    async def end(self, game: str, at: float, result: str) -> None:
        """What an attempt has come to; it ends once."""

    async def strike(self, game: str) -> bool:
        """Forget what an attempt has come to and under which name; it stays an attempt.

        Returns whether there was a result.
        """

    async def attempts(self, deal: str, guest: str = "", most: int = MOST_LISTED) -> list[KeptAttempt]:
        """So many attempts at a deal, or all of a guest, the oldest first; of many those with a result, so
        that nobody who begins and goes away takes the place of whoever plays.
        """

    async def attempts_of(self, guest: str, most: int = 200) -> list[KeptAttempt]:
        """What a guest has begun, the newest first."""

    async def note_help(self, game: str) -> None:
        """Somebody has had help in a game."""

    async def was_helped(self, game: str) -> bool: ...


COLUMNS = "game, deal, guest, number, name, place, begun, ended, result"
STATEMENTS = {
    "keep": """
        INSERT INTO deals (id, day, about, created) VALUES ($1, $2, $3, $4) ON CONFLICT (id) DO NOTHING
    """,
    "keep_seed": "INSERT INTO deal_seeds (deal, seed) VALUES ($1, $2) ON CONFLICT (deal) DO NOTHING",
    "find": "SELECT id, day, about, created FROM deals WHERE id = $1",
    "seed": "SELECT seed FROM deal_seeds WHERE deal = $1",
    "of_days": """
        SELECT id, day, about, created FROM deals WHERE day >= $1 AND day <= $2 AND day <> ''
        ORDER BY day DESC, id
    """,
    "everything": "SELECT id, day, about, created FROM deals ORDER BY id",
    "begin": """
        INSERT INTO attempts (COLUMNS)
        SELECT $1, $2, $3, coalesce(max(number), 0) + 1, $4, $5, CAST($6 AS DOUBLE PRECISION), 0, ''
        FROM attempts
        WHERE deal = $2 AND guest = $3 HAVING count(CASE WHEN ended = 0 THEN 1 END) = 0
        ON CONFLICT (game) DO NOTHING
    """,
    "keep_attempt": """
        INSERT INTO attempts (COLUMNS) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING
    """,
    "end": "UPDATE attempts SET ended = $2, result = $3 WHERE game = $1 AND ended = 0",
    "has_result": "SELECT 1 FROM attempts WHERE game = $1 AND result <> ''",
    "strike": "UPDATE attempts SET result = '', name = '' WHERE game = $1 AND ended <> 0",
    "attempts": """
        SELECT COLUMNS FROM attempts WHERE deal = $1 ORDER BY (result = ''), begun, game LIMIT $2
    """,
    "attempts_at": "SELECT COLUMNS FROM attempts WHERE deal = $1 AND guest = $2 ORDER BY number",
    "attempts_of": "SELECT COLUMNS FROM attempts WHERE guest = $1 ORDER BY begun DESC LIMIT $2",
    "note_help": "INSERT INTO helps (game) SELECT id FROM games WHERE id = $1 ON CONFLICT (game) DO NOTHING",
    "was_helped": "SELECT 1 FROM helps WHERE game = $1",
}

Read = Callable[[str, tuple[Any, ...]], Awaitable[list[Any]]]
Write = Callable[[list[tuple[str, tuple[Any, ...]]]], Awaitable[None]]


class DealsIn:
    """Deals in a database that is read and written by two functions; what is written together is kept
    together.
    """

    def __init__(self, read: Read, write: Write, *, dialect: str) -> None:
        self._read, self._write = read, write
        number = r"?\1" if dialect == "sqlite" else r"$\1"
        self._sql = {
            name: re.sub(r"\$(\d)", number, text.replace("COLUMNS", COLUMNS))
            for name, text in STATEMENTS.items()
        }

    async def keep(self, deal: KeptDeal, seed: str) -> None:
        row, secret = msgspec.structs.astuple(deal), (deal.id, seed)
        await self._write([(self._sql["keep"], row), (self._sql["keep_seed"], secret)])

    async def find(self, deal: str) -> KeptDeal | None:
        rows = await self._read(self._sql["find"], (deal,))
        return KeptDeal(*rows[0]) if rows else None

    async def seed(self, deal: str) -> str:
        rows = await self._read(self._sql["seed"], (deal,))
        return str(rows[0][0]) if rows else ""

    async def of_days(self, first: str, last: str) -> list[KeptDeal]:
        return [KeptDeal(*row) for row in await self._read(self._sql["of_days"], (first, last))]

    async def everything(self) -> list[KeptDeal]:
        return [KeptDeal(*row) for row in await self._read(self._sql["everything"], ())]

    async def begin(self, attempt: KeptAttempt) -> None:
        row = (attempt.game, attempt.deal, attempt.guest, attempt.name, attempt.place, attempt.begun)
        await self._write([(self._sql["begin"], row)])

    async def keep_attempt(self, attempt: KeptAttempt) -> None:
        await self._write([(self._sql["keep_attempt"], msgspec.structs.astuple(attempt))])

    async def end(self, game: str, at: float, result: str) -> None:
        await self._write([(self._sql["end"], (game, at, result))])

    async def strike(self, game: str) -> bool:
        found = bool(await self._read(self._sql["has_result"], (game,)))
        await self._write([(self._sql["strike"], (game,))])
        return found

    async def attempts(self, deal: str, guest: str = "", most: int = MOST_LISTED) -> list[KeptAttempt]:
        if guest:
            rows = await self._read(self._sql["attempts_at"], (deal, guest))
        else:
            rows = await self._read(self._sql["attempts"], (deal, most))
        return [KeptAttempt(*row) for row in rows]

    async def attempts_of(self, guest: str, most: int = 200) -> list[KeptAttempt]:
        return [KeptAttempt(*row) for row in await self._read(self._sql["attempts_of"], (guest, most))]

    async def note_help(self, game: str) -> None:
        await self._write([(self._sql["note_help"], (game,))])

    async def was_helped(self, game: str) -> bool:
        return bool(await self._read(self._sql["was_helped"], (game,)))
