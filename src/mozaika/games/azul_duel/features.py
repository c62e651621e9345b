"""Azul Duel as numbers for programs that learn: what a seat may know, and nothing else."""

from mozaika.features import Feature, Features
from mozaika.games.azul_duel.pieces import (
    BROKEN,
    CHIP_TYPES,
    FACE_DOWN,
    HAND,
    LINES,
    NO_CHIP,
    NOTHING,
    OBJECTIVES,
    ON_LARGE,
    PHASES,
    PILE,
    PLATES,
    ROUNDS,
    SMALL,
    SPACES,
    SPECIAL_BACK,
    TILES_PER_COLOR,
    TOKENS,
)
from mozaika.kernel import kernel
from mozaika.state import Floats, State

TABLE = (
    Feature("sun", (5, 5), "tiles of each colour on each factory, the large one last, in fours"),
    Feature("large_moon", (5,), "tiles of each colour on the moon side of the large factory, in fours"),
    Feature("moon", (SMALL, 3, 5), "1 for the colour of each tile of the stacks, from the bottom"),
    Feature(
        "chip", (SMALL, 1 + CHIP_TYPES), "on each small factory: 1 for a face-down chip, or for its type"
    ),
    Feature("chips", (CHIP_TYPES,), "chips that have not been turned, in twos"),
    Feature("shown", (3, PLATES), "1 for each plate of the display"),
    Feature("top", (2,), "1 for the back of the topmost unseen plate: special, wild"),
    Feature("left", (2,), "unseen plates in the stack by kind, in ninths"),
    Feature("piles", (2,), "plates in the hand and under the stack, as a part of 13"),
    Feature("hand", (PLATES,), "1 for each plate in the seat's own hand"),
    Feature("unknown", (PLATES,), "1 for each plate of which the seat cannot know where it is"),
    Feature("bag", (5,), "tiles of each colour in it, as a part of 13"),
    Feature("tower", (5,), "tiles of each colour in it, as a part of 13"),
    Feature("objectives", (len(OBJECTIVES),), "1 for each that counts"),
    Feature("phase", (len(PHASES),), "1 for the phase"),
    Feature("stacking", (SMALL,), "1 for the small factory whose rest is being stacked"),
    Feature("marker", (1,), "1 while nobody holds the start marker"),
    Feature("round", (1,), "its number, in fifths"),
)
EACH = (
    Feature("wants", (9, 4, NOTHING), "of each slot and space in it: 1 for its colour, wild or special"),
    Feature("tiled", (36,), "1 for each space on which a tile lies"),
    Feature("line_fill", (LINES,), "how full each line is"),
    Feature("line_color", (LINES, 5), "1 for the colour of each line; none where it is empty"),
    Feature("store", (CHIP_TYPES,), "chips of each type, in twos"),
    Feature("broken", (5,), "broken tiles of each colour, in fours"),
    Feature("tokens", (1,), "tokens left, in twos"),
    Feature("chosen", (1,), "chips taken in this round, in twos"),
    Feature("first", (1,), "1 for who holds the start marker"),
    Feature("next_line", (1,), "how far the tiling has come, in sixths"),
    Feature("score", (1,), "points, in hundreds"),
)


def _starts(parts: tuple[Feature, ...]) -> list[int]:
    return [sum(part.size for part in parts[:number]) for number in range(len(parts) + 1)]


(
    SUN,
    LARGE_MOON,
    MOON,
    CHIP,
    CHIPS,
    SHOWN,
    TOP,
    LEFT,
    PILES,
    OWN,
    UNKNOWN,
    BAG,
    TOWER,
    AIMS,
    PHASE,
    STACKING,
) = _starts(TABLE)[:16]
MARKER, ROUND, SIZE = _starts(TABLE)[16:]
(WANTS, TILED, FILL, COLOR, STORE, SHARDS, TOKEN, CHOSEN, FIRST, NEXT, SCORE, EACH_SIZE) = _starts(EACH)


@kernel
def observe(state: State, seat: int, out: Floats) -> None:
    for place in range(SIZE + 2 * EACH_SIZE):
        out[place] = 0.0
    see_factories(state, out)
    see_display(state, out)
    see_piles(state, seat, out)
    see_table(state, out)
    see_board(state, seat, out[SIZE:])
    see_board(state, 1 - seat, out[SIZE + EACH_SIZE :])


@kernel
def see_factories(state: State, out: Floats) -> None:
    for factory in range(5):
        for color in range(5):
            out[SUN + 5 * factory + color] = state["sun"][factory, color] * 0.25
    for factory in range(SMALL):
        for place in range(3):
            piece = int(state["moon"][factory, place])
            if piece > 0:
                out[MOON + 15 * factory + 5 * place + piece - 1] = 1.0
        chip = int(state["chip"][factory])
        if chip != NO_CHIP:
            out[CHIP + (1 + CHIP_TYPES) * factory + chip - FACE_DOWN] = 1.0
    if state["stacking"] > 0:
        out[STACKING + int(state["stacking"]) - 1] = 1.0
    for kind in range(CHIP_TYPES):
        out[CHIPS + kind] = state["chips"][kind] * 0.5


@kernel
def see_display(state: State, out: Floats) -> None:
    for index in range(3):
        plate = int(state["shown"][index])
        if plate > 0:
            out[SHOWN + PLATES * index + plate - 1] = 1.0
    if state["top"] > 0:
        out[TOP + int(state["top"]) - SPECIAL_BACK] = 1.0
    for kind in range(2):
        out[LEFT + kind] = state["left"][kind] * (1.0 / 9)


@kernel
def see_piles(state: State, seat: int, out: Floats) -> None:
    """As `hide` shows them: plates that the other has looked at are known by what `known` says of them."""
    located = 0
    for index in range(3):
        located |= 1 << int(state["shown"][index])
    for slot in range(9):
        located |= 1 << int(state["slot_plate"][0, slot]) | 1 << int(state["slot_plate"][1, slot])
    for pile in range(2):
        for index in range(state["piles"][pile]):
            by = int(state["by"][pile, index])
            if by == seat + 1:
                located |= 1 << int(state["plate"][pile, index])
                if pile == HAND:
                    out[OWN + int(state["plate"][pile, index]) - 1] = 1.0
            elif by > 0:
                located |= int(state["known"][pile, index])
        out[PILES + pile] = state["piles"][pile] * (1.0 / PILE)
    for plate in range(PLATES):
        out[UNKNOWN + plate] = 0.0 if located >> plate + 1 & 1 else 1.0


@kernel
def see_table(state: State, out: Floats) -> None:
    for color in range(5):
        out[LARGE_MOON + color] = state["large_moon"][color] * 0.25
        out[BAG + color] = state["bag"][color] * (1.0 / TILES_PER_COLOR)
        out[TOWER + color] = state["tower"][color] * (1.0 / TILES_PER_COLOR)
    for aim in range(len(OBJECTIVES)):
        out[AIMS + aim] = 1.0 if int(state["objectives"]) >> aim & 1 else 0.0
    out[PHASE + int(state["phase"])] = 1.0
    out[MARKER] = 1.0 if state["marker"] == ON_LARGE else 0.0
    out[ROUND] = state["round"] * (1.0 / ROUNDS)


@kernel
def see_board(state: State, who: int, board: Floats) -> None:
    for slot in range(9):
        plate = int(state["slot_plate"][who, slot])
        if plate > 0:
            turn = int(state["slot_turn"][who, slot])
            for space in range(4):
                board[WANTS + NOTHING * (4 * slot + space) + int(SPACES[plate, turn, space])] = 1.0
    for space in range(36):
        board[TILED + space] = 1.0 if state["tile"][who, space] > 0 else 0.0
    for row in range(LINES):
        count = int(state["line_count"][who, row])
        board[FILL + row] = count / (row + 1)
        if count > 0:
            board[COLOR + 5 * row + int(state["line_color"][who, row])] = 1.0
    for kind in range(CHIP_TYPES):
        board[STORE + kind] = state["store"][who, kind] * 0.5
    for color in range(5):
        board[SHARDS + color] = state["broken"][who, color] * (1.0 / BROKEN)
    board[TOKEN] = state["tokens"][who] * (1.0 / TOKENS)
    board[CHOSEN] = state["chosen"][who] * 0.5
    board[FIRST] = 1.0 if state["marker"] == who else 0.0
    board[NEXT] = state["next_line"][who] * (1.0 / LINES)
    board[SCORE] = state["score"][who] * 0.01


FEATURES = Features(table=TABLE, each=EACH, observe=observe)
