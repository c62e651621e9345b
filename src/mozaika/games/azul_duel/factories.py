"""The factories: how they are filled, and how tiles are taken from sun and moon sides."""

from mozaika.games.azul_duel.dome import plates_on_dome
from mozaika.games.azul_duel.lines import lay_tiles, open_lines
from mozaika.games.azul_duel.pieces import (
    ACQUIRE,
    DEALT,
    FACE_DOWN,
    LARGE,
    LARGE_TILES,
    MOON,
    ON_LARGE,
    REST_ORDERS,
    SETUP,
    SMALL,
    SMALL_TILES,
    STACK,
    STACKS,
    TARGETS,
)
from mozaika.kernel import kernel
from mozaika.state import Ints, State


@kernel
def legal_takes(state: State, seat: int, out: Ints) -> int:
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
def legal_orders(state: State, out: Ints) -> int:
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
    if state["round"] == 1 and plates_on_dome(state, 1 - starter) == 0:
        state["phase"] = SETUP
        state["turn"] = 1 - starter
    elif state["round"] == 1 and plates_on_dome(state, starter) == 0:
        state["phase"] = SETUP
        state["turn"] = starter
    else:
        state["phase"] = ACQUIRE
        state["turn"] = starter


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
