/** How points are made: some rules with their pictures, beside the table, fetched when somebody unfolds them. */

import { get } from "./api.js";
import { byId } from "./dom.js";

/** @param {string} game */
export function unfoldScoring(game) {
  const card = byId("scoring");
  card.addEventListener("toggle", async () => {
    const place = card.querySelector("div");
    if (!card.open || place.childElementCount) return;
    const text = await get(`/scoring/${game}`).catch(() => "");
    const found = new DOMParser().parseFromString(text, "text/html").body;
    place.replaceChildren(...[...found.children].map((part) => document.importNode(part, true)));
  });
}
