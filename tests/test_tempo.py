"""How long a page takes to show what a bot does in a turn, as planned from the views of recorded games."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from kinds import FIRST
from mozaika import web
from mozaika.games import GAMES
from mozaika.server.views import Viewer, build_view, tell_log
from mozaika.state import CHANCE
from mozaika.table.bots import Bots
from mozaika.table.shared import SharedTable
from mozaika.table.told import read_told

MODULES = Path(web.__file__).parent / "static"
TURNS = Path(__file__).parent / "node" / "turns.mjs"


def moments_of(path: Path) -> dict[str, object]:
    """What the page knows of each moment of a game, and which of them are told."""
    shared = SharedTable(*read_told(path.read_text("utf-8"), "en"), None)  # type: ignore[arg-type]
    viewer, plies = Viewer("", admitted=False, lang="en", shape="wide"), shared.table.ply
    views = [build_view(shared, viewer, ply) for ply in range(plies + 1)]
    lines = [{"ply": line.ply} for line in tell_log(shared, viewer, 0, plies)]
    moments = [(view.mover, view.glimpse is not None, view.scene.pause) for view in views]
    return {"plies": plies, "lines": lines, "moments": moments}


@pytest.mark.parametrize("name", GAMES)
def test_a_turn_of_a_bot_takes_a_second_at_most_and_fast_half_of_it(name, tmp_path):
    """Whatever it is made of: the move, what it takes away again, the end of a round, what is dealt then."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("No Node here; it runs the modules of the page.")
    game = GAMES[name]
    records = game.folder / "tests" / "records"
    games = [moments_of(min(records.glob(f"*-{seats}-*.txt"))) for seats in {2, game.seats[-1]}]
    (tmp_path / "package.json").write_text('{"type": "module"}', "utf-8")
    (tmp_path / "games.json").write_text(json.dumps(games), "utf-8")
    for path in (MODULES / "tempo.js", MODULES / "told.js", TURNS):
        shutil.copy(path, tmp_path)
    command = [node, str(tmp_path / "turns.mjs"), str(tmp_path / "games.json")]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    normal, fast = json.loads(ran.stdout)
    assert 400 < max(normal) <= 1000
    assert 200 < max(fast) <= 500


def test_a_bot_that_goes_on_with_its_turn_waits_less():
    game = GAMES[FIRST]
    path = min((game.folder / "tests" / "records").glob("*-2-*.txt"))
    shared = SharedTable(*read_told(path.read_text("utf-8"), "en"), None)  # type: ignore[arg-type]
    moved = next(entry.seat for entry in reversed(shared.table.entries) if entry.seat != CHANCE)
    bots = Bots(None, 1.0, None)  # type: ignore[arg-type]
    assert bots.patience_of(shared, 1 - moved) == 1.0
    assert bots.patience_of(shared, moved) < 0.5
