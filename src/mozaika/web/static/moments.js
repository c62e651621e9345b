/** Walking through the game: a slider, arrow keys and addresses of moments, while the game runs on. */

import { byId, say } from "./dom.js";
import { get, postOnce } from "./api.js";
import { ELSEWHERE, modified } from "./keys.js";

/** Keys that walk through the game; those that write a letter also where arrows mean something else. @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowRight: 1, ",": -1, ".": 1 };

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

  #by(/** @type {number} */ step) {
    this.#to(this.index + step);
  }

  #to(/** @type {number} */ index) {
    const last = this.steps.length - 1;
    if (index >= last) this.now();
    else this.show(this.steps[Math.max(0, index)]);
  }

  #draw() {
    const last = this.steps.length - 1;
    const index = this.index;
    // now is the end of the slider, also before anything has happened
    this.slider.max = String(last || 1);
    this.slider.value = this.at === null ? this.slider.max : String(index);
    this.slider.style.setProperty("--at", `${(100 * this.slider.value) / this.slider.max}%`);
    this.slider.disabled = last < 1;
    const past = this.at !== null;
    const place = past ? say("moment_of", { n: index, all: last }) : say("moment_now");
    this.slider.setAttribute("aria-valuetext", place);
    byId("moment-place").textContent = place;
    byId("moment-back").disabled = index <= 0;
    byId("moment-on").disabled = !past;
    byId("ribbon").hidden = !past;
    byId("ribbon-text").textContent = past ? say(index ? "ribbon" : "ribbon_start", { n: index, all: last }) : "";
    document.body.classList.toggle("past", past);
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
    if (event.defaultPrevented || event.shiftKey || modified(event) || target.closest(ELSEWHERE)) return;
    if (event.key in STEPS) this.#by(STEPS[event.key]);
    else if (event.key === "Home") this.#to(0);
    else if (event.key === "End") this.now();
    else if (event.key === "Escape" && this.at !== null) this.now();
    else return;
    event.preventDefault();
  }
}
