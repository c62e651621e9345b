"""The recipes with PyTorch really learn and step; where it is missing, the last lines say so.

PyTorch can bring gigabytes, so it is in no lock: `make test-torch` installs it, and then these must run.
"""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"

LEARNING = """
import torch
import maskable_ppo

learner = maskable_ppo.main()
fresh = maskable_ppo.new_learner("azul", "random", 128)
pairs = zip(learner.policy.parameters(), fresh.policy.parameters(), strict=True)
moved = [not torch.equal(one, other) for one, other in pairs]
assert all(torch.isfinite(each).all() for each in learner.policy.parameters())
assert sum(moved) > len(moved) // 2, moved
env = learner.get_env().envs[0].unwrapped
seen, _ = env.reset(seed=3)
for _ in range(40):
    masks = env.action_masks()
    action, _ = learner.predict(seen, action_masks=masks)
    assert masks[action]
    seen, _, ended, _, info = env.step(int(action))
    assert not info.get("illegal")
    if ended:
        seen, _ = env.reset()
"""

STEPPING = """
import torchrl_rollout

played = torchrl_rollout.main()
groups = "player_0", "player_1"
acted = {group: played[group, "mask"] for group in groups}
assert (sum(acted.values()) == 1).all()
for group in groups:
    chosen = played[group, "action_mask"].gather(-1, played[group, "action"].unsqueeze(-1)).squeeze(-1)
    assert (chosen | ~acted[group]).all()
rewards = [played["next", group, "reward"].sum().item() for group in groups]
assert sum(rewards) == 0
"""


def is_missing(package, name, capsys):
    if importlib.util.find_spec(package) is not None:
        return False
    assert "MOZAIKA_TORCH" not in os.environ, f"make test-torch has not installed {package}"
    with capsys.disabled():
        print(f" [{package} is not here: {name}]", end="")
    return True


def run(code, *given):
    first = f"import sys; sys.path.insert(0, {str(EXAMPLES)!r}); sys.argv[1:] = {list(given)!r}"
    done = subprocess.run(
        [sys.executable, "-c", f"{first}\n{code}"], capture_output=True, text=True, timeout=400
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.mark.parametrize("package", ["sb3_contrib", "torchrl"])
def test_recipes_with_torch(package, capsys):
    recipe = {"sb3_contrib": "maskable_ppo.py", "torchrl": "torchrl_rollout.py"}[package]
    if is_missing(package, f"{recipe} was only compiled", capsys):
        compile((EXAMPLES / recipe).read_text("utf-8"), recipe, "exec")
    elif package == "sb3_contrib":
        told = run(LEARNING, "azul", "--steps", "256", "--roll", "128", "--games", "1")
        assert "after 256 steps: " in told
    else:
        told = run(STEPPING, "azul", "--steps", "300")
        assert "300 steps, " in told
        assert "300 steps, 0 games" not in told


def test_stable_baselines_accepts_the_environment(capsys):
    if is_missing("stable_baselines3", "its check_env did not run", capsys):
        return
    from stable_baselines3.common.env_checker import check_env

    from kinds import KINDS
    from mozaika.doors.gymnasium import TableEnv

    for name, seats, variant in KINDS:
        check_env(TableEnv(name, seats, **variant), warn=False)
