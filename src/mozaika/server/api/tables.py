"""The shelf, and tables as a whole: open one, play on from another, ask for a rematch, find one's own."""

import secrets
from typing import Annotated

import msgspec
from litestar import Response, get, post
from litestar.params import Parameter

from mozaika.game import Game
from mozaika.games import find_game
from mozaika.kernel import new_random, swift_game
from mozaika.server.api.fields import Done, Key, Seq, TableId, find_table
from mozaika.server.facts import Facts, facts_of
from mozaika.server.guard import Limits
from mozaika.server.guests import Guest
from mozaika.store import StoreError
from mozaika.table import parting
from mozaika.table.again import plan_again
from mozaika.table.commands import Opening, name_command, name_opening
from mozaika.table.events import Occupant
from mozaika.table.hall import Hall
from mozaika.table.lessons import plan_lesson
from mozaika.table.outdated import Damaged, Outdated
from mozaika.table.plan import Plan, plan_game, read_options
from mozaika.table.rematch import plan_on, play_again
from mozaika.table.seating import Name, SeatWish, seat_all
from mozaika.table.shared import SharedTable
from mozaika.words import Translatable, Words

OptionText = Annotated[str, msgspec.Meta(max_length=8_000)]
Skip = Annotated[int, Parameter(ge=0, le=100_000, description="So many of the newest are left out.")]
AT_A_TIME = 30


class NewGame(msgspec.Struct, forbid_unknown_fields=True):
    """A new table; or with `from` and `ply`, one that plays on from a moment of another."""

    game: Name = ""
    """Its id, as in GET /api/games."""
    options: dict[Name, OptionText] = {}
    """Names and values of options, where they are not to be as usual."""
    seats: Annotated[list[SeatWish], msgspec.Meta(max_length=15)] = []
    """Who shall sit there, seat by seat."""
    seed: Name = ""
    """What draws are made from; without one it is drawn and kept secret until the end."""
    origin: Name = msgspec.field(default="", name="from")
    """The id of the table to play on from."""
    ply: Seq | None = None
    """At which moment of it: after so many moves and draws."""
    hints: bool | None = None
    """Whether hints and the evaluation are allowed; if not said, only without other people at the table."""
    lesson: Name = ""
    """The lesson that is to be taken, or `puzzle` and its id; only the name of the first seat matters."""
    again: bool = False
    """With `from` and `ply`: whether that decision, which a review has marked, is to be made once more."""
    practice: bool = False
    """A game that counts nowhere, with hints and undo."""


class OptionsWish(msgspec.Struct, forbid_unknown_fields=True):
    """Options that somebody is still writing."""

    game: Name
    """Its id, as in GET /api/games."""
    seats: Annotated[int, msgspec.Meta(ge=1, le=15)]
    """How many play."""
    options: dict[Name, OptionText] = {}
    """Names and values of options, where they are not to be as usual."""


class OptionsFound(msgspec.Struct):
    """What is wrong with options; or as they are kept, and the position that the game begins with."""

    detail: str | None
    options: dict[str, str] = {}
    position: str = ""


class Created(msgspec.Struct):
    id: str
    """The id of the table: what other addresses call {table}."""
    url: str
    """The page of the table."""
    link: str
    """The same with a secret: whoever opens it may sit down."""


class Forgotten(msgspec.Struct):
    """Whether the game was removed, because nobody else had a part in it."""

    removed: bool


class MyGame(msgspec.Struct):
    id: str
    url: str
    game: str
    name: str
    seats: list[str]
    over: bool
    yours: bool
    ply: int
    at: float
    outdated: bool = False
    """Begun under rules that are no longer played here: it cannot go on."""
    damaged: bool = False
    """What was kept of it cannot be read."""
    closed: bool = False
    """Closed by the operator: it cannot go on either."""
    practice: bool = False
    """Played to learn: it counts nowhere."""
    resigned: bool = False
    """Given up, and nobody else played there."""
    mine: list[int] = []
    """The seats of this browser, counted from 1."""
    others: bool = False
    """Whether other people play."""
    scores: list[int] = []
    ranks: list[int] = []
    """The points and places of the seats as they are now."""


@get("/api/games", summary="The games of the shelf")
async def list_games(guest: Guest) -> Response[list[Facts]]:
    return Response(facts_of(guest.lang, guest.root), cookies=guest.cookies)


@post("/api/games", summary="Open a table")
async def create_table(
    data: NewGame, key: Key, guest: Guest, hall: Hall, limits: Limits
) -> Response[Created]:
    limits.openings.check(guest)
    if data.again:
        limits.questions.check(guest)
    opening = name_opening(guest.secret, key, data)
    if not await hall.opened(opening, guest.id):
        plan = await (_plan_on if data.origin else _plan)(data, guest, hall)
        shared, _ = await hall.create(plan, opening)
        shared.address = guest.address
    return _created(opening, guest)


async def _plan(data: NewGame, guest: Guest, hall: Hall) -> Plan:
    game = find_game(data.game)
    words = game.words(guest.lang)
    if data.lesson:
        learner = _learner(game, data, guest)
        return await hall.readers.ask(guest.address, plan_lesson, game, data.lesson, learner, words)
    seats = seat_all(game, data.seats, guest.id, words)
    options = await hall.readers.ask(guest.address, read_options, game, len(seats), data.options, words)
    return plan_game(game, options, seats, guest.id, seed=data.seed, hints=data.hints, practice=data.practice)


async def _plan_on(data: NewGame, guest: Guest, hall: Hall) -> Plan:
    shared = await find_table(hall, data.origin, guest)
    if data.again:
        game = shared.table.game
        learner, words = _learner(game, data, guest), game.words(guest.lang)
        return await plan_again(hall, shared, data.ply, learner, guest.address, words)
    words, random = shared.table.game.words(guest.lang), new_random(secrets.randbits(62))
    return plan_on(shared, guest.id, data.ply, data.hints, words, random)


def _learner(game: Game, data: NewGame, guest: Guest) -> Occupant:
    me = SeatWish("me", data.seats[0].name if data.seats else "")
    return seat_all(game, [me], guest.id, game.words(guest.lang))[0]


def _created(opening: Opening, guest: Guest) -> Response[Created]:
    url = f"{guest.root}/t/{opening.id}"
    link = f"{url}#k={opening.link}" if opening.link else url
    return Response(Created(opening.id, url, link), status_code=201, cookies=guest.cookies)


@post("/api/games/{table:str}/rematch", summary="The same people once more, the seats moved on by one")
async def ask_rematch(
    table: TableId, key: Key, guest: Guest, hall: Hall, limits: Limits
) -> Response[Created]:
    limits.openings.check(guest)
    shared = await find_table(hall, table, guest)
    opening = name_opening(guest.secret, f"{key} after {table}")
    other = await play_again(hall, shared, guest.id, opening)
    # if somebody else was faster, they have the link
    return _created(opening if other == opening.id else Opening(other, ""), guest)


@post("/api/options", summary="Look whether a game can begin with these options", status_code=200)
async def check_options(
    data: OptionsWish, guest: Guest, hall: Hall, limits: Limits
) -> Response[OptionsFound]:
    limits.readings.check(guest)
    return Response(
        await hall.readers.ask(guest.address, _look_at_options, data, guest.lang), cookies=guest.cookies
    )


def _look_at_options(wish: OptionsWish, lang: str) -> OptionsFound:
    try:
        game = find_game(wish.game)
        options = read_options(game, wish.seats, wish.options, game.words(lang))
    except Translatable as error:
        return OptionsFound(error.said(Words(lang)))
    except ValueError as error:
        return OptionsFound(str(error))
    position = game.write_position(game.start(wish.seats, options))
    return OptionsFound(None, game.write_options(options), position)


@get("/api/games/mine", summary="The tables of this browser, the newest first, so many at a time")
async def my_games(guest: Guest, hall: Hall, skip: Skip = 0) -> Response[list[MyGame]]:
    names = await hall.store.games_of(guest.id, AT_A_TIME, skip)
    found = [await _find_mine(name, guest, hall) for name in names]
    return Response([game for game in found if game is not None], cookies=guest.cookies)


async def _find_mine(name: str, guest: Guest, hall: Hall) -> MyGame | None:
    try:
        shared = await hall.find(name)
    except Outdated as kept:
        return _show_outdated(kept, guest)
    except (Damaged, StoreError):
        return MyGame(name, f"{guest.root}/t/{name}", "", name, [], False, False, 0, 0.0, damaged=True)
    return None if shared is None or shared.course is not None else _show_game(shared, guest)


def _show_game(shared: SharedTable, guest: Guest) -> MyGame:
    table, game = shared.table, swift_game(shared.table.game)
    return MyGame(
        id=shared.header.id,
        url=f"{guest.root}/t/{shared.header.id}",
        game=table.game.id,
        name=table.game.title(guest.lang),
        seats=list(shared.names(table.game.words(guest.lang))),
        over=table.is_over or shared.header.told,
        yours=shared.closed is None and any(seat in shared.seats_of(guest.id) for seat in table.movers),
        ply=table.ply,
        at=shared.header.created,
        practice=shared.header.practice,
        closed=shared.closed is not None and not shared.resigned,
        resigned=shared.resigned,
        mine=[seat + 1 for seat in shared.seats_of(guest.id)],
        others=bool(shared.other_guests(guest.id)),
        scores=game.points(table.state),
        ranks=game.places(table.state),
    )


def _show_outdated(kept: Outdated, guest: Guest) -> MyGame:
    return MyGame(
        id=kept.header.id,
        url=f"{guest.root}/t/{kept.header.id}",
        game=kept.header.game,
        name=kept.title(guest.lang),
        seats=kept.names(Words(guest.lang)),
        over=False,
        yours=False,
        ply=len(kept.entries()),
        at=kept.header.created,
        outdated=True,
    )


@post(
    "/api/games/{table:str}/resign",
    summary="Give a game up: a bot plays on with the others; where nobody else plays it ends",
    status_code=200,
)
async def give_up(table: TableId, key: Key, guest: Guest, hall: Hall) -> Response[Done]:
    shared, command = await find_table(hall, table, guest), name_command(guest.id, key, "resign")
    seq = await parting.resign(shared, guest.id, shared.table.game.words(guest.lang), command)
    return Response(Done(seq), cookies=guest.cookies)


@post(
    "/api/games/{table:str}/forget",
    summary="Take a game from your list; it is removed when nobody else has a part in it",
    status_code=200,
)
async def forget_game(table: TableId, key: Key, guest: Guest, hall: Hall) -> Response[Forgotten]:
    """Who has forgotten has forgotten, whatever the key: the second time nothing changes."""
    return Response(Forgotten(await parting.forget(hall, table, guest.id)), cookies=guest.cookies)


HANDLERS = (list_games, create_table, ask_rematch, check_options, my_games, give_up, forget_game)
