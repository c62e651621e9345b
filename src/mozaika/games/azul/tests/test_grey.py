"""The grey wall of Azul, by the ids of its rules."""

from itertools import permutations

import pytest

from mozaika.checks import refused
from mozaika.games.azul.tests.boards import EMPTY, lid, table
from mozaika.moves import AmbiguousMove
from mozaika.state import CHANCE


def test_on_the_grey_wall_the_player_chooses_the_space():
    """AZ-G1"""
    board = """
        - | . R . . .
        - | . . . . .
      RRR | K . . . .
        - | . . . . .
        - | . . . . .
    """
    at = table(board, EMPTY, wall="grey", centre="W", turn=2)
    at.play("centre white >2")
    assert at.movers == [0]
    assert at.legal_moves() == ["line 3 >c3", "line 3 >c4", "line 3 >c5"]
    assert refused(at, "line 3 >c1") == "AZ-G1"
    assert refused(at, "line 3 >c2") == "AZ-G1"
    at.play("line 3 >c4")
    assert at.scores == [1, 0]
    assert lid(at) == {"red": 2}


BLOCKED = """
    - | . . . . R
    - | R . . . .
  RRR | . Y B K W
    - | . . . . .
    - | . . . . .
"""


def test_a_line_that_fits_nowhere_falls_to_the_floor_at_once():
    """AZ-G2"""
    at = table(BLOCKED + "    KKKKK", EMPTY, wall="grey", centre="W", turn=2, scores=[20, 0])
    at.play("centre white >2")
    assert at.movers == [CHANCE]
    assert at.scores == [20 - 14, 0]
    assert lid(at) == {"red": 3, "black": 5}
    assert any("AZ-G2" in line for line in at.log())


def test_lines_are_resolved_from_top_to_bottom_each_knowing_the_ones_before():
    """AZ-G3"""
    board = """
        - | . . . . .
       RR | . . . . .
      RRR | . . . . .
        - | . . . . .
        - | . . . . .
    """
    at = table(board, EMPTY, wall="grey", centre="W", turn=2)
    at.play("centre white >2")
    assert refused(at, "line 3 >c1", 0) == "AZ-G3"
    at.play("line 2 >c1")
    assert at.legal_moves() == ["line 3 >c2", "line 3 >c3", "line 3 >c4", "line 3 >c5"]
    at.play("line 3 >c2")
    assert at.scores == [2, 0]


def test_only_the_row_forbids_a_colour_in_the_offer():
    """AZ-G4, AZ-A5: columns may block a colour from the whole row; it may still be collected."""
    board = BLOCKED.replace("RRR |", "  - |")
    at = table(board, EMPTY, wall="grey", factories=["RRBB"])
    assert "F1 red >3" in at.legal_moves()
    assert refused(at, "F1 red >1") == "AZ-A5"
    assert refused(at, "F1 blue >3") == "AZ-A5"


TILER = """
    B | . . . . .
   RR | . . . . .
    - | . . . . .
    - | . . . . .
    - | . . . . .
"""


def test_players_tile_independently_of_each_other():
    """AZ-W1, AZ-G1: whatever the order among the players, the outcome is the same."""
    moves = [(0, "line 1 >c1"), (0, "line 2 >c2"), (1, "line 1 >c3"), (1, "line 2 >c3")]
    ends = set()
    for order in permutations(range(4)):
        if order.index(0) < order.index(1) and order.index(2) < order.index(3):
            at = table(TILER, TILER, wall="grey", centre="W")
            at.play("centre white >5")
            assert at.movers == [0, 1]
            for index in order:
                at.play(moves[index][1], moves[index][0])
            ends.add(at.position())
    assert len(ends) == 1


def test_a_move_that_two_seats_could_make_is_ambiguous():
    at = table(TILER, TILER, wall="grey", centre="W")
    at.play("centre white >5")
    with pytest.raises(AmbiguousMove) as error:
        at.play("line 1 >c1")
    assert error.value.candidates == ("1: line 1 >c1", "2: line 1 >c1")
    with pytest.raises(ValueError, match="say whose moves"):
        at.legal_moves()
    at.play("line 1 >c1", seat=1)
    assert at.movers == [0, 1]
    assert refused(at, "line 1 >c2", 1) == "AZ-G3"
    at.play("line 2 >c2", seat=1)
    assert refused(at, "line 2 >c2", 1) == "AZ-W4"
