"""What many tables need: the simulation follows what was measured, and the page follows the simulation."""

from dataclasses import replace
from pathlib import Path

import pytest

from kinds import FIRST
from mozaika.games import GAMES
from mozaika.lab import bench_bots
from mozaika.lab.scale import Costs, People, cpu_of_a_move, needs, spread, write_limits, write_table

PAGE = Path(__file__).parent.parent / "docs" / "scale.md"
MEASURED = {1: (16.5, 7.61), 2: (13.8, 9.74), 3: (13.2, 10.80)}
"""By the number of servers: moves a second, and milliseconds of all servers for each."""


def test_the_page_has_what_the_simulation_says():
    assert write_table() in PAGE.read_text("utf-8")
    assert write_limits() in PAGE.read_text("utf-8")


@pytest.mark.parametrize("servers", MEASURED)
def test_the_simulation_tells_what_was_measured(servers):
    rate, measured = MEASURED[servers]
    costs = Costs()
    everywhere = People(looking=1_000)  # in that measurement somebody looked at every server
    told = cpu_of_a_move(costs, everywhere, servers) + costs.idle * servers / rate
    assert told == pytest.approx(measured, rel=0.05)


def test_tables_are_looked_at_where_their_people_are():
    assert spread(1, 4) == 1
    assert spread(2, 1) == 1
    assert 1 < spread(3, 2) < 2
    assert spread(1_000, 4) == pytest.approx(4, rel=0.01)


def test_ten_times_the_tables_need_ten_times_the_moves_and_more_of_everything():
    few, many = needs(500), needs(5_000)
    assert many.moves_per_s == pytest.approx(10 * few.moves_per_s)
    assert many.servers > few.servers
    assert many.workers > few.workers


def test_what_a_move_of_a_bot_costs_is_measured_by_level(monkeypatch):
    monkeypatch.setattr(bench_bots, "warm", lambda _: None)
    game = GAMES[FIRST]
    quick = replace(game, bots={"beginner": game.bots["random"], "club": game.bots["greedy"]})
    found = bench_bots.measure_bots(quick, 2)
    assert [(cost.level, cost.moves) for cost in found] == [("beginner", 2), ("club", 2)]
    assert all(0 < cost.ms_mean <= cost.ms_longest for cost in found)
