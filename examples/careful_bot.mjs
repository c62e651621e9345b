// The careful bot once more, in JavaScript: any move, but none that sends tiles to the floor if it can help it.
//
// Try it: mozaika arena azul --bots "exec:node examples/careful_bot.mjs,random" --games 20

import { createInterface } from "node:readline";

/** The position and all else is in the request; this bot looks at the moves only. */
function choose({ legal, random: [number] }) {
  const good = legal.filter((move) => !move.includes("floor"));
  const moves = good.length ? good : legal;
  return moves[Number(BigInt(number) % BigInt(moves.length))];
}

let request = {};
for await (const line of createInterface({ input: process.stdin })) {
  const [word, ...rest] = line.trim().split(" ");
  if (word === "mozaika") console.log("mozaika 1 careful-js");
  else if (word === "go") {
    console.log(`play ${choose(request)}`);
    request = {};
  } else if (word === "quit") break;
  else (request[word] ??= []).push(rest.join(" "));
}
