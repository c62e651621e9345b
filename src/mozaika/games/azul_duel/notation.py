"""Azul Duel as text: moves such as `F3 blue >4`, and complete positions. The README explains both."""

import re
from collections.abc import Iterable

import numpy as np

from mozaika.fields import Fields, per_seat, read_number, write_fields
from mozaika.game import State
from mozaika.games.azul_duel.pieces import (
    AIM,
    AIMS,
    BACKS,
    BROKEN,
    CHIP_LETTERS,
    CHIP_TAKES,
    CHIP_TYPES,
    CHIPS_A_ROUND,
    CHIPS_OF_A_TYPE,
    COLORS,
    DEALT,
    DRAW,
    FACE_DOWN,
    FACE_UP,
    FACES,
    HAND,
    KIND,
    KINDS,
    LARGE,
    LARGE_TILES,
    LETTERS,
    LINES,
    MOON,
    NO_CHIP,
    OBJECTIVES,
    OF_KIND,
    ON_LARGE,
    PAYMENTS,
    PHASES,
    PILE,
    PLACINGS,
    PLATES,
    RETURNS,
    ROUNDS,
    SEATS,
    SMALL,
    SMALL_TILES,
    SPECIAL,
    SPECIAL_BACK,
    STACK,
    STACKS,
    STARTS,
    STATE,
    STAYS,
    STOP,
    STORE,
    TARGETS,
    TILE_SPECIAL,
    TILES,
    TILES_PER_COLOR,
    TILING,
    TILINGS,
    TOKENS,
    TURNS,
    UNDER,
    WILD,
)
from mozaika.games.azul_duel.possible import check_position, count_chips
from mozaika.games.azul_duel.rules import (
    fits_wishes,
    space_at,
)

_COLOR = "|".join(COLORS)
_CHIP = "|".join(sorted(CHIP_LETTERS, key=len, reverse=True))
_TARGET = r"> ?(?:([1-6])|broken)"
_TAKE = re.compile(rf"(?:F([1-4])|(large|moon)) ?({_COLOR}) ?{_TARGET}", re.IGNORECASE)
_STACK = re.compile(rf"stack ([{LETTERS}]{{1,3}})", re.IGNORECASE)
_PLACE = re.compile(r"plate ([1-9]|1[0-8]) ?> ?s([1-9]) turn ([0-3])", re.IGNORECASE)
_RETURN = re.compile(r"return ([1-9]|1[0-8])", re.IGNORECASE)
_CHIP_TAKE = re.compile(r"chip F([1-4])", re.IGNORECASE)
_TILE = re.compile(rf"line ?([1-6]) ?> ?c([1-6])(?: pay ((?:{_CHIP})(?: (?:{_CHIP}))*))?", re.IGNORECASE)
_STAY = re.compile(r"line ?([1-6]) stays", re.IGNORECASE)
_AIM = re.compile(r"objectives (\w+(?: \w+){2,3})", re.IGNORECASE)
_START = re.compile(r"start ([12])", re.IGNORECASE)
_BACK = re.compile(r"back (special|wild)", re.IGNORECASE)
_FACE = re.compile(r"face ([1-9]|1[0-8])", re.IGNORECASE)
_TURN = re.compile(rf"chip ({_CHIP})", re.IGNORECASE)


def write_move(move: int) -> str:
    """The text of a move.

    `F3 blue >4`, then `stack KY` (the rest from bottom to top), `large red >2`, `moon black >broken`,
    `plate 7 >s5 turn 1`, `draw`, `stop`, `return 7`, `chip F2`, `line 4 >c2 pay KB T`, `line 4 stays`; for
    CHANCE `objectives rows edge corners`, `start 2`, `back wild`, `face 7`, `chip BR`, `blue`.
    """
    if move >= AIMS:
        return _write_draw(move)
    if move >= STAYS:
        return f"line {move - STAYS + 1} stays"
    if move >= TILINGS:
        row, place = divmod(move - TILINGS, PAYMENTS * 6)
        payment, column = divmod(place, 6)
        chips = f" pay {' '.join(list_payment(payment))}" if payment else ""
        return f"line {row + 1} >c{column + 1}{chips}"
    if move >= STACKS:
        return f"stack {''.join(LETTERS[color] for color in list_order(move - STACKS))}"
    if move >= CHIP_TAKES:
        return f"chip F{move - CHIP_TAKES + 1}"
    if move >= RETURNS:
        return f"return {move - RETURNS + 1}"
    if move >= DRAW:
        return "draw" if move == DRAW else "stop"
    if move >= PLACINGS:
        plate, slot, turn = split_placing(move)
        return f"plate {plate} >s{slot + 1} turn {turn}"
    source, color, target = split_take(move)
    name = f"F{source + 1}" if source < LARGE else "large" if source == LARGE else "moon"
    return f"{name} {COLORS[color]} >{target or 'broken'}"


def _write_draw(move: int) -> str:
    if move >= TILES:
        return COLORS[move - TILES]
    if move >= TURNS:
        return f"chip {CHIP_LETTERS[move - TURNS]}"
    if move >= FACES:
        return f"face {move - FACES + 1}"
    if move >= BACKS:
        return f"back {KINDS[move - BACKS]}"
    if move >= STARTS:
        return f"start {move - STARTS + 1}"
    return f"objectives {' '.join(list_objectives(move - AIMS))}"


def split_take(move: int) -> tuple[int, int, int]:
    """Source, colour and target of a take of tiles."""
    source_color, target = divmod(move, TARGETS)
    return *divmod(source_color, 5), target


def join_take(source: int, color: int, target: int) -> int:
    """The take of tiles with these parts."""
    return (source * 5 + color) * TARGETS + target


def split_placing(move: int) -> tuple[int, int, int]:
    """Plate, slot and quarter turns of a placing."""
    place, turn = divmod(move - PLACINGS, 4)
    plate, slot = divmod(place, 9)
    return plate + 1, slot, turn


def join_placing(plate: int, slot: int, turn: int) -> int:
    """The placing of a plate."""
    return PLACINGS + ((plate - 1) * 9 + slot) * 4 + turn


def list_order(order: int) -> list[int]:
    """The colours of a stack from bottom to top."""
    return [digit - 1 for digit in (order // 36, order // 6 % 6, order % 6) if digit]


def join_order(colors: Iterable[int]) -> int:
    """The order in which tiles of these colours are stacked, bottom first."""
    digits = [color + 1 for color in colors]
    low, middle, high = digits + [0] * (3 - len(digits))
    return 36 * low + 6 * middle + high


def list_payment(payment: int) -> list[str]:
    """The chips of a payment by their letters."""
    return [name for chip, name in enumerate(CHIP_LETTERS) for _ in range(payment // 3**chip % 3)]


def join_payment(chips: Iterable[str]) -> int:
    """The payment with these chips; ValueError if there are not so many in the box."""
    payment = 0
    for name in chips:
        chip = CHIP_LETTERS.index(name)
        if payment // 3**chip % 3 == CHIPS_OF_A_TYPE:
            raise ValueError(f"There are only {CHIPS_OF_A_TYPE} chips {name}.")
        payment += 3**chip
    return payment


def list_objectives(mask: int) -> list[str]:
    return [name for side, name in enumerate(OBJECTIVES) if mask >> side & 1]


def parse_move(text: str) -> int:  # noqa: C901  one case for each kind of move
    """The move of a text; ValueError where there is none."""
    if found := _TAKE.fullmatch(text):
        factory, other, color, line = found.groups()
        source = int(factory) - 1 if factory else LARGE if other.lower() == "large" else MOON
        return join_take(source, COLORS.index(color.lower()), int(line or 0))
    if found := _STACK.fullmatch(text):
        return STACKS + join_order(LETTERS.index(letter) for letter in found[1].upper())
    if found := _PLACE.fullmatch(text):
        return join_placing(int(found[1]), int(found[2]) - 1, int(found[3]))
    if found := _TILE.fullmatch(text):
        payment = join_payment((found[3] or "").upper().split())
        return TILINGS + ((int(found[1]) - 1) * PAYMENTS + payment) * 6 + int(found[2]) - 1
    if found := _AIM.fullmatch(text):
        return AIMS + _read_objectives(found[1].lower())
    if found := _BACK.fullmatch(text):
        return BACKS + KINDS.index(found[1].lower())
    if found := _TURN.fullmatch(text):
        return TURNS + CHIP_LETTERS.index(found[1].upper())
    for pattern, first in _NUMBERED:
        if found := pattern.fullmatch(text):
            return first + int(found[1]) - 1
    if text.lower() in ("draw", "stop"):
        return DRAW if text.lower() == "draw" else STOP
    if text.lower() in COLORS:
        return TILES + COLORS.index(text.lower())
    raise ValueError(f"{text!r} is no move of Azul Duel.")


_NUMBERED = ((_RETURN, RETURNS), (_CHIP_TAKE, CHIP_TAKES), (_STAY, STAYS), (_START, STARTS), (_FACE, FACES))


def _read_objectives(text: str) -> int:
    mask = 0
    for name in text.split():
        if name not in OBJECTIVES:
            raise ValueError(f"An objective is one of {', '.join(OBJECTIVES)}, not “{name}”.")
        mask |= 1 << OBJECTIVES.index(name)
    return mask


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
    state["bag"] = _read_counts("bag", fields.text("bag"))
    state["tower"] = _read_counts("tower", fields.text("tower"))
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


def _read_counts(key: str, value: str) -> list[int]:
    counts = [0] * 5
    for part in value.split() if value != "-" else ():
        found = re.fullmatch(rf"([{LETTERS}])([0-9]{{1,2}})", part)
        if not found or counts[LETTERS.index(found[1])]:
            raise ValueError(f"“{key}” counts each colour once, as in “B12 Y9”, not “{part}”.")
        counts[LETTERS.index(found[1])] = read_number(key, found[2], range(TILES_PER_COLOR + 1))
    return counts


def _read_tiles(key: str, value: str, most: int) -> list[int]:
    """A string of tiles as a list of colours."""
    if value == "-":
        return []
    if wrong := [letter for letter in value if letter not in LETTERS]:
        raise ValueError(f"“{key}” has tiles {', '.join(LETTERS)} or -, not “{wrong[0]}”.")
    if len(value) > most:
        raise ValueError(f"“{key}” has room for {most} tiles there, not for “{value}”.")
    return [LETTERS.index(letter) for letter in value]


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
        mask = _read_objectives(value)
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
