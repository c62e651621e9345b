"""GEMINO as a sketch: the table in letters with console mark-up, under 80 columns wide."""

from mozaika.games.gemino.notation import COLUMNS, fields_in
from mozaika.games.gemino.pieces import BOARDS, FIELDS, LETTERS, SIZE
from mozaika.games.gemino.rules import color_of, in_hand, is_laid, score
from mozaika.games.gemino.tell import name_phase, pointed_at
from mozaika.state import State
from mozaika.words import Words

INKS = ("#D24B4B", "#C9741C", "#A18A00", "#2F9A73", "#4F93C4", "#9A6BE0")
"""The colours of letters: readable on black and on white consoles."""
TILE_INKS = ("#D0303E", "#3D7FCC", "#B98500", "#1F9A56")
SIGNS = "✚■●★"
"""GE-B1: the symbols of the seats."""
LONGEST_NAME = 22


def sketch(view: State, names: tuple[str, ...], words: Words) -> str:
    head = words.say("Round {n}", n=int(view["round"])) + ": " + name_phase(view, words)
    boards = [_sketch_board(view, board) for board in BOARDS]
    rows = [f"{left}      {right}" for left, right in zip(*boards, strict=True)]
    players = [_sketch_player(view, seat, names[seat], words) for seat in range(view["seats"])]
    return "\n".join([head, "", *rows, "", *players]) + "\n"


def _sketch_board(view: State, board: int) -> list[str]:
    fields = ["·"] * FIELDS
    for field in range(FIELDS) if is_laid(view, board) else ():
        color = color_of(view, board, field)
        fields[field] = f"[{INKS[color]}]{LETTERS[color].lower()}[/]"
    for seat in range(view["seats"]):
        for field in fields_in(int(view["tiles"][seat, board])):
            fields[field] = sign(seat)
    columns = COLUMNS[board * SIZE : (board + 1) * SIZE]
    rows = [f"{row + 1}  " + "  ".join(fields[row * SIZE : (row + 1) * SIZE]) for row in range(SIZE)]
    return ["   " + "  ".join(columns), *rows]


def _sketch_player(view: State, seat: int, name: str, words: Words) -> str:
    mark = ">" if pointed_at(view) >> seat & 1 else " "
    points = words.count("{n} point", "{n} points", score(view, seat))
    hand = words.count("{n} tile in hand", "{n} tiles in hand", in_hand(view, seat))
    return f"{mark} {sign(seat)} {name[:LONGEST_NAME]}  {points}, {hand}"


def sign(seat: int) -> str:
    """The symbol of a seat in its colour."""
    return f"[{TILE_INKS[seat]}]{SIGNS[seat]}[/]"
