/** The lessons that this browser has begun and finished, and how to open one; on pages that offer lessons, the ticks. */

import { get, postOnce } from "./api.js";
import { byId, el, read, say } from "./dom.js";
import { keep, recall, settings } from "./settings.js";

/** @typedef {{url: string, step: number, steps: number, done: boolean}} Begun */

const PLACE = "mozaika.lessons";
/** By game and lesson, as in `azul/first`. @type {Record<string, Begun>} */
const begun = recall(PLACE, {});
/** @type {{id: string, bots: {id: string}[], seats: number[], lessons: {id: string, title: string, steps: number}[]}[]} */
const games = read("games") ?? [];

/** How far a lesson has come. @param {string} game @param {import("./types.js").LessonView} lesson @param {string} url */
export function remember(game, lesson, url) {
  const key = `${game}/${lesson.id}`;
  const done = Boolean(begun[key]?.done) || (lesson.step === lesson.steps && lesson.done);
  begun[key] = { url, step: lesson.step, steps: lesson.steps, done };
  keep(PLACE, begun);
}

/** A new table for a lesson, or for a game against the weakest bot. @param {any} wish
 * @returns {Promise<{url: string}>} */
export function opening(wish) {
  const me = { kind: "me", ...(settings.name && { name: settings.name }) };
  if (wish.lesson) return postOnce("/api/games", { ...wish, seats: [me] });
  const bot = wish.bot ?? "beginner";
  return postOnce("/api/games", { game: wish.game, options: wish.options ?? {}, practice: true, seats: [me, { kind: "bot", bot }] });
}

/** To a lesson: where it was left, if its table is still there. @param {string} game @param {string} lesson */
async function begin(game, lesson) {
  const known = begun[`${game}/${lesson}`];
  if (known && known.step < known.steps) {
    const there = await get(`/api/games/${known.url.split("/").at(-1)}/view`).catch(() => null);
    if (there?.lesson) return known.url;
  }
  return (await opening({ game, lesson })).url;
}

/** Whether all lessons of a game are finished. @param {string} game */
function isLearnt(game) {
  const lessons = games.find(({ id }) => id === game)?.lessons ?? [];
  return lessons.length > 0 && begun[`${game}/${lessons[0].id}`]?.done;
}

for (const link of document.querySelectorAll("[data-learn]")) {
  const name = link.querySelector(".hidden");
  if (isLearnt(/** @type {HTMLElement} */ (link).dataset.learn ?? "")) link.replaceChildren(el("span", { class: "tick" }, "✓"), ` ${say("learnt")}`, name ?? "");
}
if (document.querySelector("[data-learn]")) {
  const newcomer = !Object.keys(begun).length && !recall("mozaika.choices", null);
  document.body.classList.toggle("newcomer", newcomer);
  // who is new sees the games first, and the rest behind them
  if (newcomer) document.querySelector(".counter")?.after(document.querySelector(".practise") ?? "");
}
const page = byId("lessons");
if (page) offer(page["dataset"].game);

/** The lessons of a game; whoever has never begun one is taken to the first at once. @param {string} id */
function offer(id) {
  const game = games.find((each) => each.id === id);
  if (!game) return;
  const go = async (/** @type {string} */ lesson) => {
    byId("lessons-wrong").textContent = "";
    try {
      location.replace(await begin(id, lesson));
    } catch (error) {
      byId("lessons-wrong").textContent = /** @type {Error} */ (error).message;
    }
  };
  page.replaceChildren(
    ...game.lessons.map(({ id: lesson, title, steps }) => {
      const known = begun[`${id}/${lesson}`];
      const left = known && known.step < known.steps;
      const text = left ? say("lesson_continue") : known?.done ? say("lesson_again") : say("lesson_start");
      const tick = known?.done ? el("span", { class: "tick", title: say("learnt") }, "✓") : "";
      const facts = left ? say("n_of", { n: known.step, all: steps }) : say("lesson_steps", { n: steps });
      return el("li", {}, el("b", {}, title, " ", tick), el("span", { class: "quiet" }, facts),
        el("button", { type: "button", class: known?.done ? "" : "primary", onclick: () => go(lesson) }, text));
    }),
  );
  if (game.lessons.length && !game.lessons.some(({ id: lesson }) => begun[`${id}/${lesson}`])) go(game.lessons[0].id);
}
