"""A move of FITS has one stage: how and where the piece lies, or declining it."""

from mozaika.games.fits.pieces import CARDS, DECLINE
from mozaika.games.fits.rules import legal
from mozaika.kernel import kernel
from mozaika.stages import Stage, Stages
from mozaika.state import CHANCE, Ints, State
from mozaika.words import later


@kernel
def split(move: int, out: Ints) -> int:
    out[0] = move
    return 1


@kernel
def join(state: State, made: Ints, n: int) -> int:
    return int(made[0])


@kernel
def choices(state: State, seat: int, made: Ints, n: int, out: Ints) -> int:
    return legal(state, seat, out) if n == 0 and seat != CHANCE else 0


STAGES = Stages(
    parts=(
        Stage(
            "placing",
            DECLINE,
            later("Turn, flip and shift the piece, then place it."),
            ("way-*", "column-*"),
            last=True,
        ),
        Stage(
            "aside",
            CARDS - DECLINE,
            later("The piece fits nowhere: set it aside."),
            ("aside",),
            last=True,
        ),
    ),
    several=later("Turn, flip and shift the piece, then place it; or set it aside."),
    longest=1,
    split=split,
    choices=choices,
    join=join,
)
