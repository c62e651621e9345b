"""What only FITS knows about playing well: how good a placing looks, sampled cards, and hindsight."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from mozaika.game import CHANCE, Budget, Game, Ints, Random, State, Thought
from mozaika.games.fits.pieces import (
    BOARD_NAMES,
    BOTTOM,
    CARDS,
    COLUMNS,
    DEAL,
    DECLINE,
    FIRST_WAY,
    MOST_MOVES,
    NAMES,
    OVER,
    PAIR_POINTS,
    PLAIN,
    ROWS,
    SHAPE,
    SQUARES,
    STARTS,
    SYMBOLS,
    TOP,
    WAYS,
    WIDTH,
    ZERO,
)
from mozaika.games.fits.rules import apply, closed_squares, count_bits, landing, piece_of, total
from mozaika.kernel import compiling, kernel, random_below, random_bits, swift
from mozaika.words import Words

# What a placing is worth, in points of a kind; found by letting the greedy player play some million rounds.
COVER, CLOSE = 2.3, 4.4  # a plain square covered, or closed for good
COVER_GOOD, COVER_BAD, LEAVE = 4.7, 1.05, 1.35  # each point of a field: lost, avoided, or kept for good
BREAK_PAIR, KEEP_SYMBOL = 50.0, 2.5  # while the other symbol is open
JOIN_PAIR, LEAVE_SINGLE = 8.7, 4.0  # the other symbol is closed; is covered
STEPS = np.array([0.05, 0.0, 0.95, 2.1, 7.2])  # what a step of so many rows between two columns costs
WELL = 1.15  # each row of a column that is lower than both beside it
TOUCH = 1.35  # each square beside the ramp's edge or another piece
RISE, STICK_OUT, FULL_ROW = (
    0.37,
    0.86,
    1.0,
)  # the row it lands on; each row above the board; a row where they score
LAST = 0.13  # how much the shape of the surface still counts when no card is left
CARDS_IN_ALL = 16.0

RAMP = np.dtype(
    [
        ("heights", np.int8, (COLUMNS,)),
        ("columns", np.int16, (COLUMNS,)),
        ("earned", np.float64),
        ("value", np.float64),
    ]
)
"""A ramp in a search: what its pieces have earned, and how good it looks."""

PLAN = np.dtype(
    [
        ("random", np.uint64, (1,)),
        ("rows_score", np.int8),
        ("fields", np.int8, (SQUARES,)),
        ("partner", np.int8, (SQUARES,)),  # the square with the same symbol
        ("cards", np.int8, (len(NAMES),)),  # the pieces still to come
        ("count", np.int8),
        ("left", np.int8),  # how many of them come after the piece that is looked at
        ("depth", np.int8),  # how many cards were played in the tree
        ("path", np.int32, (len(NAMES),)),  # by which nodes
        ("taken", np.int8, (len(NAMES),)),  # and by which of their moves
        ("ramp", RAMP),
        ("trial", RAMP),
    ]
)
"""The desk of a search for one seat in one round."""

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


def new_plan(state: State, seat: int, seed: int) -> State:
    """A plan for the ramp of a seat; the cards to come are those that the seat will have to place."""
    plan: State = np.zeros(1, PLAN)[0]
    plan["random"] = seed
    at = max(int(state["round"]), 1) - 1
    plan["rows_score"], plan["fields"] = state["rows_score"][at], state["fields"][at]
    fields = state["fields"][at].tolist()
    for place, field in enumerate(fields):
        if field >= SYMBOLS:
            plan["partner"][place] = next(
                other for other, same in enumerate(fields) if same == field and other != place
            )
    start = int(state["start"][seat]) - 1
    cards = [piece for piece in range(len(NAMES)) if state["left"] >> piece & 1 and piece != start]
    plan["count"] = len(cards)
    plan["cards"][: len(cards)] = cards
    for field in ("heights", "columns"):
        plan["ramp"][field] = plan["trial"][field] = state[field][seat]
    return plan


@kernel
def land(plan: State, way: int, column: int) -> int:
    """The row on which a piece comes to rest on the trial ramp; `rules.landing` for a plan."""
    row = 0
    for step in range(WIDTH[way]):
        rest = int(plan["trial"]["heights"][column + step]) - int(BOTTOM[way, step])
        row = max(row, rest)
    return row


@kernel
def settle(plan: State, move: int) -> None:
    """Place on the trial ramp, or leave it as it is."""
    if move == DECLINE:
        return
    way = move // COLUMNS
    column = move - way * COLUMNS
    row = land(plan, way, column)
    ramp = plan["trial"]
    for step in range(WIDTH[way]):
        ramp["columns"][column + step] |= int(SHAPE[way, step]) << row
        ramp["heights"][column + step] = row + int(TOP[way, step])


@kernel
def worth(plan: State, way: int, column: int, row: int) -> float:
    """How good a placing looks: what it earns, less what it makes of the surface."""
    return earn(plan, way, column, row) - unevenness(plan, way, column, row)


@kernel
def earn(plan: State, way: int, column: int, row: int) -> float:
    """What a placing is worth by the squares that it covers and closes, and by what it touches."""
    ramp = plan["trial"]
    value = -RISE * row
    cards = int(plan["left"]) / CARDS_IN_ALL
    close = CLOSE * min(1.0, 0.63 + 0.75 * cards)  # at last nothing could fill the gap anyway
    keep = min(1.0, 1.64 - 1.27 * cards)  # and early nothing is safe
    for step in range(WIDTH[way]):
        at = column + step
        shape = int(SHAPE[way, step]) << row
        top = row + int(TOP[way, step])
        for square in range(int(ramp["heights"][at]), min(ROWS, top)):
            place = square * COLUMNS + at
            field = int(plan["fields"][place])
            covers = shape >> square & 1 == 1
            if field == PLAIN:
                value += COVER if covers else -close
            elif field >= SYMBOLS:
                value += worth_of_symbol(plan, int(plan["partner"][place]), covers, keep)
            elif covers:
                points = field - ZERO
                value -= points * (COVER_GOOD if points > 0 else COVER_BAD)
            else:
                value += LEAVE * keep * (field - ZERO)
        value += STICK_OUT * max(0, top - ROWS)
    end = column + int(WIDTH[way])
    left = int(SHAPE[way, 0]) << row
    right = int(SHAPE[way, end - column - 1]) << row
    if column > 0:
        left &= int(ramp["columns"][column - 1])
    if end < COLUMNS:
        right &= int(ramp["columns"][end])
    if plan["rows_score"]:
        value += FULL_ROW * completed_rows(plan, way, column, row)
    return value + TOUCH * (count_bits(left) + count_bits(right))


@kernel
def completed_rows(plan: State, way: int, column: int, row: int) -> int:
    """How many rows a placing would fill."""
    before = (1 << ROWS) - 1
    after = before
    for at in range(COLUMNS):
        covered = int(plan["trial"]["columns"][at])
        before &= covered
        if column <= at < column + WIDTH[way]:
            covered |= int(SHAPE[way, at - column]) << row
        after &= covered
    return count_bits(after & ~before)


@kernel
def worth_of_symbol(plan: State, partner: int, covers: bool, keep: float) -> float:
    """What it is worth to cover or to close a symbol, by what has become of the other one."""
    row = partner // COLUMNS
    column = partner - row * COLUMNS
    if int(plan["trial"]["columns"][column]) >> row & 1:
        return LEAVE_SINGLE if covers else -LEAVE_SINGLE * keep
    if row < plan["trial"]["heights"][column]:
        return -JOIN_PAIR if covers else JOIN_PAIR * keep
    return -BREAK_PAIR if covers else KEEP_SYMBOL * keep


@kernel
def unevenness(plan: State, way: int, column: int, row: int) -> float:
    """How hard the surface after a placing makes it for the pieces to come."""
    cost = 0.0
    last = ROWS
    drop = ROWS  # how far the column before lies below the one before it
    for at in range(COLUMNS):
        height = int(plan["trial"]["heights"][at])
        if column <= at < column + WIDTH[way]:
            height = row + int(TOP[way, at - column])
        if at > 0:
            cost += STEPS[min(abs(height - last), 4)]
            cost += WELL * max(0, min(height - last, drop))
            drop = last - height
        last = height
    cost += WELL * max(0, min(ROWS - last, drop))
    return cost * (LAST + int(plan["left"]) / CARDS_IN_ALL)


@kernel
def choose(plan: State, piece: int) -> int:
    """The placing that looks best; declining if none looks better than nothing."""
    best = 0.0
    chosen = DECLINE
    for way in range(FIRST_WAY[piece], FIRST_WAY[piece + 1]):
        for column in range(COLUMNS + 1 - WIDTH[way]):
            row = land(plan, way, column)
            if row < ROWS:
                value = worth(plan, way, column, row)
                if value > best:
                    best = value
                    chosen = way * COLUMNS + column
    return chosen


@kernel
def rank(plan: State, piece: int, moves: NDArray[np.int16], values: NDArray[np.float64]) -> int:
    """Fill `moves` with those that look best, the best first, as many as there is room for; how many."""
    count = 1
    moves[0] = DECLINE
    values[0] = 0.0
    for way in range(FIRST_WAY[piece], FIRST_WAY[piece + 1]):
        for column in range(COLUMNS + 1 - WIDTH[way]):
            row = land(plan, way, column)
            if row < ROWS:
                value = worth(plan, way, column, row)
                at = count
                while at > 0 and values[at - 1] < value:
                    if at < len(moves):
                        moves[at] = moves[at - 1]
                        values[at] = values[at - 1]
                    at -= 1
                if at < len(moves):
                    moves[at] = way * COLUMNS + column
                    values[at] = value
                count = min(count + 1, len(moves))
    return count


@kernel
def points_of(plan: State) -> int:
    """The points of the trial ramp if the round ended now; `rules.score_ramp` for a plan."""
    points = 0
    seen = 0
    twice = 0
    common = (1 << ROWS) - 1
    for column in range(COLUMNS):
        covered = int(plan["trial"]["columns"][column])
        common &= covered
        for row in range(ROWS):
            if covered >> row & 1 == 0:
                field = int(plan["fields"][row * COLUMNS + column])
                if field == PLAIN:
                    points -= 1
                elif field < SYMBOLS:
                    points += field - ZERO
                else:
                    symbol = 1 << field - SYMBOLS
                    twice |= seen & symbol
                    seen |= symbol
    if plan["rows_score"]:
        points += count_bits(common)
    return points + PAIR_POINTS * (2 * count_bits(twice) - count_bits(seen))


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
    with ThreadPoolExecutor(workers) as pool:
        map_them = pool.map if workers > 1 else map
        for stage in range(1, stages + 1):
            most = share // len(moves) if len(moves) > 1 else min(share, SOME_ORDERS)
            until = start + budget.milliseconds / 1000 * stage / stages
            played = sum(map_them(lambda each: each.play(explore, moves, most, until), explorers))  # noqa: B023
            orders, nodes = orders + played, nodes + played * len(moves)
            sums = sum(explorer.sums for explorer in explorers)
            keep = (len(moves) + 1) // 2 if stage < stages else 1
            best = np.argsort(-sums, kind="stable")[:keep]
            moves = moves[best]
            for explorer in explorers:
                explorer.keep(best)
    mean = sum(float(explorer.sums[0]) for explorer in explorers) / orders
    return Thought(int(moves[0]), points=expect(state, seat, mean), nodes=nodes)


def expect(state: State, seat: int, mean: float) -> tuple[float, ...]:
    """The points that a seat can expect in the end: known in the last round of who plays alone."""
    alone_at_last = state["seats"] == 1 and state["round"] == state["rounds"]
    return (total(state, seat) + mean,) if alone_at_last else ()


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

    def play(self, explore: Callable[..., None], moves: NDArray[np.int16], orders: int, until: float) -> int:
        """Play so many orders, or until it is late; how many it were."""
        played, at_once = 0, 1
        while played < orders:
            before = perf_counter()
            explore(self.plan, self.nodes, moves, self.roots, self.sums, at_once)
            played += at_once
            now = perf_counter()
            if now >= until:
                break
            # so many orders at once that the clock is read about ten times
            spare = (until - now) / max(now - before, 1e-6) * at_once / 10
            at_once = max(1, int(min(orders - played, spare)))
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


def look_back(
    start: State, entries: Sequence[tuple[int, int]], words: Words
) -> list[tuple[str, list[int], list[int]]]:
    """Each round that was played to its end: its name, the points made, and the best found in hindsight."""
    state, seats = start.copy(), range(int(start["seats"]))
    begun, cards = start, list[int]()
    found: list[tuple[str, list[int], list[int]]] = []
    for seat, move in entries:
        apply(state, seat, move)
        if seat == CHANCE and move >= STARTS:
            begun, cards = state.copy(), []
        elif seat == CHANCE:
            cards.append(move - CARDS)
        if len(cards) == len(NAMES) and state["phase"] in (DEAL, OVER):
            at = int(state["round"]) - 1
            made = [int(state["tally"][each, at].sum()) for each in seats]
            best = [max(made[each], best_points(begun, each, cards)) for each in seats]
            name = words.say("round {n}, board {name}", n=at + 1, name=BOARD_NAMES[state["boards"][at] - 1])
            found.append((name, made, best))
            cards = []
    return found


def best_points(begun: State, seat: int, cards: list[int], width: int = BEAM) -> int:
    """The best points that a beam of so many ramps finds for a seat that knows the cards of the round."""
    plan, start = new_plan(begun, seat, 0), int(begun["start"][seat]) - 1
    order = [start, *(card for card in cards if card != start)]
    plan["count"] = len(order)
    ramps, children = np.zeros(width, RAMP), np.zeros(width * MOST_MOVES, RAMP)
    alive = 1
    with compiling():
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
