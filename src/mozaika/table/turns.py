"""What a program that plays at a table is told: its turns, each with the position and the legal moves."""

import msgspec

from mozaika.game import Game
from mozaika.kernel import swift_game
from mozaika.state import State
from mozaika.table.advice import random_for
from mozaika.table.shared import SharedTable


class Turn(msgspec.Struct, frozen=True):
    """A seat of yours is to move."""

    seq: int
    """What a move has to name, so that it is played in this moment or not at all."""
    seat: int
    """From 1."""
    position: str
    """The whole position as the seat knows it; what it cannot know is guessed, the same for the same view."""
    legal: list[str]
    """Every move that can be played now."""


class Over(msgspec.Struct, frozen=True):
    """The game is over: the points and the place of each seat."""

    seq: int
    points: list[int]
    places: list[int]


def seats_to_move(shared: SharedTable, guest: str) -> list[int]:
    """The seats of a guest that are to move."""
    return [seat for seat in shared.table.movers if seat in shared.seats_of(guest)]


def tell_turn(game: Game, view: State, seat: int, seq: int) -> Turn:
    """A turn from what its seat may know; nothing else comes in."""
    fast, state = swift_game(game), game.guess(view, seat, random_for(view))
    moves = [game.write_move(move) for move in fast.legal_moves(state, seat)]
    return Turn(seq, seat + 1, game.write_position(state), moves)


def tell_end(shared: SharedTable) -> Over:
    """How a finished game has ended."""
    game, state = shared.table.game, shared.table.state
    return Over(shared.seq, game.points(state), game.places(state))
