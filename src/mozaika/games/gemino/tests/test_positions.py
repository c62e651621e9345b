"""Positions that cannot be are refused with a sentence that says why."""

import re

import pytest

from mozaika.games.gemino import GAME
from mozaika.games.gemino.notation import parse_position, write_position
from mozaika.games.gemino.tests.boards import EMPTY, position, with_tiles
from mozaika.table import Table

LINE = "1 1 1 1 . .    . . . . . .\n" + EMPTY[27:]
ONE_BOARD = """
    1 . 1 . 1 .    . . . . . .
    1 . 1 . 1 .    . . . . . .
    . 1 . . . 1    . . . . . .
    . 1 . 1 . 1    . . . . . .
    1 . . . 1 .    . . . . . .
    . . 1 . . .    . . . . . .
"""
FIFTEEN = ONE_BOARD.replace(".    .", ".    1", 1)


def test_newlines_may_stand_between_the_fields():
    text = position()
    assert write_position(parse_position(text.replace("; ", "\n"))) == text


def test_anybody_can_set_up_a_position():
    """How it came about is not asked: here seat 2 has not played at all."""
    drawn = "1 . . . . .    . 1 . . 3 .\n" + EMPTY[27:]
    assert Table.from_position(position(drawn, turn=2)).legal_moves()


@pytest.mark.parametrize(
    ("drawn", "fields", "sentence"),
    [
        (LINE, {}, "Seat 1 has a line on board 1, which would have scored (GE-P1)"),
        (FIFTEEN, {"seats": 2}, "Seat 1 has more than 14 tiles (GE-B1)"),
        (ONE_BOARD, {"points": "1 0 / 0 0 / 0 0"}, "Seat 1 has more than 14 tiles (GE-B1)"),
        (ONE_BOARD, {}, "Seat 1 has no tile in hand and none on board 2"),
        (EMPTY, {"points": "1 2 / 0 0 / 0 0"}, "Whoever has 3 points has won at once"),
        (EMPTY, {"points": "4 4 / 0 0 / 0 0", "phase": "over"}, "as in “1 0”, not “4 4”"),
        (EMPTY, {"points": "3 2 / 0 0 / 0 0", "phase": "over"}, "Whoever won had 2 points at most before"),
        (with_tiles("a1"), {"round": 1}, "Seat 1 has had 0 turns, too few for its 1 tiles"),
        (with_tiles("a1", of=2), {"round": 1, "turn": 2}, "Seat 2 has had 0 turns"),
        (with_tiles("a1", "b1"), {"round": 1, "turn": 2}, "Seat 1 has had 1 turns, too few for its 2 tiles"),
        (
            EMPTY,
            {"round": 4, "points": "0 0 / 0 1 / 0 0"},
            "too few for its 4 tiles and tiles of lines on board 2",
        ),
        (
            EMPTY,
            {"round": 5, "seats": 2, "points": "0 0 / 0 1"},
            "too few for its 5 tiles and tiles of lines",
        ),
        (EMPTY, {"points": "1 2 / 0 0 / 0 0", "phase": "over", "turn": 2}, "in a turn of their own (GE-E1)"),
        (EMPTY, {"points": "1 2 / 0 3 / 0 0", "phase": "over"}, "Whoever has 3 points has won at once"),
        (
            EMPTY,
            {"phase": "over"},
            "nobody has 3 points, and there are moves left (GE-E2)",
        ),
        (EMPTY, {"phase": "draw"}, "a side or the start player is to be drawn (GE-B2)"),
        (EMPTY, {"board1": "random"}, "a side or the start player is to be drawn (GE-B2)"),
        (EMPTY, {"starter": "-", "turn": "-"}, "a side or the start player is to be drawn (GE-B2)"),
        (EMPTY, {"starter": "-", "phase": "draw"}, "“starter” is a number from 1 to 3, not “-”"),
        (EMPTY, {"board1": "random", "phase": "draw"}, "are drawn before the first tile (GE-B2)"),
        (
            EMPTY,
            {"board1": "random", "phase": "draw", "round": 1, "turn": 2},
            "before the first tile (GE-B2)",
        ),
        ("2" + EMPTY[1:], {"board1": "random", "phase": "draw", "round": 1}, "before the first tile (GE-B2)"),
        (EMPTY, {"points": "0 0 / 0 0"}, "“points” needs 3 values with / between them, not 2"),
        (EMPTY, {"points": "0 0 / 0 0 / 5 0"}, "as in “1 0”, not “5 0”"),
        (EMPTY, {"points": "0 / 0 0 / 0 0"}, "“points” counts those of board 1 and of board 2"),
        (EMPTY, {"round": 61}, "“round” is a number from 1 to 60, not “61”"),
        (EMPTY, {"turn": 4}, "“turn” is a number from 1 to 3, not “4”"),
        (EMPTY, {"phase": "lunch"}, "“phase” is one of draw, play, over, not “lunch”"),
        (EMPTY, {"seats": 5}, "“gemino” is a number from 2 to 4, not “5”"),
        ("4" + EMPTY[1:], {}, "There is no seat 4 at this table"),
        ("5" + EMPTY[1:], {}, "“tiles1” is six rows of six fields, seats or dots"),
        (EMPTY[27:], {}, "“tiles1” is six rows of six fields, seats or dots"),
        (EMPTY, {"board2": "C"}, "each of ROYGBV once in each row and column (GE-B1)"),
        (EMPTY, {"board2": "ROYGBV"}, "each of ROYGBV once in each row and column (GE-B1)"),
    ],
)
def test_impossible_positions(drawn, fields, sentence):
    with pytest.raises(ValueError) as refusal:
        parse_position(position(drawn, **fields))
    assert sentence in str(refusal.value)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("round 19; ", "", "The position lacks the field “round”"),
        ("round 19; ", "round 19; round 19; ", "The position gives “round” twice"),
        ("round 19; ", "round 19; weather fine; ", "has no field “weather”"),
        ("round 19", "round nine", "“round” is a number from 1 to 60, not “nine”"),
    ],
)
def test_texts_that_are_no_position(old, new, sentence):
    text = position()
    assert old in text
    with pytest.raises(ValueError) as refusal:
        parse_position(text.replace(old, new, 1))
    assert sentence in str(refusal.value)


def test_a_jammed_table_is_over():
    """GE-E2"""
    full = "1 2 3 4 1 2    . . . . . .\n3 4 1 2 3 4    . . . . . .\n" * 3
    with pytest.raises(ValueError, match="No colour has an empty field on both boards, so the game is over"):
        parse_position(position(full, seats=4))
    assert not Table.from_position(position(full, seats=4, phase="over")).movers


def test_the_position_of_the_readme_can_be_read():
    [text] = re.findall(r"```\n(gemino .*?)```", (GAME.folder / "README.md").read_text("utf-8"), re.DOTALL)
    assert Table.from_position(text).movers == [0]
