/** Motions of one turn never add up to more than a second. */

import assert from "node:assert/strict";
import test from "node:test";

import { TURN, Tempo } from "./tempo.js";

const total = (tempo, moves, mover = 1) =>
  Array.from({ length: moves }, () => tempo.next(mover)).reduce((sum, { motion, rest }) => sum + motion + rest, 0);

test("however many moves a turn has, it takes a second at most, and fast half of it", () => {
  for (const moves of [1, 2, 3, 8, 40]) {
    assert.ok(total(new Tempo(() => 1), moves) <= TURN + 0.001);
    assert.ok(total(new Tempo(() => 0.5), moves) <= TURN / 2 + 0.001);
  }
  assert.equal(TURN, 1000);
});

test("every move of a turn is to be seen, and the next player has a whole turn again", () => {
  const tempo = new Tempo(() => 1);
  const first = tempo.next(1);
  assert.ok(tempo.next(1).motion > 100);
  assert.deepEqual(tempo.next(2), first);
  tempo.next(2);
  assert.deepEqual(tempo.next(2, true), first, "one's own moves take no time from each other");
});

test("who has seen enough waits for nothing more, until everything is shown", () => {
  const tempo = new Tempo(() => 1);
  tempo.hurried = true;
  assert.equal(total(tempo, 3), 0);
  tempo.calm();
  assert.ok(total(tempo, 1, 2) > 0);
});
