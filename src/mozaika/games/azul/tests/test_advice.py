"""A take as advice: what it gains, what it denies to others, what it risks."""

from mozaika.games import GAMES
from mozaika.games.azul.tests.boards import EMPTY, state

MINE = """
    - | . . . . .
    R | . . . . .
    - | . . . . .
    - | . . . . .
    - | . . . . .
"""
THEIRS = """
    - | . . . . .
    - | . . . . .
    R | . . . . .
    - | . . . . .
    BB | . . . . .
"""


def advised(move: str, theirs: str = THEIRS) -> dict[str, list[str]]:
    game, view = GAMES["azul"], state(MINE, theirs, centre="BB", factories=["RRBK", "RYYW"])
    text, arguments = game.suggest(view, 0, game.parse_move(move), ("Ann", "Ben"), game.words())
    found: dict[str, list[str]] = {"text": [text]}
    for each in arguments:
        found.setdefault(each.kind, []).append(each.text)
    return found


def test_what_a_take_gains_denies_and_risks():
    """AZ-A4, AZ-W3"""
    said = advised("F1 red >2")
    assert said["text"] == ["Take 2 red tiles from factory 1 for line 2."]
    assert said["gains"] == ["It completes line 2: 1 point when the walls are tiled."]
    assert said["denies"] == ["Ben can no longer complete line 3 in one go."]
    assert said["risks"] == [
        "On the floor it costs 1 point.",
        "Ben could then complete line 5 from the centre.",
    ]
    alone = advised("F1 red >2", EMPTY)
    assert "denies" not in alone
    assert alone["risks"] == ["On the floor it costs 1 point."]


def test_a_line_that_stays_open_and_the_start_marker():
    """AZ-A3"""
    said = advised("centre blue >4")
    assert said["gains"] == ["Line 4 then has 2 of 4 tiles.", "You start the next round."]
    few = "Too few tiles of this colour are left to fill line 4 in this round."
    assert said["risks"] == ["On the floor it costs 1 point.", few]
    enough = advised("F1 red >3")
    assert enough["gains"] == ["Line 3 then has 2 of 3 tiles."]
    assert not any("Too few" in risk for risk in enough.get("risks", ()))
