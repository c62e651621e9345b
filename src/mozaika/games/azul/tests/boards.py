"""Azul boards drawn as text, so that a test reads as the picture in a rulebook.

Each of the five rows is a pattern line and a wall row, `RR | . B . . .`; a sixth row, if there is one, is the
floor, with `*` for the start marker.
"""

from collections.abc import Sequence

from mozaika.games.azul.notation import read_position
from mozaika.games.azul.pieces import COLORS, FACTORIES, LETTERS, TILES_PER_COLOR
from mozaika.games.azul.rules import options_of
from mozaika.state import State
from mozaika.table import Table

EMPTY = """
    - | . . . . .
    - | . . . . .
    - | . . . . .
    - | . . . . .
    - | . . . . .
"""


def position(
    *boards: str,
    wall: str = "coloured",
    phase: str = "offer",
    round: int = 2,  # noqa: A002
    turn: int = 1,
    starter: int = 1,
    marker: str = "centre",
    centre: str = "-",
    factories: Sequence[str] = (),
    scores: Sequence[int] = (),
    lid: str = "-",
    tiling: str = "",
    bag: bool = True,
) -> str:
    """The text of a position with these boards; tiles that are nowhere else are in the bag, or in the lid."""
    boards = boards or (EMPTY, EMPTY)
    rows = [[row.strip() for row in board.strip().splitlines()] for board in boards]
    seats = len(boards)
    stalls = [*factories, *["-"] * (FACTORIES[seats] - len(factories))]
    points = scores or [0] * seats
    fields = {
        "azul": str(seats),
        "wall": wall,
        "round": str(round),
        "phase": phase,
        "starter": str(starter),
        "turn": str(turn),
        "marker": marker,
        "centre": centre,
        "factories": " ".join(stalls),
        "score": " / ".join(map(str, points)),
        "lost": " / ".join(["0"] * seats),
        "lines": " / ".join(" ".join(row.split("|")[0].strip() for row in board[:5]) for board in rows),
        "walls": " / ".join(
            " ".join(row.split("|")[1].replace(" ", "") for row in board[:5]) for board in rows
        ),
        "floors": " / ".join(board[5] if len(board) > 5 else "-" for board in rows),
    }
    if tiling:
        fields["tiling"] = tiling
    visible = "".join(fields[key] for key in ("centre", "factories", "lines", "walls", "floors"))
    lids = {part[0]: int(part[1:]) for part in lid.split()} if lid != "-" else {}
    rest = {letter: TILES_PER_COLOR - visible.count(letter) - lids.get(letter, 0) for letter in LETTERS}
    left = " ".join(f"{letter}{n}" for letter, n in rest.items() if n) or "-"
    fields["bag"], fields["lid"] = (left, lid) if bag else ("-", left)
    return "; ".join(f"{key} {value}" for key, value in fields.items())


def table(*boards: str, **fields: object) -> Table:
    """A table in such a position, whether a game leads there or not, at which draws are told."""
    at = state(*boards, **fields)
    opened = Table("azul", int(at["seats"]), draws="told", **options_of(at))
    opened.state = at
    return opened


def state(*boards: str, **fields: object) -> State:
    return read_position(position(*boards, **fields))  # type: ignore[arg-type]


def drawn(table: Table, seat: int) -> str:
    """A board as it is drawn in these tests."""
    fields = dict(part.split(" ", 1) for part in table.position().split("; "))
    lines = fields["lines"].split(" / ")[seat].split()
    wall = fields["walls"].split(" / ")[seat].split()
    floor = fields["floors"].split(" / ")[seat]
    rows = [f"{line:>5} | {' '.join(spaces)}" for line, spaces in zip(lines, wall, strict=True)]
    return "\n" + "\n".join(rows + ([f"{floor}"] if floor != "-" else []))


def same(one: str, other: str) -> bool:
    return one.split() == other.split()


def lid(table: Table) -> dict[str, int]:
    """What lies in the lid."""
    return {color: int(n) for color, n in zip(COLORS, table.state["lid"], strict=True) if n}
