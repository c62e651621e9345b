"""What only FITS knows about playing well: how good a placing looks, sampled cards, and hindsight."""

from collections.abc import Sequence
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from mozaika.game import CHANCE, Budget, Game, Random, State, Thought
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
    WIDTH,
    ZERO,
)
from mozaika.games.fits.rules import apply, count_bits, piece_of
from mozaika.kernel import compiling, kernel, random_below, random_bits, swift
from mozaika.words import Words

# What a placing is worth, in points of a kind; found by letting the greedy player play some million rounds.
COVER, CLOSE = 2.3, 4.3  # a plain square covered, or closed for good
COVER_GOOD, COVER_BAD, LEAVE = 4.6, 1.0, 1.5  # each point of a field: lost, avoided, or kept for good
BREAK_PAIR, KEEP_SYMBOL = 50.0, 2.4  # while the other symbol is open
JOIN_PAIR, LEAVE_SINGLE = 9.0, 4.0  # the other symbol is closed; is covered
STEPS = np.array([0.15, 0.0, 0.9, 2.1, 7.0])  # what a step of so many rows between two columns costs
WELL = 1.15  # each row of a column that is lower than both beside it
TOUCH = 1.4  # each square beside the ramp's edge or another piece
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
        ("row", np.int8),  # where that piece lands
        ("ramp", RAMP),
        ("trial", RAMP),
    ]
)
"""The desk of a search for one seat in one round."""


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
def earn(plan: State, way: int, column: int, row: int) -> float:
    """What a placing is worth by the squares that it covers and closes, and by what it touches."""
    ramp = plan["trial"]
    value = 0.0
    for step in range(WIDTH[way]):
        at = column + step
        shape = int(SHAPE[way, step]) << row
        for square in range(int(ramp["heights"][at]), min(ROWS, row + int(TOP[way, step]))):
            place = square * COLUMNS + at
            field = int(plan["fields"][place])
            covers = shape >> square & 1 == 1
            if field == PLAIN:
                value += COVER if covers else -CLOSE
            elif field >= SYMBOLS:
                value += worth_of_symbol(plan, int(plan["partner"][place]), covers)
            elif covers:
                points = field - ZERO
                value -= points * (COVER_GOOD if points > 0 else COVER_BAD)
            else:
                value += LEAVE * (field - ZERO)
    end = column + int(WIDTH[way])
    left = int(SHAPE[way, 0]) << row
    right = int(SHAPE[way, end - column - 1]) << row
    if column > 0:
        left &= int(ramp["columns"][column - 1])
    if end < COLUMNS:
        right &= int(ramp["columns"][end])
    return value + TOUCH * (count_bits(left) + count_bits(right))


@kernel
def worth_of_symbol(plan: State, partner: int, covers: bool) -> float:
    """What it is worth to cover or to close a symbol, by what has become of the other one."""
    row = partner // COLUMNS
    column = partner - row * COLUMNS
    if int(plan["trial"]["columns"][column]) >> row & 1:
        return LEAVE_SINGLE if covers else -LEAVE_SINGLE
    if row < plan["trial"]["heights"][column]:
        return -JOIN_PAIR if covers else JOIN_PAIR
    return -BREAK_PAIR if covers else KEEP_SYMBOL


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
                value = earn(plan, way, column, row) - unevenness(plan, way, column, row)
                if value > best:
                    best = value
                    chosen = way * COLUMNS + column
    return chosen


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


def greedy(game: Game, view: State, seat: int, random: Random, budget: Budget | None = None) -> Thought:
    """Places where it looks best at once."""
    plan = new_plan(view, seat, 0)
    plan["left"] = plan["count"]
    return Thought(int(swift(choose)(plan, piece_of(view, seat))))


@kernel
def try_moves(plan: State, moves: NDArray[np.int32], sums: NDArray[np.float64], orders: int) -> None:
    """Play every move and the rest of the round as it looks best, with the same sampled orders for each."""
    count = int(plan["count"])
    for _ in range(orders):
        for index in range(count - 1, 0, -1):
            other = random_below(plan["random"], index + 1)
            card = int(plan["cards"][index])
            plan["cards"][index] = plan["cards"][other]
            plan["cards"][other] = card
        for index in range(len(moves)):
            plan["trial"] = plan["ramp"]
            settle(plan, int(moves[index]))
            for card in range(count):
                plan["left"] = count - 1 - card
                settle(plan, choose(plan, int(plan["cards"][card])))
            sums[index] += points_of(plan)


EXPERT = Budget(nodes=5_000, milliseconds=1_000)


def expert(game: Game, view: State, seat: int, random: Random, budget: Budget | None = None) -> Thought:
    """The move that does best over sampled orders of the cards to come; a node is a round played to its end.

    Of the moves the better half goes on to more orders, until one is left.
    """
    start, budget = perf_counter(), budget or EXPERT
    moves = np.array(game.legal_moves(game.guess(view, seat, random), seat), np.int32)
    plan, sums = new_plan(view, seat, random_bits(random)), np.zeros(len(moves))
    stages = max(1, len(moves).bit_length())
    for stage in range(1, stages + 1):
        if len(moves) == 1:
            break
        share, until = budget.nodes // stages, budget.milliseconds * stage / stages
        orders, at_once = max(1, share // len(moves)), 1
        while orders > 0:
            before = perf_counter()
            swift(try_moves)(plan, moves, sums, at_once)
            orders -= at_once
            now = perf_counter()
            if 1000 * (now - start) >= until:
                break
            # so many orders at once that the clock is read about ten times in a stage
            spare = (until / 1000 - (now - start)) / max(now - before, 1e-6) * at_once / 10
            at_once = max(1, min(orders, int(spare)))
        best = np.argsort(-sums, kind="stable")[: (len(moves) + 1) // 2]
        moves, sums = moves[best], sums[best]
    return Thought(int(moves[sums.argmax()]))


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
