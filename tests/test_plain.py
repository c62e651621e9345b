"""Plain requests: read and answered as the library does it, and everything else is left to the library."""

import asyncio
import re

import pytest
import uvicorn
from uvicorn.server import ServerState

from mozaika.server import door as doors
from mozaika.server import guests
from mozaika.server.door import Connection, Door
from mozaika.server.plain import read_plain

pytestmark = pytest.mark.anyio
HEAD = b"Host: here\r\nAccept: text/html, */*\r\nCookie: a=b; c=d  \r\n"


class Line(asyncio.Transport):
    """What is written to it is kept."""

    def __init__(self):
        super().__init__()
        self.written, self.closed, self.paused = b"", False, False

    def get_extra_info(self, name, default=None):
        return {"peername": ("127.0.0.1", 5000), "sockname": ("127.0.0.1", 80)}.get(name, default)

    def write(self, data):
        self.written += data

    def is_closing(self):
        return self.closed

    def close(self):
        self.closed = True

    def pause_reading(self):
        self.paused = True

    def resume_reading(self):
        self.paused = False


class Asked:
    """An application that notes what it is asked, and answers in one of several ways."""

    def __init__(self):
        self.seen, self.go_on = [], asyncio.Event()
        self.go_on.set()

    async def __call__(self, scope, receive, send):
        message = await receive()
        extensions = scope["extensions"]
        self.seen.append(({name: value for name, value in scope.items() if name != "extensions"}, message))
        await self.go_on.wait()
        start = {"type": "http.response.start", "status": 200, "headers": []}
        body = {"type": "http.response.body"}
        match scope["path"].rpartition("/")[2]:
            case "stream":
                await send(start)
                await send(body | {"body": b"one, ", "more_body": True})
                assert extensions[doors.SHORT_WAY]["write"](b"two, ")
                await send(body | {"body": b"", "more_body": True})
                await send(body | {"body": b"three"})
                assert not extensions[doors.SHORT_WAY]["write"](b"too late")
                assert await receive() == {"type": "http.disconnect"}
            case "nothing":
                await send(start | {"status": 204})
                await send(body)
            case "error":
                raise ValueError
            case "twice":
                await send(start)
                await send(start)
            case "close":
                await send(start | {"headers": [(b"connection", b"close"), (b"content-length", b"2")]})
                await send(body | {"body": b"ok"})
            case "split":
                await send(start | {"headers": [(b"location", b"/\r\nset-cookie: a=b")]})
            case _:
                await send(start | {"headers": [(b"Content-Length", b"4"), (b"x", b"y")]})
                await send(body | {"body": b"on", "more_body": True})
                await send(body | {"body": b"ce"})


def connect(app):
    config = uvicorn.Config(app, log_level="critical", lifespan="off")
    config.load()
    door = Door(10, 10)
    assert door.enter("127.0.0.1")
    state = ServerState()
    line = Line()
    connection = Connection(door, "127.0.0.1", config=config, server_state=state, app_state={"a": 1})
    connection.connection_made(line)
    return connection, line


async def let_happen():
    """Whatever can."""
    for _ in range(20):
        await asyncio.sleep(0)


async def tell(sent):
    """What an application has seen and what was written, for pieces that come one after the other."""
    app = Asked()
    connection, line = connect(app)
    for piece in sent:
        connection.data_received(piece)
        await let_happen()
    connection.connection_lost(None)
    return list(app.seen), line.written, line.closed


PLAIN = {
    "a look": b"GET /a%20b?c=d%20e HTTP/1.1\r\n" + HEAD + b"\r\n",
    "a change": b"POST /x HTTP/1.1\r\n" + HEAD + b"Content-Length: 5\r\nConnection: keep-alive\r\n\r\nhello",
    "nothing sent": b"POST /x HTTP/1.1\r\n" + HEAD + b"content-length: 0\r\n\r\n",
    **{
        path: b"GET /%b HTTP/1.1\r\n%b\r\n" % (path.encode(), HEAD)
        for path in ("stream", "nothing", "error", "twice", "close", "split")
    },
}


@pytest.mark.parametrize("sent", PLAIN.values(), ids=PLAIN)
async def test_a_plain_request_is_read_and_answered_as_by_the_library(sent, monkeypatch):
    assert read_plain(sent)
    told = await tell([sent])
    monkeypatch.setattr(doors, "read_plain", lambda _: None)
    assert told == await tell([sent])


HOST = b"Host: here\r\n"
UNUSUAL = {
    "a part": b"GET / HTTP/1.1\r\n" + HOST,
    "a part of a body": b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 5\r\n\r\nhell",
    "more than a body": b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 5\r\n\r\nhello!",
    "two at once": (b"GET / HTTP/1.1\r\n" + HOST + b"\r\n") * 2,
    "a body of no length": b"POST / HTTP/1.1\r\n" + HOST + b"\r\nhello",
    "two lengths": b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 5\r\ncontent-length: 5\r\n\r\nhello",
    "an odd length": b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: +5\r\n\r\nhello",
    "chunks": b"POST / HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "chunks and a length": (
        b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\nhello"
    ),
    "a question first": b"POST / HTTP/1.1\r\n" + HOST + b"Expect: 100-continue\r\nContent-Length: 0\r\n\r\n",
    "an upgrade": b"GET / HTTP/1.1\r\n" + HOST + b"Upgrade: websocket\r\nConnection: upgrade\r\n\r\n",
    "the last one": b"GET / HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n",
    "an old version": b"GET / HTTP/1.0\r\n" + HOST + b"\r\n",
    "no host": b"GET / HTTP/1.1\r\nAccept: */*\r\n\r\n",
    "two hosts": b"GET / HTTP/1.1\r\n" + HOST * 2 + b"\r\n",
    "a head only": b"HEAD / HTTP/1.1\r\n" + HOST + b"\r\n",
    "another server": b"GET http://there/ HTTP/1.1\r\n" + HOST + b"\r\n",
    "a blank before the colon": b"GET / HTTP/1.1\r\n" + HOST + b"X : y\r\n\r\n",
    "a line that goes on": b"GET / HTTP/1.1\r\n" + HOST + b"X: y\r\n z: w\r\n\r\n",
    "bare line ends": b"GET / HTTP/1.1\nHost: here\n\n",
    "a bare line end": b"GET / HTTP/1.1\r\n" + HOST + b"X: y\nZ: w\r\n\r\n",
    "a nought": b"GET / HTTP/1.1\r\n" + HOST + b"X: y\0\r\n\r\n",
    "much": b"GET / HTTP/1.1\r\n" + HOST + b"X: " + b"y" * 9_000 + b"\r\n\r\n",
}


@pytest.mark.parametrize("sent", UNUSUAL.values(), ids=UNUSUAL)
async def test_whatever_is_unusual_is_left_to_the_library(sent, monkeypatch):
    assert read_plain(sent) is None
    told, afterwards = await tell([sent]), await tell([PLAIN["a change"], sent])
    monkeypatch.setattr(doors, "read_plain", lambda _: None)
    assert told == await tell([sent])
    seen, written, closed = await tell([PLAIN["a change"], sent])
    assert (afterwards[0], afterwards[2]) == (seen, closed)
    assert re.findall(rb"HTTP/1.1 \d+", afterwards[1]) == re.findall(rb"HTTP/1.1 \d+", written)


async def test_what_comes_before_its_time_waits_for_the_answer():
    app = Asked()
    app.go_on.clear()
    connection, line = connect(app)
    first, second = PLAIN["a look"], PLAIN["a change"]
    for piece in (first, second[:9], second[9:]):
        connection.data_received(piece)
        await asyncio.sleep(0.01)
    assert [scope["path"] for scope, _ in app.seen] == ["/a b"]
    assert line.paused
    app.go_on.set()
    await let_happen()
    assert [scope["path"] for scope, _ in app.seen] == ["/a b", "/x"]
    assert line.written.count(b"\r\n\r\nonce") == 2
    assert not line.paused


async def test_who_waits_for_an_answer_owes_nothing_meanwhile(monkeypatch):
    monkeypatch.setattr(doors, "HEADERS_SECONDS", 0.01)
    app = Asked()
    app.go_on.clear()
    connection, line = connect(app)
    connection.data_received(PLAIN["a look"])
    await asyncio.sleep(0.05)
    assert not line.closed
    app.go_on.set()
    await let_happen()
    assert line.written.endswith(b"once")
    assert not line.closed
    connection.connection_lost(None)


def test_of_a_guest_no_more_is_kept_than_is_worth_it():
    """Strangers choose what they show: five thousand cookies of eight thousand bytes stay nowhere."""
    known = {b"cookie": b"mozaika=" + b"a" * 24}
    scope = {"query_string": b"", "scheme": "http", "client": ("192.0.2.1", 5000)}
    kept = guests._recall.cache_info().currsize
    assert guests.recall_guest(scope, known, "").lang == "en"
    assert guests.recall_guest(scope, {**known, b"accept-language": b"pl"}, "").lang == "pl"
    assert guests._recall.cache_info().currsize == kept + 2
    for shown in ({b"cookie": b"x=" + b"y" * guests.LONGEST_KEPT + b"; " + known[b"cookie"]},
                  {**known, b"accept-language": b"d" * guests.LONGEST_KEPT}):  # fmt: skip
        assert guests.recall_guest(scope, shown, "") is None
    assert guests.recall_guest({**scope, "query_string": b"lang=de"}, known, "") is None
    assert guests._recall.cache_info().currsize == kept + 2
    assert guests.recall_guest(scope, {}, "") is None, "who is new is given a secret by the framework"
