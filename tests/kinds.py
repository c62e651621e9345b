"""Every kind of game on the shelf, and random walks through them, for the tests that all games must pass."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import numpy as np

from mozaika import kernel
from mozaika.game import CHANCE, Game, Options, State, seats_in
from mozaika.games import GAMES


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


KINDS = [
    Kind(game, seats, game.read_options(variant))
    for game in GAMES.values()
    for variant in game.variants
    for seats in game.seats
]


def weights_of(game: Game, state: State, outcomes: int) -> list[int]:
    buffer = np.zeros(game.most_moves, np.int32)
    game.weigh(state, buffer)
    return [int(weight) for weight in buffer[:outcomes]]


def walk(kind: Kind, seed: int, plies: int = 100_000) -> Iterator[tuple[State, int, int]]:
    """Random play: each state with the seat that moves and its move, then the last state."""
    kernel.warm(kind.game)
    game = kernel.swift_game(kind.game)
    state, random = kind.start(), Random(seed)
    for _ in range(plies):
        movers = seats_in(game.movers(state))
        if not movers:
            break
        seat = random.choice(movers)
        moves = game.legal_moves(state, seat)
        if seat == CHANCE:
            move = random.choices(moves, weights_of(game, state, len(moves)))[0]
        else:
            move = random.choice(moves)
        yield state.copy(), seat, move
        game.apply(state, seat, move)
    yield state, -1, -1


def some_state(kind: Kind, seed: int) -> State:
    """A state from somewhere in a random game, at which a player or nobody is to move."""
    states = [state for state, seat, _ in walk(kind, seed) if seat != CHANCE]
    return states[Random(seed).randrange(len(states))]
