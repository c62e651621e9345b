"""Connections: how many there may be, of one address and in all, and how long a request may take to come."""

import asyncio
import contextlib
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Sequence
from functools import partial
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from itertools import islice
from time import monotonic
from typing import Any
from urllib.parse import unquote

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from mozaika.server.effort import LONGEST_COURTESY, Efforts
from mozaika.server.guard import SHORT_WAY, Buckets
from mozaika.server.guests import name_network
from mozaika.server.plain import Asked, PlainCycle, read_plain, write_piece

HEADERS_SECONDS = 10.0
BODY_SECONDS = 60.0
"""A record of a megabyte over a slow line."""
KEPT_DESCRIPTORS = 128
"""For the store, for what is called, and for whatever a library opens."""
MOST_DESCRIPTORS = 65_536
READ_AT_ONCE, SECONDS_BETWEEN_READING = 4, 0.002
"""So many connections of one address are read in one turn; of all the others so many after each while."""
SECONDS_OF_A_CONNECTION = 0.0003
"""What it takes of the loop to let one in and out again."""
MOST_LOOKED_AT = 32
"""Among so many addresses one is looked for that need not give way."""

Network = IPv4Network | IPv6Network


class Door:
    """Counts who is in. Whoever is one too many is shown out at once, without a word in the log."""

    def __init__(
        self,
        most_of_address: int,
        most: int,
        trusted: Sequence[Network] = (),
        knocks: Buckets | None = None,
        efforts: Efforts | None = None,
    ) -> None:
        """With how often an address may knock; by itself as often as it likes. Efforts say who gives way."""
        self.most_of_address, self.most, self.trusted = most_of_address, most, trusted
        self._knocks = knocks or Buckets(float("inf"), 1.0)
        self._efforts = efforts or Efforts(float("inf"), 1.0)
        self._inside: Counter[str] = Counter()
        self.inside = self.refused = 0
        self._read: Counter[str] = Counter()
        """How many connections of an address were read in this turn."""
        self._unread: OrderedDict[str, deque[Callable[[], None]]] = OrderedDict()
        """What is read later, by address; the addresses take turns."""
        self._read_at = 0.0
        """When something of that was read last."""

    def enter(self, host: str) -> bool:
        """Whether somebody who knocks may come in: there is room, and they do not knock all the time. A proxy
        that is trusted stands for many people.
        """
        name, is_person = name_network(host), not self.is_trusted(host)
        is_free = self.inside < self.most
        if is_free and is_person:
            is_free = self._inside[name] < self.most_of_address and not self._knocks.wait_for(name)
        if not is_free:
            self.refused += 1
            return False
        self.inside += 1
        self._inside[name] += 1
        if is_person:
            self._efforts.charge(name, SECONDS_OF_A_CONNECTION)
            self._efforts.expect(name)
        return True

    def read(self, host: str, read: Callable[[], None], wait: Callable[[], None]) -> None:
        """Read what a connection has brought: now, or if many of an address have something, or it gives way,
        when others had their turn; then it is told to wait.
        """
        name = name_network(host)
        if not self._read:
            asyncio.get_running_loop().call_soon(self._read.clear)
        self._read[name] += 1
        is_polite = self._efforts.gives_way(name) and not self.is_trusted(host)
        if self._read[name] <= READ_AT_ONCE and name not in self._unread and not is_polite:
            self._efforts.expect(name)
            read()
            return
        if not self._unread:
            self._read_at = monotonic()
            asyncio.get_running_loop().call_later(SECONDS_BETWEEN_READING, self._read_some)
        self._unread.setdefault(name, deque()).append(read)
        wait()

    def _read_some(self) -> None:
        for _ in range(READ_AT_ONCE):
            name = next(filter(self._may_read, islice(self._unread, MOST_LOOKED_AT)), None)
            if name is None:
                break
            line = self._unread.pop(name)
            line.popleft()()
            self._read_at = monotonic()
            if line:
                self._unread[name] = line
        if self._unread:
            asyncio.get_running_loop().call_later(SECONDS_BETWEEN_READING, self._read_some)

    def _may_read(self, name: str) -> bool:
        return not self._efforts.gives_way(name) or monotonic() - self._read_at >= LONGEST_COURTESY

    def leave(self, host: str) -> None:
        name = name_network(host)
        self.inside -= 1
        self._inside[name] -= 1
        if not self._inside[name]:
            del self._inside[name]

    def is_trusted(self, host: str) -> bool:
        if not self.trusted:
            return False
        try:
            address = ip_address(host)
        except ValueError:
            return False
        return any(address in network for network in self.trusted)


class Wire(h11.Connection):
    """Writes the head of an answer together with its body."""

    in_pieces = False
    """Whether a stream is being written, each piece with its length before it."""
    _head = b""

    def send(self, event: h11.Event) -> bytes:  # type: ignore[override]  # nothing, where a line is closed
        written = self._head + (super().send(event) or b"")
        self._head = b""
        if type(event) is h11.Response:
            self.in_pieces = b"\r\nTransfer-Encoding: chunked\r\n" in written
            if not self.in_pieces:
                self._head, written = written, b""
        elif type(event) is not h11.Data:
            self.in_pieces = False
        return written


class Connection(H11Protocol):
    """One connection of somebody who is in, with a deadline for each request that begins to come."""

    def __init__(self, door: Door, host: str, **named: Any) -> None:
        super().__init__(**named)
        self.conn: Wire = Wire(h11.SERVER)
        self.door, self._host, self._phase = door, host, ""
        self._deadline: asyncio.TimerHandle | None = None
        self._is_plain, self._early = True, b""
        """Whether nothing has come yet that the library had to read; and what came before its time."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._expect("headers")

    def connection_lost(self, exc: Exception | None) -> None:
        self._expect("")
        self.door.leave(self._host)
        super().connection_lost(exc)

    def handle_events(self) -> None:
        super().handle_events()
        if self.scope is not None:
            self.scope["extensions"] = {SHORT_WAY: {"write": self.write_piece}}

    def _answer(self, asked: Asked) -> None:
        """The same for a plain request, without the library."""
        self._unset_keepalive_if_required()
        path, _, query = asked.target.partition(b"?")
        self.scope = {
            "type": "http",
            "asgi": {"version": self.asgi_version, "spec_version": "2.3"},
            "http_version": "1.1",
            "server": self.server,
            "client": self.client,
            "scheme": self.scheme or "http",
            "method": asked.method,
            "root_path": self.root_path,
            "path": self.root_path + unquote(path.decode()),
            "raw_path": self.root_path.encode() + path,
            "query_string": query,
            "headers": asked.headers,
            "state": self.app_state.copy(),
            "extensions": {SHORT_WAY: {"write": self.write_piece}},
        }
        self.cycle = PlainCycle(
            scope=self.scope,
            conn=self.conn,
            transport=self.transport,
            flow=self.flow,
            logger=self.logger,
            access_logger=self.access_logger,
            access_log=self.access_log,
            default_headers=self.server_state.default_headers,
            message_event=asyncio.Event(),
            on_response=self.on_response_complete,
        )
        self.cycle.body += asked.body
        self.cycle.more_body = False
        self.cycle.message_event.set()
        task = self.loop.create_task(self.cycle.run_asgi(self.app))
        task.add_done_callback(self.tasks.discard)
        self.tasks.add(task)

    def write_piece(self, piece: bytes) -> bool:
        """Write a piece of a stream at once: between two of them nothing has changed that would have to be
        looked at. False where it has to go the long way, because the client is slow, or gone, or takes none.
        """
        line = self.cycle if isinstance(self.cycle, PlainCycle) else self.conn
        is_free = line.in_pieces and not self.flow.write_paused and not self.transport.is_closing()
        if is_free and piece:
            self.transport.write(write_piece(piece))
        return is_free

    def data_received(self, data: bytes) -> None:
        self.door.read(self._host, partial(self._read, data), self.flow.pause_reading)

    def _read(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        if self._is_answering:
            self._early += data
            self.flow.pause_reading()
            return
        self.flow.resume_reading()
        asked = read_plain(data) if self._is_plain else None
        if asked is not None:
            self._answer(asked)
        else:
            self._is_plain = False
            super().data_received(data)
        self._look()

    @property
    def _is_answering(self) -> bool:
        """Whether a plain request is in hand; what comes meanwhile is read afterwards."""
        return self._is_plain and self.cycle is not None and not self.cycle.response_complete

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._look()
        if self._early:
            early, self._early = self._early, b""
            self._read(early)

    def _look(self) -> None:
        """What the client owes us now."""
        if self._is_answering:
            self._expect("")
        elif self.conn.their_state is h11.SEND_BODY:
            self._expect("body")
        elif self.conn.their_state is h11.IDLE and self.timeout_keep_alive_task is None:
            self._expect("headers")
        else:
            self._expect("")

    def _expect(self, phase: str) -> None:
        if phase == self._phase:
            return
        self._phase = phase
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        if phase:
            seconds = HEADERS_SECONDS if phase == "headers" else BODY_SECONDS
            self._deadline = self.loop.call_later(seconds, self.transport.abort)


def read_networks(text: str) -> list[Network]:
    """Addresses and networks with commas; ValueError with a sentence where one is neither."""
    networks = []
    for part in filter(None, (each.strip() for each in text.split(","))):
        try:
            networks.append(ip_network(part))
        except ValueError:
            raise ValueError(
                f"A trusted proxy is an address or a network such as 10.0.0.0/8, not “{part}”."
            ) from None
    return networks


def most_connections() -> int:
    """As many as the system lets us hold, with some descriptors kept for everything else."""
    try:
        import resource
    except ImportError:  # there is no such thing on Windows
        return 10_000
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MOST_DESCRIPTORS)
    if 0 <= soft < most:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            soft = most
    return max(KEPT_DESCRIPTORS, (soft if 0 <= soft < most else most) - KEPT_DESCRIPTORS)
