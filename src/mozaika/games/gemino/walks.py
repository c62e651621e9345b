"""The legal moves of GEMINO as walks over spots, each with a ghost of what it would do and its points."""

import re
from typing import NamedTuple

import numpy as np

from mozaika.game import State
from mozaika.games.gemino.artwork import SCORED_SYMBOL, TILE_SYMBOLS
from mozaika.games.gemino.layout import FIELD_SPOTS, MOVE_SPOTS, Layout, line_spot
from mozaika.games.gemino.notation import parse_move, read_field, write_field, write_line, write_play
from mozaika.games.gemino.pieces import HAND, MOST_MOVES, NO_LINE, line_fields
from mozaika.games.gemino.rules import after, completed, kind_of, leaves_five, legal, unpack
from mozaika.kernel import swift_rule
from mozaika.scene import Sprite, Walk

_SPOT = re.compile(r"([a-l][1-6])(-away|\+[a-l][1-6]-[a-l][1-6])?")


def list_turns(view: State, seat: int) -> list[list[int]]:
    """All that a seat may do now: what `rules.unpack` gives, in the order of `rules.legal`."""
    buffer = np.empty(MOST_MOVES, np.int32)
    moves = buffer[: swift_rule(legal)(view, seat, buffer)].astype(np.int64)
    turns: list[list[int]] = np.stack(unpack(moves), axis=1).tolist()  # type: ignore[arg-type]
    return turns


def walk(view: State, seat: int, turns: list[list[int]], layout: Layout) -> list[Walk]:
    """A walk goes over the two fields, in any order; then, where they are needed, over the tiles that move;
    and where a tile completes several lines, over the far end of the one that scores.
    """
    halves: dict[tuple[int, int, int, int], _Half] = {}
    walks = []
    for first, second, source, other_source, _, line, other_line in turns:
        plays = ((0, first, source, line), (1, second, other_source, other_line))
        for play in plays:
            if play not in halves:
                halves[play] = _foresee(view, seat, layout, *play)
        one, other = halves[plays[0]], halves[plays[1]]
        walks.append(
            Walk(
                f"{one.play} {other.play}{one.line}{other.line}",
                one.field + other.field + one.away + other.away + one.choice + other.choice,
                one.ghost + other.ghost,
                one.points + other.points,
            )
        )
    return walks


class _Half(NamedTuple):
    """What a turn does on one board: its texts, its spots, its ghost and its points."""

    play: str
    line: str
    field: tuple[str, ...]
    away: tuple[str, ...]
    choice: tuple[str, ...]
    ghost: tuple[Sprite, ...]
    points: int


def _foresee(view: State, seat: int, layout: Layout, board: int, field: int, source: int, line: int) -> _Half:
    """The tile on its field, and a mark on each field of the line that scores."""
    five, place = leaves_five(view), layout.boards[board]
    lines = completed(after(view, seat, board, source, field), field, kind_of(view))
    chosen: tuple[str, ...] = ()
    scored: tuple[int, ...] = ()
    if line != NO_LINE:
        scored = line_fields(field, line, 4 + five)
        if lines & (lines - 1):  # GE-P3: there is a choice
            chosen = (line_spot(board, field, line, 4 + five)[0],)
    return _Half(
        play=write_play(board, field, source),
        line=f" +{write_line(board, field, line, 4 + five)}" if scored else "",
        field=(FIELD_SPOTS[board][field],),
        away=(MOVE_SPOTS[board][source - 1],) if source != HAND else (),
        choice=chosen,
        ghost=(
            place.tile(field).hold(TILE_SYMBOLS[seat]),
            *(place.tile(each).hold(SCORED_SYMBOL) for each in scored),
        ),
        points=1 if scored else 0,
    )


def move_along(spots: tuple[str, ...]) -> int:
    """The move of a walk, legal or not. A field alone stands for the fields of that place on both boards."""
    plays: dict[int, str] = {}
    sources: dict[int, str] = {}
    lines = ""
    for spot in spots:
        found = _SPOT.fullmatch(spot)
        if not found:
            raise ValueError(f"There is no spot {spot!r}.")
        name, role = found[1], found[2] or ""
        board, field = read_field(name)
        if role == "-away":
            sources[board] = f"{name}>"
        elif role:
            lines += f" {role}"
        else:
            plays[board] = name
            plays.setdefault(1 - board, write_field(1 - board, field))
    return parse_move(" ".join(sources.get(board, "") + plays[board] for board in plays) + lines)
