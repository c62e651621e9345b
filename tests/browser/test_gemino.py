"""GEMINO in the browser: fields in any order, tiles that move, lines to choose from, threats on request."""

import zlib
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from browser.conftest import WIDE
from browser.player import Player
from browser.test_pages import LOOKS, faults_of
from server_process import LOCAL, ServerProcess, once

GAME = "gemino"

CROSSING = "c3"
"""A field of board 1 that completes two lines of seat 1 after these turns of three players."""
TURNS = (
    *("a3 i1", "f6 j6", "e6 g6", "b3 j1", "d6 i6", "c6 l6", "d3 g1", "b6 k6", "a6 h6"),
    *("c1 l2", "f5 k5", "e5 h5", "c2 k2", "d5 l5", "c5 j5", "c4 g2", "b5 g5", "a5 i5"),
)


def open_gemino(player: Player, *seats: str, **options: str) -> None:
    player.open_table(*seats, game=GAME, **options)


def make_moves(player: Player, moves: tuple[str, ...]) -> None:
    """Moves by the API, for people on one screen, who take turns."""
    entries = player.view()["plies"] + len(moves)
    player.make_unseen((player, move) for move in moves)
    expect(player.log).to_have_count(entries)
    assert player.wait_for_turn()


def test_where_lines_cross_one_points_at_the_far_end_of_the_one_that_scores(ann: Player):
    open_gemino(ann, "me", "screen", "screen")
    make_moves(ann, TURNS)
    ann.walk(["k1", CROSSING])
    expect(ann.status).to_contain_text("Now the line that scores: point at its lit end.")
    labels = ann.lit.evaluate_all("nodes => nodes.map((node) => node.getAttribute('aria-label'))")
    assert labels == ["line a3–d3 scores", "line c1–c4 scores"]
    ann.walk([f"{CROSSING}+c1-c4"])
    expect(ann.page.locator(".chip")).to_have_text("+1")
    ann.confirm.click()
    expect(ann.log.last).to_contain_text("scores the line c1–c4 on board 1: 1 point.")


def test_with_an_empty_hand_one_points_at_the_tiles_that_move(ann: Player):
    """Upon a tile there can be three spots: its field, the tile that moves, the end of a line."""
    open_gemino(ann, "me", "screen", "screen")
    make_moves(ann, (*TURNS, "d2 i2", "f1 h2", "e1 h3"))
    spots = [CROSSING, "k1", "d2-away", "g1-away", f"{CROSSING}+a3-d3"]
    assert spots in [walk["spots"] for walk in ann.walks_from(ann.view(), spots[:2])]
    ann.walk(spots[:2])
    expect(ann.status).to_contain_text("Now the tile that moves there.")
    ann.walk(spots[2:])
    ann.confirm.click()
    expect(ann.log.last).to_contain_text("moves d2 to c3 and g1 to k1 (violet).")
    expect(ann.log.last).to_contain_text("scores the line a3–d3 on board 1: 1 point.")
    entries = ann.log.count()
    ann.undo.click()
    expect(ann.log).to_have_count(entries - 1)
    assert ann.view()["seats"][0]["score"] == 0, "a turn is one thing to undo"


def test_in_a_first_game_threats_are_marked_until_somebody_does_without(ann: Player):
    """Who has not seen the others' four is sorry. It takes two seconds."""
    wish = {"game": GAME, "practice": True, "seats": [{"kind": "me"}, {"kind": "bot", "bot": "beginner"}]}
    made = ann.page.request.post("/api/games", data=wish, headers=once())
    ann.page.goto(made.json()["url"])
    button = ann.page.get_by_role("button", name="Threats")
    expect(button).to_have_attribute("aria-pressed", "true")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    ann.page.reload()
    expect(button).to_have_attribute("aria-pressed", "false")


@pytest.mark.parametrize("fields", [("h1", "a1"), pytest.param(("a1", "h1"), marks=pytest.mark.long)])
def test_the_fields_of_a_pair_may_be_chosen_in_any_order(ann: Player, fields: tuple[str, str]):
    open_gemino(ann, "me", "screen")
    assert ann.wait_for_turn()
    expect(ann.lit).to_have_count(72)
    ann.click(fields[0])
    expect(ann.status).to_contain_text("same colour on the other board")
    reds = {"h1", "k2", "i3", "g4", "l5", "j6"} if fields[0] == "a1" else {"a1", "c2", "e3", "b4", "d5", "f6"}
    assert set(ann.lit.evaluate_all("nodes => nodes.map((node) => node.dataset.spot)")) == reds
    ann.click(fields[1])
    ann.confirm.click()
    expect(ann.log.last).to_contain_text("plays on a1 and h1 (red).")
    ann.undo.click()
    expect(ann.page.locator(".spot.lit")).to_have_count(72)


def test_a_lost_answer_about_how_a_walk_goes_on_is_asked_for_again(ann: Player, watch: Any):
    """What is pointed at meanwhile is not forgotten."""
    watch.allow("ERR_FAILED")
    lost: list[str] = []

    def lose(route: Any) -> None:
        if len(lost) == 3:
            return route.continue_()
        lost.append(route.request.url)
        return route.abort()

    open_gemino(ann, "me", "screen")
    assert ann.wait_for_turn()
    ann.page.route("**/walks?*", lose)
    ann.click("a1")
    expect(ann.page.locator("#board")).to_have_attribute("aria-busy", "true")
    expect(ann.status).to_have_class("warning")
    ann.click("h1")
    ann.confirm.click()
    expect(ann.log.last).to_contain_text("plays on a1 and h1 (red).")
    assert len(lost) == 3


def test_a_taken_field_says_why(ann: Player):
    open_gemino(ann, "me", "screen")
    make_moves(ann, ("a1 h1",))
    ann.click("a1")
    expect(ann.status).to_contain_text("must be empty")
    expect(ann.status.locator("a")).to_have_text("GE-T1")


def test_threats_are_shown_on_request_also_by_keys_and_the_page_remembers_it(ann: Player):
    open_gemino(ann, "me", "screen", "screen", name="Ann")
    make_moves(ann, ("c4 k6", "a1 h1", "a2 k1", "d4 i4", "d1 i1", "b2 j2", "e4 g5"))
    marks = ann.page.locator(".layer-more use")
    button = ann.page.locator("#layers button")
    expect(marks).to_have_count(0)
    expect(button).to_have_attribute("aria-pressed", "false")
    assert ann.press_until("Tab", "document.activeElement.parentElement?.id === 'layers'")
    ann.page.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(ann.status).to_contain_text("One tile short of a line: Ann: b4, f4.")
    expect(marks).to_have_count(2)
    ann.page.reload()
    ann.sees_table()
    expect(marks).to_have_count(2)
    button.click()
    expect(marks).to_have_count(0)


@LOOKS
def test_the_table_fits_the_screen_and_has_nothing_serious_for_axe(new_context, viewport, scheme: str):
    page: Page = new_context(viewport=viewport).new_page()
    ann = Player(page)
    open_gemino(ann, "me", "screen", "screen", "screen")
    make_moves(ann, ("c4 k6",))
    assert faults_of(page, scheme) == []
    one, other = (ann.page.locator(f"[data-spot={spot}]").bounding_box() for spot in ("a1", "g1"))
    side_by_side = viewport == WIDE
    assert (one["y"] == pytest.approx(other["y"], abs=1)) == side_by_side
    assert (one["x"] == pytest.approx(other["x"], abs=1)) != side_by_side
    page.click("#layers button")
    ann.choose(["a1"])
    assert faults_of(page, scheme) == []


def test_a_side_is_drawn_on_the_home_page(ann: Player):
    page = ann.page
    page.goto("/")
    page.click(f"[data-game={GAME}]")
    ann.open_options()
    page.select_option("[data-option=board2]", "own")
    page.fill("[data-option=own]", "ROYGBV")
    expect(page.locator("#options-wrong")).to_contain_text("each of ROYGBV once in each row and column")
    page.fill("[data-option=own]", "RVBGYO\nVBGYOR\nBGYORV\nGYORVB\nYORVBG\nORVBGY")
    expect(page.locator("#options-wrong")).to_be_empty()
    expect(page.locator("#options-picture")).to_be_visible()
    page.click("#play")
    page.wait_for_url("**/t/*")
    ann.sees_table()
    label = page.locator("[data-spot=h1]").get_attribute("aria-label")
    assert label == "h1 violet: empty"


def test_news_of_a_wide_turn_is_small(server: ServerProcess):
    """Of thousands of walks only the beginnings are sent, and compressed."""
    with httpx.Client(base_url=server.address, **LOCAL) as client:
        seats = [{"kind": "me", "name": "Ann"}, {"kind": "screen", "name": "Ben"}]
        made = client.post(
            "/api/games", json={"game": GAME, "options": {"start": "1"}, "seats": seats}, headers=once()
        ).json()
        at = f"/api/games/{made['id']}"
        for _ in range(14):
            view = client.get(f"{at}/view").json()
            asked = {"seq": view["seq"], "seat": view["you"]["seat"]}
            spots = view["scene"]["walks"][0]["spots"]
            while not (walk := go_on(client, at, asked, spots)).get("move"):
                spots = walk["spots"]
            body = {**asked, "move": walk["move"]}
            client.post(f"{at}/moves", json=body, headers=once()).raise_for_status()
        view = client.get(f"{at}/view")
        assert len(view.content) <= 24_000
        assert 0 < len(view.json()["scene"]["walks"]) <= 72
        with client.stream("GET", f"{at}/events") as stream:
            assert stream.headers["Content-Encoding"] == "gzip"
            size = sum(len(chunk) for chunk in first_event(stream))
    assert size < 6_000


def go_on(client: httpx.Client, at: str, asked: dict[str, Any], spots: list[str]) -> dict[str, Any]:
    """A way to go on that scores as little as can be."""
    walks = client.get(f"{at}/walks", params={**asked, "spots": ",".join(spots)}).json()["walks"]
    return min(walks, key=lambda walk: walk.get("points", 0))


def first_event(stream: httpx.Response) -> list[bytes]:
    """What comes over the wire until the first view is complete."""
    unzip, chunks, text = zlib.decompressobj(31), [], b""
    for chunk in stream.iter_raw():
        chunks.append(chunk)
        text += unzip.decompress(chunk)
        if b"event: view" in text and text.endswith(b"\n\n"):
            return chunks
    raise AssertionError("the stream ended")
