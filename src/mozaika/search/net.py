"""A small net over the features of one seat, for appraisals: a game lists the features, `lab.fit` fits it.

A feature adds its weights to a few units. The first unit goes through as it is, the others only where they
are positive; their sum is what the seat can still expect.
"""

import math

import numpy as np

from mozaika.kernel import kernel, ranks
from mozaika.state import Floats, State


@kernel
def see(sight: Floats, layer: Floats, feature: int, weight: float) -> None:
    """Add a feature to the units, or to the list of features where there is room for that: for fitting."""
    if len(sight) == len(layer):
        sight[feature] += weight
    else:
        for unit in range(len(sight)):
            sight[unit] += layer[feature, unit] * np.float32(weight)


@kernel
def add_up(sight: Floats, out: Floats) -> float:
    """What the units say together."""
    value = float(sight[0])
    for unit in range(1, len(sight)):
        value += max(0.0, float(sight[unit])) * float(out[unit])
    return value


@kernel
def share_by_points(points: Floats, spread: float, seats: int, shares: Floats) -> None:
    """The victory divided by expected points: so many more make a victory e times as likely."""
    best = float(points[0])
    for seat in range(1, seats):
        best = max(best, float(points[seat]))
    total = 0.0
    for seat in range(seats):
        shares[seat] = math.exp((float(points[seat]) - best) / spread)
        total += shares[seat]
    for seat in range(seats):
        shares[seat] /= total


@kernel
def share_by_rank(state: State, shares: Floats) -> None:
    """The victory of a finished game, divided by those who share it."""
    places = np.zeros(16, np.int32)
    ranks(state, places)
    winners = 0
    for place in places:
        if place == 1:
            winners += 1
    for seat in range(state["seats"]):
        shares[seat] = 1 / winners if places[seat] == 1 else 0.0
