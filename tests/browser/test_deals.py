"""Deals in the browser: a game becomes a challenge, somebody else plays it, and both are in one list."""

import pytest
from playwright.sync_api import expect

from browser.conftest import PHONE, Finished
from browser.player import Player
from mozaika.games import GAMES


def last_moves(ann: Player, game: Finished) -> None:
    """The end of a game, which is a challenge as well as a whole one."""
    game.begin_at(ann, game.plies - 8)
    while ann.play_somehow():
        pass
    expect(ann.result).to_be_visible()


def test_a_game_becomes_a_challenge_that_somebody_else_plays(finished, new_context, watch):
    """Two people come to the end of a game, so it takes seconds."""
    watch.allow("403")
    game = finished(2)
    ann = Player(
        new_context(cookies=game.cookies, permissions=["clipboard-read", "clipboard-write"]).new_page()
    )
    last_moves(ann, game)
    table = ann.page.url
    ann.page.get_by_role("button", name="Challenge others").click()
    expect(ann.result).to_contain_text("The link is copied")
    deal = ann.page.evaluate("navigator.clipboard.readText()")
    expect(ann.page.get_by_role("link", name="Results of this deal")).to_be_focused()
    ann.page.keyboard.press("Enter")
    ann.page.wait_for_url(deal)
    expect(ann.page.locator("article")).to_contain_text("Send the link to others")
    expect(ann.page.locator(".results .mine")).to_have_count(1)
    heads = ann.page.locator(".results thead th").all_inner_texts()
    assert heads == [head[0].upper() + head[1:] for head in heads]
    # somebody else
    page = new_context(viewport=PHONE).new_page()
    page.goto(table)
    page.get_by_role("link", name="Play this deal").click()
    page.wait_for_url(deal)
    expect(page.locator(".results")).to_have_count(0)
    page.get_by_label("Your name").fill("Ben")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url("**/t/*")
    ben = Player(page)
    assert ben.wait_for_turn()
    expect(page.locator("#hint")).to_be_hidden()
    expect(page.locator("#seats .menu")).to_have_count(0)
    page.goto(deal)
    page.get_by_role("link", name="Go on").click()
    while ben.play_somehow():
        pass
    expect(ben.result).to_be_visible()
    page.get_by_role("link", name="Results of this deal").click()
    expect(page.locator(".results tbody tr")).to_have_count(2)
    expect(page.locator(".results .mine")).to_contain_text("Ben")
    assert page.locator(".scrolls").evaluate("node => node.scrollWidth <= node.clientWidth")
    page.locator("details summary", has_text="Fair draws").click()
    page.get_by_role("link", name="Verify", exact=True).click()
    expect(page.locator("#verdict.right")).to_contain_text("was fixed beforehand")


@pytest.mark.parametrize("lang", ["de", "pl"])
def test_on_a_phone_every_deal_of_the_day_has_its_button_beside_it(new_context, lang):
    page = new_context(viewport=PHONE, locale=lang).new_page()
    page.goto("/daily")
    for row in page.locator(".deals li").all():
        name, against, button = (row.locator(part).bounding_box() for part in ("b", ".quiet", ".button"))
        assert name["x"] == against["x"] < button["x"]
        assert button["y"] < against["y"], "nothing has slipped below"


def test_the_deal_of_the_day_is_found_after_a_game(finished, new_context):
    game = finished(2)
    ann = Player(new_context(cookies=game.cookies).new_page())
    ann.go_to(game.url)
    ann.result.get_by_role("link", name="Deals of the day").click()
    expect(ann.page.locator(".deals li")).to_have_count(len(GAMES))


def test_the_deal_of_the_day_is_found_where_practice_is(ann: Player):
    page = ann.page
    page.goto("/practice")
    page.get_by_role("link", name="Deals of the day").click()
    page.get_by_role("link", name="Play").first.click()
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url("**/t/*")
    assert ann.wait_for_turn()
    page.get_by_role("link", name="To the deal").click()
    expect(page.get_by_role("link", name="Go on")).to_be_visible()


def test_a_form_waits_for_whoever_answers_it(ann: Player, watch):
    watch.allow("ERR_FAILED")
    page = ann.page
    page.route("**/static/deal.js*", lambda route: route.abort())
    page.goto("/daily")
    page.get_by_role("link", name="Play").first.click()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_disabled()
    page.unroute_all()
    page.reload()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_enabled()
