"""Whose turn it is at the event loop, and how much of it each address has had.

Of an address a few requests are in hand at once, and the others of that address wait for them. Who has had
much of the loop lately waits a while before the next, as long as there is anybody else: so what one address
asks for is worked on in small pieces with room between them, however much it asks at once.
"""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Generator
from heapq import heappop, heappush
from itertools import count
from time import monotonic, thread_time
from typing import Any

AT_ONCE = 2
SECONDS_IN_HAND = 0.1
BEGUN_AT_ONCE = 1
"""So many requests begin in one turn of the loop, whoever asks: many a one is answered in the same turn."""
SECONDS_BETWEEN_STREAMS = 0.005
"""Of the requests for news, which nobody waits for with a move, one begins after each while."""
SECONDS_OF_COMPANY = 1.0
"""Who has asked for nothing for so long is not disturbed by anybody."""
LONGEST_PAUSE = 1.0
MOST_ADDRESSES = 20_000


class Efforts:
    """The seconds of the loop that went into each address; time pays them back."""

    def __init__(self, at_will: float, share: float) -> None:
        """So many seconds whenever an address wants, and so much of each second besides."""
        self.at_will, self.share = at_will, share
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """By address: what it has left, less than nothing if it has had too much, and when that was so."""
        self._last, self._last_at, self._other_at = "", 0.0, 0.0

    def charge(self, address: str, seconds: float) -> None:
        """So much was done for an address."""
        now = monotonic()
        left, at = self._left.pop(address, (self.at_will, now))
        self._left[address] = min(self.at_will, left + (now - at) * self.share) - seconds, now
        if len(self._left) > MOST_ADDRESSES:
            self._left.popitem(last=False)
        if address != self._last:
            self._last, self._other_at = address, self._last_at
        self._last_at = now

    def left_of(self, address: str) -> float:
        """What an address has left; all of it, if it has had nothing lately."""
        left, at = self._left.get(address, (self.at_will, 0.0))
        return min(self.at_will, left + (monotonic() - at) * self.share)

    def pause_of(self, address: str) -> float:
        """How long an address has to wait before more is done for it; not at all where it is alone."""
        now = monotonic()
        others_at = self._other_at if address == self._last else self._last_at
        left, at = self._left.get(address, (0.0, now))
        if left >= 0 or now - others_at > SECONDS_OF_COMPANY:
            return 0.0
        return max(0.0, min(LONGEST_PAUSE, -left / self.share - (now - at)))


class Metered:
    """Awaits what is done for an address and notes how much of the loop's time it takes, step by step."""

    __slots__ = ("_address", "_efforts", "_work")

    def __init__(self, efforts: Efforts, address: str, work: Awaitable[None]) -> None:
        self._efforts, self._address, self._work = efforts, address, work

    def __await__(self) -> Generator[Any, Any, None]:
        steps = self._work.__await__()
        thrown: BaseException | None = None
        while True:
            began = thread_time()
            try:
                waits_for = steps.send(None) if thrown is None else steps.throw(thrown)
            except StopIteration:
                return
            finally:
                self._efforts.charge(self._address, thread_time() - began)
            thrown = None
            try:
                yield waits_for
            except BaseException as error:  # noqa: BLE001  it is for whoever works
                thrown = error


class Begins:
    """In one turn of the loop one request begins, that of an address that has had least of it first: so who
    plays does not stand behind a crowd that comes from many addresses at once.
    """

    def __init__(self, efforts: Efforts, at_once: int, pause: float = 0.0) -> None:
        """With a pause so many begin after each, instead of in one turn."""
        self.efforts, self.at_once, self.pause = efforts, at_once, pause
        self._begun, self._number = 0, count()
        self._waiting: list[tuple[float, int, asyncio.Future[None]]] = []

    async def wait(self, address: str) -> None:
        """Until it is the turn of a request of an address; mostly at once."""
        if not self._begun and not self._waiting:
            self._go_on_later()
        if self._begun < self.at_once and not self._waiting:
            self._begun += 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heappush(self._waiting, (-self.efforts.left_of(address), next(self._number), turn))
        await turn

    def _go_on(self) -> None:
        self._begun = 0
        while self._waiting and self._begun < self.at_once:
            _, _, turn = heappop(self._waiting)
            if not turn.done():  # else nobody waits for it any more
                turn.set_result(None)
                self._begun += 1
        if self._begun:
            self._go_on_later()

    def _go_on_later(self) -> None:
        loop = asyncio.get_running_loop()
        if self.pause:
            loop.call_later(self.pause, self._go_on)
        else:
            loop.call_soon(self._go_on)


class Turns:
    """Of each address a few requests are in hand at once, and the others of that address wait for them.

    So nobody stands behind a crowd that comes from elsewhere. Who only waits, for a bot or for news, does not
    count any more. A turn is passed on when the loop has looked after everybody else: many an answer is ready
    at once, and a crowd would have them all in one go.
    """

    def __init__(self, efforts: Efforts, at_once: int = AT_ONCE, seconds: float = SECONDS_IN_HAND) -> None:
        self.efforts, self.at_once, self.seconds = efforts, at_once, seconds
        self._lines: dict[str, asyncio.Semaphore] = {}
        self._here: Counter[str] = Counter()
        self._begins = Begins(efforts, BEGUN_AT_ONCE)
        self._streams = Begins(efforts, 1, SECONDS_BETWEEN_STREAMS)

    async def take(self, address: str, *, streams: bool = False) -> Callable[[], None]:
        """Wait for a turn, also for a stream of news. What is returned passes it on; so does time."""
        line = self._lines.setdefault(address, asyncio.Semaphore(self.at_once))
        self._here[address] += 1
        try:
            await line.acquire()
        except asyncio.CancelledError:
            self._leave(address)
            raise
        try:
            await (self._streams if streams else self._begins).wait(address)
        except asyncio.CancelledError:
            self._release(address, line)
            raise
        loop, in_hand = asyncio.get_running_loop(), [True]

        def pass_on() -> None:
            if in_hand:
                in_hand.clear()
                timer.cancel()
                loop.call_soon(self._pause, address, line)

        timer = loop.call_later(self.seconds, pass_on)
        return pass_on

    def _pause(self, address: str, line: asyncio.Semaphore) -> None:
        if pause := self.efforts.pause_of(address):
            asyncio.get_running_loop().call_later(pause, self._release, address, line)
        else:
            self._release(address, line)

    def _release(self, address: str, line: asyncio.Semaphore) -> None:
        line.release()
        self._leave(address)

    def _leave(self, address: str) -> None:
        self._here[address] -= 1
        if not self._here[address]:
            del self._here[address], self._lines[address]
