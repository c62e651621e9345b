"""A small game as somebody else might bring it: rules, notation and a sketch, nothing more.

Take up to three pebbles from a heap; each is a point, and the last of a heap three.
"""

import re

import numpy as np

from mozaika import CHANCE, Game
from mozaika.kernel import kernel

HEAPS, LARGEST, MOST = 3, 7, 3
STATE = np.dtype(
    [
        ("seats", np.int8),
        ("drawn", np.int8),  # heaps whose size is known
        ("heaps", np.int8, (HEAPS,)),
        ("turn", np.int8),
        ("points", np.int8, (4,)),
    ]
)


def new(seats, options):
    state = np.zeros(1, STATE)[0]
    state["seats"] = seats
    return state


@kernel
def movers(state):
    if state["drawn"] < HEAPS:
        return 1 << CHANCE
    return 1 << int(state["turn"]) if state["heaps"].sum() > 0 else 0


@kernel
def legal(state, seat, out):
    n = 0
    if movers(state) >> seat & 1 == 0:
        return 0
    if seat == CHANCE:
        for size in range(1, LARGEST + 1):
            out[n] = 100 + size
            n += 1
        return n
    for heap in range(HEAPS):
        for number in range(1, min(MOST, int(state["heaps"][heap])) + 1):
            out[n] = heap * 10 + number
            n += 1
    return n


@kernel
def apply(state, seat, move):
    if seat == CHANCE:
        state["heaps"][state["drawn"]] = move - 100
        state["drawn"] += 1
        return
    heap, number = move // 10, move % 10
    state["heaps"][heap] -= number
    state["points"][seat] += number + (2 if state["heaps"][heap] == 0 else 0)
    state["turn"] = (seat + 1) % int(state["seats"])


@kernel
def scores(state, out):
    for seat in range(int(state["seats"])):
        out[seat] = state["points"][seat]


def write_move(move):
    return f"a heap of {move - 100}" if move > 100 else f"{move % 10} from {'ABC'[move // 10]}"


def parse_move(text):
    if found := re.fullmatch(r"([1-3]) from ([a-c])", text.lower()):
        return "abc".index(found[2]) * 10 + int(found[1])
    if found := re.fullmatch(r"a heap of ([1-7])", text.lower()):
        return 100 + int(found[1])
    raise ValueError(f"“{text}” is not a move such as “2 from A”.")


def write_position(state):
    heaps, points = ("/".join(map(str, state[field])) for field in ("heaps", "points"))
    return f"pebbles {state['seats']} {state['drawn']} {heaps} {state['turn'] + 1} {points}"


def parse_position(text):
    if not re.fullmatch(r"pebbles [2-4] [0-3] [0-7]/[0-7]/[0-7] [1-4] (\d\d?/){3}\d\d?", text):
        raise ValueError("A position is written: pebbles SEATS DRAWN HEAPS TURN POINTS.")
    _, seats, drawn, heaps, turn, points = text.split()
    if int(turn) > int(seats):
        raise ValueError(f"There is no seat {turn}.")
    return np.array([(seats, drawn, heaps.split("/"), int(turn) - 1, points.split("/"))], STATE)[0]


def sketch(view, names, words):
    heaps = [f"{'ABC'[heap]}  [#3A86C8]{'o ' * int(view['heaps'][heap])}[/]" for heap in range(HEAPS)]
    seats = [f"{name}: {view['points'][seat]}" for seat, name in enumerate(names)]
    return "\n".join([*heaps, "", *seats])


GAME = Game(
    id="pebbles", name="Pebbles", seats=range(2, 5), state=STATE, most_moves=9,
    new=new, movers=movers, legal=legal, apply=apply, scores=scores, sketch=sketch,
    write_move=write_move, parse_move=parse_move,
    write_position=write_position, parse_position=parse_position,
)  # fmt: skip
