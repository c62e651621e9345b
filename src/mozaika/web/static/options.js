/** What can be chosen before a game: from a list, as a line of text or an order, or painted.
 * Texts are checked by the server while they are written; it also shows how the game would begin.
 */

import { post, root } from "./api.js";
import { byId, el, say } from "./dom.js";
import { Order } from "./order.js";
import { Painter } from "./painter.js";

/**
 * @typedef {{value: string, label: string, seats: number[]}} Choice
 * @typedef {{name: string, label: string, kind: "choice" | "line" | "grid", value: string, hint: string,
 *   choices: Choice[], items: Choice[], drawing: import("./painter.js").Drawing | null}} Option
 */

const PAUSE = 400;
let timer = 0;
/** The checks that were asked for; only the answer to the last one counts. */
let asked = 0;
/** What is shown now. @type {{game: {id: string, options: Option[]}, seats: () => number, orders: Record<string, Order>}} */
let shown = { game: { id: "", options: [] }, seats: () => 0, orders: {} };

/** @param {{id: string, options: Option[]}} game @param {Record<string, string>} chosen what was chosen last
 * @param {() => number} seats */
export function drawOptions(game, chosen, seats) {
  shown = { game, seats, orders: {} };
  byId("options").replaceChildren(...game.options.map((option) => draw(option, chosen[option.name] ?? option.value)));
  show();
  fitOptions();
  if (differs(game)) check();
}

/** Only what so many can play with is offered. */
export function fitOptions() {
  const seats = shown.seats();
  for (const { name, value, choices } of shown.game.options) {
    const field = byId(`option-${name}`);
    for (const choice of choices) {
      const entry = [...field.options].find((each) => each.value === choice.value);
      entry.hidden = entry.disabled = !choice.seats.includes(seats);
    }
    if (choices.length && field.selectedOptions[0]?.disabled) field.value = value;
  }
  if (differs(shown.game)) check();
  tellChosen();
}

/** @returns {Record<string, string>} */
export function chosenOptions() {
  return Object.fromEntries(fields().map((field) => [field.dataset.option, field.value]));
}

/** What is chosen, in one line. */
export function tellChosen() {
  const chosen = chosenOptions();
  /** @type {{label: string, stem: string, last: string, value: string}[]} */
  const told = [];
  for (const { name, label, kind, choices } of shown.game.options) {
    const value = kind === "grid" ? "" : choices.find((each) => each.value === chosen[name])?.label.split(":")[0] ?? chosen[name];
    if (kind === "grid" && !chosen[name].trim()) continue;
    const [, stem = "", number = ""] = label.match(/^(.*\D)(\d+)$/) ?? [];
    const before = told.at(-1);
    // what is numbered and chosen alike is told together
    if (stem && before?.stem === stem && before.value === value) before.last = `–${number}`;
    else told.push({ label, stem, last: "", value });
  }
  const hints = say(byId("hints").checked ? "with_hints" : "without_hints");
  const line = told.map(({ label, last, value }) => (value ? say("chosen_option", { label: label + last, value }) : label));
  byId("options-chosen").textContent = [...line, hints].join(" · ");
}

const fields = () => [...byId("options").querySelectorAll("[data-option]")];

function check() {
  clearTimeout(timer);
  const { game, seats } = shown;
  timer = setTimeout(() => look(game, seats()), PAUSE);
}

function changed() {
  tellChosen();
  check();
}

/** @param {Option} option @param {string} value */
function draw({ name, label, kind, hint, choices, items, drawing, value: usual }, value) {
  const id = `option-${name}`;
  const facts = { id, "data-option": name, oninput: changed, "aria-describedby": hint ? `${id}-hint` : null };
  const head = el("label", { for: id }, label);
  const how = hint ? el("p", { id: `${id}-hint`, class: "quiet" }, hint) : "";
  if (kind === "choice") {
    const option = (/** @type {import("./types.js").Choice} */ each) => el("option", { value: each.value, selected: String(each.value) === value }, each.label);
    return el("div", { class: "field" }, head, el("select", facts, ...choices.map(option)));
  }
  const plain = { spellcheck: "false", autocomplete: "off", autocapitalize: "off" };
  if (kind === "line") {
    const field = el("input", { ...facts, ...plain, value });
    if (!items.length) return el("div", { class: "field" }, head, field, how);
    shown.orders[name] = new Order(field, items, usual.length, changed);
    return el("div", { class: "field" }, head, shown.orders[name].node, how, field);
  }
  const area = el("textarea", { ...facts, ...plain, rows: 13, wrap: "off" }, value.replaceAll("/", "\n"));
  const file = el("input", { type: "file", accept: ".txt,text/plain", onchange: () => load(file, area) });
  const text = [how, el("label", { for: id, class: "hidden" }, label), area, el("label", { class: "button file" }, say("from_file"), file)];
  if (!drawing) return el("details", { class: "drawn", open: Boolean(value) }, el("summary", {}, label), ...text);
  const painter = new Painter(drawing, area, { change: changed, boards: (count) => join(drawing, count) });
  shown.orders[drawing.joins]?.follow([], [...drawing.names].slice(painter.boards.length));
  return el(
    "section",
    { class: "drawn", "aria-label": label },
    el("h3", {}, label),
    painter.node,
    el("details", {}, el("summary", {}, say("as_text")), ...text),
  );
}

/** Boards that were painted are played. @param {import("./painter.js").Drawing} drawing @param {number} count */
function join({ names, joins, plays }, count) {
  shown.orders[joins]?.follow([...names].slice(0, count), [...names].slice(count));
  const ways = plays.map(([name, value]) => ({ name, value, field: byId(`option-${name}`) }));
  const played = () => ways.filter(({ field, value }) => field.value === value);
  for (const { field, value } of ways) if (played().length < count) field.value = value;
  for (const { name, field } of played().slice(count)) {
    field.value = shown.game.options.find((each) => each.name === name)?.value;
  }
  changed();
}

/** @param {HTMLInputElement} file @param {HTMLTextAreaElement} area */
async function load(file, area) {
  area.value = (await file.files?.[0]?.text()) ?? area.value;
  area.dispatchEvent(new Event("input"));
}

/** @param {{options: Option[]}} game */
function differs(game) {
  const chosen = chosenOptions();
  return game.options.some(({ name, value }) => chosen[name] !== value);
}

/** @param {{id: string, options: Option[]}} game @param {number} seats */
async function look(game, seats) {
  const mine = ++asked;
  const found = differs(game)
    ? await post("/api/options", { game: game.id, seats, options: chosenOptions() }).catch(() => null)
    : null;
  if (mine === asked) show(found?.detail, wrote(game) ? found?.position : "");
}

/** Whether a text was written; how other games begin is known. @param {{options: Option[]}} game */
function wrote(game) {
  const chosen = chosenOptions();
  return game.options.some(({ name, kind, value }) => kind !== "choice" && chosen[name] !== value);
}

/** @param {string | null} [wrong] @param {string} [position] */
function show(wrong, position) {
  byId("options-wrong").textContent = wrong ?? "";
  byId("home-wrong").textContent = "";
  if (wrong) byId("options-fold").open = true;
  const picture = byId("options-picture");
  picture.hidden = !position;
  if (position) picture.querySelector("img").src = `${root}/api/position.svg?position=${encodeURIComponent(position)}`;
}
