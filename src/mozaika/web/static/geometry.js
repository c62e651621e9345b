/** Where spots and sprites lie to each other. */

/** @typedef {import("./types.js").Spot} Spot @typedef {import("./types.js").Sprite} Sprite
 * @typedef {number[]} Box left, top, width, height */

/** Sprites stand for a spot when they cover this much of it. */
const COVERED = 0.6;
/** They may reach out of it by this much of their size. */
const SLACK = 0.2;

/** @param {Spot} spot @returns {[number, number]} */
export const middle = ({ x, y, width, height }) => [x + width / 2, y + height / 2];

/** @param {Spot} spot @param {number} left @param {number} top */
export const within = ({ x, y, width, height }, left, top) => left >= x && left <= x + width && top >= y && top <= y + height;

/** Whether a sprite lies in a spot, but for a little. @param {Spot} spot @param {Sprite} sprite */
export function contains({ x: left, y: top, width, height }, [, x, y, size]) {
  const slack = SLACK * size;
  return x > left - slack && y > top - slack && x + size < left + width + slack && y + size < top + height + slack;
}

/** Whether two spots lie upon each other. @param {Spot} spot @param {Spot} other */
export const covers = (spot, other) =>
  spot.x === other.x && spot.y === other.y && spot.width === other.width && spot.height === other.height;

/** Whether two spots have more in common than an edge. @param {Spot} spot @param {Spot} other */
export const meet = (spot, other) =>
  Math.min(spot.x + spot.width, other.x + other.width) - Math.max(spot.x, other.x) > 1 &&
  Math.min(spot.y + spot.height, other.y + other.height) - Math.max(spot.y, other.y) > 1;

/** Spots of one size in one row are of a kind. @param {Spot} [one] @param {Spot} [other] */
export const alike = (one, other) => one?.y === other?.y && one?.width === other?.width && one?.height === other?.height;

/** How far it is from one spot to another. @param {Spot} one @param {Spot} other */
export function distance(one, other) {
  const [[x, y], [left, top]] = [middle(one), middle(other)];
  return Math.hypot(x - left, y - top);
}

/** The sprites that a spot stands for, as boxes; else the spot itself, also for sprites in a heap.
 * @param {Spot} spot @param {Sprite[]} sprites @returns {Box[]} */
export function hull({ x, y, width, height }, sprites) {
  const covered = sprites.reduce((sum, [, , , size]) => sum + size * size, 0);
  const heaped = sprites.some((sprite, index) => sprites.slice(index + 1).some((other) => overlap(sprite, other)));
  if (covered <= COVERED * width * height || heaped) return [[x, y, width, height]];
  return sprites.map(([, left, top, size]) => [left, top, size, size]);
}

/** The box around sprites; without any, the other one. @template {{x: number, y: number, width: number, height: number}} T
 * @param {Sprite[]} sprites @param {T | undefined} other */
export function around(sprites, other) {
  if (!sprites.length) return other;
  const [x, y] = [1, 2].map((at) => Math.min(...sprites.map((sprite) => Number(sprite[at]))));
  const [right, below] = [1, 2].map((at) => Math.max(...sprites.map((sprite) => Number(sprite[at]) + sprite[3])));
  return { x, y, width: right - x, height: below - y };
}

/** @param {Sprite} sprite @param {Sprite} other */
const overlap = ([, x, y, size], [, left, top]) => Math.abs(x - left) < size * 0.9 && Math.abs(y - top) < size * 0.9;

/** @template T @param {T[]} all @param {(each: T) => number} cost @returns {T | null} */
export function nearestOf(all, cost) {
  /** @type {T | null} */
  let best = null;
  for (const each of all) if (best === null || cost(each) < cost(best)) best = each;
  return best;
}

/** The spot one comes to in a direction: near, and rather straight ahead.
 * @param {Map<string, Spot>} spots @param {string} name @param {Set<string>} among @param {number[]} way */
export function ahead(spots, name, among, [right, down]) {
  const here = spots.get(name);
  if (!here) return [...among][0];
  const [x, y] = middle(here);
  const reached = [...among].flatMap((each) => {
    const spot = spots.get(each);
    if (!spot || each === name) return [];
    const [left, top] = middle(spot);
    const straight = (left - x) * right + (top - y) * down;
    const aside = Math.abs((left - x) * down) + Math.abs((top - y) * right);
    return straight > 1 ? [{ each, cost: straight + 2.2 * aside }] : [];
  });
  return reached.sort((a, b) => a.cost - b.cost)[0]?.each;
}
