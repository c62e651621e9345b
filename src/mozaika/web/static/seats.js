/** Who sits where: names, points, whose turn, and how a seat changes hands. */

import { postOnce } from "./api.js";
import { entitle, fitting, rate } from "./bots.js";
import { byId, copy, el, minus, say, whenChanged } from "./dom.js";
import { change, settings } from "./settings.js";

/** @typedef {import("./types.js").View} View @typedef {import("./types.js").SeatView} Seat
 * @typedef {import("./types.js").You} You */

export class Seats {
  /**
   * @param {string} id
   * @param {import("./bots.js").Bot[]} bots
   * @param {{link: () => Promise<string>, wrong: (error: Error) => void}} on
   */
  constructor(id, bots, on) {
    this.id = id;
    this.bots = bots;
    this.on = on;
    this.players = 0;
    this.panel = byId("seats");
    this.welcome = whenChanged((/** @type {number} */ free, /** @type {boolean} */ invites) => this.#welcome(free, invites));
    this.draw = whenChanged((/** @type {Seat[]} */ seats, /** @type {You} */ you, /** @type {boolean} */ over, /** @type {boolean} */ past) =>
      this.#draw(seats, you, over, past),
    );
  }

  /** @param {View} view @param {boolean} past whether another moment than now is shown: then seats stay as they are */
  update(view, past) {
    this.hooks = view.hooks;
    this.players = view.seats.length;
    this.draw(view.seats, view.you, view.over, past || Boolean(view.deal)); // at a deal everybody stays
  }

  #draw(/** @type {Seat[]} */ seats, /** @type {You} */ you, /** @type {boolean} */ over, /** @type {boolean} */ past) {
    const within = this.panel.contains(document.activeElement);
    const open = [...this.panel.querySelectorAll(".seat")].findIndex((seat) => seat.querySelector("details[open]"));
    const free = !over && seats.some((seat) => seat.kind === "open");
    const guest = free && you.admitted && !you.seats.length;
    this.panel.replaceChildren(
      el("ol", { class: "seats" }, ...seats.map((seat, index) => this.#seat(seat, index + 1, you, over || past))),
      !you.seats.length && !guest ? el("p", { class: "quiet" }, say("you_watch")) : "",
    );
    const menu = this.panel.querySelectorAll(".seat")[open]?.querySelector("details");
    if (menu) menu.open = true; // who was choosing goes on
    if (within) (menu ?? this.panel).querySelector("summary")?.focus();
    this.welcome(guest ? seats.findIndex((seat) => seat.kind === "open") + 1 : 0, free && you.owner);
  }

  #seat(/** @type {Seat} */ seat, /** @type {number} */ number, /** @type {You} */ you, /** @type {boolean} */ fixed) {
    const name = seat.kind === "open" ? say("open_seat") : seat.name;
    const bot = seat.kind === "bot" ? this.bots.find(({ id }) => id === seat.bot) : null;
    const bare = name.replace(/ \d+$/, "");
    const told = seat.bot_label === bare || seat.bot_label.startsWith(`${bare} (`);
    const level = seat.kind === "bot" && !told && seat.bot_label;
    const self = seat.mine && seat.kind !== "bot" && (seat.called === name ? say("you") : seat.called);
    const about = [self, [level, rate(bot)].filter(Boolean).join(" · ")];
    const presence = seat.kind === "person" ? say(seat.online ? "online" : "away") : "";
    return el(
      "li",
      { class: `seat seat-${number}${seat.to_move ? " to-move" : ""}` },
      el("span", { class: `presence ${seat.kind}${seat.online ? " online" : ""}`, title: presence || null }),
      el(
        "span",
        { class: "name", title: bot?.about || bot?.label || null },
        name,
        ...about.filter(Boolean).map((text) => el("small", {}, text)),
        presence && el("span", { class: "hidden" }, presence),
        seat.to_move && el("span", { class: "hidden" }, say("to_move")),
      ),
      el("span", { class: "score", title: say("points") }, minus(seat.score)),
      !fixed && this.#menu(seat, number, you),
    );
  }

  /** What the viewer may do with a seat. */
  #menu(/** @type {Seat} */ seat, /** @type {number} */ number, /** @type {You} */ you) {
    const act = (/** @type {string} */ action, more = {}) => () => this.act(number, { action, ...more });
    /** @param {string} text @param {() => void} onclick @param {string | null} [title] */
    const entry = (text, onclick, title) => el("button", { type: "button", onclick: (/** @type {Event} */ event) => choose(event, onclick), title }, text);
    const entries = [];
    const toBots = () =>
      fitting(this.bots, this.players).map((bot) => entry(say("let_bot_play", { bot: entitle(bot) }), act("bot", { bot: bot.id }), bot.about || null));
    if (seat.kind === "open" && you.admitted) entries.push(entry(say("sit_down"), () => this.sit(number)));
    if (seat.kind === "open" && you.owner) entries.push(...toBots());
    if (seat.kind === "person" && seat.mine) entries.push(...toBots(), entry(say("leave"), act("leave")));
    if (seat.mine && this.hooks) entries.push(entry(say("call_address"), () => this.hook(number)));
    if (seat.kind === "bot" && seat.mine) entries.push(entry(say("take_back"), act("back")));
    else if (seat.kind === "bot" && you.owner) entries.push(entry(say("sit_here"), () => this.sit(number)));
    if (you.owner && seat.removable) entries.push(entry(say("remove"), () => this.remove(number, seat.called)));
    if (!entries.length) return null;
    return el(
      "details",
      { class: "menu", onfocusout: closeWhenLeft, onkeydown: closeOnEscape },
      el("summary", { "aria-label": say("seat_menu", { n: number }), title: say("seat_menu", { n: number }) }, "⋯"),
      el("div", {}, ...entries),
    );
  }

  /** At the door: a guest who came by the link sits down, the owner invites. */
  #welcome(/** @type {number} */ free, /** @type {boolean} */ invites) {
    byId("door").replaceChildren(free ? this.#nameForm(free) : "", !free && invites ? this.#invitation() : "");
  }

  #nameForm(/** @type {number} */ free) {
    const sit = (/** @type {Event} */ event) => {
      event.preventDefault();
      this.sit(free);
    };
    return el(
      "form",
      { onsubmit: sit },
      el("label", { for: "guest-name" }, say("your_name")),
      el("input", { id: "guest-name", maxlength: 40, autocomplete: "nickname", value: settings.name }),
      el("button", { class: "primary" }, say("sit_down")),
    );
  }

  #invitation() {
    const share = async () => navigator.share({ title: document.title, url: await this.on.link() }).catch(() => {});
    const give = async (/** @type {Event} */ event) => {
      const button = /** @type {HTMLElement} */ (event.currentTarget);
      copy(await this.on.link(), button);
    };
    return el(
      "form",
      {},
      el("p", {}, say("invite")),
      el("button", { type: "button", onclick: give }, say("copy_link")),
      "share" in navigator && el("button", { type: "button", onclick: share }, say("send_link")),
    );
  }

  /** @param {number} number */
  sit(number) {
    const name = (byId("guest-name")?.value ?? settings.name).trim();
    change({ name });
    return this.act(number, { action: "sit", ...(name && { name }) });
  }

  /** The owner asks somebody to leave. @param {number} number @param {string} name */
  remove(number, name) {
    if (confirm(say("remove_sure", { name }))) this.act(number, { action: "remove" });
  }

  /** An address of the player's own that the server calls at each turn. @param {number} number */
  async hook(number) {
    const url = prompt(say("which_address"), "https://");
    if (url === null) return;
    const made = await this.act(`${number}/hook`, { url: url === "https://" ? "" : url });
    if (made && url !== "https://" && url) prompt(say("hook_key"), made.key);
  }

  /** @param {number | string} number @param {object} body */
  async act(number, body) {
    try {
      return await postOnce(`/api/games/${this.id}/seats/${number}`, body);
    } catch (error) {
      this.on.wrong(/** @type {Error} */ (error));
      return null;
    }
  }
}

/** What was chosen closes the menu. @param {Event} event @param {() => void} act */
function choose(event, act) {
  /** @type {Element} */ (event.currentTarget).closest("details")?.removeAttribute("open");
  act();
}

/** @param {FocusEvent} event */
function closeWhenLeft(event) {
  const menu = /** @type {HTMLDetailsElement} */ (event.currentTarget);
  if (event.relatedTarget && !menu.contains(/** @type {Node} */ (event.relatedTarget))) menu.open = false;
}

/** @param {KeyboardEvent} event */
function closeOnEscape(event) {
  if (event.key !== "Escape") return;
  const menu = /** @type {HTMLDetailsElement} */ (event.currentTarget);
  menu.open = false;
  menu.querySelector("summary")?.focus();
  event.stopPropagation();
}
