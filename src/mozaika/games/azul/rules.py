"""The rules of Azul, each decided where its id stands. No dice here: CHANCE draws."""

import numpy as np

from mozaika.games.azul.pieces import (
    CENTRE,
    CHOOSE,
    COLOR_BONUS,
    COLUMN_BONUS,
    DEAL,
    DRAWS,
    FLOOR,
    LAST_ROUND,
    LINES,
    MARKER,
    OFFER,
    OFFERED,
    ON_CENTRE,
    OVER,
    PENALTIES,
    PLACES,
    ROW_BONUS,
    STARTS,
    STATE,
    TARGET_LISTS,
    TARGETS,
    TILES_PER_COLOR,
    TILES_PER_FACTORY,
    TILING,
    AzulOptions,
)
from mozaika.kernel import count_bits, kernel
from mozaika.options import BadOption
from mozaika.state import CHANCE, Ints, State
from mozaika.words import later

ROW = 0b11111
COLUMN = 0b00001_00001_00001_00001_00001
SPREAD = np.array([sum(1 << 6 * c for c in range(5) if mask >> c & 1) for mask in range(32)], np.int64)


def new(seats: int, options: AzulOptions) -> State:
    """A game before anything is drawn."""
    state: State = np.zeros(1, STATE)[0]
    state["seats"] = seats
    state["grey"] = options.wall == "grey"
    state["bag"][:] = TILES_PER_COLOR
    state["marker"] = ON_CENTRE
    state["next_line"][:] = LINES
    if options.start == "random":  # AZ-S1
        state["phase"] = CHOOSE
        return state
    if int(options.start) > seats:
        sentence = later(
            "There is no seat {start}: the start player is one of the seats 1 to {seats}, or drawn."
        )
        raise BadOption(sentence, start=options.start, seats=seats)
    start_game(state, int(options.start) - 1)
    return state


def options_of(state: State) -> dict[str, str]:
    """Who started no longer matters."""
    return {"wall": "grey" if state["grey"] else "coloured"}


@kernel
def movers(state: State) -> int:
    """AZ-A1 one after the other in the offer; AZ-W1 all who still tile at the same time."""
    phase = state["phase"]
    if phase == OFFER:
        return 1 << int(state["turn"])
    if phase == TILING:
        mask = 0
        for seat in range(state["seats"]):
            if state["next_line"][seat] < LINES:
                mask |= 1 << seat
        return mask
    if phase == OVER:
        return 0
    return 1 << CHANCE


@kernel
def legal(state: State, seat: int, out: Ints) -> int:
    phase = state["phase"]
    if seat == CHANCE:
        if phase == CHOOSE:
            for starter in range(state["seats"]):
                out[starter] = STARTS + starter
            return int(state["seats"])
        if phase == DEAL:
            return _legal_draws(state, out)
        return 0
    if phase == OFFER and seat == state["turn"]:
        return _legal_takes(state, seat, out)
    if phase == TILING and state["next_line"][seat] < LINES:
        return _legal_places(state, seat, out)
    return 0


@kernel
def _legal_draws(state: State, out: Ints) -> int:
    n = 0
    for color in range(5):
        if state["bag"][color] > 0:
            out[n] = DRAWS + color
            n += 1
    return n


@kernel
def _legal_takes(state: State, seat: int, out: Ints) -> int:
    n = 0
    rows = open_rows(state, seat)
    rest = int(state["on_offer"])
    while rest != 0:  # AZ-A2, AZ-A3: all tiles of one colour from a factory or from the centre
        pair = count_bits((rest & -rest) - 1)
        rest &= rest - 1
        fits = targets(rows, pair % 5)
        move = pair * TARGETS
        window = out[n:]
        for i in range(TARGET_LISTS.shape[1]):
            window[i] = move + TARGET_LISTS[fits, i]
        n += count_bits(fits)
    return n


@kernel
def open_rows(state: State, seat: int) -> int:
    """Which lines are open to which colour: bit 6 * colour + row + 1, and bit 6 * colour for the floor."""
    rows = 0b000001_000001_000001_000001_000001  # AZ-A6: the floor takes anything
    for row in range(LINES):
        count = state["line_count"][seat, row]
        color = int(state["line_color"][seat, row])
        # AZ-A5, AZ-G4: the wall row must not hold the colour; columns do not matter
        free = SPREAD[~int(state["row_colors"][seat, row]) & ROW]
        # AZ-A4: one colour in a line, and a full line is not offered
        kept = 1 << 6 * color if count <= row else 0
        rows |= (kept if count > 0 else free) << row + 1
    return rows


@kernel
def targets(rows: int, color: int) -> int:
    """Bit mask of where a colour may go: 0 the floor, 1 to 5 the lines."""
    return rows >> 6 * color & 0b111111


@kernel
def _legal_places(state: State, seat: int, out: Ints) -> int:
    row = int(state["next_line"][seat])
    columns = free_columns(state, seat, row, int(state["line_color"][seat, row]))
    n = 0
    for column in range(5):
        if columns >> column & 1:
            out[n] = PLACES + row * 5 + column
            n += 1
    return n


@kernel
def free_columns(state: State, seat: int, row: int, color: int) -> int:
    """AZ-G1: bit mask of the columns of a grey wall row that a colour may take."""
    if state["row_colors"][seat, row] >> color & 1:
        return 0
    wall = int(state["wall"][seat, color])
    taken = occupied(state, seat) >> 5 * row
    for other in range(LINES):
        taken |= wall >> 5 * other
    return ~taken & ROW


@kernel
def occupied(state: State, seat: int) -> int:
    """Bit mask of all filled spaces of a wall."""
    filled = 0
    for color in range(5):
        filled |= int(state["wall"][seat, color])
    return filled


@kernel
def weigh(state: State, out: Ints) -> int:
    if state["phase"] == CHOOSE:  # AZ-S1: each seat with the same chance
        for starter in range(state["seats"]):
            out[starter] = 1
        return int(state["seats"])
    n = 0
    total = 0
    for color in range(5):
        tiles = int(state["bag"][color])
        if tiles > 0:
            out[n] = tiles
            total += tiles
            n += 1
    return total


@kernel
def apply(state: State, seat: int, move: int) -> None:
    if move < PLACES:
        take(state, seat, move)
        if state["on_offer"] == 0:  # AZ-A9
            begin_tiling(state)
        else:
            state["turn"] = seat + 1 if seat + 1 < state["seats"] else 0  # AZ-A1: clockwise
    elif move < DRAWS:
        row, column = divmod(move - PLACES, 5)
        tile(state, seat, row, column)
        state["next_line"][seat] = row + 1
        to_next_choice(state, seat)
        end_tiling(state)
    elif move < STARTS:
        draw(state, move - DRAWS)
    else:
        start_game(state, move - STARTS)


@kernel
def start_game(state: State, starter: int) -> None:
    """AZ-S1: the start player begins; the factories are filled."""
    state["starter"] = starter
    state["turn"] = starter
    state["round"] = 1
    state["phase"] = DEAL


@kernel
def draw(state: State, color: int) -> None:
    """AZ-C1: a tile goes from the bag to the factory that is being filled."""
    factory = 1 + int(state["dealt"]) // TILES_PER_FACTORY
    state["bag"][color] -= 1
    state["sources"][factory, color] += 1
    state["on_offer"] |= 1 << 5 * factory + color
    state["dealt"] += 1
    want_tile(state)


@kernel
def want_tile(state: State) -> None:
    """AZ-C1: while a tile is wanted the bag must not be empty; what is dealt is offered."""
    if state["dealt"] == OFFERED[state["seats"]]:
        begin_offer(state)
        return
    for color in range(5):
        if state["bag"][color] > 0:
            return
    poured = 0
    for color in range(5):
        poured += state["lid"][color]
        state["bag"][color] = state["lid"][color]
        state["lid"][color] = 0
    if poured == 0:
        if state["dealt"] > 0:  # AZ-C1: both ran out, start with what there is
            begin_offer(state)
        else:  # AZ-C4: not one tile
            end_game(state)


@kernel
def begin_offer(state: State) -> None:
    state["phase"] = OFFER
    state["dealt"] = 0


@kernel
def take(state: State, seat: int, move: int) -> None:
    """AZ-A2, AZ-A3: take the tiles, then lay them in a line or on the floor."""
    source_color, target = divmod(int(move), TARGETS)
    source, color = divmod(source_color, 5)
    count = int(state["sources"][source, color])
    state["sources"][source, color] = 0
    state["on_offer"] &= ~(1 << source_color)
    if source != CENTRE:
        state["on_offer"] |= state["on_offer"] >> 5 * source & ROW
        state["on_offer"] &= ~(ROW << 5 * source)
        for other in range(5):  # AZ-A2: the others go to the centre
            state["sources"][CENTRE, other] += state["sources"][source, other]
            state["sources"][source, other] = 0
    elif state["marker"] == ON_CENTRE:  # AZ-A3: the marker first, before any tile falls
        state["marker"] = seat
        if state["fallen"][seat] < FLOOR:  # AZ-A8: a full floor has no space for it
            state["floor"][seat, state["fallen"][seat]] = MARKER
            state["fallen"][seat] += 1
    if target > 0:
        row = target - 1
        fit = min(count, row + 1 - int(state["line_count"][seat, row]))  # AZ-A4
        state["line_color"][seat, row] = color
        state["line_count"][seat, row] += fit
        count -= fit
    drop(state, seat, color, count)


@kernel
def drop(state: State, seat: int, color: int, count: int) -> None:
    """AZ-A7: tiles fall on the floor from left to right; what finds it full goes to the lid."""
    fallen = int(state["fallen"][seat])
    filled = min(FLOOR, fallen + count)
    for space in range(fallen, filled):
        state["floor"][seat, space] = color + 1
    state["fallen"][seat] = filled
    state["lid"][color] += fallen + count - filled


@kernel
def begin_tiling(state: State) -> None:
    state["phase"] = TILING
    for seat in range(state["seats"]):
        state["next_line"][seat] = 0
        to_next_choice(state, seat)
    end_tiling(state)


@kernel
def to_next_choice(state: State, seat: int) -> None:
    """AZ-W1, AZ-G3: line by line, top to bottom, to the next choice; behind the last line, the floor."""
    row = int(state["next_line"][seat])
    while row < LINES:
        if state["line_count"][seat, row] == row + 1:
            if state["grey"] == 0:
                tile(state, seat, row, printed_column(row, int(state["line_color"][seat, row])))
            elif free_columns(state, seat, row, int(state["line_color"][seat, row])) == 0:
                spill(state, seat, row)
            else:
                break
        row += 1
    state["next_line"][seat] = row
    if row == LINES:
        pay_floor(state, seat)


@kernel
def printed_column(row: int, color: int) -> int:
    """AZ-B3: each row of the coloured wall is the row above shifted one step right."""
    return (row + color) % 5


@kernel
def tile(state: State, seat: int, row: int, column: int) -> int:
    """AZ-W1: a tile of a complete line goes to the wall and scores; AZ-W2: the others go to the lid."""
    color = int(state["line_color"][seat, row])
    points = placement_points(occupied(state, seat), row, column)
    state["wall"][seat, color] |= 1 << 5 * row + column
    state["row_colors"][seat, row] |= 1 << color
    state["score"][seat] += points
    state["lid"][color] += row
    clear_line(state, seat, row)
    return points


@kernel
def clear_line(state: State, seat: int, row: int) -> None:
    state["line_count"][seat, row] = 0
    state["line_color"][seat, row] = 0


@kernel
def spill(state: State, seat: int, row: int) -> None:
    """AZ-G2: a complete line that no space can take falls to the floor."""
    color = int(state["line_color"][seat, row])
    clear_line(state, seat, row)
    drop(state, seat, color, row + 1)


@kernel
def placement_points(filled: int, row: int, column: int) -> int:
    """AZ-P1, AZ-P2: the groups that a tile joins, on a wall with these spaces filled."""
    across = 1
    for step in range(column + 1, 5):
        if filled >> 5 * row + step & 1 == 0:
            break
        across += 1
    for step in range(column - 1, -1, -1):
        if filled >> 5 * row + step & 1 == 0:
            break
        across += 1
    down = 1
    for step in range(row + 1, 5):
        if filled >> 5 * step + column & 1 == 0:
            break
        down += 1
    for step in range(row - 1, -1, -1):
        if filled >> 5 * step + column & 1 == 0:
            break
        down += 1
    if across == 1:  # AZ-P1: alone it counts once
        return down
    return across if down == 1 else across + down


@kernel
def pay_floor(state: State, seat: int) -> int:
    """AZ-W3: the floor costs points, never below 0; AZ-W4: its tiles go to the lid. Returns what it cost."""
    fallen = int(state["fallen"][seat])
    cost = min(int(PENALTIES[fallen]), int(state["score"][seat]))
    state["score"][seat] -= cost
    state["lost"][seat] += cost
    for space in range(fallen):
        piece = state["floor"][seat, space]
        if piece != MARKER:
            state["lid"][piece - 1] += 1
        state["floor"][seat, space] = 0
    state["fallen"][seat] = 0
    return cost


@kernel
def end_tiling(state: State) -> None:
    """AZ-S2: when everybody has tiled, the next round or the end."""
    finished = state["round"] == LAST_ROUND  # AZ-C5
    for seat in range(state["seats"]):
        if state["next_line"][seat] < LINES:
            return
        finished = finished or full_rows(occupied(state, seat)) > 0  # AZ-E1
    if finished:
        end_game(state)
        return
    if state["marker"] != ON_CENTRE:  # AZ-C2; AZ-C3: the start player stays if nobody took it
        state["starter"] = state["marker"]
        state["marker"] = ON_CENTRE
    state["turn"] = state["starter"]
    state["round"] += 1
    state["phase"] = DEAL
    want_tile(state)


@kernel
def end_game(state: State) -> None:
    """AZ-E2: the bonus for rows, columns and colours."""
    state["phase"] = OVER
    for seat in range(state["seats"]):
        state["score"][seat] += row_bonus(state, seat) + column_bonus(state, seat) + color_bonus(state, seat)


@kernel
def row_bonus(state: State, seat: int) -> int:
    return ROW_BONUS * full_rows(occupied(state, seat))


@kernel
def full_rows(filled: int) -> int:
    rows = 0
    for row in range(5):
        if filled >> 5 * row & ROW == ROW:
            rows += 1
    return rows


@kernel
def column_bonus(state: State, seat: int) -> int:
    filled = occupied(state, seat)
    columns = 0
    for column in range(5):
        if filled >> column & COLUMN == COLUMN:
            columns += 1
    return COLUMN_BONUS * columns


@kernel
def color_bonus(state: State, seat: int) -> int:
    colors = 0
    for color in range(5):
        if count_bits(int(state["wall"][seat, color])) == 5:
            colors += 1
    return COLOR_BONUS * colors


@kernel
def scores(state: State, out: Ints) -> None:
    for seat in range(state["seats"]):
        out[seat] = state["score"][seat]


@kernel
def ranks(state: State, out: Ints) -> None:
    """AZ-E3: most points, then most complete rows; what is still tied shares the place."""
    for seat in range(state["seats"]):
        out[seat] = 1
        for other in range(state["seats"]):
            if standing(state, other) > standing(state, seat):
                out[seat] += 1


@kernel
def standing(state: State, seat: int) -> int:
    return int(state["score"][seat]) * 8 + full_rows(occupied(state, seat))


@kernel
def outlook(state: State, seat: int) -> int:
    """How the points of a seat would change if the offer ended now.

    On the grey wall each line takes the space that scores most, without a thought for the next.
    """
    filled = occupied(state, seat)
    gain = 0
    fallen = int(state["fallen"][seat])
    for row in range(LINES):
        if state["line_count"][seat, row] == row + 1:
            color = int(state["line_color"][seat, row])
            columns = 1 << printed_column(row, color)
            if state["grey"] != 0:
                columns = free_columns(state, seat, row, color)
            best = 0
            best_column = 0
            for column in range(5):
                if columns >> column & 1:
                    points = placement_points(filled, row, column)
                    if points > best:
                        best = points
                        best_column = column
            if best == 0:
                fallen = min(FLOOR, fallen + row + 1)
            else:
                gain += best
                filled |= 1 << 5 * row + best_column
    return max(-int(state["score"][seat]), gain - int(PENALTIES[fallen]))
