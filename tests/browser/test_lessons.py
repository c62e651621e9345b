"""Lessons in the browser: by mouse and by keys, on a wide screen and on a phone; left, and taken up again."""

import json

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from browser.conftest import PHONE
from browser.player import Player, soon
from kinds import FIRST
from mozaika.games import GAMES
from mozaika.kernel import never_waiting
from mozaika.table.teaching import LEARNER, find_lesson, options_after, walk_lesson
from server_process import once

GAME = GAMES[FIRST]
AXE = Axe()
REMEMBERED = "JSON.parse(localStorage.getItem('mozaika.lessons') ?? '{}')"


LESSONS = [(game, lesson.id) for game in GAMES.values() for lesson in game.lessons()]
every_lesson = pytest.mark.parametrize(
    ("game", "name"), LESSONS, ids=[f"{g.id}-{each}" for g, each in LESSONS]
)
SIZES = [{"width": 1280, "height": 720}, {"width": 820, "height": 1180}, PHONE]


def one_and_more(first, *others):
    """A parameter: the first in any run, the others, which could hardly fail alone, in a long one."""
    return [first, *(pytest.param(each, marks=pytest.mark.long) for each in others)]


def spots_of(table, move):
    """What is pointed at for a move."""
    game = table.game
    view = game.hide(table.state, LEARNER)
    if game.spots_of is not None:
        return game.spots_of(view, LEARNER, game.parse_move(move))
    walks = game.scene(view, LEARNER, table.names, table.words, "wide").walks
    return next(walk.spots for walk in walks if walk.move == move)


def open_lesson(page, game, name):
    wish = {"game": game.id, "lesson": name, "seats": [{"kind": "me"}]}
    made = page.request.post("/api/games", data=wish, headers=once())
    assert made.status == 201, made.text()
    page.goto(made.json()["url"])


def go_on(ann, step, move):
    """Take a step as a program does it, and go to the next one."""
    for path, body in (("moves", {"move": move, "seat": 1}), ("lesson", {"step": step + 1})):
        if move or path == "lesson":
            seq = ann.view()["seq"]
            made = ann.page.request.post(f"{ann.address}/{path}", data={"seq": seq, **body}, headers=once())
            assert made.ok, made.text()


def is_accessible(page):
    faults = AXE.run(page).response["violations"]
    assert not faults, [(fault["id"], fault["nodes"][0]["target"]) for fault in faults]


@never_waiting()
def test_a_first_visitor_learns_by_mouse_and_goes_on_to_a_game(ann: Player, watch):
    watch.allow("422")
    page, (first, *_) = ann.page, GAME.lessons()
    page.goto("/")
    expect(page.locator("body.newcomer")).to_be_attached()
    assert page.locator(".practise").bounding_box()["y"] > page.locator("#play").bounding_box()["y"]
    page.click(f"[data-learn={FIRST}]")
    page.wait_for_url("**/t/*")
    card, moments = page.locator("#lesson"), walk_lesson(GAME, first)
    for number, (step, table, move, _) in enumerate(moments, 1):
        expect(page.locator("#lesson-place")).to_have_text(f"{number} of {len(moments)}")
        expect(card).to_contain_text(step.text)
        if step.points:
            expect(page.locator(".ring").first).to_be_attached()
        if number == 1:
            is_accessible(page)
            other = next(each for each in table.legal_moves(LEARNER) if not step.means(each))
            ann.walk(spots_of(table, other))
            ann.confirm.click()
            expect(ann.status).to_contain_text(step.answer(other))
        if move:
            ann.walk(spots_of(table, move))
            ann.confirm.click()
            expect(card).to_contain_text(step.then)
        if number == 2:  # left, and taken up again
            page.goto("/")
            page.click(f"[data-learn={FIRST}]")
            page.click("#lessons button >> nth=0")
            page.wait_for_url("**/t/*")
            expect(card).to_contain_text(step.then)
        if number < len(moments):
            page.click("#lesson-doings .primary")
    is_accessible(page)
    assert page.evaluate(f"{REMEMBERED}['{FIRST}/{first.id}'].done")
    page.click("#lesson-doings .primary")
    expect(card).to_be_hidden()
    soon(lambda: ann.view()["practice"], page)
    page.goto("/")
    expect(page.locator(f"[data-learn={FIRST}] .tick")).to_have_text("✓")


@never_waiting()
def test_a_lesson_is_taken_by_keys_on_a_phone(new_context):
    ann = Player(new_context(viewport=PHONE, locale="pl").new_page())
    page, lesson = ann.page, GAME.lessons("pl")[-1]
    page.goto(f"/learn/{FIRST}")
    expect(page.locator("#lesson-said")).to_contain_text(GAME.lessons("pl")[0].steps[0].text)
    page.goto(f"/learn/{FIRST}")
    expect(page.locator("#lessons button")).to_have_count(len(GAME.lessons()))
    button = (
        f"document.activeElement === document.querySelectorAll('#lessons button')[{len(GAME.lessons()) - 1}]"
    )
    assert ann.press_until("Tab", button)
    page.keyboard.press("Enter")
    page.wait_for_url("**/t/*")
    for number, (step, table, move, _) in enumerate(walk_lesson(GAME, lesson), 1):
        expect(page.locator("#lesson-said")).to_contain_text(step.text)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing sticks out"
        if move:
            for spot in spots_of(table, move):
                there = f"document.activeElement.dataset.spot === '{spot}'"
                expect(page.locator(f"[data-spot='{spot}'].lit")).to_be_attached()
                assert ann.press_until("Tab", there)
                page.keyboard.press("Enter")
            page.keyboard.press("Enter")
            expect(page.locator("#lesson .well")).to_contain_text(step.then)
        if number in (1, len(lesson.steps)):
            is_accessible(page)
        expect(page.locator("#lesson-doings .primary")).to_be_in_viewport()
        soon(lambda: page.evaluate("document.activeElement.matches('#lesson-doings .primary')"), page)
        if number < len(lesson.steps):
            page.keyboard.press("Enter")


@pytest.mark.parametrize("game", one_and_more(*(game for game in GAMES.values() if game is not GAME)))
@never_waiting()
def test_a_lesson_of_any_game_is_left_and_taken_up_again(ann: Player, game):
    page, lesson = ann.page, game.lessons()[0]
    page.goto("/")
    page.click(f"[data-learn={game.id}]")
    page.wait_for_url("**/t/*")
    go_on(ann, 1, walk_lesson(game, lesson)[0].move)
    expect(page.locator("#lesson")).to_contain_text(lesson.steps[1].text)
    left = page.url
    page.goto(f"/learn/{game.id}")
    expect(page.locator("#lessons")).to_contain_text(f"2 of {len(lesson.steps)}")
    page.click("#lessons button >> nth=0")
    page.wait_for_url(left)
    expect(page.locator("#lesson")).to_contain_text(lesson.steps[1].text)


def test_the_tick_of_a_lesson_stays_on_its_card(new_context):
    """In German, whose words are the longest; beside one that is not learnt yet. It takes two seconds."""
    context = new_context(viewport=PHONE, locale="de")
    learnt = {f"{each.id}/{each.lessons()[0].id}": {"done": True} for each in list(GAMES.values())[1:]}
    context.add_init_script(
        f"if (location.protocol === 'http:') localStorage.setItem('mozaika.lessons', '{json.dumps(learnt)}')"
    )
    page = context.new_page()
    page.goto("/")
    expect(page.locator(".learn .tick")).to_have_count(len(learnt))
    for card in page.locator(".shelf li").all():
        around, link = card.bounding_box(), card.locator(".learn").bounding_box()
        assert around["x"] < link["x"]
        assert link["x"] + link["width"] < around["x"] + around["width"]


def test_what_marks_the_board_stands_beside_what_is_said(new_context):
    """Where a lesson hides the slider, its button has no row of its own. It takes a second."""
    page = new_context(viewport=PHONE).new_page()
    marked = next(
        game
        for game in GAMES.values()
        for _, table, _, _ in walk_lesson(game, game.lessons()[0])[:1]
        if game.scene(game.hide(table.state, LEARNER), LEARNER, table.names, table.words, "tall").layers
    )
    open_lesson(page, marked, marked.lessons()[0].id)
    expect(page.locator(".layers button")).to_be_visible()
    said, button = page.locator("#status").bounding_box(), page.locator(".layers button").bounding_box()
    assert button["y"] < said["y"] + said["height"]
    assert button["x"] >= said["x"] + said["width"]


@never_waiting()
def test_the_longest_step_is_in_sight_on_every_screen_and_so_is_how_it_goes_on(new_context):
    """What is said stands above or beside the board, and nobody looks for the button. It takes three pages,
    each of which places the card in its own way.
    """
    game, lesson, at = max(
        (
            (game, lesson, at)
            for game in GAMES.values()
            for lesson in game.lessons("de")
            for at, step in enumerate(lesson.steps)
            if not step.moves and at < len(lesson.steps) - 1
        ),
        key=lambda found: len(found[1].steps[found[2]].text),
    )
    ann = Player(new_context(locale="de").new_page())
    open_lesson(ann.page, game, lesson.id)
    for number, (_, _, move, _) in enumerate(walk_lesson(game, find_lesson(game, lesson.id))[:at], 1):
        go_on(ann, number, move)
    for size in SIZES:
        ann.page.set_viewport_size(size)
        ann.page.reload()
        expect(ann.page.locator("#lesson")).to_contain_text(lesson.steps[at].text)
        expect(ann.page.locator("#lesson-doings .primary")).to_be_in_viewport()
        expect(ann.page.locator("#board")).to_be_in_viewport()
        assert ann.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("size", one_and_more(SIZES[1], SIZES[0], SIZES[2]))
def test_what_is_to_be_done_stands_before_the_board(new_context, size):
    """And where the screen ends above what it points at, a button leads there."""
    page = new_context(viewport=size).new_page()
    for game in GAMES.values():
        open_lesson(page, game, game.lessons()[0].id)
        expect(page.locator(".ring").first).to_be_attached()
        expect(page.locator("#lesson-said")).to_be_in_viewport(ratio=0.99)
        expect(page.locator(".ring").first).to_be_in_viewport()


@pytest.mark.long
@every_lesson
@never_waiting()
def test_every_lesson_is_taken_by_mouse_on_a_phone(new_context, game, name):
    ann = Player(new_context(viewport=PHONE, locale="de").new_page())
    page, lesson = ann.page, find_lesson(game, name, "de")
    open_lesson(page, game, name)
    for number, (step, table, move, _) in enumerate(walk_lesson(game, lesson), 1):
        expect(page.locator("#lesson-said")).to_contain_text(step.text)
        if step.points and page.locator("#lesson-doings button", has_text="Zeig mir, wo").is_visible():
            page.get_by_role("button", name="Zeig mir, wo").click()
            expect(page.locator(".ring").first).to_be_in_viewport()
        if move:
            ann.walk(spots_of(table, move))
            ann.page.locator("#choices .place, #choices .primary").first.click()
            expect(page.locator("#lesson .well")).to_contain_text(step.then)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing sticks out"
        if number in (1, len(lesson.steps)):
            is_accessible(page)
        if number < len(lesson.steps):
            expect(page.locator("#lesson-doings .primary")).to_be_in_viewport()
            page.click("#lesson-doings .primary")


@pytest.mark.long
@every_lesson
@never_waiting()
def test_every_lesson_is_taken_by_keys_on_a_wide_screen(ann: Player, game, name):
    page, lesson = ann.page, find_lesson(game, name)
    open_lesson(page, game, name)
    for number, (step, table, move, _) in enumerate(walk_lesson(game, lesson), 1):
        expect(page.locator("#lesson-said")).to_contain_text(step.text)
        if move:
            for spot in spots_of(table, move):
                expect(page.locator(f"[data-spot='{spot}'].lit")).to_be_attached()
                assert ann.press_until("Tab", f"document.activeElement.dataset.spot === '{spot}'", 200)
                page.keyboard.press("Enter")
            page.keyboard.press("Enter")
            expect(page.locator("#lesson .well")).to_contain_text(step.then)
        if number in (1, len(lesson.steps)):
            is_accessible(page)
        soon(lambda: page.evaluate("document.activeElement.matches('#lesson-doings .primary')"), page)
        page.keyboard.press("Enter")
    expect(page.locator("#lesson")).to_be_hidden()
    soon(lambda: ann.view()["practice"], page)
    assert ann.view()["options"] == options_after(game, lesson)
