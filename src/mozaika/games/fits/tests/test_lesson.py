"""The lesson shows how a piece is to lie."""

import re

from mozaika.games.fits import GAME

TURNED = re.compile(r"(\w+) (r[1-9]\w*|r0f) >")


def test_where_a_piece_is_to_be_turned_or_flipped_its_way_is_pointed_at():
    turned = 0
    for step in GAME.lessons()[0].steps:
        for piece, way in (found.groups() for move in step.moves if (found := TURNED.match(move))):
            turned += 1
            assert f"way-{piece}-{way}" in step.points, step.id
    assert turned
