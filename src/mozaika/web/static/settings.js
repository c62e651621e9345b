/** What this browser remembers: how its owner likes to play. */

import { byId, say } from "./dom.js";

const PLACE = "mozaika.settings";
const USUAL = { confirm: true, speed: "normal", sound: false, notify: false, evaluation: false, name: "" };
/** How much of its usual time a motion takes. @type {Record<string, number>} */
const PACES = { normal: 1, fast: 0.4, off: 0 };
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** @type {typeof USUAL} */
export const settings = { ...USUAL, ...recall(PLACE, {}) };

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
}

/** 1 for the usual speed of things, 0 for no motion at all; a hidden page would never see a motion end. */
export const pace = () => (still.matches || document.hidden ? 0 : (PACES[settings.speed] ?? 1));

/** Fills the settings dialog and listens to it.
 * @param {HTMLElement} button @param {() => void} onSound a tone to try @param {() => void} onChange */
export function openSettingsWith(button, onSound, onChange) {
  const dialog = byId("settings");
  const form = dialog.querySelector("form");
  button.addEventListener("click", () => {
    form.confirm.checked = settings.confirm;
    form.sound.checked = settings.sound;
    form.notify.checked = settings.notify && Notification?.permission === "granted";
    form.evaluation.checked = settings.evaluation;
    form.speed.value = settings.speed;
    byId("still").hidden = !still.matches;
    dialog.showModal();
  });
  form.addEventListener("change", async () => {
    change({ confirm: form.confirm.checked, sound: form.sound.checked, speed: form.speed.value });
    change({ evaluation: form.evaluation.checked });
    onChange();
    if (document.activeElement === form.sound && settings.sound) onSound();
    change({ notify: form.notify.checked && (await mayNotify()) });
    byId("notify-refused").hidden = settings.notify || !form.notify.checked;
    form.notify.checked = settings.notify;
  });
  if (!("Notification" in window)) form.notify.closest("label").hidden = true;
  byId("notify-refused").textContent = say("notify_refused");
}

async function mayNotify() {
  return (await Notification.requestPermission()) === "granted";
}
