"""The checks that any package can run on its own game find what is wrong with one."""

import json

import pytest

from guest import BROUGHT, install, run

COMMAND = ("-m", "mozaika", "check-game", "pebbles", "--seeds", "2")
PART = "sketch=sketch,"
"""What stands in the game, and where a part can be added."""
TURN = 'state["turn"] = (seat'

PLANTED = {
    "games end": [('state["heaps"][heap] -= number', "pass")],
    "moves round trip and ascend": [("heap * 10 + number", "(HEAPS - 1 - heap) * 10 + number")],
    "nobody else has a move": [("if movers(state) >> seat & 1 == 0:", "if movers(state) == 0:")],
    "chance weighs each outcome": [(PART, f"{PART} weigh=lambda state, out: 1,")],
    "a position is complete": [("{state['turn'] + 1}", "1")],
    "replay equals play": [
        (TURN, f"LUCK[0] += 1\n    state['points'][seat] += LUCK[0] % 2\n    {TURN}"),
        ("HEAPS, LARGEST", "LUCK = [0]\nHEAPS, LARGEST"),
    ],
    "bots play legal moves": [(PART, f"{PART} bots={{'wild': lambda *_: mozaika.Thought(77)}},")],
    "points told are points scored": [
        (PART, f"{PART} tally=lambda s, words: [('all', [1] * int(s['seats']))],")
    ],
    "refusals name their rule": [(PART, f"{PART} why_not=lambda *_: 'PB-1', refusals={{'PB-1': 'No.'}},")],
    "telling changes nothing and cites rules": [
        (PART, f"{PART} tell=lambda s, seat, *_: [mozaika.Sentence('takes', 'PB-1', seat)],")
    ],
    "views leak nothing": [
        (PART, f"{PART} hide=lambda s, seat: s, guess=lambda v, *_: v, tell=lambda *_: [],")
    ],
    "a sketch fits a terminal": [("'o ' *", "'o ' * 40 *")],
    "every legal move is one walk over spots": [(PART, f"{PART} move_along=lambda spots: 1,")],
}


CHECK_EACH = """
import json, sys
from pathlib import Path
from mozaika.checks import check_game
from mozaika.games import GAMES
from mozaika.kernel.verbs import registered_games

faults, source = {}, Path(sys.argv[1]).read_text("utf-8")
for number, (broken, edits) in enumerate(json.load(sys.stdin).items()):
    text, names = source, {"__name__": "pebbles"}
    for old, new in [("import re", "import re, mozaika"), ("pebbles", f"pebbles{number}"), *edits]:
        assert old in text, old
        text = text.replace(old, new)
    exec(text, names)
    GAMES.put(names["GAME"])
    faults[broken] = [each for each in check_game(f"pebbles{number}", range(2)) if each.fault]
    del registered_games()[names["STATE"]]
print(json.dumps(faults))
"""


@pytest.fixture(scope="module")
def faults(tmp_path_factory):
    """What the checks say of the game with each planted bug; without the compiler, to be quick."""
    script, folder = ("-c", CHECK_EACH, str(BROUGHT / "__init__.py")), tmp_path_factory.mktemp("planted")
    return json.loads(run(folder, *script, typed=json.dumps(PLANTED), NUMBA_DISABLE_JIT="1"))


@pytest.mark.parametrize("broken", PLANTED)
def test_a_planted_bug_is_caught(faults, broken):
    said = dict(faults[broken])
    assert said.get(broken, "").startswith("pebbles"), said


def test_a_rule_that_is_otherwise_when_it_is_compiled_is_caught(tmp_path):
    overflow = ('out[seat] = state["points"][seat]', 'out[seat] = state["points"][seat] * 100')
    told = run(install(tmp_path, overflow), *COMMAND, "--json", code=1)
    said = {each["name"]: each["fault"] for each in json.loads(told)}
    assert "`scores` differs compiled" in said["compiled equals plain"]


def test_a_game_of_a_hundred_lines_has_everything_that_must_hold(tmp_path):
    told = run(install(tmp_path), *COMMAND)
    assert [line.split()[0] for line in told.splitlines()] == ["yes"] * 17
