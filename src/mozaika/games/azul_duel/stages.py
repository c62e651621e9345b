"""A move of Azul Duel in stages: tiles and a line; a plate, its slot and its turn; a space and its chips."""

from mozaika.games.azul_duel.chips import can_complete, can_pay
from mozaika.games.azul_duel.dome import free_columns
from mozaika.games.azul_duel.factories import legal_orders, on_moon
from mozaika.games.azul_duel.lines import open_lines
from mozaika.games.azul_duel.pieces import (
    ACQUIRE,
    CHIP_SHOWS,
    CHIP_TAKES,
    CHIP_TYPES,
    CHIPS_A_ROUND,
    CHIPS_OF_A_TYPE,
    CHOICE,
    DRAW,
    DRAWING,
    FACE_UP,
    LINES,
    MOON,
    ORDERS,
    PAYMENTS,
    PLACINGS,
    PLATES,
    RETURN,
    RETURNS,
    SMALL,
    STACK,
    STACKS,
    STAYS,
    TARGETS,
    TILING,
    TILINGS,
)
from mozaika.games.azul_duel.plates import set_of_hand, stack_height
from mozaika.games.azul_duel.rules import movers
from mozaika.kernel import kernel, list_bits
from mozaika.stages import Stage, Stages
from mozaika.state import CHANCE, Ints, State
from mozaika.words import later

SLOTS, QUARTER_TURNS = 9, 4
PAID = 1 + CHIPS_OF_A_TYPE
"""How many chips of a type can pay: none, one or two."""
PARTS = (
    Stage(
        "tiles",
        PLACINGS // TARGETS,
        later("Take all tiles of one colour, from a sun side or from all moon sides."),
        ("sun-*", "large-*", "moon-*", "top-*"),
    ),
    Stage("target", TARGETS, later("Choose a line for {chosen}."), ("line-*", "broken"), last=True),
    Stage("plate", PLATES, later("Choose a plate."), ("plate-*",), 0),
    Stage(
        "slot",
        SLOTS,
        later("Choose where the plate goes; turn it first if you like."),
        ("slot-*", "plate-*"),
    ),
    Stage("turn", QUARTER_TURNS, later("Choose which way round the plate lies."), ("turn-*",), last=True),
    Stage("stack", 2, later("Draw a plate from the stack, or stop and look."), ("stack", "stop"), last=True),
    Stage(
        "return",
        PLATES,
        later("Put the other plates back under the stack: point at the uppermost first."),
        ("back-*",),
        last=True,
    ),
    Stage("chip", SMALL, later("Take a chip that lies face up."), ("chip-*",), last=True),
    Stage(
        "order",
        ORDERS,
        later("Stack the rest: point at the tile for the bottom first."),
        ("rest-*",),
        last=True,
    ),
    Stage(
        "space",
        LINES * LINES,
        later("Choose a space of your dome for the tile. A line that lacks tiles may also stay."),
        ("space-*", "stay-*"),
    ),
    Stage("stay", LINES, last=True),
    Stage("payment", CHIP_TYPES * PAID, later("Choose the chips that pay."), ("store-*",)),
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
def length_of(first: int) -> int:
    """How many choices a move has that begins with this one."""
    if first < TARGET_AT:
        return 2
    if first < SLOT_AT:
        return 3
    return LONGEST if SPACE_AT <= first < STAY_AT else 1


@kernel
def choices(state: State, seat: int, made: Ints, n: int, out: Ints) -> int:
    """What comes next in the legal moves that begin with the choices made."""
    if seat == CHANCE or movers(state) >> seat & 1 == 0 or (n > 0 and n == length_of(int(made[0]))):
        return 0
    phase = state["phase"]
    if phase == TILING:
        return tiling_choices(state, seat, made, n, out)
    if n > 0:
        return later_choices(state, seat, int(made[0]), n, out)
    if phase == ACQUIRE:
        return actions(state, seat, out)
    if phase == STACK:
        count = legal_orders(state, out)
        for index in range(count):
            out[index] += ORDER_AT - STACKS
        return count
    if phase == DRAWING:
        return list_bits(0b11, STACK_AT, out)
    if phase == RETURN:
        return list_bits(set_of_hand(state) >> 1, RETURN_AT, out)
    plates = set_of_hand(state) if phase == CHOICE else shown_plates(state)
    return list_bits(plates >> 1, PLATE_AT, out) if empty_slots(state, seat) else 0


@kernel
def actions(state: State, seat: int, out: Ints) -> int:
    """AD-1: tiles that can be taken, plates, the stack, chips."""
    n = list_bits(tiles_on_offer(state), TILES_AT, out)
    if state["tokens"][seat] > 0:
        if empty_slots(state, seat):  # AD-A2
            n += list_bits(shown_plates(state) >> 1, PLATE_AT, out[n:])
        if stack_height(state) > 0:  # AD-A3
            out[n] = STACK_AT
            n += 1
    if state["chosen"][seat] < CHIPS_A_ROUND:  # AD-D1
        for factory in range(SMALL):
            if state["chip"][factory] >= FACE_UP:
                out[n] = CHIP_AT + factory
                n += 1
    return n


@kernel
def tiles_on_offer(state: State) -> int:
    """AD-T1, AD-T3: bit 5 * source + colour; the moon sides are one source."""
    tiles = 0
    for color in range(5):
        for source in range(MOON):
            if state["sun"][source, color] > 0:
                tiles |= 1 << 5 * source + color
        if on_moon(state, color):
            tiles |= 1 << 5 * MOON + color
    return tiles


@kernel
def later_choices(state: State, seat: int, first: int, n: int, out: Ints) -> int:
    """A target for tiles; a slot for a plate, then its turn."""
    if first < TARGET_AT:
        fits = open_lines(state, seat) >> TARGETS * ((first - TILES_AT) % 5)
        return list_bits(fits & (1 << TARGETS) - 1, TARGET_AT, out)
    if n == 1:
        return list_bits(empty_slots(state, seat), SLOT_AT, out)
    return list_bits((1 << QUARTER_TURNS) - 1, TURN_AT, out)


@kernel
def shown_plates(state: State) -> int:
    plates = 0
    for index in range(3):
        plates |= 1 << int(state["shown"][index])
    return plates & ~1


@kernel
def empty_slots(state: State, seat: int) -> int:
    slots = 0
    for slot in range(SLOTS):
        if state["slot_plate"][seat, slot] == 0:
            slots |= 1 << slot
    return slots


@kernel
def tiling_choices(state: State, seat: int, made: Ints, n: int, out: Ints) -> int:
    """AD-W1: a complete line needs no chips; AD-W4: another may stay, or chips pay for it, type by type."""
    row = int(state["next_line"][seat])
    missing = row + 1 - int(state["line_count"][seat, row])
    color = int(state["line_color"][seat, row])
    if n > 0:
        return chip_choices(state, seat, color, missing, n - 1, made, out)
    count = 0
    if missing == 0 or can_pay(state, seat, color, missing):
        count = list_bits(free_columns(state, seat, row, color), SPACE_AT + row * LINES, out)
    if missing > 0:
        out[count] = STAY_AT + row
        count += 1
    return count


@kernel
def chip_choices(state: State, seat: int, color: int, missing: int, chip: int, made: Ints, out: Ints) -> int:
    """AD-W4: how many chips of a type can pay, after those of the types before it."""
    chips = 0
    matching = 0
    for before in range(chip):
        count = (int(made[1 + before]) - PAY_AT) % PAID
        chips += count
        if CHIP_SHOWS[before] >> color & 1:
            matching += count
    more = 0
    more_matching = 0
    for after in range(chip + 1, CHIP_TYPES):
        if CHIP_SHOWS[after] >> color & 1:
            more_matching += int(state["store"][seat, after])
        else:
            more += int(state["store"][seat, after])
    own = 1 if CHIP_SHOWS[chip] >> color & 1 else 0
    n = 0
    for count in range(int(state["store"][seat, chip]) + 1 if missing > 0 else 1):
        if can_complete(chips + count, matching + own * count, more, more_matching, missing):
            out[n] = PAY_AT + chip * PAID + count
            n += 1
    return n


STAGES = Stages(
    parts=PARTS,
    longest=LONGEST,
    split=split,
    choices=choices,
    join=join,
    several=later(
        "Take tiles from a sun side or from all moon sides, or choose a plate or a chip that is lit."
    ),
    regret=("broken", later("Careful: {n} would break.")),
)
