"""GEMINO boards drawn as text, so that a test reads as the picture in a rulebook.

Both boards stand side by side, columns a to f and g to l; a digit is a tile of that seat:

    . . 1 . . .    . . . . . .
"""

from mozaika.games.gemino.notation import read_field, write_field
from mozaika.games.gemino.pieces import FIELDS, SIDES, SIZE
from mozaika.games.gemino.rules import in_hand
from mozaika.table import Table

EMPTY = ". . . . . .    . . . . . .\n" * SIZE
OWN = "RVBGYO/VBGYOR/BGYORV/GYORVB/YORVBG/ORVBGY"
"""A side of one's own."""


def position(
    drawn: str = EMPTY,
    *,
    seats: int = 3,
    turn: int = 1,
    starter: int = 1,
    round: int = 19,  # noqa: A002
    points: str = "",
    phase: str = "play",
    board1: str = "A",
    board2: str = "A",
    leave: str = "",
) -> str:
    """The text of a position with these boards."""
    rows = ["".join(row.split()) for row in drawn.strip().splitlines()]
    fields = {
        "gemino": seats,
        "phase": phase,
        "round": round,
        "starter": starter,
        "turn": turn,
        "points": points or " / ".join(["0 0"] * seats),
        "board1": board1,
        "board2": board2,
        "tiles1": "/".join(row[:SIZE] for row in rows),
        "tiles2": "/".join(row[SIZE:] for row in rows),
    }
    if leave:
        fields["leave"] = leave
    return "; ".join(f"{key} {value}" for key, value in fields.items())


def table(drawn: str = EMPTY, **fields: object) -> Table:
    """A table in such a position, at which draws are told."""
    return Table.from_position(position(drawn, **fields), draws="told")  # type: ignore[arg-type]


def drawn(at: Table) -> str:
    """The boards as they are drawn in these tests."""
    fields = dict(part.split(" ", 1) for part in at.position().split("; "))
    rows = zip(fields["tiles1"].split("/"), fields["tiles2"].split("/"), strict=True)
    return "\n".join(f"{' '.join(left)}    {' '.join(right)}" for left, right in rows)


def same(one: str, other: str) -> bool:
    return one.split() == other.split()


def with_tiles(*names: str, of: object = 1, upon: str = EMPTY) -> str:
    """Boards with tiles of a seat on these fields; `.` takes them away."""
    rows = [row.split() for row in upon.strip().splitlines()]
    for name in names:
        board, field = read_field(name)
        row, column = divmod(field, SIZE)
        rows[row][board * SIZE + column] = str(of)
    return "\n".join(" ".join(row) for row in rows)


def fields_of(color: str, board: int, side: str = "A") -> list[str]:
    """The fields of a colour on a side of the box."""
    grid = SIDES[board][side].replace("/", "")
    return [write_field(board, field) for field in range(FIELDS) if grid[field] == color]


def hand(at: Table, seat: int) -> int:
    """How many tiles a seat, counted from 1, has in hand."""
    return in_hand(at.state, seat - 1)
