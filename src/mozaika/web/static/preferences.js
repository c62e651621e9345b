/** The dialog of settings, which every page has. */

import { byId, say } from "./dom.js";
import { change, settings, still } from "./settings.js";
import { sound } from "./sounds.js";

const dialog = byId("settings");
const form = dialog.querySelector("form");

byId("open-settings").addEventListener("click", () => {
  form.confirm.value = settings.confirm;
  form.sound.checked = settings.sound;
  form.notify.checked = settings.notify && Notification?.permission === "granted";
  form.evaluation.checked = settings.evaluation;
  form.speed.value = settings.speed;
  form.theme.value = settings.theme;
  byId("still").hidden = !still.matches;
  dialog.showModal();
});
dialog.addEventListener("click", (/** @type {Event} */ event) => event.target === dialog && dialog.close());
form.addEventListener("change", async () => {
  change({ confirm: form.confirm.value, sound: form.sound.checked, speed: form.speed.value });
  change({ evaluation: form.evaluation.checked, theme: form.theme.value });
  if (document.activeElement === form.sound) sound("turn");
  change({ notify: form.notify.checked && (await mayNotify()) });
  byId("notify-refused").hidden = settings.notify || !form.notify.checked;
  form.notify.checked = settings.notify;
});
if (!("Notification" in window)) form.notify.closest("label").hidden = true;
byId("notify-refused").textContent = say("notify_refused");

async function mayNotify() {
  return (await Notification.requestPermission()) === "granted";
}
