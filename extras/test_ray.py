"""The laboratory on a cluster of two nodes: the same results as here, with the same seed."""

import numpy as np
import pytest
from ray.cluster_utils import Cluster as Nodes

from mozaika.games import GAMES
from mozaika.lab.arena import Match, check, play_match
from mozaika.lab.cluster import Cluster
from mozaika.lab.fit import gather
from mozaika.lab.measuring import Meter, Players
from mozaika.lab.simulate import simulate
from mozaika.reviewing.calibration import Calibration
from mozaika.thought import Budget

GAME = next(game for game in GAMES.values() if game.judgement.net is not None)
LITTLE = Budget(nodes=20)


@pytest.fixture(scope="module")
def cluster():
    nodes = Nodes(initialize_head=True, head_node_args={"num_cpus": 1})
    nodes.add_node(num_cpus=1)
    with Cluster(nodes.address) as cluster:
        assert cluster.processors == 2
        yield cluster
    nodes.shutdown()


def test_a_match_is_the_same_wherever_it_is_played(cluster):
    options = GAME.write_options(GAME.options())
    match = check(Match(GAME.id, 2, options, ("greedy", "random"), "seed", LITTLE))
    assert list(play_match(match, 2, 4, cluster=cluster)) == list(play_match(match, 2, 4))


def test_games_are_the_same_and_are_learnt_from_the_same(cluster):
    series = (GAME, 2, GAME.options(), ["greedy", "random"], 6, "seed", LITTLE)
    here, there = list(simulate(*series)), list(simulate(*series, cluster=cluster))
    assert [(outcome, record.write()) for outcome, record in here] == [
        (outcome, record.write()) for outcome, record in there
    ]
    later = list(simulate(*series, cluster=cluster, first=4))
    assert [outcome for outcome, _ in later] == [outcome for outcome, _ in here[4:]], (
        "after a run was cut off"
    )
    records = [record for _, record in here]
    near, far = (gather(GAME, records, np.random.default_rng(1), each) for each in (None, cluster))
    for name in near.__dataclass_fields__:
        assert np.array_equal(getattr(near, name), getattr(far, name)), name


def test_what_reviews_are_measured_by_is_the_same(cluster):
    plain = Calibration(2, judge="expert", nodes=40, look=4, redraws=2)
    here, there = (Meter(GAME, plain, Players("greedy", 1), "s", each) for each in (None, cluster))
    assert list(there.each("look", range(3))) == list(here.each("look", range(3)))


@pytest.mark.parametrize("kind", [ConnectionError, RuntimeError, Exception])
def test_who_finds_no_cluster_gets_a_sentence(monkeypatch, kind):
    """A node that takes too long to start is told by an exception of no kind."""
    import ray

    def refuse(**_):
        raise kind("nobody answers")

    monkeypatch.setattr(ray, "init", refuse)
    with pytest.raises(ValueError, match=r"There is no cluster of Ray at 192\.0\.2\.1:6379: nobody answers"):
        Cluster("192.0.2.1:6379")
