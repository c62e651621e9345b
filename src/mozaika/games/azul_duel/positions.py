"""The positions of Azul Duel as text: one complete line. The README explains it."""

from collections.abc import Iterable

from mozaika.fields import per_seat, write_fields
from mozaika.games.azul_duel.notation import list_objectives
from mozaika.games.azul_duel.pieces import (
    CHIP_LETTERS,
    FACE_DOWN,
    FACE_UP,
    HAND,
    KIND,
    KINDS,
    LETTERS,
    LINES,
    NO_CHIP,
    OBJECTIVES,
    ON_LARGE,
    PHASES,
    PLATES,
    SMALL,
    STACK,
    TILING,
    UNDER,
)
from mozaika.state import State


def write_position(state: State) -> str:
    """A position on one line, complete: the game can be resumed from it."""
    phase = int(state["phase"])
    fields = {
        "azul_duel": str(state["seats"]),
        "objectives": _write_objectives(state),
        "round": str(state["round"]),
        "phase": PHASES[phase],
        "starter": str(state["starter"] + 1),
        "turn": str(state["turn"] + 1),
        "marker": "large" if state["marker"] == ON_LARGE else str(state["marker"] + 1),
        "dealt": str(state["dealt"]),
        "bag": _write_counts(state["bag"]),
        "tower": _write_counts(state["tower"]),
        "sun": " ".join(map(_write_tiles, state["sun"])),
        "moon": " ".join([*map(_write_stack, state["moon"]), _write_tiles(state["large_moon"])]),
        "chips": " ".join(_write_chip(state, factory) for factory in range(SMALL)),
        "top": "-" if state["top"] == 0 else KINDS[KIND[state["top"]]],
        "unseen": _write_set(int(state["unseen"])),
        "shown": " ".join(str(plate or "-") for plate in state["shown"]),
        "hand": _write_pile(state, HAND),
        "under": _write_pile(state, UNDER),
        "score": per_seat(state["score"]),
        "points": per_seat(
            " ".join(str(state[name][seat]) for name in ("tiled", "gilded", "paid", "lost"))
            for seat in range(2)
        ),
        "tokens": per_seat(state["tokens"]),
        "chosen": per_seat(state["chosen"]),
        "store": per_seat(map(_write_chips, state["store"])),
        "spent": per_seat(map(_write_chips, state["spent"])),
        "lines": per_seat(_write_lines(state, seat) for seat in range(2)),
        "domes": per_seat(_write_dome(state, seat) for seat in range(2)),
        "tiles": per_seat(_write_dome_tiles(state, seat) for seat in range(2)),
        "broken": per_seat(map(_write_tiles, state["broken"])),
    }
    if phase == STACK:
        fields["stacking"] = str(state["stacking"])
    if phase == TILING:
        fields["tiling"] = per_seat("-" if line == LINES else line + 1 for line in state["next_line"])
    return write_fields(fields)


def _write_objectives(state: State) -> str:
    if not state["number"]:
        return " ".join(list_objectives(int(state["objectives"])))
    wishes = []
    for plate, wish in enumerate(state["wishes"]):
        wishes.append(("random", *OBJECTIVES[2 * plate : 2 * plate + 2], "out")[wish])
    return f"{state['number']} of {' '.join(wishes)}"


def _write_counts(counts: Iterable[int]) -> str:
    return " ".join(f"{letter}{n}" for letter, n in zip(LETTERS, counts, strict=True) if n > 0) or "-"


def _write_tiles(counts: State) -> str:
    return "".join(letter * n for letter, n in zip(LETTERS, counts.tolist(), strict=True)) or "-"


def _write_stack(stack: State) -> str:
    return "".join(LETTERS[tile - 1] for tile in stack.tolist() if tile) or "-"


def _write_chip(state: State, factory: int) -> str:
    chip = int(state["chip"][factory])
    if chip == FACE_DOWN:
        return "turning" if state["turning"] >> factory & 1 else "?"
    return "-" if chip == NO_CHIP else CHIP_LETTERS[chip - FACE_UP]


def _write_chips(counts: Iterable[int]) -> str:
    return " ".join(name for name, n in zip(CHIP_LETTERS, counts, strict=True) for _ in range(n)) or "-"


def _write_set(plates: int) -> str:
    return " ".join(str(plate) for plate in range(1, PLATES + 1) if plates >> plate & 1) or "-"


def _write_pile(state: State, pile: int) -> str:
    """The plates of a pile: which, by whom, and what the other knows: `7@1`, `7@1=3,7`, `7@1=3,7+`."""
    texts = []
    for index in range(state["piles"][pile]):
        plate, by = int(state["plate"][pile, index]), int(state["by"][pile, index])
        text = str(plate) if plate <= PLATES else KINDS[KIND[plate]]
        if by:
            known = _write_set(int(state["known"][pile, index])).replace(" ", ",")
            text += f"@{by}={known}{'+' if state['fresh'][pile, index] else ''}"
        texts.append(text)
    return " ".join(texts) or "-"


def _write_lines(state: State, seat: int) -> str:
    lines = zip(state["line_color"][seat], state["line_count"][seat], strict=True)
    return " ".join(LETTERS[color] * int(count) or "-" for color, count in lines)


def _write_dome(state: State, seat: int) -> str:
    slots = zip(state["slot_plate"][seat], state["slot_turn"][seat], strict=True)
    return " ".join(f"{plate}t{turn}" if plate else "-" for plate, turn in slots)


def _write_dome_tiles(state: State, seat: int) -> str:
    letters = "." + LETTERS + "*"
    rows = state["tile"][seat].reshape(6, 6).tolist()
    return " ".join("".join(letters[tile] for tile in row) for row in rows)
