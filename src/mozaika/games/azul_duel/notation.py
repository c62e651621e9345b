"""The moves of Azul Duel as text, such as `F3 blue >4`. The README explains them."""

import re
from collections.abc import Iterable
from functools import lru_cache

from mozaika.games.azul_duel.pieces import (
    AIMS,
    BACKS,
    CHIP_LETTERS,
    CHIP_TAKES,
    CHIPS_OF_A_TYPE,
    COLORS,
    DRAW,
    FACES,
    KINDS,
    LARGE,
    LETTERS,
    MOON,
    OBJECTIVES,
    PAYMENTS,
    PLACINGS,
    RETURNS,
    STACKS,
    STARTS,
    STAYS,
    STOP,
    TARGETS,
    TILES,
    TILINGS,
    TURNS,
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
        return write_tiling(row, column, payment)
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


def write_tiling(row: int, column: int, payment: int) -> str:
    """`line 4 >c2 pay KB T`"""
    chips = f" pay {_write_payment(payment)}" if payment else ""
    return f"line {row + 1} >c{column + 1}{chips}"


def list_payment(payment: int) -> list[str]:
    """The chips of a payment by their letters."""
    chips: list[str] = []
    for name in CHIP_LETTERS:
        payment, n = divmod(payment, 3)
        chips += [name] * n
    return chips


@lru_cache(maxsize=1 << 12)
def _write_payment(payment: int) -> str:
    return " ".join(list_payment(payment))


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
        return AIMS + read_objectives(found[1].lower())
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


def read_objectives(text: str) -> int:
    mask = 0
    for name in text.split():
        if name not in OBJECTIVES:
            raise ValueError(f"An objective is one of {', '.join(OBJECTIVES)}, not “{name}”.")
        mask |= 1 << OBJECTIVES.index(name)
    return mask
