"""What stands before every request: where it comes from, how much of everything one address may have; and
what every answer carries. All such limits are in this file; docs/limits.md tells operators of them.
"""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

from litestar import Request
from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPDisconnectEvent, HTTPScope, Message, Receive, Scope, Send

from mozaika.server.effort import Efforts, Metered, Turns
from mozaika.server.guests import Guest, read_address, read_language
from mozaika.server.problems import Problem, problem_bytes
from mozaika.words import Words, later

TOO_MANY = later("Too many requests; wait a moment.")
FROM_ELSEWHERE = later("This request comes from another site.")
STOPPING = later("This server is being stopped; try again.")
STOPPED = "graceful shutdown"
"""With what words uvicorn ends requests that take too long then."""
OTHER_HOST = later("This server does not answer under that name.")
SAFE = {"GET", "HEAD", "OPTIONS"}
SHORT_WAY = "mozaika.short_way"
"""Under this name applications find a shorter way for the pieces of a stream."""
PROBES = {"/livez", "/readyz", "/metrics"}
"""Asked by machines that know a server by its number only; there is nothing private in the answers."""
BURST, PER_SECOND = 600, 30.0
"""A family of six who all open a page at once send about 250 requests."""
WATCHERS_PER_TABLE = 250
"""Whoever sits at a table can always see it."""
SECONDS_REMEMBERED = 25.0
MOST_NAMES = 20_000
"""What another process has said of its streams counts for so long, and is kept for so many names."""
SECONDS_BETWEEN = 0.02
"""Who has asked for much at once gets the rest at this pace, so that the others are served between."""
SECONDS_BEFORE_REFUSAL = 1.0
"""Who asks too often waits for the answer, so that asking faster brings nothing."""
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
    # nearly every answer brings a cookie or what one person may see; the few others say so themselves
    "Cache-Control": "private, no-store",
}

_RAW_HEADERS = [(name.lower().encode(), value.encode()) for name, value in ANSWER_HEADERS.items()]


class Buckets:
    """So many requests at once and so many a second for each name; the longest unseen names are forgotten."""

    def __init__(self, burst: float, per_second: float, most: int = 20_000) -> None:
        self.burst, self.per_second, self.most = max(1.0, burst), per_second, most
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self.spent: Counter[str] | None = None
        """What was let pass since the other processes were told, where there are others."""

    def wait_for(self, name: str) -> float:
        """0 if a request may pass, else the seconds until one may."""
        now = monotonic()
        level, at = self._levels.pop(name, (self.burst, now))
        level = min(self.burst, level + (now - at) * self.per_second)
        passes = level >= 1
        self._levels[name] = (level - 1 if passes else level, now)
        if passes and self.spent is not None:
            self.spent[name] += 1
        while len(self._levels) > self.most:
            self._levels.popitem(last=False)
        return 0 if passes else (1 - level) / self.per_second

    def charge(self, name: str, number: int) -> None:
        """So many requests were let pass by another process."""
        level, at = self._levels.pop(name, (self.burst, monotonic()))
        self._levels[name] = max(0.0, level - number), at

    def is_low(self, name: str) -> bool:
        """Whether somebody has asked for more than half of what they may have at once."""
        return self._levels[name][0] < self.burst / 2 if name in self._levels else False


class Pace:
    """How often one guest may ask for something, and how often all guests of an address together."""

    def __init__(self, sentence: str, guest: Buckets, address: Buckets) -> None:
        self.sentence, self.guest, self.address = sentence, guest, address

    def check(self, guest: Guest) -> None:
        """A Problem where somebody asks for too much."""
        if wait := self.guest.wait_for(guest.id) or self.address.wait_for(guest.address):
            raise Problem(429, self.sentence, {"Retry-After": str(int(wait) + 1)})


class Streams:
    """How many streams are open, by name: here, and at the other processes as far as they have said so."""

    def __init__(self) -> None:
        self.here: Counter[str] = Counter()
        self._elsewhere: dict[str, dict[str, tuple[float, int]]] = {}
        """By name and process: when it was said, and how many."""

    def count(self, name: str) -> int:
        oldest = monotonic() - SECONDS_REMEMBERED
        others = self._elsewhere.get(name, {}).values()
        return self.here[name] + sum(number for at, number in others if at > oldest)

    @contextmanager
    def open(self, *names: str) -> Iterator[None]:
        """One more under these names, for a while."""
        self.here.update(names)
        try:
            yield
        finally:
            self.here.subtract(names)
            for name in names:
                if not self.here[name]:
                    del self.here[name]

    def note(self, process: str, name: str, number: int) -> None:
        """Another process has said how many it has."""
        if len(self._elsewhere) < MOST_NAMES or name in self._elsewhere:
            self._elsewhere.setdefault(name, {})[process] = monotonic(), number

    def forget(self) -> None:
        """Who has not been heard of for long is gone."""
        oldest = monotonic() - SECONDS_REMEMBERED
        for name, said in list(self._elsewhere.items()):
            kept = {process: each for process, each in said.items() if each[0] > oldest and each[1]}
            if kept:
                self._elsewhere[name] = kept
            else:
                del self._elsewhere[name]


def _names(address: str, table: str) -> tuple[str, str, str]:
    """What streams of an address at a table are counted by."""
    return address, f"{address} {table}", f" {table}"


class Limits:
    """All that is counted by address; what one guest may do besides is less. They grow with two settings."""

    def __init__(self, burst: int = BURST, per_second: float = PER_SECOND) -> None:
        self.requests = Buckets(burst, per_second)
        self.changes = Buckets(burst / 5, per_second / 3)
        self.knocks = Buckets(burst / 4, per_second)
        self.openings = Pace(
            later("You have opened many tables; wait a moment."),
            Buckets(30, 1 / 20),
            Buckets(burst / 10, per_second / 300),
        )
        self.questions = Pace(
            later("You have asked a lot; wait a moment."),
            Buckets(20, 2),
            Buckets(burst / 6, per_second / 3),
        )
        self.readings = Pace(
            later("You have sent much to be read; wait a moment."),
            Buckets(30, 2),
            Buckets(burst / 10, per_second / 10),
        )
        self.pictures = Pace(
            later("You have asked for many pictures; wait a moment."),
            Buckets(20, 1),
            Buckets(burst / 10, per_second / 10),
        )
        self.most_streams, self.most_streams_of_table = max(1, burst // 6), max(1, burst // 15)
        self.most_connections = max(1, burst // 4)
        self.streams = Streams()
        self.efforts = Efforts(burst / 20_000, per_second / 300)

    def buckets(self) -> dict[str, Buckets]:
        """All that is counted in requests, by its name."""
        paces = {
            "openings": self.openings,
            "questions": self.questions,
            "readings": self.readings,
            "pictures": self.pictures,
        }
        found = {"requests": self.requests, "changes": self.changes}
        for name, pace in paces.items():
            found |= {f"{name} of a guest": pace.guest, f"{name} of an address": pace.address}
        return found

    def check_stream(self, guest: Guest, table: str, *, sits: bool) -> None:
        """A Problem where an address follows too many tables, or one too often; or too many people watch."""
        of_address, of_both, of_table = map(self.streams.count, _names(guest.address, table))
        if of_both >= self.most_streams_of_table or of_address >= self.most_streams:
            raise Problem(429, later("Too many tables are open from your network."), {"Retry-After": "10"})
        if of_table >= WATCHERS_PER_TABLE and not sits:
            raise Problem(503, later("Too many people watch this table."), {"Retry-After": "30"})

    @contextmanager
    def streaming(self, address: str, table: str) -> Iterator[None]:
        """Counts a stream for as long as it runs."""
        with self.streams.open(*_names(address, table)):
            yield


class Guard:
    """Middleware round the whole application."""

    def __init__(self, app: ASGIApp, limits: Limits, origin: str = "") -> None:
        """With an origin, such as `https://mozaika.example`, no other host is answered."""
        self.app, self.limits, self.turns = app, limits, Turns(limits.efforts)
        self.host = urlsplit(origin).netloc.lower()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self.app(scope, receive, send)
            return
        answer = _Answer(send, scope)
        address = read_address(scope)
        changing = scope["method"] not in SAFE
        buckets = self.limits.changes if changing else self.limits.requests
        if wait := buckets.wait_for(address):
            await asyncio.sleep(min(wait, SECONDS_BEFORE_REFUSAL))
            answer.pass_on = await self.turns.take(address)
            try:
                refusal = _refuse(scope, answer, 429, TOO_MANY, {"Retry-After": str(int(wait) + 1)})
                await Metered(self.turns.efforts, address, refusal)
            finally:
                answer.pass_on()
            return
        headers = dict(scope["headers"])
        if (
            self.host
            and headers.get(b"host", b"").decode("latin-1").lower() != self.host
            and scope["path"] not in PROBES
        ):
            await _refuse(scope, answer, 421, OTHER_HOST)
        elif changing and not comes_from_here(headers):
            await _refuse(scope, answer, 403, FROM_ELSEWHERE)
        else:
            slowly = SECONDS_BETWEEN if buckets.is_low(address) else 0
            try:
                await self._answer(address, slowly, scope, receive, answer)
            except asyncio.CancelledError as error:  # a server that stops does not wait for ever
                if answer.begun or not any(STOPPED in str(each) for each in error.args):
                    raise
                await _refuse(scope, answer, 503, STOPPING, {"Retry-After": "1"})

    async def _answer(
        self, address: str, slowly: float, scope: HTTPScope, receive: Receive, answer: "_Answer"
    ) -> None:
        answer.pass_on = await self.turns.take(address, streams=scope["path"].endswith("/events"))
        try:
            if slowly:
                await asyncio.sleep(slowly)
            work = (
                _answer_head(self.app, scope, answer)
                if scope["method"] == "HEAD"
                else self.app(scope, receive, answer)
            )
            await Metered(self.turns.efforts, address, work)
        finally:
            answer.pass_on()


def comes_from_here(headers: Mapping[bytes, bytes]) -> bool:
    """Whether a browser sent a request from one of our own pages, or it was no browser at all."""
    site = headers.get(b"sec-fetch-site")
    if site is not None:
        return site in (b"same-origin", b"none")
    origin = headers.get(b"origin")
    try:
        return origin is None or urlsplit(origin).netloc == headers.get(b"host")
    except ValueError:
        return False


async def _answer_head(app: ASGIApp, scope: HTTPScope, send: Send) -> None:
    """What a GET would answer, without its body; a stream ends where its body would begin."""
    answered = asyncio.Event()

    async def send_head(message: Message) -> None:
        if message["type"] == "http.response.start":
            await send(message)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
            answered.set()

    async def hang_up() -> HTTPDisconnectEvent:
        await answered.wait()
        return {"type": "http.disconnect"}

    looking: HTTPScope = {**scope, "method": "GET"}
    await app(looking, hang_up, send_head)


class _Answer:
    """What is sent goes on with the headers that every answer has; when its body has begun, somebody else's
    turn comes, and what follows of a stream takes the short way, where the line has one.
    """

    def __init__(self, send: Send, scope: HTTPScope) -> None:
        scope.setdefault("state", {})
        self.send, self.begun = send, False
        self.pass_on: Callable[[], None] = lambda: None
        self._write, self._streams = find_short_way(scope), False

    async def __call__(self, message: Any) -> None:
        if self._streams and message.get("more_body") and self._write(message["body"]):
            return
        if message["type"] == "http.response.start":
            self.begun = True
            headers = list(message["headers"])
            said = {name.lower() for name, _ in headers}
            message["headers"] = headers + [each for each in _RAW_HEADERS if each[0] not in said]
        await self.send(message)
        if message["type"] == "http.response.body":
            self._streams = True
            self.pass_on()


def find_short_way(scope: Mapping[str, Any]) -> Callable[[bytes], bool]:
    """Writes a piece of a stream at once; says False where the line does not take it, or has no such way."""
    ways: Mapping[str, Any] = scope.get("extensions") or {}
    way: Callable[[bytes], bool] = ways.get(SHORT_WAY, {}).get("write", _nowhere)
    return way


def _nowhere(_: bytes) -> bool:
    return False


async def _refuse(
    scope: HTTPScope, send: Send, status: int, detail: str, more: Mapping[str, str] | None = None
) -> None:
    words = Words(read_language(Request(scope)))
    body = problem_bytes(status, words.translate(detail))
    headers = {"content-type": "application/problem+json", "content-length": str(len(body)), **(more or {})}
    raw = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": raw})
    if scope["method"] == "HEAD":
        body = b""
    await send({"type": "http.response.body", "body": body, "more_body": False})
