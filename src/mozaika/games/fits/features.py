"""FITS as numbers for programs that learn."""

from mozaika.features import Feature, Features
from mozaika.games.fits.pieces import COLUMNS, NAMES, ROWS, SQUARES, SYMBOLS, ZERO
from mozaika.games.fits.rules import piece_of, total
from mozaika.kernel import kernel
from mozaika.state import Floats, State

PIECES = len(NAMES)
TABLE = (
    Feature("values", (ROWS, COLUMNS), "of each field of the board, from the bottom left, in fives"),
    Feature("symbols", (ROWS, COLUMNS), "of each field: the place of its letter in the alphabet, in 26ths"),
    Feature("left", (PIECES,), "1 for each card to come"),
    Feature("card", (PIECES,), "1 for the card that is played; none while start pieces are placed"),
    Feature("rows_score", (1,), "1 where full rows score"),
    Feature("round", (1,), "its number, in fourths"),
    Feature("rounds", (1,), "how many there are, in fourths"),
)
EACH = (
    Feature("covered", (COLUMNS, ROWS), "1 for each covered square, column by column from the bottom"),
    Feature("heights", (COLUMNS,), "how high the pieces reach, in twelfths"),
    Feature("piece", (PIECES,), "1 for the piece that is to be placed now"),
    Feature("start", (PIECES,), "1 for the piece on the start card, which is skipped later"),
    Feature("score", (1,), "points of finished rounds, in hundreds"),
)
LEFT = 2 * SQUARES
SIZE = sum(part.size for part in TABLE)
EACH_SIZE = sum(part.size for part in EACH)


@kernel
def observe(state: State, seat: int, out: Floats) -> None:
    at = max(0, int(state["round"]) - 1)
    for square in range(SQUARES):
        field = int(state["fields"][at, square])
        out[square] = (field - ZERO) * 0.2 if 0 < field < SYMBOLS else 0.0
        out[SQUARES + square] = (field - SYMBOLS + 1) / 26 if field >= SYMBOLS else 0.0
    card = int(state["card"]) - 1
    for piece in range(PIECES):
        out[LEFT + piece] = int(state["left"]) >> piece & 1
        out[LEFT + PIECES + piece] = 1.0 if piece == card else 0.0
    out[LEFT + 2 * PIECES] = state["rows_score"][at]
    out[LEFT + 2 * PIECES + 1] = state["round"] * 0.25
    out[LEFT + 2 * PIECES + 2] = state["rounds"] * 0.25
    seats = int(state["seats"])
    who = seat
    to = SIZE
    for _ in range(seats):
        for column in range(COLUMNS):
            covered = int(state["columns"][who, column])
            for row in range(ROWS):
                out[to + ROWS * column + row] = covered >> row & 1
            out[to + SQUARES + column] = state["heights"][who, column] * (1.0 / ROWS)
        placing = piece_of(state, who) if int(state["pending"]) >> who & 1 else -1
        start = int(state["start"][who]) - 1
        for piece in range(PIECES):
            out[to + SQUARES + COLUMNS + piece] = 1.0 if piece == placing else 0.0
            out[to + SQUARES + COLUMNS + PIECES + piece] = 1.0 if piece == start else 0.0
        out[to + EACH_SIZE - 1] = total(state, who) * 0.01
        to += EACH_SIZE
        who = who + 1 if who + 1 < seats else 0


FEATURES = Features(table=TABLE, each=EACH, observe=observe)
