"""A game gone over: what each decision was worth, how lucky each draw was, and who played how well."""

from collections.abc import Iterator, Sequence
from math import sqrt
from typing import Literal

import msgspec
import numpy as np

from mozaika.kernel import new_random
from mozaika.record import Entry, Record
from mozaika.reviewing.calibration import Calibration, Like, calibration_of
from mozaika.reviewing.judge import POINTS, SHARE, Judge, Worth
from mozaika.reviewing.weighing import MARKS, Mark, weigh
from mozaika.state import CHANCE, State

LEAST_DECISIONS = 8
"""From fewer decisions nobody can tell who plays like that."""


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
    """How it changed what each seat can expect, against what the judge would have played: a move that turned
    out better than that loses nothing, and has brought something.
    """
    line: tuple[tuple[int, str], ...] = ()
    """What was likely after the best move, as seats and moves, that move first."""


class Draw(msgspec.Struct, frozen=True):
    """What was drawn at once, between two decisions."""

    ply: int
    until: int
    luck: tuple[float, ...]
    """By how much better for each seat than such draws are in the mean; in a game alone, in points."""
    error: float
    expected: tuple[float, ...] = ()
    """What each seat could expect before it, in the same unit."""


class Possible(msgspec.Struct, frozen=True):
    """A part of a game with the points of each seat, and how many each could have had, had all draws been
    known: no decision can be blamed for that.
    """

    sentence: str
    values: dict[str, int | str]
    made: tuple[int, ...]
    possible: tuple[int, ...]


class Player(msgspec.Struct, frozen=True):
    """What one player did, and what was done to them; all in the unit of the review."""

    seat: int
    name: str
    decisions: int
    """How many had a real choice."""
    loss: float
    """In the mean of those, against what the judge would have played; below 0 they were better than that."""
    loss_low: float
    loss_high: float
    accuracy: float
    marks: dict[str, int]
    start: float
    luck: float
    luck_error: float
    """The standard error of that."""
    own: float
    """What the own decisions brought, against those of the judge."""
    others: float
    """What the decisions of others brought, against those of the judge."""
    rest: float
    """What the judge cannot explain: it expects other things before than after."""
    result: float
    like: Like | None = None
    """Who plays like that; None where nobody has measured it, or too little was decided."""


class Review(msgspec.Struct, frozen=True):
    """All of it; `done` of `steps` says how much of it is known."""

    game: str
    names: tuple[str, ...]
    unit: Literal["share", "points"]
    judge: str
    nodes: int
    over: bool
    calibrated: bool
    games: int
    """On how many games that were held out its shares have been checked."""
    luck_counts: bool
    """Whether the luck may be added up."""
    done: int
    steps: int
    curve: tuple[Value, ...]
    decisions: tuple[Decision, ...]
    draws: tuple[Draw, ...]
    players: tuple[Player, ...]
    hindsight: tuple[Possible, ...] = ()
    """What knowing all draws would have made possible, where the game can tell."""
    asked: int = 0
    """Out of how many games our levels were asked, for the accuracy and who plays like that; 0 if they were
    not, and the accuracy falls as fast as was assumed.
    """


class Reviewer:
    """Goes over a record step by step, so that it can be looked at before it is whole; the steps can be taken
    anywhere (`reviewing.steps`).
    """

    def __init__(
        self,
        record: Record,
        nodes: int | None = None,
        calibration: Calibration | None = None,
        states: list[State] | None = None,
    ) -> None:
        """With so many nodes for a decision and another calibration than the game's, if they are given, and
        with the states of the record, if they are known.
        """
        self.record, self.game = record, record.game
        self.calibration = calibration or calibration_of(self.game, record.seats)
        self.judge = self.decider = Judge(self.game, self.calibration, nodes)
        if self.calibration.decider is not None:
            opinion = self.calibration.of_decisions
            part = self.judge.nodes / self.calibration.nodes
            self.decider = Judge(self.game, opinion, max(1, round(part * opinion.nodes)))
        self.states: list[State] = states or list(record.states())
        self.is_over = not self.judge.fast.movers(self.states[-1])
        self.alone = record.seats == 1
        self.unit = POINTS if self.alone else SHARE
        self.values: dict[int, Value] = {}
        self.decisions: dict[int, Decision] = {}
        self.draws: dict[int, Draw] = {}
        self.hindsight: tuple[Possible, ...] = ()
        self.turns = [ply for ply, entry in enumerate(record.entries) if entry.seat != CHANCE]
        self.drawn = list(list_draws(record.entries))

    def glance(self, ply: int) -> Value:
        """What a moment is worth at first sight."""
        return _value(ply, self.judge.look(self.states[ply], ply, new_random(ply)))

    def decide(self, ply: int) -> tuple[Value, Decision]:
        """What a moment is worth, and what was decided there."""
        (seat, move), state = self.record.entries[ply], self.states[ply]
        moves = self.judge.fast.legal_moves(state, seat)
        weighed = weigh(self.decider, state, seat, [move], ply)[move]
        effect, loss = weighed.effect, max(0.0, weighed.loss)
        best, write = weighed.best.move if loss else move, self.game.write_move
        decision = Decision(
            ply=ply,
            seat=seat + 1,
            move=write(move),
            best=write(best),
            choices=len(moves),
            loss=loss,
            loss_points=-float(effect[POINTS, seat]) if loss else 0.0,
            error=weighed.error if loss else 0.0,
            mark=weighed.mark,
            accuracy=self.calibration.accuracy(loss),
            effect=tuple(effect[self.unit].tolist()),
            line=() if best == move else tuple((who + 1, write(each)) for who, each in weighed.best.line),
        )
        value = self.glance(ply)
        if self.decider is self.judge:
            value = _value(ply, self.judge.read(weighed.best, ply))
        return value, decision

    def judge_draw(self, ply: int, until: int) -> Draw:
        """How lucky everybody was with what was drawn between two plies."""
        drawn, expected, error = self.judge.redraw(self.states[ply], self.states[until], until, until - ply)
        luck = tuple((drawn - expected)[self.unit].tolist())
        return Draw(ply, until, luck, float(error[self.unit].max()), tuple(expected[self.unit].tolist()))

    def find_hindsight(self) -> tuple[Possible, ...]:
        """What would have been possible."""
        if self.game.hindsight is None:
            return ()
        found = self.game.hindsight(self.states[0], self.record.entries)
        return tuple(
            Possible(each.sentence, dict(each.values), tuple(each.made), tuple(each.possible))
            for each in found
        )

    def result(self, done: int, steps: int) -> Review:
        """What is known by now, when so many steps are done."""
        record, curve = self.record, dict(self.values)
        if self.is_over:
            curve[len(record.entries)] = _value(len(record.entries), self.judge.count(self.states[-1]))
        return Review(
            game=self.game.id,
            names=tuple(record.names),
            unit="points" if self.alone else "share",
            judge=self.decider.name,
            nodes=self.decider.nodes,
            over=self.is_over,
            calibrated=bool(self.calibration.games),
            games=self.calibration.games,
            luck_counts=self.calibration.luck_counts,
            done=done,
            steps=steps,
            curve=tuple(curve[ply] for ply in sorted(curve)),
            decisions=tuple(self.decisions[ply] for ply in sorted(self.decisions)),
            draws=tuple(self.draws[ply] for ply in sorted(self.draws)),
            players=tuple(self._player(seat) for seat in range(record.seats)),
            hindsight=self.hindsight,
            asked=min((level.games for level in self.calibration.levels), default=0),
        )

    def _player(self, seat: int) -> Player:
        unforced = [each for each in self.decisions.values() if each.seat == seat + 1 and each.choices > 1]
        losses = np.array([-each.effect[seat] for each in unforced] or [0.0])
        spread = 1.96 * float(losses.std(ddof=1)) / sqrt(len(losses)) if len(losses) > 1 else 0.0
        mean = float(losses.mean())
        low, high = mean - spread, mean + spread
        own, others = (
            sum(each.effect[seat] for each in self.decisions.values() if (each.seat == seat + 1) == mine)
            for mine in (True, False)
        )
        part = self.calibration.luck
        luck = part * sum(each.luck[seat] for each in self.draws.values())
        start, result = self._span(seat)
        enough = len(unforced) >= LEAST_DECISIONS
        return Player(
            seat=seat + 1,
            name=self.record.names[seat],
            decisions=len(unforced),
            loss=mean,
            loss_low=low,
            loss_high=high,
            accuracy=float(np.mean([each.accuracy for each in unforced])) if unforced else 100.0,
            marks={mark: sum(each.mark == mark for each in unforced) for mark, *_ in MARKS},
            start=start,
            luck=luck,
            luck_error=abs(part) * sqrt(sum(each.error**2 for each in self.draws.values())),
            own=own,
            others=others,
            rest=result - start - luck - own - others,
            result=result,
            like=self.calibration.like(mean, low, high, self.game) if enough else None,
        )

    def _span(self, seat: int) -> tuple[float, float]:
        """What a seat could expect at first, and what it has at last."""
        if not self.values:
            return 0.0, 0.0
        first, last = min(self.values), max(self.values)
        start = _read(self.values[first], self.unit)
        if self.draws and min(self.draws) <= first:
            start = self.draws[min(self.draws)].expected
        end = (
            self.judge.count(self.states[-1])[self.unit]
            if self.is_over
            else _read(self.values[last], self.unit)
        )
        return float(start[seat]), float(end[seat])


def _read(value: Value, unit: int) -> tuple[float, ...]:
    return value.points if unit == POINTS else value.shares


def _value(ply: int, worth: Worth) -> Value:
    return Value(ply, *(tuple(each) for each in worth.tolist()))


def list_draws(entries: Sequence[Entry]) -> Iterator[tuple[int, int]]:
    """Whatever was drawn before somebody decided again: from which ply to which."""
    first = None
    for ply, entry in enumerate(entries):
        if entry.seat == CHANCE:
            first = ply if first is None else first
        elif first is not None:
            yield first, ply
            first = None
