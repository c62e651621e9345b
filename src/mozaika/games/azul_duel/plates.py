"""The dome plates: the display, the stack, the hand of who draws, and what is put back.

Plates nobody has seen have no place in the stack: what back comes up next is drawn when it comes up, and the
face when it is turned. Only plates put back under the stack lie there in their order.
"""

from mozaika.games.azul_duel.factories import begin_acquiring, want_tile
from mozaika.games.azul_duel.pieces import (
    ACQUIRE,
    CHOICE,
    CHOOSE,
    DEAL,
    DEALT,
    DRAWING,
    HAND,
    KIND,
    LOOK,
    OF_KIND,
    PLACINGS,
    PLATES,
    REFILL,
    RETURN,
    SETUP,
    UNDER,
)
from mozaika.kernel import kernel
from mozaika.state import Ints, State


@kernel
def wants_back(state: State) -> bool:
    """AD-A3: the back of the top plate can always be seen, so it is drawn as soon as it comes up."""
    return bool(state["top"] == 0 and state["left"][0] + state["left"][1] > 0 and state["phase"] > CHOOSE)


@kernel
def possible_faces(state: State) -> int:
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
def legal_plates(plates: int, first: int, out: Ints) -> int:
    n = 0
    for plate in range(1, PLATES + 1):
        if plates >> plate & 1:
            out[n] = first + plate - 1
            n += 1
    return n


@kernel
def stack_height(state: State) -> int:
    """How many plates lie face down."""
    return int(state["left"][0]) + int(state["left"][1]) + int(state["piles"][UNDER])


@kernel
def legal_shown(state: State, seat: int, out: Ints, n: int) -> int:
    plates = 0
    for index in range(3):
        plates |= 1 << int(state["shown"][index])
    return legal_placings(state, seat, plates, out, n)


@kernel
def legal_placings(state: State, seat: int, plates: int, out: Ints, n: int) -> int:
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
def set_of_hand(state: State) -> int:
    held = 0
    for index in range(state["piles"][HAND]):
        held |= 1 << int(state["plate"][HAND, index])
    return held


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
        return_the_last(state)
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
    held = set_of_hand(state) & ~(1 << placed)
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
def return_the_last(state: State) -> None:
    """A single plate is returned without asking."""
    state["phase"] = RETURN
    if state["piles"][HAND] == 1:
        return_plate(state, int(state["plate"][HAND, 0]))
    if state["piles"][HAND] == 0:
        state["phase"] = ACQUIRE
