/** The home page: a game from the shelf, who plays it, and off. */

import { postOnce, root } from "./api.js";
import { entitle, fitting, rate } from "./bots.js";
import { byId, el, read, say } from "./dom.js";
import { reviewFile, takeRecords } from "./drop.js";
import { listGames } from "./mine.js";
import { chosenOptions, drawOptions, fitOptions, tellChosen } from "./options.js";
import { change, keep, recall, settings } from "./settings.js";

/**
 * @typedef {{id: string, name: string, seats: number[], bots: import("./bots.js").Bot[], usual_bot: string,
 *   options: import("./options.js").Option[]}} Game
 * @typedef {import("./types.js").MyGame} MyGame
 */

const PLACE = "mozaika.choices";
/** @type {Game[]} */
const games = read("games");
const form = byId("chooser");
/** What was chosen last, for each game. @type {Record<string, {seats: string[], options: Record<string, string>}>} */
const memory = recall(PLACE, {});
/** @type {Game} */
let game = games[0];
let count = 0;
/** Whether the player wants hints; null as long as the company decides. @type {boolean | null} */
let hints = null;
/** What was typed as the names of those at this screen, for each seat; me is remembered everywhere. @type {string[]} */
const names = [];
/** Who was chosen for each seat, also for those that are not there now. @type {string[]} */
let kinds = [];

if (game) {
  for (const card of document.querySelectorAll("[data-game]")) {
    card.addEventListener("click", () => open(/** @type {HTMLElement} */ (card).dataset.game ?? "", true));
  }
  form.addEventListener("submit", play);
  byId("hints").addEventListener("change", () => {
    hints = byId("hints").checked;
    tellChosen();
  });
  for (const kind of form.querySelectorAll("[name=kind]")) kind.addEventListener("change", () => showPractice(chosenSeats()));
  form.addEventListener("input", () => (byId("home-wrong").textContent = ""));
  open(recall("mozaika.game", game.id));
}
listGames();
const tellWrong = (/** @type {string} */ message) => (byId("bring-wrong").textContent = message);
takeRecords(tellWrong);
byId("bring-file").addEventListener("change", (/** @type {any} */ event) => reviewFile(event.target.files[0], tellWrong));

/** @param {string} id @param {boolean} [byHand] */
function open(id, byHand = false) {
  if (byHand) memory[game.id] = chosen(); // also that of a game that is only left for a look at another
  game = games.find((each) => each.id === id) ?? games[0];
  for (const card of document.querySelectorAll("[data-game]")) {
    card.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (card).dataset.game === game.id));
  }
  byId("chosen-name").textContent = byId("play-name").textContent = game.name;
  byId("chosen-rules").href = `${root}/rules/${game.id}`;
  count = memory[game.id]?.seats.length ?? game.seats[0];
  drawCounts();
  kinds = [...(memory[game.id]?.seats ?? [])];
  drawSeats(kinds);
  drawOptions(game, memory[game.id]?.options ?? {}, () => count);
  form.hidden = false;
  if (byHand) {
    form.scrollIntoView({ block: "nearest" });
    byId("play").focus({ preventScroll: true });
  }
}

function drawCounts() {
  byId("counts").replaceChildren(
    ...game.seats.map((n) =>
      el("label", {}, radio("count", n, n === count, () => resize(n)), el("span", {}, String(n))),
    ),
  );
}

/** @param {string} name @param {number} value @param {boolean} checked @param {() => void} onchange */
function radio(name, value, checked, onchange) {
  return el("input", { type: "radio", name, value, checked, onchange });
}

/** @param {number} n */
function resize(n) {
  count = n;
  kinds.splice(0, chosenSeats().length, ...chosenSeats());
  drawSeats(kinds);
  fitOptions();
}

/** Me against bots of the usual level, unless something else was chosen before. @param {string[]} chosen */
function drawSeats(chosen) {
  const usual = `bot:${game.usual_bot}`;
  const offered = new Set(["me", "screen", "open", ...fitting(game.bots, count).map((bot) => `bot:${bot.id}`)]);
  const rows = Array.from({ length: count }, (_, index) => {
    const kind = chosen[index] ?? (index ? usual : "me");
    return seatRow(index + 1, offered.has(kind) ? kind : usual);
  });
  byId("seat-rows").replaceChildren(...rows);
  showNames();
}

/** @param {number} number @param {string} kind */
function seatRow(number, kind) {
  /** @param {string} value @param {string} text @param {string | null} [title] */
  const option = (value, text, title) => el("option", { value, selected: value === kind, title }, text);
  const about = `about-${number}`;
  const select = el(
    "select",
    { "aria-label": say("seat_n", { n: number }), "aria-describedby": about, "data-seat": number, onchange: showNames },
    option("me", say("me")),
    el("optgroup", { label: say("bots") }, ...fitting(game.bots, count).map((bot) => option(`bot:${bot.id}`, entitle(bot), bot.about || null))),
    el("optgroup", { label: say("people") }, option("screen", say("on_this_screen")), option("open", say("by_link"))),
  );
  const name = el("input", {
    "data-name": number,
    maxlength: 40,
    autocomplete: "off",
    "aria-label": say("name_of", { n: number }),
    oninput: () => typeName(select, name),
  });
  const manner = el("p", { id: about, class: "quiet about" });
  return el("li", { class: `seat-row seat-${number}` }, el("span", { class: "number" }, String(number)), select, name, manner);
}

/** Names are asked only of people at this screen; there is one "me". @param {Event} [event] */
function showNames(event) {
  const selects = [...byId("seat-rows").querySelectorAll("select")];
  const changed = /** @type {HTMLSelectElement | null | undefined} */ (event?.target);
  if (changed?.value === "me") {
    for (const other of selects) if (other !== changed && other.value === "me") other.value = "screen";
  }
  for (const select of selects) {
    const name = select.nextElementSibling;
    const me = select.value === "me";
    name.hidden = !me && select.value !== "screen";
    name.placeholder = me ? say("your_name") : say("name_of", { n: select.dataset.seat });
    name.value = me ? settings.name : (names[Number(select.dataset.seat)] ?? "");
    const bot = game.bots.find(({ id }) => `bot:${id}` === select.value);
    const manner = name.nextElementSibling;
    manner.textContent = [bot?.about, rate(bot)].filter(Boolean).join(" ");
    // several of one kind are described once for the eye
    manner.classList.toggle("hidden", selects.find((other) => other.value === select.value) !== select);
  }
  showHints(selects.some((select) => select.value === "open"));
  showPractice(selects.map((select) => select.value));
}

/** Practice is for one person, against bots or alone. @param {string[]} chosen */
function showPractice(chosen) {
  const practice = byId("practice");
  practice.disabled = chosen.some((kind) => kind === "screen" || kind === "open") || !chosen.includes("me");
  if (practice.disabled && practice.checked) form.querySelector("[name=kind][value=game]").checked = true;
  byId("practice-note").hidden = !practice.checked;
}

/** A name is kept while it is typed: whatever is chosen next, nobody types it again.
 * @param {HTMLSelectElement} select @param {HTMLInputElement} name */
function typeName(select, name) {
  if (select.value === "me") change({ name: name.value.trim() });
  else names[Number(select.dataset.seat)] = name.value;
}

/** Hints are usual but with other people; a new company is asked anew. @param {boolean} shared */
function showHints(shared) {
  if (byId("link-note").hidden === shared) hints = null;
  byId("link-note").hidden = !shared;
  byId("hints").checked = hints ?? !shared;
  if (!form.hidden) tellChosen();
}

function chosenSeats() {
  return [...byId("seat-rows").querySelectorAll("select")].map((select) => select.value);
}

function chosen() {
  return { seats: chosenSeats(), options: chosenOptions() };
}

/** @param {SubmitEvent} event */
async function play(event) {
  event.preventDefault();
  const button = byId("play");
  button.disabled = true;
  byId("home-wrong").textContent = "";
  const { seats, options } = (memory[game.id] = chosen());
  keep("mozaika.game", game.id);
  keep(PLACE, { ...recall(PLACE, {}), [game.id]: memory[game.id] });
  try {
    const kind = byId("practice").checked ? { practice: true } : { hints };
    const made = await postOnce("/api/games", { game: game.id, options, seats: seats.map(describe), ...kind });
    location.href = made.url;
  } catch (error) {
    byId("home-wrong").textContent = /** @type {Error} */ (error).message;
    button.disabled = false;
  }
}

/** A seat as the server wants it. @param {string} chosen @param {number} index */
function describe(chosen, index) {
  const [kind, bot] = chosen.split(":");
  const name = kind === "me" || kind === "screen" ? typedName(index + 1) : "";
  return { kind, ...(name && { name }), ...(bot && { bot }) };
}

/** @param {number} seat */
function typedName(seat) {
  return form.querySelector(`[data-name="${seat}"]`).value.trim();
}
