"""The pattern lines and the broken tiles: what goes where, and what it costs."""

from mozaika.games.azul_duel.pieces import BROKEN, LINES, MARKER_PENALTY, PENALTIES, TARGETS
from mozaika.kernel import kernel
from mozaika.state import State


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
