"""The pages of practice: the puzzle of the day, the puzzles of a game, this browser's mistakes; deals."""

import time
from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Any

import msgspec
from litestar import Request, get
from litestar.params import Parameter
from litestar.response import Template

from mozaika.games import GAMES
from mozaika.reviewing.puzzles import find_puzzles, puzzle_of
from mozaika.server.api.deals import MOST_DAYS as MOST_DAYS_OF_DEALS
from mozaika.server.api.fields import DealId, shelf_game
from mozaika.server.deals import name_deal, view_days, view_deal, write_share
from mozaika.server.facts import facts_of
from mozaika.server.guests import Guest
from mozaika.server.previews import preview_deal, preview_page
from mozaika.server.rendering import render
from mozaika.table.deals import list_days as list_deals
from mozaika.table.hall import Hall
from mozaika.words import Words, later

MOST_DAYS = 90
"""So many former days the archive shows."""
PUZZLE = later(
    "One position with one best move, the same for everybody, new at midnight UTC. No account: your "
    "days in a row are kept in this browser."
)
PUZZLES = later(
    "Each has one move that is clearly the best. How difficult it is was measured: by which of our bots"
    " find it."
)
DEALS = later(
    "One game of each kind with the same draws and the same opponents for everybody here, new at "
    "midnight UTC. Your first attempt counts; you see how others did when you have played."
)
"""What pages begin with, and what previews of their links say."""


class DayFacts(msgspec.Struct):
    """The puzzle of a day."""

    day: str
    game: str
    name: str
    puzzle: str
    difficulty: int


class PuzzleFacts(msgspec.Struct):
    id: str
    difficulty: int


class ShelfFacts(msgspec.Struct):
    """A game, and how many puzzles it has."""

    id: str
    name: str
    puzzles: int
    said: str


def list_days(today: date, lang: str) -> list[DayFacts]:
    """The puzzles of the days up to today, the newest first; none of tomorrow."""
    days = [today - timedelta(back) for back in range(MOST_DAYS)]
    found = ((day, *chosen) for day in days if (chosen := puzzle_of(day)))
    return [
        DayFacts(day.isoformat(), game.id, game.title(lang), puzzle.id, puzzle.difficulty)
        for day, game, puzzle in found
    ]


@get("/practice", include_in_schema=False)
async def practice_page(request: "Request[Any, Any, Any]", guest: Guest) -> Template:
    today, words = datetime.now(UTC).date(), Words(guest.lang)
    shelf = [
        ShelfFacts(game.id, game.title(guest.lang), n, words.count("{n} puzzle", "{n} puzzles", n))
        for game in GAMES.values()
        if (n := len(find_puzzles(game)))
    ]
    days = list_days(today, guest.lang)
    return render(
        "practice.html",
        guest,
        shelf=shelf,
        practice={"today": today.isoformat(), "days": msgspec.to_builtins(days)},
        share=preview_page(request, guest, "/practice", "Practice", PUZZLE),
    )


@get("/practice/{name:str}", include_in_schema=False)
async def puzzles_page(
    request: "Request[Any, Any, Any]", name: Annotated[str, Parameter(max_length=40)], guest: Guest
) -> Template:
    game = shelf_game(name)
    facts = next(each for each in facts_of(guest.lang, guest.root) if each.id == game.id)
    puzzles = [PuzzleFacts(puzzle.id, puzzle.difficulty) for puzzle in find_puzzles(game)]
    return render(
        "puzzles.html",
        guest,
        words=game.words(guest.lang),
        game=msgspec.to_builtins(facts),
        practice={"game": game.id, "puzzles": msgspec.to_builtins(puzzles)},
        share=preview_page(request, guest, f"/practice/{game.id}", "Puzzles", PUZZLES, game),
    )


@get("/daily", include_in_schema=False)
async def daily_page(request: "Request[Any, Any, Any]", guest: Guest, hall: Hall) -> Template:
    deals = await list_deals(hall.store, MOST_DAYS_OF_DEALS, time.time())
    days = await view_days(hall, deals, guest)
    share = preview_page(request, guest, "/daily", "Deals of the day", DEALS)
    return render("daily.html", guest, days=days, share=share)


@get("/deal/{deal:str}", include_in_schema=False)
async def deal_page(request: "Request[Any, Any, Any]", deal: DealId, guest: Guest, hall: Hall) -> Template:
    view = await view_deal(hall, deal, guest)
    game = GAMES.get(view.game)
    words = game.words(guest.lang) if game else Words(guest.lang)
    return render(
        "deal.html",
        guest,
        words=words,
        deal=view,
        called=name_deal(view, words),
        begun=words.count("{n} person", "{n} people", view.people),
        shared=write_share(view, words),
        share=preview_deal(request, guest, view, game or next(iter(GAMES.values()))),
    )
