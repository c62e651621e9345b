"""What others see of a link before they follow it: a title, a sentence and a picture (Open Graph)."""

from typing import Any, NamedTuple
from urllib.parse import urlencode

from litestar import Request

from mozaika.game import Game
from mozaika.games import GAMES
from mozaika.scene import Scene
from mozaika.server.deals import DealView, name_deal
from mozaika.server.guests import Guest
from mozaika.state import WATCHER, State
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
    locale: str


def preview_home(request: "Request[Any, Any, Any]", guest: Guest) -> Preview:
    return preview_page(request, guest, "/", "Mozaika", HOME)


def preview_page(
    request: "Request[Any, Any, Any]",
    guest: Guest,
    path: str,
    title: str,
    text: str,
    game: Game | None = None,
) -> Preview:
    """Of a page about a game, or about all, shown by the first one."""
    site = _site(request) + guest.root
    words = game.words(guest.lang) if game else Words(guest.lang)
    named = f"{words.translate(game.name)}: {words.say(title)}" if game else words.say(title)
    shown = game or next(iter(GAMES.values()))
    return Preview(named, words.say(text), f"{site}{path}", _sample(site, shown, guest), LOCALES[guest.lang])


def preview_deal(request: "Request[Any, Any, Any]", guest: Guest, deal: DealView, game: Game) -> Preview:
    """Nothing of its draws, nor of how anybody has played it."""
    site, words = _site(request) + guest.root, game.words(guest.lang)
    text = words.say("The same draws and the same opponents for everybody. How well do you play them?")
    url = f"{site}/deal/{deal.id}"
    return Preview(
        f"{deal.name}: {name_deal(deal, words)}", text, url, _sample(site, game, guest), LOCALES[guest.lang]
    )


def preview_table(request: "Request[Any, Any, Any]", guest: Guest, shared: SharedTable) -> Preview:
    """Nothing that a watcher could not see."""
    game, site = shared.table.game, _site(request) + guest.root
    words, at = game.words(guest.lang), f"{site}/api/games/{shared.header.id}/picture.png"
    names = shared.names(words)
    view = game.hide(shared.table.state, WATCHER)
    people = [name for name, seat in zip(names, shared.seats, strict=True) if seat.kind != "open"]
    asked = urlencode({"ply": shared.table.ply, "lang": guest.lang, "card": "true"})
    scene = game.scene(view, WATCHER, names, words, "wide")
    return Preview(
        f"{words.translate(game.name)}: {', '.join(people)}",
        _tell(shared, game, names, view, scene, words),
        f"{site}/t/{shared.header.id}",
        f"{at}?{asked}",
        LOCALES[guest.lang],
    )


def preview_review(request: "Request[Any, Any, Any]", guest: Guest, shared: SharedTable) -> Preview:
    table = preview_table(request, guest, shared)
    title = f"{Words(guest.lang).say('Review')} · {table.title}"
    return table._replace(title=title, url=f"{table.url}/review")


def _tell(
    shared: SharedTable, game: Game, names: tuple[str, ...], view: State, scene: Scene, words: Words
) -> str:
    if any(seat.kind == "open" for seat in shared.seats) and not shared.table.is_over:
        return words.say(FREE)
    points = zip(names, game.points(view), strict=True)
    standing = ", ".join(f"{name} {n}".replace("-", "−") for name, n in points)
    return f"{scene.title}: {standing}"


def _sample(site: str, game: Game, guest: Guest) -> str:
    """The address of a picture of the game in play."""
    return f"{site}/api/picture/{game.id}.png?{urlencode({'lang': guest.lang})}"


def _site(request: "Request[Any, Any, Any]") -> str:
    """How the server is called from outside: pictures of links need whole addresses."""
    origin: str = request.app.state.origin
    return origin or str(request.base_url).rstrip("/")
