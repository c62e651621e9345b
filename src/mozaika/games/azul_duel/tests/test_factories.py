"""The factories: filled, and emptied from the sun and the moon."""

from itertools import product

import pytest

from mozaika.games.azul_duel import pieces
from mozaika.games.azul_duel.dome import free_columns, space_at, special_after
from mozaika.games.azul_duel.lines import penalty
from mozaika.games.azul_duel.pieces import COLORS, LETTERS
from mozaika.games.azul_duel.tests.boards import BOTH_CHIPS, Duel, duel


def test_stack_the_rest_of_a_small_factory_and_spread_the_rest_of_the_large_one():
    """Example 2 (AD-T1)"""
    at = duel(sun=["TTKY", "-", "-", "-", "TTRKK"], moon=["-", "RY"], chips="? ? - -", chosen=(1, 1))
    at.play("F1 turquoise >2")
    assert at.state["line_count"][0].tolist() == [0, 2, 0, 0, 0, 0]
    assert at.movers == [0]
    assert at.legal_moves() == ["stack YK", "stack KY"]
    assert at.refuses("moon yellow >1") == "AD-T1"
    assert at.refuses("stack KR") == "AD-T1"
    at.play("stack KY")
    assert at.field("moon") == "KY RY - - -"
    at.play("large turquoise >2")
    assert at.field("moon") == "KY RY - - RKK"
    assert at.field("sun") == "- - - - -"
    assert at.field("marker") == "large"


def moon_tops() -> Duel:
    return duel(moon=["KY", "RY", "-", "-", "RKK"], chips="? ? - -", chosen=(1, 1))


def test_the_moon_sides_offer_their_tops():
    """Example 3 (AD-T3, AD-T4): one red, two black or two yellow; the yellow ones leave the marker."""
    for color, count, marker, moon in (
        ("red", 1, "1", "KY RY - - KK"),
        ("black", 2, "1", "KY RY - - R"),
        ("yellow", 2, "large", "K R - - RKK"),
    ):
        at = moon_tops()
        assert {move.split()[1] for move in at.legal_moves()} == {"yellow", "red", "black"}
        assert at.refuses("moon blue >1") == "AD-T3"
        at.play(f"moon {color} >4")
        assert at.state["line_count"][0, 3] == count
        assert at.field("marker") == marker
        assert at.field("moon") == moon


@pytest.mark.parametrize(
    ("sun", "color", "orders"),
    [
        ("BBBY", "blue", ["Y"]),
        ("BBYY", "blue", ["YY"]),
        ("BYYY", "blue", ["YYY"]),
        ("BYYR", "blue", ["YYR", "YRY", "RYY"]),
        ("BYRK", "blue", ["YRK", "YKR", "RYK", "RKY", "KYR", "KRY"]),
        ("BYR", "blue", ["YR", "RY"]),
        ("YRR", "yellow", ["RR"]),
    ],
)
def test_the_order_of_the_rest_is_asked_for_only_where_it_matters(sun, color, orders):
    """AD-T1: also on a factory that got fewer tiles (AD-N4)."""
    at = duel(sun=[sun])
    at.play(f"F1 {color} >6")
    if len(orders) == 1:
        assert at.field("moon").split()[0] == orders[0]
        assert at.movers == [1]
        return
    assert at.legal_moves() == [f"stack {order}" for order in orders]
    at.play(f"stack {orders[-1]}")
    assert at.field("moon").split()[0] == orders[-1]
    assert at.movers == [1]


def test_only_colours_that_lie_there_can_be_taken():
    """AD-T1"""
    at = duel(sun=["BBYY", "-", "-", "-", "KK"])
    assert at.refuses("F1 red >1") == "AD-T1"
    assert at.refuses("F2 blue >1") == "AD-T1"
    assert at.refuses("large blue >1") == "AD-T1"
    assert at.refuses("stack BY") == "AD-T1"


def test_at_most_one_tile_of_each_stack():
    """AD-T3: the next tile is uncovered, even if it has the same colour; not the top of every stack."""
    at = duel(moon=["BB", "BBB", "KR", "BK", "-"])
    at.play("moon blue >6")
    assert at.field("moon") == "B BB KR BK -"
    assert at.state["line_count"][0, 5] == 2
    at.play("moon blue >6")
    assert at.field("moon") == "- B KR BK -"


def test_the_marker_goes_to_the_first_who_takes_from_the_large_moon():
    """AD-T4: not to the second, not for small moons, not for sun sides; it costs 2, not 1."""
    at = duel(moon=["Y", "-", "-", "-", "RKKB"], sun=["-", "BBBB"], chips="? ? - -", chosen=(1, 1))
    at.play("moon yellow >1")
    at.draw("chip T")
    at.play("F2 blue >4")
    at.draw("chip T")
    assert at.field("marker") == "large"
    at.play("moon black >2")
    assert at.field("marker") == "1"
    at.play("moon red >1")
    assert at.field("marker") == "1"
    assert penalty(at.state, 0) == 2
    assert penalty(at.state, 1) == 0


def test_taking_moon_tiles_large_and_small_at_once_takes_the_marker():
    """AD-T4"""
    at = duel(moon=["K", "-", "-", "-", "K"])
    at.play("moon black >2")
    assert at.field("marker") == "1"
    assert at.state["line_count"][0, 1] == 2


@pytest.mark.parametrize("large", ["BBBBB", "KKKK", "R"])
def test_a_take_that_leaves_nothing_for_the_large_moon_takes_the_marker(large):
    """AD-T5: five equal tiles, or any other take that empties the large sun side."""
    at = duel(sun=["BYRK", "-", "-", "-", large], turn=2)
    color = COLORS[LETTERS.index(large[0])]
    at.play(f"large {color} >6")
    assert at.field("marker") == "2"
    assert at.field("moon") == "- - - - -"


def test_a_large_factory_without_tiles_leaves_the_start_player():
    """AD-T5: nobody takes the marker or pays for it, and the start player stays the same."""
    at = duel(moon=["R"], chips="? - - -", chosen=(2, 1), starter=2, turn=2)
    at.play("moon red >1")
    at.draw("chip T")
    assert at.movers == [1]
    at.play("chip F1")
    assert at.state["round"] == 3
    assert (at.state["starter"], at.state["turn"], at.state["marker"]) == (1, 1, pieces.ON_LARGE)
    assert at.state["lost"].tolist() == [0, 0]


def test_the_large_factory_is_filled_first():
    """AD-N2: then the small ones one after the other, with a face-down chip each."""
    at = duel(round=5, phase="deal", dealt=0, chips="- - - -", chosen=(0, 0))
    at.draw("blue, blue, red, red, red, yellow, yellow, yellow, yellow, black")
    assert at.field("sun") == "YYYY K - - BBRRR"
    assert at.field("chips") == "- - - -"
    at.draw(", ".join(["turquoise"] * 11))
    assert at.field("sun") == "YYYY KTTT TTTT TTTT BBRRR"
    assert at.field("chips") == "? ? ? ?"
    assert at.state["phase"] == pieces.ACQUIRE


def dealing(bag: str) -> Duel:
    """Round 5 before a tile is dealt; what is not in the bag is in the tower, or in lines."""
    return duel(round=5, phase="deal", dealt=0, bag=bag, chips="- - - -", chosen=(0, 0))


def test_the_tower_is_poured_into_the_bag_in_the_middle_of_the_deal():
    """AD-N2: when a tile is wanted and the bag is empty, not before."""
    at = dealing("B3")
    at.draw("blue, blue")
    assert at.field("bag") == "B1"
    at.draw("blue")
    assert at.field("bag") == "B10 Y13 R13 K13 T13"
    assert at.field("tower") == "-"
    at.draw("red, red")
    assert at.field("sun") == "- - - - BBBRR"


def test_the_tower_stays_if_the_last_tile_was_the_last_wanted():
    """AD-N2"""
    at = dealing("B13 Y8")
    at.draw(", ".join(["blue"] * 4 + ["yellow"] * 8 + ["blue"] * 9))
    assert at.state["phase"] == pieces.ACQUIRE
    assert at.field("bag") == "-"
    assert at.field("tower") == "Y5 R13 K13 T13"


def test_five_equal_tiles_stay_if_the_bag_holds_no_other_colour():
    """AD-N3: the tower does not matter; and whoever takes them takes the marker (AD-T5)."""
    at = dealing("B7")
    at.draw("blue, blue, blue, blue, blue")
    assert at.field("sun") == "- - - - BBBBB"
    at.draw("blue, blue")
    assert at.field("bag") == "B6 Y13 R13 K13 T13"
    at.draw(", ".join(["yellow"] * 13 + ["red"]))
    at.play("large blue >5")
    assert at.field("marker") == "1"
    assert at.movers == [1]


def test_five_equal_tiles_from_bag_and_tower_are_drawn_again():
    """AD-N3: after the tower was poured the bag holds other colours."""
    at = dealing("B3")
    at.draw("blue, blue, blue, blue, blue")
    assert at.field("sun") == "- - - - -"
    assert at.field("bag") == "B13 Y13 R13 K13 T13"


def short_supply(bag: str) -> Duel:
    """Round 5 before a tile is dealt, with so many tiles on the boards that only the bag has some.

    No line is complete and each has a space in its dome row, or it would have moved or broken (AD-W3).
    """
    at = dealing(bag)
    tower, tiles = at.state["tower"], at.state["tile"]
    for seat, row in product(range(2), range(1, 6)):
        fitting = [color for color in range(5) if free_columns(at.state, seat, row, color)]
        color = max(fitting, key=lambda color: int(tower[color]))
        at.state["line_color"][seat, row], at.state["line_count"][seat, row] = color, row
        tower[color] -= row
    for seat, space, color in product(range(2), range(36), range(5)):
        row, column = divmod(space, 6)
        fits = space_at(at.state, seat, row, column) in (color, pieces.WILD)
        if not fits or not tower[color] or tiles[seat, space]:
            continue
        tiles[seat, space] = color + 1
        own = int(at.state["line_color"][seat, row])
        stuck = at.state["line_count"][seat, row] and not free_columns(at.state, seat, row, own)
        if stuck or special_after(at.state, seat, row, column) >= 0:
            tiles[seat, space] = 0
        else:
            tower[color] -= 1
    assert at.field("tower") == "-"
    return at


def test_when_bag_and_tower_are_empty_the_round_starts_with_what_there_is():
    """AD-N4: the chip of a small factory without tiles is face up at once."""
    at = short_supply("B3")
    at.draw("blue, blue, blue")
    assert at.field("sun") == "- - - - BBB"
    assert at.field("chips") == "turning turning turning turning"
    assert at.state["phase"] == pieces.ACQUIRE
    at.draw("chip B, chip Y, chip B, chip Y")
    assert at.field("chips") == "B Y B Y"
    at.play("chip F4")
    at.play("large blue >broken")
    assert at.field("marker") == "2"


def test_a_short_supply_fills_the_factories_in_their_order():
    """AD-N4, AD-N2"""
    at = short_supply("B3 Y7 T4")
    at.draw("blue, yellow, yellow, blue, blue, turquoise, turquoise, turquoise, turquoise")
    at.draw("yellow, yellow, yellow, yellow, yellow")
    assert at.field("sun") == "TTTT YYYY Y - BBBYY"
    assert at.field("chips") == "? ? ? turning"


def test_without_any_tile_the_chips_are_the_round():
    """AD-N4, AD-T5: no tile at all, so nobody takes the marker."""
    at = duel(round=4, chips="B - - -", chosen=(2, 1), turn=2, starter=2)
    at.state["bag"][:] = 0  # as if all tiles lay on the boards
    at.play("chip F1")
    assert at.state["round"] == 5
    assert at.field("chips") == "turning turning turning turning"
    at.draw("chip B, chip Y, chip R, chip Y")
    for factory in (1, 2, 3, 4):
        at.play(f"chip F{factory}")
    assert at.state["phase"] == pieces.OVER
    assert at.state["lost"].tolist() == [0, 0]
    assert at.state["marker"] == pieces.ON_LARGE


def test_the_holder_of_the_marker_returns_it_and_starts():
    """AD-N5"""
    at = duel(moon=["-", "-", "-", "-", "K"], turn=2, starter=1, **BOTH_CHIPS)
    at.play("moon black >1")
    assert (at.state["starter"], at.state["turn"]) == (1, 1)
    assert at.field("marker") == "large"
    assert at.scores == [5, 5 + int(at.state["tiled"][1]) - 2]
