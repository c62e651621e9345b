"""The first step of CONTRIBUTING: the model folder is copied, and the copy passes what every game must."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from copy_game import copy_game
from mozaika.checks import kinds_of
from mozaika.games import find_game

ROOT = Path(__file__).parent.parent
MODEL, NAME, PREFIX = "gemino", "mosaic", "MO"
OWN = f"src/mozaika/games/{NAME}/tests"
EVERY_GAME = (
    "tests/test_every_game.py",
    "tests/test_records_of_every_game.py",
    "tests/test_rule_table.py",
    "tests/test_shelf.py",
    "tests/test_perft.py",
    "tests/test_architecture.py",
)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole tree with the copy in it, made as CONTRIBUTING says."""
    tree = tmp_path_factory.mktemp("tree")
    for part in ("src", "tests"):
        shutil.copytree(ROOT / part, tree / part, ignore=shutil.ignore_patterns("browser"))
    for name in ("conftest.py", "pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, tree)
    [command] = re.findall(
        r"^python (tests/copy_game.py .*?) +#", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.MULTILINE
    )
    assert command.split()[1:] == [MODEL, NAME, PREFIX]
    subprocess.run([sys.executable, *command.split()], cwd=tree, check=True, capture_output=True)
    return tree


def test_nothing_in_the_copy_remembers_its_model(tree: Path):
    folder = tree / "src" / "mozaika" / "games" / NAME
    for path in folder.rglob("*"):
        assert "gemino" not in path.name.lower()
        if path.is_file() and path.suffix != ".npz":
            assert not re.search(r"(?i:gemino)|\bGE-|mz-ge", path.read_text("utf-8")), path


def run_tests(tree: Path, *runs: list[str]) -> str:
    """Each run in turn, in one process; returns what pytest says at the end of the last.

    One example of each property is enough here. Its kernels lie beside ours: they are kept by what they can
    reach, wherever the tree lies.
    """
    environment = {**os.environ, "PYTHONPATH": str(tree / "src")}
    usual = ["-n0", "-p", "no:cacheprovider", "--hypothesis-profile=glance", "-rN"]
    script = f"import pytest, sys; sys.exit(any([pytest.main({usual} + each) for each in {runs}]))"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tree, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]
    return done.stdout


ACCEPTED = ["--accept", "tests/test_records_of_every_game.py", "-k", f"same_states and {NAME}"]
"""Only the digests of recorded games are written anew, for the name of the game is part of them."""


def test_the_copy_passes_what_every_game_must_pass(tree: Path):
    """For the first of its kinds; the slow lists of its own tests are left out."""
    first = f"{NAME}{repr(kinds_of(find_game(MODEL))[0]).removeprefix(MODEL)}"
    own = [str(path) for path in (tree / OWN).glob("test_*.py") if path.stem != "test_legal"]
    told = run_tests(
        tree,
        ACCEPTED,
        [
            *EVERY_GAME,
            *own,
            "-k",
            f"{first} or catalogues or imports or ({NAME} and not {NAME}- and not same_states)",
        ],
    )
    assert int(re.findall(r"(\d+) passed", told)[-1]) > 150


@pytest.mark.long
def test_the_copy_passes_all_that_every_game_must_pass(tree: Path):
    told = run_tests(tree, ACCEPTED, [*EVERY_GAME, OWN, "-k", f"{NAME} or catalogues or imports"])
    assert int(re.findall(r"(\d+) passed", told)[-1]) > 300, "every test of every kind, and its own"


@pytest.mark.parametrize(
    ("new", "prefix"), [("gemino", "MO"), ("Mosaic", "MO"), ("mosaic", "Mo"), ("a b", "MO")]
)
def test_names_that_do_not_fit(tmp_path: Path, new: str, prefix: str):
    (tmp_path / "gemino").mkdir()
    with pytest.raises(ValueError, match=r"name for a new game|two capitals"):
        copy_game(tmp_path, "gemino", new, prefix)
