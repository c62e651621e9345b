"""Alpha-beta for any game that can appraise its states: deeper and deeper, as far as the next draw.

Where nothing is drawn for a while it may see to the end of that. All others are thought to play against the
seat. A node of the budget is one state looked at.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from mozaika.game import Game
from mozaika.kernel import MOST_MOVES, MOST_SEATS, kernel, movers, random_bits, swift
from mozaika.search.effort import Clock, demand, desk_for, in_threads
from mozaika.search.playout import (
    CHANCE_ONLY,
    best_first,
    first_seat,
    judge,
    look,
    simulate,
    stamp_of,
    step,
)
from mozaika.state import Random, State
from mozaika.thought import Budget, Thought

WIDEST = 128
DEEPEST = 64
MOST_TABLE_BITS = 20
MOST_END_BITS = 14
EXACT, AT_LEAST, AT_MOST = 1, 2, 3
SOLVED = 1_000
"""So deep is a search that has seen every line to its end, and so wide one to which no other move matters."""

FRAME = np.dtype(
    [
        ("alpha", np.float64),
        ("beta", np.float64),
        ("best", np.float64),
        ("lower", np.float64),  # alpha and beta as they were at first
        ("upper", np.float64),
        ("left", np.int32),  # how many moves deeper to look
        ("cut", np.int64),  # how many lines had been cut before
        ("missed", np.int64),  # and how many states had lacked moves
        ("shares", np.float64, (MOST_SEATS,)),  # where the best line leads
        ("points", np.float64, (MOST_SEATS,)),
        ("chosen", np.int32),
        ("next", np.int32),
        ("count", np.int32),
        ("more", np.int8),  # whether it has moves that are not looked at
        ("seat", np.int8),
        ("entered", np.int8),
        ("key", np.uint64),
        ("moves", np.int32, (WIDEST,)),
    ]
)

ENTRY = np.dtype(
    [
        ("key", np.uint64),
        ("value", np.float32),
        ("move", np.int32),
        ("left", np.int16),
        ("width", np.int16),
        ("bound", np.int8),
    ]
)

END = np.dtype(
    [("key", np.uint64), ("shares", np.float32, (MOST_SEATS,)), ("points", np.float32, (MOST_SEATS,))]
)
"""Where the best line of a state leads; few states have an exact value."""

DESK = np.dtype(
    [
        ("random", np.uint64, (1,)),
        ("seat", np.int64),
        ("level", np.int64),
        ("nodes", np.int64),
        ("depth", np.int64),
        ("shift", np.int64),  # of a key, for its place in the table
        ("end_shift", np.int64),
        ("cut", np.int64),  # how many lines were not followed to a draw or to the end
        ("missed", np.int64),  # how many states had moves that were not looked at and could matter
        ("noise", np.float64),
        ("margin", np.float64),
        ("greed", np.float64),
        ("widest", np.int64),
        ("playout", np.int64),
        ("roots", np.int32, (WIDEST,)),  # the moves of the root that are looked at
        ("count", np.int64),
        ("line", np.int32, (DEEPEST, 2)),  # seats and moves
        ("killers", np.int32, (DEEPEST + 1, 2)),
        ("shares", np.float64, (MOST_SEATS,)),
        ("points", np.float64, (MOST_SEATS,)),
        ("moves", np.int32, (MOST_MOVES,)),
        ("rates", np.float32, (MOST_MOVES,)),
    ]
)


@dataclass(frozen=True)
class Style:
    """How a search looks at a game."""

    widest: int = 24
    """No more moves than the best so many at first sight are looked at."""
    widens: bool = False
    """Whether twice as many are looked at where these are searched out, and so on while the budget lasts."""
    playout: int = DEEPEST
    """Where the search ends before a draw, so many moves are played by first sight, then it is appraised."""
    margin: float = 0.001
    """What a point ahead of the others is worth, in shares of the victory, to who wins or loses anyway."""
    greed: float = 0.0
    """What a point of one's own is worth beside that: with more, it rather builds than stands in the way."""
    threads: int = 1
    """So many searches divide the moves of the root among them."""
    budget: Budget = field(default_factory=Budget)

    def __post_init__(self) -> None:
        """A wider search would write past its arrays."""
        if not 1 <= self.widest <= WIDEST:
            raise ValueError(f"A search looks at 1 to {WIDEST} moves, not {self.widest}.")


@dataclass(frozen=True)
class Probe:
    """One thread's way through the tree: a frame and a state for each level, its tables and its desk."""

    frames: NDArray[np.void]
    states: NDArray[np.void]
    words: NDArray[np.uint64]
    table: NDArray[np.void]
    ends: NDArray[np.void]
    desk: State


@dataclass(frozen=True)
class Find:
    """A move, what it is worth, and where its line leads."""

    probe: Probe
    move: int
    value: float
    shares: list[float]
    points: list[float]


def search_deep(
    game: Game, view: State, seat: int, random: Random, budget: Budget | None, style: Style
) -> Thought:
    """The best move of the deepest search that the budget allows."""
    demand(game, "a bot that searches", "rate", "appraise")
    start, budget = perf_counter(), budget or style.budget
    root = game.guess(view, seat, random)
    first = new_probe(game, root, seat, random_bits(random), style, budget.nodes)
    roots = first.desk["roots"][: swift(look_at_root, game.state)(first.states[0], first.desk)].tolist()
    best = _at_first_sight(first, root, seat, roots[0])
    threads = max(1, min(style.threads, style.widest - 1, len(roots) - 1, budget.nodes))
    probes = [first, *(new_probe(game, root, seat, 0, style, budget.nodes) for _ in range(threads - 1))]
    until, width = start + budget.milliseconds / 1000, style.widest
    look_now = swift(look_on, first.states.dtype)  # here, for it is this thread that may compile
    while True:
        deal(probes, roots[:width], best.move, width)
        left = budget.nodes - sum(int(probe.desk["nodes"]) for probe in probes)
        found = in_threads(deepen, probes, left, look_now, root, until)
        best = max((each for each, _ in found if each), key=lambda each: each.value, default=best)
        missed = len(roots) > width or any(probe.desk["missed"] for probe in probes)
        if not style.widens or width >= WIDEST or not missed or not all(done for _, done in found):
            break
        width = min(2 * width, WIDEST)
    return _conclude(best, root, seat, sum(int(probe.desk["nodes"]) for probe in probes))


def new_probe(game: Game, root: State, seat: int, seed: int, style: Style, nodes: int) -> Probe:
    """At the root, with a table for so many nodes."""
    desk = desk_for(DESK, style)
    bits = min(MOST_TABLE_BITS, nodes.bit_length() + 1)
    end_bits = min(MOST_END_BITS, bits)
    desk["seat"], desk["random"], desk["depth"] = seat, seed, 1
    desk["shift"], desk["end_shift"] = 64 - bits, 64 - end_bits
    stride = -(-game.state.itemsize // 8)
    words = np.zeros((DEEPEST + 2, stride), np.uint64)
    states = np.ndarray((DEEPEST + 2,), game.state, words.data, strides=(8 * stride,))
    states[0] = root
    frames, table, ends = (
        np.zeros(DEEPEST + 1, FRAME),
        np.zeros(1 << bits, ENTRY),
        np.zeros(1 << end_bits, END),
    )
    return Probe(frames, states, words, table, ends, desk)


def deal(probes: Sequence[Probe], roots: list[int], best: int, width: int) -> None:
    """Divide the moves of the root; all look at the best first, to measure the others by it."""
    others = [move for move in roots if move != best]
    for part, probe in enumerate(probes):
        own = [best, *others[part :: len(probes)]]
        probe.desk["roots"][: len(own)], probe.desk["count"], probe.desk["widest"] = own, len(own), width


def deepen(
    probe: Probe, nodes: int, look_now: Callable[..., bool], root: State, until: float
) -> tuple[Find | None, bool]:
    """Deeper and deeper while the budget lasts; the best move, if any, and whether all lines were seen to
    their ends.
    """
    frames, desk = probe.frames, probe.desk
    roots, most = desk["roots"][: desk["count"]], int(desk["nodes"]) + nodes
    found = None
    while desk["depth"] < DEEPEST:
        probe.states[0], frames[0] = root, np.zeros((), FRAME)
        frames[0]["alpha"], frames[0]["beta"], frames[0]["left"] = -np.inf, np.inf, desk["depth"]
        desk["level"] = desk["cut"] = desk["missed"] = 0
        finished = look_until(probe, look_now, most, until)
        if frames[0]["next"] > 1 or finished:  # what was best before has been looked at first
            found = _found(probe, int(root["seats"]))
            roots[:] = sorted(roots, key=lambda move: move != frames[0]["chosen"])
        if not finished or desk["cut"] == 0:
            return found, finished
        desk["depth"] += 1
    return found, False


def _found(probe: Probe, seats: int) -> Find:
    """The best so far, as the root has it."""
    frame = probe.frames[0]
    shares, points = frame["shares"][:seats].tolist(), frame["points"][:seats].tolist()
    return Find(probe, int(frame["chosen"]), float(frame["best"]), shares, points)


def look_until(probe: Probe, look_now: Callable[..., bool], most: int, until: float) -> bool:
    """Look on until the depth is done; False if the budget was spent before."""
    desk, begun = probe.desk, int(probe.desk["nodes"])
    clock = Clock(most - begun, until)
    while more := clock.next(int(desk["nodes"]) - begun):
        nodes = int(desk["nodes"]) + more
        if look_now(probe.frames, probe.states, probe.words, probe.table, probe.ends, desk, nodes):
            return True
    return False


def _at_first_sight(probe: Probe, root: State, seat: int, move: int) -> Find:
    """What a move would bring if all played on at first sight: better than nothing."""
    probe.states[1], desk, seats = root, probe.desk, int(root["seats"])
    value = float(swift(glance, probe.states.dtype)(probe.states, desk, seat, move))
    return Find(probe, move, value, desk["shares"][:seats].tolist(), desk["points"][:seats].tolist())


def _conclude(best: Find, root: State, seat: int, nodes: int) -> Thought:
    """What is expected after the best move."""
    probe = best.probe
    probe.states[0] = root
    follow_now = swift(follow, probe.states.dtype)
    ahead = int(follow_now(probe.states, probe.words, probe.table, probe.desk, seat, best.move, best.value))
    line = tuple((int(frame_seat), int(each)) for frame_seat, each in probe.desk["line"][:ahead])
    return Thought(best.move, tuple(best.shares), tuple(best.points), line, nodes)


@kernel
def look_at_root(state: State, desk: State) -> int:
    """Put the moves of the root on the desk, the best at first sight first; returns how many."""
    n = look(state, int(desk["seat"]), desk)
    n = best_first(desk["moves"], desk["rates"], n, WIDEST)
    for index in range(n):
        desk["roots"][index] = desk["moves"][index]
    return n


@kernel
def glance(states: NDArray[np.void], desk: State, seat: int, move: int) -> float:
    """What a move is worth at first sight, in the second state."""
    step(states[1], seat, move)
    simulate(states[1], desk)
    return value_of(states[1], desk)


@kernel
def look_on(
    frames: NDArray[np.void],
    states: NDArray[np.void],
    words: NDArray[np.uint64],
    table: NDArray[np.void],
    ends: NDArray[np.void],
    desk: State,
    most: int,
) -> bool:
    """Probe through the tree without recursion; it can be left after any node and entered again."""
    while desk["level"] >= 0:
        level = int(desk["level"])
        frame = frames[level]
        if frame["entered"] == 0:
            if desk["nodes"] >= most:
                return False
            desk["nodes"] += 1
            frame["entered"] = 1
            if enter(frames, states, words, table, ends, desk, level):
                leave(frames, desk, level)
                continue
        if frame["next"] < frame["count"] and frame["alpha"] < frame["beta"]:
            move = int(frame["moves"][frame["next"]])
            frame["next"] += 1
            states[level + 1] = states[level]
            step(states[level + 1], int(frame["seat"]), move)
            below = frames[level + 1]
            below["entered"] = 0
            below["alpha"] = frame["alpha"]
            below["beta"] = frame["beta"]
            below["left"] = frame["left"] - 1
            desk["level"] = level + 1
            continue
        if frame["more"] != 0 and frame["alpha"] < frame["beta"]:  # after a refutation they do not matter
            desk["missed"] += 1
        remember(frames, table, ends, desk, level)
        leave(frames, desk, level)
    return True


@kernel
def leave(frames: NDArray[np.void], desk: State, level: int) -> None:
    """Give the value of a state, and where its line leads, to the one before."""
    desk["level"] = level - 1
    if level == 0:
        return
    below = frames[level]
    value = below["best"]
    frame = frames[level - 1]
    if frame["seat"] == desk["seat"]:
        if value <= frame["best"]:
            return
        frame["alpha"] = max(frame["alpha"], value)
    else:
        if value >= frame["best"]:
            return
        frame["beta"] = min(frame["beta"], value)
    frame["best"] = value
    frame["chosen"] = frame["moves"][frame["next"] - 1]
    take_end(frame, below)


@kernel
def take_end(to: State, source: State) -> None:
    """Where a line leads, from one record to another."""
    for seat in range(MOST_SEATS):
        to["shares"][seat] = source["shares"][seat]
        to["points"][seat] = source["points"][seat]


@kernel
def enter(
    frames: NDArray[np.void],
    states: NDArray[np.void],
    words: NDArray[np.uint64],
    table: NDArray[np.void],
    ends: NDArray[np.void],
    desk: State,
    level: int,
) -> bool:
    """Whether a state has its value without looking deeper; else its moves are made ready."""
    frame = frames[level]
    state = states[level]
    mask = movers(state)
    if mask in (0, CHANCE_ONLY):
        frame["best"] = value_of(state, desk)
        take_end(frame, desk)
        return True
    if frame["left"] <= 0 or level >= DEEPEST:
        desk["cut"] += 1
        simulate(state, desk)
        frame["best"] = value_of(state, desk)
        take_end(frame, desk)
        return True
    seat = int(desk["seat"]) if level == 0 else first_seat(mask)  # several may move at once
    frame["seat"] = seat
    frame["next"] = 0
    frame["cut"] = desk["cut"]
    frame["missed"] = desk["missed"]
    frame["lower"] = frame["alpha"]
    frame["upper"] = frame["beta"]
    frame["best"] = -np.inf if seat == desk["seat"] else np.inf
    key = stamp_of(words[level])
    frame["key"] = key
    entry = table[place_of(key, int(desk["shift"]))]
    known = -1
    if entry["key"] == key:
        known = int(entry["move"])
        if level > 0 and settled(frame, entry, ends[place_of(key, int(desk["end_shift"]))], desk):
            return True
    if level == 0:
        take_roots(frame, desk)
    else:
        order_moves(frame, state, desk, seat, known, level)
    return False


@kernel
def settled(frame: State, entry: State, end: State, desk: State) -> bool:
    """Whether what is known of a state is enough: then it is its value."""
    if entry["left"] < frame["left"] or entry["width"] < desk["widest"]:
        return False
    value = float(entry["value"])
    if value <= frame["alpha"]:
        if entry["bound"] == AT_LEAST:
            return False
    elif value >= frame["beta"]:
        if entry["bound"] == AT_MOST:
            return False
    elif entry["bound"] != EXACT or end["key"] != entry["key"]:  # it may be the best: where does it lead?
        return False
    else:
        take_end(frame, end)
    if entry["left"] < SOLVED:
        desk["cut"] += 1
    if entry["width"] < SOLVED:
        desk["missed"] += 1
    frame["best"] = value
    return True


@kernel
def value_of(state: State, desk: State) -> float:
    judge(state, desk)
    own = int(desk["seat"])
    most = -np.inf
    for seat in range(state["seats"]):
        if seat != own:
            most = max(most, float(desk["points"][seat]))
    points = float(desk["points"][own])
    ahead = float(desk["margin"]) * (points - most)
    return float(desk["shares"][own]) + ahead + float(desk["greed"]) * points


@kernel
def take_roots(frame: State, desk: State) -> None:
    """The moves of the root are those on the desk."""
    frame["count"] = desk["count"]
    frame["more"] = 0
    for index in range(desk["count"]):
        frame["moves"][index] = desk["roots"][index]


@kernel
def order_moves(frame: State, state: State, desk: State, seat: int, known: int, level: int) -> None:
    """The best moves at first sight; before them the one that was best here before and the two that last
    refuted something on this level.
    """
    n = look(state, seat, desk)
    for index in range(n):
        move = desk["moves"][index]
        if move == known:
            desk["rates"][index] += 1000
        elif move == desk["killers"][level, 0] or move == desk["killers"][level, 1]:
            desk["rates"][index] += 2
    count = best_first(desk["moves"], desk["rates"], n, int(desk["widest"]))
    for index in range(count):
        frame["moves"][index] = desk["moves"][index]
    frame["count"] = count
    frame["more"] = 1 if count < n else 0


@kernel
def follow(
    states: NDArray[np.void],
    words: NDArray[np.uint64],
    table: NDArray[np.void],
    desk: State,
    seat: int,
    move: int,
    value: float,
) -> int:
    """Put a move and the line that gave it its value on the desk, as far as that is still known. Returns how
    many moves these are.
    """
    state = states[0]
    n = 0
    while n < DEEPEST:
        desk["line"][n, 0] = seat
        desk["line"][n, 1] = move
        n += 1
        step(state, seat, move)
        mask = movers(state)
        if mask in (0, CHANCE_ONLY):
            break
        key = stamp_of(words[0])
        entry = table[place_of(key, int(desk["shift"]))]
        if entry["key"] != key or entry["bound"] != EXACT or abs(float(entry["value"]) - value) > 1e-6:
            break
        seat = first_seat(mask)
        move = int(entry["move"])
    return n


@kernel
def place_of(key: int, shift: int) -> int:
    """Where in a table a state is looked for."""
    return int(key >> shift)


@kernel
def remember(
    frames: NDArray[np.void], table: NDArray[np.void], ends: NDArray[np.void], desk: State, level: int
) -> None:
    frame = frames[level]
    if frame["alpha"] >= frame["beta"] and desk["killers"][level, 0] != frame["chosen"]:
        desk["killers"][level, 1] = desk["killers"][level, 0]
        desk["killers"][level, 0] = frame["chosen"]
    entry = table[place_of(int(frame["key"]), int(desk["shift"]))]
    entry["key"] = frame["key"]
    entry["value"] = frame["best"]
    entry["move"] = frame["chosen"]
    entry["left"] = SOLVED if frame["cut"] == desk["cut"] else frame["left"]
    entry["width"] = SOLVED if frame["missed"] == desk["missed"] else desk["widest"]
    if frame["best"] >= frame["upper"]:
        entry["bound"] = AT_LEAST
    elif frame["best"] <= frame["lower"]:
        entry["bound"] = AT_MOST
    else:
        entry["bound"] = EXACT
        end = ends[place_of(int(frame["key"]), int(desk["end_shift"]))]
        end["key"] = frame["key"]
        take_end(end, frame)
