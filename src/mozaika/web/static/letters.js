/** The table in letters, for those who do not see the picture: fetched while somebody reads it. */

import { get } from "./api.js";
import { byId, say } from "./dom.js";

export class Letters {
  /** @param {string} at the address of the table */
  constructor(at) {
    this.at = at;
    this.place = byId("in-words");
    this.fold = this.place.closest("details");
    this.asked = 0;
    /** The moment on the stage: how it is asked for. */
    this.moment = "";
    this.fold.addEventListener("toggle", () => this.#read());
  }

  /** Another moment is on the stage. @param {import("./types.js").View} view */
  update({ now, ply }) {
    this.moment = now ? "" : `?ply=${ply}`;
    this.#read();
  }

  async #read() {
    if (!this.fold.open) return;
    const mine = ++this.asked;
    const text = await get(`${this.at}/letters${this.moment}`).catch(() => say("no_connection"));
    if (mine === this.asked) this.place.textContent = text;
  }
}
