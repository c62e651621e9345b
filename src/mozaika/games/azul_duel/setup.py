"""The set-up of Azul Duel: the objectives that are wished for, the start player, the options of a game."""

import numpy as np

from mozaika.games.azul_duel.pieces import (
    AIM,
    ALL_PLATES,
    BY_CHANCE,
    CHIPS_OF_A_TYPE,
    CHOOSE,
    FIRST_GAME,
    LINES,
    OBJECTIVES,
    ON_LARGE,
    OUT,
    PLATES,
    REFILL,
    START_POINTS,
    STATE,
    TILES_PER_COLOR,
    TOKENS,
    DuelOptions,
)
from mozaika.kernel import kernel
from mozaika.options import BadOption
from mozaika.state import State
from mozaika.words import later


def new(seats: int, options: DuelOptions) -> State:
    """A game before anything is drawn."""
    state: State = np.zeros(1, STATE)[0]
    state["seats"] = seats
    state["round"] = 1
    state["marker"] = ON_LARGE
    state["bag"][:] = TILES_PER_COLOR
    state["chips"][:] = CHIPS_OF_A_TYPE
    state["left"][:] = PLATES // 2
    state["unseen"] = ALL_PLATES
    state["tokens"][:] = TOKENS
    state["next_line"][:] = LINES
    state["score"][:] = START_POINTS  # AD-B4
    _read_wishes(state, options)
    if options.start == "random":
        _settle_objectives(state, CHOOSE)
    else:
        state["starter"] = int(options.start) - 1
        state["turn"] = 1 - state["starter"]
        _settle_objectives(state, REFILL)
    return state


def _read_wishes(state: State, options: DuelOptions) -> None:
    """AD-S1: three or four of the four objective plates, each with one of its sides."""
    wishes = (options.plate_1, options.plate_2, options.plate_3, options.plate_4)
    number = 3
    if options.objectives == "first_game":
        if wishes not in (("random",) * 4, FIRST_GAME):
            raise BadOption(later("A first game has its objectives; leave the plates random."))
        wishes = FIRST_GAME  # type: ignore[assignment]
    else:
        number = int(options.objectives)
    fixed = sum(wish not in ("random", "out") for wish in wishes)
    out = wishes.count("out")
    if not fixed <= number <= 4 - out:
        sentence = later("There shall be {number} objectives, but {fixed} are chosen and {out} are left out.")
        raise BadOption(sentence, number=number, fixed=fixed, out=out)
    state["number"] = number
    for plate, wish in enumerate(wishes):
        sides = ("random", *OBJECTIVES[2 * plate : 2 * plate + 2], "out")
        state["wishes"][plate] = sides.index(wish)


def _settle_objectives(state: State, phase: int) -> None:
    """Where only one set of objectives fits the wishes, nothing is drawn."""
    fitting = [mask for mask in range(256) if fits_wishes(state, mask)]
    if len(fitting) == 1:
        set_objectives(state, fitting[0])
        state["phase"] = phase
    else:
        state["phase"] = AIM


@kernel
def set_objectives(state: State, mask: int) -> None:
    state["objectives"] = mask
    state["number"] = 0
    state["wishes"][:] = BY_CHANCE


def options_of(state: State) -> dict[str, str]:
    """Who started no longer matters."""
    if state["number"]:
        numbers = {"objectives": str(state["number"])}
        for plate in range(4):
            sides = ("random", *OBJECTIVES[2 * plate : 2 * plate + 2], "out")
            numbers[f"plate_{plate + 1}"] = sides[state["wishes"][plate]]
        return numbers
    sides_shown = [
        next((OBJECTIVES[side] for side in (2 * n, 2 * n + 1) if state["objectives"] >> side & 1), "out")
        for n in range(4)
    ]
    plates = {f"plate_{n + 1}": side for n, side in enumerate(sides_shown)}
    return {"objectives": str(4 - sides_shown.count("out")), **plates}


@kernel
def fits_wishes(state: State, mask: int) -> bool:
    """AD-S1: so many plates, and never both sides of one."""
    number = 0
    for plate in range(4):
        sides = mask >> 2 * plate & 3
        wish = state["wishes"][plate]
        if sides == 3 or (wish == OUT and sides != 0):
            return False
        if wish not in (BY_CHANCE, OUT) and sides != wish:
            return False
        if sides != 0:
            number += 1
    return bool(number == state["number"])
