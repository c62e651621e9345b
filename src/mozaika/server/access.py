"""Who has asked for what, as lines of JSON, without anything that opens a table or names a person.

No query, no header and no cookie is written, and of an address only its network.
"""

import json
import logging
import queue
import sys
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from ipaddress import ip_address, ip_network
from logging.handlers import WatchedFileHandler
from time import perf_counter
from typing import Any

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

STANDARD_OUTPUT = "-"
MOST_WAITING = 10_000
LONGEST_PATH = 200
SECONDS_TO_END = 2.0


class AccessLog:
    """A thread that writes; who asks waits for no disk. A file that was moved away is begun anew."""

    def __init__(self, target: str) -> None:
        """Write to a file, or with - to standard output; ValueError if that cannot be."""
        try:
            to_file = target != STANDARD_OUTPUT
            self._out = (
                WatchedFileHandler(target, encoding="utf-8") if to_file else logging.StreamHandler(sys.stdout)
            )
        except OSError as error:
            raise ValueError(f"The access log {target} cannot be written: {error.strerror}.") from None
        self.on_drop: Callable[[], None] = lambda: None
        self._lines: queue.Queue[str | None] = queue.Queue(MOST_WAITING)
        self._thread = threading.Thread(target=self._write_on, name="access log", daemon=True)
        self._thread.start()

    def write(self, **facts: Any) -> None:
        """Note something; where too much waits already it is dropped."""
        try:
            self._lines.put_nowait(json.dumps(facts, ensure_ascii=True))
        except queue.Full:
            self.on_drop()

    def _write_on(self) -> None:
        while (line := self._lines.get()) is not None:
            self._out.emit(logging.makeLogRecord({"msg": line}))

    def close(self) -> None:
        """Write what has gathered, and end."""
        self._lines.put(None)
        self._thread.join(SECONDS_TO_END)
        self._out.close()


class Observer:
    """Stands before everything and tells of each request when it is over."""

    def __init__(self, app: ASGIApp, numbers: Any = None, log: AccessLog | None = None) -> None:
        """With the numbers of a server, or its access log, or both."""
        self.app, self.numbers, self.log = app, numbers, log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self.app(scope, receive, send)
            return
        if self.log is not None:  # it counts what is sent, so nothing takes the short way
            scope["extensions"] = {}
        seen = _Seen(scope["method"], scope["path"], send)
        try:
            await self.app(scope, receive, seen.send_on)
        finally:
            if self.numbers is not None and seen.status:
                route = scope.get("path_template") or "none"
                self.numbers.note_answer(seen.method, route, seen.status, seen.seconds)
            if self.log is not None:
                self.log.write(**seen.facts(), network=shorten(scope.get("client")))


class _Seen:
    """What one request and its answer look like from outside."""

    def __init__(self, method: str, path: str, send: Send) -> None:
        self.method, self.path, self.send = method, path, send
        self.start, self.at = perf_counter(), datetime.now(UTC)
        self.seconds, self.status, self.bytes, self.whole = 0.0, 0, 0, False

    async def send_on(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status, self.seconds = message["status"], perf_counter() - self.start
        elif message["type"] == "http.response.body":
            self.bytes += len(message["body"])
            self.whole = not message.get("more_body")
        await self.send(message)

    def facts(self) -> dict[str, Any]:
        return {
            "at": self.at.isoformat(timespec="milliseconds"),
            "method": self.method[:16],
            "path": self.path[:LONGEST_PATH],
            "status": self.status,
            "ms": round(1_000 * (perf_counter() - self.start), 1),
            "bytes": self.bytes,
            "whole": self.whole,
        }


def shorten(client: Any) -> str:
    """The network of an address: enough to see where a flood comes from, not who it was."""
    try:
        address = ip_address(client[0] if client else "")
    except ValueError:
        return ""
    address = getattr(address, "ipv4_mapped", None) or address
    return str(ip_network(f"{address}/{24 if address.version == 4 else 48}", strict=False))
