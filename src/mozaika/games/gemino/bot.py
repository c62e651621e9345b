"""What only GEMINO knows about playing well."""

import numpy as np
from numpy.typing import NDArray

from mozaika.game import Budget, Game, Ints, Random, State, Thought
from mozaika.games.gemino.pieces import ALL_LINES, LINE_COUNTS, MOST_MOVES, STATE
from mozaika.games.gemino.rules import apply, completing, count_bits, is_five, legal, occupied, score
from mozaika.kernel import kernel, random_below, swift

POINT = 1 << 20


def greedy(game: Game, view: State, seat: int, random: Random, budget: Budget | None = None) -> Thought:
    """Takes points, blocks the others, and builds lines."""
    state = game.guess(view, seat, random)
    move = swift(greediest)(state, seat, random, np.empty(MOST_MOVES, np.int32), np.empty(1, STATE))
    return Thought(int(move))


@kernel
def greediest(state: State, seat: int, random: Random, moves: Ints, trial: NDArray[np.void]) -> int:
    """The move after which the boards promise most; among equals one at random."""
    best = -(1 << 40)
    chosen = 0
    equals = 0
    for index in range(legal(state, seat, moves)):
        trial[0] = state
        apply(trial[0], seat, int(moves[index]))
        value = promise(trial[0], seat)
        if value > best:
            best = value
            equals = 0
        if value == best:
            equals += 1
            if random_below(random, equals) == 0:
                chosen = int(moves[index])
    return chosen


@kernel
def promise(state: State, seat: int) -> int:
    """What the boards promise to a seat that has just moved: points, and prospects against the others'.

    Its own prospects count once for each opponent, and only who moves next is blocked: among several, the
    others block too.
    """
    value = POINT * score(state, seat)
    for other in range(state["seats"]):
        if other != seat:
            value += prospects(state, seat) - prospects(state, other)
    following = int(state["turn"])
    if following != seat:
        for board in range(2):
            if completing(state, following, board):
                value -= POINT // 2
    return value


@kernel
def prospects(state: State, seat: int) -> int:
    """How near a seat is to its next lines: each that is open to it counts, fourfold with every tile."""
    five = is_five(state)
    value = 0
    for board in range(2):
        own = int(state["tiles"][seat, board])
        others = occupied(state, board) & ~own
        for index in range(LINE_COUNTS[five]):
            line = int(ALL_LINES[five, index])
            if line & others == 0:
                value += 1 << 2 * (count_bits(line & own) + 1 - five)
    return value
