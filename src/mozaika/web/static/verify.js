/** The verify page: a record goes in; what is proven, what is not and what is wrong come out. */

import { get, postText } from "./api.js";
import { answers, byId, el, say } from "./dom.js";
import { reviewText, takeRecords } from "./drop.js";
import { place } from "./part.js";
import { check, commitmentOf, parse, wrongDraws } from "./proof.js";
import { recall } from "./settings.js";

/** @typedef {{faults: string[], proven: string[], unproven: string[]}} Told */

const text = byId("record");
const verdict = byId("verdict");

byId("record-file").addEventListener("change", async (/** @type {any} */ event) => {
  const file = event.target.files[0];
  if (file) text.value = await file.text();
});
const tellWrong = (/** @type {string} */ message) => show("wrong", message ? [el("p", {}, message)] : []);
takeRecords(tellWrong);
byId("review-record").addEventListener("click", () => reviewText(text.value, tellWrong));
answers(byId("verify"), () => verify());
const asked = new URLSearchParams(location.search);
open(asked.get("game"));
openDeal(asked.get("deal"));

/** Whether the seed of a deal is the one that was fixed beforehand; anybody can compute it. @param {string | null} id */
async function openDeal(id) {
  if (!id) return;
  try {
    const { seed, commitment, name, day } = await get(`/api/deals/${encodeURIComponent(id)}`);
    if (!seed) return show("wrong", [el("p", {}, say("deal_sealed"))]);
    const fits = commitmentOf("", { number: 0, stage: "alone", ply: 0, commitment, secret: seed, parties: [] }) === commitment;
    const lines = [el("p", {}, `${name} ${day}`), el("p", {}, say(fits ? "deal_fits" : "deal_differs")), el("p", {}, el("code", {}, commitment)), el("p", {}, el("code", {}, seed))];
    show(fits ? "right" : "wrong", lines);
  } catch (error) {
    show("wrong", [el("p", {}, /** @type {Error} */ (error).message)]);
  }
}

/** A game of this server is fetched and verified at once. @param {string | null} id */
async function open(id) {
  if (!id) return;
  try {
    text.value = await get(`/api/games/${encodeURIComponent(id)}/record`);
    await verify(id);
  } catch (error) {
    show("wrong", [el("p", {}, /** @type {Error} */ (error).message)]);
  }
}

/** First what this browser can find out alone, then the rest; a table of this browser with what it kept of it.
 * @param {string} [id] */
async function verify(id) {
  const record = parse(text.value);
  const published = byId("published").value.trim().toLowerCase();
  const here = inWords(check(record, recall(place(record.table || id || ""), null), published));
  show("", [list("checked_here", here)]);
  try {
    const asked = `/api/verify?commitment=${encodeURIComponent(published)}`;
    const { ok, faults, proven, unproven, game, moves, stretches } = await postText(asked, text.value);
    tellDraws(here, record, stretches);
    const right = ok && !here.faults.length;
    const sentence = say(right ? "record_right" : "record_wrong", { game, moves });
    show(right ? "right" : "wrong", [el("p", {}, sentence), list("checked_here", here), list("checked_there", { faults, proven, unproven })]);
  } catch (error) {
    show("wrong", [el("p", {}, /** @type {Error} */ (error).message), list("checked_here", here)]);
  }
}

/** @param {Told} here @param {ReturnType<typeof parse>} record @param {number[][]} stretches */
function tellDraws(here, record, stretches) {
  if (!stretches.length) return;
  const wrong = wrongDraws(record, stretches).length;
  if (wrong) here.faults.push(say("proof_wrong_draws", { n: wrong }));
  else here.proven.push(say("proof_right_draws", { n: stretches.length }));
}

/** @param {ReturnType<typeof check>} found @returns {Told} */
function inWords({ faults, proven, unproven }) {
  const words = (/** @type {import("./proof.js").Said[]} */ some) => some.map(([key, blanks]) => say(key, blanks));
  return { faults: words(faults), proven: words(proven), unproven: words(unproven) };
}

/** @param {string} title @param {Told} told */
function list(title, { faults, proven, unproven }) {
  const line = (/** @type {string} */ sign, /** @type {string} */ sentence) => el("li", {}, sign, sentence);
  const lines = [
    ...faults.map((fault) => line("✗ ", fault)),
    ...proven.map((each) => line("✓ ", each)),
    ...unproven.map((each) => line(`? ${say("not_proven")} `, each)),
  ];
  return el("section", {}, el("h2", {}, say(title)), el("ul", {}, ...lines));
}

/** @param {string} style @param {Node[]} parts */
function show(style, parts) {
  verdict.className = style;
  verdict.replaceChildren(...parts);
}
