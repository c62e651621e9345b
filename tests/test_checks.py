"""The checks that any package can run on its own game find what is wrong with one."""

import json
import re

import numpy as np
import pytest
from numba.core.errors import TypingError

from guest import BROUGHT, command, run
from mozaika.checks import CHECKS, kinds_of
from mozaika.checks.holding import explain
from mozaika.checks.rules import compiled_equals_plain
from mozaika.defaults import complete

COMMAND = ("check-game", "pebbles", "--seeds", "1")
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
    "every legal move is one walk over spots": [(PART, f"{PART} move_along=lambda *_: 1,")],
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
    apart = [("import re", "import re, mozaika"), ("pebbles", f"pebbles{number}"), ("(2, 5)", "(2, 3)")]
    for old, new in apart + edits:
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


def test_a_rule_that_is_otherwise_when_it_is_compiled_is_caught():
    names, text = {"__name__": "pebbles"}, (BROUGHT / "__init__.py").read_text("utf-8")
    scored = 'out[seat] = state["points"][seat]'
    assert scored in text
    exec(text.replace(scored, f"{scored} * 100").replace('id="pebbles"', 'id="too_many"'), names)
    kind = kinds_of(complete(names["GAME"]))[0]
    with pytest.raises(AssertionError, match="`scores` differs compiled"), np.errstate(over="ignore"):
        compiled_equals_plain(kind, seed=0)


def test_what_breaks_inside_a_game_is_told_with_its_place():
    def write_move(move):
        return {}[move]

    with pytest.raises(KeyError) as broken:
        write_move(7)
    assert re.fullmatch(
        r"`write_move` ends with KeyError: 7 \(tests/test_checks.py, line \d+\)", explain(broken.value)
    )
    long = TypingError('Much.\nFile "/home/ada/pebbles/rules.py", line 9:\nMore.\nFile "/other.py", line 3:')
    assert explain(long) == "Numba cannot compile it; see pebbles/rules.py, line 9."


def test_a_game_of_a_hundred_lines_has_everything_that_must_hold(tmp_path, installed):
    told = command(tmp_path, installed, *COMMAND)
    answers = [line.split()[0] for line in told.splitlines() if not line.startswith("Compiling")]
    assert answers == ["yes"] * len(CHECKS)
