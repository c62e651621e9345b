/** Elements in one line, and the sentences of this page in the reader's language. */

const SVG = "http://www.w3.org/2000/svg";

/** What the server wrote into the page as JSON. A text that holds JSON once more is read once more.
 * @param {string} id */
export function read(id) {
  const found = JSON.parse(document.getElementById(id)?.textContent || "null");
  return typeof found === "string" ? JSON.parse(found) : found;
}

const texts = read("text") ?? {};

/** A sentence in the reader's language, with its blanks filled.
 * @param {string} key
 * @param {Record<string, string | number>} [blanks] */
export function say(key, blanks = {}) {
  return (texts[key] ?? key).replace(/\{(\w+)\}/g, (/** @type {string} */ blank, /** @type {string} */ name) => String(blanks[name] ?? blank));
}

/** @param {number} points "+5", "−2", "0" */
export function signed(points) {
  return points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "0";
}

/** A number with a minus sign, not a hyphen. @param {number} points */
export const minus = (points) => String(points).replace("-", "−");

/** A share by the rules of the reader's language: "54%", "54 %". @param {number} share */
export const percent = (share) =>
  new Intl.NumberFormat(document.documentElement.lang, { style: "percent" }).format(share);

/** A number with one digit after the point: "8.5", "8,5". @param {number} points */
export const tenths = (points) =>
  new Intl.NumberFormat(document.documentElement.lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(points).replace("-", "−");

/** @param {string} id @returns {any} */
export const byId = (id) => document.getElementById(id);

/** Attributes as names, listeners as `on…`, absent values are left out.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string | null | false | undefined)} children
 * @returns {any} */
export function el(tag, attributes = {}, ...children) {
  return dress(document.createElement(tag), attributes, children);
}

/** The same for SVG.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string | null | false | undefined)} children
 * @returns {any} */
export function svg(tag, attributes = {}, ...children) {
  return dress(document.createElementNS(SVG, tag), attributes, children);
}

/** @param {Element} node @param {Record<string, any>} attributes @param {(Node | string | null | false | undefined)[]} children */
function dress(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(.../** @type {(Node | string)[]} */ (children.filter((child) => child || child === "")));
  return node;
}

/** From now on a form is answered here; until then its buttons are off, else the browser would send it by itself.
 * @param {HTMLFormElement} form @param {(form: HTMLFormElement) => void} answer */
export function answers(form, answer) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    answer(form);
  });
  for (const button of form.querySelectorAll("button")) button.disabled = false;
}

/** Runs `draw` only when what it shows has changed, so that focus and open menus stay.
 * @template {any[]} Shown @param {(...shown: Shown) => void} draw */
export function whenChanged(draw) {
  let was = "";
  return (/** @type {Shown} */ ...shown) => {
    const is = JSON.stringify(shown);
    if (is !== was) {
      was = is;
      draw(...shown);
    }
  };
}

/** Puts a text on the clipboard, and says so on the button that asked for it.
 * @param {string} text @param {HTMLElement} [button] @returns {Promise<boolean>} whether it is there */
export async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    window.prompt(say("copy_by_hand"), text);
    return false;
  }
  if (button) {
    const said = button.textContent;
    button.textContent = say("copied");
    setTimeout(() => (button.textContent = said), 2000);
  }
  return true;
}
