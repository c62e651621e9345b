"""Uniformly random games of the coloured wall agree with what five other engines report of them."""

import numpy as np
import pytest

from mozaika.games.azul import GAME
from mozaika.games.azul.pieces import AzulOptions
from mozaika.kernel import compiled
from mozaika.search.playout import new_desk, playout, playouts

GAMES = 20_000


@pytest.mark.parametrize(
    ("seats", "moves", "score", "choices"),
    [(2, 70.34, 2.956, 23.15), (3, 90.03, 2.449, 32.99), (4, 108.46, 2.073, 42.79)],
)
def test_random_games_are_as_long_as_rich_and_as_wide_as_elsewhere(seats, moves, score, choices):
    """A score near 2.6 would mean that full lines are offered; near 2.87 that tiles above are not counted."""
    states, desk = np.empty(GAMES, GAME.state), new_desk(seats)
    states[:] = GAME.start(seats, AzulOptions())
    compiled(playouts)(states, desk, 100_000)
    points = states["score"][:, :seats].mean(axis=1)
    assert abs(points.mean() - score) < 4 * points.std() / GAMES**0.5
    assert abs(desk["made"] / GAMES - moves) < 4 * spread_of_moves(seats) / GAMES**0.5
    assert abs(desk["choices"] / desk["made"] - choices) < 0.1
    if seats == 2:
        assert abs(states["round"].mean() - 6.595) < 4 * states["round"].std() / GAMES**0.5


def spread_of_moves(seats: int) -> float:
    """The standard deviation of the number of moves in a game."""
    made = []
    state, desk = np.empty(1, GAME.state), new_desk(100 + seats)
    for _ in range(500):
        state[0], desk["made"] = GAME.start(seats, AzulOptions()), 0
        compiled(playout)(state[0], desk, 100_000)
        made.append(int(desk["made"]))
    return float(np.std(made))
