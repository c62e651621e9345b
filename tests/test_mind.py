"""The process beside a server that thinks for it: what it was asked is answered whatever ends it, and it ends
with the server.
"""

import asyncio
import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from kinds import FIRST
from mozaika.games import GAMES
from mozaika.store.sqlite import SqliteStore
from mozaika.table.hall import Hall
from mozaika.table.jobs import perform
from mozaika.table.mind import TRIES, Mind
from mozaika.table.thinkers import Helpless, Thinkers
from mozaika.thought import Budget
from server_process import LOCAL, PATIENT, ServerProcess, once
from tables import ANIA, BOT, move, plan
from test_thinking import a_job, until

pytestmark = pytest.mark.anyio
GAME = GAMES[FIRST]
SLOW = 3_600


@pytest.fixture
async def mind():
    mind = Mind()
    yield mind
    await mind.end()


async def asked(mind, question, *arguments):
    return await asyncio.wait_for(asyncio.wrap_future(mind.submit(question, *arguments)), PATIENT)


def is_alive(pid):
    with suppress(OSError):
        return "Z" not in Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
    return False


def ending(file, times):
    """A script that ends its process so often, and counts how often it was begun."""
    counts = f"open({str(file)!r}, 'a').write('x')\nbegun = len(open({str(file)!r}).read())\n"
    return f"{counts}if begun <= {times}:\n    import os; os._exit(3)"


async def test_it_is_another_process_and_says_what_is_wrong(mind):
    assert await asked(mind, os.getpid) == await asked(mind, os.getpid) != os.getpid()
    with pytest.raises(ValueError, match="invalid literal"):
        await asked(mind, int, "x")
    assert await asked(mind, print, "what is printed there is no answer") is None
    with pytest.raises(RuntimeError, match="nothing that can be sent"):
        await asked(mind, exec, "class Odd(Exception): pass\nraise Odd('nothing that can be sent')")


async def test_it_comes_to_the_same_as_threads_do(mind):
    job = a_job(budget=Budget(nodes=50, milliseconds=1e9))
    assert await Thinkers("there", 1, mind=mind).think("ania", job) == perform(job)


async def test_what_ends_it_again_and_again_is_refused_and_ends_nothing_else(mind, tmp_path):
    file = tmp_path / "deaths"
    bad = mind.submit(exec, ending(file, SLOW))
    others = [mind.submit(time.sleep, 0.05) for _ in range(4)]
    with pytest.raises(Helpless):
        await asyncio.wrap_future(bad)
    assert len(file.read_text("utf-8")) == TRIES
    assert await asyncio.gather(*map(asyncio.wrap_future, others)) == [None] * 4


async def test_what_ends_it_once_is_asked_again(mind, tmp_path):
    file = tmp_path / "deaths"
    assert await asked(mind, exec, ending(file, TRIES - 1)) is None
    assert len(file.read_text("utf-8")) == TRIES


async def test_one_that_cannot_be_started_is_no_reason_to_wait(mind, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(Helpless):
        await asked(mind, os.getpid)


async def test_secrets_of_the_server_are_not_told_to_it(mind, monkeypatch):
    monkeypatch.setenv("MOZAIKA_METRICS_TOKEN", "secret")
    monkeypatch.setenv("PGPASSWORD", "secret")
    assert await asked(mind, os.getenv, "MOZAIKA_METRICS_TOKEN") is None
    assert await asked(mind, os.getenv, "PGPASSWORD") is None


async def test_a_bot_moves_though_the_process_is_killed_while_it_thinks(tmp_path, mind, monkeypatch):
    store = SqliteStore(tmp_path / "games.db")
    await store.open()
    hall = Hall(store, patience=0, answer_seconds=0, mind=mind, budget=Budget(nodes=200, milliseconds=1e9))
    ask, killed = mind._ask, []

    def kill_first():
        ask()
        if mind._asked and not killed:
            killed.append(mind._process.pid)
            os.kill(mind._process.pid, signal.SIGKILL)

    shared, _ = await hall.create(plan(ANIA, BOT))
    await until(lambda: not mind._asked)
    monkeypatch.setattr(mind, "_ask", kill_first)
    await move(shared)
    await until(lambda: any(entry.seat == 1 for entry in shared.table.entries))
    assert killed
    await hall.close()
    await store.close()


async def test_a_hall_without_a_server_needs_none(tmp_path, monkeypatch):
    monkeypatch.setattr(Mind, "submit", None)
    store = SqliteStore(tmp_path / "games.db")
    await store.open()
    hall = Hall(store, patience=0, answer_seconds=0, budget=Budget(nodes=5, milliseconds=1e9))
    shared, _ = await hall.create(plan(BOT, BOT))
    hall.look(shared, "here", plays=True)
    await until(lambda: any(entry.seat >= 0 for entry in shared.table.entries))
    await hall.close()
    await store.close()


async def test_who_closes_waits_for_no_thought(mind):
    thought = mind.submit(time.sleep, SLOW)
    await until(lambda: mind._asked and mind._process)
    pid = mind._process.pid
    await mind.end()
    assert thought.cancelled()
    assert not is_alive(pid)


@pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="Only Linux tells what a process has started."
)
@pytest.mark.parametrize("ends", ["kill", "stop"])
def test_it_ends_with_the_server(tmp_path, ends):
    with ServerProcess(tmp_path) as server:
        seats = [{"kind": "me"}, {"kind": "bot", "bot": "greedy"}]
        wish = {"game": FIRST, "seats": seats}
        httpx.post(f"{server.address}/api/games", json=wish, headers=once(), **LOCAL).raise_for_status()
        found = minds_of(server.process.pid)
        assert found
        getattr(server, ends)()
        last = time.monotonic() + PATIENT
        while any(map(is_alive, found)):
            assert time.monotonic() < last
            time.sleep(0.01)


def minds_of(server):
    """What thinks for a server; it may be about to start."""
    last = time.monotonic() + PATIENT
    while time.monotonic() < last:
        for file in Path(f"/proc/{server}/task").glob("*/children"):
            children = [int(each) for each in file.read_text("utf-8").split()]
            found = [
                each
                for each in children
                if b"mozaika.table.mind" in Path(f"/proc/{each}/cmdline").read_bytes()
            ]
            if found:
                return found
        time.sleep(0.01)
    return []
