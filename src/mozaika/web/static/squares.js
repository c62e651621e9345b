/** Drawings as text, and back: rows of squares, an empty line between two boards; without a page, so it can be tried alone. */

/** @typedef {{flag: boolean, rows: string[][]}} Board */

/** The boards of a text. @param {string} text @param {string[]} known how squares are written
 * @param {string} flag a word that may stand above a board; empty if there is none @returns {Board[]} */
export function unfold(text, known, flag) {
  const lines = text.split(/[\n/]/).map((line) => line.replace(/\s/g, ""));
  /** @type {Board[]} */
  const boards = [];
  let open = false;
  for (const line of lines) {
    if (!line) open = false;
    else {
      if (!open) boards.push({ flag: false, rows: [] });
      open = true;
      const board = boards[boards.length - 1];
      if (flag && !board.rows.length && line.toLowerCase() === flag) board.flag = true;
      else board.rows.push(squares(line, known));
    }
  }
  return boards;
}

/** The text of boards, as people write it. @param {Board[]} boards @param {string} flag */
export function fold(boards, flag) {
  return boards
    .map(({ flag: set, rows }) => [...(set ? [flag] : []), ...rows.map((row) => row.join(""))].join("\n"))
    .join("\n\n");
}

/** The squares of a row; what nobody knows is a square of its own. @param {string} line @param {string[]} known */
function squares(line, known) {
  const longest = [...known].sort((a, b) => b.length - a.length);
  const found = [];
  for (let rest = line; rest; rest = rest.slice(found[found.length - 1].length)) {
    found.push(longest.find((each) => rest.startsWith(each)) ?? (rest[0] === "-" ? rest.slice(0, 2) : rest[0]));
  }
  return found;
}
