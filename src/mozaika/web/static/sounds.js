/** Small sounds, made here: nothing is loaded, and nothing sounds unless somebody has switched them on. */

import { settings } from "./settings.js";

/** The notes of each: pitch in hertz, when it begins and how long it fades in seconds, how loud, and its wave.
 * @type {Record<string, [number, number, number, number, OscillatorType?][]>} */
export const SOUNDS = {
  // two strokes of a bell
  turn: [[659.3, 0, 0.5, 0.12], [987.8, 0.14, 0.5, 0.12]],
  // a tile on wood
  place: [[1318.5, 0, 0.03, 0.05, "triangle"], [330, 0, 0.09, 0.1, "triangle"], [165, 0, 0.12, 0.08]],
  // two bars of a marimba
  score: [[784, 0, 0.2, 0.09], [1174.7, 0.09, 0.28, 0.09]],
  // a chord that opens
  end: [[392, 0, 0.7, 0.07], [523.3, 0.12, 0.7, 0.07], [659.3, 0.24, 0.7, 0.07], [784, 0.36, 0.8, 0.08]],
};
const ATTACK = 0.008;
const SILENT = 0.0001;

/** @type {AudioContext | null} */
let audio = null;

/** @param {string} name */
export function sound(name) {
  if (!settings.sound) return;
  audio ??= new AudioContext();
  audio.resume().catch(() => {});
  for (const [pitch, wait, fade, loud, wave = "sine"] of SOUNDS[name]) {
    const [note, volume] = [audio.createOscillator(), audio.createGain()];
    const start = audio.currentTime + wait;
    note.type = wave;
    note.frequency.value = pitch;
    volume.gain.setValueAtTime(SILENT, start);
    volume.gain.exponentialRampToValueAtTime(loud, start + ATTACK);
    volume.gain.exponentialRampToValueAtTime(SILENT, start + fade);
    note.connect(volume).connect(audio.destination);
    note.start(start);
    note.stop(start + fade);
  }
}

/** What is heard of a change of the table: its end, points, or that something lies elsewhere.
 * @param {import("./types.js").View} before @param {import("./types.js").View} view */
export function hear(before, view) {
  if (view.ply <= before.ply) return;
  const points = view.seats.some((seat, index) => seat.score > before.seats[index].score);
  const ended = view.over && view.now && !(before.over && before.now);
  sound(ended ? "end" : points ? "score" : "place");
}
