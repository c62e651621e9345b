"""Positions that cannot be are refused with a sentence that says why."""

import pytest

from mozaika.games.azul.notation import parse_position, write_position
from mozaika.games.azul.tests.boards import EMPTY, position

OFFER = {"factories": ["BBYR"]}
TWICE = """
    - | B . . . .
    - | B . . . .
    - | . . . . .
    - | . . . . .
    - | . . . . .
"""
TWICE_IN_A_ROW = EMPTY.replace(". . . . .", "B . B . .", 1)
LINE_AND_ROW = """
    - | . . . . .
    B | . B . . .
    - | . . . . .
    - | . . . . .
    - | . . . . .
"""
ROW = EMPTY.replace(". . . . .", "B Y R K W", 1)
TILER = EMPTY.replace("- |", "B |", 1)
NOWHERE = """
    - | R . . . .
   RR | . B Y K W
    - | . . . . .
    - | . . . . .
    - | . . . . .
"""


def test_newlines_may_stand_between_the_fields():
    text = position(EMPTY, EMPTY, **OFFER)
    assert write_position(parse_position(text.replace("; ", "\n"))) == write_position(parse_position(text))


@pytest.mark.parametrize(
    ("boards", "fields", "sentence"),
    [
        ((TWICE, EMPTY), {"wall": "grey", **OFFER}, "repeats its colour in the row or column (AZ-G1)"),
        (
            (TWICE_IN_A_ROW, EMPTY),
            {"wall": "grey", **OFFER},
            "repeats its colour in the row or column (AZ-G1)",
        ),
        ((TWICE, EMPTY), OFFER, "is not on its own colour (AZ-B3)"),
        ((LINE_AND_ROW, EMPTY), OFFER, "Line 2 holds the colour of the blue tile in row 2, column 2"),
        ((ROW, EMPTY), OFFER, "A row is complete, so the game is over (AZ-E1)"),
        ((EMPTY, EMPTY), {}, "The offer is over when no tile is left to take (AZ-A9)"),
        ((EMPTY, EMPTY), {"phase": "over", **OFFER}, "so it is still the offer (AZ-A9)"),
        (
            (EMPTY + "  **", EMPTY),
            {"marker": "1", **OFFER},
            "on the floor of its holder and nowhere else (AZ-A3)",
        ),
        ((EMPTY + "  *", EMPTY), OFFER, "on the floor of its holder and nowhere else (AZ-A3)"),
        ((EMPTY, EMPTY), {"marker": "2", **OFFER}, "on the floor of its holder and nowhere else (AZ-A3)"),
        ((EMPTY + "  BBBBBBBB", EMPTY), OFFER, "A floor has 7 spaces, not 8"),
        ((EMPTY.replace("- |", "BB |", 1), EMPTY), OFFER, "Line 1 holds at most 1 tiles of one colour"),
        ((EMPTY.replace("- |", "BY |"), EMPTY), OFFER, "tiles of one colour, not “BY” (AZ-A4)"),
        ((EMPTY, EMPTY), {"factories": ["BBBBB"]}, "“BBBBB” is more than 4 tiles"),
        ((EMPTY, EMPTY), {"factories": ["BBGB"]}, "“factories” has tiles B, Y, R, K, W or -, not “G”"),
        (
            (EMPTY, EMPTY),
            {"phase": "deal", "factories": ["BB", "YY"]},
            "Factories are filled one after the other",
        ),
        ((EMPTY, EMPTY), {"phase": "deal", "factories": ["BBBB"] * 5}, "No tile is to be dealt here (AZ-C1)"),
        ((EMPTY + "  B", EMPTY), {"phase": "deal"}, "the floors are empty (AZ-C2)"),
        ((TILER, EMPTY), {"phase": "deal"}, "A complete line has been tiled before the next round (AZ-W1)"),
        ((EMPTY, EMPTY), {"phase": "choose", "round": 0, "lid": "B1"}, "drawn before the first tile (AZ-S1)"),
        ((TILER, EMPTY), {"phase": "tiling", "tiling": "1 / -"}, "leaves no choice in tiling"),
        ((TILER, EMPTY), {"phase": "tiling", "tiling": "- / -", "wall": "grey"}, "its first complete line"),
        ((TILER, EMPTY), {"phase": "tiling", "tiling": "2 / -", "wall": "grey"}, "its first complete line"),
        (
            (EMPTY, EMPTY),
            {"phase": "tiling", "tiling": "- / -", "wall": "grey"},
            "Somebody must still have a line",
        ),
        (
            (NOWHERE, EMPTY),
            {"phase": "tiling", "tiling": "2 / -", "wall": "grey"},
            "fits nowhere, so it falls",
        ),
        (
            (TILER, EMPTY + "  B"),
            {"phase": "tiling", "tiling": "1 / -", "wall": "grey"},
            "its floor is empty",
        ),
        ((TILER, EMPTY), {"phase": "tiling", "wall": "grey"}, "The position lacks the field “tiling”"),
        ((TILER, EMPTY), {"phase": "tiling", "tiling": "1", "wall": "grey"}, "“tiling” needs 2 values"),
        (
            (EMPTY, EMPTY),
            {"centre": "BYRKW", **OFFER, "factories": ["BYRK"] * 4},
            "can have left there (AZ-A2)",
        ),
        ((EMPTY, EMPTY), {"phase": "over"}, "when a row is complete, and here none is (AZ-E1)"),
        ((ROW + "  B", EMPTY), {"phase": "over", "scores": [9, 9]}, "the floors are empty (AZ-E1)"),
        ((ROW, EMPTY), {"phase": "over"}, "Seat 1 has fewer points than its bonus of 2 (AZ-E2)"),
        ((EMPTY, EMPTY), {"phase": "choose", "round": 0, "scores": [5, 0]}, "before the first tile (AZ-S1)"),
        ((EMPTY, EMPTY), {"tiling": "- / -", **OFFER}, "belongs to the phase tiling"),
        ((EMPTY, EMPTY), {"round": 31, **OFFER}, "“round” is a number from 1 to 30, not “31”"),
        ((EMPTY, EMPTY), {"turn": 3, **OFFER}, "“turn” is a number from 1 to 2, not “3”"),
        ((EMPTY, EMPTY), {"phase": "lunch", **OFFER}, "“phase” is one of choose, deal, offer, tiling, over"),
        ((EMPTY, EMPTY), {"scores": [-3, 0], **OFFER}, "“score” is a number from 0 to 9999, not “-3”"),
    ],
)
def test_impossible_positions(boards, fields, sentence):
    with pytest.raises(ValueError) as refusal:
        parse_position(position(*boards, **fields))
    assert sentence in str(refusal.value)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("azul 2", "azul 7", "“azul” is a number from 2 to 4, not “7”"),
        ("wall coloured", "wall pink", "“wall” is one of coloured, grey, not “pink”"),
        ("round 2", "round two", "“round” is a number from 1 to 30, not “two”"),
        ("round 2; ", "", "The position lacks the field “round”"),
        ("round 2; ", "round 2; round 2; ", "The position gives “round” twice"),
        ("round 2; ", "round 2; weather fine; ", "has no field “weather”"),
        ("bag B18", "bag B17", "There are 20 blue tiles in the box, not 19 (AZ-B1)"),
        ("bag B18", "bag B18 B18", "“bag” counts each colour once"),
        ("bag B18", "bag x", "“bag” counts each colour once, as in “B12 Y9”, not “x”"),
        ("factories BBYR - - - -", "factories BBYR -", "With 2 players there are 5 factories, not 2"),
        ("lines - - - - -", "lines - -", "A board has 5 lines, not 2"),
        ("walls .....", "walls ...", "A wall is five rows of five spaces"),
    ],
)
def test_texts_that_are_no_position(old, new, sentence):
    text = position(EMPTY, EMPTY, **OFFER)
    assert old in text
    with pytest.raises(ValueError) as refusal:
        parse_position(text.replace(old, new, 1))
    assert sentence in str(refusal.value)
