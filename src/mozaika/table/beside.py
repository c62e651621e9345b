"""Work that would hold up everybody here, done by a process beside this one.

Of the threads of a process one at a time runs Python, and the one that serves everybody waits for it, again
and again; while a picture is rendered, or a text of a megabyte is taken apart, for as long as that takes.
Another process has an interpreter of its own, and it ends where a thread would go on for ever.
"""

import atexit
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from math import ceil
from queue import LifoQueue
from time import process_time
from typing import Any, BinaryIO, ParamSpec, TypeVar

from mozaika.table.pool import Overworked, step_back
from mozaika.words import later

AT_ONCE = 2
SECONDS = 8
"""So much of a processor a piece of work may take."""
TOO_LONG = later("It took too long to read this; try again, or send less.")
BESIDE = (
    "import os, sys; hasattr(os, 'nice') and os.nice(4); from mozaika.table.beside import work_on; "
    "from mozaika.kernel.warming import yield_to; yield_to(int(sys.argv[1]), 0); work_on()"
)
"""What such a process runs: everybody who plays goes first, also while it starts."""

P = ParamSpec("P")
T = TypeVar("T")


def beside(function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """What a function of a module comes to, which this thread waits for; Overworked where it does not end."""
    helper = _free.get()
    try:
        done, answer = helper.do(partial(function, *arguments, **named))
    finally:
        _free.put(helper)
    if not done:
        raise answer
    found: T = answer
    return found


class _Helper:
    """A process that is started when there is something to do, and again after it has ended."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def do(self, work: Callable[[], Any]) -> tuple[bool, Any]:
        """Whether it was done, and what it came to or which error."""
        process = self._process
        if process is None or process.poll() is not None:
            self.end()
            process = self._process = self._start()
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("A process beside has no pipes.")
        try:
            process.stdin.write(pickle.dumps((work, SECONDS)))
            process.stdin.flush()
            found: tuple[bool, Any] = pickle.load(process.stdout)  # noqa: S301  our own program
        except (EOFError, OSError):
            self.end()
            raise Overworked(TOO_LONG) from None
        return found

    def _start(self) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(  # noqa: S603  our own program
            [sys.executable, "-c", BESIDE, str(os.getpid())], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def end(self) -> None:
        """Let it go, whatever it does."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                with suppress(OSError):  # what it was told and has not read
                    pipe.close()  # type: ignore[union-attr]


_free: LifoQueue[_Helper] = LifoQueue()
"""Whoever was asked last is asked first, so that the second one starts only when both are needed."""
_helpers = [_Helper() for _ in range(AT_ONCE)]
for _each in _helpers:
    _free.put(_each)


@atexit.register
def dismiss_helpers() -> None:
    """End all processes beside this one."""
    for helper in _helpers:
        helper.end()


def attend() -> tuple[BinaryIO, BinaryIO]:
    """In a process beside: where one is asked and where one answers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever has started it ends it
    asked, told = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what is printed here is no answer
    return asked, told


def work_on() -> None:
    """In the process beside: do what comes in and say what it came to, until nobody asks any more."""
    step_back()
    asked, told = attend()
    while True:
        try:
            work, seconds = pickle.load(asked)  # noqa: S301  our own program
        except EOFError:
            return
        _allow(seconds)
        told.write(perform(work))
        told.flush()


def _allow(seconds: int) -> None:
    """Whoever takes more of a processor from now on is ended by the system, where it can do that."""
    with suppress(ImportError):  # there is no such thing on Windows
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (ceil(process_time()) + seconds, hard))


def perform(work: Callable[[], Any]) -> bytes:
    """What it comes to, for whoever has asked: whether it was done, and what was found or which error."""
    try:
        return pickle.dumps((True, work()))
    except Exception as error:  # noqa: BLE001  it is for whoever has asked
        return _write_down(error)


def _write_down(error: Exception) -> bytes:
    try:
        text = pickle.dumps((False, error))
        pickle.loads(text)  # noqa: S301  not all that can be written can be read
    except Exception:  # noqa: BLE001
        return pickle.dumps((False, RuntimeError(repr(error))))
    return text
