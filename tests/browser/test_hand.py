"""A piece in the hand: shifted, turned, flipped and placed by mouse, keys and fingers, alone and at once."""

import json
import re
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from browser.conftest import PHONE
from browser.player import COMPILED, Player, soon
from browser.test_pages import LANGUAGES, LOOKS, faults_of

HAND_OR_OVER = """() => {
    if (document.querySelector("#result[open]")) return "over";
    return document.querySelector(".turn.yours") && document.querySelector(".spot.lit") ? "turn" : "";
}"""
FALLS = """
window.falls = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, options) {
    const from = frames[0]?.transform ?? "";
    if (this.classList.contains("sprite") && from.startsWith("translate(0px")) window.falls.push(from);
    return animate.call(this, frames, options);
};
"""
COVERED = """() => {
    const tick = document.querySelector(".tick").getBoundingClientRect();
    const meets = (node) => {
        const { left, right, top, bottom } = node.getBoundingClientRect();
        return left < tick.right && right > tick.left && top < tick.bottom && bottom > tick.top;
    };
    const others = [...document.querySelectorAll(".spot.lit:not([data-spot^=column])")];
    return others.filter(meets).map((node) => node.dataset.spot);
}"""
OWN = "\n".join(["rows", ". . 9 . . .", *["......"] * 10, "a . . . . a"])


class Holder(Player):
    """Somebody at a table of FITS."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self.said = page.locator("#choices .chosen-text")
        self.place = page.locator("#choices .place")

    def open_ramp(self, *seats: str, name: str = "Ann", **options: str) -> None:
        self.begin("fits", *seats, name=name, **options)

    def wait_for_piece(self) -> bool:
        """Until there is a piece in the hand, or at least one to decline; False if the game is over."""
        return self.wait_for(HAND_OR_OVER) == "turn"

    def walks(self) -> list[Any]:
        scene = self.view()["scene"]
        return [
            {**walk, "ghost": [scene["ghosts"][number] for number in walk.get("ghost", ())]}
            for walk in scene["walks"]
        ]

    def best(self) -> Any:
        """A walk that lands low and closes little."""
        return min(self.walks(), key=cost)

    def ghosts(self) -> list[str]:
        return self.page.eval_on_selector_all(
            ".layer-ghost use",
            "(all) => all.map((each) => ['href', 'x', 'y'].map((at) => each.getAttribute(at)).join())",
        )

    def point_beside_tick(self, column: str) -> tuple[float, float]:
        """The middle of a column, or its foot where a ✓ for the piece as it is held lies upon it."""
        x, y = self.point_at(column)
        is_spot = "([x, y]) => Boolean(document.elementFromPoint(x, y)?.closest('.spot'))"
        if self.page.evaluate(is_spot, [x, y]):
            return x, y
        box = self.page.locator(f"[data-spot='{column}'] .edge").first.bounding_box()
        return x, box["y"] + box["height"] - 5

    def decline(self) -> None:
        self.choose(["aside"])
        with self.page.expect_response("**/moves") as answer:
            self.confirm.click()
        assert answer.value.ok


def cost(walk: Any) -> int:
    if not walk.get("hold"):
        return 99
    text = walk["hold"]["text"]
    closed = re.search(r"closes (\d+)", text)
    return int(re.search(r"row (\d+)", text)[1]) + 3 * int(closed[1] if closed else 0)


@pytest.fixture
def ann(page: Page) -> Holder:
    return Holder(page)


def test_a_whole_round_is_played_by_mouse(ann: Holder):
    """Choose how it lies, point at a column, see where it lands, place it."""
    ann.open_ramp("me", boards="2")
    placed = 0
    while ann.wait_for_piece():
        walk = ann.best()
        if not walk.get("hold"):
            ann.decline()
            continue
        way, column = walk["spots"]
        ann.click(way)
        ann.page.mouse.move(*ann.point_beside_tick(column))
        expected = [
            ",".join(["#" + symbol, *(f"{at:g}" for at in (x, y))])
            for symbol, x, y, *_ in walk.get("ghost", ())
        ]
        soon(lambda expected=expected: set(expected) <= set(ann.ghosts()), ann.page)
        if ann.said.inner_text() != walk["hold"]["text"]:
            ann.click(column)
        expect(ann.said).to_have_text(walk["hold"]["text"])
        with ann.page.expect_response("**/moves") as answer:
            ann.place.click()
        assert answer.value.ok
        assert json.loads(answer.value.request.post_data or "")["move"] == walk["move"]
        placed += 1
    assert placed > 10
    heading = ann.result.locator("h2").inner_text()
    assert re.fullmatch(r"−?\d+ points?", heading)
    expect(ann.page.locator("#seats .score")).to_have_text(heading.split()[0])
    assert ann.screen_is_as_after_a_fresh_load()


def test_what_stands_beside_a_ghost_covers_no_other_way_to_hold_the_piece(ann: Holder):
    """High up the ghost is beside the ways to hold it: who wants another one must not place the piece."""
    ann.open_ramp("me", boards="2")
    for _ in range(8):
        assert ann.wait_for_piece()
        holds = [walk for walk in ann.walks() if walk.get("hold")]
        if not holds:
            break
        highest = max(
            holds, key=lambda walk: (walk["spots"][1], int(re.search(r"row (\d+)", walk["hold"]["text"])[1]))
        )
        ann.choose(highest["spots"])
        expect(ann.said).to_have_text(highest["hold"]["text"])
        assert not ann.page.evaluate(COVERED)
        with ann.page.expect_response("**/moves"):
            ann.place.click()


def test_a_round_is_played_by_keyboard_alone(ann: Holder):
    """Without looking at the walks: what the keys lead to is what is placed. Its beginning and its end."""
    ann.open_ramp("me", boards="1")
    keys, round_ = ["r", "ArrowLeft", "f", "ArrowRight", "ArrowUp"], 0
    while ann.wait_for_piece():
        round_ += 1
        if round_ == 7:
            ann.make_unseen([(ann, "aside")] * 7)
            assert ann.wait_for_piece()
        if ann.page.locator("#choices.hand").count() == 0:
            ann.decline()
            continue
        for key in [*keys[: round_ % 6], *["ArrowRight"] * (round_ % 4), *["ArrowLeft"] * (round_ % 3)]:
            ann.page.keyboard.press(key)
        text, entries = ann.said.inner_text(), ann.log.count()
        held = next(walk for walk in ann.walks() if walk.get("hold") and walk["hold"]["text"] == text)
        with ann.page.expect_response("**/moves") as answer:
            ann.page.keyboard.press("Enter")
        assert answer.value.ok
        sent = json.loads(answer.value.request.post_data or "")["move"]
        assert sent.split()[0] == held["move"].split()[0]
        assert sent.split()[2] == held["move"].split()[2]
        soon(lambda entries=entries: ann.log.count() > entries, ann.page)
    assert round_ == 9
    expect(ann.result).to_be_visible()


def test_keys_turn_flip_and_shift_and_stop_at_the_edge(ann: Holder):
    ann.open_ramp("me", boards="1")
    assert ann.wait_for_piece()
    ann.page.locator("#board").focus()
    near = {walk["move"]: walk["hold"]["near"] for walk in ann.walks() if walk.get("hold")}
    now = ann.view()["scene"]["held"]
    texts = {walk["move"]: walk["hold"]["text"] for walk in ann.walks() if walk.get("hold")}
    for key, way in [("ArrowRight", "right")] * 6 + [
        ("r", "turn"),
        ("f", "flip"),
        ("R", "turn"),
        ("ArrowLeft", "left"),
    ]:
        now = near[now].get(way, now)
        ann.page.keyboard.press(key)
        expect(ann.said).to_have_text(texts[now])
    expect(ann.page.locator("#moment-place")).to_have_text("now")
    ann.page.locator("#moment").focus()
    ann.page.keyboard.press("r")
    expect(ann.said).to_have_text(texts[now])


def test_the_focus_stays_on_the_button_that_turns(ann: Holder):
    ann.open_ramp("me", boards="1")
    assert ann.wait_for_piece()
    turn = ann.page.locator("[data-hold=turn]")
    turn.focus()
    for _ in range(3):
        ann.page.keyboard.press("Enter")
        expect(turn).to_be_focused()
    ann.page.keyboard.press("ArrowLeft")
    expect(turn).to_be_focused()


@pytest.mark.parametrize("shifted", [True, False])
def test_a_second_click_on_the_column_places_the_piece(ann: Holder, shifted: bool):
    """But not the first one, even where the piece is held already."""
    ann.open_ramp("me", boards="1")
    assert ann.wait_for_piece()
    letter = "A" if shifted else ann.view()["scene"]["held"][-1]
    entries = ann.log.count()
    ann.click(f"column-{letter}")
    expect(ann.said).to_contain_text(f"column {letter}")
    ann.page.wait_for_timeout(200)
    assert ann.log.count() == entries
    with ann.page.expect_response("**/moves") as answer:
        ann.click(f"column-{letter}")
    assert json.loads(answer.value.request.post_data or "")["move"].endswith(f">{letter}")


def test_a_click_on_the_tick_places_the_piece_that_a_click_has_brought_there(ann: Holder):
    """Pressing takes the focus off the column: the ✓ under the mouse stays what it was."""
    ann.open_ramp("me", boards="1")
    assert ann.wait_for_piece()
    ann.click("column-A")
    expect(ann.said).to_contain_text("column A")
    with ann.page.expect_response("**/moves") as answer:
        ann.page.locator(".tick").click()
    assert json.loads(answer.value.request.post_data or "")["move"].endswith(">A")


def test_without_confirming_pointing_at_a_column_places_the_piece(new_context: Callable[..., BrowserContext]):
    ann = Holder(new_context(settings={"confirm": "people"}).new_page())
    ann.open_ramp("me", boards="1")
    assert ann.wait_for_piece()
    ann.page.keyboard.press("r")
    ann.page.keyboard.press("ArrowLeft")
    expect(ann.place).to_be_visible()
    with ann.page.expect_response("**/moves") as answer:
        ann.click("column-A")
    assert json.loads(answer.value.request.post_data or "")["move"].endswith(">A")


def test_enter_places_the_piece_where_its_ghost_is_seen(ann: Holder):
    """Also where the mouse only rests on another column than the one it is held over."""
    ann.open_ramp("me", boards="1")
    assert ann.wait_for_piece()
    held = ann.said.inner_text()
    way = ann.page.locator(".spot.chosen").first.get_attribute("data-spot")
    others = [walk for walk in ann.walks() if walk["spots"][0] == way and walk["hold"]["text"] != held]
    ann.page.mouse.move(*ann.point_at(others[-1]["spots"][-1]))
    with ann.page.expect_response("**/moves") as answer:
        ann.page.keyboard.press("Enter")
    assert json.loads(answer.value.request.post_data or "")["move"] == others[-1]["move"]


def test_pointing_at_the_last_column_brings_a_wide_piece_as_near_as_it_can_be(ann: Holder):
    ann.open_ramp("me", boards="1")
    assert ann.wait_for_piece()
    ann.click("column-F")
    move = next(
        walk["move"]
        for walk in ann.walks()
        if walk.get("hold") and walk["hold"]["text"] == ann.said.inner_text()
    )
    assert move[-1] in "DE", "the last column in which it does not stick out"
    assert move.split()[1] == ann.view()["scene"]["held"].split()[1], "pointing at a place does not turn it"
    way = ann.page.locator(".spot.chosen").first.get_attribute("data-spot")
    for _ in range(2):
        ann.choose([way])  # how it lies is no place
    with ann.page.expect_response("**/moves") as answer:
        for _ in range(2):
            ann.choose(["column-F"])
    assert json.loads(answer.value.request.post_data or "")["move"] == move


def test_declining_can_be_called_off(ann: Holder):
    ann.open_ramp("me", boards="1")
    assert ann.wait_for_piece()
    ann.page.keyboard.press("ArrowLeft")
    text = ann.said.inner_text()
    ann.click("aside")
    expect(ann.confirm).to_have_text("Confirm")
    ann.page.locator("#choices button").last.click()
    expect(ann.said).to_have_text(text)
    ann.decline()
    expect(ann.log.filter(has_text="aside")).to_have_count(1)


def test_a_solo_player_takes_a_move_back(ann: Holder):
    ann.open_ramp("me", boards="1")
    assert ann.wait_for_piece()
    text = ann.said.inner_text()
    entries = ann.log.count()
    ann.page.keyboard.press("Enter")
    soon(lambda: ann.log.count() > entries, ann.page)
    assert ann.wait_for_piece()
    ann.undo.click()
    soon(lambda: ann.log.count() == entries, ann.page)
    expect(ann.said).to_have_text(text)


def test_a_round_is_played_with_a_finger(new_context: Callable[..., BrowserContext]):
    """Its beginning and its end."""
    ann = Holder(new_context(viewport=PHONE, has_touch=True, is_mobile=True).new_page())
    ann.open_ramp("me", boards="4")
    placed = 0
    while ann.wait_for_piece():
        placed += 1
        if placed == 6:
            ann.make_unseen([(ann, "aside")] * 8)
            assert ann.wait_for_piece()
        if ann.page.locator("#choices.hand").count() == 0:
            ann.page.touchscreen.tap(*ann.point_at("aside"))
            with ann.page.expect_response("**/moves"):
                ann.confirm.tap()
            continue
        for knob in ("turn", "right", "flip", "left")[: placed % 5]:
            button = ann.page.locator(f"[data-hold={knob}][aria-disabled=false]")
            if button.count():
                button.tap()
        entries = ann.log.count()
        with ann.page.expect_response("**/moves") as answer:
            ann.place.tap()
        assert answer.value.ok
        soon(lambda entries=entries: ann.log.count() > entries, ann.page)
    assert placed == 8
    assert ann.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize(
    "locale", ["de-DE", *(pytest.param(other, marks=pytest.mark.long) for other in ("en-GB", "pl-PL"))]
)
def test_on_a_phone_the_bar_hides_nothing_of_the_ramp(
    new_context: Callable[..., BrowserContext], locale: str
):
    """Also with all four buttons and the longest words."""
    ann = Holder(new_context(viewport=PHONE, has_touch=True, locale=locale).new_page())
    ann.open_ramp("me", boards="3")
    assert ann.wait_for_piece()
    expect(ann.page.locator("#choices .knob")).to_have_count(4)
    in_column = [walk for walk in ann.walks() if walk.get("hold") and walk["spots"][1] == "column-A"]
    way = max(in_column, key=lambda walk: len(walk["hold"]["text"]))["spots"][0]
    ann.page.locator(f"[data-spot='{way}']").dispatch_event("click")
    for _ in range(5):
        ann.page.keyboard.press("ArrowLeft")
    expect(ann.said).to_contain_text(" A: ")
    expect(ann.said).to_contain_text("1, ")
    ramp, bar = (ann.page.locator(each).bounding_box() for each in ("[data-spot=column-A]", ".controls"))
    assert ramp["y"] + ramp["height"] <= bar["y"]
    assert ann.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.fixture
def two(new_context: Callable[..., BrowserContext]) -> tuple[Holder, Holder]:
    host = Holder(new_context(permissions=["clipboard-read", "clipboard-write"]).new_page())
    host.open_ramp("me", "open", boards="1")
    guest = Holder(new_context().new_page())
    guest.come_by(host.copy_link(), name="Ben")
    return host, guest


def test_nobody_waits_and_no_screen_jumps_when_two_place_at_once(two: tuple[Holder, Holder]):
    """What one does leaves the other's piece, focus and preview alone, and both placements count."""
    host, guest = two
    assert host.wait_for_piece()
    assert guest.wait_for_piece()
    turn = host.page.locator("[data-hold=turn]")
    turn.focus()
    for key in ("r", "ArrowLeft", "ArrowLeft"):
        host.page.keyboard.press(key)
    text, ghosts, entries = host.said.inner_text(), host.ghosts(), host.log.count()
    node = turn.element_handle()
    guest.page.keyboard.press("ArrowRight")
    guest.page.keyboard.press("Enter")
    soon(lambda: host.log.count() > entries, host.page)
    expect(host.page.locator("#seats .to-move")).to_have_count(1)
    assert (host.said.inner_text(), host.ghosts()) == (text, ghosts)
    assert host.page.evaluate("(node) => document.activeElement === node", node), (
        "the focus stays on the same button"
    )
    with host.page.expect_response("**/moves") as answer:
        host.place.click()
    assert answer.value.ok
    asked = [player for player in two if player.view()["you"]["turn"]]  # FI-R4: one of them may skip the card
    assert asked
    for player in asked:
        assert player.wait_for_piece()


def test_a_placement_counts_although_another_was_faster(two: tuple[Holder, Holder]):
    """The news of the other's move is still on its way when this one is sent."""
    host, guest = two
    assert host.wait_for_piece()
    assert guest.wait_for_piece()
    host.page.route("**/events*", lambda route: route.abort())
    seq = host.view()["seq"]
    body = {"seq": seq, "move": "aside", "seat": 2}
    at = guest.page.url.replace("/t/", "/api/games/")
    made = guest.page.request.post(f"{at}/moves", data=body, headers={"Idempotency-Key": "faster-than-you"})
    assert made.ok
    with host.page.expect_response("**/moves") as answer:
        host.page.keyboard.press("Enter")
    assert answer.value.ok, answer.value.text()


@pytest.mark.long
def test_two_guests_play_a_whole_game_at_once(two: tuple[Holder, Holder]):
    """Whoever is to place does, without waiting for the other; whose start piece is on the card skips it.
    Most of the round is set aside while nobody looks.
    """
    for card in count(1):
        if two[0].view()["over"]:
            break
        if card == 4:
            two[0].make_unseen([(player, "aside") for _ in range(10) for player in two])
        for player in two:
            if player.view()["you"]["turn"] and player.wait_for_piece():
                if player.page.locator("#choices.hand").count() == 0:
                    player.decline()
                    continue
                with player.page.expect_response("**/moves") as answer:
                    player.page.keyboard.press("Enter")
                assert answer.value.ok
    for player in two:
        expect(player.result).to_be_visible()
    assert two[0].read_result("Ann") == two[1].read_result("Ben")


def test_a_piece_falls_from_the_hand_and_the_scoring_is_shown(new_context: Callable[..., BrowserContext]):
    context = new_context(settings={"speed": "fast"}, reduced_motion="no-preference")
    context.add_init_script(FALLS)
    ann = Holder(context.new_page())
    ann.open_ramp("me", boards="14")
    ann.make_unseen([(ann, "aside")] * 10)
    for _ in range(6):
        assert ann.wait_for_piece()
        entries = ann.log.count()
        if ann.page.locator("#choices.hand").count():
            ann.page.keyboard.press("Enter")
        else:
            ann.decline()
        soon(lambda entries=entries: ann.log.count() > entries, ann.page)
    assert ann.page.evaluate("window.falls.length") >= 1, "straight down, neither left nor right"
    expect(ann.page.locator(".layer-labels")).to_contain_text("the round is scored")
    assert ann.page.locator("use[href='#fits-lost']").count() > 0
    assert ann.wait_for_piece()
    expect(ann.page.locator(".layer-labels")).to_contain_text("Round 2 of 2: board 4")


def test_the_best_results_are_kept_by_this_browser(ann: Holder):
    totals = []
    for _ in range(2):
        ann.open_ramp("me", boards="3")
        ann.make_unseen([(ann, "aside")] * 15)
        assert ann.wait_for_piece()
        ann.decline()
        expect(ann.result).to_be_visible()
        totals.append(ann.page.locator("#result-table td.total").inner_text())
    best = ann.result.locator(".best-list li")
    expect(best).to_have_count(2)
    expect(best.filter(has_text="this game")).to_have_count(1)
    kept = ann.page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('mozaika.best.fits'))")
    assert len(kept) == 1
    ann.result.get_by_text("What was possible?").click()
    expect(ann.result.locator("caption")).to_be_visible(timeout=COMPILED)
    expect(ann.result.locator("#result-more tfoot")).to_contain_text(f"{totals[-1]} of ")
    ann.page.set_viewport_size({"width": 360, "height": 300})
    ann.page.reload()
    expect(ann.result.get_by_role("link", name="Review", exact=True)).to_be_focused()
    expect(ann.page.locator("#result-title")).to_be_in_viewport(ratio=0.9)


def test_own_boards_are_drawn_checked_pictured_and_played(ann: Holder):
    page = ann.page
    page.goto("/")
    page.click("[data-game=fits]")
    wrong, picture = page.locator("#options-wrong"), page.locator("#options-picture")
    ann.open_options()
    page.fill("[data-option=own]", OWN.replace("9", "Q"))
    page.fill("[data-option=boards]", "A1")
    expect(wrong).to_contain_text("Board A, row 1 from the top, column C: “Q” is no field")
    expect(picture).to_be_hidden()
    page.fill("[data-option=own]", OWN)
    expect(wrong).to_be_empty()
    expect(picture).to_be_visible()
    soon(lambda: page.evaluate("document.querySelector('#options-picture img').naturalWidth > 0"), page)
    page.click("#play")
    page.wait_for_url("**/t/*")
    ann.sees_table()
    record = page.request.get(page.url.replace("/t/", "/api/games/") + "/record").text()
    assert "boards=A1 order=given own=rows/..9.../" in record
    page.goto("/")
    expect(page.locator("[data-option=own]")).to_have_value(re.compile("^rows\n"))


def test_a_wrong_board_opens_no_table(ann: Holder, watch: Any):
    watch.allow("422")
    page = ann.page
    page.goto("/")
    page.click("[data-game=fits]")
    ann.open_options()
    page.fill("[data-option=boards]", "17")
    page.click("#play")
    expect(page.locator("#home-wrong")).to_contain_text("There is no board “7”")


@LANGUAGES
def test_the_hand_speaks_the_language(new_context: Callable[..., BrowserContext], lang: str):
    ann = Holder(new_context(locale=lang).new_page())
    ann.open_ramp("me", boards="1")
    assert ann.wait_for_piece()
    expect(ann.said).to_contain_text({"pl": "ląduje w rzędzie", "de": "landet in Reihe"}[lang])
    expect(ann.place).to_contain_text({"pl": "Połóż", "de": "Legen"}[lang])


@LOOKS
def test_the_ramps_have_nothing_serious_for_axe(
    new_context: Callable[..., BrowserContext], viewport, scheme: str
):
    ann = Holder(new_context(viewport=viewport).new_page())
    ann.open_ramp("me", "bot", "bot", "bot", boards="4321")
    assert ann.wait_for_piece()
    assert faults_of(ann.page, scheme) == []
    ann.page.goto("/")
    ann.page.click("[data-game=fits]")
    ann.open_options()
    assert faults_of(ann.page, scheme) == []
    ann.page.goto("/rules/fits")
    assert faults_of(ann.page, scheme) == []
