"""Boards of one's own in FITS."""

import pytest

from mozaika.games.fits import GAME
from mozaika.games.fits.tests.boards import OWN, PLAIN, play_out, solo
from mozaika.options import BadOption
from mozaika.table import Table
from mozaika.words import LANGUAGES


def refusal_of(**options: str) -> str:
    with pytest.raises(ValueError) as refusal:
        Table("fits", 1, **options)
    return str(refusal.value)


@pytest.mark.parametrize(
    ("own", "sentence"),
    [
        ("/".join([PLAIN] * 11), "Board A has 11 instead of 12 rows"),
        (OWN + "//" + "/".join([PLAIN] * 13), "Board B has 13 instead of 12 rows"),
        ("...../" + "/".join([PLAIN] * 11), "Board A, row 1 from the top: it has 5 instead of 6 squares."),
        (
            "/".join([PLAIN] * 2 + ["....X."] + [PLAIN] * 9),
            "Board A, row 3 from the top, column E: “X” is no field",
        ),
        ("/".join([PLAIN] * 11 + ["-...."]), "row 12 from the top: it has 5 instead of 6 squares"),
        ("/".join([PLAIN] * 11 + ["-0...."]), "row 12 from the top, column A: “-” is no field"),
        ("/".join([PLAIN] * 11 + ["-....."]), "Board A, row 12 from the top, column A: “-” is no field"),
        (
            "/".join(["..a..."] + [PLAIN] * 11),
            "row 1 from the top, column C: symbols come in pairs, but the number of “a” is 1",
        ),
        ("/".join(["a.a.a."] + [PLAIN] * 11), "symbols come in pairs, but the number of “a” is 3"),
        ("//".join([OWN] * 5), "There are at most 4 rounds, not 5."),
    ],
)
def test_a_board_that_is_drawn_wrong_is_refused_with_its_place(own, sentence):
    """FI-B2"""
    assert sentence in refusal_of(boards="A", own=own)
    for lang in LANGUAGES:
        with pytest.raises(BadOption) as refusal:
            GAME.start(1, GAME.read_options({"boards": "A", "own": own}))
        assert "{" not in refusal.value.said(GAME.words(lang))


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"boards": ""}, "Name at least one board"),
        ({"boards": "15"}, "There is no board “5”"),
        ({"boards": "1A"}, "Board A is not drawn"),
        ({"boards": "121"}, "Board 1 is named twice"),
        ({"boards": "12", "own": OWN}, "Your own board A is drawn but not played"),
        ({"boards": "1234A", "own": OWN}, "There are at most 4 rounds, not 5."),
    ],
)
def test_boards_that_cannot_be_played_are_refused(options, sentence):
    """FI-V1, FI-B2"""
    assert sentence in refusal_of(**options)


def test_an_own_board_mixes_squares_values_and_pairs_and_says_whether_rows_score():
    """FI-B2, FI-S7"""
    own = "rows/9...../.-9..../..a.../" + "/".join([PLAIN] * 7) + "/a...../0....."
    at = play_out("LLLL..\nL.....", ["L5"], boards="A", own=own)
    assert at.tally == {
        "board A: squares": [-(72 - 5 - 3)],
        "board A: rows": [0],
        "board A: special fields": [0],
        "board A: pairs": [-3],
    }
    assert "own=" + own in at.record().write()
    again = Table.from_position(at.position(), draws="told")
    assert again.state.tobytes() == at.state.tobytes()


def test_a_board_may_be_drawn_with_blanks_and_lines():
    """FI-B2"""
    own = "\n".join([". . 3 . -5 ."] + [" ".join(PLAIN)] * 11)
    at = solo("start L5", boards="A", own=own)
    assert at.state["fields"][0].reshape(12, 6)[11].tolist() == [0, 0, 13, 0, 5, 0]
