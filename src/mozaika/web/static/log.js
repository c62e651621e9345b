/** What happened, as sentences; each leads to its moment and to its rule. */

import { byId, el, say, signed } from "./dom.js";

/** @typedef {import("./types.js").LogLine} Line @typedef {import("./types.js").View} View */

export class Log {
  /** @param {(ply: number) => void} onMoment */
  constructor(onMoment) {
    this.list = byId("log");
    this.onMoment = onMoment;
    /** @type {Line[]} */
    this.lines = [];
    /** Up to which ply all lines are there. */
    this.known = 0;
    this.shown = "";
    /** The plies between which lines are missing. @type {number[] | null} */
    this.gap = null;
  }

  /** Takes in what is new. @param {View} view @returns {Line[]} the lines that were not there before */
  update(view) {
    const known = new Set(this.lines.map((line) => JSON.stringify(line)));
    this.lines = [...this.lines.filter(({ ply }) => ply < view.log_from), ...view.log].filter(({ ply }) => ply < view.plies);
    this.gap = view.log_from > this.known ? [this.known, view.log_from] : null;
    this.known = this.gap ? this.known : view.plies;
    this.#draw(view);
    return view.log.filter((line) => !known.has(JSON.stringify(line)));
  }

  /** Puts lines between those that are there, which were too many for a view.
   * @param {View} view the last one @param {Line[]} lines */
  fill(view, lines) {
    const [from, to] = this.gap ?? [0, 0];
    this.lines = [...this.lines.filter(({ ply }) => ply < from), ...lines, ...this.lines.filter(({ ply }) => ply >= to)];
    this.gap = null;
    this.known = view.plies;
    this.#draw(view);
  }

  /** The moments worth a halt: before and after everything that was told. @param {number} plies */
  steps(plies) {
    const moments = this.lines.flatMap(({ ply }) => [ply, ply + 1]);
    return [...new Set([...moments.filter((ply) => ply <= plies), plies])].sort((a, b) => a - b);
  }

  /** @param {number} ply which moment is on the stage */
  mark(ply) {
    for (const item of this.list.children) {
      item.toggleAttribute("data-shown", Number(item.dataset.ply) === ply);
    }
    this.list.querySelector("[data-shown]")?.scrollIntoView({ block: "nearest" });
  }

  /** @param {View} view */
  #draw(view) {
    const names = view.seats.map((seat) => seat.name);
    const key = JSON.stringify([this.lines, names]);
    if (key === this.shown) return;
    this.shown = key;
    const atEnd = this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < 60;
    const items = [];
    for (const ply of new Set(this.lines.map((line) => line.ply))) {
      const group = this.lines.filter((line) => line.ply === ply);
      items.push(el("li", { "data-ply": ply + 1 }, ...group.map((line) => this.#line(line, names, view.game))));
    }
    this.list.replaceChildren(...items);
    byId("log-empty").hidden = items.length > 0;
    if (atEnd) this.list.scrollTop = this.list.scrollHeight;
  }

  /** @param {Line} line @param {string[]} names @param {string} game */
  #line({ ply, seat, text, rule, points }, names, game) {
    const who = seat ? el("b", { class: `who who-${seat}` }, `${names[seat - 1]}:`) : null;
    const open = (event) => {
      event.preventDefault();
      this.onMoment(ply + 1);
    };
    const there = { class: "moment", href: `?ply=${ply + 1}`, title: say("show_moment"), onclick: open };
    const sentence = el("a", there, who, who ? " " : "", text);
    const earned = points ? el("span", { class: points > 0 ? "gain" : "loss" }, signed(points)) : null;
    return el("p", {}, sentence, " ", earned, earned ? " " : "", rule && ruleLink(game, rule));
  }
}

/** @param {string} game @param {string} rule */
export function ruleLink(game, rule) {
  const title = say("read_rule", { rule });
  return el("a", { class: "rule", href: `/rules/${game}#${rule}`, target: "_blank", title, "aria-label": title }, rule);
}

/** Lines as one text, for those who listen. @param {Line[]} lines @param {string[]} names */
export function aloud(lines, names) {
  return lines.map(({ seat, text }) => (seat ? `${names[seat - 1]}: ${text}` : text)).join(" ");
}
