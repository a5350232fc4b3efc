// The module of the board without a server: a session, and what does its jobs.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import init, { BackgroundEngine, Session } from "../board/quincunx.js";
import { provide } from "../board/weights.js";

await init({ module_or_path: await readFile(new URL("../board/quincunx_bg.wasm", import.meta.url)) });

/** The only job of a session, if there is one. */
function onlyJob(session) {
  const [job, ...others] = Object.values(JSON.parse(session.jobs()));
  assert.deepEqual(others, []);
  return job;
}

/** Does the jobs of a session until it wants none; returns the last reply of this type. */
async function settle(session, engine, replies) {
  const told = JSON.parse(replies);
  for (let job = onlyJob(session); job !== undefined; job = onlyJob(session)) {
    let reports = 0;
    let isOver = false;
    const rule = engine.rule(job);
    if (rule !== undefined) await provide(engine, rule);
    engine.work(job, (report, isLast) => {
      assert.ok(!isOver, "nothing comes after the last report");
      [reports, isOver] = [reports + 1, isLast];
      told.push(...JSON.parse(session.report(performance.now(), report)));
    });
    assert.ok(reports > 0 && isOver, "every job is reported on");
  }
  return (type) => told.findLast((message) => message.type === type);
}

test("a person plays, and has a win proved", async () => {
  const [session, engine] = [new Session("board"), new BackgroundEngine()];
  const say = (message) => settle(session, engine, session.receive(performance.now(), JSON.stringify(message)));
  const hello = await say({ type: "hello", version: 1 });
  assert.equal(hello("welcome").may_stop, false);
  let { node } = hello("state");
  const { stones, phase } = (await say({ type: "play", point: "h8", node }))("state");
  assert.deepEqual(stones.map(({ color }) => color), ["black", "white"]);
  assert.equal(phase.kind, "move");
  assert.equal((await say({ type: "nonsense" }))("error").code, "message");
  ({ node } = (await say({ type: "open", text: "9 freestyle d5a1e5a3f5a9" }))("state"));
  assert.equal((await say({ type: "prove" }))("proof").plies, 3);
  assert.equal(JSON.parse(session.tick(performance.now())).length, 0);
});

test("files are read in the encoding that they name", () => {
  const session = new Session("board");
  const say = (message) => JSON.parse(session.receive(performance.now(), JSON.stringify(message)));
  say({ type: "hello", version: 1 });
  /** Opens a file of SGF with these bytes as its first remark; returns what is said of a type. */
  const open = (charset, bytes, type) => {
    const file = Buffer.concat([Buffer.from(`(;GM[4]SZ[15]CA[${charset}]C[`), Buffer.from(bytes), Buffer.from("];B[hh])")]);
    const told = say({ type: "open", name: "game.sgf", text: `data:;base64,${file.toString("base64")}` });
    return JSON.stringify(told.filter((message) => message.type === type));
  };
  const texts = {
    // The second byte of the first character is a backslash.
    "Shift_JIS": [[0x95, 0x5C, 0x8D, 0xC0], "\u8868\u5EA7"],
    "ISO-2022-JP": [[0x1B, 0x24, 0x42, 0x24, 0x5D, 0x1B, 0x28, 0x42], "\u307D"],
    "GB2312": [[0xC4, 0xE3], "\u4F60"],
    "Big5": [[0xA4, 0xE9], "\u65E5"],
    "EUC-KR": [[0xB0, 0xA1], "\uAC00"],
    "KOI8-R": [[0xC4, 0xC1], "\u0434\u0430"],
    "windows-1251": [[0xE4, 0xE0], "\u0434\u0430"],
    "UTF-8": [[0xC3, 0xA9], "\u00E9"],
  };
  for (const [charset, [bytes, text]] of Object.entries(texts)) {
    assert.ok(open(charset, bytes, "state").includes(text), charset);
  }
  assert.match(open("Shift_JIS", [0xFF], "opened"), /not Shift_JIS/);
  assert.match(open("klingon", [0xC3, 0xA9], "opened"), /klingon/);
});

test("a game is reviewed", async () => {
  const [session, engine] = [new Session("board"), new BackgroundEngine()];
  const now = () => performance.now();
  const say = (message) => session.receive(now(), JSON.stringify(message));
  say({ type: "hello", version: 1 });
  say({ type: "open", text: "9 freestyle d5a1e5" });
  say({ type: "review" });
  let told = [];
  const job = onlyJob(session);
  assert.equal(engine.rule(job), "freestyle");
  await provide(engine, "freestyle");
  engine.work(job, (report, isLast) => {
    told = JSON.parse(session.report(now(), report));
    assert.equal(onlyJob(session) === undefined, isLast, "the last report ends the job");
  });
  const { done, steps, summary } = told.find(({ type }) => type === "review");
  assert.equal(done, steps);
  assert.ok(summary.accuracy.black > 0 && summary.accuracy.white > 0);
});

test("weights that can't be had fail the job, and the board goes on", () => {
  const [session, engine] = [new Session("board"), new BackgroundEngine()];
  const say = (message) => JSON.parse(session.receive(performance.now(), JSON.stringify(message)));
  say({ type: "hello", version: 1 });
  say({ type: "open", text: "9 renju d5a1e5" });
  const fail = () => {
    let told = [];
    engine.fail(onlyJob(session), (report, isLast) => {
      assert.ok(isLast);
      told = JSON.parse(session.report(performance.now(), report));
    });
    return told.find(({ type }) => type === "error").code;
  };
  say({ type: "analyse", lines: 1 });
  assert.equal(engine.rule(onlyJob(session)), "renju");
  assert.equal(fail(), "engine");
  assert.equal(onlyJob(session), undefined);
  say({ type: "review" });
  assert.equal(fail(), "engine");
  assert.throws(() => engine.addWeights("renju", new Uint8Array(9), new Uint8Array(9)), /tables/);
  assert.equal(engine.missing("Renju"), "renju");
});

test("four in a row is played", async () => {
  const [session, engine] = [new Session("gravity"), new BackgroundEngine()];
  const say = (message) => settle(session, engine, session.receive(0, JSON.stringify(message)));
  await say({ type: "hello", version: 1 });
  const { stones } = (await say({ type: "drop", column: 3, ply: 0 }))("state");
  assert.equal(stones.length, 2);
});

test("a puzzle is solved, without an engine", () => {
  const session = new Session("training");
  const say = (message) => JSON.parse(session.receive(0, JSON.stringify(message)))[0];
  assert.deepEqual(say({ type: "hello", version: 1 }).sets, ["freestyle", "standard", "renju", "caro", "threes"]);
  const puzzle = "11 freestyle e5d5f5a1g5a11h6k11h7k1; vcf h5 i5 h4 any h8; tree 2; guess 1; grade 1";
  const person = { rating: 1500, deviation: 350, volatility: 0.06 };
  let state = say({ type: "begin", puzzle, person, strength: person, result: null });
  assert.equal(state.stones.length, 10);
  assert.equal(onlyJob(session), undefined);
  assert.equal(session.deadline(), undefined);
  state = say({ type: "play", point: "h5", stones: 10 });
  while (!state.solved) {
    for (const _ of "123") state = say({ type: "hint" });
    assert.equal(state.end.kind, "point");
    state = say({ type: "play", point: state.end.point, stones: state.stones.length });
  }
  assert.equal(state.winning.length, 5);
  assert.equal(say({ type: "analyse" }).code, "message");
});
