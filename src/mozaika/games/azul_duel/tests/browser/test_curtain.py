"""What only one player has seen, where two play on one screen."""

import re

from playwright.sync_api import expect

from browser.player import Player


def test_on_one_screen_a_curtain_hides_what_only_one_has_seen(ann: Player):
    ann.open_table("me", "screen", game="azul_duel", start="1")
    curtain = ann.page.locator("#curtain")
    for begins in ("plate", "plate", "stack", "stack", "stop", "plate"):
        expect(curtain).to_be_hidden()
        assert ann.play_somehow(
            lambda walks, begins=begins: next(w for w in walks if w["spots"][0].startswith(begins))
        )
    expect(curtain).to_be_visible()
    ann.page.keyboard.press("Escape")
    expect(curtain).to_be_visible()
    expect(ann.log.last).to_contain_text(re.compile("puts a (special|wild) plate under the stack"))
    ann.page.click("#curtain-up")
    assert ann.wait_for_turn()
