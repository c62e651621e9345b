"""Every kind of a game, and random walks through it: what checks are made along."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

import numpy as np

from mozaika import kernel
from mozaika.checks.holding import hold
from mozaika.game import Game
from mozaika.options import Options
from mozaika.state import CHANCE, State, seats_in
from mozaika.table import Table

LONGEST = 10_000
"""No game has more moves and draws."""


@dataclass(frozen=True, repr=False)
class Kind:
    """A game with a number of seats and options."""

    game: Game
    seats: int
    options: Options

    def __repr__(self) -> str:
        values = self.game.write_options(self.options).values()
        return "-".join([self.game.id, str(self.seats), *values])

    def start(self) -> State:
        return self.game.start(self.seats, self.options)

    def table(self, seed: int) -> Table:
        options: dict[str, Any] = dict(self.game.write_options(self.options))
        return Table(self.game, self.seats, seed=seed, **options)

    @property
    def fast(self) -> Game:
        """The same game with its rules compiled."""
        with kernel.compiling():
            return kernel.swift_game(self.game)


def kinds_of(game: Game) -> list[Kind]:
    """A game in each variant, for each number of seats that it is for."""
    return [Kind(game, seats, game.read_options(variant)) for seats, variant in game.kinds()]


def weights_of(game: Game, state: State, outcomes: int) -> list[int]:
    buffer = np.zeros(game.most_moves, np.int32)
    game.weigh(state, buffer)
    return [int(weight) for weight in buffer[:outcomes]]


def walk(kind: Kind, seed: int, plies: int = LONGEST) -> Iterator[tuple[State, int, int]]:
    """Random play: each state with the seat that moves and its move, then the last state."""
    entries = _walk_once(kind, seed)
    game, state = kind.fast, kind.start()
    for seat, move in entries[:plies]:
        yield state.copy(), seat, move
        game.apply(state, seat, move)
    yield state, -1, -1


@lru_cache(maxsize=2_000)
def _walk_once(kind: Kind, seed: int) -> tuple[tuple[int, int], ...]:
    """The seats and the moves of a random game; many properties are checked along the same one."""
    game, state, random = kind.fast, kind.start(), Random(seed)
    entries: list[tuple[int, int]] = []
    while (movers := seats_in(game.movers(state))) and len(entries) < LONGEST:
        seat = random.choice(movers)
        moves = game.legal_moves(state, seat)
        hold(moves, f"Seat {seat} is to move and has no move.")
        weights = weights_of(game, state, len(moves)) if seat == CHANCE else None
        entries.append((seat, random.choices(moves, weights)[0] if weights else random.choice(moves)))
        game.apply(state, *entries[-1])
    return tuple(entries)


def some_state(kind: Kind, seed: int) -> State:
    """A state from somewhere in a random game, at which a player or nobody is to move."""
    return _find_state(kind, seed).copy()


@lru_cache(maxsize=2_000)
def _find_state(kind: Kind, seed: int) -> State:
    states = [state for state, seat, _ in walk(kind, seed) if seat != CHANCE]
    return states[Random(seed).randrange(len(states))]


def play_table(kind: Kind, seed: int, plies: int = LONGEST) -> Table:
    """A table at which random moves have been played through the front door."""
    table = _play_once(kind, seed).copy()
    table.back_to(min(plies, table.ply))
    return table


@lru_cache(maxsize=500)
def _play_once(kind: Kind, seed: int) -> Table:
    game, table, random = kind.fast, kind.table(seed), Random(seed)
    while not table.is_over and table.ply < LONGEST:
        seat = random.choice(table.movers)
        move = random.choice(game.legal_moves(table.state, seat))
        table.play(kind.game.write_move(move), seat)
    return table
