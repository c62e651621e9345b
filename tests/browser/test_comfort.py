"""One time on the screen, keys that walk through it, confirming beside the ghost, motion, fingers."""

import re

from playwright.sync_api import expect

from browser.conftest import PHONE
from browser.player import Player, soon
from browser.test_gemino import CROSSING, TURNS, make_moves, open_gemino
from browser.test_hand import Holder

UNREADY = """
    window.unready = [];
    setInterval(() => {
        const yours = document.querySelector(".turn.yours");
        const told = yours && document.querySelector("#choices").hidden && yours.innerText;
        // how a walk goes on is asked for where it is cut off: what is pointed at meanwhile waits
        const walking = document.querySelector("#board[aria-busy]");
        if (told && !walking && !document.querySelector(".spot.lit")) window.unready.push(told);
    }, 4);
"""
LANDED = """
    window.landed = [];
    const look = () => {
        const lit = document.querySelectorAll(".flash").length;
        const score = document.querySelector("#seats .score")?.textContent;
        const told = `${lit} ${score}`;
        if (window.landed.at(-1) !== told) window.landed.push(told);
        requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
"""
KEY_IN_MOTION = """() => {
    const moving = () => document.querySelector(".layer-sprites").getAnimations({ subtree: true })
        .filter((motion) => !(motion instanceof CSSTransition)).length; // not what is only lifted
    if (!moving()) return "";
    document.querySelector("#board").dispatchEvent(new KeyboardEvent("keydown", { key: "x", bubbles: true }));
    return `${moving()} still moved`;
}"""
WASHED = """() => [...document.querySelectorAll(".walking .spot.lit")].filter((spot) =>
    spot.classList.contains("dim") || getComputedStyle(spot.querySelector(".edge")).fill !== "none").length"""


def scores(ann: Player) -> list[int]:
    return [int(text.replace("−", "-")) for text in ann.page.locator("#seats .score").all_inner_texts()]


def to_move(ann: Player) -> list[int]:
    seats = "(all) => all.flatMap((seat, at) => (seat.classList.contains('to-move') ? [at + 1] : []))"
    return ann.page.locator("#seats .seat").evaluate_all(seats)


def test_looking_back_shows_one_moment_everywhere_and_nothing_can_be_done_there(new_context, finished):
    game = finished(2)
    ann = Player(new_context(cookies=game.cookies).new_page())
    ribbon, slider = ann.page.locator("#ribbon"), ann.page.locator("#moment")
    for ply in (game.plies * 2 // 3, game.plies // 2):
        ann.go_to(f"{game.url}?ply={ply}")
        expect(ribbon).to_be_visible()
        then = ann.page.request.get(f"{ann.address}/view?ply={ply}").json()
        soon(lambda then=then: scores(ann) == [seat["score"] for seat in then["seats"]], ann.page)
        assert to_move(ann) == [at for at, seat in enumerate(then["seats"], 1) if seat["to_move"]]
        shown = ann.page.locator("#log [data-shown]")
        expect(shown).to_have_count(1)
        assert int(shown.get_attribute("data-ply")) <= ply
        expect(shown).to_be_in_viewport()
        assert int(ann.page.locator("#log [data-later]").first.get_attribute("data-ply")) > ply
        for action in ("#undo", "#hint"):
            assert ann.page.locator(action).is_disabled() or ann.page.locator(action).is_hidden()
        expect(ann.page.locator("#seats .menu")).to_have_count(0)
    index, all_ = re.fullmatch(r"Move (\d+) of (\d+)", ribbon.locator("p").inner_text()).groups()
    assert (slider.input_value(), slider.get_attribute("max")) == (index, all_)
    ann.page.keyboard.press("Escape")
    expect(ribbon).to_be_hidden()
    expect(ann.result).to_be_visible()
    assert slider.input_value() == slider.get_attribute("max") == all_
    expect(ann.page.locator("#log [data-later]")).to_have_count(0)


def test_arrows_walk_through_the_game_after_a_click_on_the_board_and_after_its_end(new_context, finished):
    ann = Player(new_context().new_page())
    ann.open_table("me", "screen")
    assert ann.page.evaluate("moment.value === moment.max"), "now is the end of the slider from the beginning"
    assert ann.play()
    assert ann.wait_for_turn()
    ann.click(ann.pick_walk()["spots"][0])
    ann.page.keyboard.press("ArrowLeft")
    ann.page.wait_for_url("**?ply=*")
    expect(ann.undo).to_be_disabled()
    expect(ann.status).to_contain_text("It is your turn.")
    ann.page.keyboard.press("ArrowRight")
    expect(ann.page.locator("#ribbon")).to_be_hidden()
    expect(ann.undo).to_be_enabled()
    done = finished(2)
    ben = Player(new_context(cookies=done.cookies).new_page())
    ben.go_to(done.url)
    expect(ben.result).to_be_visible()
    ben.page.keyboard.press("ArrowLeft")
    ben.page.wait_for_url("**?ply=*")
    expect(ben.result).to_be_hidden()
    ben.page.keyboard.press("End")
    expect(ben.page.locator("#ribbon")).to_be_hidden()
    ben.page.locator("#board").click(position={"x": 300, "y": 200})
    ben.page.keyboard.press("ArrowLeft")
    ben.page.wait_for_url("**?ply=*")


def test_a_click_on_the_log_leaves_the_keys_to_the_piece_in_the_hand(new_context):
    ann = Holder(new_context().new_page())
    ann.open_ramp("me", boards="1")
    assert ann.wait_for_piece()
    ann.page.locator("#log a.moment").first.click()
    ann.page.wait_for_url("**?ply=*")
    ann.page.keyboard.press("End")
    assert ann.wait_for_piece()
    ann.page.locator("#log").click(position={"x": 3, "y": 3})
    before = ann.said.inner_text()
    ann.page.keyboard.press("ArrowLeft")
    expect(ann.said).not_to_have_text(before)
    with ann.page.expect_response("**/moves"):
        ann.page.keyboard.press("Enter")
    assert ann.wait_for_piece()
    ann.page.keyboard.press(",")
    ann.page.wait_for_url("**?ply=*")


def test_a_move_is_confirmed_beside_its_ghost_or_by_a_second_click(new_context):
    ann = Player(new_context().new_page())
    ann.open_table("me", "screen")
    for confirm in ("second", "tick"):
        assert ann.wait_for_turn()
        spots = ann.pick_walk()["spots"]
        ann.walk(spots)
        expect(ann.confirm).to_be_visible()
        tick = ann.page.locator(".tick")
        box = tick.bounding_box()
        assert min(box["width"], box["height"]) >= 24
        with ann.page.expect_response("**/moves") as answer:
            ann.click(spots[-1]) if confirm == "second" else tick.click()
        assert answer.value.ok
    ann.open_table("me", "screen", game="gemino")
    assert ann.wait_for_turn()
    ann.walk(["a1", "h1"])
    expect(ann.confirm).to_be_visible()
    with ann.page.expect_response("**/moves") as answer:
        ann.click("h1")
    assert answer.value.ok


def test_a_line_is_seen_before_it_goes_and_what_is_lit_keeps_its_colour(new_context):
    context = new_context(reduced_motion="no-preference", settings={"speed": "fast"})
    context.add_init_script(LANDED)
    ann = Player(context.new_page())
    open_gemino(ann, "me", "screen", "screen")
    make_moves(ann, TURNS)
    ann.page.reload()
    assert ann.wait_for_turn()
    ann.walk(["k1"])
    expect(ann.page.locator(".spot.dim").first).to_be_attached()
    assert ann.page.evaluate(WASHED) == 0
    ann.walk([CROSSING, f"{CROSSING}+c1-c4"])
    ann.confirm.click()
    soon(lambda: scores(ann)[0] == 1, ann.page)
    told = ann.page.evaluate("window.landed")
    assert "4 0" in told, "the line is lit before the point is counted"
    assert told.index("4 0") < told.index("0 1")
    assert "4 1" not in told


def test_whoever_is_told_to_move_can_and_a_key_ends_every_motion(new_context):
    context = new_context(reduced_motion="no-preference", settings={"confirm": "people"})
    context.add_init_script(UNREADY)
    ann = Player(context.new_page())
    ann.open_table("me", "bot", "bot")
    for _ in range(2):
        assert ann.wait_for_turn()
        spots = ann.pick_walk()["spots"]
        with ann.page.expect_response("**/moves"):
            ann.choose(spots)
    assert ann.wait_for_turn()
    assert ann.page.evaluate("window.unready") == []
    ann.choose(ann.pick_walk()["spots"])
    assert ann.wait_for(KEY_IN_MOTION) == "0 still moved"


def test_a_tap_selects_and_a_finger_that_moves_on_from_a_lit_tile_scrolls(new_context):
    context = new_context(viewport={**PHONE, "height": 520}, has_touch=True, is_mobile=True)
    ann = Player(context.new_page())
    ann.open_table("me", "screen")
    assert ann.wait_for_turn()
    start = ann.pick_walk()["spots"][0]
    chosen = ann.page.locator(".spot.chosen")
    for count in (1, 0):
        ann.page.touchscreen.tap(*ann.point_at(start))
        expect(chosen).to_have_count(count)
    x, y = ann.point_at(start)
    fingers, before = context.new_cdp_session(ann.page), ann.page.evaluate("scrollY")
    for kind, moved in (
        ("touchStart", 0),
        *(("touchMove", 12 * step) for step in range(1, 9)),
        ("touchEnd", 0),
    ):
        points = [] if kind == "touchEnd" else [{"x": x, "y": y - moved}]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    soon(lambda: ann.page.evaluate("scrollY") > before + 20, ann.page)
    expect(chosen).to_have_count(0)


def test_on_a_phone_the_past_has_a_ribbon_to_read_and_a_slider_to_hold(new_context, finished):
    game = finished(2)
    for locale in ("en-GB", "pl-PL", "de-DE"):
        ann = Player(new_context(cookies=game.cookies, viewport=PHONE, locale=locale).new_page())
        ann.go_to(f"{game.url}?ply={game.plies // 2}")
        expect(ann.page.locator("#ribbon")).to_be_visible()
        assert ann.page.locator("#moment").bounding_box()["width"] >= 180
        said, *buttons = [
            each.bounding_box() for each in ann.page.locator("#ribbon p, #ribbon button:visible").all()
        ]
        assert len(buttons) == 2
        assert all(said["y"] + said["height"] <= button["y"] for button in buttons), "nothing lies upon it"
        assert buttons[0]["y"] == buttons[1]["y"]
