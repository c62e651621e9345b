/** The pure path logic of the page: which walks a path can become. */

import assert from "node:assert/strict";
import test from "node:test";

import { Paths, common, unfold } from "./paths.js";

const walk = (move, ...spots) => ({ move, spots, ghost: [], points: 0 });
const stub = (...spots) => ({ move: "", spots, ghost: [], points: 0, more: true });
const tile = (x) => ["tile", x, 0, 10, 0];
const names = (set) => [...set].sort();

test("ghosts come by their numbers", () => {
  const walks = unfold({ walks: [{ spots: ["a"], move: "A", ghost: [1, 0] }, { spots: ["b"], more: true }], ghosts: [tile(1), tile(2)], later: [] });
  assert.deepEqual(walks[0].ghost, [tile(2), tile(1)]);
  assert.deepEqual(walks[1], { spots: ["b"], more: true, move: "", ghost: [] });
});

test("a path goes on along the walks that begin with it", () => {
  const paths = new Paths([walk("1", "a", "x"), walk("2", "a", "y"), walk("3", "b", "x")]);
  assert.deepEqual(names(paths.onward([])), ["a", "b"]);
  assert.deepEqual(names(paths.onward(["a"])), ["x", "y"]);
  assert.deepEqual(paths.complete(["b", "x"]).map((each) => each.move), ["3"]);
  assert.deepEqual(paths.complete([]), []);
});

test("a walk can end where another goes on", () => {
  const paths = new Paths([walk("stop", "a"), walk("on", "a", "x")]);
  assert.deepEqual(paths.complete(["a"]).map((each) => each.move), ["stop"]);
  assert.deepEqual(names(paths.onward(["a"])), ["x"]);
});

test("loose places may be pointed at in any order", () => {
  const paths = new Paths([walk("1", "a", "h", "z"), walk("2", "b", "h")], [0, 2]);
  assert.deepEqual(names(paths.onward([])), ["a", "b", "h"]);
  assert.deepEqual(names(paths.onward(["h"])), ["a", "b"]);
  assert.deepEqual(names(paths.onward(["h", "a"])), ["z"]);
  assert.deepEqual(paths.complete(["h", "b"]).map((each) => each.move), ["2"]);
});

test("pointing takes back, adds, or chooses instead of later ones", () => {
  const paths = new Paths([walk("1", "a", "x"), walk("2", "a", "y"), walk("3", "b", "x")]);
  assert.deepEqual(paths.after([], "a"), ["a"]);
  assert.deepEqual(paths.after(["a"], "a"), []);
  assert.deepEqual(paths.after(["a", "x"], "y"), ["a", "y"]);
  assert.deepEqual(paths.after(["a", "x"], "b"), ["b"]);
  assert.equal(paths.after([], "x"), null);
  assert.deepEqual(names(paths.instead(["a", "x"])), ["y", "x"].sort());
});

test("what is cut off is no move, and is filled in where somebody gets to it", () => {
  const paths = new Paths([stub("a"), walk("b", "b")], [0, 0], ["x", "y"]);
  assert.ok(paths.isCut(["a"]));
  assert.deepEqual(paths.complete(["a"]), []);
  assert.ok(paths.walked.has("x"));
  assert.equal(paths.after([], "x"), null);
  paths.extend(["a"], [walk("1", "a", "x"), stub("a", "y")]);
  assert.ok(!paths.isCut(["a"]));
  assert.ok(paths.isCut(["a", "y"]));
  assert.deepEqual(names(paths.onward(["a"])), ["x", "y"]);
  paths.extend(["a", "y"], [walk("2", "a", "y", "z")]);
  assert.deepEqual(paths.complete(["a", "y", "z"]).map((each) => each.move), ["2"]);
});

test("in loose places each beginning is filled in by itself, and no walk comes twice", () => {
  const paths = new Paths([stub("a"), stub("h"), stub("i")], [0, 2]);
  paths.extend(["a"], [walk("1", "a", "h"), stub("a", "i")]);
  assert.ok(paths.isCut(["h"]), "others may go over it too");
  paths.extend(["h"], [walk("1", "a", "h"), walk("2", "b", "h")]);
  assert.deepEqual(names(paths.onward(["h"])), ["a", "b"]);
  assert.equal(paths.complete(["h", "a"]).length, 1);
  assert.ok(paths.isCut(["i", "a"]));
});

test("a piece of a path that leads nowhere any more stays out", () => {
  const paths = new Paths([stub("a")]);
  paths.extend(["a"], []);
  assert.deepEqual(paths.along(["a"]), []);
  assert.equal(paths.after([], "a"), null);
});

test("several walks show what their ghosts have in common", () => {
  const one = { ...walk("1", "a", "x"), ghost: [tile(1), tile(2)] };
  const other = { ...walk("2", "a", "y"), ghost: [tile(2), tile(3)] };
  assert.deepEqual(common([one, other]), [tile(2)]);
  assert.deepEqual(common([]), []);
});
