"""Flat Monte-Carlo: try every legal move in many random games and take the one that wins most. Any game."""

from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from mozaika.game import Budget, Game, Random, State, Thought
from mozaika.kernel import apply, kernel, random_below, random_bits, ranks, scores, swift
from mozaika.search.playout import new_desk, playout

MOST_MOVES = 100_000
"""Random games of some rules could go on for ever; none is followed further than this."""


def random_mover(game: Game, view: State, seat: int, random: Random, budget: Budget | None = None) -> Thought:
    """Any legal move, each as likely."""
    moves = game.legal_moves(game.guess(view, seat, random), seat)
    return Thought(moves[random_below(random, len(moves))])


def monte_carlo(game: Game, view: State, seat: int, random: Random, budget: Budget | None = None) -> Thought:
    """The move that does best in random games; a node of the budget is one such game."""
    start, budget = perf_counter(), budget or Budget()
    moves = game.legal_moves(game.guess(view, seat, random), seat)
    desk, trial = new_desk(random_bits(random)), np.empty(1, game.state)
    value, tries = np.zeros(len(moves)), np.zeros(len(moves))
    most_at_once = max(1, budget.nodes // (8 * len(moves)))  # every move is looked at several times
    at_once = 1
    while len(moves) > 1 and tries.sum() < budget.nodes:
        index = int(tries.argmin())
        state = game.guess(view, seat, random)
        value[index] += swift(try_move)(state, seat, moves[index], at_once, trial, desk)
        tries[index] += at_once
        spent = 1000 * (perf_counter() - start)
        if spent >= budget.milliseconds:
            break
        # so many games at once that the clock is read a hundred times
        at_once = max(1, min(most_at_once, int(budget.milliseconds / 100 * tries.sum() / spent)))
    return Thought(moves[int((value / np.maximum(tries, 1)).argmax())])


@kernel
def try_move(state: State, seat: int, move: int, games: int, trial: NDArray[np.void], desk: State) -> float:
    """Play a move and random games after it; returns what they bring the seat, added up."""
    value = 0.0
    for _ in range(games):
        trial[0] = state
        apply(trial[0], seat, move)
        playout(trial[0], desk, MOST_MOVES)
        value += result(trial[0], seat, desk)
    return value


@kernel
def result(state: State, seat: int, desk: State) -> float:
    """What a finished game is worth to a seat: 1 for a victory, divided by those who share it.

    A thousandth of the points lets a bot that always or never wins still prefer the better result.
    """
    desk["table"][:] = 0
    scores(state, desk["table"])
    value = float(desk["table"][seat]) / 1000
    ranks(state, desk["table"])
    if desk["table"][seat] == 1:
        winners = 0
        for place in desk["table"]:
            if place == 1:
                winners += 1
        value += 1 / winners
    return value
