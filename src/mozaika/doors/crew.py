"""The threads of a batch: each has a part of the rows, and whoever is done with it helps the others.

The caller works, too, and never waits for a thread that sleeps. A thread that has nothing to do spins for a
moment, because waking one takes as long as hundreds of steps, and then sleeps until it is called.
"""

import os
import threading
import weakref
from time import perf_counter, sleep
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mozaika.doors.steps import clear_rows, first_wrong, sample_choices, sample_softmax, step_games
from mozaika.kernel import add_shared, breathe, compiled, kernel, read_shared, write_shared
from mozaika.state import Floats, Ints

SERVE, WAIT, STEP, PLAY, TRY, SAMPLE, SOFTMAX, BEST = range(-1, 7)
"""What is to be done: a thread serves whoever calls; the caller waits for the others, or begins a job.

STEP is part of a step that is shown already, PLAY begins a new one, TRY does so if all actions are open.
"""
LINE = 8
"""Numbers that threads share lie apart, each in a line of the processor's cache."""
JOB, FINISHED, WRONG, CLOSED, NEXT = 0, LINE, 2 * LINE, 3 * LINE, 4 * LINE
"""On the board: what is done, how many rows it has been done for, whether an action was not open, whether all
shall leave; then of each part the next row.
"""
ROWS = 16
"""So many rows are taken at once: few, because whoever takes the last ones keeps the others waiting."""
UNFINISHED, DONE, REFUSED = range(3)
MOMENT = 2e-4
"""How long, in seconds, a thread spins: about as long as it takes to wake it."""
SPINS = 1000


@kernel
def attend(  # noqa: C901  as in `step_games`
    job: int,
    part: int,
    patience: int,
    board: Ints,
    states: NDArray[np.void],
    start: NDArray[np.void],
    notes: NDArray[np.void],
    desks: NDArray[np.void],
    terms: NDArray[np.void],
    actions: Ints,
    drawn: Ints,
    seat: NDArray[np.int8],
    listed: Ints,
    mask: NDArray[np.uint8],
    reward: NDArray[np.float32],
    done: NDArray[np.uint8],
    seen: NDArray[np.float32],
    places: Ints,
    logits: Floats,
) -> int:
    """Do a job together, or what others begin; returns how that ended, UNFINISHED when patience is lost."""
    n = len(states)
    parts = len(desks)
    if job > WAIT:
        write_shared(board, WRONG, 0)
        begin(board, job, n, parts)
    idle = 0
    finished = 0
    while idle < patience:
        idle += 1
        first, last = take_rows(board, part, n, parts)
        if first < last:
            idle = 0
            work = read_shared(board, JOB)
            if work == PLAY:
                clear_rows(first, last, reward, done)
            if work == TRY:
                if first_wrong(first, last, notes, mask, actions) >= 0:
                    write_shared(board, WRONG, 1)
            elif work == SAMPLE:
                sample_choices(first, last, notes, listed, drawn)
            elif work > SAMPLE:
                sample_softmax(first, last, notes, mask, logits, drawn, 1 if work == BEST else 0)
            else:
                step_games(
                    first,
                    last,
                    states,
                    start,
                    notes,
                    desks[part],
                    terms[0],
                    actions,
                    seat,
                    listed,
                    mask,
                    reward,
                    done,
                    seen,
                    places,
                )
            finished += last - first
        elif finished > 0:
            add_shared(board, FINISHED, finished)
            finished = 0
        elif job == SERVE:
            if read_shared(board, CLOSED) != 0:
                return DONE
            breathe()
        elif read_shared(board, FINISHED) != n:
            breathe()
        elif read_shared(board, JOB) != TRY:
            return DONE
        elif read_shared(board, WRONG) != 0:
            return REFUSED
        else:
            begin(board, PLAY, n, parts)
    return UNFINISHED


@kernel
def begin(board: Ints, job: int, n: int, parts: int) -> None:
    """Put a job on the board. Whoever sees a row to do sees all that was written before."""
    write_shared(board, JOB, job)
    write_shared(board, FINISHED, 0)
    for part in range(parts - 1, -1, -1):
        write_shared(board, NEXT + LINE * part, n * part // parts)


@kernel
def take_rows(board: Ints, part: int, n: int, parts: int) -> tuple[int, int]:
    """The next rows of one's own part, or else of another one; none if all are taken."""
    for turn in range(parts):
        whose = (part + turn) % parts
        end = n * (whose + 1) // parts
        if read_shared(board, NEXT + LINE * whose) < end:
            first = add_shared(board, NEXT + LINE * whose, ROWS if parts > 1 else n)
            if first < end:
                return first, min(end, first + ROWS if parts > 1 else end)
    return 0, 0


class Crew:
    """Does the jobs of a batch, whose arrays it is given in the order of `attend`."""

    def __init__(self, parts: int, *arrays: Any) -> None:
        """With threads for all parts but the first, which is the caller's; the last array is for logits."""
        self._attend: Any = compiled(attend)
        self._parts = parts
        self._board = np.zeros(NEXT + LINE * parts, np.int64)
        self._arrays, self._logits = (self._board, *arrays[:-1]), arrays[-1]
        self._patience, self._threads = 1 << 40, list[_Thread]()
        self._process = 0
        self._board[NEXT::LINE] = len(arrays[0])  # nothing to do yet

    def do(self, job: int, logits: NDArray[np.float32] | None = None) -> bool:
        """Do one job for all rows; returns whether it was done, and not refused."""
        if self._parts > 1:
            self._call_threads()
            if logits is not None:
                np.copyto(self._logits, logits)
        used = logits if logits is not None and self._parts == 1 else self._logits
        while (ended := self._attend(job, 0, self._patience, *self._arrays, used)) == UNFINISHED:
            job = WAIT
            sleep(0)  # fewer processors than threads: whoever is not done yet needs this one
        return bool(ended == DONE)

    def _call_threads(self) -> None:
        if self._process != os.getpid():  # the first time, and after a fork, which takes no threads along
            self._hire()
        for thread in self._threads:
            if thread.asleep:
                thread.asleep = False
                thread.bell.release()

    def _hire(self) -> None:
        self._process = os.getpid()
        everything = (*self._arrays, self._logits)
        enough = self._parts <= len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else True
        self._patience = _spins_in_a_moment(self._attend, everything) if enough else 1
        self._threads = [
            _Thread(self._attend, self._board, part, self._patience, everything)
            for part in range(1, self._parts)
        ]
        weakref.finalize(self, _dismiss, self._board, self._threads)


def _spins_in_a_moment(attend: Any, arrays: Any) -> int:
    """How often one looks whether there is something to do; this also compiles it before threads need it."""
    attend(SERVE, 0, 1, *arrays)
    best = MOMENT
    for _ in range(3):
        begun = perf_counter()
        attend(SERVE, 0, SPINS, *arrays)
        best = min(best, perf_counter() - begun)
    return int(SPINS * MOMENT / best)


class _Thread(threading.Thread):
    """Serves a board. It knows nothing of its crew, so a batch that nobody needs any more can go."""

    def __init__(self, attend: Any, board: NDArray[np.int64], part: int, patience: int, arrays: Any) -> None:
        super().__init__(name=f"batch-{part}", daemon=True)
        self.asleep, self.bell = False, threading.Lock()
        self.bell.acquire()
        self._service = attend, board, part, patience, arrays
        self.start()

    def run(self) -> None:
        attend, board, part, patience, arrays = self._service
        while not board[CLOSED]:
            attend(SERVE, part, patience, *arrays)
            self.asleep = True
            self.bell.acquire()


def can_share() -> bool:
    """Whether threads can: where the compiler is switched off, nothing is atomic."""
    return compiled(attend) is not attend


def _dismiss(board: NDArray[np.int64], threads: list[_Thread]) -> None:
    board[CLOSED] = 1
    for thread in threads:
        if thread.bell.locked():
            thread.bell.release()
