"""Many games between bots, and what came of them."""

import csv
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import NormalDist, fmean

from mozaika import chance
from mozaika.game import CHANCE, Budget, Game, Options, seats_in
from mozaika.kernel import compiling, new_random, swift_game
from mozaika.record import Entry, Record, draw, places, points


@dataclass(frozen=True)
class Outcome:
    """How one game ended."""

    game: int
    seed: str
    bots: list[str]
    """The bot in each seat."""
    scores: list[int]
    ranks: list[int]
    moves: int


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


def play_game(
    game: Game,
    seats: int,
    options: Options,
    bots: Sequence[str],
    seed: str,
    budget: Budget | None,
    most_moves: int,
) -> Record:
    """One game between bots, with compiled rules."""
    names = tuple(f"{bot} {seat}" for seat, bot in enumerate(bots, 1))
    record = Record(game, options, names, commitment=chance.commitment(seed), seed=seed)
    with compiling():
        fast, state = swift_game(game), game.start(seats, options)
        random = new_random(chance.number_below(seed, -1, 1 << 62))
        made = 0
        while (movers := seats_in(fast.movers(state))) and made < most_moves:
            seat = movers[0]
            if seat == CHANCE:
                move = draw(fast, state, seed, len(record.entries))
            else:
                move = game.bots[bots[seat]](fast, game.hide(state, seat), seat, random, budget).move
                made += 1
            fast.apply(state, seat, move)
            record.entries.append(Entry(seat, move))
    return record


def simulate(
    game: Game,
    seats: int,
    options: Options,
    bots: Sequence[str],
    games: int,
    seed: str,
    budget: Budget | None,
    most_moves: int = 10_000,
) -> Iterator[tuple[Outcome, Record]]:
    """Games between bots who change seats from game to game."""
    for index in range(games):
        turned = [bots[(seat + index) % len(bots)] for seat in range(seats)]
        record = play_game(game, seats, options, turned, f"{seed}-{index}", budget, most_moves)
        yield outcome(index, turned, record), record


def outcome(index: int, bots: list[str], record: Record) -> Outcome:
    """How a game between these bots ended."""
    game, state = record.game, record.state()
    made = sum(entry.seat != CHANCE for entry in record.entries)
    return Outcome(index, record.seed, bots, points(game, state), places(game, state), made)


def standings(outcomes: Sequence[Outcome]) -> list[Standing]:
    """The bots, the best first."""
    shares: dict[str, list[float]] = {}
    scores: dict[str, list[int]] = {}
    for each in outcomes:
        winners = each.ranks.count(1)
        for bot, rank, score in zip(each.bots, each.ranks, each.scores, strict=True):
            shares.setdefault(bot, []).append(1 / winners if rank == 1 else 0.0)
            scores.setdefault(bot, []).append(score)
    table = [_standing(bot, shares[bot], scores[bot]) for bot in shares]
    return sorted(table, key=lambda standing: -standing.share)


def _standing(bot: str, shares: list[float], scores: list[int]) -> Standing:
    low, high = interval(sum(shares), len(shares))
    return Standing(bot, len(shares), sum(shares), fmean(shares), low, high, fmean(scores))


def interval(wins: float, games: int, confidence: float = 0.95) -> tuple[float, float]:
    """Wilson's interval for the share of victories."""
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    centre = (wins + z * z / 2) / (games + z * z)
    half = z / (games + z * z) * (wins * (games - wins) / games + z * z / 4) ** 0.5
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
