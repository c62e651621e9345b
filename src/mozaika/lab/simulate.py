"""Many games between bots, and what came of them."""

import csv
import json
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import NormalDist, fmean, stdev, variance
from time import perf_counter
from types import MappingProxyType

from mozaika import chance
from mozaika.doors.players import seat_name, sit_down
from mozaika.doors.protocol import Forfeit
from mozaika.game import Bot, Game
from mozaika.games import find_game
from mozaika.kernel import compiling, new_random, swift_game
from mozaika.lab.cluster import Cluster
from mozaika.options import Options
from mozaika.record import TOLD, Entry, Record
from mozaika.state import CHANCE, seats_in
from mozaika.thought import Budget

MOST_MOVES = 10_000
Z = NormalDist().inv_cdf(0.975)
"""A normal value is within so many deviations of its mean 95 times of 100."""


@dataclass(frozen=True)
class Outcome:
    """How one game ended."""

    game: int
    seed: str
    """Games with the same seed belong together: their bots changed seats."""
    bots: list[str]
    """The bot in each seat."""
    scores: list[int]
    ranks: list[int]
    moves: int
    milliseconds: list[float] = field(default_factory=list, compare=False)
    """What a move of each seat took on average."""
    forfeit: str = ""
    """Why a seat has lost at once, if one has."""

    @property
    def shares(self) -> list[float]:
        """The part of the victory that each seat has."""
        return [1 / self.ranks.count(1) if rank == 1 else 0.0 for rank in self.ranks]


@dataclass(frozen=True)
class Standing:
    """How one bot did over many games."""

    bot: str
    seats: int
    """How often it sat at a table; where it sits twice, both count."""
    wins: float
    """A shared victory counts for each winner as its share."""
    share: float
    low: float
    high: float
    """A 95 % interval for the share of victories."""
    score: float
    score_low: float | None
    score_high: float | None
    """A 95 % interval for the mean points; one deal alone gives none."""
    milliseconds: float
    """What a move took on average, on this machine."""


def play_game(
    game: Game,
    options: Options,
    players: Mapping[str, Bot],
    bots: Sequence[str],
    seed: str,
    budget: Budget | None,
    *,
    index: int = 0,
    most_moves: int = MOST_MOVES,
    paired: bool = False,
) -> tuple[Outcome, Record]:
    """One game between bots, with compiled rules.

    Draws are numbered by their ply, as at a table. In a paired game they are numbered among themselves, so
    that games with the same seed go on drawing the same although their moves differ; nobody can verify that
    from the record, so there the draws count as told.
    """
    names = tuple(f"{seat_name(bot)} {seat}" for seat, bot in enumerate(bots, 1))
    record = Record(game, options, names, commitment=chance.commitment(seed), seed=seed)
    if paired:
        record.draws, record.commitment, record.seed = TOLD, "", ""
    spent, made, forfeit, lost = [0.0] * len(bots), [0] * len(bots), "", -1
    with compiling():
        fast, state = swift_game(game), game.start(len(bots), options)
        while (movers := seats_in(fast.movers(state))) and sum(made) < most_moves:
            seat, ply = movers[0], len(record.entries)
            if seat == CHANCE:
                move = chance.draw(fast, state, seed, ply - sum(made) if paired else ply)
            else:
                random = new_random(chance.luck_of_bot(seed, ply))
                start = perf_counter()
                try:
                    move = players[bots[seat]](fast, game.hide(state, seat), seat, random, budget).move
                except Forfeit as fault:
                    forfeit, lost = fault.about(f"{bots[seat]} in seat {seat + 1}"), seat
                    record.remarks["Forfeit"] = forfeit
                    break
                spent[seat] += 1000 * (perf_counter() - start)
                made[seat] += 1
            fast.apply(state, seat, move)
            record.entries.append(Entry(seat, move))
    ranks = [1 + (seat == lost) for seat in range(len(bots))] if forfeit else game.places(state)
    each = [all_of / max(1, moves) for all_of, moves in zip(spent, made, strict=True)]
    return Outcome(index, seed, list(bots), game.points(state), ranks, sum(made), each, forfeit), record


def simulate(
    game: Game,
    seats: int,
    options: Options,
    bots: Sequence[str],
    games: int,
    seed: str,
    budget: Budget | None,
    most_moves: int = MOST_MOVES,
    commands: Mapping[str, str] = MappingProxyType({}),
    cluster: Cluster | None = None,
    first: int = 0,
) -> Generator[tuple[Outcome, Record]]:
    """Games with draws of their own between bots who change seats from game to game; from the first on.

    `commands` says how those bots are found that have names of their own.
    """
    texts = {bot: commands.get(bot, bot) for bot in bots}
    series = Series(game.id, seats, game.write_options(options), bots, texts, seed, budget, most_moves)
    if cluster is not None:
        for outcome, text in cluster.map(play_far, series, range(first, games)):
            yield outcome, Record.read(text)
        return
    with sit_down(game, texts) as players:
        for index in range(first, games):
            yield play_one(series, game, options, players, index)


def written(
    run: Generator[tuple[Outcome, Record]], files: Callable[[Outcome], Path] | None
) -> Generator[Outcome]:
    """The outcomes of games, each after its record has been written to its file."""
    with closing(run):
        for outcome, record in run:
            if files is not None:
                files(outcome).write_text(record.write(), "utf-8")
            yield outcome


@dataclass(frozen=True)
class Series:
    """Games between bots, in terms that another process understands."""

    game: str
    seats: int
    options: dict[str, str]
    bots: Sequence[str]
    texts: dict[str, str]
    seed: str
    budget: Budget | None
    most_moves: int


def play_one(
    series: Series, game: Game, options: Options, players: Mapping[str, Bot], index: int
) -> tuple[Outcome, Record]:
    """One of the games; the bots change seats from one to the next."""
    turned = [series.bots[(seat + index) % len(series.bots)] for seat in range(series.seats)]
    seed, most = f"{series.seed}-{index}", series.most_moves
    return play_game(game, options, players, turned, seed, series.budget, index=index, most_moves=most)


def play_far(series: Series, indices: Sequence[int]) -> list[tuple[Outcome, str]]:
    """Some of the games, wherever this is; their records as texts."""
    game = find_game(series.game)
    options = game.read_options(series.options)
    with sit_down(game, series.texts) as players:
        played = [play_one(series, game, options, players, index) for index in indices]
    return [(outcome, record.write()) for outcome, record in played]


def standings(outcomes: Sequence[Outcome]) -> list[Standing]:
    """The bots, the best first. Games with the same seed have much in common: they are one observation."""
    bots = dict.fromkeys(bot for each in outcomes for bot in each.bots)
    return sorted((_standing(bot, outcomes) for bot in bots), key=lambda each: (-each.share, -each.score))


def _standing(bot: str, outcomes: Sequence[Outcome]) -> Standing:
    seats = [(each, seat) for each in outcomes for seat, other in enumerate(each.bots) if other == bot]
    shares, scores = dict[str, list[float]](), dict[str, list[float]]()
    for each, seat in seats:
        shares.setdefault(each.seed, []).append(each.shares[seat])
        scores.setdefault(each.seed, []).append(each.scores[seat])
    share, score = [fmean(unit) for unit in shares.values()], [fmean(unit) for unit in scores.values()]
    low, high = unit_interval(share)
    half = Z * stdev(score) / len(score) ** 0.5 if len(score) > 1 else None
    mean = fmean(score)
    return Standing(
        bot,
        seats=len(seats),
        wins=sum(map(sum, shares.values())),
        share=fmean(share),
        low=low,
        high=high,
        score=mean,
        score_low=None if half is None else mean - half,
        score_high=None if half is None else mean + half,
        milliseconds=fmean(each.milliseconds[seat] if each.milliseconds else 0.0 for each, seat in seats),
    )


def unit_interval(units: Sequence[float]) -> tuple[float, float]:
    """A 95 % interval for the mean of shares: Wilson's, for so many games as the units are worth.

    Units that vary less than single games would are worth more of them, units that vary more are worth fewer;
    where all are equal, each is taken for one game.
    """
    mean, worth = fmean(units), float(len(units))
    if len(units) > 1 and (spread := variance(units)) > 0:
        worth *= mean * (1 - mean) / spread
    return interval(mean * worth, worth)


def interval(wins: float, games: float) -> tuple[float, float]:
    """Wilson's 95 % interval for the share of victories."""
    centre = (wins + Z * Z / 2) / (games + Z * Z)
    half = Z / (games + Z * Z) * (wins * (games - wins) / games + Z * Z / 4) ** 0.5
    return max(0.0, centre - half), min(1.0, centre + half)


def write_outcomes(outcomes: Sequence[Outcome], path: Path) -> None:
    """The outcomes as a file: JSON, or CSV with one row for each seat of each game."""
    if path.suffix == ".json":
        path.write_text(json.dumps([asdict(each) for each in outcomes], indent=1) + "\n", "utf-8")
        return
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(("game", "seed", "seat", "bot", "score", "rank", "moves"))
        for each in outcomes:
            for seat, row in enumerate(zip(each.bots, each.scores, each.ranks, strict=True), 1):
                rows.writerow((each.game, each.seed, seat, *row, each.moves))
