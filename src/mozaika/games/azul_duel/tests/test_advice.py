"""A take as advice: what it gains and what it risks."""

from mozaika.games import GAMES
from mozaika.games.azul_duel.tests.boards import duel


def advised(move: str, *, sun: list[str]) -> dict[str, list[str]]:
    game, table = GAMES["azul_duel"], duel(sun=sun)
    arguments = game.suggest(table.state, 0, game.parse_move(move), ("Ann", "Ben"), game.words()).arguments
    found: dict[str, list[str]] = {}
    for each in arguments:
        found.setdefault(each.kind, []).append(each.text)
    return found


def test_a_line_that_stays_open_is_a_risk_where_too_few_tiles_are_left():
    few = "Too few tiles of this colour are left to fill line 4 in this round."
    one_left = advised("F1 red >4", sun=["RRBK", "-", "-", "-", "RYY"])
    assert one_left["gains"][0] == "Line 4 then has 2 of 4 tiles."
    assert few in one_left["risks"]
    assert few not in advised("F1 red >4", sun=["RRBK", "-", "-", "-", "RRY"]).get("risks", ())
