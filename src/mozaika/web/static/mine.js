/** The games of this browser: those that go on, those that have ended, and how one parts with them. */

import { get, postOnce } from "./api.js";
import { byId, el, minus, say } from "./dom.js";

/** @typedef {import("./types.js").MyGame} MyGame */

/** So many are shown before somebody asks for more. */
const FEW = { running: 6, ended: 12 };
/** So many come at a time. */
const PAGE = 30;

/** @type {MyGame[]} */
let mine = [];
/** How many of the newest have been fetched, and whether there may be more. */
let fetched = 0;
let more = true;
const shown = { ...FEW };

const cannotGoOn = (/** @type {MyGame} */ each) => each.over || each.outdated || each.closed || each.damaged || each.resigned;

export async function listGames() {
  await fetchMore();
  draw();
}

async function fetchMore() {
  /** @type {MyGame[]} */
  const found = await get(`/api/games/mine?skip=${fetched}`).catch(() => []);
  fetched += PAGE;
  more = found.length > 0 && found.length >= PAGE - 5; // one or the other may be gone
  const known = new Set(mine.map((each) => each.id));
  mine.push(...found.filter((each) => !known.has(each.id)));
}

function draw() {
  list("continue", mine.filter((each) => !cannotGoOn(each)), "running");
  list("ended", mine.filter(cannotGoOn), "ended");
}

/** @param {string} id @param {MyGame[]} games @param {"running" | "ended"} kind */
function list(id, games, kind) {
  const rest = games.length - shown[kind];
  byId(id).hidden = !games.length;
  byId(`${id}-list`).replaceChildren(...games.slice(0, shown[kind]).map(entry));
  const button = byId(`${id}-more`);
  button.hidden = rest <= 0 && !(more && kind === "ended");
  button.onclick = async () => {
    shown[kind] += PAGE;
    if (more && rest < PAGE) await fetchMore();
    draw();
  };
}

/** @param {MyGame} game */
function entry(game) {
  const over = cannotGoOn(game);
  const plays = game.mine.length > 0 && !over;
  /** @param {string} text @param {string} title @param {() => void} onclick */
  const act = (text, title, onclick) => el("button", { type: "button", class: "quiet-button", title, "aria-label": `${title}: ${game.name}`, onclick }, text);
  return el(
    "li",
    { "data-table": game.id },
    el(
      "a",
      { href: game.url },
      el("b", {}, game.name),
      el("span", { class: "players" }, ...players(game)),
      mark(game) ? el("em", {}, mark(game)) : "",
      when(game.at),
    ),
    el(
      "div",
      { class: "part" },
      plays ? act(say("resign"), say("resign"), () => resign(game)) : "",
      act("×", say("forget"), () => forget(game)),
    ),
  );
}

/** Who plays, with their points where some were made; who has won comes first to the eye. @param {MyGame} game */
function players({ seats, scores, ranks, over, mine: own }) {
  const started = scores.some((points) => points !== 0) || over;
  return seats.flatMap((name, seat) => {
    const won = over && ranks[seat] === 1;
    const called = own.length === 1 && own[0] === seat + 1 ? say("you_name") : name;
    const told = el("span", { class: won ? "winner" : null }, won ? el("span", { class: "hidden" }, `${say("winner")}: `) : "", called, started ? ` ${minus(scores[seat])}` : "");
    return seat ? [", ", told] : [told];
  });
}

/** @param {MyGame} game */
function mark(game) {
  if (game.outdated) return say("outdated");
  if (game.resigned) return say("given_up");
  if (game.closed) return say("closed");
  if (game.damaged) return say("damaged");
  return game.yours && !game.over ? say("your_turn") : "";
}

/** @param {number} at in seconds */
function when(at) {
  if (!at) return "";
  const date = new Date(at * 1000);
  const format = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  return el("time", { datetime: date.toISOString() }, format.format(date));
}

/** @param {MyGame} game */
async function resign(game) {
  if (!confirm(say(game.others ? "resign_sure_others" : "resign_sure"))) return;
  if (await change(game, "resign")) {
    if (game.others) drop(game);
    else Object.assign(game, { resigned: true, yours: false });
    draw();
  }
}

/** @param {MyGame} game */
async function forget(game) {
  if (!confirm(say("forget_sure"))) return;
  if (await change(game, "forget")) {
    drop(game);
    draw();
  }
}

/** @param {MyGame} game */
function drop(game) {
  mine = mine.filter((each) => each !== game);
}

/** @param {MyGame} game @param {string} how */
async function change(game, how) {
  try {
    await postOnce(`/api/games/${game.id}/${how}`);
    return true;
  } catch (error) {
    alert(/** @type {Error} */ (error).message);
    return false;
  }
}
