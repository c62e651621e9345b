"""Why a move is refused: the id of the rule that forbids it."""

from mozaika.games.azul.pieces import (
    CENTRE,
    CHOOSE,
    DEAL,
    DRAWS,
    LINES,
    OVER,
    PLACES,
    STARTS,
    TARGETS,
    TILING,
)
from mozaika.state import CHANCE, State


def why_not(state: State, seat: int, move: int) -> str:
    """The id of the rule that forbids a move."""
    phase = state["phase"]
    if phase == OVER:
        return "AZ-E1"
    if phase == CHOOSE or move >= STARTS:
        return "AZ-B1" if move >= STARTS + int(state["seats"]) else "AZ-S1"
    if seat == CHANCE or move >= DRAWS:
        return "AZ-C1"
    if not 0 <= seat < state["seats"]:
        return "AZ-A1"
    if phase == TILING:
        return _why_not_place(state, seat, move)
    if phase == DEAL or move >= PLACES:
        return "AZ-S2"
    if seat != state["turn"]:
        return "AZ-A1"
    source_color, target = divmod(move, TARGETS)
    source, color = divmod(source_color, 5)
    if state["sources"][source, color] == 0:
        return "AZ-A3" if source == CENTRE else "AZ-A2"
    if state["line_count"][seat, target - 1] > 0:
        return "AZ-A4"
    return "AZ-A5"


def _why_not_place(state: State, seat: int, move: int) -> str:
    if move < PLACES:
        return "AZ-A9"
    if state["next_line"][seat] == LINES:
        return "AZ-W4"
    row, _ = divmod(move - PLACES, 5)
    return "AZ-G1" if row == state["next_line"][seat] else "AZ-G3"
