/** A line of letters in an order: put right by dragging or with arrows, beside the text that is sent. */

import { el, say } from "./dom.js";

/** @typedef {{value: string, label: string}} Item */

export class Order {
  /** @param {HTMLInputElement} field where the letters stand @param {Item[]} items what there is
   * @param {number} most so many at a time @param {() => void} onChange */
  constructor(field, items, most, onChange) {
    this.field = field;
    this.items = items;
    this.most = most;
    this.onChange = onChange;
    /** Letters that stand for nothing yet. @type {Set<string>} */
    this.absent = new Set();
    this.list = el("ol", { class: "order" });
    this.spare = el("div", { class: "row small" });
    this.node = el("div", {}, this.list, this.spare);
    /** The place that is dragged. @type {number | null} */
    this.held = null;
    field.addEventListener("input", () => this.draw());
    this.draw();
  }

  get letters() {
    return [...this.field.value.replace(/\s/g, "")];
  }

  draw() {
    const names = new Map(this.items.map((each) => [each.value, each.label]));
    const letters = this.letters;
    const spare = this.items.filter(({ value }) => !letters.includes(value) && !this.absent.has(value));
    this.list.replaceChildren(...letters.map((letter, place) => this.#entry(names.get(letter) ?? letter, place)));
    this.spare.replaceChildren(
      ...spare.map(({ value, label }) =>
        el("button", { type: "button", class: "chip", disabled: letters.length >= this.most, onclick: () => this.#set([...this.letters, value], this.letters.length) }, `+ ${label}`),
      ),
    );
  }

  /** @param {string} name @param {number} place */
  #entry(name, place) {
    const last = this.letters.length - 1;
    /** @param {string} sign @param {string} text @param {number} to @param {boolean} off */
    const knob = (sign, text, to, off) =>
      el("button", { type: "button", class: "knob", title: text, "aria-label": `${text}: ${name}`, disabled: off, onclick: () => this.#move(place, to) }, sign);
    return el(
      "li",
      {
        draggable: "true",
        ondragstart: () => (this.held = place),
        ondragover: (/** @type {Event} */ event) => event.preventDefault(),
        ondrop: (/** @type {Event} */ event) => {
          event.preventDefault();
          if (this.held !== null) this.#move(this.held, place);
          this.held = null;
        },
      },
      el("span", { class: "grip", "aria-hidden": "true" }, "⠿"),
      el("span", { class: "what" }, name),
      knob("↑", say("earlier"), place - 1, place === 0),
      knob("↓", say("later"), place + 1, place === last),
      el("button", { type: "button", class: "knob", title: say("leave_out"), "aria-label": `${say("leave_out")}: ${name}`, disabled: last === 0, onclick: () => this.#set(this.letters.filter((_, each) => each !== place), Math.min(place, last - 1)) }, "×"),
    );
  }

  /** @param {number} from @param {number} to */
  #move(from, to) {
    const letters = this.letters;
    const [moved] = letters.splice(from, 1);
    letters.splice(to, 0, moved);
    this.#set(letters, to);
  }

  /** @param {string[]} letters @param {number} place whose buttons keep the focus */
  #set(letters, place) {
    const within = this.node.contains(document.activeElement);
    const which = document.activeElement?.textContent;
    this.field.value = letters.join("");
    this.draw();
    if (within) {
      const buttons = [.../** @type {NodeListOf<HTMLButtonElement>} */ (this.list.children[place]?.querySelectorAll("button") ?? [])];
      (buttons.find((each) => each.textContent === which && !each.disabled) ?? buttons.find((each) => !each.disabled))?.focus();
    }
    this.onChange();
  }

  /** Some letters are new: they are in the order, and where it is full the last of the others goes. Some are no more.
   * @param {string[]} there @param {string[]} gone */
  follow(there, gone) {
    const fresh = there.filter((letter) => this.absent.has(letter) && !this.letters.includes(letter));
    this.absent = new Set(gone);
    let letters = this.letters.filter((each) => !gone.includes(each));
    for (const letter of fresh) {
      if (letters.length >= this.most) {
        const last = letters.findLastIndex((each) => !there.includes(each));
        letters = letters.filter((_, place) => place !== last);
      }
      letters.push(letter);
    }
    this.field.value = letters.join("");
    this.draw();
  }
}
