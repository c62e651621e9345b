"""Fitting nets: what is fitted is what the games use, and it learns."""

import json

import numpy as np
import pytest

from mozaika.games import GAMES
from mozaika.lab.fit import WEIGHTS, Fit, Samples, fit_to, look
from mozaika.lab.simulate import simulate

NETS = [game for game in GAMES.values() if game.judgement.net]
GEMINO = GAMES["gemino"]


def play(game, games, seats, bots, variant=None):
    options = game.read_options(variant or game.variants[0])
    return [record for _, record in simulate(game, seats, options, bots, games, "fit", None)]


@pytest.mark.parametrize("game", NETS, ids=lambda game: game.id)
def test_what_is_fitted_is_what_the_game_uses(game, tmp_path):
    """The weights of each game, read and written by the fit, expect what its appraisal expects."""
    fit = Fit(game.judgement.net, np.random.default_rng(0))
    fit.read(game.folder / WEIGHTS)
    fit.write(tmp_path / WEIGHTS)
    with np.load(tmp_path / WEIGHTS) as written, np.load(game.folder / WEIGHTS) as used:
        for name in ("layer", "start", "spread"):
            assert written[name] == pytest.approx(used[name], rel=1e-5), name
        assert written["out"][:, 1:] == pytest.approx(used["out"][:, 1:])
    kinds = set()
    for seats, variant in game.kinds():
        [record] = play(game, 1, seats, ["greedy"], variant)
        for state in [state for state in record.states() if game.movers(state)][::5]:
            shares, points = np.zeros(4), np.zeros(4)
            game.judgement.appraise(state, shares, points)
            one = (*look(game, state), np.zeros(4), np.zeros(4), 0)
            kind = game.judgement.net.kind(state)
            _, expected, _, found = fit.expect(Samples(*(np.array([each]) for each in one)), kind)
            if game.judgement.net.points and expected[0, :seats].min() <= 0:
                continue  # some games end at zero
            assert found[0, :seats] == pytest.approx(shares[:seats], abs=2e-3)
            if game.judgement.net.points:
                assert expected[0, :seats] == pytest.approx(points[:seats], abs=0.05)
            kinds.add(kind)
    assert kinds == set(range(game.judgement.net.kinds))


def test_a_fit_learns_who_will_win(tmp_path):
    """Greedy beats random: after a few dozen games the net sees it on the boards, and nobody was told."""
    records = play(GEMINO, 60, 2, ["greedy", "random"])
    told = fit_to(GEMINO, records, tmp_path / WEIGHTS, 20, 0, lambda *_: None, fresh=True)
    assert told.games == 60
    assert told.positions > 300
    assert told.surprise[0] == pytest.approx(0.69, abs=0.1), "at first it knows nothing"
    assert told.surprise[1] < 0.4
    assert told.error is None
    again = fit_to(GEMINO, records, tmp_path / "again.npz", 20, 0, lambda *_: None, fresh=True)
    assert again == told


def test_a_fit_learns_points(tmp_path):
    game = GAMES["azul"]
    records = play(game, 40, 2, ["greedy", "random"])
    told = fit_to(game, records, tmp_path / WEIGHTS, 30, 0, lambda *_: None, fresh=True)
    assert told.error[1] < 0.95 * told.error[0]
    assert told.surprise[1] < told.surprise[0]


def test_fitting_on_the_command_line(run, tmp_path):
    records, out = tmp_path / "records", tmp_path / WEIGHTS
    records.mkdir()
    for number, record in enumerate(play(GEMINO, 12, 2, ["greedy", "random"])):
        (records / f"{number}.txt").write_text(record.write(), "utf-8")
    told = json.loads(run("fit", "gemino", records, "--out", out, "--epochs", "2", "--json"))
    assert told["games"] == 12
    with np.load(out) as weights:
        assert weights["layer"].shape == (3, 72, 8)
    assert "surprise" in run("fit", "gemino", records, "--out", tmp_path / "other.npz", "--epochs", "1")
    assert "There is a file" in run("fit", "gemino", records, "--out", out, code=2)
    assert ".npz file" in run("fit", "gemino", records, "--out", tmp_path / "weights.txt", code=2)
    assert "game of GEMINO among" in run("fit", "azul", records, "--out", tmp_path / "a.npz", code=2)
    assert "has no net" in run("fit", "fits", records, "--out", tmp_path / "a.npz", code=2)
    assert "None of the records" in run("fit", "gemino", tmp_path, "--out", tmp_path / "a.npz", code=2)
    assert "cannot be read" in run("fit", "gemino", tmp_path / "no", "--out", tmp_path / "a.npz", code=2)
