"""A table below a path of somebody's own site."""

import pytest
from playwright.sync_api import expect

from browser.conftest import SWIFT
from browser.player import Player
from kinds import FIRST
from server_process import ServerProcess

BELOW = "/mozaika"


@pytest.fixture
def below(tmp_path):
    with ServerProcess(tmp_path, *SWIFT, "--prefix", BELOW) as server:
        yield server


def test_a_move_is_played_below_a_prefix(below, new_context):
    """From the home page to the table, a move and its news; and home again, where the game is listed."""
    ann = Player(new_context(below).new_page())
    ann.page.goto(f"{BELOW}/")
    ann.page.click(f"[data-game={FIRST}]")
    ann.page.click("#play")
    ann.sees_table()
    assert f"{BELOW}/t/" in ann.page.url
    assert ann.play()
    expect(ann.page.locator("#connection")).to_be_hidden()
    expect(ann.log.first).to_be_attached()
    rule = ann.page.locator("#log a.rule").first.get_attribute("href")
    assert rule.startswith(f"{BELOW}/rules/{FIRST}#")
    ann.page.click(".brand")
    ann.page.click("#continue-list a")
    ann.sees_table()
    [cookie] = [each for each in ann.page.context.cookies() if each["name"] == "mozaika"]
    assert cookie["path"] == BELOW
