/** What can be chosen before a game: from a list, as a line of text, or drawn in letters, row by row.
 * Texts are checked by the server while they are written; it also shows how the game would begin.
 */

import { post, root } from "./api.js";
import { byId, el, say } from "./dom.js";

/**
 * @typedef {{name: string, label: string, kind: "choice" | "line" | "grid", value: string, hint: string,
 *   choices: {value: string, label: string}[]}} Option
 */

const PAUSE = 400;
let timer = 0;
/** The checks that were asked for; only the answer to the last one counts. */
let asked = 0;

/** @param {{id: string, options: Option[]}} game @param {Record<string, string>} chosen what was chosen last
 * @param {() => number} seats */
export function drawOptions(game, chosen, seats) {
  const check = () => {
    clearTimeout(timer);
    timer = setTimeout(() => look(game, seats()), PAUSE);
  };
  byId("options").replaceChildren(
    ...game.options.map((option) => draw(option, chosen[option.name] ?? option.value, check)),
  );
  show();
  if (differs(game)) check();
}

/** @returns {Record<string, string>} */
export function chosenOptions() {
  return Object.fromEntries(fields().map((field) => [field.dataset.option, field.value]));
}

const fields = () => [...byId("options").querySelectorAll("[data-option]")];

/** @param {Option} option @param {string} value @param {() => void} check */
function draw({ name, label, kind, hint, choices }, value, check) {
  const id = `option-${name}`;
  const facts = { id, "data-option": name, oninput: check, "aria-describedby": hint ? `${id}-hint` : null };
  const head = el("label", { for: id }, label);
  const how = hint ? el("p", { id: `${id}-hint`, class: "quiet" }, hint) : "";
  if (kind === "choice") {
    const option = (each) => el("option", { value: each.value, selected: String(each.value) === value }, each.label);
    return el("div", { class: "field" }, head, el("select", facts, ...choices.map(option)));
  }
  const plain = { spellcheck: "false", autocomplete: "off", autocapitalize: "off" };
  if (kind === "line") return el("div", { class: "field" }, head, el("input", { ...facts, ...plain, value }), how);
  const area = el("textarea", { ...facts, ...plain, rows: 13, wrap: "off" }, value.replaceAll("/", "\n"));
  const file = el("input", { type: "file", accept: ".txt,text/plain", onchange: () => load(file, area, check) });
  return el(
    "details",
    { class: "drawn", open: Boolean(value) },
    el("summary", {}, label),
    how,
    el("label", { for: id, class: "hidden" }, label),
    area,
    el("label", { class: "field" }, el("span", {}, say("from_file")), file),
  );
}

/** @param {HTMLInputElement} file @param {HTMLTextAreaElement} area @param {() => void} check */
async function load(file, area, check) {
  area.value = (await file.files?.[0]?.text()) ?? area.value;
  check();
}

/** @param {{options: Option[]}} game */
function differs(game) {
  const chosen = chosenOptions();
  return game.options.some(({ name, kind, value }) => kind !== "choice" && chosen[name] !== value);
}

/** @param {{id: string, options: Option[]}} game @param {number} seats */
async function look(game, seats) {
  const mine = ++asked;
  const found = differs(game)
    ? await post("/api/options", { game: game.id, seats, options: chosenOptions() }).catch(() => null)
    : null;
  if (mine === asked) show(found?.detail, found?.position);
}

/** @param {string | null} [wrong] @param {string} [position] */
function show(wrong, position) {
  byId("options-wrong").textContent = wrong ?? "";
  const picture = byId("options-picture");
  picture.hidden = !position;
  if (position) picture.querySelector("img").src = `${root}/api/position.svg?position=${encodeURIComponent(position)}`;
}
