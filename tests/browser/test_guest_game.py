"""A small game of another package at the table: its plain picture is read and played like any other."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from browser.conftest import PHONE, SWIFT, WIDE
from browser.player import Player
from guest import nursery_with
from server_process import ServerProcess, once

SHOTS = os.environ.get("MOZAIKA_SHOTS", "")
"""A folder for pictures to look at, if somebody wants any."""


@pytest.fixture(scope="module")
def visited(tmp_path_factory: pytest.TempPathFactory, installed: Path) -> Iterator[ServerProcess]:
    """A server that has the small game on its shelf."""
    with ServerProcess(tmp_path_factory.mktemp("visited"), *SWIFT, born=nursery_with(installed)) as server:
        yield server


@pytest.mark.parametrize(
    ("viewport", "scheme"),
    [(WIDE, "light"), pytest.param(PHONE, "dark", marks=pytest.mark.long)],
    ids=["wide-light", "phone-dark"],
)
def test_it_is_played_by_keys_and_by_pointing(visited, new_context, viewport, scheme):
    page = new_context(at=visited, viewport=viewport, color_scheme=scheme).new_page()
    ann = Player(page)
    seats = [{"kind": "me", "name": "Ann"}, {"kind": "bot", "bot": "beginner"}]
    wish = {"game": "pebbles", "seed": "x", "seats": seats}
    page.goto(page.request.post("/api/games", data=wish, headers=once()).json()["url"])
    assert ann.wait_for_turn()
    expect(page.get_by_role("button", name="2 from A", exact=False)).to_be_visible()
    size = page.evaluate(
        "[...document.querySelectorAll('.layer-labels text')].map((node) => node.getBoundingClientRect())"
        ".map(({ height, right }) => [height, right])"
    )
    assert min(height for height, _ in size) >= 11, "letters that can be read"
    assert max(right for _, right in size) <= viewport["width"]
    assert not Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / f"pebbles-{scheme}.png", full_page=True)
    page.locator(".spot.lit").first.focus()
    ann.walk_by_keys("Enter")
    page.keyboard.press("Enter")
    while ann.wait_for_turn():
        spot = page.locator(".spot.lit").last
        spot.click()
        with page.expect_response("**/moves"):
            ann.confirm.click()
    expect(ann.result).to_contain_text("points")
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / f"pebbles-{scheme}-result.png")
