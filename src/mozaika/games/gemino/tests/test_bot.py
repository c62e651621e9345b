"""What the bot of GEMINO is for: it takes points and blocks."""

import numpy as np
import pytest

from mozaika.games.gemino import GAME, bot, rules
from mozaika.games.gemino.tests.boards import table, with_tiles
from mozaika.lab.simulate import simulate, standings
from mozaika.thought import Budget


def test_greedy_takes_a_point():
    at = table(with_tiles("c4", "d4", "e4", upon=with_tiles("h2", "h3", "h4", of=2)))
    at.play(at.ask("greedy"))
    assert at.scores == [1, 0, 0]


def test_greedy_takes_two_points_rather_than_one():
    at = table(with_tiles("c4", "d4", "e4", "h2", "h3", "h4"))
    at.play(at.ask("greedy"))
    assert at.scores == [2, 0, 0]


@pytest.mark.parametrize("seed", range(5))
def test_greedy_blocks_a_line(seed):
    """The line of seat 2 can be completed on one field only."""
    at = table(with_tiles("h1", "j1", "k1", upon=with_tiles("b2", "l1", of=1), of=2))
    assert at.ask("greedy").split()[1].endswith("i1")


def test_greedy_beats_random():
    """At least 98 % of 200 games with two players."""
    games = simulate(GAME, 2, GAME.read_options(), ["greedy", "random"], 200, "level", Budget())
    best = standings([outcome for outcome, _ in games])[0]
    assert best.bot == "greedy"
    assert best.share >= 0.98


def test_one_threat_is_blocked_and_two_at_once_are_not():
    """Who could complete either of two lines on a board will complete one, wherever a tile comes between."""
    single = table(with_tiles("h1", "j1", "k1", upon=with_tiles("b2", "l1", of=1), of=2))
    double = table(with_tiles("i1", "j1", "k1", upon=with_tiles("b2", of=1), of=2))
    for at, threats in ((single, 1), (double, 2)):
        worth, leaving = np.zeros(bot.FIELDS, np.float32), np.zeros(bot.FIELDS + 1, np.float32)
        bot.weigh_fields(at.state, 0, 1, worth, leaving)
        assert rules.completing(at.state, 1, 1).bit_count() == threats
        assert (worth.max() >= bot.THREAT) == (threats == 1)
