"""Perft: how many ways a game can go on for so many plies. The truth about move generation, for any game."""

import numpy as np
from numpy.typing import NDArray

from mozaika.game import Game
from mozaika.kernel import apply, kernel, legal, movers, swift
from mozaika.state import CHANCE, State


def count_ways(game: Game, state: State, depth: int) -> int:
    """The number of different sequences of `depth` moves and draws; a finished game goes on no further."""
    if depth == 0:
        return 1
    states = np.empty(depth + 1, game.state)
    states[0] = state
    moves = np.zeros((depth + 1, game.most_moves), np.int32)
    return int(swift(_count)(states, moves, np.zeros((depth + 1, 3), np.int64), depth))


@kernel
def _count(states: NDArray[np.void], moves: NDArray[np.int32], at: NDArray[np.int64], depth: int) -> int:
    """Walk the tree without recursion; `at` holds for each level a seat, its number of moves and the next."""
    ways = 0
    level = 0
    at[0, 0] = -1
    at[0, 1] = 0
    at[0, 2] = 0
    while level >= 0:
        if at[level, 2] == at[level, 1]:  # this seat has no more moves: the next seat that may act
            seat = at[level, 0] + 1
            mask = movers(states[level])
            while seat <= CHANCE and mask >> seat & 1 == 0:
                seat += 1
            if seat > CHANCE:
                level -= 1
                continue
            at[level, 0] = seat
            at[level, 1] = legal(states[level], seat, moves[level])
            at[level, 2] = 0
            if level == depth - 1:  # the last ply need not be played to be counted
                ways += at[level, 1]
                at[level, 2] = at[level, 1]
            continue
        move = int(moves[level, at[level, 2]])
        at[level, 2] += 1
        states[level + 1] = states[level]
        apply(states[level + 1], int(at[level, 0]), move)
        level += 1
        at[level, 0] = -1
        at[level, 1] = 0
        at[level, 2] = 0
    return ways
