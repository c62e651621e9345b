"""How it looks and sounds: light and dark by choice, settings on every page, small sounds."""

import base64

import pytest
from playwright.sync_api import expect

from browser.player import Player
from mozaika.games import GAMES

PAPER = "getComputedStyle(document.body).backgroundColor"
INK = "getComputedStyle(document.querySelector('.layer-labels text')).fill"
DARK, LIGHT = "rgb(12, 20, 36)", "rgb(246, 240, 227)"
LISTEN = """
window.heard = [];
window.AudioContext = class {
  constructor() { this.currentTime = 0; this.destination = {}; }
  resume() { return Promise.resolve(); }
  createGain() {
    const gain = { peak: 0, setValueAtTime() {} };
    gain.exponentialRampToValueAtTime = (to) => (gain.peak = Math.max(gain.peak, to));
    return { gain, connect: (next) => next };
  }
  createOscillator() {
    const note = { frequency: {}, connect: (volume) => ((note.volume = volume), volume), start() {} };
    note.stop = (end) => window.heard.push([note.frequency.value, end, note.volume.gain.peak]);
    return note;
  }
};
"""


def test_light_and_dark_are_chosen_on_the_home_page_and_kept_on_every_other(new_context):
    ann = Player(new_context(color_scheme="light").new_page())
    ann.open_table("me", "bot")
    table, light_ink = ann.page.url, ann.page.evaluate(INK)
    for path in ("/verify", "/"):
        ann.page.goto(path)
        assert ann.page.evaluate(PAPER) == LIGHT
        ann.page.click("#open-settings")
        expect(ann.page.locator("#settings")).to_be_visible()
    expect(ann.page.locator("#settings input[type=checkbox]")).to_have_count(3)
    assert ann.page.is_checked("#settings [value=system]")
    ann.page.locator("#settings label").filter(has_text="Dark").click()
    assert ann.page.evaluate(PAPER) == DARK
    ann.go_to(table)
    assert ann.page.evaluate(PAPER) == DARK
    assert ann.page.evaluate(INK) != light_ink
    ann.page.emulate_media(color_scheme="dark")
    ann.page.click("#open-settings")
    ann.page.locator("#settings label").filter(has_text="Light").click()
    assert (ann.page.evaluate(PAPER), ann.page.evaluate(INK)) == (LIGHT, light_ink)
    ann.page.locator("#settings label").filter(has_text="System").click()
    assert ann.page.evaluate(PAPER) == DARK


def test_sounds_are_silent_until_they_are_wanted_and_then_quiet_and_short(new_context, finished):
    context = new_context()
    context.add_init_script(LISTEN)
    ann = Player(context.new_page())
    game = finished(2)
    ann.open_table("me", "bot")
    assert ann.play()
    assert ann.wait_for_turn()
    assert ann.page.evaluate("heard") == []
    ann.page.click("#open-settings")
    ann.page.locator("#settings label").filter(has_text="sounds").click()
    ann.page.click("#settings .primary")
    assert ann.page.evaluate("heard.splice(0).length") == 2, "the bell, to try it"
    assert ann.play()
    assert ann.wait_for_turn()
    assert ann.page.evaluate("heard.splice(0).length") > 2, "a move, and the bell"
    ann.page.goto(game.url)
    view = ann.view()
    notes = ann.page.evaluate(
        """async (view) => {
            const { hear } = await import("/static/sounds.js");
            const before = (changes) => ({ ...view, ply: view.ply - 1, over: false, ...changes });
            const poorer = view.seats.map((seat) => ({ ...seat, score: seat.score - 1 }));
            const sounds = [];
            for (const [then, now] of [
                [before({}), view],
                [before({}), { ...view, over: false }],
                [before({ seats: poorer }), { ...view, over: false }],
                [view, before({})],
            ]) {
                hear(then, now);
                sounds.push(heard.splice(0));
            }
            return sounds;
        }""",
        view,
    )
    assert [len(each) for each in notes] == [4, 3, 2, 0], "the end, a move, points; nothing for an undo"
    for _, end, loud in (note for each in notes for note in each):
        assert end <= 1.2
        assert loud <= 0.12


CONTRASTS = """async ([picture, count]) => {
    const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob());
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    canvas.drawImage(bitmap, 0, 0);
    const linear = (value) => (value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
    const side = bitmap.width / count;
    return Array.from({ length: count }, (_, cell) => {
        const [left, part] = [Math.round(side * (cell + 0.2)), Math.round(side * 0.6)];
        const { data } = canvas.getImageData(left, Math.round(bitmap.height * 0.2), part, part);
        let [dark, light] = [1, 0];
        for (let at = 0; at < data.length; at += 4) {
            const [red, green, blue] = [data[at], data[at + 1], data[at + 2]].map(linear);
            const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
            [dark, light] = [Math.min(dark, luminance), Math.max(light, luminance)];
        }
        return (light + 0.05) / (dark + 0.05);
    });
}"""
"""Of so many squares side by side, how what is written in each stands out from it, as eyes see it."""
REGRETTED = {name: game.stages.regret[0] for name, game in GAMES.items() if game.stages.regret[0]}


def first_spots(ann: Player, last: str) -> list[str]:
    """With which spots walks begin that can end at one."""
    assert ann.wait_for_turn()
    view = ann.view()
    walks = [
        each
        for walk in view["scene"]["walks"]
        for each in (ann.walks_from(view, walk["spots"]) if walk.get("more") else [walk])
    ]
    return [walk["spots"][0] for walk in walks if walk["spots"][-1] == last]


@pytest.mark.parametrize(
    ("game", "scheme"),
    [
        pytest.param(game, scheme, marks=() if at % 2 == number else pytest.mark.long)
        for at, game in enumerate(REGRETTED)
        for number, scheme in enumerate(("light", "dark"))
    ],
)
def test_what_one_loses_can_be_read_while_tiles_are_picked(new_context, game: str, scheme: str):
    context = new_context(color_scheme=scheme, viewport={"width": 1280, "height": 720})
    ann, decoder = Player(context.new_page()), context.new_page()
    ann.open_table("me", "screen", game=game)
    floor = REGRETTED[game]
    while not (takes := first_spots(ann, floor)):
        assert ann.play_somehow()
    ann.click(takes[0])
    expect(ann.page.locator(".walking")).to_be_attached()
    ann.page.mouse.move(2, 2)
    x, y, width, height = ann.page.locator(f"[data-spot='{floor}'] .area").evaluate(
        "(node) => Object.values(node.getBoundingClientRect().toJSON()).slice(0, 4)"
    )
    count = int(width // height)
    clip = {"x": x, "y": y, "width": count * height, "height": height}
    picture = base64.b64encode(ann.page.screenshot(clip=clip)).decode()
    contrasts = decoder.evaluate(CONTRASTS, [picture, count])
    assert len(contrasts) >= 4
    assert min(contrasts) >= 4.5, contrasts
