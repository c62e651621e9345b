"""FITS as a sketch: the table in letters with console mark-up, under 80 columns wide."""

from mozaika.games.fits.notation import HIGHEST, squares_of, write_manner
from mozaika.games.fits.pieces import (
    CODES,
    COLUMNS,
    FIRST_WAY,
    LETTERS,
    NAMES,
    PLACE,
    PLAIN,
    ROWS,
    WAYS,
)
from mozaika.games.fits.rules import piece_of, total, write_field
from mozaika.games.fits.tell import board_name, name_phase, pointed_at
from mozaika.sketch import pad, set_beside
from mozaika.state import State
from mozaika.words import Words

INKS = ("#3A86C8", "#B58105", "#C8324A", "#2E8B57", "#8E63B8")
"""The colours of letters: readable on black and on white consoles; pieces take turns."""
FAINT = "#7D7D7D"
LONGEST_NAME = 11
LANE = 19


def sketch(view: State, names: tuple[str, ...], words: Words) -> str:
    seats = int(view["seats"])
    heading = words.say("Round {n}, board {name}", n=int(view["round"]), name=board_name(view))
    head = f"{heading}: {name_phase(view, words)}"
    cards = " ".join(_ink(piece) for piece in range(len(NAMES)) if view["left"] >> piece & 1) or "-"
    ramps = [_sketch_ramp(view, seat, names[seat], words) for seat in range(seats)]
    side_by_side = "\n".join(set_beside(ramps, LANE))
    parts = [head, words.say("cards to come") + "  " + cards, side_by_side, *_sketch_pieces(view)]
    return "\n\n".join(parts) + "\n"


def _sketch_ramp(view: State, seat: int, name: str, words: Words) -> list[str]:
    mark = ">" if pointed_at(view) >> seat & 1 else " "
    squares = squares_of(view, seat)
    fields = view["fields"][max(int(view["round"]), 1) - 1].tolist()
    lines = [f"{mark} {name[:LONGEST_NAME]} {total(view, seat)}"]
    for row in reversed(range(HIGHEST)):
        number = f"{row + 1:>2}" if row < ROWS else "  "
        open_square = fields[row * COLUMNS : (row + 1) * COLUMNS] if row < ROWS else None
        lines.append(
            number
            + "".join(
                " " + _ink(piece)
                if piece >= 0
                else _sketch_open(open_square[column] if open_square else None)
                for column, piece in enumerate(squares[row])
            )
        )
    aside = "".join(code for piece, code in enumerate(CODES) if view["aside"][seat] >> piece & 1)
    return [
        *lines,
        f"[{FAINT}]   {' '.join(LETTERS)}[/]",
        (words.say("aside") + " " + aside) if aside else "",
    ]


def _sketch_open(field: int | None) -> str:
    if field is None:
        return "  "
    return f"[{FAINT}]{'.' if field == PLAIN else write_field(field):>2}[/]"


def _sketch_pieces(view: State) -> list[str]:
    """The pieces to place now, in all the ways they can lie."""
    if view["phase"] != PLACE:
        return []
    pending = [seat for seat in range(view["seats"]) if int(view["pending"]) >> seat & 1]
    return [_sketch_ways(piece) for piece in dict.fromkeys(piece_of(view, seat) for seat in pending)]


def _sketch_ways(piece: int) -> str:
    ways = range(int(FIRST_WAY[piece]), int(FIRST_WAY[piece + 1]))
    heads = [pad(write_manner(way), 8) for way in ways]
    arts = [[row.replace(".", " ").replace("#", CODES[piece]) for row in WAYS[way][3]] for way in ways]
    tall = max(map(len, arts))
    rows = [
        "".join(pad(_color(piece, ([""] * (tall - len(art)) + art)[row]), 8) for art in arts)
        for row in range(tall)
    ]
    label = f"{NAMES[piece]:<4}"
    return "\n".join([(label + "".join(heads)).rstrip(), *((" " * 4 + row).rstrip() for row in rows)])


def _color(piece: int, text: str) -> str:
    return f"[{INKS[piece % len(INKS)]}]{text}[/]" if text else ""


def _ink(piece: int) -> str:
    return _color(piece, CODES[piece])
