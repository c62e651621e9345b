"""Azul as text: moves such as `F3 blue >4`, and complete positions. The README explains both."""

import re
from collections.abc import Iterable, Iterator

import numpy as np

from mozaika.fields import Fields, per_seat, read_counts, read_number, read_tiles, write_fields
from mozaika.games.azul.pieces import (
    CENTRE,
    CHOOSE,
    COLORS,
    DEAL,
    DRAWS,
    FACTORIES,
    FLOOR,
    LAST_ROUND,
    LETTERS,
    LINES,
    MARKER,
    ON_CENTRE,
    PENALTIES,
    PHASES,
    PLACES,
    SEATS,
    STARTS,
    STATE,
    TARGETS,
    TILES_PER_COLOR,
    TILES_PER_FACTORY,
    TILING,
)
from mozaika.games.azul.possible import check_position
from mozaika.games.azul.rules import free_columns, printed_column
from mozaika.state import State

_COLOR = "|".join(COLORS)
_TAKE = re.compile(rf"(?:F([1-9])|(centre)) ?({_COLOR}) ?> ?(?:([1-5])|floor)", re.IGNORECASE)
_PLACE = re.compile(r"line ?([1-5]) ?> ?c([1-5])", re.IGNORECASE)
_START = re.compile(r"start ([1-4])", re.IGNORECASE)


def write_move(move: int) -> str:
    """The text of a move: `F3 blue >4`, `centre red >floor`, `line 4 >c2`; for CHANCE `blue`, `start 2`."""
    if move >= STARTS:
        return f"start {move - STARTS + 1}"
    if move >= DRAWS:
        return COLORS[move - DRAWS]
    if move >= PLACES:
        row, column = divmod(move - PLACES, 5)
        return f"line {row + 1} >c{column + 1}"
    source_color, target = divmod(move, TARGETS)
    source, color = divmod(source_color, 5)
    return f"{f'F{source}' if source else 'centre'} {COLORS[color]} >{target or 'floor'}"


def parse_move(text: str) -> int:
    """The move of a text; ValueError where there is none."""
    if found := _TAKE.fullmatch(text):
        factory, _, color, line = found.groups()
        return (int(factory or CENTRE) * 5 + COLORS.index(color.lower())) * TARGETS + int(line or 0)
    if found := _PLACE.fullmatch(text):
        return PLACES + (int(found[1]) - 1) * 5 + int(found[2]) - 1
    if found := _START.fullmatch(text):
        return STARTS + int(found[1]) - 1
    if text.lower() in COLORS:
        return DRAWS + COLORS.index(text.lower())
    raise ValueError(f"{text!r} is no move of Azul.")


def write_position(state: State) -> str:
    """A position on one line, complete: the game can be resumed from it."""
    seats, phase = int(state["seats"]), int(state["phase"])
    boards = range(seats)
    fields = {
        "azul": str(seats),
        "wall": "grey" if state["grey"] else "coloured",
        "round": str(state["round"]),
        "phase": PHASES[phase],
        "starter": str(state["starter"] + 1),
        "turn": str(state["turn"] + 1),
        "marker": "centre" if state["marker"] == ON_CENTRE else str(state["marker"] + 1),
        "bag": _write_counts(state["bag"]),
        "lid": _write_counts(state["lid"]),
        "centre": _write_tiles(state["sources"][CENTRE]),
        "factories": " ".join(map(_write_tiles, state["sources"][1 : FACTORIES[seats] + 1])),
        "score": per_seat(str(state["score"][seat]) for seat in boards),
        "lost": per_seat(str(state["lost"][seat]) for seat in boards),
        "lines": per_seat(_write_lines(state, seat) for seat in boards),
        "walls": per_seat(" ".join(_write_wall(state, seat)) for seat in boards),
        "floors": per_seat(_write_floor(state, seat) for seat in boards),
    }
    if phase == TILING:
        fields["tiling"] = per_seat(
            "-" if line == LINES else str(line + 1) for line in state["next_line"][:seats]
        )
    return write_fields(fields)


def _write_counts(counts: Iterable[int]) -> str:
    return " ".join(f"{letter}{n}" for letter, n in zip(LETTERS, counts, strict=True) if n > 0) or "-"


def _write_tiles(counts: State) -> str:
    return "".join(letter * n for letter, n in zip(LETTERS, counts.tolist(), strict=True)) or "-"


def _write_lines(state: State, seat: int) -> str:
    lines = zip(state["line_color"][seat], state["line_count"][seat], strict=True)
    return " ".join(LETTERS[color] * int(count) or "-" for color, count in lines)


def _write_wall(state: State, seat: int) -> Iterator[str]:
    spaces = ["."] * (5 * LINES)
    for letter, tiles in zip(LETTERS, state["wall"][seat].tolist(), strict=True):
        for space in range(5 * LINES):
            if tiles >> space & 1:
                spaces[space] = letter
    for row in range(LINES):
        yield "".join(spaces[5 * row : 5 * row + 5])


def _write_floor(state: State, seat: int) -> str:
    pieces = state["floor"][seat][: state["fallen"][seat]]
    return "".join("*" if piece == MARKER else LETTERS[piece - 1] for piece in pieces) or "-"


def parse_position(text: str) -> State:
    """The state of a position's text; ValueError with a sentence where it is none or cannot be."""
    state = read_position(text)
    check_position(state)
    return state


def read_position(text: str) -> State:
    """What a position's text says, whether a game can lead there or not."""
    fields = Fields(text, "Azul", _FIELDS)
    state: State = np.zeros(1, STATE)[0]
    seats = fields.number("azul", SEATS)
    state["seats"] = seats
    state["grey"] = fields.choice("wall", ("coloured", "grey"))
    state["phase"] = fields.choice("phase", PHASES)
    first_round = 0 if state["phase"] == CHOOSE else 1
    state["round"] = fields.number("round", range(first_round, LAST_ROUND + 1))
    state["starter"] = fields.number("starter", range(1, seats + 1)) - 1
    state["turn"] = fields.number("turn", range(1, seats + 1)) - 1
    state["marker"] = ON_CENTRE
    if fields.text("marker") != "centre":
        state["marker"] = fields.number("marker", range(1, seats + 1)) - 1
    state["bag"] = read_counts("bag", fields.text("bag"), LETTERS, TILES_PER_COLOR)
    state["lid"] = read_counts("lid", fields.text("lid"), LETTERS, TILES_PER_COLOR)
    _read_sources(state, fields)
    for seat, value in enumerate(fields.per_seat("score", seats)):
        state["score"][seat] = read_number("score", value, range(10_000))
    for seat, value in enumerate(fields.per_seat("lost", seats)):
        most = int(PENALTIES[FLOOR]) * int(state["round"])
        state["lost"][seat] = read_number("lost", value, range(most + 1))
    for seat, value in enumerate(fields.per_seat("lines", seats)):
        _read_lines(state, seat, value)
    for seat, value in enumerate(fields.per_seat("walls", seats)):
        _read_wall(state, seat, value)
    for seat, value in enumerate(fields.per_seat("floors", seats)):
        _read_floor(state, seat, value)
    _read_tiling(state, fields)
    return state


_FIELDS = (
    *("azul", "wall", "round", "phase", "starter", "turn", "marker", "bag", "lid", "centre", "factories"),
    *("score", "lost", "lines", "walls", "floors", "tiling"),
)


def _read_sources(state: State, fields: Fields) -> None:
    factories = fields.text("factories").split()
    wanted = FACTORIES[state["seats"]]
    if len(factories) != wanted:
        raise ValueError(f"With {state['seats']} players there are {wanted} factories, not {len(factories)}.")
    for source, value in enumerate((fields.text("centre"), *factories)):
        tiles = read_tiles("factories" if source else "centre", value, LETTERS)
        most = TILES_PER_FACTORY if source else wanted * (TILES_PER_FACTORY - 1)
        if len(tiles) > most:
            raise ValueError(f"“{value}” is more than {most} tiles.")
        for color in tiles:
            state["sources"][source, color] += 1
            state["on_offer"] |= 1 << 5 * source + color
    if state["phase"] == DEAL:
        state["dealt"] = int(state["sources"].sum())


def _read_lines(state: State, seat: int, value: str) -> None:
    lines = value.split()
    if len(lines) != LINES:
        raise ValueError(f"A board has {LINES} lines, not {len(lines)}: “{value}”.")
    for row, line in enumerate(lines):
        tiles = read_tiles("lines", line, LETTERS)
        if len(tiles) > row + 1 or len(set(tiles)) > 1:
            raise ValueError(
                f"Line {row + 1} holds at most {row + 1} tiles of one colour, not “{line}” (AZ-A4)."
            )
        state["line_count"][seat, row] = len(tiles)
        state["line_color"][seat, row] = tiles[0] if tiles else 0


def _read_wall(state: State, seat: int, value: str) -> None:
    rows = value.split()
    if len(rows) != LINES or any(not re.fullmatch(rf"[.{LETTERS}]{{5}}", row) for row in rows):
        raise ValueError(f"A wall is five rows of five spaces ({LETTERS} or .), not “{value}”.")
    for row, spaces in enumerate(rows):
        for column, letter in enumerate(spaces):
            if letter != ".":
                _read_wall_tile(state, seat, row, column, LETTERS.index(letter))


def _read_wall_tile(state: State, seat: int, row: int, column: int, color: int) -> None:
    where = f"the {COLORS[color]} tile in row {row + 1}, column {column + 1} of seat {seat + 1}"
    if not state["grey"] and column != printed_column(row, color):
        raise ValueError(f"On the coloured wall {where} is not on its own colour (AZ-B3).")
    if not free_columns(state, seat, row, color) >> column & 1:
        raise ValueError(f"On the wall {where} repeats its colour in the row or column (AZ-G1).")
    if state["line_count"][seat, row] and state["line_color"][seat, row] == color:
        raise ValueError(f"Line {row + 1} holds the colour of {where} (AZ-A5).")
    state["wall"][seat, color] |= 1 << 5 * row + column
    state["row_colors"][seat, row] |= 1 << color


def _read_floor(state: State, seat: int, value: str) -> None:
    pieces = "" if value == "-" else value
    if len(pieces) > FLOOR:
        raise ValueError(f"A floor has {FLOOR} spaces, not {len(pieces)}: “{value}”.")
    tiles = read_tiles("floors", pieces.replace("*", "") or "-", LETTERS)
    if len(tiles) + pieces.count("*") != len(pieces):
        raise ValueError(f"A floor is - or its tiles and *, not “{value}”.")
    for space, letter in enumerate(pieces):
        state["floor"][seat, space] = MARKER if letter == "*" else LETTERS.index(letter) + 1
    state["fallen"][seat] = len(pieces)


def _read_tiling(state: State, fields: Fields) -> None:
    state["next_line"] = LINES
    if state["phase"] != TILING:
        if "tiling" in fields:
            raise ValueError("The field “tiling” belongs to the phase tiling.")
        return
    for seat, value in enumerate(fields.per_seat("tiling", int(state["seats"]))):
        if value != "-":
            state["next_line"][seat] = read_number("tiling", value, range(1, LINES + 1)) - 1
