"""The recipes of examples/ run for a few steps; those with PyTorch are in test_torch.py."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"


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
    told = run("ppo.py", tmp_path / "net.npz", "--updates", "10", "--games", "64", "--measure", "40")
    assert float(told.splitlines()[0].split("s: ")[1].split(" ")[0]) > 0.8, told  # against random
    from mozaika import simulate

    bot = f"net:{tmp_path / 'net.npz'}"
    results = simulate("azul", f"{bot},random", games=10, seats=2, seed=1)
    assert results["share"][results["bot"] != "random"].mean() > 0.7


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
