"""A run that was cut off goes on where it was, and finds what it would have found at once."""

import json
import pickle
from functools import partial

import numpy as np
import pytest

from kinds import FIRST
from mozaika.cli import laboratory
from mozaika.games import GAMES
from mozaika.lab import arena, fit, measuring, simulate
from mozaika.lab.journal import Checkpoint, Journal, kept_seed, part_of
from mozaika.lab.measuring import Looked, Meter, Players
from mozaika.reviewing.calibration import Calibration
from nursery import nursery
from test_fit import play
from test_several import until


@pytest.fixture(autouse=True)
def same_bots(monkeypatch):
    """How bots play is not looked at again and again, and the same wherever a run is."""
    monkeypatch.setattr(laboratory, "signature", lambda _: 7)


ABOUT = {"seed": "s", "bots": ["a", "b"]}
BOTS = ("--bots", "greedy,random", "--nodes", "20")


def units(number):
    yield from range(number)


def test_what_was_noted_is_kept_and_the_rest_is_new(tmp_path):
    path = tmp_path / "out.csv.part"
    journal = Journal(path, ABOUT, int)
    assert not path.exists(), "nothing is done yet"
    run = journal.follow(units(5))
    assert [next(run), next(run), next(run)] == [0, 1, 2]
    run.close()
    path.write_bytes(path.read_bytes() + b"12")  # cut off while it was written
    again = Journal(path, {"seed": "s", "bots": ("a", "b")}, int)
    assert again.kept == [0, 1, 2]
    assert kept_seed(path) == "s"
    assert list(again.follow(units(0))) == [0, 1, 2]
    again.keep(1)
    assert Journal(path, ABOUT, int).kept == [0]
    again.end()
    assert not path.exists()
    assert kept_seed(path) is None


def test_other_arguments_are_refused_with_a_sentence(tmp_path):
    path = tmp_path / "x.part"
    list(Journal(path, ABOUT, int).follow(units(1)))
    with pytest.raises(ValueError, match=r"cut off, with another seed: s, not t\. Go on with the same"):
        Journal(path, {**ABOUT, "seed": "t"}, int)
    with pytest.raises(ValueError, match="another more: None, not 1"):
        Journal(path, {**ABOUT, "more": 1}, int)
    checkpoint = Checkpoint(tmp_path / "y.part", ABOUT)
    checkpoint.write({"x": np.arange(3)}, {"big": 1 << 100})
    arrays, values = checkpoint.read()
    assert arrays["x"].tolist() == [0, 1, 2]
    assert values == {"big": 1 << 100}
    with pytest.raises(ValueError, match="another seed"):
        Checkpoint(tmp_path / "y.part", {**ABOUT, "seed": "t"}).read()


@pytest.mark.parametrize("text", ["x", "x\n1\n", '{"seed":"s"}\n"one"\n', "[]\n1\n", '{"a":1}\n{\n'])
def test_what_is_no_journal_is_left_alone(tmp_path, text):
    path = tmp_path / "x.part"
    path.write_text(text)
    if text.count("\n") > 1:
        with pytest.raises(ValueError, match=r"remove (it|that file) to begin anew"):
            Journal(path, {"seed": "s"}, int)
        assert path.read_text() == text
    with pytest.raises(ValueError, match="remove it to begin anew"):
        Checkpoint(path, ABOUT).read()


def cut_after(monkeypatch, module, name, number, error):
    """The power fails after so many calls."""
    whole, calls = getattr(module, name), []

    def cut(*arguments, **named):
        calls.append(1)
        if len(calls) > number:
            raise error
        return whole(*arguments, **named)

    monkeypatch.setattr(module, name, cut)


def results(path):
    """Without the time that moves took."""
    return [{**each, "milliseconds": 0} for each in json.loads(path.read_text("utf-8"))]


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(9)])
@pytest.mark.parametrize("command", ["arena", "simulate"])
def test_a_run_goes_on_where_it_was_cut_off(run, tmp_path, monkeypatch, command, error):
    arguments = (command, FIRST, *BOTS, "--games", "8")
    whole, out = tmp_path / "whole.json", tmp_path / "cut.json"
    run(*arguments, "--seed", "s", "--out", whole)
    assert not part_of(whole).exists()
    with monkeypatch.context() as patch:
        place = (arena, "play_unit") if command == "arena" else (simulate, "play_one")
        cut_after(patch, *place, 3, error)
        stopped = isinstance(error, KeyboardInterrupt)
        code = 9 if not stopped else 0 if command == "arena" else 130
        run(*arguments, "--seed", "s", "--out", out, code=code)
    assert part_of(out).exists()
    assert out.exists() == (stopped and command == "arena"), "who ends a match gets what there is"
    assert "another seed: s, not t" in run(*arguments, "--seed", "t", "--out", out, code=2)
    with monkeypatch.context() as patch:
        patch.setattr(laboratory, "signature", lambda _: 8)
        assert "another signature of the bots: 7, not 8" in run(*arguments, "--out", out, code=2)
    assert "another line-up" in run(command, FIRST, "--bots", "random", "--nodes", "20", "--out", out, code=2)
    with monkeypatch.context() as patch:
        left = 1 if command == "arena" else 5
        cut_after(patch, *place, left, AssertionError("what was kept is not played again"))
        run(*arguments, "--out", out)
    assert results(out) == results(whole)
    assert not part_of(out).exists()


def test_records_are_written_once_and_one_that_is_missing_is_played_again(run, tmp_path, monkeypatch):
    arguments = ("simulate", FIRST, *BOTS, "--games", "5", "--seed", "s", "--records")
    run(*arguments, tmp_path / "whole")
    with monkeypatch.context() as patch:
        cut_after(patch, simulate, "play_one", 3, SystemExit(9))
        run(*arguments, tmp_path / "cut", code=9)
    written = sorted((tmp_path / "cut").glob("*.txt"))
    assert len(written) == 3
    written[1].unlink()
    run(*arguments, tmp_path / "cut")
    files = [sorted((tmp_path / each).iterdir()) for each in ("whole", "cut")]
    assert [file.name for file in files[0]] == [file.name for file in files[1]]
    for whole, cut in zip(*files, strict=True):
        assert whole.read_text("utf-8") == cut.read_text("utf-8")


def test_a_fit_goes_on_where_it_was_cut_off(tmp_path, monkeypatch):
    game = next(game for game in GAMES.values() if game.judgement.net is not None)
    records = play(game, 24, 2, ["greedy", "random"])
    whole, out = tmp_path / "whole.npz", tmp_path / "cut.npz"

    def fit_to(path, watch=lambda *_: None, epochs=4):
        return fit.fit_to(game, records, path, epochs, 0, watch, fresh=True)

    def cut(done, _):
        ended.append(done)
        if sum(ended) == 2:
            raise KeyboardInterrupt

    told, ended = fit_to(whole), []
    with pytest.raises(KeyboardInterrupt):
        fit_to(out, cut)
    with pytest.raises(ValueError, match="another number of epochs: 4, not 5"):
        fit_to(out, epochs=5)
    monkeypatch.setattr(fit, "gather", None)  # what was looked at is kept, too
    seen = []
    assert fit_to(out, lambda done, _: seen.append(done)) == told
    assert seen == [2, 1, 1]
    with np.load(whole) as one, np.load(out) as other:
        assert {name: one[name].tolist() for name in one} == {name: other[name].tolist() for name in other}
    assert not part_of(out).exists()


@pytest.mark.anyio
async def test_a_match_whose_process_is_killed_goes_on(run, tmp_path, monkeypatch):
    monkeypatch.undo()
    arguments = ("arena", FIRST, *BOTS, "--games", "400", "--seed", "s", "--out")
    out, output = tmp_path / "cut.json", tmp_path / "output.txt"
    output.touch()
    process = nursery().fork(output, *map(str, arguments), str(out))
    await until(lambda: part_of(out).exists() and part_of(out).stat().st_size > 1_000)
    process.kill()
    process.wait(60)
    played = json.loads("[" + ",".join(part_of(out).read_text("utf-8").split("\n")[1:-1]) + "]")
    assert played
    smaller = [str(2 * len(played) + 2) if each == "400" else each for each in arguments]
    run(*smaller, out)
    run(*smaller, tmp_path / "whole.json")
    assert results(out) == results(tmp_path / "whole.json")


class Nearby:
    """A cluster whose machines are this process: what is sent there is pickled, as Ray does."""

    def map(self, work, about, items):
        for first in range(0, len(items), 2):
            sent = pickle.loads(pickle.dumps((work, about, list(items[first : first + 2]))))
            yield from pickle.loads(pickle.dumps(sent[0](*sent[1:])))


def test_a_calibration_measures_the_same_on_a_cluster_and_goes_on_there(tmp_path, monkeypatch):
    monkeypatch.setattr(measuring, "warm", lambda _: None)
    plain = Calibration(2, judge="expert", nodes=40, look=4, redraws=2)
    near, far = (
        Meter(GAMES[FIRST], plain, Players("greedy", 1), "s", cluster) for cluster in (None, Nearby())
    )
    here = list(near.each("look", range(5)))
    assert list(far.each("look", range(5))) == here
    path = tmp_path / "looks.jsonl"
    for meter, number in ((near, 2), (far, 5)):
        *_, rows = measuring.gather(path, ["about"], Looked, number, partial(meter.each, "look"))
        assert rows == here[:number]
