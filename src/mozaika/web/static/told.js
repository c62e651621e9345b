/** What this browser was told of a game so far, in the order of the plies; without a page, so it can be tried alone. */

/** @typedef {import("./types.js").LogLine} LogLine @typedef {import("./types.js").View} View */

export class Told {
  constructor() {
    /** @type {LogLine[]} */
    this.lines = [];
    /** Up to which ply all lines are there. */
    this.known = 0;
    /** The plies between which lines are missing. @type {number[] | null} */
    this.gap = null;
  }

  /** Takes in what is new. @param {Pick<View, "log" | "log_from" | "log_stands" | "plies">} view
   * @returns {LogLine[]} the lines that were not there before */
  update({ log, log_from, log_stands, plies }) {
    const before = new Set(this.lines.map((line) => JSON.stringify(line)));
    this.lines = [...this.lines.filter(({ ply }) => ply < log_stands), ...log];
    this.known = Math.min(this.known, log_stands);
    this.gap = log_from > this.known ? [this.known, log_from] : null;
    if (!this.gap) this.known = plies;
    return log.filter((line) => !before.has(JSON.stringify(line)));
  }

  /** Puts lines between those that are there, which were too many for a view.
   * @param {number} plies how many there are @param {LogLine[]} lines */
  fill(plies, lines) {
    const [from, to] = this.gap ?? [0, 0];
    this.lines = [...this.lines.filter(({ ply }) => ply < from), ...lines, ...this.lines.filter(({ ply }) => ply >= to)];
    this.gap = null;
    this.known = plies;
  }

  /** What brought points in a round that has ended with some of the lines; else nothing.
   * @param {LogLine[]} news @returns {LogLine[]} */
  round(news) {
    const last = this.lines.findLastIndex((line) => line.closes && news.includes(line));
    const before = this.lines.findLastIndex((line, index) => line.closes && index < last);
    return this.lines.slice(before + 1, last + 1).filter(({ points }) => points);
  }

  /** The moments worth a halt: before and after everything that was told. @param {number} plies */
  steps(plies) {
    const moments = this.lines.flatMap(({ ply }) => [ply, ply + 1]);
    return [...new Set([...moments.filter((ply) => ply <= plies), plies])].sort((a, b) => a - b);
  }
}
