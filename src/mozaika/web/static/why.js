/** Points explain themselves: what made them lights up on the board, and a sentence says how. After a round, a card. */

import { get } from "./api.js";
import { byId, el, say, signed, svg } from "./dom.js";
import { aloud } from "./log.js";

/** @typedef {import("./types.js").LogLine} LogLine @typedef {import("./types.js").View} View */

const beside = matchMedia("(min-width: 1000px)");

export class Why {
  /** @param {SVGSVGElement} board @param {string} at the address of the table
   * @param {{shape: () => string, tell: (text: string, rule: string) => void, at: () => number, show: (ply: number) => void}} on
   * `at`: the ply on the stage; `show`: bring another one there */
  constructor(board, at, on) {
    this.board = board;
    this.at = at;
    this.on = on;
    this.rings = svg("g", { class: "rings", "aria-hidden": "true" });
    board.append(this.rings);
    this.card = byId("round");
    this.asked = "";
    /** Rings for a moment that is on its way to the stage. @type {{ply: number, boxes: SVGElement[], tell: () => void} | null} */
    this.awaited = null;
    /** After which ply the round of the card has ended. */
    this.ply = 0;
  }

  /** A button with points that can be pointed at. @param {LogLine} line @param {number} number its place at its ply
   * @param {string[]} names */
  button(line, number, names) {
    const { ply, points = 0 } = line;
    const text = aloud([line], names);
    const style = points > 0 ? "why gain" : "why loss";
    const ask = () => this.#ask(ply, number, text);
    const press = () => this.#ask(ply, number, text, true);
    return el("button", { type: "button", class: style, title: say("why_points"), "aria-label": `${signed(points)}: ${text} ${say("why_points")}`,
      onclick: press, onfocus: ask, onpointerenter: ask, onblur: () => this.calm(), onpointerleave: () => this.calm() }, signed(points));
  }

  /** @param {number} ply @param {number} number @param {string} text @param {boolean} pressed whether to show the moment,
   * if by now something else lies there */
  async #ask(ply, number, text, pressed = false) {
    const key = `${ply} ${number}`;
    if (this.asked === key && !pressed) return;
    this.asked = key;
    const query = new URLSearchParams({ ply: String(ply), line: String(number), shape: this.on.shape() });
    const found = await get(`${this.at}/points?${query}`).catch(() => null);
    if (!found || this.asked !== key) return;
    const boxes = found.boxes.map((/** @type {number[]} */ [x, y, width, height]) => svg("rect", { class: "ring still", x, y, width, height, rx: Math.min(width, height) / 6 }));
    const past = found.moment !== null && found.moment !== this.on.at();
    this.rings.replaceChildren(...(past ? [] : boxes));
    const tell = (more = "") => this.on.tell([text, found.how, more].filter(Boolean).join(" "), found.rule);
    tell(past && !pressed ? say("why_then") : "");
    if (!past || !pressed) return;
    this.awaited = { ply: found.moment, boxes, tell };
    this.card.classList.add("leads"); // it stays beside the moment that it explains
    this.on.show(found.moment);
  }

  /** A moment is on the stage: perhaps the one that somebody wanted to see. @param {number} ply */
  point(ply) {
    this.card.classList.toggle("leads", this.awaited?.ply === ply);
    if (this.awaited?.ply === ply) {
      this.rings.replaceChildren(...this.awaited.boxes);
      this.awaited.tell();
    }
    this.awaited = null;
  }

  /** Nothing is explained any more. */
  calm() {
    this.asked = "";
    this.rings.replaceChildren();
  }

  /** After a round: what each player got for what; gone when it is taken back. After the last one it stands beside the
   * board behind the result, which sums up the whole game. @param {import("./told.js").Told} told
   * @param {LogLine[]} news @param {View} view */
  sum(told, news, view) {
    if (view.plies < this.ply) this.close();
    const lines = view.lesson ? [] : told.round(news);
    if (!lines.length) return;
    const place = byId(beside.matches ? "side" : "controls");
    if (this.card.parentElement !== place) place.prepend(this.card);
    const close = () => this.close();
    this.card.replaceChildren(
      el("button", { type: "button", class: "close", "aria-label": say("close"), title: say("close"), onclick: close }, "×"),
      el("h2", {}, say(view.over ? "last_round_brought" : "round_brought")),
      ...view.seats.map((_, index) => this.#seat(view.seats.map(({ name }) => name), index, lines.filter((line) => line.seat === index + 1), told.lines)),
    );
    this.ply = view.plies;
    this.card.hidden = false;
    this.card.scrollTop = 0;
  }

  /** Where it stands above the board it goes when a move is begun. */
  giveWay() {
    if (!beside.matches) this.close();
  }

  /** The card has been read. */
  close() {
    this.ply = 0;
    this.card.hidden = true;
    this.calm();
  }

  /** @param {string[]} names @param {number} index @param {LogLine[]} lines @param {LogLine[]} all those of the game */
  #seat(names, index, lines, all) {
    const total = lines.reduce((points, line) => points + (line.points ?? 0), 0);
    const numberOf = (/** @type {LogLine} */ line) => all.filter(({ ply }) => ply === line.ply).indexOf(line);
    return el("section", {}, el("h3", {}, names[index], " ", el("b", {}, signed(total))),
      el("ul", {}, ...lines.map((line) => el("li", {}, el("span", {}, line.text), " ", this.button(line, numberOf(line), names)))));
  }
}
