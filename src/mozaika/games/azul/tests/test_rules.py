"""Every rule of Azul, by its id; the worked examples of the rulebook among them."""

import numpy as np
import pytest

from mozaika.checks import refused
from mozaika.games.azul import pieces, rules, tell
from mozaika.games.azul.notation import parse_move, write_move
from mozaika.games.azul.pieces import COLORS, FLOOR, LETTERS, PENALTIES
from mozaika.games.azul.possible import count_tiles
from mozaika.games.azul.tests.boards import EMPTY, drawn, lid, position, same, state, table
from mozaika.options import BadOption
from mozaika.state import CHANCE
from mozaika.table import Table

FULL_FLOOR = EMPTY + "    YYYYYYY"


def points_of(wall: str, row: int, column: int) -> int:
    """What a tile scores on a drawn wall."""
    filled = sum(1 << n for n, space in enumerate(wall.split()) if space != ".")
    return rules.placement_points(filled, row - 1, column - 1)


# The box


@pytest.mark.parametrize(("seats", "factories"), [(2, 5), (3, 7), (4, 9)])
def test_100_tiles_and_so_many_factories(seats, factories):
    """AZ-B1"""
    at = Table("azul", seats, seed=1)
    assert count_tiles(at.state) == [20] * 5
    assert [int(n) for n in at.state["sources"].sum(axis=1)] == [0] + [4] * factories + [0] * (9 - factories)


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_two_to_four_players(seats):
    """AZ-B1"""
    with pytest.raises(ValueError, match="2 to 4 players"):
        Table("azul", seats)


def test_the_board():
    """AZ-B2: lines of 1 to 5, a floor of 7 spaces with these costs, points from 0."""
    at = Table("azul", 2, seed=1)
    assert at.scores == [0, 0]
    assert np.diff(PENALTIES).tolist() == [1, 1, 2, 2, 2, 3, 3]
    for line in range(1, 6):
        full = table(EMPTY, EMPTY, factories=["BBBB"], centre="BBBBBBBB")
        full.play(f"centre blue >{line}")
        assert full.state["line_count"][0, line - 1] == line
        assert full.state["fallen"][0] == 1 + min(8 - line, FLOOR - 1)


def test_the_coloured_wall_shifts_one_step_right():
    """AZ-B3"""
    printed = [["?"] * 5 for _ in range(5)]
    for row in range(5):
        for color in range(5):
            printed[row][rules.printed_column(row, color)] = LETTERS[color]
    assert ["".join(row) for row in printed] == ["BYRKW", "WBYRK", "KWBYR", "RKWBY", "YRKWB"]


def test_all_players_use_the_same_side():
    """AZ-B4: the side is an option of the table, and there are two of them."""
    assert Table("azul", 3, wall="grey").state["grey"]
    assert not Table("azul", 3).state["grey"]
    with pytest.raises(ValueError, match="wall is one of coloured, grey, not 'gray'"):
        Table("azul", 3, wall="gray")


# Set-up and round


def test_chance_chooses_who_starts_unless_the_owner_does():
    """AZ-S1"""
    at = Table("azul", 3, draws="told")
    assert at.movers == [CHANCE]
    assert at.legal_moves() == ["start 1", "start 2", "start 3"]
    weights = np.zeros(8, np.int32)
    assert rules.weigh(at.state, weights) == 3
    assert weights[:3].tolist() == [1, 1, 1]
    at.draw("start 3")
    assert at.state["starter"] == 2
    assert Table("azul", 3, draws="told", start="2").state["starter"] == 1
    with pytest.raises(BadOption, match="There is no seat 3: the start player is one of the seats 1 to 2"):
        Table("azul", 2, start="3")


def test_four_tiles_on_each_factory_drawn_one_by_one_by_weight():
    """AZ-S1"""
    at = Table("azul", 2, draws="told", start="1")
    at.draw("blue blue red white")
    assert at.state["sources"][1].tolist() == [2, 0, 1, 0, 1]
    weights = np.zeros(8, np.int32)
    assert rules.weigh(at.state, weights) == 96
    assert weights[:5].tolist() == [18, 20, 19, 20, 19]
    at.draw("yellow " * 16)
    assert at.movers == [0]
    assert at.state["marker"] == pieces.ON_CENTRE


def test_a_round_is_offer_tiling_and_preparation():
    """AZ-S2"""
    at = table(EMPTY, EMPTY, factories=["BBBB"])
    assert refused(at, "line 1 >c1") == "AZ-S2"
    at.play("F1 blue >4")
    assert at.movers == [CHANCE]
    assert at.state["round"] == 3
    assert at.scores == [1, 0]


# A. Factory offer


@pytest.mark.parametrize("starter", [1, 2, 3])
def test_the_start_player_moves_first_and_play_goes_clockwise(starter):
    """AZ-A1"""
    at = Table("azul", 3, seed=4, start=starter)
    seen = []
    for _ in range(6):
        seen += at.movers
        assert refused(at, at.legal_moves()[0], (at.movers[0] + 1) % 3) == "AZ-A1"
        at.play(at.legal_moves()[0])
    order = [(starter - 1 + n) % 3 for n in range(3)]
    assert seen == order * 2


def test_take_all_of_one_colour_and_the_others_go_to_the_centre():
    """AZ-A2"""
    at = table(EMPTY, EMPTY, factories=["BBYR", "KKKK"])
    at.play("F1 blue >2")
    assert at.state["line_count"][0].tolist() == [0, 2, 0, 0, 0]
    assert at.state["sources"][:3].tolist() == [[0, 1, 1, 0, 0], [0] * 5, [0, 0, 0, 4, 0]]
    assert refused(at, "F1 blue >3") == "AZ-A2"
    assert refused(at, "F2 white >3") == "AZ-A2"


def test_the_first_from_the_centre_takes_the_marker_before_any_tile_falls():
    """AZ-A3"""
    at = table(EMPTY, EMPTY, centre="RRRY", factories=["BBBB"])
    assert refused(at, "centre blue >3") == "AZ-A3"
    at.play("centre red >2")
    assert same(
        drawn(at, 0), "- | . . . . .  RR | . . . . .  - | . . . . .  - | . . . . .  - | . . . . .  *R"
    )
    at.play("centre yellow >1")
    assert at.state["marker"] == 0
    assert at.state["fallen"].tolist() == [2, 0, 0, 0]


def test_the_marker_cannot_be_taken_alone():
    """AZ-A3: every move from the centre names a colour, and an empty centre gives none."""
    at = table(EMPTY, EMPTY, factories=["BBBB"])
    assert not [move for move in at.legal_moves() if move.startswith("centre")]


def test_first_turns_of_the_rulebook():
    """Example 1 (AZ-A2, AZ-A3)"""
    at = table(EMPTY, EMPTY, EMPTY, factories=["KKBW", "YRRR"])
    at.play("F1 black >2")
    assert at.state["sources"][0].tolist() == [1, 0, 0, 0, 1]
    at.play("F2 yellow >1")
    assert at.state["sources"][0].tolist() == [1, 0, 3, 0, 1]
    at.play("centre red >3")
    assert at.state["marker"] == 2
    assert drawn(at, 2).splitlines()[-1] == "*"
    assert at.state["line_count"][2].tolist() == [0, 0, 3, 0, 0]


TWO_YELLOW = """
    - | . . . . .
    - | . . Y . .
    - | . . . Y .
    B | . . . . .
    - | . . . . .
"""


def test_three_choices_for_two_yellow():
    """Example 2 (AZ-A4, AZ-A5, AZ-A6)"""
    at = table(TWO_YELLOW, EMPTY, factories=["YYKK"])
    choices = [move for move in at.legal_moves() if move.startswith("F1 yellow")]
    assert choices == ["F1 yellow >floor", "F1 yellow >1", "F1 yellow >5"]
    for move, count, floor in (("1", 1, "Y"), ("5", 2, "-"), ("floor", 0, "YY")):
        at.play(f"F1 yellow >{move}")
        assert at.position().split("floors ")[1].split(" / ")[0] == floor
        assert move == "floor" or at.state["line_count"][0, int(move) - 1] == count
        at.undo()
    assert refused(at, "F1 yellow >2") == "AZ-A5"
    assert refused(at, "F1 yellow >3") == "AZ-A5"
    assert refused(at, "F1 yellow >4") == "AZ-A4"


def test_a_line_holds_one_colour_and_a_full_line_is_not_offered():
    """AZ-A4"""
    at = table(EMPTY.replace("- |", "B |", 1), EMPTY, factories=["BBYY"])
    assert refused(at, "F1 blue >1") == "AZ-A4"
    assert refused(at, "F1 yellow >1") == "AZ-A4"
    assert at.play("F1 blue >2") == "F1 blue >2"


def test_the_floor_takes_anything():
    """AZ-A6"""
    at = table(TWO_YELLOW, EMPTY, factories=["YBKR", "WWWW"])
    floor = [move for move in at.legal_moves() if move.endswith(">floor")]
    assert floor == [f"F1 {color} >floor" for color in COLORS[:4]] + ["F2 white >floor"]


def test_tiles_that_find_the_floor_full_go_to_the_lid():
    """AZ-A7"""
    at = table(EMPTY + "    YYYYY", EMPTY, factories=["BBBB", "KKKK"])
    at.play("F1 blue >floor")
    assert drawn(at, 0).splitlines()[-1] == "YYYYYBB"
    assert lid(at) == {"blue": 2}


def test_a_full_floor_takes_the_marker_without_a_space():
    """AZ-A8"""
    at = table(FULL_FLOOR, EMPTY, centre="RK", scores=[20, 0])
    at.play("centre red >1")
    assert at.state["marker"] == 0
    assert drawn(at, 0).splitlines()[-1] == "YYYYYYY"
    at.play("centre black >1")
    assert at.scores == [20 + 1 - 14, 1]
    assert at.state["starter"] == 0


def test_the_offer_ends_when_centre_and_factories_are_empty():
    """AZ-A9"""
    at = table(EMPTY, EMPTY, wall="grey", factories=["BBBB"], centre="K")
    at.play("F1 blue >4")
    assert at.state["phase"] == pieces.OFFER
    at.play("centre black >2")
    assert at.state["phase"] == pieces.TILING
    assert refused(at, "centre black >1", 0) == "AZ-A9"


# B. Wall tiling

FIRST_TILING = """
       - | . . . . .
      RR | . . . . .
       Y | . . . . .
    BBBB | . . . . .
     KKK | . . . . .
"""


def test_complete_lines_are_tiled_and_the_others_stay():
    """Example 3 (AZ-W1, AZ-W2)"""
    at = table(FIRST_TILING, EMPTY, centre="W", turn=2)
    at.play("centre white >floor")
    assert at.scores == [2, 0]
    assert lid(at) == {"blue": 3, "red": 1, "white": 1}
    tiled = """
          - | . . . . .
          - | . . . R .
          Y | . . . . .
          - | . . . B .
        KKK | . . . . .
    """
    assert same(drawn(at, 0), tiled)


def test_tiles_placed_above_in_the_same_phase_count():
    """AZ-W1: from top to bottom, each scored at once."""
    above = """
        B | . . . . .
        - | . . . . .
        - | . . . . .
        - | . . . . .
        - | . . . . .
    """
    below = above.replace("-", "WW", 1)
    at = table(below, EMPTY, centre="K", turn=2)
    at.play("centre black >floor")
    assert at.scores == [1 + 2, 0]


def test_the_floor_costs_after_the_gains_and_never_below_zero():
    """AZ-W3"""
    rich = EMPTY.replace("- |", "B |", 1) + "    YYY"
    at = table(rich, EMPTY, centre="K", turn=2, scores=[3, 0])
    at.play("centre black >floor")
    assert at.scores == [3 + 1 - 4, 0]
    assert at.state["lost"].tolist() == [4, 0, 0, 0]
    poor = table(FULL_FLOOR, EMPTY, centre="K", turn=2, scores=[5, 0])
    poor.play("centre black >floor")
    assert poor.scores == [0, 0]
    assert poor.state["lost"][0] == 5


def test_five_floor_spaces_with_the_marker_cost_eight():
    """Example 5 (AZ-W3)"""
    at = table(EMPTY + "    YY*YY", EMPTY, marker="1", centre="K", turn=2, scores=[30, 9])
    at.play("centre black >1")
    assert at.scores == [22, 10]


def test_floor_tiles_go_to_the_lid_and_the_marker_stays():
    """AZ-W4"""
    at = table(EMPTY + "    Y*RR", EMPTY, marker="1", centre="K", turn=2)
    at.play("centre black >2")
    assert lid(at) == {"yellow": 1, "red": 2}
    assert at.state["starter"] == 0
    assert not at.state["floor"].any()


# Points for a placed tile


def test_points_of_the_rulebook():
    """Example 4 (AZ-P1, AZ-P2)"""
    bare = ". . . . . " * 5
    assert points_of(bare, 3, 3) == 1
    across = ". . . . .   . . . . .   X X . . .   . . . . .   . . . . ."
    assert points_of(across, 3, 3) == 3
    down = ". . X . .   . . X . .   . . . . .   . . . . .   . . . . ."
    assert points_of(down, 3, 3) == 3
    both = ". . X . .   . . X . .   X X . X .   . . . . .   . . . . ."
    assert points_of(both, 3, 3) == 7


def test_a_diagonal_neighbour_is_no_neighbour():
    """AZ-P1"""
    assert points_of("X . X . .   . . . . .   X . X . .   . . . . .   . . . . .", 2, 2) == 1


def test_a_gap_ends_a_group_and_edges_do_not_join():
    """AZ-P2"""
    assert points_of("X X . . X   . . . . .   . . . . .   . . . . .   . . . . .", 1, 4) == 2
    assert points_of(". . . . X   X . . . .   . . . . .   . . . . .   . . . . .", 1, 1) == 2
    assert points_of("X X X X .   . . . . X   . . . . X   . . . . X   . . . . X", 1, 5) == 10


# C. Next round


def test_the_lid_is_poured_into_the_empty_bag_when_a_tile_is_wanted():
    """AZ-C1"""
    at = table(EMPTY, EMPTY, phase="deal", factories=["BBBB", "YYYY", "RR"], lid="B16 Y16 R18 K20 W19")
    assert at.legal_moves() == ["white"]
    at.draw("white")
    assert lid(at) == {}
    assert at.state["bag"].tolist() == [16, 16, 18, 20, 19]
    assert at.state["sources"][3].tolist() == [0, 0, 2, 0, 1]


def test_a_bag_that_empties_with_the_last_wanted_tile_stays_empty():
    """AZ-C1: the lid is poured when a tile is wanted, not before."""
    at = table(EMPTY, EMPTY, phase="deal", factories=["BBBB", "YYYY", "RRRR", "KKKK", "WWW"],
               lid="B16 Y16 R16 K16 W16")  # fmt: skip
    at.draw("white")
    assert at.movers == [0]
    assert not at.state["bag"].any()
    assert sum(lid(at).values()) == 80


def bound_boards(spare: int) -> list[str]:
    """Four boards with walls that lack a column and with open lines, which bind all tiles but so many."""
    lines = [[""] * 5 for _ in range(4)]
    for color in range(5):
        left = 4
        for missing, board in enumerate(lines):
            row = (missing - color) % 5
            held = min(row, left)
            board[row] = LETTERS[color] * held
            left -= held
    for _ in range(spare):
        board, row = next((b, r) for b in lines for r in range(5) if len(b[r]) > 1)
        board[row] = board[row][1:]
    return [
        "\n".join(
            f"{board[row] or '-'} | "
            + " ".join("." if column == missing else LETTERS[(column - row) % 5] for column in range(5))
            for row in range(5)
        )
        for missing, board in enumerate(lines)
    ]


def test_with_bag_and_lid_empty_the_round_starts_with_what_there_is():
    """AZ-C1"""
    at = table(*bound_boards(6), phase="deal")
    assert at.state["bag"].sum() == 6
    for _ in range(6):
        assert at.movers == [CHANCE]
        at.draw(at.legal_moves()[0])
    assert at.movers == [0]
    assert at.state["sources"].sum(axis=1).tolist() == [0, 4, 2, 0, 0, 0, 0, 0, 0, 0]


def test_if_no_tile_can_be_dealt_the_game_ends():
    """AZ-C4: all hundred tiles lie in open lines and on walls."""
    start = state(*bound_boards(1), phase="deal")
    color = int(np.flatnonzero(start["bag"])[0])
    at = table(*bound_boards(1), factories=[LETTERS[color]])
    at.play(next(move for move in at.legal_moves() if not move.endswith("floor")))
    assert at.is_over
    assert [line for line in at.log() if "AZ-C4" in line]
    assert not any(rules.full_rows(rules.occupied(at.state, seat)) for seat in range(4))
    assert at.scores == [7 * 4] * 4, "final scoring follows: four columns each"


def test_the_holder_of_the_marker_starts_the_next_round():
    """AZ-C2"""
    at = table(EMPTY, EMPTY + "    *", EMPTY, marker="2", centre="K", turn=3, starter=3)
    at.play("centre black >5")
    assert at.state["starter"] == 1
    assert at.state["marker"] == pieces.ON_CENTRE
    at.draw("blue " * 20 + "red " * 8)
    assert at.movers == [1]


def test_if_nobody_takes_the_marker_the_start_player_stays():
    """AZ-C3"""
    at = table(EMPTY, EMPTY, factories=["BBBB", "KKKK"], starter=2, turn=1)
    at.play("F1 blue >4")
    at.play("F2 black >4")
    assert at.state["starter"] == at.state["turn"] == 1
    assert at.state["round"] == 3
    assert "AZ-C3" in at.log()[-1]


def test_a_game_that_nobody_can_end_stops_after_round_30():
    """AZ-C5"""
    for round_number, over in ((29, False), (30, True)):
        at = table(EMPTY, EMPTY, factories=["BBBB"], round=round_number)
        at.play("F1 blue >5")
        assert at.is_over is over
        assert any("AZ-C5" in line for line in at.log()) is over


# End

ALMOST = """
        W | B Y R K .
        - | . . . . .
        - | . . . . .
        - | . . . . .
        - | . . . . .
"""


def test_the_game_ends_after_the_tiling_in_which_a_row_was_completed():
    """AZ-E1"""
    at = table(ALMOST, EMPTY, centre="BB", factories=["KKKK"], turn=2)
    at.play("F1 black >4")
    assert not at.is_over
    at.play("centre blue >2")
    assert at.is_over
    assert at.scores == [5 + 2 - 1 + 2, 1]
    assert refused(at, "centre blue >2", 0) == "AZ-E1"


def test_the_last_round_is_announced_as_soon_as_the_board_shows_it():
    """AZ-E1"""
    words, names = Table("azul").words, ("Ania", "Bartek")
    almost = state(ALMOST, EMPTY, factories=["KKKK"])
    said = "This is the last round: Ania will complete a row."
    assert tell.say_last_round(tell.find_finisher(almost), names, words) == said
    assert (
        tell.say_last_round(tell.find_finisher(state(EMPTY, EMPTY, factories=["KKKK"])), names, words) == ""
    )
    blocked = ALMOST.replace(". . . . .", ". . . . W", 1)
    assert (
        tell.say_last_round(
            tell.find_finisher(state(blocked, EMPTY, factories=["KKKK"], wall="grey")), names, words
        )
        == ""
    )


def test_a_column_does_not_end_the_game():
    """AZ-E1"""
    tall = """
        - | B . . . .
        - | W . . . .
        - | K . . . .
        - | R . . . .
    YYYYY | . . . . .
    """
    at = table(tall, EMPTY, centre="B", turn=2)
    at.play("centre blue >2")
    assert not at.is_over
    assert at.scores == [5, 0]


def test_bonus_for_rows_columns_and_colours():
    """AZ-E2"""
    rich = """
        W | B Y R K .
        - | W B Y R .
        - | K W B . .
        - | R K . B .
    YYYYY | . . . . B
    """
    at = table(rich, EMPTY, centre="K", turn=2)
    at.play("centre black >2")
    assert at.is_over
    assert at.tally == {
        "tiles": [5 + 5, 0],
        "floor": [0, 0],
        "rows": [2, 0],
        "columns": [7, 0],
        "colours": [10, 0],
    }
    assert at.scores == [10 + 2 + 7 + 10, 0]


def over(*walls: str, scores: list[int]) -> Table:
    """A finished game with these points."""
    return table(*walls, phase="over", scores=scores, wall="grey", round=30)


ROW = EMPTY.replace(". . . . .", "B Y R K W", 1)
TWO_ROWS = ROW.replace(". . . . .", "W B Y R K", 1)


@pytest.mark.parametrize(
    ("walls", "scores", "ranks"),
    [
        ((ROW, EMPTY), [30, 31], [2, 1]),
        ((ROW, EMPTY), [31, 31], [1, 2]),
        ((ROW, ROW), [31, 31], [1, 1]),
        ((ROW, TWO_ROWS, EMPTY), [31, 31, 40], [3, 2, 1]),
        ((ROW, TWO_ROWS, ROW, EMPTY), [31, 31, 31, 0], [2, 1, 2, 4]),
        ((ROW, ROW, EMPTY, EMPTY), [9, 9, 9, 9], [1, 1, 3, 3]),
    ],
)
def test_ties_go_to_more_rows_and_are_shared_after_that(walls, scores, ranks):
    """AZ-E3"""
    assert over(*walls, scores=scores).ranks == ranks


def test_spaces_and_capitals_do_not_matter():
    for text in ("f3BLUE>4", "F3  blue  >  4", "f3 Blue> 4"):
        assert write_move(parse_move(" ".join(text.split()))) == "F3 blue >4"


def test_moves_have_one_text_each():
    texts = [write_move(move) for move in range(pieces.MOVES)]
    assert len(set(texts)) == pieces.MOVES
    assert [parse_move(text) for text in texts] == list(range(pieces.MOVES))


def test_options_of_a_position():
    assert rules.options_of(state(EMPTY, EMPTY, wall="grey", factories=["BBBB"])) == {"wall": "grey"}
    assert "wall grey" in position(EMPTY, EMPTY, wall="grey")
