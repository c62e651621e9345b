/** The table page: brings the stream, the stage and the player together. */

import { get, getAgain, post, postOnce, Refusal } from "./api.js";
import { Bar } from "./bar.js";
import { byId, copy, read, say } from "./dom.js";
import { Evaluation } from "./evaluation.js";
import { Hint } from "./hint.js";
import { Layers } from "./layers.js";
import { Letters } from "./letters.js";
import { Log, aloud } from "./log.js";
import { Moments } from "./moments.js";
import { Notice, tone } from "./notice.js";
import { Part } from "./part.js";
import { Queue } from "./queue.js";
import { Result } from "./result.js";
import { Seats } from "./seats.js";
import { keep, openSettingsWith, pace, recall, settings } from "./settings.js";
import { Stage } from "./stage.js";
import { Stream } from "./stream.js";
import { Walker } from "./walker.js";

/** @typedef {import("./types.js").View} View */

const WIDE_FROM = 700;
/** From so many pixels on the board stands beside the players. */
const BESIDE_FROM = 1000;
/** So many moments are shown one after the other; of more, only the last. */
const MOST_REPLAYED = 12;
const BREATH = 260;

const { id, game } = read("table");
const at = `/api/games/${id}`;
const seenPlace = `mozaika.seen.${id}`;
const board = byId("board");
const frame = board.parentElement;

const stage = new Stage(board, pace);
const walker = new Walker(board, stage, { step, ask, play, more });
const bar = new Bar(game.id, { play, cancel: () => walker.back(), shift: (way) => walker.shift(way) });
const layers = new Layers(stage, (text) => bar.note(text));
const letters = new Letters(at);
const log = new Log((ply) => moments.show(ply));
const seats = new Seats(id, game.bots, { link, wrong });
const result = new Result(wrong);
const hint = new Hint(game, at, {
  show: (walk) => walker.suggest(walk),
  remind: (walk) => walker.hand || walker.suggest(walk), // a piece in the hand stays where it has been shifted to
  shape,
  same: sameMoves,
  wrong,
});
const evaluation = new Evaluation(at);
const part = new Part(id);
const notice = new Notice(answerUndo, refresh);
const moments = new Moments(id, { show: (view) => enqueue([view]), now: refresh, wrong, shape });
/** @type {Queue<View>} */
const queue = new Queue(perform, MOST_REPLAYED + 2);
const stream = new Stream(id, { view: receive, presence: meet, state: showState, gone });

/** The newest View, whatever is on the stage; nothing before the first has come. @type {any} */
let live = null;
/** What is on the stage. @type {View | null} */
let shown = null;
/** The View whose moves the player may make. @type {View | null} */
let armed = null;
let sending = false;

start();

async function start() {
  openSettingsWith(byId("open-settings"), tone, () => live && evaluation.update(live));
  byId("undo").addEventListener("click", undo);
  byId("share").addEventListener("click", copyLink);
  byId("revoke").addEventListener("click", revoke);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.defaultPrevented && !document.querySelector("dialog[open]")) walker.back();
  });
  for (const dialog of document.querySelectorAll("dialog:not(#curtain)")) {
    dialog.addEventListener("click", (event) => event.target === dialog && dialog["close"]());
  }
  byId("curtain").addEventListener("cancel", (event) => event.preventDefault());
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
  // beside the panel the frame is as wide as its picture lets it be, so the window decides there
  return innerWidth >= BESIDE_FROM || frame.parentElement.clientWidth > WIDE_FROM ? "wide" : "tall";
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
  seats.update(view);
  notice.update(view);
  result.update(view);
  part.update(view);
  evaluation.update(view);
  byId("no-hints").hidden = view.hints;
  byId("revoke").hidden = !view.you.owner;
  showUndo(view);
  byId("commitment").textContent = view.commitment;
  letters.update();
  await fillLog(view);
  if (live !== view) return;
  moments.over = view.over;
  moments.update(log.told.steps(view.plies));
  if (before) announce(lines);
  if (before || !(await openMoment())) {
    if (moments.at === null) await follow(before, view);
  }
  if (view.now) keep(seenPlace, view.ply);
}

/** Somebody has come or gone. @param {boolean[]} online for each seat, whether somebody is there */
function meet(online) {
  if (!live) return;
  for (const [index, seat] of live.seats.entries()) seat.online = online[index];
  seats.update(live);
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
  if (!keepsMoves(view)) {
    armed = null;
    walker.set(view.scene, true, false);
    step();
  }
  try {
    await stage.show(view.scene, view.last);
  } catch {
    return bar.warn(say("no_connection"));
  }
  shown = view;
  layers.show(view.scene.layers);
  log.mark(moments.at === null ? -1 : view.ply);
  if (!last() && moved && pace()) await breathe(view);
  if (last()) arm(view);
}

/** A moment between two; longer if it wants to be looked at, unless the player has seen enough. @param {View} view */
function breathe(view) {
  return new Promise((go) => {
    const done = () => {
      removeEventListener("pointerdown", done);
      removeEventListener("keydown", done);
      go(null);
    };
    setTimeout(done, Math.max(BREATH, view.scene.pause) * pace());
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
  if (mine && !(walker.chosen.length && walker.walks.length)) {
    walker.set(view.scene, sending, view.you.seat > 0 && !view.over);
    armed = sending ? null : view;
    if (walker.hand) step();
    const onBoard = document.activeElement === board || walker.focused();
    const lost = onBoard && walker.byKeys && !walker.next.has(walker.focused());
    if (view.you.turn && lost && !walker.hand) walker.focus();
  }
  hint.update(view, mine && view.you.turn && walker.walks.length > 0);
  tellStatus();
  if (mine) result.present(view);
}

function tellStatus() {
  if (!live) return;
  if (moments.at !== null) bar.tell(say(live.over ? "looking_back_over" : "looking_back"));
  else if (live.over) bar.tell(say("game_over"));
  else if (live.closed) bar.tell(live.closed);
  else if (live.you.turn && walker.walks.length) bar.tell(`${yourTurn()} ${walker.hint()}`, true);
  else if (live.you.turn) bar.tell(yourTurn(), true);
  else bar.tell(waitingFor());
}

function yourTurn() {
  const several = live.you.seats.length > 1;
  return several ? say("turn_of", { name: live.seats[live.you.seat - 1].name }) : say("your_turn_now");
}

function waitingFor() {
  const movers = live.seats.filter((seat) => seat.to_move);
  if (movers.some((seat) => seat.kind === "open")) return say("waiting_for_guest");
  return movers.length ? say("turn_of", { name: movers.map((seat) => seat.name).join(", ") }) : live.fair.notice;
}

/** The player has taken a step of a walk, or back. */
function step() {
  const complete = walker.complete;
  if (walker.hand) {
    if (walker.pointed && !settings.confirm) return void play(walker.hand.move);
    return bar.hold(walker.hand, walker.knobs);
  }
  bar.close();
  if (complete.length) {
    const single = complete.length === 1 && !walker.next.size;
    if (single && !settings.confirm) return void play(complete[0].move);
    return bar.offer(complete, walker.describe());
  }
  bar.calm();
  tellStatus();
}

/** @param {string} move */
async function play(move) {
  if (sending || !live) return;
  sending = true;
  hint.clear();
  bar.close();
  bar.tell(say("sending"));
  board.focus({ preventScroll: true });
  const retake = stage.release(walker.walks.find((walk) => walk.move === move)?.hold?.sprites ?? []);
  if (shown) walker.set(shown.scene, true, false);
  armed = null;
  const body = { seq: live.seq, move, seat: live.you.seat };
  let made = 0;
  try {
    ({ seq: made } = await postOnce(`${at}/moves`, body, () => bar.warn(say("trying_again"))));
    bar.calm();
  } catch (error) {
    retake();
    wrong(/** @type {Error} */ (error));
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
    if (detail) bar.warn(detail, rule);
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

/** @param {View} view */
function showUndo(view) {
  const button = byId("undo");
  button.disabled = !view.undo.possible || view.undo.asked_by > 0;
  button.querySelector("span").textContent = view.undo.possible && !view.undo.free ? say("ask_undo") : say("undo");
}

/** Moves of others, for those who listen. @param {import("./types.js").LogLine[]} lines */
function announce(lines) {
  const others = lines.filter(({ seat }) => !live.you.seats.includes(seat));
  const turn = live.you.turn ? say("your_turn_now") : "";
  if (others.length) byId("aloud").textContent = `${aloud(others, live.seats.map((seat) => seat.name))} ${turn}`;
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

/** Who may sit gives away the link that lets others sit; everyone else the address. */
async function link() {
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
