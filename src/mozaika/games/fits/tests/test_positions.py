"""Positions that cannot be are refused with a sentence that says why."""
# ruff: noqa: E501

import pytest

from mozaika.games.fits.notation import parse_position, write_position
from mozaika.games.fits.tests.boards import EMPTY, table

L = "LLLL..\nL....."
MIDDLE = (
    "fits 2; boards 2A; round 1; phase place; starts L5 / T5; card X5; cards FLNPUVWYOtlsiv; "
    "ramps LLLL.. L..... / TTT... .T.... .T....; aside T / -; points - / -; "
    "own rows/......" + "/......" * 11
)


def test_newlines_may_stand_between_the_fields():
    text = table(L, phase="card").position()
    assert write_position(parse_position(text.replace("; ", "\n"))) == text


@pytest.mark.parametrize(
    ("ramps", "fields", "sentence"),
    [
        (("LLLL..\nL.....\n......\nXXX...",), {"phase": "card"}, "cannot have slid to its place on the ramp of seat 1"),
        (("LLL...\nL....L",), {"phase": "card"}, "L5 cannot have slid to its place"),
        ((".X....\nXXX...\n.X....\nLLLL..\nL.....",), {"phase": "card", "starts": "T5"}, "T5 of seat 1 is neither"),
        (("LLLL..\nL.....\nTTT...\n.T....\n.T....",), {"phase": "card"}, "L5 of seat 1 was placed first"),
        ((L,), {"phase": "card", "aside": "L"}, "L5 of seat 1 is on the ramp and set aside"),
        ((L,), {"phase": "card", "cards": "FNPTUVWXYOtlsi"}, "V3 of seat 1 is neither on the ramp nor set aside"),
        ((L,), {"phase": "card", "aside": "X", "cards": "FLNPTUVWXYOtlsiv"}, "X5 of seat 1 has not been turned"),
        ((L,), {"phase": "place"}, "Somebody must still have a piece to place"),
        ((EMPTY,), {"phase": "place", "cards": "FNPTUVWXYOtlsiv"}, "Start pieces are placed before the first card"),
        ((L,), {"phase": "card", "cards": "-"}, "After the last card the round is over"),
        ((L,), {"phase": "card", "card": "X5"}, "A card lies open while it is played"),
        ((L,), {"phase": "place", "card": "X5", "cards": "FLNPTUVWXYOtlsiv"}, "no longer to come"),
        ((L,), {"phase": "deal"}, "Cards are to come only while a round is played"),
        ((L, EMPTY), {"phase": "card", "starts": "L5 / L5"}, "each for one player at most"),
        ((L, EMPTY), {"phase": "card", "starts": "X5 / L5"}, "Start cards are L5, T5, U5, V5"),
        ((EMPTY, EMPTY), {"phase": "deal", "starts": "- / L5", "cards": "-"}, "dealt from the first seat on"),
        ((EMPTY, EMPTY), {"phase": "card", "starts": "L5 / -"}, "Every seat has a start card"),
        ((L, EMPTY), {"phase": "deal", "starts": "L5 / -", "cards": "-"}, "the ramps are empty"),
        ((EMPTY,), {"phase": "place", "round": 0}, "Round 0 is before the first start card"),
        ((EMPTY,), {"phase": "deal", "round": 1, "starts": "-", "cards": "-"}, "Round 0 is before"),
        ((EMPTY,), {"phase": "order", "starts": "-", "cards": "-", "round": 0}, "A ? among the boards"),
        ((EMPTY,), {"phase": "order", "boards": "12?34", "starts": "L5", "cards": "-"}, "before the first round"),
        ((EMPTY,), {"boards": "?12"}, "A ? among the boards"),
        (
            (EMPTY,),
            {"phase": "order", "boards": "1?2", "starts": "-", "round": 0, "cards": "-"},
            "Behind the ? stand two or more boards",
        ),
        ((EMPTY,), {"round": 5}, "“round” is a number from 0 to 4, not “5”"),
        ((EMPTY,), {"phase": "lunch"}, "“phase” is one of order, deal, card, place, over"),
        (("LLLLL",), {}, "A ramp is at most 15 rows of 6 squares"),
        ((L,), {"phase": "card", "points": "1,0,0,0"}, "“points” has 0 rounds for seat 1, not 1"),
        ((EMPTY,), {"boards": "1A"}, "Board A is not drawn"),
        ((EMPTY,), {"boards": "A", "own": "...... ......"}, "“own” is one text without blanks"),
    ],
)  # fmt: skip
def test_impossible_positions(ramps, fields, sentence):
    with pytest.raises(ValueError) as refusal:
        table(*ramps, **fields)
    assert sentence in str(refusal.value)


def test_a_position_in_the_middle_of_a_round_is_read():
    assert parse_position(MIDDLE)["pending"] == 0b11


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("fits 2", "fits 7", "“fits” is a number from 1 to 4, not “7”"),
        ("round 1; ", "", "The position lacks the field “round”"),
        ("round 1; ", "round 1; round 1; ", "The position gives “round” twice"),
        ("round 1; ", "round 1; weather fine; ", "has no field “weather”"),
        ("starts L5 / T5", "starts L5", "“starts” needs 2 values with / between them, not 1"),
        ("card X5", "card Z5", "“card” names pieces"),
        ("cards FL", "cards FF", "each once, or -, not “FF"),
        ("ramps LLLL..", "ramps ...... LLLL..", "begin with the highest piece"),
        ("points - / -", "points x / -", "“points” has 0 rounds for seat 1, not 1"),
    ],
)
def test_texts_that_are_no_position(old, new, sentence):
    assert old in MIDDLE
    with pytest.raises(ValueError) as refusal:
        parse_position(MIDDLE.replace(old, new, 1))
    assert sentence in str(refusal.value)


@pytest.mark.parametrize(
    ("points", "sentence"),
    [
        ("-5,0,0,6", ""),
        ("-5,0,0,3", "The ramp of seat 1 brings -5,0,0,6, not -5,0,0,3 (FI-S7)"),
        ("-5,0,0", "The points of a round come from 4 sources"),
        ("-5,0,0,999", "“points” is a number from -648 to 648, not “999”"),
    ],
)
def test_the_points_of_a_round_that_is_still_on_the_ramp_are_checked(points, sentence):
    text = (
        "fits 1; boards 4; round 1; phase over; starts U5; card -; cards -; ramps ....LL .....L OOF..L OOFFtL YFFttt "
        "YY..WW YvvWW. Y.vW.l i.Tlll iNTTT. iNTVs. NN.Vss NVVV.s U.UPPP UUU.PP; aside X; points " + points
    )
    if not sentence:
        assert write_position(parse_position(text)) == text
        return
    with pytest.raises(ValueError) as refusal:
        parse_position(text)
    assert sentence in str(refusal.value)


def test_after_the_last_round_the_game_is_over():
    text = (
        "fits 1; boards 4; round 1; phase deal; starts U5; card -; cards -; ramps -; aside FLNPTUVWXYOtlsiv; "
        "points -62,0,0,15"
    )
    with pytest.raises(ValueError, match="After the last round the game is over"):
        parse_position(text)
    assert parse_position(text.replace("boards 4", "boards 41"))["phase"] == 1
    with pytest.raises(ValueError, match="The game is over after the last round"):
        parse_position(text.replace("boards 4", "boards 41").replace("phase deal", "phase over"))


@pytest.mark.parametrize(
    ("boards", "points", "sentence"),
    [
        ("12", "-4,8,0,0", ""),
        ("12", "-72,0,0,0", ""),
        ("12", "0,12,0,0", ""),
        (
            "12",
            "1,0,0,0",
            "Uncovered squares bring seat 1 in round 1 on board 1 0 to −72 points, not 1 (FI-S1)",
        ),
        ("12", "-73,0,0,0", "0 to −72 points, not -73"),
        ("12", "0,13,0,0", "Full rows cannot bring seat 1 in round 1 on board 1 13 points (FI-S2)"),
        ("12", "-1,8,0,0", "contradict each other (FI-S2)"),
        ("12", "-30,8,0,0", "contradict each other (FI-S2)"),
        (
            "12",
            "-4,8,3,0",
            "The fields with values cannot bring seat 1 in round 1 on board 1 3 points (FI-S3)",
        ),
        ("12", "-4,8,0,3", "Pairs of symbols cannot bring seat 1 in round 1 on board 1 3 points (FI-S5)"),
        ("21", "-4,0,12,0", ""),
        ("21", "-67,0,0,0", "0 to −66 points, not -67"),
        ("21", "-4,1,0,0", "Full rows cannot bring"),
        ("21", "-4,0,13,0", "The fields with values cannot bring"),
        ("31", "0,0,-20,0", ""),
        ("31", "0,0,-21,0", "The fields with values cannot bring"),
        ("41", "0,0,0,-15", ""),
        ("41", "0,0,0,14", "Pairs of symbols cannot bring"),
        ("41", "0,0,0,18", "Pairs of symbols cannot bring"),
    ],
)
def test_the_points_of_an_earlier_round_are_those_that_its_board_can_bring(boards, points, sentence):
    text = (
        f"fits 1; boards {boards}; round 2; phase place; starts L5; card -; cards FLNPTUVWXYOtlsiv; ramps -; "
    )
    text += f"aside -; points {points}"
    if not sentence:
        assert write_position(parse_position(text)) == text
        return
    with pytest.raises(ValueError) as refusal:
        parse_position(text)
    assert sentence in str(refusal.value)
