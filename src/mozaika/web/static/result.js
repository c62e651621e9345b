/** The end of a game: who won, where the points came from, and what to do next. */

import { get, postOnce, root } from "./api.js";
import { byId, copy, el, minus, say } from "./dom.js";
import { keep, recall } from "./settings.js";

/** On a narrow screen, or with more sources, each player's points stand in lines of their own. */
const narrow = matchMedia("(max-width: 639px)");
const MOST_ACROSS = 6;
const BACK = ["ArrowLeft", ","];
/** So many results of one's own are remembered. */
const MOST_KEPT = 10;

/** @typedef {import("./types.js").View} View */

export class Result {
  /** @param {(error: Error) => void} onWrong */
  constructor(onWrong) {
    this.onWrong = onWrong;
    this.dialog = byId("result");
    this.seen = false;
    /** The deal that this game has become. */
    this.deal = "";
    byId("result-open").addEventListener("click", () => this.#open());
    this.dialog.addEventListener("keydown", (/** @type {any} */ event) => this.#leave(event));
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
    if (view.deal) byId("challenge")?.replaceWith(toDeal(view.deal));
    if (view.rematch) byId("rematch")?.replaceWith(el("a", { class: "button primary", href: view.rematch }, say("to_rematch")));
  }

  /** Opens by itself once, when the last motion has ended. @param {View} view */
  present(view) {
    if (!view.result || this.seen) return;
    this.seen = true;
    this.#open();
    const bots = view.seats.filter((seat) => seat.kind === "bot").length;
    if (view.result.review && view.you.seats.length + bots === view.seats.length) get(`/api/games/${view.id}/review`).catch(() => {}); // it begins
  }

  /** A key that walks back through the game leads away from its result, unless it scrolls the points. @param {any} event */
  #leave({ key, target, shiftKey, altKey, ctrlKey, metaKey }) {
    const plain = !(shiftKey || altKey || ctrlKey || metaKey);
    if (plain && BACK.includes(key) && !target.closest(".scroll")) this.dialog.close();
  }

  /** Whoever has won is seen first, although a button far below has the focus. */
  #open() {
    this.dialog.showModal();
    this.dialog.scrollTop = 0;
  }

  /** @param {View} view */
  #draw(view) {
    byId("result-title").textContent = view.result?.verdict || winners(view);
    byId("result-table").replaceChildren(...table(view));
    const stack = () => byId("result-table").classList.toggle("stacked", narrow.matches || (view.result?.sources.length ?? 0) > MOST_ACROSS);
    stack();
    narrow.onchange = stack;
    byId("result-more").replaceChildren(
      ...(!view.practice && !view.deal && view.seats.length === 1 && view.seats[0].mine && view.seats[0].kind === "person" ? [personalBest(view)] : []),
      view.result?.hindsight ? this.#hindsight(view) : "",
    );
    const rematch = { id: "rematch", type: "button", autofocus: !view.result?.review, onclick: () => this.#rematch(view) };
    const challenge = { id: "challenge", type: "button", title: say("challenge_about"), onclick: () => this.#challenge(view) };
    byId("result-next").replaceChildren(
      view.result?.review ? el("a", { id: "to-review", class: "button primary", autofocus: true, href: `${root}/t/${view.id}/review` }, say("review")) : "",
      view.you.seats.length ? el("button", rematch, say("rematch")) : "",
      view.deal ? toDeal(view.deal) : view.result?.challenge ? el("button", challenge, say("challenge")) : "",
      el("button", { type: "button", autofocus: !view.you.seats.length && !view.result?.review, onclick: () => this.dialog.close() }, say("look_at_board")),
      el("a", { class: "button", href: `${root}/` }, say("other_game")),
      view.deal ? "" : el("a", { class: "quiet-link", href: `${root}/daily` }, say("daily_deals")),
    );
    const at = `${root}/api/games/${view.id}`;
    const text = () => `${summary(view)}\n${new URL(view.deal || this.deal || view.url, location.href).href}`;
    byId("result-share").replaceChildren(
      "share" in navigator ? el("button", { type: "button", onclick: () => share(text()) }, say("share")) : "",
      el("button", { type: "button", onclick: (/** @type {any} */ event) => copy(text(), event.currentTarget) }, say("copy_text")),
      el("a", { href: `${at}/picture.png?shape=wide`, download: `${view.game}-${view.id}.png` }, say("picture")),
      el("a", { href: `${at}/picture.svg?theme=light&shape=wide`, download: `${view.game}-${view.id}.svg` }, "SVG"),
      el("a", { href: `${at}/record`, download: `${view.game}-${view.id}.txt` }, say("record")),
    );
    byId("result-proof").replaceChildren(
      el("dt", {}, say("commitment")),
      el("dd", {}, el("code", {}, view.commitment)),
      el("dt", {}, say("seed")),
      el("dd", {}, view.seed === null && view.deal ? say("sealed") : el("code", {}, view.seed ?? "")),
      el("dd", {}, el("a", { href: `${root}/verify?game=${view.id}` }, say("verify"))),
    );
  }

  /** What would have been possible, when somebody asks. @param {View} view */
  #hindsight(view) {
    const show = async () => {
      button.disabled = true;
      try {
        button.replaceWith(possible(view, await get(`/api/games/${view.id}/hindsight`)));
      } catch (error) {
        this.dialog.close();
        this.onWrong(/** @type {Error} */ (error));
      }
    };
    const button = el("button", { type: "button", onclick: show }, say("what_was_possible"));
    return button;
  }

  /** A link with which others play the same. @param {View} view */
  async #challenge(view) {
    try {
      const { url } = await postOnce(`/api/games/${view.id}/challenge`);
      this.deal = url;
      byId("challenge")?.replaceWith(toDeal(url)); // unless the next view was faster
      const copied = await copy(new URL(url, location.href).href);
      byId("result-more").append(el("p", { role: "status" }, say(copied ? "challenge_copied" : "challenge_about")));
      byId("to-deal")?.focus();
    } catch (error) {
      this.dialog.close();
      this.onWrong(/** @type {Error} */ (error));
    }
  }

  /** @param {View} view */
  async #rematch(view) {
    try {
      location.href = (await postOnce(`/api/games/${view.id}/rematch`)).url;
    } catch (error) {
      this.dialog.close();
      this.onWrong(/** @type {Error} */ (error));
    }
  }
}

/** @param {string} url */
const toDeal = (url) => el("a", { id: "to-deal", class: "button", href: url }, say("to_deal"));

/** @param {View} view */
function winners(view) {
  const { ranks = [], scores = [] } = view.result ?? {};
  const first = view.seats.filter((_, index) => ranks[index] === 1);
  const points = minus(scores[ranks.indexOf(1)]);
  const names = first.map((seat) => seat.called);
  if (first.length > 1) return say("shared_win", { names: new Intl.ListFormat(document.documentElement.lang).format(names), points });
  const screen = view.you.seats.length > 1;
  return first[0].mine && !screen ? say("you_win", { points }) : say("wins", { name: names[0], points });
}

/** Players down in the order of their ranks, sources across; where it is narrow each source stands with its name.
 * @param {View} view */
function table(view) {
  const { sources = [], scores = [], ranks = [] } = view.result ?? {};
  const order = view.seats.map((_, index) => index).sort((a, b) => ranks[a] - ranks[b]);
  const columns = [...sources.map(({ name, points }) => ({ name, points, kind: null })), { name: say("total"), points: scores, kind: "total" }];
  const row = (/** @type {number} */ i) =>
    el(
      "tr",
      { class: ranks[i] === 1 ? "best" : null },
      el("th", { scope: "row" }, order.length > 1 ? el("span", { class: "rank" }, `${ranks[i]}. `) : "", view.seats[i].name),
      ...columns.map(({ name, points, kind }) => el("td", { class: kind, "data-source": name }, minus(points[i]))),
    );
  const head = columns.map(({ name, kind }) => el("th", { scope: "col", class: kind }, name));
  return [el("thead", {}, el("tr", {}, el("td", {}), ...head)), el("tbody", {}, ...order.map(row))];
}

/** The best results of this browser in this kind of game, with this one among them. @param {View} view */
function personalBest(view) {
  const place = `mozaika.best.${view.game}.${Object.values(view.options).join(".")}`;
  const mine = { points: view.result?.scores[0] ?? 0, url: view.url, at: Date.now() };
  /** @type {(typeof mine)[]} */
  const kept = recall(place, []);
  const known = kept.filter((each) => each.url !== mine.url || each.points !== mine.points);
  const best = [...known, mine].sort((a, b) => b.points - a.points || a.at - b.at).slice(0, MOST_KEPT);
  keep(place, best);
  const date = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium" });
  const entry = (/** @type {typeof mine} */ each) =>
    el(
      "li",
      { "aria-current": each === mine ? "true" : null },
      el("b", {}, minus(each.points)),
      " ",
      each === mine ? say("this_game") : el("a", { href: each.url }, date.format(new Date(each.at))),
    );
  return el("section", { class: "best-list" }, el("h3", {}, say("personal_best")), el("ol", {}, ...best.map(entry)));
}

/** @param {View} view @param {import("./types.js").Part[]} parts */
function possible(view, parts) {
  /** @param {"made" | "possible"} key @param {number} seat */
  const sum = (key, seat) => parts.reduce((points, part) => points + part[key][seat], 0);
  /** @param {string} name @param {number[]} made @param {number[]} most */
  const row = (name, made, most) =>
    el("tr", {}, el("th", { scope: "row" }, name), ...made.map((points, seat) => el("td", {}, say("n_of", { n: minus(points), all: minus(most[seat]) }))));
  const seats = view.seats.map((_, seat) => seat);
  return el(
    "table",
    {},
    el("caption", {}, say("possible_caption")),
    el("thead", {}, el("tr", {}, el("td", {}), ...view.seats.map((seat) => el("th", { scope: "col" }, seat.name)))),
    el("tbody", {}, ...parts.map((part) => row(part.name, part.made, part.possible))),
    el("tfoot", {}, row(say("total"), seats.map((seat) => sum("made", seat)), seats.map((seat) => sum("possible", seat)))),
  );
}

/** @param {View} view */
function summary(view) {
  const { scores = [], ranks = [] } = view.result ?? {};
  const order = view.seats.map((_, index) => index).sort((a, b) => ranks[a] - ranks[b]);
  return `${view.game_name}: ${order.map((i) => `${view.seats[i].called} ${minus(scores[i])}`).join(", ")}`;
}

/** @param {string} text */
function share(text) {
  navigator.share({ text }).catch(() => {});
}
