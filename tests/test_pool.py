"""Threads work for everybody in turn: whoever asks for much waits for their own."""

import asyncio
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from mozaika.table.pool import MODEST, Overworked, Pool, Unwanted, step_back

pytestmark = pytest.mark.anyio
PATIENT = 60


class Held:
    """Jobs that go on until somebody lets them."""

    def __init__(self):
        self.go, self.begun = threading.Event(), []

    def job(self, name):
        def work():
            self.begun.append(name)
            assert self.go.wait(PATIENT)
            return name

        return work


@pytest.fixture
def held():
    held = Held()
    yield held
    held.go.set()


def open_pool(at_once=2, most_waiting=100, most_of_one=50):
    return Pool("test", at_once, most_waiting=most_waiting, most_of_one=most_of_one, sentence="Later.")


async def asked(pool, who, work):
    task = asyncio.create_task(pool.ask(who, work))
    await asyncio.sleep(0)
    return task


async def test_nobody_stands_behind_a_crowd(held):
    """One address wants 28 tables of champions to think; a beginner of somebody else begins at once."""
    pool = open_pool()
    crowd = [await asked(pool, "crowd", held.job("champion")) for _ in range(28)]
    assert (pool.running, pool.waiting) == (1, 27), "one of two threads is kept for others"
    beginner = await asked(pool, "somebody", held.job("beginner"))
    assert pool.running == 2
    held.go.set()
    assert await asyncio.wait_for(beginner, PATIENT) == "beginner"
    assert held.begun.index("beginner") <= 1
    assert await asyncio.gather(*crowd) == ["champion"] * 28
    pool.close()


async def test_lines_take_turns(held):
    pool = open_pool(at_once=1)
    first = await asked(pool, "a", held.job("first"))
    tasks = [await asked(pool, who, held.job(f"{who}{n}")) for who in ("a", "b", "c") for n in range(3)]
    held.go.set()
    await asyncio.gather(first, *tasks)
    assert held.begun[1:] == ["a0", "b0", "c0", "a1", "b1", "c1", "a2", "b2", "c2"]
    pool.close()


async def test_a_line_that_is_full_refuses_and_others_are_let_in(held):
    pool = open_pool(at_once=1, most_waiting=3, most_of_one=2)
    tasks = [await asked(pool, "a", held.job("a")) for _ in range(3)]
    with pytest.raises(Overworked, match=r"Later\."):
        await pool.ask("a", held.job("a"))
    tasks += [await asked(pool, who, held.job(who)) for who in ("b", "c", "d")]
    assert pool.waiting == 5, "who has nothing here yet is let in"
    held.go.set()
    await asyncio.gather(*tasks)
    pool.close()


async def test_who_gives_up_leaves_the_line_and_what_runs_keeps_its_place(held):
    pool = open_pool(at_once=1)
    running, waiting = [await asked(pool, "a", held.job("a")) for _ in range(2)]
    for task in (running, waiting):
        task.cancel()
    await asyncio.gather(running, waiting, return_exceptions=True)
    assert (pool.running, pool.waiting) == (1, 0)
    held.go.set()
    assert await asyncio.wait_for(pool.ask("b", lambda: "b"), PATIENT) == "b"
    assert not pool._running
    assert not pool._lines
    pool.close()


async def test_what_nobody_wants_to_know_any_more_is_not_begun(held):
    pool = open_pool(at_once=1)
    running = await asked(pool, "a", held.job("running"))
    waiting = asyncio.create_task(pool.ask("a", held.job("waiting"), lambda: False))
    await asyncio.sleep(0)
    held.go.set()
    with pytest.raises(Unwanted):
        await asyncio.wait_for(waiting, PATIENT)
    assert (await running, held.begun) == ("running", ["running"])
    pool.close()


async def test_errors_come_to_whoever_asked():
    pool = open_pool()
    with pytest.raises(ValueError, match="invalid literal"):
        await pool.ask("a", lambda: int("x"))
    assert await pool.ask("a", lambda: 5) == 5
    pool.close()


async def test_a_pool_that_closes_lets_everybody_go(held):
    pool = open_pool(at_once=1)
    tasks = [await asked(pool, "a", held.job("a")) for _ in range(2)]
    pool.close()
    with pytest.raises(asyncio.CancelledError):
        await tasks[1]
    held.go.set()
    assert await asyncio.wait_for(tasks[0], PATIENT) == "a"


@pytest.mark.skipif(sys.platform != "linux", reason="Elsewhere threads have no niceness of their own.")
async def test_who_only_computes_steps_back_from_who_serves():
    def niceness():
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    threads = ThreadPoolExecutor(1, initializer=step_back)
    modest = Pool("modest", 1, most_waiting=1, most_of_one=1, sentence="", workers=threads)
    before = niceness()
    assert await modest.ask("a", niceness) == max(before, MODEST)
    assert niceness() == before
    modest.close()
