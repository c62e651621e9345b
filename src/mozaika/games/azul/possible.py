"""Which positions of Azul can be: all tiles of the box are somewhere, and the rules lead there."""

from itertools import groupby

import numpy as np

from mozaika.games.azul.pieces import (
    CHOOSE,
    COLORS,
    DEAL,
    FACTORIES,
    FLOOR,
    LAST_ROUND,
    LINES,
    MARKER,
    OFFER,
    OFFERED,
    ON_CENTRE,
    OVER,
    PENALTIES,
    TILES_PER_COLOR,
    TILES_PER_FACTORY,
    TILING,
)
from mozaika.games.azul.rules import color_bonus, column_bonus, free_columns, full_rows, occupied, row_bonus
from mozaika.state import State

TILES = TILES_PER_COLOR * len(COLORS)


def count_tiles(state: State) -> list[int]:
    """All tiles of each colour, wherever they are: 20 in every position (AZ-B1)."""
    totals = state["bag"].astype(int) + state["lid"] + state["sources"].sum(axis=0)
    for color in range(5):
        totals[color] += (state["floor"] == color + 1).sum()
        totals[color] += state["line_count"][state["line_color"] == color].sum()
        totals[color] += sum(int(spaces).bit_count() for spaces in state["wall"][:, color])
    return [int(total) for total in totals]


def check_position(state: State) -> None:
    """ValueError with a sentence if the box, the rules and the round cannot make this position."""
    for color, total in enumerate(count_tiles(state)):
        if total != TILES_PER_COLOR:
            raise ValueError(
                f"There are {TILES_PER_COLOR} {COLORS[color]} tiles in the box, not {total} (AZ-B1)."
            )
    _check_marker(state)
    _check_phase(state)
    _check_walls(state)
    _check_points(state)
    _check_supply(state)
    if state["phase"] == OFFER:
        _check_offer(state)


def _check_phase(state: State) -> None:
    phase = state["phase"]
    if phase == OFFER and state["on_offer"] == 0:
        raise ValueError("The offer is over when no tile is left to take (AZ-A9).")
    if phase in (CHOOSE, TILING, OVER) and state["on_offer"] != 0:
        raise ValueError("Tiles lie on the factories or in the centre, so it is still the offer (AZ-A9).")
    rows = [full_rows(occupied(state, seat)) for seat in range(state["seats"])]
    if phase in (CHOOSE, DEAL, OFFER) and any(rows):
        raise ValueError("A row is complete, so the game is over (AZ-E1).")
    if phase == OVER:
        _check_over(state, rows)
    if phase in (CHOOSE, DEAL):
        _check_deal(state)
    if phase == TILING:
        _check_tiling(state)


def _check_over(state: State, rows: list[int]) -> None:
    if state["fallen"].any() or (state["line_count"] == np.arange(1, LINES + 1)).any():
        raise ValueError("After the last tiling no line is complete and the floors are empty (AZ-E1).")
    left = int(state["bag"].sum() + state["lid"].sum())
    if not any(rows) and state["round"] < LAST_ROUND and left:
        raise ValueError("The game is over when a row is complete, and here none is (AZ-E1).")
    for seat in range(state["seats"]):
        bonus = row_bonus(state, seat) + column_bonus(state, seat) + color_bonus(state, seat)
        if state["score"][seat] < bonus:
            raise ValueError(f"Seat {seat + 1} has fewer points than its bonus of {bonus} (AZ-E2).")


def _check_marker(state: State) -> None:
    holder, phase = int(state["marker"]), state["phase"]
    for seat in range(state["seats"]):
        markers = int((state["floor"][seat] == MARKER).sum())
        paid = phase == OVER or (phase == TILING and state["next_line"][seat] == LINES)
        full = state["fallen"][seat] == FLOOR  # AZ-A8
        if markers != (seat == holder) and not (seat == holder and markers == 0 and (paid or full)):
            raise ValueError("The start marker is on the floor of its holder and nowhere else (AZ-A3).")


def _check_deal(state: State) -> None:
    full, some = divmod(int(state["dealt"]), TILES_PER_FACTORY)
    filled = [int(factory.sum()) for factory in state["sources"]]
    if filled != [0] + [TILES_PER_FACTORY] * full + [some] * (full < 9) + [0] * (8 - full):
        raise ValueError("Factories are filled one after the other, with 4 tiles each (AZ-C1).")
    if state["bag"].sum() == 0 or full == FACTORIES[state["seats"]]:
        raise ValueError("No tile is to be dealt here (AZ-C1).")
    if state["marker"] != ON_CENTRE or state["fallen"].any():
        raise ValueError("Before the offer the marker is in the centre and the floors are empty (AZ-C2).")
    if (state["line_count"] == np.arange(1, LINES + 1)).any():
        raise ValueError("A complete line has been tiled before the next round (AZ-W1).")
    if state["turn"] != state["starter"]:
        raise ValueError("The start player begins the round (AZ-C2).")
    untouched = (state["bag"] == TILES_PER_COLOR).all() and not state["score"].any() and state["round"] == 0
    untouched = untouched and state["starter"] == 0
    if state["phase"] == CHOOSE and not untouched:
        raise ValueError("The start player is drawn before the first tile (AZ-S1).")


def _check_tiling(state: State) -> None:
    if not state["grey"]:
        raise ValueError("The coloured wall leaves no choice in tiling, so there is no such phase (AZ-W1).")
    pending = False
    for seat in range(state["seats"]):
        following = int(state["next_line"][seat])
        pending |= following < LINES
        for row in range(min(following + 1, LINES)):
            complete = state["line_count"][seat, row] == row + 1
            if complete != (row == following):
                raise ValueError(
                    f"Seat {seat + 1} tiles its first complete line, from top to bottom (AZ-G3)."
                )
        if following < LINES and not free_columns(
            state, seat, following, int(state["line_color"][seat, following])
        ):
            raise ValueError(f"Line {following + 1} of seat {seat + 1} fits nowhere, so it falls (AZ-G2).")
        if following == LINES and state["fallen"][seat]:
            raise ValueError(f"Seat {seat + 1} has tiled, so its floor is empty (AZ-W4).")
    if not pending:
        raise ValueError("Somebody must still have a line to tile (AZ-W1).")


def _check_walls(state: State) -> None:
    """AZ-W1: a round tiles each line once at most."""
    for seat in range(state["seats"]):
        for row in range(LINES):
            tiles = (occupied(state, seat) >> 5 * row & 0b11111).bit_count()
            if tiles > _times_tiled(state, seat, row):
                raise ValueError(
                    f"Row {row + 1} of seat {seat + 1} has more tiles than there were tilings (AZ-W1)."
                )


def _times_tiled(state: State, seat: int, row: int) -> int:
    """How often a row has been tiled; the floor comes after the last."""
    now = state["phase"] == OVER or (state["phase"] == TILING and row < state["next_line"][seat])
    return max(0, int(state["round"]) - (not now))


def _check_points(state: State) -> None:
    """Points come from the wall and go for the floor, so both together are what the wall has brought."""
    for seat in range(state["seats"]):
        brought = int(state["score"][seat]) + int(state["lost"][seat])
        if state["phase"] == OVER:
            brought -= row_bonus(state, seat) + column_bonus(state, seat) + color_bonus(state, seat)
        least, most = wall_points(occupied(state, seat))
        if not least <= brought <= most:
            bounds = f"{least} to {most}" if least < most else str(most)
            raise ValueError(
                f"The wall of seat {seat + 1} has brought {bounds} points, not {brought}, the "
                f"{state['lost'][seat]} points for the floor included (AZ-P2)."
            )
        if state["lost"][seat] > PENALTIES[FLOOR] * _times_tiled(state, seat, LINES - 1):
            raise ValueError(f"The floor cannot have cost seat {seat + 1} so much by now (AZ-W3).")


def wall_points(filled: int) -> tuple[int, int]:
    """The least and the most points that tiles on these spaces can have brought, in whatever order (AZ-P2).

    Whoever lays a group of n from one end counts 2 + 3 + … + n, and no order counts more: a tile that joins
    groups of a and b brings ab + 1 less than going on from one end. So at most one tile of each row or
    column group is better laid alone, for a point of its own. The least is found by splitting groups.
    """
    across = [[filled >> 5 * row + column & 1 for column in range(5)] for row in range(5)]
    groups = [_groups(across), _groups([list(column) for column in zip(*across, strict=True)])]
    most = min(map(len, groups)) + sum(n * (n + 1) // 2 - 1 for each in groups for n in each)
    return max(filled.bit_count(), sum(_LEAST[n] for each in groups for n in each)), most


_LEAST = (0, 0, 2, 3, 6, 8)
"""The least that a group of so many tiles brings in its own direction: the last tile counts them all."""


def _groups(lines: list[list[int]]) -> list[int]:
    return [len(list(group)) for line in lines for tile, group in groupby(line) if tile]


def _dealt_before(state: State) -> int:
    """How many tiles the rounds before this one wanted."""
    return int(OFFERED[state["seats"]]) * max(0, int(state["round"]) - 1)


def _check_supply(state: State) -> None:
    """AZ-C1: until the lid is poured into the bag for the first time, all that is missing there was dealt."""
    before, wanted = _dealt_before(state), int(OFFERED[state["seats"]])
    dealing = state["phase"] in (CHOOSE, DEAL)
    dealt = before + (int(state["dealt"]) if dealing else wanted)
    bag, lid = int(state["bag"].sum()), int(state["lid"].sum())
    if dealt < TILES or (dealt == TILES and not dealing):
        if bag != TILES - dealt:
            raise ValueError(f"By now {dealt} tiles are dealt, so {TILES - dealt} are in the bag (AZ-C1).")
        _check_lid(state)
    if lid and dealing and (before == 0 or before <= TILES <= dealt):
        raise ValueError("The lid is empty before the first offer and after it was poured (AZ-C1).")


def _check_lid(state: State) -> None:
    """AZ-W2: from a line of n tiles n - 1 go to the lid."""
    for color in range(5):
        least = 0
        for spaces in state["wall"][:, color]:
            least += sum(space // 5 for space in range(25) if int(spaces) >> space & 1)
        if state["lid"][color] < least:
            raise ValueError(
                f"The {COLORS[color]} tiles on the walls have left {least} in the lid, not "
                f"{state['lid'][color]} (AZ-W2)."
            )


def _check_offer(state: State) -> None:
    """What was dealt may be more than one thing where the supply ran out; one of them must fit."""
    sizes = [int(tiles) for tiles in state["sources"][1 : FACTORIES[state["seats"]] + 1].sum(axis=1)]
    wanted = int(OFFERED[state["seats"]])
    poured = _dealt_before(state) <= TILES < _dealt_before(state) + wanted
    faults = []
    for dealt in range(wanted, 0, -1):
        ran_out = dealt < wanted
        if ran_out and (state["bag"].any() or _dealt_before(state) + wanted <= TILES):
            break
        faults.append(_find_fault(state, sizes, dealt, fresh=ran_out or poured or state["round"] == 1))
        if not faults[-1]:
            return
    raise ValueError(faults[0])


def _find_fault(state: State, sizes: list[int], dealt: int, *, fresh: bool) -> str:
    """Why this cannot be the offer if so many tiles were dealt; `fresh` if into an empty lid."""
    filled = [min(max(dealt - TILES_PER_FACTORY * n, 0), TILES_PER_FACTORY) for n in range(len(sizes))]
    if any(size not in (0, full) for size, full in zip(sizes, filled, strict=True)):
        return "An untouched factory has 4 tiles, unless bag and lid ran out (AZ-C1)."
    emptied = sum(full > size for size, full in zip(sizes, filled, strict=True))
    taken = dealt - int(state["sources"].sum())
    if taken < emptied:
        return "The centre has more tiles than the empty factories can have left there (AZ-A2)."
    held = state["marker"] != ON_CENTRE
    if taken < emptied + held:
        return "Who holds the start marker has taken a tile from the centre (AZ-A3)."
    return _find_misplaced(state, taken, fresh=fresh) or _find_idle(state, emptied, taken)


def _find_misplaced(state: State, taken: int, *, fresh: bool) -> str:
    """Whether the boards hold the tiles that were taken in this round (AZ-A4, AZ-A6, AZ-A7)."""
    fallen = int(((state["floor"] > 0) & (state["floor"] != MARKER)).sum())
    complete = int((state["line_count"] == np.arange(1, LINES + 1)).sum())
    if fallen + complete > taken:
        return "The tiling empties floors and complete lines, and too few tiles were taken since (AZ-W1)."
    overflowing = (state["fallen"] == FLOOR).any()
    if fresh and state["lid"].any() and not overflowing:
        return "In the offer the lid gets tiles from a full floor only (AZ-A7)."
    room = fallen + int(state["line_count"].sum()) + (int(state["lid"].sum()) if overflowing else 0)
    if taken > room:
        return f"In this round {taken} tiles were taken, and the boards do not hold so many (AZ-A2)."
    return ""


def _find_idle(state: State, emptied: int, taken: int) -> str:
    """AZ-A1: whose turn it is, and who has had a turn.

    A turn empties a factory or takes from the centre, and it takes a tile; until somebody holds the marker,
    nobody has taken from the centre.
    """
    seats, starter = int(state["seats"]), int(state["starter"])
    least, most = emptied, emptied
    if state["marker"] != ON_CENTRE:
        least, most = emptied + 1, taken
    turns = most - (most - int(state["turn"]) + starter) % seats
    if turns < least:
        return f"After the turns of this round it is not the turn of seat {state['turn'] + 1} (AZ-A1)."
    for seat in range(seats):
        had = (turns - (seat - starter) % seats + seats - 1) // seats
        enough = [1] * LINES if state["round"] == 1 else range(1, LINES + 1)  # tiles of this round in a line
        if (state["line_count"][seat] >= enough).sum() > had or (state["fallen"][seat] > 0 and had == 0):
            return f"Seat {seat + 1} has had too few turns in this round for its board (AZ-A1)."
    return ""
