"""What every store keeps: it stays, all or none, once. SQLite and PostgreSQL are held to the same."""

import asyncio
from contextlib import asynccontextmanager

import apsw
import pytest

from mozaika.store import Event, Header, Hook, KeptReview, StoreError, Taken
from mozaika.store.copying import copy_games
from mozaika.store.deals import KeptAttempt, KeptDeal
from mozaika.store.place import store_at

pytestmark = pytest.mark.anyio
HEADER = Header(
    id="game", game="a game", version=1, options={"wall": "grey"}, seats=2, owner="ania", link="l"
)
KINDS = ["sqlite", "postgres"]


def move(seq, seat=0, command=None):
    return Event(seq, seat, "move", f"move {seq}", command, 5.0)


@pytest.fixture(params=KINDS)
def place(request, tmp_path):
    """Where games can be kept."""
    return find_place(request, request.param)


def find_place(request, kind):
    if kind == "sqlite":
        return str(request.getfixturevalue("tmp_path") / "deep" / "games.db")
    return request.getfixturevalue("database")


@asynccontextmanager
async def opened(place):
    store = store_at(place)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


@pytest.fixture
async def store(place):
    async with opened(place) as store:
        yield store


class Faulty:
    """What stands between a store and its disk: commits can fail, and yet be kept."""

    def __init__(self, store):
        self.failing, self.kept = False, False
        if store.is_shared:
            store._pool = _Pool(store._pool, self)
        else:
            store._writer = _Writer(store._writer, self)


class _Writer:
    def __init__(self, db, fault):
        self.db, self.fault = db, fault

    def execute(self, sql, *values):
        if sql == "COMMIT" and self.fault.failing:
            if self.fault.kept:
                self.db.execute(sql)
            raise apsw.IOError("disk I/O error")
        return self.db.execute(sql, *values)

    def __getattr__(self, name):
        return getattr(self.db, name)


class _Pool:
    def __init__(self, pool, fault):
        self.pool, self.fault = pool, fault

    @asynccontextmanager
    async def acquire(self, **named):
        async with self.pool.acquire(**named) as db:
            yield _Connection(db, self.fault)

    def __getattr__(self, name):
        return getattr(self.pool, name)


class _Connection:
    def __init__(self, db, fault):
        self.db, self.fault = db, fault

    async def execute(self, sql, *values):
        if self.fault.failing:
            if self.fault.kept:
                await self.db.execute(sql, *values)
            raise OSError("disk I/O error")
        return await self.db.execute(sql, *values)

    def __getattr__(self, name):
        return getattr(self.db, name)


async def test_a_game_comes_back_as_it_was_kept(store):
    events = [move(1), Event(2, 1, "sit", '{"kind":"open"} ☃ \0', None, 6.5)]
    await store.create(HEADER, events)
    await store.append("game", [move(3, command="a"), move(4)])
    header, kept = await store.load("game")
    assert header == HEADER
    assert kept == [*events, move(3, command="a"), move(4)]
    assert await store.load("another") is None


async def test_what_was_kept_is_there_after_a_restart(place):
    async with opened(place) as first:
        await first.create(HEADER, [move(1)])
        await first.append("game", [move(2, command="a")])
    async with opened(place) as second:
        assert await second.load("game") == (HEADER, [move(1), move(2, command="a")])
        with pytest.raises(Taken):
            await second.append("game", [move(3, command="a")])


async def test_an_event_without_a_time_gets_one(store):
    await store.create(HEADER, [Event(1, 0, "move", "x")])
    _, [event] = await store.load("game")
    assert event.at > 1.7e9


async def test_each_number_is_given_once(store):
    await store.create(HEADER, [move(1)])
    with pytest.raises(Taken):
        await store.append("game", [move(1, seat=1)])
    with pytest.raises(Taken):
        await store.create(HEADER, [])
    assert (await store.load("game"))[1] == [move(1)]


async def test_each_command_of_a_seat_is_done_once(store):
    await store.create(HEADER, [move(1, command="a")])
    with pytest.raises(Taken):
        await store.append("game", [move(2, command="a")])
    await store.append("game", [move(2, seat=1, command="a"), move(3), move(4)])
    await store.create(Header(**{**_fields(HEADER), "id": "another"}), [move(1, command="a")])
    assert [event.seq for event in (await store.load("game"))[1]] == [1, 2, 3, 4]


def _fields(header):
    return {name: getattr(header, name) for name in header.__struct_fields__}


async def test_events_are_kept_all_or_none(store):
    await store.create(HEADER, [move(1), move(5)])
    with pytest.raises(Taken):
        await store.append("game", [move(2), move(3), move(5)])
    with pytest.raises(Taken):
        await store.create(Header(**{**_fields(HEADER), "id": "broken"}), [move(1), move(1)])
    assert (await store.load("game"))[1] == [move(1), move(5)]
    assert await store.load("broken") is None
    assert not await store.is_admitted("ania", "broken")


async def test_a_game_that_is_not_there_takes_no_events(store):
    with pytest.raises(Taken):
        await store.append("nowhere", [move(1)])


async def test_a_refused_neighbour_in_the_same_commit_does_no_harm(store):
    await store.create(HEADER, [])
    jobs = [store.append("game", [move(n // 2), move(1000 + n)]) for n in range(100)]
    answers = await asyncio.gather(*jobs, return_exceptions=True)
    assert all(isinstance(answer, Taken | None) for answer in answers)
    kept = [event.seq for event in (await store.load("game"))[1]]
    won = [n for n, answer in enumerate(answers) if answer is None]
    assert sorted(n // 2 for n in won) == list(range(50)), "each number once"
    assert kept == sorted([n // 2 for n in won] + [1000 + n for n in won])


async def test_a_caller_who_gives_up_does_not_stop_the_store(store):
    await store.create(HEADER, [])
    task = asyncio.create_task(store.append("game", [move(1)]))
    await asyncio.sleep(0)
    task.cancel()
    await store.append("game", [move(2)])
    async with asyncio.timeout(60):
        while len((await store.load("game"))[1]) < 2:
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("kept", [False, True])
async def test_a_failed_commit_is_an_unknown_outcome_that_the_log_settles(store, kept):
    await store.create(HEADER, [])
    fault = Faulty(store)
    fault.failing, fault.kept = True, kept
    with pytest.raises(StoreError, match="disk I/O error"):
        await store.append("game", [move(1, command="a")])
    fault.failing = False
    found = [event.command for event in (await store.load("game"))[1]]
    assert found == (["a"] if kept else [])
    if kept:
        with pytest.raises(Taken):
            await store.append("game", [move(1, command="a")])
    else:
        await store.append("game", [move(1, command="a")])
    assert (await store.load("game"))[1] == [move(1, command="a")]


async def test_everybody_in_a_failed_commit_is_told(store):
    await store.create(HEADER, [])
    fault = Faulty(store)
    fault.failing = True
    answers = await asyncio.gather(
        *(store.append("game", [move(n)]) for n in range(20)), return_exceptions=True
    )
    assert all(isinstance(answer, StoreError) for answer in answers)
    with pytest.raises(StoreError):
        await store.check()
    fault.failing = False
    await store.check()
    assert (await store.load("game"))[1] == []


async def test_a_job_that_breaks_does_not_stop_the_writer(store):
    await store.create(HEADER, [])
    with pytest.raises(StoreError):
        await store.append("game", [Event(1 << 70, 0, "move", "x")])
    with pytest.raises(StoreError):
        await store.append("game", [Event(1, 0, "move", "\ud800")])
    await store.append("game", [move(1)])
    assert (await store.load("game"))[1] == [move(1)]


async def test_a_closed_store_says_so(place):
    async with opened(place) as store:
        await store.create(HEADER, [])
    with pytest.raises(StoreError):
        await store.append("game", [move(1)])
    with pytest.raises(StoreError):
        await store.load("game")


async def test_closing_waits_for_what_was_asked_before(place):
    async with opened(place) as store:
        await store.create(HEADER, [])
        asked = [asyncio.create_task(store.append("game", [move(n)])) for n in range(50)]
        await asyncio.sleep(0)
    await asyncio.gather(*asked)
    async with opened(place) as again:
        assert len((await again.load("game"))[1]) == 50


async def test_guests_are_admitted_once_and_find_their_games(store):
    await store.create(HEADER, [])
    await store.create(Header(**{**_fields(HEADER), "id": "later", "owner": "bartek"}), [])
    assert await store.is_admitted("ania", "game")
    assert not await store.is_admitted("ania", "later")
    await store.admit("ania", "later")
    await store.admit("ania", "later")
    assert await store.is_admitted("ania", "later")
    assert await store.games_of("ania") == ["later", "game"]
    assert await store.games_of("ania", 1) == ["later"]
    assert await store.games_of("nobody") == []
    assert await store.games_of("ania", 1, 1) == ["game"]
    assert not await store.forget("ania", "game", alone=False)
    assert await store.games_of("ania") == ["later"]
    assert await store.load("game") is not None
    assert not await store.forget("ania", "later", alone=True), "Bartek is there"
    assert await store.forget("bartek", "later", alone=True)
    assert await store.load("later") is None
    assert await store.seeds("later") == {}
    with pytest.raises(Taken):
        await store.admit("ania", "nowhere")


async def test_seeds_are_kept_with_their_events_or_not_at_all(store):
    await store.create(HEADER, [move(1)], {0: "first"})
    await store.append("game", [move(2)], {1: "second"})
    with pytest.raises(Taken):
        await store.append("game", [move(2)], {2: "third"})
    with pytest.raises(Taken):
        await store.append("game", [move(3)], {1: "another"})
    assert await store.seeds("game") == {0: "first", 1: "second"}
    assert [event.seq for event in (await store.load("game"))[1]] == [1, 2]


async def test_who_is_behind_is_told(store):
    await store.create(HEADER, [move(1), move(2)])
    assert await store.behind({"game": 2}) == set()
    assert await store.behind({"game": 1, "gone": 0}) == {"game", "gone"}
    assert await store.behind({}) == set()
    assert await store.since("game", 1) == [move(2)]
    assert await store.since("gone", 1) is None


async def test_games_are_listed_and_cleared_away_when_nobody_uses_them(store):
    other = Header(**{**_fields(HEADER), "id": "other", "created": 3.0})
    await store.create(other, [])
    await store.create(HEADER, [move(1)], {0: "seed"})
    await store.set_hook("game", Hook(0, "ania", "https://a.example", "key"))
    await store.set_hook("game", Hook(0, "ania", "https://b.example", "key"))
    assert [(kept.id, kept.events, kept.used) for kept in await store.list_games()] == [
        ("other", 0, 3.0),
        ("game", 1, 5.0),
    ]
    assert await store.hooks("game") == [Hook(0, "ania", "https://b.example", "key")]
    assert not await store.remove("game", 5.0)
    await store.visit("other")
    assert not await store.remove("other", 1e9)
    assert await store.remove("game", 6.0)
    assert not await store.remove("game", 6.0)
    assert [kept.id for kept in await store.list_games()] == ["other"]
    assert (await store.seeds("game"), await store.hooks("game")) == ({}, [])
    assert not await store.is_admitted("ania", "game")


async def test_of_a_review_the_newest_is_kept_and_a_whole_one_stays(store):
    await store.keep_review("nowhere", KeptReview("of", "{}"))
    assert await store.review("nowhere") is None
    await store.create(HEADER, [move(1)])
    for review, known in (
        (KeptReview("these moves", "1"), "1"),
        (KeptReview("these moves", "2"), "2"),
        (KeptReview("these moves", "3", whole=True), "3"),
        (KeptReview("these moves", "a slower process"), "3"),
        (KeptReview("other moves", "4"), "4"),
    ):
        await store.keep_review("game", review)
        assert (await store.review("game")).text == known
    assert await store.review("game") == KeptReview("other moves", "4")
    assert await store.remove("game", 6.0)
    assert await store.review("game") is None


async def test_games_with_bots_go_on_after_a_start(store):
    await store.create(HEADER, [move(1)])
    bot = Event(1, 0, "sit", '{"kind":"bot","bot":"random"}', None, 5.0)
    for number in (1, 2):
        await store.create(Header(**{**_fields(HEADER), "id": f"bots {number}"}), [bot, move(1 + number)])
    assert sorted(await store.resumable(5)) == ["bots 1", "bots 2"]


async def test_who_is_dismissed_may_not_sit_down_any_more(store):
    await store.create(HEADER, [])
    for guest in ("bartek", "celina"):
        await store.admit(guest, "game")
    await store.dismiss("game", {"ania", "celina"})
    assert [await store.is_admitted(guest, "game") for guest in ("ania", "bartek", "celina")] == [1, 0, 1]
    await store.dismiss("game", set())
    assert not await store.is_admitted("ania", "game")


@pytest.mark.parametrize("target", KINDS)
async def test_a_club_moves_with_all_that_was_kept(store, target, request, tmp_path):
    odd = Event(2, 1, "sit", '{"kind":"open"} ☃ \0', None, 6.5)
    await store.create(HEADER, [move(1, command="a"), odd], {0: "seed", 3: "more"})
    await store.create(Header(**{**_fields(HEADER), "id": "other"}), [])
    await store.admit("bartek", "game")
    await store.visit("game")
    await store.set_hook("game", Hook(1, "bartek", "https://a.example", "key"))
    await store.keep_review("game", KeptReview("of", '{"names": ["☃"]}', whole=True))
    await store.note_call("game", 1, 2)
    if target == "sqlite":
        place = str(tmp_path / "moved.db")
    else:
        from postgres_server import new_database

        place = await asyncio.to_thread(new_database, request.getfixturevalue("postgres"))
    async with opened(place) as moved:
        for _ in range(2):  # who was interrupted begins again
            assert await copy_games(store, moved, lambda *_: None) == (2, 2)
        assert await moved.copy_out("game") == await store.copy_out("game")
        assert await moved.load("game") == await store.load("game")
        assert not await moved.note_call("game", 1, 2), "nobody is called again for the same turn"
        await moved.append("game", [move(3)])
        await store.append("game", [move(3, seat=1)])
        with pytest.raises(StoreError, match="The game game is another one there: event 3 differs"):
            await copy_games(store, moved, lambda *_: None)


def attempt(game, guest="ania", **more):
    facts = {"number": 1, "name": guest.title(), "place": "", "begun": 5.0, **more}
    return KeptAttempt(game, "game-2026-11-18", guest, **facts)


DEAL = KeptDeal("game-2026-11-18", "2026-11-18", '{"game":"a game"}', 4.0)


async def test_a_deal_is_what_its_first_keeper_said(store):
    deals = store.deals
    await deals.keep(DEAL, "seed")
    await deals.keep(KeptDeal(DEAL.id, DEAL.day, "{}", 9.0), "another seed")
    await deals.keep(KeptDeal("challenge", "", "{}", 5.0), "third")
    await deals.keep(KeptDeal("game-2026-11-19", "2026-11-19", "{}", 4.0), "fourth")
    assert await deals.find(DEAL.id) == DEAL
    assert [await deals.seed(name) for name in (DEAL.id, "challenge", "none")] == ["seed", "third", ""]
    assert await deals.find("none") is None
    assert [each.id for each in await deals.of_days("", "2026-11-30")] == ["game-2026-11-19", DEAL.id]
    assert [each.id for each in await deals.of_days("2026-11-18", "2026-11-18")] == [DEAL.id]
    assert len(await deals.everything()) == 3


async def test_attempts_are_numbered_and_one_goes_on_at_a_time(store):
    deals = store.deals
    await deals.keep(DEAL, "seed")
    await deals.begin(attempt("first"))
    await deals.begin(attempt("first"))
    await deals.begin(attempt("second"))
    assert await deals.attempts(DEAL.id) == [attempt("first")]
    await deals.end("first", 7.0, "{}")
    await deals.end("first", 8.0, '{"better":1}')
    await deals.begin(attempt("second", begun=8.0))
    await deals.begin(attempt("other", "bartek", begun=9.0))
    first, second, other = await deals.attempts(DEAL.id)
    assert first == attempt("first", ended=7.0, result="{}")
    assert (second.game, second.number, second.ended) == ("second", 2, 0)
    assert (other.guest, other.number) == ("bartek", 1)
    assert await deals.attempts(DEAL.id, "bartek") == [other]
    assert await deals.attempts_of("ania") == [second, first]
    assert await deals.attempts_of("ania", 1) == [second]
    await deals.end("other", 9.0, "{}")
    assert [each.game for each in await deals.attempts(DEAL.id, most=2)] == ["first", "other"]
    assert [await deals.strike(game) for game in ("first", "first", "second", "none")] == [
        True,
        False,
        False,
        False,
    ]
    assert await deals.attempts_of("ania") == [second, attempt("first", ended=7.0, name="")]
    with pytest.raises(Taken):
        await deals.begin(KeptAttempt("x", "no such deal", "ania", 1, "", "", 1.0))


async def test_who_begins_twice_at_once_has_begun_once(store):
    await store.deals.keep(DEAL, "seed")
    tries = [store.deals.begin(attempt(f"table {n}")) for n in range(20)]
    answers = await asyncio.gather(*tries, return_exceptions=True)
    assert all(isinstance(answer, Taken | None) for answer in answers)
    [begun] = await store.deals.attempts(DEAL.id)
    assert begun.number == 1


async def test_an_attempt_outlives_its_table_and_help_does_not(store):
    await store.create(HEADER, [move(1)])
    await store.deals.keep(DEAL, "seed")
    await store.deals.begin(attempt("game"))
    await store.deals.note_help("game")
    await store.deals.note_help("game")
    await store.deals.note_help("nowhere")
    assert await store.deals.was_helped("game")
    assert not await store.deals.was_helped("nowhere")
    assert await store.forget("ania", "game", alone=True)
    assert not await store.deals.was_helped("game")
    assert [each.game for each in await store.deals.attempts(DEAL.id)] == ["game"]


async def test_deals_move_with_the_games(store, request, tmp_path):
    await store.create(HEADER, [move(1)])
    await store.deals.note_help("game")
    await store.deals.keep(DEAL, "seed")
    await store.deals.keep_attempt(attempt("game", ended=7.0, result="{}"))
    async with opened(str(tmp_path / "copy.db")) as other:
        for _ in range(2):
            await copy_games(store, other, lambda *_: None)
        assert await other.deals.was_helped("game")
        assert await other.deals.seed(DEAL.id) == "seed"
        assert await other.deals.attempts(DEAL.id) == await store.deals.attempts(DEAL.id)
    async with opened(str(tmp_path / "another.db")) as other:
        await other.deals.keep(DEAL, "another seed")
        with pytest.raises(StoreError, match=f"The deal {DEAL.id} is another one there"):
            await copy_games(store, other, lambda *_: None)
    async with opened(str(tmp_path / "third.db")) as other:
        await other.deals.keep(DEAL, "seed")
        await other.deals.keep_attempt(attempt("game"))
        with pytest.raises(StoreError, match=f"Other people have played the deal {DEAL.id} there"):
            await copy_games(store, other, lambda *_: None)
