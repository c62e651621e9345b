"""What a seat knows of the plates, and how the rest may lie.

Plates put back under the stack are known to who put them there; the other saw only their backs.
"""

from functools import lru_cache
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from mozaika.games.azul_duel.pieces import (
    ALL_PLATES,
    HAND,
    KIND,
    OF_KIND,
    PLATES,
    RETURN,
    SPECIAL_BACK,
    STATE,
    UNDER,
)
from mozaika.kernel import random_below
from mozaika.state import WATCHER, Random, State, copy_of


def public_plates(state: State) -> int:
    """The set of plates that lie face up."""
    plates = 0
    for plate in (*state["shown"].tolist(), *state["slot_plate"].ravel().tolist()):
        plates |= 1 << plate
    return plates & ALL_PLATES


def located(state: State, seat: int) -> int:
    """The plates of which a seat knows where they are: face up, in its hand, or put back where it saw it."""
    plates = public_plates(state)
    for pile in (HAND, UNDER) if seat != WATCHER else ():
        for index in range(state["piles"][pile]):
            if state["by"][pile, index] == seat + 1:
                plates |= 1 << int(state["plate"][pile, index])
            elif state["by"][pile, index] > 0:
                plates |= int(state["known"][pile, index])
    return plates


def hide(state: State, seat: int) -> State:
    """What a seat knows: all but the plates that the other has looked at, and the unseen ones."""
    view: State = (np.frombuffer(state.tobytes(), np.uint8) & _PUBLIC_BYTES).view(STATE)[0]
    view["unseen"] = ALL_PLATES & ~located(state, seat)
    for pile in (HAND, UNDER):
        entries = [_see(state, seat, pile, index) for index in range(state["piles"][pile])]
        if pile == HAND and state["phase"] == RETURN and seat != state["turn"]:
            entries.sort()  # which of the drawn plates went first is not seen
        for index, (plate, by, fresh, known) in enumerate(entries):
            view["plate"][pile, index], view["by"][pile, index] = plate, by
            view["fresh"][pile, index], view["known"][pile, index] = fresh, known
    return view


_PUBLIC = (
    *("seats", "phase", "round", "starter", "turn", "marker", "objectives", "number", "wishes", "dealt"),
    *(
        "stacking",
        "turning",
        "top",
        "left",
        "shown",
        "piles",
        "bag",
        "tower",
        "sun",
        "moon",
        "large_moon",
        "chip",
        "chips",
    ),
    *("store", "spent", "tokens", "chosen", "slot_plate", "slot_turn", "tile", "line_color", "line_count"),
    *("next_line", "broken", "score", "tiled", "gilded", "paid", "lost"),
)


def _list_bytes() -> NDArray[np.uint8]:
    """Which bytes of a state are public: all bits of those, none of the others."""
    mask = np.zeros(STATE.itemsize, np.uint8)
    for name, (kind, offset, *_) in (STATE.fields or {}).items():
        mask[offset : offset + kind.itemsize] = 255 if name in _PUBLIC else 0
    return mask


_PUBLIC_BYTES = _list_bytes()


def _see(state: State, seat: int, pile: int, index: int) -> tuple[int, int, int, int]:
    """A plate of a pile as a seat sees it: which, by whom, and what the other knows of it."""
    plate, by = int(state["plate"][pile, index]), int(state["by"][pile, index])
    fresh, known = int(state["fresh"][pile, index]), int(state["known"][pile, index])
    if by == 0 or by == seat + 1:
        return plate, by, fresh, known
    back = SPECIAL_BACK + int(KIND[plate])
    return (back, by, 1, 0) if seat == WATCHER else (back, by, fresh, known)


def guess(view: State, seat: int, random: Random) -> State:
    """Deal the plates hidden from a seat; each way that agrees with what it knows of each is equally likely.

    What could be concluded by counting, after plates of several returns were mixed again, is not.
    """
    state: State = copy_of(view)
    places = [
        (pile, index)
        for pile in (HAND, UNDER)
        for index in range(view["piles"][pile])
        if view["by"][pile, index] > 0 and view["plate"][pile, index] > PLATES
    ]
    mine = public_plates(view) | _seen_in_piles(view)
    for kind in range(2):
        here = [place for place in places if KIND[view["plate"][place]] == kind]
        unseen = int(view["unseen"]) & int(OF_KIND[kind])
        candidates = [
            ((unseen if view["fresh"][place] else 0) | int(view["known"][place])) & ~mine for place in here
        ]
        known = 0
        for mask in candidates:
            known |= mask & ~unseen
        for place, plate in zip(here, _assign(tuple(candidates), known, random), strict=True):
            state["plate"][place] = plate
            state["unseen"] &= ~(1 << plate)
    if state["phase"] == RETURN and seat != state["turn"]:
        _sort_hand(state)
    return state


def _seen_in_piles(view: State) -> int:
    plates = 0
    for plate in view["plate"].flat:
        if plate <= PLATES:
            plates |= 1 << int(plate)
    return plates


def _sort_hand(state: State) -> None:
    order = np.argsort(state["plate"][HAND, : state["piles"][HAND]], kind="stable")
    for field in ("plate", "by", "fresh", "known"):
        state[field][HAND, : len(order)] = state[field][HAND, order]


def _assign(candidates: tuple[int, ...], needed: int, random: Random) -> list[int]:
    """A different plate for each place, from its candidates, and all needed ones; each way equally likely."""
    chosen: list[int] = []
    used = 0
    for index in range(len(candidates)):
        options = [plate for plate in range(1, PLATES + 1) if candidates[index] & ~used & 1 << plate]
        ways = [
            _ways(candidates[index + 1 :], needed & ~(used | 1 << plate), used | 1 << plate)
            for plate in options
        ]
        ticket = random_below(random, sum(ways))
        plate = next(plate for plate, upto in zip(options, accumulate(ways), strict=True) if ticket < upto)
        chosen.append(plate)
        used |= 1 << plate
    return chosen


@lru_cache(maxsize=1 << 14)
def _ways(candidates: tuple[int, ...], needed: int, used: int) -> int:
    """In how many ways places can get different plates, none of the used ones and all of the needed ones."""
    if not candidates:
        return 0 if needed else 1
    return sum(
        _ways(candidates[1:], needed & ~(1 << plate), used | 1 << plate)
        for plate in range(1, PLATES + 1)
        if candidates[0] & ~used & 1 << plate
    )
