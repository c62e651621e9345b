/** Moments are played one after the other, and of too many only the last. */

import assert from "node:assert/strict";
import test from "node:test";

import { Queue } from "./queue.js";

const turn = () => new Promise((go) => setTimeout(go, 1));

test("what comes while one is played waits for it", async () => {
  const played = [];
  const queue = new Queue(async (each, last) => {
    played.push(each);
    await turn();
    played.push(last());
  }, 14);
  const done = queue.add([1]);
  queue.add([2]);
  await done;
  assert.deepEqual(played, [1, false, 2, true]);
  assert.equal(queue.playing, false);
});

test("of more than it can take the last two are played, and only the last if nothing else matters", async () => {
  const played = [];
  const queue = new Queue(async (each) => void (played.push(each), await turn()), 3);
  const done = queue.add([1]);
  queue.add([2, 3, 4, 5]);
  await done;
  assert.deepEqual(played, [1, 4, 5]);
  await queue.add([6, 7], true);
  assert.deepEqual(played, [1, 4, 5, 7]);
});

test("what was cleared is not played", async () => {
  const played = [];
  const queue = new Queue(async (each) => void (played.push(each), await turn()), 14);
  const done = queue.add([1, 2]);
  queue.clear();
  await done;
  assert.deepEqual(played, [1]);
});
