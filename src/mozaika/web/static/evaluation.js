/** What each seat can expect, as a bar; for those who have switched it on, where it is allowed. */

import { post, Refusal } from "./api.js";
import { byId, el, minus, percent, say } from "./dom.js";
import { settings } from "./settings.js";

/** A moment that passes within so many milliseconds is not asked about. */
const QUIET = 120;

/** @typedef {import("./types.js").View} View */

export class Evaluation {
  /** @param {string} at the address of the table */
  constructor(at) {
    this.at = at;
    this.place = byId("evaluation");
    /** The moment that was asked about last. */
    this.moment = "";
    this.asking = new AbortController();
    /** Whether the moment on the stage is now. */
    this.now = true;
    /** What was found about moments of the past. @type {Map<string, {shares: number[], points: number[]}>} */
    this.found = new Map();
  }

  /** Asks about the moment on the stage only. @param {View} view */
  update(view) {
    if (!(settings.evaluation || view.practice) || !view.hints || (view.over && view.now)) return this.#close();
    const moment = momentOf(view);
    if (moment === this.moment) return;
    this.asking.abort();
    this.asking = new AbortController();
    this.moment = moment;
    const known = this.found.get(moment);
    // in a running game the bar moves on with the next answer; nowhere it tells of another time than the board
    this.place.classList.toggle("waiting", !(known || (view.now && this.now)));
    this.now = view.now;
    if (known) this.#show(known, view.seats);
    else if (!drawn(view)) return; // nothing can be said yet, and the room is kept for what comes next
    else this.#later(view, this.asking.signal, QUIET);
  }

  /** @param {View} view @param {AbortSignal} signal @param {number} time */
  #later(view, signal, time) {
    setTimeout(() => signal.aborted || this.#ask(view, signal), time);
  }

  #close() {
    this.asking.abort();
    this.moment = "";
    this.place.hidden = true;
  }

  /** @param {View} view @param {AbortSignal} signal */
  async #ask(view, signal) {
    const { seq, ply, now, seats } = view;
    const moment = momentOf(view);
    try {
      const found = await post(`${this.at}/evaluate`, now ? { seq } : { seq, ply }, signal);
      if (!now) this.found.set(moment, found);
      if (!signal.aborted) this.#show(found, seats);
    } catch (error) {
      // nothing is better than what is true of another moment
      if (error instanceof Refusal && !now) this.place.hidden = true;
      // too often: once more in a while; else the next move brings the next answer
      if (error instanceof Refusal && error.status === 429) {
        this.#later(view, signal, error.after || 1000);
      }
    }
  }

  /** @param {{shares: number[], points: number[]}} found @param {import("./types.js").SeatView[]} seats */
  #show({ shares, points }, seats) {
    const several = shares.length > 1;
    this.place.classList.remove("waiting");
    this.place.hidden = !several && !points.length;
    const stakes = seats.map(({ name }, seat) => {
      const share = several ? percent(shares[seat]) : "";
      const about = points.length ? say("about_points", { points: minus(Math.round(points[seat])) }) : "";
      const who = el("span", { class: "who" }, name);
      return el("li", { class: `stake-${seat + 1}` }, who, ` ${share} `, el("span", { class: "points" }, share && about && "· ", about));
    });
    const parts = several ? shares.map((share, seat) => part(share, seat + 1)) : [];
    byId("shares").replaceChildren(...parts);
    byId("stakes").replaceChildren(...stakes);
  }
}

/** @param {View} view */
const momentOf = ({ seq, ply }) => `${seq} ${ply}`;

/** Whether somebody can move and nothing has to be drawn before. @param {View} view */
const drawn = ({ seats }) => seats.some((seat) => seat.to_move);

/** @param {number} share @param {number} number */
function part(share, number) {
  const node = el("span", { class: `stake-${number}` });
  node.style.flexGrow = String(Math.max(0, share));
  return node;
}
