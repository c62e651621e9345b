"""Alpha-beta for any game that can appraise its states: deeper and deeper, as far as the next draw.

Where nothing is drawn for a while it may see to the end of that. All others are thought to play against the
seat. A node of the budget is one state looked at.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from mozaika.game import Budget, Game, Random, State, Thought
from mozaika.kernel import MOST_MOVES, MOST_SEATS, kernel, movers, random_bits, swift
from mozaika.search.playout import CHANCE_ONLY, best_first, first_seat, judge, look, step
from mozaika.search.tree import desk_for, in_threads, play_out, stamp_of

WIDEST = 64
DEEPEST = 64
MOST_TABLE_BITS = 20
EXACT, AT_LEAST, AT_MOST = 1, 2, 3
SOLVED = 1_000
"""So deep is a search that has seen every line to its end."""

FRAME = np.dtype(
    [
        ("alpha", np.float64),
        ("beta", np.float64),
        ("best", np.float64),
        ("lower", np.float64),  # alpha and beta as they were at first
        ("upper", np.float64),
        ("left", np.int32),  # how many moves deeper to look
        ("cut", np.int64),  # how many lines had been cut before
        ("chosen", np.int32),
        ("next", np.int32),
        ("count", np.int32),
        ("seat", np.int8),
        ("entered", np.int8),
        ("key", np.uint64),
        ("moves", np.int32, (WIDEST,)),
    ]
)

ENTRY = np.dtype(
    [("key", np.uint64), ("value", np.float32), ("move", np.int32), ("left", np.int16), ("bound", np.int8)]
)

DESK = np.dtype(
    [
        ("random", np.uint64, (1,)),
        ("seat", np.int64),
        ("level", np.int64),
        ("nodes", np.int64),
        ("shift", np.int64),  # of a key, for its place in the table
        ("cut", np.int64),  # how many lines were not followed to a draw or to the end
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
class Walk:
    """One thread's way through the tree: a frame and a state for each level, its table and its desk."""

    frames: NDArray[np.void]
    states: NDArray[np.void]
    words: NDArray[np.uint64]
    table: NDArray[np.void]
    desk: State


def search_deep(
    game: Game, view: State, seat: int, random: Random, budget: Budget | None, style: Style
) -> Thought:
    """The best move of the deepest search that the budget allows."""
    game.demand("a bot that searches", "rate", "appraise")
    start, budget = perf_counter(), budget or style.budget
    root = game.guess(view, seat, random)
    first = new_walk(game, root, seat, random_bits(random), style, budget.nodes)
    roots = first.desk["roots"][: swift(look_at_root, game.state)(first.states[0], first.desk)].copy()
    threads = max(1, min(style.threads, len(roots) - 1, budget.nodes))
    walks = [first, *(new_walk(game, root, seat, 0, style, budget.nodes) for _ in range(threads - 1))]
    for part, walk in enumerate(walks):  # all look at what looks best, to measure the others by it
        own = [roots[0], *roots[1 + part :: threads]]
        walk.desk["roots"][: len(own)], walk.desk["count"] = own, len(own)
    until = start + budget.milliseconds / 1000
    look_now = swift(look_on, first.states.dtype)  # here, for it is this thread that may compile
    found = in_threads(deepen, walks, budget.nodes, look_now, root, until)
    best = max(range(threads), key=lambda part: found[part])
    return _conclude(walks[best], root, seat, found[best][1], sum(int(walk.desk["nodes"]) for walk in walks))


def new_walk(game: Game, root: State, seat: int, seed: int, style: Style, nodes: int) -> Walk:
    """At the root, with a table for so many nodes."""
    desk = desk_for(DESK, style)
    bits = min(MOST_TABLE_BITS, nodes.bit_length() + 1)
    desk["seat"], desk["random"], desk["shift"] = seat, seed, 64 - bits
    stride = -(-game.state.itemsize // 8)
    words = np.zeros((DEEPEST + 2, stride), np.uint64)
    states = np.ndarray((DEEPEST + 2,), game.state, words.data, strides=(8 * stride,))
    states[0] = root
    return Walk(np.zeros(DEEPEST + 1, FRAME), states, words, np.zeros(1 << bits, ENTRY), desk)


def deepen(
    walk: Walk, nodes: int, look_now: Callable[..., bool], root: State, until: float
) -> tuple[float, int]:
    """Deeper and deeper while the budget lasts; what the best move is worth, and the move."""
    frames, desk = walk.frames, walk.desk
    roots = desk["roots"][: desk["count"]]
    found = -np.inf, int(roots[0])
    for depth in range(1, DEEPEST):
        roots[:] = sorted(roots, key=lambda move: move != found[1])
        walk.states[0], frames[0] = root, np.zeros((), FRAME)
        frames[0]["alpha"], frames[0]["beta"], frames[0]["left"] = -np.inf, np.inf, depth
        desk["level"] = desk["cut"] = 0
        finished = look_until(walk, look_now, nodes, until)
        if frames[0]["next"] > 1 or finished:  # what was best before has been looked at first
            found = float(frames[0]["best"]), int(frames[0]["chosen"])
        if not finished or desk["cut"] == 0:
            break
    return found


def look_until(walk: Walk, look_now: Callable[..., bool], most: int, until: float) -> bool:
    """Look on until the depth is done; False if the budget was spent before."""
    desk = walk.desk
    at_once, begun, start = 1, int(desk["nodes"]), perf_counter()
    while desk["nodes"] < most:
        nodes = min(most, int(desk["nodes"]) + at_once)
        if look_now(walk.frames, walk.states, walk.words, walk.table, desk, nodes):
            return True
        now = perf_counter()
        if now >= until:
            return False
        pace = (int(desk["nodes"]) - begun) / max(now - start, 1e-6)
        at_once = max(1, int(min(2 * at_once, pace * (until - now) / 8)))
    return False


def _conclude(walk: Walk, root: State, seat: int, move: int, nodes: int) -> Thought:
    """What is expected after a move."""
    walk.states[0] = root
    desk, seats = walk.desk, int(root["seats"])
    ahead = int(swift(expect, walk.states.dtype)(walk.states, walk.words, walk.table, desk, seat, move))
    line = tuple((int(frame_seat), int(each)) for frame_seat, each in desk["line"][:ahead])
    shares, points = desk["shares"][:seats].tolist(), desk["points"][:seats].tolist()
    return Thought(move, tuple(shares), tuple(points), line, nodes)


@kernel
def look_at_root(state: State, desk: State) -> int:
    """Put the moves of the root on the desk, the best at first sight first; returns how many."""
    n = look(state, int(desk["seat"]), desk)
    n = best_first(desk["moves"], desk["rates"], n, int(desk["widest"]))
    for index in range(n):
        desk["roots"][index] = desk["moves"][index]
    return n


@kernel
def look_on(
    frames: NDArray[np.void],
    states: NDArray[np.void],
    words: NDArray[np.uint64],
    table: NDArray[np.void],
    desk: State,
    most: int,
) -> bool:
    """Walk through the tree without recursion; it can be left after any node and entered again."""
    while desk["level"] >= 0:
        level = int(desk["level"])
        frame = frames[level]
        if frame["entered"] == 0:
            if desk["nodes"] >= most:
                return False
            desk["nodes"] += 1
            frame["entered"] = 1
            if enter(frames, states, words, table, desk, level):
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
        remember(frames, table, desk, level)
        leave(frames, desk, level)
    return True


@kernel
def leave(frames: NDArray[np.void], desk: State, level: int) -> None:
    """Give the value of a state to the one before."""
    desk["level"] = level - 1
    if level == 0:
        return
    value = frames[level]["best"]
    frame = frames[level - 1]
    if frame["seat"] == desk["seat"]:
        if value > frame["best"]:
            frame["best"] = value
            frame["chosen"] = frame["moves"][frame["next"] - 1]
            frame["alpha"] = max(frame["alpha"], value)
    elif value < frame["best"]:
        frame["best"] = value
        frame["chosen"] = frame["moves"][frame["next"] - 1]
        frame["beta"] = min(frame["beta"], value)


@kernel
def enter(
    frames: NDArray[np.void],
    states: NDArray[np.void],
    words: NDArray[np.uint64],
    table: NDArray[np.void],
    desk: State,
    level: int,
) -> bool:
    """Whether a state has its value without looking deeper; else its moves are made ready."""
    frame = frames[level]
    state = states[level]
    mask = movers(state)
    if mask in (0, CHANCE_ONLY):
        frame["best"] = value_of(state, desk)
        return True
    if frame["left"] <= 0 or level >= DEEPEST:
        desk["cut"] += 1
        play_out(state, desk)
        frame["best"] = value_of(state, desk)
        return True
    seat = int(desk["seat"]) if level == 0 else first_seat(mask)  # several may move at once
    frame["seat"] = seat
    frame["next"] = 0
    frame["cut"] = desk["cut"]
    frame["lower"] = frame["alpha"]
    frame["upper"] = frame["beta"]
    frame["best"] = -np.inf if seat == desk["seat"] else np.inf
    key = stamp_of(words[level])
    frame["key"] = key
    entry = table[place_of(key, desk)]
    known = -1
    if entry["key"] == key:
        known = int(entry["move"])
        if level > 0 and entry["left"] >= frame["left"]:
            value = float(entry["value"])
            bound = entry["bound"]
            if (
                bound == EXACT
                or (bound == AT_LEAST and value >= frame["beta"])
                or (bound == AT_MOST and value <= frame["alpha"])
            ):
                if entry["left"] < SOLVED:
                    desk["cut"] += 1
                frame["best"] = value
                return True
    if level == 0:
        take_roots(frame, desk)
    else:
        order_moves(frame, state, desk, seat, known, level)
    return False


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


@kernel
def expect(
    states: NDArray[np.void],
    words: NDArray[np.uint64],
    table: NDArray[np.void],
    desk: State,
    seat: int,
    move: int,
) -> int:
    """Play a move and the best answers that are known, and appraise what comes of it. Returns how many moves
    were expected.
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
        entry = table[place_of(key, desk)]
        if entry["key"] != key:
            break
        seat = first_seat(mask)
        move = int(entry["move"])
    play_out(state, desk)
    judge(state, desk)
    return n


@kernel
def place_of(key: int, desk: State) -> int:
    """Where in the table a state is looked for."""
    return int(key >> int(desk["shift"]))


@kernel
def remember(frames: NDArray[np.void], table: NDArray[np.void], desk: State, level: int) -> None:
    frame = frames[level]
    if frame["alpha"] >= frame["beta"] and desk["killers"][level, 0] != frame["chosen"]:
        desk["killers"][level, 1] = desk["killers"][level, 0]
        desk["killers"][level, 0] = frame["chosen"]
    entry = table[place_of(int(frame["key"]), desk)]
    entry["key"] = frame["key"]
    entry["value"] = frame["best"]
    entry["move"] = frame["chosen"]
    entry["left"] = SOLVED if frame["cut"] == desk["cut"] else frame["left"]
    if frame["best"] >= frame["upper"]:
        entry["bound"] = AT_LEAST
    elif frame["best"] <= frame["lower"]:
        entry["bound"] = AT_MOST
    else:
        entry["bound"] = EXACT
