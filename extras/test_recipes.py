"""The recipes of examples/ run for a few steps; those with torch where it is, and say so where it is not."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
WITH_TORCH = {
    "sb3_contrib": ("maskable_ppo.py", "azul", "--steps", "256", "--roll", "128", "--games", "1"),
    "torchrl": ("torchrl_rollout.py", "azul", "--steps", "100"),
}
"""PyTorch brings gigabytes, and is not in our lock: pip install sb3-contrib torchrl, and these run, too."""


def run(name, *given):
    done = subprocess.run(
        [sys.executable, EXAMPLES / name, *map(str, given)], capture_output=True, text=True, timeout=400
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.mark.parametrize("game", ["azul", "azul_duel"])
def test_the_searches_of_openspiel_play_our_bots(game):
    told = run("openspiel_search.py", game, "random", "--games", "1", "--simulations", "3")
    assert "ISMCTSBot" in told if game == "azul_duel" else "MCTSBot" in told
    assert "of 1 games won against random" in told


def test_the_comparison_measures_ours_where_pgx_is_missing():
    told = run("compare_pgx.py", "--n", "64", "--rounds", "1")
    assert "mozaika azul: " in told


def test_ppo_learns_and_its_net_plays(tmp_path):
    run("ppo.py", tmp_path / "net.npz", "--updates", "2", "--games", "32", "--measure", "20")
    from mozaika import simulate

    results = simulate("azul", f"net:{tmp_path / 'net.npz'},random", games=2, seats=2, seed=1)
    assert len(results["share"]) == 4


@pytest.mark.parametrize("package", WITH_TORCH)
def test_recipes_with_torch(package, capsys):
    name, *given = WITH_TORCH[package]
    if importlib.util.find_spec(package) is None:
        with capsys.disabled():
            print(f" [{package} is not here: {name} was only compiled]", end="")
        compile((EXAMPLES / name).read_text("utf-8"), name, "exec")
        return
    assert run(name, *given)


def test_stable_baselines_accepts_the_environment(capsys):
    if importlib.util.find_spec("stable_baselines3") is None:
        with capsys.disabled():
            print(" [stable_baselines3 is not here: its check_env did not run]", end="")
        return
    from stable_baselines3.common.env_checker import check_env

    from kinds import KINDS
    from mozaika.doors.gymnasium import TableEnv

    for name, seats, variant in KINDS:
        check_env(TableEnv(name, seats, **variant), warn=False)


def test_the_notebook_runs_from_top_to_bottom(tmp_path, monkeypatch):
    """Its cells, one after the other in one namespace, as Jupyter would."""
    import json

    monkeypatch.chdir(tmp_path)
    book = json.loads((EXAMPLES / "azul.ipynb").read_text("utf-8"))
    cells = ["".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == "code"]
    assert len(cells) >= 6
    assert all(cell.get("outputs", []) == [] for cell in book["cells"]), "it is kept without results"
    namespace = {"__name__": "__main__"}
    for number, cell in enumerate(cells):
        exec(compile(cell, f"cell {number}", "exec"), namespace)
    assert namespace["won"] >= 0
