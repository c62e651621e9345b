"""The box and the set-up of Azul Duel, rule by rule."""

from itertools import product

import numpy as np
import pytest

from mozaika.games.azul_duel import pieces
from mozaika.games.azul_duel.notation import list_objectives
from mozaika.games.azul_duel.pieces import OBJECTIVES
from mozaika.games.azul_duel.setup import options_of
from mozaika.games.azul_duel.tests.boards import (
    acquiring,
    duel,
    empty,
    new,
    on_row,
    set_up,
    tiling,
    weights,
    with_plates,
)
from mozaika.games.azul_duel.validity import count_tiles, list_plates
from mozaika.options import BadOption
from mozaika.state import CHANCE


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


def test_both_start_with_five_points():
    """AD-B4: and there is no upper limit."""
    assert new().scores == [5, 5]
    at = tiling(on_row("YY", "ko .. ..", "yt .. .."), scores=(300, 5))
    assert at.scores == [301, 5]


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
            assert options_of(started.state) == options
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
    assert options_of(acquiring().state) == {
        "objectives": "3",
        "plate_1": "rows",
        "plate_2": "columns",
        "plate_3": "diagonals",
        "plate_4": "out",
    }
    at = new(objectives="4", start="1")
    at.draw("objectives five_colors edge corners empty_specials")
    assert list(options_of(at.state).values()) == [
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
    at = with_plates()
    at.draw("blue, blue, red")
    assert weights(at.state) == {"blue": 11, "yellow": 13, "red": 12, "black": 13, "turquoise": 13}


def test_five_equal_tiles_on_the_large_factory_are_drawn_again():
    """AD-S2, AD-N3"""
    at = with_plates()
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
