// A game of the engine against itself.
import { Quincunx } from "../pkg/index.js";

const engine = await Quincunx.start({ rule: "renju", size: 15 });
while (!engine.game.result && engine.game.moves.length < 12) {
  const { move } = await engine.think({ milliseconds: 50 });
  await engine.play(move);
}
console.log(engine.game.moves.join(" "));
engine.end();
