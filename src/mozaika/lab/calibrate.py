"""Whether the judge's numbers mean what they say: measured on games of bots, half of them held out.

Shares of the victory are compared with results, by phase; losses with the strength of our levels; luck with
the spread of results; marks with a search ten times as deep. What is found goes to `review.json` beside the
game.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from math import hypot, sqrt
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from mozaika.game import Game
from mozaika.lab.cluster import Cluster
from mozaika.lab.measuring import (
    HURRIED,
    Looked,
    Lost,
    Lucky,
    Meter,
    Planted,
    Planting,
    Players,
    columns,
    gather,
)
from mozaika.lab.simulate import interval
from mozaika.reviewing.calibration import PHASES, SURE, Calibration, LevelLoss
from mozaika.reviewing.steps import METHOD
from mozaika.reviewing.weighing import CERTAIN, MARKS, mark_loss
from mozaika.thought import LEVELS

TARGET = 95.0
"""The accuracy of the strongest level in a hurry."""
MOST_SHARP = 80.0
"""No accuracy falls faster: a loss of 1 % leaves less than half of it."""
LEAST_ASKED = 50
"""Of fewer games nobody is told who plays like that."""
MOST_SPREAD, LEAST_LUCKY = 0.8, 200
"""A total of the luck is told where results spread at most so much without it, over so many games."""
BAD, GOOD = 0.15, 0.02
"""A planted move that truly loses more has to be marked; one that loses less must not be."""
BAD_POINTS, GOOD_POINTS = 6.0, 0.5
MOST_GOOD_MARKED = 0.03
AGAIN = 200
JUDGED = ("seats", "judge", "nodes", "look", "redraws", "plies", "slopes", "decider")
"""What a row of a measurement depends on; the rest of a calibration comes out of rows."""

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Plan:
    """How much is measured: games held out, as many again to fit; and who plays them. Without any to fit,
    the judge is taken as it stands in the calibration.
    """

    games: int = 300
    decider_games: int = 300
    luck_games: int = 200
    level_games: int = 100
    planted_games: int = 100
    players: Players = field(default_factory=Players)
    seed: str = "calibration"


@dataclass(frozen=True)
class Fit:
    """What the shares of one phase are worth on games that were held out, before and after the correction."""

    phase: int
    looks: int
    slope: float
    slope_low: float
    slope_high: float
    raw_slope: float
    brier: float
    constant: float


@dataclass(frozen=True)
class Marked:
    """Of so many planted moves, so many were marked; and between what the share lies."""

    moves: int
    marked: int

    @property
    def span(self) -> tuple[float, float]:
        return interval(self.marked, self.moves) if self.moves else (0.0, 1.0)


@dataclass
class Found:
    """Everything that was measured for one number of players."""

    calibration: Calibration
    fits: list[Fit] = field(default_factory=list)
    decider_fits: list[Fit] = field(default_factory=list)
    luck_mean: float = 0.0
    luck_error: float = 0.0
    luck_games: int = 0
    spread: float = 1.0
    """How much the results spread when luck is taken off, to how much they spread."""
    spread_low: float = 0.0
    spread_high: float = 1.0
    ahead: list[LevelLoss] = field(default_factory=list)
    """How much more each level loses than the next one, in the mean over games."""
    bad: Marked = field(default_factory=lambda: Marked(0, 0))
    good: Marked = field(default_factory=lambda: Marked(0, 0))


def slope_of(shares: Array, won: Array) -> float:
    """By which power the shares of all seats have to be taken so that they fit the results: 1 if they do.

    For two players it is by how much the logarithm of the odds has to be stretched.
    """
    seen, slope = np.log(np.clip(shares, SURE, 1 - SURE)), 1.0
    for _ in range(40):
        chance = np.exp(slope * seen - (slope * seen).max(axis=1, keepdims=True))
        chance /= chance.sum(axis=1, keepdims=True)
        mean = (chance * seen).sum(axis=1)
        curve = float(((chance * seen**2).sum(axis=1) - mean**2).sum()) + 1e-9
        step = float((won * seen).sum() - mean.sum()) / curve
        slope += max(-0.5, min(0.5, step))
    return slope


def fit_slopes(looked: Sequence[Looked], plain: Calibration) -> tuple[tuple[float, ...], list[Fit]]:
    """From the games with even numbers; how it holds on the others."""
    slopes, fits = [], []
    for phase in range(PHASES):
        known, fresh = (columns(list(looked[first::2]), phase, plain) for first in (0, 1))
        slope = round(slope_of(*known[1:]), 3) if len(known[0]) else 1.0
        slopes.append(slope)
        if len(fresh[0]):
            fits.append(_check(phase, *fresh, slope))
    return tuple(slopes), fits


def _check(phase: int, games: NDArray[np.int64], shares: Array, won: Array, slope: float) -> Fit:
    stretched = np.clip(shares, SURE, 1 - SURE) ** slope
    corrected = stretched / stretched.sum(axis=1, keepdims=True)
    numbers = np.unique(games)
    random, where = np.random.default_rng(phase), {each: np.flatnonzero(games == each) for each in numbers}
    again = []
    for _ in range(AGAIN):
        drawn = np.concatenate([where[each] for each in random.choice(numbers, len(numbers))])
        again.append(slope_of(corrected[drawn], won[drawn]))
    low, high = np.percentile(again, (2.5, 97.5))
    return Fit(
        phase=phase,
        looks=len(games),
        slope=slope_of(corrected, won),
        slope_low=float(low),
        slope_high=float(high),
        raw_slope=slope_of(shares, won),
        brier=float(((corrected - won) ** 2).mean()),
        constant=float(((won.mean(axis=0) - won) ** 2).mean()),
    )


def measure_level(rows: Sequence[Lost], bot: str) -> LevelLoss:
    """The mean loss of a level; each game counts as one."""
    return _mean_of(bot, np.array([np.mean(row.losses[bot]) for row in rows if row.losses.get(bot)]))


def measure_ahead(rows: Sequence[Lost], bot: str, next_bot: str) -> LevelLoss:
    """How much more a level loses than another at the same moments, where both have the same luck."""
    pairs = [(row.losses.get(bot), row.losses.get(next_bot)) for row in rows]
    return _mean_of(bot, np.array([np.mean(one) - np.mean(other) for one, other in pairs if one and other]))


def _mean_of(bot: str, means: Array) -> LevelLoss:
    mean, error = float(means.mean()), float(means.std(ddof=1)) / sqrt(len(means)) if len(means) > 1 else 0.0
    low, high = mean - 1.96 * error, mean + 1.96 * error
    return LevelLoss(bot, len(means), *(round(each, 5) for each in (mean, low, high)))


def sharpness_for(losses: Sequence[float], target: float = TARGET) -> float:
    """How fast accuracy has to fall so that these losses come to a target in the mean, if they can."""
    low, high, array = 0.0, MOST_SHARP, np.maximum(0.0, losses)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if float(np.exp(-middle * array).mean()) * 100 > target else (low, middle)
    return round((low + high) / 2, 2)


def _weigh_levels(found: Found, rows: Sequence[Lost], levels: Sequence[str]) -> None:
    lost = [loss for row in rows for loss in row.losses.get(HURRIED, ())]
    if len(rows) >= LEAST_ASKED and max(lost, default=0.0) > 0:
        measured = tuple(measure_level(rows, bot) for bot in levels)
        found.ahead = [measure_ahead(rows, *pair) for pair in pairwise(levels)]
        found.calibration = msgspec.structs.replace(
            found.calibration, sharpness=sharpness_for(lost), levels=measured
        )


def weigh_luck(found: Found, rows: Sequence[Lucky]) -> None:
    """Which part of the luck shows in results comes from every second game, what that is worth from the
    others, and the other way round. A total is told only where it explains results.
    """
    luck, results = (np.array([getattr(row, name) for row in rows]) for name in ("luck", "result"))
    halves = slice(0, None, 2), slice(1, None, 2)
    if len(rows) < 4 or any(np.ptp(luck[half]) == 0 for half in halves):
        return
    parts = [_part_of(luck[half], results[half]) for half in halves]
    adjusted = results.copy()
    for half, part in zip(halves, reversed(parts), strict=True):
        adjusted[half] -= part * luck[half]
    found.luck_games, found.luck_mean = len(rows), float(luck.mean())
    found.luck_error = float(luck.std(ddof=1)) / sqrt(len(rows))
    found.spread = _spread(adjusted, results)
    random = np.random.default_rng(0)
    drawn = [random.integers(0, len(rows), len(rows)) for _ in range(AGAIN)]
    again = [_spread(adjusted[some], results[some]) for some in drawn]
    found.spread_low, found.spread_high = (float(each) for each in np.percentile(again, (2.5, 97.5)))
    counts = abs(found.luck_mean) < 2 * found.luck_error and found.spread <= MOST_SPREAD
    counts = counts and found.luck_games >= LEAST_LUCKY
    part = round(_part_of(luck, results), 3) if counts else 1.0
    found.calibration = msgspec.structs.replace(found.calibration, luck=part, luck_counts=counts)


def _part_of(luck: Array, results: Array) -> float:
    return float(np.cov(results, luck)[0, 1] / luck.var(ddof=1))


def _spread(adjusted: Array, results: Array) -> float:
    """How much something spreads, to how much the results do."""
    return float(adjusted.std(ddof=1) / max(1e-9, results.std(ddof=1)))


def weigh_marks(found: Found, rows: Sequence[Planting]) -> None:
    """How much the judge can be wrong comes from every second game, what is marked then from the others, and
    the other way round.
    """
    bad, good = (BAD, GOOD) if found.calibration.seats > 1 else (BAD_POINTS, GOOD_POINTS)
    halves = [[move for row in rows[first::2] for move in row.moves] for first in (0, 1)]
    if not all(halves):
        return
    alone = found.calibration.seats == 1
    doubts = [doubt_of(half, alone=alone) for half in reversed(halves)]
    marked = [
        (move, mark_loss(move.loss, hypot(move.error, doubt), alone=alone))
        for half, doubt in zip(halves, doubts, strict=True)
        for move in half
    ]
    for name, marks in (
        ("bad", [mark for move, mark in marked if move.true > bad]),
        ("good", [mark for move, mark in marked if move.true <= good]),
    ):
        setattr(found, name, Marked(len(marks), sum(map(bool, marks))))
    doubt = round(doubt_of([*halves[0], *halves[1]], alone=alone), 4)
    found.calibration = msgspec.structs.replace(found.calibration, doubt=doubt)


def doubt_of(moves: Sequence[Planted], *, alone: bool) -> float:
    """By how much a deeper search finds another loss, where something less than a blunder would be marked;
    or more, so that of as many good moves and a further one at most so many are marked as may be.
    """
    return max(_mean_doubt(moves, alone=alone), _least_doubt(moves, alone=alone))


def _mean_doubt(moves: Sequence[Planted], *, alone: bool) -> float:
    blunder = MARKS[0][0]
    marks = [mark_loss(move.loss, move.error, alone=alone) for move in moves]
    apart = [
        move.loss - move.true for move, mark in zip(moves, marks, strict=True) if mark and mark != blunder
    ]
    return float(np.sqrt(np.mean(np.square(apart)))) if apart else 0.0


def _least_doubt(moves: Sequence[Planted], *, alone: bool) -> float:
    """Where the good moves are too few to tell, nothing."""
    good = [move for move in moves if move.true <= (GOOD_POINTS if alone else GOOD)]
    allowed = int(MOST_GOOD_MARKED * (len(good) + 1)) - 1
    if allowed < 0:
        return 0.0
    marked = [move for move in good if mark_loss(move.loss, move.error, alone=alone)]
    doubts = sorted((sqrt((move.loss / CERTAIN) ** 2 - move.error**2) for move in marked), reverse=True)
    return doubts[allowed] if allowed < len(doubts) else 0.0


def calibrate(
    game: Game,
    plain: Calibration,
    plan: Plan,
    folder: Path | None = None,
    cluster: Cluster | None = None,
) -> Iterator[tuple[str, int, int, Found]]:
    """Measure everything, with the judge and the nodes of a plain calibration. Says what is done, how much of
    it, and what is known then; what was measured before is read from a folder, if there is one.
    """
    found, where = Found(plain), _Folder(folder, game, plain, plan, cluster)
    meter = Meter(game, plain, plan.players, plan.seed, where.cluster)
    if plain.seats > 1 and plan.games:
        looked: list[Looked] = []
        about = where.about(msgspec.structs.replace(plain, decider=None))
        for looked in gather(where.file("looks"), about, Looked, 2 * plan.games, partial(meter.each, "look")):
            yield "looking at games", len(looked), 2 * plan.games, found
        plies = round(float(np.mean([each.plies for each in looked])), 1) if looked else plain.plies
        timed = msgspec.structs.replace(plain, plies=plies)
        slopes, found.fits = fit_slopes(looked, timed)
        found.calibration = msgspec.structs.replace(timed, slopes=slopes, games=len(looked) // 2)
    if plain.decider is not None and plan.games:
        yield from _fit_decider(game, plan, where, found)
    now = found.calibration
    undoubting = msgspec.structs.replace(now, doubt=0.0)  # that comes out of rows
    meter = Meter(game, undoubting, plan.players, plan.seed, where.cluster)
    about = [*where.about(now), METHOD, plan.players.asked]
    lost: list[Lost] = []
    for lost in gather(where.file("levels"), about, Lost, plan.level_games, partial(meter.each, "lose")):
        yield "asking all levels", len(lost), plan.level_games, found
    _weigh_levels(found, lost, [level for level in LEVELS if level in game.levels])
    lucky: list[Lucky] = []
    of_luck = where.about(msgspec.structs.replace(now, decider=None))  # nobody decides a draw
    for lucky in gather(
        where.file("luck"), of_luck, Lucky, plan.luck_games, partial(meter.each, "weigh_luck")
    ):
        yield "measuring luck", len(lucky), plan.luck_games, found
    weigh_luck(found, lucky)
    planted: list[Planting] = []
    for planted in gather(
        where.file("planted"), about, Planting, plan.planted_games, partial(meter.each, "plant")
    ):
        yield "planting moves", len(planted), plan.planted_games, found
    weigh_marks(found, planted)
    yield "done", 1, 1, found


def _fit_decider(
    game: Game, plan: Plan, where: "_Folder", found: Found
) -> Iterator[tuple[str, int, int, Found]]:
    """The same for whoever judges decisions: its shares have to mean something, too."""
    now, decider = found.calibration, found.calibration.decider
    if decider is None:
        return
    slopes = now.slopes
    if (decider.judge, decider.look) != (now.judge, now.look):  # else only its choice is another
        alone = msgspec.structs.replace(where.plain.of_decisions, plies=now.plies)
        meter, looked = Meter(game, alone, plan.players, plan.seed, where.cluster), list[Looked]()
        about, number = where.about(where.plain.of_decisions), 2 * plan.decider_games
        for looked in gather(where.file("decider"), about, Looked, number, partial(meter.each, "look")):
            yield "looking through other eyes", len(looked), number, found
        slopes, found.decider_fits = fit_slopes(looked, alone)
    corrected = msgspec.structs.replace(decider, slopes=slopes)
    found.calibration = msgspec.structs.replace(now, decider=corrected)


@dataclass(frozen=True)
class _Folder:
    """Where rows are kept, by what they are of."""

    path: Path | None
    game: Game
    plain: Calibration
    plan: Plan
    cluster: Cluster | None

    def file(self, subject: str) -> Path | None:
        return self.path and self.path / f"{self.game.id}-{self.plain.seats}-{subject}.jsonl"

    def about(self, calibration: Calibration) -> Any:
        """Rows of another judge, other players or another correction are of no use."""
        judged = {name: getattr(calibration, name) for name in JUDGED}
        players = self.plan.players
        return [self.game.version, judged, players.bot, players.nodes, self.plan.seed]
