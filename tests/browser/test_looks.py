"""How it looks and sounds: light and dark by choice, settings on every page, small sounds."""

from playwright.sync_api import expect

from browser.player import Player

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
