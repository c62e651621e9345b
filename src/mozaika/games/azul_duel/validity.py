"""Which positions of Azul Duel can be: everything in the box is somewhere, and the rules lead there."""

from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from mozaika.games.azul_duel.chips import can_pay
from mozaika.games.azul_duel.dome import free_columns, plates_on_row
from mozaika.games.azul_duel.lines import broken_tiles
from mozaika.games.azul_duel.objectives import all_objectives
from mozaika.games.azul_duel.pieces import (
    ACQUIRE,
    AIM,
    BROKEN,
    CHIP_LETTERS,
    CHIPS_A_ROUND,
    CHIPS_OF_A_TYPE,
    CHOICE,
    CHOOSE,
    COLORS,
    DEAL,
    DEALT,
    DRAWING,
    FACE_DOWN,
    FACE_UP,
    HAND,
    KIND,
    KINDS,
    LARGE,
    LARGE_TILES,
    LAST_PLATES,
    LINES,
    LOOK,
    MARKER_PENALTY,
    ON_LARGE,
    OVER,
    PENALTIES,
    PILE,
    PLATES,
    REFILL,
    RETURN,
    ROUNDS,
    SETUP,
    SMALL,
    SMALL_TILES,
    START_POINTS,
    TILE_SPECIAL,
    TILES_PER_COLOR,
    TILING,
    TOKENS,
    UNDER,
)
from mozaika.games.azul_duel.plates import stack_height, to_look_at
from mozaika.games.azul_duel.rules import can_act
from mozaika.games.azul_duel.taken import check_tiles
from mozaika.state import State


def count_tiles(state: State) -> list[int]:
    """All tiles of each colour, wherever they are: 13 in every position (AD-B1)."""
    totals = state["bag"].astype(int) + state["tower"] + state["large_moon"]
    totals += state["sun"].sum(axis=0) + state["broken"].sum(axis=0)
    for color in range(5):
        totals[color] += (state["moon"] == color + 1).sum() + (state["tile"] == color + 1).sum()
        totals[color] += state["line_count"][state["line_color"] == color].sum()
    return [int(total) for total in totals]


def count_chips(state: State) -> list[int]:
    """All chips of each type that have been turned: 2 at most (AD-B1)."""
    totals = state["store"].sum(axis=0).astype(int) + state["spent"].sum(axis=0)
    for chip in state["chip"]:
        if chip >= FACE_UP:
            totals[chip - FACE_UP] += 1
    return [int(total) for total in totals]


def list_plates(state: State) -> list[int]:
    """Every plate that has a place, and those that nobody has seen: each of the 18 once (AD-B1)."""
    plates = [int(plate) for plate in (*state["shown"], *state["slot_plate"].flat, *state["plate"].flat)]
    unseen = [plate for plate in range(1, PLATES + 1) if state["unseen"] >> plate & 1]
    return sorted([plate for plate in plates if 0 < plate <= PLATES] + unseen)


def check_position(state: State) -> None:
    """ValueError with a sentence if the box, the rules and the round cannot make this position."""
    for color, total in enumerate(count_tiles(state)):
        if total != TILES_PER_COLOR:
            raise ValueError(
                f"There are {TILES_PER_COLOR} {COLORS[color]} tiles in the box, not {total} (AD-B1)."
            )
    for chip, total in enumerate(count_chips(state)):
        if total > CHIPS_OF_A_TYPE:
            raise ValueError(
                f"There are {CHIPS_OF_A_TYPE} chips {CHIP_LETTERS[chip]} in the box, not {total} (AD-B1)."
            )
    if list_plates(state) != list(range(1, PLATES + 1)):
        raise ValueError(f"Each of the {PLATES} plates has one place, or nobody has seen it (AD-B1).")
    _check_beginning(state)
    _check_stack(state)
    _check_domes(state)
    _check_hand(state)
    _check_knowledge(state)
    _check_factories(state)
    _check_points(state)
    _check_turn(state)
    _check_tilings(state)
    check_tiles(state)


def _check_beginning(state: State) -> None:
    """Before the start player is known nothing has happened."""
    phase = state["phase"]
    begun = any(state[field].any() for field in ("dealt", "shown", "top", "tile", "piles"))
    begun = begun or any(state[field].any() for field in ("tiled", "gilded", "paid", "lost"))
    if phase in (AIM, CHOOSE) and (begun or state["round"] > 1):
        raise ValueError("The objectives and the start player are drawn before anything else (AD-S1).")
    undecided = phase == CHOOSE or (phase == AIM and state["starter"] == state["turn"])
    if undecided and (state["starter"] or state["turn"]):
        raise ValueError("While the start player is drawn, starter and turn are 1 (AD-S3).")
    taken = any(state[field].any() for field in ("tile", "line_count", "broken", "tower"))
    if state["round"] == 1 and phase <= SETUP and taken:
        raise ValueError("Before the first turn no tile has been taken (AD-S3).")


def _check_stack(state: State) -> None:
    if (state["left"] < 0).any():
        raise ValueError("More plates have been drawn face down than nobody has seen.")
    top = int(state["top"])
    if top and state["left"][KIND[top]] == 0:
        raise ValueError(f"No {KINDS[KIND[top]]} plate is unseen, so none is on top.")


def _check_domes(state: State) -> None:
    """AD-S3, AD-A5: how many plates each player has by now, and so how many tokens."""
    phase, number = int(state["phase"]), int(state["round"])
    for seat in range(2):
        placed = sum(plates_on_row(state, seat, row) for row in (0, 2, 4))
        tokens = int(state["tokens"][seat])
        holds = DRAWING <= phase <= CHOICE and seat == state["turn"]
        used = TOKENS - tokens if number <= LAST_PLATES else 0
        wanted = 1 + TOKENS * min(number - 1, LAST_PLATES) + used - holds
        if number == 1 and phase <= SETUP:
            first = seat != state["starter"] and state["dealt"] == DEALT
            waiting = phase == SETUP and seat == state["turn"]
            later = seat == state["starter"] and phase == REFILL and placed <= 1
            wanted = placed if later else int(first and not waiting) if seat != state["starter"] else 0
            used = TOKENS - tokens
        if placed != wanted:
            raise ValueError(f"Seat {seat + 1} should have {wanted} plates by now, not {placed} (AD-A5).")
        if (phase <= SETUP and used) or (number > LAST_PLATES and tokens):
            raise ValueError(f"Seat {seat + 1} cannot have {tokens} tokens left now (AD-A5).")
        if phase in (TILING, OVER) and tokens:
            raise ValueError("Both tokens are used before the tiling begins (AD-E1).")
    shown = int((state["shown"] > 0).sum())
    used = 2 * TOKENS - int(state["tokens"].sum())
    if SETUP <= phase < TILING and number <= LAST_PLATES and shown < 3 - used:
        raise ValueError("The display lacks more plates than have been taken in this round (AD-A2).")
    if phase == DEAL and shown < 3 and stack_height(state) > 0:
        raise ValueError("The display is refilled before tiles are dealt (AD-N1).")
    if phase == REFILL and state["dealt"] == DEALT and shown < 2:
        raise ValueError("The display lacks one plate when a first plate was taken (AD-S3).")
    if phase == REFILL and (shown == 3 or stack_height(state) == 0):
        raise ValueError("The display needs no plate (AD-N1).")


def _check_hand(state: State) -> None:
    phase, turn, held = int(state["phase"]), int(state["turn"]), int(state["piles"][HAND])
    if (held > 0) != (DRAWING <= phase <= RETURN):
        raise ValueError(
            "There are plates in the hand while they are drawn, seen, placed and returned (AD-A3)."
        )
    if phase == DRAWING and stack_height(state) == 0:
        raise ValueError("No plate is left to draw (AD-A3).")
    unknown = held - to_look_at(state)
    if (phase == LOOK and not unknown) or (phase in (CHOICE, RETURN) and unknown):
        raise ValueError("A player looks at all drawn plates before placing one (AD-A3).")
    if phase == RETURN:
        plates = [int(plate) for plate in state["plate"][HAND, :held]]
        marks = {
            (int(KIND[plate]), int(state["known"][HAND, n]), int(state["fresh"][HAND, n]))
            for n, plate in enumerate(plates)
        }
        if held < 2 or plates != sorted(plates) or len(marks) != len({kind for kind, _, _ in marks}):
            raise ValueError("Plates to be returned are two or more, in the order of their numbers (AD-A3).")
    if phase < DRAWING and any(by == turn + 1 for by in state["by"][HAND]):
        raise ValueError("Nobody holds a plate now (AD-A3).")


def _check_knowledge(state: State) -> None:
    """What the other knows of each plate that was put back must not contradict where it is."""
    for seat in range(2):
        hidden = {
            int(state["plate"][pile, index]): (
                int(state["known"][pile, index]),
                bool(state["fresh"][pile, index]),
            )
            for pile in (HAND, UNDER)
            for index in range(state["piles"][pile])
            if state["by"][pile, index] == 2 - seat
        }
        known = 0
        for mask, _ in hidden.values():
            known |= mask
        mistaken = [plate for plate in range(1, PLATES + 1) if known >> plate & 1 and plate not in hidden]
        for plate, (mask, fresh) in hidden.items():
            if not mask >> plate & 1 and not (fresh and not known >> plate & 1):
                mistaken.append(plate)
        if mistaken:
            raise ValueError(f"Seat {seat + 1} cannot believe that about plate {mistaken[0]} (AD-A3).")


def _check_factories(state: State) -> None:
    phase, dealt = int(state["phase"]), int(state["dealt"])
    tiles = [int(state["sun"][factory].sum()) for factory in range(5)]
    on_moon = [int((state["moon"][factory] > 0).sum()) for factory in range(SMALL)]
    offered = sum(tiles) + sum(on_moon) + int(state["large_moon"].sum())
    ready = phase >= SETUP or (phase == REFILL and dealt == DEALT)
    if phase == DEAL:
        _check_deal(state, tiles, offered)
    elif offered and (not ready or phase >= TILING):
        raise ValueError("No tiles lie on the factories now (AD-E1).")
    if phase == REFILL and dealt not in (0, DEALT if state["round"] == 1 else 0):
        raise ValueError("The display is refilled before tiles are dealt (AD-N1).")
    if phase >= SETUP and dealt != DEALT:
        raise ValueError(f"When the tiles are dealt, “dealt” is {DEALT} (AD-N2).")
    untouched = tiles[LARGE] > 0 or state["large_moon"].sum() == LARGE_TILES - 1
    if state["marker"] != ON_LARGE and (untouched or not ready):
        raise ValueError(
            "The start marker is on the large factory until a tile leaves its moon side (AD-T4)."
        )
    _check_chips(state, [tiles[factory] + on_moon[factory] for factory in range(SMALL)], ready=ready)


def _check_deal(state: State, tiles: list[int], offered: int) -> None:
    dealt = int(state["dealt"])
    wanted = [min(max(dealt - LARGE_TILES - SMALL_TILES * f, 0), SMALL_TILES) for f in range(SMALL)]
    if tiles != [*wanted, min(dealt, LARGE_TILES)] or offered != dealt or dealt == DEALT:
        raise ValueError("The large factory is filled first, then the small ones in turn (AD-N2).")
    if not state["bag"].any():
        raise ValueError("A tile is wanted and the bag is empty; the tower is poured into it (AD-N2).")


def _check_chips(state: State, borne: list[int], *, ready: bool) -> None:
    for factory, tiles in enumerate(borne):
        chip, turning = int(state["chip"][factory]), bool(state["turning"] >> factory & 1)
        if ready and (chip == FACE_DOWN and not turning) != (tiles > 0):
            raise ValueError("A chip is face down while there are tiles on its factory (AD-T2).")
    chips, chosen = int((state["chip"] > 0).sum()), int(state["chosen"].sum())
    if chips + chosen != (SMALL if ready else 0):
        raise ValueError(f"There are {SMALL} chips in a round, on the factories or taken (AD-D1).")
    for seat in range(2):
        owned = int(state["store"][seat].sum() + state["spent"][seat].sum())
        if owned != CHIPS_A_ROUND * (int(state["round"]) - 1) + int(state["chosen"][seat]):
            raise ValueError(f"Seat {seat + 1} has not taken {owned} chips by now (AD-D1).")
    if state["phase"] >= TILING and chips:
        raise ValueError("The tiling begins when all chips are taken (AD-E1).")


def _check_points(state: State) -> None:
    for seat in range(2):
        score = START_POINTS + int(state["tiled"][seat]) + int(state["gilded"][seat])
        score -= int(state["paid"][seat]) + int(state["lost"][seat])
        if state["phase"] == OVER:
            score = max(0, score + all_objectives(state, seat))
        if state["score"][seat] != score:
            raise ValueError(
                f"The points of seat {seat + 1} make {score}, not {state['score'][seat]} (AD-P5)."
            )
        if state["lost"][seat] > (int(PENALTIES[BROKEN]) + MARKER_PENALTY) * _times_tiled(
            state, seat, LINES - 1
        ):
            raise ValueError(f"Seat {seat + 1} cannot have lost so much (AD-P4).")
        used = TOKENS * min(int(state["round"]), LAST_PLATES) - int(state["tokens"][seat])
        if state["paid"][seat] > PILE * used:
            raise ValueError(f"Seat {seat + 1} cannot have paid for so many plates (AD-A3).")


def _times_tiled(state: State, seat: int, row: int) -> int:
    """How often a line has been tiled; the broken tiles come after the last."""
    now = state["phase"] == OVER or (state["phase"] == TILING and row < state["next_line"][seat])
    return int(state["round"]) - (not now)


def _check_tilings(state: State) -> None:
    """AD-W1: a round tiles each line once at most, and the points for it follow from the dome."""
    for seat in range(2):
        rows = state["tile"][seat].reshape(6, 6)
        for row in range(LINES):
            if ((rows[row] > 0) & (rows[row] < TILE_SPECIAL)).sum() > _times_tiled(state, seat, row):
                raise ValueError(
                    f"Row {row + 1} of seat {seat + 1} has more tiles than there were tilings (AD-W1)."
                )
        special = sum((row + 1) * int((rows[row] == TILE_SPECIAL).sum()) for row in range(LINES))
        if state["gilded"][seat] != special:
            raise ValueError(
                f"The special tiles of seat {seat + 1} have brought {special} points, not "
                f"{state['gilded'][seat]} (AD-W5)."
            )
        least, most = _dome_points(rows > 0, int((rows == TILE_SPECIAL).sum()))
        if not least <= state["tiled"][seat] <= most:
            bounds = f"{least} to {most}" if least < most else str(most)
            raise ValueError(
                f"The tiles of seat {seat + 1} have brought {bounds} points, not "
                f"{state['tiled'][seat]} (AD-P2)."
            )


def _dome_points(filled: NDArray[np.bool_], special: int) -> tuple[int, int]:
    """The least and the most points that tiles on these spaces can have brought, in any order (AD-P2).

    Whoever lays a group of n from one end counts 2 + 3 + … + n, and no order counts more: a tile that joins
    groups of a and b brings ab + 1 less than going on from one end. So at most one tile of each group across
    or down is better laid alone, for a point of its own. Each coloured tile brings at least one.
    """
    groups = [
        [len(list(group)) for line in lines for tile, group in groupby(line) if tile]
        for lines in (filled.tolist(), filled.T.tolist())
    ]
    most = min(map(len, groups)) + sum(n * (n + 1) // 2 - 1 for each in groups for n in each)
    return int(filled.sum()) - special, most


def _check_turn(state: State) -> None:
    phase, turn, starter = int(state["phase"]), int(state["turn"]), int(state["starter"])
    if phase == OVER and state["round"] < ROUNDS:
        raise ValueError(f"The game is over after round {ROUNDS} (AD-F1).")
    if phase == ACQUIRE and not can_act(state, turn):
        raise ValueError(f"Seat {turn + 1} cannot act, so it is not its turn (AD-E2).")
    if phase in (REFILL, DEAL) and state["round"] > 1 and turn != starter:
        raise ValueError("The start player begins the round (AD-N5).")
    if phase in (REFILL, DEAL) and state["round"] == 1 and state["dealt"] < DEALT and turn == starter:
        raise ValueError("The other player takes the first plate (AD-S3).")
    if (
        phase == REFILL
        and state["dealt"] == DEALT
        and (turn == starter) != state["slot_plate"][starter].any()
    ):
        raise ValueError("The display is refilled before the next player's turn (AD-S3).")
    if phase == SETUP and state["round"] > 1:
        raise ValueError("The first plates are placed before the first round (AD-S3).")
    if phase in (TILING, OVER) or (phase in (REFILL, DEAL) and state["round"] > 1):
        _check_tiling(state)
    if phase == TILING and (state["next_line"] == LINES).all():
        raise ValueError("Both have tiled, so the tiling is over (AD-W6).")


def _check_tiling(state: State) -> None:
    """Everybody stands before a real choice, and the lines before it are done."""
    for seat in range(2):
        at = int(state["next_line"][seat])
        if at == LINES and broken_tiles(state, seat):
            raise ValueError("Who has tiled has no broken tiles any more (AD-P4).")
        for row in range(min(at + 1, LINES)):
            color, count = int(state["line_color"][seat, row]), int(state["line_count"][seat, row])
            columns = free_columns(state, seat, row, color) if count else 0
            missing = row + 1 - count
            if row == at:
                choice = columns.bit_count() > 1 if not missing else can_pay(state, seat, color, missing)
                if not columns or not choice:
                    raise ValueError(f"Line {row + 1} leaves seat {seat + 1} no choice (AD-W1).")
            elif count and (columns if not missing else 0):
                raise ValueError(f"Line {row + 1} of seat {seat + 1} must be placed (AD-W1).")
            elif count and not columns and plates_on_row(state, seat, row) == 3:
                raise ValueError(f"Line {row + 1} of seat {seat + 1} must break (AD-W3).")
