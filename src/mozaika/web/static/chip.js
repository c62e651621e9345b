/** What stands beside a ghost, of one size on the screen: the points it brings, and a ✓ that makes the move. */

import { signed, svg } from "./dom.js";

/** Pixels: the height of both, the width of the points. */
const [DOWN, ACROSS, GAP] = [30, 46, 4];

/** @param {SVGSVGElement} root @param {{x: number, y: number, width: number} | undefined} box what it stands beside
 * @param {number} points @param {(() => void) | null} play @param {number} [most] it goes no further to the right */
export function beside(root, box, points, play, most = Infinity) {
  if (!box) return [];
  const view = root.viewBox.baseVal;
  const unit = view.width / (root.clientWidth || view.width);
  const down = DOWN * unit * (play && matchMedia("(pointer: coarse)").matches ? 1.35 : 1);
  const widths = [points ? ACROSS * unit : 0, play ? down : 0];
  const whole = widths[0] + widths[1] + (points && play ? GAP * unit : 0);
  const left = Math.max(2 * unit, Math.min(box.x + box.width - ACROSS * unit / 3, Math.min(view.width - 2 * unit, most) - whole));
  const top = Math.min(Math.max(2 * unit, box.y - down * 0.7), view.height - down);
  const at = { left, top, down, unit };
  const told = points ? [chip(at, widths[0], points)] : [];
  return play ? [...told, tick({ ...at, left: left + whole - down }, play)] : told;
}

/** @param {{left: number, top: number, down: number, unit: number}} at @param {number} across @param {number} points */
function chip({ left, top, down, unit }, across, points) {
  return svg(
    "g",
    { class: points > 0 ? "chip gain" : "chip loss" },
    svg("rect", { x: left, y: top, width: across, height: down, rx: down / 2 }),
    svg("text", { x: left + across / 2, y: top + down / 2 + 6 * unit, "font-size": 17 * unit }, signed(points)),
  );
}

/** For mouse and finger; keys and screen readers have the button in the bar.
 * @param {{left: number, top: number, down: number, unit: number}} at @param {() => void} play */
function tick({ left, top, down, unit }, play) {
  const d = `M${left + down * 0.28} ${top + down * 0.52}l${down * 0.16} ${down * 0.17}l${down * 0.3} ${-down * 0.36}`;
  return svg(
    "g",
    { class: "tick", onclick: play },
    svg("circle", { cx: left + down / 2, cy: top + down / 2, r: down / 2 }),
    svg("path", { d, "stroke-width": 3 * unit }),
  );
}
