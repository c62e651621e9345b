"""Legal moves as the rulebook says them, one by one and slowly; and how many there can be."""

from itertools import islice

import numpy as np
import pytest

from kinds import KINDS
from mozaika.checks.kinds import some_state, walk
from mozaika.games.gemino import GAME
from mozaika.games.gemino.notation import parse_move, write_field
from mozaika.games.gemino.pieces import BOARDS, FIELDS, MOST_MOVES, ROW, SIZE
from mozaika.games.gemino.rules import color_of, in_hand
from mozaika.games.gemino.tests.boards import fields_of, table, with_tiles
from mozaika.kernel import swift_game

OURS = [kind for kind in KINDS if kind.game.id == GAME.id]


def list_slowly(state) -> set[int]:
    """GE-T1 to GE-P3, without bits: fields are rows and columns, and lines are looked for step by step."""
    seat, length = int(state["turn"]), 5 if state["seats"] == 2 else 4
    own = [{f for f in range(FIELDS) if int(state["tiles"][seat, b]) >> f & 1} for b in BOARDS]
    taken = [
        {f for f in range(FIELDS) for s in range(state["seats"]) if int(state["tiles"][s, b]) >> f & 1}
        for b in BOARDS
    ]
    hand = in_hand(state, seat)
    news = {0: [()], 1: [(0,), (1,)]}.get(hand, [(0, 1)])
    found = set()
    for new in news:
        halves = []
        for board in BOARDS:
            half = []
            for field in set(range(FIELDS)) - taken[board]:
                for source in (None,) if board in new else own[board]:
                    tiles = own[board] - {source} | {field}
                    lines = lines_through(tiles, field, length) or [None]
                    if state["four"]:  # GE-P3: any four neighbours of the five, with the new tile
                        lines = four_of_five(tiles, field) or [None]
                    half += [(field, source, line) for line in lines]
            halves.append(half)
        for one in halves[0]:
            for other in halves[1]:
                if color_of(state, 0, one[0]) == color_of(state, 1, other[0]):
                    found.add(parse_move(" ".join(write(one, other))))
    return found


def lines_through(tiles: set[int], field: int, length: int) -> list[tuple[int, int]]:
    """The ends of all lines of this length with the field among them."""
    found = []
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for before in range(length):
            row, column = divmod(field, SIZE)
            places = [(row + down * step, column + right * step) for step in range(-before, length - before)]
            if all(0 <= r < SIZE and 0 <= c < SIZE and SIZE * r + c in tiles for r, c in places):
                found.append((SIZE * places[0][0] + places[0][1], SIZE * places[-1][0] + places[-1][1]))
    return found


def four_of_five(tiles: set[int], field: int) -> list[tuple[int, int]]:
    """The ends of all lines of four with the field among them that are part of a line of five."""
    fives = [
        set(range(min(ends), max(ends) + 1, abs(ends[1] - ends[0]) // 4))
        for ends in lines_through(tiles, field, 5)
    ]
    fours = [
        (ends, set(range(min(ends), max(ends) + 1, abs(ends[1] - ends[0]) // 3)))
        for ends in lines_through(tiles, field, 4)
    ]
    return [ends for ends, four in fours if any(four <= five for five in fives)]


def write(*halves) -> list[str]:
    words, lines = [], []
    for board, (field, source, line) in enumerate(halves):
        away = "" if source is None else f"{write_field(board, source)}>"
        words.append(away + write_field(board, field))
        if line is not None:
            lines.append(f"+{write_field(board, line[0])}-{write_field(board, line[1])}")
    return words + lines


@pytest.mark.parametrize("kind", OURS, ids=repr)
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in (1, 2))])
def test_legal_moves_are_those_of_the_rulebook(kind, seed):
    state = some_state(kind, seed)
    if GAME.movers(state):
        assert set(GAME.legal_moves(state, int(state["turn"]))) == list_slowly(state)


@pytest.mark.parametrize("kind", OURS, ids=repr)
@pytest.mark.parametrize("first", [0, pytest.param(2, marks=pytest.mark.long)])
def test_lines_are_chosen_as_in_the_rulebook(kind, first):
    """Positions in which something scores are rare in random play, so they are looked for."""
    plies = (ply for seed in range(40) for ply in walk(kind, seed))
    scoring = (
        (state, seat)
        for state, seat, move in plies
        if 0 <= seat < kind.seats and "+" in GAME.write_move(move)
    )
    looked_at = list(islice(scoring, first, first + 2))
    assert looked_at
    for state, seat in looked_at:
        assert set(swift_game(GAME).legal_moves(state, seat)) == list_slowly(state)


def widest() -> str:
    """All tiles of seat 1: on both boards one colour is full, and the seventh tiles share a colour too."""
    names = [name for board in BOARDS for name in (*fields_of("R", board), fields_of("O", board)[0])]
    return with_tiles(*names)


def test_nobody_has_more_moves_than_there_is_room_for():
    """The README shows that 9,433 is a bound; without lines there are at most 7 x 7 ways for 169 pairs."""
    moves = GAME.legal_moves(table(widest(), seats=2).state, 0)
    assert len(moves) == 49 * 169
    assert len(moves) < 9_433 == MOST_MOVES - 2 * ROW


def test_a_buffer_is_not_written_beyond_its_end():
    at = table(widest(), seats=2)
    room = np.full(MOST_MOVES + 64, -1, np.int32)
    swift_game(GAME).legal(at.state, 0, room[:MOST_MOVES])
    assert (room[MOST_MOVES:] == -1).all()
