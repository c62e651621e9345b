/** What each seat can expect, as a bar; for those who have switched it on, where it is allowed. */

import { post, Refusal } from "./api.js";
import { byId, el, say } from "./dom.js";
import { settings } from "./settings.js";

/** A moment that passes within so many milliseconds is not asked about. */
const QUIET = 120;

/** @typedef {import("./types.js").View} View */

export class Evaluation {
  /** @param {string} at the address of the table */
  constructor(at) {
    this.at = at;
    this.place = byId("evaluation");
    /** The seq that was asked about last. */
    this.seq = -1;
    this.asking = new AbortController();
  }

  /** Asks about the newest moment only. @param {View} view */
  update(view) {
    if (!settings.evaluation || !view.hints || view.over) return this.#close();
    if (view.seq === this.seq) return;
    this.asking.abort();
    this.asking = new AbortController();
    this.seq = view.seq;
    this.#later(view, this.asking.signal, QUIET);
  }

  /** @param {View} view @param {AbortSignal} signal @param {number} time */
  #later(view, signal, time) {
    setTimeout(() => signal.aborted || this.#ask(view, signal), time);
  }

  #close() {
    this.asking.abort();
    this.seq = -1;
    this.place.hidden = true;
  }

  /** @param {View} view @param {AbortSignal} signal */
  async #ask(view, signal) {
    try {
      const found = await post(`${this.at}/evaluate`, { seq: view.seq }, signal);
      if (!signal.aborted) this.#show(found, view.seats);
    } catch (error) {
      // too often: once more in a while; else the next move brings the next answer
      if (error instanceof Refusal && error.status === 429) {
        this.#later(view, signal, error["after"] || 1000);
      }
    }
  }

  /** @param {{shares: number[], points: number[]}} found @param {import("./types.js").SeatView[]} seats */
  #show({ shares, points }, seats) {
    const several = shares.length > 1;
    this.place.hidden = !several && !points.length;
    const stakes = seats.map(({ name }, seat) => {
      const share = several ? `${Math.round(100 * shares[seat])} %` : "";
      const about = points.length ? say("about_points", { points: Math.round(points[seat]) }) : "";
      const who = el("span", { class: "who" }, name);
      return el("li", { class: `stake-${seat + 1}` }, who, ` ${share} `, el("span", { class: "points" }, share && about && "· ", about));
    });
    const parts = several ? shares.map((share, seat) => part(share, seat + 1)) : [];
    byId("shares").replaceChildren(...parts);
    byId("stakes").replaceChildren(...stakes);
  }
}

/** @param {number} share @param {number} number */
function part(share, number) {
  const node = el("span", { class: `stake-${number}` });
  node.style.flexGrow = String(Math.max(0, share));
  return node;
}
