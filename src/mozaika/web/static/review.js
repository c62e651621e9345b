/** The review of a finished game: what is known by now, until all is; every moment can be looked at. */

import { getAgain, postOnce, root } from "./api.js";
import { byId, el, minus, percent, say, tenths } from "./dom.js";

/** @typedef {import("./types.js").ReviewView} ReviewView */
/** @typedef {import("./types.js").MomentView} MomentView */

const BETWEEN = 1000;
/** So long the pointer rests before the board follows it. */
const PAUSE = 90;

const table = byId("review").dataset.table;
/** The moments one can go to, each with what is said of it. @type {Map<number, string>} */
let moments = new Map();
/** Those worth a halt. @type {number[]} */
let stops = [];
let at = -1;
/** Where the pointer is in the graph. */
let wanted = -1;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

byId("review-back").addEventListener("click", () => step(-1));
byId("review-on").addEventListener("click", () => step(1));
byId("review-again").addEventListener("click", tryAgain);
for (const id of ["review-larger", "review-board"]) byId(id).addEventListener("click", enlarge);
byId("review-large").addEventListener("click", () => byId("review-large").close());
look();

async function look() {
  try {
    const review = await getAgain(`/api/games/${table}/review`, () => {});
    if (review.steps) draw(review);
    document.dispatchEvent(new CustomEvent("review", { detail: review }));
    if (!review.steps || review.done < review.steps) setTimeout(look, BETWEEN);
  } catch (error) {
    byId("review-state").textContent = /** @type {Error} */ (error).message;
    byId("review-progress").hidden = true;
  }
}

/** @param {ReviewView} review */
function draw(review) {
  const whole = review.done === review.steps;
  byId("review-progress").hidden = whole;
  byId("review-progress").value = review.done / review.steps;
  byId("review-state").textContent = whole ? review.judge : say("being_reviewed", { done: Math.floor((100 * review.done) / review.steps) });
  const marked = review.decisions.filter(({ mark }) => mark);
  moments = new Map(review.values.map(({ ply }) => [ply, ""]));
  for (const { ply, text } of [...review.draws, ...review.decisions]) moments.set(ply, `${moments.get(ply) ?? ""} ${text}`.trim());
  stops = [...new Set([...review.values, ...marked].map(({ ply }) => ply))].sort((one, other) => one - other);
  drawGraph(review);
  list("review-decisive", review.decisive);
  list("review-decisions", marked, review.decisions);
  byId("review-unmarked").hidden = marked.length > 0;
  if (whole) section("review-decisive", true).querySelector("#review-nothing").hidden = review.decisive.length > 0;
  drawAll("review-all", "all_decisions", review.decisions.length > marked.length ? review.decisions : []);
  list("review-draws", review.draws, review.draws.length ? review.draws : review.every_draw);
  drawAll("review-every-draw", "all_draws", review.every_draw);
  refill(byId("review-sheets"), review.sheets.map((each) => sheet(each, review.names)));
  byId("review-hindsight").hidden = !review.hindsight.length;
  byId("review-hindsight").querySelector("tbody").replaceChildren(...review.hindsight.map(possible));
  byId("review-hindsight").querySelector("thead").replaceChildren(head(review.names));
  byId("review-values").querySelector("table").replaceChildren(...values(review));
  for (const place of document.querySelectorAll("[data-meaning]")) place.textContent = review.meanings[place.getAttribute("data-meaning") ?? ""];
  if (at < 0) show(review.decisive[0]?.ply ?? review.values.at(-1)?.ply ?? 0);
}

/** Pointing at the graph shows the moment there. @param {ReviewView} review */
function drawGraph({ graph: text, meanings, names }) {
  const graph = document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
  const point = (/** @type {PointerEvent} */ event) => {
    const [left, right, last] = ["left", "right", "last"].map((name) => Number(graph.dataset[name]));
    const box = graph.getBoundingClientRect();
    const across = ((event.clientX - box.left) / box.width) * Number(graph.getAttribute("viewBox")?.split(" ")[2]);
    showSoon(Math.round(Math.min(1, Math.max(0, (across - left) / (right - left))) * last));
  };
  graph.addEventListener("pointerdown", point);
  graph.addEventListener("pointermove", point);
  byId("review-graph").replaceChildren(graph);
  const asked = [question(say("points_expected"), meanings.points), question(say("chance_to_win"), meanings.chance)];
  refill(byId("review-meanings"), asked.slice(0, names.length > 1 ? 2 : 1));
  pointAt(at);
}

/** New content; what somebody has unfolded stays so. @param {HTMLElement} place @param {Node[]} parts */
function refill(place, parts) {
  const open = [...place.querySelectorAll("details")].map((each) => each.open);
  place.replaceChildren(...parts);
  for (const [index, each] of [...place.querySelectorAll("details")].entries()) each.open = open[index] ?? false;
}

/** Where the board is now. @param {number} ply */
function pointAt(ply) {
  const now = byId("review-graph").querySelector(".now");
  const graph = now?.closest("svg");
  if (!graph) return;
  const [left, right, last] = ["left", "right", "last"].map((name) => Number(graph.dataset[name]));
  const across = String(left + ((right - left) * Math.max(0, ply)) / last);
  for (const name of ["x1", "x2"]) now.setAttribute(name, across);
  now.setAttribute("visibility", ply < 0 ? "hidden" : "visible");
}

/** @param {string} id @param {boolean} shown */
function section(id, shown) {
  byId(id).hidden = !shown;
  return byId(id);
}

/** @param {string} id @param {MomentView[]} told @param {MomentView[]} [every] also those that are folded below it */
function list(id, told, every = told) {
  section(id, every.length > 0).querySelector("ol").replaceChildren(...told.map(entry));
}

/** @param {MomentView} moment */
function entry({ ply, text, mark, mark_name, after }) {
  const parts = [el("span", { class: "ply quiet" }, `${say("ply")} ${ply}`), " ", mark ? el("b", { class: mark }, mark_name) : "", " ", text, after ? el("span", { class: "quiet" }, " ", after) : ""];
  return el("li", {}, el("button", { type: "button", class: "moment", onclick: () => show(ply) }, ...parts));
}

/** Every decision with a choice, and every draw, for who wants to see them all.
 * @param {string} id @param {string} title @param {MomentView[]} every */
function drawAll(id, title, every) {
  const fold = section(id, every.length > 0);
  fold.querySelector("summary").textContent = say(title, { n: every.length });
  fold.querySelector("ol").replaceChildren(...every.map(entry));
}

/** The numbers of all players, each with what it means behind a question mark.
 * @param {import("./types.js").SheetView} sheet @param {string[]} names */
function sheet({ title, rows }, names) {
  const line = (/** @type {import("./types.js").NumberView} */ { name, meaning, cells }) =>
    el("tr", {}, el("th", { scope: "row" }, question(name, meaning)), ...cells.map((cell, seat) => el("td", { "data-name": names[seat] }, cell)));
  const table = el("table", { class: names.length > 2 ? "many" : null }, el("thead", {}, head(names)), el("tbody", {}, ...rows.map(line)));
  return el("section", {}, el("h2", {}, title), el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": title }, table));
}

/** @param {string[]} names */
const head = (names) => el("tr", {}, el("td", {}), ...names.map((name) => el("th", { scope: "col" }, name)));

/** A number's name, with what it means behind a question mark. @param {string} name @param {string} meaning */
function question(name, meaning) {
  return el("details", { class: "question" }, el("summary", {}, name, "\u00a0", el("span", { class: "ask" }, "?")), el("p", {}, meaning));
}

/** @param {import("./types.js").Part} part */
function possible({ name, made, possible: most }) {
  const cell = (/** @type {number} */ points, /** @type {number} */ seat) => el("td", {}, say("n_of", { n: minus(points), all: minus(most[seat]) }));
  return el("tr", {}, el("th", { scope: "row" }, name), ...made.map(cell));
}

/** @param {ReviewView} review */
function values(review) {
  const alone = review.names.length === 1;
  const cell = (/** @type {number} */ points, /** @type {number} */ share) =>
    el("td", {}, tenths(points) + (alone ? "" : ` (${percent(share)})`));
  return [
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, say("ply")), ...review.names.map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, ...review.values.map(({ ply, points, shares }) => el("tr", {}, el("th", { scope: "row" }, String(ply)), ...points.map((each, seat) => cell(each, shares[seat]))))),
  ];
}

/** Whoever moves over the graph sees where they stop. @param {number} ply */
function showSoon(ply) {
  if (ply === wanted) return;
  wanted = ply;
  pointAt(ply);
  clearTimeout(timer);
  timer = setTimeout(() => show(ply), PAUSE);
}

/** @param {number} ply */
function show(ply) {
  at = wanted = ply;
  pointAt(ply);
  byId("review-board").src = picture("wide");
  byId("review-board").alt = say("board_at", { ply });
  byId("review-moment").textContent = moments.get(ply) || say("board_at", { ply });
  byId("review-table").href = `${root}/t/${table}?ply=${ply}`;
  for (const mark of document.querySelectorAll("[data-ply]")) mark.classList.toggle("chosen", Number(mark.getAttribute("data-ply")) === ply);
}

/** The board where it is now. @param {"wide" | "tall"} shape */
function picture(shape) {
  return `${root}/api/games/${table}/picture.svg?shape=${shape}&theme=${document.documentElement.dataset.theme ?? "auto"}&ply=${at}`;
}

/** As large as at the table. */
function enlarge() {
  const large = byId("review-large");
  const image = large.querySelector("img");
  image.src = picture(innerWidth > innerHeight ? "wide" : "tall");
  byId("review-place").textContent = image.alt = byId("review-board").alt;
  large.showModal();
}

/** To the next moment worth a look. @param {number} by */
function step(by) {
  const next = by > 0 ? stops.find((ply) => ply > at) : stops.findLast((ply) => ply < at);
  if (next !== undefined) show(next);
}

/** The same moment at a table of one's own, where it can be played otherwise. */
async function tryAgain() {
  try {
    location.href = (await postOnce("/api/games", { from: table, ply: at })).url;
  } catch (error) {
    byId("review-moment").textContent = /** @type {Error} */ (error).message;
  }
}
