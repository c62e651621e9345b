"""Alpha-beta for any game that can appraise its states: deeper and deeper, as far as the next draw.

Where nothing is drawn for a while it may see to the end of that. All others are thought to play against the
seat. A node of the budget is one state looked at.
"""

from dataclasses import dataclass, field
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from mozaika.game import Budget, Game, Random, State, Thought
from mozaika.kernel import MOST_MOVES, kernel, movers, random_bits, swift
from mozaika.search.playout import CHANCE_ONLY, best_first, first_seat, judge, look, step
from mozaika.search.tree import SEATS, play_out, stamp_of

WIDEST = 64
DEEPEST = 64
TABLE_BITS = 18
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
        ("cut", np.int64),  # how many lines were not followed to a draw or to the end
        ("noise", np.float64),
        ("margin", np.float64),
        ("widest", np.int64),
        ("playout", np.int64),
        ("line", np.int32, (DEEPEST, 2)),  # seats and moves
        ("killers", np.int32, (DEEPEST + 1, 2)),
        ("shares", np.float64, (SEATS,)),
        ("points", np.float64, (SEATS,)),
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
    """What a point is worth, in shares of the victory, to who wins or loses anyway."""
    budget: Budget = field(default_factory=Budget)


def search_deep(
    game: Game, view: State, seat: int, random: Random, budget: Budget | None, style: Style
) -> Thought:
    """The best move of the deepest search that the budget allows."""
    start, budget = perf_counter(), budget or style.budget
    root = game.guess(view, seat, random)
    desk: State = np.zeros(1, DESK)[0]
    for name in ("widest", "playout", "margin"):
        desk[name] = getattr(style, name)
    desk["seat"], desk["random"] = seat, random_bits(random)
    stride = -(-game.state.itemsize // 8)
    words = np.zeros((DEEPEST + 2, stride), np.uint64)
    states = np.ndarray((DEEPEST + 2,), game.state, words.data, strides=(8 * stride,))
    frames, table = np.zeros(DEEPEST + 1, FRAME), np.zeros(1 << TABLE_BITS, ENTRY)
    until = start + budget.milliseconds / 1000
    chosen = game.legal_moves(root, seat)[0]
    for depth in range(1, DEEPEST):
        states[0], frames[0] = root, np.zeros((), FRAME)
        frames[0]["alpha"], frames[0]["beta"], frames[0]["left"] = -np.inf, np.inf, depth
        desk["level"] = desk["cut"] = 0
        finished = look_until(frames, states, words, table, desk, budget.nodes, until)
        if frames[0]["next"] > 1 or finished:  # the move that was best before has been looked at first
            chosen = int(frames[0]["chosen"])
        elif depth == 1 and frames[0]["count"]:
            chosen = int(frames[0]["moves"][0])
        if not finished or desk["cut"] == 0:
            break
    states[0] = root
    seats = int(root["seats"])
    ahead = int(swift(expect, states.dtype)(states, words, table, desk, seat, chosen))
    line = tuple((int(frame_seat), int(move)) for frame_seat, move in desk["line"][:ahead])
    shares, points = desk["shares"][:seats].tolist(), desk["points"][:seats].tolist()
    return Thought(chosen, tuple(shares), tuple(points), line, int(desk["nodes"]))


def look_until(
    frames: NDArray[np.void],
    states: NDArray[np.void],
    words: NDArray[np.uint64],
    table: NDArray[np.void],
    desk: State,
    most: int,
    until: float,
) -> bool:
    """Look on until the depth is done; False if the budget was spent before."""
    at_once, begun, start = 1, int(desk["nodes"]), perf_counter()
    look_now = swift(look_on, states.dtype)
    while desk["nodes"] < most:
        if look_now(frames, states, words, table, desk, min(most, int(desk["nodes"]) + at_once)):
            return True
        now = perf_counter()
        if now >= until:
            return False
        pace = (int(desk["nodes"]) - begun) / max(now - start, 1e-6)
        at_once = max(1, int(min(2 * at_once, pace * (until - now) / 8)))
    return False


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
    entry = table[place_of(key)]
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
    return float(desk["shares"][own]) + float(desk["margin"]) * (float(desk["points"][own]) - most)


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
        entry = table[place_of(key)]
        if entry["key"] != key:
            break
        seat = first_seat(mask)
        move = int(entry["move"])
    play_out(state, desk)
    judge(state, desk)
    return n


@kernel
def place_of(key: int) -> int:
    """Where in the table a state is looked for."""
    return int(key >> 64 - TABLE_BITS)


@kernel
def remember(frames: NDArray[np.void], table: NDArray[np.void], desk: State, level: int) -> None:
    frame = frames[level]
    if frame["alpha"] >= frame["beta"] and desk["killers"][level, 0] != frame["chosen"]:
        desk["killers"][level, 1] = desk["killers"][level, 0]
        desk["killers"][level, 0] = frame["chosen"]
    entry = table[place_of(int(frame["key"]))]
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
