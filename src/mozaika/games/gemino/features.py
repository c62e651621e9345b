"""GEMINO as numbers for programs that learn."""

from mozaika.features import Feature, Features
from mozaika.games.gemino.pieces import FIELDS, LAST_ROUND, POINTS_TO_WIN, TILES
from mozaika.games.gemino.rules import in_hand, is_five
from mozaika.kernel import kernel
from mozaika.state import Floats, State

TABLE = (
    Feature("colors", (2, 6, FIELDS), "of each board: 1 for the fields of each colour"),
    Feature("five", (1,), "1 where a line has five fields, not four"),
    Feature("four", (1,), "1 where four tiles of a line of five leave"),
    Feature("round", (1,), "its number, as a part of 60"),
)
EACH = (
    Feature("tiles", (2, FIELDS), "of each board: 1 for the fields on which a tile of the seat lies"),
    Feature("points", (2,), "scored on each board, as a part of 3"),
    Feature("hand", (1,), "tiles in the hand, as a part of 14"),
)
FIVE = 2 * 6 * FIELDS
SIZE = sum(part.size for part in TABLE)
EACH_SIZE = sum(part.size for part in EACH)


@kernel
def observe(state: State, seat: int, out: Floats) -> None:
    for board in range(2):
        for color in range(6):
            fields = int(state["colors"][board, color])
            for field in range(FIELDS):
                out[(6 * board + color) * FIELDS + field] = fields >> field & 1
    out[FIVE] = is_five(state)
    out[FIVE + 1] = state["four"]
    out[FIVE + 2] = state["round"] * (1.0 / LAST_ROUND)
    seats = int(state["seats"])
    who = seat
    at = SIZE
    for _ in range(seats):
        for board in range(2):
            tiles = int(state["tiles"][who, board])
            for field in range(FIELDS):
                out[at + FIELDS * board + field] = tiles >> field & 1
            out[at + 2 * FIELDS + board] = state["points"][who, board] * (1.0 / POINTS_TO_WIN)
        out[at + 2 * FIELDS + 2] = in_hand(state, who) * (1.0 / TILES)
        at += EACH_SIZE
        who = who + 1 if who + 1 < seats else 0


FEATURES = Features(table=TABLE, each=EACH, observe=observe)
