"""Positions that cannot be are refused with a sentence that says why."""

from random import Random

import pytest

from mozaika.games.azul.notation import parse_position, write_position
from mozaika.games.azul.possible import wall_points
from mozaika.games.azul.rules import placement_points
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
BARE_WALL = " ".join(["....."] * 5)
DEALT = (
    "azul 2; wall coloured; round 1; phase offer; starter 1; turn 1; marker centre; bag B16 Y16 R16 K16 W16; "
    "lid -; centre -; factories BYRK BYRW BYKW BRKW YRKW; score 0 / 0; lost 0 / 0; "
    f"lines - - - - - / - - - - -; walls {BARE_WALL} / {BARE_WALL}; floors - / -"
)
"""The first round before the first turn."""
TAKEN = {
    "turn 1": "turn 2",
    "centre -": "centre YRK",
    "factories BYRK": "factories -",
    "lines -": "lines B",
}
"""Seat 1 has taken a blue tile."""
LATER = {"round 1": "round 6"}
"""The lid has been poured into the bag."""


def test_newlines_may_stand_between_the_fields():
    assert write_position(parse_position(DEALT.replace("; ", "\n"))) == DEALT


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


def change(text: str, *changes: dict[str, str]) -> str:
    for each in changes:
        for old, new in each.items():
            assert old in text
            text = text.replace(old, new, 1)
    return text


def test_what_a_game_leads_to_is_possible():
    for text in (DEALT, change(DEALT, TAKEN), change(DEALT, LATER)):
        assert write_position(parse_position(text)) == text


WALL = {f"walls {BARE_WALL}": "walls " + BARE_WALL.replace(".....", "B....", 1), "B16": "B15"}
MARKER = {"marker centre": "marker 1", "floors -": "floors *"}


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        # whose turn it is
        ([{"turn 1": "turn 2"}], "it is not the turn of seat 2 (AZ-A1)"),
        ([TAKEN, {"turn 2": "turn 1"}], "it is not the turn of seat 1 (AZ-A1)"),
        ([TAKEN, {"starter 1": "starter 2"}], "it is not the turn of seat 2 (AZ-A1)"),
        ([TAKEN, {"lines B - - - - / -": "lines - - - - - / B"}], "Seat 2 has had too few turns"),
        ([TAKEN, {"lines B": "lines -", "floors - / -": "floors - / B"}], "Seat 2 has had too few turns"),
        # the marker
        ([MARKER], "has taken a tile from the centre (AZ-A3)"),
        ([TAKEN, MARKER], "has taken a tile from the centre (AZ-A3)"),
        # tiles that were dealt
        ([{"B16": "B15", "lines -": "lines B"}], "By now 20 tiles are dealt, so 80 are in the bag (AZ-C1)"),
        ([{"B16": "B15", "lid -": "lid B1"}], "By now 20 tiles are dealt, so 80 are in the bag (AZ-C1)"),
        ([{"round 1": "round 2"}], "By now 40 tiles are dealt, so 60 are in the bag (AZ-C1)"),
        ([{"BYRK": "YRK", "lines -": "lines B"}], "An untouched factory has 4 tiles"),
        ([TAKEN, {"centre YRK": "centre BYRK", "lines B": "lines -"}], "can have left there (AZ-A2)"),
        (
            [LATER, {"BYRK BYRW BYKW BRKW YRKW": "B Y R K W", "B16 Y16 R16 K16 W16": "B19 Y19 R19 K19 W19"}],
            "An untouched factory has 4 tiles, unless bag and lid ran out (AZ-C1)",
        ),
        ([LATER, {"BYRK": "-", "B16 Y16 R16 K16": "B17 Y17 R17 K17"}], "the boards do not hold so many"),
        # tiles that were taken
        ([TAKEN, {"lines B": "lines -", "lid -": "lid B1"}], "from a full floor only (AZ-A7)"),
        ([LATER, {"B16": "B15", "lid -": "lid B1"}], "the lid gets tiles from a full floor only (AZ-A7)"),
        ([LATER, {"B16": "B15", "lines -": "lines B"}], "The tiling empties floors and complete lines"),
        ([LATER, {"B16": "B15", "floors -": "floors B"}], "The tiling empties floors and complete lines"),
        # walls and points
        ([WALL], "Row 1 of seat 1 has more tiles than there were tilings (AZ-W1)"),
        ([WALL, LATER], "The wall of seat 1 has brought 1 points, not 0"),
        ([{"score 0": "score 9999"}], "The wall of seat 1 has brought 0 points, not 9999"),
        ([LATER, WALL, {"score 0": "score 9999"}], "The wall of seat 1 has brought 1 points, not 9999"),
        ([LATER, {"lost 0": "lost 3"}], "The wall of seat 1 has brought 0 points, not 3"),
        # before the offer
        ([{"phase offer": "phase deal", "turn 1": "turn 2", "BYRK BYRW BYKW BRKW YRKW": "- - - - -",
           "B16 Y16 R16 K16 W16": "B20 Y20 R20 K20 W20"}], "The start player begins the round (AZ-C2)"),
        ([{"phase offer": "phase deal", "YRKW": "YRK", "W16": "W17", "starter 1": "starter 2"}],
         "The start player begins the round (AZ-C2)"),
        ([{"round 1": "round 0", "phase offer": "phase choose", "BYRK BYRW BYKW BRKW YRKW": "- - - - -",
           "starter 1": "starter 2", "turn 1": "turn 2", "B16 Y16 R16 K16 W16": "B20 Y20 R20 K20 W20"}],
         "The start player is drawn before the first tile (AZ-S1)"),
        ([{"phase offer": "phase deal", "YRKW": "YRK", "W16": "W16", "lid -": "lid W1"}],
         "By now 19 tiles are dealt, so 81 are in the bag (AZ-C1)"),
    ],
)  # fmt: skip
def test_what_no_game_leads_to_is_refused(changes, sentence):
    with pytest.raises(ValueError) as refusal:
        parse_position(change(DEALT, *changes))
    assert sentence in str(refusal.value)


def test_tiles_on_the_walls_have_left_others_in_the_lid():
    """AZ-W2: a tile in row 2 leaves one of its colour."""
    wall = {
        f"walls {BARE_WALL}": "walls " + BARE_WALL.replace("..... .....", "..... .B...", 1),
        "score 0": "score 1",
    }
    text = change(DEALT, wall, {"round 1": "round 2", "B16 Y16 R16 K16 W16": "B12 Y12 R12 K12 W12"})
    fine = change(text, {"lid -": "lid B3 Y4 R4 K4 W4"})
    assert parse_position(fine)
    with pytest.raises(
        ValueError, match=r"The blue tiles on the walls have left 1 in the lid, not 0 \(AZ-W2\)"
    ):
        parse_position(change(fine, {"lid B3 Y4": "lid Y4", "lines - - - - -": "lines - - - - BBB"}))


@pytest.mark.parametrize("seed", range(40))
def test_the_points_of_a_wall_have_bounds(seed):
    """AZ-P2: whatever the order in which its tiles were laid."""
    random = Random(seed)
    spaces = random.sample(range(25), random.randint(1, 25))
    least, most = wall_points(sum(1 << space for space in spaces))
    assert wall_points(0) == (0, 0)
    for _ in range(60):
        random.shuffle(spaces)
        filled = points = 0
        for space in spaces:
            points += placement_points(filled, *divmod(space, 5))
            filled |= 1 << space
        assert least <= points <= most
