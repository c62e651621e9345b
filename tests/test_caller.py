"""Turns are announced to addresses that strangers choose: only public ones, as they were checked, signed."""

import asyncio
import hmac
import json
import socket
from contextlib import asynccontextmanager
from threading import Event

import pytest

from kinds import FIRST
from mozaika.games import GAMES
from mozaika.store import Hook
from mozaika.table import caller as module
from mozaika.table.caller import Caller, is_public, set_hook
from mozaika.table.hall import Hall
from mozaika.table.refusals import BadWish, NotAllowed
from mozaika.table.seating import SeatChange, change_seat
from tables import ANIA, BARTEK, move, seated

pytestmark = pytest.mark.anyio
ENGLISH = GAMES[FIRST].words("en")
SECONDS = 20


@asynccontextmanager
async def listening(answer=b"HTTP/1.1 204 No Content\r\n\r\n"):
    """Something that can be called: its port, and what it was told."""
    told = asyncio.Queue()

    async def take(reader, writer):
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
        told.put_nowait((head.decode(), await reader.readexactly(length)))
        writer.write(answer)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(take, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1], told
    finally:
        server.close()


def hook(url, seat=0, guest=ANIA.guest, key="key"):
    return Hook(seat, guest, url, key)


async def calls_ended(caller):
    async with asyncio.timeout(SECONDS):
        while caller._calls:
            await asyncio.sleep(0.001)


LOCAL = [
    *("127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "0.0.0.0", "10.1.2.3", "192.168.0.1"),
    *("172.16.0.1", "169.254.169.254", "100.64.0.1", "224.0.0.1", "255.255.255.255", "localhost"),
    *("[::1]", "[::]", "[fe80::1]", "[fd00::1]", "[ff02::1]", "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]"),
    *("[2002:7f00:1::]", "[::7f00:1]", "[::ffff:a00:1]", "[fec0::1]", "[::ffff:0:7f00:1]", "[::5efe:7f00:1]"),
    *("[64:ff9b:1::7f00:1]", "[4000::1]"),
]


@pytest.mark.parametrize("host", LOCAL)
async def test_an_address_of_this_machine_or_network_is_refused_however_it_is_written(host):
    caller = Caller("https://here")
    for url in (f"http://{host}/", f"https://{host}:8443/x"):
        with pytest.raises(BadWish, match="Only public"):
            caller.check(url)
    with pytest.raises(ValueError, match="not public"):
        await caller._resolve("somebody", host.strip("[]"), 80)
    caller.close()


@pytest.mark.parametrize(
    "address",
    [
        *("there", "file:///etc/passwd", "ftp://a.example/", "gopher://a.example", "https://", "https://a b"),
        *(
            "http://u:p@a.example/",
            "http://a.example:x/",
            "http://[::1",
            "https://ä.example",
            "http://a\r\nX: y",
        ),
    ],
)
def test_an_address_that_is_none_is_refused(address):
    with pytest.raises(BadWish, match="An address begins"):
        Caller("https://here").check(address)


def test_public_addresses_are_called():
    public = "93.184.216.34", "2606:2800:220:1::1", "::ffff:93.184.216.34", "64:ff9b::5db8:d822"
    assert all(map(is_public, public))
    Caller("https://here").check("https://hooks.example/services/a?b=c")
    Caller("https://here", ["127.0.0.1"]).check("http://127.0.0.1:9/")


async def test_a_call_goes_to_the_very_address_that_was_checked(monkeypatch):
    """A name that is public when it is looked at and local a moment later is looked at once."""
    caller, asked, connected = Caller("https://here"), [], []

    def resolve(host, port, **_):
        asked.append(host)
        address = "93.184.216.34" if len(asked) == 1 else "127.0.0.1"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]

    async def connect(host, port, **_):
        connected.append(host)
        raise OSError("enough")

    monkeypatch.setattr(module.socket, "getaddrinfo", resolve)
    monkeypatch.setattr(module.asyncio, "open_connection", connect)
    await caller._post("somebody", hook("http://rebinding.example/"), b"{}")
    assert (asked, connected) == (["rebinding.example"], ["93.184.216.34"])
    caller.close()


async def test_a_turn_is_announced_once_and_signed(store):
    async with listening() as (port, told):
        caller = Caller("https://here", ["127.0.0.1"])
        hall = Hall(store, patience=1_000, caller=caller)
        shared = hall.take_in(await seated(store, ANIA, BARTEK))
        await set_hook(caller, shared, hook(f"http://127.0.0.1:{port}/x?y", 1, BARTEK.guest), "hook")
        await move(shared)
        head, body = await asyncio.wait_for(told.get(), SECONDS)
        assert head.startswith("POST /x?y HTTP/1.1\r\n")
        headers = dict(line.split(": ", 1) for line in head.strip().split("\r\n")[1:])
        said = json.loads(body)
        assert (said["seat"], said["url"]) == (2, f"https://here/t/{shared.header.id}")
        signed = hmac.new(b"key", f"{headers['Mozaika-Timestamp']}.".encode() + body, "sha256").hexdigest()
        assert headers["Mozaika-Signature"] == f"sha256={signed}"
        await calls_ended(caller)
        assert told.empty()
        await hall.close()


async def test_nobody_is_followed_elsewhere(caplog):
    async with listening() as (other, told):
        moved = f"HTTP/1.1 307 Elsewhere\r\nLocation: http://127.0.0.1:{other}/\r\n\r\n".encode()
        async with listening(moved) as (port, first):
            caller = Caller("https://here", ["127.0.0.1"])
            await caller._post("somebody", hook(f"http://127.0.0.1:{port}/"), b"{}")
            assert first.qsize() == 1
        assert told.empty()
    assert "the answer was 307" in caplog.text
    caller.close()


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 2", b"x" * 5_000, b"SSH-2.0\n"], ids=len)
async def test_whatever_answers_a_call_ends_in_time(answer, monkeypatch, caplog):
    """Also who drips, and who says nothing."""
    monkeypatch.setattr(module, "SECONDS", 0.2)
    release = asyncio.Event()

    async def drip(reader, writer):
        writer.write(answer)
        await release.wait()
        writer.close()

    server = await asyncio.start_server(drip, "127.0.0.1", 0)
    caller = Caller("https://here", ["127.0.0.1"])
    port = server.sockets[0].getsockname()[1]
    for _ in range(2):
        await asyncio.wait_for(caller._post("somebody", hook(f"http://127.0.0.1:{port}/"), b"{}"), SECONDS)
    assert "could not be announced: 1, the last one because" in caplog.text
    assert len(caplog.records) == 1, "strangers do not fill the log"
    caller._silent_until = 0.0
    caller._note_failure("of something else")
    assert "could not be announced: 2, the last one because of something else" in caplog.text
    release.set()
    server.close()
    caller.close()


async def first():
    """Nobody else has called for this turn."""
    return True


async def test_dripping_calls_of_one_address_leave_room_for_others(monkeypatch):
    caller, begun = Caller("https://here"), []

    async def post(self, who, hook, body):
        begun.append(hook.url)
        await asyncio.sleep(3_600)

    monkeypatch.setattr(Caller, "_post", post)
    for _ in range(20):
        caller._begin("crowd", hook("dripping"), b"", first)
    caller._begin("somebody", hook("quick"), b"", first)
    await asyncio.sleep(0)
    assert begun == ["dripping"] * module.MOST_OF_ONE + ["quick"]
    caller.close()


async def test_names_that_take_for_ever_leave_somebody_to_look_up_those_of_others(monkeypatch):
    """A call is given up after a few seconds; whoever looks its name up may be held much longer."""
    held, connected, caller = Event(), asyncio.Event(), Caller("https://here")

    def resolve(host, port, **_):
        if host == "slow.example":
            held.wait(SECONDS)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.216.34", port))]

    async def connect(host, port, **_):
        connected.set()
        raise OSError("enough")

    monkeypatch.setattr(module.socket, "getaddrinfo", resolve)
    monkeypatch.setattr(module.asyncio, "open_connection", connect)
    monkeypatch.setattr(module, "SECONDS", 0.05)
    try:
        for _ in range(3):
            for _ in range(module.MOST_OF_ONE):
                caller._begin("crowd", hook("http://slow.example/"), b"", first)
            await calls_ended(caller)
        monkeypatch.setattr(module, "SECONDS", SECONDS)
        caller._begin("somebody", hook("http://quick.example/"), b"", first)
        async with asyncio.timeout(SECONDS / 2):
            await connected.wait()
    finally:
        held.set()
        caller.close()


async def test_a_hook_is_kept_outside_the_log_and_can_be_deleted(store):
    caller, shared = Caller("https://here"), await seated(store, ANIA, BARTEK)
    await set_hook(caller, shared, hook("https://secret.example/a"), "a")
    header, events = await store.load(shared.header.id)
    assert "secret.example" not in repr((header, events))
    hall = Hall(store, caller=caller)
    assert (await hall.find(shared.header.id)).hooks == {0: hook("https://secret.example/a")}
    await set_hook(caller, shared, hook(""), "b")
    assert await store.hooks(shared.header.id) == []
    assert shared.hooks == {}
    await hall.close()


async def test_a_hook_is_set_by_who_sits_there_and_where_the_server_calls(store):
    caller, shared = Caller("https://here"), await seated(store, ANIA, BARTEK)
    with pytest.raises(NotAllowed, match="You do not sit"):
        await set_hook(caller, shared, hook("https://there", 0, BARTEK.guest), "a")
    with pytest.raises(NotAllowed, match="does not call"):
        await set_hook(None, shared, hook("https://there"), "b")
    caller.close()


@pytest.mark.parametrize("how", ["leave", "remove"])
async def test_a_hook_ends_with_its_owner(store, how):
    caller, shared = Caller("https://here"), await seated(store, ANIA, BARTEK)
    await set_hook(caller, shared, hook("https://there", 1, BARTEK.guest), "a")
    guest = ANIA.guest if how == "remove" else BARTEK.guest
    await change_seat(shared, 2, SeatChange(how), guest, ENGLISH)
    assert shared.hooks == {}
    assert await store.hooks(shared.header.id) == []
    caller.close()
