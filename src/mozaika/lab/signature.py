"""One number that changes exactly when a search plays differently.

Every bot of the shelf looks at the same few positions with the same random numbers and so many nodes, without
a clock. The commit that changes how a bot plays states the new number in its message: `Bench: N`.
"""

import hashlib
from math import inf

from mozaika.game import Game
from mozaika.games import SHELF, find_game
from mozaika.kernel import compiling, new_random, swift_game
from mozaika.lab.simulate import play_game
from mozaika.search.simple import random_mover
from mozaika.state import CHANCE
from mozaika.thought import Budget

NODES = 300
MOMENTS = (0.05, 0.4, 0.75)
"""How far through a game the positions lie."""


def signatures() -> dict[str, int]:
    """The signature of each game of our shelf; games of other packages do not count."""
    return {name: signature(find_game(name)) for name in SHELF}


def whole(parts: dict[str, int]) -> int:
    """One number for all of them."""
    return _digest("\n".join(f"{name} {part}" for name, part in parts.items()))


def signature(game: Game) -> int:
    """The number of one game: what its bots play, expect and look at."""
    seats, options = max(2, game.seats[0]), game.read_options(game.variants[0])
    record = play_game(game, options, {"": random_mover}, [""] * seats, "signature", None)[1]
    states = [
        (state, entry.seat)
        for state, entry in zip(record.states(), record.entries, strict=False)
        if entry.seat != CHANCE
    ]
    lines = []
    with compiling():
        fast = swift_game(game)
        for moment in MOMENTS:
            state, seat = states[int(moment * len(states))]
            for name, bot in game.bots.items():
                budget = Budget(nodes=NODES, milliseconds=inf)
                thought = bot(fast, game.hide(state, seat), seat, new_random(1), budget)
                expected = [f"{number:.6f}" for number in (*thought.shares, *thought.points)]
                line = [(int(who), int(move)) for who, move in thought.line]
                lines.append(f"{name} {thought.move} {thought.nodes} {expected} {line}")
    return _digest("\n".join(lines))


def _digest(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")
