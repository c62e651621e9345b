"""Bots by what people write: the same texts in every command, and results with the names bots say."""

import json
import re
import runpy
import sys
from pathlib import Path
from threading import Event

import numpy as np
import pytest

from kinds import FIRST
from mozaika import Batch, Table, simulate
from mozaika.cli import shell
from mozaika.doors.nets import NetPlayer
from mozaika.doors.players import find_bot, introduce, split_bots
from mozaika.games import GAMES
from mozaika.record import Record

AZUL = GAMES["azul"]
BOT = """import sys
last = ""
for line in sys.stdin:
    if line.startswith("mozaika"): print("mozaika 1", *sys.argv[1:2], flush=True)
    if line.startswith("legal "): last = line[6:-1]
    if line == "go\\n":
        if "dies" in sys.argv: sys.exit()
        print("play " + last, flush=True)
    if line == "quit\\n": break
"""


@pytest.fixture
def written(tmp_path):
    """The text of a bot that is a command, from the arguments of its program; the first is its name."""
    folder = tmp_path / "a, b"
    folder.mkdir()
    path = folder / "bot.py"
    path.write_text(BOT)
    return lambda *arguments: (
        f"exec:{sys.executable} {' '.join(repr(str(each)) for each in (path, *arguments))}"
    )


@pytest.mark.parametrize(
    ("text", "bots"),
    [
        ("greedy", ["greedy"]),
        (" greedy , random", ["greedy", "random"]),
        ("exec:bot 'a,b',greedy", ["exec:bot 'a,b'", "greedy"]),
        ('exec:bot "a,\'b",random', ['exec:bot "a,\'b"', "random"]),
        ('exec:bot "a,\\",b",random', ['exec:bot "a,\\",b"', "random"]),
        ("exec:bot a\\,b,random", ["exec:bot a\\,b", "random"]),
        ("exec:bot --w=1,2,random", ["exec:bot --w=1", "2", "random"]),
        ("exec:bot 'a,random", ["exec:bot 'a", "random"]),
        ("greedy,,random", ["greedy", "", "random"]),
        ("", [""]),
        (",", ["", ""]),
    ],
)
def test_commas_in_quotation_marks_do_not_part_bots(text, bots):
    assert split_bots(text) == bots


def test_many_quotation_marks_are_split_at_once():
    assert len(split_bots("exec:" + "'\\\"," * 20_000)) > 1


def test_a_comma_that_parts_a_command_is_explained():
    with pytest.raises(ValueError, match=r"not “2”\. Commas inside a command need quotation marks\."):
        introduce(AZUL, ["exec:bot --w=1", "2"])


def test_a_bot_says_its_name(written):
    assert introduce(AZUL, ["greedy", written("Ida"), "expert@5"]) == {
        "greedy": "greedy",
        written("Ida"): "Ida",
        "expert@5": "expert@5",
    }


def test_bots_of_the_same_name_are_told_apart(written):
    texts = [written("greedy"), written("Ida"), written("Ida", "other"), "random", written("random")]
    names = introduce(AZUL, texts)
    commands = [text.removeprefix("exec:") for text in texts]
    assert list(names.values()) == [
        f"greedy ({commands[0]})",
        "Ida",
        f"Ida ({commands[2]})",
        "random",
        f"random ({commands[4]})",
    ]


def test_a_bot_cannot_take_the_text_of_another(written):
    nameless = written()
    names = introduce(AZUL, [written(nameless), nameless])
    assert len(set(names.values())) == 2


def test_a_name_is_short_and_can_be_printed(written):
    [name] = introduce(AZUL, [written("\x1b[31m" + "é" * 500)]).values()
    assert name.isprintable()
    assert len(name) <= 40


def test_a_bot_without_a_name_is_called_by_its_command(written):
    assert introduce(AZUL, [written()]) == {written(): written()}


def test_the_arena_tells_the_names(run, written):
    bots = f"{written('Ida')},random"
    told = json.loads(run("arena", "azul", "--bots", bots, "--games", "2", "--json"))
    assert {each["bot"] for each in told["bots"]} == {"Ida", "random"}
    assert told["commands"] == {"Ida": written("Ida")}
    assert told["forfeits"] == []
    assert "Ida" in run("arena", "azul", "--bots", bots, "--games", "2", "--jobs", "2")


def test_a_simulation_knows_commands(run, written, tmp_path):
    records = tmp_path / "records"
    bots = f"{written('I/d/a')},random@3"
    told = json.loads(run("simulate", "azul", "--bots", bots, "-g", "2", "--json", "--records", records))
    assert {each["bot"] for each in told["bots"]} == {"I/d/a", "random@3"}
    names = {name for path in records.iterdir() for name in Record.read(path.read_text("utf-8")).names}
    assert names == {"I_d_a 1", "I_d_a 2", "random@3 1", "random@3 2"}


def test_a_simulation_says_who_has_forfeited(run, written, tmp_path):
    records = tmp_path / "records"
    shown = run(
        "simulate", "azul", "--bots", f"{written('Ida', 'dies')},random", "-g", "1", "--records", records
    )
    assert "Game 1: Ida in seat 1 has ended by itself." in shown
    [path] = records.iterdir()
    assert Record.read(path.read_text("utf-8")).remarks["Forfeit"] == "Ida in seat 1 has ended by itself."


def test_in_the_terminal_one_plays_against_a_command(run, written, tmp_path, monkeypatch):
    kept = tmp_path / "kept.txt"
    answers = iter(["1", "2"])

    def answer(*_):
        for each in answers:
            return each
        raise EOFError

    monkeypatch.setattr("builtins.input", answer)
    shown = run("play", "azul", "--bot", written("Ida"), "--seed", "5", "-o", "start=1", "--keep", kept)
    assert "Ida: takes" in shown
    record = Record.read(kept.read_text("utf-8"))
    assert record.names == ("Seat 1", "Ida")
    assert record.entries[-1].seat == 1


def test_in_the_terminal_a_forfeit_ends_the_game_and_keeps_it(run, written, tmp_path, monkeypatch):
    kept = tmp_path / "kept.txt"
    monkeypatch.setattr("builtins.input", lambda *_: "1")
    shown = run(
        "play",
        "azul",
        "--bot",
        written("Ida", "dies"),
        "-o",
        "start=2",
        "--seed",
        "5",
        "--keep",
        kept,
        "--lang",
        "de",
    )
    assert "Ida hat sich von selbst beendet. Ida hat die Partie verloren." in " ".join(shown.split())
    assert Record.read(kept.read_text("utf-8")).names == ("Platz 1", "Ida")


@pytest.mark.parametrize("command", ["arena", "simulate", "play"])
@pytest.mark.parametrize(
    ("bot", "sentence"),
    [
        ("exec:", "exec: cannot be started: there is no command."),
        ("exec:no-such-program", "exec:no-such-program cannot be started: no such file or directory."),
        ("exec:true", "exec:true has ended by itself."),
        ("exec:echo hello", "exec:echo hello answered “hello” instead of “mozaika 1 …”."),
        ("deep", "BOT@NODES, net:FILE, python:MODULE:NAME, exec:COMMAND, not “deep”."),
        ("expert@x", "BOT@NODES, net:FILE, python:MODULE:NAME, exec:COMMAND, not “expert@x”."),
    ],
)
def test_every_command_refuses_the_same(run, command, bot, sentence, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    option = "--bot" if command == "play" else "--bots"
    told = run(command, "azul", option, bot, code=2)
    assert sentence in told
    assert told.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_who_waits_is_told_what_for(run, monkeypatch, capsys):
    monkeypatch.setattr("mozaika.cli.shell.SILENCE", 0.0)
    monkeypatch.setattr("mozaika.cli.shell.kernel.warm", lambda _: said.wait(30))
    said, say = Event(), shell.say_aside

    def say_aside(what):
        say(what)
        said.set()

    monkeypatch.setattr(shell, "say_aside", say_aside)
    shell.get_ready(AZUL)
    assert "Getting Azul ready" in capsys.readouterr().err


def test_a_net_from_a_file_is_a_bot(tmp_path, run):
    batch, random = Batch(FIRST, 2), np.random.default_rng(1)
    inputs, actions, file = batch.observation.shape[1], batch.size, tmp_path / "net.npz"
    shapes = {"w0": (inputs, 8), "b0": (8,), "w1": (8, actions + 1), "b1": (actions + 1,)}
    np.savez(file, **{name: random.normal(size=shape).astype(np.float32) for name, shape in shapes.items()})
    told = json.loads(run("simulate", FIRST, "--bots", f"net:{file},random", "--games", 2, "--json"))
    assert {bot["bot"] for bot in told["bots"]} == {f"net:{file}", "random"}
    results = simulate(FIRST, f"net:{file},random", games=1, seats=2, seed=1)
    assert set(results["bot"].tolist()) == {f"net:{file}", "random"}, "as they were named, to pick rows by it"
    assert "needs" in run("simulate", FIRST, "--bots", f"net:{file}", "--seats", 3, "--games", 1, code=2)
    assert "layers" in run("simulate", FIRST, "--bots", f"net:{tmp_path}/none.npz,random", code=2)


@pytest.mark.long  # it compiles facts about moves for 15 s; make test-extras runs the recipe, too
@pytest.mark.parametrize(
    ("layers", "sentence"),
    [
        ({}, "has no layers"),
        ({"w0": np.zeros((3, 2))}, "has no layers"),
        ({"b0": np.zeros(2), "x": np.zeros(2)}, "no .npz file with the layers"),
        (
            {"w0": np.zeros((3, 2)), "b0": np.zeros(3)},
            "w0 has the shape (3, 2) and b0 (3,), which do not fit",
        ),
        ({"w0": np.zeros((3, 2, 1)), "b0": np.zeros(2)}, "which do not fit"),
        ({"w0": np.float32(1), "b0": np.float32(1)}, "which do not fit"),
        (
            {"w0": np.zeros((3, 2)), "b0": np.zeros(2), "w1": np.zeros((3, 2)), "b1": np.zeros(2)},
            "w1 has the shape (3, 2) and b1 (2,), which do not fit",
        ),
        ({"w0": np.full((3, 2), np.nan), "b0": np.zeros(2)}, "in w0 or b0 is something that is no number"),
        ({"w0": np.full((3, 2), "x"), "b0": np.zeros(2)}, "in w0 or b0 is something that is no number"),
        ({"w0": np.zeros((3, 2), complex), "b0": np.zeros(2)}, "in w0 or b0 is something that is no number"),
        (b"", "no .npz file with the layers"),
        (np.zeros(3), "no .npz file with the layers"),
    ],
)
def test_a_file_that_is_no_net_says_why(tmp_path, layers, sentence):
    path = tmp_path / "net.npz"
    with path.open("wb") as file:
        if isinstance(layers, dict):
            np.savez(file, **layers)
        elif isinstance(layers, bytes):
            file.write(layers)
        else:
            np.save(file, layers)
    with pytest.raises(ValueError, match=re.escape(sentence)):
        NetPlayer(path)


def test_the_example_that_learns_writes_a_net_that_plays(tmp_path, monkeypatch):
    examples = Path(__file__).parent.parent / "examples"
    monkeypatch.syspath_prepend(str(examples))
    ppo = runpy.run_path(str(examples / "ppo.py"))
    batch = Batch("azul", 2, 9, seed=3, reward="points")
    for _ in range(40):
        moves, facts, ends, _ = ppo["see"](batch.observation)
        for index, state in enumerate(batch.states):
            listed = moves[ends[index] : ends[index + 1]].tolist()
            assert listed == batch.game.legal_moves(state, int(batch.seat[index]))
        assert np.isfinite(facts).all()
        batch.play({index: int(moves[end - 1]) for index, end in enumerate(ends[1:])})
    random = np.random.default_rng(1)
    start = ppo["new_net"]({"move": facts.shape[1], "value": batch.observation.shape[1]}, random)
    slopes = ppo["gradient"](start, *ppo["roll_out"](batch, start, random)[0])
    assert all(np.isfinite(slope).all() for slope in slopes.values())
    file = tmp_path / "net.npz"
    monkeypatch.setattr("sys.argv", ["ppo.py", str(file), "--updates", "2", "--games", "8", "--measure", "4"])
    ppo["main"]()
    table = Table("azul", 2, seed=1)
    assert table.ask(find_bot(GAMES["azul"], f"net:{file}")) in table.legal_moves()
    assert len((examples / "ppo.py").read_text("utf-8").splitlines()) <= 150
