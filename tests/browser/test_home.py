"""The home page: what was typed stays; boards are painted; one's own games are told and parted with."""

from typing import Any

import pytest
from playwright.sync_api import expect

from browser.conftest import PHONE
from browser.player import Player
from browser.test_pages import TOO_WIDE, faults_of
from kinds import FIRST

LAPTOP = {"width": 1280, "height": 720}
STICKING_OUT = """() => [...document.querySelectorAll("form fieldset *")].filter((node) => {
    const [form, box] = [node.closest("form"), node].map((each) => each.getBoundingClientRect());
    return box.width && box.right > form.right;
}).map((node) => node.outerHTML)"""
BOTTOM = "document.getElementById('play').getBoundingClientRect().bottom"


@pytest.fixture
def ann(new_context) -> Player:
    return Player(new_context(viewport=LAPTOP).new_page())


def test_what_was_typed_stays_and_only_what_is_possible_is_offered(ann: Player):
    page = ann.page
    ann.choose_seats("me", "screen", "screen", name="Ann")
    page.fill("[data-name='2']", "Bob")
    page.fill("[data-name='3']", "Cleo")
    page.select_option("[data-option=start]", "3")
    expect(page.locator("[data-option=start] option:not([hidden])")).to_have_count(4)
    page.locator("#counts label").filter(has_text="2").click()
    expect(page.locator("[data-option=start] option:not([hidden])")).to_have_count(3)
    expect(page.locator("[data-option=start]")).to_have_value("random")
    page.locator("#counts label").filter(has_text="3").click()
    names = [page.locator(f"[data-name='{seat}']").input_value() for seat in (1, 2, 3)]
    assert names == ["Ann", "Bob", "Cleo"]
    page.select_option("[data-option=wall]", "grey")
    page.click("#options-fold > summary")
    told = "Wall: grey · Who starts: drawn by lot · with hints"
    expect(page.locator("#options-chosen")).to_have_text(told)
    page.click("[data-game=gemino]")
    expect(page.locator("#options-chosen")).to_contain_text("Board 1–2: side A · Who starts")
    page.click("[data-game=azul]")
    expect(page.locator("#options-chosen")).to_have_text(told)
    expect(page.locator("[data-name='3']")).to_have_value("Cleo")
    page.goto("/")
    expect(page.locator("[data-name='1']")).to_have_value("Ann")


def test_practice_is_a_kind_of_table_for_one_person(ann: Player):
    page, note = ann.page, ann.page.locator("#practice-note")
    ann.choose_seats("me", "screen")
    expect(page.locator("#practice")).to_be_disabled()
    ann.choose_seat(2, "bot")
    page.locator("label").filter(has=page.locator("#practice")).click()
    expect(note).to_be_visible()
    assert page.evaluate(BOTTOM) <= LAPTOP["height"]
    ann.choose_seat(2, "open")
    expect(note).to_be_hidden()
    ann.choose_seat(2, "bot")
    page.locator("label").filter(has=page.locator("#practice")).click()
    page.click("#play")
    ann.sees_table()
    assert ann.view()["practice"]
    expect(page.locator("#hint")).to_be_visible()
    expect(page.locator("#evaluation")).to_be_visible()


def test_play_is_in_sight(new_context):
    for viewport, scheme in ((LAPTOP, "light"), (PHONE, "dark")):
        page = new_context(viewport=viewport).new_page()
        for game in (FIRST, "fits"):
            page.goto("/")
            page.click(f"[data-game={game}]")
            page.locator("#counts label").filter(has_text="4").click()
            page.evaluate("scrollTo(0, 0)")
            assert page.evaluate(BOTTOM) <= viewport["height"]
        page.locator("#options-fold > summary").click()
        page.get_by_role("button", name="Add an example").click()
        assert page.evaluate(BOTTOM) <= viewport["height"]
        assert page.evaluate(TOO_WIDE) <= 0
        assert faults_of(page, scheme) == []
        page.context.close()


def test_nothing_sticks_out_where_words_are_long(new_context):
    page = new_context(viewport=PHONE, locale="de-DE").new_page()
    page.goto("/")
    page.click("[data-game=fits]")
    assert page.evaluate(STICKING_OUT) == []


def test_boards_are_painted_put_in_order_and_mended(ann: Player):
    page = ann.page
    page.goto("/")
    page.click("[data-game=fits]")
    page.click("#options-fold > summary")
    page.get_by_role("button", name="Add an empty board").click()
    boards, own, wrong = (page.locator(each) for each in ("#option-boards", "#option-own", "#options-wrong"))
    expect(boards).to_have_value("123A")
    page.get_by_role("radio", name="symbol a").check(force=True)
    page.get_by_role("button", name="row 2, column 3").click()
    expect(wrong).to_contain_text("symbols come in pairs")
    page.locator("[data-at='1-2']").press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="row 3, column 3: symbol a")).to_be_focused()
    expect(wrong).to_be_empty()
    page.get_by_label("Full rows score").check()
    assert own.input_value().splitlines()[:4] == ["rows", "......", "..a...", "..a..."]
    page.get_by_role("button", name="Earlier: your own board A").click()
    expect(boards).to_have_value("12A3")
    page.get_by_role("button", name="Leave out: board 1").click()
    page.locator(".order li").nth(2).drag_to(page.locator(".order li").nth(0))
    expect(boards).to_have_value("32A")
    ann.open_options()
    boards.fill("A")
    expect(page.locator(".order li")).to_have_count(1)
    own.fill(own.input_value().replace("a", "9"))
    expect(page.locator("[data-at='1-2']")).to_have_text("+9")
    page.click("#play")
    page.wait_for_url("**/t/*")
    record = page.request.get(page.url.replace("/t/", "/api/games/") + "/record").text()
    assert "boards=A order=given own=rows/....../..9.../..9.../" in record


def test_a_side_of_ones_own_begins_with_an_example(ann: Player):
    page = ann.page
    page.goto("/")
    page.click("[data-game=gemino]")
    page.click("#options-fold > summary")
    page.get_by_role("button", name="Add an example").click()
    expect(page.locator("#option-board1")).to_have_value("own")
    page.get_by_role("radio", name="violet").check(force=True)
    page.locator("[data-at='0-0']").click()
    expect(page.locator("#options-wrong")).to_contain_text("once in each row and column")
    page.get_by_role("button", name="Remove this board").click()
    expect(page.locator("#option-board1")).to_have_value("A")
    expect(page.locator("#options-wrong")).to_be_empty()


def test_my_games_tell_points_and_are_given_up_and_deleted(ann: Player, watch: Any):
    page = ann.page
    for _ in range(2):
        ann.open_table("me", "bot", name="Ann")
    page.on("dialog", lambda dialog: dialog.accept())
    page.goto("/")
    entries = page.locator("#continue-list li")
    expect(entries).to_have_count(2)
    expect(entries.first).to_contain_text("You")
    expect(entries.first.locator("time")).to_be_visible()
    entries.first.get_by_role("button", name="Give up").click()
    expect(entries).to_have_count(1)
    page.click("#ended summary")
    given_up = page.locator("#ended-list li")
    expect(given_up).to_contain_text("given up")
    assert faults_of(page, "light") == []
    given_up.get_by_role("button", name="Delete").click()
    expect(page.locator("#ended")).to_be_hidden()
    entries.get_by_role("button", name="Delete").click()
    expect(page.locator("#continue")).to_be_hidden()
    page.reload()
    assert page.request.get("/api/games/mine").json() == []


def test_the_log_says_you_and_tells_its_rules_when_asked(ann: Player):
    page = ann.page
    ann.open_table("me", "bot", name="")
    assert ann.play()
    line = page.locator("#log .to-you").first
    expect(line).to_contain_text("You take ")
    expect(line.locator("a:not([tabindex='-1'])")).to_have_count(1)
    rule = line.locator(".rule")
    expect(rule).to_have_css("opacity", "0")
    line.locator(".moment").focus()
    expect(rule).to_have_css("opacity", "1")
    expect(page.locator("#seats .seat-1 .name")).to_contain_text("You")
    assert "P1" not in page.locator("body").inner_text()
