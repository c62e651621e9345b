"""Azul as a sketch: the table in letters with console mark-up, under 80 columns wide."""

from mozaika.games.azul import rules
from mozaika.games.azul.pieces import (
    CENTRE,
    FACTORIES,
    LETTERS,
    LINES,
    MARKER,
    ON_CENTRE,
    PENALTIES,
)
from mozaika.games.azul.tell import name_phase, pointed_at
from mozaika.sketch import pad, set_beside
from mozaika.state import State
from mozaika.words import Words

INKS = ("#3A86C8", "#B58105", "#C8324A", "#77777F", "#8496A4")
"""The colours of letters: readable on black and on white consoles."""
FAINT = "#7D7D7D"
LONGEST_NAME = 22


def sketch(view: State, names: tuple[str, ...], words: Words) -> str:
    seats = int(view["seats"])
    head = words.say("Round {n}", n=int(view["round"])) + ": " + name_phase(int(view["phase"]), words)
    boards = [_sketch_board(view, seat, names[seat], words) for seat in range(seats)]
    pairs = ["\n".join(set_beside(boards[index : index + 2], 38)) for index in range(0, seats, 2)]
    stores = [
        words.say("bag") + _sketch_counts(view["bag"].tolist()),
        words.say("lid") + _sketch_counts(view["lid"].tolist()),
    ]
    return "\n\n".join([head, _sketch_offer(view, words), "\n".join(stores), *pairs]) + "\n"


def _sketch_offer(view: State, words: Words) -> str:
    sources = view["sources"].tolist()
    factories = [
        f"F{source}  {_sketch_tiles(sources[source]) or '-'}"
        for source in range(1, FACTORIES[int(view["seats"])] + 1)
    ]
    rows = [
        "".join(pad(text, 15) for text in factories[i : i + 5]).rstrip() for i in range(0, len(factories), 5)
    ]
    marker = "* " if view["marker"] == ON_CENTRE else ""
    centre = words.say("centre") + "  " + marker + _sketch_tiles(sources[CENTRE])
    return "\n".join([*rows, centre.rstrip()])


def _sketch_tiles(counts: list[int]) -> str:
    return " ".join(_ink(color) for color, n in enumerate(counts) for _ in range(n))


def _sketch_counts(counts: list[int]) -> str:
    return f" {sum(counts):>3}  " + "  ".join(f"{n:>2} {_ink(color)}" for color, n in enumerate(counts))


def _sketch_board(view: State, seat: int, name: str, words: Words) -> list[str]:
    mark = ">" if pointed_at(view) >> seat & 1 else " "
    points = words.count("{n} point", "{n} points", int(view["score"][seat]))
    rows = [f"{mark} {name[:LONGEST_NAME]}  {points}"]
    counts, colors = view["line_count"][seat].tolist(), view["line_color"][seat].tolist()
    for row, wall in enumerate(_sketch_wall(view, seat)):
        empty, tiles = row + 1 - counts[row], [_ink(colors[row])] * counts[row]
        line = "  " * (LINES - 1 - row) + " ".join(["."] * empty + tiles)
        rows.append(f"  {row + 1} {line}  {wall}")
    return [*rows, _sketch_floor(view, seat, words)]


def _sketch_wall(view: State, seat: int) -> list[str]:
    wall = [["."] * 5 for _ in range(LINES)]
    filled = view["wall"][seat].tolist()
    for row, spaces in enumerate(wall):
        for color in range(0 if view["grey"] else 5):
            spaces[rules.printed_column(row, color)] = f"[{FAINT}]{LETTERS[color].lower()}[/]"
        for column in range(5):
            for color in range(5):
                if filled[color] >> 5 * row + column & 1:
                    spaces[column] = _ink(color)
    return [" ".join(spaces) for spaces in wall]


def _sketch_floor(view: State, seat: int, words: Words) -> str:
    fallen = view["floor"][seat].tolist()
    pieces = ["." if not piece else "*" if piece == MARKER else _ink(piece - 1) for piece in fallen]
    held = "  *" if view["marker"] == seat and MARKER not in fallen else ""
    cost = PENALTIES[view["fallen"][seat]]
    costs = f"  −{cost}" if cost else ""
    return "  " + words.say("floor") + " " + " ".join(pieces) + costs + held


def _ink(color: int) -> str:
    return f"[{INKS[color]}]{LETTERS[color]}[/]"
