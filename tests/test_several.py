"""Several processes serve the same tables: here halls with stores of their own over one database."""

import asyncio
import os
from contextlib import ExitStack, asynccontextmanager, nullcontext

import pytest

from mozaika.server.api import stream, turns
from mozaika.server.guard import Limits
from mozaika.server.news import BYE, Plain
from mozaika.server.sharing import Sharing, share_limits
from mozaika.server.views import Viewer
from mozaika.store import Event, Hook, StoreError
from mozaika.store.postgres import PostgresStore
from mozaika.table import hall as hall_module
from mozaika.table.caller import Caller
from mozaika.table.commands import name_opening
from mozaika.table.events import CLOSE, HOOK
from mozaika.table.hall import Hall
from mozaika.table.hooks import hang
from mozaika.table.refusals import Stale
from mozaika.table.rematch import play_again
from tables import ANIA, BARTEK, BOT, OPEN, finish, move, plan

pytestmark = pytest.mark.anyio
PATIENT = 60
RACES = int(os.environ.get("MOZAIKA_RACES", "20"))
"""How often two processes race for one position."""


async def until(holds):
    async with asyncio.timeout(PATIENT):
        while not holds():
            await asyncio.sleep(0.01)


@asynccontextmanager
async def halls(database, number=2, **more):
    """So many halls, as so many processes would have them, each keeping up with the others."""
    stores = [PostgresStore(database) for _ in range(number)]
    for store in stores:
        await store.open()
        await store.changes(PATIENT)
    found = [Hall(store, **{"patience": 0, "answer_seconds": 0, **more}) for store in stores]
    tasks = [asyncio.create_task(hall.keep_up()) for hall in found]
    try:
        yield found
    finally:
        for task in tasks:
            task.cancel()
        for hall, store in zip(found, stores, strict=True):
            await hall.close()
            await store.close()


async def both(one, other, *seats, **more):
    """The same table in two halls, and somebody looks at it in both."""
    mine, _ = await one.create(plan(*seats, **more))
    theirs = await other.find(mine.header.id)
    for shared in (mine, theirs):
        shared.watchers[asyncio.Event()] = ""
    return mine, theirs


async def test_what_happens_at_one_process_is_seen_at_the_other(database):
    async with halls(database) as (one, other):
        mine, theirs = await both(one, other, ANIA, BARTEK)
        bell = next(iter(theirs.watchers))
        for seat in (0, 1, 0):
            shared = (mine, theirs)[seat]
            await until(lambda: mine.seq == theirs.seq)
            await move(shared, seat)
        await until(lambda: mine.seq == theirs.seq)
        assert bell.is_set()
        assert mine.table.state.tobytes() == theirs.table.state.tobytes()


async def test_a_lost_hint_costs_a_second(database):
    async with halls(database) as (one, other):
        mine, theirs = await both(one, other, ANIA, BARTEK)
        one.store.bus.tell = lambda *_: None
        await move(mine)
        await until(lambda: mine.seq == theirs.seq)


@pytest.mark.parametrize("follow", [stream.follow, turns._follow])
async def test_who_follows_a_table_at_a_process_that_is_cut_off_is_sent_to_another(
    database, monkeypatch, follow
):
    """They would be shown an old moment for as long as it lasts, and nobody would tell them."""
    monkeypatch.setattr(hall_module, "SECONDS_UNSURE", 0.5)

    async def refuse(_):
        raise StoreError("The line is cut.")

    async def be_silent(_):
        await asyncio.Event().wait()

    async with halls(database) as (one, other):
        mine, theirs = await both(one, other, ANIA, BARTEK)
        theirs.watchers.clear()

        def followed_by(guest):
            if follow is turns._follow:
                return follow(theirs, guest, asyncio.Event(), nullcontext())
            who = Viewer(guest, True, "en", "wide")
            bell = stream.Bell(theirs, who, Plain(), lambda _: False, asyncio.Event())
            return follow(bell, nullcontext())

        await anext(news := followed_by(ANIA.guest))
        monkeypatch.setattr(other.store, "behind", refuse if follow is stream.follow else be_silent)
        monkeypatch.setattr(other.store.bus, "_heard", {})
        await move(mine)
        async with asyncio.timeout(PATIENT):
            rest = [each async for each in news]
        assert rest == ([BYE.text] if follow is stream.follow else [])
        monkeypatch.undo()
        theirs.sure_at = float("-inf")
        assert (await other.find(mine.header.id)).seq == mine.seq
        assert await anext(followed_by(BARTEK.guest)) != BYE.text


async def test_a_table_whose_store_does_not_answer_keeps_no_other_waiting(database, monkeypatch):
    async with halls(database) as (one, other):
        stuck = await both(one, other, ANIA, BARTEK)
        mine, theirs = await both(one, other, ANIA, BARTEK)
        since, asked, never = other.store.since, [], asyncio.Event()

        async def read(game, seq):
            if game == stuck[0].header.id:
                asked.append(seq)
                await never.wait()
            return await since(game, seq)

        monkeypatch.setattr(other.store, "since", read)
        await move(stuck[0])
        await until(lambda: asked)
        for seat in (0, 1):
            await move(mine, seat)
            await until(lambda: mine.seq == theirs.seq)
        assert len(other._works) <= 4, "whoever waits already waits for all"
        never.set()
        await until(lambda: stuck[0].seq == stuck[1].seq)


async def test_who_asks_for_a_table_that_nobody_looks_at_gets_it_as_it_is(database):
    async with halls(database) as (one, other):
        mine, theirs = await both(one, other, ANIA, BARTEK)
        theirs.watchers.clear()
        await move(mine)
        await until(lambda: theirs.sure_at == float("-inf"))
        assert theirs.seq < mine.seq, "nobody looks"
        assert (await other.find(mine.header.id)).seq == mine.seq


async def test_a_seq_that_is_not_known_yet_was_seen_elsewhere(database):
    async with halls(database) as (one, other):
        mine, theirs = await both(one, other, ANIA, BARTEK)
        for hall in (one, other):
            hall.store.bus.tell = lambda *_: None
        await move(mine)
        assert theirs.seq < mine.seq
        text = mine.table.legal_moves(1)[0]
        await theirs.submit(1, mine.seq, "key", text)
        assert await mine.submit(1, theirs.seq - 1, "key", text) == theirs.seq, "asked twice, done once"


async def test_two_processes_race_and_one_move_is_accepted(database):
    async with halls(database) as (one, other):
        mine, theirs = await both(one, other, ANIA, BARTEK)
        for number in range(RACES):
            if mine.table.is_over:
                mine, theirs = await both(one, other, ANIA, BARTEK)
            answers = await race(mine, theirs, number)
            assert sorted(isinstance(answer, Stale) for answer in answers) == [False, True], answers


async def race(mine, theirs, number):
    """What becomes of two moves for the same position."""
    await until(lambda: mine.seq == theirs.seq)
    seq, seat = mine.seq, mine.table.movers[0]
    moves = mine.table.legal_moves(seat)
    tried = [
        mine.submit(seat, seq, f"a-{number}", moves[0]),
        theirs.submit(seat, seq, f"b-{number}", moves[-1]),
    ]
    return await asyncio.gather(*tried, return_exceptions=True)


async def test_what_does_not_depend_on_the_play_is_done_though_another_was_faster(database):
    async with halls(database) as (one, other):
        mine, theirs = await both(one, other, ANIA, OPEN, OPEN)
        one.store.bus.tell = lambda *_: None
        await mine.sit(1, lambda _: BARTEK)
        await theirs.announce("link", "another link")
        assert theirs.seats[1] == BARTEK


async def test_a_rematch_is_one_table_though_two_processes_open_it(database):
    async with halls(database) as (one, other):
        mine, theirs = await both(one, other, ANIA, BARTEK)
        await finish(mine)
        await until(lambda: mine.seq == theirs.seq)
        opened = await asyncio.gather(
            play_again(one, mine, ANIA.guest, name_opening("a", "key-1")),
            play_again(other, theirs, BARTEK.guest, name_opening("b", "key-2")),
        )
        await until(lambda: mine.seq == theirs.seq)
        assert mine.rematch == theirs.rematch == f"/t/{opened[0]}"
        assert opened[0] == opened[1]


async def test_who_is_at_a_table_is_known_at_every_process(database):
    async with halls(database) as (one, other):
        mine, theirs = await both(one, other, ANIA, BARTEK)
        mine.presence.come(ANIA.guest)
        theirs.presence.come(BARTEK.guest)
        await until(lambda: mine.who_is_here() == theirs.who_is_here() == (True, True))
        later = await Hall.find(one, mine.header.id)
        assert later is mine
        mine.presence.go(ANIA.guest)
        await until(lambda: theirs.who_is_here() == (False, True))
        del one.tables[mine.header.id]
        again = await one.find(mine.header.id)
        await until(lambda: again.who_is_here() == (False, True))


async def test_who_is_silent_for_long_is_gone(database, monkeypatch):
    async with halls(database) as (one, other):
        mine, theirs = await both(one, other, ANIA, BARTEK)
        mine.presence.come(ANIA.guest)
        await until(lambda: theirs.who_is_here()[0])
        one.store.bus.tell = lambda *_: None  # as if it were killed
        monkeypatch.setattr("mozaika.table.presence.SECONDS_REMEMBERED", 0.0)
        await until(lambda: not theirs.who_is_here()[0])


async def test_a_turn_is_announced_once(database, monkeypatch):
    called = []

    async def post(_, __, hook, ___):
        called.append(hook.seat)

    monkeypatch.setattr(Caller, "_post", post)
    async with halls(database) as (one, other):
        one.caller, other.caller = Caller("http://a.example"), Caller("http://b.example")
        mine, theirs = await both(one, other, ANIA, BARTEK)
        await hang(mine, Hook(1, BARTEK.guest, "https://bartek.example", "key"))
        await mine.announce("hook", "", 1)
        await until(lambda: theirs.hooks == mine.hooks != {})
        await move(mine)
        await until(lambda: mine.seq == theirs.seq and called)
        await asyncio.gather(*one.caller._calls, *other.caller._calls)
        assert called == [1]
        await hang(mine, Hook(1, "", "", ""))
        await mine.announce("hook", "", 1)
        await until(lambda: not theirs.hooks)


async def test_a_turn_is_announced_by_who_was_slower_than_the_wish(database, monkeypatch):
    """The wish was made elsewhere a moment before the move, and the hint of it is lost."""
    called = []

    async def post(_, __, hook, ___):
        called.append(hook.seat)

    monkeypatch.setattr(Caller, "_post", post)
    async with halls(database) as (one, other):
        one.caller = Caller("http://a.example")
        mine, theirs = await both(one, other, ANIA, BARTEK)
        other.store.bus.tell = lambda *_: None
        monkeypatch.setattr(one, "catch_up", asyncio.Event().wait)
        await theirs.announce(
            HOOK, "", 1, first=lambda: hang(theirs, Hook(1, BARTEK.guest, "https://bartek.example", "key"))
        )
        await move(mine)
        await asyncio.gather(*one.caller._calls)
        assert called == [1]


async def test_a_bot_moves_once_and_another_process_helps_out(database, monkeypatch):
    monkeypatch.setattr("mozaika.table.bots.SECONDS_FOR_OTHERS", 0.3)
    async with halls(database) as (one, other):
        mine, theirs = await both(one, other, ANIA, BOT)
        await move(mine)
        await until(lambda: 0 in mine.table.movers and mine.seq == theirs.seq)
        one.bots.wake = lambda _: None  # as if it were killed
        await move(mine)
        await until(lambda: 0 in mine.table.movers and mine.seq == theirs.seq)
        _, log = await one.store.load(mine.header.id)
        assert [event.seat for event in log if event.kind == "move"] == [0, 1, 0, 1]


async def test_a_game_that_an_operator_closes_or_removes_ends_everywhere(database):
    async with halls(database) as (one, other):
        mine, theirs = await both(one, other, ANIA, BARTEK)
        await mine.announce(CLOSE, "enough")
        await until(lambda: theirs.closed == "enough")
        assert await one.store.remove(mine.header.id, 1e11)
        await until(lambda: mine.header.id not in other.tables)
        assert await other.find(mine.header.id) is None


async def test_what_one_process_lets_pass_counts_at_the_others(database, monkeypatch):
    monkeypatch.setattr("mozaika.server.sharing.SECONDS_GATHERED", 0.05)
    async with halls(database) as (one, other):
        mine, theirs = Limits(10, 0.001), Limits(10, 0.001)
        tasks = [
            asyncio.create_task(share_limits(mine, one.store)),
            asyncio.create_task(share_limits(theirs, other.store)),
        ]
        await asyncio.sleep(0)
        for _ in range(6):
            assert not mine.requests.wait_for("192.0.2.1")
        await until(lambda: theirs.requests.is_low("192.0.2.1"))
        passed = sum(not theirs.requests.wait_for("192.0.2.1") for _ in range(10))
        assert passed == 4
        assert not theirs.requests.wait_for("192.0.2.2")
        for task in tasks:
            task.cancel()


async def test_streams_at_one_process_count_at_the_others(database):
    async with halls(database) as (one, other):
        mine, theirs = Limits(), Limits()
        said, heard = Sharing(mine, one.store), Sharing(theirs, other.store)
        with ExitStack() as streams:
            for _ in range(5):
                streams.enter_context(mine.streaming("192.0.2.1", "table"))
            said.tell()
            for name in ("192.0.2.1", "192.0.2.1 table", " table"):
                await until(lambda name=name: theirs.streams.count(name) == 5)
            assert theirs.streams.count("192.0.2.2") == 0
            said.tell()
            heard.tell()
            assert mine.streams.count("192.0.2.1") == 5, "nobody counts what is told back"
        said.tell()
        await until(lambda: theirs.streams.count("192.0.2.1") == 0)


@pytest.mark.parametrize(
    "word",
    [
        "",
        "{",
        "[]",
        '["x",{"y":1}]',
        '["requests",{"192.0.2.1":-9}]',
        '["requests",7]',
        "\ud7ff",
        "[" * 5_000,
    ],
)
async def test_words_that_make_no_sense_harm_nobody(database, word):
    """Of a newer version, or of a broken one."""
    async with halls(database) as (one, other):
        limits = Limits()
        sharing = Sharing(limits, other.store)
        mine, theirs = await both(one, other, ANIA, BARTEK)
        for subject in ("spent", "streams", "here", "who", "changed", "job", "done", "unheard of", ""):
            one.store.tell(subject, word)
        await move(mine)
        await until(lambda: mine.seq == theirs.seq)
        sharing.tell()
        assert sum(not limits.requests.wait_for("192.0.2.1") for _ in range(700)) <= 601


async def test_a_word_that_is_too_long_is_not_said_and_the_others_are(database):
    async with halls(database) as (one, other):
        heard = []
        other.store.listen("subject", heard.append)
        one.store.tell("subject", "x" * 9_000)
        one.store.tell("subject", "a\0b")
        one.store.tell("subject", "short")
        await until(lambda: heard)
        assert heard == ["short"]


async def test_events_of_others_come_in_their_order(database):
    async with halls(database) as (one, other):
        mine, theirs = await both(one, other, ANIA, BARTEK)
        told = []
        theirs.listeners.append(lambda _, events: told.extend(event.seq for event in events))
        first = mine.seq
        for seq in range(first + 1, first + 9):
            await one.store.append(mine.header.id, [Event(seq, 0, "link", f"link {seq}")])
        await until(lambda: theirs.seq == first + 8)
        assert told == list(range(first + 1, first + 9))
