"""Reviews: what each decision of a finished game was worth, as far as it is known by now."""

from dataclasses import replace

import msgspec
from litestar import Response, get

from mozaika.record import Record
from mozaika.reviewing import Decision, Review
from mozaika.reviewing.graph import draw_graph, list_values
from mozaika.reviewing.numbers import MARK_NAMES, list_sheets, tell_meanings
from mozaika.reviewing.tell import (
    tell_decision,
    tell_draws,
    tell_every_draw,
    tell_judge,
    tell_line,
    tell_played,
    tell_turning_points,
)
from mozaika.server.api.advice import Part
from mozaika.server.api.fields import TableId, find_table
from mozaika.server.guard import Limits
from mozaika.server.guests import Guest
from mozaika.state import State
from mozaika.table.hall import Hall
from mozaika.words import Words


class NumberView(msgspec.Struct):
    """A number of every player, and what it means."""

    name: str
    meaning: str
    cells: list[str]


class SheetView(msgspec.Struct):
    title: str
    rows: list[NumberView]


class MomentView(msgspec.Struct):
    """A moment in a sentence."""

    ply: int
    text: str
    mark: str = ""
    mark_name: str = ""
    seat: int = 0
    after: str = ""
    """What was likely after the better move."""
    played: str = ""
    """Only what was played, for who is to find what was better."""


class ValueView(msgspec.Struct):
    ply: int
    points: list[float]
    shares: list[float]


class ReviewView(msgspec.Struct):
    """As much of a review as is known: `done` of `steps`; 0 of 0 before anything is."""

    done: int
    steps: int
    names: list[str] = []
    judge: str = ""
    graph: str = ""
    """The course of the game as SVG."""
    decisive: list[MomentView] = []
    sheets: list[SheetView] = []
    """The numbers of all players, when all is known."""
    decisions: list[MomentView] = []
    """Those that are marked; when all is known, all that had a real choice."""
    draws: list[MomentView] = []
    """Those that surely changed something, in sentences."""
    every_draw: list[MomentView] = []
    """All of them with their luck, when all is known."""
    values: list[ValueView] = []
    """The course of the game for who reads: its ends, and where something was marked or drawn."""
    hindsight: list[Part] = []
    """What knowing all draws would have made possible."""
    meanings: dict[str, str] = {}
    """What the other numbers mean, in a sentence."""


@get("/api/games/{table:str}/review", summary="What each decision of a finished game was worth")
async def see_review(table: TableId, guest: Guest, hall: Hall, limits: Limits) -> Response[ReviewView]:
    shared = await find_table(hall, table, guest)
    limits.questions.check(guest)
    record, review = await hall.reviews.find(shared, guest.id, guest.address)
    view = ReviewView(0, 0)
    if review is not None:
        # bots are called as the reader calls them, as on the board beside it
        names = shared.names(record.game.words(guest.lang))
        told = replace(record, names=names), msgspec.structs.replace(review, names=names)
        view = await hall.readers.ask(guest.address, _show, *told, guest.lang)
    return Response(view, cookies=guest.cookies)


def _show(record: Record, review: Review, lang: str) -> ReviewView:
    states, words = list(record.states()), record.game.words(lang)
    whole = review.done == review.steps
    return ReviewView(
        done=review.done,
        steps=review.steps,
        names=list(review.names),
        judge=tell_judge(review, words),
        graph=draw_graph(review, words, style=""),
        decisive=[MomentView(*told) for told in tell_turning_points(record, review, words)],
        sheets=[
            SheetView(title, [NumberView(*row) for row in rows])
            for title, rows in (list_sheets(review, words) if whole else ())
        ],
        decisions=[
            _show_decision(record, states[each.ply], each, review, words)
            for each in review.decisions
            if each.mark or (whole and each.choices > 1)
        ],
        draws=[MomentView(*told) for told in tell_draws(record, review, words)],
        every_draw=[MomentView(*told) for told in (tell_every_draw(record, review, words) if whole else ())],
        values=[ValueView(each.ply, list(each.points), list(each.shares)) for each in list_values(review)],
        hindsight=[
            Part(words.say(each.sentence, **each.values), list(each.made), list(each.possible))
            for each in review.hindsight
        ],
        meanings=tell_meanings(review, words),
    )


def _show_decision(
    record: Record, state: State, decision: Decision, review: Review, words: Words
) -> MomentView:
    return MomentView(
        decision.ply,
        tell_decision(record, state, decision, review, words),
        decision.mark,
        words.say(MARK_NAMES[decision.mark]),
        decision.seat,
        tell_line(record, state, decision, words),
        tell_played(record, state, decision, review, words),
    )


HANDLERS = (see_review,)
