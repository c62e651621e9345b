"""The text protocol: bots in other processes, and ours for other programs."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from shutil import which

import pytest

from mozaika import cli
from mozaika.doors.protocol import External, Forfeit, answer, write_request
from mozaika.games import GAMES
from mozaika.games.azul_duel.pieces import KIND
from mozaika.kernel import new_random
from mozaika.lab.arena import Match, play_match, report
from mozaika.state import CHANCE
from mozaika.table import Table
from mozaika.thought import Budget
from mozaika.words import Words
from test_secrets import NAME, exchange, game_with_secrets, put_back

ROOT = Path(__file__).parent.parent
EXAMPLE = f"exec:{sys.executable} {ROOT / 'examples' / 'careful_bot.py'}"
IN_JAVASCRIPT = [f"exec:{node} {ROOT / 'examples' / 'careful_bot.mjs'}"] if (node := which("node")) else []
"""Where there is Node, which CI has."""
AZUL = GAMES["azul"]


@pytest.fixture
def external(tmp_path):
    """A bot from the body of its loop over the lines; it is gone when the test ends."""
    opened = []

    def make(body):
        path = tmp_path / f"bot{len(opened)}.py"
        path.write_text(
            "import sys, time\n"
            "def say(text): print(text, flush=True)\n"
            "for line in sys.stdin:\n"
            "    if line == 'mozaika 1\\n': say('mozaika 1 test'); continue\n" + body
        )
        opened.append(External(f"{sys.executable} {path}"))
        return opened[-1]

    yield make
    for each in opened:
        each.close(0)


def ask(bot, budget=None, seed=1):
    table = Table("azul", 2, seed=seed)
    seat = table.movers[0]
    return AZUL.write_move(bot(AZUL, AZUL.hide(table.state, seat), seat, new_random(5), budget).move)


@pytest.mark.parametrize("example", [EXAMPLE, *IN_JAVASCRIPT], ids=lambda text: text[-3:])
def test_the_examples_play_and_beat_random(example):
    match = Match("azul", 2, {}, (example, "random"), "s")
    told = report(match, list(play_match(match, 0, 4)), None)
    assert told.forfeits == []
    assert told.bots[0].bot == example
    assert told.bots[0].wins >= 6


@pytest.mark.parametrize("game", GAMES)
def test_the_example_plays_every_game(game):
    match = Match(game, max(2, GAMES[game].seats[0]), {}, (EXAMPLE, "random"), "s")
    [unit] = play_match(match, 0, 1)
    assert [outcome.forfeit for outcome in unit] == ["", ""]


def test_the_example_is_the_one_in_the_documentation():
    code = (ROOT / "examples" / "careful_bot.py").read_text("utf-8")
    assert code in (ROOT / "docs" / "protocol.md").read_text("utf-8")
    assert len(code.splitlines()) <= 35


def test_a_bot_is_sent_nothing_that_its_seat_may_not_know(monkeypatch):
    """Two games that differ in two plates that Ann has put back: Ben is sent the same, Ann is not."""
    game, texts = GAMES[NAME], []
    monkeypatch.setattr(External, "open", lambda _: None)
    monkeypatch.setattr(External, "close", lambda *_: None)
    monkeypatch.setattr(External, "_send", lambda _, text: texts.append(text))
    monkeypatch.setattr(External, "_hear", lambda *_: "no move")
    twins = next(
        (entries, exchange(entries, one, other))
        for entries in map(game_with_secrets, range(200))
        for one, other in zip(put_back(entries), put_back(entries)[1:], strict=False)
        if KIND[int(one)] == KIND[int(other)]
    )
    sent = {0: [], 1: []}
    for entries in twins:
        state = game.start(2, game.read_options({"objectives": "first_game", "start": "1"}))
        said = {0: [], 1: []}
        for seat, text in entries:
            if seat != CHANCE:
                texts.clear()
                with pytest.raises(Forfeit):
                    External("nobody")(game, game.hide(state, seat), seat, new_random(1), None)
                said[seat] += texts
            game.apply(state, seat, game.parse_move(text))
        for seat, requests in said.items():
            sent[seat].append(requests)
    looked = 0 if sent[0][0] != sent[0][1] else 1
    assert sent[looked][0] != sent[looked][1]
    assert sent[1 - looked][0] == sent[1 - looked][1]
    assert len(sent[1 - looked][0]) > 5


def test_ours_plays_through_the_protocol_as_it_does_at_home():
    command = f"exec:{sys.executable} -m mozaika bot gemino --level greedy"
    abroad, home = (
        [list(unit) for unit in play_match(Match("gemino", 2, {}, bots, "s"), 0, 1)]
        for bots in (("random", command), ("random", "greedy"))
    )
    assert [each.scores for each in abroad[0]] == [each.scores for each in home[0]]
    assert [each.moves for each in abroad[0]] == [each.moves for each in home[0]]


def test_a_request_says_everything():
    text = write_request("azul 2; …", 1, 7, Budget(nodes=10, milliseconds=0.4), ["a >1", "b >2"])
    assert text.splitlines() == [
        "position azul 2; …", "seat 2", "random 7", "nodes 10", "ms 1", "legal a >1", "legal b >2", "go",
    ]  # fmt: skip


def test_remarks_are_passed_over(external):
    bot = external(
        "    if line[:5] == 'legal': last = line[6:-1]\n"
        "    if line == 'go\\n': say('# hm'); say('play ' + last)\n"
    )
    assert ask(bot) == Table("azul", 2, seed=1).legal_moves()[-1]
    assert ask(bot, seed=2) == Table("azul", 2, seed=2).legal_moves()[-1]


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("    if line == 'go\\n': say('play F9 gold >7')\n", "answered “F9 gold >7”, which is no legal move"),
        ("    if line == 'go\\n': say('hello')\n", "answered “hello” instead of “play …”"),
        ("    if line == 'go\\n': sys.exit()\n", "has ended by itself"),
        ("    break\n", "has ended by itself"),
        ("    if line == 'go\\n': print('x' * 10**7)\n", "instead of “play …”"),
    ],
)  # fmt: skip
def test_a_bot_that_breaks_the_protocol_forfeits(external, body, sentence):
    bot = external(body)
    with pytest.raises(Forfeit, match=sentence):
        ask(bot)


@pytest.mark.parametrize("body", ["    time.sleep(600)\n", "    while True: say('# still thinking')\n"])
def test_a_bot_that_does_not_answer_is_ended(external, body):
    """Be it silent, deaf or full of remarks."""
    bot = external(body)
    bot.open()
    bot.patience, process = 0.5, bot._process
    with pytest.raises(Forfeit, match="gave no answer for"):
        ask(bot)
    assert process.poll() is not None


def test_a_forfeit_loses_that_game_and_the_next_goes_on(external, tmp_path):
    """A bot that dies at its third request, every time it is started."""
    dying = external(
        "    if line[:5] == 'legal': last = line[6:-1]; n = globals().get('n', 0)\n"
        "    if line == 'go\\n':\n"
        "        n += 1\n"
        "        sys.exit() if n == 3 else say('play ' + last)\n"
    )
    match = Match("azul", 2, {}, (f"exec:{dying.command}", "greedy"), "s")
    units = list(play_match(match, 0, 2))
    told = report(match, units, None)
    assert all(4 <= each.moves <= 6 for unit in units for each in unit)
    assert told.bots[0].bot == "greedy"
    assert told.bots[0].share == 1
    assert len(told.forfeits) == 4
    assert told.forfeits[0].endswith("in seat 1 has ended by itself.")


def test_a_remark_may_be_a_megabyte_long(external):
    bot = external(
        "    if line[:5] == 'legal': last = line[6:-1]\n"
        "    if line == 'go\\n': say('# ' + 'x' * 10**6); say('play ' + last)\n"
    )
    assert ask(bot) == Table("azul", 2, seed=1).legal_moves()[-1]


def test_what_a_bot_says_cannot_move_the_cursor(external):
    bot = external("    if line == 'go\\n': say('play \\x1b[2J\\x07 ' + 'x' * 5000)\n")
    with pytest.raises(Forfeit) as fault:
        ask(bot)
    assert str(fault.value).isprintable()
    assert len(str(fault.value)) < 160


def test_a_forfeit_is_told_in_any_language(external):
    bot = external("    if line == 'go\\n': sys.exit()\n")
    with pytest.raises(Forfeit) as fault:
        ask(bot)
    assert fault.value.about("Ida", Words("de")) == "Ida hat sich von selbst beendet."


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("", "there is no command"),
        ("   ", "there is no command"),
        ("no-such-program-here", "no such file or directory"),
        ("python 'bot.py", "no closing quotation"),
        ("a\0b", "embedded null byte"),
        (str(ROOT), "permission denied"),
    ],
)
def test_a_command_that_cannot_be_started_says_why(command, reason):
    bot = External(command)
    with pytest.raises(Forfeit, match=f"cannot be started: {reason}."):
        bot.open()
    bot.close()


@pytest.mark.parametrize("lingers", ["time.sleep(600)", "[None for _ in iter(int, 1)]"])
def test_a_bot_that_ignores_quit_is_ended(external, lingers):
    bot = external(f"    if line == 'quit\\n': {lingers}\n")
    bot.open()
    process = bot._process
    bot.close(0.1)
    assert process.poll() is not None


@pytest.mark.skipif(os.name != "posix", reason="sessions are of POSIX")
def test_what_a_bot_has_left_behind_does_not_stop_us(external, tmp_path):
    """A child in a session of its own keeps the pipes open and never reads; a request does not fit in."""
    bot = external(
        "    if line[:5] == 'legal':\n"
        "        import subprocess\n"
        "        child = subprocess.Popen(['sleep', '600'], start_new_session=True)\n"
        f"        open({str(tmp_path / 'child')!r}, 'w').write(str(child.pid))\n"
        "        time.sleep(600)\n"
    )
    bot.open()
    bot.patience = 1.0
    bot._send("legal x\n" * 100_000)
    try:
        with pytest.raises(Forfeit, match="gave no answer"):
            ask(bot)
        assert bot._process is None
    finally:
        os.kill(int((tmp_path / "child").read_text()), signal.SIGKILL)


def test_a_bot_is_told_to_leave(tmp_path):
    left = tmp_path / "left"
    path = tmp_path / "polite.py"
    path.write_text(
        "import sys\nfor line in sys.stdin:\n"
        "    if line == 'quit\\n': open(sys.argv[1], 'w').close(); break\n"
        "    print('mozaika 1', flush=True)\n"
    )
    bot = External(f"{sys.executable} {path} {left}")
    bot.open()
    bot.close(grace=30)
    assert left.exists()


def converse(*lines, game=AZUL, bot="greedy"):
    said = []
    answer(game, game.bots[bot], [f"{line}\n" for line in lines], said.append)
    return said


def test_ours_answers_requests():
    table = Table("azul", 2, seed=3)
    position, seat = f"position {table.position()}", f"seat {table.movers[0] + 1}"
    said = converse(
        "mozaika 1",
        position,
        seat,
        "random 4",
        "weather fine",
        "go",
        position,
        seat,
        "nodes 5",
        "go",
        "quit",
        "go",
    )
    assert said[0] == "mozaika 1 azul"
    assert len(said) == 3
    assert all(line.removeprefix("play ") in table.legal_moves() for line in said[1:])


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (("mozaika 2",), "We speak “mozaika 1”, not “mozaika 2”."),
        (("go",), "A request needs a line “position …”"),
        (("position chess", "seat 1", "go"), "azul"),
        (("position {position}", "seat 9", "go"), "Seat 9 has no move"),
        (("position {position}", "seat one", "go"), "“seat” needs a whole number from 1 on, not “one”."),
        (("position {position}", "seat {seat}", "ms -4", "go"), "“ms” needs a whole number from 1 on"),
    ],
)
def test_ours_refuses_what_makes_no_sense(lines, sentence):
    table = Table("azul", 2, seed=3)
    facts = {"position": table.position(), "seat": table.movers[0] + 1}
    with pytest.raises(ValueError, match=sentence):
        converse(*(line.format(**facts) for line in lines))


def test_a_request_without_sense_ends_our_bot_with_a_sentence():
    done = subprocess.run(
        [sys.executable, "-m", "mozaika", "bot", "gemino"], input="go\n", capture_output=True, text=True
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


def test_an_unknown_level_is_refused(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["mozaika", "bot", "azul", "--level", "deep"])
    with pytest.raises(SystemExit) as left:
        cli.main()
    assert left.value.code == 2
    assert "not “deep”" in capsys.readouterr().err
