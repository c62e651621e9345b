/** The pages of practice: what there is to solve, and how far this browser has come. */

import { Refusal, root } from "./api.js";
import { byId, copy, el, read, say } from "./dom.js";
import { days, due, forget, mistakes, openMistake, openPuzzle, puzzles, squares, streak } from "./practised.js";

/** @typedef {{day: string, game: string, name: string, puzzle: string, difficulty: number}} Day */
/** @typedef {{id: string, difficulty: number}} Puzzle */

const HARDEST = 5;
const data = read("practice-data");

if (byId("daily")) showDays(data.days, data.today);
if (byId("mistakes")) showMistakes();
if (byId("puzzles")) showPuzzles(data.game, data.puzzles);
for (const place of document.querySelectorAll("[data-solved]")) {
  const { solved, all } = /** @type {HTMLElement} */ (place).dataset;
  const done = Object.entries(puzzles()).filter(([key, each]) => key.startsWith(`${solved}/`) && each.solved).length;
  if (done) place.textContent = say("puzzle_solved", { n: done, all: all ?? "" });
}

/** @param {() => Promise<string>} open */
async function go(open) {
  byId("practice-wrong").textContent = "";
  try {
    location.href = await open();
  } catch (error) {
    byId("practice-wrong").textContent = /** @type {Error} */ (error).message;
  }
}

/** @param {number} difficulty */
function stars(difficulty) {
  const text = say("difficulty", { n: difficulty, all: HARDEST });
  return el("span", { class: "stars", role: "img", "aria-label": text, title: text }, "★".repeat(difficulty) + "☆".repeat(HARDEST - difficulty));
}

/** @param {Day[]} list @param {string} today */
function showDays(list, today) {
  const [now] = list;
  if (!now || now.day !== today) return;
  const done = days()[now.day];
  const row = streak();
  const text = () => [`${say("daily_share", { day: now.day })} · ${now.name} ${"★".repeat(now.difficulty)}`, squares(done), new URL(`${root}/practice`, location.href).href].join("\n");
  byId("daily").replaceChildren(
    el("b", {}, now.name),
    stars(now.difficulty),
    ...(done?.solved || done?.shown
      ? [
          el("span", {}, say(done.solved ? "daily_done" : "daily_shown"), " · ", say("puzzle_tries", { n: done.tries })),
          el("span", { class: "tries", "aria-hidden": "true" }, squares(done)),
          el("button", { type: "button", onclick: (/** @type {any} */ event) => copy(text(), event.currentTarget) }, say("copy_text")),
        ]
      : [el("button", { type: "button", class: "primary", onclick: () => solve(now) }, say("puzzle_solve"))]),
    row ? el("span", { class: "quiet" }, say("daily_streak", { n: row })) : "",
  );
  byId("daily-archive").querySelector("ul").replaceChildren(...list.slice(1).map(former));
  byId("daily-archive").hidden = list.length < 2;
}

/** @param {Day} day */
const solve = (day) => go(() => openPuzzle(day.game, `puzzle ${day.puzzle}`, day.day));

/** @param {Day} day */
function former(day) {
  const done = days()[day.day];
  const state = done?.solved ? say(done.same ? "daily_done" : "daily_archive") : done?.shown ? say("daily_shown") : say("puzzle_solve");
  const label = `${day.day}, ${day.name}: ${state}`;
  return el("li", {}, el("time", { datetime: day.day }, day.day), el("span", {}, day.name, " ", stars(day.difficulty)),
    el("button", { type: "button", class: "chip", "aria-label": label, onclick: () => solve(day) }, state));
}

/** @param {string} game @param {Puzzle[]} list */
function showPuzzles(game, list) {
  const known = puzzles();
  const solved = list.filter(({ id }) => known[`${game}/${id}`]?.solved).length;
  byId("puzzles-solved").textContent = say("puzzle_solved", { n: solved, all: list.length });
  const groups = [];
  for (let difficulty = 1; difficulty <= HARDEST; difficulty++) {
    const entries = list.map((puzzle, at) => ({ ...puzzle, at })).filter((puzzle) => puzzle.difficulty === difficulty);
    if (!entries.length) continue;
    groups.push(el("h2", {}, stars(difficulty)), el("ul", { class: "numbers" }, ...entries.map((puzzle) => entry(game, puzzle))));
  }
  byId("puzzles").replaceChildren(...groups);
}

/** @param {string} game @param {Puzzle & {at: number}} puzzle */
function entry(game, { id, at }) {
  const done = puzzles()[`${game}/${id}`];
  const state = done?.solved ? say("daily_done") : done?.shown ? say("daily_shown") : "";
  const mark = done?.solved ? el("span", { class: "tick", "aria-hidden": "true" }, " ✓") : done?.shown ? el("span", { "aria-hidden": "true" }, " ·") : "";
  const open = () => go(() => openPuzzle(game, `puzzle ${id}`));
  return el("li", {}, el("button", { type: "button", class: done?.solved ? "solved" : "", "aria-label": `${at + 1} ${state}`.trim(), onclick: open }, String(at + 1), mark));
}

function showMistakes() {
  const now = due();
  const later = Object.keys(mistakes()).length - now.length;
  byId("mistakes").replaceChildren(
    now.length ? el("b", {}, say("again_left", { n: now.length })) : el("span", {}, say("again_none")),
    now.length ? el("button", { type: "button", class: "primary", onclick: () => practise(now) }, say("again_start")) : "",
    later ? el("span", { class: "quiet" }, say("again_other", { n: later })) : "",
  );
}

/** The first mistake whose game is still there. @param {string[]} keys */
async function practise(keys) {
  byId("practice-wrong").textContent = say("again_wait");
  for (const key of keys) {
    try {
      location.href = await openMistake(key);
      return;
    } catch (error) {
      byId("practice-wrong").textContent = /** @type {Error} */ (error).message;
      if (!(error instanceof Refusal && error.status === 404)) return;
      forget(key);
    }
  }
  showMistakes();
}
