"""The rules of FITS, each decided where its id stands. No dice here: CHANCE deals and turns the cards."""

import re
from collections.abc import Sequence

import numpy as np

from mozaika.games.fits.pieces import (
    ALL_PIECES,
    BOARD_NAMES,
    BOTTOM,
    BY_FIELDS,
    BY_PAIRS,
    BY_ROWS,
    BY_SQUARES,
    CARD,
    CARDS,
    COLUMNS,
    DEAL,
    DECLINE,
    FIRST_WAY,
    LETTERS,
    MOST_ROUNDS,
    NAMES,
    ORDER,
    ORDERS,
    OUR_BOARDS,
    OVER,
    PAIR_POINTS,
    PIECE_OF,
    PLACE,
    PLAIN,
    ROW_POINTS,
    ROWS,
    SHAPE,
    SOURCES,
    SQUARE_POINTS,
    SQUARES,
    START_PIECES,
    STARTS,
    STATE,
    SYMBOLS,
    TOP,
    WIDTH,
    ZERO,
    FitsOptions,
)
from mozaika.kernel import count_bits, kernel
from mozaika.options import BadOption
from mozaika.state import CHANCE, Ints, State
from mozaika.words import later

STARTERS = sum(1 << piece for piece in START_PIECES)
_FIELD = re.compile(r"-[1-9]|[.0-9a-z]|[^ ]")


def new(seats: int, options: FitsOptions) -> State:
    """A game before anything is drawn."""
    state: State = np.zeros(1, STATE)[0]
    state["seats"] = seats
    own = read_boards(options.own)
    names = _check_names(options.boards, len(own))
    if options.order == "random":
        names = "".join(sorted(names, key=BOARD_NAMES.index))
    state["rounds"] = len(names)
    for place, name in enumerate(names):
        number = BOARD_NAMES.index(name)
        rows_score, fields = OURS[number] if number < len(OURS) else own[number - len(OURS)]
        state["boards"][place] = number + 1
        state["rows_score"][place] = rows_score
        state["fields"][place] = fields
    random = options.order == "random" and len(names) > 1
    state["phase"] = ORDER if random else DEAL
    return state


def _check_names(names: str, own: int) -> str:
    """FI-V1: boards may be left out and stand in any order; all of a player's own are played."""
    names = names.upper()
    known = BOARD_NAMES[: len(OURS) + own]
    if not names:
        raise BadOption(later("Name at least one board: ours are 1, 2, 3 and 4."))
    for name in names:
        if name not in BOARD_NAMES:
            raise BadOption(later("There is no board “{name}”; ours are 1 to 4, your own A to D."), name=name)
        if name not in known:
            raise BadOption(later("Board {name} is not drawn; draw it as one of your own boards."), name=name)
        if names.count(name) > 1:
            raise BadOption(later("Board {name} is named twice."), name=name)
    if missing := [name for name in known[len(OURS) :] if name not in names]:
        raise BadOption(
            later("Your own board {name} is drawn but not played; name it among the boards."), name=missing[0]
        )
    if len(names) > MOST_ROUNDS:
        raise BadOption(later("There are at most {most} rounds, not {n}."), most=MOST_ROUNDS, n=len(names))
    return names


Board = tuple[bool, list[int]]
"""Whether full rows score, and the fields row by row from the bottom."""


def read_boards(text: str) -> list[Board]:
    """FI-B2: boards drawn in letters, with an empty row between them."""
    drawn = text.split("//") if text else []
    if len(drawn) > MOST_ROUNDS:
        raise BadOption(later("There are at most {most} rounds, not {n}."), most=MOST_ROUNDS, n=len(drawn))
    return [_read_board(name, board.split("/")) for name, board in zip("ABCD", drawn, strict=False)]


def _read_board(name: str, rows: list[str]) -> Board:
    rows_score = rows[0].lower() == "rows"
    rows = rows[1:] if rows_score else rows
    if len(rows) != ROWS:
        raise BadOption(
            later("Board {name} has {n} instead of 12 rows; an empty row stands between two boards."),
            name=name,
            n=len(rows),
        )
    fields: list[int] = []
    for number, row in enumerate(rows, 1):
        squares = _FIELD.findall(row)
        if len(squares) != COLUMNS:
            raise BadOption(
                later("Board {name}, row {row} from the top: it has {n} instead of 6 squares."),
                name=name,
                row=number,
                n=len(squares),
            )
        for column, square in zip(LETTERS, squares, strict=True):
            if not re.fullmatch(r"-[1-9]|[.0-9a-z]", square):
                raise BadOption(
                    later(
                        "Board {name}, row {row} from the top, column {column}: “{square}” is no field; "
                        "there are . for a plain square, values from -9 to 9, and letters a to z."
                    ),
                    name=name,
                    row=number,
                    column=column,
                    square=square,
                )
        fields = [*map(read_field, squares), *fields]
    for symbol in range(26):
        places = [place for place, field in enumerate(fields) if field == SYMBOLS + symbol]
        if len(places) not in (0, 2):  # FI-B2: each letter twice or not at all
            up, across = divmod(places[0], COLUMNS)
            raise BadOption(
                later(
                    "Board {name}, row {row} from the top, column {column}: symbols come in pairs, "
                    "but the number of “{square}” is {n}."
                ),
                name=name,
                row=ROWS - up,
                column=LETTERS[across],
                n=len(places),
                square=write_field(SYMBOLS + symbol),
            )
    return rows_score, fields


def read_field(text: str) -> int:
    """A field of its text: `.`, `3`, `-5`, `a`."""
    if text == ".":
        return PLAIN
    return SYMBOLS + ord(text) - ord("a") if text.isalpha() else ZERO + int(text)


def write_field(field: int) -> str:
    if field == PLAIN:
        return "."
    return chr(ord("a") + field - SYMBOLS) if field >= SYMBOLS else str(field - ZERO)


OURS = [_read_board(name, list(rows)) for name, rows in zip("1234", OUR_BOARDS, strict=True)]


def write_board(state: State, place: int) -> str:
    """A board as a player would draw it, its rows from top to bottom with / between them."""
    fields = state["fields"][place].reshape(ROWS, COLUMNS)[::-1].tolist()
    rows = ["".join(map(write_field, row)) for row in fields]
    return "/".join(["rows", *rows] if state["rows_score"][place] else rows)


def options_of(state: State) -> dict[str, str]:
    """A random order that has been drawn is as good as a given one."""
    places = range(state["rounds"])
    names = "".join(BOARD_NAMES[state["boards"][place] - 1] for place in places)
    own = sorted(place for place in places if state["boards"][place] > len(OURS))
    own.sort(key=lambda place: int(state["boards"][place]))
    order = "random" if state["phase"] == ORDER else "given"
    return {"boards": names, "order": order, "own": "//".join(write_board(state, place) for place in own)}


@kernel
def movers(state: State) -> int:
    """FI-R3: everybody who has not placed, at the same time."""
    phase = state["phase"]
    if phase == PLACE:
        return int(state["pending"])
    if phase == OVER:
        return 0
    return 1 << CHANCE


@kernel
def legal(state: State, seat: int, out: Ints) -> int:
    phase = state["phase"]
    if seat == CHANCE:
        return _legal_draws(state, out)
    if phase != PLACE or seat >= state["seats"] or int(state["pending"]) >> seat & 1 == 0:
        return 0
    piece = piece_of(state, seat)
    n = 0
    for way in range(FIRST_WAY[piece], FIRST_WAY[piece + 1]):
        for column in range(COLUMNS + 1 - WIDTH[way]):  # FI-P2: nothing sticks out left or right
            if landing(state, seat, way, column) < ROWS:  # FI-P3: it covers something
                out[n] = way * COLUMNS + column
                n += 1
    out[n] = DECLINE  # FI-R5
    return n + 1


@kernel
def _legal_draws(state: State, out: Ints) -> int:
    phase = state["phase"]
    n = 0
    if phase == ORDER:
        for place in range(state["ordered"], state["rounds"]):
            out[n] = ORDERS + int(state["boards"][place]) - 1
            n += 1
    elif phase == DEAL:
        free = STARTERS & ~dealt(state)
        for piece in range(len(NAMES)):
            if free >> piece & 1:
                out[n] = STARTS + piece
                n += 1
    elif phase == CARD:
        for piece in range(len(NAMES)):
            if state["left"] >> piece & 1:
                out[n] = CARDS + piece
                n += 1
    return n


@kernel
def dealt(state: State) -> int:
    """Bit mask of the start cards that lie before the players in this round; none when it is over."""
    mask = 0
    if state["start"][state["seats"] - 1] == 0:  # else all lie there since the round that has ended
        for seat in range(state["seats"]):
            if state["start"][seat] > 0:
                mask |= 1 << int(state["start"][seat]) - 1
    return mask


@kernel
def piece_of(state: State, seat: int) -> int:
    """The piece that a seat has to place: of the card, or of its start card."""
    card = int(state["card"])
    return (card if card > 0 else int(state["start"][seat])) - 1


@kernel
def landing(state: State, seat: int, way: int, column: int) -> int:
    """FI-P1: straight down until it rests on the bottom edge or on a piece; the row of its lowest square."""
    row = 0
    for step in range(WIDTH[way]):
        rest = int(state["heights"][seat, column + step]) - int(BOTTOM[way, step])
        row = max(row, rest)
    return row


@kernel
def weigh(state: State, out: Ints) -> int:
    """Every card and every order is as likely."""
    n = _legal_draws(state, out)
    for index in range(n):
        out[index] = 1
    return n


@kernel
def apply(state: State, seat: int, move: int) -> None:
    if move < DECLINE:
        way = move // COLUMNS
        place(state, seat, way, move - way * COLUMNS)
        done(state, seat)
    elif move == DECLINE:  # FI-R5
        state["aside"][seat] |= 1 << piece_of(state, seat)
        done(state, seat)
    elif move < STARTS:
        turn_card(state, move - CARDS)
    elif move < ORDERS:
        deal(state, move - STARTS)
    else:
        put_board(state, move - ORDERS + 1)


@kernel
def place(state: State, seat: int, way: int, column: int) -> None:
    """FI-P1, FI-P2: a piece comes to rest; what is above row 12 covers nothing, but stops other pieces."""
    row = landing(state, seat, way, column)
    for step in range(WIDTH[way]):
        state["columns"][seat, column + step] |= int(SHAPE[way, step]) << row
        state["heights"][seat, column + step] = row + int(TOP[way, step])
    state["laid"][seat, PIECE_OF[way]] = 1 + 16 * (way * COLUMNS + column) + row


@kernel
def done(state: State, seat: int) -> None:
    """FI-R3: the next card is turned when everybody has placed or set aside."""
    state["pending"] &= ~(1 << seat)
    if state["pending"] == 0:
        finish_card(state)


@kernel
def finish_card(state: State) -> None:
    state["card"] = 0
    state["phase"] = CARD
    if state["left"] == 0:  # FI-R3: after the 16th card
        end_round(state)


@kernel
def turn_card(state: State, piece: int) -> None:
    """FI-R3; FI-R4: who had this piece at the start skips it, and a card for nobody is passed over."""
    state["left"] &= ~(1 << piece)
    pending = 0
    for seat in range(state["seats"]):
        if state["start"][seat] != piece + 1:
            pending |= 1 << seat
    if pending == 0:
        finish_card(state)
        return
    state["card"] = piece + 1
    state["pending"] = pending
    state["phase"] = PLACE


@kernel
def deal(state: State, piece: int) -> None:
    """FI-R2: each player gets another start card; FI-R1: with the first one a new round begins."""
    seats = int(state["seats"])
    if state["start"][seats - 1] > 0 or state["start"][0] == 0:
        clear_ramps(state)
        state["round"] += 1
    seat = 0
    while state["start"][seat] > 0:
        seat += 1
    state["start"][seat] = piece + 1
    if seat + 1 == seats:
        state["left"] = ALL_PIECES
        state["pending"] = (1 << seats) - 1
        state["phase"] = PLACE


@kernel
def clear_ramps(state: State) -> None:
    """FI-R1: the next board lies empty, and all pieces are back in hand."""
    for seat in range(state["seats"]):
        state["start"][seat] = 0
        state["aside"][seat] = 0
        for column in range(COLUMNS):
            state["columns"][seat, column] = 0
            state["heights"][seat, column] = 0
        for piece in range(len(NAMES)):
            state["laid"][seat, piece] = 0


@kernel
def end_round(state: State) -> None:
    """FI-S6: points are noted, also negative ones; the ramps stay as they are until the next round begins."""
    for seat in range(state["seats"]):
        score_ramp(state, seat)
    state["phase"] = OVER if state["round"] == state["rounds"] else DEAL  # FI-E1


@kernel
def score_ramp(state: State, seat: int) -> None:
    """FI-S7: what scores belongs to the board on the ramp, not to the number of the round."""
    at = int(state["round"]) - 1
    squares = 0
    values = 0
    seen = 0
    twice = 0
    for column in range(COLUMNS):
        covered = int(state["columns"][seat, column])
        for row in range(ROWS):
            if covered >> row & 1 == 0:
                field = int(state["fields"][at, row * COLUMNS + column])
                if field == PLAIN:  # FI-S1
                    squares += 1
                elif field < SYMBOLS:  # FI-S3, FI-S4
                    values += field - ZERO
                else:  # FI-S5
                    symbol = 1 << field - SYMBOLS
                    twice |= seen & symbol
                    seen |= symbol
    pairs = count_bits(twice)
    singles = count_bits(seen) - pairs
    state["tally"][seat, at, BY_SQUARES] = SQUARE_POINTS * squares
    state["tally"][seat, at, BY_ROWS] = ROW_POINTS * full_rows(state, seat) * int(state["rows_score"][at])
    state["tally"][seat, at, BY_FIELDS] = values
    state["tally"][seat, at, BY_PAIRS] = PAIR_POINTS * (pairs - singles)


@kernel
def full_rows(state: State, seat: int) -> int:
    """FI-S2: how many rows are completely covered."""
    common = (1 << ROWS) - 1
    for column in range(COLUMNS):
        common &= int(state["columns"][seat, column])
    return count_bits(common)


@kernel
def put_board(state: State, name: int) -> None:
    """FI-V1: the next board of a random order; the others keep theirs, and the last has no choice."""
    to = int(state["ordered"])
    at = to
    while state["boards"][at] != name:
        at += 1
    while at > to:
        swap_boards(state, at, at - 1)
        at -= 1
    state["ordered"] += 1
    if state["ordered"] == state["rounds"] - 1:
        state["ordered"] = 0
        state["phase"] = DEAL


@kernel
def swap_boards(state: State, one: int, other: int) -> None:
    name = int(state["boards"][one])
    state["boards"][one] = state["boards"][other]
    state["boards"][other] = name
    rows_score = int(state["rows_score"][one])
    state["rows_score"][one] = state["rows_score"][other]
    state["rows_score"][other] = rows_score
    for square in range(SQUARES):
        field = int(state["fields"][one, square])
        state["fields"][one, square] = state["fields"][other, square]
        state["fields"][other, square] = field


@kernel
def total(state: State, seat: int) -> int:
    """FI-S6: the rounds are added up."""
    points = 0
    for at in range(state["rounds"]):
        for source in range(SOURCES):
            points += int(state["tally"][seat, at, source])
    return points


@kernel
def scores(state: State, out: Ints) -> None:
    for seat in range(state["seats"]):
        out[seat] = total(state, seat)


@kernel
def ranks(state: State, out: Ints) -> None:
    """FI-E1: the highest total wins; who has as much shares the place."""
    for seat in range(state["seats"]):
        out[seat] = 1
        for other in range(state["seats"]):
            if total(state, other) > total(state, seat):
                out[seat] += 1


def has_title(state: State) -> bool:
    """FI-E2: the solo table is for four rounds on our boards 1 to 4."""
    return bool(state["seats"] == 1) and sorted(state["boards"].tolist()) == [1, 2, 3, 4]


def closed_squares(state: State, seat: int, way: int, column: int) -> list[tuple[int, int]]:
    """FI-P1: the squares (column, row) that a piece would close: uncovered, and no longer open from above."""
    return closed_under(state["heights"][seat].tolist(), way, column, landing(state, seat, way, column))


_STEPS = tuple(
    tuple((int(BOTTOM[way, step]), int(TOP[way, step]), int(SHAPE[way, step])) for step in range(WIDTH[way]))
    for way in range(len(WIDTH))
)
"""Of each way a piece can lie, column by column: where it begins, where it ends, and its squares as bits."""


def rest_on(heights: Sequence[int], way: int, column: int) -> int:
    """FI-P1: `landing` on a ramp whose columns are so high."""
    return max(0, *(heights[at] - bottom for at, (bottom, _, _) in enumerate(_STEPS[way], column)))


def closed_under(heights: Sequence[int], way: int, column: int, low: int) -> list[tuple[int, int]]:
    """The same for a piece that lands on a row of a ramp whose columns are so high."""
    return [
        (at, row)
        for at, (_, top, shape) in enumerate(_STEPS[way], column)
        for row in range(heights[at], min(ROWS, low + top))
        if row < low or not shape >> row - low & 1
    ]


def why_not(state: State, seat: int, move: int) -> str:
    """The id of the rule that forbids a move."""
    phase = state["phase"]
    if phase == OVER:
        return "FI-E1"
    if move >= ORDERS or phase == ORDER:
        return "FI-V1"
    if move >= CARDS:
        return _why_not_draw(state, move)
    if phase == DEAL:
        return "FI-R2 first"
    if not 0 <= seat < state["seats"]:
        return "FI-R3 players"
    if phase == CARD:
        return "FI-R3 next"
    if not int(state["pending"]) >> seat & 1:
        skipped = state["card"] > 0 and state["card"] == state["start"][seat]
        return "FI-R4" if skipped else "FI-R3"
    way, column = divmod(move, COLUMNS)
    if PIECE_OF[way] != piece_of(state, seat):
        return "FI-R1"
    return "FI-P2" if column + WIDTH[way] > COLUMNS else "FI-P3"


def _why_not_draw(state: State, move: int) -> str:
    phase = state["phase"]
    if move >= STARTS:
        return "FI-R2 taken" if phase == DEAL else "FI-R2"
    if phase == DEAL:
        return "FI-R2 first"
    if phase == CARD:
        return "FI-R3 turned"
    return "FI-R3 waits" if state["card"] else "FI-R3 start"
