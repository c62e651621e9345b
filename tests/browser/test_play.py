"""Playing at the table: by mouse, by keys, by dragging; taking back, asking why, walking through the game."""

import re

import pytest
from playwright.sync_api import expect

from browser.conftest import Watch
from browser.player import LAST, STRETCH, WALKED, Player, one_of_the_games, soon

POINTER_EVENTS = """
    window.pointed = [];
    for (const kind of ["pointerdown", "pointermove", "mousedown", "mousemove", "touchstart"])
        addEventListener(kind, (event) => window.pointed.push(kind), true);
"""
MOTIONS = """
    window.motions = 0;
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...how) { window.motions += 1; return animate.apply(this, how); };
"""
LATE_NEWS = """
    const listen = EventSource.prototype.addEventListener;
    EventSource.prototype.addEventListener = function (kind, hear) {
        let before = null;
        listen.call(this, kind, (event) => {
            if (kind === "view" && before) setTimeout(hear, 200, before);
            setTimeout(hear, before ? 400 : 0, event);
            if (kind === "view") before = event;
        });
    };
    window.litAfterAnswer = [];
"""
"""The news of a move, and of what was there before it, comes after the answer."""
NEWS_BESIDE = """
    const listen = EventSource.prototype.addEventListener;
    EventSource.prototype.addEventListener = function (kind, hear) {
        listen.call(this, kind, (event) => {
            hear(event);
            if (kind !== "view") return;
            window.newsBeside = () => {
                const view = JSON.parse(event.data);
                view.scene.sprites.pop();
                hear({ data: JSON.stringify(view) });
            };
        });
    };
"""


@one_of_the_games(WALKED[1])
def test_a_game_is_played_by_mouse_after_two_clicks_and_to_its_end(new_context, finished, game: str):
    """Its beginning, a stretch of its middle, and its end."""
    done = finished(2, game)
    ann = Player(new_context(cookies=done.cookies).new_page())
    ann.page.goto("/")
    ann.page.click(f"[data-game={game}]")
    ann.page.click("#play")
    for _ in range(STRETCH):
        assert ann.play()
    done.begin_at(ann, done.plies // 2)
    assert ann.play()
    for _ in range(STRETCH - 1):  # a short game may be over before
        ann.play()
    done.begin_at(ann, max(0, done.plies - LAST))
    while ann.play():
        pass
    expect(ann.result.locator("tbody tr")).to_have_count(2)
    for row in ann.result.locator("tbody tr").all():
        *sources, total = (int(text.replace("−", "-")) for text in row.locator("td").all_inner_texts())
        assert sum(sources) == total
    ann.page.keyboard.press("Escape")
    expect(ann.lit).to_have_count(0)
    assert ann.screen_is_as_after_a_fresh_load()
    ann.page.click("#result-open")
    before = ann.page.url
    ann.page.click("#rematch")
    ann.page.wait_for_url(lambda url: url != before)
    assert ann.wait_for_turn()


@one_of_the_games(WALKED[-1])
def test_a_game_is_played_by_keyboard_alone_and_to_its_end(new_context, finished, game: str):
    """Its beginning, a stretch of its middle, and its end."""
    done = finished(2, game)
    ann = Player(new_context(cookies=done.cookies).new_page())
    page, keys = ann.page, ann.page.keyboard
    page.add_init_script(POINTER_EVENTS)
    page.goto("/")
    expect(page.locator("#play")).to_be_visible()
    assert ann.press_until("Tab", f"document.activeElement.dataset.game === '{game}'")
    keys.press("Enter")
    assert ann.press_until("Tab", "document.activeElement.id === 'play'")
    keys.press("Enter")
    page.wait_for_url("**/t/*")
    assert play_by_keys(ann, STRETCH) == STRETCH
    done.begin_at(ann, done.plies // 2)
    assert play_by_keys(ann, STRETCH, before=STRETCH), "a short game may be over after one move"
    done.begin_at(ann, max(0, done.plies - LAST))
    play_by_keys(ann, before=2 * STRETCH)
    expect(page.locator("#to-review")).to_be_focused()
    keys.press("Escape")
    expect(ann.result).to_be_hidden()
    assert ann.press_until("Tab", "document.activeElement.id === 'result-open'")
    keys.press("ArrowLeft")
    soon(lambda: "?ply=" in page.url, page)
    assert page.evaluate("window.pointed") == []


def play_by_keys(ann: Player, most: int = 100_000, before: int = 0) -> int:
    """Moves at a table that has just been opened, until the game is over; how many were made. Each move goes
    another way over the board: how many were made before says which is next.
    """
    page, keys, moves = ann.page, ann.page.keyboard, 0
    while moves < most and ann.wait_for_turn():
        if not moves:
            assert ann.press_until("Tab", "document.activeElement.classList.contains('spot')")
        assert page.evaluate("document.activeElement.closest('#board') !== null"), "the focus got lost"
        for arrow in ("ArrowDown", "ArrowRight", "ArrowLeft", "ArrowUp")[: (before + moves) % 5]:
            keys.press(arrow)
        ann.walk_by_keys("Space" if (before + moves) % 2 else "Enter")
        with page.expect_response("**/moves") as answer:
            keys.press("Enter")
        assert answer.value.ok
        moves += 1
    assert page.evaluate("window.pointed") == []
    return moves


def test_escape_goes_back_step_by_step_along_a_walk(ann: Player):
    ann.open_table("me", "bot")
    assert ann.wait_for_turn()
    at_start = ann.screen()
    ann.walk(ann.pick_walk()["spots"])
    expect(ann.confirm).to_be_visible()
    expect(ann.page.locator(".ghost").first).to_be_attached()
    ann.page.keyboard.press("Escape")
    expect(ann.confirm).to_have_count(0)
    expect(ann.page.locator(".spot.chosen")).to_have_count(1)
    ann.page.keyboard.press("Escape")
    expect(ann.page.locator(".spot.chosen")).to_have_count(0)
    ann.page.mouse.move(1, 1)
    soon(lambda: ann.screen() == at_start, ann.page)


def test_a_tile_can_be_dragged_to_its_line(ann: Player):
    ann.open_table("me", "bot")
    assert ann.wait_for_turn()
    start, end = ann.pick_walk()["spots"]
    mouse = ann.page.mouse
    mouse.move(*ann.point_at(start))
    mouse.down()
    mouse.move(*ann.point_at(end), steps=5)
    expect(ann.page.locator(".carried use").first).to_be_attached()
    expect(ann.page.locator(".ghost").first).to_be_attached()
    mouse.up()
    expect(ann.page.locator(".carried")).to_have_count(0)
    entries = ann.log.count()
    ann.confirm.click()
    soon(lambda: ann.log.count() > entries, ann.page)


def test_a_tile_dropped_elsewhere_is_not_played(ann: Player):
    ann.open_table("me", "bot")
    assert ann.wait_for_turn()
    mouse = ann.page.mouse
    mouse.move(*ann.point_at(ann.pick_walk()["spots"][0]))
    mouse.down()
    mouse.move(5, 5, steps=5)
    mouse.up()
    expect(ann.page.locator(".carried")).to_have_count(0)
    expect(ann.confirm).to_have_count(0)


def test_where_taking_back_is_free_a_finished_walk_is_a_move_unless_one_wants_to_confirm(ann: Player):
    ann.open_table("me", "bot")
    assert ann.view()["undo"]["alone"]
    ann.page.click("#open-settings")
    ann.page.get_by_label("Among people").check()
    ann.page.keyboard.press("Escape")
    assert ann.wait_for_turn()
    with ann.page.expect_response("**/moves") as answer:
        ann.walk(ann.pick_walk()["spots"])
    assert answer.value.ok
    ann.page.reload()
    assert ann.wait_for_turn()
    with ann.page.expect_response("**/moves") as answer:
        ann.walk(ann.pick_walk()["spots"])
    assert answer.value.ok, "the setting is remembered"


def test_undo_against_a_bot_brings_the_table_back(ann: Player):
    ann.open_table("me", "bot")
    for _ in range(2):
        assert ann.play()
    assert ann.wait_for_turn()
    ann.page.mouse.move(1, 1)
    before = ann.screen()
    assert ann.play()
    assert ann.wait_for_turn()
    assert ann.screen()["log"] != before["log"]
    ann.undo.click()
    soon(lambda: ann.screen()["log"] == before["log"], ann.page)
    assert ann.wait_for_turn()
    ann.page.mouse.move(1, 1)
    soon(lambda: ann.screen() == before, ann.page)
    assert ann.screen_is_as_after_a_fresh_load()
    assert ann.play()


def test_what_is_not_possible_says_why_with_a_link_to_the_rule(ann: Player):
    ann.open_table("me", "bot")
    assert ann.wait_for_turn()
    walks = ann.view()["scene"]["walks"]
    spots = next(walk["spots"] for walk in walks if "line-5" in walk["spots"])
    ann.walk(spots)
    ann.confirm.click()
    assert ann.wait_for_turn()
    view = ann.view()
    filled = {walk["spots"][0] for walk in view["scene"]["walks"] if "line-5" in walk["spots"]}
    other = next(walk["spots"][0] for walk in view["scene"]["walks"] if walk["spots"][0] not in filled)
    ann.click(other)
    expect(ann.page.locator("#board")).to_have_class(re.compile("walking"))
    ann.click("line-5")
    expect(ann.status).to_have_class(re.compile("warning"))
    link = ann.status.locator("a")
    rule = link.inner_text()
    table = ann.page.url
    link.click()
    paragraph = ann.page.locator(f"#rules li#{rule}.asked")
    expect(paragraph).to_be_in_viewport()
    expect(paragraph).to_contain_text(rule)
    expect(ann.page.locator(".spot.lit").first).to_be_in_viewport()
    controls, panel = ann.page.locator("#controls").bounding_box(), ann.page.locator("#rules").bounding_box()
    assert controls["x"] + controls["width"] <= panel["x"], "the rules stand beside the controls"
    ann.page.click("#rules .contents summary")
    ann.page.click("#rules .contents li:last-child a")
    expect(ann.page.locator("#rules h2").last).to_be_in_viewport()
    ann.page.keyboard.press("Escape")
    expect(ann.page.locator("#rules")).to_be_hidden()
    ann.page.keyboard.press("?")
    expect(paragraph).to_be_in_viewport()
    ann.page.click("#rules-close")
    assert ann.page.url == table


def test_no_move_of_the_past_lights_up_while_the_news_is_on_its_way(ann: Player):
    ann.page.add_init_script(LATE_NEWS)
    ann.open_table("me", "bot")
    for _ in range(2):
        assert ann.wait_for_turn()
        seen = ann.log.count()
        ann.page.evaluate(
            """(seen) => {
                const look = () => {
                    if (document.querySelectorAll("#log li").length !== seen) return;
                    if (document.querySelector("#choices").hidden && document.querySelector(".spot.lit"))
                        window.litAfterAnswer.push(document.querySelector("#status").textContent);
                };
                window.look = look;
            }""",
            seen,
        )
        ann.walk(ann.pick_walk()["spots"])
        with ann.page.expect_response("**/moves"):
            ann.confirm.click()
        while ann.log.count() == seen:
            ann.page.evaluate("window.look()")
        assert ann.page.evaluate("window.litAfterAnswer") == []


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_what_others_do_meanwhile_takes_no_click_away(new_context, motion: str):
    context = new_context(reduced_motion=motion)
    context.add_init_script(NEWS_BESIDE)
    ann = Player(context.new_page())
    ann.open_table("me", "bot")
    assert ann.wait_for_turn()
    start, end = ann.pick_walk()["spots"]
    lit, mouse = ann.lit.count(), ann.page.mouse
    mouse.move(*ann.point_at(start))
    mouse.down()
    assert ann.page.evaluate("window.newsBeside(); document.querySelectorAll('.spot.lit').length") == lit
    mouse.up()
    expect(ann.page.locator(f"[data-spot='{start}'].chosen")).to_be_attached()
    ann.page.evaluate("window.newsBeside()")
    ann.click(end)
    expect(ann.confirm).to_be_visible()


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_motion_explains_a_move_unless_the_system_asks_for_less(new_context, motion: str):
    context = new_context(settings={"speed": "fast"}, reduced_motion=motion)
    context.add_init_script(MOTIONS)
    ann = Player(context.new_page())
    ann.open_table("me", "bot")
    assert ann.play()
    assert ann.wait_for_turn()
    ann.page.click("#open-settings")
    still = ann.page.locator("#still")
    if motion == "reduce":
        assert ann.page.evaluate("window.motions + document.getAnimations().length") == 0
        expect(still).to_be_visible()
    else:
        assert ann.page.evaluate("window.motions") > 0
        expect(still).to_be_hidden()


def test_an_address_with_a_ply_opens_that_moment(new_context, finished):
    game = finished(2)
    ann = Player(new_context(cookies=game.cookies).new_page())
    ann.go_to(f"{game.url}?ply=20")
    expect(ann.page.locator("#moment-now")).to_be_visible()
    expect(ann.result).to_be_hidden()
    early = ann.screen()
    ann.page.locator("#log a.moment").last.click()
    ann.page.wait_for_url(f"**?ply={game.plies}")
    ann.page.keyboard.press("Home")
    soon(lambda: "ply=20" not in ann.page.url and ann.screen()["sprites"] != early["sprites"], ann.page)
    ann.page.keyboard.press("ArrowRight")
    ann.page.keyboard.press("ArrowRight")
    first = ann.page.url
    ann.page.keyboard.press("ArrowLeft")
    soon(lambda: ann.page.url != first, ann.page)
    ann.go_to(f"{game.url}?ply=20")
    soon(lambda: ann.screen() == early, ann.page)
    ann.page.click("#moment-now")
    expect(ann.result).to_be_visible()
    assert ann.page.url.endswith(game.url)


def test_one_can_look_back_while_the_game_runs_and_play_on_from_there(ann: Player):
    ann.open_table("me", "bot")
    for _ in range(2):
        assert ann.play()
    assert ann.wait_for_turn()
    ann.page.mouse.move(1, 1)
    now = ann.screen()
    ann.page.click("#moment-back")
    ann.page.wait_for_url("**?ply=*")
    expect(ann.lit).to_have_count(0)
    ann.page.click("#moment-now")
    assert ann.wait_for_turn()
    ann.page.mouse.move(1, 1)
    soon(lambda: ann.screen() == now, ann.page)
    ann.page.click("#moment-back")
    ann.page.click("#moment-back")
    origin = ann.page.url.partition("?")[0]
    ann.page.click("#play-on")
    ann.page.wait_for_url(lambda url: not url.startswith(origin))
    assert ann.play()


def test_two_people_play_on_one_screen(ann: Player):
    ann.open_table("me", "screen", name="Ann", wall="grey")
    for _ in range(4):
        assert ann.play()
    assert ann.wait_for_turn()
    entries = ann.log.count()
    ann.undo.click()
    expect(ann.log).to_have_count(entries - 1)


def test_the_home_page_leads_back_to_a_running_game(ann: Player):
    ann.open_table("me", "bot")
    assert ann.play()
    table = ann.page.url
    ann.page.goto("/")
    ann.page.click("#continue-list a")
    ann.page.wait_for_url(table)
    assert ann.wait_for_turn()


def test_a_table_that_does_not_exist_says_so(ann: Player, watch: Watch):
    watch.allow("404")
    answer = ann.page.goto("/t/nowhere")
    assert answer.status == 404
    ann.page.click("main a")
    expect(ann.page.locator("#play")).to_be_visible()


def test_the_table_in_letters_comes_when_it_is_unfolded_and_follows_the_game(ann: Player):
    asked: list[str] = []
    ann.page.on("request", lambda request: asked.append(request.url))
    ann.open_table("me", "screen", name="Ann")
    assert ann.play()
    assert not any(url.endswith("/letters") for url in asked)
    letters = ann.page.locator("#in-words")
    ann.page.click("summary:has-text('The table in letters')")
    expect(letters).to_contain_text("Ann")
    before = letters.inner_text()
    assert ann.play()
    soon(lambda: letters.inner_text() != before, ann.page)
