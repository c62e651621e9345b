/** How long motions take. All that a bot does in a turn takes a second at most, whatever it is made of and however long it
 * was waited for; who has seen enough hurries all of it. Nothing here knows the page.
 */

/** Milliseconds for all that a bot does in one turn. */
export const TURN = 1000;
/** What of them is not planned, at any pace: it goes by with drawing. */
const DRAWN = 120;
/** What is left for a turn that was long waited for. */
const LEAST = 420;
/** Who goes on after so long, when the time is up, was waited for once more. */
const PAUSE = 180;
/** What a single move takes of them, and the part of that for which it rests before the next one. */
const MOVE = 640;
const REST = 0.2;
/** How much faster each move that waits makes the one before it. */
const HURRY = 0.3;
/** What a move takes of what is left of its turn. */
const SHARE = 0.64;
/** For so long what a move takes away again wants to be looked at; in a turn with an end, the part of what is left for
 * that, for its coming and for its going. */
const LOOK = 1000;
const LOOKED = 0.5;
const PASSED = 0.25;

/** @typedef {{motion: number, look: number, rest: number}} Times `motion`: until all has arrived, `look`: for what goes again
 * by a motion of its own, `rest`: before the next move */

export class Tempo {
  /** @param {() => number} pace how much of its usual time a motion takes @param {() => number} [clock] */
  constructor(pace, clock = () => performance.now()) {
    this.pace = pace;
    this.clock = clock;
    /** Whose turn is shown; nobody's before the first. */
    this.mover = -1;
    /** When the last thing had arrived, and when the turn is over. */
    this.arrived = 0;
    this.end = 0;
    this.hurried = false;
  }

  /** The times of the next move of somebody. @param {number} mover
   * @param {{own?: boolean, bot?: boolean, awaited?: boolean, waiting?: number, glimpse?: boolean, pause?: number}} what `own`:
   * nobody waits for its end; `awaited`: it was waited for since the last one; `waiting`: so many moves wait behind it and hurry
   * it a little; `glimpse`: it takes away again what it brings; `pause`: what it leaves wants to be looked at for so long
   * @returns {Times} */
  next(mover, { own = false, bot = false, awaited = false, waiting = 0, glimpse = false, pause = 0 }) {
    const pace = this.hurried ? 0 : this.pace();
    const now = this.clock();
    const again = now >= this.end && now - this.arrived >= PAUSE;
    if (own || again || mover !== this.mover) {
      this.end = Math.max((awaited ? this.arrived : now) + TURN * pace - DRAWN, now + LEAST * pace);
    }
    this.mover = mover;
    const left = Math.max(0, this.end - now);
    const time = Math.min(MOVE * pace, SHARE * left) / (1 + HURRY * waiting);
    const [motion, rest] = [time * (1 - REST), time * REST];
    if (!bot) return { motion, look: glimpse ? LOOK * pace : 0, rest: Math.max(rest, pause * pace) };
    if (glimpse) return { motion: PASSED * left, look: LOOKED * left, rest: 0 };
    return { motion, look: 0, rest: Math.max(rest, Math.min(pause * pace, SHARE * left - motion)) };
  }

  /** What was shown has come to where it goes. */
  arrive() {
    this.arrived = this.clock();
  }

  /** Everything has been shown: the next motion takes its time again. */
  calm() {
    this.hurried = false;
  }
}
