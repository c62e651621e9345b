"""What a move brings against the one that the judge would have played, and whether that is marked.

Where the first look finds a difference that could be marked, a closer one with other random numbers decides:
what is chosen because it stands out does so by chance, too, and a fresh look does not repeat that. A move
that looks better than the judge's is looked at again just the same, so that means over decisions are not
biased.
"""

from collections.abc import Sequence
from math import hypot, sqrt
from typing import Literal, NamedTuple

import numpy as np

from mozaika.reviewing.judge import POINTS, SHARE, Judge, Worth
from mozaika.state import State
from mozaika.thought import Thought

Mark = Literal["", "inaccuracy", "mistake", "blunder"]
MARKS: tuple[tuple[Mark, float, float], ...] = (
    ("blunder", 0.15, 6.0),
    ("mistake", 0.07, 3.0),
    ("inaccuracy", 0.03, 1.5),
)
"""What a decision is called that loses so much of the victory; of a game alone, so many points."""
CERTAIN = 2.0
"""Nothing is said of a difference below so many standard errors of its own."""
FIRST_ATTEMPTS = 4
"""So often moves are compared at first, which only decides where to look closer."""


class Weighed(NamedTuple):
    """A move beside the one that the judge would have played."""

    best: Thought
    effect: Worth
    """How it changes what each seat can expect; a gain is possible, the judge errs, too."""
    loss: float
    """For who made it, of the victory, or in points in a game alone; below 0 it was a gain."""
    error: float
    """The standard error of that, with how much the judge can be wrong each time alike."""

    @property
    def mark(self) -> Mark:
        return mark_loss(self.loss, self.error, alone=self.effect.shape[1] == 1)


def mark_loss(loss: float, error: float, *, alone: bool) -> Mark:
    """What a decision is called; nothing if it could be as good as the best."""
    if loss <= CERTAIN * error:
        return ""
    return next((mark for mark, share, points in MARKS if loss >= (points if alone else share)), "")


def weigh(judge: Judge, state: State, seat: int, moves: Sequence[int], ply: int) -> dict[int, Weighed]:
    """Some moves of a seat, each beside what the judge would have played."""
    alone = int(state["seats"]) == 1
    _, *least = MARKS[-1]
    found = compare_with(judge, judge.think(state, seat), state, seat, moves, ply, FIRST_ATTEMPTS)
    apart = [move for move, weighed in found.items() if abs(weighed.loss) >= least[alone]]
    if apart:
        thought = judge.closer.think(state, seat)
        found |= compare_with(judge.closer, thought, state, seat, apart, ply)
    return found


def compare_with(
    judge: Judge,
    best: Thought,
    state: State,
    seat: int,
    moves: Sequence[int],
    ply: int,
    attempts: int | None = None,
) -> dict[int, Weighed]:
    """Some moves of a seat beside a best one, looked at once."""
    seats = int(state["seats"])
    unit = POINTS if seats == 1 else SHARE
    found = {move: Weighed(best, np.zeros((2, seats)), 0.0, 0.0) for move in moves}
    others = [move for move in found if move != best.move]
    if not others:
        return found
    worths = judge.compare(state, seat, [best.move, *others], ply, attempts)
    for move, after in zip(others, worths[1:], strict=True):
        apart = after - worths[0]
        effect, own = apart.mean(axis=0), apart[:, unit, seat]
        error = hypot(float(own.std(ddof=1)) / sqrt(len(own)), judge.calibration.doubt)
        found[move] = Weighed(best, effect, -float(effect[unit, seat]), error)
    return found
