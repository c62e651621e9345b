"""What a game can tell searches about playing well, beyond its rules."""

from collections.abc import Callable
from dataclasses import dataclass

from mozaika.state import Floats, Ints, State


@dataclass(frozen=True, kw_only=True)
class Net:
    """What the net of an appraisal looks at, for who fits it.

    Its weights lie beside the game, in `weights.npz`: for each kind of position the `layer` by feature and
    unit, the `start` and the `out` of each unit, and the `spread` of the points at each time.
    """

    look_at: Callable[[State, int, Floats], None]
    """Adds up the features of a seat: in an array with room for all of them, one by one. Compiled."""
    features: int
    units: int
    kinds: int = 1
    kind: Callable[[State], int] = lambda _: 0
    """Which weights a position has."""
    times: int = 1
    time: Callable[[State], int] = lambda _: 0
    tied: bool = False
    """Whether all units but the first have the same weights in every kind of position."""
    points: bool = True
    """Whether it tells the points that are still to come, or only who will win."""
    before_draws: bool = False
    """Whether a search asks it only before draws."""


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """How a game looks to those who search it. Each part is optional; a bot says what it needs and lacks."""

    appraise: Callable[[State, Floats, Floats], None] | None = None
    """Fills in the share of the victory and the points that each seat can expect. Compiled."""
    rate: Callable[[State, int, Ints, int, Floats], None] | None = None
    """Fills in how good each of so many legal moves of a seat looks at first sight; one more makes a move e
    times as likely. Compiled.
    """
    candidates: Callable[[State, int, Ints], int] | None = None
    """Like `legal`, without moves that are hardly ever the best. Compiled."""
    promise: Callable[[State, int], int] | None = None
    """For `greedy`: how good things look for a seat that has just moved. Compiled."""
    net: Net | None = None
    """For `mozaika fit`: what its appraisal looks at, where that is a net."""
