"""Facts about moves, and nets that rate moves by them."""

import numpy as np
import pytest

from mozaika.doors.batch import batch
from mozaika.doors.nets import NetPlayer
from mozaika.games.azul import GAME
from mozaika.games.azul.facts import FACTS, list_moves
from mozaika.table import Table

SIZE = len(FACTS.names)


@pytest.fixture
def net(tmp_path):
    """Likes to take many tiles, and nothing else."""
    weights = np.zeros((SIZE, 1), np.float32)
    weights[FACTS.names.index("tiles")] = 1
    np.savez(tmp_path / "net.npz", w0=weights, b0=np.zeros(1))
    return NetPlayer(tmp_path / "net.npz")


def tell(seen):
    """In plain Python."""
    n = len(seen)
    moves, facts = (
        np.zeros(n * FACTS.most_moves, np.int32),
        np.zeros((n * FACTS.most_moves, SIZE), np.float32),
    )
    ends, ahead = np.zeros(n + 1, np.int32), np.zeros(n, np.float32)
    found = list_moves(seen, moves, facts, ends, ahead)
    return moves[:found], facts[:found], ends, ahead


def test_facts_are_told_of_every_legal_move():
    games = batch("azul", 2, 3, seed=5)
    for _ in range(30):
        moves, facts, ends, _ = tell(games.observation)
        for index, state in enumerate(games.states):
            listed = moves[ends[index] : ends[index + 1]].tolist()
            assert listed == GAME.legal_moves(state, int(games.seat[index]))
        assert np.isfinite(facts).all()
        games.play({index: int(moves[end - 1]) for index, end in enumerate(ends[1:])})


def test_facts_of_a_move_by_their_names():
    table = Table("azul", 2, seed="sunday", start="1")
    seen = np.zeros((1, GAME.features.size(2)), np.float32)
    GAME.features.observe(table.state, 0, seen[0])
    moves, facts, _, ahead = tell(seen)
    told = dict(zip(map(GAME.write_move, moves.tolist()), facts, strict=True))
    known = dict(zip(FACTS.names, told["F1 black >3"].tolist(), strict=True))
    tiles = round(4 * float(seen[0, 5 + 3]))
    assert (known["tiles"], known["line3"], known["line2"], known["marker"]) == (tiles / 4, 1, 0, 0)
    assert known["missing"] == (3 - tiles) / 2
    assert ahead.tolist() == [0]


def test_a_net_with_one_output_rates_moves(net):
    assert net.fits(GAME, 2)
    assert not net.fits(GAME, 3)
    table = Table("azul", 2, seed=1)
    chosen = table.ask(net)
    assert chosen in table.legal_moves()
    most = int(table.state["sources"].max())
    source, color = GAME.parse_move(chosen) // 30, GAME.parse_move(chosen) // 6 % 5
    assert table.state["sources"][source, color] == most


def test_where_no_facts_are_told_it_says_so(net):
    with pytest.raises(ValueError, match="only as it is usual"):
        Table("azul", 2, seed=1, wall="grey").ask(net)
    with pytest.raises(ValueError, match="needs"):
        Table("azul", 3, seed=1).ask(net)
