"""What makes the judge's numbers mean what they say, measured for each game by `mozaika calibrate`."""

from functools import cache
from pathlib import Path

import msgspec
import numpy as np

from mozaika.game import Game

FILE = "review.json"
PHASES = 4
SURE = 0.002
"""No share is taken to be nearer to 0 or 1 while a game goes on."""


class LevelLoss(msgspec.Struct, frozen=True):
    """How much a level loses by an unforced decision, in the mean of so many games."""

    bot: str
    games: int
    loss: float
    low: float
    high: float


class Calibration(msgspec.Struct, frozen=True):
    """For one number of players of a game."""

    seats: int
    nodes: int = 8_000
    """How much the judge looks at for a decision."""
    plies: float = 60.0
    """How long a game is; a quarter of it is a phase."""
    slopes: tuple[float, ...] = (1.0,) * PHASES
    """By phase: how much less extreme than they were the odds have to be."""
    sharpness: float = 8.0
    """How fast accuracy falls with what a decision loses."""
    luck: float = 1.0
    """Which part of the luck that was measured shows in results."""
    luck_counts: bool = False
    """Whether a total of the luck may be told: it makes results spread less."""
    levels: tuple[LevelLoss, ...] = ()
    games: int = 0
    """From how many games the slopes come."""

    def phase(self, ply: int) -> int:
        return min(PHASES - 1, int(PHASES * ply / self.plies))

    def correct(self, shares: tuple[float, ...], ply: int) -> tuple[float, ...]:
        """Shares of the victory that come true as often as they say."""
        if len(shares) < 2:
            return shares
        sure = np.clip(shares, SURE, 1 - SURE)
        odds = (sure / (1 - sure)) ** self.slopes[self.phase(ply)]
        corrected = odds / (1 + odds)
        return tuple((corrected / corrected.sum()).tolist())

    def accuracy(self, loss: float) -> float:
        """From 0 to 100: how good a decision was."""
        return float(100 * np.exp(-self.sharpness * max(0.0, loss)))


@cache
def _read(folder: Path) -> tuple[Calibration, ...]:
    path = folder / FILE
    return msgspec.json.decode(path.read_bytes(), type=tuple[Calibration, ...]) if path.exists() else ()


def calibration_of(game: Game, seats: int) -> Calibration:
    """As it was measured; a plain one where nobody has."""
    measured = _read(game.folder) if game.folder else ()
    return next((each for each in measured if each.seats == seats), Calibration(seats))
