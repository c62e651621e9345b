"""Random play to the end, for any game: the engine of simulations, benchmarks and Monte-Carlo players."""

import numpy as np
from numpy.typing import NDArray

from mozaika.kernel import (
    MOST_MOVES,
    apply,
    appraise,
    candidates,
    kernel,
    legal,
    movers,
    not_inlined,
    random_below,
    random_bits,
    rate,
    weigh,
)
from mozaika.state import CHANCE, Floats, Ints, State

CHANCE_ONLY = 1 << CHANCE

DESK = np.dtype(
    [
        ("random", np.uint64, (1,)),
        ("made", np.int64),  # moves made by players
        ("choices", np.int64),  # the legal moves they chose from, added up
        ("table", np.int32, (16,)),  # a number for each seat
        ("moves", np.int32, (MOST_MOVES,)),
        ("weights", np.int32, (MOST_MOVES,)),
    ]
)
"""The scratch space of a search as one record: compiled code counts references to arrays, not to records."""


def new_desk(seed: int = 0) -> State:
    """A clean desk whose random numbers begin at a seed."""
    desk: State = np.zeros(1, DESK)[0]
    desk["random"] = seed & 0xFFFFFFFFFFFFFFFF
    return desk


@kernel
def first_seat(mask: int) -> int:
    """The lowest seat of a mask: where several may move at once, any order is as good."""
    seat = 0
    while mask >> seat & 1 == 0:
        seat += 1
    return seat


@kernel
def draw_outcome(state: State, desk: State) -> int:
    """What CHANCE does, drawn by weight."""
    legal(state, CHANCE, desk["moves"])
    rest = random_below(desk["random"], weigh(state, desk["weights"]))
    outcome = 0
    while rest >= desk["weights"][outcome]:
        rest -= desk["weights"][outcome]
        outcome += 1
    return int(desk["moves"][outcome])


@kernel
def playout(state: State, desk: State, most_moves: int) -> None:
    """Play uniformly random moves until the game is over or the players have made `most_moves`."""
    made = 0
    while made < most_moves:
        mask = movers(state)
        if mask == 0:
            break
        if mask == CHANCE_ONLY:
            apply(state, CHANCE, draw_outcome(state, desk))
        else:
            seat = first_seat(mask)
            n = legal(state, seat, desk["moves"])
            apply(state, seat, int(desk["moves"][random_below(desk["random"], n)]))
            desk["choices"] += n
            made += 1
    desk["made"] += made


@not_inlined
def step(state: State, seat: int, move: int) -> None:
    """Play a move, where that is done in many places."""
    apply(state, seat, move)


@not_inlined
def look(state: State, seat: int, desk: State) -> int:
    """Put the candidates of a seat and how they look on a desk; returns how many."""
    n = candidates(state, seat, desk["moves"])
    rate(state, seat, desk["moves"], n, desk["rates"])
    return int(n)


@not_inlined
def judge(state: State, desk: State) -> None:
    """Put what each seat can expect on a desk."""
    appraise(state, desk["shares"], desk["points"])


@kernel
def stamp_of(words: NDArray[np.uint64]) -> int:
    """A number that hardly two states share."""
    bits = 0x9E3779B97F4A7C15
    for word in words:
        bits = ((bits ^ int(word)) * 0xD6E8FEB86659FD93) & 0xFFFFFFFFFFFFFFFF
        bits ^= bits >> 32
    return bits


@kernel
def simulate(state: State, desk: State) -> None:
    """Go on by first sight until the next draw."""
    for _ in range(desk["playout"]):
        mask = movers(state)
        if mask in (0, CHANCE_ONLY):
            return
        seat = first_seat(mask)
        step(state, seat, at_first_sight(state, seat, desk))


@kernel
def at_first_sight(state: State, seat: int, desk: State) -> int:
    """The move that the game rates best, more or less."""
    n = look(state, seat, desk)
    best = -np.inf
    chosen = 0
    for index in range(n):
        luck = float(random_bits(desk["random"]) >> 40) / 16777216.0
        value = float(desk["rates"][index]) + desk["noise"] * luck
        if value > best:
            best = value
            chosen = index
    return int(desk["moves"][chosen])


@kernel
def best_first(moves: Ints, rates: Floats, n: int, most: int) -> int:
    """Bring the best of n moves to the front, the best first; returns how many there are, at most `most`."""
    count = 0
    for index in range(n):
        move = moves[index]
        value = rates[index]
        if count < most:
            place = count
            count += 1
        elif value <= rates[most - 1]:
            continue
        else:
            place = most - 1
        while place > 0 and rates[place - 1] < value:
            moves[place] = moves[place - 1]
            rates[place] = rates[place - 1]
            place -= 1
        moves[place] = move
        rates[place] = value
    return count


@kernel
def playouts(states: NDArray[np.void], desk: State, most_moves: int) -> None:
    """Play every game of a batch to its end."""
    for index in range(len(states)):
        playout(states[index], desk, most_moves)
