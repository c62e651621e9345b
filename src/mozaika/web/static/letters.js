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
    this.fold.addEventListener("toggle", () => this.update());
  }

  /** There is something new, or somebody begins to read. */
  async update() {
    if (!this.fold.open) return;
    const mine = ++this.asked;
    const text = await get(`${this.at}/letters`).catch(() => say("no_connection"));
    if (mine === this.asked) this.place.textContent = text;
  }
}
