/** Walking through the game: a slider, arrow keys and addresses of moments, while the game runs on. */

import { byId, say } from "./dom.js";
import { get, postOnce } from "./api.js";

export class Moments {
  /**
   * @param {string} id
   * @param {{show: (view: import("./types.js").View) => void, now: () => void, wrong: (error: Error) => void,
   *   shape: () => string}} on
   */
  constructor(id, on) {
    this.id = id;
    this.on = on;
    /** The moment on the stage; null is now. @type {number | null} */
    this.at = null;
    this.over = false;
    this.steps = [0];
    this.asked = 0;
    this.slider = byId("moment");
    this.slider.addEventListener("input", () => this.#to(Number(this.slider.value)));
    byId("moment-back").addEventListener("click", () => this.#by(-1));
    byId("moment-on").addEventListener("click", () => this.#by(1));
    byId("moment-now").addEventListener("click", () => this.now());
    byId("play-on").addEventListener("click", () => this.#playOn());
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  /** @param {number[]} steps the plies worth a halt, the last one being now */
  update(steps) {
    this.steps = steps;
    this.#draw();
  }

  /** Fetches a moment without showing it. @param {number} ply */
  fetch(ply) {
    return get(`/api/games/${this.id}/view?shape=${this.on.shape()}&ply=${ply}`);
  }

  /** @param {number} ply */
  async show(ply) {
    this.at = ply;
    const mine = ++this.asked;
    this.#draw();
    this.#address();
    try {
      const view = await this.fetch(ply);
      if (mine === this.asked && this.at === ply) this.on.show(view);
    } catch (error) {
      if (mine !== this.asked) return;
      this.now();
      this.on.wrong(/** @type {Error} */ (error));
    }
  }

  now() {
    this.asked += 1;
    if (this.at === null) return;
    this.at = null;
    this.#draw();
    this.#address();
    this.on.now();
  }

  get index() {
    if (this.at === null) return this.steps.length - 1;
    const found = this.steps.findIndex((ply) => ply >= Number(this.at));
    return found < 0 ? this.steps.length - 1 : found;
  }

  #by(step) {
    this.#to(this.index + step);
  }

  #to(index) {
    const last = this.steps.length - 1;
    if (index >= last) this.now();
    else this.show(this.steps[Math.max(0, index)]);
  }

  #draw() {
    const last = this.steps.length - 1;
    const index = this.index;
    this.slider.max = String(last);
    this.slider.value = String(index);
    this.slider.disabled = last < 1;
    const place = this.at === null ? say("moment_now") : say("moment_of", { n: index + 1, all: last + 1 });
    this.slider.setAttribute("aria-valuetext", place);
    byId("moment-place").textContent = place;
    byId("moment-back").disabled = index <= 0;
    byId("moment-on").disabled = this.at === null;
    byId("moment-now").hidden = this.at === null;
    byId("play-on").hidden = this.at === null;
    document.body.classList.toggle("past", this.at !== null);
  }

  #address() {
    const here = new URL(location.href);
    if (this.at === null) here.searchParams.delete("ply");
    else here.searchParams.set("ply", String(this.at));
    history.replaceState(null, "", here);
  }

  async #playOn() {
    try {
      const made = await postOnce("/api/games", { from: this.id, ply: this.at });
      location.href = made.url;
    } catch (error) {
      this.on.wrong(/** @type {Error} */ (error));
    }
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const target = /** @type {Element} */ (event.target);
    // on the board the arrows go from spot to spot, as long as there is something to play
    const elsewhere = target.closest(`input, select, textarea, dialog${this.over ? "" : ", #board"}`);
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || elsewhere) return;
    if (event.key === "ArrowLeft") this.#by(-1);
    else if (event.key === "ArrowRight") this.#by(1);
    else if (event.key === "Home") this.#to(0);
    else if (event.key === "End") this.now();
    else return;
    event.preventDefault();
  }
}
