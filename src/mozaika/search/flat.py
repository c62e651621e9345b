"""Flat Monte-Carlo: every move is tried in games that go on at random. It needs the rules alone."""

import math
from functools import partial
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from mozaika.game import Bot, Game
from mozaika.kernel import apply, kernel, random_below, random_bits, ranks, scores, swift
from mozaika.search.effort import Clock
from mozaika.search.playout import new_desk, playout
from mozaika.search.tree import guesses_of
from mozaika.state import Floats, Ints, Random, State
from mozaika.thought import Alternative, Budget, Thought

LONGEST = 10_000
"""A game that goes on at random is given up after so many moves."""
CURIOSITY = 1.0
POINT = 0.001
"""What a point is worth, in shares of the victory, to who wins or loses anyway."""


def flat_search(budget: Budget) -> Bot:
    """A bot that plays so many games to their end before each move, if nobody says otherwise."""
    return partial(_think, usual=budget)


def _think(
    game: Game, view: State, seat: int, random: Random, budget: Budget | None, *, usual: Budget
) -> Thought:
    start, budget, seats = perf_counter(), budget or usual, int(view["seats"])
    roots = guesses_of(game, view, seat, random, budget)
    moves = np.array(game.legal_moves(roots[0], seat), np.int32)
    if len(moves) == 1:
        return Thought(int(moves[0]))
    visits, found = np.zeros(len(moves), np.int32), np.zeros((2, len(moves), seats))
    desk, trial, try_now = (
        new_desk(int(random_bits(random))),
        np.empty(1, game.state),
        swift(try_moves, game.state),
    )
    clock, done = Clock(budget.nodes, start + budget.milliseconds / 1000), 0
    while games := clock.next(done):
        try_now(roots, trial, desk, seat, moves, visits, found, games)
        done += games
    best, second = sorted(range(len(moves)), key=lambda each: (-visits[each], each))[:2]
    (shares, points), move = (found[:, best] / visits[best]).tolist(), int(moves[best])
    tried = (found[:, second] / max(1, visits[second])).tolist()
    other = Alternative(int(moves[second]), *map(tuple, tried)) if visits[second] else None
    return Thought(move, tuple(shares), tuple(points), ((seat, move),), int(visits.sum()), other)


@kernel
def try_moves(
    roots: NDArray[np.void],
    trial: NDArray[np.void],
    desk: State,
    seat: int,
    moves: Ints,
    visits: Ints,
    found: Floats,
    games: int,
) -> None:
    """So many games; adds up, by move and seat, the shares of the victory and the points they end with."""
    for _ in range(games):
        index = most_wanted(visits, found, seat)
        trial[0] = roots[random_below(desk["random"], len(roots))]
        apply(trial[0], seat, int(moves[index]))
        playout(trial[0], desk, LONGEST)
        seats = int(trial[0]["seats"])
        ranks(trial[0], desk["table"])
        first = 0
        for each in range(seats):
            first += 1 if desk["table"][each] == 1 else 0
        for each in range(seats):
            if desk["table"][each] == 1:
                found[0, index, each] += 1.0 / first
        scores(trial[0], desk["table"])
        for each in range(seats):
            found[1, index, each] += float(desk["table"][each])
        visits[index] += 1


@kernel
def most_wanted(visits: Ints, found: Floats, seat: int) -> int:
    """The move with the best outlook, with the benefit of the doubt where little is known of it (UCB1)."""
    games = 0
    for index in range(len(visits)):
        if visits[index] == 0:
            return index
        games += int(visits[index])
    best = 0
    highest = -1e30
    for index in range(len(visits)):
        mean = (found[0, index, seat] + POINT * found[1, index, seat]) / visits[index]
        value = mean + CURIOSITY * math.sqrt(math.log(games) / visits[index])
        if value > highest:
            highest = value
            best = index
    return best
