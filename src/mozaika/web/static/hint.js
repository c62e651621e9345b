/** A hint: what the expert would play, as a ghost on the board and in words below it. */

import { post, Refusal } from "./api.js";
import { byId, el, say, signed } from "./dom.js";
import { ruleLink } from "./log.js";
import { ELSEWHERE, modified } from "./keys.js";
import { unfold } from "./paths.js";

/** @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").Told} Told @typedef {import("./paths.js").Walk} Walk */

const beside = matchMedia("(min-width: 1000px)");

export class Hint {
  /** @param {{id: string}} game @param {string} at the address of the table
   * @param {{show: (walk: Walk | null) => void, remind: (walk: Walk) => void, shape: () => string,
   *   same: (one: View, other: View) => boolean, play: (move: string) => void, wrong: (error: Error) => void}} on */
  constructor(game, at, on) {
    this.game = game;
    this.at = at;
    this.on = on;
    this.button = byId("hint");
    this.place = byId("advice");
    /** What the player looks at and may ask about. @type {View | null} */
    this.view = null;
    /** The hint that is shown, and the View that it is for. @type {{view: View, walk: Walk} | null} */
    this.given = null;
    this.asking = false;
    this.button.addEventListener("click", () => this.ask());
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  /** What the player looks at now; `ready`: whether a move can be made. @param {View} view @param {boolean} ready */
  update(view, ready) {
    this.view = ready ? view : null;
    this.button.hidden = !view.hints || view.over || !view.you.seats.length;
    this.button.disabled = !ready || this.asking;
    if (!this.given) return;
    if (ready && this.on.same(view, this.given.view)) this.on.remind(this.given.walk);
    else this.clear();
  }

  clear() {
    this.given = null;
    this.place.replaceChildren();
  }

  async ask() {
    const view = this.view;
    if (!view || this.asking) return;
    this.asking = true;
    // beside the board there is more room
    byId(beside.matches ? "side" : "controls").prepend(this.place);
    this.place.replaceChildren(el("p", { class: "quiet" }, say("thinking")));
    try {
      const found = await post(`${this.at}/hint`, { seq: view.seq, seat: view.you.seat, shape: this.on.shape() });
      if (this.view && this.on.same(view, this.view)) this.#give(found, view);
      else this.clear();
    } catch (error) {
      this.clear();
      const late = error instanceof Refusal && error.status === 409;
      if (!late) this.on.wrong(/** @type {Error} */ (error));
    }
    this.asking = false;
    this.button.disabled = !this.view;
  }

  /** @param {import("./types.js").Hint} advice @param {View} view */
  #give(advice, view) {
    const [walk] = unfold(advice.way);
    this.given = { view, walk };
    const names = view.seats.map((seat) => seat.name);
    const close = () => {
      this.clear();
      this.on.show(null);
      this.button.focus();
    };
    this.place.replaceChildren(
      el("button", { type: "button", class: "close", "aria-label": say("close"), title: say("close"), onclick: close }, "×"),
      el("p", { class: "quiet" }, say("advises", { bot: advice.bot })),
      el("p", { class: "headline" }, advice.headline),
      reasons(advice.arguments),
      advice.expects ? el("p", {}, advice.expects) : "",
      this.#deeds(advice.move, walk),
      advice.other ? this.#other(advice.other) : "",
      advice.follows.length ? this.#following(advice.follows, names) : "",
    );
    this.on.show(walk);
  }

  /** To see a move on the board, and to make it. @param {string} move @param {Walk} walk @param {boolean} [second] */
  #deeds(move, walk, second = false) {
    const show = () => {
      if (this.given) this.given.walk = walk;
      this.on.show(walk);
    };
    return el(
      "div",
      { class: "deeds" },
      el("button", { type: "button", class: second ? null : "primary", onclick: () => this.on.play(move) }, say("play_it")),
      el("button", { type: "button", onclick: show }, say("show_it")),
    );
  }

  /** The next best move, to compare. @param {import("./types.js").OtherHint} other */
  #other({ move, way, headline, arguments: told, compared }) {
    const [walk] = unfold(way);
    const more = compared ? el("p", {}, compared) : "";
    return el(
      "section",
      { class: "other" },
      el("p", {}, el("span", { class: "quiet" }, `${say("next_best")} `), headline),
      reasons(told),
      more,
      this.#deeds(move, walk, true),
    );
  }

  /** @param {Told[]} follows @param {string[]} names */
  #following(follows, names) {
    const told = follows.map((each) => this.#sentence(each, names));
    return el("details", { open: beside.matches }, el("summary", {}, say("follows")), ...told);
  }

  /** @param {Told} told @param {string[]} names */
  #sentence({ seat, text, rule, points, to_you }, names) {
    const who = !to_you && names[seat - 1];
    const earned = points ? el("span", { class: points > 0 ? "gain" : "loss" }, `${signed(points)} `) : "";
    return el("p", {}, who ? el("span", { class: "who" }, `${who} `) : "", `${text} `, earned, rule && ruleLink(this.game.id, rule));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const target = /** @type {Element} */ (event.target);
    if (event.key.toLowerCase() !== "h" || modified(event) || target.closest(ELSEWHERE) || this.button.hidden) return;
    this.ask();
  }
}

/** What speaks for a move and against it. @param {import("./types.js").Argument[]} told */
function reasons(told) {
  return el("ul", { class: "reasons" }, ...told.map(({ kind, text }) => el("li", { class: kind }, text)));
}
