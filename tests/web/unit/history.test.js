import assert from "node:assert/strict";
import {test} from "node:test";
import {edges, history, hostile, lostAppend, register, staleRead} from "../histories.js";
import {split} from "../page.js";
import {load} from "./load.js";

const {
  decodeHistory,
  sortedPositions,
  runningSums,
  labelOf,
  shown,
  beginning,
  stateAfter,
  processName,
  partitionName,
  placeAnnotations
} = load(
  "decodeHistory",
  "sortedPositions",
  "runningSums",
  "labelOf",
  "shown",
  "beginning",
  "stateAfter",
  "processName",
  "partitionName",
  "placeAnnotations"
);
const decode = (made) => decodeHistory(...split(made));

test("keys of 64 bits are sorted exactly, and equal ones keep their order", () => {
  const keys = BigUint64Array.from([2n ** 64n - 1n, 0n, 2n ** 63n, 2n ** 53n + 1n, 2n ** 53n, 0n, 70000n]);
  assert.deepEqual([...sortedPositions(keys)], [1, 5, 6, 4, 3, 2, 0]);
  assert.deepEqual([...sortedPositions(new BigUint64Array(0))], []);
});

test("differences beyond 2^53 are added exactly", () => {
  assert.deepEqual([...runningSums(["-9223372036854775808", "18446744073709551615"])], [-(2n ** 63n), 2n ** 63n - 1n]);
  assert.deepEqual(
    [...runningSums([9007199254740990, 5, -3])],
    [9007199254740990n, 9007199254740995n, 9007199254740992n]
  );
});

test("an operation has its exact times, its lines and its place in the order", () => {
  const stale = decode(staleRead());
  assert.equal(stale.callTime[4], 60n);
  assert.equal(stale.returnTime[4], 70n);
  assert.equal(stale.returned[1], 0);
  assert.deepEqual([...stale.line], [2, 3, 4, 5, 6]);
  assert.deepEqual([...stale.position], [0, 2, 1, 3, -1]);
  assert.equal(decode(register({operations: 20})).returnLine[3], 9);
});

test("an indeterminate operation lasts beyond the end of the history", () => {
  const stale = decode(staleRead());
  assert.ok(stale.end[1] > 70);
  assert.equal(stale.end[0], 10);
});

test("events are in order of time, calls before returns where times tie", () => {
  const {events} = decode(
    history({
      operations: [
        {process: 0, f: "read", call: 5, return: 9},
        {process: 1, f: "read", call: 9, return: 12},
        {process: 2, f: "read", call: 1, return: 5}
      ]
    })
  );
  assert.deepEqual([...events], [2, 0, 5, 1, 3, 4]);
});

test("a failed operation is at home with the others of its key", () => {
  const decoded = decode(
    history({
      operations: [
        {process: 0, f: "put", key: '"a"', call: 0, return: 1},
        {process: 0, f: "put", key: '"b"', call: 2, return: 3, outcome: "fail"}
      ],
      partitions: [{key: '"a"'}, {key: '"b"'}]
    })
  );
  assert.deepEqual([...decoded.partition], [0, 1]);
});

test("a label tells the function, the input and the output", () => {
  const stale = decode(staleRead());
  assert.equal(labelOf(stale, 4, 80), 'read() -> "blue"');
  assert.equal(labelOf(stale, 0, 80), 'write("blue")');
  assert.equal(labelOf(stale, 1, 80), 'write("red") -> ?');
  assert.equal(labelOf(stale, 4, 9), "read() -…");
  const words = decode(
    history({
      operations: [
        {process: 0, f: "read", input: "5", call: 0, return: 1},
        {process: 0, f: "write", input: "5", call: 2, return: 3, outcome: "fail"}
      ]
    })
  );
  assert.deepEqual(
    [0, 1].map((operation) => labelOf(words, operation, 80)),
    ["read(5) -> null", "write(5) -> failed"]
  );
});

test("a label of a megabyte of text is as short as asked, and made of a beginning", () => {
  const label = labelOf(decode(hostile()), 9, 60);
  assert.equal(label.length, 60);
  assert.ok(label.startsWith('write("xxx'));
});

test("what would turn or hide other text is shown as an escape", () => {
  assert.equal(shown("a\u202eb\u0000c\u2028d"), "a\\u202eb\\u0000c\\u2028d");
  assert.equal(shown("é 👩 \u4e2d"), "é 👩 \u4e2d");
});

test("a beginning holds no half of a character", () => {
  assert.equal(beginning("a👩bc", 3), "a…");
  assert.equal(beginning("abc", 3), "abc");
});

test("the state after an operation is that of the nearest before it that is known", () => {
  const stale = decode(staleRead());
  assert.equal(stateAfter(stale, 0, 1), '"blue"');
  assert.equal(stateAfter(stale, 0, 3), '"red"');
  assert.equal(stateAfter(stale, 0, 4), "");
  assert.equal(stateAfter(stale, 0, -1), "");
});

test("names of processes and keys are without the quotes of JSON", () => {
  const append = decode(lostAppend());
  assert.match(processName(append, 0), /^client \d+$/);
  assert.equal(partitionName(append, 0), "orders");
  assert.equal(partitionName(decode(staleRead()), 0), "partition 0");
});

test("annotations that overlap have different rows", () => {
  const placed = placeAnnotations(
    [
      {start: 5, end: 9},
      {start: 0, end: 6},
      {start: 7, end: 8}
    ].map((each, index) => ({...each, index}))
  );
  assert.deepEqual(
    placed.map(({start, row}) => [start, row]),
    [
      [0, 0],
      [5, 1],
      [7, 0]
    ]
  );
});

test("a fault lasts from when it is first told of until its end is", () => {
  const tell = (time, f, process = "nemesis") => ({time, f, process});
  const annotations = [
    tell(40, "stop-partition"),
    tell(10, "start-partition"),
    tell(11, "start-partition"),
    tell(20, "start-partition", "other"),
    tell(30, "kill"),
    tell(41, "stop-partition"),
    tell(50, "start"),
    tell(60, "startle")
  ];
  const made = history({operations: [], annotations});
  const {annotations: decoded} = decode(made);
  assert.deepEqual(
    decoded.filter(({moment}) => !moment).map(({f, process, callTime, endTime}) => [f, process, callTime, endTime]),
    [
      ["start-partition", "nemesis", 10n, 40n],
      ["kill", "nemesis", 30n, 50n]
    ]
  );
  assert.equal(decoded.length, annotations.length);
});

test("histories at the edges are decoded", () => {
  for (const [name, make] of Object.entries(edges)) {
    const decoded = decode(make());
    assert.ok(Number.isFinite(decoded.span) && decoded.edge > 0, name);
  }
  assert.equal(decode(edges["times over all of int64"]()).span, 2 ** 64);
});
