"""What a game need not bring: filled in once, when the shelf takes it. Nobody else asks what is missing."""

from collections.abc import Callable
from typing import Any

from mozaika.defaults.picture import move_along, picture_of
from mozaika.defaults.rules import rank_by_points, weigh_alike
from mozaika.defaults.telling import suggester_of, tally_of, teller_of
from mozaika.game import Game
from mozaika.search.flat import flat_search
from mozaika.search.simple import random_mover
from mozaika.state import Random, State, copy_of
from mozaika.thought import Budget

SECRETIVE = ("guess", "tell")
"""What only a game that hides something can say."""


def complete(game: Game) -> Game:
    """The same game, with whatever it leaves open: there is one of each, so it is filled in where it lies."""
    if game.hide is not None:
        for part in SECRETIVE:
            if getattr(game, part) is None:
                raise ValueError(f"{game.name} has `hide`, so it needs `{part}` too, that nothing comes out.")
    for part, usual in USUAL_PARTS.items():
        if getattr(game, part) is None:
            object.__setattr__(game, part, usual(game))
    return game


def _see_all(view: State, seat: int, random: Random | None = None) -> State:
    return copy_of(view)


def hides_nothing(game: Game) -> bool:
    """Whether everybody sees, and is told, the same."""
    return game.hide is _see_all


USUAL_PARTS: dict[str, Callable[[Game], Any]] = {
    "weigh": lambda game: weigh_alike(game.legal),
    "ranks": lambda game: rank_by_points(game.scores),
    "hide": lambda _: _see_all,
    "guess": lambda _: _see_all,
    "tell": teller_of,
    "suggest": suggester_of,
    "tally": tally_of,
    "scene": picture_of,
    "move_along": lambda game: move_along(game.parse_move),
    "bots": lambda _: {
        "random": random_mover,
        "beginner": flat_search(Budget(nodes=60)),
        "club": flat_search(Budget()),
    },
}
"""What each part usually is."""
