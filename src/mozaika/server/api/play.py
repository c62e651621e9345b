"""Moves: play one, take one back, ask why one is not possible."""

from typing import Annotated

import msgspec
from litestar import Response, get, post

from mozaika.server.api.fields import Done, Key, Seq, SeqWish, TableId, Text, find_table
from mozaika.server.guard import Limits
from mozaika.server.guests import Guest
from mozaika.table import lessons, takeback
from mozaika.table.again import asks_judge, weigh_try
from mozaika.table.commands import name_command
from mozaika.table.hall import Hall
from mozaika.table.questions import explain_move
from mozaika.table.seating import Name, own_seat


class MoveWish(msgspec.Struct, forbid_unknown_fields=True):
    seq: Seq
    """How much had happened at the table when you decided: that of the turn, or of a view. Else 409."""
    move: Text
    """As the game writes it; one of the legal moves of the turn."""
    seat: Annotated[int, msgspec.Meta(ge=1, le=15)]
    """Who moves, counted from 1."""


class StepWish(msgspec.Struct, forbid_unknown_fields=True):
    seq: Seq
    """How much had happened at the table when you decided: that of the turn, or of a view. Else 409."""
    step: Annotated[int, msgspec.Meta(ge=1, le=99)]
    """Which step of the lesson, counted from 1."""


class AnswerWish(msgspec.Struct, forbid_unknown_fields=True):
    seq: Seq
    """How much had happened at the table when you decided: that of the turn, or of a view. Else 409."""
    agree: bool
    """Whether the move may be taken back."""


class WhyWish(msgspec.Struct, forbid_unknown_fields=True):
    seat: Annotated[int, msgspec.Meta(ge=0, le=15)] = 0
    """Whose move it would be, counted from 1; 0 if you only watch."""
    move: Text = ""
    """As the game writes it; it is not looked at if there are `spots`."""
    spots: Annotated[list[Name], msgspec.Meta(max_length=16)] = []
    """The spots of the picture that were pointed at, one after the other."""


class Reason(msgspec.Struct):
    detail: str | None
    """A sentence; null if the move is possible."""
    rule: str | None = None
    """The paragraph of the rulebook that says so."""


@post("/api/games/{table:str}/moves", summary="Play a move", status_code=200)
async def play_move(
    table: TableId, data: MoveWish, key: Key, guest: Guest, hall: Hall, limits: Limits
) -> Response[Done]:
    done = await make_move(table, data, key, guest, hall, limits)
    return Response(done, cookies=guest.cookies)


async def make_move(table: str, data: MoveWish, key: str, guest: Guest, hall: Hall, limits: Limits) -> Done:
    """The same, whoever has read the request."""
    shared = await find_table(hall, table, guest)
    seat, command = own_seat(shared, guest.id, data.seat), name_command(guest.id, key, "move", data)
    shared.address = guest.address
    if asks_judge(shared):
        limits.questions.check(guest)
        await weigh_try(hall, shared, seat, data.move, guest.address, guest.lang)
    return Done(await shared.submit(seat, data.seq, command, data.move, guest.lang))


@post("/api/games/{table:str}/undo", summary="Take your last move back, or ask for it", status_code=200)
async def take_back(table: TableId, data: SeqWish, key: Key, guest: Guest, hall: Hall) -> Response[Done]:
    shared, command = await find_table(hall, table, guest), name_command(guest.id, key, "undo", data)
    seq, asked = await takeback.take_back(shared, guest.id, data.seq, command)
    return Response(Done(seq, asked), cookies=guest.cookies)


@post(
    "/api/games/{table:str}/undo/answer",
    summary="Agree to a move's being taken back, or refuse",
    status_code=200,
)
async def answer_undo(table: TableId, data: AnswerWish, key: Key, guest: Guest, hall: Hall) -> Response[Done]:
    shared, command = await find_table(hall, table, guest), name_command(guest.id, key, "answer", data)
    seq = await takeback.answer(shared, guest.id, data.seq, command, agree=data.agree)
    return Response(Done(seq), cookies=guest.cookies)


@post("/api/games/{table:str}/lesson", summary="Go to a step of a lesson", status_code=200)
async def go_to_step(table: TableId, data: StepWish, key: Key, guest: Guest, hall: Hall) -> Response[Done]:
    shared, command = await find_table(hall, table, guest), name_command(guest.id, key, "step", data)
    seq = await lessons.go_to_step(shared, guest.id, data.step, data.seq, command)
    return Response(Done(seq), cookies=guest.cookies)


@get("/api/games/{table:str}/solution", summary="What was to be found at the table of a puzzle")
async def see_solution(table: TableId, guest: Guest, hall: Hall) -> Response[lessons.Solution]:
    shared = await find_table(hall, table, guest)
    return Response(lessons.show_solution(shared, guest.id, guest.lang), cookies=guest.cookies)


@post("/api/games/{table:str}/why", summary="Why a move is not possible", status_code=200)
async def ask_why(table: TableId, data: WhyWish, guest: Guest, hall: Hall) -> Response[Reason]:
    shared = await find_table(hall, table, guest)
    words = shared.table.game.words(guest.lang)
    reason = explain_move(shared, guest.id, data.seat, data.move, data.spots, words)
    return Response(Reason(*reason), cookies=guest.cookies)


HANDLERS = (play_move, take_back, answer_undo, go_to_step, see_solution, ask_why)
