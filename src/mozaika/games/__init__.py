"""The shelf: one line per game. Other packages add theirs through the entry-point group `mozaika.games`."""

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


def _fill_shelf() -> dict[str, Game]:
    games: list[Game] = [import_module(f"{__name__}.{name}").GAME for name in SHELF]
    games += [entry.load() for entry in entry_points(group="mozaika.games")]
    for game in games:
        register(game)
    return {game.id: game for game in games}


GAMES = _fill_shelf()


def find_game(name: str) -> Game:
    """The game of an id; ValueError with a sentence where the shelf has none."""
    if name not in GAMES:
        raise ValueError(f"There is no game {name!r} on the shelf; there is {', '.join(GAMES)}.")
    return GAMES[name]
