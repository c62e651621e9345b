"""Connections: how many there may be, of one address and in all, and how long a request may take to come."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from mozaika.server.guests import name_network

HEADERS_SECONDS = 10.0
BODY_SECONDS = 60.0
"""A record of a megabyte over a slow line."""
KEPT_DESCRIPTORS = 128
"""For the store, for what is called, and for whatever a library opens."""
MOST_DESCRIPTORS = 65_536

Network = IPv4Network | IPv6Network


class Door:
    """Counts who is in. Whoever is one too many is shown out at once, without a word in the log."""

    def __init__(self, most_of_address: int, most: int, trusted: Sequence[Network] = ()) -> None:
        self.most_of_address, self.most, self.trusted = most_of_address, most, trusted
        self._inside: Counter[str] = Counter()
        self.inside = self.refused = 0

    def enter(self, host: str) -> bool:
        """Whether somebody may come in. A proxy that is trusted stands for many people."""
        name = name_network(host)
        enough = self._inside[name] >= self.most_of_address and not self._is_trusted(host)
        if enough or self.inside >= self.most:
            self.refused += 1
            return False
        self.inside += 1
        self._inside[name] += 1
        return True

    def leave(self, host: str) -> None:
        name = name_network(host)
        self.inside -= 1
        self._inside[name] -= 1
        if not self._inside[name]:
            del self._inside[name]

    def _is_trusted(self, host: str) -> bool:
        try:
            address = ip_address(host)
        except ValueError:
            return False
        return any(address in network for network in self.trusted)


class Connection(H11Protocol):
    """One connection, with a deadline for each request that begins to come."""

    def __init__(self, door: Door, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.door, self._host, self._phase = door, "", ""
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        host = self.client[0] if self.client else "nobody"
        if self.door.enter(host):
            self._host = host
            self._expect("headers")
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._expect("")
        if self._host:
            self.door.leave(self._host)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._look()

    def _look(self) -> None:
        """What the client owes us now."""
        if self.conn.their_state is h11.SEND_BODY:
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
