"""A wheel in an environment of its own: with nothing but what it asks for it plays, commands and serves."""

import os
import subprocess
import sys
import venv
from importlib.metadata import Distribution, PathDistribution, distribution
from pathlib import Path

import httpx
import pytest
from packaging.requirements import Requirement

from mozaika import Table
from server_process import LOCAL, PATIENT, UNHURRIED, ServerProcess

ROOT = Path(__file__).parent.parent
GAME = """
import importlib.util, mozaika
table = mozaika.Table("azul", seed="sunday", start="1", lang="pl")
while not table.is_over:
    table.play(table.legal_moves()[0])
print(mozaika.__file__, mozaika.__version__, importlib.util.find_spec("babel"))
print(table.scores)
print(table.log()[-1])
"""


class Installed:
    """The wheel in an environment, and the libraries that it asks for, as links to those of the tests."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        venv.create(folder, symlinks=True)
        self.bin = folder / "bin"
        self.environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        uv = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--offline", "--no-cache", "--no-deps"]
        subprocess.run([*uv, "--python", self.bin / "python", wheel], check=True, env=self.environment)
        [info] = folder.rglob("mozaika-*.dist-info")
        self.wheel, self.libraries = PathDistribution(info), info.parent
        self.bring("")

    def bring(self, extra: str) -> None:
        """Have what the wheel asks for with an extra, and what that asks for, and nothing else."""
        for link in filter(Path.is_symlink, self.libraries.iterdir()):
            link.unlink()
        waiting: list[tuple[Distribution, str]] = [(self.wheel, extra)]
        while waiting:
            asking, wanted = waiting.pop()
            for need in map(Requirement, asking.requires or ()):
                if need.marker is None or need.marker.evaluate({"extra": wanted}):
                    found = distribution(need.name)
                    if self._link(found):
                        waiting += [(found, each) for each in ("", *need.extras)]

    def _link(self, library: Distribution) -> bool:
        names = {file.parts[0] for file in library.files or ()} - {"..", "__pycache__"}
        new = [name for name in names if not (self.libraries / name).exists()]
        for name in new:
            (self.libraries / name).symlink_to(library.locate_file(name))
        return bool(new)

    def run(self, *command: str, code: int = 0) -> str:
        """What it prints, or what it complains about where it is to fail."""
        program, *arguments = command
        done = subprocess.run(
            [self.bin / program, *arguments],
            env=self.environment,
            cwd=self.bin,
            capture_output=True,
            text=True,
            timeout=PATIENT,
        )
        assert done.returncode == code, done.stderr
        return done.stderr if code else done.stdout


@pytest.fixture
def installed(tmp_path: Path) -> Installed:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    [wheel] = tmp_path.glob("*.whl")
    return Installed(tmp_path / "env", wheel)


def test_a_wheel_plays_says_what_its_commands_need_and_serves(tmp_path, installed):
    check_game(installed)
    assert installed.run("mozaika", "games", code=2).endswith("pip install 'mozaika[lab]'.\n")
    assert installed.run("mozaika", "serve", code=2).endswith("pip install 'mozaika[serve]'.\n")
    installed.bring("lab")
    assert "azul" in installed.run("mozaika", "games")
    said = installed.run("mozaika", "bench", "server", code=2)
    assert said.splitlines()[0].endswith("pip install 'mozaika[serve]'."), said
    installed.bring("serve")
    check_pages(installed, tmp_path)


def check_game(installed: Installed) -> None:
    """The game of the wheel is ours, in a language, and what it runs is the wheel."""
    facts, scores, said = installed.run("python", "-c", GAME).splitlines()
    assert facts.startswith(str(installed.libraries))
    assert facts.endswith(f"{installed.wheel.version} None")
    table = Table("azul", seed="sunday", start="1", lang="pl")
    while not table.is_over:
        table.play(table.legal_moves()[0])
    assert (scores, said) == (str(table.scores), table.log()[-1])


def check_pages(installed: Installed, folder: Path) -> None:
    program, environment = (str(installed.bin / "mozaika"),), installed.environment
    with (
        ServerProcess(folder, *UNHURRIED, program=program, environment=environment) as server,
        httpx.Client(base_url=server.address, **LOCAL) as browser,
    ):
        for lang, sentence in (("en", "Rules"), ("pl", "Zasady"), ("de", "Regeln")):
            page = browser.get("/", headers={"Accept-Language": lang})
            assert page.is_success
            assert f'<html lang="{lang}">' in page.text
            assert sentence in page.text
        assert browser.get("/rules/azul").is_success
        assert server.stop() == 0
