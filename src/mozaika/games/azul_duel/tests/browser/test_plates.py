"""A plate is chosen, turned and placed."""

from playwright.sync_api import expect

from browser.player import Player


def test_a_place_that_needs_a_choice_before_it_says_which(ann: Player):
    ann.open_table("me", "screen", game="azul_duel", start="1")
    assert ann.wait_for_turn()
    ann.click(ann.pick_walk()["spots"][0])
    ann.click("slot-5")
    expect(ann.status).to_have_class("warning")
    expect(ann.status).to_have_text("Choose which way round the plate lies.")
