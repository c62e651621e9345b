/** What this browser has practised: puzzles, days, and the mistakes of its games that come back. */

import { postOnce } from "./api.js";
import { keep, recall, settings } from "./settings.js";

/** @typedef {{tries: number, solved: boolean, shown: boolean}} Done */
/** @typedef {{game: string, step: number, due: number}} Mistake */

const PUZZLES = "mozaika.puzzles";
const DAYS = "mozaika.days";
const MISTAKES = "mozaika.mistakes";
/** After so many days a mistake comes back that was made better once, twice, …; then it is learnt. */
const INTERVALS = [1, 3, 7, 14, 30, 60];
const DAY = 86_400_000;
const MOST_MISTAKES = 500;
const NOTHING = { tries: 0, solved: false, shown: false };

/** By game and puzzle. @returns {Record<string, Done>} */
export const puzzles = () => recall(PUZZLES, {});

/** By day, such as 2026-11-18: only what was done on the day itself counts for the row. @returns {Record<string, Done & {same: boolean}>} */
export const days = () => recall(DAYS, {});

/** By table and ply. @returns {Record<string, Mistake>} */
export const mistakes = () => recall(MISTAKES, {});

/** Today by the clock that all share. */
export const today = () => new Date().toISOString().slice(0, 10);

/** Somebody has tried something, has solved it, or had it shown; what came first stays.
 * @param {string} key @param {string | null} day @param {"tried" | "solved" | "shown"} what */
export function note(key, day, what) {
  const known = puzzles();
  known[key] = add(known[key], what);
  keep(PUZZLES, known);
  if (!day) return;
  const kept = days();
  const before = kept[day];
  const after = add(before, what);
  kept[day] = { ...after, same: before === after ? before.same : day === today() };
  keep(DAYS, kept);
}

/** @param {Done | undefined} before @param {"tried" | "solved" | "shown"} what @returns {Done} */
function add(before = NOTHING, what) {
  if (before.solved || before.shown) return before;
  return { tries: before.tries + (what === "shown" ? 0 : 1), solved: what === "solved", shown: what === "shown" };
}

/** How many days in a row were solved, up to today or yesterday. */
export function streak() {
  const kept = days();
  const solved = (/** @type {number} */ at) => {
    const day = kept[new Date(at).toISOString().slice(0, 10)];
    return Boolean(day?.solved && day.same);
  };
  let at = Date.now();
  if (!solved(at)) at -= DAY;
  let row = 0;
  for (; solved(at); at -= DAY) row += 1;
  return row;
}

/** Each attempt as a square, without a word on what was tried. @param {Done} done */
export const squares = ({ tries, solved, shown }) =>
  "\u{1F7E7}".repeat(Math.max(0, tries - (solved ? 1 : 0))) + (solved ? "\u{1F7E9}" : shown ? "\u{2B1C}" : "");

/** A table for a puzzle. @param {string} game @param {string} lesson @param {string | null} [day] */
export async function openPuzzle(game, lesson, day) {
  const { url } = await postOnce("/api/games", { game, lesson, seats: [me()] });
  return day ? `${url}?day=${day}` : url;
}

/** A table for a mistake, by its key. @param {string} key */
export async function openMistake(key) {
  const [table, ply] = key.split("/");
  const { url } = await postOnce("/api/games", { from: table, ply: Number(ply), again: true, seats: [me()] });
  return url;
}

const me = () => ({ kind: "me", ...(settings.name && { name: settings.name }) });

/** What a review has marked is to be practised, from now on; what is known already stays as it is.
 * @param {string[]} keys @param {string} game */
export function collect(keys, game) {
  const known = mistakes();
  const fresh = keys.filter((key) => !(key in known));
  for (const key of fresh) known[key] = { game, step: 0, due: Date.now() };
  // where there are too many, what is learnt goes first, then what has waited longest
  const worth = (/** @type {Mistake} */ { step, due }) => (step > INTERVALS.length ? 0 : due);
  const kept = Object.entries(known).sort(([, one], [, other]) => worth(other) - worth(one)).slice(0, MOST_MISTAKES);
  if (fresh.length) keep(MISTAKES, Object.fromEntries(kept));
}

/** The keys of the mistakes that are to be practised now, those first that have waited longest. */
export function due() {
  const now = Date.now();
  return Object.entries(mistakes()).filter(([, each]) => each.due <= now && each.step <= INTERVALS.length)
    .sort(([, one], [, other]) => one.due - other.due).map(([key]) => key);
}

/** Found at once when it was due it comes back later than before; else it begins anew. @param {string} key @param {boolean} well */
export function practised(key, well) {
  const known = mistakes();
  const mistake = known[key];
  if (!mistake || (well && mistake.due > Date.now())) return;
  mistake.step = well ? mistake.step + 1 : 0;
  mistake.due = mistake.step > INTERVALS.length ? Number.MAX_SAFE_INTEGER : Date.now() + DAY * (well ? INTERVALS[mistake.step - 1] : INTERVALS[0]);
  keep(MISTAKES, known);
}

/** @param {string} key */
export function forget(key) {
  const known = mistakes();
  delete known[key];
  keep(MISTAKES, known);
}
