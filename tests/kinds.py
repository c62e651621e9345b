"""Every kind of game on the shelf, and random walks through them, for the tests that all games must pass."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from random import Random

import numpy as np

from mozaika import kernel
from mozaika.game import CHANCE, Game, Options, State, seats_in
from mozaika.games import GAMES
from mozaika.table import Table


@dataclass(frozen=True, repr=False)
class Kind:
    """A game with a number of seats and options."""

    game: Game
    seats: int
    options: Options

    def __repr__(self) -> str:
        values = "-".join(self.game.write_options(self.options).values())
        return f"{self.game.id}-{self.seats}-{values}"

    def start(self) -> State:
        return self.game.start(self.seats, self.options)

    @property
    def fast(self) -> Game:
        """The same game with its rules compiled."""
        kernel.warm(self.game)
        return kernel.swift_game(self.game)


KINDS = [
    Kind(game, seats, game.read_options(variant))
    for game in GAMES.values()
    for seats, variant in game.kinds()
]


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


def weights_of(game: Game, state: State, outcomes: int) -> list[int]:
    buffer = np.zeros(game.most_moves, np.int32)
    game.weigh(state, buffer)
    return [int(weight) for weight in buffer[:outcomes]]


def walk(kind: Kind, seed: int, plies: int = 100_000) -> Iterator[tuple[State, int, int]]:
    """Random play: each state with the seat that moves and its move, then the last state."""
    seats, moves = _walk_once(repr(kind), seed)
    game, state = kind.fast, kind.start()
    for seat, move in zip(seats[:plies], moves[:plies], strict=True):
        yield state.copy(), seat, move
        game.apply(state, seat, move)
    yield state, -1, -1


@lru_cache(maxsize=2_000)
def _walk_once(name: str, seed: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The seats and the moves of a random game; many properties are checked along the same one."""
    kind = next(each for each in KINDS if repr(each) == name)
    game, state, random = kind.fast, kind.start(), Random(seed)
    entries = []
    while movers := seats_in(game.movers(state)):
        seat = random.choice(movers)
        moves = game.legal_moves(state, seat)
        if seat == CHANCE:
            move = random.choices(moves, weights_of(game, state, len(moves)))[0]
        else:
            move = random.choice(moves)
        entries.append((seat, move))
        game.apply(state, seat, move)
    return tuple(seat for seat, _ in entries), tuple(move for _, move in entries)


def some_state(kind: Kind, seed: int) -> State:
    """A state from somewhere in a random game, at which a player or nobody is to move."""
    states = [state for state, seat, _ in walk(kind, seed) if seat != CHANCE]
    return states[Random(seed).randrange(len(states))]
