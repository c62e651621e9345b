"""A game that another package brings: short, without translations, with bots that lack what they need."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

BROUGHT = Path(__file__).parent / "pebbles"


@pytest.fixture
def installed(tmp_path):
    """The package beside its entry point, as an installer leaves it."""
    shutil.copytree(BROUGHT, tmp_path / "pebbles", ignore=shutil.ignore_patterns("__pycache__"))
    facts = tmp_path / "pebbles-1.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: pebbles\nVersion: 1\n", "utf-8")
    (facts / "entry_points.txt").write_text("[mozaika.games]\npebbles = pebbles:GAME\n", "utf-8")
    return tmp_path


def run(installed, script):
    path = os.pathsep.join([str(installed), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script, str(installed)],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_its_package_can_be_imported_before_ours(installed):
    script = (
        "import pebbles, mozaika\n"
        "assert mozaika.GAMES['pebbles'] is pebbles.GAME\n"
        "table = mozaika.Table(pebbles.GAME, seed='x')\n"
        "while not table.is_over: table.play(table.ask('random'))\n"
        "print(table.ply)\n"
    )
    assert int(run(installed, script)) in (3, 4, 5)


def test_a_bot_that_lacks_something_says_what(installed):
    script = (
        "import mozaika\n"
        "table = mozaika.Table('pebbles')\n"
        "try: table.ask('wishful')\n"
        "except ValueError as error: print(error)\n"
    )
    assert run(installed, script) == "Pebbles has no `promise`, and greedy needs it.\n"


SERVED = """
import sys
from pathlib import Path
from litestar.testing import TestClient
from mozaika.server.app import build_app
from mozaika.store.sqlite import SqliteStore

app = build_app(lambda: SqliteStore(Path(sys.argv[1]) / "games.db"), burst=1000, patience=0)
with TestClient(app) as client:
    def get(url, **query):
        answer = client.get(url, params=query)
        assert answer.status_code == 200, (url, answer.text)
        return answer
    key = {"Idempotency-Key": "the key of it"}
    for lang in ("en", "pl", "de"):
        assert "Pebbles" in get("/", lang=lang).text
        assert "PB-T1" in get("/rules/pebbles", lang=lang).text
        assert get("/api/picture/pebbles.svg").text.startswith("<svg")
    facts = next(each for each in get("/api/games").json() if each["id"] == "pebbles")
    wish = {"game": "pebbles", "seats": [{"kind": "me"}, {"kind": "screen"}]}
    made = client.post("/api/games", json=wish, headers=key).json()
    assert "Pebbles" in get(made["url"]).text
    table = f"/api/games/{made['id']}"
    while not (view := get(f"{table}/view").json())["over"]:
        get(view["scene"]["ground"])
        move = view["scene"]["walks"][-1][0]
        wish = {"seq": view["seq"], "seat": view["you"]["seat"], "move": move}
        key = {"Idempotency-Key": f"move number {view['seq']}"}
        assert client.post(f"{table}/moves", json=wish, headers=key).status_code == 200
    assert view["result"]["ranks"] == [1, 2]
    record = get(f"{table}/record").text
    assert client.post("/api/verify", content=record).json()["ok"]
    print("all is well")
"""


def test_it_is_served_and_played_to_its_end(installed):
    assert run(installed, SERVED).endswith("all is well\n")
