"""What is refused in Azul, and the legal moves against a second opinion."""

import numpy as np
import pytest

from mozaika.games.azul import pieces, refusals
from mozaika.games.azul.notation import parse_move, write_move
from mozaika.games.azul.pieces import COLORS
from mozaika.games.azul.possible import count_tiles
from mozaika.games.azul.tests.boards import EMPTY, state, table
from mozaika.state import CHANCE, WATCHER
from mozaika.table import Table

# Refusals


@pytest.mark.parametrize(
    ("fields", "seat", "move", "rule"),
    [
        ({"phase": "choose", "round": 0}, CHANCE, "start 3", "AZ-B1"),
        ({"phase": "choose", "round": 0}, 0, "start 2", "AZ-S1"),
        ({"phase": "deal"}, 0, "F1 blue >1", "AZ-S2"),
        ({"phase": "deal"}, 0, "blue", "AZ-C1"),
        ({"phase": "deal"}, CHANCE, "F1 blue >1", "AZ-C1"),
        ({"factories": ["BBBB"]}, CHANCE, "blue", "AZ-C1"),
        ({"factories": ["BBBB"]}, 0, "start 1", "AZ-S1"),
        ({"factories": ["BBBB"]}, WATCHER, "F1 blue >1", "AZ-A1"),
        ({"factories": ["BBBB"]}, 1, "F1 blue >1", "AZ-A1"),
        ({"factories": ["BBBB"]}, 0, "line 1 >c1", "AZ-S2"),
        ({"phase": "over", "round": 30}, 0, "F1 blue >1", "AZ-E1"),
    ],
)
def test_what_cannot_be_says_why(fields, seat, move, rule):
    assert refusals.why_not(state(EMPTY, EMPTY, **fields), seat, parse_move(move)) == rule


# Move generation against a second opinion


def is_legal(at: np.void, seat: int, text: str) -> bool:
    """Legality of a take said once more, slowly, from the rules' words."""
    source, color, target = text.replace(">", "").split()
    tiles = at["sources"][int(source[1]) if source != "centre" else 0, COLORS.index(color)]
    if not tiles or at["phase"] != pieces.OFFER or at["turn"] != seat:
        return False
    if target == "floor":
        return True
    row = int(target) - 1
    wall = [[at["wall"][seat, c] >> 5 * row + column & 1 for c in range(5)] for column in range(5)]
    held, count = COLORS[at["line_color"][seat, row]], at["line_count"][seat, row]
    in_row = any(spaces[COLORS.index(color)] for spaces in wall)
    return not in_row and (count == 0 or (held == color and count <= row))


@pytest.mark.parametrize("wall", ["coloured", "grey"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_legal_takes_are_complete(seats, wall):
    random = np.random.default_rng(seats)
    at = Table("azul", seats, seed=seats, wall=wall)
    while not at.is_over:
        if at.state["phase"] == pieces.OFFER:
            seat = at.movers[0]
            every = [write_move(move) for move in range(pieces.PLACES)]
            assert at.legal_moves() == [text for text in every if is_legal(at.state, seat, text)]
        seat = at.movers[0]
        at.play(random.choice(at.legal_moves(seat)), seat)
        assert count_tiles(at.state) == [20] * 5
        assert all(score >= 0 for score in at.scores)


def test_the_largest_offer_fits_the_buffer():
    """Nine factories with four colours each and open lines everywhere."""
    at = table(
        EMPTY, EMPTY, EMPTY, EMPTY, factories=["BYRK", "BYRW", "BYKW", "BRKW", "YRKW"] * 1 + ["BYRK"] * 4
    )
    assert len(at.legal_moves()) == 9 * 4 * 6 == pieces.MOST_MOVES - 8
