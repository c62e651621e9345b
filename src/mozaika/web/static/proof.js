/** What a record proves of its draws, found out without any server. The formulas are those of docs/fair.md. */

import { bytes, hex, hmac, sha256 } from "./sha256.js";

/** @typedef {{label: string, pledge: string, contribution: string}} Party */
/** @typedef {{number: number, stage: string, ply: number, commitment: string, secret: string, parties: Party[]}} Epoch */
/** What a browser has kept of an epoch: what it saw first, the numbers it may have contributed, for which seats it was said
 * to be asked, all pledges when it showed its own number, and from which ply on it saw it settled.
 * @typedef {{commitment: string, numbers: string[], late?: boolean, mine?: string, pledges?: Record<string, string>, ply?: number}} Kept */
/** A sentence by its key, with its blanks. @typedef {[string, Record<string, string | number>]} Said */

const lines = (/** @type {(string | number)[]} */ ...parts) => bytes(parts.join("\n"));
const digest = (/** @type {(string | number)[]} */ ...parts) => hex(sha256(lines(...parts)));

/** @param {string} table @param {number} number @param {string} commitment @param {string} label @param {string} contribution */
export const pledgeOf = (table, number, commitment, label, contribution) =>
  digest("mozaika pledge", table, number, commitment, label, contribution);

/** @param {string} table @param {Epoch} epoch */
export function commitmentOf(table, { number, stage, secret }) {
  return stage === "alone" ? hex(sha256(bytes(`mozaika commitment ${secret}`))) : digest("mozaika epoch", table, number, secret);
}

/** @param {string} table @param {Epoch} epoch */
export function seedOf(table, { number, stage, secret, parties }) {
  if (stage === "alone") return secret;
  const first = (/** @type {Party} */ { label }) => parseInt(label, 10);
  const shown = parties.filter((party) => party.contribution).sort((one, other) => first(one) - first(other) || (one.label < other.label ? -1 : 1));
  const parts = shown.map((party) => `${party.label} ${party.contribution}`);
  return hex(hmac(bytes(secret), lines("mozaika seed", table, number, ...parts)));
}

/** The number from 0 to total - 1 that a seed gives at a ply. @param {string} seed @param {number} ply @param {number} total */
export function numberBelow(seed, ply, total) {
  const limit = ((1n << 64n) / BigInt(total)) * BigInt(total);
  for (let attempt = 0; ; attempt++) {
    const number = BigInt(`0x${hex(hmac(bytes(seed), bytes(`${ply}:${attempt}`)).slice(0, 8))}`);
    if (number < limit) return Number(number % BigInt(total));
  }
}

/** Just the lines that Mozaika reads everywhere else: one that only this browser sees, or does not see, could say anything.
 * @param {string} text */
const linesOf = (text) =>
  text
    .split(/\r\n|[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]/)
    .map((line) => line.replace(/(?:[^\S\ufeff]|\x1f)+/g, " ").replace(/^ | $/g, ""))
    .filter((line) => !line.startsWith("#"));

/** What ends the headers; of an epoch, or whoever moves. */
const ENTRY = /^(?:[0-9]{1,2}|[Cc]hance|[Ee]poch [0-9].*)$/;

/** @param {string} text a record */
export function parse(text) {
  /** @type {{table: string, epochs: Epoch[], draws: string, drawn: number[], plies: number}} */
  const record = { table: "", epochs: [], draws: "told", drawn: [], plies: 0 };
  const single = { commitment: "", secret: "" };
  const readHeader = (/** @type {string} */ key, /** @type {string} */ value) => {
    if (key === "draws") record.draws = value;
    else if (key === "table") record.table = value;
    else if (key === "commitment") single.commitment = value.toLowerCase();
    else if (key === "seed") single.secret = value;
  };
  let played = false;
  for (const line of linesOf(text)) {
    const told = line.split(" #")[0];
    const [, name, value] = /^([^:]+):(.*)$/.exec(told)?.map((part) => part.trim()) ?? [];
    if (!name) continue;
    played ||= ENTRY.test(name);
    const key = name.toLowerCase();
    const epoch = /^epoch (\d{1,4})(?: seat ([\d+]+))?(?: (\w+))?$/.exec(key);
    if (!played) readHeader(key, value);
    else if (epoch) readEpoch(record, Number(epoch[1]), epoch[2], epoch[3], value);
    else if (key === "chance") for (const _ of value.split(",")) record.drawn.push(record.plies++);
    else if (/^\d{1,2}$/.test(key)) record.plies++;
  }
  if (record.draws === "hmac-sha256/1") record.epochs = [{ number: 0, stage: "alone", ply: 0, ...single, parties: [] }];
  return record;
}

/** @param {ReturnType<typeof parse>} record @param {number} number @param {string | undefined} label
 * @param {string | undefined} what @param {string} value */
function readEpoch(record, number, label, what, value) {
  if (!label && !what) {
    record.epochs.push({ number, stage: value.toLowerCase(), ply: record.plies, commitment: "", secret: "", parties: [] });
    return;
  }
  const epoch = record.epochs.at(-1);
  if (!epoch || epoch.number !== number) return;
  if (!label) {
    if (what === "commitment") epoch.commitment = value.toLowerCase();
    else epoch.secret = value;
    return;
  }
  let party = epoch.parties.find((each) => each.label === label);
  if (!party) epoch.parties.push((party = { label, pledge: "", contribution: "" }));
  if (what === "pledge") party.pledge = value.toLowerCase();
  if (what === "contribution") party.contribution = value.toLowerCase();
}

const counts = (/** @type {Epoch} */ epoch) => epoch.stage === "alone" || epoch.stage === "settled";

/** The seed that a draw at a ply comes from. @param {ReturnType<typeof parse>} record @param {number} ply */
export function seedAt(record, ply) {
  const epoch = record.epochs.findLast((each) => counts(each) && each.ply <= ply);
  return epoch?.secret ? seedOf(record.table, epoch) : "";
}

/** Checks everything about a record that needs no rules, with what this browser has kept of its own game, and what somebody
 * was told. @param {ReturnType<typeof parse>} record @param {Record<string, Kept> | null} own @param {string} [published] */
export function check(record, own = null, published = "") {
  const kept = own ?? {};
  /** @type {{faults: Said[], proven: Said[], unproven: Said[]}} */
  const found = { faults: [], proven: [], unproven: [] };
  if (!record.epochs.length) found.faults.push(["proof_told", {}]);
  else if (record.epochs.some((epoch) => counts(epoch) && !epoch.secret)) found.faults.push(["proof_not_shown", {}]);
  if (found.faults.length) return found;
  const unseen = (/** @type {Epoch} */ epoch) => own && counts(epoch) && !kept[epoch.number];
  for (const epoch of record.epochs) {
    checkEpoch(record, epoch, kept[epoch.number], found);
    if (unseen(epoch)) found.unproven.push(["proof_unseen", { ply: epoch.ply }]);
  }
  if (record.epochs.some(({ number }, index) => index && number <= record.epochs[index - 1].number)) found.faults.push(["proof_disorder", {}]);
  const numbers = new Set(record.epochs.map((epoch) => String(epoch.number)));
  if (Object.keys(kept).some((number) => !numbers.has(number))) found.faults.push(["proof_missing", {}]);
  const known = record.epochs.filter((epoch) => counts(epoch) && kept[epoch.number]?.commitment === epoch.commitment && !kept[epoch.number].late);
  if (published && !record.epochs.some((epoch) => epoch.commitment === published)) found.faults.push(["proof_mismatch", {}]);
  else if (published && record.epochs.some((epoch) => counts(epoch) && epoch.commitment === published)) found.proven.push(["proof_given", {}]);
  else if (known.length === record.epochs.filter(counts).length) found.proven.push(["proof_kept", {}]);
  else found.unproven.push(["proof_unpublished", {}]);
  return found;
}

/** @param {ReturnType<typeof parse>} record @param {Epoch} epoch @param {Kept | undefined} kept
 * @param {{faults: Said[], proven: Said[], unproven: Said[]}} found */
function checkEpoch(record, epoch, kept, found) {
  const { ply, parties } = epoch;
  if (epoch.secret && commitmentOf(record.table, epoch) !== epoch.commitment) found.faults.push(["proof_mismatch", {}]);
  if (kept?.commitment && kept.commitment !== epoch.commitment) found.faults.push(["proof_changed", { ply }]);
  const seen = kept?.ply !== undefined && (!counts(epoch) || ply > kept.ply);
  if (seen) found.faults.push(["proof_disorder", {}]);
  for (const { label, pledge, contribution } of parties) {
    const right = pledgeOf(record.table, epoch.number, epoch.commitment, label, contribution) === pledge;
    const swapped = kept?.pledges && kept.pledges[label] !== pledge;
    if (contribution && (!right || swapped)) found.faults.push(["proof_not_pledged", { seats: label, ply }]);
  }
  const names = (/** @type {Party[]} */ some) => some.map((party) => party.label).join(", ");
  const shown = parties.filter((party) => party.contribution);
  const hiding = parties.filter((party) => party.pledge && !party.contribution);
  if (!counts(epoch)) {
    found.unproven.push([hiding.length ? "proof_dropped" : "proof_dropped_early", { ply, seats: names(hiding) }]);
    return;
  }
  const promised = Object.entries(kept?.pledges ?? {}).filter(([, pledge]) => pledge);
  const missing = new Set([...names(hiding).split(", "), ...promised.map(([label]) => label)].filter(Boolean));
  for (const { label } of shown) missing.delete(label);
  if (missing.size) found.faults.push(["proof_not_added", { ply, seats: [...missing].join(", ") }]);
  if (!shown.length) found.unproven.push(["proof_nobody", { ply }]);
  else found.proven.push(["proof_part", { ply, seats: names(shown) }]);
  const out = parties.filter((party) => !party.contribution);
  if (shown.length && out.length) found.unproven.push(["proof_left_out", { ply, seats: names(out) }]);
  if (kept?.numbers.some((number) => shown.some((party) => party.contribution === number))) found.proven.push(["proof_mine", { ply }]);
  else if (kept?.numbers.length) found.faults.push(["proof_not_mine", { ply }]);
  else if (shown.some((party) => party.label === kept?.mine)) found[kept?.late ? "unproven" : "faults"].push(["proof_not_own", { ply }]);
}

/** Which draws do not follow from the seeds, if the outcomes of each lie where the server says: `[ply, total, first, width]`.
 * @param {ReturnType<typeof parse>} record @param {number[][]} stretches */
export function wrongDraws(record, stretches) {
  return stretches.filter(([ply, total, first, width]) => {
    const seed = seedAt(record, ply);
    const number = seed ? numberBelow(seed, ply, total) : -1;
    return number < first || number >= first + width;
  });
}
