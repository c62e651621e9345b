/** Which walks a path over spots can become. Nothing here knows the page, a rule or a game.
 *
 * A walk may be *cut off*: it has no move and stands for all that begin with its spots. What it stands for is put in its
 * place when somebody gets there.
 */

/** @typedef {import("./types.js").Sprite} Sprite @typedef {import("./types.js").Ways} Ways
 * @typedef {Omit<import("./types.js").Way, "ghost"> & {move: string, ghost: Sprite[]}} Walk */

/** Walks as they are sent, each with the sprites of its ghost. @param {Ways} ways @returns {Walk[]} */
export function unfold({ walks, ghosts }) {
  return walks.map((way) => ({ ...way, move: way.move ?? "", ghost: (way.ghost ?? []).map((number) => ghosts[number]) }));
}

export class Paths {
  /** @param {Walk[]} walks
   * @param {number[]} loose the places of a walk, from the first up to the second, that may be pointed at in any order
   * @param {string[]} later spots that are only on what was cut off */
  constructor(walks = [], loose = [0, 0], later = []) {
    this.walks = walks;
    this.loose = loose;
    /** Spots that a walk leads over. */
    this.walked = new Set([...walks.flatMap((walk) => walk.spots), ...later]);
  }

  /** The walks that begin with a path. @param {string[]} path */
  along(path) {
    const [from, to] = this.loose;
    return this.walks.filter(({ spots }) => {
      const anyOrder = spots.slice(from, to);
      return path.every((name, index) => (index >= from && index < to ? anyOrder.includes(name) : spots[index] === name));
    });
  }

  /** The spots to which a path can go on. @param {string[]} path @returns {Set<string>} */
  onward(path) {
    const [from, to] = this.loose;
    const made = path.length;
    const rest = made >= from && made < to ? [from, to] : [made, made + 1];
    const onward = new Set(this.along(path).flatMap(({ spots }) => spots.slice(...rest)));
    for (const name of path) onward.delete(name);
    return onward;
  }

  /** The walks that a path completes. @param {string[]} path */
  complete(path) {
    return path.length ? this.along(path).filter((walk) => !walk.more && walk.spots.length === path.length) : [];
  }

  /** Whether there is more than is known here about how a path goes on. @param {string[]} path */
  isCut(path) {
    return path.length > 0 && this.along(path).some((walk) => walk.more && walk.spots.length === path.length);
  }

  /** Puts what a path can become in the place of what was cut off there. @param {string[]} path @param {Walk[]} walks */
  extend(path, walks) {
    const stubs = new Set(this.along(path).filter((walk) => walk.more && walk.spots.length === path.length));
    const known = new Set(walks.map(key));
    this.walks = [...this.walks.filter((walk) => !stubs.has(walk) && !known.has(key(walk))), ...walks];
    for (const { spots } of walks) for (const name of spots) this.walked.add(name);
  }

  /** A path after pointing at a spot: it is taken back, added, or chosen instead of later ones; null if it cannot be.
   * @param {string[]} path @param {string} name @returns {string[] | null} */
  after(path, name) {
    const others = path.filter((each) => each !== name);
    if (others.length < path.length && (!others.length || this.along(others).length)) return others;
    for (let kept = path.length; kept >= 0; kept--) {
      const longer = [...path.slice(0, kept), name];
      if (this.along(longer).length) return longer;
    }
    return null;
  }

  /** What could have been chosen instead of the spots of a path but the first. @param {string[]} path */
  instead(path) {
    return new Set(path.flatMap((_, index) => (index ? [...this.onward(path.slice(0, index))] : [])));
  }
}

/** The sprites that all walks would bring. @param {Walk[]} walks @returns {Sprite[]} */
export function common([first, ...others]) {
  let shared = first?.ghost ?? [];
  for (const { ghost } of others) {
    if (!shared.length) break;
    const here = new Set(ghost.map(String));
    shared = shared.filter((sprite) => here.has(String(sprite)));
  }
  return shared;
}

/** @param {Walk} walk */
const key = ({ spots, more }) => `${spots}${more ? "…" : ""}`;
