/** Points explain themselves: what made them lights up on the board, and a sentence says how. After a round, a card. */

import { get } from "./api.js";
import { byId, el, say, signed, svg } from "./dom.js";

/** @typedef {import("./types.js").LogLine} LogLine @typedef {import("./types.js").View} View */

const beside = matchMedia("(min-width: 1000px)");
/** So many lines with points at once are worth a card. */
const MANY = 3;

export class Why {
  /** @param {SVGSVGElement} board @param {string} at the address of the table
   * @param {{shape: () => string, tell: (text: string, rule: string) => void}} on */
  constructor(board, at, on) {
    this.board = board;
    this.at = at;
    this.on = on;
    this.rings = svg("g", { class: "rings", "aria-hidden": "true" });
    board.append(this.rings);
    this.card = byId("round");
    this.asked = "";
  }

  /** A button with points that can be pointed at. @param {LogLine} line @param {number} number its place at its ply */
  button({ ply, points = 0, text }, number) {
    const style = points > 0 ? "why gain" : "why loss";
    const ask = () => this.#ask(ply, number, text);
    return el("button", { type: "button", class: style, title: say("why_points"), "aria-label": `${signed(points)}: ${text} ${say("why_points")}`,
      onclick: ask, onfocus: ask, onpointerenter: ask, onblur: () => this.calm(), onpointerleave: () => this.calm() }, signed(points));
  }

  /** @param {number} ply @param {number} number @param {string} text */
  async #ask(ply, number, text) {
    const key = `${ply} ${number}`;
    if (this.asked === key) return;
    this.asked = key;
    const query = new URLSearchParams({ ply: String(ply), line: String(number), shape: this.on.shape() });
    const found = await get(`${this.at}/points?${query}`).catch(() => null);
    if (!found || this.asked !== key) return;
    const boxes = found.boxes.map((/** @type {number[]} */ [x, y, width, height]) => svg("rect", { class: "ring still", x, y, width, height, rx: Math.min(width, height) / 6 }));
    this.rings.replaceChildren(...boxes);
    this.on.tell([text, found.how].filter(Boolean).join(" "), found.rule);
  }

  /** Nothing is explained any more. */
  calm() {
    this.asked = "";
    this.rings.replaceChildren();
  }

  /** After a round: what each player got for what. @param {LogLine[]} lines what is new @param {View} view */
  sum(lines, view) {
    const plies = [...new Set(lines.filter(({ points }) => points).map(({ ply }) => ply))];
    const scored = plies.map((ply) => lines.filter((line) => line.ply === ply)).filter((all) => all.filter(({ points }) => points).length >= MANY);
    if (!scored.length || view.lesson || view.result) return;
    const all = scored.flat();
    const place = byId(beside.matches ? "side" : "controls");
    if (this.card.parentElement !== place) place.prepend(this.card);
    const close = () => ((this.card.hidden = true), this.calm());
    this.card.replaceChildren(
      el("button", { type: "button", class: "close", "aria-label": say("close"), title: say("close"), onclick: close }, "×"),
      el("h2", {}, say("round_brought")),
      ...view.seats.map((seat, index) => this.#seat(seat.name, all.filter((line) => line.seat === index + 1 && line.points), all)),
    );
    this.card.hidden = false;
  }

  /** @param {string} name @param {LogLine[]} lines @param {LogLine[]} all those of the round */
  #seat(name, lines, all) {
    const total = lines.reduce((points, line) => points + (line.points ?? 0), 0);
    const numberOf = (/** @type {LogLine} */ line) => all.filter(({ ply }) => ply === line.ply).indexOf(line);
    return el("section", {}, el("h3", {}, name, " ", el("b", {}, signed(total))),
      el("ul", {}, ...lines.map((line) => el("li", {}, el("span", {}, line.text), " ", this.button(line, numberOf(line))))));
  }
}
