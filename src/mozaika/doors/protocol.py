"""Bots in other processes: a few lines of text over standard input and output, described in docs/protocol.md.

Every request carries all that the seat may know, so neither side has anything to remember.
"""

import contextlib
import os
import queue
import shlex
import signal
import subprocess
import threading
from collections.abc import Callable, Iterable
from math import inf
from time import monotonic
from typing import IO, Any, Final

from mozaika.game import Bot, Game
from mozaika.kernel import compiling, new_random, swift_game, warm
from mozaika.state import Random, State
from mozaika.thought import Budget, Thought
from mozaika.words import Words, later

GREETING: Final = "mozaika 1"
LONGEST_LINE = 10_000
"""Of an answer. The lines of a request can be longer."""


LONGEST_NAME = 40
LONGEST_QUOTE = 80


class Forfeit(Exception):
    """A bot that did not keep to the protocol loses the game; its sentence says why, in any language."""

    def __init__(self, sentence: str, **values: Any) -> None:
        super().__init__(sentence.format(bot="The bot", **values))
        self.sentence, self.values = sentence, values

    def about(self, bot: str, words: Words | None = None) -> str:
        return (words or Words()).say(self.sentence, bot=bot, **self.values)


class External:
    """A bot that is a command; its process is started when it is first asked, and again after a forfeit."""

    def __init__(self, command: str, patience: float = 60.0) -> None:
        self.command = command
        self.name = ""
        """What it calls itself, as soon as it has said so."""
        self.patience = patience
        """Seconds for an answer, above the time that the bot is given to think; for the first, five times."""
        self._process: subprocess.Popen[str] | None = None
        self._answers: queue.Queue[str] = queue.Queue()
        self._listener = threading.Thread()

    def __call__(self, game: Game, view: State, seat: int, random: Random, budget: Budget | None) -> Thought:
        number = int(random[0])
        state = game.guess(view, seat, random)
        legal = {game.write_move(move): move for move in game.legal_moves(state, seat)}
        thinking = budget.milliseconds / 1000 if budget and budget.milliseconds < inf else 0.0
        try:
            self.open()
            self._send(write_request(game.write_position(state), seat, number, budget, legal))
            text = self._hear("play", self.patience + thinking)
            return Thought(legal[text])
        except KeyError:
            self.close(0)
            refused = later("{bot} answered “{text}”, which is no legal move.")
            raise Forfeit(refused, text=text[:LONGEST_QUOTE]) from None
        except Forfeit:
            self.close(0)
            raise

    def open(self) -> None:
        """Start the process unless it runs, and exchange greetings."""
        if self._process is not None:
            return
        self._answers = queue.Queue(maxsize=100)
        try:
            self._process = subprocess.Popen(  # noqa: S603  whoever names the command means it
                _split_command(self.command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                encoding="utf-8",
                errors="replace",
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
            raise Forfeit(later("{bot} cannot be started: {reason}."), reason=reason.lower()) from None
        heard = (_there(self._process.stdout), self._answers)
        self._listener = threading.Thread(target=_listen, args=heard, daemon=True)
        self._listener.start()
        self._send(GREETING + "\n")
        self.name = self._hear(GREETING, 5 * self.patience)[:LONGEST_NAME].strip()

    def close(self, grace: float = 1.0) -> None:
        """Tell the process to leave, and after some seconds of grace end it and whatever it has started."""
        if self._process is None:
            return
        self._send("quit\n")
        process, self._process = self._process, None
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(grace)
        with contextlib.suppress(OSError):
            if os.name == "posix":
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        process.wait()
        threading.Thread(target=_close, args=(_there(process.stdin),), daemon=True).start()
        until = monotonic() + 1
        while self._listener.is_alive() and monotonic() < until:
            with contextlib.suppress(queue.Empty):
                self._answers.get(timeout=0.01)

    def _send(self, text: str) -> None:
        """Write in a thread of its own: a bot that does not read must not stop us."""
        stdin = _there(self._process.stdin if self._process else None)
        threading.Thread(target=_write, args=(stdin, text), daemon=True).start()

    def _hear(self, verb: str, seconds: float) -> str:
        """The rest of an answer that begins with these words; remarks are passed over."""
        until = monotonic() + seconds
        while True:
            line, left = None, until - monotonic()
            if left > 0:  # however many remarks there are
                with contextlib.suppress(queue.Empty):
                    line = self._answers.get(timeout=left)
            if line is None:
                raise Forfeit(later("{bot} gave no answer for {seconds} seconds."), seconds=f"{seconds:g}")
            if line == "":
                raise Forfeit(later("{bot} has ended by itself."))
            words = _printable(line)
            if words.startswith(f"{verb} ") or words == verb:
                return words.removeprefix(verb).strip()
            if words and not words.startswith("#"):
                unasked = later("{bot} answered “{text}” instead of “{verb} …”.")
                raise Forfeit(unasked, text=words[:LONGEST_QUOTE], verb=verb)


def write_request(position: str, seat: int, number: int, budget: Budget | None, legal: Iterable[str]) -> str:
    """What a bot is asked: all the lines, with `go` at the end."""
    limits = [("nodes", budget.nodes), ("ms", budget.milliseconds)] if budget else []
    lines = [
        f"position {position}",
        f"seat {seat + 1}",
        f"random {number}",
        *(f"{name} {max(1, round(limit))}" for name, limit in limits if limit < inf),
        *(f"legal {text}" for text in legal),
        "go",
    ]
    return "\n".join(lines) + "\n"


def answer(game: Game, bot: Bot, lines: Iterable[str], say: Callable[[str], None]) -> None:
    """Let a bot of ours answer the requests of another program, until they end.

    ValueError with a sentence where a request makes no sense. Lines that nobody knows are passed over.
    """
    warm(game)
    fast, asked = swift_game(game), dict[str, str]()
    for line in lines:
        verb, _, rest = line.strip().partition(" ")
        if line.strip() == GREETING:
            say(f"{GREETING} {game.id}")
        elif verb == "mozaika":
            raise ValueError(f"We speak “{GREETING}”, not “{line.strip()}”.")
        elif verb == "go":
            with compiling():
                say(f"play {_think(fast, bot, asked)}")
            asked = {}
        elif verb == "quit":
            return
        elif verb != "legal":
            asked[verb] = rest.strip()


def _think(game: Game, bot: Bot, asked: dict[str, str]) -> str:
    if "position" not in asked:
        raise ValueError("A request needs a line “position …” before “go”.")
    state = game.parse_position(asked["position"])
    seat = _number(asked, "seat", 1) - 1
    if not game.legal_moves(state, seat):
        raise ValueError(f"Seat {seat + 1} has no move in this position.")
    random = new_random(_number(asked, "random", 0))
    nodes, milliseconds = (_number(asked, name, 1) if name in asked else None for name in ("nodes", "ms"))
    budget = Budget.of(nodes, milliseconds)
    return game.write_move(bot(game, game.hide(state, seat), seat, random, budget).move)


def _number(asked: dict[str, str], name: str, least: int) -> int:
    text = asked.get(name, str(least))
    if not text.isdecimal() or int(text) < least:
        raise ValueError(f"“{name}” needs a whole number from {least} on, not “{text}”.")
    return int(text)


def _split_command(command: str) -> list[str]:
    if parts := shlex.split(command):
        return parts
    raise ValueError("there is no command")


def _printable(line: str) -> str:
    """A line without what could move the cursor of a terminal, and with single blanks."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in line).split())


def _close(stdin: IO[str]) -> None:
    """In a thread of its own, for it waits until whatever was being written is written: perhaps for ever, if
    somebody whom the bot has left behind holds the other end and does not read.
    """
    with contextlib.suppress(OSError, ValueError):
        stdin.close()


def _there(pipe: IO[str] | None) -> IO[str]:
    if pipe is None:
        raise AssertionError("the process was started with pipes")
    return pipe


def _listen(stdout: IO[str], answers: "queue.Queue[str]") -> None:
    """Put in the lines as they come, of very long ones the beginning."""
    begins = True
    with stdout, contextlib.suppress(OSError, ValueError):
        while line := stdout.readline(LONGEST_LINE):
            if begins:
                answers.put(line)
            begins = line.endswith("\n")
    answers.put("")


def _write(stdin: IO[str], text: str) -> None:
    with contextlib.suppress(OSError, ValueError):
        stdin.write(text)
        stdin.flush()
