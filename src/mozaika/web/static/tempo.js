/** How long motions take. What one player does in a turn adds up to a second at most, whatever it is made of; who has seen
 * enough hurries all of it. Nothing here knows the page.
 */

/** Milliseconds for all that a player does in one turn. */
export const TURN = 1000;
/** What a single move takes of them, and the part of that for which it rests before the next one. */
const MOVE = 640;
const REST = 0.2;
/** How much faster each move that waits makes the one before it. */
const HURRY = 0.3;
/** What a move takes of what is left of its turn. */
const SHARE = 0.64;

export class Tempo {
  /** @param {() => number} pace how much of its usual time a motion takes */
  constructor(pace) {
    this.pace = pace;
    /** Whose turn is shown; nobody's before the first. */
    this.mover = -1;
    this.left = TURN;
    this.hurried = false;
  }

  /** The time of the next move of somebody. @param {number} mover @param {boolean} [own] whether nobody waits for it
   * @param {number} [waiting] how many moves wait behind it: they hurry it a little
   * @returns {{motion: number, rest: number}} */
  next(mover, own = false, waiting = 0) {
    if (own || mover !== this.mover) this.left = TURN;
    this.mover = mover;
    const time = Math.min(MOVE, SHARE * this.left) / (1 + HURRY * waiting);
    this.left -= time;
    const pace = this.hurried ? 0 : this.pace();
    return { motion: time * (1 - REST) * pace, rest: time * REST * pace };
  }

  /** Everything has been shown: the next motion takes its time again. */
  calm() {
    this.hurried = false;
  }
}
