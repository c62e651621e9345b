"""GEMINO as text: moves such as `b3 k5`, and complete positions. The README explains both."""

import re
from collections.abc import Iterable
from functools import cache

import numpy as np

from mozaika.fields import Fields, per_seat, write_fields
from mozaika.games.gemino.pieces import (
    ALL_LINES,
    BOARDS,
    FIELDS,
    HAND,
    LAST_ROUND,
    LINES,
    NO_LINE,
    NOT_DRAWN,
    POINTS_TO_WIN,
    SEATS,
    SIDE_DRAWS,
    SIDES,
    SIZE,
    STARTS,
    STATE,
    TILES,
    line_fields,
)
from mozaika.games.gemino.rules import (
    in_hand,
    is_begun,
    is_five,
    is_jammed,
    leaves_five,
    name_side,
    pack,
    read_side,
    score,
    unpack,
)
from mozaika.kernel import count_bits
from mozaika.state import State

COLUMNS = "abcdefghijkl"
"""The columns of board 1 and then of board 2, so that the name of a field tells its board."""
PHASES = ("draw", "play", "over")

_PLAY = re.compile(r"(?:([a-l][1-6])>)?([a-l][1-6])")
_LINE = re.compile(r"\+([a-l][1-6])-([a-l][1-6])")
_START = re.compile(r"start ([1-4])", re.IGNORECASE)
_SIDE = re.compile(r"board([12]) ([AB])", re.IGNORECASE)


def write_field(board: int, field: int) -> str:
    """The name of a field: the column as a letter, the row as a number from the top."""
    row, column = divmod(field, SIZE)
    return f"{COLUMNS[board * SIZE + column]}{row + 1}"


def read_field(name: str) -> tuple[int, int]:
    """The board and the field of a name."""
    board, column = divmod(COLUMNS.index(name[0]), SIZE)
    return board, (int(name[1]) - 1) * SIZE + column


@cache
def write_line(board: int, field: int, line: int, length: int) -> str:
    """A line by its ends: `b1-b4`."""
    fields = line_fields(field, line, length)
    return f"{write_field(board, fields[0])}-{write_field(board, fields[-1])}"


def write_move(move: int) -> str:
    """The text of a turn: `b3 k5`, `a1>b3 k5`, `b3 k5 +b1-b4`; for CHANCE `board1 A`, `start 2`."""
    if move >= SIDE_DRAWS:
        board, side = divmod(move - SIDE_DRAWS, 2)
        return f"board{board + 1} {list(SIDES[board])[side]}"
    if move >= STARTS:
        return f"start {move - STARTS + 1}"
    first, second, source, other_source, five, line, other_line = unpack(int(move))
    text = f"{write_play(0, first, source)} {write_play(1, second, other_source)}"
    if line != NO_LINE:
        text += f" +{write_line(0, first, line, 4 + five)}"
    if other_line != NO_LINE:
        text += f" +{write_line(1, second, other_line, 4 + five)}"
    return text


@cache
def write_play(board: int, field: int, source: int) -> str:
    came = "" if source == HAND else f"{write_field(board, source - 1)}>"
    return came + write_field(board, field)


def parse_move(text: str) -> int:
    """The move of a text; ValueError where there is none. The boards may stand in any order."""
    if found := _START.fullmatch(text):
        return STARTS + int(found[1]) - 1
    if found := _SIDE.fullmatch(text):
        return SIDE_DRAWS + 2 * (int(found[1]) - 1) + list(SIDES[0]).index(found[2].upper())
    words = text.lower().split()
    plays = dict(_read_play(word) for word in words[:2])
    lengths = {0}
    lines = {0: NO_LINE, 1: NO_LINE}
    for word in words[2:]:
        board, line, length = _read_line(word, plays)
        if lines[board] != NO_LINE:
            raise ValueError(f"{text!r} has two lines on one board.")
        lines[board] = line
        lengths.add(length)
    if len(plays) != 2 or len(lengths) > 2:
        raise ValueError(f"{text!r} is no move of GEMINO.")
    (source, first), (other_source, second) = plays[0], plays[1]
    return pack(first, second, source, other_source, int(max(lengths) == 5), lines[0], lines[1])


def _read_play(word: str) -> tuple[int, tuple[int, int]]:
    """For a board where the tile comes from and where it goes."""
    found = _PLAY.fullmatch(word)
    if not found:
        raise ValueError(f"{word!r} is no field.")
    board, field = read_field(found[2])
    if not found[1]:
        return board, (HAND, field)
    from_board, source = read_field(found[1])
    if from_board != board or source == field:
        raise ValueError(f"{word!r} is no move on one board.")
    return board, (1 + source, field)


def _read_line(word: str, plays: dict[int, tuple[int, int]]) -> tuple[int, int, int]:
    """The board, the number and the length of a line that a play completes."""
    if found := _LINE.fullmatch(word):
        (board, start), (end_board, end) = read_field(found[1]), read_field(found[2])
        for length in (4, 5):
            for line in range(1, LINES) if board == end_board and board in plays else ():
                fields = line_fields(plays[board][1], line, length)
                if fields and {fields[0], fields[-1]} == {start, end}:
                    return board, line, length
    raise ValueError(f"{word!r} is no line through the new tile.")


def write_position(state: State) -> str:
    """A position on one line, complete: the game can be resumed from it."""
    seats = int(state["seats"])
    starter, turn = int(state["starter"]), int(state["turn"])
    fields = {
        "gemino": str(seats),
        "phase": PHASES[2 if state["over"] else is_begun(state)],
        "round": str(state["round"]),
        "starter": "-" if starter == NOT_DRAWN else str(starter + 1),
        "turn": "-" if starter == NOT_DRAWN else str(turn + 1),
        "points": per_seat(" ".join(map(str, state["points"][seat])) for seat in range(seats)),
        "board1": name_side(state, 0),
        "board2": name_side(state, 1),
        "tiles1": _write_tiles(state, 0),
        "tiles2": _write_tiles(state, 1),
    }
    if state["four"]:
        fields["leave"] = "four"
    return write_fields(fields)


def _write_tiles(state: State, board: int) -> str:
    """The board row by row: the seat of each tile, or a dot."""
    fields = ["."] * FIELDS
    for seat in range(state["seats"]):
        for field in fields_in(int(state["tiles"][seat, board])):
            fields[field] = str(seat + 1)
    return "/".join("".join(fields[start : start + SIZE]) for start in range(0, FIELDS, SIZE))


def fields_in(bits: int) -> Iterable[int]:
    """The fields of a set, ascending."""
    while bits:
        yield (bits & -bits).bit_length() - 1
        bits &= bits - 1


def parse_position(text: str) -> State:
    """The state of a position's text; ValueError with a sentence where it is none or cannot be."""
    fields = Fields(text, "GEMINO", _FIELDS)
    state: State = np.zeros(1, STATE)[0]
    seats = fields.number("gemino", SEATS)
    state["seats"] = seats
    if "leave" in fields:
        fields.choice("leave", ("four",))
        if seats != 2:
            raise ValueError(
                "“leave” is for two players: among more, four tiles of a line leave anyway (GE-P3)."
            )
        state["four"] = 1
    phase = fields.choice("phase", PHASES)
    state["over"] = phase == PHASES.index("over")
    state["round"] = fields.number("round", range(1, LAST_ROUND + 1))
    state["starter"] = NOT_DRAWN
    if (fields.text("starter"), fields.text("turn")) != ("-", "-"):
        state["starter"] = fields.number("starter", range(1, seats + 1)) - 1
        state["turn"] = fields.number("turn", range(1, seats + 1)) - 1
    _read_points(state, fields)
    for board in BOARDS:
        side = fields.text(f"board{board + 1}")
        if side != "random":
            state["colors"][board] = read_side(SIDES[board].get(side, side))
        _read_tiles(state, board, fields.text(f"tiles{board + 1}"))
    if bool(is_begun(state)) != (phase != PHASES.index("draw")):
        raise ValueError(
            "In the phase draw, and only there, a side or the start player is to be drawn (GE-B2)."
        )
    _check_position(state)
    return state


_FIELDS = (
    "gemino",
    "phase",
    "round",
    "starter",
    "turn",
    "points",
    "board1",
    "board2",
    "tiles1",
    "tiles2",
    "leave",
)


def _read_points(state: State, fields: Fields) -> None:
    for seat, points in enumerate(fields.per_seat("points", int(state["seats"]))):
        found = re.fullmatch(r"([0-3]) ([0-3])", points)
        if not found:
            raise ValueError(f"“points” counts those of board 1 and of board 2, as in “1 0”, not “{points}”.")
        state["points"][seat] = int(found[1]), int(found[2])


def _read_tiles(state: State, board: int, value: str) -> None:
    rows = value.split("/")
    if len(rows) != SIZE or any(not re.fullmatch(r"[.1-4]{6}", row) for row in rows):
        raise ValueError(f"“tiles{board + 1}” is six rows of six fields, seats or dots, not “{value}”.")
    for field, letter in enumerate("".join(rows)):
        if letter != ".":
            if int(letter) > state["seats"]:
                raise ValueError(f"There is no seat {letter} at this table.")
            state["tiles"][int(letter) - 1, board] |= 1 << field


def _check_position(state: State) -> None:
    """Whether a position can be; how it came about is not asked, so that anybody can set one up."""
    for seat in range(state["seats"]):
        _check_seat(state, seat)
    if not is_begun(state):
        _check_beginning(state)
        return
    winners = [seat for seat in range(state["seats"]) if score(state, seat) >= POINTS_TO_WIN]
    if winners and not (state["over"] and winners == [state["turn"]]):
        raise ValueError("Whoever has 3 points has won at once, in a turn of their own (GE-E1).")
    if any(score(state, seat) - min(1, *map(int, state["points"][seat])) > POINTS_TO_WIN for seat in winners):
        raise ValueError(
            "Whoever won had 2 points at most before, and scores once on a board in a turn (GE-P3)."
        )
    last = (int(state["starter"]) - 1) % int(state["seats"])
    ended = is_jammed(state) or (state["round"] == LAST_ROUND and state["turn"] == last)
    if state["over"] and not winners and not ended:
        raise ValueError("The game is not over: nobody has 3 points, and there are moves left (GE-E2).")
    if is_jammed(state) and not state["over"]:
        raise ValueError("No colour has an empty field on both boards, so the game is over (GE-E2).")
    for seat in range(state["seats"]):
        _check_turns(state, seat)


def _check_beginning(state: State) -> None:
    untouched = not state["tiles"].any() and not state["points"].any() and state["round"] == 1
    if not untouched or (state["starter"] != NOT_DRAWN and state["turn"] != state["starter"]):
        raise ValueError("Sides and the start player are drawn before the first tile (GE-B2).")


def turns_of(state: State, seat: int) -> int:
    """How many turns a seat has had at most, by the round and by whose turn it is."""
    seats, starter = int(state["seats"]), int(state["starter"])
    after, now = (seat - starter) % seats, (int(state["turn"]) - starter) % seats
    had = after < now or (after == now and state["over"])  # whoever ended the game has had the turn
    return int(state["round"]) - (0 if had else 1)


def _check_turns(state: State, seat: int) -> None:
    """GE-T1: every tile on a board and every tile of its lines came there in a turn, one in each."""
    for board in BOARDS:
        came = count_bits(int(state["tiles"][seat, board]))
        came += (4 + leaves_five(state)) * int(state["points"][seat, board])
        if came > (turns := turns_of(state, seat)):
            raise ValueError(
                f"Seat {seat + 1} has had {turns} turns, too few for its {came} tiles and tiles of lines "
                f"on board {board + 1} (GE-T1)."
            )


def _check_seat(state: State, seat: int) -> None:
    hand = in_hand(state, seat)
    if hand < 0:
        raise ValueError(f"Seat {seat + 1} has more than {TILES} tiles (GE-B1).")
    for board in BOARDS:
        tiles = int(state["tiles"][seat, board])
        if any(tiles & int(line) == line for line in ALL_LINES[is_five(state)] if line):
            raise ValueError(
                f"Seat {seat + 1} has a line on board {board + 1}, which would have scored (GE-P1)."
            )
        if hand == 0 and tiles == 0:
            raise ValueError(
                f"Seat {seat + 1} has no tile in hand and none on board {board + 1}, "
                "but every turn plays on both boards (GE-T2)."
            )
