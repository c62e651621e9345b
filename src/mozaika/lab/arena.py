"""Which bot is stronger: paired deals, with an interval, and no longer than it takes to know.

A *unit* is one deal played once in every seating, so that nobody is lucky with the seat, and all draw the
same as long as they have the same to draw from. Everything is counted by units, as their games have much in
common.
"""

import os
import signal
import threading
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from math import log, log10
from multiprocessing import get_context, parent_process
from multiprocessing.util import Finalize
from statistics import fmean

from mozaika.doors.players import EXEC, introduce, sit_down
from mozaika.game import Bot
from mozaika.games import find_game
from mozaika.kernel import warm
from mozaika.lab.cluster import Cluster
from mozaika.lab.simulate import Outcome, Standing, play_game, standings
from mozaika.thought import Budget

ERROR = 0.05
"""How often a sequential test may be wrong, either way."""


@dataclass(frozen=True)
class Match:
    """Who plays what, in terms that another process understands."""

    game: str
    seats: int
    options: dict[str, str]
    bots: tuple[str, ...]
    seed: str
    budget: Budget | None = None
    commands: dict[str, str] = field(default_factory=dict)
    """How those bots are found that have names of their own."""

    @property
    def texts(self) -> dict[str, str]:
        """How each of the bots is found."""
        return {bot: self.commands.get(bot, bot) for bot in self.bots}

    @property
    def line_up(self) -> tuple[str, ...]:
        """A bot for each seat: the last that was named takes what is left."""
        return (*self.bots, *self.bots[-1:] * (self.seats - len(self.bots)))

    @property
    def seatings(self) -> list[tuple[str, ...]]:
        """Everybody in every seat, in the same order around the table; alone, everybody once."""
        if self.seats == 1:
            return [(bot,) for bot in dict.fromkeys(self.bots)]
        turns = range(self.seats)
        return list(dict.fromkeys(self.line_up[turn:] + self.line_up[:turn] for turn in turns))


def check(match: Match) -> Match:
    """The match with its bots by their names; ValueError with a sentence where it cannot begin."""
    game = find_game(match.game)
    game.start(match.seats, game.read_options(match.options))
    if len(match.bots) > match.seats > 1:
        raise ValueError(f"There are {len(match.bots)} bots for {match.seats} seats.")
    names = introduce(game, match.bots)
    commands = {name: text for text, name in names.items() if text.startswith(EXEC)}
    return replace(match, bots=tuple(names[text] for text in match.bots), commands=commands)


def play_match(
    match: Match, first: int, units: int, jobs: int = 1, cluster: Cluster | None = None
) -> Generator[list[Outcome]]:
    """The games of each unit from the first on, in their order, however many processes play them."""
    numbers = range(first, first + units)
    if cluster is not None:
        yield from cluster.map(play_units, match, numbers)
        return
    warm(find_game(match.game))  # so that the compiler's time is nobody's, and for all the processes
    if jobs == 1:
        with sit_down(find_game(match.game), match.texts) as players:
            for number in numbers:
                yield play_unit(match, players, number)
        return
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), initializer=_begin, initargs=(match,))
    try:
        yield from pool.map(_play_unit, numbers)
    except BrokenProcessPool:
        raise ChildProcessError(
            "A process that played has ended by itself, and its games are lost."
        ) from None
    finally:
        pool.shutdown(cancel_futures=True)


def play_unit(match: Match, players: dict[str, Bot], number: int) -> list[Outcome]:
    """One deal in every seating."""
    game, seatings = find_game(match.game), match.seatings
    options = game.read_options(match.options)
    return [
        play_game(
            game,
            options,
            players,
            seating,
            f"{match.seed}-{number}",
            match.budget,
            index=number * len(seatings) + turn,
            paired=True,
        )[0]
        for turn, seating in enumerate(seatings)
    ]


def play_units(match: Match, numbers: Sequence[int]) -> list[list[Outcome]]:
    """Some units, wherever this is."""
    warm(find_game(match.game))
    with sit_down(find_game(match.game), match.texts) as players:
        return [play_unit(match, players, number) for number in numbers]


_at_work: tuple[Match, dict[str, Bot]]
"""What a process of a pool plays."""


def _begin(match: Match) -> None:
    global _at_work  # noqa: PLW0603  a process of a pool has no other place to remember
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    warm(find_game(match.game))
    stack = ExitStack()
    _at_work = match, stack.enter_context(sit_down(find_game(match.game), match.texts))
    Finalize(None, stack.close, exitpriority=10)


def _leave_with_parent() -> None:
    if parent := parent_process():
        parent.join()
    os._exit(1)


def _play_unit(number: int) -> list[Outcome]:
    return play_unit(*_at_work, number)


def elo(share: float) -> float | None:
    """By how many Elo points who wins this share of games for two is ahead; None where it is endless."""
    return -400 * log10(1 / share - 1) if 0 < share < 1 else None


@dataclass(frozen=True)
class Sprt:
    """Wald's sequential test: is a bot stronger than the others by `high` Elo points, or only by `low`?"""

    low: float
    high: float

    def share(self, ahead: float, seats: int) -> float:
        """The share of victories of a player so many points ahead of all others."""
        odds: float = 10 ** (ahead / 400)
        return odds / (odds + seats - 1)

    def evidence(self, units: Sequence[float], seats: int) -> float:
        """How much likelier the shares of the units are if `high` is true, as a logarithm.

        The mean of units is taken for normal. To their variance a victory and a defeat are added, lest a
        few equal units seem to prove everything.
        """
        low, high, mean = self.share(self.low, seats), self.share(self.high, seats), fmean(units)
        spread = fmean((unit - mean) ** 2 for unit in (*units, 0.0, 1.0))
        return len(units) * (high - low) * (2 * mean - low - high) / (2 * spread)

    def verdict(self, units: Sequence[float], seats: int) -> str:
        """`accepted`, `rejected`, or nothing as long as more games are needed."""
        evidence, enough = self.evidence(units, seats), log((1 - ERROR) / ERROR)
        return "accepted" if evidence >= enough else "rejected" if evidence <= -enough else ""


def unit_share(bot: str, unit: Sequence[Outcome]) -> float:
    """The share of victories of a bot in the games of a unit."""
    seats = [(each, seat) for each in unit for seat, other in enumerate(each.bots) if other == bot]
    return fmean(each.shares[seat] for each, seat in seats)


def until_known(match: Match, run: Generator[list[Outcome]], test: Sprt | None) -> Iterator[list[Outcome]]:
    """The units of a match up to the one at which the test decides."""
    shares: list[float] = []
    with closing(run):
        for unit in run:
            yield unit
            shares.append(unit_share(match.bots[0], unit))
            if test and test.verdict(shares, match.seats):
                return


@dataclass(frozen=True)
class Decision:
    """How a sequential test has ended."""

    low: float
    high: float
    evidence: float
    verdict: str


@dataclass(frozen=True)
class Report:
    """What came of a match."""

    game: str
    seats: int
    options: dict[str, str]
    seed: str
    units: int
    games: int
    moves: float
    """Of all players in a game, on average."""
    bots: list[Standing]
    elo: list[float | None] | None
    """Of two bots in a game for two: by how much the first is ahead, and a 95 % interval."""
    sprt: Decision | None
    forfeits: list[str]
    commands: dict[str, str]
    """The commands of those bots that have names of their own."""


def report(match: Match, units: Sequence[Sequence[Outcome]], test: Sprt | None) -> Report:
    """Count the units of a match."""
    outcomes = [outcome for unit in units for outcome in unit]
    table, ahead, decision = standings(outcomes), None, None
    if match.seats == len(set(match.line_up)) == 2:
        first = next(each for each in table if each.bot == match.bots[0])
        ahead = [elo(share) for share in (first.share, first.low, first.high)]
    if test:
        shares = [unit_share(match.bots[0], unit) for unit in units]
        verdict = test.verdict(shares, match.seats) or "undecided"
        decision = Decision(test.low, test.high, test.evidence(shares, match.seats), verdict)
    return Report(
        game=match.game,
        seats=match.seats,
        options=match.options,
        seed=match.seed,
        units=len(units),
        games=len(outcomes),
        moves=fmean(each.moves for each in outcomes),
        bots=table,
        elo=ahead,
        sprt=decision,
        forfeits=[f"Game {each.game + 1}: {each.forfeit}" for each in outcomes if each.forfeit],
        commands=match.commands,
    )
