// Loads the engine and lets it play against itself: a test that the module works.
//
// node play.mjs [quincunx_wasm.wasm]

import { readFileSync } from "node:fs";

const SIDE = 15;
const MOVES = 20;
const FREESTYLE = 0;

const path = process.argv[2] ??
  new URL("target/wasm32-unknown-unknown/release/quincunx_wasm.wasm", import.meta.url);
let depth = 0;
const env = {
  now: () => performance.now(),
  report: (reached) => {
    depth = reached;
  },
};
const module = await WebAssembly.instantiate(readFileSync(path), { env });
const engine = module.instance.exports;

function expect(condition, message) {
  if (!condition) {
    console.error(`failed: ${message}`);
    process.exit(1);
  }
}

expect(engine.new_game(4, 4, FREESTYLE) < 0, "a board of 4x4 is refused");
expect(engine.new_game(SIDE, SIDE, FREESTYLE) === 0, "a board of 15x15 is made");
const taken = new Set();
const moves = [];
while (moves.length < MOVES && engine.is_won() === 0) {
  const before = performance.now();
  const point = engine.think(50, 0);
  expect(performance.now() - before < 2000, "a move of 50 ms comes in time");
  const [x, y] = [point % 256, Math.floor(point / 256)];
  expect(point >= 0 && x < SIDE && y < SIDE, `${point} is on the board`);
  expect(!taken.has(point), `${x},${y} is empty`);
  expect(engine.play(x, y) < 0, "a taken point is refused");
  taken.add(point);
  moves.push(String.fromCharCode(97 + x) + (y + 1));
}
expect(moves.length === MOVES || engine.is_won() === 1, "the game goes on until it is won");
expect(depth > 1, "the search reports its iterations");
console.log(moves.join(" "));
