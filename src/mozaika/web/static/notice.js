/** What must not be missed: your turn, the last round, a question of another player, whose screen it is now. */

import { byId, el, say, whenChanged } from "./dom.js";
import { settings } from "./settings.js";
import { sound } from "./sounds.js";

/** @typedef {import("./types.js").View} View */

export class Notice {
  /** @param {(agree: boolean) => void} onAnswer @param {() => void} onReady */
  constructor(onAnswer, onReady) {
    this.onAnswer = onAnswer;
    this.onReady = onReady;
    this.turn = false;
    this.first = true;
    this.title = document.title;
    this.banner = whenChanged((/** @type {[string, string, boolean, boolean, string]} */ ...parts) => this.#banner(...parts));
    /** What everybody should know at the moment on the stage. */
    this.moment = "";
    /** What goes on among the players. @type {[string, boolean, boolean, string]} */
    this.among = ["", false, false, ""];
    /** The seat whose player has taken the screen. */
    this.taken = 0;
    /** The seat whose player is asked to take it. */
    this.waiting = 0;
    byId("curtain-up").addEventListener("click", () => this.#raise());
  }

  /** @param {View} view */
  update(view) {
    const { you, undo, seats } = view;
    const asker = undo.asked_by ? seats[undo.asked_by - 1].name : "";
    const again = view.rematch && view.rematch !== location.pathname ? view.rematch : "";
    this.among = [asker, undo.may_answer, you.seats.includes(undo.asked_by), again];
    this.banner(this.moment, ...this.among);
    this.#curtain(view);
  }

  /** @param {string} notice */
  tellMoment(notice) {
    this.moment = notice;
    this.banner(this.moment, ...this.among);
  }

  /** Whether the player may act now, for those who look elsewhere. @param {View} view */
  tellTurn(view) {
    const { you } = view;
    document.title = you.turn ? `● ${say("your_turn")} · ${view.game_name}` : this.title;
    if (you.turn && !this.turn && !this.first && !you.curtain) ring(view);
    this.turn = you.turn;
    this.first = false;
  }

  /** @param {string} notice @param {string} asker @param {boolean} mayAnswer @param {boolean} mine @param {string} again */
  #banner(notice, asker, mayAnswer, mine, again) {
    const answer = (/** @type {boolean} */ agree) => () => this.onAnswer(agree);
    const lines = [];
    if (notice) lines.push(el("p", {}, notice));
    if (asker && mayAnswer) {
      const agree = el("button", { type: "button", class: "primary", onclick: answer(true) }, say("agree"));
      const refuse = el("button", { type: "button", onclick: answer(false) }, say("refuse"));
      lines.push(el("p", {}, el("span", {}, say("undo_asked", { name: asker })), agree, refuse));
    } else if (asker) {
      lines.push(el("p", {}, mine ? say("undo_waiting") : say("undo_asked", { name: asker })));
    }
    if (again) lines.push(el("p", {}, el("span", {}, say("rematch_ready")), el("a", { href: again }, say("go_there"))));
    byId("banner").replaceChildren(...lines);
  }

  /** @param {View} view */
  #curtain(view) {
    const { you, seats } = view;
    if (!you.curtain) this.taken = you.turn ? you.seat : this.taken;
    const down = you.curtain && this.taken !== you.seat;
    const dialog = byId("curtain");
    if (!down) return;
    this.waiting = you.seat;
    byId("curtain-text").textContent = say("curtain", { name: seats[you.seat - 1].name });
    if (!dialog.open) dialog.showModal();
  }

  get covered() {
    return byId("curtain").open;
  }

  #raise() {
    this.taken = this.waiting;
    byId("curtain").close();
    this.onReady();
  }
}

/** @param {View} view */
function ring(view) {
  sound("turn");
  const may = settings.notify && document.hidden && "Notification" in window && Notification.permission === "granted";
  if (!may) return;
  const note = new Notification(say("your_turn"), { body: view.game_name, tag: view.id });
  note.onclick = () => {
    window.focus();
    note.close();
  };
}
