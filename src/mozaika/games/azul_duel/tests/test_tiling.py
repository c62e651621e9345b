"""The tiling and its points; the worked examples of the rulebooks among them."""

import pytest

from mozaika.games.azul_duel import pieces, setup
from mozaika.games.azul_duel.dome import placement_points
from mozaika.games.azul_duel.pieces import DuelOptions
from mozaika.games.azul_duel.tests.boards import on_row, tiling

FIRST_TILING = """
       R | yk yb ot
      KK | to ko yb
      YY | .. ky ko
    BBBB | .. r? tr
    TTTT | .. .. ..
       - | .. .. ..
"""


def test_tiling_of_the_rulebook():
    """Example 5 (AD-W1, AD-W2, AD-W3, AD-W6): 13 tiles lie in the lines before."""
    at = tiling(FIRST_TILING)
    assert at.field("lines").split(" / ")[0] == "- - YY - TTTT -"
    assert at.field("tiles").split(" / ")[0] == "...... ..K... ...... ...B.. ...... ......"
    assert at.field("tower") == "B3 R1 K1"
    assert at.state["tiled"].tolist() == [2, 0]
    assert at.scores == [5 + 1 + 1 - 1, 5]


def test_a_complete_line_must_be_placed_and_the_player_chooses_where():
    """AD-W1: its own colour or wild, on the dome row of the same number, and nowhere else."""
    at = tiling(on_row("YY", "ko tr rt", "yt bo y?"))
    assert at.movers == [0]
    assert at.legal_moves() == ["line 2 >c1", "line 2 >c5", "line 2 >c6"]
    assert at.refuses("line 2 >c2") == "AD-W1"
    assert at.refuses("line 2 stays") == "AD-W1"
    assert at.refuses("line 1 >c3") == "AD-W1"
    assert at.refuses("line 2 >c1", 1) == "AD-W6"
    assert at.refuses("F1 blue >1") == "AD-E1"
    at.play("line 2 >c6")
    assert at.field("tiles").split(" / ")[0].split()[1] == ".....Y"
    assert at.field("tower") == "Y1"


def test_a_filled_space_takes_no_second_tile():
    """AD-W1"""
    at = tiling(on_row("YY", "ko tr rt", "Yt bo yY"))
    assert at.field("tiles").split(" / ")[0].split()[1] == "Y...YY"


def test_lines_are_tiled_from_the_top():
    """AD-W1: a tile placed above counts for the one below."""
    board = """
        Y | yk .. ..
       TT | to .. ..
        - | .. .. ..
        - | .. .. ..
        - | .. .. ..
        - | .. .. ..
    """
    at = tiling(board)
    assert at.state["tiled"].tolist() == [1 + 2, 0]


@pytest.mark.parametrize("line", ["RR", "R"])
def test_a_line_without_a_space_stays_while_a_plate_may_come(line):
    """AD-W2: complete or not."""
    at = tiling(on_row(line, "yk yb ..", "to ko .."))
    assert at.field("lines").split(" / ")[0].split()[1] == line
    assert at.scores == [5, 5]


@pytest.mark.parametrize(("line", "cost"), [("RR", 3), ("R", 1)])
def test_a_line_that_no_plate_can_save_breaks(line, cost):
    """AD-W3: complete or not, even if chips could complete it."""
    at = tiling(on_row(line, "yk yb ot", "to ko yb"), store=("R R BR BR", "-"))
    assert at.field("lines").split(" / ")[0] == "- - - - - -"
    assert at.scores == [5 - cost, 5]
    assert at.field("tower") == f"R{len(line)}"
    assert at.field("store").split(" / ")[0] == "R R BR BR"


def test_a_line_breaks_when_the_last_space_of_its_colour_is_filled():
    """AD-W3"""
    at = tiling(on_row("YY", "ko tr rt", "Yt bo YY"))
    assert at.scores == [5 - 3, 5]


def test_broken_lines_fill_the_broken_stack_and_then_the_tower():
    """AD-W3, AD-L2"""
    board = on_row("RRRRR", "yk yb ot", "to ko yb", 5) + "\nKK"
    at = tiling(board, scores=(20, 5))
    assert at.scores == [20 - 10, 5]
    assert at.field("tower") == "R5 K2"


SPECIAL_TILE = """
      Y | yK .. ..
      - | To .. ..
    BBB | yb .. ..
      - | ko .. ..
      - | .. .. ..
      - | .. .. ..
"""


def test_the_special_tile_of_the_rulebook():
    """Example 7 (AD-W5, AD-P2, AD-P3): 2 + 2 for yellow, 2 for the special tile, 3 for blue below it."""
    at = tiling(SPECIAL_TILE)
    assert at.field("tiles").split(" / ")[0].split()[:3] == ["YK....", "T*....", ".B...."]
    assert at.state["tiled"].tolist() == [4 + 3, 0]
    assert at.state["gilded"].tolist() == [2, 0]
    assert at.scores == [5 + 4 + 2 + 3, 5]


@pytest.mark.parametrize("row", range(1, 7))
def test_a_special_tile_is_worth_its_row(row):
    """AD-W5: its own row, not that of the tile that fills the plate; it scores no groups."""
    first = (row - 1) // 2 * 2
    above, below, letter = ("oK", "rB", "R") if row == first + 1 else ("YK", "to", "T")
    rows = ["- | .. .. .."] * 6
    rows[first] = f"- | {above} .. .."
    rows[first + 1] = f"{letter * (first + 2)} | {below} .. .."
    at = tiling("\n".join(rows), round=1)
    if at.movers == [0]:
        at.play(f"line {first + 2} >c1")
    assert at.state["gilded"][0] == row
    assert at.state["tiled"][0] == 2
    assert int((at.state["tile"][0] == pieces.TILE_SPECIAL).sum()) == 1


def test_the_tile_scores_before_the_special_tile_it_brings():
    """AD-P3: the new special tile does not lengthen the group of the tile that brought it."""
    board = """
          - | oK .. ..
         RR | rB .. ..
          - | .. .. ..
          - | .. .. ..
          - | .. .. ..
          - | .. .. ..
    """
    at = tiling(board)
    assert at.state["tiled"][0] == 2  # red and blue; the special tile above red comes later
    assert at.state["gilded"][0] == 1


def test_a_wild_plate_gets_no_special_tile():
    """AD-W5: and a special plate only when its three colours are there."""
    board = """
          - | YB .. Yk
         TT | tK .. to
          - | .. .. ..
          - | .. .. ..
          - | .. .. ..
          - | .. .. ..
    """
    at = tiling(board)
    at.play("line 2 >c1")
    assert at.state["gilded"][0] == 0
    assert not (at.state["tile"] == pieces.TILE_SPECIAL).any()


def points_of(dome: str, row: int, column: int) -> int:
    """What a tile scores on a drawn dome."""
    state = setup.new(2, DuelOptions(start="1"))
    state["tile"][0] = [
        0 if space == "." else 1 if space == "X" else pieces.TILE_SPECIAL for space in dome.split()
    ]
    return placement_points(state, 0, row - 1, column - 1)


def test_a_tile_alone_scores_one():
    """AD-P1: diagonal neighbours do not count."""
    assert points_of(". . . . . . " * 6, 3, 3) == 1
    assert points_of("X . X . . .  . . . . . .  X . X . . . " + ". . . . . . " * 3, 2, 2) == 1


def test_groups_in_both_directions():
    """AD-P2: special tiles included, gaps end a group."""
    across = ". . . . . .  X X . * X .  . . . . . .  " + ". . . . . . " * 3
    assert points_of(across, 2, 3) == 5
    assert points_of(across, 2, 6) == 3
    both = ". . X . . .  X X . X . X  . . * . . .  . . X . . .  . . . . . .  . . X . . ."
    assert points_of(both, 2, 3) == 4 + 4
    down = ". . X . . .  . . . . . .  . . * . . .  . . X . . .  . . . . . .  . . X . . ."
    assert points_of(down, 2, 3) == 4
    full = "X X X X X X  X X X X X X  X X . X X X  X X X X X X  X X X X X X  X X X X X X"
    assert points_of(full, 3, 3) == 12
