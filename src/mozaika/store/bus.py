"""Hints between processes: PostgreSQL's NOTIFY, gathered, after the commit, on a connection of its own.

Inside a transaction NOTIFY makes all commits wait for each other. A hint may be lost: whoever listens finds
out from the log, too, and is told when nobody has listened for a while.
"""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from mozaika.store.connecting import FAULTS, connect, explain

CHANNEL = "mozaika"
SECONDS_BETWEEN_SIGNS = 2.0
"""A connection that is silent for so long is asked whether it is still there."""
SECONDS_TO_RECOVER = 0.25
MOST_BYTES = 7_900
"""PostgreSQL carries no longer word."""
MOST_WORDS = 10_000
"""So many wait for a connection; whoever misses one finds out from the log."""

log = logging.getLogger("mozaika")


class Bus:
    """Tells other processes a word about a subject, and hears theirs."""

    def __init__(self, url: str, serving: int) -> None:
        """While it listens, it holds the shared lock of this number: somebody serves these games."""
        self.url, self._serving = url, serving
        self._heard: dict[str, Callable[[str], None]] = {}
        self._again: list[Callable[[], None]] = []
        self._words: dict[tuple[str, str], None] = {}
        self._spoken = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._process = 0

    def listen(self, subject: str, heard: Callable[[str], None]) -> None:
        """Call a function with each word of others."""
        self._heard[subject] = heard

    def listen_again(self, again: Callable[[], None]) -> None:
        """Call a function whenever something may have been missed."""
        self._again.append(again)

    def tell(self, subject: str, word: str) -> None:
        """Say something soon; what is said twice until then is said once."""
        if self._task is not None and len(self._words) < MOST_WORDS:
            self._words[subject, word] = None
            self._spoken.set()

    def start(self) -> None:
        self._task = asyncio.create_task(self._live())

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
            self._task = None

    async def _live(self) -> None:
        while True:
            db = None
            try:
                db = await connect(self.url)
                await self._begin(db)
                while True:
                    await self._say(db)
            except FAULTS as error:
                log.warning("other processes cannot be heard: %s", explain(error))
            finally:
                if db is not None:
                    db.terminate()
            await asyncio.sleep(SECONDS_TO_RECOVER)

    async def _begin(self, db: Any) -> None:
        await db.execute("SET synchronous_commit = off")
        await db.execute("SELECT pg_advisory_lock_shared($1)", self._serving)
        self._process = db.get_server_pid()
        await db.add_listener(CHANNEL, self._hear)
        for again in self._again:
            again()

    async def _say(self, db: Any) -> None:
        try:
            async with asyncio.timeout(SECONDS_BETWEEN_SIGNS):
                await self._spoken.wait()
        except TimeoutError:
            await db.execute("SELECT 1")
            return
        words, self._words = self._words, {}
        self._spoken.clear()
        said = [f"{subject} {word}" for subject, word in words]
        said = [each for each in said if len(each.encode()) < MOST_BYTES and "\0" not in each]
        await db.execute("SELECT pg_notify($1, word) FROM unnest($2::text[]) AS word", CHANNEL, said)

    def _hear(self, _: Any, process: int, __: str, said: object) -> None:
        subject, _, word = str(said).partition(" ")
        if process == self._process or subject not in self._heard:
            return
        try:
            self._heard[subject](word)
        except Exception:  # noqa: BLE001  whatever others say, we go on: they may be of another version
            log.warning("a word about “%s” was not understood", subject)
