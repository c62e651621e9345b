/** The end of a game: who won, where the points came from, and what to do next. */

import { post } from "./api.js";
import { byId, copy, el, say } from "./dom.js";

/** @typedef {import("./api.js").View} View */

export class Result {
  /** @param {(error: Error) => void} onWrong */
  constructor(onWrong) {
    this.onWrong = onWrong;
    this.dialog = byId("result");
    this.seen = false;
    byId("result-open").addEventListener("click", () => this.dialog.showModal());
  }

  /** @param {View} view */
  update(view) {
    byId("result-open").hidden = !view.result;
    if (!view.result) {
      this.seen = false;
      if (this.dialog.open) this.dialog.close();
      return;
    }
    if (!this.seen) this.#draw(view);
    if (view.rematch) byId("rematch")?.replaceWith(el("a", { class: "button primary", href: view.rematch }, say("to_rematch")));
  }

  /** Opens by itself once, when the last motion has ended. @param {View} view */
  present(view) {
    if (!view.result || this.seen) return;
    this.seen = true;
    this.dialog.showModal();
  }

  /** @param {View} view */
  #draw(view) {
    byId("result-title").textContent = winners(view);
    byId("result-table").replaceChildren(...table(view));
    const rematch = { id: "rematch", type: "button", class: "primary", autofocus: true, onclick: () => this.#rematch(view) };
    byId("result-next").replaceChildren(
      view.you.seats.length ? el("button", rematch, say("rematch")) : "",
      el("button", { type: "button", autofocus: !view.you.seats.length, onclick: () => this.dialog.close() }, say("look_at_board")),
      el("a", { class: "button", href: "/" }, say("other_game")),
    );
    const at = `/api/games/${view.id}`;
    const text = () => `${summary(view)}\n${new URL(view.url, location.href).href}`;
    byId("result-share").replaceChildren(
      navigator.share ? el("button", { type: "button", onclick: () => share(text()) }, say("share")) : "",
      el("button", { type: "button", onclick: (event) => copy(text(), event.currentTarget) }, say("copy_text")),
      el("a", { href: `${at}/picture.svg?theme=light&shape=wide`, download: `${view.game}-${view.id}.svg` }, say("picture")),
      el("a", { href: `${at}/record`, download: `${view.game}-${view.id}.txt` }, say("record")),
    );
    byId("result-proof").replaceChildren(
      el("dt", {}, say("commitment")),
      el("dd", {}, el("code", {}, view.commitment)),
      el("dt", {}, say("seed")),
      el("dd", {}, el("code", {}, view.seed ?? "")),
      el("dd", {}, el("a", { href: `/verify?game=${view.id}` }, say("verify"))),
    );
  }

  async #rematch(view) {
    try {
      location.href = (await post(`/api/games/${view.id}/rematch`)).url;
    } catch (error) {
      this.dialog.close();
      this.onWrong(/** @type {Error} */ (error));
    }
  }
}

/** @param {View} view */
function winners(view) {
  const { ranks = [], scores = [] } = view.result ?? {};
  const first = view.seats.filter((_, index) => ranks[index] === 1);
  const points = scores[ranks.indexOf(1)];
  const names = first.map((seat) => seat.name);
  if (first.length > 1) return say("shared_win", { names: names.join(", "), points });
  const screen = view.you.seats.length > 1;
  return first[0].mine && !screen ? say("you_win", { points }) : say("wins", { name: names[0], points });
}

/** Seats across in the order of their ranks, sources down. @param {View} view */
function table(view) {
  const { sources = [], scores = [], ranks = [] } = view.result ?? {};
  const order = view.seats.map((_, index) => index).sort((a, b) => ranks[a] - ranks[b]);
  const best = (index) => (ranks[index] === 1 ? "best" : null);
  const row = (label, points, tag) =>
    el("tr", {}, el("th", { scope: "row" }, label), ...order.map((i) => el(tag, { class: best(i) }, minus(points[i]))));
  const head = order.map((i) =>
    el("th", { scope: "col", class: best(i) }, el("span", { class: "rank" }, `${ranks[i]}.`), " ", view.seats[i].name),
  );
  return [
    el("thead", {}, el("tr", {}, el("td", {}), ...head)),
    el("tbody", {}, ...sources.map(([label, points]) => row(label, points, "td"))),
    el("tfoot", {}, row(say("total"), scores, "td")),
  ];
}

const minus = (/** @type {number} */ points) => String(points).replace("-", "−");

/** @param {View} view */
function summary(view) {
  const { scores = [], ranks = [] } = view.result ?? {};
  const order = view.seats.map((_, index) => index).sort((a, b) => ranks[a] - ranks[b]);
  return `${view.game_name}: ${order.map((i) => `${view.seats[i].name} ${scores[i]}`).join(", ")}`;
}

/** @param {string} text */
function share(text) {
  navigator.share({ text }).catch(() => {});
}
