"""Deals: the same draws and the same opponents for everybody who plays them, each at a table of their own.

A challenge is the deal of a finished game against bots. The deal of a day is made and its commitment shown
days before, and nobody is shown its seed before the day is over.
"""

import asyncio
import time
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

import msgspec

from mozaika import chance
from mozaika.game import Game
from mozaika.games import GAMES
from mozaika.store import Store
from mozaika.store.deals import KeptDeal
from mozaika.table.events import Occupant
from mozaika.table.levels import opponents
from mozaika.table.plan import Plan
from mozaika.table.refusals import NotNow, NotThere
from mozaika.table.seating import read_name, seat_bot
from mozaika.table.shared import SharedTable
from mozaika.words import Words, later

DAYS_AHEAD = 7
"""So many days before it is played the deal of a day is fixed."""
HELPS = ("hints", "undo", "seed", "opponent")
"""With what help an attempt is no first one, whenever it was made."""


class About(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What is known of a deal before it is played."""

    game: str
    version: int
    options: dict[str, str]
    bots: list[str]
    """Who plays on each seat; nothing is the seat of whoever plays the deal."""
    commitment: str
    position: str = ""
    by: str = ""
    """Who challenges, if they have a name."""


class Outcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an attempt has come to."""

    scores: list[int]
    ranks: list[int]
    helps: list[str] = []


class Deal(NamedTuple):
    id: str
    day: str
    created: float
    about: About

    @property
    def ends(self) -> float:
        """When the day of a deal is over; 0 for a challenge, which has no day."""
        return _midnight(date.fromisoformat(self.day) + timedelta(1)) if self.day else 0.0

    @property
    def begins(self) -> float:
        return _midnight(date.fromisoformat(self.day)) if self.day else 0.0

    @property
    def seat(self) -> int:
        """The seat of whoever plays it."""
        return self.about.bots.index("")


def _midnight(day: date) -> float:
    return datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()


def day_of(at: float) -> date:
    """The day in UTC."""
    return datetime.fromtimestamp(at, UTC).date()


def read_deal(kept: KeptDeal) -> Deal:
    return Deal(kept.id, kept.day, kept.created, msgspec.json.decode(kept.about, type=About))


async def find_deal(store: Store, name: str) -> Deal:
    """The deal of an id; NotThere if there is none."""
    kept = await store.deals.find(name)
    if kept is None:
        raise NotThere(later("There is no such deal."))
    return read_deal(kept)


async def keep_deal(store: Store, name: str, day: str, about: About, seed: str, at: float) -> None:
    await store.deals.keep(KeptDeal(name, day, msgspec.json.encode(about).decode(), at), seed)


def plan_attempt(deal: Deal, guest: str, name: str, seed: str, words: Words) -> Plan:
    """A table for one guest at which a deal is played."""
    about, game = deal.about, GAMES.get(deal.about.game)
    if game is None or game.version != about.version:
        raise NotNow(later("This deal is of rules that are no longer played here."))
    seats: list[Occupant] = []
    for bot in about.bots:
        person = Occupant("person", read_name(name, game), guest)
        seats.append(seat_bot(game, bot, seats, words, len(about.bots)) if bot else person)
    options = game.read_options(about.options)
    return Plan(
        game,
        options,
        seats,
        guest,
        seed=seed,
        position=about.position,
        hints=False,
        deal=deal.id,
        sealed=deal.ends,
    )


def daily_games() -> list[Game]:
    """The games that have a deal every day: there is somebody to play with, or nobody is needed."""
    return [game for game in GAMES.values() if game.seats.start == 1 or opponents(game)]


def name_day(game: Game, day: date) -> str:
    return f"{game.id}-{day.isoformat()}"


def plan_day(game: Game, day: date, seed: str) -> About:
    """What is played on a day: the usual game for as few as can play it. The opponent and the seat of
    whoever plays take turns; the weakest and the strongest level are left out, where there are others.
    """
    number, seats, levels = day.toordinal(), game.seats.start, opponents(game)
    levels = levels[1:-1] or levels
    me = number // max(1, len(levels)) % seats
    bots = ["" if seat == me else levels[number % len(levels)] for seat in range(seats)]
    options = game.write_options(game.options())
    commitment = chance.commitment(seed)
    return About(game=game.id, version=game.version, options=options, bots=bots, commitment=commitment)


async def prepare_days(store: Store, now: float) -> None:
    """Fix the deals of today and of the days to come, as far as nobody has done so before."""
    today = day_of(now)
    days = [today + timedelta(ahead) for ahead in range(DAYS_AHEAD + 1)]
    known = {kept.id for kept in await store.deals.of_days(days[0].isoformat(), days[-1].isoformat())}
    wanted = [(name_day(game, day), game, day) for day in days for game in daily_games()]
    await asyncio.gather(*(_fix(store, *each, now) for each in wanted if each[0] not in known))


async def _fix(store: Store, name: str, game: Game, day: date, now: float) -> None:
    seed = chance.new_seed()
    await keep_deal(store, name, day.isoformat(), plan_day(game, day, seed), seed, now)


async def list_days(store: Store, back: int, now: float) -> list[Deal]:
    """The deals of today, of the days to come and of so many before, the newest first."""
    await prepare_days(store, now)
    first = day_of(now) - timedelta(back)
    return [read_deal(kept) for kept in await store.deals.of_days(first.isoformat(), "9999")]


def can_challenge(shared: SharedTable, guest: str) -> bool:
    """Whether somebody can be given what a guest has played: a whole game of one seat against bots, whose
    draws all came from one seed.
    """
    header, mine = shared.header, shared.seats_of(guest)
    others = [occupant for seat, occupant in enumerate(shared.seats) if seat not in mine]
    return (
        header.counts
        and shared.table.is_over
        and shared.closed is None
        and len(mine) == 1
        and shared.seats[mine[0]].kind == "person"
        and all(occupant.kind == "bot" and not occupant.instead for occupant in others)
        and shared.seatings == header.seats  # nobody has come, left, or let a bot play
        and [epoch.alone for epoch in shared.draws.epochs] == [True]
    )


def describe_game(shared: SharedTable, guest: str) -> About:
    """The deal of a finished game; NotNow if it is none that others could play."""
    if not can_challenge(shared, guest):
        raise NotNow(later("Only a finished game that you alone have played against bots is a challenge."))
    header = shared.header
    return About(
        game=header.game,
        version=header.version,
        options=header.options,
        bots=[occupant.bot for occupant in shared.seats],
        commitment=shared.commitment,
        position=header.position,
        by=shared.seats[shared.seats_of(guest)[0]].name,
    )


def judge(shared: SharedTable, *, helped: bool = False) -> Outcome:
    """What a finished game has come to, and with what help."""
    table = shared.table
    helps = {
        "hints": helped,
        "undo": shared.regrets > 0,
        "seed": shared.header.chosen,
        "opponent": any(occupant.instead for occupant in shared.seats),
    }
    return Outcome(table.scores, table.ranks, [name for name in HELPS if helps[name]])


async def note_end(shared: SharedTable) -> None:
    """Keep what an attempt has come to, once its game is over or was given up."""
    if not shared.header.deal or not (shared.table.is_over or shared.closed is not None):
        return
    result = msgspec.json.encode(judge(shared)).decode() if shared.table.is_over else ""
    await shared.store.deals.end(shared.header.id, time.time(), result)
