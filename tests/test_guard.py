"""One client hurts nobody: what an address may have, and that a family behind one never notices."""

import asyncio
import gzip
from collections import Counter
from contextlib import ExitStack
from functools import partial
from time import monotonic

import httpx
import pytest
from litestar.testing import TestClient
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from kinds import FIRST
from mozaika.server import effort, guard, pages
from mozaika.server.app import build_app
from mozaika.server.effort import (
    BEGUN_AT_ONCE,
    SECONDS_BETWEEN_STREAMS,
    SECONDS_OF_COURTESY,
    Efforts,
    Metered,
    Turns,
)
from mozaika.server.guard import Buckets, Guard, Limits
from mozaika.server.guests import Guest, name_network
from mozaika.server.problems import Problem
from mozaika.store.sqlite import SqliteStore
from server_process import once

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.filterwarnings("ignore::litestar.exceptions.base_exceptions.LitestarDeprecationWarning"),
]
ME, OPEN = {"kind": "me", "name": "Ania"}, {"kind": "open"}
compress = gzip.compress


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """Time passes when a test says so, and nobody waits for a refusal."""
    now = [1000.0]
    monkeypatch.setattr(guard, "monotonic", lambda: now[0])
    monkeypatch.setattr(guard, "SECONDS_BEFORE_REFUSAL", 0)
    return now


class Visitor:
    """Somebody with a browser of their own, behind a proxy that says from where."""

    def __init__(self, client, address, host):
        self.client, self.cookies = client, httpx.Cookies()
        self.headers = {"X-Forwarded-For": address, "X-Forwarded-Proto": "https", "Host": host}

    def ask(self, method, path, headers=(), **more):
        self.client.cookies = self.cookies
        answer = self.client.request(method, path, headers={**self.headers, **dict(headers)}, **more)
        self.cookies.update(answer.cookies)
        return answer

    def __getattr__(self, name):
        return partial(self.ask, name.upper())


@pytest.fixture(scope="module")
def serve(tmp_path_factory):
    """A server in this process, one for all tests with the same settings: how visitors arrive there."""
    clients = {}
    with ExitStack() as stack:

        def start(**settings):
            key = tuple(settings.items())
            if key not in clients:
                path = tmp_path_factory.mktemp("guard") / "games.db"
                app = build_app(lambda: SqliteStore(path), patience=3_600, **settings)
                app.asgi_handler = ProxyHeadersMiddleware(app.asgi_handler, "testclient, 10.0.0.0/8")
                clients[key] = stack.enter_context(TestClient(app, base_url="https://here.local"))
            return lambda address="192.0.2.1", host="here.local": Visitor(clients[key], address, host)

        yield start


def guest(name, address="192.0.2.1"):
    return Guest(name, "en", [], address, name)


def open_table(client, *seats):
    return client.post("/api/games", json={"game": FIRST, "seats": seats or [ME, OPEN]}, headers=once())


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("a pipe", "a pipe"),
    ],
)
def test_limits_count_addresses_and_of_ipv6_the_network(address, counted):
    assert name_network(address) == counted


def test_who_throws_the_cookie_away_gets_no_more_tables_than_others(serve):
    arrive = serve(burst=100)
    answers = []
    for number in range(12):
        nobody = arrive(f"2001:db8::{number:x}")
        answers.append(open_table(nobody))
    assert [answer.status_code for answer in answers] == [201] * 10 + [429] * 2
    assert int(answers[-1].headers["retry-after"]) > 0
    assert open_table(arrive("2001:db8:0:1::1")).status_code == 201, (
        "the neighbours have a network of their own"
    )


def test_a_guest_may_do_less_than_an_address(clock):
    pace = Limits().openings
    for _ in range(30):
        pace.check(guest("ania"))
    with pytest.raises(Problem, match="many tables") as refused:
        pace.check(guest("ania"))
    assert int(refused.value.headers["Retry-After"]) == 21
    pace.check(guest("bartek"))
    clock[0] += 21
    pace.check(guest("ania"))


def test_a_family_behind_one_address_never_meets_a_limit(clock):
    """Six people at three tables: all open everything at once, lose the network, come back, ask and move."""
    limits, people = Limits(), [guest(name) for name in ("ania", "bartek", "celina", "darek", "ewa", "filip")]

    def ask(times, buckets=limits.requests):
        assert not any(buckets.wait_for("192.0.2.1") for _ in range(times))

    for _ in range(2):  # the home page, then a table: a page with all its modules and pictures
        ask(6 * 45)
    for opener in people[:3] * 3:
        ask(1, limits.changes)
        limits.openings.check(opener)
    clock[0] += 10
    for _ in range(60):  # each minute of an evening
        for _ in range(5):  # all networks break at once; old streams stay open for a while
            ask(6 * 2 * 2)
            clock[0] += 2
        for person in people:
            with limits.streaming(person.address, "a table"), limits.streaming(person.address, "a table"):
                limits.check_stream(person, "a table", sits=False)
            ask(10, limits.changes)
            ask(20)
            for _ in range(4):
                limits.questions.check(person)
            limits.readings.check(person)
        clock[0] += 50
    assert limits.most_connections >= 6 * 2 * 6, "browsers hold six connections each, here in two tabs"
    assert limits.most_streams_of_table >= 6 * 2 * 3, "all at one table, in two tabs"
    assert limits.most_streams >= 6 * 3 * 3, "three tabs each, and twice as many that nobody reads any more"


def test_streams_are_counted_for_an_address_and_a_table():
    limits, ania = Limits(burst=18), guest("ania")

    def check(who, table="a", sits=False):
        limits.check_stream(who, table, sits=sits)

    with limits.streaming(ania.address, "a"):
        with pytest.raises(Problem, match="your network") as refused:
            check(guest("another cookie"), sits=True)
        assert refused.value.status == 429
        check(ania, "b")
        check(guest("ania", "192.0.2.2"))
        more = limits.streaming(ania.address, "b"), limits.streaming(ania.address, "c")
        with more[0], more[1], pytest.raises(Problem, match="your network"):
            check(ania, "d")
    check(ania)
    with ExitStack() as others:
        for number in range(guard.WATCHERS_PER_TABLE):
            check(ania)
            others.enter_context(limits.streaming(f"watcher {number}", "a"))
        with pytest.raises(Problem, match="Too many people watch") as refused:
            check(ania)
        assert refused.value.status == 503
        check(ania, sits=True)
    assert not limits.streams.here


def test_streams_at_other_processes_count_until_nothing_is_heard_of_them(clock):
    limits, ania = Limits(burst=18), guest("ania")
    limits.streams.note("another process", ania.address, limits.most_streams)
    with pytest.raises(Problem, match="your network"):
        limits.check_stream(ania, "a", sits=True)
    limits.streams.note("another process", ania.address, 0)
    limits.check_stream(ania, "a", sits=True)
    limits.streams.note("a third", ania.address, limits.most_streams)
    clock[0] += guard.SECONDS_REMEMBERED + 1
    limits.check_stream(ania, "a", sits=True)
    limits.streams.forget()
    assert not limits.streams._elsewhere


def test_a_stream_that_is_one_too_many_gets_a_sentence(serve, monkeypatch):
    arrive = serve()
    ania = arrive()
    table = f"/api/games/{open_table(ania).json()['id']}"
    monkeypatch.setattr(guard, "WATCHERS_PER_TABLE", 0)
    refused = arrive("192.0.2.2").get(f"{table}/events", headers={"Accept-Language": "pl"})
    assert refused.status_code == 503
    assert refused.json()["detail"] == "Zbyt wiele osób ogląda ten stół."
    assert int(refused.headers["retry-after"]) > 0


def test_who_has_asked_for_half_of_what_is_allowed_at_once_gets_the_rest_slowly(clock):
    buckets = Buckets(10, 1)
    low = []
    for _ in range(7):
        buckets.wait_for("a")
        low.append(buckets.is_low("a"))
    assert low == [False] * 5 + [True] * 2
    assert not buckets.is_low("b")
    clock[0] += 5
    buckets.wait_for("a")
    assert not buckets.is_low("a")


def test_names_that_were_not_seen_for_long_are_forgotten():
    buckets = Buckets(1, 1, most=2)
    assert [bool(buckets.wait_for(name)) for name in "aabba"] == [False, True, False, True, True]
    assert [bool(buckets.wait_for(name)) for name in "ca"] == [False, True]
    assert not buckets.wait_for("b")


async def test_of_each_address_a_few_requests_are_in_hand_and_nobody_else_waits_for_the_rest():
    turns, order = Turns(Efforts(1, 1), at_once=2, seconds=60), []

    async def ask(address):
        pass_on = await turns.take(address)
        order.append(address)
        return pass_on

    crowd = [asyncio.create_task(ask("crowd")) for _ in range(10)]
    await asyncio.sleep(0)
    alone = asyncio.create_task(ask("alone"))
    await asyncio.wait_for(alone, 60)
    assert sorted(order) == ["alone", "crowd", "crowd"]
    crowd[0].result()()
    crowd[0].result()()  # passed on twice is passed on once
    for _ in range(9):
        await asyncio.sleep(0)
    assert order.count("crowd") == 3
    for task in crowd:
        task.cancel()
    await asyncio.gather(*crowd, return_exceptions=True)
    for task in (*crowd, alone):
        if not task.cancelled():
            (await task)()
    await asyncio.sleep(0)
    assert not turns._lines, "nothing is kept for who is gone"


async def test_a_crowd_whose_answers_are_ready_at_once_is_answered_in_turns_of_the_loop():
    """A request that waits for nothing was over before the next of its address could see it."""
    turns, answered, per_turn = Turns(Efforts(1, 1)), 0, []

    async def answer():
        nonlocal answered
        pass_on = await turns.take("crowd")
        answered += 1
        pass_on()

    crowd = asyncio.gather(*(answer() for _ in range(40)))
    while not crowd.done():
        before = answered
        await asyncio.sleep(0)
        per_turn.append(answered - before)
    assert answered == 40
    assert max(per_turn) <= 2


async def test_of_a_crowd_from_many_addresses_a_few_begin_in_a_turn_and_who_has_had_least_goes_first():
    """A move comes while two hundred people arrive, each of an address that has already had something."""
    efforts, begun, per_turn = Efforts(1, 0.001), [], Counter()
    turns, turn = Turns(efforts), 0

    async def ask(address):
        pass_on = await turns.take(address)
        begun.append(address)
        per_turn[turn] += 1
        pass_on()

    for number in range(200):
        efforts.charge(f"crowd {number}", 0.002)
    tasks = [asyncio.create_task(ask(f"crowd {number}")) for number in range(200)]
    await asyncio.sleep(0)
    tasks.append(asyncio.create_task(ask("player")))
    while len(begun) < 201:
        turn += 1
        await asyncio.sleep(0)
    assert per_turn.most_common(2)[1][1] <= BEGUN_AT_ONCE
    assert max(per_turn.values()) <= BEGUN_AT_ONCE + 1, "beside the player"
    assert begun.index("player") <= 3 * BEGUN_AT_ONCE
    assert len(set(begun)) == 201
    await asyncio.gather(*tasks)


async def test_of_requests_for_news_one_begins_after_each_while_and_holds_up_no_other():
    turns, begun = Turns(Efforts(1, 1)), []

    async def ask(address, *, streams):
        pass_on = await turns.take(address, streams=streams)
        begun.append(address)
        pass_on()

    crowd = [asyncio.create_task(ask(f"crowd {number}", streams=True)) for number in range(10)]
    await asyncio.sleep(0)
    player = asyncio.create_task(ask("player", streams=False))
    began = monotonic()
    await player
    assert begun == ["crowd 0", "player"]
    await asyncio.gather(*crowd)
    assert monotonic() - began > 8 * SECONDS_BETWEEN_STREAMS
    assert len(begun) == 11


async def test_who_has_had_much_begins_when_the_others_have_their_answers(monkeypatch):
    """A player's move took twice as long beside somebody whose requests each began between its steps."""
    efforts = Efforts(0.05, 0.1)
    turns, begun = Turns(efforts, at_once=5), []

    async def ask(address):
        pass_on = await turns.take(address)
        begun.append(address)
        return pass_on

    efforts.charge("crowd", 0.04)
    alone = await ask("crowd")
    alone()
    answered = await ask("player")
    monkeypatch.setattr(effort, "LONGEST_COURTESY", 20)
    waiting = asyncio.create_task(ask("crowd"))
    await asyncio.sleep(10 * SECONDS_OF_COURTESY)
    await ask("other")
    assert begun == ["crowd", "player", "other"]
    monkeypatch.setattr(effort, "LONGEST_COURTESY", 0.001)
    await asyncio.wait_for(waiting, 20)
    efforts.charge("player", 0.04)
    assert efforts.awaited == 2, "what was begun is awaited to its end"
    answered()
    assert efforts.awaited == 1


def test_who_knocks_is_expected_to_ask_for_something(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(effort, "monotonic", lambda: now[0])
    efforts = Efforts(0.05, 0.1)
    efforts.charge("crowd", 0.04)
    efforts.expect("crowd")
    assert not efforts.gives_way("crowd")
    efforts.expect("player")
    assert efforts.gives_way("crowd")
    assert not efforts.gives_way("player")
    now[0] += effort.SECONDS_UNTIL_ASKED
    assert not efforts.gives_way("crowd")


async def test_who_is_cancelled_while_waiting_to_begin_gives_the_place_back():
    turns = Turns(Efforts(1, 1))
    tasks = [asyncio.create_task(turns.take(f"{number}")) for number in range(20)]
    await asyncio.sleep(0)
    for task in tasks[5:15]:
        task.cancel()
    done = await asyncio.gather(*tasks, return_exceptions=True)
    assert sum(callable(each) for each in done) == 10
    for each in done:
        if callable(each):
            each()
    (await asyncio.wait_for(turns.take("6"), 1))()


async def test_who_is_refused_waits_for_a_turn_too(monkeypatch):
    """All who had been told to wait a second were answered in the same moment, a hundred at a time."""
    monkeypatch.setattr(guard, "SECONDS_BEFORE_REFUSAL", 0.01)
    told, per_turn = [], []

    async def note(message):
        if message["type"] == "http.response.start":
            told.append(message["status"])

    scope = {"type": "http", "method": "GET", "path": "/", "headers": [], "client": ("192.0.2.1", 1),
             "query_string": b"", "state": {}, "extensions": {}}  # fmt: skip
    before = Guard(None, Limits(1, 0.001))
    assert not before.limits.requests.wait_for("192.0.2.1")
    crowd = asyncio.gather(*(before({**scope, "state": {}}, None, note) for _ in range(30)))
    while not crowd.done():
        seen = len(told)
        await asyncio.sleep(0)
        per_turn.append(len(told) - seen)
    assert told == [429] * 30
    assert max(per_turn) <= 2


def test_who_has_had_much_of_the_loop_waits_while_others_are_there(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(effort, "monotonic", lambda: now[0])
    efforts = Efforts(at_will=0.05, share=0.1)
    efforts.charge("busy", 0.04)
    efforts.charge("other", 0.001)
    assert efforts.pause_of("busy") == 0, "there is something left"
    efforts.charge("busy", 0.03)
    assert efforts.pause_of("busy") == pytest.approx(0.2)
    assert efforts.pause_of("other") == efforts.pause_of("nobody") == 0
    now[0] += 0.15
    assert efforts.pause_of("busy") == pytest.approx(0.05), "time pays it back"
    efforts.charge("busy", 5)
    assert efforts.pause_of("busy") == effort.LONGEST_PAUSE
    now[0] += effort.SECONDS_OF_COMPANY
    assert efforts.pause_of("busy") == 0, "who is alone disturbs nobody"
    efforts.charge("other", 0.001)
    assert efforts.pause_of("busy") == effort.LONGEST_PAUSE


async def test_what_is_done_for_an_address_is_counted_and_what_it_waits_for_is_not(monkeypatch):
    spent = [0.0]
    monkeypatch.setattr(effort, "thread_time", lambda: spent[0])
    efforts, seen = Efforts(1, 1), []
    monkeypatch.setattr(efforts, "charge", lambda address, seconds: seen.append((address, seconds)))

    async def work():
        spent[0] += 2
        await asyncio.sleep(0)
        spent[0] += 3

    async def elsewhere():
        spent[0] += 100

    await asyncio.gather(Metered(efforts, "here", work()), elsewhere())
    assert seen == [("here", 2), ("here", 3)]


async def test_errors_and_an_end_pass_through_what_counts():
    efforts, ended = Efforts(1, 1), []

    async def fail():
        await asyncio.sleep(0)
        raise ValueError("as usual")

    async def wait():
        try:
            await asyncio.sleep(3_600)
        finally:
            ended.append(True)

    with pytest.raises(ValueError, match="as usual"):
        await Metered(efforts, "here", fail())
    waiting = asyncio.ensure_future(Metered(efforts, "here", wait()))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert ended


async def test_who_only_waits_does_not_keep_the_others_waiting():
    turns = Turns(Efforts(1, 1), at_once=1, seconds=0.001)
    await turns.take("home")  # a bot thinks, and the answer will take seconds
    pass_on = await asyncio.wait_for(turns.take("home"), 20)
    pass_on()


def test_only_our_own_host_is_answered_when_there_is_an_origin(serve):
    arrive = serve(origin="https://mozaika.example")
    for host in ("mozaika.example", "MOZAIKA.example"):
        assert arrive(host=host).get("/").status_code == 200
    for host in ("evil.example", "mozaika.example:8080", "192.0.2.9", ""):
        answer = arrive(host=host).get("/api/games", headers={"Accept-Language": "de"})
        assert answer.status_code == 421
        assert answer.json()["detail"] == "Unter diesem Namen antwortet dieser Server nicht."
        assert arrive(host=host).get("/livez").status_code == 200, "machines ask by number"


def test_without_an_origin_any_host_is_ours(serve):
    assert serve()(host="any.example").get("/").status_code == 200


def test_behind_proxies_addresses_are_those_of_the_people(serve):
    arrive = serve(burst=3, per_second=0.001)
    through = "198.51.100.9, 192.0.2.7, 10.0.0.3"  # the first one is what the visitor claims
    assert [arrive(through).get("/livez").status_code for _ in range(4)] == [200, 200, 200, 429]
    assert arrive("192.0.2.7").get("/livez").status_code == 429
    assert arrive("198.51.100.9").get("/livez").status_code == 200


def test_what_is_the_same_for_everybody_is_compressed_once(serve, monkeypatch):
    """Each answer was read and compressed anew: a millisecond of the event loop for a file."""
    ania, zipped = serve()(), []
    monkeypatch.setattr(
        gzip, "compress", lambda data, **named: zipped.append(data) or compress(data, **named)
    )
    for path in ("/static/table.js", "/api"):
        pages._read_static.cache_clear()
        pages._api_pages.clear()
        zipped.clear()
        plain = ania.get(path, headers={"Accept-Encoding": "identity"})
        assert "content-encoding" not in plain.headers
        for _ in range(3):
            answer = ania.get(path, headers={"Accept-Encoding": "gzip"})
            assert answer.headers["content-encoding"] == "gzip"
            assert answer.headers["vary"] == "Accept-Encoding"
            assert answer.content == plain.content
        assert len(zipped) == 1
    assert (
        ania.get(table_view(ania), headers={"Accept-Encoding": "gzip"}).headers["content-encoding"] == "gzip"
    )


def table_view(client):
    return f"/api/games/{open_table(client).json()['id']}/view"


def test_head_is_a_get_without_its_body(serve):
    ania = serve()()
    table = open_table(ania).json()
    known = f"/api/games/{table['id']}"
    for path in (
        "/",
        table["url"],
        "/api",
        "/livez",
        "/api/games",
        f"{known}/view",
        "/static/table.js",
        "/x",
    ):
        got, head = ania.get(path), ania.head(path)
        assert head.status_code == got.status_code, path
        assert head.content == b""
        same = ("content-type", "cache-control", "content-security-policy")
        assert [head.headers[name] for name in same] == [got.headers[name] for name in same]
    stream = ania.head(f"{known}/events")
    assert stream.status_code == 200
    assert stream.headers["content-type"].startswith("text/event-stream")
    assert not any(shared.watchers for shared in ania.client.app.state.hall.tables.values())


def test_what_is_private_is_kept_by_no_cache(serve):
    ania = serve()()
    made = open_table(ania)
    known = f"/api/games/{made.json()['id']}"
    private = ["/", made.json()["url"], "/api/games/mine", "/nothing", "/api/nothing", "/verify", "/api"]
    private += [f"{known}/{what}" for what in ("view", "letters", "log", "picture.svg", "record")]
    answers = [made, ania.post(f"{known}/link", headers=once()), *map(ania.get, private)]
    for answer in answers:
        assert answer.headers["cache-control"] == "private, no-store", answer.url
    ground = ania.get(ania.get(f"{known}/view").json()["scene"]["ground"])
    assert ground.headers["cache-control"].startswith("private, ")
    assert ania.get("/static/table.js").headers["cache-control"] == "no-cache"


def test_the_page_of_the_api_is_rendered_once(serve, monkeypatch):
    from mozaika.server import pages

    ania, rendered = serve()(), []
    monkeypatch.setattr(pages, "context_of", lambda *_, **__: rendered.append(1) or {})
    pages._api_pages.clear()
    monkeypatch.setattr(
        pages.JinjaTemplateEngine, "get_template", lambda *_: type("T", (), {"render": str})()
    )
    for _ in range(3):
        assert ania.get("/api").status_code == 200
    assert len(rendered) == 1
    pages._api_pages.clear()


async def test_who_is_refused_waits_for_it(monkeypatch):
    """So that asking again at once brings nothing."""
    waited, sent = [], []
    real, own = asyncio.sleep, asyncio.current_task()

    async def sleep(seconds):
        if asyncio.current_task() is not own:  # a server of another test
            return await real(seconds)
        waited.append(seconds)
        return await real(0)

    async def send(message):
        sent.append(message)

    async def app(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    monkeypatch.setattr(guard.asyncio, "sleep", sleep)
    monkeypatch.setattr(guard, "SECONDS_BETWEEN", 0)
    monkeypatch.setattr(guard, "SECONDS_BEFORE_REFUSAL", 1)
    watch = Guard(app, Limits(burst=1, per_second=0.1))
    scope = {"type": "http", "method": "GET", "path": "/", "headers": [], "client": ("192.0.2.1", 1)}
    for _ in range(2):
        await watch({**scope, "query_string": b"", "server": None, "scheme": "http"}, None, send)
    assert [message["status"] for message in sent if "status" in message] == [200, 429]
    assert waited == [1]


def test_a_damaged_game_is_marked_and_spoils_nothing_else(serve):
    ania = serve()()
    broken, fine = (open_table(ania).json()["id"] for _ in range(2))
    state = ania.client.app.state
    asked = state.hall.store._write(
        lambda db: db.execute("UPDATE log SET text = '{' WHERE kind = 'sit' AND game = ?", (broken,))
    )
    ania.client.blocking_portal.call(lambda: asked)
    state.hall.tables.clear()
    found = {game["id"]: game["damaged"] for game in ania.get("/api/games/mine").json()}
    assert found == {broken: True, fine: False}
    answer = ania.get(f"/api/games/{broken}/view", headers={"Accept-Language": "de"})
    assert answer.status_code == 500
    assert answer.json()["detail"].startswith("Diese Partie ist hier nicht lesbar.")
    page = ania.get(f"/t/{broken}", headers={"Accept": "text/html", "Accept-Language": "pl"})
    assert "Tej partii nie da się tu odczytać." in page.text


def test_a_server_whose_store_takes_no_writing_is_not_ready(serve):
    ania = serve()()
    assert ania.get("/readyz").status_code == 200
    writer = ania.client.app.state.hall.store._writer
    writer.execute("PRAGMA query_only = ON")
    assert ania.get("/readyz").status_code == 503
    writer.execute("PRAGMA query_only = OFF")
    assert ania.get("/readyz").status_code == 200


async def test_a_request_that_takes_too_long_for_a_server_that_stops_gets_a_sentence():
    """As uvicorn ends them; without it whoever asked would read of an error here."""
    begun, said = asyncio.Event(), []

    async def slow(scope, receive, send):
        begun.set()
        await asyncio.sleep(60)

    async def send(message):
        said.append(message)

    scope = {"type": "http", "method": "GET", "path": "/", "headers": [], "client": ("192.0.2.1", 1)}
    scope |= {"query_string": b"", "root_path": "", "scheme": "http", "server": ("a", 80)}
    task = asyncio.create_task(Guard(slow, Limits())(scope, None, send))
    await begun.wait()
    task.cancel(msg="Task cancelled, timeout graceful shutdown exceeded")
    await task
    assert said[0]["status"] == 503
    assert b"being stopped" in said[1]["body"]
    task = asyncio.create_task(Guard(slow, Limits())(scope | {"state": {}}, None, send))
    begun.clear()
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
