"""What others see of a link before they follow it: a title, a sentence and a picture (Open Graph)."""

from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import urlencode

from litestar import Request

from mozaika.game import Game
from mozaika.scene import Scene
from mozaika.server.deals import DealView, name_deal
from mozaika.server.guests import Guest
from mozaika.server.painting import WIDTHS, height_of
from mozaika.state import WATCHER, State
from mozaika.table import Table
from mozaika.table.shared import SharedTable
from mozaika.words import Words, later

LOCALES = {"en": "en_GB", "pl": "pl_PL", "de": "de_DE"}
FREE = later("A seat is free: open the link and sit down.")
HOME = later(
    "Play tile-laying board games in the browser: against bots, on one screen, or with friends by a link. "
    "No account."
)


class Preview(NamedTuple):
    title: str
    text: str
    url: str
    image: str
    width: int
    height: int
    locale: str


def preview_home(request: "Request[Any, Any, Any]", guest: Guest, game: Game) -> Preview:
    site = _site(request) + guest.root
    return Preview(
        "Mozaika", Words(guest.lang).say(HOME), f"{site}/", *_sample(site, game, guest), LOCALES[guest.lang]
    )


def preview_rules(request: "Request[Any, Any, Any]", guest: Guest, game: Game) -> Preview:
    site, words = _site(request) + guest.root, game.words(guest.lang)
    title = f"{words.translate(game.name)}: {words.say('Rules')}"
    return Preview(
        title,
        words.say(game.sentence),
        f"{site}/rules/{game.id}",
        *_sample(site, game, guest),
        LOCALES[guest.lang],
    )


def preview_deal(request: "Request[Any, Any, Any]", guest: Guest, deal: DealView, game: Game) -> Preview:
    """Nothing of its draws, nor of how anybody has played it."""
    site, words = _site(request) + guest.root, game.words(guest.lang)
    text = words.say("The same draws and the same opponents for everybody. How well do you play them?")
    url = f"{site}/deal/{deal.id}"
    return Preview(
        f"{deal.name}: {name_deal(deal, words)}", text, url, *_sample(site, game, guest), LOCALES[guest.lang]
    )


def preview_table(request: "Request[Any, Any, Any]", guest: Guest, shared: SharedTable) -> Preview:
    """Nothing that a watcher could not see."""
    game, site = shared.table.game, _site(request) + guest.root
    words, at = game.words(guest.lang), f"{site}/api/games/{shared.header.id}/picture.png"
    names = shared.names(words)
    view = game.hide(shared.table.state, WATCHER)
    people = [name for name, seat in zip(names, shared.seats, strict=True) if seat.kind != "open"]
    asked = urlencode({"ply": shared.table.ply, "lang": guest.lang})
    scene = game.scene(view, WATCHER, names, words, "wide")
    return Preview(
        f"{words.translate(game.name)}: {', '.join(people)}",
        _tell(shared, game, names, view, scene, words),
        f"{site}/t/{shared.header.id}",
        f"{at}?{asked}",
        *_size(scene),
        LOCALES[guest.lang],
    )


def _tell(
    shared: SharedTable, game: Game, names: tuple[str, ...], view: State, scene: Scene, words: Words
) -> str:
    if any(seat.kind == "open" for seat in shared.seats) and not shared.table.is_over:
        return words.say(FREE)
    points = zip(names, game.points(view), strict=True)
    standing = ", ".join(f"{name} {n}".replace("-", "−") for name, n in points)
    return f"{scene.title}: {standing}"


def _sample(site: str, game: Game, guest: Guest) -> tuple[str, int, int]:
    """The address of a picture of the game in play, and its size."""
    return f"{site}/api/picture/{game.id}.png?{urlencode({'lang': guest.lang})}", *_sample_size(game)


@lru_cache
def _sample_size(game: Game) -> tuple[int, int]:
    """Whatever is played, a table for so many is as large as at its beginning."""
    table = Table(game, seed="shelf")
    return _size(game.scene(game.hide(table.state, WATCHER), WATCHER, table.names, table.words, "wide"))


def _size(scene: Scene) -> tuple[int, int]:
    return WIDTHS["wide"], height_of(scene, WIDTHS["wide"])


def _site(request: "Request[Any, Any, Any]") -> str:
    """How the server is called from outside: pictures of links need whole addresses."""
    origin: str = request.app.state.origin
    return origin or str(request.base_url).rstrip("/")
