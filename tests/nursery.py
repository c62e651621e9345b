"""A process that has imported and loaded everything, from which others are forked: a start takes no time.

Each is the real `mozaika` in a process of its own: a server with its own store, port and output, a command.
"""

import atexit
import json
import os
import signal
import subprocess
import sys
import traceback
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from threading import Lock


class Child:
    """What the nursery has forked; like a Popen, as far as tests need one."""

    def __init__(self, nursery: "Nursery", pid: int) -> None:
        self.nursery, self.pid = nursery, pid
        self.returncode: int | None = None

    def send_signal(self, number: int) -> None:
        if self.returncode is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def poll(self) -> int | None:
        if self.returncode is None:
            self.returncode = self.nursery.ask("poll", self.pid)
        return self.returncode

    def wait(self, _: float = 0) -> int:
        if self.returncode is None:
            self.returncode = self.nursery.ask("wait", self.pid)
        return self.returncode


BARE = "-"
"""Instead of games: no kernel is loaded, only the compiler is at hand."""


class Nursery:
    """The tests' end of it."""

    def __init__(self, *games: str, environment: dict[str, str] | None = None) -> None:
        self.lock = Lock()
        self.process = subprocess.Popen(
            [sys.executable, __file__, *games],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        atexit.register(self.close)

    def fork(self, output: Path, *arguments: str, typed: str = os.devnull, first: str = "") -> Child:
        """A process that runs the command line, or after `-c` a script, with a file as what is typed.

        Before that it calls `prepare` of one of the modules beside this one, if it is named.
        """
        return Child(self, self.ask("fork", str(output), typed, first, *arguments))

    def ask(self, *wish: object) -> int | None:
        with self.lock:
            print(json.dumps(wish), file=self.process.stdin, flush=True)
            return json.loads(self.process.stdout.readline())

    def close(self) -> None:
        """Whatever still runs ends with it."""
        self.process.communicate()


@cache
def nursery(path: str = "", *games: str) -> Nursery:
    """The one of this test process; another where Python is to find more packages, for some games only."""
    wide = {"COLUMNS": "100"}
    return Nursery(*games, environment={**os.environ, **wide, "PYTHONPATH": path} if path else None)


def live() -> None:
    """The life of the process: a wish a line, an answer a line."""
    from mozaika import __main__, cli, kernel  # noqa: F401
    from mozaika.games import GAMES
    from mozaika.server import app  # noqa: F401
    from mozaika.store import sqlite  # noqa: F401
    from mozaika.words import LANGUAGES

    if BARE in sys.argv:
        from numba import njit

        njit(lambda number: number + 1)(1)
    else:
        for game in [GAMES[name] for name in sys.argv[1:] or GAMES]:
            kernel.warm(game)
            for lang in LANGUAGES:
                game.words(lang)
    children = set()
    for line in sys.stdin:
        what, first, *rest = json.loads(line)
        if what == "fork":
            answer = os.fork()
            if not answer:
                be_born(first, *rest)
            children.add(answer)
        else:
            ended, status = os.waitpid(first, os.WNOHANG if what == "poll" else 0)
            answer = os.waitstatus_to_exitcode(status) if ended else None
            if ended:
                children.discard(first)
        print(json.dumps(answer), flush=True)
    for child in children:
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)


def be_born(output: str, typed: str, first: str, *arguments: str) -> None:
    """What a new process does; never returns."""
    from mozaika.__main__ import main

    file = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(os.open(typed, os.O_RDONLY), 0)
    os.dup2(file, 1)
    os.dup2(file, 2)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout.reconfigure(line_buffering=True)
    sys.argv = ["mozaika", *arguments]
    code = 1
    try:
        if first:
            import_module(first).prepare()
        if arguments[0] == "-c":
            sys.argv = ["-c", *arguments[2:]]
            exec(arguments[1], {"__name__": "__main__"})
        else:
            main()
        code = 0
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else int(left.code is not None)
    except BaseException:  # noqa: BLE001  as Python ends a program
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    live()
