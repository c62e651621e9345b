"""Draws are fixed by the seed, fair, and checkable."""

import hashlib
import hmac
from collections import Counter

from mozaika import chance


def test_a_draw_is_the_documented_function_of_seed_and_ply():
    digest = hmac.new(b"sunday", b"7:0", hashlib.sha256).digest()
    assert chance.number_below("sunday", 7, 1000) == int.from_bytes(digest[:8], "big") % 1000


def test_numbers_of_the_last_incomplete_stretch_are_thrown_away():
    total = (1 << 63) + 1  # so large that every second attempt falls into the rest
    retried = 0
    for ply in range(50):
        first = int.from_bytes(hmac.digest(b"s", f"{ply}:0".encode(), "sha256")[:8], "big")
        number = chance.number_below("s", ply, total)
        assert 0 <= number < total
        retried += number != first
    assert 10 < retried < 40


def test_outcomes_are_as_likely_as_their_weights():
    drawn = Counter(chance.pick("fair", ply, [1, 0, 3, 6]) for ply in range(10_000))
    assert drawn[1] == 0
    for index, weight in ((0, 1), (2, 3), (3, 6)):
        expected = 1000 * weight
        assert abs(drawn[index] - expected) < 4 * (expected * (1 - weight / 10)) ** 0.5


def test_a_commitment_fixes_the_seed_without_showing_it():
    seed = chance.new_seed()
    assert len(seed) == 32
    assert chance.commitment(seed) == chance.commitment(seed)
    assert chance.commitment(seed) != chance.commitment(seed + "0")
    assert seed not in chance.commitment(seed)
    assert chance.new_seed() != seed
