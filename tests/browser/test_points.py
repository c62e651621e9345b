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

EARLIER = 6
"""So many entries before the end of a round somebody sits down."""


def points_of(text: str) -> int:
    return int(text.replace("−", "-").replace("+", ""))


def rounds_of(ann: Player, at: str, plies: int) -> list[list[dict[str, Any]]]:
    """What was told of each round that has ended and brought somebody something."""
    log = ann.page.request.get(f"{at}/log?since=0&until={plies}").json()
    closing = [index for index, line in enumerate(log) if line.get("closes")]
    rounds = [log[start + 1 : end + 1] for start, end in zip([-1, *closing], closing, strict=False)]
    return [lines for lines in rounds if any(line.get("points") for line in lines)]


def before_a_round_ends(ann: Player, finished: Callable[..., Finished], game: str) -> None:
    """To a table shortly before the end of a round that brought somebody something."""
    done = finished(2, game)
    first, *_ = rounds_of(ann, f"/api/games/{done.id}", done.plies)
    scored = next(line["ply"] for line in reversed(first) if line.get("points"))
    done.begin_at(ann, max(0, scored - EARLIER))


def play_until_the_round_ends(ann: Player) -> None:
    """As a program does it: the card comes whoever moves, and however."""
    card = ann.page.locator("#round")
    for _ in range(80):
        view = ann.view()
        if card.is_visible() or view["over"]:
            break
        if view["you"]["turn"]:
            body = {"seq": view["seq"], "move": ann.pick_walk()["move"], "seat": view["you"]["seat"]}
            ann.page.request.post(f"{ann.address}/moves", data=body, headers=once())
        ann.page.wait_for_timeout(60)
    expect(card).to_be_visible()


@pytest.mark.parametrize("game", list(GAMES))
def test_after_a_round_a_card_says_what_each_player_got_for_what(new_context, finished, game):
    ann = Player(new_context().new_page())
    before_a_round_ends(ann, finished, game)
    play_until_the_round_ends(ann)
    card = ann.page.locator("#round")
    sums = [points_of(text) for text in card.locator("h3 b").all_inner_texts()]
    lines = rounds_of(ann, ann.address, ann.view()["plies"])[-1]
    earned = [sum(line.get("points", 0) for line in lines if line["seat"] == seat) for seat in (1, 2)]
    assert sums == earned
    for seat in card.locator("section").all():
        parts = [points_of(text) for text in seat.locator("button.why").all_inner_texts()]
        assert sum(parts) == points_of(seat.locator("h3 b").inner_text())
    why = card.locator("button.why").first
    why.hover()
    expect(ann.page.locator(".rings rect").first).to_be_attached()
    told = why.locator("xpath=..").locator("span").inner_text()
    expect(ann.status).to_contain_text(told[1:])
    expect(ann.status.locator(".rule")).to_be_visible()
    card.locator(".close").click()
    expect(card).to_be_hidden()
    expect(ann.page.locator(".rings rect")).to_have_count(0)


def test_on_a_phone_the_card_stands_above_the_bar_and_goes_with_the_next_move(new_context, finished):
    ann = Player(new_context(viewport=PHONE).new_page())
    before_a_round_ends(ann, finished, FIRST)
    play_until_the_round_ends(ann)
    card = ann.page.locator("#controls #round")
    expect(card).to_be_in_viewport()
    assert ann.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert ann.play_somehow()
    soon(card.is_hidden, ann.page)
