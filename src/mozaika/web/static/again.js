/** In a review: the mistakes of this browser's player, each to be made better; they are kept to be practised later. */

import { get } from "./api.js";
import { byId, el, say } from "./dom.js";
import { collect, openMistake } from "./practised.js";

/** @typedef {import("./types.js").MomentView} MomentView */

const table = byId("review").dataset.table;
const place = byId("review-mistakes");
/** The seats of this browser, counted from 1. @type {Promise<number[]>} */
const mine = get(`/api/games/${table}/view`).then((view) => view.you.seats).catch(() => []);

document.addEventListener("review", async (event) => {
  /** @type {MomentView[]} */
  const decisions = /** @type {CustomEvent} */ (event).detail.decisions ?? [];
  const seats = await mine;
  const mistakes = decisions.filter(({ seat, mark }) => mark && seats.includes(seat));
  place.hidden = !mistakes.length;
  place.querySelector("ol").replaceChildren(...mistakes.map(entry));
  collect(mistakes.map(({ ply }) => `${table}/${ply}`), place["dataset"].game);
});

/** What was better is not said here. @param {MomentView} mistake */
function entry({ ply, mark, mark_name, played }) {
  const name = `${say("again_try")}: ${played}`;
  const again = el("button", { type: "button", "aria-label": name, onclick: () => open(ply) }, say("again_try"));
  return el("li", {}, el("span", {}, el("b", { class: mark }, mark_name), " ", played), again);
}

/** @param {number} ply */
async function open(ply) {
  byId("again-state").textContent = say("again_wait");
  try {
    location.href = await openMistake(`${table}/${ply}`);
  } catch (error) {
    byId("again-state").textContent = /** @type {Error} */ (error).message;
  }
}
