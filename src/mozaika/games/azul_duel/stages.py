"""A move of Azul Duel in stages: tiles and a line; a plate, its slot and its turn; a space and its chips."""

import numpy as np

from mozaika.games.azul_duel.pieces import (
    CHIP_TAKES,
    CHIP_TYPES,
    CHIPS_OF_A_TYPE,
    DRAW,
    LINES,
    MOST_MOVES,
    ORDERS,
    PAYMENTS,
    PLACINGS,
    PLATES,
    RETURNS,
    SMALL,
    STACKS,
    STAYS,
    TARGETS,
    TILINGS,
)
from mozaika.games.azul_duel.rules import legal
from mozaika.kernel import kernel
from mozaika.stages import Stage, Stages
from mozaika.state import CHANCE, Ints, State

SLOTS, QUARTER_TURNS = 9, 4
PAID = 1 + CHIPS_OF_A_TYPE
"""How many chips of a type can pay: none, one or two."""
PARTS = (
    Stage("tiles", PLACINGS // TARGETS),
    Stage("target", TARGETS),
    Stage("plate", PLATES),
    Stage("slot", SLOTS),
    Stage("turn", QUARTER_TURNS),
    Stage("stack", 2),
    Stage("return", PLATES),
    Stage("chip", SMALL),
    Stage("order", ORDERS),
    Stage("space", LINES * LINES),
    Stage("stay", LINES),
    Stage("payment", CHIP_TYPES * PAID),
)
(
    TILES_AT,
    TARGET_AT,
    PLATE_AT,
    SLOT_AT,
    TURN_AT,
    STACK_AT,
    RETURN_AT,
    CHIP_AT,
    ORDER_AT,
    SPACE_AT,
    STAY_AT,
    PAY_AT,
) = (sum(part.size for part in PARTS[:number]) for number in range(len(PARTS)))
LONGEST = 1 + CHIP_TYPES
SIZE = sum(part.size for part in PARTS)


@kernel
def split(move: int, out: Ints) -> int:
    n = 1
    if move >= STAYS:
        out[0] = STAY_AT + move - STAYS
    elif move >= TILINGS:
        row, place = divmod(move - TILINGS, PAYMENTS * LINES)
        payment, column = divmod(place, LINES)
        out[0] = SPACE_AT + row * LINES + column
        for chip in range(CHIP_TYPES):
            out[1 + chip] = PAY_AT + chip * PAID + payment % PAID
            payment //= PAID
        n = LONGEST
    elif move >= STACKS:
        out[0] = ORDER_AT + move - STACKS
    elif move >= CHIP_TAKES:
        out[0] = CHIP_AT + move - CHIP_TAKES
    elif move >= RETURNS:
        out[0] = RETURN_AT + move - RETURNS
    elif move >= DRAW:
        out[0] = STACK_AT + move - DRAW
    elif move >= PLACINGS:
        place = move - PLACINGS
        out[0] = PLATE_AT + place // (SLOTS * QUARTER_TURNS)
        out[1] = SLOT_AT + place // QUARTER_TURNS % SLOTS
        out[2] = TURN_AT + place % QUARTER_TURNS
        n = 3
    else:
        out[0] = TILES_AT + move // TARGETS
        out[1] = TARGET_AT + move % TARGETS
        n = 2
    return n


@kernel
def join(state: State, made: Ints, n: int) -> int:
    first = int(made[0])
    move = 0
    if first >= STAY_AT:
        move = STAYS + first - STAY_AT
    elif first >= SPACE_AT:
        row, column = divmod(first - SPACE_AT, LINES)
        payment = 0
        for chip in range(CHIP_TYPES - 1, -1, -1):
            payment = payment * PAID + (int(made[1 + chip]) - PAY_AT) % PAID
        move = TILINGS + (row * PAYMENTS + payment) * LINES + column
    elif first >= ORDER_AT:
        move = STACKS + first - ORDER_AT
    elif first >= CHIP_AT:
        move = CHIP_TAKES + first - CHIP_AT
    elif first >= RETURN_AT:
        move = RETURNS + first - RETURN_AT
    elif first >= STACK_AT:
        move = DRAW + first - STACK_AT
    elif first >= PLATE_AT:
        slot = (first - PLATE_AT) * SLOTS + int(made[1]) - SLOT_AT
        move = PLACINGS + slot * QUARTER_TURNS + int(made[2]) - TURN_AT
    else:
        move = (first - TILES_AT) * TARGETS + int(made[1]) - TARGET_AT
    return move


@kernel
def choices(state: State, seat: int, made: Ints, n: int, out: Ints) -> int:
    """What comes next in the legal moves that begin with the choices made."""
    if seat == CHANCE:
        return 0
    moves = np.empty(MOST_MOVES, np.int32)
    parts = np.empty(LONGEST, np.int32)
    found = np.zeros(SIZE, np.uint8)
    for index in range(legal(state, seat, moves)):
        length = split(int(moves[index]), parts)
        same = n < length
        for place in range(n):
            same = same and parts[place] == made[place]
        if same:
            found[parts[n]] = 1
    count = 0
    for choice in range(SIZE):
        if found[choice]:
            out[count] = choice
            count += 1
    return count


STAGES = Stages(parts=PARTS, longest=LONGEST, split=split, choices=choices, join=join)
