"""The boards of GEMINO and how a game of it begins, by the ids of the rules."""

import numpy as np
import pytest

from mozaika.checks import refused
from mozaika.games.gemino import pieces, rules
from mozaika.games.gemino.pieces import LETTERS, SIDES
from mozaika.games.gemino.tests.boards import OWN, hand
from mozaika.moves import IllegalMove
from mozaika.options import BadOption
from mozaika.state import CHANCE
from mozaika.table import Table


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_14_tiles_for_each_player(seats):
    """GE-B1"""
    at = Table("gemino", seats, seed=1)
    assert [hand(at, seat) for seat in range(1, seats + 1)] == [14] * seats


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_two_to_four_players(seats):
    """GE-B1"""
    with pytest.raises(ValueError, match="2 to 4 players"):
        Table("gemino", seats)


@pytest.mark.parametrize("grid", [grid for sides in SIDES for grid in sides.values()])
def test_each_colour_stands_once_in_each_row_and_column_of_our_sides(grid):
    """GE-B1: and every four in a row or column show four colours anyway, but so do all diagonals."""
    rows = grid.split("/")
    columns = ["".join(column) for column in zip(*rows, strict=True)]
    assert all(sorted(line) == sorted(LETTERS) for line in (*rows, *columns))
    fields = "".join(rows)
    for line in pieces.ALL_LINES[0]:
        colors = {fields[field] for field in range(36) if int(line) >> field & 1}
        assert len(colors) == 4


def test_sides_of_our_own():
    """GE-B1: in the order of the boards that want them."""
    at = Table("gemino", 2, board1="own", board2="own", own=f"{OWN}\n\n{SIDES[0]['B'].lower()}", start="1")
    assert [rules.name_side(at.state, board) for board in (0, 1)] == [OWN, SIDES[0]["B"]]
    assert at.game.options_of(at.state) == {
        "board1": "own",
        "board2": "own",
        "own": f"{OWN}//{SIDES[0]['B']}",
        "leave": "line",
    }
    alone = Table("gemino", 2, board2="own", own=OWN.replace("/", "\n"), start="1")
    assert [rules.name_side(alone.state, board) for board in (0, 1)] == ["A", OWN]
    assert Table.from_position(alone.position()).position() == alone.position()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"board1": "own"}, "1 boards are to be your own and 0 sides are drawn"),
        ({"own": OWN}, "0 boards are to be your own and 1 sides are drawn"),
        ({"board1": "own", "own": f"{OWN}//{OWN}"}, "1 boards are to be your own and 2 sides are drawn"),
        ({"board1": "own", "own": "ROYGBV"}, "each of ROYGBV once in each row and column"),
        ({"board1": "own", "own": "ROYGBV/" * 6}, "each of ROYGBV once in each row and column"),
        ({"board1": "own", "own": OWN.replace("R", "X")}, "each of ROYGBV once in each row and column"),
        ({"board1": "own", "own": OWN[:-1]}, "each of ROYGBV once in each row and column"),
        ({"start": "3"}, "start is a seat from 1 to 2 or random, not 3"),
    ],
)
def test_sides_that_cannot_be(options, sentence):
    """GE-B1"""
    with pytest.raises(BadOption) as refusal:
        Table("gemino", 2, **options)
    assert sentence in str(refusal.value)


@pytest.mark.parametrize(("board1", "board2"), ["AA", "AB", "BA", "BB"])
def test_either_side_of_each_board(board1, board2):
    """GE-B2"""
    at = Table("gemino", 2, board1=board1, board2=board2, start="1")
    assert rules.name_side(at.state, 0) == board1
    assert rules.name_side(at.state, 1) == board2


def test_chance_draws_the_sides_and_who_starts_unless_the_owner_chooses():
    """GE-B2"""
    at = Table("gemino", 3, draws="told", board1="random", board2="random")
    weights = np.zeros(8, np.int32)
    for outcomes, drawn_side in (
        (["board1 A", "board1 B"], "board1 B"),
        (["board2 A", "board2 B"], "board2 A"),
    ):
        assert at.movers == [CHANCE]
        assert at.legal_moves() == outcomes
        assert rules.weigh(at.state, weights) == 2
        assert refused(at, "a1 h1", 0) == "GE-B2"
        at.draw(drawn_side)
    assert at.legal_moves() == ["start 1", "start 2", "start 3"]
    assert rules.weigh(at.state, weights) == 3
    assert weights[:3].tolist() == [1, 1, 1]
    at.draw("start 3")
    assert at.movers == [2]
    assert at.log() == [
        "Side B of board 1 lies up. (GE-B2)",
        "Side A of board 2 lies up. (GE-B2)",
        "P3: starts the game. (GE-B2)",
    ]
    chosen = Table("gemino", 3, draws="told", board2="random", start="2")
    chosen.draw("board2 B")
    assert chosen.movers == [1]


@pytest.mark.parametrize("starter", [1, 2, 3])
def test_play_goes_clockwise(starter):
    """GE-B2"""
    at = Table("gemino", 3, seed=4, start=starter)
    seen, rounds = [], []
    for _ in range(6):
        seen += at.movers
        rounds.append(int(at.state["round"]))
        assert refused(at, at.legal_moves()[0], (at.movers[0] + 1) % 3) == "GE-B2"
        assert refused(at, "start 1") == "GE-B2"
        at.play(at.legal_moves()[0])
    assert seen == [(starter - 1 + n) % 3 for n in range(3)] * 2
    assert rounds == [1, 1, 1, 2, 2, 2]


@pytest.mark.parametrize(
    ("move", "sentence"),
    [
        ("start 3", "There are not so many seats at this table."),
        ("board2 A", "First the sides are drawn, then who starts"),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_its_reason(move, sentence):
    """GE-B2"""
    at = Table("gemino", 2, draws="told")
    with pytest.raises(IllegalMove, match=sentence) as refusal:
        at.draw(move)
    assert refusal.value.rule == "GE-B2"
    with pytest.raises(IllegalMove, match="First the sides and the start player are drawn"):
        at.play("a1 h1", 0)
