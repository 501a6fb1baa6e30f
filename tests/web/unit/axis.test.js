import assert from "node:assert/strict";
import {test} from "node:test";
import {edges, history, register, seeded, staleRead} from "../histories.js";
import {split} from "../page.js";
import {load} from "./load.js";

const {
  decodeHistory,
  Scene,
  rankAxis,
  timeToRank,
  rankToTime,
  linearizationPoints,
  firstPosition,
  partitionScene,
  coreOperations
} = load(
  "decodeHistory",
  "Scene",
  "rankAxis",
  "timeToRank",
  "rankToTime",
  "linearizationPoints",
  "firstPosition",
  "partitionScene",
  "coreOperations"
);
const decode = (made) => decodeHistory(...split(made));
const scene = (made) => {
  const decoded = decode(made);
  return new Scene(decoded, decoded.byCall);
};

test("the first position that is reached is found", () => {
  for (let at = 0; at <= 9; ++at)
    assert.equal(
      firstPosition(0, 9, (i) => i >= at),
      at
    );
});

test("by rank, neighbouring events are one step apart", () => {
  const {rank} = scene(
    history({
      operations: [
        {process: 0, f: "read", call: 0, return: 1000},
        {process: 1, f: "read", call: 1, return: 2}
      ]
    })
  );
  assert.deepEqual([...rank.start], [0, 1]);
  assert.deepEqual([...rank.end], [3, 2]);
  assert.deepEqual([...rank.times], [0, 1, 2, 1000]);
});

test("by rank, what a process did at one time stands one after the other", () => {
  const {rank} = scene(
    history({
      operations: [
        {process: 0, f: "a", call: 0, return: 5},
        {process: 0, f: "b", call: 5, return: 5},
        {process: 0, f: "c", call: 5, return: 9}
      ]
    })
  );
  assert.ok(rank.end[0] < rank.start[1] && rank.start[1] < rank.end[1] && rank.end[1] < rank.start[2]);
  assert.ok(rank.start[2] < 2 && rank.end[0] === 1);
});

test("by rank, an order of two times is never turned", () => {
  const {
    rank,
    history: {start, end, outcome, count}
  } = scene(register({operations: 500, seed: 8}));
  for (let a = 0; a < count; ++a) {
    for (let b = 0; b < count; b += 7) {
      if (outcome[a] === 0 && end[a] < start[b]) assert.ok(rank.end[a] < rank.start[b]);
    }
  }
});

test("times and ranks lead to each other", () => {
  const {rank} = scene(register({operations: 50}));
  for (const time of [rank.times[0], rank.times[7], (rank.times[7] + rank.times[8]) / 2]) {
    assert.ok(Math.abs(rankToTime(rank, timeToRank(rank, time)) - time) < 1e-6);
  }
  assert.equal(timeToRank(scene(edges["no operations"]()).rank, 5), 0);
});

test("linearization points lie within their operations and never fall", () => {
  for (const kind of ["time", "rank"]) {
    const shown = scene(register({operations: 3000, seed: 5}));
    const {
      orders: [order],
      start
    } = shown.history;
    const axis = shown[kind];
    const points = linearizationPoints(shown.history, axis, order);
    order.forEach((operation, i) => {
      assert.ok(points[i] >= axis.start[operation] && points[i] <= axis.end[operation], `${kind} ${i}`);
      assert.ok(i === 0 || points[i] >= points[i - 1]);
    });
    assert.equal(start.length, 3000);
  }
});

test("the extent of a part is that of its operations", () => {
  const decoded = decode(staleRead());
  const core = new Scene(decoded, coreOperations(decoded, {core: [3], operation: 4}));
  assert.ok(core.time.from < 35 && core.time.from > 30);
  assert.ok(core.time.to > 70 && core.time.to < 75);
  assert.equal(core.whole, false);
});

test("an extent is never empty", () => {
  for (const [name, make] of Object.entries(edges)) {
    const {time, rank} = scene(make());
    assert.ok(time.from < time.to && rank.from < rank.to, name);
  }
});

test("a partition shows its operations only", () => {
  const random = seeded(1);
  const decoded = decode(
    history({
      operations: Array.from({length: 50}, (_, i) => ({
        process: 0,
        f: "f",
        key: String(Math.floor(random() * 3)),
        call: i * 2,
        return: i * 2 + 1
      })),
      partitions: [{key: "0"}, {key: "1"}, {key: "2"}],
      partitionOf: ({key}) => Number(key)
    })
  );
  assert.ok([...partitionScene(decoded, 1).operations].every((i) => decoded.partition[i] === 1));
});

test("operations with long pauses between them are mostly gaps", () => {
  const at = (...calls) =>
    scene(history({operations: calls.map((call) => ({process: 0, f: "f", call, return: call + 10}))}));
  assert.equal(at(0, 20, 40).mostlyGaps(), false);
  assert.equal(at(0, 20, 4000).mostlyGaps(), true);
});

test("a rank axis of a part has steps for that part alone", () => {
  const decoded = decode(register({operations: 100}));
  const mask = new Uint8Array(100);
  mask[3] = 1;
  const rank = rankAxis(decoded, mask);
  assert.ok(rank.times.length <= 2);
});
