/** The rules beside the table: every link to them opens here, at its paragraph. */

import { root } from "./api.js";
import { byId, say } from "./dom.js";

const LINK = `a[href*="${root}/rules/"]:not([data-own-page])`;

export class Rules {
  /** @param {(error: Error) => void} onWrong */
  constructor(onWrong) {
    this.onWrong = onWrong;
    this.panel = byId("rules");
    this.pages = this.panel.querySelector(".pages");
    /** @type {HTMLElement | null} */
    this.opener = null;
    /** @type {Promise<void> | null} */
    this.read = null;
    document.addEventListener("click", (event) => this.#follow(event));
    document.addEventListener("keydown", (event) => this.#key(event));
    byId("rules-close").addEventListener("click", () => this.close());
    addEventListener("resize", () => this.#stand());
  }

  /** Links are followed here, unless somebody wants a window of their own for them. @param {MouseEvent} event */
  #follow(event) {
    if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const target = /** @type {Element} */ (event.target);
    const link = /** @type {HTMLAnchorElement | null} */ (target.closest?.(LINK) ?? target.closest?.(".rules-panel a[href^='#']"));
    if (!link) return;
    event.preventDefault();
    this.open(link.hash.slice(1), link);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key === "Escape" && !this.panel.hidden && !document.querySelector("dialog[open]")) {
      event.preventDefault();
      this.close();
    }
    const writing = /** @type {Element} */ (event.target).closest?.("input:not([type=range]), textarea, select, dialog");
    if (event.key !== "?" || writing) return;
    event.preventDefault();
    const asked = /** @type {HTMLAnchorElement | null} */ (document.querySelector("#status .rule"));
    this.open(asked?.hash.slice(1) ?? "", /** @type {HTMLElement} */ (document.activeElement));
  }

  /** @param {string} anchor a rule or a part; nothing for the beginning @param {HTMLElement} opener */
  async open(anchor, opener) {
    if (!this.panel.contains(opener)) this.opener = opener;
    this.read ??= this.#bring(byId("rules").querySelector("[data-own-page]").href);
    try {
      await this.read;
    } catch {
      this.read = null;
      return this.onWrong(new Error(say("no_connection")));
    }
    this.#stand();
    this.panel.hidden = false;
    for (const item of this.panel.querySelectorAll(".asked")) item.classList.remove("asked");
    const found = anchor ? this.panel.querySelector(`#${CSS.escape(anchor)}`) : null;
    found?.classList.toggle("asked", found.localName === "li");
    if (found) found.scrollIntoView({ block: "start" });
    else this.pages.scrollTop = 0;
    this.pages.focus({ preventScroll: true });
  }

  /** Beside the board and what stands below it, where there is room for it; the scroll bar takes some. */
  #stand() {
    const rights = [...document.querySelectorAll(".frame, #controls")].map((part) => part.getBoundingClientRect().right);
    const edge = Math.max(...rights);
    this.panel.style.setProperty("--beside", `${Math.floor(document.documentElement.clientWidth - edge) - 12}px`);
  }

  close() {
    this.panel.hidden = true;
    this.opener?.focus();
  }

  /** Once. @param {string} href */
  async #bring(href) {
    const answer = await fetch(href);
    if (!answer.ok) throw new Error(String(answer.status));
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const [contents, book] = [page.querySelector(".contents ol"), page.querySelector(".rulebook")];
    if (contents) this.panel.querySelector(".contents").append(document.importNode(contents, true));
    if (book) this.panel.querySelector(".rulebook").replaceChildren(...document.importNode(book, true).childNodes);
  }
}
