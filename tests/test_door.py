"""Connections: half-sent requests end, nobody takes all places, and whoever is refused leaves no trace."""

import asyncio
import logging
from contextlib import asynccontextmanager
from functools import partial

import pytest
import uvicorn
from uvicorn.server import ServerState

from mozaika.server import door as doors
from mozaika.server.door import Connection, Door, most_connections, read_networks

pytestmark = pytest.mark.anyio
SECONDS = 20
"""Even a busy machine has done by then what a test waits for."""


async def app(scope, receive, send):
    """Answers when the whole body has come."""
    while (message := await receive()).get("more_body"):
        pass
    if message["type"] == "http.disconnect":
        return
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok", "more_body": False})


@asynccontextmanager
async def opened(door):
    """A real listening socket: a function that connects to it, from any address of this machine."""
    config = uvicorn.Config(app, log_level="error", lifespan="off")
    config.load()
    make = partial(Connection, door, config=config, server_state=ServerState(), app_state={})
    server = await asyncio.get_running_loop().create_server(make, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]

    writers = []

    async def connect(host="127.0.0.1"):
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(host, 0))
        writers.append(writer)
        return reader, writer

    try:
        yield connect
    finally:
        server.close()
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


def test_proxies_that_are_none_get_a_sentence():
    assert [str(each) for each in read_networks("10.0.0.0/8,192.0.2.1,")] == ["10.0.0.0/8", "192.0.2.1/32"]
    assert read_networks("") == []
    with pytest.raises(ValueError, match="A trusted proxy is an address"):
        read_networks("localhost")


def test_there_are_fewer_places_than_descriptors():
    resource = pytest.importorskip("resource")
    assert 0 < most_connections() <= resource.getrlimit(resource.RLIMIT_NOFILE)[0] - doors.KEPT_DESCRIPTORS
