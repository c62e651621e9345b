"""News as they go out: server-sent events, each written and compressed once for all who get the same."""

import zlib
from functools import cached_property
from weakref import WeakKeyDictionary

import msgspec

from mozaika.server.views import Viewer, build_view, log_begins
from mozaika.table.shared import SharedTable

GZIP_HEAD = bytes((31, 139, 8, 0, 0, 0, 0, 0, 0, 255))
LAST_BLOCK = b"\x03\x00"
WINDOW = 13
MOST_KEPT = 64


class News:
    """One event."""

    def __init__(self, text: bytes) -> None:
        self.text = text

    @cached_property
    def zipped(self) -> bytes:
        """A piece of a deflated stream that refers to nothing before it, so that it fits into any."""
        zipper = zlib.compressobj(1, zlib.DEFLATED, -WINDOW, 5)
        return zipper.compress(self.text) + zipper.flush(zlib.Z_FULL_FLUSH)


BEAT = News(b"event: beat\ndata: {}\n\n")
BYE = News(b"event: bye\ndata: {}\n\n")


class Here(msgspec.Struct):
    """For each seat, whether somebody is there."""

    online: tuple[bool, ...]


def write_presence(online: tuple[bool, ...]) -> News:
    """Who is at a table now."""
    return News(b"event: presence\ndata: %s\n\n" % msgspec.json.encode(Here(online)))


def write_view(shared: SharedTable, viewer: Viewer, seen: int) -> News:
    """What a viewer sees now, of the log what came after a seq. All who only watch get the same."""
    if _only_watches(shared, viewer.guest):
        viewer = msgspec.structs.replace(viewer, guest="")
    key, moment = (viewer, log_begins(shared, seen)), (shared.seq, shared.who_is_here(), shared.shown_seed)
    known, kept = _kept.get(shared, ((), {}))
    if known != moment or len(kept) >= MOST_KEPT:
        kept = {}
        _kept[shared] = moment, kept
    if key not in kept:
        text = msgspec.json.encode(build_view(shared, viewer, seen=seen))
        kept[key] = News(b"event: view\nid: %d\ndata: %s\n\n" % (shared.seq, text))
    return kept[key]


def _only_watches(shared: SharedTable, guest: str) -> bool:
    """Whether nothing here is a guest's own: no seat, not the table, no part in its draws."""
    had_part = any(party.guest == guest for epoch in shared.draws.epochs for party in epoch.parties)
    return not had_part and guest != shared.header.owner and not shared.seats_of(guest)


_kept: WeakKeyDictionary[SharedTable, tuple[tuple[object, ...], dict[tuple[object, ...], News]]]
_kept = WeakKeyDictionary()
"""Of each table what has been written of its newest moment."""


class Plain:
    """A stream of events as they are."""

    def write(self, news: News) -> bytes:
        return news.text

    def end(self) -> bytes:
        return b""


class Zipped(Plain):
    """A stream of gzip in which every event can be read as soon as it has come."""

    def __init__(self) -> None:
        self._head, self._check, self._length = GZIP_HEAD, 0, 0

    def write(self, news: News) -> bytes:
        head, self._head = self._head, b""
        self._check, self._length = zlib.crc32(news.text, self._check), self._length + len(news.text)
        return head + news.zipped

    def end(self) -> bytes:
        sums = self._check.to_bytes(4, "little") + (self._length & 0xFFFFFFFF).to_bytes(4, "little")
        return self._head + LAST_BLOCK + sums
