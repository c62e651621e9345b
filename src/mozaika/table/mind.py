"""The process beside a server in which all its bots think.

Of the threads of a process one at a time runs Python, and the one that serves everybody would wait for those
that think, again and again. So they have an interpreter of their own, and a low priority. Lines and limits
(`pool`) stay in the server: this is where a pool has its work done, instead of threads. Whatever ends the
process, what it was asked is asked again.
"""

import asyncio
import logging
import os
import pickle
import struct
import sys
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from threading import Lock
from typing import Any, ParamSpec, TypeVar

from mozaika.kernel import cache_folder
from mozaika.table.beside import attend, perform
from mozaika.table.pool import step_back
from mozaika.table.thinkers import FAILED, Helpless

PROGRAM = (
    "import os, signal; signal.signal(signal.SIGINT, signal.SIG_IGN); "
    "signal.signal(signal.SIGTERM, signal.SIG_IGN); hasattr(os, 'nice') and (os.setpgrp(), os.nice(4)); "
    "from mozaika.table.mind import work_on; work_on()"
)
"""What the process runs: whoever has started it ends it, also where a signal is sent to both. With a session
of its own it would be the equal of the server to Linux.
"""
TRIES = 3
"""So often a question may be under way when the process ends; then it may be what ends it."""
MOST_AT_ONCE = 64
"""The pools before it have fewer threads together."""
SECONDS_OF_A_THREAD = 0.001
HEAD = struct.Struct("<QQ")
"""Before an answer: the number of its question, and how long it is."""

log = logging.getLogger("mozaika")
P = ParamSpec("P")
T = TypeVar("T")


@dataclass(eq=False)
class _Question:
    text: bytes
    answer: "Future[Any]" = field(default_factory=Future)
    deaths: int = 0


class Mind(Executor):
    """Has things done by the process, which is started at the first of them; for use in one event loop."""

    def __init__(self) -> None:
        self._waiting: deque[_Question] = deque()
        self._asked: dict[int, _Question] = {}
        self._numbers = count()
        self._process: asyncio.subprocess.Process | None = None
        self._life: asyncio.Task[None] | None = None
        self._closed = False

    def submit(self, work: Callable[P, T], /, *arguments: P.args, **named: P.kwargs) -> "Future[T]":
        """What a function of a module will have come to there; Helpless if the process ends over it."""
        question = _Question(pickle.dumps(partial(work, *arguments, **named)))
        self._waiting.append(question)
        self._ask()
        if self._life is None or self._life.done():
            self._life = asyncio.get_running_loop().create_task(self._live())
        return question.answer

    async def _live(self) -> None:
        """One process after the other, for as long as there is something to ask."""
        while self._waiting and not self._closed:
            try:
                await self._run()
            except OSError as error:
                log.error("the process that thinks cannot be started: %s", error)  # noqa: TRY400
                while self._waiting:
                    self._give_up(self._waiting.popleft())
            self._take_back()

    async def _run(self) -> None:
        """One process, from its start to its end."""
        self._process = process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            PROGRAM,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=_environment(),
        )
        try:
            if not self._closed:
                self._ask()
                await self._listen(process)
            else:
                process.kill()
            code = await process.wait()
        finally:
            self._process = None
        if not self._closed:
            log.error("the process that thinks has ended (%s)", code)

    async def _listen(self, process: asyncio.subprocess.Process) -> None:
        """Pass on what it says, until it says no more."""
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while process.stdout is not None:
                number, size = HEAD.unpack(await process.stdout.readexactly(HEAD.size))
                text = await process.stdout.readexactly(size)
                answer = self._asked.pop(number).answer
                if answer.set_running_or_notify_cancel():
                    done, found = _read(text)
                    (answer.set_result if done else answer.set_exception)(found)
                self._ask()

    def _ask(self) -> None:
        """Whatever waits; one by one while one may be what ends the process, so that it ends no other."""
        while self._waiting and self._process is not None and self._process.stdin is not None:
            if self._asked and any(each.deaths for each in (*self._asked.values(), *self._waiting)):
                return
            number, question = next(self._numbers), self._waiting.popleft()
            self._asked[number] = question
            self._process.stdin.write(pickle.dumps((number, question.text)))

    def _take_back(self) -> None:
        """The process has ended: what was under way is asked again, if somebody still wants to know."""
        asked, self._asked = list(self._asked.values()), {}
        for question in reversed(asked):
            question.deaths += 1
            if question.deaths < TRIES and not question.answer.cancelled():
                self._waiting.appendleft(question)
            else:
                self._give_up(question)

    def _give_up(self, question: _Question) -> None:
        if question.answer.set_running_or_notify_cancel():
            question.answer.set_exception(Helpless(FAILED))

    def restart(self) -> None:
        """End the process over what does not end; everything else is asked again."""
        if self._process is not None:
            self._process.kill()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the process now, whatever it does; nobody gets an answer any more."""
        self._closed = True
        for question in (*self._asked.values(), *self._waiting):
            question.answer.cancel()
        self._asked.clear()
        self._waiting.clear()
        self.restart()

    async def end(self) -> None:
        """Wait until it has ended."""
        self.shutdown()
        if self._life is not None:
            await self._life


def _environment() -> dict[str, str]:
    """That of the server without its settings, among which are secrets, and those of its database."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MOZAIKA_", "PG"))}
    return {**kept, "MOZAIKA_CACHE": str(cache_folder())}


def _read(text: bytes) -> tuple[bool, Any]:
    """Whether a question was answered, and how: with what was found, or with an error."""
    try:
        done, found = pickle.loads(text)  # noqa: S301  our own program
    except Exception as error:  # noqa: BLE001  whoever has asked is told
        return False, error
    return done, found


def _read_and_do(text: bytes) -> Any:
    return pickle.loads(text)()  # noqa: S301  our own program


def work_on() -> None:
    """In the process: do what comes in, each in a thread, and say what it came to, until the server ends."""
    sys.setswitchinterval(SECONDS_OF_A_THREAD)
    asked, told = attend()
    threads, turn = ThreadPoolExecutor(MOST_AT_ONCE, initializer=step_back), Lock()

    def answer(number: int, text: bytes) -> None:
        found = perform(partial(_read_and_do, text))
        with turn:
            told.write(HEAD.pack(number, len(found)) + found)
            told.flush()

    with suppress(EOFError, pickle.UnpicklingError):  # the server has ended, also in the middle of a question
        while True:
            threads.submit(answer, *pickle.load(asked))  # noqa: S301  our own program
    os._exit(0)  # thoughts that still go on are for nobody
