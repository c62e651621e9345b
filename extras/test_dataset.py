"""Data sets as Parquet: the same rows as NDJSON, as pandas reads them."""

import json

import numpy as np
import pandas
import pytest

from mozaika import GAMES
from mozaika.lab.dataset import Dataset
from mozaika.lab.simulate import simulate
from mozaika.thought import Budget


@pytest.mark.parametrize("name", GAMES)
def test_both_forms_say_the_same(name, tmp_path, monkeypatch):
    game, seats = GAMES[name], max(2, GAMES[name].seats.start)
    monkeypatch.setattr("mozaika.lab.dataset.ROWS_AT_ONCE", 50)
    games = list(simulate(game, seats, game.options(), ["random", "greedy"], 2, "s", Budget(nodes=20)))
    files = [tmp_path / "games.ndjson", tmp_path / "games.parquet"]
    for file in files:
        with Dataset(file, game, seats) as kept:
            for outcome, record in games:
                kept.add(outcome.game, record, outcome.bots)
    lines = [json.loads(line) for line in files[0].read_text("utf-8").splitlines()]
    table = pandas.read_parquet(files[1])
    assert len(table) == len(lines) == kept.rows > 50
    assert list(table.columns) == list(lines[0])
    for column in ("game", "ply", "seat", "bot", "action", "move", "points", "place"):
        assert table[column].tolist() == [line[column] for line in lines]
    assert np.allclose(np.stack(table["observation"]), [line["observation"] for line in lines], atol=1e-6)
    assert np.array_equal(np.stack(table["mask"]), [line["mask"] for line in lines])
    chosen = np.stack(table["mask"])[np.arange(len(table)), table["action"]]
    assert chosen.all()
