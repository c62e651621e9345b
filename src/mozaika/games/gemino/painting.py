"""How players paint their own sides (GE-B1)."""

from mozaika.games.gemino.artwork import FILLS
from mozaika.games.gemino.pieces import LETTERS, SIDES, SIZE
from mozaika.games.gemino.tell import COLOR_NAMES
from mozaika.options import Brush, Drawing

INKS = ("#FFF", "#111", "#111", "#FFF", "#111", "#FFF")
"""Letters that can be read on each colour."""

DRAWINGS = {
    "own": Drawing(
        rows=SIZE,
        columns=SIZE,
        brushes=tuple(
            Brush(letter, name, letter, fill, ink)
            for letter, name, fill, ink in zip(LETTERS, COLOR_NAMES, FILLS, INKS, strict=True)
        ),
        names="12",
        example=SIDES[0]["A"],
        plays=(("board1", "own"), ("board2", "own")),
    )
}
