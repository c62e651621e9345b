/** What this browser remembers: how its owner likes to play. */

const PLACE = "mozaika.settings";
const USUAL = { confirm: "people", speed: "normal", sound: false, notify: false, evaluation: false, theme: "system", name: "" };
/** How much of its usual time a motion takes. @type {Record<string, number>} */
const PACES = { normal: 1, fast: 0.5, off: 0 };
export const still = matchMedia("(prefers-reduced-motion: reduce)");

/** @type {typeof USUAL} */
export const settings = { ...USUAL, ...recall(PLACE, {}) };
// it was a yes or no once, and yes was usual
if (typeof settings.confirm === "boolean") settings.confirm = settings.confirm ? USUAL.confirm : "never";

/** Whether a move is confirmed before it is made. @param {boolean} alone whether taking back asks nobody */
export const confirms = (alone) => settings.confirm === "always" || (settings.confirm === "people" && !alone);

/** @template T @param {string} place @param {T} usual @returns {T} */
export function recall(place, usual) {
  try {
    return JSON.parse(localStorage.getItem(place) ?? "null") ?? usual;
  } catch {
    return usual;
  }
}

/** A browser that keeps nothing still plays. @param {string} place @param {unknown} value */
export function keep(place, value) {
  try {
    localStorage.setItem(place, JSON.stringify(value));
  } catch {
    // a full or forbidden storage only costs the comfort
  }
}

/** @param {Partial<typeof USUAL>} changed */
export function change(changed) {
  Object.assign(settings, changed);
  keep(PLACE, settings);
  document.dispatchEvent(new Event("settings"));
}

/** 1 for the usual speed of things, 0 for no motion at all; a hidden page would never see a motion end. */
export const pace = () => (still.matches || document.hidden ? 0 : (PACES[settings.speed] ?? 1));
