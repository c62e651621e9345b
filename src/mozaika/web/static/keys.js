/** Keys on the board: from spot to spot, along a walk and back; and for a piece in the hand, also beside the board. */

import { ahead } from "./geometry.js";

/** What keys do with a piece in the hand. @type {Record<string, string>} */
const HOLDS = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "turn", r: "turn", R: "turn", f: "flip", F: "flip" };
/** Where keys write or choose something else. */
export const ELSEWHERE = "input, select, textarea, dialog[open], [contenteditable]";
/** What Enter presses. */
const PRESSED = "a, button, summary";
/** @type {Record<string, number[]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @param {KeyboardEvent} event */
export const modified = (event) => event.altKey || event.ctrlKey || event.metaKey;

/** @param {SVGSVGElement} root @param {import("./walker.js").Walker} walker */
export function listen(root, walker) {
  addEventListener("pointerdown", (event) => walker.pointWith(event.pointerType), { capture: true });
  // who comes to the board by Tab goes on from spot to spot; after a click the arrows walk through the game
  addEventListener("keydown", (event) => event.key === "Tab" && walker.pointWith("keys"), { capture: true });
  root.addEventListener("keydown", (event) => {
    const name = walker.focused();
    if (!event.shiftKey && !modified(event) && inHand(walker, event, !name)) return event.stopPropagation();
    if (!onBoard(walker, event, name)) return;
    event.preventDefault();
    event.stopPropagation();
  });
  // keys for a piece in the hand work beside the board too, where they mean nothing else
  document.addEventListener("keydown", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (event.defaultPrevented || event.shiftKey || modified(event) || target.closest(ELSEWHERE)) return;
    if (!root.contains(target)) inHand(walker, event, !target.closest(PRESSED));
  });
}

/** @param {import("./walker.js").Walker} walker @param {KeyboardEvent} event @param {string} name the spot that has the focus
 * @returns {boolean} whether the key was meant for it */
function onBoard(walker, event, name) {
  if (event.key === "Enter" || event.key === " ") {
    walker.pointWith("keys");
    if (name) walker.choose(name);
    return Boolean(name);
  }
  if (event.key === "Escape") return walker.back();
  const among = event.shiftKey ? walker.spots.visible : walker.next;
  if (!(event.key in ARROWS) || modified(event) || !among.size || !(walker.byKeys || event.shiftKey)) return false;
  walker.pointWith("keys");
  walker.focus(ahead(walker.spots.all, name, among, ARROWS[event.key]) ?? (name || undefined));
  return true;
}

/** @param {import("./walker.js").Walker} walker @param {KeyboardEvent} event @param {boolean} places whether Enter places
 * the piece @returns {boolean} whether the key was meant for it */
function inHand(walker, event, places) {
  if (!walker.hand) return false;
  if (event.key in HOLDS) walker.shift(HOLDS[event.key]);
  else if (event.key === "Enter" && places && !event.repeat) walker.on.play((walker.seen?.hold ? walker.seen : walker.hand).move);
  else return false;
  event.preventDefault();
  return true;
}
