// The package as programs use it, with shared memory and without.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, posix, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { Quincunx } from "../pkg/index.js";

const run = promisify(execFile);

/** How late a search may stop, in milliseconds, on a machine with other work. */
const STOP_WITHIN = 250;

/** The most bytes of the modules, compressed with gzip. */
const LARGEST_ENGINE = 300_000;
const LARGEST_BOARD = 730_000;

async function using(setup, act) {
  const engine = await Quincunx.start(setup);
  try {
    await act(engine);
  } finally {
    engine.end();
  }
}

test("a game is played to its end", () => using({ size: 9 }, async (engine) => {
  while (!engine.game.result) {
    const { move } = await engine.think({ nodes: 2000 });
    const before = engine.game.moves;
    await engine.play(move);
    assert.deepEqual(engine.game.moves, [...before, move]);
  }
  const { winner, reason, stones } = engine.game.result;
  assert.ok(winner ? reason === "five in a row" && stones.length >= 5 : reason === "the board is full", reason);
  await assert.rejects(engine.think({ nodes: 1 }), /over/);
  await engine.undo();
  assert.equal(engine.game.result, null);
}));

test("what is wrong is refused, and changes nothing", () => using({}, async (engine) => {
  await engine.play("h8");
  await assert.rejects(engine.play("h8"), /taken|stone/);
  await assert.rejects(engine.play("z99"));
  await assert.rejects(engine.newGame({ rule: "chess" }), /chess/);
  await assert.rejects(engine.newGame({ size: 4 }));
  await assert.rejects(engine.newGame({ moves: ["h8", "h8"] }));
  await assert.rejects(engine.think({ seconds: 1 }), /seconds/);
  await assert.rejects(engine.think({ lines: 0 }), /lines/);
  await assert.rejects(engine.think({ nodes: 1n }), /BigInt/);
  await assert.rejects(engine.think({ nodes: 1, strength: 101 }), /from 0 to 100/);
  assert.ok((await engine.think({ nodes: 2 ** 40, depth: 2 })).move);
  for (const point of [7, {}, null, undefined]) await assert.rejects(engine.play(point), /not a point/);
  await assert.rejects(engine.newGame({ rule: 3 }), /unknown rule '3'/);
  await assert.rejects(engine.newGame({ mvoes: ["a1"] }), /mvoes/);
  await assert.rejects(engine.newGame("renju"), /unknown field/);
  await assert.rejects(engine.newGame(null));
  await assert.rejects(engine.solve({ node: 4 }), /node`, expected `nodes/);
  for (const nodes of [-1, NaN, "many"]) await assert.rejects(engine.solve({ nodes }), /from 0 on/);
  assert.deepEqual(engine.game.moves, ["h8"]);
  await engine.newGame({ moves: "a1 a9 b1 b9 c1 c9 d1 d9 e1".split(" ") });
  await assert.rejects(engine.solve(), /over/);
  await engine.newGame({ moves: ["h8"] });
  assert.deepEqual((await engine.undo()).moves, []);
  assert.deepEqual((await engine.undo()).moves, []);
}));

test("lines are told while it thinks", () => using({ moves: ["h8", "h9"] }, async (engine) => {
  const heard = [];
  const { move, lines } = await engine.think({ depth: 6, lines: 3 }, (line) => heard.push(line));
  assert.equal(lines.length, 3);
  assert.equal(lines[0].moves[0], move);
  assert.equal(new Set(lines.map((line) => line.moves[0])).size, 3);
  assert.ok(heard.length > 6 && heard.every(({ chance, nodes }) => chance > 0 && chance < 1 && nodes > 0));
}));

/** A promise, and what fulfils it. */
function first() {
  let resolve = () => {};
  const promise = new Promise((fulfil) => { resolve = fulfil; });
  return { promise, resolve };
}

/** Whether the package has the module for several threads. */
const hasThreads = existsSync(new URL("../pkg/threads", import.meta.url));
const skip = !hasThreads && "the package was built without threads";

for (const [shareMemory, threads] of [[true, 1], [false, 1], [true, 2]]) {
  test(`a search is stopped, shared memory: ${shareMemory}, threads: ${threads}`, { skip: threads > 1 && skip }, () => using({ shareMemory, threads, moves: ["h8", "i9"] }, async (engine) => {
    for (const waits of [false, true, true]) {
      const { promise, resolve } = first();
      const thinking = engine.think({}, resolve);
      await assert.rejects(engine.play("a1"), /search is running/);
      // A worker that has just begun loads its weights before it has a line.
      if (waits) await promise;
      const asked = performance.now();
      engine.stop();
      const { move, lines } = await thinking;
      const took = performance.now() - asked;
      assert.ok(!waits || took < STOP_WITHIN, `${took} ms`);
      assert.equal(lines[0].moves[0], move);
    }
    // A move that was made just before a search is stopped is answered, and stays.
    const playing = engine.play("i8");
    const solving = engine.solve({ nodes: 1e12 });
    engine.stop();
    assert.deepEqual((await playing).moves, ["h8", "i9", "i8"]);
    assert.ok(["unknown", "none"].includes((await solving).found));
    engine.stop();
    assert.deepEqual((await engine.undo()).moves, ["h8", "i9"]);
  }));
}

test("a search that is stopped without shared memory has each move once", () => {
  const lines = `[[0, "a1"], [1, "b1"], [0, "b1"]].forEach(([rank, move]) =>
    port.postMessage({ id, line: { rank, moves: [move] } }))`;
  const patch = (text) => text.replace("port.postMessage({ id, line: JSON.parse(line) })", lines);
  return withPatched("worker.js", patch, async (Copy) => {
    const engine = await Copy.start({ shareMemory: false, moves: ["h8"] });
    try {
      let heard = 0;
      const answer = await engine.think({ lines: 2 }, () => {
        heard += 1;
        if (heard === 3) engine.stop();
      });
      assert.deepEqual([answer.move, answer.lines.map(({ moves }) => moves[0])], ["b1", ["b1"]]);
    } finally {
      engine.end();
    }
  });
});

test("a second thread searches too", { skip }, async () => {
  const search = async (setup) => {
    const found = {};
    await using({ moves: ["h8", "i9", "j8", "h10"], ...setup }, async (engine) => {
      const { move, lines } = await engine.think({ depth: 10 });
      await engine.play(move);
      Object.assign(found, { threads: engine.threads, nodes: lines[0].nodes });
    });
    return found;
  };
  const one = await search({});
  assert.equal(one.threads, 1);
  const two = await search({ threads: 2 });
  assert.equal(two.threads, 2);
  // Alone, a search to the same depth takes the same nodes each time.
  assert.notEqual(two.nodes, one.nodes);
  assert.deepEqual(await search({ threads: 2, shareMemory: false }), one);
});

/** Does this with the package after a change of one of its files. */
async function withPatched(file, patch, act) {
  const folder = await mkdtemp(join(tmpdir(), "quincunx-"));
  try {
    await cp(new URL("../pkg", import.meta.url), folder, { recursive: true });
    const text = await readFile(join(folder, file), "utf8");
    const patched = patch(text);
    assert.notEqual(patched, text);
    await writeFile(join(folder, file), patched);
    const { Quincunx: Copy } = await import(pathToFileURL(join(folder, "index.js")).href);
    await act(Copy);
  } finally {
    await rm(folder, { recursive: true });
  }
}

for (const [file, patch] of [
  ["thread.js", () => "throw new Error('no thread');"],
  ["worker.js", (text) => text.replace("module.makePool(count)", "throw new Error('no pool')")],
]) {
  test(`there is one thread where others can't be had: ${file}`, { skip }, () => withPatched(file, patch, async (Copy) => {
    const engine = await Copy.start({ threads: 3, moves: ["h8"] });
    const { lines } = await engine.think({ depth: 2 });
    engine.end();
    assert.deepEqual([engine.threads, lines.length], [1, 1]);
    for (const threads of [0, 17, 1.5, "2"]) await assert.rejects(Copy.start({ threads }), /from 1 to 16/);
  }));
}

test("a search whose thread is gone is given up once it is stopped", { skip }, () => {
  const patch = (text) => text
    .replace("module.makePool(count);", "$& globalThis.loseThread = () => workers[0].terminate();")
    .replace("port.postMessage({ id, line:", "void globalThis.loseThread() ?? $&");
  return withPatched("worker.js", patch, async (Copy) => {
    const engine = await Copy.start({ threads: 2, moves: ["h8"] });
    try {
      const { promise, resolve } = first();
      const thinking = engine.think({}, resolve);
      await promise;
      engine.stop();
      await assert.rejects(thinking, /did not stop/);
      assert.deepEqual((await engine.play("h9")).moves, ["h8", "h9"]);
      assert.equal(engine.threads, 2);
    } finally {
      engine.end();
    }
  });
});

test("a thread that fails is told, though the engine's worker waits for it", { skip }, () => {
  const patch = (text) => text.replace("joinPool();", "throw new Error('unreachable');");
  return withPatched("thread.js", patch, (Copy) => assert.rejects(Copy.start({ threads: 2 }), /unreachable/));
});

test("a start is given up when its signal says so", () => withPatched("worker.js", () => "setInterval(() => {}, 1000);", async (Copy) => {
  const controller = new AbortController();
  const starting = Copy.start({ signal: controller.signal });
  controller.abort(new Error("no more"));
  await assert.rejects(starting, /no more/);
  await assert.rejects(Copy.start({ signal: controller.signal }), /no more/);
}));

test("a signal has no effect on an engine that has started", async () => {
  const controller = new AbortController();
  await using({ signal: controller.signal }, async (engine) => {
    controller.abort();
    await engine.play("h8");
  });
});

test("an engine that has ended refuses all calls", async () => {
  const engine = await Quincunx.start();
  const thinking = engine.think();
  engine.end();
  await assert.rejects(thinking, /has ended/);
  await assert.rejects(engine.play("h8"), /has ended/);
  engine.stop();
});

test("a forced win is found", () => using({ size: 9, moves: ["d5", "a1", "e5", "a3", "f5", "a9"] }, async (engine) => {
  const { found, plies, line } = await engine.solve();
  assert.deepEqual([found, plies, line.length], ["win", 3, 3]);
  const { lines } = await engine.think({ depth: 4 });
  assert.equal(lines[0].mate, 3);
  await engine.newGame({ size: 9, moves: ["d5"] });
  assert.equal((await engine.solve({ nodes: 10_000 })).found, "none");
}));

test("renju has forbidden points", async () => {
  const moves = ["h8", "a1", "i8", "c15", "k5", "o15", "k6", "o1"];
  await using({ rule: "renju", moves }, async (engine) => {
    assert.deepEqual(await engine.forbidden(), [{ point: "k8", kind: "double three" }]);
    await assert.rejects(engine.play("k8"), /forbidden/);
  });
  await using({ rule: "freestyle", moves }, async (engine) => {
    assert.deepEqual(await engine.forbidden(), []);
    assert.ok((await engine.evaluate()).chance > 0.5);
  });
});

test("a game with forbidden points only is a draw", () => {
  // The only point left is the gap in black's row of seven.
  const text = "c5c4b3d5f4a2f1c3b2c2d3a3e1e2d2e3d4e4a1g5e5f5f2g2f3g3c1g4b4b5b1a4g1a5";
  return using({ rule: "renju", size: "7x5", moves: text.match(/../g) }, async (engine) => {
    assert.deepEqual(engine.game.result, { winner: null, reason: "the board is full", stones: [] });
    await assert.rejects(engine.think({ nodes: 1 }), /over/);
    assert.equal((await engine.undo()).result, null);
    assert.ok((await engine.play("a5")).result);
  });
});

test("the bench has the nodes of the native program", { skip: !process.env.QUINCUNX && "QUINCUNX names no program" }, () =>
  using({}, async (engine) => {
    const { stdout } = await run(process.env.QUINCUNX, ["bench", "--depth", "8"]);
    const [, nodes, speed] = stdout.match(/(\d+) nodes (\d+) nps/);
    // The host compiles what runs often once more: its speed is that of the time after.
    await engine.bench(6);
    const here = await engine.bench(8);
    assert.equal(here.nodes, Number(nodes));
    console.log(`${Math.round(here.nodesPerSecond)} nodes a second here, ${speed} native`);
  }));

test("a rule that is new brings its weights, and what follows waits for them", () => using({}, async (engine) => {
  const before = await engine.evaluate();
  const begun = engine.newGame({ rule: "Caro", moves: ["h8"] });
  const { rule, moves } = await engine.play("h9");
  assert.deepEqual([rule, moves], ["caro", ["h8", "h9"]]);
  await begun;
  await assert.rejects(engine.newGame({ rule: "renju", moves: ["h8", "h8"] }));
  assert.equal(engine.game.rule, "caro");
  await engine.newGame();
  assert.deepEqual(await engine.evaluate(), before);
}));

test("bundlers find every file by its literal name, and no module of node's", { skip }, async () => {
  const folder = new URL("../pkg/", import.meta.url);
  const found = new Set(["index.js"]);
  for (const name of found) {
    if (!name.endsWith(".js")) continue;
    const text = await readFile(new URL(name, folder), "utf8");
    const find = (pattern) => [...text.matchAll(pattern)].map(([, path]) => path);
    const imports = find(/\b(?:from|import\()\s*["']([^"']+)/g).filter((path) => !path.endsWith(".d.ts"));
    assert.deepEqual(imports.filter((path) => !path.startsWith("./")), [], name);
    const workers = find(/new Worker\(new URL\("([^"]+)", import\.meta\.url\), \{ type: "module" \}\)/g);
    const files = find(/new URL\("([^"]+)", import\.meta\.url\)/g).filter((path) => !path.endsWith(".js"));
    for (const path of [...imports, ...workers, ...files]) found.add(posix.join(posix.dirname(name), path));
  }
  const all = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !/^LICENSE|\.txt$|\.d\.ts$/.test(entry.name))
    .map((entry) => relative(fileURLToPath(folder), join(entry.path, entry.name)).replaceAll("\\", "/"));
  assert.deepEqual([...found].sort(), all.sort());
});

test("weights that are missing or of another rule are told", async () => {
  const folder = await mkdtemp(join(tmpdir(), "quincunx-"));
  try {
    await cp(new URL("../pkg", import.meta.url), folder, { recursive: true });
    const weights = (name) => join(folder, "weights", name);
    await rm(weights("renju.line"));
    await cp(weights("freestyle.line"), weights("caro.line"));
    const { Quincunx: Copy } = await import(pathToFileURL(join(folder, "index.js")).href);
    await assert.rejects(Copy.start({ rule: "renju" }), /renju.line/);
    const engine = await Copy.start({ moves: ["h8"] });
    await assert.rejects(engine.newGame({ rule: "caro" }), /another rule/);
    assert.equal((await engine.think({ depth: 2 })).lines.length, 1);
    engine.end();
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("a program ends whose engine could not start", async () => {
  const index = new URL("../pkg/index.js", import.meta.url).href;
  const program = `import { Quincunx } from "${index}"; await Quincunx.start({ rule: "chess" }).catch(console.log);`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", program], { timeout: 30_000 });
  assert.match(stdout, /unknown rule .chess/);
});

test("what a page fetches is small", async () => {
  const size = async (path) => gzipSync(await readFile(new URL(`../${path}`, import.meta.url)), { level: 9 }).length;
  const modules = [["pkg", LARGEST_ENGINE], ["board", LARGEST_BOARD]];
  if (hasThreads) modules.push(["pkg/threads", LARGEST_ENGINE]);
  for (const [folder, most] of modules) {
    const bytes = await size(`${folder}/quincunx_bg.wasm`);
    assert.ok(bytes <= most, `${folder}: ${bytes} bytes`);
  }
});

test("what is compared of threads is printed", { skip }, async () => {
  const { stdout } = await run(process.execPath, [new URL("../examples/threads.mjs", import.meta.url).pathname]);
  assert.equal(stdout.match(/\d nodes a millisecond: \d+\.\d\d times/g)?.length, 3);
});

test("the example plays", async () => {
  const { stdout } = await run(process.execPath, [new URL("../examples/play.mjs", import.meta.url).pathname]);
  assert.equal(stdout.trim().split(" ").length, 12);
});
