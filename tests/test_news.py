"""News are written once for all who get the same; what is kept for that never shows anybody anything else."""

import asyncio
import zlib
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from random import Random

import msgspec
import pytest

from mozaika.defaults import hides_nothing
from mozaika.game import Game
from mozaika.games import GAMES
from mozaika.scene import forget_parts
from mozaika.server import news
from mozaika.server.api import stream
from mozaika.server.news import BYE, News, Plain, Zipped, write_presence, write_view
from mozaika.server.scenes import forget_scenes
from mozaika.server.views import Viewer
from mozaika.state import CHANCE, WATCHER
from mozaika.store import Event, Header
from mozaika.table import Table, presence
from mozaika.table.events import DRAW, MOVE, SIT, Occupant, call_all
from mozaika.table.shared import SharedTable
from mozaika.table.telling import Telling

PLIES = 45
OPEN_GAMES = [game for game in GAMES.values() if hides_nothing(game)]
WATCHING = Viewer("", admitted=False, lang="en", shape="wide")


def guest(seat: int) -> str:
    return f"guest {seat}"


def new_table(game: Game, seats: int, owner: str = "owner") -> SharedTable:
    people = [Occupant("person", f"Player {seat + 1}", guest(seat)) for seat in range(seats)]
    sitting = [msgspec.json.encode(who).decode() for who in people]
    options = game.write_options(game.read_options())
    header = Header(
        id="news", game=game.id, version=game.version, options=options, seats=seats, owner=owner, link=""
    )
    events = [Event(seat + 1, seat, SIT, text) for seat, text in enumerate(sitting)]
    return SharedTable(header, events, None)  # type: ignore[arg-type]  # nothing is kept


def random_game(game: Game, seats: int, plies: int = PLIES) -> list[tuple[int, str]]:
    """Moves and draws, with more plies than these if the game begins with many draws."""
    table, random = Table(game, seats, seed="news"), Random(7)
    made = table.ply
    while not table.is_over and table.ply < made + plies:
        seat = random.choice(table.movers)
        table.play(random.choice(table.legal_moves(seat)), seat)
    return [(seat, game.write_move(move)) for seat, move in table.entries]


def happen(shared: SharedTable, seat: int, text: str) -> None:
    shared.adopt(Event(shared.seq + 1, seat, DRAW if seat == CHANCE else MOVE, text))


def viewers(seats: int) -> list[Viewer]:
    """Everybody at the table, in one language and shape or another, and those who watch."""
    people = [Viewer(guest(seat), True, ("en", "pl")[seat % 2], "wide") for seat in range(seats)]
    return [*people, WATCHING, Viewer("owner", True, "de", "tall"), Viewer("other", False, "en", "wide")]


def follow(game: Game, seats: int, entries: list[tuple[int, str]], *, forgetful: bool) -> Iterator[bytes]:
    """What everybody is sent in the course of a game."""
    shared = new_table(game, seats)
    for ply, entry in enumerate(entries):
        happen(shared, *entry)
        if ply % 3 and entry[0] != CHANCE:
            continue
        for viewer in viewers(seats):
            if forgetful:
                forget_parts()
                forget_scenes()
                shared.sights.forget()
                news._kept.clear()
                shared.telling = Telling(shared.table)
                call_all.cache_clear()
            yield write_view(shared, viewer, shared.seq - 3).text


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_what_is_kept_shows_the_same_as_what_is_made_from_nothing(game):
    seats = game.seats[-1]
    entries = random_game(game, seats)
    # as at a server: the same parts are found again in other games, and for other people
    for others in {game.seats[0], seats}:
        list(follow(game, others, random_game(game, others, 12), forgetful=False))
    kept = list(follow(game, seats, entries, forgetful=False))
    assert kept == list(follow(game, seats, entries, forgetful=True))


@pytest.mark.parametrize("game", OPEN_GAMES, ids=lambda game: game.id)
def test_where_nothing_is_hidden_everybody_is_told_the_same(game):
    table, words = Table(game, seed="news"), game.words()
    for seat, text in random_game(game, game.seats[0], 25):
        move = game.parse_move(text)
        told = [game.tell(table.state, seat, move, viewer, words) for viewer in (WATCHER, 0, 1, CHANCE)]
        assert told == told[:1] * 4
        if seat != CHANCE:
            table.play(text, seat)


def test_all_who_only_watch_get_what_was_written_for_the_first(monkeypatch):
    shared, built = new_table(GAMES["azul"], 2), []
    build = news.build_view
    monkeypatch.setattr(news, "build_view", lambda *a, **k: built.append(a[1]) or build(*a, **k))
    watchers = [msgspec.structs.replace(WATCHING, guest=f"watcher {n}") for n in range(20)]
    written = write_view(shared, WATCHING, 0)
    assert all(write_view(shared, viewer, 0) is written for viewer in watchers)
    assert len(built) == 1
    for viewer in (guest(0), guest(1), "owner"):
        assert write_view(shared, msgspec.structs.replace(WATCHING, guest=viewer), 0) is not written
    happen(shared, *random_game(shared.table.game, 2)[0])
    assert write_view(shared, watchers[0], 0) is not written


def test_one_piece_fits_into_every_compressed_stream():
    pieces = [News(b"event: view\ndata: %s\n\n" % (b"%d " % n * 400)) for n in range(4)]

    for some in (pieces, pieces[2:], pieces[:1] * 3, []):
        plain, zipped = Plain(), Zipped()
        length = len(b"".join(map(plain.write, some)))
        written = [*map(zipped.write, some), zipped.end()]
        unzip = zlib.decompressobj(31)  # it checks the sum and the length, too
        assert [unzip.decompress(piece) for piece in written] == [*(each.text for each in some), b""]
        assert unzip.eof
        assert not unzip.unused_data
        assert len(b"".join(written)) < length or not some


class Page:
    """Somebody who follows a table, on a line that takes pieces on the short way or does not."""

    def __init__(self, shared, viewer, *, takes=False):
        self.closing, self.got, self.takes, self.short = asyncio.Event(), [], takes, []
        self.may_read = asyncio.Event()
        self.may_read.set()
        self.bell = stream.Bell(shared, viewer, Plain(), self._take, self.closing)
        self.task = asyncio.create_task(self._read())
        self.shared = shared

    async def _read(self):
        async for each in stream.follow(self.bell, nullcontext()):
            await self.may_read.wait()
            self.got.append(each)

    def _take(self, piece):
        if self.takes and piece:
            self.got.append(piece)
            self.short.append(piece)
        return self.takes

    @property
    def kinds(self):
        return [text.split()[1].decode() for text in self.got]

    async def leave(self):
        self.task.cancel()
        with suppress(asyncio.CancelledError):
            await self.task

    async def close(self):
        self.closing.set()
        self.shared.show()
        await self.task


async def settle():
    for _ in range(6):
        await asyncio.sleep(0)


async def until(reached):
    while not reached():
        await asyncio.sleep(0.01)


def test_who_comes_and_goes_is_told_gathered_and_costs_nobody_a_view(monkeypatch):
    monkeypatch.setattr(presence, "SECONDS_GATHERED", 60)
    shared = new_table(GAMES["azul"], 2)
    ben = msgspec.structs.replace(WATCHING, guest=guest(1))

    async def time_passes():
        told = shared.presence._telling
        told.cancel()
        shared.presence._tell_now()
        await settle()

    async def come_and_go():
        watcher = Page(shared, WATCHING)
        others = [Page(shared, msgspec.structs.replace(WATCHING, guest=f"w{n}")) for n in range(3)]
        await settle()
        for each in others:
            await each.leave()
        assert shared.presence._telling is None, "nobody is shown who only watches"
        for _ in range(10):  # a connection that flaps
            page = Page(shared, ben)
            await settle()
            await page.leave()
        await time_passes()
        assert watcher.kinds == ["view"], "Ben is as far away as before"
        page = Page(shared, ben)
        await settle()
        await time_passes()
        assert watcher.got[1:] == [write_presence((False, True)).text]
        await page.leave()
        await time_passes()
        assert watcher.got[2:] == [write_presence((False, False)).text]
        await watcher.close()
        assert watcher.got[3:] == [BYE.text]

    asyncio.run(come_and_go())
    assert not shared.watchers


def test_a_page_hears_a_beat_when_nothing_happens_and_that_it_may_sit_down(monkeypatch):
    monkeypatch.setattr(stream, "HEARTBEAT", 0.01)
    shared = new_table(GAMES["azul"], 2)

    async def wait():
        page = Page(shared, msgspec.structs.replace(WATCHING, guest="other"))
        await until(lambda: len(page.kinds) == 4)
        assert page.kinds == ["view", "beat", "beat", "beat"]
        shared.show()  # nothing is new
        await until(lambda: len(page.kinds) == 6)
        assert page.kinds.count("view") == 1
        shared.entered.add("other")
        shared.show()
        await until(lambda: page.kinds.count("view") == 2)
        assert b'"admitted":true' in page.got[page.kinds.index("view", 1)]
        await page.close()

    asyncio.run(wait())


def test_what_the_line_takes_goes_the_short_way_and_nothing_overtakes_anything(monkeypatch):
    shared = new_table(GAMES["azul"], 2)

    async def play():
        page = Page(shared, WATCHING, takes=True)
        await settle()
        assert (page.kinds, page.short) == (["view"], []), "the head of the answer comes before it"
        events = random_game(shared.table.game, 2)
        happen(shared, *events[0])
        shared.show()
        shared.show()
        await settle()
        assert page.got[1:] == page.short == [write_view(shared, WATCHING, 0).text], "once"
        page.takes = False  # the client is slow
        page.may_read.clear()
        happen(shared, *events[1])
        shared.show()
        await settle()
        page.takes = True  # it reads again, but has not got yet what went the long way
        happen(shared, *events[2])
        shared.show()
        await settle()
        assert len(page.got) == 2
        page.may_read.set()
        await settle()
        assert [text.split(b"id: ")[1].split()[0] for text in page.got[2:]] == [b"4", b"5"]
        assert len(page.short) == 1
        monkeypatch.setattr(stream, "write_view", lambda *_: 1 / 0)
        happen(shared, *events[3])
        shared.show()
        with pytest.raises(ZeroDivisionError):
            await page.task

    asyncio.run(play())
    assert not shared.watchers
