/** Follows a player along a walk over spots to a move. It knows no rules and no game.
 *
 * Where walks have a *hold*, a piece is in the hand all the time: one of these walks is chosen from the beginning, and
 * one comes to others by shifting, turning and flipping, or by pointing at another spot.
 */

import { say, signed, svg } from "./dom.js";
import { drag } from "./drag.js";
import { draw, frame, scaled } from "./stage.js";

/** Sprites stand for a spot when they cover this much of it. */
const COVERED = 0.6;
/** They may reach out of it by this much of their size. */
const SLACK = 0.2;
/** What keys do with a piece in the hand. */
const HOLDS = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "turn", r: "turn", R: "turn", f: "flip", F: "flip" };
/** Where keys have another meaning than on the board. */
export const ELSEWHERE = "input, select, textarea, dialog, a, summary, [contenteditable], .log, pre";
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @typedef {import("./types.js").Spot} Spot @typedef {import("./types.js").Walk} Walk */

export class Walker {
  /**
   * @param {SVGSVGElement} root
   * @param {import("./stage.js").Stage} stage
   * @param {{step: (walker: Walker) => void, ask: (spots: string[]) => void, play: (move: string) => void}} on
   */
  constructor(root, stage, on) {
    this.root = root;
    this.stage = stage;
    this.on = on;
    /** @type {Walk[]} */
    this.walks = [];
    /** @type {Map<string, Spot>} */
    this.spots = new Map();
    /** @type {Map<string, SVGGElement>} */
    this.nodes = new Map();
    /** @type {string[]} */
    this.chosen = [];
    /** Spots that a walk leads over. */
    this.walked = new Set();
    this.asks = false;
    /** The places of a walk, from the first up to the second, that may be pointed at in any order. */
    this.loose = [0, 0];
    /** The walk whose piece was in the hand last. @type {any} */
    this.inHand = null;
    /** The place that was pointed at for it: pointed at once more, the piece goes there. */
    this.pointed = "";
    /** A move that is shown and not made. @type {Walk | null} */
    this.suggested = null;
    /** Whether the player points with keys: then the focus leads along the walk. */
    this.byKeys = false;
    root.addEventListener("pointerdown", () => (this.byKeys = false));
    root.addEventListener("keydown", (event) => this.#key(event));
    document.addEventListener("keydown", (event) => this.#keyBeside(event));
    drag(root, this);
  }

  /** What can be pointed at, and the moves; `asks`: whether a spot that is not possible says why.
   * @param {import("./types.js").Stage} scene @param {Walk[]} walks @param {boolean} asks */
  set(scene, walks, asks) {
    this.walks = walks;
    this.asks = asks;
    this.loose = scene.loose;
    this.suggested = null;
    const before = this.chosen;
    this.chosen = [];
    this.spots = new Map(scene.spots.map((spot) => [spot.name, spot]));
    this.walked = new Set(walks.flatMap((walk) => walk.spots));
    const focused = this.focused();
    const nodes = scene.spots.map((spot) => this.#place(spot));
    const layer = this.stage.layers.spots;
    if (nodes.some((node, index) => layer.children[index] !== node) || layer.children.length !== nodes.length) {
      layer.replaceChildren(...nodes);
    }
    this.nodes = new Map(nodes.map((node) => [node.dataset.spot, node]));
    const held = walks.find((walk) => walk.hold && String(walk.spots) === String(before));
    this.#take(held ?? walks.find((walk) => walk.move === scene.held));
    this.#light();
    this.preview("");
    if (focused) this.focus(focused);
  }

  /** Takes a piece into the hand, as a walk says. @param {Walk} [walk] */
  #take(walk) {
    if (!walk?.hold) return;
    this.chosen = walk.spots;
    this.inHand = walk;
    this.pointed = "";
  }

  /** Shows a move without making it; a piece in the hand goes to where it would be placed. @param {string} move */
  suggest(move) {
    const walk = this.walks.find((walk) => walk.move === move) ?? null;
    this.suggested = walk?.hold ? null : walk;
    this.#take(walk ?? undefined);
    if (walk?.hold) return this.#moved();
    this.#light();
    this.preview("");
    this.nodes.get(walk?.spots.at(-1) ?? "")?.scrollIntoView({ block: "nearest" });
  }

  /** The walk whose piece is in the hand. */
  get hand() {
    return this.complete.find((walk) => walk.hold) ?? null;
  }

  /** What can be done with a piece in the hand, by any walk. */
  get knobs() {
    return new Set(this.walks.flatMap((walk) => Object.keys(walk.hold?.near ?? {})));
  }

  /** Holds the piece otherwise, if it can be. @param {string} way left, right, turn or flip */
  shift(way) {
    const to = this.hand?.hold?.near[way];
    if (!to) return;
    this.#take(this.walks.find((walk) => walk.move === to));
    this.#moved();
  }

  /** The walk that one comes to from the piece in the hand by pointing at a spot. At a place: the piece comes as near
   * to it as it can as it is held. At another way to hold it: it stays as near as it can to where it is.
   * @param {string} name */
  #towards(name) {
    if (!this.hand || !this.spots.has(name)) return null;
    const walks = this.walks.filter((walk) => walk.hold);
    if (walks.some(({ spots }) => this.#alike(spots.at(-1), name))) {
      const way = String(this.chosen.slice(0, -1));
      const same = walks.filter(({ spots }) => String(spots.slice(0, -1)) === way);
      return nearestOf(same, ({ spots }) => this.#way(spots.at(-1), name));
    }
    const over = walks.filter(({ spots }) => spots.includes(name));
    return nearestOf(over, ({ spots }) => this.#way(spots.at(-1), this.chosen.at(-1)));
  }

  /** How far it is from one spot to another. */
  #way(one, other) {
    const [a, b] = [one, other].map((name) => middle(/** @type {Spot} */ (this.spots.get(name))));
    return Math.hypot(a[0] - b[0], a[1] - b[1]);
  }

  /** Spots of one size in one row are of a kind. */
  #alike(one, other) {
    const [a, b] = [one, other].map((name) => this.spots.get(name));
    return a?.y === b?.y && a?.width === b?.width && a?.height === b?.height;
  }

  /** The element of a spot, kept from scene to scene. @param {Spot} spot */
  #place(spot) {
    const { name, x, y, width, height, label, shows = [] } = spot;
    const node =
      this.nodes.get(name) ??
      svg("g", {
        class: "spot",
        role: "button",
        "data-spot": name,
        onclick: () => this.choose(name),
        onpointerenter: () => this.preview(name),
        onpointerleave: () => this.preview(""),
        onfocus: () => this.preview(name),
        onblur: () => this.preview(""),
      });
    node.setAttribute("aria-label", label);
    const area = svg("rect", { class: "area", x, y, width, height });
    const parts = [area, ...shows.map((sprite) => draw(sprite)), ...this.#hull(spot).map((box) => frame(box, "edge"))];
    // what stays the same stays: a click on a part that has been replaced meanwhile is none
    const same = parts.length === node.children.length && parts.every((part, index) => part.isEqualNode(node.children[index]));
    if (!same) node.replaceChildren(...parts);
    return node;
  }

  /** The sprites that a spot stands for, as boxes; else the spot itself, also for sprites in a heap. @param {Spot} spot */
  #hull({ name, x, y, width, height }) {
    const boxes = this.held(name, false).map(([, left, top, size]) => [left, top, size, size]);
    const covered = boxes.reduce((sum, box) => sum + box[2] * box[2], 0);
    const heaped = boxes.some((box, index) => boxes.slice(index + 1).some((other) => overlap(box, other)));
    return covered > COVERED * width * height && !heaped ? boxes : [[x, y, width, height]];
  }

  /** What a spot shows, and the sprites that lie in it or in one that stands for it, their middle in no spot above.
   * @param {string} name @param {boolean} [others] whether those that stand for it count */
  held(name, others = true) {
    const spots = [...this.spots.values()].filter((spot) => !spot.shows).reverse();
    const isHeld = (/** @type {import("./types.js").Sprite} */ sprite) => {
      const [, x, y, size] = sprite;
      const found = spots.find((spot) => within(spot, x + size / 2, y + size / 2));
      if (!found || !contains(found, sprite)) return false;
      return found.name === name || (others && this.#standsFor(found.name) === name);
    };
    return [...(this.spots.get(name)?.shows ?? []), ...this.stage.cast.map((actor) => actor.sprite).filter(isHeld)];
  }

  /** What a spot stands for that no walk leads over. @param {string} name */
  #standsFor(name) {
    return this.walked.has(name) ? "" : this.spots.get(name)?.means ?? "";
  }

  /** The spot that is meant by pointing at one: another that it stands for or lies upon, if the walk can go on there.
   * @param {string} name */
  meant(name) {
    const spot = this.spots.get(name);
    if (!spot || this.#standsFor(name)) return this.#standsFor(name) || name;
    const next = this.next;
    if (spot.means && next.has(spot.means)) return spot.means;
    if (next.has(name) || this.chosen.includes(name)) return name;
    return [...next].find((each) => covers(spot, /** @type {Spot} */ (this.spots.get(each)))) ?? name;
  }

  /** The walks that begin with a path over spots. @param {string[]} path */
  along(path) {
    const [from, to] = this.loose;
    return this.walks.filter(({ spots }) => {
      const anyOrder = spots.slice(from, to);
      return path.every((name, index) =>
        index >= from && index < to ? anyOrder.includes(name) : spots[index] === name,
      );
    });
  }

  /** The spots to which a path can go on. @param {string[]} path @returns {Set<string>} */
  #onward(path) {
    const [from, to] = this.loose;
    const made = path.length;
    const rest = made >= from && made < to ? [from, to] : [made, made + 1];
    const onward = new Set(this.along(path).flatMap(({ spots }) => spots.slice(...rest)));
    for (const name of path) onward.delete(name);
    return onward;
  }

  /** The walks that what is chosen completes. */
  get complete() {
    const length = this.chosen.length;
    return length ? this.along(this.chosen).filter(({ spots }) => spots.length === length) : [];
  }

  get next() {
    if (this.hand) return new Set(this.walks.flatMap((walk) => walk.spots));
    return this.#onward(this.chosen);
  }

  /** @param {string} pointed */
  choose(pointed) {
    const name = this.meant(pointed);
    const towards = this.#towards(name);
    if (towards && this.pointed === name) return void this.on.play(towards.move);
    if (towards) {
      this.#take(towards);
      this.pointed = this.chosen.at(-1) === name ? name : "";
      return this.#moved();
    }
    const path = this.hand ? (this.along([name]).length ? [name] : null) : this.after(name);
    if (!path) {
      if (this.asks) this.on.ask(this.hand ? [name] : [...this.chosen.slice(0, 1), name]);
      return;
    }
    this.chosen = path;
    this.#moved();
  }

  /** What is chosen after pointing at a spot: it is taken back, added, or chosen instead of later ones.
   * @param {string} name @returns {string[] | null} */
  after(name) {
    const others = this.chosen.filter((each) => each !== name);
    if (others.length < this.chosen.length && (!others.length || this.along(others).length)) return others;
    for (let kept = this.chosen.length; kept >= 0; kept--) {
      const path = [...this.chosen.slice(0, kept), name];
      if (this.along(path).length) return path;
    }
    return null;
  }

  back() {
    if (!this.chosen.length || this.hand) return false;
    const left = this.chosen.at(-1) ?? "";
    this.chosen = this.chosen.slice(0, -1);
    if (!this.chosen.length && this.walks.includes(this.inHand)) this.#take(this.inHand);
    this.#moved();
    this.focus(left);
    return true;
  }

  #moved() {
    this.#light();
    this.preview("");
    this.on.step(this);
    if (this.complete.length) return;
    if (this.byKeys && !this.next.has(this.focused())) this.focus();
  }

  #light() {
    const next = this.next;
    const holding = Boolean(this.hand);
    // what could be chosen instead of a spot stays in sight
    const open = new Set(this.chosen.flatMap((_, index) => (index ? [...this.#onward(this.chosen.slice(0, index))] : [])));
    this.root.classList.toggle("holding", holding);
    this.root.classList.toggle("walking", this.chosen.length > 0 && !holding);
    for (const [name, node] of this.nodes) {
      const { shows = [], means = "" } = /** @type {Spot} */ (this.spots.get(name));
      const chosen = this.chosen.includes(name) || this.chosen.includes(this.#standsFor(name));
      const lit = next.has(name) || next.has(means) || (shows.length > 0 && open.has(name));
      node.classList.toggle("lit", lit);
      node.classList.toggle("chosen", chosen);
      node.classList.toggle("suggested", Boolean(this.suggested?.spots.includes(name)));
      node.toggleAttribute("hidden", shows.length > 0 && !lit && !chosen);
      node.setAttribute("tabindex", (lit || chosen) && this.walked.has(name) ? "0" : "-1");
      node.setAttribute("aria-disabled", String(!lit && !chosen));
      node.toggleAttribute("aria-pressed", chosen);
      if (chosen) node.setAttribute("aria-pressed", "true");
    }
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
    const towards = name ? this.#towards(name) : null;
    const pointing = this.next.has(name) && !this.hand;
    const chosen = this.chosen.length ? this.chosen : this.suggested?.spots ?? [];
    const path = towards?.spots ?? (pointing ? [...this.chosen, name] : chosen);
    const walks = path.length ? this.along(path) : [];
    const walk = walks.find(({ spots }) => spots.length === path.length);
    const ghost = common(walk ? [walk] : walks).map((sprite) => draw(sprite, "ghost"));
    const hand = (walk?.hold?.sprites ?? []).map((sprite) => draw(sprite, "hand"));
    this.stage.layers.ghost.replaceChildren(...ghost, ...hand);
    if (walk?.points) this.stage.layers.ghost.append(this.#chip(path, walk.points));
  }

  /** Points in letters of one size on the screen, beside the last spot. */
  #chip(path, points) {
    const box = this.root.viewBox.baseVal;
    const unit = box.width / (this.root.clientWidth || box.width);
    const { x, y, width } = /** @type {Spot} */ (this.spots.get(path.at(-1)));
    const [across, down] = [46 * unit, 28 * unit];
    const left = Math.min(x + width - across / 3, box.width - across - 2 * unit);
    const top = Math.min(Math.max(2 * unit, y - down * 0.7), box.height - down);
    return svg(
      "g",
      { class: points > 0 ? "chip gain" : "chip loss" },
      svg("rect", { x: left, y: top, width: across, height: down, rx: down / 2 }),
      svg("text", { x: left + across / 2, y: top + down * 0.69, "font-size": 17 * unit }, signed(points)),
    );
  }

  /** What is chosen, in the words of the spots: what stands before a colon names them. */
  describe() {
    return this.chosen.map((name) => (this.spots.get(name)?.label ?? name).split(/[:;]/)[0]).join(" → ");
  }

  /** What to do next, in words. */
  hint() {
    if (this.hand) return "";
    const [next] = this.next;
    return this.chosen.length ? this.spots.get(next)?.hint || say("choose_next") : say("choose_first");
  }

  focused() {
    const node = document.activeElement?.closest?.(".spot");
    return node && this.root.contains(node) ? node["dataset"].spot : "";
  }

  /** To a spot, or to the board if it has gone: focus never gets lost. @param {string} [name] */
  focus(name) {
    const next = this.next;
    const node = this.nodes.get(name ?? [...this.nodes.keys()].find((each) => next.has(each)) ?? "");
    (node ?? this.root).focus({ preventScroll: !node });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const name = this.focused();
    this.byKeys = true;
    if (!event.shiftKey && !modified(event) && this.#keyInHand(event, !name)) return event.stopPropagation();
    if (event.key === "Enter" || event.key === " ") {
      if (!name) return;
      this.choose(name);
    } else if (event.key === "Escape") {
      if (!this.back()) return;
    } else if (event.key in ARROWS) {
      const there = (/** @type {string} */ each) => !this.nodes.get(each)?.hasAttribute("hidden");
      const all = event.shiftKey ? new Set([...this.spots.keys()].filter(there)) : this.next;
      this.focus(nearest(this.spots, name, all, ARROWS[event.key]) ?? (name || undefined));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Keys for a piece in the hand work beside the board too, where they mean nothing else. @param {KeyboardEvent} event */
  #keyBeside(event) {
    const target = /** @type {Element} */ (event.target);
    if (event.defaultPrevented || event.shiftKey || modified(event) || target.closest(ELSEWHERE)) return;
    if (this.root.contains(target)) return;
    this.#keyInHand(event, !target.closest("button"));
  }

  /** @param {KeyboardEvent} event @param {boolean} places whether Enter places the piece
   * @returns {boolean} whether the key was meant for it */
  #keyInHand(event, places) {
    if (!this.hand) return false;
    if (event.key in HOLDS) this.shift(HOLDS[event.key]);
    else if (event.key === "Enter" && places && !event.repeat) this.on.play(this.hand.move);
    else return false;
    event.preventDefault();
    return true;
  }
}

/** @param {KeyboardEvent} event */
export const modified = (event) => event.altKey || event.ctrlKey || event.metaKey;

/** @param {Spot} spot */
const middle = ({ x, y, width, height }) => [x + width / 2, y + height / 2];

/** @template T @param {T[]} all @param {(each: T) => number} cost @returns {T | null} */
const nearestOf = (all, cost) => all.reduce((best, each) => (best === null || cost(each) < cost(best) ? each : best), null);

/** @param {Spot} spot */
const within = ({ x, y, width, height }, left, top) =>
  left >= x && left <= x + width && top >= y && top <= y + height;

/** Whether a sprite lies in a spot, but for a little. @param {Spot} spot @param {import("./types.js").Sprite} sprite */
function contains({ x: left, y: top, width, height }, [, x, y, size]) {
  const slack = SLACK * size;
  return x > left - slack && y > top - slack && x + size < left + width + slack && y + size < top + height + slack;
}

/** The sprites that all walks would bring. @param {Walk[]} walks @returns {import("./types.js").Sprite[]} */
function common([first, ...others]) {
  let shared = first?.ghost ?? [];
  for (const { ghost = [] } of others) {
    if (!shared.length) break;
    const here = new Set(ghost.map(String));
    shared = shared.filter((sprite) => here.has(String(sprite)));
  }
  return shared;
}

/** @param {Spot} spot @param {Spot} other */
const covers = (spot, other) =>
  spot.x === other.x && spot.y === other.y && spot.width === other.width && spot.height === other.height;

const overlap = ([x, y, size], [left, top]) => Math.abs(x - left) < size * 0.9 && Math.abs(y - top) < size * 0.9;

/** The spot one comes to in a direction: near, and rather straight ahead.
 * @param {Map<string, Spot>} spots @param {string} name @param {Set<string>} among @param {number[]} way */
function nearest(spots, name, among, [right, down]) {
  const here = spots.get(name);
  if (!here) return [...among][0];
  const [x, y] = middle(here);
  const reached = [...among]
    .filter((each) => each !== name && spots.has(each))
    .map((each) => {
      const [left, top] = middle(/** @type {Spot} */ (spots.get(each)));
      const ahead = (left - x) * right + (top - y) * down;
      const aside = Math.abs((left - x) * down) + Math.abs((top - y) * right);
      return { each, ahead, cost: ahead + 2.2 * aside };
    })
    .filter(({ ahead }) => ahead > 1);
  return reached.sort((a, b) => a.cost - b.cost)[0]?.each;
}

