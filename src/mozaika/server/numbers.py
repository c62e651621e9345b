"""Numbers for operators, in Prometheus' form: how many, how long, how often it went wrong.

No label names a table or a person. docs/operating.md says what each number means.
"""

import asyncio
import hmac
import inspect
import logging
import time
from collections.abc import Iterator
from importlib.metadata import version
from ipaddress import ip_address
from typing import Any, cast

from litestar import Request
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Histogram,
    Info,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from mozaika.store import Store, StoreError
from mozaika.table.hall import Hall

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
BETWEEN_LOOKS = 0.5
"""Seconds between two looks at how late the event loop is."""
WAITING = {"changes"}
"""What the store waits for by itself is no work."""
METHODS = {"GET", "HEAD", "POST", "OPTIONS"}
log = logging.getLogger("mozaika")
FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-real-ip")


class Numbers:
    """All numbers of one server."""

    form = CONTENT_TYPE_LATEST

    def __init__(self, token: str = "") -> None:
        """With a token, whoever knows it may read them, from anywhere."""
        without_created: Any = disable_created_metrics  # it has no types
        without_created()
        self.token = token
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        Info("mozaika", "Which Mozaika this is.", registry=self.registry).info(
            {"version": version("mozaika")}
        )
        self._seconds = self._histogram(
            "request_seconds", "Seconds until an answer begins, by route.", ["method", "route"]
        )
        self._answers = self._counter(
            "answers", "Answers, by route and status.", ["method", "route", "status"]
        )
        self._store = self._histogram(
            "store_seconds", "Seconds the store takes, by operation.", ["operation"]
        )
        self._failures = self._counter("store_failures", "What the store could not do.", ["operation"])
        self._noted = self._counter("noted", "Lines in the server's own log, by level.", ["level"])
        self._late = self._histogram(
            "loop_late_seconds", "How much later than asked the event loop wakes.", []
        )
        self._unwritten = self._counter("access_log_dropped", "Lines the access log had no time for.", [])
        self._counting = _Counting(self._noted)

    def _histogram(self, name: str, about: str, labels: list[str]) -> Histogram:
        return Histogram(f"mozaika_{name}", about, labels, buckets=BUCKETS, registry=self.registry)

    def _counter(self, name: str, about: str, labels: list[str]) -> Counter:
        return Counter(f"mozaika_{name}", about, labels, registry=self.registry)

    def watch(self, hall: Hall) -> None:
        """Tell of a hall, and of what goes wrong in it."""
        self.registry.register(_OfHall(hall))
        log.addHandler(self._counting)

    def close(self) -> None:
        log.removeHandler(self._counting)

    def note_answer(self, method: str, route: str, status: int, seconds: float) -> None:
        method = method if method in METHODS else "other"
        self._answers.labels(method, route, str(status)).inc()
        self._seconds.labels(method, route).observe(seconds)

    def note_dropped(self) -> None:
        self._unwritten.inc()

    def measure(self, store: Store) -> Store:
        """The same store, and every operation is timed."""
        return cast("Store", _Measured(store, self._store, self._failures))

    async def watch_loop(self) -> None:
        """For as long as the server runs: whether anything keeps the event loop from its work."""
        while True:
            start = time.perf_counter()
            await asyncio.sleep(BETWEEN_LOOKS)
            self._late.observe(max(0.0, time.perf_counter() - start - BETWEEN_LOOKS))

    def write(self) -> bytes:
        return bytes(generate_latest(self.registry))

    def may_be_read_by(self, request: "Request[Any, Any, Any]") -> bool:
        """Whoever knows the token; and this machine itself, if no proxy asks for somebody else."""
        given = request.headers.get("authorization", "").encode()
        if self.token and hmac.compare_digest(given, f"Bearer {self.token}".encode()):
            return True
        return not any(name in request.headers for name in FORWARDED) and _is_here(request)


def _is_here(request: "Request[Any, Any, Any]") -> bool:
    try:
        address = ip_address(request.client.host if request.client else "")
    except ValueError:
        return False
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback


class _Measured:
    """Stands before a store of any kind."""

    def __init__(self, store: Store, seconds: Histogram, failures: Counter) -> None:
        self._store, self._seconds, self._failures = store, seconds, failures

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._store, name)
        if not inspect.iscoroutinefunction(found) or name in WAITING:
            return found

        async def timed(*arguments: Any, **named: Any) -> Any:
            with self._seconds.labels(name).time():
                try:
                    return await found(*arguments, **named)
                except StoreError:
                    self._failures.labels(name).inc()
                    raise

        return timed


class _Counting(logging.Handler):
    """Counts what goes wrong where nobody waits for an answer: bots, calls to addresses, requests."""

    def __init__(self, counter: Counter) -> None:
        super().__init__(logging.WARNING)
        self._counter = counter

    def emit(self, record: logging.LogRecord) -> None:
        self._counter.labels(record.levelname.lower()).inc()


class _OfHall:
    """What is counted in the hall already is only read."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall

    def collect(self) -> Iterator[Metric]:
        hall, tables = self._hall, list(self._hall.tables.values())
        for name, about, number in (
            ("tables", "Tables in memory.", len(tables)),
            ("streams", "Open event streams.", sum(len(table.watchers) for table in tables)),
            ("bots_thinking", "Bots that think, or wait for a processor to think on.", hall.bots.thinking),
            (
                "readers_busy",
                "Texts that are being read, or wait for it.",
                hall.readers.pool.running + hall.readers.pool.waiting,
            ),
            ("store_waiting", "Changes that wait for the next commit.", hall.store.waiting),
        ):
            yield GaugeMetricFamily(f"mozaika_{name}", about, number)
        yield CounterMetricFamily("mozaika_moves", "Moves accepted.", hall.moves)
        yield CounterMetricFamily("mozaika_tables_founded", "Tables opened.", hall.created)
