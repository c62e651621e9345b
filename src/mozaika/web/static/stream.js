/** News from the table, for as long as the page is open: every View is complete, so a lost one is no loss. Who comes and
 * goes is told between them. */

import { Refusal, get, root } from "./api.js";

const FIRST_WAIT = 500;
/** A server is back in a few seconds, and the screen is to be right within five. */
const LONGEST_WAIT = 2500;
const LONG_ASLEEP = 20000;
/** The server says something at least every 15 seconds; silence means that nobody is there. */
const LONGEST_SILENCE = 40000;
/** A ply that no game has. */
const NEVER = 100000;

export class Stream {
  /**
   * @param {string} id
   * @param {{view: (view: import("./types.js").View) => void, presence: (online: boolean[]) => void,
   *   state: (live: boolean) => void, gone: (refusal: Refusal) => void}} on
   */
  constructor(id, on) {
    this.id = id;
    this.on = on;
    this.shape = "";
    this.wait = FIRST_WAIT;
    this.asleep = 0;
    /** @type {EventSource | null} */
    this.source = null;
    this.timer = 0;
    this.silence = 0;
    addEventListener("online", () => this.connect());
    // a stream over a network that has gone may stay open for minutes and say nothing
    addEventListener("offline", () => this.source && this.#lost(this.source));
    document.addEventListener("visibilitychange", () => this.#wake());
    addEventListener("pagehide", () => this.source?.close());
    addEventListener("pageshow", (event) => event.persisted && this.connect());
  }

  /** @param {string} shape */
  follow(shape) {
    if (shape === this.shape) return;
    this.shape = shape;
    this.connect();
  }

  connect() {
    if (!this.shape) return;
    clearTimeout(this.timer);
    this.source?.close();
    const source = new EventSource(`${root}/api/games/${this.id}/events?shape=${this.shape}`);
    this.source = source;
    source.addEventListener("open", () => {
      this.wait = FIRST_WAIT;
      this.on.state(true);
      this.#heard(source);
    });
    source.addEventListener("view", (event) => {
      this.#heard(source);
      this.on.view(JSON.parse(event.data));
    });
    source.addEventListener("presence", (event) => {
      this.#heard(source);
      this.on.presence(JSON.parse(event.data).online);
    });
    source.addEventListener("beat", () => this.#heard(source));
    source.addEventListener("bye", () => this.#lost(source));
    source.addEventListener("error", () => this.#lost(source, source.readyState === EventSource.CLOSED));
  }

  /** @param {EventSource} source */
  #heard(source) {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.#lost(source), LONGEST_SILENCE);
  }

  /** @param {EventSource} source @param {boolean} [refused] whether something else was answered than a stream */
  #lost(source, refused = false) {
    if (source !== this.source) return;
    clearTimeout(this.silence);
    source.close();
    this.source = null;
    this.on.state(false);
    this.timer = setTimeout(() => (refused ? this.#ask() : this.connect()), this.wait * (0.8 + 0.4 * Math.random()));
    this.wait = Math.min(LONGEST_WAIT, this.wait * 2);
  }

  /** An EventSource does not say what it was answered; a table that is not there must not be asked for ever. The end of the
   * log is the shortest answer there is: many pages may come back at once. */
  async #ask() {
    try {
      await get(`/api/games/${this.id}/log?since=${NEVER}`);
    } catch (error) {
      if (error instanceof Refusal && [403, 404, 410].includes(error.status)) {
        this.on.gone(error);
        return;
      }
    }
    this.connect();
  }

  #wake() {
    if (document.hidden) {
      this.asleep = Date.now();
    } else if (!this.source || Date.now() - this.asleep > LONG_ASLEEP) {
      this.wait = FIRST_WAIT;
      this.connect();
    }
  }
}
