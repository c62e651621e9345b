"""The modules of the page that need no page: their own tests, by Node."""

import shutil
import subprocess
from pathlib import Path

import pytest

from mozaika import web

MODULES = Path(web.__file__).parent / "static"
TESTS = Path(__file__).parent / "node"


def test_the_pure_modules_pass_their_own_tests(tmp_path: Path):
    node = shutil.which("node")
    if node is None:
        pytest.skip("No Node here; it runs the tests of the page's pure modules.")
    (tmp_path / "package.json").write_text('{"type": "module"}', "utf-8")  # older ones do not see it
    for path in (*MODULES.glob("*.js"), *TESTS.glob("*.mjs")):
        shutil.copy(path, tmp_path)
    files = sorted(map(str, tmp_path.glob("*.test.mjs")))
    ran = subprocess.run([node, "--test", *files], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout


def test_nothing_on_a_page_moves_for_ever():
    """A page that waits takes no processor and no battery, and nothing blinks beside what is read."""
    assert not [sheet.name for sheet in MODULES.glob("*.css") if "infinite" in sheet.read_text("utf-8")]
