"""The checkers of Gymnasium, unedited; the vector environment is the single one, many times."""

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from kinds import KINDS, NAMES
from mozaika.doors.gymnasium import TableEnv, TablesEnv

every_kind = pytest.mark.parametrize("kind", KINDS, ids=NAMES)


@every_kind
def test_one_seat_against_bots(kind):
    name, seats, variant = kind
    check_env(TableEnv(name, seats, render_mode="ansi", **variant))


@pytest.mark.parametrize("name", sorted({kind[0] for kind in KINDS}))
def test_whole_games_are_played(name):
    env, random = TableEnv(name, opponents="random"), np.random.default_rng(1)
    seen, info = env.reset(seed=1)
    ended = False
    while not ended:
        assert (seen["action_mask"] == info["action_mask"]).all()
        assert (env.action_masks() == seen["action_mask"]).all()
        seen, _reward, ended, cut, info = env.step(random.choice(np.flatnonzero(seen["action_mask"])))
        assert not cut
    assert env.game.movers(env.one.batch.states[0]) == 0
    assert "player_0" in env.render()


def test_many_games_at_once_begin_anew_in_the_same_step():
    env = TablesEnv("azul", 2, 8, opponents="greedy")
    assert env.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    seen, _ = env.reset(seed=1)
    assert env.observation_space.contains(seen)
    ends = 0
    for _ in range(150):
        actions = env.batch.sample()
        seen, reward, ended, cut, info = env.step(actions)
        assert seen["action_mask"].any(1).all()
        assert not cut.any()
        assert not reward[~ended].any()
        for row in np.flatnonzero(ended):
            assert env.single_observation_space.contains(info["final_obs"][row])
            ends += 1
    assert ends > 8
    wrong = np.array([np.flatnonzero(mask == 0)[0] for mask in seen["action_mask"]])
    _, reward, ended, _, _ = env.step(wrong)
    assert ended.all()
    assert (reward == -1).all()


NO_ACTIONS = [None, "a", "3", float("nan"), float("inf"), 0.5, 1 << 70, -1, [], {}, object()]


@pytest.mark.parametrize("action", NO_ACTIONS, ids=repr)
def test_what_is_no_action_ends_the_game_and_raises_nothing(action):
    env = TableEnv("azul", opponents="random")
    env.reset(seed=1)
    _, reward, ended, cut, info = env.step(action)
    assert (reward, ended, cut, info["illegal"]) == (-1.0, True, False, True)


@pytest.mark.parametrize("wrong", [-1, 1 << 40, (1 << 32) + 1, 0.5, np.nan, np.inf])
def test_what_is_no_action_ends_only_its_own_game(wrong):
    envs = TablesEnv("azul", num_envs=3, opponents="random")
    seen, _ = envs.reset(seed=1)
    actions = [int(mask.argmax()) for mask in seen["action_mask"]]
    _, reward, ended, _, info = envs.step(np.array([actions[0], wrong, actions[2]]))
    assert ended.tolist() == [False, True, False]
    assert reward.tolist() == [0.0, -1.0, 0.0]
    assert info["illegal"].tolist() == [False, True, False]


@pytest.mark.parametrize("wrong", [None, "a", "3", [], {}, object(), 1 << 70], ids=repr)
def test_what_is_no_number_ends_only_its_own_game(wrong):
    envs = TablesEnv("azul", num_envs=3, opponents="random")
    seen, _ = envs.reset(seed=1)
    actions = np.array([int(mask.argmax()) for mask in seen["action_mask"]], object)
    actions[1] = wrong
    _, reward, ended, _, _ = envs.step(actions)
    assert (ended.tolist(), reward.tolist()) == ([False, True, False], [0.0, -1.0, 0.0])


@pytest.mark.parametrize("wrong", [5, [1], [1, 2], [[1, 2, 3]], [1, 2, 3, 4], None, {}], ids=repr)
def test_there_is_one_action_for_each_game(wrong):
    envs = TablesEnv("azul", num_envs=3)
    envs.reset(seed=1)
    with pytest.raises(ValueError, match="There is one action for each of 3 games"):
        envs.step(wrong)


def test_each_game_can_have_a_seed_of_its_own():
    envs = TablesEnv("azul", num_envs=3, opponents="greedy")
    seen, _ = envs.reset(seed=[7, 8, 7])
    for index, seed in enumerate([7, 8, 7]):
        alone, _ = TableEnv("azul", opponents="greedy").reset(seed=seed)
        assert np.array_equal(alone["observation"], seen["observation"][index])
    with pytest.raises(ValueError, match="one seed for each of 3 games, not 1"):
        envs.reset(seed=[7])
    with pytest.raises(ValueError, match="A seed is 0 or more, not -1"):
        envs.reset(seed=[7, -1, None])


@pytest.mark.parametrize("kind", [TableEnv, TablesEnv])
@pytest.mark.parametrize("opponents", [{}, {0: "random"}, {0: "random", 1: "random"}, {5: "random"}])
def test_all_other_seats_need_opponents(kind, opponents):
    with pytest.raises(ValueError, match=r"Seat 0 is yours, and the others need opponents: \[1\]"):
        kind("azul", 2, opponents=opponents)
    with pytest.raises(TypeError, match="How many play is a whole number"):
        kind("azul", "2")


@pytest.mark.parametrize("kind", [TableEnv, TablesEnv])
def test_a_seat_that_is_not_there_is_refused(kind):
    with pytest.raises(ValueError, match="There is no seat 2; seats count from 0 to 1"):
        kind("azul", 2, seat=2)
