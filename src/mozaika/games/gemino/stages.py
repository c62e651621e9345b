"""A turn of GEMINO in stages: the two fields, where their tiles come from, and the lines that score."""

from mozaika.games.gemino.pieces import FIELDS, LINES, SOURCES
from mozaika.games.gemino.rules import (
    EVERYWHERE,
    after,
    color_of,
    completed,
    first_sources,
    in_hand,
    is_begun,
    kind_of,
    leaves_five,
    lowest,
    occupied,
    pack,
    second_sources,
    unpack,
)
from mozaika.kernel import kernel, list_bits
from mozaika.stages import Stage, Stages
from mozaika.state import Ints, State
from mozaika.words import later

FIELD_2 = FIELDS
SOURCE_1 = FIELD_2 + FIELDS
SOURCE_2 = SOURCE_1 + SOURCES
LINE_1 = SOURCE_2 + SOURCES
LINE_2 = LINE_1 + LINES
LONGEST = 6


@kernel
def split(move: int, out: Ints) -> int:
    first, second, source, other_source, _, line, other_line = unpack(move)
    out[0] = first
    out[1] = FIELD_2 + second
    out[2] = SOURCE_1 + source
    out[3] = SOURCE_2 + other_source
    out[4] = LINE_1 + line
    out[5] = LINE_2 + other_line
    return LONGEST


@kernel
def join(state: State, made: Ints, n: int) -> int:
    first = int(made[0])
    second = int(made[1]) - FIELD_2
    source = int(made[2]) - SOURCE_1
    other_source = int(made[3]) - SOURCE_2
    line = int(made[4]) - LINE_1
    other_line = int(made[5]) - LINE_2
    return int(pack(first, second, source, other_source, leaves_five(state), line, other_line))


@kernel
def choices(state: State, seat: int, made: Ints, n: int, out: Ints) -> int:
    """GE-T1, GE-T3: two empty fields of one colour; GE-T2: from the hand or from elsewhere; GE-P3: a line."""
    if state["over"] or not is_begun(state) or seat != state["turn"] or n == LONGEST:
        return 0
    if n == 0:
        return list_bits(first_fields(state), 0, out)
    if n == 1:
        color = color_of(state, 0, int(made[0]))
        return list_bits(int(state["colors"][1, color]) & ~occupied(state, 1), FIELD_2, out)
    hand = in_hand(state, seat)
    if n == 2:
        sources = first_sources(hand, int(state["tiles"][seat, 0]))
        return list_bits(with_second(state, seat, hand, sources), SOURCE_1, out)
    source = int(made[2]) - SOURCE_1
    if n == 3:
        return list_bits(second_sources(hand, source, int(state["tiles"][seat, 1])), SOURCE_2, out)
    if n == 4:
        tiles = after(state, seat, 0, source, int(made[0]))
        return list_bits(completed(tiles, int(made[0]), kind_of(state)), LINE_1, out)
    second = int(made[1]) - FIELD_2
    tiles = after(state, seat, 1, int(made[3]) - SOURCE_2, second)
    return list_bits(completed(tiles, second, kind_of(state)), LINE_2, out)


@kernel
def first_fields(state: State) -> int:
    """GE-T3: the empty fields of board 1 whose colour has an empty field on board 2."""
    empty = ~occupied(state, 1) & EVERYWHERE
    fields = 0
    for color in range(6):
        if int(state["colors"][1, color]) & empty:
            fields |= int(state["colors"][0, color])
    return fields & ~occupied(state, 0)


@kernel
def with_second(state: State, seat: int, hand: int, sources: int) -> int:
    """The sources for board 1 that leave one for board 2."""
    kept = 0
    while sources:
        source = lowest(sources)
        sources &= sources - 1
        if second_sources(hand, source, int(state["tiles"][seat, 1])):
            kept |= 1 << source
    return kept


STAGES = Stages(
    parts=(
        Stage("field 1", FIELDS, later("Choose an empty field on either board."), ("*",), 0),
        Stage("field 2", FIELDS, later("Now a field of the same colour on the other board."), ("*",), 1),
        Stage("source 1", SOURCES, later("Now the tile that moves there."), ("*-away",)),
        Stage("source 2", SOURCES),
        Stage("line 1", LINES, later("Now the line that scores: point at its lit end."), ("*+*",)),
        Stage("line 2", LINES, last=True),
    ),
    longest=LONGEST,
    split=split,
    choices=choices,
    join=join,
)
