"""A review in small steps, as plain data: any process can take one, and what was found is put together again.

First come glances, which make a quick curve, then decisions, then draws, then what would have been possible.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from mozaika.record import Record
from mozaika.reviewing.review import Decision, Draw, Possible, Review, Reviewer, Value
from mozaika.state import CHANCE
from mozaika.words import Words

METHOD = 2
"""Raised when the same record gets another review than before: what was found otherwise is no part of it."""
GLANCES = 12
"""So many moments are glanced at in one step."""
MOST_KEPT = 8


Kind = Literal["glance", "decision", "draw", "hindsight"]


class Step(msgspec.Struct, frozen=True, array_like=True, tag=f"step{METHOD}"):
    """Something to find out about a record; `first` and `last` are plies, or places among its turns."""

    kind: Kind
    game: str
    first: int
    last: int
    record: str = ""
    nodes: int = 0
    """How much is looked at for a decision; 0 means as calibrated."""


class Part(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a step has found."""

    values: tuple[Value, ...] = ()
    decisions: tuple[Decision, ...] = ()
    draws: tuple[Draw, ...] = ()
    hindsight: tuple[Possible, ...] = ()


class Going:
    """A review that is being made: what is to be done, and what is known."""

    def __init__(
        self, reviewer: Reviewer, text: str = "", nodes: int = 0, known: Review | None = None
    ) -> None:
        """With the text of the record if others take the steps; and with what was found before, if known."""
        self.reviewer = reviewer
        turns, entries, game = reviewer.turns, len(reviewer.record.entries), reviewer.game
        places: list[tuple[Kind, int, int]] = [
            ("glance", first, min(len(turns), first + GLANCES)) for first in range(0, len(turns), GLANCES)
        ]
        places += [("decision", ply, ply + 1) for ply in turns]
        places += [("draw", ply, until) for ply, until in reviewer.drawn]
        if reviewer.is_over and game.hindsight is not None:
            places.append(("hindsight", 0, entries))
        self.steps = [Step(kind, game.id, first, last, text, nodes) for kind, first, last in places]
        if known is not None:
            values = tuple(value for value in known.curve if value.ply < entries)
            self._keep(Part(values, known.decisions, known.draws, known.hindsight))
        self.left = [step for step in self.steps if not self._is_known(step)]

    @property
    def has_curve(self) -> bool:
        return len(self.reviewer.values) >= len(self.reviewer.turns)

    def add(self, step: Step, part: Part) -> None:
        """A step has been taken."""
        self._keep(part)
        self.left.remove(step)

    def believes(self, step: Step, part: Part) -> bool:
        """Whether a step can have found this: whoever took it may be of another version, or broken, and what
        is believed is kept.
        """
        reviewer, seats = self.reviewer, self.reviewer.record.seats
        values, decisions, draws, hindsight = part.values, part.decisions, part.draws, part.hindsight
        numbers = [each for value in values for each in (value.shares, value.points)]
        numbers += [each.effect for each in decisions]
        numbers += [each for draw in draws for each in (draw.luck, draw.expected)]
        counts = [each for possible in hindsight for each in (possible.made, possible.possible)]
        if any(len(each) != seats for each in (*numbers, *counts)):
            return False
        plies = [each.ply for each in values], [each.ply for each in decisions]
        match step.kind:
            case "glance":
                return plies == (reviewer.turns[step.first : step.last], [])
            case "decision":
                return plies == ([step.first], [step.first]) and all(map(self._can_have_decided, decisions))
            case "draw":
                return [(each.ply, each.until) for each in draws] == [(step.first, step.last)]
            case "hindsight":
                return bool(hindsight) and all(map(_can_be_said, hindsight))

    def _can_have_decided(self, decision: Decision) -> bool:
        """Whether it is the decision of the record, and what is called better could be played."""
        reviewer, game = self.reviewer, self.reviewer.game
        (seat, move), state = reviewer.record.entries[decision.ply], reviewer.states[decision.ply]
        try:
            best, *line = map(game.parse_move, (decision.best, *(each for _, each in decision.line)))
        except ValueError:
            return False
        known = {CHANCE, *range(reviewer.record.seats)}
        return (
            (decision.seat, decision.move) == (seat + 1, game.write_move(move))
            and best in reviewer.judge.fast.legal_moves(state, seat)
            and line[:1] in ([], [best])
            and {each - 1 for each, _ in decision.line} <= known
        )

    def result(self) -> Review:
        """As much as is known."""
        return self.reviewer.result(len(self.steps) - len(self.left), len(self.steps))

    def _keep(self, part: Part) -> None:
        reviewer = self.reviewer
        reviewer.values |= {each.ply: each for each in part.values}
        reviewer.decisions |= {each.ply: each for each in part.decisions}
        reviewer.draws |= {each.ply: each for each in part.draws}
        reviewer.hindsight = part.hindsight or reviewer.hindsight

    def _is_known(self, step: Step) -> bool:
        reviewer = self.reviewer
        match step.kind:
            case "glance":
                return all(ply in reviewer.values for ply in reviewer.turns[step.first : step.last])
            case "decision":
                return step.first in reviewer.decisions
            case "draw":
                return step.first in reviewer.draws
            case "hindsight":
                return bool(reviewer.hindsight)


def _can_be_said(possible: Possible) -> bool:
    try:
        return bool(Words().say(possible.sentence, **possible.values))
    except (LookupError, ValueError, AttributeError, TypeError):
        return False


def take_step(step: Step, reviewer: Reviewer) -> Part:
    """Find something out; nothing is changed."""
    match step.kind:
        case "glance":
            return Part(values=tuple(map(reviewer.glance, reviewer.turns[step.first : step.last])))
        case "decision":
            value, decision = reviewer.decide(step.first)
            return Part(values=(value,), decisions=(decision,))
        case "draw":
            return Part(draws=(reviewer.judge_draw(step.first, step.last),))
        case "hindsight":
            return Part(hindsight=reviewer.find_hindsight())


def take_far(step: Step) -> Part:
    """Find something out where nothing but the step is known."""
    return take_step(step, _reviewer_of(step.record, step.nodes))


@lru_cache(maxsize=MOST_KEPT)
def _reviewer_of(text: str, nodes: int) -> Reviewer:
    return Reviewer(Record.read(text), nodes or None)


def read_over(record: Record) -> tuple[str, NDArray[np.void]]:
    """What takes time before a review begins: the record as text, and all its states."""
    return record.write(), np.array(list(record.states()))


def run(going: Going) -> Iterator[int]:
    """Take step after step here; says how many are done."""
    for step in list(going.left):
        going.add(step, take_step(step, going.reviewer))
        yield len(going.steps) - len(going.left)


def review(record: Record, nodes: int | None = None) -> Review:
    """Go over a whole game. The same record gets the same review everywhere."""
    going = Going(Reviewer(record, nodes))
    for _ in run(going):
        pass
    return going.result()
