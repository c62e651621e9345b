"""Opponents by level, hints and the bar of what each player can expect, with bots that say all they can."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, expect

from browser.conftest import PHONE, SWIFT, Watch
from browser.player import Player, soon
from browser.test_hand import Holder
from browser.test_pages import LANGUAGES, LOOKS, WIDTHS, english_left, faults_of
from mozaika.games import GAMES
from mozaika.thought import LEVELS
from server_process import ServerProcess

EVALUATED = {"evaluation": True}


@pytest.fixture(scope="session")
def wise(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server whose bots are those of `thinkers`."""
    with ServerProcess(tmp_path_factory.mktemp("wise"), *SWIFT, first="thinkers") as server:
        yield server


@pytest.fixture
def arrive(
    new_context: Callable[..., BrowserContext], wise: ServerProcess, watch: Watch
) -> Callable[..., "Asker"]:
    watch.allow("409")  # the bots may be faster than the question what to expect

    def make(**how: Any) -> Asker:
        return Asker(new_context(at=wise, **how).new_page())

    return make


class Asker(Holder):
    """Somebody who wants to know."""

    @property
    def words(self) -> Any:
        return self.page.locator("#advice")

    @property
    def stakes(self) -> Any:
        return self.page.locator("#stakes li")

    @property
    def button(self) -> Any:
        return self.page.get_by_role("button", name="Hint")

    def ask(self) -> str:
        """Ask by the button; returns the move of the hint."""
        assert self.wait_for_turn()
        with self.page.expect_response("**/hint") as answer:
            self.page.click("#hint")
        expect(self.words.locator(".headline")).to_be_visible()
        return answer.value.json()["move"]


def test_the_home_page_offers_levels_with_their_ratings(arrive):
    ann = arrive()
    ann.page.goto("/")
    ann.page.click("[data-game=azul]")
    seat = ann.page.locator("[data-seat='2']")
    assert seat.input_value() == "bot:casual"
    offered = seat.locator("option[value^='bot:']")
    assert offered.evaluate_all("(all) => all.map((each) => each.value)") == [f"bot:{x}" for x in LEVELS]
    assert offered.nth(3).inner_text() == "Expert · 1450"
    seat.select_option("bot:expert")
    expect(seat).to_have_accessible_description(
        "Looks far ahead; few people beat it. Rating 1450 (1430–1470)"
    )


def test_a_remembered_bot_that_is_no_longer_offered_gives_way_to_the_usual_one(arrive):
    ann = arrive()
    ann.page.goto("/")
    remembered = '{"azul": {"seats": ["me", "bot:greedy"], "options": {}}}'
    ann.page.evaluate(f"localStorage.setItem('mozaika.choices', '{remembered}')")
    ann.page.reload()
    ann.page.click("[data-game=azul]")
    assert ann.page.locator("[data-seat='2']").input_value() == "bot:casual"


@WIDTHS
def test_a_hint_shows_a_ghost_and_words_until_the_player_plays_on(arrive, viewport):
    ann = arrive(viewport=viewport)
    ann.open_table("me", "bot", name="Ann", game="azul")
    assert ann.wait_for_turn()
    plies = ann.view()["plies"]
    move = ann.ask()
    expect(ann.words).to_contain_text("Expert advises:")
    expect(ann.words.locator(".headline")).to_have_text(re.compile("^Take .* for line|floor"))
    expect(ann.words.locator(".reasons li").first).to_be_visible()
    expect(ann.words).to_contain_text("It puts your chance of winning at 62%, the score at about 54 : 47.")
    ann.page.mouse.move(1, 1)
    spots = next(walk["spots"] for walk in ann.view()["scene"]["walks"] if walk.get("move") == move)
    assert suggested(ann) == set(spots)
    expect(ann.page.locator(".layer-ghost .ghost").first).to_be_attached()
    expect(ann.page.locator(".spot.chosen")).to_have_count(0)
    assert ann.view()["plies"] == plies, "nothing is played"
    other = ann.words.locator(".other")
    expect(other).to_contain_text("With this one it puts your chance at 57%, not 62%.")
    other.get_by_role("button", name="Show it").click()
    soon(lambda: suggested(ann) != set(spots), ann.page)
    with ann.page.expect_response("**/moves") as answer:
        ann.words.get_by_role("button", name="Play it").first.click()
    assert answer.value.request.post_data_json["move"] == move
    expect(ann.words).to_be_empty()
    expect(ann.page.locator(".spot.suggested")).to_have_count(0)


def suggested(ann: Asker) -> set[str]:
    return set(
        ann.page.locator(".spot.suggested").evaluate_all("(all) => all.map((one) => one.dataset.spot)")
    )


def test_a_hint_is_asked_for_by_a_key_and_put_away(arrive):
    ann = arrive()
    ann.open_table("me", "bot", name="Ann", game="gemino")
    assert ann.wait_for_turn()
    expect(ann.button).to_be_enabled()
    expect(ann.button).to_have_attribute("aria-keyshortcuts", "H")
    ann.page.locator("#board").press("h")
    expect(ann.words.locator(".headline")).to_be_visible()
    ann.words.get_by_role("button", name="Close").click()
    expect(ann.words).to_be_empty()
    expect(ann.page.locator(".spot.suggested")).to_have_count(0)
    expect(ann.button).to_be_focused()


def test_a_hint_stays_while_others_come_and_go(arrive):
    ann = arrive()
    ann.open_table("me", "bot", name="Ann")
    ann.ask()
    ben = arrive()
    ben.go_to(ann.page.url)
    expect(ben.page.locator("#hint")).to_be_hidden()
    ben.page.close()
    ann.page.wait_for_timeout(200)
    expect(ann.words.locator(".headline")).to_be_visible()
    expect(ann.page.locator(".spot.suggested").first).to_be_attached()


def test_a_piece_in_the_hand_goes_where_the_hint_says_and_can_be_shifted_on(arrive):
    """On a phone the words take half of the screen: where the piece lands is scrolled to above them."""
    ann = arrive(viewport=PHONE)
    ann.page.route(
        "**/hint",
        lambda route: route.fulfill(
            json={
                **last_hold(ann),
                "bot": "",
                "headline": "So",
                "arguments": [{"kind": "gains", "text": "Because it is so."}] * 20,
                "expects": "",
                "follows": [],
            }
        ),
    )
    ann.open_ramp("me", boards="1")
    assert ann.wait_for_piece()
    before = ann.said.inner_text()
    ann.page.keyboard.press("h")
    expect(ann.words).to_contain_text("So")
    expect(ann.said).not_to_have_text(before)
    expect(ann.place).to_be_visible()
    lowest = "(all) => Math.max(...all.map((one) => one.getBoundingClientRect().bottom))"
    lands = ann.page.locator(".layer-ghost .ghost").evaluate_all(lowest)
    assert lands <= ann.page.locator("#controls").bounding_box()["y"]
    hinted = ann.said.inner_text()
    ann.page.keyboard.press("ArrowLeft")
    expect(ann.said).not_to_have_text(hinted)


def last_hold(ann: Holder) -> dict[str, Any]:
    scene = ann.view()["scene"]
    walk = [each for each in scene["walks"] if each.get("hold")][-1]
    return {"move": walk["move"], "way": {"walks": [walk], "ghosts": scene["ghosts"], "later": []}}


def test_with_friends_there_are_no_hints_unless_the_owner_allows_them(arrive):
    ann = arrive(settings=EVALUATED)
    ann.choose_seats("me", "bot", name="Ann")
    box = ann.page.get_by_label("Hints and evaluation allowed")
    expect(box).to_be_checked()
    ann.choose_seat(2, "open")
    expect(box).not_to_be_checked()
    ann.page.click("#play")
    ann.page.wait_for_url("**/t/*")
    ann.sees_table()
    expect(ann.page.locator("#hint")).to_be_hidden()
    expect(ann.page.locator("#evaluation")).to_be_hidden()
    ann.page.click("#open-settings")
    expect(ann.page.locator("#no-hints")).to_be_visible()
    ann.choose_seats("me", "open", name="Ann")
    box.check()
    ann.page.click("#play")
    ann.page.wait_for_url("**/t/*")
    ann.sees_table()
    expect(ann.page.locator("#hint")).to_be_visible()
    assert ann.view()["hints"]


def test_the_bar_is_switched_on_follows_the_game_and_is_switched_off(arrive):
    ann = arrive()
    asked: list[int] = []
    ann.page.on(
        "request", lambda request: "/evaluate" in request.url and asked.append(request.post_data_json["seq"])
    )
    ann.open_table("me", "screen", name="Ann")
    assert ann.wait_for_turn()
    expect(ann.page.locator("#evaluation")).to_be_hidden()
    assert not asked, "it is off by default"
    switch(ann)
    expect(ann.stakes).to_have_count(2)
    expect(ann.stakes.nth(0)).to_have_text(re.compile(r"Ann +62% · points: about 54"))
    expect(ann.page.locator("#shares span")).to_have_count(2)
    assert ann.play_somehow()
    expect(ann.stakes.nth(0)).to_have_text(re.compile(r"Ann +38% · points: about 47"))
    assert len(asked) == len(set(asked)) == 2, "each moment is asked about once"
    unanswered: list[Any] = []
    ann.page.route("**/evaluate", lambda route: unanswered.insert(0, route))
    ann.page.keyboard.press("ArrowLeft")
    expect(ann.stakes.nth(0)).to_be_hidden()  # not what is true of another moment
    soon(lambda: unanswered, ann.page)
    unanswered.pop().continue_()
    ann.page.unroute("**/evaluate")
    expect(ann.stakes.nth(0)).to_have_text(re.compile(r"Ann +62% · points: about 54"))
    ann.page.keyboard.press("End")
    expect(ann.stakes.nth(0)).to_have_text(re.compile(r"Ann +38% · points: about 47"))
    switch(ann)
    expect(ann.page.locator("#evaluation")).to_be_hidden()


def test_the_bar_waits_where_something_is_drawn_next_and_keeps_its_room(arrive):
    ann = arrive(settings=EVALUATED)
    ann.open_ramp("me", boards="1")
    expect(ann.stakes).to_have_count(1)
    room = ann.page.locator("#evaluation").bounding_box()
    asked: list[Any] = []
    ann.page.on("request", lambda request: "/evaluate" in request.url and asked.append(request))
    ann.page.keyboard.press(",")  # before the card is turned
    expect(ann.page.locator("#ribbon")).to_be_visible()
    expect(ann.stakes.nth(0)).to_be_hidden()
    ann.page.wait_for_timeout(300)
    assert not asked
    assert ann.page.locator("#evaluation").bounding_box()["height"] == room["height"]


def switch(ann: Player) -> None:
    ann.page.click("#open-settings")
    ann.page.locator("[name=evaluation]").click()
    ann.page.keyboard.press("Escape")


def test_who_plays_alone_sees_the_points_to_expect(arrive):
    ann = arrive(settings=EVALUATED)
    ann.open_ramp("me", boards="1")
    expect(ann.stakes).to_have_text(re.compile("You +points: about 54"))
    expect(ann.page.locator("#shares span")).to_have_count(0)


@LANGUAGES
def test_hints_and_the_bar_speak_the_language_of_the_browser(arrive, lang: str):
    ann = arrive(settings=EVALUATED, locale=lang)
    ann.open_table("me", "bot", name="Ann")
    ann.ask()
    soon(lambda: ann.stakes.count() == 2, ann.page)
    words = GAMES["azul"].words(lang)
    expect(ann.page.locator("#hint")).to_have_text(words.say("Hint"))
    expect(ann.words.locator("summary")).to_have_text(words.say("Then perhaps:"))
    assert not english_left(ann.page, lang)


@LOOKS
def test_hints_and_the_bar_fit_the_screen_and_have_nothing_serious_for_axe(arrive, viewport, scheme: str):
    ann = arrive(viewport=viewport, settings=EVALUATED)
    ann.choose_seats("me", "bot", "bot", "bot", name="Ann")
    assert faults_of(ann.page, scheme) == []
    ann.page.click("#play")
    ann.page.wait_for_url("**/t/*")
    ann.ask()
    expect(ann.stakes).to_have_count(4)
    assert faults_of(ann.page, scheme) == []
