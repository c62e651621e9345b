/** The verify page: a record goes in, the verdict comes out. */

import { get, postText } from "./api.js";
import { byId, el, say } from "./dom.js";

const form = byId("verify");
const text = byId("record");
const verdict = byId("verdict");

byId("record-file").addEventListener("change", async (event) => {
  const file = event.target.files[0];
  if (file) text.value = await file.text();
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  verify();
});
open(new URLSearchParams(location.search).get("game"));

/** A game of this server is fetched and verified at once. @param {string | null} id */
async function open(id) {
  if (!id) return;
  try {
    text.value = await get(`/api/games/${encodeURIComponent(id)}/record`);
    await verify();
  } catch (error) {
    show("wrong", /** @type {Error} */ (error).message, []);
  }
}

async function verify() {
  try {
    const { ok, faults, game, moves } = await postText("/api/verify", text.value);
    show(ok ? "right" : "wrong", say(ok ? "record_right" : "record_wrong", { game, moves }), faults);
  } catch (error) {
    show("wrong", /** @type {Error} */ (error).message, []);
  }
}

/** @param {string} style @param {string} sentence @param {string[]} faults */
function show(style, sentence, faults) {
  verdict.className = style;
  verdict.replaceChildren(el("p", {}, sentence), el("ul", {}, ...faults.map((fault) => el("li", {}, fault))));
}
