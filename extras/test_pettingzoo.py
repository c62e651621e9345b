"""The suites of PettingZoo, unedited; and a game of the door is a game of the library.

They run as long as their authors have meant them to (1,000 cycles, 500 for seeds), for every kind of game.
"""

import io
from contextlib import redirect_stdout
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from pettingzoo.test import (
    api_test,
    max_cycles_test,
    parallel_api_test,
    parallel_seed_test,
    render_test,
    seed_test,
)
from pettingzoo.test.performance_benchmark import performance_benchmark
from pettingzoo.utils import parallel_to_aec

from kinds import KINDS, NAMES
from mozaika import GAMES, Table
from mozaika.doors.pettingzoo import aec, parallel
from mozaika.kernel import new_random

every_kind = pytest.mark.parametrize("kind", KINDS, ids=NAMES)


@every_kind
def test_one_after_the_other(kind):
    name, seats, variant = kind
    api_test(aec(name, seats, **variant), num_cycles=1000)
    seed_test(lambda: aec(name, seats, **variant), num_cycles=500)


@every_kind
def test_all_in_each_step(kind):
    name, seats, variant = kind
    parallel_api_test(parallel(name, seats, **variant), num_cycles=1000)
    parallel_seed_test(lambda: parallel(name, seats, **variant), num_cycles=500)


@pytest.mark.parametrize("game", GAMES)
def test_it_can_be_rendered(game):
    with redirect_stdout(io.StringIO()):
        render_test(lambda render_mode=None: aec(game, render_mode=render_mode))


def test_max_cycles_cuts_a_game_short():
    env = parallel("fits", 2, max_cycles=5)
    env.reset(seed=1)
    for _ in range(5):
        assert env.agents
        _, _, ended, cut, _ = env.step(dict.fromkeys(env.agents, 0))
    assert not env.agents
    assert all(cut.values())
    assert not any(ended.values())


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_max_cycles_where_all_act_in_each_cycle(seats):
    """The suite expects that each agent acts once in a cycle: so it is in FITS, all at once."""
    made = partial(parallel, "fits", seats)
    module = SimpleNamespace(parallel_env=made, env=lambda **given: parallel_to_aec(made(**given)))
    max_cycles_test(module)


@pytest.mark.parametrize("game", GAMES)
def test_the_benchmark_runs(game, capsys):
    """It takes five seconds."""
    performance_benchmark(aec(game))
    assert "turns per second" in capsys.readouterr().out


@every_kind
@pytest.mark.parametrize("greedy", [False, True])
def test_a_game_of_the_door_is_a_game_of_the_library(kind, greedy):
    """Whole moves that the door has made are replayed at a table with the same draws."""
    name, seats, variant = kind
    env, game = aec(name, seats, **variant), GAMES[name]
    env.reset(seed=3)
    one, random = env.one, np.random.default_rng(3)
    for agent in env.agent_iter(60):
        seen, _, ended, cut, info = env.last()
        if ended or cut:
            env.step(None)
            continue
        state, seat, made = one.batch.states[0].copy(), one.seat, one.batch.made(0)
        assert seat == int(agent[-1])
        stages = one.stages
        open_now = stages.next_choices(state, seat, made)
        assert np.flatnonzero(seen["action_mask"]).tolist() == open_now
        assert (seen["action_mask"] == info["action_mask"]).all()
        if greedy:
            if not made:
                thought = game.bots["greedy"](one.fast, game.hide(state, seat), seat, new_random(3), None)
                wanted = stages.split_move(thought.move)
            choice = next(each for each in wanted if each in open_now)
        else:
            choice = int(random.choice(open_now))
        following = stages.skip_forced(state, seat, [*made, choice])
        env.step(choice)
        if not stages.next_choices(state, seat, following):
            text = game.write_move(stages.join_choices(state, following))
            table = Table.from_position(game.write_position(state), draws="told")
            table.play(text, seat)
            if game.movers(table.state) >> 15 == 0:
                assert table.state.tobytes() == one.batch.states[0].tobytes()


def test_an_action_that_is_not_open_ends_the_game_for_who_chose_it():
    env = aec("azul", 2)
    env.reset(seed=1)
    agent = env.agent_selection
    wrong = int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0])
    env.step(wrong)
    assert env.rewards[agent] == -1
    assert all(env.terminations.values())


@pytest.mark.parametrize("action", [None, "a", float("nan"), 0.5, 1 << 70, -1, [], object()], ids=repr)
def test_what_is_no_action_raises_nothing(action):
    env = aec("azul")
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(action)
    assert env.rewards[agent] == -1
    assert all(env.terminations.values())
    env = parallel("azul")
    env.reset(seed=1)
    _, rewards, ended, _, infos = env.step(dict.fromkeys(env.agents, action))
    assert set(rewards.values()) == {-1.0}
    assert all(info["illegal"] for info in infos.values())
    assert not any(ended.values())


def test_a_game_begins_with_reset_and_ends_once():
    env = aec("azul")
    env.step(int(env.action_masks().argmax()))
    env = parallel("fits", 2, max_cycles=1)
    with pytest.raises(ValueError, match="reset"):
        env.step({})
    env.reset(seed=1)
    for wrong in (None, 5, [1, 2]):
        with pytest.raises(TypeError, match="Actions come by agent"):
            env.step(wrong)
    env.step({})
    with pytest.raises(ValueError, match="reset"):
        env.step({})


@pytest.mark.parametrize("wrong", [0, -1, "x", float("nan")])
def test_a_game_has_at_least_one_cycle(wrong):
    with pytest.raises((ValueError, TypeError), match=f"max_cycles is .*, not {wrong!r}"):
        aec("azul", max_cycles=wrong)
