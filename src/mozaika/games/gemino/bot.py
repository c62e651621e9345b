"""What only GEMINO knows about playing well."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from mozaika.game import Bot, Game
from mozaika.games.gemino.pieces import (
    ALL_LINES,
    FIELDS,
    HAND,
    LINE_COUNTS,
    NO_LINE,
    POINTS_TO_WIN,
    STARTS,
)
from mozaika.games.gemino.rules import (
    EVERYWHERE,
    color_of,
    completed,
    completing,
    in_hand,
    is_five,
    kind_of,
    legal,
    list_ways,
    lowest,
    occupied,
    pack,
    score,
    unpack,
)
from mozaika.judgement import Net
from mozaika.kernel import count_bits, kernel
from mozaika.search.alphabeta import Style as Deep
from mozaika.search.alphabeta import search_deep
from mozaika.search.net import add_up, see, share_by_points, share_by_rank
from mozaika.search.simple import first_sight, greedy
from mozaika.search.tree import Style, search_tree
from mozaika.state import Floats, Ints, Random, State
from mozaika.thought import Budget, Thought

POINT = 1 << 20


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


OWN = np.array([0.03, 0.12, 0.5, 2.0, 8.0, 0.0])
"""What a tile adds to a line that only its owner has tiles in, by how many it has there already."""
BLOCK = np.array([0.0, 0.05, 0.2, 0.8, 3.0, 0.0])
"""What a tile spoils in a line that only one other has tiles in, by how many those are; others block, too."""
THREAT = 12.0
"""What it is worth to spoil a line that who moves next would complete."""
SCORE = 15.0


@kernel
def rate(state: State, seat: int, moves: Ints, n: int, out: Floats) -> None:
    """Points first; then what both tiles build and block, less what a moved tile leaves behind."""
    if n == 0 or moves[0] >= STARTS:
        for index in range(n):
            out[index] = 0.0
        return
    worth = np.zeros((2, FIELDS), np.float32)
    leaving = np.zeros((2, FIELDS + 1), np.float32)
    for board in range(2):
        weigh_fields(state, seat, board, worth[board], leaving[board])
    for index in range(n):
        first, second, source, other_source, _, line, other_line = unpack(int(moves[index]))
        value = worth[0, first] + worth[1, second] - leaving[0, source] - leaving[1, other_source]
        if line != NO_LINE:
            value += SCORE
        if other_line != NO_LINE:
            value += SCORE
        out[index] = value


MOVED = 2
"""Where tiles have to move, only so many of those that are missed least are thought of."""


@kernel
def candidates(state: State, seat: int, out: Ints) -> int:
    """Every turn that scores; of the others, those that move a tile which does little where it is."""
    hand = in_hand(state, seat)
    if hand >= 2:
        return legal(state, seat, out)
    sources = np.zeros((2, MOVED), np.int32)
    counts = np.zeros(2, np.int32)
    for board in range(2):
        counts[board] = least_missed(state, seat, board, sources[board])
    kind = kind_of(state)
    scoring = completing(state, seat, 0)
    other_scoring = completing(state, seat, 1)
    n = 0
    firsts = ~occupied(state, 0) & EVERYWHERE
    while firsts:
        first = lowest(firsts)
        firsts &= firsts - 1
        seconds = int(state["colors"][1, color_of(state, 0, first)]) & ~occupied(state, 1)
        while seconds:
            second = lowest(seconds)
            seconds &= seconds - 1
            window = out[n:]
            if (scoring >> first | other_scoring >> second) & 1:
                lines = completed(int(state["tiles"][seat, 0]) | 1 << first, first, kind)
                other_lines = completed(int(state["tiles"][seat, 1]) | 1 << second, second, kind)
                n += list_ways(state, seat, first * FIELDS + second, lines, other_lines, window)
            else:
                n += move_least_missed(first, second, hand, sources, counts, window)
    return n


@kernel
def move_least_missed(first: int, second: int, hand: int, sources: Ints, counts: Ints, out: Ints) -> int:
    """The ways in which a pair of fields can receive tiles that are missed little."""
    n = 0
    for index in range(counts[0]):
        if hand == 1:
            out[n] = pack(first, second, int(sources[0, index]), HAND, 0, NO_LINE, NO_LINE)
            n += 1
        else:
            for other in range(counts[1]):
                source, other_source = int(sources[0, index]), int(sources[1, other])
                out[n] = pack(first, second, source, other_source, 0, NO_LINE, NO_LINE)
                n += 1
    if hand == 1:
        for other in range(counts[1]):
            out[n] = pack(first, second, HAND, int(sources[1, other]), 0, NO_LINE, NO_LINE)
            n += 1
    return n


@kernel
def least_missed(state: State, seat: int, board: int, out: Ints) -> int:
    """Fill in where the tiles lie that are missed least on a board; returns how many."""
    worth = np.zeros(FIELDS, np.float32)
    leaving = np.zeros(FIELDS + 1, np.float32)
    weigh_fields(state, seat, board, worth, leaving)
    tiles = int(state["tiles"][seat, board])
    n = 0
    while n < MOVED and tiles:
        best = 1 + lowest(tiles)
        rest = tiles & (tiles - 1)
        while rest:
            source = 1 + lowest(rest)
            rest &= rest - 1
            if leaving[source] < leaving[best]:
                best = source
        out[n] = best
        tiles &= ~(1 << best - 1)
        n += 1
    return n


@kernel
def weigh_fields(state: State, seat: int, board: int, worth: Floats, leaving: Floats) -> None:
    """What a tile of a seat on each field of a board would be worth, and what one that leaves it was."""
    five = is_five(state)
    own = int(state["tiles"][seat, board])
    all_tiles = occupied(state, board)
    threats = completing(state, (seat + 1) % int(state["seats"]), board)
    in_vain = threats & (threats - 1) != 0
    for index in range(LINE_COUNTS[five]):
        line = int(ALL_LINES[five, index])
        mine = count_bits(line & own)
        others = line & all_tiles & ~own
        gain = 0.0
        loss = 0.0
        if others == 0:
            gain = OWN[mine + 1 - five]
            if mine > 0:
                loss = OWN[mine - five]
        elif mine <= 1:
            spoilt = spoils(state, seat, board, others, in_vain)
            if mine == 0:
                gain = spoilt
            else:
                loss = spoilt
        rest = line & ~all_tiles
        while rest:
            worth[lowest(rest)] += gain
            rest &= rest - 1
        rest = line & own
        while rest:
            leaving[1 + lowest(rest)] += loss
            rest &= rest - 1


@kernel
def spoils(state: State, seat: int, board: int, others: int, in_vain: bool) -> float:
    """What it is worth to stand between these tiles of others, which are in one line.

    If who moves next could complete another one as well, it is in vain.
    """
    seats = int(state["seats"])
    five = is_five(state)
    many = count_bits(others)
    for other in range(seats):
        if others & ~int(state["tiles"][other, board]) == 0:
            if many == 3 + five and other == (seat + 1) % seats and not in_vain:
                return THREAT
            return float(BLOCK[many + 1 - five]) / (seats - 1)
    return 0.0


# A seat as features, for a small net that was fitted to the ends of many games.
BY_SCORE, BY_LINES, BY_THREATS, BY_HAND, FEATURES = 0, 24, 32, 64, 72
UNITS = 8
_fitted = np.load(Path(__file__).parent / "weights.npz")
LAYER, START, OUT = (_fitted[name] for name in ("layer", "start", "out"))
"""For 2, 3 and 4 players: what a feature gives to each unit, where the units start, what each is worth."""


@kernel
def look_at(state: State, seat: int, sight: Floats) -> None:
    """The features of a seat: its points and threats by how soon it is to move, its lines, its hand."""
    seats = int(state["seats"])
    layer = LAYER[seats - 2]
    five = is_five(state)
    wait = (seat - int(state["turn"]) + seats) % seats
    see(sight, layer, BY_SCORE + 6 * wait + min(5, score(state, seat)), 1.0)
    for board in range(2):
        own = int(state["tiles"][seat, board])
        others = occupied(state, board) & ~own
        for index in range(LINE_COUNTS[five]):
            line = int(ALL_LINES[five, index])
            mine = count_bits(line & own)
            if mine > five and line & others == 0:
                see(sight, layer, BY_LINES + 4 * board + mine - five - 1, 0.25)
        threats = min(3, count_bits(completing(state, seat, board)))
        see(sight, layer, BY_THREATS + 8 * wait + 4 * board + threats, 1.0)
    see(sight, layer, BY_HAND + min(7, in_hand(state, seat)), 1.0)


@kernel
def appraise(state: State, shares: Floats, points: Floats) -> None:
    """How it has ended, or what the net thinks of it; points are won in the measure of the victory."""
    seats = int(state["seats"])
    if state["over"]:
        share_by_rank(state, shares)
        for seat in range(seats):
            points[seat] = score(state, seat)
        return
    units = np.empty(UNITS, np.float32)
    for seat in range(seats):
        units[:] = START[seats - 2]
        look_at(state, seat, units)
        points[seat] = add_up(units, OUT[seats - 2])
    share_by_points(points, 1.0, seats, shares)
    for seat in range(seats):
        points[seat] = score(state, seat) + shares[seat] * max(0, POINTS_TO_WIN - score(state, seat))


NET = Net(
    look_at=look_at,
    features=FEATURES,
    units=UNITS,
    kinds=3,
    kind=lambda state: int(state["seats"]) - 2,
    points=False,
)

BY_TWO = Style(noise=0.05, playout=6)
BY_MORE = Style(noise=0.5, margin=0.005, replies=4, playout=16)
"""Among several more can happen before it is one's turn again: it takes longer and less certain playouts."""


def look_ahead(
    game: Game, view: State, seat: int, random: Random, budget: Budget | None, usual: Budget, threads: int = 1
) -> Thought:
    """A tree with playouts; by default with the usual budget of a level."""
    style = BY_TWO if view["seats"] == 2 else BY_MORE
    return search_tree(game, view, seat, random, budget, replace(style, threads=threads, budget=usual))


LEVELS: dict[str, Bot] = {
    "beginner": partial(first_sight, noise=3.0),
    "casual": greedy,
    "club": partial(search_deep, style=Deep(widest=12, playout=0, budget=Budget(800, 150))),
    "expert": partial(look_ahead, usual=Budget(500, 1_000)),
    "champion": partial(look_ahead, usual=Budget(4_000, 1_500), threads=2),
}
