"""The levels of FITS: first sight, sampled cards, trees over them; and hindsight."""

from collections.abc import Callable, Sequence
from math import inf
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from mozaika.game import Game
from mozaika.games.fits.appraisal import (
    RAMP,
    choose,
    earn,
    land,
    new_plan,
    points_of,
    rank,
    settle,
    unevenness,
)
from mozaika.games.fits.pieces import (
    BOARD_NAMES,
    CARDS,
    COLUMNS,
    DEAL,
    DECLINE,
    FIRST_WAY,
    MOST_MOVES,
    NAMES,
    OVER,
    ROWS,
    STARTS,
    WAYS,
    WIDTH,
)
from mozaika.games.fits.rules import apply, closed_squares, landing, piece_of, total
from mozaika.kernel import kernel, random_below, random_bits, swift
from mozaika.search.effort import Clock, in_threads
from mozaika.search.net import share_by_points
from mozaika.sentence import Hindsight
from mozaika.state import CHANCE, Floats, Ints, Random, State, copy_of
from mozaika.thought import Alternative, Budget, Thought
from mozaika.words import later

WIDEST = 8
NODE = np.dtype(
    [
        ("visits", np.int32),
        ("count", np.int8),
        ("moves", np.int16, (WIDEST,)),
        ("tries", np.int32, (WIDEST,)),
        ("sums", np.float64, (WIDEST,)),
        ("next", np.int32, (WIDEST, len(NAMES))),  # the node after a move and a card; 0 if there is none yet
    ]
)
"""A ramp and a card in a tree: the placings that look best, the best first, and what came of them."""


def beginner(game: Game, view: State, seat: int, random: Random, budget: Budget | None = None) -> Thought:
    """Lets every piece come down as low as it can, closes little, and looks at nothing else."""
    state = game.guess(view, seat, random)
    moves = game.legal_moves(state, seat)
    efforts = []
    for move in moves[:-1]:
        way, column = divmod(move, COLUMNS)
        row = landing(state, seat, way, column)
        efforts.append(2 * row + len(WAYS[way][3]) + len(closed_squares(state, seat, way, column)))
    equals = [move for move, effort in zip(moves, efforts, strict=False) if effort == min(efforts)]
    return Thought((equals or moves)[random_below(random, len(equals or moves))], nodes=1)


def greedy(game: Game, view: State, seat: int, random: Random, budget: Budget | None = None) -> Thought:
    """Places where it looks best at once."""
    state = game.guess(view, seat, random)
    plan = new_plan(state, seat, 0)
    plan["left"] = plan["count"]
    return Thought(int(swift(choose)(plan, piece_of(state, seat))), nodes=1)


CLUB, CLUB_MOVES = Budget(nodes=200, milliseconds=150), 5
EXPERT = Budget(nodes=5_000, milliseconds=1_000)
CHAMPION = Budget(nodes=60_000, milliseconds=2_000)
CHAMPIONS = 2
"""So many trees a champion grows, each in a thread of its own."""
LARGEST_TREE = 20_000
"""How large a tree may become."""
SOME_ORDERS = 50
"""So many are enough to say what the only move will bring."""


def club(game: Game, view: State, seat: int, random: Random, budget: Budget | None = None) -> Thought:
    """Of the moves that look best the one that does best over a few sampled orders of the cards."""
    return look_ahead(game, view, seat, random, budget or CLUB, widest=CLUB_MOVES)


def expert(game: Game, view: State, seat: int, random: Random, budget: Budget | None = None) -> Thought:
    """All moves over many orders; the better half of them goes on to more, until one is left."""
    return look_ahead(game, view, seat, random, budget or EXPERT, halving=True)


def champion(game: Game, view: State, seat: int, random: Random, budget: Budget | None = None) -> Thought:
    """The same with trees: what it has learnt of a ramp and a card decides what it plays there."""
    return look_ahead(game, view, seat, random, budget or CHAMPION, halving=True, trees=CHAMPIONS)


def look_ahead(
    game: Game,
    view: State,
    seat: int,
    random: Random,
    budget: Budget,
    *,
    widest: int = MOST_MOVES,
    halving: bool = False,
    trees: int = 0,
) -> Thought:
    """The move that does best over sampled orders, the rest of the round being played as it looks best.

    A node of the budget is a round played to its end.
    """
    start, state = perf_counter(), game.guess(view, seat, random)
    workers = max(1, min(trees, budget.nodes // 2))
    size = min(LARGEST_TREE, budget.nodes) if trees else 0
    explorers = [Explorer(state, seat, random_bits(random), size) for _ in range(workers)]
    moves = explorers[0].rank_moves(piece_of(state, seat))
    moves = moves[:widest]
    stages = max(1, len(moves).bit_length() - 1) if halving else 1
    share = budget.nodes // stages // workers
    if share < 2:  # nothing can be compared
        stages = share = 1
    moves = moves[:share]
    for explorer in explorers:
        explorer.begin(len(moves))
    explore, orders, nodes = swift(try_moves), 0, 0
    for stage in range(1, stages + 1):
        most = share // len(moves) if len(moves) > 1 else min(share, SOME_ORDERS)
        until = start + budget.milliseconds / 1000 * stage / stages
        played = sum(in_threads(Explorer.play, explorers, most * workers, explore, moves, until))
        orders, nodes = orders + played, nodes + played * len(moves)
        sums = sum(explorer.sums for explorer in explorers)
        keep = (len(moves) + 1) // 2 if stage < stages else 2
        best = np.argsort(-sums, kind="stable")[:keep]
        moves = moves[best]
        for explorer in explorers:
            explorer.keep(best)
    mean, *means = (np.sum([explorer.sums for explorer in explorers], axis=0) / orders).tolist()
    shares, points = expect(state, seat, mean, random)
    other = None
    if means:
        there = points.copy()
        there[seat] += means[0] - mean
        other = Alternative(int(moves[1]), tuple(share_victory(state, there).tolist()), tuple(there.tolist()))
    return Thought(int(moves[0]), tuple(shares.tolist()), tuple(points.tolist()), nodes=nodes, other=other)


PAR = (4.0, 7.4, 6.8, 9.0)
"""What an expert makes of each of our boards (60 games); others are taken to be like these on average."""
SPREAD = 1.5
"""With one round to play, so many points more make a victory e times as likely; with more it takes more."""


def expect(state: State, seat: int, mean: float, random: Random) -> tuple[Floats, Floats]:
    """The shares of the victory and the points in the end that the seats can expect.

    What a seat makes of this round on average is what its search has found; others play as it looks best.
    """
    seats, to_come = int(state["seats"]), state["boards"][state["round"] : state["rounds"]] - 1
    later = sum(PAR[board] if board < len(PAR) else sum(PAR) / len(PAR) for board in to_come)
    points = np.zeros(seats)
    for each in range(seats):
        this_round = mean if each == seat else play_as_it_looks(state, each, random)
        points[each] = total(state, each) + this_round + later
    return share_victory(state, points), points


def share_victory(state: State, points: Floats) -> Floats:
    """The shares of the victory of seats that can expect so many points."""
    seats, to_come = int(state["seats"]), int(state["rounds"]) - int(state["round"])
    rounds, shares = to_come + (1 + int(state["left"]).bit_count()) / len(NAMES), np.zeros(seats)
    share_by_points(points, SPREAD * rounds**0.5, seats, shares)
    return shares


def play_as_it_looks(state: State, seat: int, random: Random) -> float:
    """What a seat makes of the round on average if it plays as it looks best."""
    explorer = Explorer(state, seat, random_bits(random), 0)
    to_place = state["pending"] >> seat & 1
    moves = explorer.rank_moves(piece_of(state, seat))[:1] if to_place else np.array([DECLINE], np.int16)
    explorer.begin(1)
    explorer.play(SOME_ORDERS, swift(try_moves), moves, inf)
    return float(explorer.sums[0]) / SOME_ORDERS


class Explorer:
    """One who plays rounds to their end and adds up what each move brings; with a tree if it has any size."""

    def __init__(self, state: State, seat: int, seed: int, size: int) -> None:
        self.plan, self.nodes = new_plan(state, seat, seed), np.zeros(1 + size, NODE)

    def rank_moves(self, piece: int) -> NDArray[np.int16]:
        """All moves, those that look best first."""
        moves, values = np.zeros(MOST_MOVES, np.int16), np.zeros(MOST_MOVES)
        self.plan["left"] = self.plan["count"]
        return moves[: swift(rank)(self.plan, piece, moves, values)]

    def begin(self, moves: int) -> None:
        self.sums, self.roots = np.zeros(moves), np.zeros((moves, len(NAMES)), np.int32)

    def keep(self, best: NDArray[np.intp]) -> None:
        """Go on with these moves only."""
        self.sums, self.roots = self.sums[best], self.roots[best]

    def play(self, orders: int, explore: Callable[..., None], moves: NDArray[np.int16], until: float) -> int:
        """Play so many orders, or until it is late; how many it were."""
        clock, played = Clock(orders, until), 0
        while more := clock.next(played):
            explore(self.plan, self.nodes, moves, self.roots, self.sums, more)
            played += more
        return played


@kernel
def try_moves(
    plan: State,
    nodes: NDArray[np.void],
    moves: NDArray[np.int16],
    roots: Ints,
    sums: NDArray[np.float64],
    orders: int,
) -> None:
    """Play every move and the rest of the round, with the same sampled orders for each."""
    count = int(plan["count"])
    for _ in range(orders):
        shuffle(plan)
        for index in range(len(moves)):
            plan["trial"] = plan["ramp"]
            settle(plan, int(moves[index]))
            for card in range(descend(plan, nodes, roots, index), count):
                plan["left"] = count - 1 - card
                settle(plan, choose(plan, int(plan["cards"][card])))
            points = points_of(plan)
            sums[index] += points
            learn(plan, nodes, points)


@kernel
def shuffle(plan: State) -> None:
    for index in range(int(plan["count"]) - 1, 0, -1):
        other = random_below(plan["random"], index + 1)
        card = int(plan["cards"][index])
        plan["cards"][index] = plan["cards"][other]
        plan["cards"][other] = card


@kernel
def descend(plan: State, nodes: NDArray[np.void], roots: Ints, index: int) -> int:
    """Play the first cards as the tree has learnt, down to a node that is new; how many they were."""
    depth = 0
    node = 0
    taken = 0
    learnt = True
    while learnt and depth < plan["count"]:
        card = int(plan["cards"][depth])
        plan["left"] = int(plan["count"]) - 1 - depth
        below = int(nodes[node]["next"][taken, card]) if depth > 0 else int(roots[index, card])
        if below == 0:
            learnt = False
            below = grow(plan, nodes, card)
            if below == 0:
                break
            if depth > 0:
                nodes[node]["next"][taken, card] = below
            else:
                roots[index, card] = below
        node = below
        taken = pick(nodes[node])
        plan["path"][depth] = node
        plan["taken"][depth] = taken
        settle(plan, int(nodes[node]["moves"][taken]))
        depth += 1
    plan["depth"] = depth
    return depth


@kernel
def grow(plan: State, nodes: NDArray[np.void], piece: int) -> int:
    """A new node for the trial ramp and a card; 0 if there is no room. The first one counts them."""
    at = int(nodes[0]["visits"]) + 1
    if at >= len(nodes):
        return 0
    nodes[0]["visits"] = at
    nodes[at]["count"] = rank(plan, piece, nodes[at]["moves"], nodes[at]["sums"])
    for index in range(WIDEST):
        nodes[at]["sums"][index] = 0.0
    return at


CURIOSITY = 2.0
"""How many points a move is given for having been tried less than the others."""


@kernel
def pick(node: State) -> int:
    """The move to try now: the more visits, the more of those that look worse at first are tried, too."""
    visits = float(node["visits"])
    chosen = 0
    best = -np.inf
    for index in range(min(int(node["count"]), 1 + int(np.sqrt(visits) / 2))):
        tries = int(node["tries"][index])
        if tries == 0:
            return index
        value = float(node["sums"][index]) / tries + CURIOSITY * np.sqrt(np.log(visits + 1) / tries)
        if value > best:
            best = value
            chosen = index
    return chosen


@kernel
def learn(plan: State, nodes: NDArray[np.void], points: int) -> None:
    """Note in the tree what a round has brought."""
    for depth in range(plan["depth"]):
        node = nodes[int(plan["path"][depth])]
        taken = int(plan["taken"][depth])
        node["visits"] += 1
        node["tries"][taken] += 1
        node["sums"][taken] += points


_DIGEST = np.array([0x9E3779B97F4A7C15 * (2 * n + 1) % (1 << 64) for n in range(COLUMNS)], np.uint64)
BEAM = 1_000
"""How many ramps the hindsight search keeps after each card."""


def hindsight(start: State, entries: Sequence[tuple[int, int]]) -> list[Hindsight]:
    """Each round that was played to its end: the points made, and the best that is found for who knew all."""
    state, seats = copy_of(start), range(int(start["seats"]))
    begun, cards = start, list[int]()
    found: list[Hindsight] = []
    for seat, move in entries:
        apply(state, seat, move)
        if seat == CHANCE and move >= STARTS:
            begun, cards = copy_of(state), []
        elif seat == CHANCE:
            cards.append(move - CARDS)
        if len(cards) == len(NAMES) and state["phase"] in (DEAL, OVER):
            at = int(state["round"]) - 1
            made = [int(state["tally"][each, at].sum()) for each in seats]
            best = [max(made[each], best_points(begun, each, cards)) for each in seats]
            round_of = {"n": at + 1, "name": BOARD_NAMES[state["boards"][at] - 1]}
            found.append(Hindsight(later("round {n}, board {name}"), round_of, made, best))
            cards = []
    return found


def best_points(begun: State, seat: int, cards: list[int], width: int = BEAM) -> int:
    """The best points that a beam of so many ramps finds for a seat that knows the cards of the round."""
    plan, start = new_plan(begun, seat, 0), int(begun["start"][seat]) - 1
    order = [start, *(card for card in cards if card != start)]
    plan["count"] = len(order)
    ramps, children = np.zeros(width, RAMP), np.zeros(width * MOST_MOVES, RAMP)
    alive = 1
    for card, piece in enumerate(order):
        plan["left"] = len(order) - 1 - card
        n = swift(spread)(plan, ramps[:alive], piece, children)
        alive = _keep_best(children[:n], ramps)
    return max(int(swift(points_on)(plan, ramps, index)) for index in range(alive))


def _keep_best(children: NDArray[np.void], ramps: NDArray[np.void]) -> int:
    """Fill `ramps` with the children that look best, each ramp once; returns how many there are."""
    by_value = children[np.argsort(-children["value"], kind="stable")]
    digest = by_value["columns"].astype(np.uint64) @ _DIGEST  # equal ramps have the same number
    _, first = np.unique(digest, return_index=True)
    kept = by_value[np.sort(first)[: len(ramps)]]
    ramps[: len(kept)] = kept
    return len(kept)


@kernel
def spread(plan: State, ramps: NDArray[np.void], piece: int, children: NDArray[np.void]) -> int:
    """Fill `children` with what a piece makes of each ramp, wherever it is placed or declined."""
    n = 0
    for index in range(len(ramps)):
        plan["trial"] = ramps[index]
        children[n] = ramps[index]
        n += 1
        for way in range(FIRST_WAY[piece], FIRST_WAY[piece + 1]):
            for column in range(COLUMNS + 1 - WIDTH[way]):
                row = land(plan, way, column)
                if row < ROWS:
                    plan["trial"] = ramps[index]
                    earned = float(ramps[index]["earned"]) + earn(plan, way, column, row)
                    value = earned - unevenness(plan, way, column, row)
                    settle(plan, way * COLUMNS + column)
                    plan["trial"]["earned"] = earned
                    plan["trial"]["value"] = value
                    children[n] = plan["trial"]
                    plan["trial"] = ramps[index]
                    n += 1
    return n


@kernel
def points_on(plan: State, ramps: NDArray[np.void], index: int) -> int:
    plan["trial"] = ramps[index]
    return points_of(plan)
