"""Pictures: a moment of a table, what never changes of it, any position, a game in play."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, partial
from typing import Annotated, Any, Literal

from litestar import Response, get
from litestar.params import Parameter

from mozaika import chance
from mozaika.game import Game
from mozaika.games import find_game
from mozaika.kernel import never_waiting
from mozaika.scene import NO_AREA, NoSuchArea, Shape, split_part, write_svg
from mozaika.server.api.fields import Ply, ShapeName, TableId, find_table, shelf_game
from mozaika.server.guard import Limits
from mozaika.server.guests import Guest
from mozaika.server.painting import paint_card, paint_view
from mozaika.server.problems import Problem
from mozaika.server.views import Viewer, find_ground
from mozaika.state import WATCHER, State
from mozaika.table import Table
from mozaika.table.hall import Hall
from mozaika.words import later

PICTURE_HEADERS = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"}
"""A picture brings its own style, and nothing else."""

QUICK_BOT = "greedy"
"""Who plays the pictures of the shelf."""


@get("/api/games/{table:str}/picture.svg", summary="A moment as a picture", media_type="image/svg+xml")
async def see_picture(
    table: TableId,
    guest: Guest,
    hall: Hall,
    shape: ShapeName = "wide",
    theme: Literal["auto", "light", "dark"] = "auto",
    ply: Ply = None,
) -> Response[str]:
    shared = await find_table(hall, table, guest)
    game, words = shared.table.game, shared.table.game.words(guest.lang)
    state = shared.table.state_at(shared.table.ply if ply is None else ply)
    scene = game.scene(game.hide(state, WATCHER), WATCHER, shared.names(words), words, shape)
    return Response(write_svg(scene, theme), media_type="image/svg+xml", headers=PICTURE_HEADERS)


@get("/api/games/{table:str}/picture.png", summary="A moment as a PNG", media_type="image/png")
async def see_painting(
    table: TableId,
    guest: Guest,
    hall: Hall,
    limits: Limits,
    shape: ShapeName = "wide",
    theme: Literal["light", "dark"] = "light",
    ply: Ply = None,
    card: Annotated[bool, Parameter(description="As previews of links show it, 1200 × 630 pixels.")] = False,
) -> Response[bytes]:
    limits.pictures.check(guest)
    shared = await find_table(hall, table, guest)
    game = shared.table.game
    state = shared.table.state_at(shared.table.ply if ply is None else ply)
    view, names = game.hide(state, WATCHER).tobytes(), shared.names(game.words(guest.lang))
    asked = partial(paint_view, card=card)
    png = await hall.readers.ask(guest.address, asked, game, view, names, guest.lang, shape, theme)
    return Response(png, media_type="image/png", headers=FOR_ALL)


FOR_ALL = {"Cache-Control": "public, max-age=60", "Vary": "Accept-Language, Cookie"}


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
    shared = await find_table(hall, table, guest)
    text = find_ground(shared, Viewer(guest.id, False, words, shape), name.removesuffix(".svg"), ply)
    if text is None:
        raise Problem(404, later("There is no such picture."))
    headers = {"Cache-Control": "private, max-age=31536000, immutable", **PICTURE_HEADERS}
    return Response(text, media_type="image/svg+xml", headers=headers)


@get("/api/position.svg", summary="Any position as a picture", media_type="image/svg+xml")
async def see_position(
    guest: Guest,
    hall: Hall,
    position: Annotated[str, Parameter(max_length=8000, description="A position of a game.")],
    shape: ShapeName = "wide",
    part: Annotated[
        str,
        Parameter(
            max_length=500,
            description="Areas of the picture, such as board-1; after a colon what is lit on board 1.",
        ),
    ] = "",
) -> Response[str]:
    picture = await hall.readers.ask(guest.address, _draw_position, position, guest.lang, shape, part)
    return Response(picture, media_type="image/svg+xml", headers=PICTURE_HEADERS)


def _draw_position(position: str, lang: str, shape: ShapeName, part: str) -> str:
    table = Table.from_position(position, draws="told", lang=lang)
    game, words = table.game, table.words
    names = tuple(words.say("Seat {n}", n=n) for n in range(1, len(table.names) + 1))
    view = game.hide(table.state, WATCHER)
    lit = _find_boxes(game, view, split_part(part)[1], shape)
    return write_svg(game.scene(view, WATCHER, names, words, shape), "auto", part, lit)


def _find_boxes(
    game: Game, view: State, places: tuple[str, ...], shape: Shape
) -> Sequence[tuple[float, ...]]:
    """Where places of seat 1 lie; NoSuchArea if there are no such places."""
    if not places:
        return ()
    try:
        if game.boxes is not None:
            return game.boxes(view, WATCHER, 0, places, shape)
    except (
        LookupError,
        ValueError,
    ):  # each game reads the names of its places, and somebody has made some up
        pass
    raise NoSuchArea(NO_AREA, name=" ".join(places))


@get("/api/picture/{name:str}", summary="A picture of a game in play", media_type="image/svg+xml")
async def see_sample(name: Annotated[str, Parameter(max_length=40)], guest: Guest) -> Response[Any]:
    game = shelf_game(name.removesuffix(".svg").removesuffix(".png"))
    loop = asyncio.get_running_loop()
    if name.endswith(".png"):
        png = await loop.run_in_executor(PAINTER, sample_painting, game.id, guest.lang)
        return Response(png, media_type="image/png", headers=FOR_ALL)
    picture = await loop.run_in_executor(PAINTER, sample_picture, game.id, guest.lang)
    return Response(picture, media_type="image/svg+xml", headers=PICTURE_HEADERS)


PAINTER = ThreadPoolExecutor(1, thread_name_prefix="painter")
"""Our own pictures are made once, one after the other, however long it takes."""


@lru_cache
def sample_picture(name: str, lang: str) -> str:
    return _sample(name, lang).svg(0)


@lru_cache
def sample_painting(name: str, lang: str) -> bytes:
    table = _sample(name, lang)
    scene = table.game.scene(table.game.hide(table.state, 0), 0, table.names, table.words, "wide")
    return paint_card(scene)


@never_waiting()
def _sample(name: str, lang: str) -> Table:
    """A game after a few moves."""
    game = find_game(name)
    words, others = game.words(lang), range(2, game.seats[0] + 1)
    names = [words.say("You"), *(words.say("Seat {n}", n=number) for number in others)]
    table = Table(game, seed="shelf", lang=lang, names=names)
    for ply in range(14):
        if table.is_over:
            break
        seat = table.movers[0]
        moves = table.legal_moves(seat)
        any_of_them = moves[chance.number_below("shelf", ply, len(moves))]
        table.play(table.ask(QUICK_BOT, seat) if QUICK_BOT in table.game.bots else any_of_them, seat)
    return table


HANDLERS = (see_picture, see_painting, see_ground, see_sample, see_position)
