"""Azul as text: moves such as `F3 blue >4`, and complete positions. The README explains both."""

import re
from collections.abc import Iterable, Iterator

import numpy as np

from mozaika.fields import Fields, per_seat, read_number, write_fields
from mozaika.game import State
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
    OFFER,
    ON_CENTRE,
    OVER,
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
from mozaika.games.azul.rules import (
    color_bonus,
    column_bonus,
    free_columns,
    full_rows,
    occupied,
    printed_column,
    row_bonus,
)

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
    state["bag"] = _read_counts("bag", fields.text("bag"))
    state["lid"] = _read_counts("lid", fields.text("lid"))
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
    _check_position(state)
    return state


_FIELDS = (
    *("azul", "wall", "round", "phase", "starter", "turn", "marker", "bag", "lid", "centre", "factories"),
    *("score", "lost", "lines", "walls", "floors", "tiling"),
)


def _read_counts(key: str, value: str) -> list[int]:
    counts = [0] * 5
    for part in value.split() if value != "-" else ():
        found = re.fullmatch(rf"([{LETTERS}])([0-9]{{1,2}})", part)
        if not found or counts[LETTERS.index(found[1])]:
            raise ValueError(f"“{key}” counts each colour once, as in “B12 Y9”, not “{part}”.")
        counts[LETTERS.index(found[1])] = read_number(key, found[2], range(TILES_PER_COLOR + 1))
    return counts


def _read_tiles(key: str, value: str) -> list[int]:
    """A string of tiles as a list of colours."""
    if value == "-":
        return []
    if wrong := [letter for letter in value if letter not in LETTERS]:
        raise ValueError(f"“{key}” has tiles {', '.join(LETTERS)} or -, not “{wrong[0]}”.")
    return [LETTERS.index(letter) for letter in value]


def _read_sources(state: State, fields: Fields) -> None:
    factories = fields.text("factories").split()
    wanted = FACTORIES[state["seats"]]
    if len(factories) != wanted:
        raise ValueError(f"With {state['seats']} players there are {wanted} factories, not {len(factories)}.")
    for source, value in enumerate((fields.text("centre"), *factories)):
        tiles = _read_tiles("factories" if source else "centre", value)
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
        tiles = _read_tiles("lines", line)
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
    tiles = _read_tiles("floors", pieces.replace("*", "") or "-")
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


def count_tiles(state: State) -> list[int]:
    """All tiles of each colour, wherever they are: 20 in every position (AZ-B1)."""
    totals = state["bag"].astype(int) + state["lid"] + state["sources"].sum(axis=0)
    for color in range(5):
        totals[color] += (state["floor"] == color + 1).sum()
        totals[color] += state["line_count"][state["line_color"] == color].sum()
        totals[color] += sum(int(spaces).bit_count() for spaces in state["wall"][:, color])
    return [int(total) for total in totals]


def _check_position(state: State) -> None:
    for color, total in enumerate(count_tiles(state)):
        if total != TILES_PER_COLOR:
            raise ValueError(
                f"There are {TILES_PER_COLOR} {COLORS[color]} tiles in the box, not {total} (AZ-B1)."
            )
    _check_marker(state)
    phase = state["phase"]
    if phase == OFFER:
        _check_offer(state)
    if phase in (CHOOSE, TILING, OVER) and state["on_offer"] != 0:
        raise ValueError("Tiles lie on the factories or in the centre, so it is still the offer (AZ-A9).")
    rows = [full_rows(occupied(state, seat)) for seat in range(state["seats"])]
    if phase in (CHOOSE, DEAL, OFFER) and any(rows):
        raise ValueError("A row is complete, so the game is over (AZ-E1).")
    if phase == OVER:
        _check_over(state, rows)
    if phase in (CHOOSE, DEAL):
        _check_deal(state)
    if phase == TILING:
        _check_tiling(state)


def _check_offer(state: State) -> None:
    if state["on_offer"] == 0:
        raise ValueError("The offer is over when no tile is left to take (AZ-A9).")
    taken = FACTORIES[state["seats"]] - int((state["sources"][1:].sum(axis=1) > 0).sum())
    if state["sources"][CENTRE].sum() > taken * (TILES_PER_FACTORY - 1):
        raise ValueError("The centre has more tiles than the empty factories can have left there (AZ-A2).")


def _check_over(state: State, rows: list[int]) -> None:
    if state["fallen"].any() or (state["line_count"] == np.arange(1, LINES + 1)).any():
        raise ValueError("After the last tiling no line is complete and the floors are empty (AZ-E1).")
    left = int(state["bag"].sum() + state["lid"].sum())
    if not any(rows) and state["round"] < LAST_ROUND and left:
        raise ValueError("The game is over when a row is complete, and here none is (AZ-E1).")
    for seat in range(state["seats"]):
        bonus = row_bonus(state, seat) + column_bonus(state, seat) + color_bonus(state, seat)
        if state["score"][seat] < bonus:
            raise ValueError(f"Seat {seat + 1} has fewer points than its bonus of {bonus} (AZ-E2).")


def _check_marker(state: State) -> None:
    holder, phase = int(state["marker"]), state["phase"]
    for seat in range(state["seats"]):
        markers = int((state["floor"][seat] == MARKER).sum())
        paid = phase == OVER or (phase == TILING and state["next_line"][seat] == LINES)
        full = state["fallen"][seat] == FLOOR  # AZ-A8
        if markers != (seat == holder) and not (seat == holder and markers == 0 and (paid or full)):
            raise ValueError("The start marker is on the floor of its holder and nowhere else (AZ-A3).")


def _check_deal(state: State) -> None:
    full, some = divmod(int(state["dealt"]), TILES_PER_FACTORY)
    filled = [int(factory.sum()) for factory in state["sources"]]
    if filled != [0] + [TILES_PER_FACTORY] * full + [some] * (full < 9) + [0] * (8 - full):
        raise ValueError("Factories are filled one after the other, with 4 tiles each (AZ-C1).")
    if state["bag"].sum() == 0 or full == FACTORIES[state["seats"]]:
        raise ValueError("No tile is to be dealt here (AZ-C1).")
    if state["marker"] != ON_CENTRE or state["fallen"].any():
        raise ValueError("Before the offer the marker is in the centre and the floors are empty (AZ-C2).")
    if (state["line_count"] == np.arange(1, LINES + 1)).any():
        raise ValueError("A complete line has been tiled before the next round (AZ-W1).")
    untouched = (state["bag"] == TILES_PER_COLOR).all() and not state["score"].any() and state["round"] == 0
    if state["phase"] == CHOOSE and not untouched:
        raise ValueError("The start player is drawn before the first tile (AZ-S1).")


def _check_tiling(state: State) -> None:
    if not state["grey"]:
        raise ValueError("The coloured wall leaves no choice in tiling, so there is no such phase (AZ-W1).")
    pending = False
    for seat in range(state["seats"]):
        following = int(state["next_line"][seat])
        pending |= following < LINES
        for row in range(min(following + 1, LINES)):
            complete = state["line_count"][seat, row] == row + 1
            if complete != (row == following):
                raise ValueError(
                    f"Seat {seat + 1} tiles its first complete line, from top to bottom (AZ-G3)."
                )
        if following < LINES and not free_columns(
            state, seat, following, int(state["line_color"][seat, following])
        ):
            raise ValueError(f"Line {following + 1} of seat {seat + 1} fits nowhere, so it falls (AZ-G2).")
        if following == LINES and state["fallen"][seat]:
            raise ValueError(f"Seat {seat + 1} has tiled, so its floor is empty (AZ-W4).")
    if not pending:
        raise ValueError("Somebody must still have a line to tile (AZ-W1).")
