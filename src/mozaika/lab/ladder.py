"""How strong the levels of a game are: everybody against everybody, and a rating on a scale like Elo's."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import combinations
from math import hypot, log
from pathlib import Path
from random import Random
from statistics import fmean, quantiles

from openskill.models import PlackettLuce

from mozaika.game import Game
from mozaika.lab.arena import Match, play_match, unit_share
from mozaika.lab.cluster import Cluster
from mozaika.lab.signature import signature
from mozaika.rating import Measured, Meeting, Rating, Ratings, read_ratings, write_ratings
from mozaika.thought import LEVELS, Budget

YARDSTICK = "greedy"
"""A bot that stays as it is, beside the levels: its rating is fixed."""
ANCHOR = 1_000
PASSES = 4
WEIGHT = 20
"""Every two count like so many pairs of games, for a champion has played few and is none the weaker."""
RESAMPLES = 100
SEED = "ladder"
BATCH = 10
"""So many pairs are played between two looks at the whole."""

Pairs = dict[tuple[str, str], list[int]]


def climbers(game: Game) -> list[str]:
    """The bots of a game that are rated: the yardstick and its levels, the weakest first."""
    return [bot for bot in (YARDSTICK, *LEVELS) if bot in game.bots]


@dataclass
class Ladder:
    """A run that can be stopped at any time and continued from what it has written."""

    game: Game
    budget: Budget | None = None
    jobs: int = 1
    cluster: Cluster | None = None
    pairs: Pairs = field(default_factory=dict)
    """For each two bots: how many pairs of games brought the first 0, ½, 1, 1½ and 2 victories."""

    def __post_init__(self) -> None:
        self.bots = climbers(self.game)
        if len(self.bots) < 2:
            raise ValueError(f"{self.game.name} has no two levels that could be compared.")
        self.seats = max(2, self.game.seats[0])
        self.measured = Measured(
            game=self.game.id,
            version=self.game.version,
            signature=signature(self.game),
            options=self.game.write_options(self.game.read_options(self.game.variants[0])),
            nodes=self.budget.nodes if self.budget else None,
            milliseconds=self.budget.milliseconds if self.budget else None,
            seed=SEED,
        )
        self.pairs = {two: [0] * 5 for two in combinations(self.bots, 2)}

    def resume(self, earlier: Ratings | None) -> bool:
        """Go on with an earlier run, if the same was measured and by the same bots."""
        if earlier is None or earlier.measured != self.measured:
            return False
        for each in earlier.meetings:
            if (each.first, each.second) in self.pairs:
                self.pairs[each.first, each.second] = list(each.pairs)
        return True

    def wanted(self, games: int) -> dict[tuple[str, str], int]:
        """How many pairs every two should play: neighbours all the games, others half of them. A champion,
        whose games take as long as all the others together, plays half of that with its neighbour and a
        quarter with others, against whom it wins anyway.
        """
        place, wanted = self.bots.index, {}
        for two in self.pairs:
            near = place(two[1]) - place(two[0]) == 1
            share = 2 if near else 4
            if LEVELS[-1] in two:
                share *= 2 if near else 4
            wanted[two] = max(1, games // share)
        return wanted

    def left(self, games: int) -> int:
        """How many pairs are still to be played."""
        return sum(max(0, n - sum(self.pairs[two])) for two, n in self.wanted(games).items())

    def play(self, games: int) -> Iterator[int]:
        """Play what is left batch by batch, all pairings growing together; yields the pairs of each batch."""
        wanted = self.wanted(games)
        while behind := [two for two in self.pairs if sum(self.pairs[two]) < wanted[two]]:
            two = min(behind, key=lambda each: sum(self.pairs[each]) / wanted[each])
            played = sum(self.pairs[two])
            batch = min(
                BATCH * (self.cluster.processors if self.cluster else self.jobs), wanted[two] - played
            )
            match = Match(
                self.game.id, self.seats, self.measured.options, two, f"{SEED}-{'-'.join(two)}", self.budget
            )
            for unit in play_match(match, played, batch, self.jobs, self.cluster):
                self.pairs[two][round(4 * unit_share(two[0], unit))] += 1
            yield batch

    def _rate(self) -> list[Rating]:
        numbers, random = rate(self.bots, self.pairs), Random(SEED)
        again = [rate(self.bots, _draw_again(self.pairs, random)) for _ in range(RESAMPLES)]
        return [
            Rating(
                bot,
                round(numbers[bot]),
                *_span([each[bot] for each in again]),
                2 * sum(sum(counts) for two, counts in self.pairs.items() if bot in two),
            )
            for bot in self.bots
        ]

    def ratings(self, *, over: bool) -> Ratings:
        """What was played so far, and what it says if the run is over."""
        return Ratings(
            measured=self.measured,
            date=datetime.now(UTC).date().isoformat(),
            anchor=self.bots[0],
            bots=self._rate() if over else [],
            meetings=[Meeting(*two, list(counts)) for two, counts in self.pairs.items() if sum(counts)],
        )


def climb(
    game: Game,
    games: int,
    budget: Budget | None,
    jobs: int,
    path: Path,
    watch: Callable[[int, int], None],
    cluster: Cluster | None = None,
) -> Ratings:
    """Rate the levels of a game into a file; a run that was cut off goes on from what lies beside it."""
    run, unfinished = Ladder(game, budget, jobs, cluster), path.with_suffix(".part")
    if not run.resume(read_ratings(unfinished)):
        run.resume(read_ratings(path))
    left = run.left(games)
    watch(0, left)
    for pairs in run.play(games):
        write_ratings(run.ratings(over=False), unfinished)
        watch(pairs, left)
    ratings = run.ratings(over=True)
    write_ratings(ratings, path)
    unfinished.unlink(missing_ok=True)
    return ratings


def rate(bots: Sequence[str], pairs: Pairs) -> dict[str, float]:
    """A rating for each bot; the first has the one that is fixed.

    The model learns game by game. It goes through as many of every two, several times, in a fixed random
    order and without forgetting, so that what it started from no longer matters; and its scale is stretched
    to Elo's.
    """
    model = PlackettLuce(tau=0.0)
    ratings, random, seen = {bot: model.rating() for bot in bots}, Random(SEED), list[dict[str, float]]()
    games = [game for two, counts in pairs.items() for game in _games(two, _weighted(counts))]
    for passing in range(PASSES):
        random.shuffle(games)
        for first, second, ranks in games:
            [[ratings[first]], [ratings[second]]] = model.rate(
                [[ratings[first]], [ratings[second]]], ranks=ranks
            )
            if passing >= PASSES // 2:
                seen.append({bot: each.mu for bot, each in ratings.items()})
    spread = 2**0.5 * hypot(model.beta, fmean(each.sigma for each in ratings.values()))
    middle = {bot: fmean(each[bot] for each in seen) if seen else model.mu for bot in bots}
    return {bot: ANCHOR + (middle[bot] - middle[bots[0]]) / spread * 400 / log(10) for bot in bots}


def _weighted(counts: Sequence[int]) -> list[int]:
    """The same results in the same proportion, `WEIGHT` of them."""
    played = sum(counts)
    return [round(WEIGHT * count / played) for count in counts] if played else [0] * len(counts)


def _games(two: tuple[str, str], counts: Sequence[int]) -> Iterator[tuple[str, str, list[float]]]:
    """Every game of the pairs: who played, and their ranks."""
    won, lost, shared = [1.0, 2.0], [2.0, 1.0], [1.0, 1.0]
    of_pair = ((lost, lost), (lost, shared), (won, lost), (won, shared), (won, won))
    for results, count in zip(of_pair, counts, strict=True):
        for ranks in results * count:
            yield *two, ranks


def _draw_again(pairs: Pairs, random: Random) -> Pairs:
    """As many pairs, drawn from those that were played (bootstrap)."""
    drawn = {}
    for two, counts in pairs.items():
        again = random.choices(range(5), counts, k=sum(counts)) if sum(counts) else []
        drawn[two] = [again.count(result) for result in range(5)]
    return drawn


def _span(numbers: list[float]) -> tuple[int, int]:
    cuts = quantiles(numbers, n=40, method="inclusive")
    return round(cuts[0]), round(cuts[-1])
