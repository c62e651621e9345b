"""What a guest is told of a deal: what it is; after they have played it, what everybody has made of it."""

import time
from datetime import UTC, datetime
from typing import Literal

import msgspec

from mozaika.game import Game
from mozaika.games import GAMES
from mozaika.server.guests import Guest
from mozaika.store.deals import KeptAttempt
from mozaika.table.attempts import Played, catch_up, knows, list_results, shown_seed
from mozaika.table.deals import Deal, day_of, find_deal
from mozaika.table.hall import Hall
from mozaika.table.levels import short_name
from mozaika.words import Words, later

MOST_ROWS = 100
"""So many results of each kind are shown, the best ones; and always one's own."""
MARKS = {
    "again": later("later attempt"),
    "hints": later("with hints"),
    "undo": later("moves taken back"),
    "seed": later("seed chosen"),
    "opponent": later("other opponent"),
    "late": later("after the day"),
    "connection": later("same connection"),
}
State = Literal["coming", "new", "running", "given up", "played", "outdated"]


class DealSeat(msgspec.Struct):
    name: str
    you: bool


class DealResult(msgspec.Struct):
    """An attempt: the points of all seats, the place of whoever played, and what is to be said about it."""

    rank: int
    name: str
    mine: bool
    points: list[int]
    place: int
    at: float
    date: str
    marks: list[str]
    url: str
    """Where the game can be looked at, if its table is still there."""


class DealView(msgspec.Struct):
    """A deal: the same draws and opponents for everybody. Results are shown to whoever has played it."""

    id: str
    url: str
    game: str
    name: str
    day: str
    """Such as 2026-11-18; empty for a challenge."""
    by: str
    """Who challenges; empty if they have no name, and for the deal of a day."""
    yours: bool
    """Whether you have made it."""
    seats: list[DealSeat]
    options: list[str]
    position: bool
    """Whether the game begins with a position."""
    commitment: str
    committed: float
    """Since when it is known."""
    seed: str | None
    """Once it may be known: of a day when that is over, else when you have played it."""
    state: State
    """How far you have come with it."""
    table: str
    """The address of the table at which you play it."""
    people: int
    """How many have begun it."""
    shown: bool
    """Whether you may see the results."""
    first: list[DealResult] = []
    """The first attempts, without help and in time."""
    later: list[DealResult] = []
    """All others."""
    more: int = 0
    """How many results are left out."""


async def view_deal(hall: Hall, name: str, guest: Guest) -> DealView:
    """A deal as a guest may see it."""
    deal, deals = await find_deal(hall.store, name), hall.store.deals
    mine = await deals.attempts(name, guest.id)
    if await catch_up(hall, mine):
        mine = await deals.attempts(name, guest.id)
    attempts, shown = await deals.attempts(name), await knows(hall.store, deal, guest.id)
    results, game = list_results(deal, attempts), GAMES.get(deal.about.game)
    words = game.words(guest.lang) if game else Words(guest.lang)
    running = next((each.game for each in mine if not each.ended), "")
    view = DealView(
        id=deal.id,
        url=f"{guest.root}/deal/{deal.id}",
        game=deal.about.game,
        name=game.title(guest.lang) if game else deal.about.game,
        day=deal.day,
        by=deal.about.by,
        yours=not deal.day and any(each.begun < deal.created for each in mine),
        seats=[
            DealSeat(words.say("You") if not bot else short_name(bot, words), not bot)
            for bot in deal.about.bots
        ],
        options=_tell_options(game, deal.about.options, words) if game else [],
        position=bool(deal.about.position),
        commitment=deal.about.commitment,
        committed=deal.created,
        seed=await shown_seed(hall.store, deal, guest.id) or None,
        state=_state(deal, game, mine),
        table=f"{guest.root}/t/{running}" if running else "",
        people=results.people,
        shown=shown,
    )
    if shown:
        view.first, view.later = (_rows(deal, rows, guest, words) for rows in (results.first, results.later))
        view.more = len(results.first) + len(results.later) - len(view.first) - len(view.later)
    return view


def _state(deal: Deal, game: Game | None, mine: list[KeptAttempt]) -> State:
    if any(not each.ended for each in mine):
        return "running"
    if game is None or game.version != deal.about.version:
        return "outdated"
    if time.time() < deal.begins:
        return "coming"
    if any(each.result for each in mine):
        return "played"
    return "given up" if mine else "new"


def _tell_options(game: Game, options: dict[str, str], words: Words) -> list[str]:
    """What is not as usual."""
    usual = game.write_options(game.options())
    return [
        f"{words.say(game.labels.get(name, name))}: {words.say(game.labels.get(value, value))}"
        for name, value in options.items()
        if usual.get(name) != value
    ]


def _rows(deal: Deal, rows: list[Played], guest: Guest, words: Words) -> list[DealResult]:
    told, place, before = list[DealResult](), 0, None
    for number, played in enumerate(rows, 1):
        attempt, outcome = played.attempt, played.outcome
        standing = outcome.ranks[deal.seat], outcome.scores
        place, before = (place if standing == before else number), standing
        mine = attempt.guest == guest.id
        if number <= MOST_ROWS or mine:
            told.append(
                DealResult(
                    rank=place,
                    name=attempt.name or words.say("Somebody"),
                    mine=mine,
                    points=outcome.scores,
                    place=outcome.ranks[deal.seat],
                    at=attempt.ended,
                    date=datetime.fromtimestamp(attempt.ended, UTC).date().isoformat(),
                    marks=[words.say(MARKS[mark]) for mark in played.marks],
                    url=f"{guest.root}/t/{attempt.game}",
                )
            )
    return told


def write_share(view: DealView, words: Words) -> str:
    """What one has made of a deal, for others to read: nothing of the draws, nor of who else has played."""
    mine = next((row for row in (*view.first, *view.later) if row.mine), None)
    lines = [f"{view.name} · {name_deal(view, words)}"]
    if mine is not None:
        seat = next(number for number, each in enumerate(view.seats) if each.you)
        points = words.count("{n} point", "{n} points", mine.points[seat]).replace("-", "−")
        if len(view.seats) > 1:
            points = (
                words.say("place {place} of {seats}", place=mine.place, seats=len(view.seats)) + f", {points}"
            )
        lines.append(", ".join([points, *mine.marks]))
    return "\n".join(lines)


def name_deal(view: DealView, words: Words) -> str:
    """What a deal is called."""
    return words.say("Deal of {day}", day=view.day) if view.day else words.say("Challenge")


class DayDeal(msgspec.Struct):
    """The deal of a day, in a list."""

    id: str
    url: str
    game: str
    name: str
    day: str
    opponents: list[str]
    commitment: str
    committed: float
    state: State


class Days(msgspec.Struct):
    """The deals of today, of the days to come, which are fixed already, and of former days."""

    today: str
    now: list[DayDeal]
    coming: list[DayDeal]
    former: list[DayDeal]


async def view_days(hall: Hall, deals: list[Deal], guest: Guest) -> Days:
    """The deals of some days, and how far a guest has come with them."""
    mine: dict[str, list[KeptAttempt]] = {}
    for attempt in await hall.store.deals.attempts_of(guest.id):
        mine.setdefault(attempt.deal, []).append(attempt)
    days = Days(day_of(time.time()).isoformat(), [], [], [])
    for deal in deals:
        game = GAMES.get(deal.about.game)
        words = game.words(guest.lang) if game else Words(guest.lang)
        told = DayDeal(
            id=deal.id,
            url=f"{guest.root}/deal/{deal.id}",
            game=deal.about.game,
            name=game.title(guest.lang) if game else deal.about.game,
            day=deal.day,
            opponents=[short_name(bot, words) for bot in deal.about.bots if bot],
            commitment=deal.about.commitment,
            committed=deal.created,
            state=_state(deal, game, mine.get(deal.id, [])),
        )
        place = days.now if deal.day == days.today else days.coming if deal.day > days.today else days.former
        place.append(told)
    days.coming.sort(key=lambda deal: (deal.day, deal.id))
    return days
