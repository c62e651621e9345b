/** What more a scene can show, such as threats: a button for each, which the browser remembers. */

import { byId, el } from "./dom.js";
import { keep, recall } from "./settings.js";
import { draw } from "./stage.js";

const PLACE = "mozaika.layers";

/** @typedef {import("./types.js").Layer} Layer */

export class Layers {
  /** @param {import("./stage.js").Stage} stage @param {(text: string) => void} tell says a layer in words */
  constructor(stage, tell) {
    this.stage = stage;
    this.tell = tell;
    /** Names of the layers that somebody has switched on; null: nobody has ever touched them. @type {string[] | null} */
    this.chosen = recall(PLACE, null);
    /** Whether a first game shows what its player might overlook. */
    this.first = false;
    /** @type {Map<string, HTMLButtonElement>} */
    this.buttons = new Map();
  }

  /** @param {Layer[]} layers @param {boolean} first whether it is a first game */
  show(layers, first = this.first) {
    this.first = first;
    const on = layers.filter(({ name }) => this.#isOn(name));
    this.stage.layers.more.replaceChildren(...on.flatMap(({ sprites }) => sprites.map((each) => draw(each))));
    const buttons = layers.map((layer) => this.#button(layer, layers));
    this.buttons = new Map(layers.map(({ name }, index) => [name, buttons[index]]));
    const place = byId("layers");
    if (place.children.length !== buttons.length || buttons.some((each, index) => place.children[index] !== each)) {
      place.replaceChildren(...buttons);
    }
    byId("layers-in-words").textContent = layers.map(({ text }) => text).join(" ");
  }

  /** @param {string} name */
  #isOn(name) {
    return this.chosen ? this.chosen.includes(name) : this.first;
  }

  /** Kept from scene to scene, so that it keeps the focus. @param {Layer} layer @param {Layer[]} layers */
  #button({ name, label, text }, layers) {
    const button = this.buttons.get(name) ?? el("button", { type: "button", "aria-describedby": "layers-in-words" });
    const on = this.#isOn(name);
    button.textContent = label;
    button.setAttribute("aria-pressed", String(on));
    button.onclick = () => {
      const others = layers.map((each) => each.name).filter((each) => each !== name && this.#isOn(each));
      this.chosen = on ? others : [...others, name];
      keep(PLACE, this.chosen);
      this.show(layers);
      if (!on) this.tell(text);
    };
    return button;
  }
}
