"""Practice in the browser: a puzzle is tried, solved and remembered; days in a row; mistakes come back."""

import pytest
from playwright.sync_api import expect

from browser.conftest import PHONE
from browser.player import Player
from kinds import FIRST
from mozaika.games import GAMES
from mozaika.kernel import never_waiting
from mozaika.reviewing.puzzles import find_puzzles
from mozaika.table import Table

GAME = GAMES[FIRST]
SOLVED = "JSON.parse(localStorage.getItem('mozaika.puzzles') ?? '{}')"
KEEP = "([place, value]) => localStorage.setItem(place, JSON.stringify(value))"
DRILL = """async () => {
    const { collect, practised, mistakes } = await import("/static/practised.js");
    collect(["game/3"], "a game");
    const clock = Date.now;
    let now = clock();
    Date.now = () => now;
    const days = [true, true, true, false, true, true, true, true, true, true].map((well) => {
        practised("game/3", well);
        practised("game/3", true);  // once more at once, which is no practice
        const { due } = mistakes()["game/3"];
        const apart = (due - now) / 86400000;
        now = due;
        return apart;
    });
    Date.now = clock;
    return days;
}"""
FULL = """async ([learnt, waiting]) => {
    const { collect, mistakes } = await import("/static/practised.js");
    const entry = (step, due) => ({ game: "a game", step, due });
    const known = Object.fromEntries([
        ...Array.from({ length: learnt }, (_, at) => [`learnt/${at}`, entry(7, Number.MAX_SAFE_INTEGER)]),
        ...Array.from({ length: waiting }, (_, at) => [`waits/${at}`, entry(0, at + 1)]),
    ]);
    localStorage.setItem("mozaika.mistakes", JSON.stringify(known));
    collect(["new/1", "new/2"], "a game");
    const kept = Object.keys(mistakes());
    const count = (name) => kept.filter((key) => key.startsWith(name)).length;
    return [kept.length, ...["learnt", "waits", "new"].map(count)];
}"""
LATE = """async ([tried, solved]) => {
    const { note, days } = await import("/static/practised.js");
    const clock = Date;
    const at = (day) => class extends clock {
        constructor(...given) {
            super(...(given.length ? given : [`${day}T12:00:00Z`]));
        }
    };
    window.Date = at(tried);
    note("a game/x", "2026-11-18", "tried");
    window.Date = at(solved);
    note("a game/x", "2026-11-18", "solved");
    window.Date = clock;
    return days()["2026-11-18"];
}"""
LEARNT = """async () => {
    const { collect, due, practised, mistakes } = await import("/static/practised.js");
    practised("game/3", true);
    collect(["game/3"], "a game");
    return [due(), Object.keys(mistakes()).length];
}"""
TOP, BOTTOM = (
    f"(name) => document.querySelector(name).getBoundingClientRect().{edge}" for edge in ("top", "bottom")
)
DAYS_AGO = "(n) => new Date(Date.now() - n * 86400000).toISOString().slice(0, 10)"


def spots_of(puzzle, move):
    table, seat = Table.from_position(puzzle.position, draws="told"), puzzle.seat - 1
    view = GAME.hide(table.state, seat)
    walks = GAME.scene(view, seat, table.names, table.words, "wide").walks
    return next(walk.spots for walk in walks if walk.move == move)


@never_waiting()
def test_a_puzzle_is_tried_solved_and_remembered_and_the_next_one_follows(ann: Player, watch):
    watch.allow("422")
    page, puzzle = ann.page, find_puzzles(GAME)[0]
    page.goto(f"/practice/{FIRST}")
    page.get_by_role("button", name="1", exact=True).click()
    page.wait_for_url("**/t/*")
    card = page.locator("#lesson")
    expect(card).to_contain_text("Find it.")
    state = GAME.parse_position(puzzle.position)
    moves = map(GAME.write_move, GAME.legal_moves(state, puzzle.seat - 1))
    ann.walk(spots_of(puzzle, next(move for move in moves if move not in puzzle.best)))
    ann.confirm.click()
    expect(ann.status).to_contain_text("There is better.")
    expect(card.get_by_role("button", name="Show it")).to_be_visible()
    ann.walk(spots_of(puzzle, puzzle.best[0]))
    ann.confirm.click()
    expect(card).to_contain_text("Right!")
    expect(card).to_contain_text("more than any other move")
    expect(page.locator("#controls")).to_be_hidden()
    expect(card.locator("#lesson-doings .primary")).to_be_focused()
    known = page.evaluate(SOLVED)[f"{FIRST}/{puzzle.id}"]
    assert known == {"tries": 2, "solved": True, "shown": False}
    page.reload()
    expect(card.locator("#lesson-doings .primary")).to_be_focused()
    assert page.evaluate(SOLVED)[f"{FIRST}/{puzzle.id}"] == known
    page.keyboard.press("Enter")
    expect(page.locator("#lesson-title")).to_have_text("Puzzle 2")
    page.goto(f"/practice/{FIRST}")
    expect(page.get_by_role("button", name="1 Solved")).to_be_visible()


def test_what_is_shown_is_not_solved(new_context):
    page = new_context(viewport=PHONE).new_page()
    page.goto(f"/practice/{FIRST}")
    page.get_by_role("button", name="2", exact=True).click()
    page.get_by_role("button", name="Show it").click()
    card = page.locator("#lesson")
    expect(card.locator(".well")).to_be_visible()
    expect(card).not_to_contain_text("Right!")
    expect(page.locator("#controls")).to_be_hidden()
    assert page.evaluate(BOTTOM, "#lesson") <= page.evaluate(TOP, "#board"), "the card covers the board"
    (known,) = page.evaluate(SOLVED).values()
    assert known == {"tries": 0, "solved": False, "shown": True}


def test_a_mistake_comes_back_later_each_time_it_is_made_better_and_soon_when_it_is_not(new_context):
    page = new_context().new_page()
    page.goto("/practice")
    days = page.evaluate(DRILL)
    assert [round(each) for each in days] == [1, 3, 7, 1, 1, 3, 7, 14, 30, 60]
    assert page.evaluate(LEARNT) == [[], 1]


@pytest.mark.parametrize(
    ("learnt", "waiting", "kept"), [(500, 0, [500, 498, 0, 2]), (1, 499, [500, 0, 498, 2])]
)
def test_where_mistakes_are_too_many_new_ones_are_kept_and_what_is_learnt_goes_first(
    new_context, learnt, waiting, kept
):
    page = new_context().new_page()
    page.goto("/practice")
    assert page.evaluate(FULL, [learnt, waiting]) == kept


@pytest.mark.parametrize(("solved", "same"), [("2026-11-18", True), ("2026-11-19", False)])
def test_a_puzzle_that_was_tried_on_its_day_and_solved_later_is_not_one_of_the_row(new_context, solved, same):
    page = new_context().new_page()
    page.goto("/practice")
    done = page.evaluate(LATE, ["2026-11-18", solved])
    assert done == {"tries": 2, "solved": True, "shown": False, "same": same}


def test_days_in_a_row_are_counted_up_to_today_and_mistakes_come_back(new_context):
    page = new_context().new_page()
    page.goto("/practice")
    expect(page.locator("#daily")).not_to_contain_text("Days in a row")
    solved = {"tries": 1, "solved": True, "shown": False, "same": True}
    days = [page.evaluate(DAYS_AGO, n) for n in range(5)]
    kept = {days[0]: solved, days[1]: solved, days[2]: {**solved, "same": False}, days[3]: solved}
    page.evaluate(KEEP, ["mozaika.days", kept])
    mistakes = {
        "nowhere/3": {"game": FIRST, "step": 0, "due": 0},
        "x/4": {"game": FIRST, "step": 1, "due": 1e15},
    }
    page.evaluate(KEEP, ["mozaika.mistakes", mistakes])
    page.reload()
    expect(page.locator("#daily")).to_contain_text("Days in a row: 2")
    expect(page.locator("#daily")).to_contain_text("Attempts: 1")
    expect(page.locator("#mistakes")).to_contain_text("Mistakes to practise now: 1")
    expect(page.locator("#mistakes")).to_contain_text("come back later: 1")
