"""Reviews: what each decision of a finished game was worth, as far as it is known by now."""

import msgspec
from litestar import Response, get

from mozaika.record import Record
from mozaika.reviewing import Decision, Player, Review
from mozaika.reviewing.graph import draw_graph, list_values
from mozaika.reviewing.tell import (
    MARK_NAMES,
    MEANINGS,
    sure_draws,
    tell_amount,
    tell_decision,
    tell_draw,
    tell_judge,
    tell_loss,
    tell_turning_points,
)
from mozaika.server.api.fields import TableId, find_table
from mozaika.server.guard import Limits
from mozaika.server.guests import Guest
from mozaika.table.hall import Hall
from mozaika.words import Words


class PlayerView(msgspec.Struct):
    seat: int
    name: str
    accuracy: int
    loss: str
    """What a decision lost in the mean, with its interval."""
    marks: dict[str, int]
    luck: str
    """In words; empty where it must not be added up."""
    rest: str


class MomentView(msgspec.Struct):
    """A moment in a sentence, with what each seat could expect there."""

    ply: int
    text: str
    mark: str = ""
    mark_name: str = ""
    seat: int = 0


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
    players: list[PlayerView] = []
    decisions: list[MomentView] = []
    """Those that are marked."""
    draws: list[MomentView] = []
    values: list[ValueView] = []
    """The course of the game for who reads: its ends, and where something was marked or drawn."""
    meanings: dict[str, str] = {}
    """What each number means, in a sentence."""


@get("/api/games/{table:str}/review", summary="What each decision of a finished game was worth")
async def see_review(table: TableId, guest: Guest, hall: Hall, limits: Limits) -> Response[ReviewView]:
    shared = await find_table(hall, table)
    limits.questions.check(guest)
    record, review = await hall.reviews.find(shared, guest.id, guest.address)
    words = record.game.words(guest.lang)
    view = ReviewView(0, 0) if review is None else _show(record, review, words)
    return Response(view, cookies=guest.cookies)


def _show(record: Record, review: Review, words: Words) -> ReviewView:
    states = list(record.states())
    return ReviewView(
        done=review.done,
        steps=review.steps,
        names=list(review.names),
        judge=tell_judge(review, words),
        graph=draw_graph(review, words, style=""),
        decisive=[MomentView(*told) for told in tell_turning_points(record, review, words)],
        players=[_show_player(review, player, words) for player in review.players],
        decisions=[
            _show_decision(tell_decision(record, states[each.ply], each, review, words), each, words)
            for each in review.decisions
            if each.mark
        ],
        draws=[MomentView(draw.ply, tell_draw(draw, review, words)) for draw in sure_draws(review)],
        values=[ValueView(each.ply, list(each.points), list(each.shares)) for each in list_values(review)],
        meanings={name: words.say(meaning) for name, meaning in MEANINGS.items()},
    )


def _show_decision(text: str, decision: Decision, words: Words) -> MomentView:
    return MomentView(decision.ply, text, decision.mark, words.say(MARK_NAMES[decision.mark]), decision.seat)


def _show_player(review: Review, player: Player, words: Words) -> PlayerView:
    lucky = review.luck_counts
    return PlayerView(
        seat=player.seat,
        name=player.name,
        accuracy=round(player.accuracy),
        loss=tell_loss(review, player, words),
        marks=player.marks,
        luck=tell_amount(review, player.luck, words) if lucky else "",
        rest=tell_amount(review, player.rest, words) if lucky else "",
    )


HANDLERS = (see_review,)
