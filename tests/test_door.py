"""Connections: half-sent requests end, nobody takes all places, and whoever is refused leaves no trace."""

import asyncio
import errno
import logging
import socket
from contextlib import asynccontextmanager
from functools import partial
from time import monotonic

import h11
import pytest
import uvicorn
from uvicorn.server import ServerState

from mozaika.server import door as doors
from mozaika.server import entrance as entrances
from mozaika.server.door import Connection, Door, Wire, most_connections, read_networks
from mozaika.server.effort import LONGEST_COURTESY, Efforts
from mozaika.server.entrance import SECONDS_BETWEEN_CONNECTIONS, Entrance
from mozaika.server.guard import Buckets

pytestmark = pytest.mark.anyio
SECONDS = 20
"""Even a busy machine has done by then what a test waits for."""


async def app(scope, receive, send):
    """Answers when the whole body has come; a stream, if that is asked for."""
    if scope["path"] == "/stream":
        await stream(scope, send)
        return
    while (message := await receive()).get("more_body"):
        pass
    if message["type"] == "http.disconnect":
        return
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok", "more_body": False})


async def stream(scope, send):
    """Pieces on the short way, but for the first and the last."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"long way, ", "more_body": True})
    write = scope["extensions"][doors.SHORT_WAY]["write"]
    for piece in (b"short ", b"", b"way" * 100):
        if not write(piece):
            await send({"type": "http.response.body", "body": piece, "more_body": True})
    await send({"type": "http.response.body", "body": b"", "more_body": False})
    assert not write(b"too late")


@asynccontextmanager
async def opened(door, efforts=None):
    """A real listening socket: a function that connects to it, from any address of this machine."""
    config = uvicorn.Config(app, log_level="error", lifespan="off")
    config.load()
    make = partial(Connection, config=config, server_state=ServerState(), app_state={})
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    entrance = Entrance(listening, door, efforts or Efforts(1, 1), make)
    entrance.open()
    port = listening.getsockname()[1]
    writers = []

    async def connect(host="127.0.0.1"):
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(host, 0))
        writers.append(writer)
        return reader, writer

    try:
        yield connect
    finally:
        entrance.shut()
        for writer in writers:
            writer.close()
        await asyncio.gather(*(writer.wait_closed() for writer in writers), return_exceptions=True)
        while door.inside:
            await asyncio.sleep(0.001)


async def is_cut(reader):
    try:
        return await asyncio.wait_for(reader.read(1000), SECONDS) == b""
    except ConnectionError:
        return True


async def answers(reader, writer):
    writer.write(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
    return (await asyncio.wait_for(reader.readuntil(b"ok"), SECONDS)).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HT",
        b"GET / HTTP/1.1\r\nHost: here\r\nX: ",
        b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 9\r\n\r\nhalf",
        b"GET / HTTP/1.1\r\nHost: here\r\n\r\nGET / HT",
    ],
    ids=["nothing", "a line", "headers", "a body", "a second request"],
)
async def test_a_request_that_does_not_come_ends(sent, monkeypatch, caplog):
    monkeypatch.setattr(doors, "HEADERS_SECONDS", 0.02)
    monkeypatch.setattr(doors, "BODY_SECONDS", 0.02)
    door = Door(10, 10)
    async with opened(door) as connect:
        reader, writer = await connect()
        first, second, rest = sent.rpartition(b"GET")
        if first:
            assert await answers(reader, writer)
        writer.write(second + rest)
        assert await is_cut(reader)
        await asyncio.sleep(0)
        assert door.inside == 0
    assert not caplog.records


async def test_who_drips_headers_gains_no_time(monkeypatch):
    monkeypatch.setattr(doors, "HEADERS_SECONDS", 0.05)
    async with opened(Door(10, 10)) as connect:
        reader, writer = await connect()
        began = asyncio.get_running_loop().time()
        cut = asyncio.create_task(is_cut(reader))
        while not cut.done():
            writer.write(b"G")
            await asyncio.sleep(0.01)
            assert asyncio.get_running_loop().time() - began < SECONDS


async def test_who_is_answered_may_stay_and_ask_again(monkeypatch):
    monkeypatch.setattr(doors, "HEADERS_SECONDS", 0.05)
    async with opened(Door(10, 10)) as connect:
        reader, writer = await connect()
        for _ in range(3):
            assert await answers(reader, writer)
            await asyncio.sleep(0.08)  # longer than headers may take: nothing was begun


async def test_one_address_does_not_take_all_places_and_whoever_is_refused_leaves_no_trace(caplog):
    caplog.set_level(logging.DEBUG)
    door = Door(3, 10)
    async with opened(door) as connect:
        crowd = [await connect() for _ in range(50)]
        assert [await is_cut(reader) for reader, _ in crowd[3:]] == [True] * 47
        assert door.refused == 47
        assert await answers(*await connect("127.0.0.2"))
        crowd[0][1].close()
        await crowd[0][1].wait_closed()
        await asyncio.sleep(0.01)
        assert await answers(*await connect())
    assert not [record for record in caplog.records if record.name != "asyncio"]


async def test_a_trusted_proxy_stands_for_many_people_but_nobody_takes_the_last_descriptors():
    door = Door(2, 5, read_networks("127.0.0.0/8, ::1"))
    async with opened(door) as connect:
        crowd = [await connect() for _ in range(7)]
        assert [await is_cut(reader) for reader, _ in crowd[5:]] == [True] * 2
        assert await answers(*crowd[4])


def asked(kind):
    """A line of this kind on which somebody has asked for something."""
    line = kind(h11.SERVER)
    line.receive_data(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
    while type(line.next_event()) is not h11.EndOfMessage:
        pass
    return line


@pytest.mark.parametrize(
    ("headers", "pieces", "writes"),
    [([(b"content-length", b"6")], [b"on", b"ce: "], 2), ([], [b"one", b"", b"another", b"a" * 300], 5)],
    ids=["an answer", "a stream"],
)
def test_what_is_written_is_what_the_library_writes_and_the_head_goes_with_the_body(headers, pieces, writes):
    events = [h11.Response(status_code=200, headers=headers), *(h11.Data(data=each) for each in pieces)]
    found = []
    for kind in (h11.Connection, Wire):
        line = asked(kind)
        found.append([line.send(event) for event in (*events, h11.EndOfMessage())])
        line.start_next_cycle()
    assert b"".join(found[1]) == b"".join(found[0])
    assert len(list(filter(None, found[1]))) == writes


@pytest.mark.parametrize("version", ["1.1", "1.0"])
async def test_the_short_way_of_a_stream_brings_the_same(version):
    async with opened(Door(10, 10)) as connect:
        reader, writer = await connect()
        writer.write(f"GET /stream HTTP/{version}\r\nHost: here\r\nConnection: close\r\n\r\n".encode())
        client = h11.Connection(h11.CLIENT)
        client.send(h11.Request(method="GET", target="/", headers=[("Host", "here")]))
        client.send(h11.EndOfMessage())
        client.receive_data(await asyncio.wait_for(reader.read(), SECONDS))
        client.receive_data(b"")
        told = b""
        while type(event := client.next_event()) is not h11.EndOfMessage:
            told += bytes(event.data) if type(event) is h11.Data else b""
    assert told == b"long way, short " + b"way" * 100


def test_proxies_that_are_none_get_a_sentence():
    assert [str(each) for each in read_networks("10.0.0.0/8,192.0.2.1,")] == ["10.0.0.0/8", "192.0.2.1/32"]
    assert read_networks("") == []
    with pytest.raises(ValueError, match="A trusted proxy is an address"):
        read_networks("localhost")


def test_there_are_fewer_places_than_descriptors():
    resource = pytest.importorskip("resource")
    assert 0 < most_connections() <= resource.getrlimit(resource.RLIMIT_NOFILE)[0] - doors.KEPT_DESCRIPTORS


async def test_whoever_is_sent_away_is_sent_away_before_anything_is_made_of_it(monkeypatch):
    """A thousand who knocked again and again each had a connection made for them, and a task."""
    made = []
    monkeypatch.setattr(Connection, "connection_made", lambda self, _: made.append(self))
    door = Door(0, 10)
    async with opened(door) as connect:
        for _ in range(20):
            reader, _ = await connect()
            assert await is_cut(reader)
    assert not made
    assert door.refused == 20


async def test_of_a_crowd_one_is_let_in_at_a_time_and_first_whoever_has_had_least(monkeypatch):
    """Whoever played stood behind all of them in the queue of the system."""
    let_in, efforts = [], Efforts(1, 1)
    monkeypatch.setattr(
        Connection, "connection_made", lambda self, _: let_in.append((self._host, monotonic()))
    )
    monkeypatch.setattr(Connection, "connection_lost", lambda self, _: self.door.leave(self._host))
    efforts.charge("127.0.0.1", 0.2)
    async with opened(Door(100, 100, efforts=efforts), efforts) as connect:
        crowd = await asyncio.gather(*(connect() for _ in range(60)))
        crowd.append(await connect("127.0.0.2"))
        async with asyncio.timeout(SECONDS):
            while len(let_in) < len(crowd):
                await asyncio.sleep(0.001)
    order = [host for host, _ in let_in]
    assert order.index("127.0.0.2") < 50, "no player stands behind a crowd"
    assert let_in[-1][1] - let_in[0][1] > 50 * SECONDS_BETWEEN_CONNECTIONS


async def test_while_somebody_waits_for_an_answer_a_crowd_knocks_in_vain_for_a_moment():
    """To take three thousand out of the queue stood between the steps of a move."""
    efforts = Efforts(1, 1)
    door = Door(100, 100, efforts=efforts)
    async with opened(door, efforts) as connect:
        efforts.charge("127.0.0.1", 0.9)
        let_go = efforts.take_in_hand("127.0.0.9")
        began = monotonic()
        crowd = await asyncio.gather(*(connect() for _ in range(80)))
        async with asyncio.timeout(SECONDS):
            while door.inside < len(crowd):
                await asyncio.sleep(0.001)
        assert monotonic() - began > 2 * LONGEST_COURTESY
        let_go()
        assert all(await asyncio.gather(*(answers(*each) for each in crowd)))


async def test_who_waits_to_be_let_in_counts_and_nobody_comes_in_when_the_door_is_shut():
    door, efforts = Door(2, 100), Efforts(1, 1)
    async with opened(door, efforts) as connect:
        efforts.take_in_hand("127.0.0.9")
        efforts.charge("127.0.0.1", 0.9)
        for _ in range(2):
            await connect()
        reader, _ = await connect()
        assert await is_cut(reader), "two wait, and that is all who may"
        assert door.inside == 2
    assert door.inside == 0


async def test_where_a_loop_watches_no_sockets_people_come_in_too(monkeypatch):
    """On Windows."""
    loop, knocks, let_in = asyncio.get_running_loop(), [("127.0.0.1", 5)], []

    def refuse(*_):
        raise NotImplementedError

    async def accept(_):
        if not knocks:
            await asyncio.Event().wait()
        return socket.socket(), knocks.pop()

    async def let(connection, host):
        let_in.append(host)
        connection.close()

    for name, does in (("add_reader", refuse), ("remove_reader", refuse), ("sock_accept", accept)):
        monkeypatch.setattr(loop, name, does)
    entrance = Entrance(socket.socket(), Door(10, 10), Efforts(1, 1), None)
    monkeypatch.setattr(entrance, "_let_in", let)
    entrance.open()
    async with asyncio.timeout(SECONDS):
        while not let_in:
            await asyncio.sleep(0)
    entrance.shut()
    assert let_in == ["127.0.0.1"]


async def test_without_descriptors_the_door_opens_again(monkeypatch):
    monkeypatch.setattr(entrances, "SECONDS_WITHOUT_DESCRIPTORS", 0.01)
    accept, failed = socket.socket.accept, []

    def fail_twice(self):
        if len(failed) < 2:
            failed.append(True)
            raise OSError(errno.EMFILE, "Too many open files")
        return accept(self)

    monkeypatch.setattr(socket.socket, "accept", fail_twice)
    async with opened(Door(10, 10)) as connect:
        assert await answers(*await connect())
    assert len(failed) == 2


async def test_who_knocks_all_the_time_is_sent_away(monkeypatch):
    door = Door(10, 10, knocks=Buckets(3, 0.001))
    async with opened(door) as connect:
        for _ in range(3):
            reader, writer = await connect()
            assert await answers(reader, writer)
            writer.close()
        reader, _ = await connect()
        assert await is_cut(reader)
        assert await answers(*await connect("127.0.0.2"))
    trusted = Door(1, 10, read_networks("127.0.0.1"), Buckets(1, 0.001))
    async with opened(trusted) as connect:
        assert all([await answers(*await connect()) for _ in range(4)])


async def test_who_has_had_much_is_read_when_whoever_has_not_is_answered(monkeypatch):
    efforts = Efforts(0.05, 0.1)
    door, read, waited = Door(100, 100, efforts=efforts), [], []
    efforts.charge("192.0.2.1", 0.04)
    door.read("192.0.2.1", partial(read.append, "alone"), partial(waited.append, "alone"))
    assert read == ["alone"]
    answered = efforts.take_in_hand("192.0.2.2")
    monkeypatch.setattr(doors, "LONGEST_COURTESY", SECONDS)
    door.read("192.0.2.1", partial(read.append, "beside"), partial(waited.append, "beside"))
    await asyncio.sleep(10 * doors.SECONDS_BETWEEN_READING)
    assert (read, waited) == (["alone"], ["beside"])
    answered()
    async with asyncio.timeout(SECONDS):
        while len(read) < 2:
            await asyncio.sleep(0.001)
    efforts.take_in_hand("192.0.2.2")
    monkeypatch.setattr(doors, "LONGEST_COURTESY", 0.001)
    door.read("192.0.2.1", partial(read.append, "at last"), waited.clear)
    async with asyncio.timeout(SECONDS):
        while len(read) < 3:  # politeness has an end
            await asyncio.sleep(0.001)


async def test_a_trusted_proxy_gives_way_to_nobody_because_many_stand_behind_it():
    efforts, read = Efforts(0.01, 0.001), []
    door = Door(1, 1_000, read_networks("192.0.2.1"), efforts=efforts)
    assert all(door.enter("192.0.2.1") for _ in range(100))
    assert not efforts.has_had_much("192.0.2.1")
    efforts.charge("192.0.2.1", 1)
    efforts.take_in_hand("192.0.2.2")
    door.read("192.0.2.1", partial(read.append, "at once"), read.clear)
    assert read == ["at once"]


async def test_of_many_connections_of_one_address_a_few_are_read_at_a_time():
    """A hundred requests that came in one moment were all read before anybody else was served."""
    door, read, waited = Door(100, 100), [], []
    for number in range(10):
        door.read("192.0.2.1", partial(read.append, number), partial(waited.append, number))
    door.read("192.0.2.2", partial(read.append, "other"), partial(waited.append, "other"))
    assert read == [0, 1, 2, 3, "other"]
    assert waited == [4, 5, 6, 7, 8, 9]
    async with asyncio.timeout(SECONDS):
        while len(read) < 11:
            assert len(door._unread) == 1
            await asyncio.sleep(0.001)
    assert read[5:] == [4, 5, 6, 7, 8, 9]
    door.read("192.0.2.1", partial(read.append, "again"), waited.clear)
    assert read[-1] == "again"
    assert not door._unread


async def test_a_crowd_that_asks_in_one_moment_is_answered_to_the_last():
    async with opened(Door(100, 100)) as connect:
        crowd = [await connect() for _ in range(50)]
        for _, writer in crowd:
            writer.write(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n" * 3)
        for reader, _ in crowd:
            for _ in range(3):
                await asyncio.wait_for(reader.readuntil(b"ok"), SECONDS)
