"""Calls an address when it is somebody's turn, for people who have asked for it.

The address is a stranger's wish: only public ones are called, as they were resolved and checked, without
following anybody elsewhere, for a few seconds at most and not many at once.
"""

import asyncio
import hmac
import logging
import re
import socket
import ssl
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from functools import partial
from ipaddress import IPv4Address, IPv6Network, ip_address
from urllib.parse import SplitResult, urlsplit
from weakref import WeakKeyDictionary

import msgspec

from mozaika.state import CHANCE, seats_in
from mozaika.store import Hook, StoreError
from mozaika.table.events import HOOK
from mozaika.table.hooks import hang
from mozaika.table.pool import Overworked, Pool
from mozaika.table.refusals import BadWish, NotAllowed
from mozaika.table.seating import own_seat
from mozaika.table.shared import SharedTable
from mozaika.words import later

SECONDS = 5.0
"""For one call, from the look at the name to the first line of the answer."""
MOST_AT_ONCE, MOST_OF_ONE, RESOLVERS = 64, 4, 4
ANSWER_BYTES = 1_024
SECONDS_OF_SILENCE = 60.0
"""Between two lines in the log about calls that failed."""
MANY_NAMES = "too many names are being looked up"
_ADDRESS = re.compile(r"https?://[!-~]{1,400}")
_GLOBAL, _TRANSLATED = IPv6Network("2000::/3"), IPv6Network("64:ff9b::/96")
"""All IPv6 addresses that are given to anybody; and IPv4 addresses for those who have no other."""
log = logging.getLogger("mozaika")


class Caller:
    """Posts a few words as JSON, once for each turn. It never waits, and a failure is only noted."""

    def __init__(self, origin: str, allowed: Iterable[str] = ()) -> None:
        """The origin is what stands before the path of a table: `https://mozaika.example`. Allowed hosts are
        called though they are not public.
        """
        self.origin, self.allowed = origin, frozenset(host.lower() for host in allowed)
        self._called: WeakKeyDictionary[SharedTable, set[int]] = WeakKeyDictionary()
        self._calls: set[asyncio.Task[None]] = set()
        self._under_way: Counter[str] = Counter()
        self._failures, self._silent_until = 0, 0.0
        # a name server may keep whoever asks for much longer than a call may take
        self._resolvers = Pool(
            "resolver", RESOLVERS, most_waiting=MOST_AT_ONCE, most_of_one=MOST_OF_ONE, sentence=MANY_NAMES
        )

    def call(self, shared: SharedTable) -> None:
        """Call everybody whose turn has come since the last time."""
        turns = {seat for seat in shared.table.movers if seat != CHANCE}
        for seat in turns - self._called.get(shared, set()):
            sitting, hook = shared.seats[seat], shared.hooks.get(seat)
            if hook is not None and sitting.kind == "person" and sitting.guest == hook.guest:
                body = {
                    "text": f"{shared.table.game.name}: {sitting.name}, it is your turn.",
                    "url": f"{self.origin}/t/{shared.header.id}",
                    "game": shared.table.game.id,
                    "seat": seat + 1,
                }
                note = partial(shared.store.note_call, shared.header.id, seat, began(shared, seat))
                self._begin(shared.address or hook.guest, hook, msgspec.json.encode(body), note)
        self._called[shared] = turns

    def _begin(self, who: str, hook: Hook, body: bytes, note: Callable[[], Awaitable[bool]]) -> None:
        if len(self._calls) >= MOST_AT_ONCE or self._under_way[who] >= MOST_OF_ONE:
            self._note_failure("too many calls are under way")
            return
        self._under_way[who] += 1
        task = asyncio.create_task(self._call_once(who, hook, body, note))
        self._calls.add(task)
        task.add_done_callback(lambda _: self._end(who, task))

    def _end(self, who: str, task: "asyncio.Task[None]") -> None:
        self._calls.discard(task)
        self._under_way[who] -= 1
        if not self._under_way[who]:
            del self._under_way[who]

    async def _call_once(
        self, who: str, hook: Hook, body: bytes, note: Callable[[], Awaitable[bool]]
    ) -> None:
        """Whichever process notes a turn first calls for it."""
        try:
            if await note():
                await self._post(who, hook, body)
        except StoreError as error:
            self._note_failure(str(error))

    async def _post(self, who: str, hook: Hook, body: bytes) -> None:
        try:
            async with asyncio.timeout(SECONDS):
                status = await self._send(who, urlsplit(hook.url), write_signature(hook.key, body), body)
            if not 200 <= status < 300:
                self._note_failure(f"the answer was {status}")
        except (OSError, ValueError, TimeoutError, Overworked) as error:
            self._note_failure(str(error) or "it took too long")

    def _note_failure(self, why: str) -> None:
        """In the log, but seldom: strangers choose the addresses, and would fill it."""
        self._failures += 1
        if time.monotonic() >= self._silent_until:
            log.warning("turns that could not be announced: %s, the last one because %s", self._failures, why)
            self._failures, self._silent_until = 0, time.monotonic() + SECONDS_OF_SILENCE

    async def _send(self, who: str, url: SplitResult, signature: dict[str, str], body: bytes) -> int:
        """Post to the very address that was checked. Returns the status, wherever that would lead."""
        host, port = url.hostname or "", url.port or (443 if url.scheme == "https" else 80)
        address = await self._resolve(who, host, port)
        secure = ssl.create_default_context() if url.scheme == "https" else None
        reader, writer = await asyncio.open_connection(
            address, port, ssl=secure, server_hostname=host if secure else None, limit=ANSWER_BYTES
        )
        try:
            target = (url.path or "/") + (f"?{url.query}" if url.query else "")
            headers = {
                "Host": url.netloc,
                "Content-Type": "application/json",
                "Content-Length": str(len(body)),
                "Connection": "close",
                "User-Agent": "Mozaika",
                **signature,
            }
            lines = [f"POST {target} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
            writer.write("\r\n".join([*lines, "", ""]).encode("ascii") + body)
            found = re.match(rb"HTTP/1\.[01] (\d{3})", await reader.readuntil(b"\n"))
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            raise ValueError("The answer is no HTTP.") from None
        finally:
            writer.transport.abort()
        if found is None:
            raise ValueError("The answer is no HTTP.")
        return int(found[1])

    async def _resolve(self, who: str, host: str, port: int) -> str:
        """The address of a host; ValueError if any that it has may not be called."""
        look_up = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
        found = await self._resolvers.ask(who, look_up)
        addresses = [str(each[4][0]) for each in found]
        if host.lower() not in self.allowed and not all(map(is_public, addresses)):
            raise ValueError("The address is not public.")
        return addresses[0]

    def check(self, address: str) -> None:
        """BadWish if an address can be seen never to be called; its name is looked up at each call."""
        try:
            url = urlsplit(address)
            host, _ = url.hostname or "", url.port
        except ValueError:
            host = ""
        if not _ADDRESS.fullmatch(address) or not host or "@" in url.netloc:
            raise BadWish(later("An address begins with http:// or https://."))
        if host.lower() in self.allowed:
            return
        literal = _read_literal(host)
        if host.lower() == "localhost" or (literal is not None and not is_public(literal)):
            raise BadWish(later("Only public addresses are called."))

    def close(self) -> None:
        for task in list(self._calls):
            task.cancel()
        self._resolvers.close()


def began(shared: SharedTable, seat: int) -> int:
    """The seq of the event with which the turn of a seat began; others may have moved beside it since."""
    table, ply = shared.table, shared.table.ply
    while ply and table.entries[ply - 1].seat not in (CHANCE, seat):
        if seat not in seats_in(table.game.movers(table.state_at(ply - 1))):
            break
        ply -= 1
    return shared.entry_seqs[ply - 1] if ply else 0


def write_signature(key: str, body: bytes, at: int | None = None) -> dict[str, str]:
    """Headers by which whoever is called knows that it was us, and when."""
    moment = str(int(time.time()) if at is None else at)
    signed = hmac.new(key.encode(), f"{moment}.".encode() + body, "sha256").hexdigest()
    return {"Mozaika-Timestamp": moment, "Mozaika-Signature": f"sha256={signed}"}


def is_public(address: str) -> bool:
    """Whether anybody could call an address: not this machine or network, no group, and nothing within."""
    found = ip_address(address.partition("%")[0])
    if isinstance(found, IPv4Address):
        return found.is_global and not found.is_multicast
    if meant := found.ipv4_mapped or (found in _TRANSLATED and IPv4Address(int(found) & 0xFFFFFFFF)):
        return is_public(str(meant))
    inner = found.sixtofour or (found.teredo and found.teredo[1])
    return found in _GLOBAL and found.is_global and (not inner or is_public(str(inner)))


def _read_literal(host: str) -> str | None:
    """A host that is written as a number: also decimal, octal and hexadecimal ones."""
    with suppress(ValueError):
        return str(ip_address(host.partition("%")[0]))
    with suppress(OSError):
        return socket.inet_ntoa(socket.inet_aton(host))
    return None


async def set_hook(caller: Caller | None, shared: SharedTable, hook: Hook, command: str) -> int:
    """Note what to call when it is the turn of a seat; an empty address ends it. Returns the seq after it."""
    own_seat(shared, hook.guest, hook.seat + 1)
    if caller is None:
        raise NotAllowed(later("This server does not call other addresses."))
    if hook.url:
        caller.check(hook.url)
    return await shared.announce(HOOK, "", hook.seat, command, first=lambda: hang(shared, hook))
