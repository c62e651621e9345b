/** Requests to the server. A refusal is an Error whose message is a sentence for the player. */

import { say } from "./dom.js";

export class Refusal extends Error {
  /** @param {number} status @param {{detail?: string, title?: string, rule?: string, seq?: number}} problem */
  constructor(status, problem) {
    super(problem.detail || problem.title || say("went_wrong"));
    this.status = status;
    this.rule = problem.rule ?? "";
    /** Milliseconds after which it may be tried again. */
    this.after = 0;
  }
}

/** What stands before every address of this server: nothing, or the path below which it lives. */
export const root = new URL("..", import.meta.url).pathname.replace(/\/$/, "");

const WAITS = [500, 1000, 2000, 2500, 2500, 2500, 2500, 2500];
const wait = (/** @type {number} */ ms) => new Promise((go) => setTimeout(go, ms));

/** @param {string} url below the root @param {RequestInit} how */
async function ask(url, how) {
  const answer = await fetch(root + url, { credentials: "same-origin", ...how });
  const type = answer.headers.get("content-type") ?? "";
  const body = type.includes("json") ? await answer.json() : await answer.text();
  if (answer.ok) return body;
  const refusal = new Refusal(answer.status, typeof body === "string" ? {} : body);
  const after = Number(answer.headers.get("retry-after"));
  throw Object.assign(refusal, { after: Number.isFinite(after) ? after * 1000 : 0 });
}

/** @param {string} url */
export const get = (url) => ask(url, {});

/** What can be sent twice without harm: asked again until the server has answered.
 * @param {string} url @param {string} text */
export const postText = (url, text) =>
  persist(() => ask(url, { method: "POST", body: text, headers: { "Content-Type": "text/plain" } }), () => {});

/** @param {string} url @param {object} body @param {AbortSignal} [signal] */
export const post = (url, body = {}, signal) =>
  ask(url, { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" }, signal });

/** The same, asked again until the server has answered; without `onRetry` only once.
 * @param {string} url @param {(() => void) | null} onRetry */
export const getAgain = (url, onRetry) => persist(() => get(url), onRetry);

/** A change that must happen exactly once: sent again with the same key until the server has answered.
 * @param {string} url @param {object} [body] @param {() => void} [onRetry] */
export function postOnce(url, body = {}, onRetry = () => {}) {
  const headers = { "Content-Type": "application/json", "Idempotency-Key": newKey() };
  return persist(() => ask(url, { method: "POST", body: JSON.stringify(body), headers }), onRetry);
}

/** @param {() => Promise<any>} attempt @param {(() => void) | null} onRetry */
async function persist(attempt, onRetry) {
  for (const pause of [...(onRetry ? WAITS : []), null]) {
    try {
      return await attempt();
    } catch (error) {
      const refusal = error instanceof Refusal ? error : null;
      const again = !refusal || refusal.status >= 500 || refusal.status === 429;
      if (!again || pause === null) throw refusal ?? new Refusal(0, { detail: say("no_connection") });
      onRetry?.();
      await wait(Math.max(pause, refusal?.after ?? 0));
    }
  }
}

/** `randomUUID` is missing where the page came over plain http from another machine. */
function newKey() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 15) | 64;
  bytes[8] = (bytes[8] & 63) | 128;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5");
}
