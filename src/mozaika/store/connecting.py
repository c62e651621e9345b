"""How PostgreSQL is reached, and what can go wrong on the way."""

from typing import Any

import asyncpg

SECONDS = 5.0
"""Who does not answer for so long has lost the connection."""
FAULTS = (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError, ValueError)


async def connect(url: str) -> Any:
    """A connection of one's own."""
    return await asyncpg.connect(url, timeout=SECONDS, command_timeout=SECONDS)


def explain(error: BaseException) -> str:
    """What is wrong, as a part of a sentence; a timeout says nothing by itself."""
    return str(error).strip().rstrip(".") or "it does not answer"
