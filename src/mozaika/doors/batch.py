"""Many games at once, compiled, as one NumPy array."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mozaika.game import Game
from mozaika.games import find_game
from mozaika.given import some_text, whole_number
from mozaika.kernel import compiled
from mozaika.search.playout import new_desk, playouts

LONGEST_GAME = 100_000
"""Far more moves than any game has."""


def random_games(
    game: str | Game, number: int, seats: int | None = None, *, seed: int = 0, **options: Any
) -> NDArray[np.void]:
    """So many games, played to their ends with uniformly random moves: an array of their last states.

    The same seed makes the same games. The first call compiles the rules, which takes up to a minute.
    """
    game = game if isinstance(game, Game) else find_game(some_text("A game", game))
    start = game.start(game.seats.start if seats is None else seats, game.read_options(options))
    states = np.full(whole_number("The number of games", number), start, game.state)
    compiled(playouts)(states, new_desk(seed), LONGEST_GAME)
    return states
