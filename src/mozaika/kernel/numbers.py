"""Bits and random numbers, for kernels."""

import numpy as np

from mozaika.kernel.verbs import kernel
from mozaika.state import Ints, Random


@kernel
def count_bits(bits: int) -> int:
    """How many bits are set. The compiler knows this loop and makes one instruction of it."""
    n = 0
    while bits != 0:
        bits &= bits - 1
        n += 1
    return n


@kernel
def list_bits(bits: int, first: int, out: Ints) -> int:
    """Fill `out` with the numbers of the bits that are set, ascending and counted from `first`; how many."""
    n = 0
    while bits != 0:
        out[n] = first + count_bits((bits & -bits) - 1)
        bits &= bits - 1
        n += 1
    return n


def new_random(seed: int) -> Random:
    """A generator that begins at a seed."""
    return np.array([seed & 0xFFFFFFFFFFFFFFFF], np.uint64)


@kernel
def random_bits(random: Random) -> int:
    """The next 64 random bits (splitmix64)."""
    z = (int(random[0]) + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
    random[0] = z
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
    return z ^ (z >> 31)


@kernel
def random_below(random: Random, n: int) -> int:
    """A random number from 0 to n - 1, for n far below 2**32."""
    return int(((random_bits(random) >> 32) * int(n)) >> 32)
