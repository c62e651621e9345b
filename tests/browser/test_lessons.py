"""A lesson in the browser: by mouse on a wide screen, by keys on a phone; left, and taken up again."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from browser.conftest import PHONE
from browser.player import Player, soon
from kinds import FIRST
from mozaika.games import GAMES
from mozaika.kernel import never_waiting
from mozaika.table.teaching import LEARNER, walk_lesson

GAME = GAMES[FIRST]
AXE = Axe()
REMEMBERED = "JSON.parse(localStorage.getItem('mozaika.lessons') ?? '{}')"


def spots_of(table, move):
    """What is pointed at for a move."""
    view = GAME.hide(table.state, LEARNER)
    walks = GAME.scene(view, LEARNER, table.names, table.words, "wide").walks
    return next(walk.spots for walk in walks if walk.move == move)


def is_accessible(page):
    faults = AXE.run(page).response["violations"]
    assert not faults, [(fault["id"], fault["nodes"][0]["target"]) for fault in faults]


@never_waiting()
def test_a_first_visitor_learns_by_mouse_and_goes_on_to_a_game(ann: Player, watch):
    watch.allow("422")
    page, (first, *_) = ann.page, GAME.lessons()
    page.goto("/")
    expect(page.locator("body.newcomer")).to_be_attached()
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
