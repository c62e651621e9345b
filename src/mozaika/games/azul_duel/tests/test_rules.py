"""Every rule of Azul Duel, by its id; the worked examples of the rulebooks among them."""

from functools import cache
from itertools import combinations, product
from random import Random

import numpy as np
import pytest

from mozaika.game import CHANCE, WATCHER, BadOption
from mozaika.games.azul_duel import pieces, rules
from mozaika.games.azul_duel.notation import (
    list_objectives,
    list_payment,
    parse_move,
    split_placing,
    write_move,
    write_position,
)
from mozaika.games.azul_duel.pieces import CHIP_LETTERS, COLORS, LETTERS, OBJECTIVES, DuelOptions
from mozaika.games.azul_duel.possible import count_chips, count_tiles, list_plates
from mozaika.games.azul_duel.tests.boards import BARE, Duel, duel, legal, tiling, walk, weights

BOTH_CHIPS = {"chips": "- - - -", "chosen": (2, 2)}
"""The chips of a round are taken, so that the last tile or plate ends it."""


def new(**options: str) -> Duel:
    return Duel("azul_duel", draws="told", **options)


def set_up(starter: str = "1") -> Duel:
    """A first round with these plates on display, in which the second player is to choose."""
    at = new(start=starter, objectives="first_game")
    at.draw("back special, face 1, back wild, face 2, back special, face 5, back wild")
    at.draw("blue, blue, red, black, yellow")
    at.draw(", ".join(["blue, yellow, red, black"] * 4))
    return at


def acquiring() -> Duel:
    """The first turn of a first round."""
    at = set_up()
    at.play("plate 1 >s1 turn 0")
    at.draw("face 3, back special")
    at.play("plate 2 >s9 turn 1")
    at.draw("face 7, back wild")
    return at


def empty(lines: str = "- - - - - -", broken: str = "") -> str:
    """A board with these lines and no plates but those that the round wants."""
    return "\n".join(f"{line} | .. .. .." for line in lines.split()) + (f"\n{broken}" if broken else "")


# The box


def test_what_is_in_the_box():
    """AD-B1: 65 tiles, 18 plates, 20 chips, two players with two tokens each."""
    at = new()
    assert count_tiles(at.state) == [13] * 5
    assert list_plates(at.state) == list(range(1, 19))
    assert int(at.state["chips"].sum()) == 20
    assert at.state["tokens"].tolist() == [2, 2]
    assert list(pieces.SEATS) == [2]


def test_a_board():
    """AD-B2: lines of 1 to 6, 36 spaces, four broken tiles that cost 1, 2, 3, 4, and ten chips."""
    for line in range(1, 7):
        at = duel(empty(), sun=["-", "-", "-", "-", "BBBBB"], moon=["B", "B", "B"], chips="? ? ? -")
        at.play(f"large blue >{line}")
        assert at.state["line_count"][0, line - 1] == min(line, 5)
        assert at.state["broken"][0, 0] == max(0, 5 - line) - max(0, 5 - line - 4)
    assert np.diff(pieces.PENALTIES).tolist() == [1, 2, 3, 4]
    assert pieces.STORE == 10 == pieces.CHIPS_A_ROUND * pieces.ROUNDS


def test_plates_and_chips():
    """AD-B3: three different colours and a special or a wild space; a chip shows one or two colours."""
    faces = [sorted(int(space) for space in pieces.SPACES[plate, 0]) for plate in range(1, 19)]
    assert all(len(set(face)) == 4 and sum(space < 5 for space in face) == 3 for face in faces)
    assert [face[3] == pieces.WILD for face in faces] == [bool(kind) for kind in pieces.KIND[1:19]]
    assert sum(face[3] == pieces.SPECIAL for face in faces) == 9
    assert len({(tuple(face)) for face in faces}) == 18
    for color in range(5):
        assert sum(color in face for face in faces) in (10, 11)
        assert sum(int(shows) >> color & 1 for shows in pieces.CHIP_SHOWS) == 3


def test_a_plate_turns_clockwise():
    """AD-B3, AD-A1"""
    at = acquiring()
    turned = ["k*tr", "tkr*", "rt*k", "*rkt"]  # plate 5 is K* above TR
    for turn, drawn in enumerate(turned):
        after = at.copy()
        after.play(f"plate 5 >s1 turn {turn}")
        spaces = [rules.space_at(after.state, 0, row, column) for row, column in product(range(2), repeat=2)]
        assert "".join((LETTERS + "?*")[space] for space in spaces).lower() == drawn


def test_both_start_with_five_points():
    """AD-B4: and there is no upper limit."""
    assert new().scores == [5, 5]
    at = tiling(on_row("YY", "ko .. ..", "yt .. .."), scores=(300, 5))
    assert at.scores == [301, 5]


# Set-up


def fitting(**options: str) -> set[frozenset[str]]:
    """The sets of objectives that may come out."""
    at = new(**options)
    if not at.state["number"]:
        return {frozenset(list_objectives(int(at.state["objectives"])))}
    assert set(weights(at.state).values()) == {1}
    return {frozenset(move.split()[1:]) for move in at.legal_moves()}


def test_three_objectives_each_with_a_random_side():
    """AD-S1: 4 * 2 * 2 * 2 = 32 ways, all equally likely, never two sides of one plate."""
    sets = fitting()
    assert len(sets) == 32
    assert all(len(chosen) == 3 for chosen in sets)
    for chosen in sets:
        assert len({OBJECTIVES.index(name) // 2 for name in chosen}) == 3


def test_four_objectives():
    """AD-S1"""
    assert len(fitting(objectives="4")) == 16
    assert all(len(chosen) == 4 for chosen in fitting(objectives="4"))


def test_the_objectives_of_a_first_game():
    """AD-S1: rows, columns, diagonals; nothing is drawn."""
    assert fitting(objectives="first_game") == {frozenset(("rows", "columns", "diagonals"))}
    assert new(objectives="first_game", start="1").state["phase"] == pieces.REFILL


SIDES = [("random", *OBJECTIVES[2 * plate : 2 * plate + 2], "out") for plate in range(4)]


@pytest.mark.parametrize("number", ["3", "4"])
def test_every_wish_that_fits_is_met_and_every_other_refused(number):
    """AD-S1: all 256 wishes, with a random start player and a chosen one."""
    for wish in product(*SIDES):
        options = {"objectives": number, **{f"plate_{n + 1}": side for n, side in enumerate(wish)}}
        chosen = {side for side in wish if side not in ("random", "out")}
        if len(chosen) > int(number) or wish.count("out") > 4 - int(number):
            with pytest.raises(BadOption) as refusal:
                new(**options)
            numbers = {"number": int(number), "fixed": len(chosen), "out": wish.count("out")}
            assert refusal.value.values == numbers
            continue
        sets = fitting(**options)
        expected = {
            frozenset(side for side in sides if side)
            for sides in product(
                *(
                    ("", *SIDES[n][1:3]) if side == "random" else ("",) if side == "out" else (side,)
                    for n, side in enumerate(wish)
                )
            )
            if sum(map(bool, sides)) == int(number)
        }
        assert sets == expected
        started = new(**options, start="2")
        assert (started.state["phase"] == pieces.AIM) == (len(sets) > 1)
        if len(sets) > 1:
            assert rules.options_of(started.state) == options
            started.play(started.legal_moves()[0], CHANCE)
        assert started.state["phase"] == pieces.REFILL
        assert (started.state["starter"], started.state["turn"]) == (1, 0)


def test_a_first_game_has_no_other_wishes():
    """AD-S1"""
    with pytest.raises(BadOption, match="A first game has its objectives; leave the plates random"):
        new(objectives="first_game", plate_1="five_colors")
    same = dict(zip(("plate_1", "plate_2", "plate_3", "plate_4"), pieces.FIRST_GAME, strict=True))
    assert fitting(objectives="first_game", **same) == fitting(objectives="first_game")


def test_the_options_of_a_game_are_its_objectives():
    """AD-S1"""
    assert rules.options_of(acquiring().state) == {
        "objectives": "3",
        "plate_1": "rows",
        "plate_2": "columns",
        "plate_3": "diagonals",
        "plate_4": "out",
    }
    at = new(objectives="4", start="1")
    at.draw("objectives five_colors edge corners empty_specials")
    assert list(rules.options_of(at.state).values()) == [
        "4",
        "five_colors",
        "edge",
        "corners",
        "empty_specials",
    ]


def test_three_plates_are_shown_and_the_top_back_is_seen():
    """AD-S1: each back by the plates that are left, each face by its back."""
    at = new(start="1", objectives="first_game")
    assert weights(at.state) == {"back special": 9, "back wild": 9}
    at.draw("back special")
    special = [plate for plate in range(1, 19) if not pieces.KIND[plate]]
    assert weights(at.state) == {f"face {plate}": 1 for plate in special}
    at.draw("face 7")
    assert weights(at.state) == {"back special": 8, "back wild": 9}
    at.draw("back special")
    assert weights(at.state) == {f"face {plate}": 1 for plate in special if plate != 7}
    at.draw("face 1, back wild, face 2")
    assert at.field("shown") == "7 1 2"
    at.draw("back wild")
    assert at.state["phase"] == pieces.DEAL
    assert at.refuses("face 3", CHANCE) == "AD-A3"


def test_five_tiles_on_the_large_factory_then_four_on_each_small_one():
    """AD-S2: drawn by weight; the marker lies on the large factory, the chips are face down."""
    at = set_up()
    assert at.field("sun") == "BYRK BYRK BYRK BYRK BBYRK"
    assert at.field("chips") == "? ? ? ?"
    assert at.field("marker") == "large"
    at = new(start="1", objectives="first_game")
    at.draw("back special, face 1, back wild, face 2, back special, face 5, back wild")
    at.draw("blue, blue, red")
    assert weights(at.state) == {"blue": 11, "yellow": 13, "red": 12, "black": 13, "turquoise": 13}


def test_five_equal_tiles_on_the_large_factory_are_drawn_again():
    """AD-S2, AD-N3"""
    at = new(start="1", objectives="first_game")
    at.draw("back special, face 1, back wild, face 2, back special, face 5, back wild")
    for _ in range(3):
        at.draw("red, red, red, red")
        assert at.field("sun") == "- - - - RRRR"
        at.draw("red")
        assert at.field("sun") == "- - - - -"
        assert at.field("bag") == "B13 Y13 R13 K13 T13"
    at.draw("red, red, red, red, blue, red, red, red, red, red")
    assert at.field("sun") == "RRRR R - - BRRRR"


def test_chance_chooses_who_starts_unless_the_owner_does():
    """AD-S3"""
    at = new(objectives="first_game")
    assert weights(at.state) == {"start 1": 1, "start 2": 1}
    at.draw("start 2")
    assert (at.state["starter"], at.state["turn"]) == (1, 0)
    assert new(objectives="first_game", start="1").state["starter"] == 0


@pytest.mark.parametrize("starter", ["1", "2"])
def test_the_other_player_takes_the_first_plate(starter):
    """AD-S3: any shown plate, slot and turn; the display is refilled at once, then the start player does
    it.
    """
    at = set_up(starter)
    first = int(starter) - 1
    other = 1 - first
    assert at.movers == [other]
    assert len(at.legal_moves()) == 3 * 9 * 4
    assert at.refuses("plate 1 >s5 turn 0", first) == "AD-S3"
    assert at.refuses("draw") == "AD-S3"
    assert at.refuses("F1 blue >1") == "AD-S3"
    assert at.refuses("plate 3 >s1 turn 0") == "AD-A2"
    at.play("plate 2 >s5 turn 3")
    assert at.field("shown") == "1 - 5"
    at.draw("face 4, back wild")
    assert at.field("shown") == "1 4 5"
    assert at.movers == [first]
    at.play("plate 4 >s5 turn 1")
    at.draw("face 6, back special")
    assert at.movers == [first]
    assert at.state["phase"] == pieces.ACQUIRE
    assert at.field("shown") == "1 6 5"
    assert at.field("tokens") == "2 / 2"


# Phase 1: turns


def test_players_take_turns_and_a_turn_is_one_action():
    """AD-1: a plate, tiles from a sun side, tiles from the moon sides, or a chip."""
    at = duel(
        sun=["BBYY", "-", "-", "-", "K"], moon=["-", "R"], chips="? ? B -", tokens=(1, 1), scores=(9, 9)
    )
    kinds = {move.split()[0] for move in at.legal_moves()}
    assert kinds == {"F1", "large", "moon", "plate", "draw", "chip"}
    seen = []
    for move in ("chip F3", "moon red >1", "plate * >s1 turn 0", "large black >2"):
        seen.append(at.movers)
        at.play(move.replace("*", at.field("shown").split()[0]))
        if "moon" in move:
            at.draw("chip KB")
    assert seen == [[0], [1], [0], [1]]
    assert at.refuses("F1 blue >1", 1) == "AD-1"
    assert at.refuses("F1 blue >1", WATCHER) == "AD-1"


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


def test_four_equal_tiles_turn_the_chip():
    """Example 4 (AD-T2): what shows up is drawn from the chips that nobody has seen."""
    at = duel(sun=["RRRR", "BYRK"], store=("R K", "B"), chips="? ? BR -", chosen=(1, 0))
    at.play("F1 red >4")
    assert at.movers == [CHANCE]
    assert at.field("chips") == "turning ? BR -"
    drawn = weights(at.state)
    seen = count_chips(at.state)
    assert drawn == {f"chip {name}": 2 - n for name, n in zip(CHIP_LETTERS, seen, strict=True) if n < 2}
    at.draw("chip TY")
    assert at.field("chips") == "TY ? BR -"
    assert at.movers == [1]
    at.play("chip F1")
    assert at.refuses("chip F2", 0) == "AD-D1"


def test_the_last_tile_of_a_small_moon_turns_its_chip():
    """AD-T4: several chips at once, the first factory first."""
    at = duel(moon=["B", "KB", "B", "BK", "BB"], sun=["-"] * 5)
    at.play("moon blue >6")
    assert at.field("moon") == "- K - BK -"
    assert at.field("chips") == "turning ? turning ?"
    assert at.state["line_count"][0, 5] == 5
    at.draw("chip T, chip TY")
    assert at.field("chips") == "T ? TY ?"
    assert at.movers == [1]


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
    assert rules.penalty(at.state, 0) == 2
    assert rules.penalty(at.state, 1) == 0


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


def test_exactly_two_chips_in_a_round():
    """AD-D1"""
    at = duel(chips="B KB - -", chosen=(2, 0), turn=2, sun=["-", "-", "-", "-", "BBYYK"])
    assert at.refuses("chip F3") == "AD-D1"
    at.play("chip F2")
    assert at.field("store") == "- / KB"
    assert at.refuses("chip F1") == "AD-D1"
    at.play("large black >1")
    at.play("chip F1")
    assert at.field("chips") == "- - - -"
    assert at.field("chosen") == "2 / 2"


def test_a_face_down_chip_cannot_be_taken():
    """AD-D1"""
    at = duel(sun=["BBYY"], moon=["-", "R"])
    assert at.refuses("chip F1") == "AD-D1"
    assert at.refuses("chip F2") == "AD-D1"


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


def test_phase_one_ends_when_everything_is_taken():
    """AD-E1: tiles, chips and tokens."""
    at = duel(moon=["-", "-", "-", "-", "K"], chips="B - - -", chosen=(1, 2), tokens=(1, 0))
    at.play("moon black >1")
    assert at.movers == [0]
    at.play("chip F1")
    assert at.movers == [0]
    assert at.refuses("line 1 >c1") == "AD-E1"
    at.play("draw")
    at.draw("back wild")
    at.play("stop")
    at.play(at.legal_moves()[0], CHANCE)
    at.play(at.legal_moves()[0])
    assert at.state["round"] == 3


def test_who_cannot_act_is_skipped_for_the_rest_of_the_phase():
    """AD-E2: the other goes on alone; and nobody passes who could still act."""
    at = duel(chips="B T - -", chosen=(2, 0), turn=2, tokens=(0, 1))
    moves = []
    while at.state["phase"] != pieces.REFILL:
        if at.movers == [CHANCE]:
            at.play(at.legal_moves()[0], CHANCE)
            continue
        assert at.movers == [1]
        moves.append(at.legal_moves()[-1])
        at.play(moves[-1])
    assert moves[:2] == ["chip F2", "chip F1"]
    at = duel(chips="B T - -", chosen=(1, 1))
    at.play("chip F1")
    assert at.movers == [1]


# Phase 2

NO_RED = """
    - | yk yb ot
    - | to ko yb
    - | .. .. ..
    - | .. .. ..
    - | .. .. ..
    - | .. .. ..
"""

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


def on_row(line: str, one: str, two: str, number: int = 2) -> str:
    """A board with one pattern line, and its dome row and the row above or below as they are drawn."""
    rows = ["- | .. .. .."] * 6
    first = (number - 1) // 2 * 2
    rows[first], rows[first + 1] = f"- | {one}", f"- | {two}"
    rows[number - 1] = rows[number - 1].replace("- |", f"{line} |", 1)
    return "\n".join(rows)


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


def with_chips(store: str) -> Duel:
    """Two turquoise in line 3 and three red in line 4, each with one space for its colour."""
    board = """
          - | ko tr ..
          - | yt bo ..
         TT | .. tk ..
        RRR | .. r? ..
          - | .. .. ..
          - | .. .. ..
    """
    return tiling(board, store=(store, "-"))


def test_chips_of_the_rulebook():
    """Example 6 (AD-W4): two half-turquoise chips for line 3, or any three for line 4."""
    at = with_chips("TY RT B")
    assert at.legal_moves() == ["line 3 >c3 pay TY RT", "line 3 stays"]
    other = at.copy()
    at.play("line 3 >c3 pay TY RT")
    assert at.field("tiles").split(" / ")[0].split()[2] == "..T..."
    assert at.field("tower") == "T1"
    assert at.state["tiled"][0] == 1
    assert at.state["round"] == 3
    other.play("line 3 stays")
    assert other.legal_moves() == ["line 4 >c3 pay B TY RT", "line 4 >c4 pay B TY RT", "line 4 stays"]
    other.play("line 4 >c4 pay B TY RT")
    assert other.field("tower") == "R2"
    assert other.field("lines").split(" / ")[0] == "- - TT - - -"


def test_used_chips_are_turned_over_for_good():
    """AD-W4"""
    at = with_chips("TY RT B")
    at.play("line 3 >c3 pay TY RT")
    assert at.field("store").split(" / ")[0] == "B"
    assert {"TY", "RT"} <= set(at.field("spent").split(" / ")[0].split())


def test_what_chips_cannot_do():
    """AD-W4: no chip too many, no chip one does not have, no payment for a complete line."""
    at = with_chips("TY RT B")
    assert at.refuses("line 3 >c3 pay B TY RT") == "AD-W4"
    assert at.refuses("line 3 >c3 pay TY B") == "AD-W4"
    assert at.refuses("line 3 >c3 pay T T") == "AD-W4"
    assert at.refuses("line 3 >c3") == "AD-W4"
    assert at.refuses("line 3 >c4 pay TY RT") == "AD-W4"
    at = tiling(on_row("YY", "ko tr rt", "yt bo y?"), store=("Y TY", "-"))
    assert at.refuses("line 2 >c1 pay Y TY") == "AD-W4"


def test_two_chips_that_do_not_pay_leave_no_choice():
    """AD-W4"""
    assert with_chips("TY B").state["round"] == 3
    assert with_chips("R BR").movers == [0]


def test_an_empty_line_cannot_be_bought():
    """AD-W4: at least one tile must lie there."""
    at = tiling(on_row("-", "ko tr rt", "yt bo y?"), store=("Y Y TY TY", "-"))
    assert at.state["round"] == 3


def test_chips_are_not_spent_on_a_line_without_a_space():
    """AD-W4: only if its tile can be placed at once."""
    at = tiling(on_row("R", "yk yb ..", "to ko .."), store=("R R BR BR", "-"))
    assert at.field("lines").split(" / ")[0].split()[1] == "R"
    assert at.movers == [CHANCE]


def test_several_missing_tiles():
    """AD-W4: two chips for one and three for the other, if they last."""
    board = on_row("KKKK", "yb bt ot", "ko or yb", 6)
    at = tiling(board, store=("K K YK KB", "-"))
    assert at.legal_moves() == ["line 6 >c1 pay K K YK KB", "line 6 stays"]
    assert tiling(board, store=("K K T Y", "-")).state["phase"] != pieces.TILING
    at = tiling(board, round=3, store=("K K T TY R", "-"))
    assert at.legal_moves() == ["line 6 >c1 pay R K K T TY", "line 6 stays"]
    at.play("line 6 >c1 pay R K K T TY")
    assert at.field("tower") == "K3"
    assert at.field("store").split(" / ")[0] == "-"


@cache
def enough(chips: tuple[str, ...], letter: str, missing: int) -> bool:
    """Whether chips pay for so many tiles, said once more as the rulebook says it: tile by tile."""
    if missing == 0:
        return True
    for size in (2, 3):
        for paid in combinations(range(len(chips)), size):
            if size == 3 or all(letter in chips[n] for n in paid):
                rest = tuple(chip for n, chip in enumerate(chips) if n not in paid)
                if enough(rest, letter, missing - 1):
                    return True
    return False


@pytest.mark.parametrize("letter", LETTERS)
def test_payments_are_all_those_from_which_no_chip_can_be_left_out(letter):
    """AD-W4: compared with every subset of random stores, for one to three missing tiles."""
    random = Random(letter)
    state = choice_state()
    for missing, size in product((1, 2, 3), (2, 5, 7, 8)):
        box = [name for name in CHIP_LETTERS for _ in range(2)]
        store = tuple(sorted(random.sample(box, size), key=CHIP_LETTERS.index))
        state["store"][0] = [store.count(name) for name in CHIP_LETTERS]
        state["line_color"][0, 5], state["line_count"][0, 5] = LETTERS.index(letter), 6 - missing
        expected = set()
        for n in range(size + 1):
            for paid in combinations(store, n):
                minimal = not any(enough(paid[:k] + paid[k + 1 :], letter, missing) for k in range(n))
                if enough(paid, letter, missing) and minimal:
                    expected.add(" ".join(paid))
        texts = [write_move(move) for move in legal(state, 0)]
        assert texts[-1] == "line 6 stays"
        assert {text.split(" pay ")[1] for text in texts[:-1]} == expected
        assert rules.can_pay(state, 0, LETTERS.index(letter), missing) == bool(expected)


def choice_state() -> np.void:
    """A state in which line 6 of the first seat is to be completed or not; its row has a wild space."""
    at = tiling(on_row("YYYYY", "tr .. ..", "b? .. ..", 6), store=("Y Y", "-"))
    assert at.state["next_line"][0] == 5
    return at.state.copy()


def test_a_payment_is_written_chip_by_chip():
    """AD-W4"""
    move = parse_move("line 4 >c2 pay KB T KB")
    payment = (move - pieces.TILINGS) // 6 % pieces.PAYMENTS
    assert list_payment(payment) == ["T", "KB", "KB"]
    with pytest.raises(ValueError, match="There are only 2 chips KB"):
        parse_move("line 4 >c2 pay KB KB KB")


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


def test_only_real_tiles_go_to_the_tower():
    """AD-W6: chips replace tiles; one real tile moves to the dome."""
    at = tiling(on_row("K", "yb .. ..", "ko .. .."), store=("K YK", "-"))
    at.play("line 2 >c1 pay K YK")
    assert at.field("tower") == "-"
    at = with_chips("TY RT B")
    at.play("line 3 >c3 pay TY RT")
    assert at.field("tower") == "T1"


# Points


def points_of(dome: str, row: int, column: int) -> int:
    """What a tile scores on a drawn dome."""
    state = rules.new(2, DuelOptions(start="1"))
    state["tile"][0] = [
        0 if space == "." else 1 if space == "X" else pieces.TILE_SPECIAL for space in dome.split()
    ]
    return rules.placement_points(state, 0, row - 1, column - 1)


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


# Phase 3


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
        fitting = [color for color in range(5) if rules.free_columns(at.state, seat, row, color)]
        color = max(fitting, key=lambda color: int(tower[color]))
        at.state["line_color"][seat, row], at.state["line_count"][seat, row] = color, row
        tower[color] -= row
    for seat, space, color in product(range(2), range(36), range(5)):
        row, column = divmod(space, 6)
        fits = rules.space_at(at.state, seat, row, column) in (color, pieces.WILD)
        if not fits or not tower[color] or tiles[seat, space]:
            continue
        tiles[seat, space] = color + 1
        own = int(at.state["line_color"][seat, row])
        stuck = at.state["line_count"][seat, row] and not rules.free_columns(at.state, seat, row, own)
        if stuck or rules.special_after(at.state, seat, row, column) >= 0:
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


# The end


def over(one: str = BARE, two: str = BARE, **fields: object) -> Duel:
    """A game that ends with the last chip of round 5."""
    return tiling(one, two, round=5, **fields)


def test_the_game_ends_after_round_five_with_the_objectives():
    """AD-F1: added up, then never below 0 (AD-P5)."""
    at = over(objectives="rows columns empty_specials", scores=(30, 8))
    assert at.state["phase"] == pieces.OVER
    assert at.movers == []
    empty_specials = [rules.count_spaces(at.state, seat, pieces.SPECIAL, False) for seat in range(2)]
    assert sum(empty_specials) == 9
    assert at.scores == [max(0, 30 - 3 * empty_specials[0]), max(0, 8 - 3 * empty_specials[1])]
    assert rules.why_not(at.state, 0, parse_move("F1 blue >1")) == "AD-F1"


def test_objectives_are_added_up_before_the_score_is_cut_off_at_zero():
    """AD-F1, AD-P5: -3 for each empty special space and 1 for each tile on the edge, at 0 points."""
    at = over(EDGE_TILES, objectives="rows edge empty_specials", scores=(0, 0))
    lost = 3 * rules.count_spaces(at.state, 0, pieces.SPECIAL, False)
    assert lost > 3
    assert at.scores == [0, 0]
    at = over(EDGE_TILES, objectives="rows edge empty_specials", scores=(lost - 1, 0))
    assert at.scores == [3 - 1, 0]


EDGE_TILES = """
    - | YK .. ..
    - | T* .. ..
    - | .. .. ..
    - | .. .. ..
    - | .. .. ..
    - | .. .. ..
"""


@pytest.mark.parametrize(
    ("scores", "marker", "ranks"),
    [
        ((9, 8), "large", [1, 2]),
        ((8, 9), "1", [2, 1]),
        ((9, 9), "1", [1, 2]),
        ((9, 9), "2", [2, 1]),
        ((9, 9), "large", [1, 1]),
    ],
)
def test_a_tie_goes_to_the_holder_of_the_marker(scores, marker, ranks):
    """AD-F1: if nobody holds it, the victory is shared."""
    costs = [2 if marker == str(seat + 1) else 0 for seat in range(2)]
    at = over(scores=(scores[0] + costs[0], scores[1] + costs[1]), marker=marker)
    assert at.scores == list(scores)
    assert at.ranks == ranks


def objective(name: str, dome: str) -> int:
    """What an objective brings for a dome with these tiles, * being a special one."""
    state = rules.new(2, DuelOptions(start="1"))
    spaces = dome.split()
    assert len(spaces) == 36
    state["tile"][0] = [
        0 if space == "." else LETTERS.index(space) + 1 if space in LETTERS else 6 for space in spaces
    ]
    return rules.objective_points(state, 0, OBJECTIVES.index(name))


GAP = ". . . . . .  "
ROW = "B Y R K T *  "
SIX = "B B B B B B  "


def test_rows():
    """AD-O1: 3 for each complete row, special tiles included."""
    assert objective("rows", GAP * 6) == 0
    assert objective("rows", ROW + GAP + SIX + GAP * 2 + "B B B B B .  ") == 6
    assert objective("rows", ROW * 6) == 18


def test_columns():
    """AD-O2: 7 for each complete column."""
    assert objective("columns", ". B . . * .  " * 6) == 14
    assert objective("columns", SIX + ". B . . * .  " * 5) == 14
    assert objective("columns", SIX * 5 + GAP) == 0


def test_diagonals():
    """AD-O3: 10 for each of the two long ones."""
    falling = "B . . . . .  . B . . . .  . . * . . .  . . . B . .  . . . . B .  . . . . . "
    assert objective("diagonals", falling + "B") == 10
    assert objective("diagonals", falling + ".") == 0
    rising = ". . . . . B  . . . . B .  . . . B . .  . . * . . .  . B . . . .  B . . . . ."
    assert objective("diagonals", rising) == 10
    both = "B . . . . B  . B . . B .  . . B B . .  . . B B . .  . B . . B .  B . . . . B"
    assert objective("diagonals", both) == 20


WILD_DOME = """
    - | tr ky rt
    - | b{0} r{1} y{2}
    - | .. .. ..
    - | .. .. ..
    - | .. .. ..
    - | .. .. ..
"""


@pytest.mark.parametrize(("filled", "points"), [("BYR", 6), ("BY?", 0), ("???", 0)])
def test_all_wild_spaces(filled, points):
    """AD-O4: 2 for each, but only if every one is filled; on wild any colour may lie."""
    board = WILD_DOME.format(*filled)
    at = duel(board, round=1, sun=["BYRK"], shown="1 8 -", tokens=(0, 0))
    assert [plate.split("t")[0] for plate in at.field("domes").split()[:3]] == ["3", "4", "14"]
    assert rules.objective_points(at.state, 0, pieces.ALL_WILD) == points


def test_without_wild_spaces_there_are_no_points_for_them():
    """AD-O4"""
    at = duel(NO_RED, round=1, sun=["BYRK"])
    assert rules.objective_points(at.state, 0, pieces.ALL_WILD) == 0


def test_five_colours_in_a_row():
    """AD-O5: at least five different ones, a special tile being one; a gap is allowed."""
    assert objective("five_colors", "B Y R K T .  " + GAP * 5) == 4
    assert objective("five_colors", "B Y R K . *  " + GAP * 5) == 4
    assert objective("five_colors", "B Y R K T *  " + "B Y R K K *  " + GAP * 4) == 8
    assert objective("five_colors", "B Y R K K B  " + GAP * 5) == 0
    assert objective("five_colors", "B Y R * * *  " + GAP * 5) == 0
    assert objective("five_colors", ROW * 6) == 24


def test_the_edge():
    """AD-O6: 1 for each tile on the 20 outer spaces."""
    assert objective("edge", SIX * 6) == 20
    assert objective("edge", GAP + ". B B B B .  " * 4 + GAP) == 0
    assert objective("edge", "B . . . . *  " + GAP * 4 + ". . B . . .  ") == 3


def corners(*filled: int) -> int:
    spaces = ["."] * 36
    for slot in filled:
        first = slot // 3 * 12 + slot % 3 * 2
        for space in (first, first + 1, first + 6, first + 7):
            spaces[space] = "B"
    spaces[8] = "B"
    return objective("corners", " ".join(spaces))


def test_the_corners():
    """AD-O7: 3 for each full upper corner plate, 8 for each lower one."""
    assert [corners(slot) for slot in range(9)] == [3, 0, 3, 0, 0, 0, 8, 0, 8]
    assert corners(0, 2, 6, 8) == 22
    assert objective("corners", "B B . . . .  B . . . . .  " + GAP * 4) == 0


def test_empty_special_spaces():
    """AD-O8: -3 for each; a filled one costs nothing, and special tiles are tiles for the other
    objectives.
    """
    at = duel(NO_RED, round=1, sun=["BYRK"])
    assert rules.objective_points(at.state, 0, pieces.EMPTY_SPECIALS) == -9
    at = duel(NO_RED.replace("yk", "YK", 1).replace("to", "T*", 1), round=1, sun=["BYRK"])
    assert rules.objective_points(at.state, 0, pieces.EMPTY_SPECIALS) == -6
    specials = "* * * * * *  "
    assert [
        objective(name, specials * 6) for name in ("rows", "columns", "diagonals", "edge", "corners")
    ] == [
        18,
        42,
        20,
        20,
        22,
    ]


# Refusals


@pytest.mark.parametrize(
    ("fields", "seat", "move", "rule"),
    [
        ({"sun": ["BBYY"]}, CHANCE, "blue", "AD-N2"),
        ({"sun": ["BBYY"]}, CHANCE, "chip B", "AD-T2"),
        ({"sun": ["BBYY"]}, CHANCE, "face 3", "AD-A3"),
        ({"sun": ["BBYY"]}, CHANCE, "back wild", "AD-A3"),
        ({"sun": ["BBYY"]}, CHANCE, "start 1", "AD-S3"),
        ({"sun": ["BBYY"]}, CHANCE, "objectives rows columns wild", "AD-S1"),
        ({"sun": ["BBYY"]}, 0, "blue", "AD-N2"),
        ({"sun": ["BBYY"]}, 1, "F1 blue >1", "AD-1"),
        ({"sun": ["BBYY"]}, WATCHER, "F1 blue >1", "AD-1"),
        ({"sun": ["BBYY"]}, 0, "line 1 >c1", "AD-E1"),
        ({"sun": ["BBYY"]}, 0, "line 1 stays", "AD-E1"),
        ({"sun": ["BBYY"]}, 0, "stack BY", "AD-T1"),
        ({"sun": ["BBYY"]}, 0, "chip F2", "AD-D1"),
        ({"sun": ["BBYY"], "tokens": (1, 0)}, 0, "stop", "AD-A3"),
        ({"sun": ["BBYY"], "tokens": (1, 0)}, 0, "return 4", "AD-A3"),
        ({"sun": ["BBYY"], "round": 5}, 0, "draw", "AD-A5"),
        ({"sun": ["YY"], "phase": "drawing", "hand": "special"}, 0, "plate 1 >s1 turn 0", "AD-A3"),
        ({"sun": ["YY"], "phase": "drawing", "hand": "special"}, 0, "F1 yellow >1", "AD-A3"),
    ],
)
def test_what_cannot_be_says_why(fields, seat, move, rule):
    """AD-1"""
    at = duel(**fields) if "hand" not in fields else duel(**fields, top="special")
    assert parse_move(move) not in legal(at.state, seat) if seat >= 0 else True
    assert rules.why_not(at.state, seat, parse_move(move)) == rule


def test_before_the_first_turn_nobody_plays():
    """AD-S1"""
    assert rules.why_not(new().state, 0, parse_move("F1 blue >1")) == "AD-S1"


def test_every_refusal_in_random_games_has_a_rule():
    """AD-1: any move of the game that is not legal now, for anybody."""
    known = set()
    random = Random(8)
    every = [
        *range(0, pieces.TILINGS, 7),
        *range(pieces.TILINGS, pieces.MOVES, 3001),
        *range(pieces.STAYS, pieces.MOVES),
    ]
    for state, _, _ in walk(random):
        seat = random.choice((0, 1, CHANCE, WATCHER))
        for move in random.sample(every, 20):
            if seat == WATCHER or move not in legal(state, seat):
                known.add(rules.why_not(state, seat, move))
    assert {rule[:3] for rule in known} == {"AD-"}
    assert len(known) > 12


# Move generation against a second opinion


def is_legal(fields: dict[str, str], text: str) -> bool:
    """Legality in phase 1 said once more, slowly, from the rules' words and the position's text."""
    seat = int(fields["turn"]) - 1
    mine = {key: value.split(" / ")[seat] for key, value in fields.items() if " / " in value}
    if text == "draw":
        return mine["tokens"] != "0" and (fields["unseen"], fields["under"]) != ("-", "-")
    if text.startswith("plate"):
        _, plate, slot, _, _ = text.split()
        free = mine["domes"].split()[int(slot[2]) - 1] == "-"
        return mine["tokens"] != "0" and plate in fields["shown"].split() and free
    if text.startswith("chip"):
        return mine["chosen"] != "2" and fields["chips"].split()[int(text[6]) - 1] not in ("-", "?")
    source, color, target = text.split()
    letter = LETTERS[COLORS.index(color)]
    if source == "moon":
        *stacks, large = fields["moon"].split()
        if letter not in large and not any(stack[-1] == letter for stack in stacks):
            return False
    elif letter not in fields["sun"].split()[4 if source == "large" else int(source[1]) - 1]:
        return False
    if target == ">broken":
        return True
    line = mine["lines"].split()[int(target[1]) - 1]
    return line == "-" or (line[0] == letter and len(line) < int(target[1]))


def test_legal_actions_are_complete():
    """AD-1"""
    texts = [write_move(move) for move in range(pieces.STACKS)]
    texts = [text for text in texts if text.split()[0] not in ("stop", "return")]
    for seed in range(3):
        for state, seat, _ in walk(Random(seed)):
            if state["phase"] == pieces.ACQUIRE and seat != CHANCE:
                at = Duel.from_position(write_position(state), draws="told")
                fields = at.fields
                assert at.legal_moves() == [text for text in texts if is_legal(fields, text)]


def test_moves_have_one_text_each():
    stacks = {
        pieces.STACKS + int(order) for orders in pieces.REST_ORDERS for order in orders[1 : orders[0] + 1]
    }
    stacks.discard(pieces.STACKS)
    aims = [pieces.AIMS + mask for mask in range(256) if mask.bit_count() in (3, 4)]
    moves = [*range(pieces.STACKS), *sorted(stacks), *range(pieces.TILINGS, pieces.STAYS, 101)]
    moves += [*range(pieces.STAYS, pieces.AIMS), *aims, *range(pieces.STARTS, pieces.MOVES)]
    texts = [write_move(move) for move in moves]
    assert len(set(texts)) == len(moves)
    assert [parse_move(text) for text in texts] == moves
    assert [parse_move(text.lower()) for text in texts] == moves


def test_the_largest_choices_fit_the_buffer():
    """AD-W4: ten chips and six spaces; no state of a random game comes near."""
    state = choice_state()
    for _ in range(300):
        box = [name for name in CHIP_LETTERS for _ in range(2)]
        store = Random(1).sample(box, 10)
        state["store"][0] = [store.count(name) for name in CHIP_LETTERS]
    assert len(legal(state, 0)) < pieces.MOST_MOVES


def test_write_position_of_every_phase():
    """AD-1: every phase of the game is met in random games."""
    phases = set()
    for seed in range(4):
        for state, _, _ in walk(Random(seed), bold=0.3):
            phases.add(int(state["phase"]))
            if len(phases) == len(pieces.PHASES):
                break
    assert phases == set(range(len(pieces.PHASES)))
    assert write_position(state).startswith("azul_duel 2; ")
