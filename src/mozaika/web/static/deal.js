/** The page of a deal: sit down to it, and send it to others. */

import { postOnce } from "./api.js";
import { answers, byId, copy } from "./dom.js";
import { change, settings } from "./settings.js";

const { deal, text } = byId("deal").dataset;
const link = new URL(location.pathname, location.href).href;
const form = byId("attempt");
const name = byId("attempt-name");

if (name) name.value = settings.name;
if (form) answers(form, begin);
byId("deal-link").addEventListener("click", (/** @type {any} */ event) => give(link, event.currentTarget));
byId("deal-text")?.addEventListener("click", (/** @type {any} */ event) => give(`${text}\n${link}`, event.currentTarget));
// who comes back from the table sees how far they have come
addEventListener("pageshow", (event) => event.persisted && location.reload());

async function begin() {
  const button = form.querySelector("button");
  byId("deal-wrong").textContent = "";
  change({ name: name.value.trim() });
  button.disabled = true;
  try {
    location.href = (await postOnce(`/api/deals/${deal}/attempts`, { name: settings.name })).url;
  } catch (error) {
    byId("deal-wrong").textContent = /** @type {Error} */ (error).message;
  } finally {
    button.disabled = false;
  }
}

/** By the system's own way to share where there are fingers, else by the clipboard. @param {string} said @param {HTMLElement} button */
function give(said, button) {
  if ("share" in navigator && matchMedia("(pointer: coarse)").matches) navigator.share(said === link ? { url: link } : { text: said }).catch(() => {});
  else copy(said, button);
}
