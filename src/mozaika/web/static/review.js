/** The review of a finished game: what is known by now, until all is; every moment can be looked at. */

import { get, postOnce, root } from "./api.js";
import { byId, el, say } from "./dom.js";

/** @typedef {import("./types.js").ReviewView} ReviewView */
/** @typedef {import("./types.js").MomentView} MomentView */

const BETWEEN = 1000;
const MARKS = ["inaccuracy", "mistake", "blunder"];

const table = byId("review").dataset.table;
/** The moments one can go to, each with what is said of it. @type {Map<number, string>} */
let moments = new Map();
let at = -1;

byId("review-back").addEventListener("click", () => step(-1));
byId("review-on").addEventListener("click", () => step(1));
byId("review-again").addEventListener("click", tryAgain);
look();

async function look() {
  try {
    const review = await get(`/api/games/${table}/review`);
    if (review.steps) draw(review);
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
  moments = new Map(review.values.map(({ ply }) => [ply, ""]));
  for (const { ply, text } of [...review.draws, ...review.decisions]) moments.set(ply, text);
  moments = new Map([...moments].sort(([one], [other]) => one - other));
  drawGraph(review.graph);
  list("review-decisive", review.decisive);
  list("review-decisions", review.decisions);
  list("review-draws", review.draws);
  byId("review-decisions").querySelector("p").textContent = review.meanings.mark;
  section("review-players", review.players.length > 0).querySelector("table").replaceChildren(...players(review));
  byId("review-values").querySelector("table").replaceChildren(...values(review));
  if (at < 0) show(review.decisive[0]?.ply ?? review.values.at(-1)?.ply ?? 0);
}

/** Pointing at the graph shows the nearest moment. @param {string} text */
function drawGraph(text) {
  const graph = document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
  graph.addEventListener("click", (event) => {
    const [left, right, last] = ["left", "right", "last"].map((name) => Number(graph.dataset[name]));
    const box = graph.getBoundingClientRect();
    const across = ((event.clientX - box.left) / box.width) * Number(graph.getAttribute("viewBox")?.split(" ")[2]);
    show(Math.round(Math.min(1, Math.max(0, (across - left) / (right - left))) * last));
  });
  byId("review-graph").replaceChildren(graph);
}

/** @param {string} id @param {boolean} shown */
function section(id, shown) {
  byId(id).hidden = !shown;
  return byId(id);
}

/** @param {string} id @param {MomentView[]} told */
function list(id, told) {
  const entry = (/** @type {MomentView} */ { ply, text, mark, mark_name }) =>
    el("li", {}, el("button", { type: "button", class: "moment", onclick: () => show(ply) }, mark ? el("b", { class: mark }, mark_name) : "", " ", text));
  section(id, told.length > 0).querySelector("ol").replaceChildren(...told.map(entry));
}

/** @param {ReviewView} review */
function players(review) {
  const lucky = review.players.some((player) => player.luck);
  const head = [say("player"), question("accuracy", review), question("loss", review), ...MARKS.map((mark) => say(mark))];
  if (lucky) head.push(question("luck", review), question("rest", review));
  const row = (/** @type {import("./types.js").PlayerView} */ player) => [
    player.accuracy,
    player.loss,
    ...MARKS.map((mark) => player.marks[mark]),
    ...(lucky ? [player.luck, player.rest] : []),
  ];
  return [
    el("thead", {}, el("tr", {}, ...head.map((each) => el("th", { scope: "col" }, each)))),
    el("tbody", {}, ...review.players.map((player) => el("tr", {}, el("th", { scope: "row" }, player.name), ...row(player).map((each) => el("td", {}, String(each)))))),
  ];
}

/** A number's name, with what it means behind a question mark. @param {string} name @param {ReviewView} review */
function question(name, review) {
  return el("details", {}, el("summary", {}, say(name), " ", el("span", { class: "ask" }, "?")), review.meanings[name]);
}

/** @param {ReviewView} review */
function values(review) {
  const alone = review.names.length === 1;
  const cell = (/** @type {number} */ points, /** @type {number} */ share) =>
    el("td", {}, points.toFixed(1).replace("-", "−") + (alone ? "" : ` (${Math.round(100 * share)} %)`));
  return [
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, say("ply")), ...review.names.map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, ...review.values.map(({ ply, points, shares }) => el("tr", {}, el("th", { scope: "row" }, String(ply)), ...points.map((each, seat) => cell(each, shares[seat]))))),
  ];
}

/** @param {number} ply */
function show(ply) {
  at = ply;
  const theme = document.documentElement.dataset.theme ?? "auto";
  byId("review-board").src = `${root}/api/games/${table}/picture.svg?shape=wide&theme=${theme}&ply=${ply}`;
  byId("review-board").alt = say("board_at", { ply });
  byId("review-moment").textContent = moments.get(ply) || say("board_at", { ply });
  byId("review-table").href = `${root}/t/${table}?ply=${ply}`;
  for (const mark of document.querySelectorAll("[data-ply]")) mark.classList.toggle("chosen", Number(mark.getAttribute("data-ply")) === ply);
}

/** To the next moment worth a look. @param {number} by */
function step(by) {
  const plies = [...moments.keys()];
  const next = by > 0 ? plies.find((ply) => ply > at) : plies.findLast((ply) => ply < at);
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
