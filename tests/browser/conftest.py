"""A real Chromium and a real server; whatever the pages complain about fails the test."""

import json
import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from browser.player import COMPILED, PATIENCE, Player
from kinds import FIRST
from server_process import LOCAL, ServerProcess, once

ARGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
SWIFT = ("--patience", "0.05", "--burst", "100000", "--rate", "100000")
"""Flags of a server whose bots hardly wait and which bears any number of requests."""
REMEMBER = """
    if (location.protocol === "http:" && !localStorage.getItem("mozaika.settings"))
        localStorage.setItem("mozaika.settings", JSON.stringify(%s));
"""
"""What somebody has chosen before, as long as nobody wants it otherwise."""
MOST_KEPT = 5
"""So many browsers wait for the next test."""
WIDE = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 740}


def find_chromium() -> str | None:
    named = os.environ.get("MOZAIKA_CHROMIUM", "")
    names = (named, "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    return next((path for name in names if name and (path := shutil.which(name))), None)


# not for the whole session: while Playwright runs, no test of the same process could run an event loop
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    path = find_chromium()
    if path is None:
        pytest.skip("No Chromium here; install one or name it in MOZAIKA_CHROMIUM.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("server"), *SWIFT) as server:
        yield server


class Watch:
    """What the pages of a test complain about, except for what the test brings about itself."""

    def __init__(self) -> None:
        self.faults: list[str] = []
        self.allowed: list[str] = []
        self.hosts: set[str] = set()

    def allow(self, pattern: str) -> None:
        self.allowed.append(pattern)

    def over(self, context: BrowserContext) -> None:
        for event, note in self._notes():
            context.on(event, note)

    def leave(self, context: BrowserContext) -> None:
        for event, note in self._notes():
            context.remove_listener(event, note)

    def _notes(self) -> list[tuple[Any, Callable[[Any], None]]]:
        return [("console", self._note_console), ("weberror", self._note_error), ("request", self._note_host)]

    def _note_console(self, told: Any) -> None:
        if told.type == "error":
            self.faults.append(told.text)

    def _note_error(self, wrong: Any) -> None:
        self.faults.append(str(wrong.error))

    def _note_host(self, asked: Any) -> None:
        parts = httpx.URL(asked.url)
        if parts.scheme in ("http", "https", "ws", "wss"):
            self.hosts.add(parts.netloc.decode())

    def unexpected(self) -> list[str]:
        return [fault for fault in self.faults if not any(re.search(each, fault) for each in self.allowed)]


@pytest.fixture
def watch() -> Watch:
    return Watch()


class Contexts:
    """Browsers of people, kept from test to test: whoever wants one like it finds what never changes in its
    cache, and nothing else. One whose pages run a script of a test goes with the test.
    """

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.free: list[tuple[str, BrowserContext]] = []
        self.used: dict[BrowserContext, str] = {}
        self.spoilt: set[BrowserContext] = set()

    def take(self, settings: dict[str, Any], *, fresh: bool, **how: Any) -> BrowserContext:
        kind = json.dumps([settings, how], sort_keys=True)
        found = next((each for each in self.free if each[0] == kind and not fresh), None)
        if found:
            self.free.remove(found)
            context = found[1]
        else:
            context = self._make(settings, how)
        self.used[context] = kind
        return context

    def _make(self, settings: dict[str, Any], how: dict[str, Any]) -> BrowserContext:
        context = self.browser.new_context(**how)
        context.add_init_script(REMEMBER % json.dumps(settings))
        context.set_default_timeout(PATIENCE)
        add = context.add_init_script

        def add_and_spoil(*script: Any, **more: Any) -> None:
            self.spoilt.add(context)
            add(*script, **more)

        context.add_init_script = add_and_spoil  # type: ignore[method-assign]
        return context

    def give_back(self, context: BrowserContext, origin: str, *, keep: bool = True) -> None:
        kind, pages = self.used.pop(context), context.pages
        if not keep or not pages or context in self.spoilt:
            context.close()
            self.spoilt.discard(context)
            return
        last, *others = pages
        for page in others:
            page.close()
        last.goto("about:blank")  # nothing is written any more
        wiping = {"origin": origin, "storageTypes": "local_storage,indexeddb"}
        context.new_cdp_session(last).send("Storage.clearDataForOrigin", wiping)
        last.close()
        context.clear_cookies()
        context.set_offline(False)
        context.unroute_all()
        self.free.append((kind, context))
        if len(self.free) > MOST_KEPT:
            self.free.pop(0)[1].close()


@pytest.fixture(scope="package")
def contexts(browser: Browser) -> Contexts:
    return Contexts(browser)


@pytest.fixture
def new_context(contexts: Contexts, server: ServerProcess, watch: Watch) -> Iterator[Callable[..., Any]]:
    """Makes a browser of somebody who knows nothing and nobody; by default wide, English, without motion, and
    every move is confirmed.
    """
    made: list[tuple[BrowserContext, ServerProcess, bool]] = []
    hosts = {httpx.URL(server.address).netloc.decode()}

    def make(
        at: ServerProcess = server,
        settings: dict[str, Any] | None = None,
        cookies: Any = (),
        viewport: Any = WIDE,
        locale: str = "en-GB",
        reduced_motion: Any = "reduce",
        fresh: bool = False,
        **more: Any,
    ) -> BrowserContext:
        """A fresh one has fetched nothing before."""
        how = {"viewport": viewport, "locale": locale, "reduced_motion": reduced_motion, **more}
        chosen = {"confirm": "always", **(settings or {})}
        context = contexts.take(chosen, fresh=fresh, base_url=at.address, **how)
        if cookies:
            context.add_cookies(list(cookies))
        watch.over(context)
        made.append((context, at, fresh))
        hosts.add(httpx.URL(at.address).netloc.decode())
        return context

    yield make
    for context, at, fresh in made:
        watch.leave(context)
        contexts.give_back(context, at.address, keep=at is server and not fresh)
    assert not watch.unexpected(), "the pages complained"
    assert watch.hosts <= hosts, "a page asked another host"


@pytest.fixture
def page(new_context: Callable[..., BrowserContext]) -> Page:
    return new_context().new_page()


@pytest.fixture
def ann(page: Page) -> Player:
    return Player(page)


@pytest.fixture
def host_and_guest(new_context: Callable[..., BrowserContext]) -> tuple[Player, Player]:
    """Two people in two browsers at one table, the guest by the link. Both have had their part in the draws:
    whoever left before would make the browsers answer for draws that nobody wants any more.
    """
    host = Player(new_context(permissions=["clipboard-read", "clipboard-write"]).new_page())
    host.open_table("me", "open", name="Ann")
    guest = Player(new_context().new_page())
    guest.come_by(host.copy_link(), name="Ben")
    assert host.wait_for_turn()
    return host, guest


class Finished:
    """A game that bots have played to its end, also for Ann, and the cookie of the browser it belongs to."""

    def __init__(self, address: str, game: str, players: int, other: str) -> None:
        with httpx.Client(base_url=address, **LOCAL) as client:
            kinds = {"bot": {"kind": "bot", "bot": "greedy"}, "screen": {"kind": "screen", "name": "Ben"}}
            seats = [{"kind": "me", "name": "Ann"}, *[kinds[other]] * (players - 1)]
            wish = {"game": game, "options": {}, "seats": seats}
            made = client.post("/api/games", json=wish, headers=once())
            self.id, self.url = made.json()["id"], made.json()["url"]
            at, mine = f"/api/games/{self.id}", range(1, players + 1 if other == "screen" else 2)
            for seat in mine:
                change = {"action": "bot", "bot": "greedy"}
                client.post(f"{at}/seats/{seat}", json=change, headers=once()).raise_for_status()
            last = time.monotonic() + COMPILED / 1000
            # bots alone play while somebody looks at them
            while not (found := client.get(f"{at}/view").json())["over"]:
                assert time.monotonic() < last, "the bots play for too long"
                client.get(f"{at}/view")  # where bots play alone they wait for somebody who looks
                time.sleep(0.05)
            for seat in mine:
                back = {"action": "back"}
                client.post(f"{at}/seats/{seat}", json=back, headers=once()).raise_for_status()
            self.plies: int = found["plies"]
            self.cookies = [
                {"name": each.name, "value": each.value, "domain": each.domain, "path": each.path}
                for each in client.cookies.jar
            ]

    def begin_at(self, ann: Player, ply: int) -> None:
        """Leads Ann to a new table at which the game goes on from a ply of this one."""
        wish = {"from": self.id, "ply": ply}
        made = ann.page.request.post("/api/games", data=wish, headers=once())
        assert made.status == 201, made.text()
        ann.go_to(made.json()["url"])


@pytest.fixture(scope="session")
def finished_games(server: ServerProcess) -> dict[tuple[object, ...], Finished]:
    return {}


@pytest.fixture
def finished(
    server: ServerProcess, finished_games: dict[tuple[object, ...], Finished]
) -> Callable[..., Finished]:
    """A finished game of so many players, played once for all tests; by a number, further ones like it."""

    def find(players: int, game: str = FIRST, other: str = "bot", number: int = 0) -> Finished:
        key = players, game, other, number
        if key not in finished_games:
            finished_games[key] = Finished(server.address, game, players, other)
        return finished_games[key]

    return find


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[ServerProcess]:
    """A server that the test may kill."""
    with ServerProcess(tmp_path, *SWIFT) as server:
        yield server
