"""A game gone over: what each decision was worth, how lucky each draw was, and who played how well."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import sqrt
from typing import Literal, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from mozaika.kernel import new_random
from mozaika.record import Entry, Record
from mozaika.reviewing.calibration import Calibration, calibration_of
from mozaika.reviewing.judge import JUDGE, POINTS, SHARE, Judge, Worth
from mozaika.state import CHANCE, State

Mark = Literal["", "inaccuracy", "mistake", "blunder"]
MARKS: tuple[tuple[Mark, float, float], ...] = (
    ("blunder", 0.15, 6.0),
    ("mistake", 0.07, 3.0),
    ("inaccuracy", 0.03, 1.5),
)
"""What a decision is called that loses so much of the victory; of a game alone, so many points."""
CERTAIN = 2.0
"""Nothing is said of a difference below so many standard errors of its own."""


class Value(msgspec.Struct, frozen=True):
    """What each seat could expect at a moment: its share of the victory, and its points."""

    ply: int
    shares: tuple[float, ...]
    points: tuple[float, ...]


class Decision(msgspec.Struct, frozen=True):
    """A move of a seat, counted from 1, beside the best that the judge found."""

    ply: int
    seat: int
    move: str
    best: str
    choices: int
    """How many moves there were."""
    loss: float
    """What it lost against the best, of the victory; in a game alone, in points."""
    loss_points: float
    error: float
    """The standard error of the loss."""
    mark: Mark
    accuracy: float
    effect: tuple[float, ...]
    """How it changed what each seat can expect, against the best."""
    line: tuple[tuple[int, str], ...] = ()
    """What was likely after the best move, as seats and moves, that move first."""


class Draw(msgspec.Struct, frozen=True):
    """What was drawn at once, between two decisions."""

    ply: int
    until: int
    luck: tuple[float, ...]
    """By how much better for each seat than such draws are in the mean; in a game alone, in points."""
    error: float


class Player(msgspec.Struct, frozen=True):
    """What one player did, and what was done to them; all in the unit of the review."""

    seat: int
    name: str
    decisions: int
    """How many had a real choice."""
    loss: float
    """In the mean of those."""
    loss_low: float
    loss_high: float
    accuracy: float
    marks: dict[str, int]
    start: float
    luck: float
    own: float
    """What the own decisions cost, against the best."""
    others: float
    """What the decisions of others brought, against their best."""
    rest: float
    """What the judge cannot explain: it expects other things before than after."""
    result: float


class Review(msgspec.Struct, frozen=True):
    """All of it; `done` of `steps` says how much of it is known."""

    game: str
    names: tuple[str, ...]
    unit: Literal["share", "points"]
    judge: str
    nodes: int
    over: bool
    calibrated: bool
    luck_counts: bool
    """Whether the luck may be added up."""
    done: int
    steps: int
    curve: tuple[Value, ...]
    decisions: tuple[Decision, ...]
    draws: tuple[Draw, ...]
    players: tuple[Player, ...]


class _Draws(NamedTuple):
    ply: int
    until: int


class Reviewer:
    """Goes over a record step by step, so that it can be looked at before it is whole."""

    def __init__(
        self, record: Record, nodes: int | None = None, calibration: Calibration | None = None
    ) -> None:
        """With so many nodes for a decision and another calibration than the game's, if they are given."""
        self.record, self.game = record, record.game
        self.calibration = calibration or calibration_of(self.game, record.seats)
        self.judge = Judge(self.game, self.calibration, nodes)
        self.states: list[State] = list(record.states())
        self.alone = record.seats == 1
        self.unit = POINTS if self.alone else SHARE
        self.values: dict[int, Worth] = {}
        self.decisions: dict[int, Decision] = {}
        self.draws: list[Draw] = []
        self.expected: Worth | None = None
        self.turns = [ply for ply, entry in enumerate(record.entries) if entry.seat != CHANCE]
        self.drawn = list(_list_draws(record.entries))
        self.steps, self.done = 2 * len(self.turns) + len(self.drawn), 0

    def run(self) -> Iterator[int]:
        """Take step after step; says how many are done. First a quick curve, then decisions, then draws."""
        steps: list[Callable[[], None]] = [partial(self.glance, ply) for ply in self.turns]
        steps += [partial(self.decide, ply) for ply in self.turns]
        steps += [partial(self.judge_draw, place) for place in self.drawn]
        for step in steps:
            step()
            self.done += 1
            yield self.done

    def glance(self, ply: int) -> None:
        self.values[ply] = self.judge.look(self.states[ply], ply, new_random(ply))

    def decide(self, ply: int) -> None:
        (seat, move), state = self.record.entries[ply], self.states[ply]
        moves = self.judge.fast.legal_moves(state, seat)
        thought = self.judge.think(state, seat)
        self.values[ply] = self.judge.read(thought, ply)
        effect, error, best = np.zeros((2, self.record.seats)), 0.0, move
        if thought.move != move:
            found = self.judge.compare(state, seat, [move, thought.move], ply)
            apart: NDArray[np.float64] = found[0] - found[1]
            if apart[:, self.unit, seat].mean() < 0:
                effect, best = apart.mean(axis=0), thought.move
                error = float(apart[:, self.unit, seat].std(ddof=1)) / sqrt(len(apart))
        loss = -float(effect[self.unit, seat])
        write = self.game.write_move
        self.decisions[ply] = Decision(
            ply=ply,
            seat=seat + 1,
            move=write(move),
            best=write(best),
            choices=len(moves),
            loss=loss,
            loss_points=-float(effect[POINTS, seat]),
            error=error,
            mark=self._mark(loss, error),
            accuracy=self.calibration.accuracy(loss),
            effect=tuple(effect[self.unit].tolist()),
            line=() if best == move else tuple((who + 1, write(each)) for who, each in thought.line),
        )

    def _mark(self, loss: float, error: float) -> Mark:
        if loss <= CERTAIN * error:
            return ""
        return next((mark for mark, share, points in MARKS if loss >= (points if self.alone else share)), "")

    def judge_draw(self, place: _Draws) -> None:
        ply, until = place
        drawn, expected, error = self.judge.redraw(self.states[ply], self.states[until], until)
        if self.expected is None:
            self.expected = expected
        luck = (drawn - expected)[self.unit]
        self.draws.append(Draw(ply, until, tuple(luck.tolist()), float(error[self.unit].max())))

    def result(self) -> Review:
        """What is known by now."""
        record = self.record
        over = not self.judge.fast.movers(self.states[-1])
        curve = dict(self.values)
        if over:
            curve[len(record.entries)] = self.judge.count(self.states[-1])
        return Review(
            game=self.game.id,
            names=tuple(record.names),
            unit="points" if self.alone else "share",
            judge=JUDGE,
            nodes=self.judge.nodes,
            over=over,
            calibrated=bool(self.calibration.games),
            luck_counts=self.calibration.luck_counts,
            done=self.done,
            steps=self.steps,
            curve=tuple(
                Value(ply, *(tuple(map(float, each)) for each in worth))
                for ply, worth in sorted(curve.items())
            ),
            decisions=tuple(self.decisions[ply] for ply in sorted(self.decisions)),
            draws=tuple(self.draws),
            players=tuple(self._player(seat, over) for seat in range(record.seats)),
        )

    def _player(self, seat: int, over: bool) -> Player:
        unforced = [each for each in self.decisions.values() if each.seat == seat + 1 and each.choices > 1]
        losses = np.array([each.loss for each in unforced] or [0.0])
        spread = 1.96 * float(losses.std(ddof=1)) / sqrt(len(losses)) if len(losses) > 1 else 0.0
        mean = float(losses.mean())
        own = -sum(each.loss for each in self.decisions.values() if each.seat == seat + 1)
        others = sum(each.effect[seat] for each in self.decisions.values() if each.seat != seat + 1)
        luck = sum(each.luck[seat] for each in self.draws)
        start, result = self._span(seat, over)
        return Player(
            seat=seat + 1,
            name=self.record.names[seat],
            decisions=len(unforced),
            loss=mean,
            loss_low=max(0.0, mean - spread),
            loss_high=mean + spread,
            accuracy=float(np.mean([each.accuracy for each in unforced])) if unforced else 100.0,
            marks={mark: sum(each.mark == mark for each in unforced) for mark, *_ in MARKS},
            start=start,
            luck=luck,
            own=own,
            others=others,
            rest=result - start - luck - own - others,
            result=result,
        )

    def _span(self, seat: int, over: bool) -> tuple[float, float]:
        """What a seat could expect at first, and what it has at last."""
        first = self.expected if self.expected is not None else self.values.get(min(self.values, default=0))
        if first is None:
            return 0.0, 0.0
        last = self.judge.count(self.states[-1]) if over else self.values[max(self.values)]
        return float(first[self.unit][seat]), float(last[self.unit][seat])


def _list_draws(entries: Sequence[Entry]) -> Iterator[_Draws]:
    """Whatever was drawn before somebody decided again."""
    first = None
    for ply, entry in enumerate(entries):
        if entry.seat == CHANCE:
            first = ply if first is None else first
        elif first is not None:
            yield _Draws(first, ply)
            first = None


def review(record: Record, nodes: int | None = None) -> Review:
    """Go over a whole game. The same record gets the same review everywhere."""
    reviewer = Reviewer(record, nodes)
    for _ in reviewer.run():
        pass
    return reviewer.result()
