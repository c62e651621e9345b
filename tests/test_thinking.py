"""Thoughts are jobs: in the threads of one process, or in the queue of a database for whoever has time."""

import asyncio
from contextlib import asynccontextmanager
from threading import Event

import msgspec
import pytest

from kinds import FIRST
from mozaika.games import GAMES
from mozaika.state import read_state
from mozaika.store import queue as queues
from mozaika.store.postgres import PostgresStore
from mozaika.store.queue import JobFailed, LineFull
from mozaika.table import worker as workers
from mozaika.table.hall import Hall
from mozaika.table.jobs import Job, key_of, new_job, perform
from mozaika.table.thinkers import Helpless, Thinkers
from mozaika.table.worker import Worker
from mozaika.thought import Budget, Thought
from tables import ANIA, BOT, move, plan

pytestmark = pytest.mark.anyio
PATIENT = 60
GAME = GAMES[FIRST]


async def until(holds):
    async with asyncio.timeout(PATIENT):
        while not holds():
            await asyncio.sleep(0.01)


@pytest.fixture
async def stores(database):
    """Two processes with the same database."""
    found = [PostgresStore(database) for _ in range(2)]
    for store in found:
        await store.open()
        await store.changes(PATIENT)
    yield found
    for store in found:
        await store.close()


@asynccontextmanager
async def working(store, at_once=1):
    worker = Worker(store.queue, at_once)
    worker.start()
    try:
        yield worker
    finally:
        await worker.stop()


def a_job(bot="greedy", luck=1, budget=None):
    state = GAME.new(2, GAME.options())
    from mozaika.chance import draw
    from mozaika.state import CHANCE

    for ply in range(1_000):
        if int(GAME.movers(state)) != 1 << CHANCE:
            break
        GAME.apply(state, CHANCE, draw(GAME, state, "seed", ply))
    seat = int(GAME.movers(state)).bit_length() - 1
    return new_job("move", GAME, bot, GAME.hide(state, seat), seat, budget, luck)


def a_job_move():
    """A move that is legal in the position of the job."""
    job = a_job()
    return GAME.legal_moves(read_state(job.view, GAME.state), job.seat)[0]


@pytest.mark.parametrize("kind", ["move", "hint", "evaluation"])
async def test_the_same_job_has_the_same_answer_here_and_elsewhere(stores, kind):
    one, other = stores
    job = msgspec.structs.replace(a_job(budget=Budget(nodes=50, milliseconds=1e9)), kind=kind)
    assert msgspec.json.decode(msgspec.json.encode(job), type=Job) == job
    here = await Thinkers("here", 1).think("ania", job)
    async with working(other):
        assert await Thinkers("there", 1, one.queue).think("ania", job) == here == perform(job)


async def test_the_same_is_thought_once_for_all_who_ask(stores, monkeypatch):
    thought = []

    def count(job):
        thought.append(job.luck)
        return Thought(move=a_job_move(), nodes=job.luck)

    monkeypatch.setattr(workers, "do", count)
    one, other = stores
    async with working(other), working(one):
        asked = [Thinkers("t", 1, store.queue).think("ania", a_job(luck=7)) for store in (one, other) * 5]
        assert {answer.nodes for answer in await asyncio.gather(*asked)} == {7}
        assert thought == [7]


async def put(queue, key, who="ania", urgent=True):
    task = asyncio.create_task(queue.ask(key, b"{}", who, urgent=urgent))
    async with asyncio.timeout(PATIENT):
        while not await queue._look({key}):
            await asyncio.sleep(0.01)
    return task


async def claim_all(queue):
    found = []
    while claimed := await queue.claim("worker", 1):
        found += [each.key for each in claimed]
    return found


async def test_the_urgent_comes_first_and_people_take_turns(stores):
    queue = stores[0].queue
    tasks = [
        await put(queue, "idle", urgent=False),
        await put(queue, "a1"),
        await put(queue, "a2"),
        await put(queue, "a3"),
        await put(queue, "b1", "bartek"),
        await put(queue, "b2", "bartek"),
    ]
    # the idle one of ania stood before her others
    assert await claim_all(queue) == ["b1", "a1", "b2", "a2", "a3", "idle"]
    for task in tasks:
        task.cancel()


async def test_two_workers_never_have_the_same_job(stores):
    one, other = stores
    tasks = [await put(one.queue, f"job {number}", f"guest {number}") for number in range(12)]
    claimed = await asyncio.gather(*(store.queue.claim(str(n), 3) for n in range(3) for store in stores))
    keys = [each.key for jobs in claimed for each in jobs]
    assert sorted(keys) == sorted(f"job {number}" for number in range(12))
    for key in keys:
        await other.queue.finish(key, b"done")
    assert await asyncio.gather(*tasks) == [b"done"] * 12


async def test_what_a_dead_worker_had_is_done_by_another(stores, monkeypatch):
    monkeypatch.setattr(queues, "SECONDS_OF_A_LEASE", 0.2)
    one, other = stores
    task = await put(one.queue, "job")
    assert await other.queue.claim("dead", 1)
    assert not await one.queue.claim("alive", 1)
    await until_claimed(one.queue, "alive")
    await one.queue.renew("alive", ["job"])
    await one.queue.finish("job", b"done")
    assert await task == b"done"


async def until_claimed(queue, worker):
    async with asyncio.timeout(PATIENT):
        while not await queue.claim(worker, 1):
            await asyncio.sleep(0.05)


async def test_what_kills_everybody_is_not_tried_for_ever(stores, monkeypatch):
    monkeypatch.setattr(queues, "SECONDS_OF_A_LEASE", 0.05)
    queue = stores[0].queue
    task = await put(queue, "deadly")
    for number in range(queues.MOST_TRIES):
        await until_claimed(queue, f"victim {number}")
    await asyncio.sleep(0.1)
    assert not await queue.claim("next", 1)
    await queue.renew("next", [])
    with pytest.raises(JobFailed, match="died of it"):
        await task


async def test_a_thought_that_fails_says_so_and_the_worker_goes_on(stores, caplog):
    one, other = stores
    async with working(other):
        thinkers = Thinkers("t", 1, one.queue)
        with pytest.raises(Helpless, match="try again in a minute"):  # it was tried here, too
            await thinkers.think("ania", a_job(bot="nobody"))
        assert (await thinkers.think("ania", a_job())).move >= 0
    assert "a thought has failed" in caplog.text


async def test_what_does_not_end_fails_and_the_worker_goes_on(stores, monkeypatch, caplog):
    """A lease is not renewed for ever, and the thread that is lost is replaced."""
    monkeypatch.setattr(workers, "SECONDS_OF_A_THOUGHT", 0.05)
    ended, one, other = Event(), *stores

    def hang(job):
        if job.luck == 7:
            ended.wait(PATIENT)
        return Thought(move=a_job_move())

    monkeypatch.setattr(workers, "do", hang)
    async with working(other) as worker:
        thinkers = Thinkers("t", 1, one.queue)
        with pytest.raises(Helpless, match="try again in a minute"):
            await thinkers.think("ania", a_job(luck=7))
        monkeypatch.setattr(workers, "SECONDS_OF_A_THOUGHT", PATIENT)
        assert await thinkers.think("ania", a_job()) == Thought(move=a_job_move())
        assert worker.done == 2
        ended.set()
    assert "does not end" in caplog.text


@pytest.mark.parametrize(
    "lie",
    [
        *(b"", b"{", b'{"move":"x"}', b'{"move":99999999999}', b'{"move":-1}', b'{"move":%d,"shares":[1.0]}'),
        b'{"move":%d,"shares":[0.5,0.5],"other":{"move":%d}}',
    ],
)
async def test_a_worker_that_lies_is_not_believed(stores, lie, caplog):
    """Of another version, or broken: then it is thought here, and nobody gets that answer again."""
    one, other = stores
    job = a_job()
    asked = asyncio.create_task(Thinkers("t", 1, one.queue).think("ania", job))
    await until_claimed(other.queue, "liar")
    await other.queue.finish(key_of(job), lie.replace(b"%d", b"%d" % a_job_move()))
    assert await asked == perform(job)
    assert "cannot be right" in caplog.text
    assert not await one.queue._look({key_of(job)})


def fail(_):
    raise OSError("broken")


@pytest.mark.parametrize("wrong", [lambda _: Thought(move=-5), fail])
async def test_a_bot_moves_though_a_worker_lies_or_fails_at_everything(stores, monkeypatch, wrong):
    monkeypatch.setattr(workers, "do", wrong)
    one, other = stores
    hall = Hall(one, patience=0, answer_seconds=0, thinks=False)
    shared, _ = await hall.create(plan(ANIA, BOT))
    await move(shared)
    async with working(other):
        await until(lambda: 0 in shared.table.movers)
    await hall.close()


async def test_a_job_that_is_not_understood_is_left_for_others(stores, monkeypatch):
    """One of a newer version, while servers and workers are renewed one after the other."""
    monkeypatch.setattr(queues, "SECONDS_OF_A_LEASE", 0.1)
    monkeypatch.setattr(workers, "SECONDS_OF_A_LEASE", 0.1)
    one, other = stores
    asked = asyncio.create_task(one.queue.ask("new", b'["riddle"]', "ania", urgent=True))
    async with working(other):
        await until_claimed(one.queue, "a newer one")
        await one.queue.finish("new", b"found")
        assert await asked == b"found"


async def test_idle_workers_do_not_ask_for_every_job_of_others(stores, monkeypatch):
    """With hundreds of them PostgreSQL would do little else; whoever finds something hurries again."""
    other, asked, given = stores[1], [], []

    async def claim(*_):
        asked.append(asyncio.get_running_loop().time())
        return [given.pop()] if given else []

    monkeypatch.setattr(other.queue, "claim", claim)
    async with working(other):
        for _ in range(200):
            other.queue.wake()
            await asyncio.sleep(0.002)
        few = len(asked)
        assert few < 50, "of 200 words"
        given.append(queues.Claimed("key", b"not understood"))
        await until(lambda: not given)


async def test_what_nobody_waits_for_any_more_is_forgotten(stores, monkeypatch):
    monkeypatch.setattr(queues, "SECONDS_UNCLAIMED", 0.05)
    queue = stores[0].queue
    task = await put(queue, "job")
    task.cancel()
    await asyncio.sleep(0.1)
    await queue.renew("worker", [])
    assert not await queue._look({"job"})


async def test_a_crash_that_empties_the_queue_loses_no_question(stores):
    one, other = stores
    task = await put(one.queue, "job")
    await other._do(lambda db: db.execute("TRUNCATE jobs"))
    await until_claimed(other.queue, "worker")
    await other.queue.finish("job", b"done")
    assert await task == b"done"


async def test_nobody_fills_the_queue(stores):
    queue = stores[0].queue
    tasks = [await put(queue, f"job {number}") for number in range(queues.MOST_OF_ONE)]
    with pytest.raises(LineFull):
        await queue.ask("one more", b"{}", "ania", urgent=True)
    tasks.append(await put(queue, "of another", "bartek"))
    for task in tasks:
        task.cancel()


async def test_who_stops_gives_back_what_is_not_done(stores, monkeypatch):
    monkeypatch.setattr(workers, "SECONDS_TO_STOP", 0.01)
    one, other = stores
    held = asyncio.Event()

    async def hold(_, claimed):
        held.set()
        await asyncio.sleep(3_600)

    monkeypatch.setattr(Worker, "_answer", hold)
    task = await put(one.queue, "job")
    async with working(other):
        await asyncio.wait_for(held.wait(), PATIENT)
    assert [each.key for each in await one.queue.claim("next", 1)] == ["job"]
    task.cancel()


async def test_bots_move_though_the_server_does_not_think(stores):
    one, other = stores
    hall = Hall(one, patience=0, answer_seconds=0, thinks=False)
    keeping = asyncio.create_task(hall.keep_up())
    shared, _ = await hall.create(plan(ANIA, BOT))
    await move(shared)
    async with working(other) as worker:
        await until(lambda: 0 in shared.table.movers)
        assert worker.done == 1
    keeping.cancel()
    await hall.close()


def test_only_postgresql_lets_others_think(run, tmp_path):
    assert "only where PostgreSQL" in run("think", "--store", tmp_path / "games.db", code=2)
    assert "only where PostgreSQL" in run("serve", "--no-think", "--store", tmp_path / "games.db", code=2)
