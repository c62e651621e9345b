"""A turn as advice, and the line that is seen before it goes."""

from mozaika.games.gemino.artwork import SCORED_SYMBOL, TILE_SYMBOLS
from mozaika.games.gemino.layout import lay_out
from mozaika.games.gemino.tests.boards import position
from mozaika.table import Table

BOARDS = """
    . . 1 . . .    . . . . . .
    . . 1 . . .    . . . 2 . .
    . . . . . .    . . . 2 . .
    . . 1 . . .    . . . 2 . .
    . . . 3 . .    . . 3 . . .
    . . . . . .    . . . . . .
"""
NAMES = ("Ann", "Ben", "Cem")


def advised(move: str, points: str = "") -> dict[str, list[str]]:
    table = Table.from_position(position(BOARDS, points=points))
    text, arguments = table.game.suggest(table.state, 0, table.game.parse_move(move), NAMES, table.words)
    found: dict[str, list[str]] = {"text": [text]}
    for kind, said in ((each.kind, each.text) for each in arguments):
        found.setdefault(kind, []).append(said)
    return found


def test_a_line_is_a_point_and_the_third_point_wins():
    assert advised("c3 k1 +c1-c4")["gains"] == ["It scores a line on board 1: 1 point."]
    won = advised("c3 k1 +c1-c4", points="1 1 / 0 0 / 0 0")
    assert won["gains"][-1] == "With it you win the game."
    assert "risks" not in won


def test_what_blocks_others_denies_it_and_what_does_not_is_a_risk():
    table = Table.from_position(position(BOARDS))
    moves = [move for move in table.legal_moves() if move.endswith(" j1")]
    blocking = advised(moves[0])
    assert "It blocks Ben on j1." in blocking["denies"]
    assert blocking["risks"] == ["Ben is one tile short of a line: j5."]


def test_a_line_lies_on_the_board_for_a_glimpse_and_the_last_one_stays():
    """GE-P2: the tiles of a line leave the board."""
    for points, ends in (("", False), ("1 1 / 0 0 / 0 0", True)):
        table = Table.from_position(position(BOARDS, points=points))
        game, place = table.game, lay_out(3, "wide").boards[0]
        glimpse = game.glimpse(table.state, 0, game.parse_move("c3 k1 +c1-c4"), "wide")
        line = [row * 6 + 2 for row in range(4)]
        assert list(glimpse.marks) == [place.tile(field).hold(SCORED_SYMBOL) for field in line]
        tiles = {place.tile(field).hold(TILE_SYMBOLS[0]) for field in line}
        assert tiles <= set(glimpse.sprites)
        assert bool(glimpse.stays) == ends
        assert not ends or tiles <= set(glimpse.stays)
        assert game.glimpse(table.state, 0, game.parse_move("a1 h1"), "wide") is None
