/** What a browser finds out about a server that cheats it, from the views that it is sent. */

import assert from "node:assert/strict";
import test from "node:test";

import { commitmentOf, pledgeOf } from "./proof.js";

class Box {
  constructor() {
    this.told = [];
  }
  append(...parts) {
    this.told.push(...parts);
  }
  replaceChildren(...parts) {
    this.told = parts;
  }
  get keys() {
    return this.told.flatMap((part) => (part instanceof Box ? part.keys : [part]));
  }
}
const [boxes, storage, sent] = [{}, {}, []];
globalThis.document = { getElementById: (id) => (id === "text" ? null : (boxes[id] ??= new Box())), createElement: () => new Box(), addEventListener() {} };
globalThis.localStorage = { getItem: (name) => storage[name] ?? null, setItem: (name, text) => (storage[name] = text) };
globalThis.matchMedia = () => ({ matches: false, addEventListener() {} });
globalThis.crypto ??= (await import("node:crypto")).webcrypto;
let record = "";
globalThis.fetch = async (_, { body } = {}) => {
  if (body) sent.push(JSON.parse(body));
  return { ok: record !== "", status: 403, headers: new Map(), json: async () => ({}), text: async () => record };
};
const { Part } = await import("./part.js");

const secret = "5".repeat(64);
let tables = 0;

/** A game of Ann, who cheats with the server, and of the browser's own player on seat 2. */
class Game {
  constructor() {
    this.id = `t${tables++}`;
    this.open();
  }
  open() {
    this.part = new Part(this.id);
  }
  epoch(change = {}) {
    const epoch = { number: 1, stage: "pledging", ply: 0, alone: false, parties: [], ...change };
    epoch.commitment ??= commitmentOf(this.id, { ...epoch, secret });
    return epoch;
  }
  party(epoch, seat, number, shown = true) {
    const pledge = number && pledgeOf(this.id, epoch.number, this.epoch({ number: epoch.number }).commitment, `${seat}`, number);
    return { seats: [seat], mine: seat === 2, pledge, shown: shown && Boolean(number), silent: false };
  }
  /** Both with their numbers, as the server says. */
  at(stage, ann, mine, { number = 1, ply = 0, shown = stage === "settled" } = {}) {
    return this.epoch({ number, stage, ply, parties: [this.party({ number }, 1, ann, shown), this.party({ number }, 2, mine, shown)] });
  }
  async see(epochs, over = false, plies = 9, third = "bot") {
    const seats = [{ kind: "person", mine: false }, { kind: "person", mine: true }, { kind: third, mine: false }];
    const you = { seats: [2], owner: false };
    this.part.update({ lesson: null, deal: "", seed: null, plies, over, you, seats, fair: { epochs, position: false } });
    for (let turn = 0; turn < 20; turn++) await null;
    await new Promise((go) => setTimeout(go, 0));
  }
  /** The record of one epoch, as the server writes it. */
  write(epoch, numbers) {
    const said = numbers.flatMap((number, at) => [`epoch 1 seat ${at + 1} pledge: ${epoch.parties[at].pledge}`, `epoch 1 seat ${at + 1} contribution: ${number}`]);
    record = ["Mozaika record 1", "Draws: epochs/1", `Table: ${this.id}`, "epoch 1: settled", `epoch 1 commitment: ${epoch.commitment}`, `epoch 1 secret: ${secret}`, ...said, "chance: a", ""].join("\n");
  }
  async end(epoch, numbers) {
    this.write(epoch, numbers);
    await this.see([epoch], true);
  }
  get alarm() {
    return boxes.alarm.keys;
  }
  get checked() {
    return boxes["result-checked"].keys;
  }
}

const [ann, other, madeUp] = ["a", "b", "c"].map((digit) => digit.repeat(64));

/** What this browser pledges and shows when it is asked honestly. */
async function play(game) {
  await game.see([game.at("pledging", ann, "")]);
  const { pledge } = sent.at(-1);
  const asked = game.at("showing", ann, "");
  asked.parties[1].pledge = pledge;
  await game.see([asked]);
  return sent.at(-1).contribution;
}

test("an honest game is found right", async () => {
  const game = new Game();
  const mine = await play(game);
  await game.end(game.at("settled", ann, mine), [ann, mine]);
  assert.deepEqual(game.alarm, []);
  assert.deepEqual(game.checked, ["proof_part", "proof_mine", "proof_kept"]);
});

test("a number that the server makes up for this browser is not taken for its own", async () => {
  const game = new Game();
  await game.see([game.at("showing", ann, madeUp)]);
  const settled = game.at("settled", ann, madeUp);
  await game.see([settled]);
  assert.deepEqual(game.alarm, ["draws_left_out"]);
  await game.end(settled, [ann, madeUp]);
  assert.deepEqual(game.alarm, ["draws_left_out", "proof_not_own"]);
});

test("nor is one of an epoch that it is shown when that is settled", async () => {
  const game = new Game();
  const settled = game.at("settled", ann, madeUp);
  await game.see([settled]);
  assert.deepEqual(game.alarm, ["draws_left_out"]);
  await game.end(settled, [ann, madeUp]);
  assert.ok(game.checked.includes("not_proven proof_not_own"), "who has forgotten all cannot know more");
});

test("what it has forgotten of its own number it knows again", async () => {
  const game = new Game();
  const mine = await play(game);
  delete storage[`mozaika.draws.${game.id}`];
  game.open();
  await game.end(game.at("settled", ann, mine), [ann, mine]);
  assert.deepEqual(game.alarm, []);
  assert.ok(game.checked.includes("proof_mine"));
});

test("who has seen its number cannot pledge another to a page that was reloaded", async () => {
  const game = new Game();
  const mine = await play(game);
  game.open();
  await game.see([game.at("showing", other, mine)]);
  await game.end(game.at("settled", other, mine), [other, mine]);
  assert.deepEqual(game.alarm, ["proof_not_pledged"]);
});

test("what was drawn before it came stays said when others come and go", async () => {
  const game = new Game();
  const before = game.epoch({ number: 0, stage: "settled", alone: true, commitment: "0".repeat(64) });
  await play(game);
  const mine = sent.at(-1).contribution;
  const first = game.at("settled", ann, mine, { ply: 6 });
  await game.see([before, first]);
  assert.deepEqual(game.alarm, ["draws_before_you"]);
  const next = game.at("settled", other, mine, { number: 2, ply: 6 });
  await game.see([first, next]);
  assert.ok(game.alarm.includes("draws_before_you"));
});

test("but not where all was dealt anew", async () => {
  const game = new Game();
  await game.see([game.epoch({ number: 0, stage: "settled", alone: true, commitment: "0".repeat(64) })]);
  const mine = await play(game);
  const first = game.at("settled", ann, mine);
  await game.see([first]);
  await game.see([first, game.at("settled", ann, "", { number: 2, ply: 6 })]);
  assert.ok(!game.alarm.includes("draws_before_you"));
});

test("a server that gives no record has proven nothing", async () => {
  const game = new Game();
  const mine = await play(game);
  record = "";
  await game.see([game.at("settled", ann, mine)], true);
  assert.deepEqual(game.checked, ["not_proven proof_refused"]);
  await game.end(game.at("settled", ann, mine), [ann, mine]);
  assert.deepEqual(game.checked, ["proof_part", "proof_mine", "proof_kept"], "it is asked again");
});

test("a server that tells of no epoch and plays on is not trusted", async () => {
  const game = new Game();
  await game.see([], false, 3);
  assert.deepEqual(game.alarm, []);
  await game.see([], false, 4);
  assert.deepEqual(game.alarm, ["draws_left_out"]);
  game.write(game.at("settled", ann, madeUp), [ann, madeUp]);
  await game.see([], true, 5);
  assert.ok(game.checked.includes("not_proven proof_unseen"));
});

test("where a seat is free moves are made before there is an epoch", async () => {
  const game = new Game();
  for (const plies of [3, 4]) await game.see([], false, plies, "open");
  for (const plies of [5, 6]) await game.see([game.at("dropped", "", "")], false, plies, "open");
  assert.deepEqual(game.alarm, []);
  const mine = await play(game);
  const settled = game.at("settled", ann, mine);
  const attempt = game.epoch({ number: 2, stage: "dropped", ply: 8 });
  for (const plies of [8, 9]) await game.see([settled, attempt], false, plies);
  assert.deepEqual(game.alarm, [], "a bot has come instead, and the draws are still theirs");
});
