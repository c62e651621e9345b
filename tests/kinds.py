"""Every kind of game on the shelf, for the tests that all games must pass."""

from mozaika.checks import Kind, kinds_of
from mozaika.game import Game
from mozaika.games import GAMES
from mozaika.table import Table

KINDS = [kind for game in GAMES.values() for kind in kinds_of(game)]


FIRST = next(iter(GAMES))
"""A game, where any will do."""


def moves_at_once(kind: Kind) -> bool:
    """Whether a game begins with several who may move at the same time."""
    table = Table(kind.game, kind.seats, seed=1, **kind.game.write_options(kind.options))
    return len(table.movers) > 1


def holds_a_piece(game: Game) -> bool:
    """Whether a move begins with a piece in the hand, to be turned and shifted before it is placed."""
    table = Table(game, seed=1)
    state, seat = table.state, table.movers[0]
    names = tuple(table.names)
    return bool(game.scene(game.hide(state, seat), seat, names, game.words(), "wide").held)
