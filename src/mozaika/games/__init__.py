"""The shelf: one line per game. Other packages add theirs through the entry-point group `mozaika.games`."""

import copyreg
import logging
from collections import UserDict
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import entry_points

from mozaika.defaults import complete
from mozaika.game import Game
from mozaika.kernel import register
from mozaika.words import Translatable, Typed, later

log = logging.getLogger("mozaika")

SHELF = (
    "azul",
    "azul_duel",
    "fits",
    "gemino",
)


class UnknownGame(Translatable, ValueError):
    """The shelf has no such game."""


class Shelf(UserDict[str, Game]):
    """The games by their ids, ours first.

    A package that brings a game needs all of us, and may be imported before us: its game is put there when
    somebody first looks.
    """

    def __init__(self) -> None:
        self._games: dict[str, Game] = {}
        self._waiting = list(entry_points(group="mozaika.games"))
        for name in SHELF:
            self.put(import_module(f"{__name__}.{name}").GAME)

    @property
    def data(self) -> dict[str, Game]:  # type: ignore[override]
        """What a UserDict works on."""
        self._put_waiting()
        return self._games

    def _put_waiting(self) -> None:
        while self._waiting:
            brought = self._waiting.pop(0)
            try:
                self.put(brought.load())
            except Exception as error:  # noqa: BLE001  another package's mistake is not the end of ours
                log.warning("The game %s is left out (%s): %s", brought.name, brought.value, error)

    def put(self, game: Game) -> None:
        """Take a game, and fill in what it leaves open."""
        register(complete(game))
        self._games[game.id] = game


GAMES = Shelf()


def find_game(name: str) -> Game:
    """The game of an id; UnknownGame where the shelf has none."""
    if name not in GAMES:
        raise UnknownGame(
            later("There is no game {name} on the shelf; there is {games}."),
            name=Typed(repr(name)),
            games=", ".join(GAMES),
        )
    return GAMES[name]


def shelved(game: Game) -> Game:
    """A game that somebody has at hand; it is put on the shelf if there is none of its id."""
    if game.id not in GAMES:
        GAMES.put(game)
    return complete(game)


def _write_down(game: Game) -> tuple[Callable[[str], Game], tuple[str]]:
    return find_game, (find_game(game.id).id,)


copyreg.pickle(Game, _write_down)
