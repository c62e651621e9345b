"""Points explain themselves: a card after every round, and what made them lights up when one points at it."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.conftest import PHONE, Finished
from browser.player import Player, soon
from kinds import FIRST
from mozaika.games import GAMES
from server_process import once

LARGE, LAPTOP = {"width": 1440, "height": 900}, {"width": 1280, "height": 720}
Rounds = list[list[dict[str, Any]]]
EARLIER = 6
"""So many entries before the end of a round somebody sits down."""


def points_of(text: str) -> int:
    return int(text.replace("−", "-").replace("+", ""))


def rounds_of(ann: Player, at: str, plies: int) -> Rounds:
    """What was told of each round that has ended and brought somebody something."""
    log = ann.page.request.get(f"{at}/log?since=0&until={plies}").json()
    closing = [index for index, line in enumerate(log) if line.get("closes")]
    rounds = [log[start + 1 : end + 1] for start, end in zip([-1, *closing], closing, strict=False)]
    return [lines for lines in rounds if any(line.get("points") for line in lines)]


def scored_game(
    ann: Player, finished: Callable[..., Finished], game: str, will_do: Callable[[Rounds, int], bool]
) -> tuple[Finished, Rounds]:
    """A game whose rounds will do, and they: bots can play one to its end in which nobody gets a point."""
    for number in range(20):
        done = finished(2, game, number=number)
        rounds = rounds_of(ann, f"/api/games/{done.id}", done.plies)
        if will_do(rounds, done.plies):
            return done, rounds
    raise AssertionError("no game was like that")


def before_a_round_ends(ann: Player, finished: Callable[..., Finished], game: str) -> None:
    """To a table shortly before the end of a round that brought somebody something: the second, if any,
    so that the log is longer than its place.
    """
    done, rounds = scored_game(ann, finished, game, lambda rounds, _: bool(rounds))
    lines = rounds[:2][-1]
    scored = next(line["ply"] for line in reversed(lines) if line.get("points"))
    done.begin_at(ann, max(0, scored - EARLIER))


def go_on(ann: Player) -> bool:
    """Move if it is time; whether the game is over."""
    view = ann.view()
    if view["you"]["turn"]:
        body = {"seq": view["seq"], "move": ann.pick_walk()["move"], "seat": view["you"]["seat"]}
        ann.page.request.post(f"{ann.address}/moves", data=body, headers=once())
    return bool(view["over"])


def play_until_the_round_ends(ann: Player) -> None:
    """As a program does it: the card comes whoever moves, and however."""
    card = ann.page.locator("#round")
    soon(lambda: card.is_visible() or go_on(ann), ann.page)
    expect(card).to_be_visible()


@pytest.mark.parametrize(
    "game", [FIRST, *(pytest.param(game, marks=pytest.mark.long) for game in GAMES if game != FIRST)]
)
def test_after_a_round_a_card_says_what_each_player_got_for_what(new_context, finished, game):
    ann = Player(new_context(viewport=LARGE).new_page())
    before_a_round_ends(ann, finished, game)
    play_until_the_round_ends(ann)
    card = ann.page.locator("#round")
    expect(ann.page.locator("#log p").last).to_be_in_viewport()
    sums = [points_of(text) for text in card.locator("h3 b").all_inner_texts()]
    lines = rounds_of(ann, ann.address, ann.view()["plies"])[-1]
    earned = [sum(line.get("points", 0) for line in lines if line["seat"] == seat) for seat in (1, 2)]
    assert sums == earned
    for seat in card.locator("section").all():
        parts = [points_of(text) for text in seat.locator("button.why").all_inner_texts()]
        assert sum(parts) == points_of(seat.locator("h3 b").inner_text())
    why = card.locator("button.why").first
    why.hover()
    told = why.locator("xpath=..").locator("span").inner_text()
    expect(ann.status).to_contain_text(told[1:])
    if "Press it" in ann.status.inner_text():  # the next round has another board
        expect(ann.page.locator(".rings rect")).to_have_count(0)
        why.click()
    expect(ann.page.locator(".rings rect").first).to_be_attached()
    expect(ann.status.locator(".rule")).to_be_visible()
    other = card.locator("section", has=ann.page.locator("button.why")).last
    ann.page.mouse.move(0, 0)
    other.locator("button.why").first.hover()
    who = other.locator("h3").evaluate("title => title.firstChild.data")
    expect(ann.status).to_contain_text(f"{who}: " if who != "You" else "You ")
    ann.page.set_viewport_size(LAPTOP)
    ann.page.keyboard.press(",")
    expect(ann.page.locator("#log [data-shown]")).to_be_in_viewport()
    expect(card).to_be_hidden()  # it tells of another time
    ann.page.keyboard.press("Escape")
    card.locator(".close").click()
    expect(card).to_be_hidden()
    expect(ann.page.locator("#log p").last).to_be_in_viewport()
    expect(ann.page.locator(".rings rect")).to_have_count(0)
    line = ann.page.locator("#log p").filter(has=ann.page.locator(".why")).last
    expect(line.locator(":is(a, button):not([tabindex='-1'])")).to_have_count(1)
    ann.page.keyboard.press("Tab")  # who points by keys is told at the line
    line.locator(".moment").focus()
    expect(ann.status).to_contain_text(line.locator(".moment").inner_text().partition(": ")[2])
    expect(ann.status.locator(".rule")).to_be_visible()


@pytest.mark.parametrize(
    "game", [FIRST, *(pytest.param(each, marks=pytest.mark.long) for each in GAMES if each != FIRST)]
)
def test_after_the_last_round_the_card_stands_behind_the_result(new_context, finished, game):
    ann = Player(new_context().new_page())
    done, _ = scored_game(
        ann, finished, game, lambda found, plies: found and found[-1][-1]["ply"] == plies - 1
    )
    done.begin_at(ann, done.plies - EARLIER)
    soon(lambda: go_on(ann), ann.page)
    expect(ann.result).to_be_visible()
    ann.result.get_by_role("button", name="Look at the board").click()
    card = ann.page.locator("#round")
    expect(card).to_be_visible()
    expect(card.locator("h2")).to_have_text("What the last round brought")
    lines = rounds_of(ann, ann.address, ann.view()["plies"])[-1]
    earned = [sum(line.get("points", 0) for line in lines if line["seat"] == seat) for seat in (1, 2)]
    assert [points_of(text) for text in card.locator("h3 b").all_inner_texts()] == earned
    card.locator("button.why").first.hover()
    expect(ann.page.locator(".rings rect").first).to_be_attached()


def test_on_a_phone_the_card_stands_above_the_bar_and_goes_when_a_move_is_begun(new_context, finished):
    ann = Player(new_context(viewport=PHONE).new_page())
    before_a_round_ends(ann, finished, FIRST)
    play_until_the_round_ends(ann)
    card = ann.page.locator("#controls #round")
    expect(card).to_be_in_viewport()
    assert ann.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert ann.wait_for_turn()
    ann.choose(ann.pick_walk()["spots"][:1])
    expect(card).to_be_hidden()
