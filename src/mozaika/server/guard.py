"""What stands before every request: where it comes from and how often; what every answer carries."""

import time
from collections import OrderedDict
from collections.abc import Mapping
from urllib.parse import urlsplit

from litestar import Request
from litestar.datastructures import Headers, MutableScopeHeaders
from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from mozaika.server.guests import read_language
from mozaika.server.problems import problem_bytes
from mozaika.words import Words, later

TOO_MANY = later("Too many requests; wait a moment.")
FROM_ELSEWHERE = later("This request comes from another site.")
SAFE = {"GET", "HEAD", "OPTIONS"}
ANSWER_HEADERS = {
    "Content-Security-Policy": "; ".join(
        [
            "default-src 'self'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self' data: blob:",
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        ]
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


class Buckets:
    """So many requests at once and so many a second for each name; the longest unseen names are forgotten."""

    def __init__(self, burst: int, per_second: float, most: int = 20_000) -> None:
        self.burst, self.per_second, self.most = burst, per_second, most
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait_for(self, name: str) -> float:
        """0 if a request may pass, else the seconds until one may."""
        now = time.monotonic()
        level, at = self._levels.pop(name, (float(self.burst), now))
        level = min(self.burst, level + (now - at) * self.per_second)
        passes = level >= 1
        self._levels[name] = (level - 1 if passes else level, now)
        while len(self._levels) > self.most:
            self._levels.popitem(last=False)
        return 0 if passes else (1 - level) / self.per_second


class Guard:
    """Middleware round the whole application."""

    def __init__(self, app: ASGIApp, *, burst: int = 200, per_second: float = 40) -> None:
        self.app = app
        self.buckets = Buckets(burst, per_second)
        self.changes = Buckets(max(1, burst // 2), per_second / 2)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self.app(scope, receive, send)
            return
        send = _with_headers(send)
        headers = Headers.from_scope(scope)
        client = scope.get("client")
        address = client[0] if client else "nobody"
        changing = scope.get("method") not in SAFE
        wait = (self.changes if changing else self.buckets).wait_for(address)
        if wait:
            await _refuse(scope, send, 429, TOO_MANY, {"Retry-After": str(int(wait) + 1)})
        elif changing and not comes_from_here(headers):
            await _refuse(scope, send, 403, FROM_ELSEWHERE)
        else:
            await self.app(scope, receive, send)


def comes_from_here(headers: Mapping[str, str]) -> bool:
    """Whether a browser sent a request from one of our own pages, or it was no browser at all."""
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = headers.get("origin")
    try:
        return origin is None or urlsplit(origin).netloc == headers.get("host")
    except ValueError:
        return False


def _with_headers(send: Send) -> Send:
    async def send_on(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableScopeHeaders.from_message(message)
            for name, value in ANSWER_HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return send_on


async def _refuse(
    scope: HTTPScope, send: Send, status: int, detail: str, more: Mapping[str, str] | None = None
) -> None:
    words = Words(read_language(Request(scope)))
    body = problem_bytes(status, words.translate(detail))
    headers = {"content-type": "application/problem+json", "content-length": str(len(body)), **(more or {})}
    raw = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": body, "more_body": False})
