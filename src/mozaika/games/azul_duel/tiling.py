"""The tiling: line by line to the dome, then the next round or the end."""

from mozaika.games.azul_duel.chips import can_pay, next_payment, pay_chips
from mozaika.games.azul_duel.dome import free_columns, gild, placement_points, plates_on_row
from mozaika.games.azul_duel.lines import clear_line, pay_broken, shatter
from mozaika.games.azul_duel.objectives import all_objectives
from mozaika.games.azul_duel.pieces import (
    LAST_PLATES,
    LINES,
    ON_LARGE,
    OVER,
    PAYMENTS,
    ROUNDS,
    STAYS,
    TILING,
    TILINGS,
    TOKENS,
)
from mozaika.games.azul_duel.plates import refill
from mozaika.kernel import kernel
from mozaika.state import Ints, State


@kernel
def legal_tilings(state: State, seat: int, out: Ints) -> int:
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
def settle_line(state: State, seat: int, move: int) -> None:
    """AD-W1, AD-W4: what the player chose for a line; then comes the next one."""
    if move < STAYS:
        row, place = divmod(move - TILINGS, PAYMENTS * 6)
        payment, column = divmod(place, 6)
        pay_chips(state, seat, payment)
        tile(state, seat, row, column)
    state["next_line"][seat] += 1


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
