"""An Azul Duel table as text, for the terminal."""

import numpy as np

from mozaika.games.azul_duel.dome import space_at
from mozaika.games.azul_duel.lines import broken_tiles, penalty
from mozaika.games.azul_duel.names import name_objective, name_phase
from mozaika.games.azul_duel.objectives import objective_points
from mozaika.games.azul_duel.pieces import (
    BROKEN,
    CHIP_LETTERS,
    FACE_DOWN,
    FACE_UP,
    HAND,
    KIND,
    KINDS,
    LARGE,
    LETTERS,
    LINES,
    NOTHING,
    ON_LARGE,
    OVER,
    PLATES,
    ROUNDS,
    SMALL,
    SPACES,
    TILE_SPECIAL,
    UNDER,
)
from mozaika.games.azul_duel.plates import stack_height
from mozaika.games.azul_duel.seen import pointed_at
from mozaika.sketch import pad, set_beside
from mozaika.state import State
from mozaika.words import Words

INKS = ("#3A86C8", "#F2B01E", "#D0455F", "#9AA0A8", "#3FBFAD")
"""The colours of the letters, light enough for a dark terminal."""
FAINT = "#808080"
LONGEST_NAME = 18
SHOWS = LETTERS.lower() + "?*"


def sketch(view: State, names: tuple[str, ...], words: Words) -> str:
    """The whole table; the README explains the letters."""
    round_ = words.say("round {n} of {of}", n=int(view["round"]), of=ROUNDS)
    lines = [f"{round_}, {name_phase(int(view['phase']), words)}", *_sketch_objectives(view, words), ""]
    lines += [*_sketch_factories(view, words), "", *_sketch_plates(view, words), ""]
    boards = [_sketch_board(view, seat, names[seat], words) for seat in range(2)]
    lines += set_beside(boards, 39)
    return "\n".join(lines)


def _sketch_objectives(view: State, words: Words) -> list[str]:
    """Each objective with what it would bring now."""
    return [
        f"  {name_objective(side, words)}: "
        + " / ".join(str(objective_points(view, seat, side)) for seat in range(2))
        for side in range(8)
        if view["objectives"] >> side & 1
    ]


def _sketch_factories(view: State, words: Words) -> list[str]:
    sun, moon, chip = words.say("sun"), words.say("moon"), words.say("chip")
    rows = []
    for factory in range(SMALL):
        stack = "".join(_ink(int(tile) - 1) for tile in view["moon"][factory] if tile)
        lying = int(view["chip"][factory])
        face = "?" if lying == FACE_DOWN else CHIP_LETTERS[lying - FACE_UP] if lying else "-"
        tiles = _tiles(view["sun"][factory])
        rows.append(f"  F{factory + 1}  {sun} {pad(tiles, 5)} {moon} {pad(stack or '-', 4)} {chip} {face}")
    large, bag, tower = words.say("large"), words.say("bag"), words.say("tower")
    marker = "  *" if view["marker"] == ON_LARGE else ""
    tiles = pad(_tiles(view["sun"][LARGE]), 6)
    rows.append(f"  {large}  {sun} {tiles}{moon} {_tiles(view['large_moon'])}{marker}")
    rows.append(f"  {bag} {_counts(view['bag'])}  {tower} {_counts(view['tower'])}")
    return rows


def _tiles(counts: "np.ndarray[tuple[int], np.dtype[np.int8]]") -> str:
    return "".join(_ink(color) * int(n) for color, n in enumerate(counts)) or "-"


def _counts(counts: "np.ndarray[tuple[int], np.dtype[np.int8]]") -> str:
    """How many tiles of each colour lie where nobody sees their order."""
    return " ".join(f"{n}{_ink(color)}" for color, n in enumerate(counts) if n) or "-"


def _sketch_plates(view: State, words: Words) -> list[str]:
    shown = [int(plate) for plate in view["shown"] if plate]
    display, hand = words.say("display"), words.say("hand")
    rows = [f"  {display}  " + "  ".join(map(_plate, shown))] if shown else []
    if height := stack_height(view):
        back = int(view["top"]) or int(view["plate"][UNDER, 0])
        top = (words.say("a special plate"), words.say("a wild plate"))[KIND[back]]
        rows.append(
            "  "
            + words.count("stack {n} plate, on top {top}", "stack {n} plates, on top {top}", height, top=top)
        )
    if held := [int(plate) for plate in view["plate"][HAND, : view["piles"][HAND]]]:
        rows.append(f"  {hand}")
        rows += ["    " + "  ".join(map(_plate, held[first : first + 5])) for first in range(0, len(held), 5)]
    return rows


def _plate(plate: int) -> str:
    """A plate on one line: its number, the upper and the lower spaces; of a back only the kind."""
    if plate > PLATES:
        return "(??/??)" if KINDS[KIND[plate]] == "wild" else "(**/**)"
    spaces = "".join(_space(int(space)) for space in SPACES[plate, 0, :2])
    return f"{plate}({spaces}/{''.join(_space(int(space)) for space in SPACES[plate, 0, 2:])})"


def _sketch_board(view: State, seat: int, name: str, words: Words) -> list[str]:
    mark = ">" if pointed_at(view) >> seat & 1 else " "
    points = words.count("{n} point", "{n} points", int(view["score"][seat]))
    rows = [f"{mark} {name[:LONGEST_NAME]}  {points}"]
    for row in range(LINES):
        count, color = int(view["line_count"][seat, row]), int(view["line_color"][seat, row])
        line = "  " * (LINES - 1 - row) + " ".join(["."] * (row + 1 - count) + [_ink(color)] * count)
        rows.append(f"  {row + 1} {line}  {_sketch_dome_row(view, seat, row)}")
    broken = _tiles(view["broken"][seat]).replace("-", "") + "." * (BROKEN - broken_tiles(view, seat))
    cost = 0 if view["phase"] == OVER else penalty(view, seat)
    held = " *" if view["marker"] == seat else ""
    label, chips, tokens = words.say("broken"), words.say("chips"), words.say("tokens")
    rows.append(f"  {label} {broken}{held}" + (f"  −{cost}" if cost else ""))
    store = " ".join(
        chip for chip, n in zip(CHIP_LETTERS, view["store"][seat], strict=True) for _ in range(n)
    )
    rows.append(f"  {chips} {store or '-'}")
    rows.append(f"  {tokens} {int(view['tokens'][seat])}")
    return rows


def _sketch_dome_row(view: State, seat: int, row: int) -> str:
    spaces = []
    for column in range(6):
        tile = int(view["tile"][seat, row * 6 + column])
        if tile:
            spaces.append("[bold]S[/]" if tile == TILE_SPECIAL else _ink(tile - 1))
        else:
            spaces.append(_space(space_at(view, seat, row, column)))
    return " ".join(spaces)


def _space(shows: int) -> str:
    return "·" if shows == NOTHING else f"[{FAINT}]{SHOWS[shows]}[/]"


def _ink(color: int) -> str:
    return f"[{INKS[color]}]{LETTERS[color]}[/]"
