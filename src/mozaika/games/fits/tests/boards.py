"""Ramps of FITS drawn as text, so that a test reads as the picture in a rulebook.

Rows from the top down; a letter is the piece that covers a square, `.` or `_` an open one.
"""

from mozaika.games.fits.notation import write_move
from mozaika.games.fits.pieces import CODES, COLUMNS, FIRST_WAY, NAMES, WAYS
from mozaika.table import Table

EMPTY = "-"
PLAIN = "......"
OWN = "/".join([PLAIN] * 12)
"""A board of one's own on which nothing is printed."""


def solo(*draws: str, **options: str) -> Table:
    """A solo table at which these things were drawn."""
    at = Table("fits", 1, draws="told", **options)
    for draw in draws:
        at.draw(draw)
    return at


def rows_of(drawn: str) -> list[str]:
    return [row.replace("_", ".") for row in drawn.split() if set(row) - {".", "_"}]


def drop_of(drawn: str, piece: str) -> str:
    """The move by which a piece comes to where it is drawn."""
    rows = rows_of(drawn)[::-1]
    code = CODES[NAMES.index(piece)]
    squares = {
        (row, column) for row, line in enumerate(rows) for column in range(COLUMNS) if line[column] == code
    }
    low, left = min(row for row, _ in squares), min(column for _, column in squares)
    number = NAMES.index(piece)
    for way in range(FIRST_WAY[number], FIRST_WAY[number + 1]):
        art = WAYS[way][3][::-1]
        lies = {
            (low + up, left + step)
            for up, line in enumerate(art)
            for step, mark in enumerate(line)
            if mark == "#"
        }
        if lies == squares:
            return write_move(way * COLUMNS + left)
    raise ValueError(f"{piece} does not look like this.")


def ramp(table: Table, seat: int = 0) -> list[str]:
    """The rows of a ramp as they stand in the position."""
    fields = dict(part.split(" ", 1) for part in table.position().split("; "))
    rows = fields["ramps"].split(" / ")[seat]
    return [] if rows == EMPTY else rows.split()


def play_out(drawn: str, order: list[str], **options: str) -> Table:
    """A solo round in which pieces come in this order to where they are drawn; the others are declined."""
    at = Table("fits", 1, draws="told", **options)
    at.draw(f"start {order[0]}")
    at.play(drop_of(drawn, order[0]))
    for piece in [*order, *(name for name in NAMES if name not in order)]:
        at.draw(f"card {piece}")
        if piece != order[0]:
            at.play(drop_of(drawn, piece) if piece in order else "aside")
    return at


def table(
    *ramps: str,
    boards: str = "1234",
    round: int = 1,  # noqa: A002
    starts: str = "",
    card: str = "-",
    cards: str = "",
    aside: str = "",
    phase: str = "place",
    points: str = "",
    own: str = "",
) -> Table:
    """A table in such a position, at which draws are told. Cards that are nowhere else are still to come."""
    ramps = ramps or (EMPTY,)
    seats = len(ramps)
    drawn = [" ".join(rows_of(each)) if each != EMPTY else EMPTY for each in ramps]
    sides = aside.split(" / ") if aside else ["-"] * seats
    first = starts.split(" / ") if starts else ["L5", "T5", "U5", "V5"][:seats]
    seen = set("".join(drawn) + "".join(sides)) - {CODES[NAMES.index(name)] for name in first if name != "-"}
    left = "".join(code for name, code in zip(NAMES, CODES, strict=True) if code not in seen and name != card)
    fields = {
        "fits": str(seats),
        "boards": boards,
        "round": str(round),
        "phase": phase,
        "starts": " / ".join(first),
        "card": card,
        "cards": cards or left,
        "ramps": " / ".join(drawn),
        "aside": " / ".join(sides),
        "points": points or " / ".join(["-"] * seats),
    }
    if own:
        fields["own"] = own
    return Table.from_position("; ".join(f"{key} {value}" for key, value in fields.items()), draws="told")
