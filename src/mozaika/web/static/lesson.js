/** A lesson at the table: what it says, what it points at, and how it goes on. It knows no game. */

import { get, postOnce, Refusal, root } from "./api.js";
import { byId, copy, el, say, svg } from "./dom.js";
import { opening, remember } from "./lessons.js";
import { days, due, note, openMistake, openPuzzle, practised, squares } from "./practised.js";
import { pattern } from "./prompts.js";

/** @typedef {import("./types.js").View} View @typedef {import("./types.js").LessonView} LessonView */

const beside = matchMedia("(min-width: 1000px)");
/** So far round a spot its ring lies, in pixels of the screen. */
const AROUND = 4;

export class Lesson {
  /** @param {SVGSVGElement} board @param {string} at the address of the table
   * @param {{wrong: (error: Error) => void, begin: (spot: string) => void, play: (move: string) => void}} on `begin`: keys
   * go on at a spot; `play`: make a move */
  constructor(board, at, on) {
    this.board = board;
    this.at = at;
    this.on = on;
    this.card = byId("lesson");
    this.said = byId("lesson-said");
    this.rings = svg("g", { class: "rings", "aria-hidden": "true" });
    board.append(this.rings);
    /** To what is pointed at, where the screen ends above it. */
    this.look = el("button", { type: "button", hidden: true, onclick: () => this.rings.firstElementChild?.scrollIntoView({ block: "center" }) }, say("lesson_look"));
    this.shown = "";
    this.going = false;
    /** Whether the learner has come to this step by keys. */
    this.byKeys = false;
    /** The day whose puzzle this is, if somebody has come from there. */
    this.day = new URLSearchParams(location.search).get("day");
    /** Whether this page has seen the puzzle unsolved: who comes back later has not solved it once more. */
    this.open = false;
    /** Whether a puzzle was tried in vain, or shown. */
    this.missed = this.helped = false;
    /** @type {LessonView | null} */
    this.lesson = null;
  }

  /** What is taught at the newest moment. @param {View} view */
  update(view) {
    const lesson = view.lesson;
    document.body.classList.toggle("teaching", Boolean(lesson));
    document.body.classList.toggle("learnt", Boolean(lesson?.done));
    this.card.hidden = !lesson;
    this.lesson = lesson;
    if (!lesson) return;
    const key = JSON.stringify(lesson);
    if (key === this.shown) return;
    this.shown = key;
    this.#place(lesson);
    if (lesson.kind !== "lesson") return this.#exercise(view, lesson);
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

  /** A puzzle, or a mistake of one's own: one step, answered by the judge. @param {View} view @param {LessonView} lesson */
  #exercise(view, lesson) {
    byId("lesson-title").textContent = lesson.title;
    byId("lesson-place").textContent = lesson.difficulty ? say("difficulty", { n: lesson.difficulty, all: 5 }) : "";
    byId("lesson-meter").hidden = true;
    if (lesson.done && this.open && !this.helped) this.#remember(lesson, "solved");
    this.open = !lesson.done;
    const reasons = lesson.arguments.map(({ kind, text }) => el("li", { class: kind }, text));
    this.said.replaceChildren(
      el("p", { class: lesson.done ? "well" : "" }, lesson.done ? `${this.helped ? "" : `${say("puzzle_right")} `}${lesson.said}` : lesson.text),
      ...(reasons.length ? [el("ul", { class: "reasons" }, ...reasons)] : []),
    );
    this.#doNext(view, lesson);
  }

  /** @param {LessonView} lesson @param {"tried" | "solved" | "shown"} what */
  #remember(lesson, what) {
    if (lesson.kind === "puzzle") note(lesson.key, this.day, what);
    else if (what !== "solved" || !this.missed) practised(lesson.key, what === "solved");
  }

  /** A move was refused: was it a try? @param {Error} error */
  tried(error) {
    if (!this.lesson || this.lesson.kind === "lesson" || this.lesson.done) return;
    if (!(error instanceof Refusal) || error.status !== 422 || error.rule) return;
    this.#remember(this.lesson, "tried");
    this.missed = true;
  }

  /** @param {View} view @param {LessonView} lesson */
  #doNext(view, lesson) {
    const doings = byId("lesson-doings");
    /** @param {string} text @param {(event: any) => void} onclick */
    const button = (text, onclick, style = "") => el("button", { type: "button", class: style, onclick }, text);
    /** @param {string} href @param {string} text */
    const link = (href, text) => el("a", { class: "button", href: root + href }, text);
    if (!lesson.done) {
      doings.replaceChildren(button(say("puzzle_show"), () => this.#show(lesson)));
      return;
    }
    const [next, ...offered] = this.day
      ? [button(say("copy_text"), (event) => copy(this.#share(view, lesson), event.currentTarget)), link("/practice", say("puzzle_days"))]
      : lesson.kind === "puzzle"
        ? [button(say("puzzle_next"), () => this.#leave(() => openPuzzle(view.game, lesson.following)), "primary"), link(`/practice/${view.game}`, say("puzzle_all"))]
        : [this.#nextMistake(), link(`/t/${lesson.key.split("/")[0]}/review`, say("again_review"))];
    doings.replaceChildren(...offered, next);
    (next || offered[0]).focus({ preventScroll: true });
  }

  /** A button to the next mistake that is due, or where there is none, back to practice. */
  #nextMistake() {
    const [key] = due();
    if (!key) return el("a", { class: "button primary", href: `${root}/practice` }, say("puzzle_all"));
    return el("button", { type: "button", class: "primary", onclick: () => this.#leave(() => openMistake(key)) }, say("again_next"));
  }

  /** Without a word on what was to be found. @param {View} view @param {LessonView} lesson */
  #share(view, lesson) {
    const done = days()[this.day ?? ""];
    const first = `${say("daily_share", { day: this.day ?? "" })} · ${view.game_name} ${"★".repeat(lesson.difficulty)}`;
    return [first, done ? squares(done) : "", new URL(`${root}/practice`, location.href).href].join("\n");
  }

  /** What was to be found is played. @param {LessonView} lesson */
  async #show(lesson) {
    try {
      const { move } = await get(`${this.at}/solution`);
      this.helped = true;
      this.#remember(lesson, "shown");
      this.on.play(move);
    } catch (error) {
      this.on.wrong(/** @type {Error} */ (error));
    }
  }

  /** @param {() => Promise<string>} open */
  async #leave(open) {
    try {
      location.href = await open();
    } catch (error) {
      this.on.wrong(/** @type {Error} */ (error));
    }
  }

  /** Beside the board there is room; on a phone the task stands above the board, and what is done below it. What is said of
   * a puzzle would cover too much there.
   * @param {LessonView} lesson */
  #place({ kind, done, said }) {
    const above = !beside.matches && (kind !== "lesson" || (!said && !done));
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
    this.look.hidden = true;
    doings.replaceChildren(...[back, again, other, this.look, next, play].filter(Boolean));
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
    requestAnimationFrame(() => (this.look.hidden = !spots.length || this.#isInSight()));
  }

  /** Whether a ring is on the screen, and not behind the bar at its bottom. */
  #isInSight() {
    const bar = byId("controls").getBoundingClientRect();
    const end = getComputedStyle(byId("controls")).position === "sticky" ? Math.min(bar.top, innerHeight) : innerHeight;
    return [...this.rings.children].some((ring) => {
      const { top, bottom } = ring.getBoundingClientRect();
      return (top + bottom) / 2 > 0 && (top + bottom) / 2 < end;
    });
  }

  /** Nothing is pointed at while the board changes. */
  calm() {
    this.rings.replaceChildren();
  }
}

/** A game against the weakest bot, of the kind that was learnt. @param {View} view */
function practice({ game, lesson }) {
  return { game, options: lesson?.options ?? {} };
}
