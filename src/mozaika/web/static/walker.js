/** Follows a player along a walk over spots to a move. It knows no rules and no game. */

import { beside } from "./chip.js";
import { say } from "./dom.js";
import { drag } from "./drag.js";
import { around, covers } from "./geometry.js";
import { knobsOf, shifted, towards } from "./hand.js";
import { listen } from "./keys.js";
import { Paths, common, unfold } from "./paths.js";
import { Spots } from "./spots.js";
import { draw, scaled } from "./stage.js";

/** @typedef {import("./paths.js").Walk} Walk */

/** Who points with a finger has seen no ghost before. */
const coarse = matchMedia("(pointer: coarse)");

export class Walker {
  /**
   * @param {SVGSVGElement} root
   * @param {import("./stage.js").Stage} stage
   * @param {{step: (walker: Walker) => void, ask: (spots: string[]) => void, play: (move: string) => void,
   *   more: (spots: string[], quiet: boolean) => Promise<import("./types.js").Ways | null>,
   *   foresee: (walk: Walk | null) => void}} on `more`: how walks go on; `foresee`: the move whose ghost is shown
   * @param {import("./prompts.js").Prompts} prompts what the choices are about
   */
  constructor(root, stage, on, prompts) {
    this.root = root;
    this.stage = stage;
    this.on = on;
    this.prompts = prompts;
    this.paths = new Paths();
    this.spots = new Spots(root, stage, { choose: (name) => this.choose(name), preview: (name) => this.preview(name) });
    /** @type {string[]} */
    this.chosen = [];
    this.asks = false;
    /** The walk whose piece was in the hand last. @type {Walk | null} */
    this.inHand = null;
    /** The place that was pointed at for it: pointed at once more, the piece goes there. */
    this.pointed = "";
    /** The walk whose ghost is seen, also if its last spot is only pointed at. @type {Walk | null} */
    this.seen = null;
    /** What the ghost on the stage was made of. */
    this.shown = "";
    /** A move that is shown and not made. @type {Walk | null} */
    this.suggested = null;
    /** What is being asked for: how a path goes on. @type {Map<string, Promise<boolean>>} */
    this.asked = new Map();
    /** The path whose next spots are awaited, and what was pointed at meanwhile.
     * @type {{path: string, then: string[]}} */
    this.waiting = { path: "", then: [] };
    /** What the player points with: keys, mouse, pen or touch. */
    this.pointer = "mouse";
    /** Whether moves are confirmed before they are made. */
    this.confirms = true;
    listen(root, this);
    drag(root, this);
  }

  /** What can be pointed at, and the moves unless it is `idle`; `asks`: whether a spot that is not possible says why.
   * @param {import("./types.js").SceneView} scene @param {boolean} idle @param {boolean} asks */
  set(scene, idle, asks) {
    const before = this.chosen;
    const focused = this.focused();
    this.paths = idle ? new Paths() : new Paths(unfold(scene), scene.loose, scene.later);
    this.asks = asks;
    this.suggested = null;
    this.chosen = [];
    this.asked = new Map();
    this.#wait("");
    this.spots.set(scene.spots, this.paths.walked);
    const held = this.walks.find((walk) => walk.hold && String(walk.spots) === String(before));
    this.#take(held ?? this.walks.find((walk) => walk.move && walk.move === scene.held));
    this.#light();
    this.preview("");
    if (focused) this.focus(focused);
  }

  get walks() {
    return this.paths.walks;
  }

  /** Whether the player points with keys: then the focus leads along the walk. */
  get byKeys() {
    return this.pointer === "keys";
  }

  /** @param {string} pointer */
  pointWith(pointer) {
    this.pointer = pointer;
  }

  /** Takes a piece into the hand, as a walk says. @param {Walk} [walk] */
  #take(walk) {
    if (!walk?.hold) return;
    this.chosen = walk.spots;
    this.inHand = walk;
    this.pointed = "";
  }

  /** Shows a move without making it; a piece in the hand goes to where it would be placed. @param {Walk | null} walk */
  suggest(walk) {
    walk = this.walks.find((each) => each.move && each.move === walk?.move) ?? walk;
    this.suggested = walk?.hold ? null : walk;
    this.#take(walk ?? undefined);
    if (walk?.hold) this.#moved();
    else {
      this.#light();
      this.preview("");
    }
    // a column is longer than what lands in it
    const there = walk?.hold ? this.stage.layers.ghost.querySelector(".ghost") : this.spots.nodes.get(walk?.spots.at(-1) ?? "");
    there?.scrollIntoView({ block: "nearest" });
  }

  /** The walk whose piece is in the hand. */
  get hand() {
    return this.complete.find((walk) => walk.hold) ?? null;
  }

  /** Whether the piece in the hand is where somebody has pointed at, not only as near as it can be. */
  get isThere() {
    return this.pointed !== "" && this.chosen.at(-1) === this.pointed;
  }

  get knobs() {
    return knobsOf(this.walks);
  }

  /** Holds the piece otherwise, if it can be. @param {string} way left, right, turn or flip */
  shift(way) {
    const walk = shifted(this.walks, this.hand, way);
    if (!walk) return;
    this.#take(walk);
    this.#moved();
  }

  /** Where the piece in the hand goes by pointing at a spot. @param {string} name */
  #towards(name) {
    return this.hand && name ? towards(this.walks, this.hand, name, (each) => this.spots.get(each)) : null;
  }

  /** The sprites that one takes hold of at a spot. @param {string} name */
  held(name) {
    return this.spots.held(name);
  }

  /** The spot that is meant by pointing at one: another that it stands for or lies upon, if the walk can go on there.
   * @param {string} name */
  meant(name) {
    const spot = this.spots.get(name);
    const other = this.spots.standsFor(name);
    if (!spot || other) return other || name;
    const next = this.next;
    if (spot.means && next.has(spot.means)) return spot.means;
    if (next.has(name) || this.chosen.includes(name)) return name;
    return [...next].find((each) => covers(spot, /** @type {import("./types.js").Spot} */ (this.spots.get(each)))) ?? name;
  }

  /** The walks that what is chosen completes. */
  get complete() {
    return this.paths.complete(this.chosen);
  }

  get next() {
    if (this.hand) return new Set(this.walks.flatMap((walk) => walk.spots));
    return this.paths.onward(this.chosen);
  }

  /** What is chosen after pointing at a spot. @param {string} name */
  after(name) {
    return this.paths.after(this.chosen, name);
  }

  /** @param {string} pointed */
  choose(pointed) {
    const name = this.meant(pointed);
    if (this.waiting.path && !this.chosen.includes(name)) return void this.waiting.then.push(pointed);
    const walk = this.#towards(name);
    if (walk && this.pointed === name) return this.on.play(walk.move);
    const [only, ...others] = this.hand ? [] : this.complete;
    if (only && !others.length && this.chosen.at(-1) === name) return this.on.play(only.move);
    if (walk) {
      this.#take(walk);
      // a way to hold the piece is no place; a place may be one that it only comes near to
      this.pointed = walk.spots.slice(0, -1).includes(name) ? "" : name;
      return this.#moved();
    }
    const path = this.hand ? (this.paths.along([name]).length ? [name] : null) : this.after(name);
    if (!path) {
      if (this.asks) this.on.ask(this.hand ? [name] : [...this.chosen.slice(0, 1), name]);
      return;
    }
    this.chosen = path;
    this.#moved();
  }

  /** @returns {boolean} whether there was a step to take back */
  back() {
    if (!this.chosen.length || this.hand) return false;
    const left = this.chosen.at(-1) ?? "";
    this.chosen = this.chosen.slice(0, -1);
    if (!this.chosen.length && this.inHand && this.walks.includes(this.inHand)) this.#take(this.inHand);
    this.#moved();
    this.focus(left);
    return true;
  }

  #moved() {
    this.#light();
    this.preview("");
    this.#goOn();
    this.on.step(this);
    if (this.complete.length || this.waiting.path) return;
    if (this.byKeys && !this.next.has(this.focused())) this.focus();
    if (this.chosen.length && !this.byKeys) this.spots.reveal(this.next);
  }

  /** Where the walks were cut off, asks how they go on; the player waits for that, and what is pointed at waits too. */
  async #goOn() {
    const path = this.chosen;
    this.#wait(this.paths.isCut(path) ? String(path) : "");
    if (!this.waiting.path) return;
    const paths = this.paths;
    const known = await this.#fill(path, false);
    if (paths !== this.paths || this.waiting.path !== String(path)) return;
    const { then } = this.waiting;
    if (!known) this.chosen = path.slice(0, -1);
    else if (!paths.along(path).length) this.chosen = [];
    this.#moved();
    if (known) for (const each of then) this.choose(each);
  }

  /** @param {string} path */
  #wait(path) {
    this.waiting = { path, then: [] };
    this.root.toggleAttribute("aria-busy", Boolean(path));
    if (path) this.root.setAttribute("aria-busy", "true");
  }

  /** Learns how a path goes on; `quiet`: nobody waits for it yet. @param {string[]} path @param {boolean} quiet
   * @returns {Promise<boolean>} whether it is known now */
  async #fill(path, quiet) {
    const key = String(path);
    const paths = this.paths;
    const under = this.asked.get(key);
    if (under && (quiet || (await under))) return under;
    const asking = this.on.more(path, quiet).then((ways) => {
      if (ways) paths.extend(path, unfold(ways));
      if (!ways && this.paths === paths) this.asked.delete(key);
      return Boolean(ways);
    });
    this.asked.set(key, asking);
    return asking;
  }

  #light() {
    const holding = Boolean(this.hand);
    this.root.classList.toggle("holding", holding);
    this.root.classList.toggle("walking", this.chosen.length > 0 && !holding);
    // what could be chosen instead of a spot stays in sight
    const open = this.paths.instead(this.chosen);
    this.spots.light({ next: this.next, chosen: this.chosen, open, suggested: this.suggested?.spots ?? [], dims: this.chosen.length > 0 && !holding });
    const lifted = new Set(holding ? [] : this.chosen.flatMap((name) => this.held(name)));
    for (const { sprite, node } of this.stage.cast) {
      node.classList.toggle("lifted", lifted.has(sprite));
      node.style.transform = lifted.has(sprite) ? scaled(sprite, 1.08) : "";
    }
  }

  /** The ghost of the move that a spot would complete, or of what all moves over it have in common; while nothing is
   * pointed at, of the chosen ones or of the one suggested. @param {string} pointed */
  preview(pointed) {
    const name = this.meant(pointed);
    const walk = this.#towards(name);
    const pointing = this.next.has(name) && !this.hand;
    const path = walk?.spots ?? (pointing ? [...this.chosen, name] : this.chosen);
    if (pointing && this.paths.isCut(path)) this.#fill(path, true);
    this.#ghost(path, path.length ? this.paths.along(path) : this.suggested ? [this.suggested] : []);
  }

  /** @param {string[]} path @param {Walk[]} walks */
  #ghost(path, walks) {
    const length = path.length || this.suggested?.spots.length;
    const walk = walks.find((each) => !each.more && each.spots.length === length);
    this.seen = walk ?? null;
    const ghost = common(walk ? [walk] : walks);
    const { hold, points = 0 } = walk ?? {};
    const { complete } = this;
    const settled = Boolean(walk) && complete.length === 1 && complete[0] === walk && (!hold || this.confirms || coarse.matches);
    const spot = this.spots.get(path.at(-1) ?? walk?.spots.at(-1));
    const box = hold && walk ? around(walk.ghost, spot) : spot;
    // what stays the same stays: a click on a ✓ that has been replaced meanwhile is none
    const shown = JSON.stringify([ghost, hold?.sprites, settled && walk?.move, points, box, this.root.clientWidth]);
    if (shown !== this.shown) {
      this.shown = shown;
      const parts = [...ghost.map((sprite) => draw(sprite, "ghost")), ...(hold?.sprites ?? []).map((sprite) => draw(sprite, "hand"))];
      const play = settled && walk ? () => this.on.play(walk.move) : null;
      const told = points || play ? beside(this.root, box, points, play, hold ? this.#reach() : Infinity) : [];
      this.stage.layers.ghost.replaceChildren(...parts, ...told);
    }
    this.on.foresee(walk ?? null);
  }

  /** How far the places to the right go for a piece in the hand: what stands behind them are other ways to hold it. */
  #reach() {
    const ends = this.walks.filter((walk) => walk.hold).map((walk) => this.spots.get(walk.spots.at(-1)));
    return Math.max(...ends.map((spot) => (spot ? spot.x + spot.width : 0)));
  }

  /** What is chosen, in the words of the spots: what stands before a colon names them. */
  describe() {
    return this.chosen.map((name) => (this.spots.get(name)?.label ?? name).split(/[:;]/)[0]).join(" → ");
  }

  /** What to do next, in words. */
  hint() {
    if (this.waiting.path) return "";
    const labels = this.hand ? [] : this.chosen.map((name) => this.spots.get(name)?.label ?? "");
    return this.prompts.ask([...this.next], labels) || say(this.chosen.length ? "choose_next" : "choose_first");
  }

  focused() {
    return this.spots.focused();
  }

  /** To a spot, or to the next one. @param {string} [name] */
  focus(name) {
    const next = this.next;
    this.spots.focus(name ?? [...this.spots.nodes.keys()].find((each) => next.has(each)));
  }
}
