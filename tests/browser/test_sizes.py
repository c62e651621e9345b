"""Every text of every board can be read: no letters too small, none upon others, at four sizes of the screen.

The boards are drawn from set positions into one real table page, which is only resized.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.player import WALKED, Player, soon
from mozaika.game import Game
from mozaika.games import GAMES
from mozaika.record import Record
from mozaika.scene import Shape, write_svg
from mozaika.state import CHANCE, seats_in
from mozaika.words import LANGUAGES

SCREENS: dict[str, tuple[int, int, Shape, float]] = {
    "large": (1440, 900, "wide", 11),
    "small": (1280, 720, "wide", 11),
    "tablet": (820, 1180, "tall", 11),
    "phone": (360, 740, "tall", 11),
}
"""Width, height, which shape the page asks for there, and the least size of letters in pixels."""
NAMES = ("Małgorzata", "Maximilian", "Expert", "Ben")
MEASURE = """(pictures) => {
    const frame = document.querySelector(".frame");
    const sheet = new CSSStyleSheet();
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    let style = "";
    const found = {};
    for (const [name, picture] of Object.entries(pictures)) {
        const [text, asked] = take(picture);
        if (asked !== style) sheet.replaceSync((style = asked));
        const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
        const board = document.importNode(parsed, true);
        board.id = "board";
        frame.replaceChildren(board);
        found[name] = [parsed.viewBox.baseVal.width, parsed.viewBox.baseVal.height, ...judge(board)];
    }
    return found;

    function take(picture) {
        let style = "";
        return [picture.replace(/<style>([^<]*)<\\/style>/, (_, each) => ((style = each), "")), style];
    }

    function judge(board) {
        const scale = board.getScreenCTM().a;
        const sizes = new Map();
        const size = (text) => {
            const kind = `${text.parentNode.getAttribute("class")} ${text.getAttribute("class")}`;
            if (!sizes.has(kind)) sizes.set(kind, parseFloat(getComputedStyle(text).fontSize));
            return sizes.get(kind);
        };
        const written = [...board.querySelectorAll("text")].filter((text) => !text.closest("symbol"));
        const letters = written.map((text) => [size(text), text.textContent]);
        const scales = new Map();
        for (const use of board.querySelectorAll("use")) {
            if (use.closest("symbol")) continue;
            const [name, width] = [use.getAttribute("href"), Number(use.getAttribute("width"))];
            scales.set(name, Math.min(width, scales.get(name) ?? width));
        }
        for (const [name, width] of scales) {
            const symbol = board.querySelector(name);
            if (!symbol.viewBox) continue;
            const part = width / symbol.viewBox.baseVal.width;
            for (const text of symbol.querySelectorAll("text"))
                letters.push([size(text) * part, `${text.textContent} in ${name}`]);
        }
        return [letters.sort((one, other) => one[0] - other[0])[0], collisions(board, written)];
    }

    function collisions(board, written) {
        const { a: scale, e: left, f: top } = board.getScreenCTM();
        const { width, height } = board.viewBox.baseVal;
        const edge = { left, right: left + scale * width, bottom: top + scale * height };
        const faults = [];
        const boxes = written.filter((text) => text.textContent.trim()).map((text) => {
            const { left, right, top, bottom, height } = text.getBoundingClientRect();
            if (left < edge.left - 1 || right > edge.right + 1 || bottom > edge.bottom + 3)
                faults.push(`"${text.textContent}" leaves the board`);
            const air = 0.24 * height;
            return { said: text.textContent, left, right, top: top + air, bottom: bottom - air };
        });
        const meet = (one, other) =>
            Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
            Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
        boxes.forEach((one, index) => {
            for (const other of boxes.slice(index + 1))
                if (meet(one, other)) faults.push(`"${one.said}" lies upon "${other.said}"`);
        });
        for (const sprite of board.querySelectorAll(":scope > use")) {
            const box = sprite.getBoundingClientRect();
            for (const one of boxes)
                if (meet(box, one)) faults.push(`${sprite.getAttribute("href")} lies upon "${one.said}"`);
        }
        return [...new Set(faults)];
    }
}"""
"""Of each picture its width and height, its smallest letters in its units, and what lies upon what."""
LINES_OF_A_NAME = """() => {
    const range = document.createRange();
    range.selectNodeContents(document.querySelector(".seat-2 .name").firstChild);
    return range.getClientRects().length;
}"""
SCALES = """(sizes) => {
    const frame = document.querySelector(".frame");
    return sizes.map(([width, height]) => {
        frame.style.setProperty("--ratio", String(width / height));
        return frame.getBoundingClientRect().width / width;
    });
}"""
"""How large pictures of some sizes are drawn on the screen."""


def positions(game: Game, seats: int) -> Iterator[tuple[str, Any]]:
    """A moment at which the first seat is to move, and the end, of a recorded game."""
    folder = Path(game.folder) / "tests" / "records"
    record = Record.read(min(folder.glob(f"{game.id}-{seats}-*.txt")).read_text("utf-8"))
    states = list(record.states())
    for state in states[len(states) * 3 // 5 :]:
        if 0 in (movers := seats_in(game.movers(state))) and CHANCE not in movers:
            yield "middle", state
            break
    yield "end", states[-1]


@pytest.fixture(scope="module")
def drawn() -> dict[Shape, dict[str, str]]:
    """Every game for every number of seats, in both shapes: its middle in all languages, its end in one."""
    found: dict[Shape, dict[str, str]] = {"wide": {}, "tall": {}}
    for game in GAMES.values():
        for seats in game.seats:
            for moment, state in positions(game, seats):
                view, names = game.hide(state, 0), NAMES[:seats]
                for lang in LANGUAGES if moment == "middle" else LANGUAGES[-1:]:
                    for shape, pictures in found.items():
                        scene = game.scene(view, 0, names, game.words(lang), shape)
                        pictures[f"{game.id} for {seats}, {moment}, {lang}"] = write_svg(scene, "light")
    return found


def test_no_letters_are_too_small_and_none_lie_upon_others(new_context, drawn):
    """What lies upon what does not change with the size of the screen: it is looked for once a shape."""
    ann = Player(new_context().new_page())
    ann.open_table("me", "bot")
    found = {shape: ann.page.evaluate(MEASURE, pictures) for shape, pictures in drawn.items()}
    faults = {
        f"{shape}, {name}": each[3] for shape in found for name, each in found[shape].items() if each[3]
    }
    for screen, (width, height, shape, least) in SCREENS.items():
        ann.page.set_viewport_size({"width": width, "height": height})
        sizes = [each[:2] for each in found[shape].values()]
        scales = ann.page.evaluate(SCALES, sizes)
        for (name, (_, _, (units, text), _)), scale in zip(found[shape].items(), scales, strict=True):
            if units * scale < least:
                faults[f"{screen}, {name}"] = [f'"{text}" has {units * scale:.1f} px']
    assert not faults


def test_the_bar_below_the_board_pushes_nothing_out_of_sight(new_context):
    """On a small screen the slider stays, whatever is said; on others the board uses the room there is."""
    ann = Player(new_context(viewport={"width": 1280, "height": 720}, locale="de-DE").new_page())
    ann.open_table("me", "open")
    page, box = ann.page, "(name) => document.querySelector(name).getBoundingClientRect().toJSON()"
    expect(page.locator("#door button").first).to_be_visible()
    assert page.evaluate(box, ".controls")["bottom"] <= 720, "an invitation"
    notice = "Du musst in dieser Runde noch 2 Platten legen."
    ann.open_table("me", "bot:greedy")
    assert ann.wait_for_turn()
    page.evaluate(
        "(said) => document.querySelector('#banner').append(Object.assign(document.createElement('p'),"
        " { textContent: said }))",
        notice,
    )
    assert page.evaluate(box, ".controls")["bottom"] <= 720, "a notice"
    page.set_viewport_size({"width": 820, "height": 1180})
    expect(page.locator(".seat").first).to_be_in_viewport()
    soon(lambda: page.evaluate(box, "#board")["height"] > 1180 * 0.7, page)
    assert page.evaluate(box, ".side")["right"] <= 820
    assert page.evaluate(LINES_OF_A_NAME) == 1
    assert page.locator(".seat-2 .name").inner_text().split() == ["Nimmersatt"], "a bot is named once"
    page.set_viewport_size({"width": 360, "height": 740})
    ann.begin(lowest_on_a_phone(), "me", "bot", name="")
    assert ann.wait_for_turn()
    bar = page.evaluate(box, ".controls")
    assert page.evaluate(box, "#board")["bottom"] <= bar["top"] + 1, "two boards are seen whole"


def test_a_piece_in_the_hand_pushes_nothing_out_of_sight(new_context):
    """What it would do has a line of its own; two seconds, for a game that no other test here opens."""
    ann = Player(new_context(viewport={"width": 1280, "height": 720}, locale="de-DE").new_page())
    page, box = ann.page, "(name) => document.querySelector(name).getBoundingClientRect().toJSON()"
    ann.begin(next(name for name in GAMES if name not in WALKED), "me", "bot", name="")
    expect(page.locator(".hand .place")).to_be_visible()
    assert page.evaluate(box, "#moment")["bottom"] <= 720, "the slider"
    page.set_viewport_size({"width": 820, "height": 1180})
    soon(lambda: page.evaluate(box, "#board")["bottom"] <= page.evaluate(box, ".controls")["top"] + 8, page)


def lowest_on_a_phone() -> str:
    """The game with the lowest picture: the one that promises to be seen whole."""

    def height(game: Game) -> float:
        view = game.hide(game.start(game.seats[0], game.read_options({})), 0)
        return game.scene(view, 0, NAMES[: game.seats[0]], game.words(), "tall").height

    return min(GAMES, key=lambda name: height(GAMES[name]))
