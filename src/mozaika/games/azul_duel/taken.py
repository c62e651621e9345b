"""What can have become of the tiles of Azul Duel by now: in the bag, on the factories, on the boards."""

from mozaika.games.azul_duel.lines import broken_tiles
from mozaika.games.azul_duel.pieces import (
    BROKEN,
    COLORS,
    DEAL,
    DEALT,
    DRAWING,
    LARGE,
    LARGE_TILES,
    LAST_PLATES,
    ON_LARGE,
    REFILL,
    RETURN,
    SETUP,
    SMALL,
    SMALL_TILES,
    STACK,
    TILE_SPECIAL,
    TILES_PER_COLOR,
    TILING,
    TOKENS,
)
from mozaika.state import State

BOX = TILES_PER_COLOR * len(COLORS)
POURED = BOX // DEALT + 1
"""The round in which the bag cannot do without the tower for the first time (AD-N2)."""


def check_tiles(state: State) -> None:
    """ValueError with a sentence if the rounds so far cannot have put the tiles where they are."""
    _check_supply(state)
    _check_equal_tiles(state)
    phase = state["phase"]
    if SETUP <= phase < TILING or (phase == REFILL and state["dealt"] == DEALT):
        _check_taken(state)
    if phase >= TILING and _is_filled(state) and state["marker"] == ON_LARGE:
        raise ValueError("The last tile of the large factory has brought somebody the start marker (AD-T4).")


def _is_filled(state: State) -> bool:
    """Whether this round certainly had all its tiles: only an empty bag and an empty tower stop the deal."""
    return bool(state["round"] < POURED or state["bag"].any())


def _check_supply(state: State) -> None:
    """AD-N2: until the tower is poured for the first time, all that is missing in the bag was dealt."""
    dealt = DEALT * (int(state["round"]) - 1) + int(state["dealt"])
    if state["round"] < POURED or (state["round"] == POURED and state["phase"] == REFILL):
        if state["bag"].sum() != BOX - dealt:
            raise ValueError(f"By now {dealt} tiles are dealt, so {BOX - dealt} are in the bag (AD-N2).")
        _check_tower(state)
    if state["round"] == POURED and state["phase"] == DEAL and dealt >= BOX and state["tower"].any():
        raise ValueError("The tower has just been poured into the bag (AD-N2).")


def _check_tower(state: State) -> None:
    """AD-W6: of a line of n tiles n - 1 go to the tower; AD-W4: two chips replace one of them at least."""
    left = [0] * 5
    for space, tile in enumerate(state["tile"].flat):
        if 0 < tile < TILE_SPECIAL:
            left[tile - 1] += space % 36 // 6
    bought = sum(int(state["spent"][seat].sum()) // 2 for seat in range(2))
    lacking = any(tower < least - bought for tower, least in zip(state["tower"], left, strict=True))
    if lacking or state["tower"].sum() < sum(left) - bought:
        raise ValueError("The lines whose tiles are on the domes have left more in the tower (AD-W6).")


def _check_equal_tiles(state: State) -> None:
    """AD-N3: five equal tiles stay only if no other colour is in the bag, before the tower is poured into it.

    In the first rounds there always is one. In the next the tower is poured before the fifth tile. Later it
    may follow, unless it holds more than was taken in this round.
    """
    large = state["sun"][LARGE]
    if large.max() < LARGE_TILES:
        return
    color = int(large.argmax())
    others = state["bag"].astype(int) + state["sun"][:SMALL].sum(axis=0)
    others[color] = 0
    stacked = any(tile not in (0, color + 1) for tile in state["moon"].flat)
    taken = int(state["dealt"]) - _offered(state)
    kept = state["round"] <= POURED or state["tower"].sum() > taken
    if state["round"] < POURED or (kept and (others.any() or stacked)):
        raise ValueError("Five equal tiles go back while the bag holds another colour (AD-N3).")


def _offered(state: State) -> int:
    return int(state["sun"].sum() + (state["moon"] > 0).sum() + state["large_moon"].sum())


def _check_taken(state: State) -> None:
    """What was dealt may be more than one thing where the supply ran out (AD-N4); one of them must fit."""
    faults = []
    for dealt in range(DEALT, -1, -1):
        if dealt < DEALT and _is_filled(state):
            break
        faults.append(_find_fault(state, dealt))
        if not faults[-1]:
            return
    raise ValueError(faults[0])


def _find_fault(state: State, dealt: int) -> str:
    """Why this cannot be the round if so many tiles were dealt."""
    full = [min(max(dealt - LARGE_TILES - SMALL_TILES * n, 0), SMALL_TILES) for n in range(SMALL)]
    full.append(min(dealt, LARGE_TILES))
    sun = [int(tiles) for tiles in state["sun"].sum(axis=1)]
    moon = [*(int(tiles) for tiles in (state["moon"] > 0).sum(axis=1)), int(state["large_moon"].sum())]
    for factory, tiles in enumerate(full):
        stacking = state["stacking"] == factory + 1
        if sun[factory] not in (0, tiles) and not (stacking and sun[factory] < tiles):
            return "All tiles of a factory are on its sun side until somebody takes some (AD-T1)."
        if moon[factory] > max(0, tiles - 1):
            return "A factory has more tiles on its moon side than were dealt and left there (AD-T1)."
    gone = [tiles - sun[factory] - moon[factory] for factory, tiles in enumerate(full)]
    emptied = sum(tiles > 0 for tiles in gone)
    spare = sum(max(0, tiles - 1) for tiles in gone[: LARGE + (state["marker"] != ON_LARGE)])
    return (
        _find_wrong_marker(state, full[LARGE], spare)
        or _find_misplaced(state, sum(gone), fresh=state["round"] in (1, POURED) or dealt < DEALT)
        or _find_wrong_turn(state, emptied, spare)
    )


def _find_wrong_marker(state: State, large: int, spare: int) -> str:
    """AD-T4, AD-T5: who holds the marker; at most `spare` tiles have been taken from moon sides."""
    held = state["marker"] != ON_LARGE
    if spare < _least_moons(state) or (held and large == 0):
        return "Too few tiles have been taken from the factories for this (AD-T4)."
    if large and not held and not state["sun"][LARGE].any() and not state["large_moon"].any():
        return "The last tile of the large factory has brought somebody the start marker (AD-T4)."
    return ""


def _least_moons(state: State) -> int:
    """How often somebody must have taken from moon sides: once for the marker, unless AD-T5 gave it."""
    by_moon = state["round"] < POURED or state["large_moon"].any()
    return int(state["marker"] != ON_LARGE and by_moon)


def _find_misplaced(state: State, taken: int, *, fresh: bool) -> str:
    """AD-L1, AD-L2: whether the boards hold what was taken; `fresh` if the tower was empty before."""
    if int(state["broken"].sum()) > taken:
        return "More tiles are broken than were taken in this round (AD-P4)."
    overflowing = any(broken_tiles(state, seat) == BROKEN for seat in range(2))
    if fresh and state["tower"].any() and not overflowing:
        return "The tower gets tiles before the tiling only when four are broken (AD-L2)."
    room = int(state["broken"].sum() + state["line_count"].sum())
    room += int(state["tower"].sum()) if overflowing else 0
    if taken > room:
        return f"In this round {taken} tiles were taken, and the boards do not hold so many (AD-L1)."
    return ""


def _find_wrong_turn(state: State, emptied: int, spare: int) -> str:
    """AD-1: while there are tiles both can act, so turns alternate: takes, plates and chips.

    A take empties a sun side or is one of at most `spare` from moon sides.
    """
    if state["phase"] <= SETUP or _offered(state) == 0:
        return ""
    used, chosen = TOKENS - state["tokens"].astype(int), state["chosen"].astype(int)
    if state["round"] > LAST_PLATES:
        used[:] = 0
    begun = state["phase"] == STACK or DRAWING <= state["phase"] <= RETURN
    others = emptied + int(used.sum() + chosen.sum()) - begun
    least, most = others + _least_moons(state), others + spare
    starter = int(state["starter"])
    turns = most - (most - int(state["turn"]) + starter) % 2
    if turns < least:
        return f"After the turns of this round it is not the turn of seat {state['turn'] + 1} (AD-1)."
    for seat in range(2):
        had = (turns + begun + (seat == starter)) // 2
        laid = int((state["line_count"][seat] > 0).sum()) if state["round"] == 1 else 0
        takes = max(laid, broken_tiles(state, seat) > 0, state["marker"] == seat)
        if used[seat] + chosen[seat] + takes > had:
            return f"Seat {seat + 1} has had too few turns in this round for that (AD-1)."
    return ""
