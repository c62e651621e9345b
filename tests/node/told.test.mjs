/** What a browser was told of a game stays right, whatever it missed. */

import assert from "node:assert/strict";
import test from "node:test";

import { Told } from "./told.js";

const line = (ply, text = `move ${ply}`) => ({ ply, text });
const lines = (from, to, text) => Array.from({ length: to - from }, (_, n) => line(from + n, text));
const view = (plies, log_stands, log_from, text) => ({ plies, log_stands, log_from, log: lines(log_from, plies, text) });

test("news are added, and told once", () => {
  const told = new Told();
  assert.equal(told.update(view(3, 0, 0)).length, 3);
  assert.deepEqual(told.update(view(4, 3, 3)), [line(3)]);
  assert.deepEqual(told.update(view(4, 0, 0)), []);
  assert.deepEqual(told.lines, lines(0, 4));
  assert.equal(told.gap, null);
  assert.deepEqual(told.steps(4), [0, 1, 2, 3, 4]);
});

test("what was too much for a view is missing until it is filled in", () => {
  const told = new Told();
  told.update(view(3, 0, 0));
  told.update(view(9, 3, 7));
  assert.deepEqual(told.gap, [3, 7]);
  told.update(view(10, 9, 9));
  assert.deepEqual(told.gap, [3, 9], "an answer that was lost is asked for again");
  told.fill(10, lines(3, 9));
  assert.deepEqual(told.lines, lines(0, 10));
  assert.equal(told.gap, null);
});

test("what was taken back while nobody looked is forgotten", () => {
  const told = new Told();
  told.update(view(30, 0, 0));
  told.update(view(60, 10, 40, "anew"));
  assert.deepEqual(told.gap, [10, 40]);
  told.fill(60, lines(10, 40, "anew"));
  assert.deepEqual(told.lines, [...lines(0, 10), ...lines(10, 60, "anew")]);
});

test("a round that has ended says what brought points in it", () => {
  const told = new Told();
  const scored = (ply, points, closes = false) => ({ ply, text: `points ${ply}`, points, closes });
  const hear = (...log) => told.round(told.update({ plies: log.at(-1).ply + 1, log_stands: log[0].ply, log_from: log[0].ply, log }));
  assert.deepEqual(hear(line(0), scored(1, 3)), []);
  assert.deepEqual(hear(scored(2, 1), scored(2, 0, true), scored(2, 9)), [scored(1, 3), scored(2, 1)]);
  assert.deepEqual(hear(scored(3, 5)), [], "the next round goes on");
  assert.deepEqual(hear(scored(4, -2, true), line(4)), [scored(2, 9), scored(3, 5), scored(4, -2, true)]);
  assert.deepEqual(told.round([]), []);
});
