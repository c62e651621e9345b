"""A person at a page of the browser: everything is done with what that person sees, by mouse or by keys."""

import os
import time
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as TooLate

from kinds import FIRST, holds_a_piece
from mozaika.games import GAMES
from server_process import once

PATIENCE = 30_000
"""Milliseconds after which even a busy machine should have answered."""
COMPILED = 180_000
"""Milliseconds in which a busy machine has compiled the search for the first time."""
expect.set_options(timeout=PATIENCE)

WALKED = [name for name, game in GAMES.items() if not holds_a_piece(game)]
"""The games played by pointing from spot to spot; those with a piece in the hand have tests of their own."""


def one_of_the_games(name: str) -> pytest.MarkDecorator:
    """A parameter `game`: one in any run, the others in a long one. What is played differs from test to test,
    so that each is played by mouse, by keys or by two.
    """
    others = [pytest.param(each, marks=pytest.mark.long) for each in WALKED if each != name]
    return pytest.mark.parametrize("game", [name, *others])


STRETCH = int(os.environ.get("MOZAIKA_STRETCH", "2"))
"""So many moves are made at the beginning of a game, and as many in its middle."""
LAST = int(os.environ.get("MOZAIKA_LAST", "5"))
"""So many entries before its end a game is taken up again, to be finished."""

MY_TURN_OR_OVER = """() => {
    if (document.querySelector("#result[open]")) return "over";
    const lit = document.querySelector(".turn.yours") && document.querySelector(".spot.lit");
    return lit && document.querySelector("#choices").hidden ? "turn" : "";
}"""
BOX = """(node) => {
    node.scrollIntoView({ block: "nearest" });
    const { x, y, width, height } = node.getBoundingClientRect();
    return [x, y, width, height];
}"""
SCREEN = """() => {
    const all = (selector, show) => [...document.querySelectorAll(selector)].map(show);
    const attributes = (...names) => (node) => names.map((name) => node.getAttribute(name)).join(" ");
    const at = attributes("x", "y");
    const text = (id) => document.getElementById(id).innerText;
    return {
        sprites: all(".layer-sprites use", attributes("href", "x", "y", "width", "transform")).sort(),
        labels: all(".layer-labels text", (node) => [at(node), node.textContent].join()).sort(),
        last: all(".last", attributes("x", "y", "width")).sort(),
        spots: all(".spot", attributes("class", "data-spot", "aria-label", "aria-disabled")),
        board: document.getElementById("board").getAttribute("aria-label"),
        undo: document.getElementById("undo").disabled,
        log: document.getElementById("log").textContent,  // also behind the card of a round
        ...Object.fromEntries(["seats", "status", "banner", "undo", "moment-place", "commitment"]
            .map((id) => [id, text(id)])),
        title: document.title,
    };
}"""


def soon(holds: Callable[[], Any], page: Page) -> None:
    """Wait until something holds; the pages live on meanwhile."""
    last = time.monotonic() + PATIENCE / 1000
    while not holds():
        assert time.monotonic() < last, "it does not come true"
        page.wait_for_timeout(30)


def pick(walks: list[Any]) -> Any:
    """A move towards a short game: a full first row ends it in five rounds, and many tiles end a round."""
    return max(
        walks,
        key=lambda walk: (
            "line-1" in walk["spots"],
            "stop" in walk["spots"],
            walk.get("points", 0) > 0,
            len(walk.get("ghost", ())),
        ),
    )


class Player:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.status = page.locator("#status")
        self.log = page.locator("#log li")
        self.lit = page.locator(".spot.lit")
        self.confirm = page.locator("#choices .primary")
        self.undo = page.locator("#undo")
        self.result = page.locator("#result")
        self.banner = page.locator("#banner")

    # coming to a table

    def choose_seats(self, *seats: str, name: str = "", game: str = FIRST, **options: str) -> None:
        """On the home page."""
        self.page.goto("/")
        self.page.click(f"[data-game={game}]")
        self.page.locator("#counts label").filter(has_text=str(len(seats))).click()
        for number, seat in enumerate(seats, 1):
            self.choose_seat(number, seat)
        if name:
            self.page.fill(f"[data-name='{seats.index('me') + 1}']", name)
        self.open_options()
        for option, value in options.items():
            self.page.select_option(f"[data-option={option}]", value)

    def open_options(self) -> None:
        """On the home page, with the texts of what is drawn."""
        for fold in self.page.locator("#options-fold, #options details").all():
            fold.evaluate("fold => (fold.open = true)")

    def choose_seat(self, number: int, seat: str) -> None:
        """A seat is me, screen, open, bot:level, or just bot, for the weakest that is offered."""
        select = self.page.locator(f"[data-seat='{number}']")
        weakest = select.locator("option[value^='bot:']").first
        select.select_option(weakest.get_attribute("value") if seat == "bot" else seat)

    def open_table(
        self, *seats: str, name: str = "", game: str = FIRST, start: str = "1", **options: str
    ) -> None:
        self.begin(game, *seats, name=name, start=start, **options)

    def begin(self, game: str, *seats: str, name: str, **options: str) -> None:
        """Open a table and go there at once; the home page has tests of its own."""
        wishes = [self._wish(game, seat, name) for seat in seats]
        wish = {"game": game, "options": options, "seats": wishes}
        made = self.page.request.post("/api/games", data=wish, headers=once())
        assert made.status == 201, made.text()
        self.go_to(made.json()["url"])

    def _wish(self, game: str, seat: str, name: str) -> dict[str, str]:
        kind, _, bot = seat.partition(":")
        if kind == "me":
            return {"kind": kind, "name": name}
        if kind == "bot" and not bot:
            shelf = self.page.request.get("/api/games").json()
            bot = next(each["bots"][0]["id"] for each in shelf if each["id"] == game)
        return {"kind": kind, "bot": bot}

    def sees_table(self) -> None:
        """Also one at which nothing lies yet because somebody is waited for."""
        expect(self.page.locator(".layer-labels text").first).to_be_attached()

    def go_to(self, address: str) -> None:
        self.page.goto(address)
        self.sees_table()

    def copy_link(self) -> str:
        self.page.evaluate("navigator.clipboard.writeText('')")
        self.page.click("#door button")
        soon(lambda: "#k=" in self.page.evaluate("navigator.clipboard.readText()"), self.page)
        return self.page.evaluate("navigator.clipboard.readText()")

    def come_by(self, link: str, *, name: str) -> None:
        self.page.goto(link)
        self.page.fill("#guest-name", name)
        self.page.click("#door .primary")
        expect(self.page.locator("#seats")).to_contain_text(name)

    def make_unseen(self, moves: Iterable[tuple["Player", str]]) -> None:
        """Moves by the API while no page looks at the table; whose turn it is not leaves a move out."""
        at, players = self.address, dict[Player, str]()
        for player, move in moves:
            if player not in players:
                players[player] = player.page.url
                player.page.goto("about:blank")
            view = player.page.request.get(f"{at}/view").json()
            if view["you"]["turn"]:
                body = {"seq": view["seq"], "move": move, "seat": view["you"]["seat"]}
                made = player.page.request.post(f"{at}/moves", data=body, headers=once())
                assert made.ok, made.text()
        for player, url in players.items():
            player.go_to(url)

    # what the player sees

    def view(self) -> dict[str, Any]:
        """What the server says to this browser, to choose a move from."""
        plain = {
            "Accept-Encoding": "identity"
        }  # thousands of walks are not worth compressing on the way here
        return self.page.request.get(f"{self.address}/view", headers=plain).json()

    @property
    def address(self) -> str:
        """Of the table, for programs."""
        return self.page.url.partition("?")[0].partition("#")[0].replace("/t/", "/api/games/")

    def has_turn(self) -> bool:
        mine = self.page.request.get("/api/games/mine").json()
        return any(table["yours"] for table in mine if self.address.endswith(table["id"]))

    def pick_walk(self, pick: Callable[[list[Any]], Any] = pick) -> Any:
        """A walk to its end; where walks are cut off, what comes next is picked again."""
        view = self.view()
        walk = pick(view["scene"]["walks"])
        while walk.get("more"):
            walk = pick(self.walks_from(view, walk["spots"]))
        return walk

    def walks_from(self, view: dict[str, Any], spots: list[str]) -> list[Any]:
        """What the server says to this browser about how walks go on."""
        at = self.page.url.partition("?")[0].replace("/t/", "/api/games/")
        asked = {"seq": view["seq"], "seat": view["you"]["seat"], "spots": ",".join(spots)}
        return self.page.request.get(f"{at}/walks", params=asked).json()["walks"]

    def screen(self) -> dict[str, Any]:
        return self.page.evaluate(SCREEN)

    def read_result(self, name: str) -> str:
        """The points at the end, as somebody else sees them who reads this player's name."""
        return self.result.locator("#result-table").inner_text().replace("You", name)

    def wait_for(self, script: str) -> str:
        """What a script says as soon as it says something. It is asked by the clock and not at every frame:
        a page behind another one may draw none.
        """
        try:
            return self.page.wait_for_function(script, polling=50).json_value()
        except TooLate as late:
            seen = {name: self.screen()[name] for name in ("status", "seats", "log")}
            raise AssertionError(f"nothing after {PATIENCE / 1000} s; the page shows {seen}") from late

    def wait_for_turn(self) -> bool:
        """Until it is this player's turn; False if the game is over instead."""
        return self.wait_for(MY_TURN_OR_OVER) == "turn"

    def screen_is_as_after_a_fresh_load(self) -> bool:
        fresh = Player(self.page.context.new_page())
        fresh.go_to(self.page.url)
        soon(lambda: self.screen() == fresh.screen(), self.page)
        fresh.page.close()
        return True

    # playing by mouse

    def point_at(self, spot: str) -> tuple[float, float]:
        """Where a spot is: the middle of its first tile, or of itself."""
        edge = self.page.locator(f"[data-spot='{spot}'] .edge").first
        x, y, width, height = edge.evaluate(BOX)
        return x + width / 2, y + height / 2

    def click(self, spot: str) -> None:
        self.page.mouse.click(*self.point_at(spot))

    def walk(self, spots: list[str]) -> None:
        for spot in spots:
            expect(self.page.locator(f"[data-spot='{spot}'].lit")).to_be_attached()
            self.click(spot)

    def play(self, pick: Callable[[list[Any]], Any] = pick) -> bool:
        """Make a move by mouse when it is time; False if the game is over instead."""
        if not self.wait_for_turn():
            return False
        self.walk(self.pick_walk(pick)["spots"])
        with self.page.expect_response("**/moves") as answer:
            self.confirm.click()
        assert answer.value.ok
        return True

    def play_somehow(self, pick: Callable[[list[Any]], Any] = pick) -> bool:
        """The same on any screen, where something else is looked at: no spot is scrolled to or covered."""
        if not self.wait_for_turn():
            return False
        self.choose(self.pick_walk(pick)["spots"])
        with self.page.expect_response("**/moves") as answer:
            self.confirm.click()
        assert answer.value.ok
        return True

    def choose(self, spots: list[str]) -> None:
        for spot in spots:
            self.page.locator(f"[data-spot='{spot}']").dispatch_event("click")

    def open_menu(self, seat: int) -> None:
        self.page.click(f".seat-{seat} .menu summary")

    # playing by keys

    def focused_spot(self) -> str:
        return self.page.evaluate("document.activeElement.dataset.spot ?? ''")

    def walk_by_keys(self, key: str) -> None:
        """Choose what the focus comes to, step by step, until a move can be confirmed."""
        for _ in range(20):
            self.wait_for("() => !document.querySelector('#board[aria-busy]')")
            if self.page.evaluate("document.activeElement.matches('#choices .primary')"):
                return
            assert self.page.evaluate("document.activeElement.matches('.spot.lit')"), "the focus got lost"
            self.page.keyboard.press(key)
        raise AssertionError("the walk does not end")

    def press_until(self, key: str, there: str, most: int = 80) -> bool:
        """Press a key until an expression about the focus holds."""
        for _ in range(most):
            if self.page.evaluate(there):
                return True
            self.page.keyboard.press(key)
        return bool(self.page.evaluate(there))
