"""The legal moves of GEMINO as walks over spots, each with a ghost of what it would do and its points."""

import re
from typing import NamedTuple

import numpy as np

from mozaika.games.gemino.artwork import SCORED_SYMBOL, TILE_SYMBOLS
from mozaika.games.gemino.layout import FIELD_SPOTS, MOVE_SPOTS, Layout, lay_out, line_spot
from mozaika.games.gemino.notation import (
    fields_in,
    parse_move,
    read_field,
    write_line,
    write_play,
)
from mozaika.games.gemino.pieces import FIELDS, HAND, MOST_MOVES, NO_LINE, line_fields
from mozaika.games.gemino.rules import (
    after,
    color_of,
    completed,
    first_sources,
    in_hand,
    kind_of,
    leaves_five,
    list_ways,
    movers,
    occupied,
    second_sources,
    unpack,
)
from mozaika.scene import Shape, Sprite, Walk, part
from mozaika.state import WATCHER, State

Turn = tuple[int, int, int, int, int, int, int]
"""What `rules.unpack` gives."""

_SPOT = re.compile(r"([a-l][1-6])(-away|\+[a-l][1-6]-[a-l][1-6])?")


_FIELDS = frozenset(spot for spots in FIELD_SPOTS for spot in spots)


def open_fields(view: State, seat: int) -> tuple[int, int]:
    """GE-T1, GE-T2: the fields of each board with which a turn of a seat can begin, as bits."""
    hand, tiles = in_hand(view, seat), view["tiles"][seat].tolist()
    sources = fields_in(first_sources(hand, tiles[0]))
    if movers(view) != 1 << seat or not any(second_sources(hand, source, tiles[1]) for source in sources):
        return 0, 0
    found, free, other_free = [0, 0], ~occupied(view, 0), ~occupied(view, 1)
    for one, other in view["colors"].T.tolist():
        empty, other_empty = one & free, other & other_free
        if empty and other_empty:
            found[0] |= empty
            found[1] |= other_empty
    return found[0], found[1]


def begin_walks(view: State, seat: int, layout: Layout) -> list[Walk]:
    """How turns begin: with a field of either board. There can be thousands of turns."""
    return [
        _begin(layout, seat, board, field)
        for board, fields in enumerate(open_fields(view, seat))
        for field in fields_in(fields)
    ]


@part
def _begin(layout: Layout, seat: int, board: int, field: int) -> Walk:
    ghost = layout.boards[board].tile(field).hold(TILE_SYMBOLS[seat])
    return Walk("", (FIELD_SPOTS[board][field],), (ghost,), more=True)


def walks_from(view: State, seat: int, spots: tuple[str, ...], shape: Shape) -> list[Walk]:
    """All turns over the fields among these spots, at least one of them."""
    layout, opened = lay_out(int(view["seats"]), shape), list(open_fields(view, seat))
    given = [read_field(spot) for spot in spots if spot in _FIELDS]
    for board, field in given:
        opened[board] &= 1 << field
    if not given:
        return begin_walks(view, seat, layout)
    turns: list[Turn] = []
    for first in fields_in(opened[0]):
        for second in fields_in(opened[1] & int(view["colors"][1, color_of(view, 0, first)])):
            turns += _list_turns(view, seat, first, second)
    return _walk(view, seat, turns, layout)


def spots_of(view: State, seat: int, move: int) -> tuple[str, ...]:
    """The spots of a turn."""
    return _walk(view, seat, [unpack(move)], lay_out(int(view["seats"]), "wide"))[0].spots


def _list_turns(view: State, seat: int, first: int, second: int) -> list[Turn]:
    """GE-T2, GE-P3: the turns over a pair of fields, in the order of `rules.legal`."""
    kind, tiles, ways = kind_of(view), view["tiles"][seat].tolist(), np.empty(MOST_MOVES, np.int32)
    lines = completed(tiles[0] | 1 << first, first, kind)
    other_lines = completed(tiles[1] | 1 << second, second, kind)
    count = list_ways(view, seat, first * FIELDS + second, lines, other_lines, ways)
    return [unpack(int(way)) for way in ways[:count]]


def _walk(view: State, seat: int, turns: list[Turn], layout: Layout) -> list[Walk]:
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


def move_along(view: State, seat: int, spots: tuple[str, ...]) -> int:
    """The move of a walk, legal or not. A field alone stands for the fields of that place on both boards, and
    the only line that a tile completes is not pointed at.
    """
    plays: dict[int, int] = {}
    sources = {0: HAND, 1: HAND}
    lines: dict[int, str] = {}
    for spot in spots:
        found = _SPOT.fullmatch(spot)
        if not found:
            raise ValueError(f"There is no spot {spot!r}.")
        role = found[2] or ""
        board, field = read_field(found[1])
        if role == "-away":
            sources[board] = field + 1
        elif role:
            lines[board] = f" {role}"
        else:
            plays[board] = field
            plays.setdefault(1 - board, field)
    for board in plays if seat != WATCHER else ():
        lines.setdefault(board, _only_line(view, seat, board, plays[board], sources[board]))
    text = " ".join(write_play(board, plays[board], sources[board]) for board in plays)
    return parse_move(text + "".join(lines.values()))


def _only_line(view: State, seat: int, board: int, field: int, source: int) -> str:
    """GE-P3: the line that scores, where there is no choice."""
    lines = completed(after(view, seat, board, source, field), field, kind_of(view))
    if lines & (lines - 1) or lines == 1 << NO_LINE:
        return ""
    return f" +{write_line(board, field, lines.bit_length() - 1, 4 + leaves_five(view))}"
