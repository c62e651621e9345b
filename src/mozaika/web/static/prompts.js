/** What a choice is about, in the game's words; without a page, so it can be tried alone. */

/** @typedef {import("./types.js").Prompts} Sentences */

/** A pattern of names with `*` for any letters. @param {string} text */
export function pattern(text) {
  const parts = text.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`);
}

/** What was chosen, without where: of “factory 1, 3 blue tiles: here” how many of what. @param {string} label */
function what(label) {
  const [named] = label.split(/[:;]/);
  return named.match(/\d+\D*$/)?.[0] ?? named.split(", ").at(-1) ?? "";
}

export class Prompts {
  /** @param {Sentences} sentences */
  constructor({ choices, several, regret, warning }) {
    this.choices = choices.map(({ spots, text, at }) => ({ patterns: spots.map(pattern), text, at }));
    this.several = several;
    this.regret = regret;
    this.warning = warning;
  }

  /** What is asked when a walk can go on to these spots. @param {string[]} next @param {string[]} chosen the labels of
   * what has been chosen @returns {string} nothing where the game says nothing */
  ask(next, chosen) {
    /** @param {Prompts["choices"][number]} choice @param {string} name */
    const fits = ({ patterns, at }, name) => (at === null || at === chosen.length) && patterns.some((each) => each.test(name));
    const asked = new Set(next.map((name) => this.choices.find((choice) => fits(choice, name))));
    if (asked.size > 1) return this.several;
    const [choice] = asked;
    const [last = ""] = chosen.slice(-1);
    return choice?.text.replace("{chosen}", what(last)) ?? "";
  }

  /** A warning of what would come where beginners do not want it. @param {import("./types.js").Sprite[]} ghost
   * @param {import("./types.js").Spot | undefined} place */
  warn(ghost, place) {
    if (!place) return "";
    const inside = (/** @type {import("./types.js").Sprite} */ [, x, y, size]) =>
      x + size / 2 > place.x && x + size / 2 < place.x + place.width && y + size / 2 > place.y && y + size / 2 < place.y + place.height;
    const n = ghost.filter(inside).length;
    return n ? this.warning.replace("{n}", String(n)) : "";
  }
}
