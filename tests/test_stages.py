"""A move falls into stages: complete sequences of choices and legal moves are the same thing."""

from random import Random

import pytest

from kinds import KINDS, walk
from mozaika import kernel
from mozaika.game import CHANCE, State
from mozaika.stages import Stages

STATES = 12
"""So many states of a random game are looked at; with all their moves."""


def sequences(stages: Stages, state: State, seat: int) -> dict[tuple[int, ...], int]:
    """Every complete sequence of choices, found step by step, and its move."""
    found, begun = {}, [[]]
    while begun:
        made = begun.pop()
        following = stages.next_choices(state, seat, made)
        assert following == sorted(set(following))
        assert all(0 <= choice < stages.size for choice in following)
        if made and not following:
            found[tuple(made)] = stages.join_choices(state, made)
        begun += [[*made, choice] for choice in following]
    return found


@pytest.mark.parametrize("kind", KINDS, ids=repr)
def test_complete_sequences_and_legal_moves_correspond_one_to_one(kind):
    """About 0.5 s for each kind of game, compiled."""
    stages, game = kernel.swift_stages(kind.game), kernel.swift_game(kind.game)
    states = [(state, seat) for state, seat, _ in walk(kind, seed=7) if seat not in (CHANCE, -1)]
    for state, seat in Random(7).sample(states, min(STATES, len(states))):
        moves = game.legal_moves(state, seat)
        found = sequences(stages, state, seat)
        assert sorted(found.values()) == moves
        for made, move in found.items():
            assert stages.split_move(move) == list(made)
        other = next((each for each in range(kind.seats) if not game.legal_moves(state, each)), CHANCE)
        assert stages.next_choices(state, other, []) == []
