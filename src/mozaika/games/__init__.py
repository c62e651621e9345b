"""The shelf: one line per game. Other packages add theirs through the entry-point group `mozaika.games`."""

import copyreg
from collections import UserDict
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from importlib.metadata import entry_points

from mozaika.game import Game
from mozaika.kernel import register

SHELF = (
    "azul",
    "azul_duel",
    "fits",
    "gemino",
)


class Shelf(UserDict[str, Game]):
    """The games by their ids, ours first.

    A package that brings a game may be imported before us and is then not ready when the shelf is filled: its
    game is put there when somebody first looks.
    """

    def __init__(self) -> None:
        self._games: dict[str, Game] = {}
        self._waiting = list(entry_points(group="mozaika.games"))
        for name in SHELF:
            self._put(import_module(f"{__name__}.{name}").GAME)
        with suppress(AttributeError):  # a module that is just being imported has no game yet
            self._put_waiting()

    @property
    def data(self) -> dict[str, Game]:  # type: ignore[override]
        """What a UserDict works on."""
        self._put_waiting()
        return self._games

    def _put_waiting(self) -> None:
        while self._waiting:
            self._put(self._waiting[0].load())
            del self._waiting[0]

    def _put(self, game: Game) -> None:
        register(game)
        self._games[game.id] = game


GAMES = Shelf()


def find_game(name: str) -> Game:
    """The game of an id; ValueError with a sentence where the shelf has none."""
    if name not in GAMES:
        raise ValueError(f"There is no game {name!r} on the shelf; there is {', '.join(GAMES)}.")
    return GAMES[name]


def _write_down(game: Game) -> tuple[Callable[[str], Game], tuple[str]]:
    return find_game, (find_game(game.id).id,)


copyreg.pickle(Game, _write_down)
