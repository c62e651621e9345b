/** The longest turn of a bot in a told game, by the clock of whoever waits for it: from when all of the turn before has been
 * shown. Read from a file: the plies of the lines that are told, and for each ply who has moved, whether it has a glimpse, and
 * for how long what it leaves wants to be looked at. */

import { readFileSync } from "node:fs";

import { Tempo } from "./tempo.js";
import { Told } from "./told.js";

/** Milliseconds in which a page draws a moment. */
const DRAWING = 20;

/** @param {{plies: number, lines: {ply: number}[], moments: [number, boolean, number][]}} game
 * @param {number} pace @param {number} late milliseconds for which every turn is waited for */
function longest({ plies, lines, moments }, pace, late) {
  const told = Object.assign(new Told(), { lines });
  let [now, began, mover, most] = [0, 0, -1, 0];
  const tempo = new Tempo(() => pace, () => now);
  const shown = told.steps(plies).map((ply) => moments[ply]);
  for (const [index, [who, glimpse, pause]] of shown.entries()) {
    const next = shown.findIndex(([other], later) => later > index && other !== who);
    const waiting = (next < 0 ? shown.length : next) - index - 1;
    if (who !== mover) [began, now] = [tempo.arrived, Math.max(now, tempo.arrived + late)];
    mover = who;
    now += DRAWING;
    const { motion, look, rest } = tempo.next(who, { own: who === 1, bot: who > 1, awaited: who > 1, waiting, glimpse, pause });
    now += motion + (glimpse ? look + motion : 0);
    tempo.arrive();
    if (who > 1) most = Math.max(most, now - began);
    now += rest;
  }
  return most;
}

const games = JSON.parse(readFileSync(process.argv[2], "utf-8"));
const found = [1, 0.5].map((pace) => [0, 100, 300].map((late) => Math.max(...games.map((game) => longest(game, pace, late * pace)))));
console.log(JSON.stringify(found));
