"""A small game that another package brings: rules, notation and a sketch. It plays behind every door."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from guest import BROUGHT, command, install, run


@pytest.fixture
def tell(installed: Path, tmp_path: Path) -> Callable[..., str]:
    """Runs a command or a script that finds the game, and tells what it prints."""
    return partial(command, tmp_path, installed)


def test_it_has_about_a_hundred_lines():
    assert len((BROUGHT / "__init__.py").read_text("utf-8").splitlines()) < 115
    assert [path.name for path in BROUGHT.iterdir() if path.name != "__pycache__"] == ["__init__.py"]


def test_its_package_can_be_imported_before_ours(installed):
    script = (
        "import pebbles, mozaika\n"
        "assert mozaika.GAMES['pebbles'] is pebbles.GAME\n"
        "table = mozaika.Table(pebbles.GAME, seed='x')\n"
        "while not table.is_over: table.play(table.ask('random'))\n"
        "assert sum(points for name, seats in table.tally.items() for points in seats) == sum(table.scores)\n"
        "print(sorted(table.ranks), *table.log()[:2], sep='\\n')\n"
    )
    assert run(installed, "-c", script).splitlines() == [
        "[1, 2]",
        "Drawn: a heap of 6",
        "Drawn: a heap of 4",
    ]


def test_it_is_completed_and_shelved_by_the_table_that_plays_it(tmp_path):
    (tmp_path / "pebbles.py").write_text((BROUGHT / "__init__.py").read_text("utf-8"), "utf-8")
    script = (
        "import pickle, pebbles, mozaika\n"
        "assert 'pebbles' not in mozaika.GAMES\n"
        "table = mozaika.Table(pebbles.GAME, 3, seed='x')\n"
        "assert table.ask('club') in table.legal_moves()\n"
        "assert pickle.loads(pickle.dumps(table)) == table\n"
    )
    run(tmp_path, "-c", script)


def test_its_bot_sees_which_move_wins(tell):
    script = (
        "import mozaika\n"
        "table = mozaika.Table.from_position('pebbles 2 3 0/2/4 1 3/3/0/0')\n"
        "thought = table.think('club', budget=mozaika.Budget(nodes=4000, milliseconds=1e9))\n"
        "print(table.game.write_move(thought.move), thought.nodes, round(sum(thought.shares), 6))\n"
    )
    assert tell("-c", script).split("\n")[0] == "2 from B 4000 1.0"


def test_a_bot_that_lacks_something_says_what(tell):
    script = (
        "import mozaika\n"
        "from mozaika.search.simple import greedy\n"
        "try: mozaika.Table('pebbles').ask(greedy)\n"
        "except ValueError as error: print(error)\n"
    )
    assert tell("-c", script) == "Pebbles has no `promise`, and greedy needs it.\n"


def test_a_game_that_hides_something_has_to_say_what_is_told(tmp_path):
    secretive = install(tmp_path, ("sketch=sketch,", "sketch=sketch, hide=lambda state, seat: state.copy(),"))
    script = "import mozaika, sys\nsys.exit('pebbles' not in mozaika.GAMES and 'azul' in mozaika.GAMES)"
    told = run(secretive, "-c", script, code=1)
    assert "The game pebbles is left out (pebbles:GAME): Pebbles has `hide`, so it needs `guess` too" in told


def test_it_is_played_in_the_terminal(tell):
    typed = "rules\n2 from A\nhint\nundo\n9 from A\n1 from Z\n" + "1\n" * 40
    told = tell("play", "pebbles", "--bot", "beginner", "--seed", "x", typed=typed)
    for part in (
        "Nobody has written down the rules of Pebbles here yet.",
        "Drawn: a heap of 6",
        "Seat 1: 2 from A",
        "Play ",
        "Taken back: 2 from A",
        "There is no move “1 from Z” now.",
        "Result",
    ):
        assert part in told


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (("games",), "pebbles"),
        (("rules", "pebbles", "--lang", "de"), "# Pebbles"),
        (("show", "--position", "pebbles 2 3 1/2/4 1 0/0/0/0"), "B  o o"),
        (("show", "--svg", "--position", "pebbles 2 3 1/2/4 1 0/0/0/0"), "</svg>"),
        (("simulate", "pebbles", "--bots", "beginner,random", "--games", "4"), "beginner"),
        (("bench", "pebbles", "--json"), "moves"),
        (("doctor",), "pebbles"),
    ],
    ids=lambda value: value if isinstance(value, str) else value[0],
)
def test_commands_take_it_as_any_other_game(tell, words, shown):
    assert shown in tell(*words)


def test_what_it_lacks_is_said(tell):
    for words, lacks in (
        (("arena", "pebbles", "--ladder"), "Pebbles has no folder for its ratings; name a file with --out."),
        (("rules", "pebbles", "PB-T1"), "There is no rule “PB-T1”."),
        (("learn", "pebbles"), "Nobody has written a lesson for Pebbles yet."),
    ):
        assert lacks in " ".join(tell(*words, code=2).split())


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
    def post(url, wish, number, code=200):
        answer = client.post(url, json=wish, headers={"Idempotency-Key": f"the key number {number}"})
        assert answer.status_code == code, (url, answer.text)
        return answer.json()
    for lang in ("pl", "de", "en"):
        assert "Pebbles" in get("/", lang=lang).text
        assert "<h1>Pebbles</h1>" in get("/rules/pebbles", lang=lang).text
        assert get("/api/picture/pebbles.svg").text.startswith("<svg")
        facts = next(each for each in get("/api/games", lang=lang).json() if each["id"] == "pebbles")
        assert facts["sentence"] == "" and facts["options"] == [] and facts["seats"] == [2, 3, 4]
        assert [bot["id"] for bot in facts["bots"]] == ["beginner", "club"]
    wish = {"game": "pebbles", "seed": "x", "seats": [{"kind": "me"}, {"kind": "screen"}]}
    made = post("/api/games", wish, 0, 201)
    assert "Pebbles" in get(made["url"]).text
    table = f"/api/games/{made['id']}"
    seq = get(f"{table}/view").json()["seq"]
    refused = post(f"{table}/moves", {"seq": seq, "seat": 1, "move": "3 from C"}, 1, 422)
    assert refused["detail"] == "This move is not possible now." and refused["rule"] == ""
    assert post(f"{table}/why", {"seat": 1, "spots": ["1:3 from C"]}, 2)["detail"]
    hint = post(f"{table}/hint", {"seat": 1, "seq": seq}, 3)
    assert hint["headline"].startswith("Play ")
    while not (view := get(f"{table}/view").json())["over"]:
        get(view["scene"]["ground"])
        seq, move = view["seq"], view["scene"]["walks"][-1]["move"]
        post(f"{table}/moves", {"seq": seq, "seat": view["you"]["seat"], "move": move}, 10 + seq)
    assert sorted(view["result"]["ranks"]) == [1, 2]
    record = get(f"{table}/record").text
    assert client.post("/api/verify", content=record).json()["ok"]
    print("all is well")
"""


def test_it_is_served_and_played_to_its_end(tell, tmp_path):
    assert "all is well" in tell("-c", SERVED, str(tmp_path))
