"""The text of a position of Azul Duel, read: a state, or a sentence that says what is wrong."""

import re

import numpy as np

from mozaika.fields import Fields, read_counts, read_number, read_tiles
from mozaika.games.azul_duel.dome import space_at
from mozaika.games.azul_duel.notation import read_objectives
from mozaika.games.azul_duel.pieces import (
    AIM,
    BROKEN,
    CHIP_LETTERS,
    CHIP_TYPES,
    CHIPS_A_ROUND,
    CHIPS_OF_A_TYPE,
    DEALT,
    FACE_DOWN,
    FACE_UP,
    HAND,
    KIND,
    KINDS,
    LARGE,
    LARGE_TILES,
    LETTERS,
    LINES,
    OBJECTIVES,
    OF_KIND,
    ON_LARGE,
    PHASES,
    PILE,
    PLATES,
    ROUNDS,
    SEATS,
    SMALL,
    SMALL_TILES,
    SPECIAL,
    SPECIAL_BACK,
    STACK,
    STATE,
    STORE,
    TILE_SPECIAL,
    TILES_PER_COLOR,
    TILING,
    TOKENS,
    WILD,
)
from mozaika.games.azul_duel.setup import fits_wishes
from mozaika.games.azul_duel.validity import check_position, count_chips
from mozaika.state import State


def parse_position(text: str) -> State:
    """The state of a position's text; ValueError with a sentence where it is none or cannot be."""
    state = read_position(text)
    check_position(state)
    return state


def read_position(text: str) -> State:
    """What a position's text says, whether a game can lead there or not."""
    fields = Fields(text, "Azul Duel", _FIELDS)
    state: State = np.zeros(1, STATE)[0]
    state["seats"] = fields.number("azul_duel", SEATS)
    state["phase"] = fields.choice("phase", PHASES)
    state["round"] = fields.number("round", range(1, ROUNDS + 1))
    state["starter"] = fields.number("starter", range(1, 3)) - 1
    state["turn"] = fields.number("turn", range(1, 3)) - 1
    state["marker"] = ON_LARGE
    if fields.text("marker") != "large":
        state["marker"] = fields.number("marker", range(1, 3)) - 1
    state["dealt"] = fields.number("dealt", range(DEALT + 1))
    state["bag"] = read_counts("bag", fields.text("bag"), LETTERS, TILES_PER_COLOR)
    state["tower"] = read_counts("tower", fields.text("tower"), LETTERS, TILES_PER_COLOR)
    _read_aims(state, fields.text("objectives"))
    _read_factories(state, fields)
    _read_boards(state, fields)
    _read_plates(state, fields)
    _read_stacking(state, fields)
    _read_tiling(state, fields)
    state["chips"] = [CHIPS_OF_A_TYPE - turned for turned in count_chips(state)]
    return state


_FIELDS = (
    *("azul_duel", "objectives", "round", "phase", "starter", "turn", "marker", "dealt", "bag", "tower"),
    *(
        "sun",
        "moon",
        "chips",
        "top",
        "unseen",
        "shown",
        "hand",
        "under",
        "score",
        "points",
        "tokens",
        "chosen",
    ),
    *("store", "spent", "lines", "domes", "tiles", "broken", "stacking", "tiling"),
)


def _parts(key: str, value: str, number: int) -> list[str]:
    parts = value.split()
    if len(parts) != number:
        raise ValueError(f"“{key}” has {number} parts with spaces between them, not {len(parts)}: “{value}”.")
    return parts


def _read_tiles(key: str, value: str, most: int) -> list[int]:
    """No more tiles than there is room for."""
    tiles = read_tiles(key, value, LETTERS)
    if len(tiles) > most:
        raise ValueError(f"“{key}” has room for {most} tiles there, not for “{value}”.")
    return tiles


def _read_chips(key: str, value: str) -> list[int]:
    counts = [0] * CHIP_TYPES
    for name in value.split() if value != "-" else ():
        if name not in CHIP_LETTERS:
            raise ValueError(f"A chip is one of {', '.join(CHIP_LETTERS)}, not “{name}”.")
        counts[CHIP_LETTERS.index(name)] += 1
    if sum(counts) > STORE:
        raise ValueError(f"“{key}” has room for {STORE} chips, not {sum(counts)} (AD-B2).")
    return counts


def _read_plate(key: str, value: str) -> int:
    return read_number(key, value, range(1, PLATES + 1))


def _read_aims(state: State, value: str) -> None:
    """AD-S1: the objectives, or what is wished of them."""
    if state["phase"] != AIM:
        mask = read_objectives(value)
        plates = [mask >> 2 * plate & 3 for plate in range(4)]
        if 3 in plates or sum(map(bool, plates)) not in (3, 4) or len(value.split()) != mask.bit_count():
            raise ValueError("There are 3 or 4 objectives, never two sides of one plate (AD-S1).")
        state["objectives"] = mask
        return
    number, _, rest = value.partition(" of ")
    state["number"] = read_number("objectives", number, range(3, 5))
    for plate, wish in enumerate(_parts("objectives", rest, 4)):
        sides = ("random", *OBJECTIVES[2 * plate : 2 * plate + 2], "out")
        if wish not in sides:
            raise ValueError(f"Objective plate {plate + 1} is one of {', '.join(sides)}, not “{wish}”.")
        state["wishes"][plate] = sides.index(wish)
    if sum(fits_wishes(state, mask) for mask in range(256)) < 2:
        raise ValueError("With these wishes there is nothing to draw (AD-S1).")


def _read_factories(state: State, fields: Fields) -> None:
    for factory, value in enumerate(_parts("sun", fields.text("sun"), 5)):
        for color in _read_tiles("sun", value, LARGE_TILES if factory == LARGE else SMALL_TILES):
            state["sun"][factory, color] += 1
    for factory, value in enumerate(_parts("moon", fields.text("moon"), 5)):
        tiles = _read_tiles("moon", value, LARGE_TILES - 1 if factory == LARGE else SMALL_TILES - 1)
        for level, color in enumerate(tiles):
            if factory == LARGE:
                state["large_moon"][color] += 1
            else:
                state["moon"][factory, level] = color + 1
        if tiles and state["sun"][factory].any():
            raise ValueError("A factory has tiles on its sun side or on its moon side, not on both (AD-T1).")
    for factory, value in enumerate(_parts("chips", fields.text("chips"), SMALL)):
        if value in ("?", "turning"):
            state["chip"][factory] = FACE_DOWN
            state["turning"] |= (value == "turning") << factory
        elif value != "-":
            chip = _read_chips("chips", value)
            state["chip"][factory] = FACE_UP + chip.index(1)


def _read_boards(state: State, fields: Fields) -> None:
    for seat in range(2):
        state["score"][seat] = read_number("score", fields.per_seat("score", 2)[seat], range(1000))
        kept = _parts("points", fields.per_seat("points", 2)[seat], 4)
        for name, value in zip(("tiled", "gilded", "paid", "lost"), kept, strict=True):
            state[name][seat] = read_number("points", value, range(1000))
        state["tokens"][seat] = read_number("tokens", fields.per_seat("tokens", 2)[seat], range(TOKENS + 1))
        chosen = fields.per_seat("chosen", 2)[seat]
        state["chosen"][seat] = read_number("chosen", chosen, range(CHIPS_A_ROUND + 1))
        state["store"][seat] = _read_chips("store", fields.per_seat("store", 2)[seat])
        state["spent"][seat] = _read_chips("spent", fields.per_seat("spent", 2)[seat])
        _read_lines(state, seat, fields.per_seat("lines", 2)[seat])
        _read_dome(state, seat, fields.per_seat("domes", 2)[seat])
        _read_dome_tiles(state, seat, fields.per_seat("tiles", 2)[seat])
        for color in _read_tiles("broken", fields.per_seat("broken", 2)[seat], BROKEN):
            state["broken"][seat, color] += 1


def _read_lines(state: State, seat: int, value: str) -> None:
    for row, line in enumerate(_parts("lines", value, LINES)):
        tiles = _read_tiles("lines", line, row + 1)
        if len(set(tiles)) > 1:
            raise ValueError(f"Line {row + 1} holds tiles of one colour, not “{line}” (AD-L1).")
        state["line_count"][seat, row] = len(tiles)
        state["line_color"][seat, row] = tiles[0] if tiles else 0


def _read_dome(state: State, seat: int, value: str) -> None:
    for slot, plate in enumerate(_parts("domes", value, 9)):
        if plate != "-":
            found = re.fullmatch(r"([0-9]{1,2})t([0-3])", plate)
            if not found:
                raise ValueError(f"A slot of a dome is - or a plate and its turn, as in 7t1, not “{plate}”.")
            state["slot_plate"][seat, slot] = _read_plate("domes", found[1])
            state["slot_turn"][seat, slot] = int(found[2])


def _read_dome_tiles(state: State, seat: int, value: str) -> None:
    letters = "." + LETTERS + "*"
    for row, spaces in enumerate(_parts("tiles", value, 6)):
        if not re.fullmatch(rf"[.{LETTERS}*]{{6}}", spaces):
            raise ValueError(f"A dome row is six spaces (. {LETTERS} *), not “{spaces}”.")
        for column, letter in enumerate(spaces):
            state["tile"][seat, row * 6 + column] = letters.index(letter)
    for space in range(36):
        row, column = divmod(space, 6)
        tile, shows = int(state["tile"][seat, space]), space_at(state, seat, row, column)
        fits = shows in (tile - 1, WILD) if tile < TILE_SPECIAL else shows == SPECIAL
        where = f"row {row + 1}, column {column + 1} of seat {seat + 1}"
        if tile and not fits:
            raise ValueError(f"The tile in {where} is not on a space for it (AD-W1).")
        if shows == SPECIAL and (tile > 0) == _lacks_color(state, seat, row, column):
            raise ValueError(
                f"The special space in {where} is filled when its plate is, and only then (AD-W5)."
            )


def _lacks_color(state: State, seat: int, row: int, column: int) -> bool:
    """Whether a coloured space of a special plate is empty."""
    first = row // 2 * 12 + column // 2 * 2
    others = {first, first + 1, first + 6, first + 7} - {row * 6 + column}
    return any(state["tile"][seat, space] == 0 for space in others)


def _read_plates(state: State, fields: Fields) -> None:
    for index, value in enumerate(_parts("shown", fields.text("shown"), 3)):
        state["shown"][index] = 0 if value == "-" else _read_plate("shown", value)
    unseen = fields.text("unseen")
    for value in unseen.split() if unseen != "-" else ():
        plate = 1 << _read_plate("unseen", value)
        if state["unseen"] & plate:
            raise ValueError(f"Plate {value} is unseen twice.")
        state["unseen"] |= plate
    for pile, key in enumerate(("hand", "under")):
        value = fields.text(key)
        plates = value.split() if value != "-" else []
        if len(plates) > PILE:
            raise ValueError(f"“{key}” has room for {PILE} plates, not {len(plates)}.")
        state["piles"][pile] = len(plates)
        for index, plate_text in enumerate(plates):
            _read_pile_plate(state, pile, index, plate_text)
    for kind in range(2):
        backs = sum(plate == SPECIAL_BACK + kind for plate in state["plate"][HAND])
        state["left"][kind] = (int(state["unseen"]) & int(OF_KIND[kind])).bit_count() - backs
    top = fields.choice("top", ("-", *KINDS))
    state["top"] = SPECIAL_BACK + top - 1 if top else 0


def _read_pile_plate(state: State, pile: int, index: int, text: str) -> None:
    found = re.fullmatch(r"(\d{1,2})@([12])=(-|\d{1,2}(?:,\d{1,2})*)(\+?)", text)
    if text in KINDS and pile == HAND:
        state["plate"][pile, index] = SPECIAL_BACK + KINDS.index(text)
        state["fresh"][pile, index] = 1
    elif found:
        plate = _read_plate("under", found[1])
        state["plate"][pile, index], state["by"][pile, index] = plate, int(found[2])
        state["fresh"][pile, index] = bool(found[4])
        for known in found[3].split(",") if found[3] != "-" else ():
            state["known"][pile, index] |= 1 << _read_plate("under", known)
        if int(state["known"][pile, index]) & ~int(OF_KIND[KIND[plate]]):
            raise ValueError(
                f"The back of plate {plate} shows its kind; “{text}” takes it for another (AD-A3)."
            )
        if not found[4] and not state["known"][pile, index] >> plate & 1:
            raise ValueError(f"“{text}” leaves out plate {plate} itself.")
    else:
        raise ValueError(
            "A plate in a pile is written as in “7@1=3,7+”: put back by seat 1, "
            f"taken by the other for 3, 7 or an unseen one; not “{text}”."
        )


def _read_stacking(state: State, fields: Fields) -> None:
    if state["phase"] != STACK:
        if "stacking" in fields:
            raise ValueError("The field “stacking” belongs to the phase stack.")
        return
    state["stacking"] = fields.number("stacking", range(1, SMALL + 1))
    rest = state["sun"][state["stacking"] - 1]
    if rest.sum() >= SMALL_TILES or (rest > 0).sum() < 2:
        raise ValueError(
            "The rest of a factory is stacked when it is two or three tiles, not all equal (AD-T1)."
        )


def _read_tiling(state: State, fields: Fields) -> None:
    state["next_line"] = LINES
    if state["phase"] != TILING:
        if "tiling" in fields:
            raise ValueError("The field “tiling” belongs to the phase tiling.")
        return
    for seat, value in enumerate(fields.per_seat("tiling", 2)):
        if value != "-":
            state["next_line"][seat] = read_number("tiling", value, range(1, LINES + 1)) - 1
