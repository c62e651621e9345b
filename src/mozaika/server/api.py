"""The API: moves by POST, news by server-sent events. The pages and bots of other people use the same."""

import asyncio
import re
import secrets
import zlib
from collections.abc import AsyncGenerator
from contextlib import aclosing
from functools import lru_cache
from typing import Annotated, Any, Literal

import msgspec
from litestar import Request, Response, Router, get, post
from litestar.datastructures import State as AppState
from litestar.params import HeaderParameter, Parameter
from litestar.response import Stream

from mozaika import chance
from mozaika.game import CHANCE, WATCHER, BadOption, Game, Options, Sentence
from mozaika.games import GAMES, find_game
from mozaika.kernel import never_waiting, new_random
from mozaika.record import Record, is_name
from mozaika.scene import write_svg
from mozaika.server.facts import Facts, facts_of
from mozaika.server.guard import Buckets
from mozaika.server.guests import Guest
from mozaika.server.problems import Problem
from mozaika.server.views import View, Viewer, build_view, find_ground, names_of, write_letters
from mozaika.store import Header
from mozaika.table import Table
from mozaika.table.advice import advise
from mozaika.table.commands import Opening, name_command, name_link, name_opening
from mozaika.table.hall import Hall
from mozaika.table.levels import adviser, short_name, usual_opponent
from mozaika.table.outdated import Outdated
from mozaika.table.shared import HOOK, NotAllowed, Occupant, SharedTable, Stale
from mozaika.words import Words, later

HEARTBEAT = 15.0
RECORD_LIMIT = 1 << 20
PICTURE_HEADERS = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"}
"""A picture brings its own style, and nothing else."""

Text = Annotated[str, msgspec.Meta(max_length=200)]
OptionText = Annotated[str, msgspec.Meta(max_length=8_000)]
Name = Annotated[str, msgspec.Meta(max_length=40)]
Seq = Annotated[int, msgspec.Meta(ge=0, le=1 << 40)]
TableId = Annotated[str, Parameter(max_length=24, description="The id of a table.")]
SeatNumber = Annotated[int, Parameter(ge=1, le=15, description="A seat, counted from 1.")]
ShapeName = Literal["wide", "tall"]
Ply = Annotated[int | None, Parameter(ge=0, le=100_000)]
Key = Annotated[
    str,
    HeaderParameter(
        name="Idempotency-Key",
        min_length=8,
        max_length=64,
        description="Sent twice, it is done once; a new change needs a new key.",
    ),
]


class SeatWish(msgspec.Struct, forbid_unknown_fields=True):
    """Who shall sit on a seat: me, someone on this screen, a bot, or whoever opens the link."""

    kind: Literal["me", "screen", "bot", "open"]
    name: Name = ""
    bot: Name = ""


class NewGame(msgspec.Struct, forbid_unknown_fields=True):
    """A new table; or with `origin` and `ply`, one that plays on from a moment of another."""

    game: Name = ""
    options: dict[Name, OptionText] = {}
    seats: Annotated[list[SeatWish], msgspec.Meta(max_length=15)] = []
    seed: Name = ""
    origin: Name = msgspec.field(default="", name="from")
    ply: Seq | None = None
    hints: bool | None = None
    """Whether hints and the evaluation are allowed; if not said, only without other people at the table."""


class OptionsWish(msgspec.Struct, forbid_unknown_fields=True):
    """Options that somebody is still writing."""

    game: Name
    seats: Annotated[int, msgspec.Meta(ge=1, le=15)]
    options: dict[Name, OptionText] = {}


class OptionsFound(msgspec.Struct):
    """What is wrong with options; or as they are kept, and the position that the game begins with."""

    detail: str | None
    options: dict[str, str] = {}
    position: str = ""


class Created(msgspec.Struct):
    id: str
    url: str
    link: str


class Link(msgspec.Struct):
    link: str


class MoveWish(msgspec.Struct, forbid_unknown_fields=True):
    seq: Seq
    move: Text
    seat: Annotated[int, msgspec.Meta(ge=1, le=15)]


class HintWish(msgspec.Struct, forbid_unknown_fields=True):
    seq: Seq
    seat: Annotated[int, msgspec.Meta(ge=1, le=15)]


class SeqWish(msgspec.Struct, forbid_unknown_fields=True):
    seq: Seq


class AnswerWish(msgspec.Struct, forbid_unknown_fields=True):
    seq: Seq
    agree: bool


class Token(msgspec.Struct, forbid_unknown_fields=True):
    token: Name


class SeatChange(msgspec.Struct, forbid_unknown_fields=True):
    action: Literal["sit", "leave", "bot", "back"]
    name: Name = ""
    bot: Name = ""


class HookWish(msgspec.Struct, forbid_unknown_fields=True):
    url: Text


class WhyWish(msgspec.Struct, forbid_unknown_fields=True):
    seat: Annotated[int, msgspec.Meta(ge=0, le=15)] = 0
    move: Text = ""
    spots: Annotated[list[Name], msgspec.Meta(max_length=16)] = []


class Done(msgspec.Struct):
    seq: int
    asked: bool = False


class Told(msgspec.Struct):
    """A sentence about a seat, counted from 1; 0 is nobody."""

    seat: int
    text: str
    rule: str
    points: int


class Hint(msgspec.Struct):
    """What the expert would play, and why."""

    seq: int
    seat: int
    bot: str
    move: str
    spots: list[str]
    """The walk of the move."""
    headline: str
    does: list[Told]
    """What the move does at once: the points it counts on."""
    expects: str
    follows: list[Told]
    """What is likely to come after it."""
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


class Reason(msgspec.Struct):
    detail: str | None
    rule: str | None = None


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


class Verified(msgspec.Struct):
    ok: bool
    faults: list[str]
    game: str
    moves: int


QUICK_BOT = "greedy"
"""Who plays the pictures of the shelf."""

openings = Buckets(burst=30, per_second=1 / 20)
questions = Buckets(burst=20, per_second=2)


async def find_table(hall: Hall, table: str) -> SharedTable:
    live = await hall.find(table)
    if live is None:
        raise Problem(404, later("There is no such table."))
    return live


def shelf_game(name: str) -> Game:
    """The game of an address."""
    if name not in GAMES:
        raise Problem(404, later("There is no such game on the shelf."))
    return GAMES[name]


@get("/api/games", summary="The games of the shelf")
async def list_games(guest: Guest) -> Response[list[Facts]]:
    return Response(facts_of(guest.lang), cookies=guest.cookies)


@post("/api/games", summary="Open a table")
async def create_table(data: NewGame, key: Key, guest: Guest, hall: Hall) -> Response[Created]:
    if wait := openings.wait_for(guest.id):
        raise Problem(
            429, later("You have opened many tables; wait a moment."), {"Retry-After": str(int(wait) + 1)}
        )
    opening = name_opening(guest.secret, key, data)
    if await hall.opened(opening, guest.id):
        return _created(opening, guest)
    if data.origin:
        await _create_from(data, guest, hall, opening)
    else:
        game = find_game(data.game)
        seats = _occupants(game, data.seats, guest)
        options = await hall.readers.ask(_read_options, game, len(seats), data.options, guest)
        if data.seed and any(occupant.kind == "open" for occupant in seats):
            raise Problem(422, later("Among several people nobody chooses the seed."))
        await hall.create(
            *(game.id, options, seats, guest.id), seed=data.seed, hints=data.hints, opening=opening
        )
    return _created(opening, guest)


def _created(opening: Opening, guest: Guest) -> Response[Created]:
    url = f"/t/{opening.id}"
    return Response(
        Created(opening.id, url, f"{url}#k={opening.link}"), status_code=201, cookies=guest.cookies
    )


def _read_options(game: Game, seats: int, given: dict[str, str], guest: Guest) -> Options:
    """Options that a game can begin with; a Problem in the guest's language if there is none."""
    try:
        options = game.read_options(given)
        game.start(seats, options)
    except BadOption as error:
        raise Problem(422, error.said(game.words(guest.lang))) from None
    return options


@post("/api/options", summary="Look whether a game can begin with these options", status_code=200)
async def check_options(data: OptionsWish, guest: Guest, hall: Hall) -> Response[OptionsFound]:
    return Response(await hall.readers.ask(_look_at_options, data, guest), cookies=guest.cookies)


def _look_at_options(wish: OptionsWish, guest: Guest) -> OptionsFound:
    game = find_game(wish.game)
    try:
        options = _read_options(game, wish.seats, wish.options, guest)
    except (Problem, ValueError) as error:
        return OptionsFound(str(error))
    position = game.write_position(game.start(wish.seats, options))
    return OptionsFound(None, game.write_options(options), position)


async def _create_from(data: NewGame, guest: Guest, hall: Hall, opening: Opening) -> None:
    live = await find_table(hall, data.origin)
    ply = live.table.ply if data.ply is None else data.ply
    state, game = live.table.state_at(ply), live.table.game
    mine = live.seats_of(guest.id)
    seats = list(live.seats)
    for seat, occupant in enumerate(seats):
        if occupant.kind != "bot" and seat not in mine:
            seats[seat] = _bot(game, usual_opponent(game), guest, seats)
    if not mine:
        seats[0] = Occupant("person", "P1", guest.id)
    if live.keeps_secrets_from(guest.id):
        seat = mine[0] if mine else WATCHER
        state = game.guess(game.hide(state, seat), seat, new_random(secrets.randbits(62)))
    position = game.write_position(state)
    options = game.read_options(game.options_of(state))
    # nobody asks at a second table what the first one does not allow
    hints = data.hints if live.gives_hints or live.table.is_over else False
    await hall.create(*(game.id, options, seats, guest.id), position=position, hints=hints, opening=opening)


def _occupants(game: Game, wishes: list[SeatWish], guest: Guest) -> list[Occupant]:
    occupants: list[Occupant] = []
    for number, wish in enumerate(wishes, 1):
        name = _read_name(wish.name, number)
        match wish.kind:
            case "me" | "screen":
                occupants.append(Occupant("person", name, guest.id))
            case "bot":
                occupants.append(_bot(game, wish.bot, guest, occupants))
            case "open":
                occupants.append(Occupant("open"))
    return occupants


def _bot(game: Game, bot: str, guest: Guest, others: list[Occupant]) -> Occupant:
    """A bot under the name of its level, numbered if there is another of that name."""
    if bot not in game.bots:
        raise Problem(422, f"{game.name} has the bots {', '.join(game.bots)}, not {bot!r}.")
    level = short_name(bot, game.words(guest.lang))
    names = {occupant.name for occupant in others}
    name = next(name for n in range(1, 20) if (name := level if n == 1 else f"{level} {n}") not in names)
    return Occupant("bot", name, bot=bot)


def _read_name(name: str, number: int) -> str:
    name = " ".join(name.split())
    if name and not is_name(name):
        raise Problem(422, later("A name is one line without “/”."))
    return name or f"P{number}"


@get("/api/games/mine", summary="The tables of this browser")
async def my_games(guest: Guest, hall: Hall) -> Response[list[MyGame]]:
    found = [await _my_game(name, guest, hall) for name in await hall.store.games_of(guest.id, 30)]
    return Response([game for game in found if game is not None], cookies=guest.cookies)


async def _my_game(name: str, guest: Guest, hall: Hall) -> MyGame | None:
    try:
        live = await hall.find(name)
    except Outdated as kept:
        return MyGame(
            id=name,
            url=f"/t/{name}",
            game=kept.header.game,
            name=kept.name,
            seats=kept.names(Words(guest.lang).say("free seat")),
            over=False,
            yours=False,
            ply=len(kept.entries()),
            at=kept.header.created,
            outdated=True,
        )
    if live is None:
        return None
    table = live.table
    return MyGame(
        id=name,
        url=f"/t/{name}",
        game=table.game.id,
        name=table.game.name,
        seats=list(names_of(live, table.game.words(guest.lang))),
        over=table.is_over,
        yours=any(seat in live.seats_of(guest.id) for seat in table.movers),
        ply=table.ply,
        at=live.header.created,
    )


async def _viewer(hall: Hall, live: SharedTable, guest: Guest, shape: ShapeName) -> Viewer:
    return Viewer(
        guest.id, await hall.is_admitted(live, guest.id), guest.lang, shape, hall.caller is not None
    )


@get("/api/games/{table:str}/view", summary="What you see of a table, now or at a ply")
async def see_table(
    table: TableId,
    guest: Guest,
    hall: Hall,
    shape: ShapeName = "wide",
    ply: Ply = None,
) -> Response[View]:
    live = await find_table(hall, table)
    view = build_view(live, await _viewer(hall, live, guest, shape), ply)
    return Response(view, cookies=guest.cookies, headers={"Cache-Control": "no-store"})


@get("/api/games/{table:str}/letters", summary="What you see of a table, in letters", media_type="text/plain")
async def see_letters(
    table: TableId,
    guest: Guest,
    hall: Hall,
    ply: Annotated[int | None, Parameter(ge=0, le=100_000)] = None,
) -> Response[str]:
    live = await find_table(hall, table)
    text = write_letters(live, await _viewer(hall, live, guest, "wide"), ply)
    headers = {"Cache-Control": "no-store"}
    return Response(text, media_type="text/plain", cookies=guest.cookies, headers=headers)


@get(
    "/api/games/{table:str}/events",
    summary="News of a table as server-sent events",
    media_type="text/event-stream",
)
async def watch_table(
    request: "Request[Any, Any, Any]",
    table: TableId,
    guest: Guest,
    hall: Hall,
    app_state: AppState,
    shape: ShapeName = "wide",
) -> Stream:
    live = await find_table(hall, table)
    viewer = await _viewer(hall, live, guest, shape)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no", "Vary": "Accept-Encoding"}
    news = _tell_news(hall, live, viewer, app_state.closing)
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        headers["Content-Encoding"] = "gzip"
        news = _zip(news)
    return Stream(news, media_type="text/event-stream", headers=headers, cookies=guest.cookies)


async def _zip(news: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    """Each piece of news compressed and sent at once; the small window keeps a stream small."""
    zipper = zlib.compressobj(1, zlib.DEFLATED, 16 + 12, 5)
    async with aclosing(news):
        async for each in news:
            yield zipper.compress(each) + zipper.flush(zlib.Z_SYNC_FLUSH)
    yield zipper.flush()


async def _tell_news(
    hall: Hall, live: SharedTable, viewer: Viewer, closing: asyncio.Event
) -> AsyncGenerator[bytes, None]:
    """The newest view whenever there is one; a slow viewer misses those between, never the last."""
    changed = asyncio.Event()
    changed.set()
    live.watchers.add(changed)
    live.online[viewer.guest] = live.online.get(viewer.guest, 0) + 1
    live.show()
    seen = 0
    try:
        while not closing.is_set():
            try:
                await asyncio.wait_for(changed.wait(), HEARTBEAT)
            except TimeoutError:
                yield b"event: beat\ndata: {}\n\n"
                continue
            if closing.is_set():
                break
            changed.clear()
            if not viewer.admitted and await hall.is_admitted(live, viewer.guest):
                viewer = msgspec.structs.replace(viewer, admitted=True)
            view = build_view(live, viewer, seen=seen)
            seen = view.seq
            yield b"event: view\nid: %d\ndata: %s\n\n" % (view.seq, msgspec.json.encode(view))
        yield b"event: bye\ndata: {}\n\n"
    finally:
        live.watchers.discard(changed)
        live.online[viewer.guest] -= 1
        if not live.online[viewer.guest]:
            del live.online[viewer.guest]
        live.show()


def _own_seat(live: SharedTable, guest: Guest, seat: int) -> int:
    if seat - 1 not in live.seats_of(guest.id):
        raise NotAllowed(later("You do not sit on this seat."))
    if live.seats[seat - 1].kind == "bot":
        raise NotAllowed(later("A bot plays for you; take the seat back first."))
    return seat - 1


@post("/api/games/{table:str}/moves", summary="Play a move", status_code=200)
async def play_move(table: TableId, data: MoveWish, key: Key, guest: Guest, hall: Hall) -> Response[Done]:
    live = await find_table(hall, table)
    seat = _own_seat(live, guest, data.seat)
    command = name_command(guest.id, key, "move", data)
    seq = await hall.submit(live, seat, data.seq, command, data.move, guest.lang)
    return Response(Done(seq), cookies=guest.cookies)


@post("/api/games/{table:str}/undo", summary="Take your last move back, or ask for it", status_code=200)
async def take_back(table: TableId, data: SeqWish, key: Key, guest: Guest, hall: Hall) -> Response[Done]:
    live = await find_table(hall, table)
    seq, asked = await live.take_back(guest.id, data.seq, name_command(guest.id, key, "undo", data))
    hall.wake_bots(live)
    return Response(Done(seq, asked), cookies=guest.cookies)


@post(
    "/api/games/{table:str}/undo/answer",
    summary="Agree to a move's being taken back, or refuse",
    status_code=200,
)
async def answer_undo(table: TableId, data: AnswerWish, key: Key, guest: Guest, hall: Hall) -> Response[Done]:
    live = await find_table(hall, table)
    command = name_command(guest.id, key, "answer", data)
    seq = await live.answer(guest.id, data.seq, command, agree=data.agree)
    hall.wake_bots(live)
    return Response(Done(seq), cookies=guest.cookies)


@post("/api/games/{table:str}/enter", summary="Show the secret of the link", status_code=204)
async def enter_table(table: TableId, data: Token, key: Key, guest: Guest, hall: Hall) -> Response[None]:
    """Who has entered has entered, whatever the key: the second time nothing changes."""
    live = await find_table(hall, table)
    await hall.enter(live, guest.id, data.token)
    live.show()
    return Response(None, status_code=204, cookies=guest.cookies)


@post("/api/games/{table:str}/link", summary="A link that lets people sit down")
async def make_link(table: TableId, key: Key, guest: Guest, hall: Hall) -> Response[Link]:
    live = await find_table(hall, table)
    if not await hall.is_admitted(live, guest.id):
        raise NotAllowed(later("Ask for the link to sit down at this table."))
    link = name_link(guest.secret, table, key)
    await hall.make_link(live, link, name_command(guest.id, key, "link"))
    return Response(Link(f"/t/{table}#k={link}"), status_code=201, cookies=guest.cookies)


@post(
    "/api/games/{table:str}/seats/{seat:int}",
    summary="Sit down, leave, hand over to a bot and back",
    status_code=200,
)
async def change_seat(
    table: TableId, seat: SeatNumber, data: SeatChange, key: Key, guest: Guest, hall: Hall
) -> Response[Done]:
    live = await find_table(hall, table)
    if seat > len(live.seats):
        raise Problem(404, f"There are the seats 1 to {len(live.seats)}.")
    if not await hall.is_admitted(live, guest.id):
        raise NotAllowed(later("Ask for the link to sit down at this table."))
    command = name_command(guest.id, key, "seat", seat, data)
    seq = await live.sit(seat - 1, lambda sitting: _seat_change(live, sitting, seat, data, guest), command)
    hall.wake_bots(live)
    return Response(Done(seq), cookies=guest.cookies)


def _seat_change(live: SharedTable, sitting: Occupant, seat: int, wish: SeatChange, guest: Guest) -> Occupant:
    mine = sitting.guest == guest.id and sitting.kind == "person"
    match wish.action:
        case "sit" if sitting.kind == "open" or (sitting.kind == "bot" and sitting.guest == ""):
            if sitting.kind == "bot" and guest.id != live.header.owner:
                raise NotAllowed(later("A bot plays here; only the table's owner may send it away."))
            return Occupant("person", _read_name(wish.name, seat), guest.id)
        case "leave" if mine:
            return Occupant("open")
        case "bot" if mine or (sitting.kind == "open" and guest.id == live.header.owner):
            bot = _bot(live.table.game, wish.bot or usual_opponent(live.table.game), guest, live.seats)
            # the person's name and secret stay, so that only they can come back
            return msgspec.structs.replace(bot, guest=guest.id if mine else "", name=sitting.name or bot.name)
        case "back" if sitting.kind == "bot" and sitting.guest == guest.id:
            return Occupant("person", sitting.name, guest.id)
    raise NotAllowed(later("That cannot be done with this seat now."))


@post(
    "/api/games/{table:str}/seats/{seat:int}/hook",
    summary="An address to call when it is your turn; an empty one ends it",
    status_code=200,
)
async def set_hook(
    table: TableId, seat: SeatNumber, data: HookWish, key: Key, guest: Guest, hall: Hall
) -> Response[Done]:
    live = await find_table(hall, table)
    own = _own_seat(live, guest, seat)
    if hall.caller is None:
        raise Problem(403, later("This server does not call other addresses."))
    if data.url and not re.fullmatch(r"https?://[^\s]+", data.url):
        raise Problem(422, later("An address begins with http:// or https://."))
    seq = await live.announce(HOOK, data.url, own, name_command(guest.id, key, "hook", seat, data))
    return Response(Done(seq), cookies=guest.cookies)


@post("/api/games/{table:str}/rematch", summary="The same people once more, the seats moved on by one")
async def play_again(table: TableId, key: Key, guest: Guest, hall: Hall) -> Response[Created]:
    live = await find_table(hall, table)
    if not live.seats_of(guest.id):
        raise NotAllowed(later("Only who has played can ask for a rematch."))
    if not live.table.is_over:
        raise Problem(409, later("The game is not over yet."))
    opening = name_opening(guest.secret, f"{key} after {table}")
    other = await hall.play_again(live, guest.id, opening)
    if other != opening.id:  # somebody else was faster, and has the link
        return Response(Created(other, f"/t/{other}", f"/t/{other}"), status_code=201, cookies=guest.cookies)
    return _created(opening, guest)


@post("/api/games/{table:str}/why", summary="Why a move is not possible", status_code=200)
async def ask_why(table: TableId, data: WhyWish, guest: Guest, hall: Hall) -> Response[Reason]:
    live = await find_table(hall, table)
    game = live.table.game
    seat = data.seat - 1 if data.seat - 1 in live.seats_of(guest.id) else WATCHER
    view = game.hide(live.table.state, seat)
    try:
        move = game.move_along(tuple(data.spots)) if data.spots else game.parse_move(data.move)
    except ValueError:
        return Response(Reason(game.words(guest.lang).say("There is no such move.")), cookies=guest.cookies)
    if seat != WATCHER and move in game.legal_moves(view, seat):
        return Response(Reason(None), cookies=guest.cookies)
    reason = Reason(*game.refuse(view, seat, move, game.words(guest.lang)))
    return Response(reason, cookies=guest.cookies)


def _check_question(live: SharedTable, guest: Guest) -> None:
    """Whether this guest may ask what is good at this table now."""
    if not live.gives_hints:
        raise NotAllowed(
            later("There are no hints at this table, because other people play or its owner wants none.")
        )
    if live.table.is_over:
        raise Problem(409, later("The game is over."))
    if wait := questions.wait_for(guest.id):
        raise Problem(429, later("You have asked a lot; wait a moment."), {"Retry-After": str(int(wait) + 1)})


@post(
    "/api/games/{table:str}/hint", summary="What the expert would play on your seat, and why", status_code=200
)
async def give_hint(table: TableId, data: HintWish, guest: Guest, hall: Hall) -> Response[Hint]:
    live = await find_table(hall, table)
    seat = _own_seat(live, guest, data.seat)
    _check_question(live, guest)
    if not live.is_fresh(seat, data.seq):
        raise Stale(live.seq)
    if seat not in live.table.movers:
        raise Problem(409, later("It is not your turn."))
    game, words = live.table.game, live.table.game.words(guest.lang)
    view = game.hide(live.table.state, seat)
    thought = await hall.think(game, view, seat)
    if not live.is_fresh(seat, data.seq):
        raise Stale(live.seq)
    bot = adviser(game)
    said = advise(game, bot, view, seat, thought, words)
    walks = game.scene(view, seat, names_of(live, words), words, "wide").walks
    hint = Hint(
        seq=data.seq,
        seat=data.seat,
        bot=short_name(bot, words),
        move=said.move,
        spots=next((list(walk.spots) for walk in walks if walk.move == said.move), []),
        headline=said.headline,
        does=[_told(sentence) for sentence in said.does],
        expects=said.expects,
        follows=[_told(sentence) for sentence in said.follows],
        shares=list(thought.shares),
        points=list(thought.points),
    )
    return Response(hint, cookies=guest.cookies)


def _told(sentence: Sentence) -> Told:
    seat = 0 if sentence.seat == CHANCE else sentence.seat + 1
    return Told(seat, sentence.text, sentence.rule, sentence.points)


@post(
    "/api/games/{table:str}/evaluate",
    summary="What each seat can expect, as far as you know",
    status_code=200,
)
async def evaluate(table: TableId, data: SeqWish, guest: Guest, hall: Hall) -> Response[Evaluation]:
    live = await find_table(hall, table)
    _check_question(live, guest)
    # several people on one screen have secrets from each other
    mine = live.seats_of(guest.id)
    viewer = mine[0] if len(mine) == 1 else WATCHER
    if data.seq != live.seq or (thought := await hall.evaluate(live, viewer)) is None:
        raise Stale(live.seq)
    found = Evaluation(data.seq, list(thought.shares), list(thought.points))
    return Response(found, cookies=guest.cookies)


@get("/api/games/{table:str}/hindsight", summary="What would have been possible in a finished game")
async def look_back(table: TableId, guest: Guest, hall: Hall) -> Response[list[Part]]:
    live = await find_table(hall, table)
    game, seen = live.table.game, live.table
    if game.look_back is None or not seen.is_over:
        raise Problem(409, later("What would have been possible is known only after some games."))
    words, start = game.words(guest.lang), seen.state_at(0)
    parts = await asyncio.to_thread(game.look_back, start, seen.entries, words)
    return Response([Part(*part) for part in parts], cookies=guest.cookies)


@get("/api/games/{table:str}/record", summary="The game as a record", media_type="text/plain")
async def see_record(table: TableId, guest: Guest, hall: Hall) -> Response[str]:
    try:
        live = await find_table(hall, table)
    except Outdated as kept:
        return _send_record(kept.record(), kept.header)
    if live.keeps_secrets_from(guest.id):
        raise Problem(409, later("This game has secrets; its record can be read when it is over."))
    record = live.table.record()
    record.names = names_of(live, live.table.game.words())
    return _send_record(record.write(), live.header)


def _send_record(text: str, header: Header) -> Response[str]:
    name = f'attachment; filename="{header.game}-{header.id}.txt"'
    return Response(text, media_type="text/plain", headers={"Content-Disposition": name})


@get("/api/games/{table:str}/picture.svg", summary="A moment as a picture", media_type="image/svg+xml")
async def see_picture(
    table: TableId,
    guest: Guest,
    hall: Hall,
    shape: ShapeName = "wide",
    theme: Literal["auto", "light", "dark"] = "auto",
    ply: Ply = None,
) -> Response[str]:
    live = await find_table(hall, table)
    game, words = live.table.game, live.table.game.words(guest.lang)
    state = live.table.state_at(live.table.ply if ply is None else ply)
    scene = game.scene(game.hide(state, WATCHER), WATCHER, names_of(live, words), words, shape)
    return Response(write_svg(scene, theme), media_type="image/svg+xml", headers=PICTURE_HEADERS)


@get(
    "/api/games/{table:str}/ground/{name:str}",
    summary="What never changes of a scene",
    media_type="image/svg+xml",
)
async def see_ground(
    table: TableId,
    name: Annotated[str, Parameter(max_length=40)],
    guest: Guest,
    hall: Hall,
    shape: ShapeName = "wide",
    words: Literal["en", "pl", "de"] = "en",
    ply: Ply = None,
) -> Response[str]:
    live = await find_table(hall, table)
    text = find_ground(live, Viewer(guest.id, False, words, shape), name.removesuffix(".svg"), ply)
    if text is None:
        raise Problem(404, later("There is no such picture."))
    headers = {"Cache-Control": "public, max-age=31536000, immutable", **PICTURE_HEADERS}
    return Response(text, media_type="image/svg+xml", headers=headers)


@get("/api/position.svg", summary="Any position as a picture", media_type="image/svg+xml")
async def see_position(
    guest: Guest,
    hall: Hall,
    position: Annotated[str, Parameter(max_length=8000, description="A position of a game.")],
    shape: ShapeName = "wide",
) -> Response[str]:
    picture = await hall.readers.ask(_draw_position, position, guest.lang, shape)
    return Response(picture, media_type="image/svg+xml", headers=PICTURE_HEADERS)


def _draw_position(position: str, lang: str, shape: ShapeName) -> str:
    return Table.from_position(position, draws="told", lang=lang).svg(shape=shape)


@get("/api/picture/{name:str}", summary="A picture of a game in play", media_type="image/svg+xml")
async def see_sample(
    name: Annotated[str, Parameter(max_length=40)], guest: Guest, hall: Hall
) -> Response[str]:
    game = shelf_game(name.removesuffix(".svg"))
    picture = await hall.readers.ask(sample_picture, game.id, guest.lang)
    return Response(picture, media_type="image/svg+xml", headers=PICTURE_HEADERS)


@lru_cache
@never_waiting()
def sample_picture(name: str, lang: str) -> str:
    """A game after a few moves."""
    table = Table(name, seed="shelf", lang=lang)
    for ply in range(14):
        if table.is_over:
            break
        seat = table.movers[0]
        moves = table.legal_moves(seat)
        any_of_them = moves[chance.number_below("shelf", ply, len(moves))]
        table.play(table.ask(QUICK_BOT, seat) if QUICK_BOT in table.game.bots else any_of_them, seat)
    return table.svg(0)


@post(
    "/api/verify",
    summary="Check a record, sent as plain text",
    status_code=200,
    request_max_body_size=RECORD_LIMIT,
)
async def verify_record(request: "Request[Any, Any, Any]", guest: Guest, hall: Hall) -> Response[Verified]:
    try:
        text = (await request.body()).decode("utf-8")
    except UnicodeDecodeError:
        raise Problem(422, later("A record is a text in UTF-8.")) from None
    return Response(await hall.readers.ask(_verify, text, guest.lang), cookies=guest.cookies)


def _verify(text: str, lang: str) -> Verified:
    record = Record.read(text, lang)
    faults = record.verify(lang=lang)
    return Verified(not faults, faults, record.game.name, len(record.entries))


api = Router(
    "/",
    route_handlers=[
        *(
            list_games,
            create_table,
            check_options,
            my_games,
            see_table,
            see_letters,
            watch_table,
            play_move,
            take_back,
            answer_undo,
        ),
        *(
            enter_table,
            make_link,
            change_seat,
            play_again,
            ask_why,
            give_hint,
            evaluate,
            look_back,
            see_record,
            see_picture,
            see_ground,
            see_sample,
            see_position,
            set_hook,
        ),
        verify_record,
    ],
    tags=["table"],
)
