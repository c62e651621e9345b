"""The bonus chips: turned, taken, and how they pay for the tiles that a line lacks."""

from mozaika.games.azul_duel.pieces import CHIP_SHOWS, CHIP_TYPES, FACE_UP, NO_CHIP, PAYMENTS
from mozaika.kernel import kernel
from mozaika.state import State


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
    """AD-W4: whether a payment is the price of so many missing tiles."""
    chips = 0
    matching = 0
    for chip in range(CHIP_TYPES):
        count = payment % 3
        payment //= 3
        chips += count
        if CHIP_SHOWS[chip] >> color & 1:
            matching += count
    return chips == price(matching, missing)


@kernel
def price(matching: int, missing: int) -> int:
    """AD-W4: for each missing tile two chips of the colour or any three, and no chip that could be left out.

    With k pairs of the colour that takes 3 * missing - k chips; a chip more could stay in the store.
    """
    return 3 * missing - min(missing, matching // 2)


@kernel
def can_complete(chips: int, matching: int, more: int, more_matching: int, missing: int) -> bool:
    """AD-W4: whether so many chips, some of the colour, and some of those to come make a payment."""
    for added in range(more_matching + 1):
        rest = price(matching + added, missing) - chips - added
        if 0 <= rest <= more:
            return True
    return False


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
