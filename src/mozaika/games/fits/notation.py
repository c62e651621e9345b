"""FITS as text: moves such as `L5 r1f >C`, and complete positions. The README explains both."""

import re
from functools import cache

from mozaika.fields import Fields, per_seat, read_number, write_fields
from mozaika.games.fits.pieces import (
    ALL_PIECES,
    BOARD_NAMES,
    CARD,
    CARDS,
    CODES,
    COLUMNS,
    DEAL,
    DECLINE,
    FIRST_WAY,
    LETTERS,
    NAMES,
    ORDER,
    ORDERS,
    OVER,
    PAIR_POINTS,
    PHASES,
    PLACE,
    PLAIN,
    ROWS,
    SEATS,
    SHAPE,
    SOURCES,
    SQUARES,
    START_PIECES,
    STARTS,
    SYMBOLS,
    TALLEST,
    WAY_OF,
    WAYS,
    WIDTH,
    ZERO,
    FitsOptions,
)
from mozaika.games.fits.rules import landing, new, place, score_ramp, write_board
from mozaika.state import State

HIGHEST = ROWS + TALLEST - 1
"""Pieces reach up to this row."""
_PIECE = "|".join(NAMES)
_PLACE = re.compile(rf"({_PIECE})(?: ?r([0-3])(f)?)? ?> ?([{LETTERS}])", re.IGNORECASE)
_CARD = re.compile(rf"(card|start) ({_PIECE})", re.IGNORECASE)
_BOARD = re.compile(rf"board ([{BOARD_NAMES}])", re.IGNORECASE)


def write_move(move: int) -> str:
    """The text of a move: `L5 r1f >C`, `aside`; for CHANCE `card L5`, `start T5`, `board 3`."""
    if move >= ORDERS:
        return f"board {BOARD_NAMES[move - ORDERS]}"
    if move >= STARTS:
        return f"start {NAMES[move - STARTS]}"
    if move >= CARDS:
        return f"card {NAMES[move - CARDS]}"
    if move == DECLINE:
        return "aside"
    way, column = divmod(move, COLUMNS)
    return f"{NAMES[WAYS[way][0]]} {write_manner(way)} >{LETTERS[column]}"


def write_manner(way: int) -> str:
    """How a piece lies: quarter turns clockwise, and f if it was flipped before."""
    _, turns, flipped, _ = WAYS[way]
    return f"r{turns}{'f' if flipped else ''}"


def parse_move(text: str) -> int:
    """The move of a text; ValueError where there is none."""
    if found := _PLACE.fullmatch(text):
        name, turns, flipped, column = found.groups()
        way = WAY_OF[NAMES.index(name.upper()), int(turns or 0), bool(flipped)]
        return way * COLUMNS + LETTERS.index(column.upper())
    if found := _CARD.fullmatch(text):
        first = CARDS if found[1].lower() == "card" else STARTS
        return first + NAMES.index(found[2].upper())
    if found := _BOARD.fullmatch(text):
        return ORDERS + BOARD_NAMES.index(found[1].upper())
    if text.lower() == "aside":
        return DECLINE
    raise ValueError(f"{text!r} is no move of FITS.")


def write_position(state: State) -> str:
    """A position on one line, complete: the game can be resumed from it."""
    seats, phase = int(state["seats"]), int(state["phase"])
    ramps = range(seats)
    fields = {
        "fits": str(seats),
        "boards": _write_boards(state),
        "round": str(state["round"]),
        "phase": PHASES[phase],
        "starts": per_seat(
            NAMES[state["start"][seat] - 1] if state["start"][seat] else "-" for seat in ramps
        ),
        "card": NAMES[state["card"] - 1] if state["card"] else "-",
        "cards": write_pieces(int(state["left"])),
        "ramps": per_seat(" ".join(write_ramp(state, seat)) or "-" for seat in ramps),
        "aside": per_seat(write_pieces(int(state["aside"][seat])) for seat in ramps),
        "points": per_seat(_write_points(state, seat) for seat in ramps),
    }
    own = [place for place in range(state["rounds"]) if state["boards"][place] > 4]
    if own:
        own.sort(key=lambda place: int(state["boards"][place]))
        fields["own"] = "//".join(write_board(state, place) for place in own)
    return write_fields(fields)


def _write_boards(state: State) -> str:
    names = "".join(BOARD_NAMES[number - 1] for number in state["boards"][: state["rounds"]])
    ordered = int(state["ordered"])
    return f"{names[:ordered]}?{names[ordered:]}" if state["phase"] == ORDER else names


def write_pieces(mask: int) -> str:
    return "".join(code for piece, code in enumerate(CODES) if mask >> piece & 1) or "-"


def write_ramp(state: State, seat: int) -> list[str]:
    """The rows of a ramp from the highest that holds a piece down to the first; a dot is an open square."""
    squares = squares_of(state, seat)
    highest = int(state["heights"][seat].max())
    return [
        "".join(
            CODES[squares[row][column]] if squares[row][column] >= 0 else "." for column in range(COLUMNS)
        )
        for row in reversed(range(highest))
    ]


def squares_of(state: State, seat: int) -> list[list[int]]:
    """The piece on each square of a ramp, row by row from the bottom; -1 where there is none."""
    squares = [[-1] * COLUMNS for _ in range(HIGHEST)]
    for piece, laid in enumerate(state["laid"][seat].tolist()):
        if laid:
            move, row = divmod(laid - 1, 16)
            way, column = divmod(move, COLUMNS)
            for step, up in _covers(way):
                squares[row + up][column + step] = piece
    return squares


@cache
def _covers(way: int) -> list[tuple[int, int]]:
    """The squares of a piece that lies some way: columns to the right and rows up."""
    columns = range(int(WIDTH[way]))
    return [(step, up) for step in columns for up in range(TALLEST) if SHAPE[way, step] >> up & 1]


def _write_points(state: State, seat: int) -> str:
    played = state["tally"][seat][: rounds_scored(state)].tolist()
    return " ".join(",".join(map(str, sources)) for sources in played) or "-"


def rounds_scored(state: State) -> int:
    """How many rounds have their points: that of a round is noted when its last card is done."""
    ended = state["phase"] == OVER or (state["phase"] == DEAL and not _is_dealing(state))
    return int(state["round"]) - (0 if ended or state["round"] == 0 else 1)


def _is_dealing(state: State) -> bool:
    """Whether some, but not all, start cards of a round are dealt."""
    return bool(state["start"][0] and not state["start"][state["seats"] - 1])


def parse_position(text: str) -> State:
    """The state of a position's text; ValueError with a sentence where it is none or cannot be."""
    fields = Fields(text, "FITS", _FIELDS)
    seats = fields.number("fits", SEATS)
    state = _read_boards(seats, fields)
    state["phase"] = fields.choice("phase", PHASES)
    if ("?" in fields.text("boards")) != (state["phase"] == ORDER):
        raise ValueError("A ? among the boards belongs to the phase order, and to no other (FI-V1).")
    state["round"] = fields.number("round", range(state["rounds"] + 1))
    for seat, value in enumerate(fields.per_seat("starts", seats)):
        state["start"][seat] = _read_piece("starts", value)
    state["card"] = _read_piece("card", fields.text("card"))
    state["left"] = _read_pieces("cards", fields.text("cards"))
    for seat, value in enumerate(fields.per_seat("aside", seats)):
        state["aside"][seat] = _read_pieces("aside", value)
    for seat, value in enumerate(fields.per_seat("ramps", seats)):
        _read_ramp(state, seat, value)
    _check_cards(state)
    for seat, value in enumerate(fields.per_seat("points", seats)):
        _read_points(state, seat, value)
    return state


_FIELDS = ("fits", "boards", "round", "phase", "starts", "card", "cards", "ramps", "aside", "points", "own")


def _read_boards(seats: int, fields: Fields) -> State:
    """The state before the first card, with these boards."""
    names = fields.text("boards").upper()
    ordered, question, rest = names.partition("?")
    own = fields.text("own") if "own" in fields else ""
    if own and re.search(r"\s", own):
        raise ValueError("“own” is one text without blanks, with / between rows and // between boards.")
    state = new(seats, FitsOptions(boards=ordered + rest, own=own))
    if question:
        if len(rest) < 2 or list(rest) != sorted(rest, key=BOARD_NAMES.index):
            raise ValueError("Behind the ? stand two or more boards, ours first, in their order (FI-V1).")
        state["ordered"] = len(ordered)
    return state


def _read_piece(key: str, value: str) -> int:
    if value == "-":
        return 0
    if value not in NAMES:
        raise ValueError(f"“{key}” names pieces ({', '.join(NAMES)}) or -, not “{value}”.")
    return NAMES.index(value) + 1


def _read_pieces(key: str, value: str) -> int:
    mask = 0
    for code in "" if value == "-" else value:
        if code not in CODES or mask >> CODES.index(code) & 1:
            raise ValueError(f"“{key}” has letters of {CODES}, each once, or -, not “{value}”.")
        mask |= 1 << CODES.index(code)
    return mask


def _read_ramp(state: State, seat: int, value: str) -> None:
    """Lay the pieces of a drawn ramp one after the other, as they may have come."""
    rows = [] if value == "-" else value.split()
    if len(rows) > HIGHEST or any(not re.fullmatch(rf"[.{CODES}]{{{COLUMNS}}}", row) for row in rows):
        raise ValueError(f"A ramp is at most {HIGHEST} rows of 6 squares ({CODES} or .), not “{value}”.")
    if rows and set(rows[0]) == {"."}:
        raise ValueError(f"The rows of a ramp begin with the highest piece, not with “{rows[0]}”.")
    drawn = [[CODES.find(code) for code in row] for row in reversed(rows)]
    waiting: dict[int, list[tuple[int, int]]] = {}
    for row, line in enumerate(drawn):
        for column, piece in enumerate(line):
            if piece >= 0:
                waiting.setdefault(piece, []).append((row, column))
    below = {
        piece: {drawn[under][column] for row, column in squares for under in range(row)} - {piece}
        for piece, squares in waiting.items()
    }
    while waiting:
        free = [piece for piece in sorted(waiting) if below[piece].isdisjoint(waiting)]
        laid = [piece for piece in free if _lay(state, seat, piece, waiting[piece])]
        for piece in laid:
            del waiting[piece]
        if not laid:
            name = NAMES[min(waiting)]
            raise ValueError(f"{name} cannot have slid to its place on the ramp of seat {seat + 1} (FI-P1).")


def _lay(state: State, seat: int, piece: int, squares: list[tuple[int, int]]) -> bool:
    """Lay a piece where it is drawn, if it comes to rest just there."""
    low, left = squares[0][0], min(column for _, column in squares)
    drawn = {(column - left, row - low) for row, column in squares}
    for way in range(int(FIRST_WAY[piece]), int(FIRST_WAY[piece + 1])):
        if drawn == set(_covers(way)) and landing(state, seat, way, left) == low < ROWS:
            place(state, seat, way, left)
            return True
    return False


def _check_cards(state: State) -> None:
    """FI-R2 to FI-R5: which pieces each player must have had, by the phase and the cards."""
    phase, seats = int(state["phase"]), int(state["seats"])
    starts = [int(state["start"][seat]) for seat in range(seats)]
    given = [piece for piece in starts if piece]
    if len(set(given)) < len(given) or any(piece - 1 not in START_PIECES for piece in given):
        some = ", ".join(NAMES[piece] for piece in START_PIECES)
        raise ValueError(f"Start cards are {some}, each for one player at most (FI-R2).")
    if starts[: len(given)] != given:
        raise ValueError("Start cards are dealt from the first seat on (FI-R2).")
    ended = phase in (DEAL, OVER) and len(given) == seats
    if phase in (CARD, PLACE, OVER) and len(given) < seats:
        raise ValueError("Every seat has a start card in this phase (FI-R2).")
    if phase == ORDER and (given or state["round"]):
        raise ValueError("The order of the boards is drawn before the first round (FI-V1).")
    if (state["round"] == 0) != (not given):
        raise ValueError("Round 0 is before the first start card (FI-R2).")
    if phase == OVER and state["round"] != state["rounds"]:
        raise ValueError("The game is over after the last round (FI-E1).")
    if ended and phase == DEAL and state["round"] == state["rounds"]:
        raise ValueError("After the last round the game is over (FI-E1).")
    _check_deck(state, ended=ended)
    _check_pieces(state, ended=ended)


def _check_deck(state: State, *, ended: bool) -> None:
    phase, card, left = int(state["phase"]), int(state["card"]), int(state["left"])
    if card and (phase != PLACE or left >> card - 1 & 1):
        raise ValueError("A card lies open while it is played, and is then no longer to come (FI-R3).")
    if phase == CARD and not left:
        raise ValueError("After the last card the round is over (FI-R3).")
    if phase == PLACE and not card and left != ALL_PIECES:
        raise ValueError("Start pieces are placed before the first card is turned (FI-R2).")
    if phase in (ORDER, DEAL, OVER) and left:
        raise ValueError("Cards are to come only while a round is played (FI-R3).")
    if not ended and phase == DEAL and (state["aside"].any() or state["laid"].any()):
        raise ValueError("Before a round the ramps are empty and nothing is set aside (FI-R1).")


def _check_pieces(state: State, *, ended: bool) -> None:
    phase, card = int(state["phase"]), int(state["card"])
    turned = ALL_PIECES & ~int(state["left"]) if ended or phase in (CARD, PLACE) else 0
    waiting = 0
    for seat in range(state["seats"]):
        start = int(state["start"][seat])
        laid = sum(1 << piece for piece, where in enumerate(state["laid"][seat].tolist()) if where)
        aside = int(state["aside"][seat])
        had = turned | (1 << start - 1 if start and (ended or phase in (CARD, PLACE)) else 0)
        mine = card or start
        pending = phase == PLACE and not (card and card == start) and not (laid | aside) >> mine - 1 & 1
        if pending:
            had &= ~(1 << mine - 1)
            waiting |= 1 << seat
        if laid & aside:
            both = NAMES[(laid & aside).bit_length() - 1]
            raise ValueError(f"{both} of seat {seat + 1} is on the ramp and set aside (FI-R5).")
        if laid | aside != had:
            wrong = NAMES[((laid | aside) ^ had).bit_length() - 1]
            where = "has not been turned" if (laid | aside) & ~had else "is neither on the ramp nor set aside"
            raise ValueError(f"{wrong} of seat {seat + 1} {where} (FI-R3).")
        _check_first(state, seat, start)
    if phase == PLACE and not waiting:
        raise ValueError("Somebody must still have a piece to place (FI-R3).")
    state["pending"] = waiting


def _check_first(state: State, seat: int, start: int) -> None:
    """FI-R2: the start piece came first, so it lies on the bottom edge and on nothing else."""
    if not start or not state["laid"][seat, start - 1]:
        return
    move, row = divmod(int(state["laid"][seat, start - 1]) - 1, 16)
    way, column = divmod(move, COLUMNS)
    squares = squares_of(state, seat)
    for step in range(int(WIDTH[way])):
        lowest = next(up for up in range(TALLEST) if SHAPE[way, step] >> up & 1)
        below = {squares[under][column + step] for under in range(row + lowest)}
        if row or below - {-1}:
            raise ValueError(
                f"{NAMES[start - 1]} of seat {seat + 1} was placed first, so nothing is below it (FI-R2)."
            )


def _check_points(state: State, seat: int, at: int) -> None:
    """FI-S1 to FI-S5: no more and no less than the board of a round can bring."""
    fields = [int(field) for field in state["fields"][at]]
    squares, rows, values, pairs = (int(number) for number in state["tally"][seat, at])
    plain = fields.count(PLAIN)
    sums = {0}
    for field in fields:
        if PLAIN < field < SYMBOLS:
            sums |= {total + field - ZERO for total in sums}
    most = PAIR_POINTS * sum(field >= SYMBOLS for field in fields) // 2
    name = BOARD_NAMES[state["boards"][at] - 1]
    whose = f"seat {seat + 1} in round {at + 1} on board {name}"
    if not -plain <= squares <= 0:
        raise ValueError(f"Uncovered squares bring {whose} 0 to −{plain} points, not {squares} (FI-S1).")
    if not 0 <= rows <= ROWS * state["rows_score"][at]:
        raise ValueError(f"Full rows cannot bring {whose} {rows} points (FI-S2).")
    if state["rows_score"][at] and not ROWS - rows - (SQUARES - plain) <= -squares <= COLUMNS * (ROWS - rows):
        raise ValueError(f"The uncovered squares and the full rows of {whose} contradict each other (FI-S2).")
    if values not in sums:
        raise ValueError(f"The fields with values cannot bring {whose} {values} points (FI-S3).")
    if not -most <= pairs <= most or pairs % PAIR_POINTS:
        raise ValueError(f"Pairs of symbols cannot bring {whose} {pairs} points (FI-S5).")


def _read_points(state: State, seat: int, value: str) -> None:
    rounds = [] if value == "-" else value.split()
    if len(rounds) != rounds_scored(state):
        raise ValueError(
            f"“points” has {rounds_scored(state)} rounds for seat {seat + 1}, not {len(rounds)}."
        )
    for at, sources in enumerate(rounds):
        numbers = sources.split(",")
        if len(numbers) != SOURCES:
            raise ValueError(f"The points of a round come from {SOURCES} sources, not “{sources}”.")
        for source, number in enumerate(numbers):
            state["tally"][seat, at, source] = read_number("points", number, range(-648, 649))
        _check_points(state, seat, at)
    if rounds and rounds_scored(state) == state["round"]:
        noted = state["tally"][seat].copy()
        score_ramp(state, seat)
        if (noted != state["tally"][seat]).any():
            made = ",".join(map(str, state["tally"][seat, len(rounds) - 1].tolist()))
            raise ValueError(f"The ramp of seat {seat + 1} brings {made}, not {rounds[-1]} (FI-S7).")
