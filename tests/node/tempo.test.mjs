/** Motions of one turn of a bot never add up to more than a second. */

import assert from "node:assert/strict";
import test from "node:test";

import { TURN, Tempo } from "./tempo.js";

const BOT = { bot: true, awaited: true };

/** A tempo with a clock of its own, and a way to show a move: how long it takes, its rest included. */
function stand(pace) {
  let now = 0;
  const tempo = new Tempo(() => pace, () => now);
  const show = (mover, what = BOT) => {
    const times = tempo.next(mover, what);
    now += times.motion + (what.glimpse ? times.look + times.motion : 0);
    tempo.arrive();
    now += times.rest;
    return times;
  };
  return { tempo, show, wait: (time) => (now += time), clock: () => now };
}

test("however many moves a turn has, and however it is made up, it takes a second at most, and fast half of it", () => {
  for (const pace of [1, 0.5]) {
    for (const what of [BOT, { ...BOT, pause: 2600 }, { ...BOT, glimpse: true }]) {
      for (const moves of [1, 2, 3, 8, 40]) {
        const { show, clock } = stand(pace);
        for (let move = 0; move < moves; move++) show(1, { ...(move ? BOT : what), waiting: moves - move - 1 });
        assert.ok(clock() <= TURN * pace, `${clock()} ms for ${moves} moves`);
      }
    }
  }
  assert.equal(TURN, 1000);
});

test("what was waited for is part of the turn, and the move is still seen", () => {
  const { show, wait, clock } = stand(1);
  show(1);
  const before = clock();
  wait(500);
  const { motion } = show(2);
  assert.ok(motion > 200);
  assert.ok(clock() - before <= TURN);
  wait(5000);
  assert.ok(show(3).motion > 200);
});

test("every move of a turn is to be seen, and the next player has a whole turn again", () => {
  const { show } = stand(1);
  const first = show(1, { bot: true });
  assert.ok(show(1).motion > 100);
  assert.deepEqual(show(2, { bot: true }), first);
  show(2);
  const own = show(2, { own: true });
  assert.deepEqual(show(2, { own: true }), own, "one's own moves take no time from each other");
});

test("what people do is looked at for as long as it wants", () => {
  const { show } = stand(1);
  assert.equal(show(1, { own: true, glimpse: true }).look, 1000);
  assert.equal(show(2, { pause: 2600 }).rest, 2600);
  assert.ok(show(3, { ...BOT, pause: 2600 }).rest < 500);
});

test("who has seen enough waits for nothing more, until everything is shown", () => {
  const { tempo, show, clock } = stand(1);
  tempo.hurried = true;
  for (let move = 0; move < 3; move++) show(1, { ...BOT, glimpse: move === 1 });
  assert.equal(clock(), 0);
  tempo.calm();
  assert.ok(show(2).motion > 0);
});
