/** This browser's part in the draws among people: it contributes by itself, keeps what it was shown, and checks it. */

import { getAgain, postOnce, Refusal } from "./api.js";
import { byId, el, say, whenChanged } from "./dom.js";
import { check, parse, pledgeOf } from "./proof.js";
import { keep, recall } from "./settings.js";
import { bytes, hex, hmac } from "./sha256.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").EpochView} EpochView */
/** @typedef {import("./proof.js").Kept} Kept */

export const place = (/** @type {string} */ table) => `mozaika.draws.${table}`;

/** One number for an epoch, whatever is reloaded or open twice: of two, somebody else could choose. It follows from a
 * secret that never leaves this browser. @param {string} table @param {EpochView} epoch */
function ownNumber(table, { number, commitment }) {
  return hex(hmac(bytes(ownSecret()), bytes(["mozaika number", table, number, commitment].join("\n"))));
}

const OWN = "mozaika.own";

/** Made when a page is opened, long before it is needed, so that pages that are open at once find the same. */
function ownSecret() {
  if (!recall(OWN, "")) keep(OWN, (fallback ||= hex(crypto.getRandomValues(new Uint8Array(32)))));
  return recall(OWN, fallback);
}

/** For a browser that keeps nothing. */
let fallback = "";

/** Whether what was pledged for this browser is a number. @param {string} table @param {EpochView} epoch @param {string} number */
function isPledge(table, { number: n, commitment, parties }, number) {
  const mine = parties.find((party) => party.mine);
  return mine?.pledge === pledgeOf(table, n, commitment, mine?.seats.join("+") ?? "", number);
}

/** Whether everybody is being asked, or will be as soon as every seat is taken.
 * @param {EpochView | undefined} newest @param {View["seats"]} seats */
function isAsking(newest, seats) {
  if (newest?.stage === "settled") return false;
  return ["pledging", "showing"].includes(newest?.stage ?? "") || seats.some((seat) => seat.kind === "open");
}

export class Part {
  /** @param {string} id of the table */
  constructor(id) {
    this.id = id;
    ownSecret();
    /** What was sent already: `epoch stage`. @type {Set<string>} */
    this.sent = new Set();
    this.checked = false;
    /** How far the game was when this browser was first seen to have no part in its draws. */
    this.passedOver = Infinity;
    /** What the check at the end has found. @type {string[]} */
    this.faults = [];
    this.alarm = whenChanged((/** @type {string[]} */ told) => {
      byId("alarm").replaceChildren(...told.map((text) => el("p", {}, text)));
    });
  }

  /** @returns {Record<string, Kept>} */
  get kept() {
    return recall(place(this.id), {});
  }

  /** @param {View} view */
  update(view) {
    if (view.lesson) return; // its draws are told
    for (const epoch of view.fair.epochs) this.#notice(epoch);
    const last = view.fair.epochs.at(-1);
    if (last) this.#answer(last).catch(() => {}); // who was too late is told so by the next view
    this.alarm([...this.#warnings(view), ...this.faults]);
    // the seed of a day is shown when the day is over; among people there is no such deal
    const sealed = view.deal && view.seed === null && view.fair.epochs.every((epoch) => epoch.alone);
    if (view.over && view.you.seats.length && !this.checked && !sealed) this.#check(view);
  }

  /** The first commitment of an epoch is the one that counts, if it was seen before the draws.
   * @param {EpochView} epoch @param {Partial<Kept>} [more] */
  #notice(epoch, more) {
    const kept = this.kept;
    const before = kept[epoch.number];
    const settled = epoch.stage === "settled";
    const seen = settled && before?.ply === undefined ? { ply: epoch.ply } : {};
    const news = { ...seen, ...this.#askedOf(epoch, before), ...more };
    if (before && !Object.keys(news).length) return;
    const first = { commitment: epoch.commitment, numbers: [], late: settled && !epoch.alone };
    kept[epoch.number] = { ...(before ?? first), ...news };
    keep(place(this.id), kept);
  }

  /** For which seats this browser is said to be asked; and its number, if that is what was pledged there.
   * @param {EpochView} epoch @param {Kept | undefined} before @returns {Partial<Kept>} */
  #askedOf(epoch, before) {
    const party = epoch.parties.find((each) => each.mine);
    if (!party || before?.mine) return {};
    const mine = party.seats.join("+");
    const number = ownNumber(this.id, epoch);
    const isOwn = !before?.numbers.length && isPledge(this.id, epoch, number);
    return { mine, ...(isOwn ? { numbers: [number] } : {}) };
  }

  /** @param {EpochView} epoch */
  async #answer(epoch) {
    const mine = epoch.parties.find((party) => party.mine);
    const doing = `${epoch.number} ${epoch.stage}`;
    if (!mine || mine.silent || this.sent.has(doing)) return;
    const label = mine.seats.join("+");
    const { commitment, numbers, pledges: shown } = this.kept[epoch.number] ?? { commitment: epoch.commitment, numbers: [] };
    if (commitment !== epoch.commitment) return;
    const pledge = (/** @type {string} */ number) => pledgeOf(this.id, epoch.number, commitment, label, number);
    if (epoch.stage === "pledging" && !mine.pledge && !shown) {
      this.sent.add(doing);
      const number = ownNumber(this.id, epoch);
      this.#notice(epoch, { numbers: [number] });
      await this.#send("pledge", { epoch: epoch.number, pledge: pledge(number) });
    } else if (epoch.stage === "showing" && mine.pledge && !mine.shown) {
      const contribution = [...numbers, ownNumber(this.id, epoch)].find((number) => pledge(number) === mine.pledge);
      if (!contribution) return;
      this.sent.add(doing);
      const pledges = epoch.parties.map((party) => [party.seats.join("+"), party.pledge]);
      // whoever has seen the number could pledge others later, and show them to a page that was reloaded
      if (!shown) this.#notice(epoch, { pledges: Object.fromEntries(pledges) });
      await this.#send("contribution", { epoch: epoch.number, contribution });
    }
  }

  /** @param {string} what @param {object} wish */
  #send(what, wish) {
    return postOnce(`/api/games/${this.id}/draws/${what}`, wish);
  }

  /** What the player must know about the draws. @param {View} view @returns {string[]} */
  #warnings(view) {
    const { epochs } = view.fair;
    const kept = this.kept;
    const told = [];
    const changed = (/** @type {EpochView} */ { number, commitment }) => kept[number] && kept[number].commitment !== commitment;
    const again = (/** @type {EpochView} */ { number, stage }) => stage === "pledging" && kept[number]?.pledges;
    if (epochs.some((epoch) => changed(epoch) || again(epoch))) told.push(say("draws_changed"));
    const current = epochs.findLast((epoch) => epoch.stage === "settled");
    const mine = current?.parties.find((party) => party.mine);
    const isMadeUp = current && mine?.shown && kept[current.number] && !kept[current.number].numbers.some((number) => isPledge(this.id, current, number));
    if ((mine && !mine.shown) || isMadeUp || this.#isPassedOver(view)) told.push(say("draws_left_out"));
    if (mine && (view.fair.position || this.#cameLate()) && !view.you.owner) told.push(say("draws_before_you"));
    return told;
  }

  /** Whether draws were settled and made before this browser was asked for the first time. */
  #cameLate() {
    const settled = Object.values(this.kept).filter((epoch) => epoch.ply !== undefined);
    const first = settled.findIndex((epoch) => epoch.mine || epoch.numbers.length);
    return first > 0 && Number(settled[first].ply) > 0;
  }

  /** Whether the game goes on among people with draws that this browser was never asked about: whoever sits down is asked
   * before anything else happens. @param {View} view */
  #isPassedOver({ fair, you, seats, plies }) {
    const current = fair.epochs.findLast((epoch) => epoch.stage === "settled");
    const asked = isAsking(fair.epochs.at(-1), seats) || current?.parties.some((party) => party.mine);
    const among = you.seats.length > 0 && seats.some((seat) => seat.kind === "person" && !seat.mine);
    if (asked || !among) this.passedOver = Infinity;
    else this.passedOver = Math.min(this.passedOver, plies);
    return plies > this.passedOver;
  }

  /** At the end this browser checks everything by itself. @param {View} view */
  async #check(view) {
    this.checked = true;
    try {
      const found = check(parse(await getAgain(`/api/games/${this.id}/record`, () => {})), this.kept);
      const said = (/** @type {import("./proof.js").Said[]} */ some) => some.map(([key, blanks]) => say(key, blanks));
      this.faults = said(found.faults);
      this.alarm([...this.#warnings(view), ...this.faults]);
      const list = [...said(found.proven), ...said(found.unproven).map((text) => `${say("not_proven")} ${text}`), ...this.faults];
      byId("result-checked").replaceChildren(...list.map((text) => el("li", {}, text)));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.checked = false;
      byId("result-checked").replaceChildren(el("li", {}, `${say("not_proven")} ${say("proof_refused")}`));
    }
  }
}
