"""Simulations and benchmarks."""

import pytest

from kinds import FIRST
from mozaika.games import GAMES
from mozaika.lab import bench
from mozaika.lab.simulate import Outcome, interval, simulate, standings
from mozaika.thought import Budget

GAME = GAMES[FIRST]


def test_a_simulation_can_be_repeated():
    def play():
        return [
            outcome for outcome, _ in simulate(GAME, 3, GAME.read_options(), ["greedy"], 3, "s", Budget())
        ]

    assert play() == play()


def test_bots_take_turns_at_the_seats():
    run = simulate(GAME, 3, GAME.read_options(), ["random", "greedy", "random"], 3, "s", Budget())
    assert [outcome.bots.index("greedy") for outcome, _ in run] == [1, 0, 2]


def test_a_game_without_end_is_cut():
    run = simulate(GAME, 2, GAME.read_options(), ["random"], 1, "s", Budget(), most_moves=7)
    [(outcome, record)] = run
    assert outcome.moves == 7
    assert record.result() is None


def test_a_shared_victory_is_shared():
    outcomes = [
        Outcome(0, "", ["a", "b"], [5, 5], [1, 1], 9),
        Outcome(1, "", ["b", "a"], [7, 2], [1, 2], 9),
    ]
    best, worst = standings(outcomes)
    assert (best.bot, best.wins, best.share, best.score) == ("b", 1.5, 0.75, 6.0)
    assert (worst.bot, worst.wins, worst.seats) == ("a", 0.5, 2)


def test_intervals_are_wilsons():
    assert interval(50, 100) == pytest.approx((0.4038, 0.5962), abs=1e-4)
    assert interval(200, 200) == pytest.approx((0.9812, 1.0), abs=1e-4)
    assert interval(0, 10)[0] == pytest.approx(0)


def test_greedy_beats_random():
    run = simulate(GAME, 2, GAME.read_options(), ["greedy", "random"], 40, "s", Budget())
    best = standings([outcome for outcome, _ in run])[0]
    assert best.bot == "greedy"
    assert best.low > 0.9


def test_a_speed_says_what_was_played(monkeypatch):
    monkeypatch.setattr(bench, "CALIBRATION_STEPS", 1000)
    speed = bench.measure(GAME, 4, GAME.read_options({"wall": "grey"}), 1500)
    assert (speed.game, speed.seats, speed.games) == (FIRST, 4, 1500)
    assert speed.options == {"wall": "grey", "start": "random"}
    assert 140 < speed.moves_per_game < 165
    assert speed.rounds is not None
    assert speed.games_per_s > 0
