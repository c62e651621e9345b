"""Bots of somebody's own among the opponents: they play under their names; whatever they do, games go on."""

import asyncio
import json
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import httpx
import numpy as np
import pytest

from kinds import FIRST
from mozaika.cli.serving import whole_bots
from mozaika.doors import engage as door
from mozaika.doors.client import Client
from mozaika.doors.engage import OwnRating, identity, read_engaged, read_own_ratings, write_own_rating
from mozaika.doors.players import find_bot
from mozaika.games import GAMES
from mozaika.lab.own import measure_own, rate_against
from mozaika.rating import Rating
from mozaika.server.facts import facts_of
from mozaika.server.views import _label_of
from mozaika.table.engaged import Engaged, dismiss_all, engage, engaged_bots
from mozaika.table.events import Occupant
from mozaika.table.hall import Hall
from mozaika.table.refusals import BadWish
from mozaika.table.seating import SeatWish, read_name, seat_all
from mozaika.thought import Thought
from mozaika.words import Words
from server_process import LOCAL, UNHURRIED, ServerProcess
from tables import ANIA, again, move, plan

GAME = GAMES[FIRST]
EXAMPLE = Path(__file__).parent.parent / "examples" / "careful_bot.py"
ADA = Occupant("bot", "Ada", bot="Ada")
RATING = Rating("x", 1234, 1200, 1260, 400)


@pytest.fixture(autouse=True)
def nobody_stays():
    yield
    dismiss_all()


@pytest.fixture
def net(tmp_path):
    """A net for two players of the first game."""
    inputs = GAME.features.size(2) + len(GAME.stages.remembered)
    path, random = tmp_path / "ada.npz", np.random.default_rng(1)
    np.savez(path, w0=random.normal(size=(inputs, GAME.stages.size)), b0=np.zeros(GAME.stages.size))
    return path


@pytest.fixture
async def hall(store):
    hall = Hall(store, patience=0, answer_seconds=0)
    yield hall
    await hall.close()


def first_move(game, view, seat, random, budget):
    return Thought(game.legal_moves(view, seat)[0])


def ada(bot=first_move, seats=(2,), **more):
    return Engaged("Ada", GAME, bot, seats, **more)


async def until(condition):
    for _ in range(3000):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it never came to that")


def test_a_net_is_offered_where_it_fits(net):
    (bot,) = read_engaged([f"Ada=net:{net}"], [])
    assert (bot.name, bot.game, bot.seats, bot.rating) == ("Ada", GAME, (2,), None)


def test_a_command_is_offered_for_every_game_or_for_one():
    assert [bot.game for bot in read_engaged(["Ada=exec:true"], [])] == list(GAMES.values())
    (bot,) = read_engaged([f"Ada@{FIRST}=exec:true"], [])
    assert (bot.game, bot.seats) == (GAME, tuple(GAME.seats))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Ada", "A bot is NAME=BOT"),
        ("Ada=casual", "where BOT is net:FILE, exec:COMMAND or python:MODULE:NAME"),
        ("=exec:true", "A bot is NAME=BOT"),
        ("A/B=exec:true", "A bot is NAME=BOT"),
        ("Ada@chess=exec:true", "There is no game 'chess'"),
        ("Casual=exec:true", "there is a bot of that name already"),
        ("Ada=net:nowhere.npz", "nowhere.npz is no .npz file"),
        ("Ada=python:nobody:knows", "There is no bot python:nobody:knows (ModuleNotFoundError"),
        ("Ada=python:nobody", "There is no bot python:nobody ("),
        ("Ada=python:math:pi", "no function that can be asked"),
    ],
)
def test_who_cannot_be_engaged_is_refused_with_a_sentence(text, sentence):
    with pytest.raises(ValueError) as error:
        read_engaged([text], [])
    assert sentence in str(error.value)


def test_two_of_one_name_are_refused():
    with pytest.raises(ValueError, match="already"):
        read_engaged([f"Ada@{FIRST}=exec:true", "Ada=exec:false"], [])


def test_a_net_for_no_game_is_refused(tmp_path):
    np.savez(tmp_path / "odd.npz", w0=np.zeros((3, 2)), b0=np.zeros(2))
    with pytest.raises(ValueError, match="of no game"):
        read_engaged([f"Ada=net:{tmp_path / 'odd.npz'}"], [])


def test_a_function_in_a_file_is_a_bot(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("def choose(game, view, seat, random, budget): return 7\n")
    assert find_bot(GAME, f"python:{path}:choose")(GAME, None, 0, None, None) == 7
    (bot, *_) = read_engaged([f"Ada=python:{path}:choose"], [])
    assert "--level" in bot.bot.command, "it has a process of its own"


def test_the_function_of_the_docs_plays_every_game_from_the_folder_where_it_lies(tmp_path, run, monkeypatch):
    """A command has the folder of its own on Python's path, and not the one that one is in."""
    docs = (Path(__file__).parent.parent / "docs" / "bots.md").read_text("utf-8")
    code = docs.partition("`python:my_bots:choose`:\n\n```python\n")[2].partition("```")[0]
    (tmp_path / "my_bots.py").write_text(code)
    command, bots = Path(sys.executable).with_name("mozaika"), "python:my_bots:choose,random"
    options = ["--bots", bots, "--games", "1", "--seats", "2", "--json"]
    done = subprocess.run(
        [command, "simulate", FIRST, *options], cwd=tmp_path, capture_output=True, text=True, timeout=100
    )
    assert done.returncode == 0, done.stderr
    monkeypatch.syspath_prepend(tmp_path)
    for told in (done.stdout, *(run("simulate", name, *options) for name in GAMES)):
        assert "Forfeit" not in told
        assert {each["bot"] for each in json.loads(told)["bots"]} == set(bots.split(","))


def test_a_variable_that_was_cut_at_blanks_is_put_together():
    parts = ["Ada=net:a.npz", "Bob@azul=exec:python", "bot.py", "k=1"]
    assert whole_bots(parts) == ["Ada=net:a.npz", "Bob@azul=exec:python bot.py k=1"]


def test_ratings_belong_to_what_is_in_the_file_of_a_net(net, tmp_path):
    file = tmp_path / "new" / "bots.json"
    for rating in (RATING, Rating("x", 1300, 1250, 1350, 800)):
        write_own_rating(
            file, OwnRating(identity(f"net:{net}"), FIRST, GAME.version, 2, "2026-01-01", rating)
        )
    (bot,) = read_engaged([f"Ada=net:{net}"], read_own_ratings(file))
    assert bot.rating.rating == 1300, "the later one counts"
    np.savez(net, **{**np.load(net), "b0": np.ones(GAME.stages.size)})
    (bot,) = read_engaged([f"Ada=net:{net}"], read_own_ratings(file))
    assert bot.rating is None
    file.write_text("[1]")
    with pytest.raises(ValueError, match="holds no ratings of bots"):
        read_own_ratings(file)


def test_the_home_page_offers_it_with_its_rating():
    engage(ada(rating=RATING))
    offered = next(facts for facts in facts_of("en") if facts.id == FIRST).bots[-1]
    assert (offered.id, offered.label, offered.rating, offered.interval) == (
        "Ada",
        "Ada",
        "1234",
        "1200–1260",
    )
    assert offered.seats == [2]
    assert all(engaged_bots(game) == [] for game in GAMES.values() if game is not GAME)


def test_it_sits_down_where_it_fits_and_nobody_takes_its_name():
    engage(ada())
    wishes, words = [SeatWish("bot", bot="Ada"), SeatWish("bot", bot="Ada")], Words()
    assert [seat.name for seat in seat_all(GAME, wishes, "", words)] == ["Ada", "Ada 2"]
    with pytest.raises(BadWish, match="Ada plays Azul only with so many players: 2"):
        seat_all(GAME, [*wishes, SeatWish("open")], "", words)
    with pytest.raises(BadWish, match="not “Eve”"):
        seat_all(GAME, [SeatWish("bot", bot="Eve")], "", words)
    with pytest.raises(BadWish, match="name of a bot"):
        read_name("ADA 3", GAME)


def test_how_strong_a_bot_is_follows_from_what_it_wins():
    assert rate_against({1000: [0.5] * 9}) == pytest.approx(1000, abs=1)
    assert rate_against({1000: [0.75] * 9}) == pytest.approx(1191, abs=1)
    assert rate_against({1000: [1.0], 1400: [1.0]}) == pytest.approx(2200, abs=1)


def test_a_bot_is_measured_against_those_of_the_game():
    counted = []
    found = measure_own(GAME, "random", 4, None, 1, "s", lambda done, of: counted.append((done, of)))
    assert found.rating.rating < 700, "greedy, which it never beats, has 1000"
    assert found.rating.low <= found.rating.rating <= found.rating.high
    assert found.rating.games == 4 * (len(counted) - 1) // 2


def sleepy(game, view, seat, random, budget):
    raise RuntimeError("no idea")


def illegal(game, view, seat, random, budget):
    return Thought(10**6)


def speechless(game, view, seat, random, budget):
    return None


@pytest.mark.anyio
async def test_it_plays_a_whole_game(hall):
    engage(ada(lambda game, view, seat, random, budget: Thought(game.legal_moves(view, seat)[-1])))
    shared, _ = await hall.create(plan(ANIA, ADA))
    while not shared.table.is_over:
        await move(shared, 0, choice=1)
        await until(lambda: shared.table.is_over or 0 in shared.table.movers)
    assert shared.seats[1] == ADA


@pytest.mark.anyio
@pytest.mark.parametrize("bot", [sleepy, illegal, speechless])
async def test_who_fails_is_replaced_and_the_game_goes_on(hall, bot, caplog):
    engage(ada(bot))
    shared, _ = await hall.create(plan(ANIA, ADA))
    await move(shared)
    await until(lambda: list(shared.table.movers) == [0])
    took_over = shared.seats[1]
    assert (took_over.name, took_over.bot, took_over.instead) == ("Casual", "casual", "Ada")
    assert _label_of(took_over, Words()) == "Casual, because Ada could not go on"
    assert "Ada is replaced at the table" in caplog.text
    assert (await again(shared)).seats[1] == took_over, "that is in the log"


@pytest.mark.anyio
async def test_a_bot_that_nobody_has_engaged_here_is_replaced(hall):
    shared, _ = await hall.create(plan(ADA, ANIA))
    await until(lambda: list(shared.table.movers) == [1])
    assert shared.seats[0].instead == "Ada"


@pytest.mark.anyio
async def test_who_let_it_play_has_the_seat_back_afterwards(hall):
    engage(ada(sleepy))
    shared, _ = await hall.create(plan(Occupant("bot", "Ania", ANIA.guest, "Ada"), ANIA))
    await until(lambda: list(shared.table.movers) == [1])
    assert (shared.seats[0].name, shared.seats[0].guest) == ("Ania", ANIA.guest)


HANGS = "import time; time.sleep(1000)"
FLOODS = "while True: print('# hm', flush=True)"
TALKS = "print('mozaika 1 x', flush=True)\nwhile True: print('play everything', flush=True)"


@pytest.mark.anyio
@pytest.mark.parametrize("program", [HANGS, FLOODS, TALKS, "raise SystemExit(3)"])
async def test_no_command_keeps_a_table_waiting(hall, program, tmp_path, monkeypatch):
    """While it does its worst, other tables go on."""
    monkeypatch.setattr(door, "PATIENCE", 0.2)
    (tmp_path / "bot.py").write_text(program)
    (bot,) = read_engaged([f"Ada@{FIRST}=exec:{sys.executable} {tmp_path / 'bot.py'}"], [])
    engage(bot)
    bad, _ = await hall.create(plan(ADA, ANIA))
    good, _ = await hall.create(plan(Occupant("bot", "R", bot="random"), ANIA))
    await until(lambda: list(good.table.movers) == [1])
    await until(lambda: list(bad.table.movers) == [1])
    assert bad.seats[0].instead == "Ada"
    assert bot.bot._process is None, "it was ended"


@pytest.mark.anyio
async def test_too_many_questions_are_no_fault_of_a_bot(hall, monkeypatch):
    from mozaika.table import bots
    from mozaika.table.pool import Overworked

    bot, asked = ada(), []

    async def busy(*given):
        asked.append(given)
        if len(asked) < 3:
            raise Overworked("busy")
        return Thought(GAME.legal_moves(given[1], 0)[0])

    monkeypatch.setattr(bot, "think", busy)
    monkeypatch.setattr(bots, "SECONDS_TO_RECOVER", 0.0)
    engage(bot)
    shared, _ = await hall.create(plan(ADA, ANIA))
    await until(lambda: list(shared.table.movers) == [1])
    assert shared.seats[0] == ADA


def test_a_server_offers_it_to_people_and_leaves_nobody_behind(tmp_path, net):
    """A program plays a game against a command and hears of a net, both from the settings file."""
    program = tmp_path / "careful_bot.py"
    program.write_bytes(EXAMPLE.read_bytes())
    command = f"Careful one=exec:{sys.executable} {program}"
    (tmp_path / "settings.toml").write_text(f'bot = [{json.dumps(command)}, "Ada=net:{net.name}"]\n')
    server = ServerProcess(tmp_path, *UNHURRIED, "--settings", str(tmp_path / "settings.toml"))
    with server:
        offered = httpx.get(f"{server.address}/api/games", **LOCAL).json()
        bots = [bot["label"] for facts in offered if facts["id"] == FIRST for bot in facts["bots"]]
        assert bots[-2:] == ["Careful one", "Ada"]
        seat = Client(server.address).open(FIRST, "Careful one")
        assert sorted(seat.run(lambda turn: turn.legal[-1])) in ([1, 2], [1, 1])
        view = httpx.get(f"{server.address}/api/games/{seat.table}/view", **LOCAL).json()
        assert view["seats"][1]["bot_label"] == "Careful one", "nobody had to take over"
        assert server.stop() == 0
    assert "Careful one plays Azul, " in (tmp_path / "output.txt").read_text("utf-8")
    assert not processes_of(program)


def processes_of(program):
    """Those that run a program, where that can be seen."""
    commands = (path for path in Path("/proc").glob("[0-9]*/cmdline"))
    found = []
    for path in commands:
        with suppress(OSError):
            found.append(path.read_bytes())
    return [command for command in found if str(program).encode() in command and b"pytest" not in command]
