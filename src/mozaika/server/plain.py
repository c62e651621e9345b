"""Requests as nearly all of them come: whole, in one piece, and with nothing unusual in their head.

They are read and answered without the library, which takes more time for them than most of what they ask for.
Whatever else comes is left to the library, and so is all that follows on the same line.
"""

import re
from typing import Any, NamedTuple

from uvicorn.protocols.http.flow_control import CLOSE_HEADER
from uvicorn.protocols.http.h11_impl import STATUS_PHRASES, RequestResponseCycle

LONGEST = 8_192
_PLAIN = re.compile(rb"(GET|POST) (/[!-~]*) HTTP/1\.1\r\n((?:[A-Za-z0-9-]+: [ -~]+\r\n)+)\r\n")
_BREAK = re.compile(rb"[\r\n\0]")
UNUSUAL = {b"expect", b"transfer-encoding", b"upgrade", b"http2-settings", b"te", b"trailer"}
BODILESS = {204, 304}


class Asked(NamedTuple):
    """A plain request."""

    method: str
    target: bytes
    headers: list[tuple[bytes, bytes]]
    body: bytes


def read_plain(data: bytes) -> Asked | None:
    """The one request that this is; None where the library has to look at it."""
    if len(data) > LONGEST or not (found := _PLAIN.match(data)):
        return None
    method, target, head = found.groups()
    headers = [
        (name.lower(), value.strip(b" "))
        for name, _, value in (line.partition(b": ") for line in head[:-2].split(b"\r\n"))
    ]
    named, body = dict(headers), data[found.end() :]
    length = named.get(b"content-length", b"0")
    if (
        len(named) < len(headers)  # what is said twice may be meant otherwise
        or b"host" not in named
        or not UNUSUAL.isdisjoint(named)
        or named.get(b"connection", b"keep-alive") != b"keep-alive"
        or not (length.isdigit() and len(length) < 6 and int(length) == len(body))
    ):
        return None
    return Asked(method.decode(), target, headers, body)


class PlainCycle(RequestResponseCycle):
    """A plain request and its answer."""

    in_pieces = False
    """Whether a stream is being written, each piece with its length before it."""
    _head = b""

    async def send(self, message: Any) -> None:
        """The same as the library writes; the head of an answer goes together with its body."""
        if self.flow.write_paused and not self.disconnected:
            await self.flow.drain()
        if self.disconnected:
            return
        if message["type"] == "http.response.start" and not self.response_started:
            self.response_started = True
            headers = [*self.default_headers, *message.get("headers", [])]
            self.keep_alive = self.keep_alive and CLOSE_HEADER not in headers
            self._head = self._begin(message["status"], headers)
            if self.in_pieces:
                self._write(b"")
        elif message["type"] == "http.response.body" and self.response_started and not self.response_complete:
            self._write_body(message.get("body", b""), more=message.get("more_body", False))
        else:
            raise RuntimeError(f"“{message['type']}” does not come now.")

    def _begin(self, status: int, headers: list[tuple[bytes, bytes]]) -> bytes:
        names = {name.lower() for name, _ in headers}
        self.in_pieces = status not in BODILESS and b"content-length" not in names
        if self.in_pieces:
            headers.append((b"Transfer-Encoding", b"chunked"))
        if _BREAK.search(b"".join([part for each in headers for part in each])):
            raise RuntimeError("A header has more than one line.")
        head = b"".join([b"%b: %b\r\n" % each for each in headers])
        return b"HTTP/1.1 %d %b\r\n%b\r\n" % (status, STATUS_PHRASES[status], head)

    def _write_body(self, body: bytes, *, more: bool) -> None:
        piece = write_piece(body) if self.in_pieces and body else body
        if more:
            self._write(piece)
            return
        self._write(piece + b"0\r\n\r\n" if self.in_pieces else piece)
        self.response_complete, self.in_pieces = True, False
        self.message_event.set()
        if not self.keep_alive:
            self.transport.close()
        self.on_response()

    def _write(self, piece: bytes) -> None:
        written, self._head = self._head + piece, b""
        if written:
            self.transport.write(written)


def write_piece(piece: bytes) -> bytes:
    """A piece of a stream, with its length before it."""
    return b"%x\r\n%b\r\n" % (len(piece), piece)
