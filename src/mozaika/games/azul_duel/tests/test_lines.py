"""The pattern lines and the broken tiles."""

import pytest

from mozaika.games.azul_duel.tests.boards import NO_RED, duel, empty, on_row, tiling


def test_one_line_one_colour_and_the_rest_breaks():
    """AD-L1: a full line cannot be chosen; a line is free whatever its dome row shows."""
    at = duel(empty("B YY Y RRR - -"), sun=["YYYB", "-", "-", "-", "RRK"])
    yellow = [move for move in at.legal_moves() if "F1 yellow" in move]
    assert yellow == [f"F1 yellow >{target}" for target in ("broken", 3, 5, 6)]
    assert at.refuses("F1 blue >1") == "AD-L1"
    assert at.refuses("F1 yellow >4") == "AD-L1"
    assert at.refuses("large red >2") == "AD-L1"
    at.play("F1 yellow >3")
    assert at.field("lines").split(" / ")[0] == "B YY YYY RRR - -"
    assert at.field("broken") == "Y / -"


def test_all_may_be_broken_by_choice():
    """AD-L1"""
    at = duel(sun=["YYYB"])
    at.play("F1 yellow >broken")
    assert at.field("broken") == "YYY / -"
    assert at.field("lines").split(" / ")[0] == "- - - - - -"


def test_a_line_whose_row_is_full_may_be_used():
    """AD-L1: even if its tile can never score; here row 1 has three plates without red or wild."""
    at = duel(NO_RED, round=2, sun=["RRBB"])
    at.play("F1 red >1")
    assert at.state["line_count"][0, 0] == 1


def test_the_fifth_broken_tile_goes_to_the_tower():
    """AD-L2"""
    at = duel(empty("- - - - - -", "KKK"), sun=["-", "-", "-", "-", "YYYYB"])
    at.play("large yellow >1")
    assert at.field("broken") == "YKKK / -"
    assert at.field("tower") == "Y2"


@pytest.mark.parametrize(
    ("broken", "marker", "cost"),
    [
        ("KKK", "1", 8),
        ("KK", "large", 3),
        ("K", "large", 1),
        ("KKKK", "large", 10),
        ("KKKK", "1", 12),
        ("", "1", 2),
    ],
)
def test_broken_tiles_and_the_marker_cost_points(broken, marker, cost):
    """Example 8 (AD-P4): three broken tiles and the marker -8, two broken tiles -3. They go to the tower."""
    at = tiling(empty(broken=broken), marker=marker, scores=(20, 20))
    assert at.scores == [20 - cost, 20]
    assert at.field("broken") == "- / -"
    assert at.field("tower") == (f"K{len(broken)}" if broken else "-")


def test_the_score_never_falls_below_zero():
    """AD-P5: what cannot be paid is not owed."""
    at = tiling(empty(broken="KKKK"), marker="1", scores=(7, 5))
    assert at.scores == [0, 5]
    assert at.state["lost"].tolist() == [7, 0]


def test_gains_come_before_losses():
    """AD-P4: at the end of the phase, so the points of the tiles are there to be lost."""
    at = tiling(on_row("YY", "ko .. ..", "yt .. ..") + "\nK", scores=(0, 5))
    assert at.scores == [0, 5]
    assert (at.state["tiled"][0], at.state["lost"][0]) == (1, 5 + 1)
