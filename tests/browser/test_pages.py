"""Every page and state of the table: languages, widths, light and dark, accessibility, weight."""

import re
from collections.abc import Iterator
from itertools import chain
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from babel.messages.pofile import read_po
from playwright.sync_api import Page, expect

from browser.conftest import PHONE, WIDE, Finished, Watch
from browser.player import Player
from kinds import FIRST
from mozaika.games import GAMES
from mozaika.web import UI
from mozaika.words import HOUSE

AXE = Axe()
GAME = GAMES[FIRST]
BAD = ("serious", "critical")
MOST_BYTES = 150_000
WIDTHS = pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
LOOKS = pytest.mark.parametrize(
    ("viewport", "scheme"),
    [
        (WIDE, "light"),
        (PHONE, "dark"),
        pytest.param(WIDE, "dark", marks=pytest.mark.long),
        pytest.param(PHONE, "light", marks=pytest.mark.long),
    ],
    ids=["wide light", "phone dark", "wide dark", "phone light"],
)
"""Both screens and both schemes; axe takes seconds for a page, so all four pairs are for a long run only."""
LANGUAGES = pytest.mark.parametrize("lang", ["pl", pytest.param("de", marks=pytest.mark.long)])
TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
BRIGHTNESS = """() => {
    const paint = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    paint.fillStyle = getComputedStyle(document.body).backgroundColor;
    if (paint.fillStyle === "rgba(0, 0, 0, 0)")
        paint.fillStyle = getComputedStyle(document.documentElement).backgroundColor;
    paint.fillRect(0, 0, 1, 1);
    return paint.getImageData(0, 0, 1, 1).data.slice(0, 3).reduce((sum, part) => sum + part) / 3;
}"""


def walk_to_the_confirm_bar(ann: Player) -> None:
    """On any screen; a finger or a mouse is tested elsewhere."""
    assert ann.wait_for_turn()
    ann.choose(ann.pick_walk()["spots"])
    expect(ann.confirm).to_be_visible()


def table_states(ann: Player, game: Finished, players: int) -> Iterator[str]:
    """Leads through every state of a table and says which one is to be seen."""
    page = ann.page
    ann.open_table("me", *["bot"] * (players - 1))
    assert ann.wait_for_turn()
    yield "table at the start"
    ann.open_menu(1)
    yield "menu of a seat"
    page.keyboard.press("Escape")
    walk_to_the_confirm_bar(ann)
    yield "walk with its confirmation"
    page.click("#open-settings")
    page.click("#settings .keys summary")
    yield "settings"
    ann.go_to(game.url)
    expect(ann.result).to_be_visible()
    page.click("#result details summary")
    yield "result"
    ann.go_to(f"{game.url}?ply={game.plies // 2}")
    expect(page.locator("#play-on")).to_be_visible()
    yield "a moment of the past"


def page_states(ann: Player, game: Finished) -> Iterator[str]:
    """Leads through all other pages."""
    page = ann.page
    ann.choose_seats("me", "open", "bot", "screen")
    expect(page.locator("#link-note")).to_be_visible()
    expect(page.locator("#continue")).to_be_visible()
    page.click("#ended summary")
    yield "home"
    page.goto(f"/rules/{FIRST}")
    yield "rules"
    page.goto(f"/verify?game={game.id}")
    expect(page.locator("#verdict.right")).to_be_visible()
    yield "verify"
    page.goto("/practice")
    page.click("#daily-archive summary")
    yield "practice"
    page.goto(f"/practice/{FIRST}")
    expect(page.locator("#puzzles button").first).to_be_visible()
    yield "puzzles"
    page.goto("/daily")
    page.locator("article details summary").last.click()
    yield "the deals of the day"
    page.get_by_role("link", name="Play").first.click()
    expect(page.locator("#attempt")).to_be_visible()
    yield "a deal"
    page.goto("/t/nowhere")
    yield "error"
    page.goto("/api")
    yield "the interface for programs"


def violations(page: Page) -> list[dict[str, Any]]:
    """What axe finds; a page that has it already is not given it again."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.axe_script)
    return page.evaluate("async () => (await axe.run({ resultTypes: ['violations'] })).violations")


def faults_of(page: Page, scheme: str) -> list[str]:
    """What axe calls serious or critical, how far the page is too wide, and whether its colours are wrong."""
    page.emulate_media(color_scheme=scheme)
    faults = [
        f"{fault['id']}: {fault['nodes'][0]['html'][:200]}"
        for fault in violations(page)
        if fault["impact"] in BAD
    ]
    if (too_wide := page.evaluate(TOO_WIDE)) > 0:
        faults.append(f"{too_wide} px too wide")
    brightness = page.evaluate(BRIGHTNESS)
    if not (brightness > 200 if scheme == "light" else brightness < 60):
        faults.append(f"not {scheme}")
    return faults


@LOOKS
def test_every_page_fits_the_screen_is_light_or_dark_and_has_nothing_serious_for_axe(
    new_context, finished, watch: Watch, viewport, scheme: str
):
    watch.allow("404")
    game = finished(2)
    ann = Player(new_context(viewport=viewport, cookies=game.cookies).new_page())
    states = chain(table_states(ann, game, 2), page_states(ann, game))
    found = {state: faults for state in states if (faults := faults_of(ann.page, scheme))}
    assert not found


@pytest.mark.parametrize(
    "viewport", [PHONE, pytest.param(WIDE, marks=pytest.mark.long)], ids=["phone", "wide"]
)
def test_a_table_of_four_fits_the_screen(new_context, finished, viewport):
    game = finished(4)
    ann = Player(new_context(viewport=viewport, cookies=game.cookies).new_page())
    wide = {state: ann.page.evaluate(TOO_WIDE) for state in table_states(ann, game, 4)}
    assert len(wide) > 5
    assert not {state: pixels for state, pixels in wide.items() if pixels > 0}


def sentences(lang: str) -> list[str]:
    """English sentences that the catalogues translate and that are too long to be anything else."""
    found = []
    for folder in (HOUSE, GAME.folder / "words"):
        with (folder / f"{lang}.po").open("rb") as file:
            messages = list(read_po(file))
        ids = [each.id for each in messages if isinstance(each.id, str) and each.string not in ("", each.id)]
        found += [each for each in ids if each.count(" ") > 1 and "{" not in each]
    return found


def english_left(page: Page, lang: str) -> list[str]:
    text = page.locator("body").inner_text()
    return [sentence for sentence in sentences(lang) if sentence in text]


@LANGUAGES
def test_pages_speak_the_language_of_the_browser(new_context, finished, lang: str):
    page = new_context(locale=lang).new_page()
    words, game = GAME.words(lang), finished(2)
    pages = {
        "/": "Choose a game",
        game.url: "What happened",
        "/verify": "Record of a game",
        f"/rules/{FIRST}": "Play",
    }
    for path, sentence in pages.items():
        page.goto(path)
        assert page.get_attribute("html", "lang") == lang
        assert words.say(sentence) != sentence, "the catalogue is complete"
        expect(page.locator("body")).to_contain_text(words.say(sentence))
        if path == game.url:
            expect(page.locator("#log li").first).to_be_attached()
            expect(page.locator("#status")).to_have_text(words.say(UI["game_over"]))
        assert not english_left(page, lang), path
    headings = [line.lstrip("# ") for line in GAME.rulebook(lang).splitlines() if line.startswith("#")]
    assert page.locator(".rulebook :is(h1, h2, h3)").all_inner_texts() == headings


@LANGUAGES
def test_the_language_can_be_switched_at_the_table(ann: Player, lang: str):
    ann.open_table("me", "bot")
    assert ann.play()
    assert ann.wait_for_turn()
    entries, table = ann.log.count(), ann.page.url
    ann.page.click(f"[data-lang={lang}]")
    expect(ann.page.locator("html")).to_have_attribute("lang", lang)
    assert ann.page.url == table
    expect(ann.log).to_have_count(entries)
    assert ann.wait_for_turn()
    expect(ann.status).to_contain_text(GAME.words(lang).say(UI["your_turn_now"]))
    assert not english_left(ann.page, lang)
    assert ann.play()


@pytest.mark.parametrize("players", [pytest.param(2, marks=pytest.mark.long), 4])
def test_the_first_load_of_a_table_is_light_and_asks_no_other_host(new_context, players: int):
    """Without a cache; the stream counts as far as the first picture."""
    ann = Player(new_context().new_page())
    ann.open_table("me", *["bot"] * (players - 1))
    assert ann.wait_for_turn()
    context = new_context(cookies=ann.page.context.cookies(), fresh=True)
    page = context.new_page()
    network = context.new_cdp_session(page)
    sizes: dict[str, float] = {}
    urls: dict[str, str] = {}

    def add(event: dict[str, Any], size: float) -> None:
        name = event["requestId"]
        sizes[name] = sizes.get(name, 0) + size

    network.on("Network.requestWillBeSent", lambda e: urls.update({e["requestId"]: e["request"]["url"]}))
    network.on("Network.responseReceived", lambda e: add(e, e["response"]["encodedDataLength"]))
    network.on("Network.dataReceived", lambda e: add(e, e["encodedDataLength"] or e["dataLength"]))
    network.on("Network.loadingFinished", lambda e: sizes.update({e["requestId"]: e["encodedDataLength"]}))
    network.send("Network.enable")
    page.goto(ann.page.url)
    assert Player(page).wait_for_turn()
    by_size = sorted(((size, urls.get(name, name)) for name, size in sizes.items()), reverse=True)
    assert len(by_size) > 10
    assert sum(sizes.values()) < MOST_BYTES, by_size
    assert {"/".join(url.split("/")[:3]) for url in urls.values()} == {"/".join(page.url.split("/")[:3])}


def test_a_finished_game_is_verified_and_a_changed_record_is_not(new_context, finished):
    game = finished(2)
    page = new_context(cookies=game.cookies).new_page()
    page.goto(game.url)
    page.click("#result details summary")
    page.click("#result-proof a")
    verdict = page.locator("#verdict")
    expect(verdict).to_have_class("right")
    record = page.input_value("#record")
    seed = re.search(r"^Seed: (.+)$", record, re.MULTILINE)[1]
    page.fill("#record", record.replace(seed, seed[:-1] + ("0" if seed[-1] != "0" else "1")))
    page.click("#verify .primary")
    expect(verdict).to_have_class("wrong")
    expect(verdict.locator("li").first).not_to_be_empty()
