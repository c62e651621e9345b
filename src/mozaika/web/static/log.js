/** What happened, as sentences; each leads to its moment and to its rule. */

import { root } from "./api.js";
import { byId, el, say } from "./dom.js";
import { Told } from "./told.js";

/** @typedef {import("./types.js").LogLine} LogLine @typedef {import("./types.js").View} View */

export class Log {
  /** @param {(ply: number) => void} onMoment
   * @param {(line: LogLine, number: number, names: string[]) => HTMLElement} points a button that explains those of a line */
  constructor(onMoment, points) {
    this.points = points;
    this.list = byId("log");
    this.onMoment = onMoment;
    this.told = new Told();
    /** What each item of the list was made of. @type {string[]} */
    this.shown = [];
    /** Whether a moment of the past is marked. */
    this.marked = false;
    /** Whether the newest line is in sight: then it stays so, whatever the size of the list becomes. */
    this.atEnd = true;
    /** The height of the list: where it has just changed, nobody has scrolled. */
    this.height = 0;
    this.list.addEventListener("scroll", () => {
      if (this.list.clientHeight === this.height) this.atEnd = isAtEnd(this.list);
    });
    new ResizeObserver(() => {
      this.height = this.list.clientHeight;
      if (this.atEnd && !this.marked) this.#end();
    }).observe(this.list);
  }

  /** To the newest line. */
  #end() {
    this.list.scrollTop = this.list.scrollHeight;
  }

  /** Takes in what is new. @param {View} view @returns {LogLine[]} the lines that were not there before */
  update(view) {
    const lines = this.told.update(view);
    this.#draw(view);
    return lines;
  }

  /** Puts in the lines that were too many for a view. @param {View} view the last one @param {LogLine[]} lines */
  fill(view, lines) {
    this.told.fill(view.plies, lines);
    this.#draw(view);
  }

  /** @param {number | null} ply which moment is on the stage; null is now */
  mark(ply) {
    const past = ply !== null;
    const reached = [...this.list.children].findLast((item) => past && Number(item.dataset.ply) <= ply);
    for (const item of this.list.children) {
      item.toggleAttribute("data-shown", item === reached);
      item.toggleAttribute("data-later", past && Number(item.dataset.ply) > ply);
    }
    if (reached) reveal(this.list, reached);
    else if (past) this.list.scrollTop = 0;
    else if (this.marked) this.#end();
    if (this.marked && !past) this.atEnd = true; // also where the list is hidden now
    this.marked = past;
  }

  /** What stands already stays, and with it what somebody has focused. @param {View} view */
  #draw(view) {
    const names = view.seats.map((seat) => seat.name);
    const plies = [...new Set(this.told.lines.map((line) => line.ply))];
    const { list, shown } = this;
    this.shown = plies.map((ply, place) => {
      const group = this.told.lines.filter((line) => line.ply === ply);
      const key = JSON.stringify([group, names]);
      if (key !== shown[place]) {
        const item = el("li", { "data-ply": ply + 1 }, ...group.map((line, number) => this.#line(line, number, names, view.game)));
        if (place < shown.length) list.children[place].replaceWith(item);
        else list.append(item);
      }
      return key;
    });
    while (list.children.length > plies.length) list.lastElementChild?.remove();
    byId("log-empty").hidden = plies.length > 0;
    if (this.atEnd && !this.marked) this.#end();
  }

  /** @param {LogLine} told @param {number} number its place at its ply @param {string[]} names @param {string} game */
  #line(told, number, names, game) {
    const { ply, seat, text, rule, points, to_you } = told;
    const who = seat && !to_you ? el("b", { class: `who who-${seat}` }, `${names[seat - 1]}:`) : null;
    const open = (/** @type {UIEvent} */ event) => {
      event.preventDefault();
      this.#point(line);
      if (event.detail) /** @type {HTMLElement} */ (event.currentTarget).blur(); // after a click keys belong to the table again
      this.onMoment(ply + 1);
    };
    const there = { class: "moment", href: `?ply=${ply + 1}`, title: say("show_moment"), onclick: open };
    const sentence = el("a", there, who, who ? " " : "", text);
    const earned = points ? this.points(told, number, names) : null;
    const link = rule ? ruleLink(game, rule) : null;
    if (link) {
      // a line is one stop for the keys, and its rule is read with ?
      link.tabIndex = -1;
      sentence.setAttribute("aria-keyshortcuts", "?");
      sentence.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => event.key === "?" && link.click());
    }
    if (earned) {
      // whoever comes to the line by keys is told how its points came about, as whoever points at them
      earned.tabIndex = -1;
      sentence.addEventListener("focus", () => sentence.matches(":focus-visible") && earned.dispatchEvent(new FocusEvent("focus")));
      sentence.addEventListener("blur", () => earned.dispatchEvent(new FocusEvent("blur")));
    }
    const line = el("p", { class: to_you ? "to-you" : null }, sentence, " ", earned, earned ? " " : "", link);
    return line;
  }

  /** The rule of a line that was tapped is seen. @param {HTMLElement} line */
  #point(line) {
    for (const other of this.list.querySelectorAll("[data-pointed]")) other.removeAttribute("data-pointed");
    line.setAttribute("data-pointed", "");
  }
}

/** @param {HTMLElement} list */
function isAtEnd(list) {
  return list.scrollHeight - list.scrollTop - list.clientHeight < 60;
}

/** Brings a line into sight and moves nothing but its list. @param {HTMLElement} list @param {HTMLElement} item */
function reveal(list, item) {
  const [box, line] = [list.getBoundingClientRect(), item.getBoundingClientRect()];
  if (line.top < box.top) list.scrollTop -= box.top - line.top;
  else if (line.bottom > box.bottom) list.scrollTop += line.bottom - box.bottom;
}

/** @param {string} game @param {string} rule */
export function ruleLink(game, rule) {
  const title = say("read_rule", { rule });
  return el("a", { class: "rule", href: `${root}/rules/${game}#${rule}`, title, "aria-label": title }, rule);
}

/** Lines as one text, for those who listen. @param {LogLine[]} lines @param {string[]} names */
export function aloud(lines, names) {
  return lines.map(({ seat, text, to_you }) => (seat && !to_you ? `${names[seat - 1]}: ${text}` : text)).join(" ");
}
