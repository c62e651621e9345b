/** The spots as elements: what one can point at, kept from scene to scene. */

import { byId, svg } from "./dom.js";
import { contains, hull, meet, within } from "./geometry.js";
import { pace } from "./settings.js";
import { draw, frame } from "./stage.js";

/** @typedef {import("./types.js").Spot} Spot */

export class Spots {
  /** @param {SVGSVGElement} root @param {import("./stage.js").Stage} stage
   * @param {{choose: (name: string) => void, preview: (name: string) => void}} on */
  constructor(root, stage, on) {
    this.root = root;
    this.stage = stage;
    this.on = on;
    /** @type {Map<string, Spot>} */
    this.all = new Map();
    /** @type {Map<string, SVGGElement>} */
    this.nodes = new Map();
    /** Spots that a walk leads over. @type {Set<string>} */
    this.walked = new Set();
  }

  /** @param {Spot[]} spots @param {Set<string>} walked */
  set(spots, walked) {
    this.all = new Map(spots.map((spot) => [spot.name, spot]));
    this.walked = walked;
    const nodes = spots.map((spot) => this.#place(spot));
    const layer = this.stage.layers.spots;
    if (nodes.some((node, index) => layer.children[index] !== node) || layer.children.length !== nodes.length) {
      layer.replaceChildren(...nodes);
    }
    this.nodes = new Map(spots.map((spot, index) => [spot.name, nodes[index]]));
  }

  /** @param {string | undefined} name */
  get(name) {
    return this.all.get(name ?? "");
  }

  /** The element of a spot. @param {Spot} spot @returns {SVGGElement} */
  #place(spot) {
    const { name, x, y, width, height, label, shows = [] } = spot;
    const node =
      this.nodes.get(name) ??
      svg("g", {
        class: "spot",
        role: "button",
        "data-spot": name,
        onclick: () => this.on.choose(name),
        onpointerenter: () => this.on.preview(name),
        onpointerleave: () => this.on.preview(""),
        onfocus: () => this.on.preview(name),
        onblur: () => this.on.preview(""),
      });
    node.setAttribute("aria-label", label);
    const area = svg("rect", { class: "area", x, y, width, height });
    const edges = hull(spot, this.held(name, false)).map((box) => frame(box, "edge"));
    const parts = [area, ...shows.map((sprite) => draw(sprite)), ...edges];
    // what stays the same stays: a click on a part that has been replaced meanwhile is none
    const same = parts.length === node.children.length && parts.every((part, index) => part.isEqualNode(node.children[index]));
    if (!same) node.replaceChildren(...parts);
    return node;
  }

  /** What a spot shows, and the sprites that lie in it or in one that stands for it, their middle in no spot above.
   * @param {string} name @param {boolean} [others] whether those that stand for it count */
  held(name, others = true) {
    const spots = [...this.all.values()].filter((spot) => !spot.shows).reverse();
    const isHeld = (/** @type {import("./types.js").Sprite} */ sprite) => {
      const [, x, y, size] = sprite;
      const found = spots.find((spot) => within(spot, x + size / 2, y + size / 2));
      if (!found || !contains(found, sprite)) return false;
      return found.name === name || (others && this.standsFor(found.name) === name);
    };
    return [...(this.get(name)?.shows ?? []), ...this.stage.cast.map((actor) => actor.sprite).filter(isHeld)];
  }

  /** What a spot stands for that no walk leads over. @param {string} name */
  standsFor(name) {
    return this.walked.has(name) ? "" : this.get(name)?.means ?? "";
  }

  /** @param {{next: Set<string>, chosen: string[], open: Set<string>, suggested: string[], dims: boolean}} shown
   * `dims`: whether what is neither lit nor chosen steps back, so that what is lit keeps its colours */
  light({ next, chosen, open, suggested, dims }) {
    const inFront = dims ? [...next, ...chosen].flatMap((name) => this.get(name) ?? []) : [];
    /** @type {Spot[]} */
    const dimmed = [];
    for (const [name, node] of this.nodes) {
      const { shows = [], means = "" } = /** @type {Spot} */ (this.get(name));
      const isChosen = chosen.includes(name) || chosen.includes(this.standsFor(name));
      const lit = next.has(name) || next.has(means) || (shows.length > 0 && open.has(name));
      node.classList.toggle("lit", lit);
      node.classList.toggle("chosen", isChosen);
      node.classList.toggle("suggested", suggested.includes(name));
      const spot = /** @type {Spot} */ (this.get(name));
      const behind = dims && !lit && !isChosen && ![...inFront, ...dimmed].some((other) => meet(spot, other));
      node.classList.toggle("dim", behind);
      if (behind) dimmed.push(spot);
      node.toggleAttribute("hidden", shows.length > 0 && !lit && !isChosen);
      node.setAttribute("tabindex", (lit || isChosen) && this.walked.has(name) ? "0" : "-1");
      node.setAttribute("aria-disabled", String(!lit && !isChosen));
      node.toggleAttribute("aria-pressed", isChosen);
      if (isChosen) node.setAttribute("aria-pressed", "true");
    }
  }

  /** The names of those that are there to be seen. */
  get visible() {
    return new Set([...this.all.keys()].filter((name) => !this.nodes.get(name)?.hasAttribute("hidden")));
  }

  /** Where all of some spots are out of sight, scrolls to the first of them. @param {Set<string>} names */
  reveal(names) {
    const nodes = [...this.nodes].filter(([name]) => names.has(name)).map(([, node]) => node);
    const lowest = Math.min(innerHeight, byId("controls").getBoundingClientRect().top);
    const isSeen = (/** @type {SVGGElement} */ node) => {
      const { top, bottom } = node.getBoundingClientRect();
      return top + bottom > 0 && top + bottom < 2 * lowest;
    };
    if (nodes.length && !nodes.some(isSeen)) nodes[0].scrollIntoView({ block: "nearest", behavior: pace() ? "smooth" : "auto" });
  }

  /** The spot that has the focus. @returns {string} */
  focused() {
    const node = document.activeElement?.closest?.(".spot");
    return node && this.root.contains(node) ? (/** @type {SVGElement} */ (node).dataset.spot ?? "") : "";
  }

  /** To a spot, or to the board if it has gone: focus never gets lost. @param {string | undefined} name */
  focus(name) {
    const node = this.nodes.get(name ?? "");
    (node ?? this.root).focus({ preventScroll: !node });
  }
}
