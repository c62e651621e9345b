/** What a choice is about, without a page. */

import assert from "node:assert/strict";
import test from "node:test";

import { Prompts } from "./prompts.js";

const prompts = new Prompts({
  choices: [
    { spots: ["factory-*", "centre"], text: "Take tiles.", at: null },
    { spots: ["line-*", "floor"], text: "Choose a line for {chosen}.", at: null },
    { spots: ["*"], text: "First.", at: 0 },
  ],
  several: "Several things.",
  regret: "floor",
  warning: "{n} fall.",
});

test("a choice has the sentence of its stage", () => {
  assert.equal(prompts.ask(["factory-1", "centre"], []), "Take tiles.");
  assert.equal(prompts.ask(["line-1", "floor"], ["factory 1, 3 blue tiles: here"]), "Choose a line for 3 blue tiles.");
  assert.equal(prompts.ask(["line-1"], ["warsztat 2 daje 12 płytek i znacznik"]), "Choose a line for 12 płytek i znacznik.");
  assert.equal(prompts.ask(["line-1"], ["the moon, some tiles"]), "Choose a line for some tiles.");
  assert.equal(prompts.ask(["anything"], []), "First.");
});

test("choices of several stages have one of their own, and an unknown one has none", () => {
  assert.equal(prompts.ask(["factory-1", "line-1"], []), "Several things.");
  assert.equal(prompts.ask(["anything"], ["something"]), "");
});

test("what comes to a place that one regrets is counted", () => {
  const floor = { name: "floor", x: 0, y: 100, width: 50, height: 10, label: "" };
  assert.equal(prompts.warn([["tile", 5, 100, 10, 0], ["tile", 20, 100, 10, 0], ["tile", 5, 0, 10, 0]], floor), "2 fall.");
  assert.equal(prompts.warn([["tile", 5, 0, 10, 0]], floor), "");
  assert.equal(prompts.warn([["tile", 5, 100, 10, 0]], undefined), "");
});
