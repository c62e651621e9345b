/** What happened, as sentences; each leads to its moment and to its rule. */

import { root } from "./api.js";
import { byId, el, say, signed } from "./dom.js";
import { Told } from "./told.js";

/** @typedef {import("./types.js").LogLine} LogLine @typedef {import("./types.js").View} View */

export class Log {
  /** @param {(ply: number) => void} onMoment */
  constructor(onMoment) {
    this.list = byId("log");
    this.onMoment = onMoment;
    this.told = new Told();
    this.shown = "";
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
    const key = JSON.stringify([this.told.lines, names]);
    if (key === this.shown) return;
    this.shown = key;
    const atEnd = this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < 60;
    const items = [];
    for (const ply of new Set(this.told.lines.map((line) => line.ply))) {
      const group = this.told.lines.filter((line) => line.ply === ply);
      items.push(el("li", { "data-ply": ply + 1 }, ...group.map((line) => this.#line(line, names, view.game))));
    }
    this.list.replaceChildren(...items);
    byId("log-empty").hidden = items.length > 0;
    if (atEnd) this.list.scrollTop = this.list.scrollHeight;
  }

  /** @param {LogLine} line @param {string[]} names @param {string} game */
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
  return el("a", { class: "rule", href: `${root}/rules/${game}#${rule}`, target: "_blank", title, "aria-label": title }, rule);
}

/** Lines as one text, for those who listen. @param {LogLine[]} lines @param {string[]} names */
export function aloud(lines, names) {
  return lines.map(({ seat, text }) => (seat ? `${names[seat - 1]}: ${text}` : text)).join(" ");
}
