"""Whether the judge's numbers mean what they say: measured on games of bots, half of them held out.

Shares of the victory are compared with results, by phase; losses with the strength of our levels; luck with
the spread of results. What is found goes to `review.json` beside the game.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import sqrt

import msgspec
import numpy as np
from numpy.typing import NDArray

from mozaika.game import Game
from mozaika.kernel import new_random, random_below
from mozaika.lab.simulate import play_game
from mozaika.record import Record
from mozaika.reviewing.calibration import PHASES, SURE, Calibration, LevelLoss
from mozaika.reviewing.judge import JUDGE, SHARE, Judge
from mozaika.reviewing.review import Reviewer
from mozaika.state import CHANCE
from mozaika.thought import LEVELS, Budget

HASTE = Budget(300, 60_000)
"""How the games are played on which shares are measured."""
LOOKS_OF_A_GAME = 12
HURRY = 10
"""The strongest level with so many times fewer nodes than usual is said to be at TARGET."""
TARGET = 95.0

NODES_OF_LEVELS = {"club": 300, "expert": 2_000, "champion": 20_000}
"""As many as these levels usually have time for, so that a measurement can be repeated; the champion has a
hundredth of the time it takes at a table.
"""

Array = NDArray[np.float64]


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


@dataclass
class Found:
    """Everything that was measured for one number of players."""

    calibration: Calibration
    fits: list[Fit] = field(default_factory=list)
    luck_mean: float = 0.0
    luck_error: float = 0.0
    luck_games: int = 0
    spread: float = 1.0
    """How much the results spread when luck is taken off, to how much they spread."""


@dataclass(frozen=True)
class _Look:
    game: int
    phase: int
    share: float
    won: float


def play_games(
    game: Game, seats: int, number: int, bot: str, budget: Budget | None, seed: str
) -> Iterator[Record]:
    """Games of one bot against itself."""
    options = game.options()
    for index in range(number):
        players = {bot: game.bots[bot]}
        yield play_game(game, options, players, [bot] * seats, f"{seed} {bot} {index}", budget)[1]


def look_at(records: Sequence[Record], plain: Calibration) -> Iterator[_Look]:
    """What the judge expects at some moments of games, and what came of them."""
    judge = Judge(records[0].game, plain)
    for number, record in enumerate(records):
        states = list(record.states())
        won = judge.count(states[-1])[SHARE]
        turns = [ply for ply, entry in enumerate(record.entries) if entry.seat != CHANCE]
        random = new_random(number + 1)
        for _ in range(LOOKS_OF_A_GAME):
            ply = turns[random_below(random, len(turns))]
            seat = record.entries[ply].seat
            shares = judge.look(states[ply], ply, new_random(ply + 1))[SHARE]
            yield _Look(number, plain.phase(ply), float(shares[seat]), float(won[seat]))


def slope_of(shares: Array, won: Array) -> float:
    """By how much the odds have to be stretched so that they fit the results: 1 if they do."""
    sure = np.clip(shares, SURE, 1 - SURE)
    odds, slope = np.log(sure / (1 - sure)), 1.0
    for _ in range(40):
        chance = 1 / (1 + np.exp(-slope * odds))
        curve = float((odds**2 * chance * (1 - chance)).sum()) + 1e-9
        step = float((odds * (won - chance)).sum()) / curve
        slope += max(-0.5, min(0.5, step))
    return slope


def fit_slopes(looks: Sequence[_Look], games: int) -> tuple[tuple[float, ...], list[Fit]]:
    """From the first half of the games; how it holds on the second."""
    slopes, fits = [], []
    for phase in range(PHASES):
        known = [each for each in looks if each.phase == phase and each.game < games // 2]
        fresh = [each for each in looks if each.phase == phase and each.game >= games // 2]
        slope = slope_of(*_columns(known)) if known else 1.0
        slopes.append(round(slope, 3))
        if fresh:
            fits.append(_check(phase, fresh, slope))
    return tuple(slopes), fits


def _columns(looks: Sequence[_Look]) -> tuple[Array, Array]:
    return np.array([each.share for each in looks]), np.array([each.won for each in looks])


def _check(phase: int, looks: Sequence[_Look], slope: float) -> Fit:
    shares, won = _columns(looks)
    sure = np.clip(shares, SURE, 1 - SURE)
    corrected = 1 / (1 + ((1 - sure) / sure) ** slope)
    games = sorted({each.game for each in looks})
    random, again = np.random.default_rng(phase), []
    where = {number: [i for i, each in enumerate(looks) if each.game == number] for number in games}
    for _ in range(200):
        drawn = [i for number in random.choice(games, len(games)) for i in where[int(number)]]
        again.append(slope_of(corrected[drawn], won[drawn]))
    low, high = np.percentile(again, (2.5, 97.5))
    return Fit(
        phase=phase,
        looks=len(looks),
        slope=slope_of(corrected, won),
        slope_low=float(low),
        slope_high=float(high),
        raw_slope=slope_of(shares, won),
        brier=float(((corrected - won) ** 2).mean()),
        constant=float(((won.mean() - won) ** 2).mean()),
    )


def losses_of(record: Record, calibration: Calibration) -> list[float]:
    """What each unforced decision of a game lost."""
    reviewer = Reviewer(record, calibration=calibration)
    for ply in reviewer.turns:
        reviewer.decide(ply)
    return [each.loss for each in reviewer.decisions.values() if each.choices > 1]


def measure_level(records: Iterable[Record], bot: str, calibration: Calibration) -> LevelLoss:
    """The mean loss of a level; each game counts as one."""
    means = np.array([np.mean(losses_of(record, calibration) or [0.0]) for record in records])
    mean, error = float(means.mean()), float(means.std(ddof=1)) / sqrt(len(means))
    return LevelLoss(bot, len(means), mean, mean - 1.96 * error, mean + 1.96 * error)


def sharpness_for(losses: Sequence[float], target: float = TARGET) -> float:
    """How fast accuracy has to fall so that these losses come to a target in the mean."""
    low, high, array = 0.0, 1e4, np.array(losses)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if float(np.exp(-middle * array).mean()) * 100 > target else (low, middle)
    return round((low + high) / 2, 2)


def measure_luck(records: Iterable[Record], calibration: Calibration) -> tuple[Array, Array]:
    """For each game the luck of the first seat, and its result."""
    luck, results = [], []
    for record in records:
        reviewer = Reviewer(record, calibration=calibration)
        for place in reviewer.drawn:
            reviewer.judge_draw(place)
        luck.append(sum(each.luck[0] for each in reviewer.draws))
        results.append(float(reviewer.judge.count(reviewer.states[-1])[reviewer.unit][0]))
    return np.array(luck), np.array(results)


def _weigh_luck(found: Found, records: Sequence[Record], games: int) -> None:
    """Which part of the luck shows in results comes from one half of the games, what that is worth from the
    other. A total is told only where it explains results.
    """
    luck, results = measure_luck(records, found.calibration)
    known, fresh = slice(0, games), slice(games, None)
    if not luck[known].any():
        return
    part = float(np.cov(results[known], luck[known])[0, 1] / luck[known].var(ddof=1))
    found.luck_games = len(luck[fresh])
    found.luck_mean = float(luck[fresh].mean())
    found.luck_error = float(luck[fresh].std(ddof=1)) / sqrt(found.luck_games)
    found.spread = float((results[fresh] - part * luck[fresh]).std(ddof=1) / results[fresh].std(ddof=1))
    counts = abs(found.luck_mean) < 2 * found.luck_error and found.spread <= MOST_SPREAD
    found.calibration = msgspec.structs.replace(found.calibration, luck=round(part, 3), luck_counts=counts)


MOST_SPREAD = 0.8


def calibrate(
    game: Game, seats: int, games: int, level_games: int, nodes: int, seed: str
) -> Iterator[tuple[str, Found]]:
    """Measure everything; says what is done. The last that it tells is the whole."""
    plain = Calibration(seats, nodes=nodes)
    yield "playing games", Found(plain)
    records = list(play_games(game, seats, 2 * games, JUDGE, HASTE, seed))
    plain = msgspec.structs.replace(plain, plies=float(np.mean([len(each.entries) for each in records])))
    found = Found(plain)
    if seats > 1:
        yield "looking at games", found
        slopes, found.fits = fit_slopes(list(look_at(records, plain)), 2 * games)
        found.calibration = msgspec.structs.replace(plain, slopes=slopes, games=games)
    yield "measuring luck", found
    _weigh_luck(found, records, games)
    strongest = game.levels[-1]
    yield f"{strongest} in a hurry", found
    hurried = play_games(game, seats, level_games, strongest, Budget(max(1, nodes // HURRY), 60_000), seed)
    lost = [loss for record in hurried for loss in losses_of(record, found.calibration)]
    sharpness = sharpness_for(lost)
    found.calibration = msgspec.structs.replace(found.calibration, sharpness=sharpness)
    for bot in (level for level in LEVELS if level in game.levels):
        yield bot, found
        budget = Budget(NODES_OF_LEVELS.get(bot, 1), 60_000)
        played = play_games(game, seats, level_games, bot, budget, seed)
        level = measure_level(played, bot, found.calibration)
        levels = (*found.calibration.levels, level)
        found.calibration = msgspec.structs.replace(found.calibration, levels=levels)
    yield "done", found
