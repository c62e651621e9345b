"""Where the settings of a server come from: flags, variables, a file."""

import json
from pathlib import Path

import pytest

from mozaika.cli import measuring, settings


@pytest.fixture(autouse=True)
def nowhere(monkeypatch, tmp_path):
    """No settings of the machine that runs the tests; and nobody looks at its compiler."""
    monkeypatch.setattr(settings, "default_file", lambda: tmp_path / "usual.toml")
    monkeypatch.setattr(measuring, "_check_compiler", lambda: "well")
    for name in ("HOST", "PORT", "STORE", "SETTINGS", "RATE", "WEBHOOKS"):
        monkeypatch.delenv(f"MOZAIKA_{name}", raising=False)


@pytest.fixture
def told(run, tmp_path):
    """What the doctor says of each setting, with a file of this text."""

    def ask(text="", *flags, name="settings.toml"):
        file = tmp_path / name
        file.write_text(text, "utf-8")
        if name == "settings.toml":
            flags = ("--settings", file)
        says = json.loads(run("doctor", "--json", *flags))["settings"]["says"]
        lines = [line.split(" = ", 1) for line in says.strip().splitlines()]
        return {key.strip(): value for key, value in lines}

    return ask


def test_without_a_file_everything_is_as_usual(told):
    found = told("", name="other.toml")
    assert found["port"] == "8000 (usual)"
    assert found["webhooks"] == "false (usual)"
    assert found["store"].endswith("games.db (usual)")


def test_a_variable_counts_more_than_the_file(told, monkeypatch, tmp_path):
    monkeypatch.setenv("MOZAIKA_PORT", "9001")
    found = told(
        'port = 9000\nrate = 12.5\nwebhooks = true\nstore = "kept/games.db"\naccess_log = "kept/log"\n'
    )
    file = tmp_path / "settings.toml"
    assert found["port"] == "9001 (MOZAIKA_PORT)"
    assert found["rate"] == f"12.5 ({file})"
    assert found["webhooks"] == f"true ({file})"
    assert found["store"] == f"{tmp_path / 'kept' / 'games.db'} ({file})", "it lies beside the settings"
    assert found["access_log"] == f"{tmp_path / 'kept' / 'log'} ({file})", "it does, too"
    assert told('access_log = "-"\n')["access_log"].startswith("- "), "that is printed"
    assert found["host"] == "127.0.0.1 (usual)"


def test_a_flag_counts_most(tmp_path, monkeypatch):
    file = tmp_path / "settings.toml"
    file.write_text("port = 9000", "utf-8")
    monkeypatch.setenv("MOZAIKA_PORT", "9001")
    context = settings._serve().make_context("serve", ["--settings", str(file), "--port", "9002"])
    assert context.params["port"] == 9002


def test_the_usual_file_and_the_variable_that_names_another(told, monkeypatch, tmp_path):
    assert told("port = 9000", name="usual.toml")["port"] == f"9000 ({tmp_path / 'usual.toml'})"
    (tmp_path / "named.toml").write_text("port = 9003", "utf-8")
    monkeypatch.setenv("MOZAIKA_SETTINGS", str(tmp_path / "named.toml"))
    assert told("", name="other.toml")["port"] == f"9003 ({tmp_path / 'named.toml'})"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("prot = 80", "there is no setting 'prot'; there is 'port'."),
        ("weather = 1", "there is no setting 'weather'; there are host, port"),
        ("settings = 'x'", "there is no setting 'settings'"),
        ("port = 'high'", "port: Input should be a valid integer"),
        ("port = 70000", "port: Input should be less than or equal to 65535."),
        ("port = true", "port is a number or a text, not True."),
        ("webhooks = 1", "webhooks is true or false, not 1."),
        ("[port]", "port is a number or a text, not {}."),
        ("port =", "is not TOML"),
    ],
)
def test_what_a_file_must_not_say_is_one_sentence(run, tmp_path, text, sentence):
    file = tmp_path / "settings.toml"
    file.write_text(text, "utf-8")
    for command in (("serve", "--no-open"), ("tables",), ("backup", "x.db")):
        said = " ".join(run(*command, "--settings", file, code=2).split())
        assert said.startswith(f"{file}")
        assert sentence in said


def test_a_file_that_cannot_be_read_is_a_sentence(run, tmp_path):
    assert "cannot be read: no such file" in run("serve", "--settings", tmp_path / "none.toml", code=2)


def test_commands_of_the_operator_take_the_store_from_the_file(run, tmp_path):
    file = tmp_path / "settings.toml"
    file.write_text("port = 9000\nstore = 'kept.db'", "utf-8")
    said = run("tables", "--settings", file, code=2)
    assert f"There are no games in {tmp_path / 'kept.db'}." in " ".join(said.split())


def test_secrets_are_not_told():
    assert settings._show("metrics_token", "abc") == "set"
    assert settings._show("metrics_token", "") == "not set"


def test_the_usual_place_is_the_one_for_settings(monkeypatch):
    monkeypatch.undo()
    assert settings.default_file().name == "settings.toml"
    assert "mozaika" in Path(settings.default_file()).parts
