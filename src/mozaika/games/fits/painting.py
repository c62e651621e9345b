"""How players choose and paint their boards (FI-B2, FI-V1)."""

from mozaika.games.fits.pieces import BOARD_NAMES, COLUMNS, OUR_BOARDS, ROWS
from mozaika.options import Brush, Drawing
from mozaika.words import later

GAIN, LOSS, SYMBOL = ("#E3F0E4", "#1F5A37"), ("#F8E0DA", "#8E2A14"), ("#E4E3F6", "#3A2F8C")

_names = {True: later("board {text}"), False: later("your own board {text}")}
ORDERS = {"boards": {name: _names[name in "1234"] for name in BOARD_NAMES}}

DRAWINGS = {
    "own": Drawing(
        rows=ROWS,
        columns=COLUMNS,
        brushes=(
            Brush(".", later("plain square"), "·"),
            *(Brush(str(n), later("{text} if uncovered"), f"+{n}", *GAIN) for n in range(1, 10)),
            Brush("0", later("{text} if uncovered"), "0"),
            *(Brush(str(-n), later("{text} if uncovered"), f"−{n}", *LOSS) for n in range(1, 10)),
            *(Brush(each, later("symbol {text}, twice on a board"), each, *SYMBOL) for each in "abcdefgh"),
        ),
        names=BOARD_NAMES[4:],
        example="/".join(OUR_BOARDS[2]),
        blank=".",
        flag=("rows", later("Full rows score")),
        joins="boards",
    )
}
