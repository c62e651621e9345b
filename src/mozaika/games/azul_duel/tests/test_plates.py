"""The dome plates: taken, drawn, placed and put back."""

from itertools import product

from mozaika.games.azul_duel import pieces
from mozaika.games.azul_duel.dome import space_at
from mozaika.games.azul_duel.notation import split_placing
from mozaika.games.azul_duel.pieces import LETTERS
from mozaika.games.azul_duel.tests.boards import BOTH_CHIPS, acquiring, duel, legal, weights
from mozaika.state import CHANCE


def test_a_plate_turns_clockwise():
    """AD-B3, AD-A1"""
    at = acquiring()
    turned = ["k*tr", "tkr*", "rt*k", "*rkt"]  # plate 5 is K* above TR
    for turn, drawn in enumerate(turned):
        after = at.copy()
        after.play(f"plate 5 >s1 turn {turn}")
        spaces = [space_at(after.state, 0, row, column) for row, column in product(range(2), repeat=2)]
        assert "".join((LETTERS + "?*")[space] for space in spaces).lower() == drawn


def test_a_plate_goes_to_any_empty_slot_and_never_moves_again():
    """AD-A1: any of four turns; a token is used; the same colours may meet."""
    at = acquiring()
    assert at.refuses("plate 5 >s9 turn 0") == "AD-A1"
    placings = [move for move in at.legal_moves() if move.startswith("plate")]
    assert len(placings) == 3 * 8 * 4
    at.play("plate 5 >s8 turn 2")
    assert at.field("domes").split(" / ")[0] == "- - - - - - - 5t2 2t1"
    assert at.field("tokens") == "1 / 2"


def test_the_display_is_not_refilled_during_the_round():
    """AD-A2"""
    at = acquiring()
    assert at.field("shown") == "3 7 5"
    at.play("plate 7 >s1 turn 0")
    assert at.field("shown") == "3 - 5"
    assert at.refuses("plate 7 >s2 turn 0") == "AD-A2"
    at.play("plate 3 >s2 turn 0")
    assert at.field("shown") == "- - 5"
    assert at.movers == [0]


def test_draw_two_plates_place_one_and_return_the_other():
    """Example 1 (AD-A3): 5 points become 3."""
    at = acquiring()
    assert at.field("top") == "wild"
    at.play("draw")
    assert at.scores == [4, 5]
    assert at.field("tokens") == "1 / 2"
    assert at.field("hand") == "wild"
    at.draw("back special")
    assert at.legal_moves() == ["draw", "stop"]
    at.play("draw")
    at.draw("back wild")
    at.play("stop")
    assert at.scores == [3, 5]
    assert weights(at.state) == {f"face {plate}": 1 for plate in (4, 6, 10, 12, 14, 15, 17)}
    at.draw("face 10, face 8")
    assert {split_placing(move)[0] for move in legal(at.state, 0)} == {8, 10}
    at.play("plate 8 >s1 turn 3")
    assert at.field("under") == "10@1=-+"
    assert at.field("hand") == "-"
    assert at.movers == [1]


def test_one_plate_at_a_time_as_often_as_one_likes_and_the_rest_in_any_order():
    """AD-A3: the others go under the stack in the order in which they are returned, and come up in it."""
    at = acquiring()
    at.play("draw")
    for back in ("wild", "special", "special"):
        at.draw(f"back {back}")
        at.play("draw")
    at.draw("back wild")
    at.play("stop")
    at.draw("face 4, face 6, face 8, face 9")
    at.play("plate 6 >s2 turn 0")
    assert at.legal_moves() == ["return 4", "return 8", "return 9"]
    assert at.refuses("return 6") == "AD-A3"
    assert at.refuses("plate 4 >s3 turn 0") == "AD-A3"
    at.play("return 9")
    assert at.movers == [0]
    at.play("return 4")
    assert [plate.split("@")[0] for plate in at.field("under").split()] == ["9", "4", "8"]
    assert at.movers == [1]


def test_when_the_stack_is_drawn_out_the_plates_are_looked_at():
    """AD-A3: plates that were returned come up last, without a draw of chance."""
    at = duel(round=3, tokens=(1, 0), unseen="4", under="9@1=-+ 8@2=-+ 1@1=-+ 2@2=-+", shown="- - -")
    for hand in ("wild", "wild 9@1=-+", "wild 9@1=-+ 8@2=-+", "wild 9@1=-+ 8@2=-+ 1@1=-+"):
        at.play("draw")
        assert at.field("hand") == hand
        assert at.legal_moves() == ["draw", "stop"]
    at.play("draw")
    assert at.state["phase"] == pieces.LOOK
    for face in (4, 8, 2):
        assert weights(at.state) == {f"face {face}": 1}
        at.draw(f"face {face}")
    assert at.state["phase"] == pieces.CHOICE
    assert at.scores == [0, 5]


def test_a_player_who_draws_only_own_plates_need_not_look():
    """AD-A3: the one who returned a plate knows it, also before it is drawn."""
    at = duel(round=3, tokens=(1, 0), unseen="-", under="9@1=-+ 8@1=-+ 4@1=-+ 1@2=-+ 2@2=-+", shown="- - -")
    at.play("draw")
    assert at.field("hand") == "9@1=-+"
    at.play("stop")
    assert at.state["phase"] == pieces.CHOICE


def test_at_zero_points_a_draw_costs_nothing():
    """AD-A4"""
    at = duel(tokens=(1, 0), scores=(1, 5))
    at.play("draw")
    assert at.scores == [0, 5]
    at.draw("back special")
    at.play("draw")
    assert at.scores == [0, 5]
    assert at.state["paid"].tolist() == [1, 0]


def test_both_tokens_must_be_used_in_each_of_the_first_four_rounds():
    """AD-A5: with nothing else left to do, a plate has to be taken, be it from the stack and at 0 points."""
    at = duel(round=3, tokens=(1, 0), shown="- - -", scores=(0, 5), **BOTH_CHIPS)
    assert at.movers == [0]
    assert at.legal_moves() == ["draw"]
    at.play("draw")
    at.draw("back wild")
    at.play("stop")
    at.play(at.legal_moves()[0], CHANCE)
    at.play(at.legal_moves()[0])
    assert at.state["round"] == 4
    assert at.field("tokens") == "2 / 2"
    assert at.refuses("draw", 0) == "AD-S1"


def test_a_third_plate_is_refused():
    """AD-A5"""
    at = duel(tokens=(0, 2), sun=["-", "-", "-", "-", "BY"])
    assert at.refuses("draw") == "AD-A5"
    assert at.refuses(f"plate {at.field('unseen').split()[0]} >s1 turn 0") == "AD-A5"


def test_no_plates_in_round_five():
    """AD-A5: 2 + 4 * 4 = 18 plates; after round 4 all of them are on the domes."""
    at = duel(round=4, **{**BOTH_CHIPS, "sun": ["-", "-", "-", "-", "B"]})
    assert at.field("unseen") == "-"
    at.play("large blue >6")
    assert at.state["round"] == 5
    assert at.field("tokens") == "0 / 0"
    assert at.state["phase"] == pieces.DEAL
    at.draw("blue, blue, red, black, yellow")
    at.draw(", ".join(["blue, yellow, red, black"] * 4))
    assert at.state["phase"] == pieces.ACQUIRE
    assert at.refuses("draw") == "AD-A5"
    assert at.refuses("plate 1 >s1 turn 0") == "AD-A5"


def test_tokens_come_back_and_the_display_is_refilled():
    """AD-N1"""
    at = duel(round=2, shown="4 - -", sun=["-", "-", "-", "-", "B"], **BOTH_CHIPS)
    at.play("large blue >6")
    assert at.field("tokens") == "2 / 2"
    assert at.field("chosen") == "0 / 0"
    assert at.state["phase"] == pieces.REFILL
    assert {move.split()[0] for move in at.legal_moves()} == {"face"}
    for _ in range(2):
        at.play(at.legal_moves()[0], CHANCE)
        at.play(at.legal_moves()[0], CHANCE)
    assert at.state["phase"] == pieces.DEAL
    assert "-" not in at.field("shown")


def test_plates_that_were_returned_come_to_the_display_in_their_order():
    """AD-N1, AD-A3"""
    at = duel(
        round=2,
        shown="4 - -",
        unseen="6",
        under="9@1=-+ 8@2=-+ 1@1=-+ 2@1=-+ 3@1=-+ 5@1=-+",
        sun=["-", "-", "-", "-", "B"],
        **BOTH_CHIPS,
    )
    at.play("large blue >6")
    at.draw("face 6")
    assert weights(at.state) == {"face 9": 1}
    at.draw("face 9")
    assert at.field("shown") == "4 6 9"
    assert at.field("under").split()[0] == "8@2=-+"
    assert at.field("top") == "-"
    assert at.state["phase"] == pieces.DEAL
