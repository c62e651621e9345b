"""Advice: a hint, an evaluation, and what would have been possible."""

from typing import Annotated

import msgspec
from litestar import Response, get, post

from mozaika.sentence import Argument, Sentence
from mozaika.server.api.fields import Seq, ShapeName, TableId, find_table
from mozaika.server.guard import Limits
from mozaika.server.guests import Guest
from mozaika.server.views import Viewer, find_way
from mozaika.server.walks import Ways
from mozaika.state import CHANCE, WATCHER
from mozaika.table.advice import OtherAdvice, advise
from mozaika.table.hall import Hall
from mozaika.table.levels import short_name
from mozaika.table.shared import SharedTable
from mozaika.table.telling import address


class HintWish(msgspec.Struct, forbid_unknown_fields=True):
    seq: Seq
    """How much had happened at the table when you decided: that of the turn, or of a view. Else 409."""
    seat: Annotated[int, msgspec.Meta(ge=1, le=15)]
    """Which of your seats is to move, counted from 1."""
    shape: ShapeName = "wide"
    """For which form of the picture spots are named."""


class EvaluationWish(msgspec.Struct, forbid_unknown_fields=True):
    """About now, which is at a seq, or about a moment of before."""

    seq: Seq
    """How much had happened at the table when you decided: that of the turn, or of a view. Else 409."""
    ply: Annotated[int, msgspec.Meta(ge=0)] | None = None
    """After so many moves and draws; null is now."""


class Told(msgspec.Struct):
    """A sentence about a seat, counted from 1; 0 is nobody. Said to you it is a whole sentence."""

    seat: int
    text: str
    rule: str
    points: int
    to_you: bool


class OtherHint(msgspec.Struct):
    """Another move, and what the expert thinks of it beside the better one."""

    move: str
    way: Ways
    headline: str
    arguments: list[Argument]
    compared: str


class Hint(msgspec.Struct):
    """What the expert would play, and why."""

    seq: int
    seat: int
    bot: str
    move: str
    way: Ways
    """The walk of the move."""
    headline: str
    """What to do."""
    arguments: list[Argument]
    """What speaks for it and against it."""
    expects: str
    follows: list[Told]
    """What is likely to come after it."""
    other: OtherHint | None
    """The next best move, to compare."""
    shares: list[float]
    points: list[float]


class Evaluation(msgspec.Struct):
    """What each seat can expect: its share of the victory and its points, as far as the expert says so."""

    seq: int
    shares: list[float]
    points: list[float]


class Part(msgspec.Struct):
    """A part of a game: the points of each seat, and how many it could have had at least."""

    name: str
    made: list[int]
    possible: list[int]


@post(
    "/api/games/{table:str}/hint", summary="What the expert would play on your seat, and why", status_code=200
)
async def give_hint(
    table: TableId, data: HintWish, guest: Guest, hall: Hall, limits: Limits
) -> Response[Hint]:
    shared = await find_table(hall, table, guest)
    limits.questions.check(guest)
    seat, bot, view, thought = await hall.questions.give_hint(
        shared, guest.id, data.seat, data.seq, guest.address
    )
    game, words = shared.table.game, shared.table.game.words(guest.lang)
    said = advise(game, view, seat, thought, shared.names(words), words)
    viewer = Viewer(guest.id, admitted=True, lang=guest.lang, shape=data.shape)
    hint = Hint(
        seq=data.seq,
        seat=data.seat,
        bot=short_name(bot, words),
        move=said.move,
        way=find_way(shared, seat, thought.move, viewer),
        headline=said.headline,
        arguments=said.arguments,
        expects=said.expects,
        follows=_tell_following(shared, seat, said.follows, viewer),
        other=_tell_other(shared, seat, said.other, viewer) if said.other else None,
        shares=list(thought.shares),
        points=list(thought.points),
    )
    return Response(hint, cookies=guest.cookies)


def _tell_other(shared: SharedTable, seat: int, other: OtherAdvice, viewer: Viewer) -> OtherHint:
    return OtherHint(
        move=other.move,
        way=find_way(shared, seat, shared.table.game.parse_move(other.move), viewer),
        headline=other.headline,
        arguments=other.arguments,
        compared=other.compared,
    )


def _tell_following(shared: SharedTable, seat: int, told: list[Sentence], viewer: Viewer) -> list[Told]:
    """What may come, to you where it is about you: as in the log, that is nobody who has several seats."""
    you = seat if len(shared.seats_of(viewer.guest)) == 1 else WATCHER
    return [_told(said, to_you=to_you) for said, to_you in address(you, told)]


def _told(sentence: Sentence, *, to_you: bool) -> Told:
    seat = 0 if sentence.seat == CHANCE else sentence.seat + 1
    return Told(seat, sentence.text, sentence.rule, sentence.points, to_you)


@post(
    "/api/games/{table:str}/evaluate",
    summary="What each seat can expect, as far as you know",
    status_code=200,
)
async def evaluate(
    table: TableId, data: EvaluationWish, guest: Guest, hall: Hall, limits: Limits
) -> Response[Evaluation]:
    shared = await find_table(hall, table, guest)
    limits.questions.check(guest)
    thought = await hall.questions.evaluate(shared, guest.id, data.seq, data.ply, guest.address)
    found = Evaluation(data.seq, list(thought.shares), list(thought.points))
    return Response(found, cookies=guest.cookies)


@get("/api/games/{table:str}/hindsight", summary="What would have been possible in a finished game")
async def see_hindsight(table: TableId, guest: Guest, hall: Hall) -> Response[list[Part]]:
    shared = await find_table(hall, table, guest)
    words = shared.table.game.words(guest.lang)
    parts = await hall.questions.hindsight(shared, guest.address)
    found = [Part(part.name(words), part.made, part.possible) for part in parts]
    return Response(found, cookies=guest.cookies)


HANDLERS = (give_hint, evaluate, see_hindsight)
