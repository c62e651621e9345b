"""A game in one file, as somebody else might bring it: take one or two pebbles; who takes the last one wins.

It has no `promise`, no `rate`, no `appraise`, no catalogues, and ends after a few moves.
"""

from pathlib import Path

import numpy as np

from mozaika.game import Game, Ints, Options, Sentence, Shape, State
from mozaika.kernel import kernel
from mozaika.scene import Scene, Spot, Sprite, Walk
from mozaika.search.simple import greedy, random_mover
from mozaika.words import Words

STATE = np.dtype([("seats", np.int8), ("pile", np.int8), ("turn", np.int8), ("pebbles", np.int8)])


def new(seats: int, options: Options) -> State:
    state = np.zeros(1, STATE)[0]
    state["seats"], state["pile"] = seats, 5
    return state


@kernel
def movers(state: State) -> int:
    return 1 << int(state["turn"]) if state["pile"] > 0 else 0


@kernel
def legal(state: State, seat: int, out: Ints) -> int:
    if state["pile"] == 0 or state["turn"] != seat:
        return 0
    most = min(2, int(state["pile"]))
    for index in range(most):
        out[index] = index + 1
    return most


@kernel
def weigh(state: State, out: Ints) -> int:
    return 0


@kernel
def apply(state: State, seat: int, move: int) -> None:
    state["pile"] -= move
    state["turn"] = 1 - seat


@kernel
def scores(state: State, out: Ints) -> None:
    for seat in range(2):
        out[seat] = 1 if state["pile"] == 0 and state["turn"] != seat else 0


@kernel
def ranks(state: State, out: Ints) -> None:
    for seat in range(2):
        out[seat] = 2 if state["pile"] == 0 and state["turn"] == seat else 1


def parse_move(text: str) -> int:
    if text not in ("take 1", "take 2"):
        raise ValueError("Take 1 or take 2.")
    return int(text[-1])


def parse_position(text: str) -> State:
    _, pile, turn = text.split()
    state = new(2, Options())
    state["pile"], state["turn"] = int(pile), int(turn) - 1
    return state


def tell(state: State, seat: int, move: int, viewer: int, words: Words) -> list[Sentence]:
    return [Sentence(f"takes {move}", "PB-T1", seat)]


def scene(view: State, seat: int, names: tuple[str, ...], words: Words, shape: Shape) -> Scene:
    spots = tuple(Spot(f"p{n}", 20.0 * n, 0, 18, 18, f"take {n}") for n in (1, 2))
    moves = range(1, 1 + min(2, int(view["pile"]))) if view["turn"] == seat else ()
    walks = tuple(Walk(f"take {n}", (f"p{n}",), (), 0) for n in moves)
    sprites = tuple(Sprite("pebble", 20.0 * n, 0, 18) for n in range(int(view["pile"])))
    symbol = '<symbol id="pebble" viewBox="0 0 1 1"><circle cx=".5" cy=".5" r=".5"/></symbol>'
    return Scene(120, 20, "Pebbles", "", "", symbol, "<g/>", sprites, (), spots, walks)


GAME = Game(
    id="pebbles",
    name="Pebbles",
    version=1,
    sentence="Take the last one.",
    seats=range(2, 3),
    options=Options,
    labels={},
    variants=({},),
    state=STATE,
    most_moves=2,
    new=new,
    options_of=lambda state: {},
    movers=movers,
    legal=legal,
    weigh=weigh,
    apply=apply,
    scores=scores,
    ranks=ranks,
    why_not=lambda state, seat, move: "PB-T1",
    refusals={"PB-T1": "It is not your turn, or there are too few."},
    hide=lambda state, seat: state.copy(),
    guess=lambda view, seat, random: view.copy(),
    write_move=lambda move: f"take {move}",
    parse_move=parse_move,
    write_position=lambda state: f"pebbles {state['pile']} {state['turn'] + 1}",
    parse_position=parse_position,
    tell=tell,
    tally=lambda state, words: [("last pebble", [int(state["turn"] == 1), int(state["turn"] == 0)])],
    sketch=lambda view, names, words: "o" * int(view["pile"]),
    scene=scene,
    move_along=lambda spots: parse_move(f"take {spots[0][1:]}"),
    bots={"random": random_mover, "wishful": greedy},
    folder=Path(__file__).parent,
)
