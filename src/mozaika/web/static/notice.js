/** What must not be missed: your turn, the last round, a question of another player, whose screen it is now. */

import { byId, el, say, whenChanged } from "./dom.js";
import { settings } from "./settings.js";

/** @typedef {import("./types.js").View} View */

export class Notice {
  /** @param {(agree: boolean) => void} onAnswer @param {() => void} onReady */
  constructor(onAnswer, onReady) {
    this.onAnswer = onAnswer;
    this.onReady = onReady;
    this.turn = false;
    this.first = true;
    this.title = document.title;
    this.banner = whenChanged((...parts) => this.#banner(...parts));
    /** The seat whose player has taken the screen. */
    this.taken = 0;
    /** The seat whose player is asked to take it. */
    this.waiting = 0;
    byId("curtain-up").addEventListener("click", () => this.#raise());
  }

  /** @param {View} view */
  update(view) {
    const { you, undo, seats } = view;
    document.title = you.turn ? `● ${say("your_turn")} · ${view.game_name}` : this.title;
    if (you.turn && !this.turn && !this.first && !you.curtain) ring(view);
    this.turn = you.turn;
    this.first = false;
    const asker = undo.asked_by ? seats[undo.asked_by - 1].name : "";
    const again = view.rematch && view.rematch !== location.pathname ? view.rematch : "";
    this.banner(view.scene.notice, asker, undo.may_answer, you.seats.includes(undo.asked_by), again);
    this.#curtain(view);
  }

  #banner(notice, asker, mayAnswer, mine, again) {
    const answer = (agree) => () => this.onAnswer(agree);
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
  if (settings.sound) tone();
  const may = settings.notify && document.hidden && "Notification" in window && Notification.permission === "granted";
  if (!may) return;
  const note = new Notification(say("your_turn"), { body: view.game_name, tag: view.id });
  note.onclick = () => {
    window.focus();
    note.close();
  };
}

/** Two soft notes of a bell. */
export function tone() {
  const audio = new AudioContext();
  [659.3, 987.8].forEach((pitch, index) => {
    const [bell, volume] = [audio.createOscillator(), audio.createGain()];
    const start = audio.currentTime + index * 0.14;
    bell.frequency.value = pitch;
    volume.gain.setValueAtTime(0.0001, start);
    volume.gain.exponentialRampToValueAtTime(0.12, start + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + 0.5);
    bell.connect(volume).connect(audio.destination);
    bell.start(start);
    bell.stop(start + 0.55);
  });
  setTimeout(() => audio.close(), 1200);
}
