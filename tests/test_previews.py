"""What others see of a link: its title, its sentence, and a picture that shows nobody's secrets."""

import asyncio
import re
import struct
from collections.abc import Iterator
from functools import cache
from html import unescape
from pathlib import Path

import msgspec
import pytest
from litestar.testing import TestClient

from kinds import FIRST, KINDS
from mozaika.game import Game
from mozaika.games import GAMES
from mozaika.record import Record
from mozaika.scene import write_svg
from mozaika.server.app import build_app
from mozaika.server.painting import find_fonts, paint, spell_out
from mozaika.state import WATCHER, State
from mozaika.store.sqlite import SqliteStore
from mozaika.table import Table
from mozaika.table.commands import Opening, digest
from mozaika.table.events import Occupant
from mozaika.table.plan import Plan, create_game

pytestmark = pytest.mark.filterwarnings(
    "ignore::litestar.exceptions.base_exceptions.LitestarDeprecationWarning"
)
SECRET = "a-secret-of-ania-for-this-test"
ANIA = Occupant("person", "Ania & <b>", guest=digest(SECRET))


@cache
def find_secret() -> tuple[Game, State]:
    """A moment of a recorded game at which the first seat knows something that watchers do not."""
    for game in GAMES.values():
        for path in sorted((Path(game.folder) / "tests" / "records").glob("*.txt"))[:3]:
            for state in Record.read(path.read_text("utf-8")).states():
                if game.hide(state, 0).tobytes() != game.hide(state, WATCHER).tobytes():
                    return game, state
    raise AssertionError("no game has secrets")


@pytest.fixture(scope="module")
def kept(tmp_path_factory) -> Path:
    """A store with a new table that waits for somebody, and one with a secret on the first seat."""
    path = tmp_path_factory.mktemp("previews") / "games.db"

    async def fill() -> None:
        store, first = SqliteStore(path), GAMES[FIRST]
        waiting = Plan(first, first.read_options({}), [ANIA, Occupant("open")], ANIA.guest)
        await create_game(store, waiting, Opening("waiting", "link"))
        game, state = find_secret()
        seats = [ANIA, *[Occupant("person", "Ben", guest=digest("ben"))] * (int(state["seats"]) - 1)]
        options = game.read_options({name: str(value) for name, value in game.options_of(state).items()})
        await create_game(
            store,
            Plan(game, options, seats, ANIA.guest, seed="x", position=game.write_position(state)),
            Opening("secret", "link"),
        )
        await store.close()

    asyncio.run(fill())
    return path


@pytest.fixture(scope="module")
def client(kept: Path) -> Iterator[TestClient]:
    app = build_app(lambda: SqliteStore(kept), patience=3_600, origin="https://mozaika.example")
    with TestClient(app, base_url="https://mozaika.example") as client:
        yield client


def read_preview(page: str) -> dict[str, str]:
    return {name: unescape(text) for name, text in re.findall(r'<meta \w+="(\S+?)" content="([^"]*)">', page)}


def size_told(seen: dict[str, str]) -> tuple[int, ...]:
    return tuple(int(seen[f"og:image:{side}"]) for side in ("width", "height"))


def size_of(png: bytes) -> tuple[int, ...]:
    return struct.unpack(">II", png[16:24])


def test_a_link_to_a_table_has_a_title_a_sentence_and_a_picture_with_whole_addresses(client):
    seen = read_preview(client.get("/t/waiting?lang=de").text)
    assert seen["og:title"] == f"{GAMES[FIRST].name}: Ania & <b>"
    assert seen["og:description"] == "Ein Platz ist frei: Öffne den Link und setz dich dazu."
    assert seen["og:url"] == "https://mozaika.example/t/waiting"
    assert seen["og:locale"] == "de_DE"
    answer = client.get(seen["og:image"])
    assert answer.headers["content-type"] == "image/png"
    assert size_told(seen) == size_of(answer.content)
    assert size_of(answer.content) == (1200, 630), "what is higher is cut at its top and bottom"


PAGES = ("/", "/daily", "/practice", "/verify", "/t/waiting/review")
PAGES_OF_A_GAME = ("rules", "learn", "practice")


@pytest.mark.parametrize("page", [*PAGES, *(f"/{kind}/{FIRST}" for kind in PAGES_OF_A_GAME)])
def test_a_link_to_any_page_has_a_title_a_sentence_and_a_picture(client, page):
    seen = read_preview(client.get(page, params={"lang": "pl"}).text)
    assert seen["og:url"] == f"https://mozaika.example{page}"
    assert seen["og:image"].startswith("https://mozaika.example/api/")
    assert size_told(seen) == (1200, 630)
    english = read_preview(client.get(page, params={"lang": "en"}).text)
    for told in ("og:title", "og:description") if page != "/" else ("og:description",):
        assert seen[told]
        assert seen[told] != english[told]


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.id)
def test_a_link_names_the_game_as_its_reader_does(client, game):
    seen = read_preview(client.get(f"/rules/{game.id}?lang=de").text)
    assert seen["og:title"] == f"{game.words('de').translate(game.name)}: Regeln"
    assert size_told(seen) == size_of(client.get(seen["og:image"]).content)


def test_the_picture_of_a_link_shows_only_what_watchers_see(client):
    game, state = find_secret()
    mine = client.get("/api/games/secret/picture.png", headers={"Cookie": f"__Host-mozaika={SECRET}"})
    client.cookies.clear()
    others = client.get("/api/games/secret/picture.png")
    names = ("Ania & <b>", *["Ben"] * (int(state["seats"]) - 1))
    watched, known = (
        game.scene(game.hide(state, seat), seat, names, game.words("en"), "wide") for seat in (WATCHER, 0)
    )
    assert mine.content == others.content == paint(watched, "light", 1200)
    assert write_svg(watched) != write_svg(known)
    assert "Ania" in read_preview(client.get("/t/secret").text)["og:description"]


def test_who_asks_for_many_pictures_waits(client):
    answers = [client.get("/api/games/secret/picture.png") for _ in range(40)]
    refused = next(answer for answer in answers if answer.status_code != 200)
    assert refused.status_code == 429
    assert refused.json()["detail"] == "You have asked for many pictures; wait a moment."
    assert int(refused.headers["Retry-After"]) > 0


@pytest.mark.parametrize("kind", KINDS, ids=repr)
def test_the_style_of_every_picture_is_spelt_out_for_the_renderer(kind):
    svg = Table(kind.game, kind.seats, seed=1, **kind.game.write_options(kind.options)).svg(theme="dark")
    plain = spell_out(svg)
    style = plain[plain.index("<style>") : plain.index("</style>")]
    assert "font-size" in style
    assert not re.search(r"\[class|:is\(|:not\(|@media", style)
    assert plain[plain.index("</style>") :] == svg[svg.index("</style>") :]


def test_letters_are_drawn_where_the_machine_has_a_font():
    if find_fonts() == (None, None):
        pytest.skip("No font here that the renderer is told of.")
    table = Table(FIRST, seed=1)
    scene = table.game.scene(table.game.hide(table.state, 0), 0, table.names, table.words, "wide")
    with_letters = paint(scene, "light", 600)
    assert with_letters != paint(msgspec.structs.replace(scene, labels=()), "light", 600)
