"""The six colours stay apart for every eye, and each has a pattern of its own (GE-B1)."""

from itertools import combinations

import numpy as np
import pytest

from mozaika.games.gemino import artwork

EYES = {
    "usual": "1 0 0  0 1 0  0 0 1",
    "protanopia": "0.152286 1.052583 -0.204868  0.114503 0.786281 0.099216  -0.003882 -0.048116 1.051998",
    "deuteranopia": "0.367322 0.860646 -0.227968  0.280085 0.672501 0.047413  -0.011820 0.042940 0.968881",
    "tritanopia": "1.255528 -0.076749 -0.178779  -0.078411 0.930809 0.147602  0.004733 0.691367 0.303900",
    "no colours": "0.2126 0.7152 0.0722  0.2126 0.7152 0.0722  0.2126 0.7152 0.0722",
}
"""How linear red, green and blue reach different eyes (Machado, Oliveira and Fernandes, 2009)."""
LEAST = {"no colours": 0.04}
"""Without any colours the patterns tell more than the fills."""


TO_CONES = "0.4122215 0.5363325 0.0514460  0.2119035 0.6806995 0.1073970  0.0883025 0.2817188 0.6299787"
TO_OKLAB = "0.2104543 0.7936178 -0.0040720  1.9779985 -2.4285922 0.4505937  0.0259040 0.7827718 -0.8086758"


def matrix(numbers: str) -> np.ndarray:
    return np.array(numbers.split(), float).reshape(3, 3)


def see(fill: str, eye: str) -> np.ndarray:
    """A fill as an eye sees it, in Oklab, where equal distances look equally different."""
    parts = np.array([int(fill[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    seen = np.clip(matrix(EYES[eye]) @ linear, 0, 1)
    return matrix(TO_OKLAB) @ np.cbrt(matrix(TO_CONES) @ seen)


@pytest.mark.parametrize("eye", EYES)
def test_fills_stay_apart(eye):
    """A distance of 0.02 can just be seen when colours lie side by side."""
    seen = [see(fill, eye) for fill in artwork.FILLS]
    nearest = min(np.linalg.norm(one - other) for one, other in combinations(seen, 2))
    assert nearest > LEAST.get(eye, 0.08)


def test_every_colour_has_a_pattern_and_every_seat_a_symbol():
    assert len(set(artwork.PATTERNS)) == len(artwork.FILLS) == 6
    assert len(set(artwork.SHAPES)) == len(artwork.TILE_SYMBOLS) == 4
