/** Keeps a scene alive in one <svg>: things travel from where they were to where they are. */

import { svg } from "./dom.js";

const TRAVEL = 560;
const GAP = 26;
const LONGEST_QUEUE = 460;
/** Symbols that only point at who is to move, or say what could be done, are no news. */
const POINTER = /-(turn|sign)$/;
const EASE = "cubic-bezier(.3,.05,.2,1)";

/** @typedef {import("./types.js").Sprite} Sprite @typedef {import("./types.js").SceneView} Scene
 * @typedef {import("./types.js").View} View */

/** A sprite as an element; what moves is the group, so that a turned symbol keeps its turn.
 * @param {Sprite} sprite @param {string} [style] */
export function draw([symbol, x, y, size, turn], style = "sprite") {
  const turned = turn ? `rotate(${turn * 90} ${x + size / 2} ${y + size / 2})` : null;
  const use = svg("use", { href: `#${symbol}`, x, y, width: size, height: size, transform: turned });
  return svg("g", { class: style }, use);
}

export class Stage {
  /** @param {SVGSVGElement} root @param {() => number} pace */
  constructor(root, pace) {
    this.root = root;
    this.pace = pace;
    /** @type {Record<string, SVGGElement>} */
    this.layers = {};
    for (const name of ["ground", "sprites", "labels", "more", "last", "spots", "ghost"]) {
      const hidden = name === "spots" ? null : "true";
      this.layers[name] = svg("g", { class: `layer-${name}`, "aria-hidden": hidden });
      root.append(this.layers[name]);
    }
    this.ground = "";
    this.sheet = new CSSStyleSheet();
    document.adoptedStyleSheets.push(this.sheet);
    /** @type {{sprite: Sprite, node: SVGGElement}[]} */
    this.cast = [];
    /** @type {Map<string, SVGTextElement>} */
    this.labels = new Map();
    this.counting = 0;
  }

  /** Shows a scene and ends when everything has arrived.
   * @param {Scene} scene @param {View["last"]} last */
  async show(scene, last) {
    const fresh = scene.ground !== this.ground;
    if (fresh) await this.#lay(scene);
    const time = fresh ? 0 : TRAVEL * this.pace();
    this.root.setAttribute("aria-label", scene.title);
    this.layers.last.replaceChildren();
    const arrivals = this.#recast(scene.sprites, time);
    this.#write(scene.labels, time);
    await Promise.all(arrivals);
    // once they have arrived, everything lies over what it lay over before
    if (arrivals.length) this.layers.sprites.replaceChildren(...this.cast.map((actor) => actor.node));
    this.#mark(last);
  }

  /** The ground comes once for each address. Its style is taken out and adopted, for the page allows none inline.
   * @param {Scene} scene */
  async #lay(scene) {
    const answer = await fetch(scene.ground);
    if (!answer.ok) throw new Error(`ground ${answer.status}`);
    const styles = [];
    const text = (await answer.text()).replace(/<style>([^<]*)<\/style>/g, (_, style) => (styles.push(style), ""));
    this.sheet.replaceSync(styles.join("\n"));
    const found = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    for (const title of found.querySelectorAll("title")) title.remove();
    this.layers.ground.replaceChildren(...[...found.children].map((part) => document.importNode(part, true)));
    this.root.setAttribute("viewBox", `0 0 ${scene.width} ${scene.height}`);
    this.root.parentElement?.style.setProperty("--ratio", String(scene.width / scene.height));
    this.ground = scene.ground;
  }

  /** What leaves the hand stays to be seen until it has come to where it goes. @param {Sprite[]} sprites */
  release(sprites) {
    const actors = sprites.map((sprite) => ({ sprite, node: draw(sprite) }));
    this.layers.sprites.append(...actors.map((actor) => actor.node));
    this.cast.push(...actors);
    return () => {
      for (const { node } of actors) node.remove();
      this.cast = this.cast.filter((actor) => !actors.includes(actor));
    };
  }

  /** Keeps what stays, pairs what vanished with what appeared, and lets the rest come and go.
   * @param {Sprite[]} sprites @param {number} time @returns {Promise<unknown>[]} */
  #recast(sprites, time) {
    /** @type {Map<string, {sprite: Sprite, node: SVGGElement}[]>} */
    const stays = new Map();
    for (const actor of this.cast) {
      const key = actor.sprite.join();
      stays.set(key, [...(stays.get(key) ?? []), actor]);
    }
    const kept = sprites.map((sprite) => stays.get(sprite.join())?.pop());
    const gone = [...stays.values()].flat();
    const cast = sprites.map((sprite, index) => kept[index] ?? { sprite, node: draw(sprite) });
    const come = cast.filter((_, index) => !kept[index]);
    const pairs = time ? pair(gone, come) : new Map();
    const travelled = new Set(pairs.values());
    // those on their way pass over the others
    const order = [...cast.filter((actor) => !pairs.has(actor)), ...pairs.keys()];
    this.layers.sprites.replaceChildren(...order.map((actor) => actor.node));
    this.cast = cast;
    if (!time) return [];
    const left = gone.filter((actor) => !travelled.has(actor));
    this.layers.sprites.prepend(...left.map((actor) => actor.node));
    let turn = 0;
    const gap = Math.min(GAP, LONGEST_QUEUE / (come.length + 1)) * (time / TRAVEL);
    return [
      ...left.map(({ sprite, node }) => shrink(sprite, node, time)),
      ...come.map((actor) => {
        const from = pairs.get(actor);
        const delay = gap * turn++;
        return from ? travel(from.sprite, actor, time, delay) : grow(actor, time, delay);
      }),
    ];
  }

  /** @param {import("./types.js").Label[]} labels @param {number} time */
  #write(labels, time) {
    const before = this.labels;
    this.labels = new Map();
    /** @type {{node: SVGTextElement, from: number, to: number, text: string}[]} */
    const counts = [];
    for (const { text, x, y, style } of labels) {
      const key = `${x} ${y} ${style}`;
      const node = before.get(key) ?? svg("text", { x, y, class: style });
      before.delete(key);
      this.labels.set(key, node);
      const [from, to] = [node.textContent, text].map((each) => (/^\d+$/.test(each ?? "") ? Number(each) : NaN));
      if (time && from !== to && from === from && to === to) counts.push({ node, from, to, text });
      else node.textContent = text;
    }
    for (const node of before.values()) node.remove();
    this.layers.labels.append(...this.labels.values());
    this.#count(counts, time * 1.4);
  }

  /** Numbers run to their new value. */
  #count(counts, time) {
    const run = ++this.counting;
    const start = performance.now();
    const step = (/** @type {number} */ now) => {
      const part = run === this.counting ? Math.min(1, (now - start) / time) : 1;
      for (const { node, from, to, text } of counts) {
        node.textContent = part < 1 ? String(Math.round(from + (to - from) * part)) : text;
      }
      if (part < 1) requestAnimationFrame(step);
    };
    if (counts.length) step(start);
  }

  /** Outlines what the last move brought. @param {View["last"]} last */
  #mark(last) {
    const marked = last?.sprites.filter(([name]) => !POINTER.test(name)) ?? [];
    this.layers.last.replaceChildren(...marked.map(([, x, y, size]) => frame([x, y, size, size], "last")));
  }
}

/** A rounded frame a little outside of a box. @param {any[]} box @param {string} style */
export function frame([x, y, width, height], style, out = 1) {
  const [across, down] = [width + 2 * out, height + 2 * out];
  return svg("rect", { class: style, x: x - out, y: y - out, width: across, height: down, rx: Math.min(across, down) * 0.14 });
}

/** The nearest of the same symbol belong together. @returns {Map<any, any>} from who came to who went */
function pair(gone, come) {
  const routes = [];
  for (const to of come) {
    for (const from of gone) {
      if (from.sprite[0] !== to.sprite[0]) continue;
      routes.push({ from, to, way: Math.hypot(from.sprite[1] - to.sprite[1], from.sprite[2] - to.sprite[2]) });
    }
  }
  const [pairs, taken] = [new Map(), new Set()];
  for (const { from, to } of routes.sort((a, b) => a.way - b.way)) {
    if (pairs.has(to) || taken.has(from)) continue;
    pairs.set(to, from);
    taken.add(from);
  }
  return pairs;
}

/** @param {Sprite} from */
function travel([, x, y, size], { sprite, node }, time, delay) {
  const scale = size / sprite[3];
  const start = `translate(${x - sprite[1] * scale}px, ${y - sprite[2] * scale}px) scale(${scale})`;
  return run(node, [{ transform: start }, { transform: "none" }], time, delay);
}

function grow({ sprite, node }, time, delay) {
  return run(node, [{ opacity: 0, transform: scaled(sprite, 0.5) }, { opacity: 1, transform: "none" }], time * 0.6, delay);
}

async function shrink(sprite, node, time) {
  await run(node, [{ opacity: 1, transform: "none" }, { opacity: 0, transform: scaled(sprite, 0.6) }], time * 0.7, 0);
  node.remove();
}

/** @param {Sprite} sprite @param {number} scale about its middle */
export function scaled([, x, y, size], scale) {
  const rest = 1 - scale;
  return `translate(${(x + size / 2) * rest}px, ${(y + size / 2) * rest}px) scale(${scale})`;
}

function run(node, frames, duration, delay) {
  return node.animate(frames, { duration, delay, easing: EASE, fill: "backwards" }).finished.catch(() => {});
}
