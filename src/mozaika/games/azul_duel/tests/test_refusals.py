"""What is refused, and by which rule."""

from random import Random

import pytest

from mozaika.games.azul_duel import pieces
from mozaika.games.azul_duel.notation import parse_move
from mozaika.games.azul_duel.refusals import why_not
from mozaika.games.azul_duel.tests.boards import duel, legal, new, walk
from mozaika.state import CHANCE, WATCHER


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
    assert why_not(at.state, seat, parse_move(move)) == rule


def test_before_the_first_turn_nobody_plays():
    """AD-S1"""
    assert why_not(new().state, 0, parse_move("F1 blue >1")) == "AD-S1"


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
                known.add(why_not(state, seat, move))
    assert {rule[:3] for rule in known} == {"AD-"}
    assert len(known) > 12
