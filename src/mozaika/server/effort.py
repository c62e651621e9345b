"""Whose turn it is at the event loop, and how much of it each address has had.

Of an address a few requests are in hand at once, and the others of that address wait for them. Who has had
much of the loop lately waits a while before the next, as long as there is anybody else: so what one address
asks for is worked on in small pieces with room between them, however much it asks at once. And while somebody
who has had little waits for an answer, whoever has had much gives way.
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
MUCH = 0.1
"""Who has used up so much of what an address has at will gives way to those who have not."""
LONGEST_COURTESY, SECONDS_OF_COURTESY = 0.02, 0.001
"""For so long at most, then one of them has its turn; and so often it is looked whether the others have their
answers.
"""
SECONDS_UNTIL_ASKED = 0.003
"""After so long whoever knocked, or has begun to say something, has asked."""
MOST_ADDRESSES = 20_000


class Efforts:
    """The seconds of the loop that went into each address; time pays them back."""

    def __init__(self, at_will: float, share: float) -> None:
        """So many seconds whenever an address wants, and so much of each second besides."""
        self.at_will, self.share = at_will, share
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """By address: what it has left, less than nothing if it has had too much, and when that was so."""
        self._last, self._last_at, self._other_at = "", 0.0, 0.0
        self.awaited = 0
        """How many requests are in hand of those who have not had much."""
        self._expected_until = 0.0
        self._in_hand: Counter[str] = Counter()

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

    def has_had_much(self, address: str) -> bool:
        return self.left_of(address) < (1 - MUCH) * self.at_will

    def gives_way(self, address: str) -> bool:
        """Whether an address that has had much should let others, or its own requests, be answered first."""
        is_awaited = self.awaited > 0 or self._in_hand[address] > 0 or monotonic() < self._expected_until
        return is_awaited and self.has_had_much(address)

    def expect(self, address: str) -> None:
        """Somebody is about to ask for something."""
        if not self.has_had_much(address):
            self._expected_until = monotonic() + SECONDS_UNTIL_ASKED

    def take_in_hand(self, address: str) -> Callable[[], None]:
        """A request is worked on now. What is returned says that it is no longer."""
        is_awaited = not self.has_had_much(address)
        self.awaited += is_awaited
        self._in_hand[address] += 1

        def let_go() -> None:
            self.awaited -= is_awaited
            self._in_hand[address] -= 1
            if not self._in_hand[address]:
                del self._in_hand[address]

        return let_go

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
    """In one turn of the loop one request begins. The addresses take turns, the one that has had least of the
    loop first: so who plays does not stand behind a crowd that comes from many addresses at once.
    """

    def __init__(self, efforts: Efforts, at_once: int, pause: float = 0.0) -> None:
        """With a pause so many begin after each, instead of in one turn."""
        self.efforts, self.at_once, self.pause = efforts, at_once, pause
        self._begun, self._number = 0, count()
        self._begun_at = 0.0
        """When the last one began."""
        self._waiting: list[_Turn] = []
        self._of_address: Counter[str] = Counter()
        """How many of each wait."""
        self._next: asyncio.Handle | None = None

    def waits(self, address: str = "") -> bool:
        """Whether anybody waits, or an address does."""
        return self._of_address[address] > 0 if address else bool(self._waiting)

    async def wait(self, address: str) -> None:
        """Until it is the turn of a request of an address; mostly at once."""
        before = self._of_address[address]
        turn = _Turn((before, -self.efforts.left_of(address), next(self._number)), address, monotonic())
        is_first = not self._waiting or turn < self._waiting[0]
        may_begin = self.at_once + bool(self._waiting)  # one more, who stands before all who wait
        if self._begun < may_begin and is_first and not self._gives_way(turn):
            self._begun += 1
            self._begun_at = turn.asked_at
            self._go_on_after(self.pause)
            return
        heappush(self._waiting, turn)
        self._of_address[address] += 1
        if self._next is None:
            self._go_on_after(SECONDS_OF_COURTESY)
        await turn.begins

    def _gives_way(self, turn: "_Turn") -> bool:
        waited = monotonic() - max(turn.asked_at, self._begun_at)
        return waited < LONGEST_COURTESY and self.efforts.gives_way(turn.address)

    def _go_on(self) -> None:
        self._begun, self._next = 0, None
        while self._waiting and self._begun < self.at_once and not self._gives_way(self._waiting[0]):
            turn = heappop(self._waiting)
            self._of_address[turn.address] -= 1
            if not self._of_address[turn.address]:
                del self._of_address[turn.address]
            if not turn.begins.done():  # else nobody waits for it any more
                turn.begins.set_result(None)
                self._begun += 1
        if self._begun:
            self._begun_at = monotonic()
            self._go_on_after(self.pause)
        elif self._waiting:
            self._go_on_after(SECONDS_OF_COURTESY)

    def _go_on_after(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        if self._next is not None:
            self._next.cancel()
        self._next = loop.call_later(seconds, self._go_on) if seconds else loop.call_soon(self._go_on)


class _Turn:
    """A request that waits until it may begin."""

    __slots__ = ("_order", "address", "asked_at", "begins")

    def __init__(self, order: tuple[int, float, int], address: str, asked_at: float) -> None:
        self._order, self.address, self.asked_at = order, address, asked_at
        self.begins: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def __lt__(self, other: "_Turn") -> bool:
        return self._order < other._order


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
        loop, in_hand = asyncio.get_running_loop(), [self.efforts.take_in_hand(address)]

        def pass_on() -> None:
            if in_hand:
                in_hand.pop()()
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
