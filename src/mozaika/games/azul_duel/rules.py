"""The rules of Azul Duel, each decided where its id stands. No dice here: CHANCE draws.

Plates nobody has seen have no place in the stack: what back comes up next is drawn when it comes up, and the
face when it is turned. Only plates put back under the stack lie there in their order.
"""

import numpy as np

from mozaika.game import CHANCE, BadOption, Ints, State
from mozaika.games.azul_duel.pieces import (
    ACQUIRE,
    AIM,
    AIMS,
    ALL_PLATES,
    ALL_WILD,
    BACKS,
    BROKEN,
    BY_CHANCE,
    CHIP_SHOWS,
    CHIP_TAKES,
    CHIP_TYPES,
    CHIPS_A_ROUND,
    CHIPS_OF_A_TYPE,
    CHOICE,
    CHOOSE,
    COLUMNS,
    CORNERS,
    DEAL,
    DEALT,
    DIAGONALS,
    DRAW,
    DRAWING,
    EDGE,
    FACE_DOWN,
    FACE_UP,
    FACES,
    FIRST_GAME,
    FIVE_COLORS,
    HAND,
    KIND,
    LARGE,
    LARGE_TILES,
    LAST_PLATES,
    LINES,
    LOOK,
    MARKER_PENALTY,
    MOON,
    NO_CHIP,
    OBJECTIVES,
    OF_KIND,
    ON_LARGE,
    OUT,
    OVER,
    PAYMENTS,
    PENALTIES,
    PLACINGS,
    PLATES,
    REFILL,
    REST_ORDERS,
    RETURN,
    RETURNS,
    ROUNDS,
    ROWS,
    SETUP,
    SMALL,
    SMALL_TILES,
    SPACES,
    SPECIAL,
    SPECIAL_BACK,
    STACK,
    STACKS,
    START_POINTS,
    STARTS,
    STATE,
    STAYS,
    STOP,
    TARGETS,
    TILE_SPECIAL,
    TILES,
    TILES_PER_COLOR,
    TILING,
    TILINGS,
    TOKENS,
    TURNS,
    UNDER,
    WILD,
    DuelOptions,
)
from mozaika.kernel import kernel
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
        _set_objectives(state, fitting[0])
        state["phase"] = phase
    else:
        state["phase"] = AIM


@kernel
def _set_objectives(state: State, mask: int) -> None:
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


@kernel
def wants_back(state: State) -> bool:
    """AD-A3: the back of the top plate can always be seen, so it is drawn as soon as it comes up."""
    return bool(state["top"] == 0 and state["left"][0] + state["left"][1] > 0 and state["phase"] > CHOOSE)


@kernel
def movers(state: State) -> int:
    """AD-1 one after the other; in the tiling both who still have a choice."""
    phase = state["phase"]
    if phase == OVER:
        return 0
    if state["turning"] != 0 or wants_back(state) or phase <= DEAL or phase == LOOK:
        return 1 << CHANCE
    if phase < TILING:
        return 1 << int(state["turn"])
    mask = 0
    for seat in range(2):
        if state["next_line"][seat] < LINES:
            mask |= 1 << seat
    return mask


@kernel
def legal(state: State, seat: int, out: Ints) -> int:
    if movers(state) >> seat & 1 == 0:
        return 0
    phase = state["phase"]
    if seat == CHANCE:
        return _legal_draws(state, out)
    if phase == ACQUIRE:
        return _legal_actions(state, seat, out)
    if phase == SETUP:
        return _legal_shown(state, seat, out, 0)
    if phase == STACK:
        return _legal_orders(state, out)
    if phase == DRAWING:
        out[0] = DRAW
        out[1] = STOP
        return 2
    if phase == CHOICE:
        held = _set_of_hand(state)
        return _legal_placings(state, seat, held, out, 0)
    if phase == RETURN:
        return _list_plates(_set_of_hand(state), RETURNS, out)
    return _legal_tilings(state, seat, out)


@kernel
def _legal_draws(state: State, out: Ints) -> int:  # noqa: C901  one case for each thing drawn
    """What CHANCE may draw: a chip before a back, a back before anything else."""
    n = 0
    if state["turning"] != 0:
        for chip in range(CHIP_TYPES):
            if state["chips"][chip] > 0:
                out[n] = TURNS + chip
                n += 1
    elif wants_back(state):
        for kind in range(2):
            if state["left"][kind] > 0:
                out[n] = BACKS + kind
                n += 1
    elif state["phase"] == AIM:
        for mask in range(256):
            if fits_wishes(state, mask):
                out[n] = AIMS + mask
                n += 1
    elif state["phase"] == CHOOSE:
        for starter in range(2):
            out[n] = STARTS + starter
            n += 1
    elif state["phase"] == DEAL:
        for color in range(5):
            if state["bag"][color] > 0:
                out[n] = TILES + color
                n += 1
    else:
        n = _list_plates(_possible_faces(state), FACES, out)
    return n


@kernel
def _possible_faces(state: State) -> int:
    """What may come up when the next plate is turned: the plate that lies there, if it has been seen."""
    if state["phase"] == REFILL:
        if state["top"] == 0:
            return 1 << int(state["plate"][UNDER, 0])
        return int(state["unseen"] & OF_KIND[KIND[state["top"]]])
    plate = int(state["plate"][HAND, to_look_at(state)])
    return int(state["unseen"] & OF_KIND[KIND[plate]]) if plate > PLATES else 1 << plate


@kernel
def to_look_at(state: State) -> int:
    """The plate in the hand that is turned next; all of them when they have been seen."""
    index = 0
    while index < state["piles"][HAND] and state["by"][HAND, index] == int(state["turn"]) + 1:
        index += 1
    return index


@kernel
def _list_plates(plates: int, first: int, out: Ints) -> int:
    n = 0
    for plate in range(1, PLATES + 1):
        if plates >> plate & 1:
            out[n] = first + plate - 1
            n += 1
    return n


@kernel
def weigh(state: State, out: Ints) -> int:
    total = 0
    n = 0
    if state["turning"] != 0:
        for chip in range(CHIP_TYPES):
            if state["chips"][chip] > 0:
                out[n] = state["chips"][chip]
                total += int(out[n])
                n += 1
    elif wants_back(state):
        for kind in range(2):
            if state["left"][kind] > 0:
                out[n] = state["left"][kind]
                total += int(out[n])
                n += 1
    elif state["phase"] == DEAL:
        for color in range(5):
            if state["bag"][color] > 0:
                out[n] = state["bag"][color]
                total += int(out[n])
                n += 1
    else:  # one thing as likely as another
        total = _legal_draws(state, out)
        out[:total] = 1
    return total


@kernel
def _legal_actions(state: State, seat: int, out: Ints) -> int:
    """AD-1: tiles, then plates, then chips, as the moves are numbered."""
    n = _legal_takes(state, seat, out)
    if state["tokens"][seat] > 0:
        n = _legal_shown(state, seat, out, n)  # AD-A2
        if stack_height(state) > 0:  # AD-A3
            out[n] = DRAW
            n += 1
    if state["chosen"][seat] < CHIPS_A_ROUND:  # AD-D1
        for factory in range(SMALL):
            if state["chip"][factory] >= FACE_UP:
                out[n] = CHIP_TAKES + factory
                n += 1
    return n


@kernel
def _legal_takes(state: State, seat: int, out: Ints) -> int:
    """AD-T1, AD-T3: a colour of one sun side, or of all moon sides, for every line that takes it."""
    lines = open_lines(state, seat)
    n = 0
    for source in range(MOON + 1):
        for color in range(5):
            there = on_moon(state, color) if source == MOON else state["sun"][source, color] > 0
            if there:
                fits = lines >> TARGETS * color
                for target in range(TARGETS):
                    if fits >> target & 1:
                        out[n] = (source * 5 + color) * TARGETS + target
                        n += 1
    return n


@kernel
def _legal_orders(state: State, out: Ints) -> int:
    """AD-T1: every order in which the rest of a small factory can be stacked."""
    orders = REST_ORDERS[rest_code(state, int(state["stacking"]) - 1)]
    for index in range(orders[0]):
        out[index] = STACKS + int(orders[index + 1])
    return int(orders[0])


@kernel
def rest_code(state: State, factory: int) -> int:
    """The tiles on a small sun side as an index of REST_ORDERS."""
    code = 0
    for color in range(5):
        code |= int(state["sun"][factory, color]) << 2 * color
    return code


@kernel
def open_lines(state: State, seat: int) -> int:
    """AD-L1: which lines take which colour: bit 7 * colour + line, and line 0 for breaking them all."""
    lines = 0b0000001_0000001_0000001_0000001_0000001
    for row in range(LINES):
        count = state["line_count"][seat, row]
        if count == 0:
            lines |= 0b0000001_0000001_0000001_0000001_0000001 << row + 1
        elif count <= row:
            lines |= 1 << TARGETS * int(state["line_color"][seat, row]) + row + 1
    return lines


@kernel
def on_moon(state: State, color: int) -> bool:
    """AD-T3: whether the colour lies on the large moon side or on top of a stack."""
    if state["large_moon"][color] > 0:
        return True
    for factory in range(SMALL):  # noqa: SIM110  compiled code has no generators
        if top_tile(state, factory) == color + 1:
            return True
    return False


@kernel
def top_tile(state: State, factory: int) -> int:
    """The uppermost tile of a small moon side as colour + 1, or 0."""
    for level in range(2, -1, -1):
        if state["moon"][factory, level] > 0:
            return int(state["moon"][factory, level])
    return 0


@kernel
def stack_height(state: State) -> int:
    """How many plates lie face down."""
    return int(state["left"][0]) + int(state["left"][1]) + int(state["piles"][UNDER])


@kernel
def _legal_shown(state: State, seat: int, out: Ints, n: int) -> int:
    plates = 0
    for index in range(3):
        plates |= 1 << int(state["shown"][index])
    return _legal_placings(state, seat, plates, out, n)


@kernel
def _legal_placings(state: State, seat: int, plates: int, out: Ints, n: int) -> int:
    """AD-A1: one of these plates on any empty slot, in any orientation."""
    for plate in range(1, PLATES + 1):
        if plates >> plate & 1:
            for slot in range(9):
                if state["slot_plate"][seat, slot] == 0:
                    for turn in range(4):
                        out[n] = PLACINGS + ((plate - 1) * 9 + slot) * 4 + turn
                        n += 1
    return n


@kernel
def _set_of_hand(state: State) -> int:
    held = 0
    for index in range(state["piles"][HAND]):
        held |= 1 << int(state["plate"][HAND, index])
    return held


@kernel
def _legal_tilings(state: State, seat: int, out: Ints) -> int:
    """AD-W1 a complete line must be placed; AD-W4 another may be completed with chips, or stay."""
    row = int(state["next_line"][seat])
    color = int(state["line_color"][seat, row])
    columns = free_columns(state, seat, row, color)
    missing = row + 1 - int(state["line_count"][seat, row])
    n = 0
    if missing == 0:
        for column in range(6):
            if columns >> column & 1:
                out[n] = TILINGS + row * PAYMENTS * 6 + column
                n += 1
        return n
    payment = next_payment(state, seat, color, missing, 0)
    while payment < PAYMENTS:
        for column in range(6):
            if columns >> column & 1:
                out[n] = TILINGS + (row * PAYMENTS + payment) * 6 + column
                n += 1
        payment = next_payment(state, seat, color, missing, payment)
    out[n] = STAYS + row
    return n + 1


@kernel
def next_payment(state: State, seat: int, color: int, missing: int, payment: int) -> int:
    """AD-W4: the next higher payment for so many missing tiles that the store can make; PAYMENTS if none."""
    while True:
        payment = _next_handful(state, seat, payment)
        if payment == PAYMENTS or pays(payment, color, missing):
            return payment


@kernel
def _next_handful(state: State, seat: int, handful: int) -> int:
    """The next higher number whose digits are chips that the store has: counts up, type by type."""
    power = 1
    for chip in range(CHIP_TYPES):
        if handful // power % 3 < state["store"][seat, chip]:
            return handful + power
        handful -= handful // power % 3 * power
        power *= 3
    return PAYMENTS


@kernel
def pays(payment: int, color: int, missing: int) -> bool:
    """AD-W4: for each missing tile two chips of the colour or any three, and no chip that could be left out.

    With k pairs of the colour that takes 3 * missing - k chips; a chip more could stay in the store.
    """
    chips = 0
    matching = 0
    for chip in range(CHIP_TYPES):
        count = payment % 3
        payment //= 3
        chips += count
        if CHIP_SHOWS[chip] >> color & 1:
            matching += count
    return chips == 3 * missing - min(missing, matching // 2)


@kernel
def space_at(state: State, seat: int, row: int, column: int) -> int:
    """What a dome shows on a space: a colour, WILD, SPECIAL, or NOTHING without a plate."""
    slot = row // 2 * 3 + column // 2
    plate = int(state["slot_plate"][seat, slot])
    return int(SPACES[plate, int(state["slot_turn"][seat, slot]), row % 2 * 2 + column % 2])


@kernel
def free_columns(state: State, seat: int, row: int, color: int) -> int:
    """AD-W1: bit mask of the free spaces of a dome row that take a colour: its own or wild."""
    columns = 0
    for column in range(6):
        space = space_at(state, seat, row, column)
        takes = space == WILD or space == color  # noqa: PLR1714  compiled tuples have one type
        if takes and state["tile"][seat, row * 6 + column] == 0:
            columns |= 1 << column
    return columns


@kernel
def plates_on_row(state: State, seat: int, row: int) -> int:
    first = row // 2 * 3
    n = 0
    for slot in range(first, first + 3):
        if state["slot_plate"][seat, slot] > 0:
            n += 1
    return n


@kernel
def can_act(state: State, seat: int) -> bool:
    """AD-E2: whether any action is possible."""
    if state["tokens"][seat] > 0:
        return True
    for factory in range(5):
        for color in range(5):
            if state["sun"][factory, color] > 0:
                return True
    for color in range(5):
        if state["large_moon"][color] > 0:
            return True
    for factory in range(SMALL):
        if state["moon"][factory, 0] > 0:
            return True
        if state["chip"][factory] != NO_CHIP and state["chosen"][seat] < CHIPS_A_ROUND:
            return True  # without tiles on it, it is face up or just being turned
    return False


@kernel
def apply(state: State, seat: int, move: int) -> None:
    if move >= AIMS:
        _apply_draw(state, move)
    elif move >= TILINGS:
        settle_line(state, seat, move)
        to_next_choice(state, seat)
        end_tiling(state)
    elif act(state, seat, move):
        end_turn(state, seat)


@kernel
def settle_line(state: State, seat: int, move: int) -> None:
    """AD-W1, AD-W4: what the player chose for a line; then comes the next one."""
    if move < STAYS:
        row, place = divmod(move - TILINGS, PAYMENTS * 6)
        payment, column = divmod(place, 6)
        pay_chips(state, seat, payment)
        tile(state, seat, row, column)
    state["next_line"][seat] += 1


@kernel
def act(state: State, seat: int, move: int) -> bool:
    """AD-1: an action, or a step of one. Whether it ends the turn."""
    if move >= STACKS:
        stack_rest(state, int(state["stacking"]) - 1, move - STACKS)
        state["stacking"] = 0
        state["phase"] = ACQUIRE
    elif move >= CHIP_TAKES:
        take_chip(state, seat, move - CHIP_TAKES)
    elif move >= RETURNS:
        return_plate(state, move - RETURNS + 1)
        _return_the_last(state)
    elif move == STOP:
        look(state)
    elif move == DRAW:
        draw_plate(state, seat)
    elif move >= PLACINGS:
        place_plate(state, seat, move - PLACINGS)
    else:
        take_tiles(state, seat, move)
    return bool(state["phase"] == ACQUIRE and state["turn"] == seat)


@kernel
def _apply_draw(state: State, move: int) -> None:
    if move >= TILES:
        deal_tile(state, move - TILES)
    elif move >= TURNS:
        turn_chip(state, move - TURNS)
    elif move >= FACES:
        turn_plate(state, move - FACES + 1)
    elif move >= BACKS:
        state["top"] = SPECIAL_BACK + move - BACKS
    elif move >= STARTS:  # AD-S3: the other player chooses a plate first
        state["starter"] = move - STARTS
        state["turn"] = 1 - (move - STARTS)
        state["phase"] = REFILL
    else:
        _set_objectives(state, move - AIMS)
        chosen = state["turn"] != state["starter"]  # AD-S3: the table's owner may have chosen who starts
        state["phase"] = REFILL if chosen else CHOOSE


@kernel
def turn_plate(state: State, plate: int) -> None:
    """A plate is turned: on the display for both, in the hand only for the player who drew it."""
    if state["phase"] == LOOK:
        index = to_look_at(state)
        if state["by"][HAND, index] != 0:  # the other put it under the stack and knows which one it is
            state["known"][HAND, index] = 1 << plate
            state["fresh"][HAND, index] = 0
        state["plate"][HAND, index] = plate
        state["by"][HAND, index] = state["turn"] + 1
        state["unseen"] &= ~(1 << plate)
        _rule_out(state, plate, 2 - int(state["turn"]))
        look(state)
        return
    if state["top"] != 0:
        state["left"][KIND[plate]] -= 1
        state["top"] = 0
        state["unseen"] &= ~(1 << plate)
    else:
        _pull(state, UNDER, 0)
    for index in range(3):
        if state["shown"][index] == 0:
            state["shown"][index] = plate
            break
    _rule_out(state, plate, 0)
    refill(state)


@kernel
def _rule_out(state: State, plate: int, by: int) -> None:
    """A plate is seen, so it is none of those that somebody (or with 0: anybody) has put back."""
    for pile in range(2):
        for index in range(state["piles"][pile]):
            if by == 0 or state["by"][pile, index] == by:
                state["known"][pile, index] &= ~(1 << plate)


@kernel
def _push(state: State, pile: int, plate: int, by: int, fresh: int, known: int) -> None:
    index = int(state["piles"][pile])
    state["plate"][pile, index] = plate
    state["by"][pile, index] = by
    state["fresh"][pile, index] = fresh
    state["known"][pile, index] = known
    state["piles"][pile] += 1


@kernel
def _pull(state: State, pile: int, index: int) -> None:
    """Take a plate out of a pile; the others move up."""
    last = int(state["piles"][pile]) - 1
    for place in range(index, last):
        state["plate"][pile, place] = state["plate"][pile, place + 1]
        state["by"][pile, place] = state["by"][pile, place + 1]
        state["fresh"][pile, place] = state["fresh"][pile, place + 1]
        state["known"][pile, place] = state["known"][pile, place + 1]
    state["plate"][pile, last] = 0
    state["by"][pile, last] = 0
    state["fresh"][pile, last] = 0
    state["known"][pile, last] = 0
    state["piles"][pile] = last


@kernel
def refill(state: State) -> None:
    """AD-S3, AD-N1: the display is filled to three as long as there are plates, then the round goes on."""
    missing = 0
    for index in range(3):
        if state["shown"][index] == 0:
            missing += 1
    if missing > 0 and stack_height(state) > 0:
        state["phase"] = REFILL
    elif state["dealt"] < DEALT:
        state["phase"] = DEAL
        want_tile(state)
    else:
        begin_acquiring(state)


@kernel
def deal_tile(state: State, color: int) -> None:
    """AD-S2, AD-N2: a tile from the bag; five on the large factory, then four on each small one."""
    dealt = int(state["dealt"])
    factory = LARGE if dealt < LARGE_TILES else (dealt - LARGE_TILES) // SMALL_TILES
    state["bag"][color] -= 1
    state["sun"][factory, color] += 1
    state["dealt"] += 1
    if (
        dealt + 1 == LARGE_TILES
        and state["sun"][LARGE, color] == LARGE_TILES
        and _bag_has_other(state, color)
    ):
        state["bag"][color] += LARGE_TILES  # AD-S2, AD-N3: five equal tiles go back
        state["sun"][LARGE, color] = 0
        state["dealt"] = 0
    want_tile(state)


@kernel
def _bag_has_other(state: State, color: int) -> bool:
    for other in range(5):  # noqa: SIM110  compiled code has no generators
        if other != color and state["bag"][other] > 0:
            return True
    return False


@kernel
def want_tile(state: State) -> None:
    """AD-N2: while a tile is wanted the bag must not be empty; what is dealt is offered."""
    if state["dealt"] < DEALT and not _bag_has_other(state, -1):
        poured = 0
        for color in range(5):
            poured += state["tower"][color]
            state["bag"][color] = state["tower"][color]
            state["tower"][color] = 0
        if poured == 0:  # AD-N4: both ran out, start with what there is
            state["dealt"] = DEALT
    if state["dealt"] == DEALT:
        for factory in range(SMALL):
            state["chip"][factory] = FACE_DOWN  # AD-S2
            if not _bears_tiles(state, factory):
                state["turning"] |= 1 << factory  # AD-N4
        begin_acquiring(state)


@kernel
def _bears_tiles(state: State, factory: int) -> bool:
    tiles = int(state["moon"][factory, 0])
    for color in range(5):
        tiles += state["sun"][factory, color]
    return tiles > 0


@kernel
def begin_acquiring(state: State) -> None:
    """AD-S3: before the first turn each player places a plate, the second player first."""
    starter = int(state["starter"])
    if state["round"] == 1 and _plates_on_dome(state, 1 - starter) == 0:
        state["phase"] = SETUP
        state["turn"] = 1 - starter
    elif state["round"] == 1 and _plates_on_dome(state, starter) == 0:
        state["phase"] = SETUP
        state["turn"] = starter
    else:
        state["phase"] = ACQUIRE
        state["turn"] = starter


@kernel
def _plates_on_dome(state: State, seat: int) -> int:
    return plates_on_row(state, seat, 0) + plates_on_row(state, seat, 2) + plates_on_row(state, seat, 4)


@kernel
def draw_plate(state: State, seat: int) -> None:
    """AD-A3: pay a point and take the top plate, its face unseen."""
    if state["phase"] == ACQUIRE:
        state["tokens"][seat] -= 1
        state["phase"] = DRAWING
    if state["score"][seat] > 0:  # AD-A4: at 0 it costs nothing
        state["score"][seat] -= 1
        state["paid"][seat] += 1
    if state["top"] != 0:
        _push(state, HAND, int(state["top"]), 0, 1, 0)
        state["left"][KIND[state["top"]]] -= 1
        state["top"] = 0
    else:
        _push(
            state,
            HAND,
            int(state["plate"][UNDER, 0]),
            int(state["by"][UNDER, 0]),
            int(state["fresh"][UNDER, 0]),
            int(state["known"][UNDER, 0]),
        )
        _pull(state, UNDER, 0)
    if stack_height(state) == 0:  # nothing more to draw
        look(state)


@kernel
def look(state: State) -> None:
    """AD-A3: only the player who drew them looks at the plates, one after the other."""
    state["phase"] = LOOK if to_look_at(state) < state["piles"][HAND] else CHOICE


@kernel
def place_plate(state: State, seat: int, place: int) -> None:
    """AD-A1: a plate goes to an empty slot; where it was taken from, the phase says."""
    place, turn = divmod(place, 4)
    plate, slot = divmod(place, 9)
    plate += 1
    state["slot_plate"][seat, slot] = plate
    state["slot_turn"][seat, slot] = turn
    if state["phase"] == CHOICE:
        _rule_out(state, plate, 0)
        _shuffle_hand(state, plate)
        _return_the_last(state)
        return
    for index in range(3):
        if state["shown"][index] == plate:
            state["shown"][index] = 0
    if state["phase"] == SETUP:
        refill(state)
    else:  # AD-A2: the display is not refilled during the round
        state["tokens"][seat] -= 1


@kernel
def _shuffle_hand(state: State, placed: int) -> None:
    """One of the drawn plates is placed. Which of the others is which, only who drew them knows."""
    known = 0
    fresh = 0
    for index in range(state["piles"][HAND]):
        known |= int(state["known"][HAND, index])
        if state["fresh"][HAND, index] != 0:
            fresh |= 1 << int(KIND[state["plate"][HAND, index]])
    held = _set_of_hand(state) & ~(1 << placed)
    by = int(state["turn"]) + 1
    while state["piles"][HAND] > 0:
        _pull(state, HAND, 0)
    for plate in range(1, PLATES + 1):
        if held >> plate & 1:
            kind = int(KIND[plate])
            _push(state, HAND, plate, by, fresh >> kind & 1, known & int(OF_KIND[kind]))


@kernel
def return_plate(state: State, plate: int) -> None:
    """AD-A3: a plate goes from the hand to the bottom of the stack."""
    index = 0
    while state["plate"][HAND, index] != plate:
        index += 1
    by, fresh = int(state["by"][HAND, index]), int(state["fresh"][HAND, index])
    _push(state, UNDER, plate, by, fresh, int(state["known"][HAND, index]))
    _pull(state, HAND, index)


@kernel
def _return_the_last(state: State) -> None:
    """A single plate is returned without asking."""
    state["phase"] = RETURN
    if state["piles"][HAND] == 1:
        return_plate(state, int(state["plate"][HAND, 0]))
    if state["piles"][HAND] == 0:
        state["phase"] = ACQUIRE


@kernel
def take_tiles(state: State, seat: int, move: int) -> None:
    """AD-T1, AD-T3: take tiles of one colour, then lay them in a line or break them."""
    source_color, target = divmod(move, TARGETS)
    source, color = divmod(source_color, 5)
    if source == MOON:
        count = _take_from_moons(state, seat, color)
    elif source == LARGE:
        count = _take_from_large(state, seat, color)
    else:
        count = _take_from_small(state, source, color)
    lay_tiles(state, seat, color, count, target)


@kernel
def _take_from_small(state: State, factory: int, color: int) -> int:
    """AD-T1: the rest is stacked on the chip; where it matters, the player says in what order."""
    count = int(state["sun"][factory, color])
    state["sun"][factory, color] = 0
    orders = REST_ORDERS[rest_code(state, factory)]
    if orders[0] > 1:
        state["stacking"] = factory + 1
        state["phase"] = STACK
    else:
        stack_rest(state, factory, int(orders[1]))
    return count


@kernel
def stack_rest(state: State, factory: int, order: int) -> None:
    """AD-T1: tiles go from the sun side to the moon side, bottom to top."""
    state["sun"][factory, :] = 0
    state["moon"][factory, 0] = order // 36
    state["moon"][factory, 1] = order // 6 % 6
    state["moon"][factory, 2] = order % 6
    if order == 0:
        state["turning"] |= 1 << factory  # AD-T2: nothing is left


@kernel
def _take_from_large(state: State, seat: int, color: int) -> int:
    """AD-T1: the rest goes singly to the moon spaces of the large factory."""
    count = int(state["sun"][LARGE, color])
    state["sun"][LARGE, color] = 0
    left = 0
    for other in range(5):
        left += state["sun"][LARGE, other]
        state["large_moon"][other] += state["sun"][LARGE, other]
        state["sun"][LARGE, other] = 0
    if left == 0:
        state["marker"] = seat  # AD-T5: nobody could take it with a moon tile any more
    return count


@kernel
def _take_from_moons(state: State, seat: int, color: int) -> int:
    """AD-T3: the top of a small stack, if it has the colour, and all of the colour from the large moon."""
    count = int(state["large_moon"][color])
    state["large_moon"][color] = 0
    if count > 0 and state["marker"] == ON_LARGE:
        state["marker"] = seat  # AD-T4: only the large moon gives it
    for factory in range(SMALL):
        if top_tile(state, factory) == color + 1:
            level = 2
            while state["moon"][factory, level] == 0:
                level -= 1
            state["moon"][factory, level] = 0
            count += 1
            if level == 0:
                state["turning"] |= 1 << factory  # AD-T4
    return count


@kernel
def lay_tiles(state: State, seat: int, color: int, count: int, target: int) -> None:
    """AD-L1: into one line; what does not fit breaks."""
    if target > 0:
        row = target - 1
        fit = min(count, row + 1 - int(state["line_count"][seat, row]))
        state["line_color"][seat, row] = color
        state["line_count"][seat, row] += fit
        count -= fit
    break_tiles(state, seat, color, count)


@kernel
def broken_tiles(state: State, seat: int) -> int:
    total = 0
    for color in range(5):
        total += int(state["broken"][seat, color])
    return total


@kernel
def break_tiles(state: State, seat: int, color: int, count: int) -> None:
    """AD-L2: four broken tiles at most; more go to the tower without penalty."""
    kept = min(count, BROKEN - broken_tiles(state, seat))
    state["broken"][seat, color] += kept
    state["tower"][color] += count - kept


@kernel
def take_chip(state: State, seat: int, factory: int) -> None:
    """AD-D1"""
    state["store"][seat, state["chip"][factory] - FACE_UP] += 1
    state["chip"][factory] = NO_CHIP
    state["chosen"][seat] += 1


@kernel
def turn_chip(state: State, chip: int) -> None:
    """AD-T2, AD-T4, AD-N4: the chip of an empty factory is turned face up; of several, the first."""
    factory = next_to_turn(state)
    state["chips"][chip] -= 1
    state["chip"][factory] = FACE_UP + chip
    state["turning"] &= ~(1 << factory)


@kernel
def next_to_turn(state: State) -> int:
    """The small factory whose chip is turned next."""
    factory = 0
    while state["turning"] >> factory & 1 == 0:
        factory += 1
    return factory


@kernel
def end_turn(state: State, seat: int) -> None:
    """AD-1 the other's turn; AD-E2 who cannot act is skipped; AD-E1 when nobody can, the tiling begins."""
    if can_act(state, 1 - seat):
        state["turn"] = 1 - seat
    elif not can_act(state, seat):
        begin_tiling(state)


@kernel
def begin_tiling(state: State) -> None:
    state["phase"] = TILING
    for seat in range(2):
        state["next_line"][seat] = 0
        to_next_choice(state, seat)
    end_tiling(state)


@kernel
def to_next_choice(state: State, seat: int) -> None:
    """AD-W1: line by line, 1 to 6, to the next choice; behind the last line, the broken tiles."""
    row = int(state["next_line"][seat])
    while row < LINES:
        happens = fate(state, seat, row)
        if happens == CHOSEN:
            break
        if happens == BREAKS:
            shatter(state, seat, row)
        elif happens == MOVES:
            tile(state, seat, row, only_column(state, seat, row))
        row += 1
    state["next_line"][seat] = row
    if row == LINES:
        pay_broken(state, seat)


WAITS, BREAKS, MOVES, CHOSEN = range(4)
"""What becomes of a line: nothing, all of it breaks, its tile moves, or the player chooses."""


@kernel
def fate(state: State, seat: int, row: int) -> int:
    """AD-W1 to AD-W4: what becomes of a line when its turn comes."""
    count = int(state["line_count"][seat, row])
    if count == 0:
        return WAITS
    color = int(state["line_color"][seat, row])
    columns = free_columns(state, seat, row, color)
    if columns == 0:  # AD-W3; AD-W2: while there is a slot for a plate, it stays
        return BREAKS if plates_on_row(state, seat, row) == 3 else WAITS
    if count <= row:
        return CHOSEN if can_pay(state, seat, color, row + 1 - count) else WAITS
    return CHOSEN if columns & (columns - 1) != 0 else MOVES


@kernel
def only_column(state: State, seat: int, row: int) -> int:
    """The column of the only space that takes a line."""
    columns = free_columns(state, seat, row, int(state["line_color"][seat, row]))
    column = 0
    while columns >> column & 1 == 0:
        column += 1
    return column


@kernel
def can_pay(state: State, seat: int, color: int, missing: int) -> bool:
    """AD-W4: whether the store has a payment for so many missing tiles."""
    chips = 0
    matching = 0
    for chip in range(CHIP_TYPES):
        count = int(state["store"][seat, chip])
        chips += count
        if CHIP_SHOWS[chip] >> color & 1:
            matching += count
    return chips >= 3 * missing - min(missing, matching // 2)


@kernel
def pay_chips(state: State, seat: int, payment: int) -> None:
    """AD-W4: used chips are turned over for good."""
    for chip in range(CHIP_TYPES):
        state["store"][seat, chip] -= payment % 3
        state["spent"][seat, chip] += payment % 3
        payment //= 3


@kernel
def tile(state: State, seat: int, row: int, column: int) -> int:
    """AD-W1: a tile of a line goes to the dome and scores; AD-W6: the other real tiles go to the tower."""
    color = int(state["line_color"][seat, row])
    state["tower"][color] += state["line_count"][seat, row] - 1
    clear_line(state, seat, row)
    points = placement_points(state, seat, row, column)
    state["tile"][seat, row * 6 + column] = color + 1
    state["tiled"][seat] += points
    state["score"][seat] += points
    gild(state, seat, row, column)  # AD-P3: after the tile
    return points


@kernel
def clear_line(state: State, seat: int, row: int) -> None:
    state["line_count"][seat, row] = 0
    state["line_color"][seat, row] = 0


@kernel
def shatter(state: State, seat: int, row: int) -> None:
    """AD-W3: a line that its dome row will never take breaks, complete or not."""
    color, count = int(state["line_color"][seat, row]), int(state["line_count"][seat, row])
    clear_line(state, seat, row)
    break_tiles(state, seat, color, count)


@kernel
def placement_points(state: State, seat: int, row: int, column: int) -> int:
    """AD-P1, AD-P2: the groups that a tile joins, special tiles included."""
    tiles = state["tile"][seat]
    across = 1
    for step in range(column + 1, 6):
        if tiles[row * 6 + step] == 0:
            break
        across += 1
    for step in range(column - 1, -1, -1):
        if tiles[row * 6 + step] == 0:
            break
        across += 1
    down = 1
    for step in range(row + 1, 6):
        if tiles[step * 6 + column] == 0:
            break
        down += 1
    for step in range(row - 1, -1, -1):
        if tiles[step * 6 + column] == 0:
            break
        down += 1
    if across == 1:  # AD-P1: alone it counts once
        return down
    return across if down == 1 else across + down


@kernel
def gild(state: State, seat: int, row: int, column: int) -> int:
    """AD-W5: a special plate whose coloured spaces are filled gets its special tile. Returns its points."""
    special = special_after(state, seat, row, column)
    if special < 0:
        return 0
    points = special // 6 + 1
    state["tile"][seat, special] = TILE_SPECIAL
    state["gilded"][seat] += points
    state["score"][seat] += points
    return points


@kernel
def special_after(state: State, seat: int, row: int, column: int) -> int:
    """AD-W5: the special space of the plate there, if it is empty and all others are filled; else -1."""
    special = -1
    for index in range(4):
        line, place = row // 2 * 2 + index // 2, column // 2 * 2 + index % 2
        if space_at(state, seat, line, place) == SPECIAL:
            special = line * 6 + place
        elif state["tile"][seat, line * 6 + place] == 0:
            return -1
    return special if special >= 0 and state["tile"][seat, special] == 0 else -1


@kernel
def penalty(state: State, seat: int) -> int:
    """AD-P4: what the broken tiles and the start marker cost."""
    cost = int(PENALTIES[broken_tiles(state, seat)])
    return cost + MARKER_PENALTY if state["marker"] == seat else cost


@kernel
def pay_broken(state: State, seat: int) -> int:
    """AD-P4: broken tiles cost points and go to the tower; AD-P5: never below 0. Returns what they cost."""
    cost = min(penalty(state, seat), int(state["score"][seat]))
    state["score"][seat] -= cost
    state["lost"][seat] += cost
    for color in range(5):
        state["tower"][color] += state["broken"][seat, color]
        state["broken"][seat, color] = 0
    return cost


@kernel
def end_tiling(state: State) -> None:
    """When both have tiled, the next round or the end."""
    if state["next_line"][0] < LINES or state["next_line"][1] < LINES:
        return
    if state["round"] == ROUNDS:
        end_game(state)
        return
    if state["marker"] != ON_LARGE:  # AD-N5; AD-T5: the start player stays if nobody took it
        state["starter"] = state["marker"]
        state["marker"] = ON_LARGE
    state["turn"] = state["starter"]
    state["round"] += 1
    state["tokens"][:] = TOKENS if state["round"] <= LAST_PLATES else 0  # AD-N1, AD-A5
    state["chosen"][:] = 0
    state["dealt"] = 0
    refill(state)


@kernel
def end_game(state: State) -> None:
    """AD-F1: all objectives are added up; AD-P5: never below 0."""
    state["phase"] = OVER
    for seat in range(2):
        state["score"][seat] = max(0, int(state["score"][seat]) + all_objectives(state, seat))


@kernel
def all_objectives(state: State, seat: int) -> int:
    points = 0
    for objective in range(8):
        if state["objectives"] >> objective & 1:
            points += objective_points(state, seat, objective)
    return points


@kernel
def objective_points(state: State, seat: int, objective: int) -> int:
    """What an objective would bring if the game were over now."""
    if objective == ROWS:
        return 3 * _full_lines(state, seat, 6, 1)  # AD-O1
    if objective == COLUMNS:
        return 7 * _full_lines(state, seat, 1, 6)  # AD-O2
    if objective == DIAGONALS:  # AD-O3
        falling = _is_full(state, seat, 0, 7)
        return 10 * (falling + _is_full(state, seat, 5, 5))
    if objective == FIVE_COLORS:
        return 4 * _colorful_rows(state, seat)  # AD-O5
    if objective == EDGE:
        return _tiles_on_edge(state, seat)  # AD-O6
    if objective == CORNERS:  # AD-O7
        upper = _full_plate(state, seat, 0) + _full_plate(state, seat, 2)
        return 3 * upper + 8 * (_full_plate(state, seat, 6) + _full_plate(state, seat, 8))
    filled = count_spaces(state, seat, WILD if objective == ALL_WILD else SPECIAL, True)
    empty = count_spaces(state, seat, WILD if objective == ALL_WILD else SPECIAL, False)
    if objective == ALL_WILD:  # AD-O4: all of them or nothing
        return 2 * filled if empty == 0 else 0
    return -3 * empty  # AD-O8


@kernel
def _full_lines(state: State, seat: int, apart: int, step: int) -> int:
    """How many of the six lines of spaces that begin so far apart are full."""
    full = 0
    for line in range(6):
        full += _is_full(state, seat, line * apart, step)
    return full


@kernel
def _is_full(state: State, seat: int, first: int, step: int) -> int:
    for index in range(6):
        if state["tile"][seat, first + index * step] == 0:
            return 0
    return 1


@kernel
def _colorful_rows(state: State, seat: int) -> int:
    """AD-O5: rows with at least five different tiles, a special tile being one colour."""
    rows = 0
    for row in range(6):
        colors = 0
        for column in range(6):
            colors |= 1 << int(state["tile"][seat, row * 6 + column])
        different = 0
        for color in range(1, TILE_SPECIAL + 1):
            different += colors >> color & 1
        if different >= 5:
            rows += 1
    return rows


@kernel
def _tiles_on_edge(state: State, seat: int) -> int:
    tiles = 0
    for space in range(36):
        row, column = divmod(space, 6)
        outer = row in (0, 5) or column in (0, 5)
        if outer and state["tile"][seat, space] > 0:
            tiles += 1
    return tiles


@kernel
def _full_plate(state: State, seat: int, slot: int) -> int:
    first = slot // 3 * 12 + slot % 3 * 2
    for space in (first, first + 1, first + 6, first + 7):
        if state["tile"][seat, space] == 0:
            return 0
    return 1


@kernel
def count_spaces(state: State, seat: int, kind: int, filled: bool) -> int:
    """How many wild or special spaces of a dome are filled, or empty."""
    n = 0
    for space in range(36):
        there = space_at(state, seat, space // 6, space % 6) == kind
        if there and (state["tile"][seat, space] > 0) == filled:
            n += 1
    return n


@kernel
def scores(state: State, out: Ints) -> None:
    for seat in range(2):
        out[seat] = state["score"][seat]


@kernel
def ranks(state: State, out: Ints) -> None:
    """AD-F1: most points, then the start marker; if nobody holds it, the victory is shared."""
    for seat in range(2):
        out[seat] = 1 if standing(state, seat) >= standing(state, 1 - seat) else 2


@kernel
def standing(state: State, seat: int) -> int:
    return int(state["score"][seat]) * 2 + (1 if state["marker"] == seat else 0)


def why_not(state: State, seat: int, move: int) -> str:  # noqa: C901  one case for each kind of move
    """The id of the rule that forbids a move."""
    phase = state["phase"]
    if phase == OVER:
        return "AD-F1"
    if move >= AIMS or seat == CHANCE:
        return _why_not_draw(move)
    if phase < SETUP:
        return "AD-S1"
    if phase == TILING:
        return _why_not_tile(state, seat, move)
    if seat != state["turn"]:
        return "AD-S3" if phase == SETUP else "AD-1"
    if move >= TILINGS:
        return "AD-E1"
    if phase == SETUP:
        return _why_not_place(state, seat, move) if PLACINGS <= move < DRAW else "AD-S3"
    if phase == STACK or move >= STACKS:
        return "AD-T1"
    if phase != ACQUIRE:
        return _why_not_place(state, seat, move) if phase == CHOICE and PLACINGS <= move < DRAW else "AD-A3"
    if move >= CHIP_TAKES:
        return "AD-D1"
    if move >= PLACINGS:
        if state["tokens"][seat] == 0:
            return "AD-A5"
        return _why_not_place(state, seat, move) if move < DRAW else "AD-A3"
    return _why_not_take(state, move)


def _why_not_draw(move: int) -> str:
    if move >= TILES:
        return "AD-N2"
    if move >= TURNS:
        return "AD-T2"
    return "AD-A3" if move >= BACKS else "AD-S3" if move >= STARTS else "AD-S1"


def _why_not_place(state: State, seat: int, move: int) -> str:
    slot = (move - PLACINGS) // 4 % 9
    if state["slot_plate"][seat, slot] > 0:
        return "AD-A1"
    return "AD-A3" if state["phase"] == CHOICE else "AD-A2"


def _why_not_take(state: State, move: int) -> str:
    source, color = divmod(move // TARGETS, 5)
    if source == MOON:
        return "AD-L1" if on_moon(state, color) else "AD-T3"
    return "AD-L1" if state["sun"][source, color] > 0 else "AD-T1"


def _why_not_tile(state: State, seat: int, move: int) -> str:
    if move < TILINGS:
        return "AD-E1"
    if not 0 <= seat < 2 or state["next_line"][seat] == LINES:
        return "AD-W6"
    row = move - STAYS if move >= STAYS else (move - TILINGS) // (PAYMENTS * 6)
    if row != state["next_line"][seat]:
        return "AD-W1"
    payment = 0 if move >= STAYS else (move - TILINGS) // 6 % PAYMENTS
    complete = state["line_count"][seat, row] == row + 1
    return "AD-W4" if payment or not complete else "AD-W1"
