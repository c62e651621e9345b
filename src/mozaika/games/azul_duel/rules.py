"""The six rules of Azul Duel, and the turns that they tie together. No dice here: CHANCE draws.

Each part of the rulebook is a file of its own, which decides it where the id of the rule stands.
"""

from mozaika.games.azul_duel.chips import take_chip, turn_chip
from mozaika.games.azul_duel.factories import deal_tile, legal_orders, legal_takes, stack_rest, take_tiles
from mozaika.games.azul_duel.pieces import (
    ACQUIRE,
    AIM,
    AIMS,
    BACKS,
    CHIP_TAKES,
    CHIP_TYPES,
    CHIPS_A_ROUND,
    CHOICE,
    CHOOSE,
    DEAL,
    DRAW,
    DRAWING,
    FACE_UP,
    FACES,
    LINES,
    LOOK,
    NO_CHIP,
    OVER,
    PLACINGS,
    REFILL,
    RETURN,
    RETURNS,
    SETUP,
    SMALL,
    SPECIAL_BACK,
    STACK,
    STACKS,
    STARTS,
    STOP,
    TILES,
    TILING,
    TILINGS,
    TURNS,
)
from mozaika.games.azul_duel.plates import (
    draw_plate,
    legal_placings,
    legal_plates,
    legal_shown,
    look,
    place_plate,
    possible_faces,
    return_plate,
    return_the_last,
    set_of_hand,
    stack_height,
    turn_plate,
    wants_back,
)
from mozaika.games.azul_duel.setup import fits_wishes, set_objectives
from mozaika.games.azul_duel.tiling import (
    begin_tiling,
    end_tiling,
    legal_tilings,
    settle_line,
    to_next_choice,
)
from mozaika.kernel import kernel
from mozaika.state import CHANCE, Ints, State


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
        return legal_shown(state, seat, out, 0)
    if phase == STACK:
        return legal_orders(state, out)
    if phase == DRAWING:
        out[0] = DRAW
        out[1] = STOP
        return 2
    if phase == CHOICE:
        held = set_of_hand(state)
        return legal_placings(state, seat, held, out, 0)
    if phase == RETURN:
        return legal_plates(set_of_hand(state), RETURNS, out)
    return legal_tilings(state, seat, out)


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
        n = legal_plates(possible_faces(state), FACES, out)
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
    n = legal_takes(state, seat, out)
    if state["tokens"][seat] > 0:
        n = legal_shown(state, seat, out, n)  # AD-A2
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
        return_the_last(state)
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
        set_objectives(state, move - AIMS)
        chosen = state["turn"] != state["starter"]  # AD-S3: the table's owner may have chosen who starts
        state["phase"] = REFILL if chosen else CHOOSE


@kernel
def end_turn(state: State, seat: int) -> None:
    """AD-1 the other's turn; AD-E2 who cannot act is skipped; AD-E1 when nobody can, the tiling begins."""
    if can_act(state, 1 - seat):
        state["turn"] = 1 - seat
    elif not can_act(state, seat):
        begin_tiling(state)


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
