"""What Azul's own bots see."""

from mozaika.games.azul import GAME
from mozaika.kernel import compiling, new_random
from mozaika.thought import Budget

NEAR_THE_END = (
    "azul 2; wall coloured; round 5; phase offer; starter 1; turn 2; marker 2; bag -; lid B12 Y8 R7 K12 W13; "
    "centre BBYRRK; factories - - - - YRRK; score 27 / 35; lost 0 / 0; lines K - W RR - / W - - YYYY RR; "
    "walls BYR.. W.YRK K..YR ..WB. ..KW. / BYRK. .BYR. ..BY. ..WB. ..K..; floors - / W*"
)


def test_champion_looks_at_all_moves_where_there_is_time():
    """The only take that wins is none of the best dozen at first sight."""
    state = GAME.parse_position(NEAR_THE_END)
    with compiling():
        thought = GAME.bots["champion"](GAME, state, 1, new_random(1), Budget(20_000, float("inf")))
    assert GAME.write_move(thought.move) == "centre blue >floor"
    assert thought.shares == (0.0, 1.0)
    assert thought.nodes < 10_000  # and stops when it has seen them all
