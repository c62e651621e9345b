/** The bar below the board: what is going on, what can be done now, and why something cannot. */

import { byId, el, say, signed } from "./dom.js";
import { ruleLink } from "./log.js";

const READ_FOR = 12000;
/** What can be done with a piece in the hand: its name, its sign and its key. */
const KNOBS = [["left", "←", "ArrowLeft"], ["turn", "↻", "R"], ["flip", "⇋", "F"], ["right", "→", "ArrowRight"]];

export class Bar {
  /** @param {string} game
   * @param {{play: (move: string) => void, cancel: () => void, shift: (way: string) => void}} on */
  constructor(game, on) {
    this.game = game;
    this.on = on;
    this.status = byId("status");
    this.choices = byId("choices");
    this.timer = 0;
    this.usual = "";
    /** Whether there is no room for what is usual, only for what is said for a while. */
    this.full = false;
    /** The buttons of a piece in the hand, while there is one. @type {any} */
    this.hand = null;
  }

  /** What is going on while nothing else is to be said. @param {string} text @param {boolean} [yours] */
  tell(text, yours = false) {
    this.usual = text;
    this.status.closest(".turn").classList.toggle("yours", yours);
    if (!this.timer) this.status.textContent = text;
  }

  /** A refusal or a reason, with its rule. @param {string} text @param {string} [rule] */
  warn(text, rule) {
    this.note(text, rule);
    this.status.classList.add("warning");
  }

  /** Something said for a while. @param {string} text @param {string} [rule] */
  note(text, rule) {
    clearTimeout(this.timer);
    this.status.classList.remove("warning");
    this.status.replaceChildren(text, " ", rule ? ruleLink(this.game, rule) : "");
    this.timer = setTimeout(() => this.calm(), READ_FOR);
    this.#makeRoom();
  }

  calm() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.status.classList.remove("warning");
    if (this.status.textContent !== this.usual) this.status.textContent = this.usual;
    this.#makeRoom();
  }

  /** Room for what is said for a while, in the place of what is chosen. @param {boolean} [full] */
  #makeRoom(full = this.full) {
    this.full = full;
    const gives = full && this.timer > 0;
    this.status.hidden = full && !gives;
    this.choices.classList.toggle("gives-way", gives);
  }

  /** A finished walk waits for its confirmation; walks over the same spots are chosen from.
   * @param {import("./paths.js").Walk[]} walks @param {string} text */
  offer(walks, text) {
    this.calm();
    const several = walks.length > 1;
    const confirm = walks.map(({ move, points }) => {
      const label = several ? move : say("confirm");
      const earned = points ? el("span", { class: "earned" }, signed(points)) : "";
      return el("button", { type: "button", class: "primary", onclick: () => this.on.play(move) }, label, " ", earned);
    });
    const cancel = el("button", { type: "button", onclick: () => this.on.cancel() }, say("cancel"));
    this.choices.replaceChildren(el("span", { class: "chosen-text" }, text), ...confirm, cancel);
    this.choices.hidden = false;
    this.#makeRoom(true);
    confirm[0].focus({ preventScroll: true });
  }

  /** A piece in the hand: what placing it would do, and buttons to hold it otherwise. They stay from step to step, and
   * with them the focus. @param {import("./paths.js").Walk} walk @param {Set<string>} knobs
   * @param {boolean} asks whether there is room for what is going on, too */
  hold({ move, points, hold }, knobs, asks) {
    const { text, near } = /** @type {import("./types.js").Hold} */ (hold);
    if (!this.hand) {
      const knob = (/** @type {string[]} */ [way, sign, key]) =>
        el("button", { type: "button", class: "knob", "data-hold": way, title: `${say(way)} (${key})`, "aria-label": say(way),
          "aria-keyshortcuts": key, onclick: () => this.on.shift(way) }, sign);
      const place = el("button", { type: "button", class: "primary place", onclick: () => this.on.play(this.hand.move) });
      const shown = KNOBS.filter(([way]) => knobs.has(way)).map(knob);
      const said = el("span", { class: "chosen-text", role: "status" });
      this.choices.replaceChildren(said, ...shown, place);
      this.hand = { move, said, place, shown };
    }
    this.hand.move = move;
    if (this.hand.said.textContent !== text) this.hand.said.textContent = text;
    const earned = points ? el("span", { class: "earned" }, signed(points)) : "";
    this.hand.place.replaceChildren(say("place_it"), " ", earned);
    for (const button of this.hand.shown) button.setAttribute("aria-disabled", String(!near[button.dataset.hold]));
    this.choices.hidden = false;
    this.choices.classList.add("hand");
    this.#makeRoom(!asks);
  }

  close() {
    this.hand = null;
    this.choices.classList.remove("hand");
    this.choices.hidden = true;
    this.choices.replaceChildren();
    this.#makeRoom(false);
  }
}
