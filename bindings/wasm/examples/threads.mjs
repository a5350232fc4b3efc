// The speed of the search on one thread and on two, in turn: other programs slow both down.
import { Quincunx } from "../pkg/index.js";

const openings = [["h8", "h9", "i8"], ["h8", "i9", "j8", "h10"], ["h8", "h7", "i9", "g7", "j7"]];
const engines = [await Quincunx.start(), await Quincunx.start({ threads: 2 })];

async function speed(engine, moves) {
  await engine.newGame({ moves });
  const { lines: [{ nodes, milliseconds }] } = await engine.think({ milliseconds: 1000 });
  return nodes / milliseconds;
}

// The host compiles what runs often once more.
for (const engine of engines) await speed(engine, openings[0]);
for (const moves of openings) {
  const [one, two] = [await speed(engines[0], moves), await speed(engines[1], moves)];
  console.log(`${Math.round(one)} and ${Math.round(two)} nodes a millisecond: ${(two / one).toFixed(2)} times`);
}
for (const engine of engines) engine.end();
