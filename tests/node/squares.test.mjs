/** Drawings as text, and back. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { fold, unfold } from "./squares.js";

const KNOWN = [".", "1", "-1", "-5", "a"];

test("boards are read row by row, with an empty line or two slashes between them", () => {
  for (const text of ["rows\n.1-5\na..\n\n\n-1..", "ROWS/.1-5/a..//-1.."]) {
    assert.deepEqual(unfold(text, KNOWN, "rows"), [
      { flag: true, rows: [[".", "1", "-5"], ["a", ".", "."]] },
      { flag: false, rows: [["-1", ".", "."]] },
    ]);
  }
  assert.deepEqual(unfold(" \n", KNOWN, ""), []);
});

test("what nobody knows stays as it was written", () => {
  const text = "rows\n.?-7\n\nzz";
  assert.equal(fold(unfold(text, KNOWN, "rows"), "rows"), text);
});
