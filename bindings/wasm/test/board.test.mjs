// The module of the board without a server: a session, and a thinker that does its jobs.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import init, { Board, Gravity, Thinker } from "../board/quincunx.js";

await init({ module_or_path: await readFile(new URL("../board/quincunx_bg.wasm", import.meta.url)) });

/** Does the jobs of a session until it wants none; returns the last reply of this type. */
function settle(session, kind, thinker, replies) {
  const told = JSON.parse(replies);
  for (let job = session.job(); job !== undefined; job = session.job()) {
    let reports = 0;
    let isOver = false;
    thinker[kind](job, (report, isLast) => {
      assert.ok(!isOver, "nothing comes after the last report");
      [reports, isOver] = [reports + 1, isLast];
      told.push(...JSON.parse(session.report(performance.now(), report)));
    });
    assert.ok(reports > 0 && isOver, "every job is reported on");
  }
  return (type) => told.findLast((message) => message.type === type);
}

test("a person plays, and has a win proved", () => {
  const [session, thinker] = [new Board(), new Thinker()];
  const say = (message) => settle(session, "board", thinker, session.hear(performance.now(), JSON.stringify(message)));
  const hello = say({ type: "hello", version: 1 });
  assert.equal(hello("welcome").may_stop, false);
  let { node } = hello("state");
  const { stones, phase } = say({ type: "play", point: "h8", node })("state");
  assert.deepEqual(stones.map(({ color }) => color), ["black", "white"]);
  assert.equal(phase.kind, "move");
  assert.equal(say({ type: "nonsense" })("error").code, "message");
  ({ node } = say({ type: "open", text: "9 freestyle d5a1e5a3f5a9" })("state"));
  assert.equal(say({ type: "prove" })("proof").plies, 3);
  assert.equal(JSON.parse(session.tick(performance.now())).length, 0);
});

test("a game is reviewed", () => {
  const [session, thinker] = [new Board(), new Thinker()];
  const now = () => performance.now();
  const say = (message) => session.hear(now(), JSON.stringify(message));
  say({ type: "hello", version: 1 });
  say({ type: "open", text: "9 freestyle d5a1e5" });
  say({ type: "review" });
  let told = [];
  thinker.review(session.reviewJob(), (report, isLast) => {
    told = JSON.parse(session.hearReview(now(), report));
    assert.equal(session.reviewJob() === undefined, isLast, "the last report ends the job");
  });
  const { done, steps, summary } = told.find(({ type }) => type === "review");
  assert.equal(done, steps);
  assert.equal(summary.accuracy.length, 2);
});

test("four in a row is played", () => {
  const [session, thinker] = [new Gravity(), new Thinker()];
  const say = (message) => settle(session, "gravity", thinker, session.hear(0, JSON.stringify(message)));
  say({ type: "hello", version: 1 });
  const { stones } = say({ type: "drop", column: 3, ply: 0 })("state");
  assert.equal(stones.length, 2);
});
