"""Why a move is refused: the id of the rule that forbids it."""

from mozaika.games.azul_duel.factories import on_moon
from mozaika.games.azul_duel.pieces import (
    ACQUIRE,
    AIMS,
    BACKS,
    CHIP_TAKES,
    CHOICE,
    DRAW,
    LINES,
    MOON,
    OVER,
    PAYMENTS,
    PLACINGS,
    SETUP,
    STACK,
    STACKS,
    STARTS,
    STAYS,
    TARGETS,
    TILES,
    TILING,
    TILINGS,
    TURNS,
)
from mozaika.state import CHANCE, State


def why_not(state: State, seat: int, move: int) -> str:  # noqa: C901  one case for each kind of move
    """The id of the rule that forbids a move."""
    phase = state["phase"]
    if phase == OVER:
        return "AD-F1"
    if move >= AIMS or seat == CHANCE:
        return _why_not_draw(move)
    if phase < SETUP:
        return "AD-S1"
    if phase == TILING:
        return _why_not_tile(state, seat, move)
    if seat != state["turn"]:
        return "AD-S3" if phase == SETUP else "AD-1"
    if move >= TILINGS:
        return "AD-E1"
    if phase == SETUP:
        return _why_not_place(state, seat, move) if PLACINGS <= move < DRAW else "AD-S3"
    if phase == STACK or move >= STACKS:
        return "AD-T1"
    if phase != ACQUIRE:
        return _why_not_place(state, seat, move) if phase == CHOICE and PLACINGS <= move < DRAW else "AD-A3"
    if move >= CHIP_TAKES:
        return "AD-D1"
    if move >= PLACINGS:
        if state["tokens"][seat] == 0:
            return "AD-A5"
        return _why_not_place(state, seat, move) if move < DRAW else "AD-A3"
    return _why_not_take(state, move)


def _why_not_draw(move: int) -> str:
    if move >= TILES:
        return "AD-N2"
    if move >= TURNS:
        return "AD-T2"
    return "AD-A3" if move >= BACKS else "AD-S3" if move >= STARTS else "AD-S1"


def _why_not_place(state: State, seat: int, move: int) -> str:
    slot = (move - PLACINGS) // 4 % 9
    if state["slot_plate"][seat, slot] > 0:
        return "AD-A1"
    return "AD-A3" if state["phase"] == CHOICE else "AD-A2"


def _why_not_take(state: State, move: int) -> str:
    source, color = divmod(move // TARGETS, 5)
    if source == MOON:
        return "AD-L1" if on_moon(state, color) else "AD-T3"
    return "AD-L1" if state["sun"][source, color] > 0 else "AD-T1"


def _why_not_tile(state: State, seat: int, move: int) -> str:
    if move < TILINGS:
        return "AD-E1"
    if not 0 <= seat < 2 or state["next_line"][seat] == LINES:
        return "AD-W6"
    row = move - STAYS if move >= STAYS else (move - TILINGS) // (PAYMENTS * 6)
    if row != state["next_line"][seat]:
        return "AD-W1"
    payment = 0 if move >= STAYS else (move - TILINGS) // 6 % PAYMENTS
    complete = state["line_count"][seat, row] == row + 1
    return "AD-W4" if payment or not complete else "AD-W1"
