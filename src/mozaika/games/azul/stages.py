"""A move of Azul in stages: the tiles that are taken, then where they go; or a space of the grey wall."""

from mozaika.games.azul.pieces import LINES, OFFER, PLACES, TARGETS, TILING
from mozaika.games.azul.rules import free_columns, open_rows, targets
from mozaika.kernel import kernel, list_bits
from mozaika.stages import Stage, Stages
from mozaika.state import CHANCE, Ints, State
from mozaika.words import later

TO = PLACES // TARGETS
"""The choices of a target come after those of tiles: five colours from ten sources."""
ON_WALL = TO + TARGETS


@kernel
def split(move: int, out: Ints) -> int:
    if move >= PLACES:
        out[0] = move - PLACES + ON_WALL
        return 1
    out[0] = move // TARGETS
    out[1] = move % TARGETS + TO
    return 2


@kernel
def join(state: State, made: Ints, n: int) -> int:
    if n == 1:
        return int(made[0]) - ON_WALL + PLACES
    return int(made[0]) * TARGETS + int(made[1]) - TO


@kernel
def choices(state: State, seat: int, made: Ints, n: int, out: Ints) -> int:
    """AZ-A2, AZ-A3: a colour of a factory or of the centre; AZ-A4 to AZ-A6: a line or the floor; AZ-G1."""
    if state["phase"] == OFFER and state["turn"] == seat:
        if n == 0:
            return list_bits(int(state["on_offer"]), 0, out)
        return list_bits(targets(open_rows(state, seat), int(made[0]) % 5), TO, out) if n == 1 else 0
    tiling = state["phase"] == TILING and seat != CHANCE
    if tiling and n == 0 and state["next_line"][seat] < LINES:
        row = int(state["next_line"][seat])
        columns = free_columns(state, seat, row, int(state["line_color"][seat, row]))
        return list_bits(columns, ON_WALL + 5 * row, out)
    return 0


STAGES = Stages(
    parts=(
        Stage(
            "tiles",
            TO,
            later("Take all tiles of one colour from a factory or from the centre."),
            ("factory-*", "centre-*"),
        ),
        Stage("target", TARGETS, later("Choose a line for {chosen}."), ("line-*", "floor"), last=True),
        Stage(
            "space",
            LINES * 5,
            later("Choose a space of the wall for the tile of the line."),
            ("wall-*",),
            last=True,
        ),
    ),
    regret=("floor", later("Careful: {n} would lie on the floor.")),
    longest=2,
    split=split,
    choices=choices,
    join=join,
)
