/** Boards of squares to paint, beside the text that is sent: whoever paints writes it, whoever writes it paints. */

import { el, say } from "./dom.js";
import { fold, unfold } from "./squares.js";

/** @typedef {import("./squares.js").Board} Board
 * @typedef {{text: string, name: string, shows: string, fill: string, ink: string}} Brush
 * @typedef {{rows: number, columns: number, brushes: Brush[], names: string, example: string, blank: string, flag: string,
 *   flag_label: string, joins: string, plays: [string, string][]}} Drawing */

let painters = 0;

export class Painter {
  /** @param {Drawing} drawing @param {HTMLTextAreaElement} area where the text stands
   * @param {{change: () => void, boards: (count: number) => void}} on */
  constructor(drawing, area, on) {
    this.drawing = drawing;
    this.area = area;
    this.on = on;
    this.brush = drawing.brushes[Math.min(1, drawing.brushes.length - 1)].text;
    this.texts = drawing.brushes.map((brush) => brush.text);
    /** @type {Board[]} */
    this.boards = [];
    this.id = ++painters;
    this.easel = el("div", { class: "easel" });
    this.tools = el("div", { class: "row small" });
    this.palette = this.#palette();
    this.node = el("div", { class: "painter" }, this.palette, this.easel, this.tools);
    area.addEventListener("input", () => {
      const before = this.boards.length;
      this.draw();
      if (this.boards.length !== before) this.on.boards(this.boards.length);
    });
    addEventListener("pointerup", () => (this.painting = false));
    this.painting = false;
    this.draw();
  }

  /** As the text says. */
  draw() {
    this.boards = unfold(this.area.value, this.texts, this.drawing.flag);
    this.palette.hidden = !this.boards.length;
    this.easel.replaceChildren(...this.boards.map((board, index) => this.#board(board, index)));
    const { names, example, blank } = this.drawing;
    const room = this.boards.length < names.length;
    /** @param {string} text @param {string} said */
    const add = (text, said) => el("button", { type: "button", class: "chip", onclick: () => this.#add(text) }, said);
    this.tools.replaceChildren(
      room && blank ? add(this.#blank(), say("paint_new")) : "",
      room ? add(example, say("paint_example")) : "",
    );
  }

  #blank() {
    const { rows, columns, blank } = this.drawing;
    return Array.from({ length: rows }, () => blank.repeat(columns)).join("/");
  }

  #palette() {
    const name = `brush-${this.id}`;
    const brush = (/** @type {Brush} */ { text, name: called, shows, fill, ink }) => {
      const face = el("span", { title: called }, shows);
      if (fill) Object.assign(face.style, { background: fill, color: ink });
      return el(
        "label",
        {},
        el("input", { type: "radio", name, value: text, "aria-label": called, checked: text === this.brush, onchange: () => (this.brush = text) }),
        face,
      );
    };
    return el("div", { class: "palette", role: "radiogroup", "aria-label": say("palette") }, ...this.drawing.brushes.map(brush));
  }

  /** @param {Board} board @param {number} index */
  #board(board, index) {
    const { columns, names, flag, flag_label } = this.drawing;
    const name = say("own_board", { name: names[index] ?? "?" });
    const flagged = el("input", { type: "checkbox", checked: board.flag, onchange: () => this.#change(index, { ...board, flag: flagged.checked }) });
    const squares = board.rows.flatMap((row, down) => row.map((text, across) => this.#square(text, index, down, across)));
    const grid = el("div", { class: "squares", role: "group", "aria-label": name, onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event, board) }, ...squares);
    grid.style.setProperty("--columns", String(Math.max(columns, ...board.rows.map((row) => row.length))));
    return el(
      "fieldset",
      { class: "board", "data-board": index },
      el("legend", {}, name),
      grid,
      flag ? el("label", { class: "check" }, flagged, el("span", {}, flag_label)) : "",
      el("button", { type: "button", class: "chip", onclick: () => this.#remove(index) }, say("paint_remove")),
    );
  }

  /** @param {string} text @param {number} index @param {number} down @param {number} across */
  #square(text, index, down, across) {
    const square = el("button", {
      type: "button",
      "data-at": `${down}-${across}`,
      tabindex: down || across ? -1 : 0,
      onclick: () => this.#paint(index, down, across, square),
      onpointerdown: (/** @type {PointerEvent} */ event) => {
        if (event.pointerType === "mouse") this.painting = true;
      },
      onpointerenter: () => this.painting && this.#paint(index, down, across, square),
    });
    this.#show(square, text, down, across);
    return square;
  }

  /** @param {HTMLElement} square @param {string} text @param {number} down @param {number} across */
  #show(square, text, down, across) {
    const brush = this.drawing.brushes.find((each) => each.text === text);
    const colours = { background: brush?.fill ?? "", color: brush?.ink ?? "" };
    square.textContent = brush?.shows ?? text;
    Object.assign(square.style, colours);
    square.setAttribute("aria-label", say("square_at", { row: down + 1, column: across + 1, what: brush?.name ?? text }));
  }

  /** One square is painted without drawing all anew, so that the focus and a stroke go on.
   * @param {number} index @param {number} down @param {number} across @param {HTMLElement} square */
  #paint(index, down, across, square) {
    const board = this.boards[index];
    if (board.rows[down][across] === this.brush) return;
    board.rows[down][across] = this.brush;
    this.#show(square, this.brush, down, across);
    this.#write();
  }

  /** Arrows walk over the squares. @param {KeyboardEvent} event @param {Board} board */
  #key(event, board) {
    /** @type {Record<string, [number, number]>} */
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const step = steps[event.key];
    const square = /** @type {HTMLElement} */ (event.target);
    if (!step || !square.dataset.at) return;
    event.preventDefault();
    const [down, across] = square.dataset.at.split("-").map(Number);
    /** @type {HTMLElement | null} */
    const to = /** @type {HTMLElement} */ (event.currentTarget).querySelector(`[data-at="${down + step[0]}-${across + step[1]}"]`);
    if (!to) return;
    square.tabIndex = -1;
    to.tabIndex = 0;
    to.focus();
  }

  /** @param {string} text */
  #add(text) {
    const [board] = unfold(text, this.texts, this.drawing.flag);
    this.boards.push(board);
    this.#write();
    this.draw();
    this.on.boards(this.boards.length);
    this.easel.lastElementChild?.scrollIntoView({ block: "nearest" });
  }

  /** @param {number} index */
  #remove(index) {
    this.boards.splice(index, 1);
    this.#write();
    this.draw();
    this.on.boards(this.boards.length);
  }

  /** @param {number} index @param {Board} board */
  #change(index, board) {
    this.boards[index] = board;
    this.#write();
  }

  #write() {
    this.area.value = fold(this.boards, this.drawing.flag);
    this.on.change();
  }
}
