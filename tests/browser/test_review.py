"""The page of a review, fed with one that a judge in a hurry has made of a short game. About 4 s of CPU."""

import re
from collections.abc import Callable

import msgspec
import pytest
from playwright.sync_api import Page, Route, expect

import mozaika
from browser.conftest import PHONE, WIDE
from browser.player import soon
from kinds import FIRST
from mozaika import Table
from mozaika.games import GAMES
from mozaika.kernel import warm
from mozaika.reviewing import Review
from mozaika.reviewing.graph import draw_graph
from mozaika.reviewing.review import Value
from mozaika.server.api.advice import Part
from mozaika.server.api.reviews import NumberView, ReviewView, SheetView, _show
from mozaika.words import Words
from server_process import once

NODES = 40
SHOWN = "() => Number(new URL(document.querySelector('#review-board').src).searchParams.get('ply'))"
LEFTMOST = "() => Math.min(...[...document.querySelectorAll('text')].map((text) => text.getBBox().x))"
IN_SIGHT = """(name) => {
    const { top, bottom, height } = document.querySelector(name).getBoundingClientRect();
    return height > 0 && top >= -1 && bottom <= innerHeight;
}"""


@pytest.fixture(scope="module")
def review() -> tuple[str, ReviewView]:
    """The text of a record, and what the server tells of its review."""
    warm(GAMES[FIRST])
    table = Table(FIRST, 2, seed="a page", names=("Ania", "Bartek"))
    while not table.is_over:
        table.play(table.ask("beginner"))
    record = table.record(reveal=True)
    return record.write(), _show(record, mozaika.review(record, NODES), "en")


def go_to_review(
    page: Page, review: tuple[str, ReviewView], first: Callable[[Route], object] | None = None
) -> None:
    """The table of the record is real; what the judge found comes from here, but for the first time."""
    text, told = review
    made = page.request.post("/api/records", data=text, headers={**once(), "Content-Type": "text/plain"})
    assert made.ok, made.text()
    answer = {"body": msgspec.json.encode(told), "content_type": "application/json"}
    page.route("**/api/games/*/review", lambda route: route.fulfill(**answer))
    if first is not None:
        page.route("**/api/games/*/review", first, times=1)
    page.goto(f"/t/{made.json()['id']}/review")


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
def test_what_is_read_and_pointed_at_is_shown_on_a_board_that_stays_in_sight(new_context, review, viewport):
    page, told = new_context(viewport=viewport).new_page(), review[1]
    go_to_review(page, review)
    marked = [each for each in told.decisions if each.mark]
    lines = page.locator("#review-decisions > ol .moment")
    expect(lines).to_have_count(len(marked))
    lines.last.click()
    assert page.evaluate(SHOWN) == marked[-1].ply
    assert page.evaluate(IN_SIGHT, "#review-board"), "who reads about a moment does not see it"
    graph = page.locator("#review-graph svg")
    graph.scroll_into_view_if_needed()
    box = graph.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 3)
    soon(lambda: page.evaluate(SHOWN) != marked[-1].ply, page)
    assert 0 < page.evaluate(SHOWN) < told.values[-1].ply
    page.locator("#review-all summary").click()
    expect(page.locator("#review-all .moment")).to_have_count(len(told.decisions))
    page.locator("#review-every-draw summary").click()
    expect(page.locator("#review-every-draw .moment")).to_have_count(len(told.every_draw))
    drawn = page.locator("#review-every-draw .moment").first
    expect(drawn).to_contain_text(f"ply {told.every_draw[0].ply} ")
    drawn.click()
    assert page.evaluate(SHOWN) == min(each.ply for each in told.decisions), "the board shows what was drawn"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("lang", ["de", "pl"])
def test_on_a_phone_the_numbers_of_all_players_have_room(new_context, review, lang, players):
    page, (text, told) = new_context(viewport=PHONE, locale=lang).new_page(), review
    words = Words(lang)
    beginner = words.say("Beginner")
    like = words.say("{level}: {rating} ({low} to {high})", level=beginner, rating=1663, low=1590, high=2480)
    sheets = [
        SheetView(
            sheet.title,
            [NumberView(words.say(row.name), row.meaning, [like] * players) for row in sheet.rows],
        )
        for sheet in told.sheets
    ]
    names = ["Ania", beginner, "Maximilian", beginner][:players]
    wide = msgspec.structs.replace(told, names=names, sheets=sheets[:1])
    go_to_review(page, (text, wide))
    expect(page.locator("#review-sheets td").last).to_have_text(like)
    assert page.locator("#review-sheets .scroll").evaluate("node => node.scrollWidth <= node.clientWidth")


def test_a_game_in_which_nothing_stands_out_says_so(new_context, review):
    page, (text, told) = new_context().new_page(), review
    unmarked = [msgspec.structs.replace(each, mark="") for each in told.decisions]
    nothing = msgspec.structs.replace(told, decisive=[], decisions=unmarked, draws=[])
    go_to_review(page, (text, nothing))
    expect(page.locator("#review-decisive")).to_contain_text("Nothing stands out")
    expect(page.locator("#review-decisions")).to_contain_text("No decision is marked.")
    expect(page.locator("#review-decisions .fold")).to_contain_text(str(len(unmarked)))


def test_what_the_numbers_of_a_list_mean_stands_behind_its_question_mark(new_context, review):
    page, (text, told) = new_context().new_page(), review
    go_to_review(page, (text, msgspec.structs.replace(told, hindsight=[Part("round 1", [7, 9], [11, 12])])))
    lists = {
        "decisive": "What decided the game",
        "decision": "Decisions to look at again",
        "draw": "What was drawn",
        "possible": "What would have been possible",
    }
    for name, title in lists.items():
        expect(page.get_by_role("heading", name=title)).to_be_visible()
        said = page.get_by_text(told.meanings[name])
        expect(said).to_be_hidden()
        page.locator(".question summary", has_text=title).press("Enter")
        expect(said).to_be_visible()


def test_a_board_that_is_small_on_a_phone_is_shown_as_large_as_at_the_table(new_context, review):
    page = new_context(viewport=PHONE).new_page()
    go_to_review(page, review)
    page.get_by_role("button", name="The board, larger").click()
    large = page.get_by_role("dialog")
    expect(large.get_by_role("img", name="The board at ply")).to_have_attribute("src", re.compile("tall"))
    assert large.locator("img").bounding_box()["width"] == PHONE["width"]
    large.get_by_role("button", name="Close").click()
    expect(large).to_be_hidden()
    expect(page.locator("#review-larger")).to_be_focused()
    page.locator("#review-board").click()
    expect(large).to_be_visible()


def test_everything_that_is_written_in_a_graph_has_room(new_context):
    curve = Value(1, (1.0,), (25.9,)), Value(9, (1.0,), (-141.8,))
    game = Review(FIRST, ("Ania",), "points", "expert", 1, True, True, 0, False, 1, 1, curve, (), (), ())
    page = new_context().new_page()
    page.set_content(draw_graph(game, Words()))
    assert page.evaluate(LEFTMOST) >= 0


def test_a_line_that_breaks_while_a_review_is_made_does_not_end_it(new_context, review, watch):
    watch.allow("ERR_INTERNET_DISCONNECTED")
    page, broken = new_context().new_page(), []
    go_to_review(page, review, lambda route: broken.append(1) or route.abort("internetdisconnected"))
    expect(page.locator("#review-graph svg")).to_be_visible()
    assert broken


def test_who_is_to_try_again_reads_what_was_played_and_not_what_was_better(new_context, review):
    page, told = new_context().new_page(), review[1]
    page.route("**/api/games/*/view", lambda route: route.fulfill(json={"you": {"seats": [1]}}))
    go_to_review(page, review)
    mine = [each for each in told.decisions if each.mark and each.seat == 1]
    lines = page.locator("#review-mistakes li")
    expect(lines).to_have_count(len(mine))
    expect(lines.first).to_contain_text(mine[0].played)
    expect(page.locator("#review-mistakes")).not_to_contain_text("Better:")
