"""Data sets: every decision of simulated games, as a batch would have shown it."""

import json

import numpy as np
import pytest

from kinds import FIRST
from mozaika.doors.batch import Batch
from mozaika.games import GAMES
from mozaika.lab import dataset as module
from mozaika.lab.dataset import decisions
from mozaika.lab.simulate import simulate
from mozaika.thought import Budget


def one_game(game, seats):
    bots = ["random", "greedy"][:seats]
    ((outcome, record),) = simulate(game, seats, game.options(), bots, 1, "seed", Budget(nodes=20))
    return outcome, record


@pytest.mark.parametrize("name", GAMES)
def test_rows_are_what_a_batch_shows_in_the_same_game(name):
    game, seats = GAMES[name], max(2, GAMES[name].seats.start)
    outcome, record = one_game(game, seats)
    rows, shown = iter(decisions(game, 7, record, outcome.bots)), 0
    batch = Batch(game, seats, 1, chance="steps", again=False)
    for ply, (seat, move) in enumerate(record.entries):
        asked, made = int(batch.seat[0]) == seat, game.stages.split_move(move) if seat < seats else []
        for number, choice in enumerate(made):
            found = game.stages.next_choices(batch.states[0], seat, made[:number])
            if len(found) < 2:
                continue
            row = next(rows)
            assert (row.game, row.ply, row.seat, row.bot) == (7, ply, seat, outcome.bots[seat])
            assert (row.action, row.move) == (choice, game.write_move(move))
            assert np.flatnonzero(row.mask).tolist() == found
            assert (row.points, row.place) == (outcome.scores[seat], outcome.ranks[seat])
            assert row.share == outcome.shares[seat]
            if asked and number == 0:
                assert np.array_equal(row.observation, batch.observation[0])
                assert np.array_equal(row.mask, batch.mask[0])
                shown += 1
        batch.seat[0] = seat
        batch.play({0: move})
    assert next(rows, None) is None
    assert shown > 5


def test_the_command_writes_a_line_for_each_decision(run, tmp_path):
    file = tmp_path / "games.ndjson"
    run("simulate", FIRST, "--bots", "greedy,random", "--games", "2", "--seed", "s", "--dataset", file)
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert {row["game"] for row in rows} == {0, 1}
    assert {row["bot"] for row in rows} == {"greedy", "random"}
    assert all(row["mask"][row["action"]] == 1 and sum(row["mask"]) > 1 for row in rows)
    assert "already; choose another name" in run("simulate", FIRST, "--dataset", file, code=2)


def test_what_cannot_be_written_is_said_before_anything_is_played(run, tmp_path, monkeypatch):
    assert "as .ndjson or .parquet" in run("simulate", FIRST, "--dataset", tmp_path / "x.csv", code=2)

    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(module, "import_module", missing)
    told = run("simulate", FIRST, "--dataset", tmp_path / "x.parquet", code=2)
    assert "Parquet needs pyarrow: pip install" in told
    assert list(tmp_path.iterdir()) == []
