"""The command line, as a person and as a program use it."""

import csv
import json
import re
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest

from mozaika import chance, cli
from mozaika.cli import measuring
from mozaika.games import GAMES
from mozaika.record import Record
from mozaika.reviewing.puzzles import find_puzzles
from mozaika.table import Table

OWN_BOARD = "/".join(["1....1"] * 12)
AZUL_BOTS = (
    "random, greedy, beginner, casual, club, expert, champion, BOT@NODES, net:FILE, python:MODULE:NAME, "
    "exec:COMMAND"
)
SHELVED = ", ".join(GAMES)


class Run:
    """Runs a command and keeps what it printed."""

    def __init__(self, capsys, monkeypatch):
        self.capsys, self.monkeypatch = capsys, monkeypatch

    def __call__(self, *arguments: str, code: int = 0, typed: str | None = None) -> str:
        self.monkeypatch.setattr("sys.argv", ["mozaika", *arguments])
        if typed is not None:
            answers = iter(typed.splitlines())
            self.monkeypatch.setattr("builtins.input", lambda *_: next_answer(answers))
        with pytest.raises(SystemExit) as left:
            cli.main()
        out, self.err = self.capsys.readouterr()
        assert left.value.code == code, out + self.err
        return out


def next_answer(answers):
    for answer in answers:
        return answer
    raise EOFError


@pytest.fixture
def run(capsys, monkeypatch):
    return Run(capsys, monkeypatch)


@pytest.fixture
def record(tmp_path: Path) -> Path:
    table = Table("azul", 2, seed="file", start="1")
    while not table.is_over:
        table.play(table.ask("greedy"))
    path = tmp_path / "game.txt"
    path.write_text(table.record().write(), "utf-8")
    return path


def test_games(run):
    assert "Azul" in run("games")
    [azul] = [game for game in json.loads(run("games", "--json")) if game["id"] == "azul"]
    assert azul["seats"] == [2, 3, 4]
    assert azul["options"]["wall"] == ["coloured", "grey"]
    assert "greedy" in azul["bots"]


def test_every_command_has_help_with_an_example(run):
    overview = run("--help")
    for command in (
        "games",
        "play",
        "show",
        "replay",
        "verify",
        "simulate",
        "arena",
        "bot",
        "perft",
        "bench",
        "warm",
        "doctor",
    ):
        assert command in overview
        help_text = " ".join(run(command, "--help").split())
        assert f"mozaika {command}" in help_text
        assert "Example" in help_text


def test_puzzles_are_solved_shown_and_left(run):
    first, second = find_puzzles(GAMES["azul"])[:2]
    state = GAMES["azul"].parse_position(first.position)
    moves = map(GAMES["azul"].write_move, GAMES["azul"].legal_moves(state, first.seat - 1))
    other = next(move for move in moves if move not in first.best)
    out = " ".join(run("puzzles", "play", "azul", typed=f"{other}\n{first.best[0]}\nshow\nquit\n").split())
    assert out.index("There is better.") < out.index("more than any other move")
    assert out.count("more than any other move") == 2
    assert all(f"Puzzle {number} · 1/1" in out for number in (1, 2, 3))
    assert second.best[0] not in run("puzzles", "play", "azul", "-p", "2", "--lang", "pl", typed="quit\n")
    run("puzzles", "play", "azul", "--puzzle", "9999", code=2)
    assert "not 9999" in run.err
    run("puzzles", "make", "azul", "--out", "no/where.txt", code=2)
    assert "no is no folder that can be written to" in run.err


def test_show(run, record):
    assert "Round" in run("show", str(record))
    assert "Round 1" in run("show", str(record), "--ply", "21")
    picture = run("show", str(record), "--svg", "--shape", "tall", "--theme", "dark", "--seat", "1")
    assert ElementTree.fromstring(picture).get("viewBox").startswith("0 0 360")
    shown = json.loads(run("show", str(record), "--json"))
    assert shown["over"]
    assert run("show", "--position", shown["position"]) == run("show", str(record))
    assert "Runda" in run("show", str(record), "--lang", "pl")


def test_replay(run, record):
    told = run("replay", str(record))
    assert "takes" in told
    assert "(AZ-E1)" in told
    assert "nimmt" in run("replay", str(record), "--lang", "de")
    assert run("replay", str(record), "--boards").count("Round") > 20
    sentences = json.loads(run("replay", str(record), "--json"))
    assert sum(sentence["points"] for sentence in sentences) == sum(
        Record.read(record.read_text("utf-8")).result()
    )


def test_verify_a_seed(run):
    fits = chance.commitment("abc")
    assert "was fixed by" in run("verify", "--seed", "abc", "--commitment", fits)
    told = run("verify", "--seed", "abc", "--commitment", "00", "--json", code=1)
    assert json.loads(told) == {"verified": False}
    for wrong in ((), ("--seed", "abc"), ("game.txt", "--seed", "abc", "--commitment", fits)):
        run("verify", *wrong, code=2)


def test_verify(run, record):
    assert "fits the fingerprint in this record" in run("verify", str(record))
    assert "Not proven: Whether the table chose the seed" in run("verify", str(record))
    commitment = Record.read(record.read_text("utf-8")).commitment
    assert "fits the fingerprint that you gave" in run("verify", str(record), "--commitment", commitment)
    assert "does not match" in run("verify", str(record), "--commitment", "00", code=1)
    assert json.loads(run("verify", str(record), "--json"))["verified"]
    record.write_text(record.read_text("utf-8").replace("Seed: file", "Seed: other"), "utf-8")
    assert "does not match" in run("verify", str(record), code=1)
    record.write_text(record.read_text("utf-8").replace("1: F", "2: F", 1), "utf-8")
    run("verify", str(record), code=2)
    assert run.err.startswith("Line ")


def test_simulate(run, tmp_path):
    out, records = tmp_path / "results.csv", tmp_path / "records"
    arguments = ("simulate", "azul", "--bots", "greedy,random", "--games", "6", "--seed", "s")
    assert "greedy" in run(*arguments, "--out", str(out), "--records", str(records))
    rows = list(csv.DictReader(out.read_text("utf-8").splitlines()))
    assert len(rows) == 12
    assert {row["bot"] for row in rows if row["seat"] == "1"} == {"greedy", "random"}, "bots change seats"
    assert len(list(records.iterdir())) == 6
    for path in records.iterdir():
        assert Record.read(path.read_text("utf-8")).verify() == []
    counted = json.loads(run(*arguments, "--json"))
    assert [bot["bot"] for bot in counted["bots"]] == ["greedy", "random"]
    assert counted["bots"][0]["low"] <= counted["bots"][0]["share"] <= counted["bots"][0]["high"]
    run(*arguments, "--out", str(out), code=2)
    assert "already" in run.err
    run(*arguments, "--records", str(records), code=2)
    assert "already" in run.err
    results = tmp_path / "results.json"
    run(*arguments, "--out", str(results))
    assert len(json.loads(results.read_text("utf-8"))) == 6


def test_perft(run):
    assert json.loads(run("perft", "azul", "--depth", "2", "--seed", "1", "--json"))["counts"] == [96, 8640]
    assert "8,640" in run("perft", "azul", "--depth", "2", "--seed", "1")
    position = Table("azul", 2, seed=1).position()
    assert json.loads(run("perft", "azul", "-d", "1", "--position", position, "--json"))["counts"] == [96]


def test_bench(run):
    result = json.loads(run("bench", "azul", "--games", "50", "--json"))
    keys = "game seats options games ns_per_move games_per_s steps_per_move moves_per_game rounds score"
    keys += " branching"
    for speed in (result, *result["more"]):
        assert set(keys.split()) <= set(speed)
        assert speed["steps_per_move"] > 0
    kinds = [(speed["seats"], speed["options"]["wall"]) for speed in (result, *result["more"])]
    assert kinds == [(seats, wall) for wall in ("coloured", "grey") for seats in (2, 3, 4)]
    assert "steps" in run("bench", "azul", "--games", "10", "--seats", "2", "-o", "wall=grey")


def test_bench_shows_all_numbers_however_long_the_options_are(run):
    shown = run("bench", "fits", "--games", "1", "--seats", "1", "-o", "boards=A", "-o", f"own={OWN_BOARD}")
    assert re.search(r"1  A given \S+…( +-?[0-9,.]+){7}\n", shown)


def test_warm_and_doctor(run):
    assert "Ready: Azul" in run("warm", "azul")
    assert "ok  compiler" in run("doctor")
    assert all(check["ok"] for check in json.loads(run("doctor", "--json")).values())


def test_the_doctor_reports_illness(run, monkeypatch):
    def fail():
        raise OSError("the disk is full")

    monkeypatch.setattr(measuring, "_check_cache", fail)
    assert "bad kernel cache: OSError: the disk is full" in run("doctor", code=1)


def test_rules(run):
    assert "AZ-A5" in run("rules", "azul")
    assert run("rules", "azul", "az-a5").startswith("AZ-A5")
    assert run("rules", "azul", "AZ-A5", "--lang", "pl") != run("rules", "azul", "AZ-A5", "--lang", "de")
    run("rules", "azul", "AZ-Z9", code=2)
    assert run.err.strip() == "There is no rule “AZ-Z9”."


def test_playing_against_a_bot(run, tmp_path):
    kept = tmp_path / "kept.txt"
    typed = "1\n2\nnonsense\n?\nhint\nrules AZ-A5\nundo\n2\n1\nsave {}\nquit\n".format(tmp_path / "saved.txt")
    out = run("play", "azul", "--bot", "greedy", "--seed", "5", "--keep", str(kept), typed=typed)
    assert "There is no move “nonsense” now." in out
    assert "It puts your chance of winning at " in out
    assert "Taken back" in out
    assert "Seat 1: takes" in out
    assert Record.read(kept.read_text("utf-8")).entries
    assert (tmp_path / "saved.txt").exists()


def test_a_whole_game_on_one_screen(run):
    table, typed = Table("azul", 2, seed=5, wall="grey"), []
    while not table.is_over:
        typed.append(table.ask("greedy", table.movers[0]))
        table.play(typed[-1], table.movers[0])
    names = ("--name", "Ania", "--name", "Olek")
    out = run("play", "azul", *names, "-o", "wall=grey", "--seed", "5", typed="\n".join(typed))
    assert "Result" in out
    assert "Ania" in out


def test_a_refused_move_says_its_rule(run):
    table = Table("azul", 2, seed=5, start="1")
    taken = table.legal_moves()[0].split()[0]
    out = run("play", "azul", "-o", "start=1", "--seed", "5", typed=f"1\n1\n{taken} blue >1\n")
    assert "(AZ-A2)" in out


def test_typing_in_a_physical_game(run, tmp_path):
    typed = "start 2\nblue blue red red\nblue green\n" + "white " * 16 + "\n1\n2\n"
    out = run("play", "azul", "--told", "--keep", str(tmp_path / "told.txt"), typed=typed)
    assert "There is no move" in out
    record = Record.read((tmp_path / "told.txt").read_text("utf-8"))
    assert record.draws == "told"
    assert record.entries[-1].seat == 1


def test_going_on_with_a_game_that_was_kept(run, tmp_path):
    kept, again = tmp_path / "kept.txt", tmp_path / "again.txt"
    run("play", "azul", "--bot", "greedy", "--seed", "5", "--keep", str(kept), typed="1\n2\n")
    run("play", "azul", "--bot", "greedy", "--resume", str(kept), "--keep", str(again), typed="hint\n")
    assert again.read_text("utf-8") == kept.read_text("utf-8")
    table = Table.from_record(Record.read(kept.read_text("utf-8")))
    while not table.is_over:
        table.play(table.ask("greedy"))
    assert table.record().verify() == [], "the game goes on with the draws of its seed"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("play", "chess"), f"There is no game 'chess' on the shelf; there is {SHELVED}."),
        (("play", "azul", "--seats", "7"), "Azul is for 2 to 4 players, not 7."),
        (("play", "azul", "--bot", "oracle"), f"Azul has the bots {AZUL_BOTS}, not “oracle”."),
        (("play", "azul", "--seats", "2", *["--bot", "random"] * 3), "There are 3 bots for 2 seats."),
        (("play", "azul", "-o", "wall"), "An option is written name=value, not “wall”."),
        (("play", "azul", "-o", "wall=pink"), "wall is one of coloured, grey, not 'pink'."),
        (("play", "azul", "--lang", "fr"), "Mozaika speaks en, pl, de, not 'fr'."),
        (("show", "nowhere.txt"), "nowhere.txt cannot be read: no such file or directory."),
        (("show",), "Name a record file or a --position, one of the two."),
        (("show", "--position", "azul 2"), "The position lacks the field “wall”."),
        (("simulate", "azul", "--out", "x.xls"), "Results are written as .csv or .json, not x.xls."),
        (("simulate", "azul", "--bots", "greedy,greedy,greedy", "-n", "2"), "There are 3 bots for 2 seats."),
        (("simulate", "azul", "--out", "no/where.csv"), "no is no folder that can be written to."),
        (("simulate", "azul", "--records", "no/where"), "no is no folder that can be written to."),
        (("play", "azul", "--keep", "no/where.txt"), "no is no folder that can be written to."),
        (("play", "azul", "--seed", ""), "A seed is a line of text, not ''."),
        (
            ("play", "azul", "--resume", "x.txt", "--seats", "2"),
            "A game that goes on has its seats, names, options and draws already.",
        ),
        (("perft", "go", "--position", "azul 2"), f"There is no game 'go' on the shelf; there is {SHELVED}."),
        (("dance",), "No such command 'dance'."),
        (("bench", "go"), f"There is no game 'go' on the shelf; there is {SHELVED}."),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(run, arguments, sentence, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(*arguments, code=2) == ""
    assert run.err.strip() == sentence
    assert list(tmp_path.iterdir()) == [], "nothing is written"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("rules", "chess"), f"Na półce nie ma gry „chess”; są: {SHELVED}."),
        (("learn", "azul", "nope"), "Gra Azul nie ma takiej lekcji; są: first, grey."),
        (("learn", "azul", "--step", "99"), "Kroki tej lekcji: od 1 do 12, a nie 99."),
        (("puzzles", "play", "azul", "-p", "9999"), "Zadania do gry Azul: od 1 do "),
        (("play", "azul", "--bot", "oracle"), "Boty w grze Azul: "),
    ],
)
def test_commands_that_speak_a_language_refuse_in_it(run, arguments, sentence, monkeypatch):
    monkeypatch.setattr("mozaika.cli.shell.spoken", ["en"])
    run(*arguments, "--lang", "pl", code=2)
    assert run.err.startswith(sentence)


@pytest.mark.parametrize(
    "arguments", [("play", "azul", "--seats", "0"), ("simulate", "azul", "--games", "x")]
)
def test_a_wrong_number_is_one_sentence_too(run, arguments):
    run(*arguments, code=2)
    assert run.err.startswith("Invalid value for ")
    assert run.err.count("\n") == 1


def test_records_that_are_none(run, tmp_path, record):
    picture = tmp_path / "picture.png"
    picture.write_bytes(b"\x89PNG\xff\xfe")
    run("verify", str(picture), code=2)
    assert run.err.strip().endswith("is not a text file in UTF-8.")
    run("show", str(record), "--seat", "5", code=2)
    assert run.err.strip() == "There are the seats 1 to 2, not 5."
    run("show", str(record), "--svg", "--shape", "round", code=2)
    assert run.err.strip() == "shape is one of wide, tall, not 'round'."
    run("show", str(record), "--ply", "9999", code=2)
    assert run.err.startswith("The record has the plies 0 to ")


def test_nothing_typed_ends_a_game(run, tmp_path):
    typed = f"rules XX-1\nsave a\0b\n{'9' * 5000}\nsave {tmp_path / 'old.txt'}\nundo\n1\n1\n"
    (tmp_path / "old.txt").write_text("precious", "utf-8")
    out = run("play", "azul", "--seed", "1", "--keep", str(tmp_path / "kept.txt"), typed=typed)
    for sentence in (
        "There is no rule “XX-1”.",
        "null byte",
        "already; choose another",
        "no move to take back",
    ):
        assert sentence in " ".join(out.split())
    assert (tmp_path / "old.txt").read_text("utf-8") == "precious"
    assert Record.read((tmp_path / "kept.txt").read_text("utf-8")).entries[-1].seat < 2


def test_an_interrupted_game_is_kept(run, tmp_path, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Table, "ask", interrupt)
    run(
        "play",
        "azul",
        "--bot",
        "greedy",
        "-o",
        "start=2",
        "--seed",
        "1",
        "--keep",
        str(tmp_path / "kept.txt"),
    )
    assert Record.read((tmp_path / "kept.txt").read_text("utf-8")).entries


def table_before_a_forced_move() -> Table:
    """A game in which somebody has just one move, and which goes on after it."""
    for seed in range(50):
        table, random = Table("azul", 2, seed=seed), Random(seed)
        while not table.is_over:
            if len(table.legal_moves()) == 1:
                after = table.copy()
                after.play(after.legal_moves()[0])
                if not after.is_over:
                    return table
            table.play(random.choice(table.legal_moves()))
    raise AssertionError("no game has a forced move")


def test_undo_goes_back_over_a_forced_move(run, tmp_path):
    """A move without an alternative is offered like any other, so taking back does not run into it."""
    table = table_before_a_forced_move()
    forced = tmp_path / "forced.txt"
    forced.write_text(table.record(reveal=True).write(), "utf-8")
    run("play", "azul", "--resume", str(forced), "--keep", str(forced), typed="1\nundo\nundo\n")
    again = Record.read(forced.read_text("utf-8"))
    assert len(again.entries) < table.ply


def test_version(run):
    assert run("--version").strip().count(".") == 2


def test_the_shelf_stands_in_the_examples(run):
    assert next(iter(GAMES)) in run("play", "--help")


def test_hindsight_of_a_recorded_game(run, tmp_path: Path):
    table = Table("fits", 2, seed="back", boards="21", names=["Ania", "Bartek"])
    while not table.is_over:
        seat = table.movers[0]
        table.play(table.ask("greedy", seat), seat)
    path = tmp_path / "ramps.txt"
    path.write_text(table.record().write(), "utf-8")
    parts = json.loads(run("hindsight", str(path), "--json", "--lang", "pl"))
    assert [part["part"] for part in parts] == ["runda 1, plansza 2", "runda 2, plansza 1"]
    assert [sum(part["made"][seat] for part in parts) for seat in range(2)] == table.scores
    total = sum(part["possible"][0] for part in parts)
    assert total > table.scores[0]
    assert f"{table.scores[0]} of at least {total}" in run("hindsight", str(path))
    german = run("hindsight", str(path), "--lang", "de")
    assert f"{table.scores[0]} von mindestens {total}" in german
    assert " of " not in german


def test_hindsight_says_where_nobody_has_any(run, record: Path, tmp_path: Path):
    run("hindsight", str(record), code=2)
    assert "For Azul nobody can say what would have been possible." in run.err
    short = tmp_path / "short.txt"
    short.write_text(Table("fits", 1, seed=1).record().write(), "utf-8")
    run("hindsight", str(short), code=2)
    assert "does not go far enough" in run.err
