import assert from "node:assert/strict";
import {test} from "node:test";
import {history, lostAppend, register, seeded} from "../histories.js";
import {split} from "../page.js";
import {load} from "./load.js";

const {
  decodeHistory,
  Scene,
  scanRow,
  nearestInRow,
  firstInRow,
  endInRow,
  laneOfRow,
  processesInOrder,
  partitionsInOrder,
  countingSort,
  MOST_ROWS
} = load(
  "decodeHistory",
  "Scene",
  "scanRow",
  "nearestInRow",
  "firstInRow",
  "endInRow",
  "laneOfRow",
  "processesInOrder",
  "partitionsInOrder",
  "countingSort",
  "MOST_ROWS"
);
const scene = (made) => {
  const decoded = decodeHistory(...split(made));
  return new Scene(decoded, decoded.byCall);
};

test("a counting sort is stable", () => {
  assert.deepEqual([...countingSort(Uint32Array.from([5, 1, 4, 2]), (i) => i % 2, 2)], [4, 2, 5, 1]);
});

test("processes are in the order people would list them", () => {
  const names = ["10", "2", '"nemesis"', "-1", '"client 10"', '"client 9"'];
  assert.deepEqual(
    processesInOrder(names)
      .map((i) => names[i])
      .slice(1),
    ["2", "10", '"client 9"', '"client 10"', '"nemesis"']
  );
});

test("invalid partitions come first, then unknown ones", () => {
  assert.deepEqual(
    partitionsInOrder(["valid", "unknown", "invalid", "valid", "invalid"].map((verdict) => ({verdict}))),
    [2, 4, 1, 0, 3]
  );
});

test("each process has a lane, and its operations one row", () => {
  const shown = scene(register({operations: 300, processes: 4}));
  const layout = shown.layout("process");
  assert.equal(layout.lanes, shown.history.head.processes.length);
  assert.equal(layout.rows, layout.lanes);
  assert.equal(layout.rowOperations.length, 300);
  assert.ok(layout.rowOf.every((row) => row >= 0));
});

test("no two operations of a row overlap", () => {
  const random = seeded(4);
  const shown = scene(
    history({
      operations: Array.from({length: 400}, () => {
        const call = Math.floor(random() * 2000);
        return {
          process: Math.floor(random() * 3),
          f: "f",
          call,
          ...(random() < 0.1 ? {outcome: "info"} : {return: call + Math.floor(random() * 12)})
        };
      })
    })
  );
  for (const axis of [shown.time, shown.rank]) {
    const layout = shown.layout("process");
    assert.ok(layout.rows <= 3 * MOST_ROWS);
    for (let row = 0; row < layout.rows; ++row) {
      for (let place = layout.rowStart[row] + 1; place < layout.rowStart[row + 1]; ++place) {
        assert.ok(endInRow(layout, axis, row, place - 1) <= axis.start[layout.rowOperations[place]]);
      }
    }
  }
});

test("an operation beside an indeterminate one of its process has a row of its own", () => {
  const layout = scene(
    history({
      operations: [
        {process: 0, f: "a", call: 0, outcome: "info"},
        {process: 0, f: "b", call: 5, return: 9},
        {process: 0, f: "c", call: 10, return: 12}
      ]
    })
  ).layout("process");
  assert.deepEqual([...layout.rowOf], [0, 1, 1]);
});

test("where there are too few rows, the oldest indeterminate operation gives way", () => {
  const layout = scene(
    history({
      operations: [
        ...Array.from({length: MOST_ROWS}, (_, i) => ({process: 0, f: "f", call: i, outcome: "info"})),
        {process: 0, f: "f", call: 10, return: 12},
        {process: 0, f: "f", call: 13, return: 14}
      ]
    })
  ).layout("process");
  assert.deepEqual([...layout.rowOf], [0, 1, 2, 3, 0, 0]);
});

test("lanes by key stand key by key, the invalid one first", () => {
  const layout = scene(lostAppend({keys: ["a", "b"]})).layout("key");
  const keys = [...layout.lanePartition];
  assert.deepEqual(keys, [...keys].sort());
  for (let row = 0; row < layout.rows; ++row) {
    const lane = laneOfRow(layout, row);
    assert.ok(layout.laneRow[lane] <= row && row < layout.laneRow[lane + 1]);
  }
});

const scan = (layout, axis, row, from, to, pixels) => {
  const each = [];
  const runs = [];
  let steps = 0;
  scanRow(
    layout,
    axis,
    row,
    from,
    to,
    (to - from) / pixels,
    (operation) => {
      each.push(operation);
      ++steps;
    },
    (start, end, count) => {
      runs.push({start, end, count});
      ++steps;
    }
  );
  return {each, runs, steps};
};

test("all operations of a row are drawn, one by one or in a run", () => {
  const shown = scene(register({operations: 5000, processes: 1, seed: 2}));
  const layout = shown.layout("process");
  for (const axis of [shown.time, shown.rank]) {
    for (const pixels of [10, 100, 1000, 100000, 1e7]) {
      for (let row = 0; row < layout.rows; ++row) {
        const {each, runs} = scan(layout, axis, row, axis.from, axis.to, pixels);
        const covered = each.length + runs.reduce((sum, {count}) => sum + count, 0);
        assert.equal(covered, layout.rowStart[row + 1] - layout.rowStart[row]);
      }
    }
  }
});

test("a row of a million operations costs no more than its pixels", () => {
  const count = 1_000_000;
  const start = Float64Array.from({length: count}, (_, i) => i * 10);
  const axis = {start, end: start.map((each) => each + 7)};
  const layout = {
    rowStart: Uint32Array.from([0, count]),
    rowOperations: Uint32Array.from({length: count}, (_, i) => i)
  };
  const {steps} = scan(layout, axis, 0, 0, 1e7, 1000);
  assert.ok(steps <= 1000);
  assert.deepEqual(scan(layout, axis, 0, 5_000_003, 5_000_030, 1000).each, [500000, 500001, 500002, 500003]);
});

test("a wide operation among narrow ones is not merged", () => {
  const shown = scene(
    history({
      operations: [
        ...Array.from({length: 100}, (_, i) => ({process: 0, f: "f", call: i * 2, return: i * 2 + 1})),
        {process: 0, f: "wide", call: 200, return: 900}
      ]
    })
  );
  const {each, runs} = scan(shown.layout("process"), shown.time, 0, 0, 1000, 50);
  assert.deepEqual(each, [100]);
  assert.equal(runs[0].count, 100);
});

test("the nearest operation is found, within reach only", () => {
  const shown = scene(
    history({
      operations: [
        {process: 0, f: "a", call: 0, return: 10},
        {process: 0, f: "b", call: 30, return: 40}
      ]
    })
  );
  const layout = shown.layout("process");
  const nearest = (at, reach) => nearestInRow(layout, shown.time, 0, at, reach);
  assert.equal(nearest(5, 0), 0);
  assert.equal(nearest(12, 5), 0);
  assert.equal(nearest(27, 5), 1);
  assert.equal(nearest(20, 5), -1);
  assert.equal(nearest(-9, Infinity), 0);
  assert.equal(nearest(1000, Infinity), 1);
  assert.equal(firstInRow(layout, shown.time, 0, 35), 1);
});

test("of many lanes, those of a violation's core come first, then those that ran meanwhile", () => {
  const operations = Array.from({length: 40}, (_, i) => ({process: i, f: "read", call: i * 10, return: i * 10 + 15}));
  const shown = scene(history({operations}));
  const layout = shown.layout("process", {operation: 33, core: [31, 33]});
  assert.deepEqual([...layout.laneProcess.slice(0, 5)], [31, 33, 30, 32, 34]);
  assert.deepEqual([...layout.laneProcess.slice(5, 7)], [0, 1]);
  assert.deepEqual([...shown.layout("process").laneProcess.slice(0, 3)], [0, 1, 2]);
});
