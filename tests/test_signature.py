"""The step of CI that compares the signature of the bots with the one in the last commit that states one."""

import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent.parent / ".ci" / "signature"


@pytest.fixture
def history(tmp_path, monkeypatch):
    """A repository with these commit messages."""
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))

    def make(*messages):
        git = ["git", "-C", str(tmp_path), "-c", "user.name=A", "-c", "user.email=a@example.org"]
        subprocess.run([*git, "init", "-q"], check=True)
        for message in messages:
            subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", message], check=True)

    make.folder = tmp_path
    return make


def compare(folder, number):
    return subprocess.run([SCRIPT, str(number)], cwd=folder, capture_output=True, text=True)


def test_the_last_statement_counts(history):
    history("a\n\nBench: 1", "b\n\nBench: 22", "c\n\nNo functional change")
    assert compare(history.folder, 22).returncode == 0
    done = compare(history.folder, 1)
    assert done.returncode == 1
    assert "their signature is 1, the last commit that states one says 22" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_word_within_a_message_states_nothing(history):
    history("a\n\nBench: 5", "the Bench: 7 of the park", "more\n\nBench: many")
    assert compare(history.folder, 5).returncode == 0


def test_without_a_statement_or_history_it_goes_on(history):
    done = compare(history.folder, 7)
    assert (done.returncode, done.stdout) == (
        0,
        "No commit that is here states a signature; the bots have 7.\n",
    )
    history("a")
    assert compare(history.folder, 7).stdout == done.stdout
