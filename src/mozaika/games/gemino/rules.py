"""The rules of GEMINO, each decided where its id stands. No dice here: CHANCE draws."""

import numpy as np

from mozaika.games.gemino.pieces import (
    ALL_LINES,
    BOARDS,
    COLORS,
    FIELDS,
    FIVES,
    HAND,
    LAST_ROUND,
    LETTERS,
    LINE_COUNTS,
    LINES,
    LINES_THROUGH,
    NEEDED,
    NO_LINE,
    NOT_DRAWN,
    PAIRS_OF_LINES,
    POINTS_TO_WIN,
    ROW,
    SIDE_DRAWS,
    SIDES,
    SIZE,
    SOURCES,
    STARTS,
    STATE,
    TILES,
    WAYS,
    GeminoOptions,
)
from mozaika.kernel import count_bits, kernel
from mozaika.options import BadOption
from mozaika.state import CHANCE, Ints, State
from mozaika.words import later

EVERYWHERE = (1 << FIELDS) - 1
SIDE_COLORS = np.zeros((2, 2, len(COLORS)), np.int64)
"""For each board and side the fields of each colour."""


def read_side(grid: str) -> list[int]:
    """The fields of each colour of a side; GE-B1: each colour once in each row and column."""
    rows = grid.upper().split("/")
    columns = ["".join(column) for column in zip(*rows, strict=False)]
    if len(rows) != SIZE or any(sorted(line) != sorted(LETTERS) for line in (*rows, *columns)):
        raise BadOption(
            later(
                "A side is six rows of six letters, each of {letters} once in each row and column (GE-B1)."
            ),
            letters=LETTERS,
        )
    fields = "".join(rows)
    return [sum(1 << at for at in range(FIELDS) if fields[at] == letter) for letter in LETTERS]


for _board in BOARDS:
    for _side, _grid in enumerate(SIDES[_board].values()):
        SIDE_COLORS[_board, _side] = read_side(_grid)


def new(seats: int, options: GeminoOptions) -> State:
    """A game before anything is drawn."""
    state: State = np.zeros(1, STATE)[0]
    state["seats"] = seats
    state["round"] = 1
    state["starter"] = NOT_DRAWN
    if options.leave == "four":
        if seats != 2:
            raise BadOption(
                later("“leave” is for two players: among more, four tiles of a line leave anyway (GE-P3).")
            )
        state["four"] = 1
    chosen = (options.board1, options.board2)
    own = options.own.split("//") if options.own else []
    if len(own) != chosen.count("own"):
        raise BadOption(
            later("{n} boards are to be your own and {drawn} sides are drawn; an empty row parts two sides."),
            n=chosen.count("own"),
            drawn=len(own),
        )
    for board, side in zip(BOARDS, chosen, strict=True):  # GE-B2
        if side != "random":
            state["colors"][board] = read_side(own.pop(0) if side == "own" else SIDES[board][side])
    if options.start != "random":
        if int(options.start) > seats:
            raise BadOption(
                later("start is a seat from 1 to {seats} or random, not {start}."),
                seats=seats,
                start=options.start,
            )
        begin(state, int(options.start) - 1)
    return state


def options_of(state: State) -> dict[str, str]:
    """The boards; who started no longer matters."""
    sides = [name_side(state, board) for board in BOARDS]
    own = [side for side in sides if "/" in side]
    chosen = ["own" if side in own else side for side in sides]
    leave = "four" if state["four"] else "line"
    return {"board1": chosen[0], "board2": chosen[1], "own": "//".join(own), "leave": leave}


def name_side(state: State, board: int) -> str:
    """A side of the box by its letter, any other row by row; `random` while it is not drawn."""
    if not is_laid(state, board):
        return "random"
    grid = "".join(LETTERS[color_of(state, board, field)] for field in range(FIELDS))
    rows = "/".join(grid[start : start + SIZE] for start in range(0, FIELDS, SIZE))
    return next((name for name, side in SIDES[board].items() if side == rows), rows)


@kernel
def is_laid(state: State, board: int) -> bool:
    """Whether a side of the board has been chosen or drawn."""
    return int(state["colors"][board, 0]) != 0


@kernel
def color_of(state: State, board: int, field: int) -> int:
    found = 0
    for color in range(1, 6):  # without branches: a processor cannot foresee them
        found += color * (int(state["colors"][board, color]) >> field & 1)
    return found


@kernel
def is_begun(state: State) -> bool:
    """GE-B2: everything that is drawn has been drawn."""
    return is_laid(state, 0) and is_laid(state, 1) and int(state["starter"]) != NOT_DRAWN


@kernel
def movers(state: State) -> int:
    """GE-B2: one after the other."""
    if state["over"]:
        return 0
    return 1 << int(state["turn"]) if is_begun(state) else 1 << CHANCE


@kernel
def legal(state: State, seat: int, out: Ints) -> int:
    if state["over"]:
        return 0
    if not is_begun(state):
        return _legal_draws(state, out) if seat == CHANCE else 0
    return _legal_turns(state, seat, out) if seat == state["turn"] else 0


@kernel
def _legal_draws(state: State, out: Ints) -> int:
    """GE-B2: the side of board 1, then of board 2, then who starts."""
    for board in range(2):
        if not is_laid(state, board):
            for side in range(2):
                out[side] = SIDE_DRAWS + 2 * board + side
            return 2
    for starter in range(state["seats"]):
        out[starter] = STARTS + starter
    return int(state["seats"])


@kernel
def weigh(state: State, out: Ints) -> int:
    """Everything is as likely."""
    outcomes = _legal_draws(state, out)
    for outcome in range(outcomes):
        out[outcome] = 1
    return outcomes


@kernel
def _legal_turns(state: State, seat: int, out: Ints) -> int:
    """GE-T1, GE-T3: every pair of empty fields of one colour, in every way the tiles can come there.

    The ways are the same for all pairs that complete no line: they are listed once, at the end of the buffer,
    and copied as a row of a fixed length, of which as much counts as was meant.
    """
    row = out[len(out) - ROW :]
    for way in range(ROW):
        row[way] = 0
    ways = list_ways(state, seat, 0, 1 << NO_LINE, 1 << NO_LINE, row)
    width = ways + 7 & ~7
    kind = kind_of(state)
    scoring = completing(state, seat, 0)
    other_scoring = completing(state, seat, 1)
    n = 0
    firsts = ~occupied(state, 0) & EVERYWHERE
    empty = ~occupied(state, 1) & EVERYWHERE
    while firsts:
        first = lowest(firsts)
        firsts &= firsts - 1
        seconds = int(state["colors"][1, color_of(state, 0, first)]) & empty
        while seconds:
            second = lowest(seconds)
            seconds &= seconds - 1
            pair = first * FIELDS + second
            window = out[n:]
            if (scoring >> first | other_scoring >> second) & 1:
                lines = completed(int(state["tiles"][seat, 0]) | 1 << first, first, kind)
                other_lines = completed(int(state["tiles"][seat, 1]) | 1 << second, second, kind)
                n += list_ways(state, seat, pair, lines, other_lines, window)
            else:
                for way in range(width):
                    window[way] = row[way] + pair * WAYS
                n += ways
    return n


@kernel
def list_ways(state: State, seat: int, pair: int, lines: int, other_lines: int, out: Ints) -> int:
    """GE-T2, GE-P3: where the tiles of a pair come from, and which of the lines that it completes score."""
    hand = in_hand(state, seat)
    kind = kind_of(state)
    five = leaves_five(state)
    first, second = divmod(pair, FIELDS)
    tiles = int(state["tiles"][seat, 0]) | 1 << first
    other_tiles = int(state["tiles"][seat, 1]) | 1 << second
    n = 0
    sources = first_sources(hand, int(state["tiles"][seat, 0]))
    while sources:
        source = lowest(sources)
        sources &= sources - 1
        kept = without(lines, tiles, first, kind, source)
        other_sources = second_sources(hand, source, int(state["tiles"][seat, 1]))
        while other_sources:
            other_source = lowest(other_sources)
            other_sources &= other_sources - 1
            other_kept = without(other_lines, other_tiles, second, kind, other_source)
            rest = kept
            while rest:
                line = lowest(rest)
                rest &= rest - 1
                other_rest = other_kept
                while other_rest:
                    other_line = lowest(other_rest)
                    other_rest &= other_rest - 1
                    out[n] = pack(first, second, source, other_source, five, line, other_line)
                    n += 1
    return n


@kernel
def pack(
    first: int, second: int, source: int, other_source: int, five: int, line: int, other_line: int
) -> int:
    """The number of a turn. A turn in which nothing scores is the same for lines of any length."""
    if line == NO_LINE and other_line == NO_LINE:
        five = 0
    sources = source * SOURCES + other_source
    lines = line * LINES + other_line
    return (first * FIELDS + second) * WAYS + (sources * 2 + five) * PAIRS_OF_LINES + lines


@kernel
def unpack(move: int) -> tuple[int, int, int, int, int, int, int]:
    """What `pack` was given."""
    pair, way = divmod(move, WAYS)
    sources, lines = divmod(way, 2 * PAIRS_OF_LINES)
    five, lines = divmod(lines, PAIRS_OF_LINES)
    first, second = divmod(pair, FIELDS)
    source, other_source = divmod(sources, SOURCES)
    line, other_line = divmod(lines, LINES)
    return first, second, source, other_source, five, line, other_line


@kernel
def is_five(state: State) -> int:
    """GE-P1: 1 if a line has five fields, 0 if it has four: the first index of the tables of lines."""
    return 1 if state["seats"] == 2 else 0


@kernel
def kind_of(state: State) -> int:
    """GE-P3: FOURS, FIVES, or FOUR_OF_FIVE."""
    return is_five(state) + int(state["four"])


@kernel
def leaves_five(state: State) -> int:
    """GE-P3: 1 if five tiles of a line leave, 0 if four do."""
    return 1 if kind_of(state) == FIVES else 0


@kernel
def first_sources(hand: int, tiles: int) -> int:
    """GE-T2: where the tile for board 1 may come from; bit HAND, and bit 1 + field for each tile."""
    if hand >= 2:
        return 1 << HAND
    return tiles << 1 | hand


@kernel
def second_sources(hand: int, source: int, tiles: int) -> int:
    """GE-T2: the same for board 2, when the tile for board 1 comes from a source."""
    if hand >= 2 or (hand == 1 and source != HAND):
        return 1 << HAND
    return tiles << 1


@kernel
def in_hand(state: State, seat: int) -> int:
    """GE-B1, GE-P2: what neither lies on a board nor is laid aside as a point."""
    hand = TILES
    for board in range(2):
        hand -= count_bits(int(state["tiles"][seat, board])) + int(state["points"][seat, board])
    return hand


@kernel
def after(state: State, seat: int, board: int, source: int, field: int) -> int:
    """A player's tiles on a board when one of them has come to a field."""
    tiles = int(state["tiles"][seat, board]) | 1 << field
    return tiles if source == HAND else tiles & ~(1 << source - 1)


@kernel
def without(lines: int, tiles: int, field: int, kind: int, source: int) -> int:
    """Of the lines that a tile on a field completes, those that do not need the tile that moves there."""
    if source == HAND or lines == 1 << NO_LINE:
        return lines
    return completed(tiles & ~(1 << source - 1), field, kind)


@kernel
def completed(tiles: int, field: int, kind: int) -> int:
    """GE-P1, GE-P3: what may leave when a tile has come to a field: lines as bits; NO_LINE for none."""
    lines = 0
    for line in range(1, LINES):
        for after in range(2):
            needed = int(NEEDED[kind, field, line, after])
            if needed != 0 and tiles & needed == needed:
                lines |= 1 << line
    return lines or 1 << NO_LINE


@kernel
def completing(state: State, seat: int, board: int) -> int:
    """GE-P1: the empty fields of a board on which one more tile of a seat would complete a line."""
    five = is_five(state)
    tiles = int(state["tiles"][seat, board])
    found = 0
    for index in range(LINE_COUNTS[five]):
        gaps = int(ALL_LINES[five, index]) & ~tiles
        if gaps & (gaps - 1) == 0:
            found |= gaps
    return found & ~occupied(state, board)


@kernel
def occupied(state: State, board: int) -> int:
    """The fields of a board on which a tile lies."""
    taken = 0
    for seat in range(state["seats"]):
        taken |= int(state["tiles"][seat, board])
    return taken


@kernel
def lowest(bits: int) -> int:
    """The number of the lowest bit."""
    return count_bits((bits & -bits) - 1)


@kernel
def apply(state: State, seat: int, move: int) -> None:
    if move >= SIDE_DRAWS:
        board, side = divmod(move - SIDE_DRAWS, 2)
        for color in range(6):
            state["colors"][board, color] = SIDE_COLORS[board, side, color]
    elif move >= STARTS:
        begin(state, move - STARTS)
    else:
        first, second, source, other_source, five, line, other_line = unpack(move)
        play_tile(state, seat, 0, source, first, int(LINES_THROUGH[five, first, line]))
        play_tile(state, seat, 1, other_source, second, int(LINES_THROUGH[five, second, other_line]))
        end_turn(state, seat)


@kernel
def begin(state: State, starter: int) -> None:
    """GE-B2"""
    state["starter"] = starter
    state["turn"] = starter


@kernel
def play_tile(state: State, seat: int, board: int, source: int, field: int, line: int) -> None:
    """GE-T1, GE-T2: a tile comes to a field; GE-P2: the tiles of the line leave, one of them as a point."""
    state["tiles"][seat, board] = after(state, seat, board, source, field) & ~line
    if line != 0:
        state["points"][seat, board] += 1


@kernel
def end_turn(state: State, seat: int) -> None:
    """GE-B2: clockwise, until somebody wins, the last round is over or the boards are jammed."""
    following = seat + 1 if seat + 1 < state["seats"] else 0
    if score(state, seat) >= POINTS_TO_WIN:  # GE-E1
        state["over"] = 1
        return
    if following == state["starter"]:
        if state["round"] == LAST_ROUND:  # GE-E2
            state["over"] = 1
            return
        state["round"] += 1
    state["turn"] = following
    if is_jammed(state):  # GE-E2
        state["over"] = 1


@kernel
def is_jammed(state: State) -> bool:
    """GE-T3: whether no colour has an empty field on both boards."""
    taken = occupied(state, 0)
    other_taken = occupied(state, 1)
    for color in range(6):
        if int(state["colors"][0, color]) & ~taken and int(state["colors"][1, color]) & ~other_taken:
            return False
    return True


@kernel
def score(state: State, seat: int) -> int:
    return int(state["points"][seat, 0]) + int(state["points"][seat, 1])


@kernel
def scores(state: State, out: Ints) -> None:
    for seat in range(state["seats"]):
        out[seat] = score(state, seat)


@kernel
def ranks(state: State, out: Ints) -> None:
    """GE-E2, GE-E3: most points; ties share the place."""
    for seat in range(state["seats"]):
        out[seat] = 1
        for other in range(state["seats"]):
            if score(state, other) > score(state, seat):
                out[seat] += 1


def allows(state: State, seat: int, move: int) -> bool:
    """Whether a seat may make a move; `legal` may list thousands."""
    return not why_not(state, seat, move)


def why_not(state: State, seat: int, move: int) -> str:
    """The id of the rule that forbids a move; nothing where none does."""
    if state["over"]:
        won = any(score(state, each) >= POINTS_TO_WIN for each in range(state["seats"]))
        return "GE-E1" if won else "GE-E2"
    if move >= STARTS:
        no_seat = move < SIDE_DRAWS and move - STARTS >= state["seats"]
        return "GE-B2 seats" if no_seat else "GE-B2 draws"
    if not is_begun(state):
        return "GE-B2 begins"
    if seat != state["turn"]:
        return "GE-B2"
    first, second, source, other_source, _, line, other_line = unpack(move)
    plays = ((0, source, first, line), (1, other_source, second, other_line))
    return (
        _why_not_fields(state, first, second)
        or _why_not_sources(state, seat, source, other_source)
        or _why_not_lines(state, seat, plays)
        or (
            ""
            if pack(first, second, source, other_source, leaves_five(state), line, other_line) == move
            else "GE-P3"
        )
    )


def _why_not_fields(state: State, first: int, second: int) -> str:
    """GE-T1: two empty fields of one colour; GE-T3: a colour that is full on the other board."""
    fields = (first, second)
    colors = [color_of(state, board, fields[board]) for board in BOARDS]
    if any(occupied(state, board) >> fields[board] & 1 for board in BOARDS):
        return "GE-T1"
    for board, color in zip(BOARDS, colors, strict=True):
        if not int(state["colors"][1 - board, color]) & ~occupied(state, 1 - board):
            return "GE-T3"
    return "" if colors[0] == colors[1] else "GE-T1"


def _why_not_sources(state: State, seat: int, source: int, other_source: int) -> str:
    hand, tiles = in_hand(state, seat), [int(each) for each in state["tiles"][seat]]
    possible = first_sources(hand, tiles[0]) >> source & 1
    possible &= second_sources(hand, source, tiles[1]) >> other_source
    return "" if possible else "GE-T2"


def _why_not_lines(state: State, seat: int, plays: tuple[tuple[int, int, int, int], ...]) -> str:
    """GE-P1: a complete line must score; GE-P3: one through the new tile, and of the right length."""
    right = True
    for board, source, field, line in plays:
        lines = completed(after(state, seat, board, source, field), field, kind_of(state))
        if line == NO_LINE and lines != 1 << NO_LINE:
            return "GE-P1"
        right = right and lines >> line & 1 == 1
    return "" if right else "GE-P3"
