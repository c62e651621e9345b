/** The table page: brings the stream, the stage and the player together. */

import { get, getAgain, post, postOnce, Refusal } from "./api.js";
import { Bar } from "./bar.js";
import { byId, copy, read, say, signed } from "./dom.js";
import { Evaluation } from "./evaluation.js";
import { Hint } from "./hint.js";
import { Layers } from "./layers.js";
import { Lesson } from "./lesson.js";
import { Letters } from "./letters.js";
import { Log, aloud } from "./log.js";
import { Moments } from "./moments.js";
import { Notice } from "./notice.js";
import { Part } from "./part.js";
import { Prompts } from "./prompts.js";
import { Queue } from "./queue.js";
import { Result } from "./result.js";
import { Rules } from "./rules.js";
import { unfoldScoring } from "./scoring.js";
import { Seats } from "./seats.js";
import { confirms, keep, pace, recall, settings } from "./settings.js";
import { hear } from "./sounds.js";
import { Stage } from "./stage.js";
import { Stream } from "./stream.js";
import { Tempo } from "./tempo.js";
import { Walker } from "./walker.js";
import { Why } from "./why.js";

/** @typedef {import("./types.js").View} View */

/** From so many pixels on a screen that lies has room for the wide board; one that stands is better filled by the tall one. */
const WIDE_FROM = 700;
/** Here a sentence more takes nothing from the board. */
const roomy = matchMedia("(min-width: 1000px) and (min-height: 800px)");
/** What has not moved takes no time. */
const STILL = { motion: 0, look: 0, rest: 0 };
/** So many moments are shown one after the other; of more, only the last. */
const MOST_REPLAYED = 12;

const { id, game } = read("table");
const at = `/api/games/${id}`;
const seenPlace = `mozaika.seen.${id}`;
const board = byId("board");
const frame = board.parentElement;

const stage = new Stage(board);
const tempo = new Tempo(pace);
const prompts = new Prompts(game.prompts);
const walker = new Walker(board, stage, { step, ask, play, more, foresee }, prompts);
const bar = new Bar(game.id, { play, cancel: () => walker.back(), shift: (way) => walker.shift(way) });
const layers = new Layers(stage, (text) => bar.note(text));
const letters = new Letters(at);
const why = new Why(board, at, { shape, tell: (text, rule) => bar.note(text, rule), at: () => shown?.ply ?? 0, show: (ply) => moments.show(ply) });
const log = new Log((ply) => moments.show(ply), (line, number, names) => why.button(line, number, names));
const seats = new Seats(id, game.bots, { link, wrong });
const result = new Result(wrong);
new Rules(wrong);
const hint = new Hint(game, at, {
  show: (walk) => walker.suggest(walk),
  remind: (walk) => walker.hand || walker.suggest(walk), // a piece in the hand stays where it has been shifted to
  shape,
  same: sameMoves,
  play,
  wrong,
});
const evaluation = new Evaluation(at);
const part = new Part(id);
const lesson = new Lesson(board, at, { wrong, begin, play });
const notice = new Notice(answerUndo, refresh);
const moments = new Moments(id, { show: (view) => enqueue([view]), now: refresh, wrong, shape });
/** @type {Queue<View>} */
const queue = new Queue(perform, MOST_REPLAYED + 2);
const stream = new Stream(id, { view: receive, presence: meet, state: showState, gone });

/** The newest View, whatever is on the stage; nothing before the first has come. @type {View} */
let live = /** @type {any} */ (null);
/** What is on the stage. @type {View | null} */
let shown = null;
/** The View whose moves the player may make. @type {View | null} */
let armed = null;
let sending = false;
/** The seq of the last move that was made here: what is older is past, also where its news comes later. */
let made = 0;

start();

async function start() {
  document.addEventListener("settings", () => {
    if (!shown) return;
    evaluation.update(shown);
    walker.confirms = confirmsAt(shown);
  });
  unfoldScoring(game.id);
  byId("undo").addEventListener("click", undo);
  byId("share").addEventListener("click", copyLink);
  byId("revoke").addEventListener("click", revoke);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.defaultPrevented && !document.querySelector("dialog[open]")) walker.back();
  });
  for (const dialog of document.querySelectorAll("dialog:not(#curtain, #settings)")) {
    dialog.addEventListener("click", (event) => event.target === dialog && /** @type {HTMLDialogElement} */ (dialog).close());
  }
  byId("curtain").addEventListener("cancel", (/** @type {Event} */ event) => event.preventDefault());
  // who acts has seen enough: nothing is in the way of a click or a key
  board.addEventListener("pointerdown", hurry, { capture: true });
  document.addEventListener("keydown", hurry, { capture: true });
  await enter();
  new ResizeObserver(reshape).observe(frame);
  addEventListener("resize", reshape);
  stream.follow(shape());
}

/** The token of a link is exchanged for the right to sit and leaves the address at once. */
async function enter() {
  const token = new URLSearchParams(location.hash.slice(1)).get("k");
  if (!token) return;
  history.replaceState(null, "", location.pathname + location.search);
  try {
    await postOnce(`${at}/enter`, { token });
  } catch (error) {
    wrong(/** @type {Error} */ (error));
  }
}

function shape() {
  return innerWidth > WIDE_FROM && innerWidth >= innerHeight ? "wide" : "tall";
}

function reshape() {
  if (shape() === stream.shape) return;
  stream.follow(shape());
  if (moments.at !== null) moments.show(moments.at);
}

/** @param {View} view */
async function receive(view) {
  const before = live;
  live = view;
  const lines = log.update(view);
  notice.update(view);
  result.update(view);
  part.update(view);
  lesson.update(view);
  byId("no-hints").hidden = view.hints;
  byId("revoke").hidden = !view.you.owner || Boolean(view.deal);
  byId("deal-note").hidden = !view.deal;
  byId("deal-note").querySelector("a").href = view.deal || "#";
  byId("commitment").textContent = view.commitment;
  if (shown) showTime(shown);
  await fillLog(view);
  if (live !== view) return;
  moments.update(log.told.steps(view.plies));
  if (before) announce(lines);
  if (before) why.sum(log.told, lines, view);
  if (before || !(await openMoment())) {
    if (moments.at === null) await follow(before, view);
  }
  if (view.now) keep(seenPlace, view.ply);
  if (moments.at !== null) notice.tellTurn(view);
}

/** Everything that belongs to time says what it was at the moment on the stage. @param {View} view */
function showTime(view) {
  const past = moments.at !== null;
  const then = live.seats.map((/** @type {import("./types.js").SeatView} */ seat, /** @type {number} */ index) => {
    const { score, rank, to_move } = view.seats[index];
    return { ...seat, score, rank, to_move };
  });
  seats.update({ ...live, seats: then }, past);
  notice.tellMoment(view.scene.notice);
  log.mark(past ? view.ply : null);
  showUndo(past);
}

/** Somebody has come or gone. @param {boolean[]} online for each seat, whether somebody is there */
function meet(online) {
  if (!live) return;
  for (const [index, seat] of live.seats.entries()) seat.online = online[index];
  if (shown) showTime(shown);
}

/** A view tells the last part of a long log; the rest is fetched. @param {View} view */
async function fillLog(view) {
  if (!log.told.gap) return;
  const [since, until] = log.told.gap;
  const lines = await get(`${at}/log?since=${since}&until=${until}`).catch(() => null);
  if (lines && live === view && log.told.gap) log.fill(view, lines);
}

/** An address with a ply opens that moment. */
async function openMoment() {
  const asked = new URLSearchParams(location.search).get("ply");
  if (asked === null || !/^\d+$/.test(asked) || Number(asked) >= live.plies) return false;
  await moments.show(Number(asked));
  return true;
}

/** Shows what is new, one moment after the other: also what happened since this browser last looked.
 * @param {View | null} before @param {View} view */
async function follow(before, view) {
  const from = before ? before.ply : Number(recall(seenPlace, view.ply));
  const between = log.told.steps(view.plies).filter((ply) => ply > from && ply < view.ply);
  const worth = pace() && between.length && (before || from < view.ply) ? between.slice(-MOST_REPLAYED) : [];
  if (!before && worth.length) worth.unshift(from);
  const missed = await Promise.all(worth.map((ply) => moments.fetch(ply).catch(() => null)));
  if (live === view && moments.at === null) enqueue([...missed.filter(Boolean), view]);
}

/** Back to now. */
function refresh() {
  queue.clear();
  if (live) enqueue([live]);
}

/** @param {View[]} views */
function enqueue(views) {
  queue.add(views, moments.at !== null);
}

/** @param {View} view @param {() => boolean} last whether nothing comes after it */
async function perform(view, last) {
  const moved = shown && shown.ply !== view.ply;
  lesson.calm();
  why.calm();
  if (!keepsMoves(view)) {
    armed = null;
    walker.set(view.scene, true, false);
    hint.update(view, false);
    step();
  }
  const news = !!shown && shown.ply < view.ply;
  const { motion, look, rest } = moved ? times(view, news) : STILL;
  try {
    await stage.show(view.scene, { last: view.last, glimpse: view.glimpse, news, time: motion, look });
  } catch {
    return bar.warn(say("no_connection"));
  }
  tempo.arrive();
  if (shown && moments.at === null) hear(shown, view);
  shown = view;
  showTime(view);
  layers.show(view.scene.layers, Boolean(view.practice));
  evaluation.update(view);
  letters.update(view);
  if (!last() && moved && pace() && !tempo.hurried) await breathe(rest);
  if (!last()) return;
  tempo.calm();
  arm(view);
}

/** How long what leads to a moment takes. Who has moved or looks back waits for nobody. @param {View} view @param {boolean} news */
function times(view, news) {
  const past = moments.at !== null;
  const own = past || live.you.seats.includes(view.mover);
  const bot = !past && live.seats[view.mover - 1]?.kind === "bot";
  const awaited = bot && !shown?.you.turn;
  const glimpse = news && Boolean(view.glimpse);
  return tempo.next(view.mover, { own, bot, awaited, waiting: queue.waiting.length, glimpse, pause: view.scene.pause });
}

/** In a first game what one may regret is said before it is done. @param {View} view */
const confirmsAt = (view) => Boolean(view.practice) || confirms(view.undo.alone);

function hurry() {
  if (!queue.playing) return;
  tempo.hurried = true;
  stage.finish();
}

/** A moment between two, unless the player has seen enough. @param {number} time */
function breathe(time) {
  return new Promise((go) => {
    const done = () => {
      removeEventListener("pointerdown", done);
      removeEventListener("keydown", done);
      go(null);
    };
    setTimeout(done, time);
    addEventListener("pointerdown", done);
    addEventListener("keydown", done);
  });
}

/** News that do not touch the player's moves, such as who is here or what others do at the same time, leave them and a
 * half-made choice alone. @param {View} view */
function keepsMoves(view) {
  const current = view.now ? view : live;
  return Boolean(armed && current && moments.at === null && sameMoves(current, armed));
}

/** @param {View} one @param {View} other */
function sameMoves(one, other) {
  const moves = (/** @type {View} */ { you, seats, scene: { walks, ghosts, spots, sprites } }) => {
    // how walks go on that are cut off shows on the table; only those who move at once leave each other's alone
    const alone = walks.some((walk) => walk.more) && seats.filter((seat) => seat.to_move).length === 1;
    return JSON.stringify([you.seat, walks, ghosts, spots, alone && sprites]);
  };
  return moves(one) === moves(other);
}

/** The last of what waited has been shown: the player may act. @param {View} view */
function arm(view) {
  const mine = view === live && moments.at === null && !notice.covered;
  frame.classList.toggle("covered", notice.covered);
  if (view === live && moments.at === null) notice.tellTurn(view);
  walker.confirms = confirmsAt(view);
  if (mine && !(walker.chosen.length && walker.walks.length)) {
    const idle = sending || view.seq < made;
    walker.set(view.scene, idle, view.you.seat > 0 && !view.over);
    armed = idle ? null : view;
    if (walker.hand) step();
    const onBoard = document.activeElement === board || walker.focused();
    const lost = onBoard && walker.byKeys && !walker.next.has(walker.focused());
    if (view.you.turn && lost && !walker.hand) walker.focus();
  }
  lesson.point(view);
  hint.update(view, mine && view.you.turn && walker.walks.length > 0);
  tellStatus();
  why.point(view.ply);
  if (mine) result.present(view);
}

function tellStatus() {
  if (!live) return;
  if (moments.at !== null) bar.tell(lookingBack());
  else if (live.lesson?.done) bar.tell(live.lesson.step < live.lesson.steps ? say("lesson_then") : "");
  else if (live.over && shown === live) bar.tell(say("game_over"));
  else if (live.closed) bar.tell(live.closed);
  else if (armed?.you.turn && live.you.turn && walker.walks.length) bar.tell(`${yourTurn()} ${walker.hint()}`.trim(), true);
  else bar.tell(waitingFor(shown ?? live));
}

function lookingBack() {
  if (live.over) return say("looking_back_over");
  return live.you.turn ? `${say("looking_back")} ${say("your_turn_waits")}` : say("looking_back");
}

/** In a first game also what is good about a place, and what one may regret. @param {import("./paths.js").Walk | null} walk */
function foresee(walk) {
  if (!live?.practice || !live.you.turn || bar.timer || !walker.walks.length) return;
  const points = walk?.points ?? 0;
  const good = points > 0 ? say("brings", { points: signed(points) }) : "";
  const warning = walk ? prompts.warn(walk.ghost, walker.spots.get(prompts.regret)) : "";
  bar.tell([good || warning ? "" : yourTurn(), walker.hint(), good, warning].filter(Boolean).join(" "), true);
}

function yourTurn() {
  const several = live.you.seats.length > 1;
  return several ? say("turn_of", { name: live.seats[live.you.seat - 1].name }) : say("your_turn_now");
}

/** @param {View} view what is on the stage: news that is still on its way there is none yet */
function waitingFor(view) {
  const movers = view.seats.filter((seat) => seat.to_move);
  if (movers.some((seat) => seat.kind === "open")) return say("waiting_for_guest");
  return movers.length ? say("turn_of", { name: movers.map((seat) => seat.name).join(", ") }) : live.fair.notice;
}

/** The player has taken a step of a walk, or back. */
function step() {
  const complete = walker.complete;
  if (walker.hand ? walker.pointed : walker.chosen.length) why.giveWay();
  if (walker.hand) {
    // a finger has seen no ghost before: it points twice, unless nothing is ever confirmed
    const seen = walker.pointer !== "touch" || settings.confirm === "never";
    if (walker.isThere && !walker.confirms && seen) return void play(walker.hand.move);
    tellStatus();
    return bar.hold(walker.hand, walker.knobs, Boolean(live?.practice) || roomy.matches);
  }
  bar.close();
  if (complete.length) {
    const single = complete.length === 1 && !walker.next.size;
    if (single && !walker.confirms) return void play(complete[0].move);
    const warning = live?.practice ? prompts.warn(complete[0].ghost, walker.spots.get(prompts.regret)) : "";
    return bar.offer(complete, [walker.describe(), warning].filter(Boolean).join(". "));
  }
  bar.calm();
  tellStatus();
}

/** @param {string} move */
async function play(move) {
  if (sending || !live) return;
  sending = true;
  hint.clear();
  why.close();
  bar.close();
  bar.tell(say("sending"));
  board.focus({ preventScroll: true });
  const retake = stage.release(walker.walks.find((walk) => walk.move === move)?.hold?.sprites ?? []);
  if (shown) walker.set(shown.scene, true, false);
  armed = null;
  const body = { seq: live.seq, move, seat: live.you.seat };
  try {
    ({ seq: made } = await postOnce(`${at}/moves`, body, () => bar.warn(say("trying_again"))));
    bar.calm();
  } catch (error) {
    retake();
    wrong(/** @type {Error} */ (error));
    lesson.tried(/** @type {Error} */ (error));
    if (error instanceof Refusal && error.status === 409) await reload();
  }
  sending = false;
  // the news came before the answer, or the move was refused: the player goes on; else the news is still to come
  if (!queue.playing && live && shown === live && live.seq >= made) arm(live);
}

/** How walks go on from some spots. @param {string[]} spots @param {boolean} quiet whether nobody waits for it
 * @returns {Promise<import("./types.js").Ways | null>} */
async function more(spots, quiet) {
  const { seq, you } = /** @type {View} */ (live);
  const query = new URLSearchParams({ seq: String(seq), seat: String(you.seat), shape: shape(), spots: String(spots) });
  try {
    const again = quiet ? null : () => bar.warn(say("trying_again"));
    const ways = await getAgain(`${at}/walks?${query}`, again);
    if (!quiet) bar.calm();
    return ways;
  } catch (error) {
    if (quiet) return null;
    if (error instanceof Refusal && error.status === 409) await reload();
    else wrong(/** @type {Error} */ (error));
    return null;
  }
}

/** Why a spot is not possible. @param {string[]} spots */
async function ask(spots) {
  if (spots.length === 1 && walker.paths.walked.has(spots[0])) {
    return bar.warn(say("begin_elsewhere"));
  }
  try {
    const { detail, rule } = await post(`${at}/why`, { spots, seat: live.you.seat });
    // nothing forbids it, but something else comes first
    bar.warn(detail || walker.hint(), rule);
  } catch (error) {
    wrong(/** @type {Error} */ (error));
  }
}

async function undo() {
  try {
    const { asked } = await postOnce(`${at}/undo`, { seq: live.seq });
    if (asked) bar.note(say("undo_waiting"));
  } catch (error) {
    wrong(/** @type {Error} */ (error));
  }
}

/** @param {boolean} agree */
async function answerUndo(agree) {
  try {
    await postOnce(`${at}/undo/answer`, { seq: live.seq, agree });
  } catch (error) {
    wrong(/** @type {Error} */ (error));
  }
}

async function reload() {
  const view = await get(`${at}/view?shape=${shape()}`).catch(() => null);
  if (view) receive(view);
}

/** @param {boolean} past whether something else than now is looked at */
function showUndo(past) {
  const { possible, free, asked_by } = live.undo;
  const button = byId("undo");
  button.disabled = past || !possible || asked_by > 0;
  button.querySelector("span").textContent = possible && !free ? say("ask_undo") : say("undo");
}

/** Moves of others, for those who listen. @param {import("./types.js").LogLine[]} lines */
function announce(lines) {
  const others = lines.filter(({ seat }) => !live.you.seats.includes(seat));
  const turn = live.you.turn ? say("your_turn_now") : "";
  if (others.length) byId("aloud").textContent = `${aloud(others, live.seats.map((seat) => seat.name))} ${turn}`;
}

/** Keys go on at a spot. @param {string} spot */
function begin(spot) {
  walker.pointWith("keys");
  walker.focus(spot);
}

/** @param {boolean} connected */
function showState(connected) {
  byId("connection").hidden = connected;
}

/** @param {Refusal} refusal */
function gone(refusal) {
  showState(true);
  bar.warn(refusal.message);
}

/** @param {Error} error */
function wrong(error) {
  bar.warn(error.message, error instanceof Refusal ? error.rule : "");
}

/** Who may sit gives away the link that lets others sit; everyone else the address. Others play a deal at tables of
 * their own. */
async function link() {
  if (live?.deal) return new URL(live.deal, location.href).href;
  const made = live?.you.admitted ? await postOnce(`${at}/link`).catch(() => null) : null;
  return new URL(made?.link ?? live?.url ?? location.pathname, location.href).href;
}

/** The owner lets no link of before open the table. */
async function revoke() {
  if (!confirm(say("revoke_sure"))) return;
  try {
    await postOnce(`${at}/revoke`);
    bar.note(say("revoked"));
  } catch (error) {
    wrong(/** @type {Error} */ (error));
  }
}

async function copyLink() {
  const address = await link();
  if (await copy(address)) bar.note(say("link_copied"));
}
