"""A game that another package brings, installed beside us for a test."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from nursery import Nursery, nursery

BROUGHT = Path(__file__).parent / "pebbles"


def install(folder: Path, *edits: tuple[str, str]) -> Path:
    """The package with its entry point, as an installer leaves it; with edits of its text, if any."""
    shutil.copytree(BROUGHT, folder / "pebbles", ignore=shutil.ignore_patterns("__pycache__"))
    source = folder / "pebbles" / "__init__.py"
    text = source.read_text("utf-8")
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new)
    source.write_text(text, "utf-8")
    facts = folder / "pebbles-1.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: pebbles\nVersion: 1\n", "utf-8")
    (facts / "entry_points.txt").write_text("[mozaika.games]\npebbles = pebbles:GAME\n", "utf-8")
    return folder


def path_with(installed: Path) -> str:
    """The search path of a Python that finds the package."""
    return os.pathsep.join([str(installed), os.environ.get("PYTHONPATH", "")])


def nursery_with(installed: Path) -> Nursery:
    """Whose children have the game on their shelf, and ready."""
    return nursery(path_with(installed), BROUGHT.name)


def command(folder: Path, installed: Path, *arguments: str, typed: str = "", code: int = 0) -> str:
    """What a command prints, or a script behind `-c`, where Python has found the package before."""
    keyboard, output = folder / "typed.txt", folder / "output.txt"
    keyboard.write_text(typed, "utf-8")
    child = nursery_with(installed).fork(output, *arguments, typed=str(keyboard))
    told = (child.wait(), output.read_text("utf-8"))
    assert told[0] == code, told
    return told[1]


def run(installed: Path, *arguments: str, typed: str = "", code: int = 0, **environment: str) -> str:
    """What a new Python prints that finds the package."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", *arguments],
        env={**os.environ, "PYTHONPATH": path_with(installed), **environment},
        input=typed,
        capture_output=True,
        text=True,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout or done.stderr
