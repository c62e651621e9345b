/** A piece in the hand: one of the walks that have a *hold* is chosen from the beginning, and one comes to others by
 * shifting, turning and flipping, or by pointing at another spot. Nothing here knows the page.
 */

import { alike, distance, nearestOf } from "./geometry.js";

/** @typedef {import("./paths.js").Walk} Walk @typedef {import("./types.js").Spot} Spot */

/** What can be done with a piece in the hand, by any walk. @param {Walk[]} walks */
export function knobsOf(walks) {
  return new Set(walks.flatMap((walk) => Object.keys(walk.hold?.near ?? {})));
}

/** The walk of a piece that is held otherwise, if it can be. @param {Walk[]} walks @param {Walk | null} held
 * @param {string} way left, right, turn or flip */
export function shifted(walks, held, way) {
  const to = held?.hold?.near[way];
  return to ? walks.find((walk) => walk.move === to) : undefined;
}

/** The walk that one comes to from the piece in the hand by pointing at a spot. At a place: the piece comes as near to it
 * as it can as it is held. At another way to hold it: it stays as near as it can to where it is.
 * @param {Walk[]} walks @param {Walk} held @param {string} name @param {(name: string | undefined) => Spot | undefined} find */
export function towards(walks, held, name, find) {
  const there = find(name);
  if (!there) return null;
  const holds = walks.filter((walk) => walk.hold);
  const far = (/** @type {Walk} */ walk, /** @type {Spot | undefined} */ spot) => {
    const end = find(walk.spots.at(-1));
    return end && spot ? distance(end, spot) : Infinity;
  };
  if (holds.some(({ spots }) => alike(find(spots.at(-1)), there))) {
    const way = String(held.spots.slice(0, -1));
    const same = holds.filter(({ spots }) => String(spots.slice(0, -1)) === way);
    return nearestOf(same, (walk) => far(walk, there));
  }
  const over = holds.filter(({ spots }) => spots.includes(name));
  return nearestOf(over, (walk) => far(walk, find(held.spots.at(-1))));
}
