"""Monte-Carlo tree search for any game that can appraise its states: several seats, chance, hidden things.

A node of the budget is one descent: down the tree, a short playout by the game's own first sight, an
appraisal, and back. What a seat cannot know is guessed anew again and again, and all guesses share one tree.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from mozaika.game import Game
from mozaika.kernel import MOST_MOVES, MOST_SEATS, kernel, movers, random_below, random_bits, swift
from mozaika.search.effort import Clock, demand, desk_for, in_threads
from mozaika.search.playout import (
    CHANCE_ONLY,
    best_first,
    draw_outcome,
    first_seat,
    judge,
    look,
    simulate,
    stamp_of,
    step,
)
from mozaika.state import CHANCE, Random, State
from mozaika.thought import Alternative, Budget, Thought

Found = TypeVar("Found")

DEEPEST = 200
GUESSES = 32
"""So many states that fit the view are looked at in one search."""
LARGEST_TREE = 1_000_000
FORCED = 64
"""So many descents are enough for the only move there is."""
NONE = -1
LEAST_VISITS, LEAST_SEEN = 3, 0.01
"""Of a move that was looked at less often, or in a smaller part of all descents, too little is known."""
LEAST_PRIOR = 1e-6
"""What even the worst candidate counts beside the best."""

NODE = np.dtype(
    [
        ("move", np.int32),
        ("child", np.int32),  # the first one, or NONE
        ("sibling", np.int32),  # the next one of the same parent, or NONE
        ("visits", np.int32),
        ("prior", np.float32),
        ("seat", np.int8),  # who makes the move that leads here
        ("value", np.float32, (MOST_SEATS,)),  # the mean of what its descents have found
        ("points", np.float32, (MOST_SEATS,)),
        ("stamp", np.uint64),  # of the state for which its children were made
    ]
)

DESK = np.dtype(
    [
        ("random", np.uint64, (1,)),
        ("used", np.int64),  # nodes of the tree
        ("explore", np.float64),
        ("reduction", np.float64),
        ("noise", np.float64),
        ("margin", np.float64),
        ("widest", np.int64),
        ("replies", np.int64),
        ("playout", np.int64),
        ("past_chance", np.int64),
        ("open_loop", np.int64),
        ("paranoid", np.int64),
        ("seat", np.int64),
        ("depth", np.int64),
        ("path", np.int32, (DEEPEST,)),
        ("shares", np.float64, (MOST_SEATS,)),
        ("points", np.float64, (MOST_SEATS,)),
        ("moves", np.int32, (MOST_MOVES,)),
        ("weights", np.int32, (MOST_MOVES,)),
        ("rates", np.float32, (MOST_MOVES,)),
    ]
)
"""The scratch space of one thread, with the style of the search."""


@dataclass(frozen=True)
class Style:
    """How a search looks at a game."""

    explore: float = 1.0
    """How much the first sight and the unknown count against what was found."""
    reduction: float = 0.0
    """How much worse than its parent a move is thought to be before it is tried."""
    noise: float = 0.5
    """How far a playout strays from the first sight, in units of `rate`."""
    margin: float = 0.001
    """What a point is worth, in shares of the victory, to who wins or loses anyway; twice as much with every
    player more than two, for who is behind one may soon be ahead of another.
    """
    widest: int = 32
    """No more moves than the best so many at first sight are looked at."""
    replies: int = 32
    """The same for the others' moves where there are several of them: with fewer it sees further."""
    playout: int = DEEPEST
    """Playouts end after so many moves, or before the next draw; then the state is appraised."""
    past_chance: bool = False
    """Whether the tree goes on after draws, or is appraised before them."""
    open_loop: bool = True
    """Past chance: whether a node stands for its moves whatever was drawn, or for the draws too."""
    paranoid: bool = False
    """Whether all others are thought to play against the seat, instead of each for itself."""
    threads: int = 1
    """So many trees are grown at once, and their visits added."""
    budget: Budget = field(default_factory=Budget)


@dataclass(frozen=True)
class Tree:
    """One thread's tree, its desk and the state that is played on."""

    nodes: NDArray[np.void]
    desk: State
    words: NDArray[np.uint64]
    trial: NDArray[np.void]


def search_tree(
    game: Game, view: State, seat: int, random: Random, budget: Budget | None, style: Style
) -> Thought:
    """The move that was looked at most, and what is expected of it."""
    demand(game, "a bot that searches", "rate", "appraise")
    start, seats, budget = perf_counter(), int(view["seats"]), budget or style.budget
    style = replace(style, margin=style.margin * 2 ** max(0, seats - 2))
    roots = guesses_of(game, view, seat, random, budget)
    moves = game.legal_moves(roots[0], seat)
    if len(moves) == 1:  # a look at what it will bring, and no more
        budget = Budget(min(FORCED, budget.nodes), budget.milliseconds)
    threads = min(style.threads, budget.nodes)
    most = min(LARGEST_TREE, 2 + budget.nodes // threads * (max(style.widest, style.replies) + 2))
    trees = [new_tree(game, seat, random_bits(random), style, most) for _ in range(threads)]
    until = start + budget.milliseconds / 1000
    grow_now = swift(grow, game.state)  # here, for it is this thread that may compile
    in_threads(grow_until, trees, budget.nodes, grow_now, roots, until)
    return _conclude(trees, seat, seats)


def guesses_of(game: Game, view: State, seat: int, random: Random, budget: Budget) -> NDArray[np.void]:
    """States that fit the view: one if nothing is hidden, else many."""
    first, second = game.guess(view, seat, random), game.guess(view, seat, random)
    if first.tobytes() == second.tobytes() == view.tobytes():
        return np.array([first])
    guesses = min(GUESSES, max(2, budget.nodes // 8))
    return np.array([first, second, *(game.guess(view, seat, random) for _ in range(guesses - 2))])


def new_tree(game: Game, seat: int, seed: int, style: Style, most: int) -> Tree:
    desk = desk_for(DESK, style)
    desk["random"], desk["seat"], desk["used"] = seed, seat, 1
    words = np.zeros(-(-game.state.itemsize // 8), np.uint64)
    trial = words.view(np.uint8)[: game.state.itemsize].view(game.state)
    nodes = np.zeros(most, NODE)
    nodes[0]["child"] = nodes[0]["sibling"] = NONE
    return Tree(nodes, desk, words, trial)


def grow_until(
    tree: Tree, descents: int, grow_now: Callable[..., None], roots: NDArray[np.void], until: float
) -> None:
    """Grow by so many descents, or until the clock says so."""
    clock, done = Clock(descents, until), 0
    while more := clock.next(done):
        grow_now(tree.nodes, tree.desk, tree.words, tree.trial, roots, more)
        done += more


def _conclude(trees: Sequence[Tree], seat: int, seats: int) -> Thought:
    """Add up the trees."""
    visits: dict[int, int] = {}
    for tree in trees:
        for child in _children(tree.nodes, 0):
            move = int(tree.nodes[child]["move"])
            visits[move] = visits.get(move, 0) + int(tree.nodes[child]["visits"])
    move, *others = sorted(visits, key=lambda each: (-visits[each], each))
    shares, points = _expect(trees, move, seats)
    line = _likely(trees[0].nodes, seat, move)
    nodes = sum(int(tree.nodes[0]["visits"]) for tree in trees)
    seen = bool(others) and visits[others[0]] >= max(LEAST_VISITS, LEAST_SEEN * nodes)
    other = Alternative(others[0], *_expect(trees, others[0], seats)) if seen else None
    return Thought(move, shares, points, line, nodes, other)


def _expect(trees: Sequence[Tree], move: int, seats: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The shares and the points that were found after a move of the root."""
    seen = [
        (int(tree.nodes[child]["visits"]), tree.nodes[child])
        for tree in trees
        for child in _children(tree.nodes, 0)
        if tree.nodes[child]["move"] == move
    ]
    weight, margin = max(1, sum(n for n, _ in seen)), float(trees[0].desk["margin"])
    points = sum(n * node["points"][:seats].astype(float) for n, node in seen) / weight
    shares = sum(n * node["value"][:seats].astype(float) for n, node in seen) / weight - margin * points
    return tuple(shares.tolist()), tuple(points.tolist())


def _children(nodes: NDArray[np.void], node: int) -> list[int]:
    found, child = [], int(nodes[node]["child"])
    while child != NONE:
        found.append(child)
        child = int(nodes[child]["sibling"])
    return found


def _likely(nodes: NDArray[np.void], seat: int, move: int) -> tuple[tuple[int, int], ...]:
    """What was looked at most after a move, until there is chance or too little was looked at."""
    line, node = [(seat, move)], 0
    chosen = next((child for child in _children(nodes, 0) if nodes[child]["move"] == move), NONE)
    while chosen != NONE:
        node = chosen
        tried = [child for child in _children(nodes, node) if nodes[child]["visits"] > 4]
        chosen = max(tried, key=lambda child: int(nodes[child]["visits"]), default=NONE)
        if chosen != NONE and nodes[chosen]["seat"] == CHANCE:
            break
        if chosen != NONE:
            line.append((int(nodes[chosen]["seat"]), int(nodes[chosen]["move"])))
    return tuple(line)


@kernel
def grow(
    nodes: NDArray[np.void],
    desk: State,
    words: NDArray[np.uint64],
    trial: NDArray[np.void],
    roots: NDArray[np.void],
    descents: int,
) -> None:
    """So many descents. `words` is the memory of `trial`, for its stamp."""
    for _ in range(descents):
        trial[0] = roots[random_below(desk["random"], len(roots))]
        select(nodes, desk, words, trial)
        simulate(trial[0], desk)
        judge(trial[0], desk)
        back_up(nodes, desk, int(trial[0]["seats"]))


@kernel
def select(nodes: NDArray[np.void], desk: State, words: NDArray[np.uint64], trial: NDArray[np.void]) -> None:
    """From the root along the most promising moves to a node that was never looked at, or to the end."""
    state = trial[0]
    node = 0
    depth = 1
    desk["path"][0] = 0
    while depth < DEEPEST:
        mask = movers(state)
        if mask == 0:
            break
        if mask == CHANCE_ONLY:
            if desk["past_chance"] == 0:
                break
            outcome = draw_outcome(state, desk)
            step(state, CHANCE, outcome)
            if desk["open_loop"] == 0:
                node = drawn_child(nodes, desk, node, outcome)
                if node == NONE:
                    break
                desk["path"][depth] = node
                depth += 1
            continue
        if nodes[node]["visits"] == 0 and node != 0:
            break
        seat = int(desk["seat"]) if node == 0 else first_seat(mask)  # several may move at once
        expand(nodes, desk, words, state, node, seat)
        chosen = most_promising(nodes, desk, node, seat)
        if chosen == NONE:
            break
        step(state, seat, int(nodes[chosen]["move"]))
        node = chosen
        desk["path"][depth] = node
        depth += 1
    desk["depth"] = depth


@kernel
def new_node(nodes: NDArray[np.void], desk: State, seat: int, move: int, prior: float) -> int:
    """A node without a parent yet; NONE if there is no room."""
    at = int(desk["used"])
    if at >= len(nodes):
        return NONE
    desk["used"] += 1
    nodes[at]["seat"] = seat
    nodes[at]["move"] = move
    nodes[at]["prior"] = prior
    nodes[at]["child"] = NONE
    nodes[at]["sibling"] = NONE
    return at


@kernel
def find_child(nodes: NDArray[np.void], node: int, seat: int, move: int) -> int:
    child = int(nodes[node]["child"])
    while child != NONE:
        if nodes[child]["move"] == move and nodes[child]["seat"] == seat:
            return child
        child = int(nodes[child]["sibling"])
    return NONE


@kernel
def drawn_child(nodes: NDArray[np.void], desk: State, node: int, outcome: int) -> int:
    """The node after a draw."""
    child = find_child(nodes, node, CHANCE, outcome)
    if child == NONE:
        child = new_node(nodes, desk, CHANCE, outcome, 0.0)
        if child != NONE:
            nodes[child]["sibling"] = nodes[node]["child"]
            nodes[node]["child"] = child
    return child


@kernel
def expand(
    nodes: NDArray[np.void], desk: State, words: NDArray[np.uint64], state: State, node: int, seat: int
) -> None:
    """Make the children of a node. In a state that differs from the last one here they are looked up anew:
    those that are no candidates now have no prior.
    """
    stamp = stamp_of(words)
    if nodes[node]["child"] != NONE and nodes[node]["stamp"] == stamp:
        return
    nodes[node]["stamp"] = stamp
    n = look(state, seat, desk)
    several = seat != desk["seat"] and state["seats"] > 2
    most = int(desk["replies"] if several else desk["widest"])
    n = best_first(desk["moves"], desk["rates"], n, most)
    last = forget_priors(nodes, node)
    fresh = last == NONE
    best = float(desk["rates"][0])
    total = 0.0
    for index in range(n):
        desk["rates"][index] = math.exp(float(desk["rates"][index]) - best) + LEAST_PRIOR
        total += float(desk["rates"][index])
    for index in range(n):
        move = int(desk["moves"][index])
        prior = float(desk["rates"][index]) / total
        child = NONE if fresh else find_child(nodes, node, seat, move)
        if child != NONE:
            nodes[child]["prior"] = prior
            continue
        child = new_node(nodes, desk, seat, move, prior)
        if child == NONE:
            return
        if last == NONE:
            nodes[node]["child"] = child
        else:
            nodes[last]["sibling"] = child
        last = child


@kernel
def forget_priors(nodes: NDArray[np.void], node: int) -> int:
    """Returns the last child."""
    last = NONE
    child = int(nodes[node]["child"])
    while child != NONE:
        nodes[child]["prior"] = 0.0
        last = child
        child = int(nodes[child]["sibling"])
    return last


@kernel
def most_promising(nodes: NDArray[np.void], desk: State, node: int, seat: int) -> int:
    """The legal child with the best sum of what was found and what is still unknown."""
    own = int(desk["seat"])
    against = desk["paranoid"] != 0 and seat != own
    unknown = desk["explore"] * math.sqrt(float(nodes[node]["visits"]) + 1)
    mean = 0.5
    if nodes[node]["visits"] > 0:
        mean = -float(nodes[node]["value"][own]) if against else float(nodes[node]["value"][seat])
    best = -np.inf
    chosen = NONE
    child = int(nodes[node]["child"])
    while child != NONE:
        prior = float(nodes[child]["prior"])
        if prior > 0 and nodes[child]["seat"] == seat:
            visits = int(nodes[child]["visits"])
            value = mean - desk["reduction"]
            if visits > 0:
                value = -float(nodes[child]["value"][own]) if against else float(nodes[child]["value"][seat])
            value += unknown * prior / (1 + visits)
            if value > best:
                best = value
                chosen = child
        child = int(nodes[child]["sibling"])
    return chosen


@kernel
def back_up(nodes: NDArray[np.void], desk: State, seats: int) -> None:
    """Let every node on the path know what was found."""
    for index in range(desk["depth"]):
        node = nodes[int(desk["path"][index])]
        node["visits"] += 1
        part = 1.0 / float(node["visits"])
        for seat in range(seats):
            value = float(desk["shares"][seat]) + desk["margin"] * float(desk["points"][seat])
            node["value"][seat] += (value - float(node["value"][seat])) * part
            node["points"][seat] += (float(desk["points"][seat]) - float(node["points"][seat])) * part
