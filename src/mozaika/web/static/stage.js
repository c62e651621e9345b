/** Keeps a scene alive in one <svg>: things travel from where they were to where they are. */

import { svg } from "./dom.js";

/** Of the time of a motion, the part in which one thing travels; the others set out in the rest of it. */
const TRAVEL = 0.7;
const GAP = 0.045;
/** Symbols that only point at who is to move, or say what could be done, are no news. */
const POINTER = /-(turn|sign)$/;
const EASE = "cubic-bezier(.3,.05,.2,1)";

/** @typedef {import("./types.js").Sprite} Sprite @typedef {import("./types.js").SceneView} Scene
 * @typedef {import("./types.js").View} View @typedef {{sprite: Sprite, node: SVGGElement}} Actor
 * @typedef {{node: SVGTextElement, from: number, to: number, text: string}} Count */

/** A sprite as an element; what moves is the group, so that a turned symbol keeps its turn.
 * @param {Sprite} sprite @param {string} [style] */
export function draw([symbol, x, y, size, turn], style = "sprite") {
  const turned = turn ? `rotate(${turn * 90} ${x + size / 2} ${y + size / 2})` : null;
  const use = svg("use", { href: `#${symbol}`, x, y, width: size, height: size, transform: turned });
  return svg("g", { class: style }, use);
}

export class Stage {
  /** @param {SVGSVGElement} root */
  constructor(root) {
    this.root = root;
    /** @type {Record<string, SVGGElement>} */
    this.layers = {};
    for (const name of ["ground", "sprites", "labels", "more", "last", "lit", "spots", "ghost"]) {
      const hidden = name === "spots" ? null : "true";
      this.layers[name] = svg("g", { class: `layer-${name}`, "aria-hidden": hidden });
      root.append(this.layers[name]);
    }
    this.ground = "";
    this.style = "";
    this.sheet = new CSSStyleSheet();
    document.adoptedStyleSheets.push(this.sheet);
    document.addEventListener("theme", () => this.#dress());
    /** @type {Actor[]} */
    this.cast = [];
    /** @type {Map<string, SVGTextElement>} */
    this.labels = new Map();
    this.counting = 0;
    /** Ends whatever is waited for. */
    this.end = () => {};
  }

  /** Shows a scene and ends when everything has arrived: what a glimpse shows first, then the rest.
   * @param {Scene} scene
   * @param {{last?: View["last"], glimpse?: View["glimpse"], news?: boolean, time?: number, look?: number}} how */
  async show(scene, { last = null, glimpse = null, news = false, time = 0, look = 0 }) {
    const fresh = scene.ground !== this.ground;
    if (fresh) await this.#lay(scene);
    if (fresh) time = 0;
    this.root.setAttribute("aria-label", scene.title);
    this.layers.last.replaceChildren();
    if (glimpse && news && time) await this.#glimpse(glimpse, time, look);
    const arriving = this.#arrive(scene.sprites, time);
    this.#write(scene.labels, time);
    await arriving;
    this.layers.lit.replaceChildren();
    const here = new Set(this.cast.map(({ sprite }) => sprite.join()));
    const brought = last?.sprites.filter((sprite) => here.has(sprite.join())) ?? [];
    this.#mark([...brought, ...(glimpse?.marks ?? [])]);
  }

  /** @param {Sprite[]} sprites @param {number} time */
  async #arrive(sprites, time) {
    const arrivals = this.#recast(sprites, time);
    if (!arrivals.length) return;
    // frames that are drawn late begin a motion late: the clock says when it is over
    await Promise.race([Promise.all(arrivals), this.#wait(time)]);
    this.#settle();
    // once they have arrived, everything lies over what it lay over before
    this.layers.sprites.replaceChildren(...this.cast.map((actor) => actor.node));
  }

  /** What a move brings and takes away again is seen in between; its light goes when it has gone.
   * @param {NonNullable<View["glimpse"]>} glimpse @param {number} time @param {number} look */
  async #glimpse({ sprites, marks }, time, look) {
    await this.#arrive(sprites, time);
    this.layers.lit.replaceChildren(...marks.map((mark) => draw(mark, "flash")));
    await this.#wait(look);
  }

  /** @param {number} time milliseconds, unless somebody has seen enough */
  #wait(time) {
    return new Promise((go) => {
      this.end = () => go(null);
      setTimeout(this.end, time);
    });
  }

  /** Brings what is on its way to where it goes. */
  finish() {
    this.end();
    this.#settle();
    this.counting += 1;
  }

  #settle() {
    for (const node of this.layers.sprites.children) for (const motion of node.getAnimations()) motion.finish();
  }

  /** The ground comes once for each address. Its style is taken out and adopted, for the page allows none inline.
   * @param {Scene} scene */
  async #lay(scene) {
    const answer = await fetch(scene.ground);
    if (!answer.ok) throw new Error(`ground ${answer.status}`);
    /** @type {string[]} */
    const styles = [];
    const text = (await answer.text()).replace(/<style>([^<]*)<\/style>/g, (_, style) => (styles.push(style), ""));
    this.style = styles.join("\n");
    this.#dress();
    const found = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    for (const title of found.querySelectorAll("title")) title.remove();
    this.layers.ground.replaceChildren(...[...found.children].map((part) => document.importNode(part, true)));
    this.root.setAttribute("viewBox", `0 0 ${scene.width} ${scene.height}`);
    this.root.parentElement?.style.setProperty("--ratio", String(scene.width / scene.height));
    this.ground = scene.ground;
  }

  /** Dark where the page is. */
  #dress() {
    const dark = document.documentElement.dataset.dark;
    this.sheet.replaceSync(this.style.replace("(prefers-color-scheme:dark)", ` ${dark}`));
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
    /** @type {Map<string, Actor[]>} */
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
    const gap = Math.min(GAP, (1 - TRAVEL) / come.length) * time;
    const each = time * TRAVEL;
    return [
      ...left.map(({ sprite, node }) => shrink(sprite, node, each)),
      ...come.map((actor) => {
        const from = pairs.get(actor);
        const delay = gap * turn++;
        return from ? travel(from.sprite, actor, each, delay) : grow(actor, each, delay);
      }),
    ];
  }

  /** @param {import("./types.js").Label[]} labels @param {number} time */
  #write(labels, time) {
    const before = this.labels;
    this.labels = new Map();
    /** @type {Count[]} */
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
    this.#count(counts, time);
  }

  /** Numbers run to their new value. @param {Count[]} counts @param {number} time */
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

  /** What is drawn of a sprite: a piece does not fill the square that it can be turned in. @param {Sprite} sprite */
  #outline(sprite) {
    const [, left, top, size] = sprite;
    const key = sprite.join();
    const box = this.cast.find((actor) => actor.sprite.join() === key)?.node.getBBox();
    if (!box?.width) return [left, top, size, size];
    const [x, y] = [Math.max(left, box.x), Math.max(top, box.y)];
    return [x, y, Math.min(left + size, box.x + box.width) - x, Math.min(top + size, box.y + box.height) - y];
  }

  /** Outlines what the last move brought. @param {Sprite[]} sprites */
  #mark(sprites) {
    const marked = sprites.filter(([name]) => !POINTER.test(name));
    this.layers.last.replaceChildren(...marked.map((sprite) => frame(this.#outline(sprite), "last")));
  }
}

/** A rounded frame a little outside of a box. @param {any[]} box @param {string} style */
export function frame([x, y, width, height], style, out = 1) {
  const [across, down] = [width + 2 * out, height + 2 * out];
  return svg("rect", { class: style, x: x - out, y: y - out, width: across, height: down, rx: Math.min(across, down) * 0.14 });
}

/** The nearest of the same symbol belong together. @param {Actor[]} gone @param {Actor[]} come
 * @returns {Map<Actor, Actor>} from who came to who went */
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

/** @param {Sprite} from @param {Actor} to @param {number} time @param {number} delay */
function travel([, x, y, size], { sprite, node }, time, delay) {
  const scale = size / sprite[3];
  const start = `translate(${x - sprite[1] * scale}px, ${y - sprite[2] * scale}px) scale(${scale})`;
  return run(node, [{ transform: start }, { transform: "none" }], time, delay);
}

/** @param {Actor} actor @param {number} time @param {number} delay */
function grow({ sprite, node }, time, delay) {
  return run(node, [{ opacity: 0, transform: scaled(sprite, 0.5) }, { opacity: 1, transform: "none" }], time * 0.6, delay);
}

/** @param {Sprite} sprite @param {SVGGElement} node @param {number} time */
async function shrink(sprite, node, time) {
  await run(node, [{ opacity: 1, transform: "none" }, { opacity: 0, transform: scaled(sprite, 0.6) }], time * 0.7, 0);
  node.remove();
}

/** @param {Sprite} sprite @param {number} scale about its middle */
export function scaled([, x, y, size], scale) {
  const rest = 1 - scale;
  return `translate(${(x + size / 2) * rest}px, ${(y + size / 2) * rest}px) scale(${scale})`;
}

/** @param {SVGGElement} node @param {Keyframe[]} frames @param {number} duration @param {number} delay */
function run(node, frames, duration, delay) {
  return node.animate(frames, { duration, delay, easing: EASE, fill: "backwards" }).finished.catch(() => {});
}
