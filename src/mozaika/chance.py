"""How chance is drawn at a table: fixed by a seed before play, and checkable by anyone afterwards.

Each draw is a function of the seed and of its number in the log (its ply), so that a draw can be
checked alone and taking a move back does not change what comes after it. The name of the method stands in
the record.
"""

import hashlib
import hmac
import secrets
from itertools import count

import numpy as np

from mozaika.game import Game
from mozaika.state import CHANCE, State

METHOD = "hmac-sha256/1"


def new_seed() -> str:
    """A seed that nobody can guess: 128 random bits as a text."""
    return secrets.token_hex(16)


def commitment(seed: str) -> str:
    """What can be published before the game: it fixes the seed and does not show it."""
    return hashlib.sha256(f"mozaika commitment {seed}".encode()).hexdigest()


def number_below(seed: str, ply: int, total: int) -> int:
    """The number from 0 to total - 1 that the seed gives at a ply; every number is equally likely.

    The first 8 bytes of HMAC-SHA256(seed, "ply:attempt") are read as a big-endian number; a number in the
    last, incomplete stretch of length `total` is thrown away and the next attempt counts.
    """
    limit = (1 << 64) // total * total
    for attempt in count():
        digest = hmac.digest(seed.encode(), f"{ply}:{attempt}".encode(), "sha256")
        number = int.from_bytes(digest[:8], "big")
        if number < limit:
            return number % total
    raise AssertionError


def luck_of_bot(seed: str, ply: int) -> int:
    """Where the random numbers of a bot begin that moves at a ply, for `new_random`: no draw has this number,
    and it is the same in every process.
    """
    return number_below(seed, ~ply, 1 << 62)


def pick(seed: str, ply: int, weights: list[int]) -> int:
    """The index of the outcome that the seed gives at a ply, each as likely as its weight."""
    rest = number_below(seed, ply, sum(weights))
    for index, weight in enumerate(weights):
        if rest < weight:
            return index
        rest -= weight
    raise AssertionError


def draw(game: Game, state: State, seed: str, ply: int) -> int:
    """What CHANCE does in a state at a ply, by the seed."""
    outcomes, weights = weigh_draw(game, state)
    return outcomes[pick(seed, ply, weights)]


def weigh_draw(game: Game, state: State) -> tuple[list[int], list[int]]:
    """What CHANCE may do in a state, and how likely each is."""
    outcomes, weights = game.legal_moves(state, CHANCE), np.zeros(game.most_moves, np.int32)
    game.weigh(state, weights)
    found: list[int] = weights[: len(outcomes)].tolist()
    return outcomes, found
