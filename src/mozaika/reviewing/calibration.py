"""What makes the judge's numbers mean what they say, measured for each game by `mozaika calibrate`."""

from collections.abc import Sequence
from functools import cache
from math import log
from pathlib import Path

import msgspec
import numpy as np

from mozaika.game import Game

FILE = "review.json"
PHASES = 4
SURE = 0.002
"""No share is taken to be nearer to 0 or 1 while a game goes on."""
LEAST_LOSS = 1e-4
"""Losses are compared by how many times larger they are; smaller ones are all the same."""


class LevelLoss(msgspec.Struct, frozen=True):
    """How much a level loses by an unforced decision against the judge's, in the mean of moments out of so
    many games; below 0 it plays better than the judge.
    """

    bot: str
    games: int
    loss: float
    low: float
    high: float


class Like(msgspec.Struct, frozen=True):
    """How strong a player is whose decisions lose so much: a rating, and between what it lies."""

    rating: int
    low: int
    high: int
    bot: str
    """The level that is nearest."""


class Opinion(msgspec.Struct, frozen=True):
    """Another level that judges decisions, where it plays better than the one whose shares mean most."""

    judge: str
    nodes: int
    look: int
    slopes: tuple[float, ...] = (1.0,) * PHASES


class Calibration(msgspec.Struct, frozen=True):
    """For one number of players of a game."""

    seats: int
    judge: str = "expert"
    """Of our levels the one whose shares of the victory mean most for its time."""
    nodes: int = 2_000
    """How much the judge looks at to find the best move of a decision."""
    look: int = 400
    """How much it looks at to say what a moment is worth."""
    redraws: int = 32
    """How many other draws one is compared with, where their outcomes are too many for an exact mean."""
    plies: float = 60.0
    """How long a game is; a quarter of it is a phase."""
    slopes: tuple[float, ...] = (1.0,) * PHASES
    """By phase: how much less extreme than they were the odds have to be."""
    doubt: float = 0.0
    """By how much a search ten times as deep finds another loss where one would be marked, as a standard
    deviation: what repeating the same search can never show.
    """
    sharpness: float = 8.0
    """How fast accuracy falls with what a decision loses."""
    luck: float = 1.0
    """Which part of the luck of all draws shows in results: so much of it is told as their total."""
    luck_counts: bool = False
    """Whether that may be told at all: it makes results spread less."""
    levels: tuple[LevelLoss, ...] = ()
    games: int = 0
    """On how many games that were held out the slopes have been checked."""
    decider: Opinion | None = None

    @property
    def of_decisions(self) -> "Calibration":
        """Who judges decisions, and how."""
        if self.decider is None:
            return self
        judge, nodes, look, slopes = msgspec.structs.astuple(self.decider)
        return msgspec.structs.replace(self, judge=judge, nodes=nodes, look=look, slopes=slopes, decider=None)

    def phase(self, ply: int) -> int:
        return min(PHASES - 1, int(PHASES * ply / self.plies))

    def correct(self, shares: tuple[float, ...], ply: int) -> tuple[float, ...]:
        """Shares of the victory that come true as often as they say."""
        if len(shares) < 2:
            return shares
        stretched = np.clip(shares, SURE, 1 - SURE) ** self.slopes[self.phase(ply)]
        return tuple((stretched / stretched.sum()).tolist())

    def accuracy(self, loss: float) -> float:
        """From 0 to 100: how good a decision was."""
        return float(100 * np.exp(-self.sharpness * max(0.0, loss)))

    def like(self, loss: float, low: float, high: float, game: Game) -> Like | None:
        """Who loses so much by a decision: between our levels, whose ratings were measured, if they were.

        How sure that is comes from all three: the loss, those of the levels, and their ratings.
        """
        measured = game.ratings()
        ratings = {each.bot: each for each in measured.bots} if measured else {}
        known = [(level, ratings[level.bot]) for level in self.levels if level.bot in ratings]
        if len(known) < 2:
            return None
        rating = round(sum(_read_curve(loss, [(level.loss, rated.rating) for level, rated in known])) / 2)
        weakest, _ = _read_curve(high, [(level.low, rated.low) for level, rated in known])
        _, strongest = _read_curve(low, [(level.high, rated.high) for level, rated in known])
        nearest = min(known, key=lambda each: abs(each[1].rating - rating))[0]
        return Like(rating, min(weakest, rating), max(strongest, rating), nearest.bot)


def _read_curve(loss: float, known: Sequence[tuple[float, int]]) -> tuple[int, int]:
    """The rating of who loses so much, between losses whose ratings are known: the least and the most that it
    can be, because who loses more is not stronger, and levels may stand the wrong way round.
    """
    losses, rates = zip(*sorted((_scale(each), rating) for each, rating in known), strict=True)
    least, most = np.minimum.accumulate(rates), np.maximum.accumulate(rates[::-1])[::-1]
    low, high = (round(float(np.interp(_scale(loss), losses, each))) for each in (least, most))
    return low, high


def _scale(loss: float) -> float:
    return log(max(LEAST_LOSS, loss))


_CALIBRATIONS = msgspec.json.Decoder(tuple[Calibration, ...])


@cache
def _read(folder: Path) -> tuple[Calibration, ...]:
    path = folder / FILE
    return _CALIBRATIONS.decode(path.read_bytes()) if path.exists() else ()


def calibration_of(game: Game, seats: int) -> Calibration:
    """As it was measured; for another number of players as for the nearest one, but without games behind it.

    A game for one counts points, so nothing can be borrowed for it; nor from it.
    """
    measured = [
        each for each in (_read(game.folder) if game.folder else ()) if (each.seats == 1) == (seats == 1)
    ]
    if not measured:
        return Calibration(seats)
    nearest = min(measured, key=lambda each: (abs(each.seats - seats), -each.seats))
    if nearest.seats == seats:
        return nearest
    return msgspec.structs.replace(nearest, seats=seats, games=0, luck_counts=False, levels=())


def write_calibration(calibration: Calibration, path: Path) -> None:
    """Put it into a file, instead of what stands there for as many players."""
    known = _CALIBRATIONS.decode(path.read_bytes()) if path.exists() else ()
    others = [each for each in known if each.seats != calibration.seats]
    every = sorted([*others, calibration], key=lambda each: each.seats)
    path.write_bytes(msgspec.json.format(msgspec.json.encode(every), indent=1) + b"\n")
