/** A lesson at the table: what it says, what it points at, and how it goes on. It knows no game. */

import { postOnce } from "./api.js";
import { byId, el, say, svg } from "./dom.js";
import { opening, remember } from "./lessons.js";
import { pattern } from "./prompts.js";

/** @typedef {import("./types.js").View} View @typedef {import("./types.js").LessonView} LessonView */

const beside = matchMedia("(min-width: 1000px)");
/** So far round a spot its ring lies, in pixels of the screen. */
const AROUND = 4;

export class Lesson {
  /** @param {SVGSVGElement} board @param {string} at the address of the table
   * @param {{wrong: (error: Error) => void, begin: (spot: string) => void}} on `begin`: keys go on at a spot */
  constructor(board, at, on) {
    this.board = board;
    this.at = at;
    this.on = on;
    this.card = byId("lesson");
    this.said = byId("lesson-said");
    this.rings = svg("g", { class: "rings", "aria-hidden": "true" });
    board.append(this.rings);
    this.shown = "";
    this.going = false;
    /** Whether the learner has come to this step by keys. */
    this.byKeys = false;
  }

  /** What is taught at the newest moment. @param {View} view */
  update(view) {
    const lesson = view.lesson;
    document.body.classList.toggle("teaching", Boolean(lesson));
    this.card.hidden = !lesson;
    if (!lesson) return;
    const key = JSON.stringify(lesson);
    if (key === this.shown) return;
    this.shown = key;
    this.#place(lesson);
    remember(view.game, lesson, view.url);
    byId("lesson-title").textContent = lesson.title;
    byId("lesson-place").textContent = say("n_of", { n: lesson.step, all: lesson.steps });
    const meter = byId("lesson-meter");
    meter.max = lesson.steps;
    meter.value = lesson.step - (lesson.done ? 0 : 1);
    const told = [lesson.said ? null : el("p", {}, lesson.text), lesson.said ? el("p", { class: "well" }, lesson.said) : null];
    this.said.replaceChildren(...told.filter(Boolean));
    this.#offer(view, lesson);
  }

  /** Beside the board there is room; on a phone the task stands above the board, and what is done below it.
   * @param {LessonView} lesson */
  #place({ done, said }) {
    const above = !beside.matches && !said && !done;
    const place = above ? document.querySelector(".play") : byId(beside.matches ? "side" : "controls");
    if (place && this.card.parentElement !== place) place.prepend(this.card);
    if (above) requestAnimationFrame(() => this.card.scrollIntoView({ block: "start" }));
  }

  /** @param {View} view @param {LessonView} lesson */
  #offer(view, lesson) {
    const doings = byId("lesson-doings");
    const focused = doings.contains(document.activeElement);
    /** @param {string} text @param {number} step */
    const button = (text, step, style = "") =>
      el("button", { type: "button", class: style, onclick: (/** @type {MouseEvent} */ event) => this.#go(view, step, !event.detail) }, text);
    const back = lesson.step > 1 ? button(say("lesson_back"), lesson.step - 1) : "";
    const again = lesson.said ? button(say("lesson_again"), lesson.step) : "";
    const last = lesson.step === lesson.steps;
    const next = lesson.done && !last ? button(say("lesson_next"), lesson.step + 1, "primary") : "";
    const play = last && lesson.done ? el("button", { type: "button", class: "primary", onclick: () => this.#open(practice(view)) }, say("lesson_play")) : "";
    const other = last && lesson.following
      ? el("button", { type: "button", onclick: () => this.#open({ game: view.game, lesson: lesson.following }) }, say("lesson_following"))
      : "";
    doings.replaceChildren(...[back, again, other, next, play].filter(Boolean));
    const forward = next || play;
    if (forward && (focused || lesson.said)) forward.focus({ preventScroll: true });
    else if (focused) this.board.focus({ preventScroll: true });
  }

  /** @param {View} view @param {number} step @param {boolean} byKeys */
  async #go(view, step, byKeys) {
    if (this.going) return;
    this.going = true;
    this.byKeys = byKeys;
    try {
      await postOnce(`${this.at}/lesson`, { seq: view.seq, step });
    } catch (error) {
      this.on.wrong(/** @type {Error} */ (error));
    }
    this.going = false;
  }

  /** @param {object} wish */
  async #open(wish) {
    try {
      location.href = (await opening(wish)).url;
    } catch (error) {
      this.on.wrong(/** @type {Error} */ (error));
    }
  }

  /** Rings round the spots that a step is about, when the board shows its moment. @param {View} view */
  point({ lesson, scene, now }) {
    const patterns = now && lesson ? lesson.points.map(pattern) : [];
    const spots = scene.spots.filter(({ name }) => patterns.some((each) => each.test(name)));
    if (this.byKeys && lesson && !lesson.done && spots.length) this.on.begin(spots[0].name);
    this.byKeys = false;
    const unit = scene.width / (this.board.clientWidth || scene.width);
    const [far, round] = [AROUND * unit, 10 * unit];
    this.rings.replaceChildren(
      ...spots.map(({ x, y, width, height }) =>
        svg("rect", { class: "ring", x: x - far, y: y - far, width: width + 2 * far, height: height + 2 * far, rx: round }),
      ),
    );
  }

  /** Nothing is pointed at while the board changes. */
  calm() {
    this.rings.replaceChildren();
  }
}

/** A game against the weakest bot, to go on with. @param {View} view */
function practice({ game }) {
  return { game, practice: true };
}
