/** Plays moments one after the other; what comes meanwhile waits. */

/** @template T */
export class Queue {
  /** @param {(each: T, last: () => boolean) => Promise<void>} play `last`: whether nothing waits behind it
   * @param {number} most of more only the last two are played */
  constructor(play, most) {
    this.play = play;
    this.most = most;
    /** @type {T[]} */
    this.waiting = [];
    this.playing = false;
  }

  /** @param {T[]} moments @param {boolean} [only] whether nothing but the last of all matters */
  async add(moments, only = false) {
    this.waiting.push(...moments);
    if (only) this.waiting = this.waiting.slice(-1);
    if (this.waiting.length > this.most) this.waiting = this.waiting.slice(-2);
    if (this.playing) return;
    this.playing = true;
    for (let each = this.waiting.shift(); each; each = this.waiting.shift()) {
      await this.play(each, () => !this.waiting.length);
    }
    this.playing = false;
  }

  clear() {
    this.waiting = [];
  }
}
