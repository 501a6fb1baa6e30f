import assert from "node:assert/strict";
import {test} from "node:test";
import {hostile, lostAppend, register, staleRead} from "../histories.js";
import {split} from "../page.js";
import {load} from "./load.js";

const {niceStep, tickText, durationText, parseQuery, findOperations, inSlices, parseLink, linkText, decodeHistory} =
  load(
    "niceStep",
    "tickText",
    "durationText",
    "parseQuery",
    "findOperations",
    "inSlices",
    "parseLink",
    "linkText",
    "decodeHistory"
  );
const decode = (made) => decodeHistory(...split(made));

test("steps of the ruler are 1, 2 or 5 times a power of ten", () => {
  assert.deepEqual(
    [0.7, 1, 1.1, 3, 7, 99, 0.03].map(niceStep).map((step) => Number(step.toPrecision(6))),
    [1, 1, 2, 5, 10, 100, 0.05]
  );
});

test("a tick has the unit that fits, and the digits that tell it from its neighbours", () => {
  assert.equal(tickText(0, 1000, "ns"), "0 ns");
  assert.equal(tickText(1500, 500, "ns"), "1.5 µs");
  assert.equal(tickText(2e9, 1e9, "ns"), "2 s");
  assert.equal(tickText(2_000_000_100, 100, "ns"), "2.0000001 s");
  assert.equal(tickText(20, 10, "ms"), "20 ms");
  assert.equal(tickText(17, 1, "event"), "17");
  assert.equal(tickText(17.5, 0.5, "ticks"), "17.5");
  assert.equal(tickText(-1500, 500, "ns"), "-1.5 µs");
  assert.ok(tickText(2 ** 64, 2 ** 61, "ns").length < 20);
});

test("a duration is told in a fitting unit and exactly", () => {
  assert.equal(durationText(1_234_567n, "ns"), "1.235 ms (1234567 ns)");
  assert.equal(durationText(17n, "ns"), "17 ns");
  assert.equal(durationText(1n, "event"), "1 event");
  assert.equal(durationText(5n, "ticks"), "5 ticks");
});

const find = (made, typed, shown = () => true) =>
  inSlices(findOperations(decode(made), parseQuery(typed), shown), () => false).then((found) => [...found]);

test("text is found in functions, values and processes, in whatever case", async () => {
  assert.deepEqual(await find(staleRead(), "BLUE"), [0, 2, 4]);
  assert.deepEqual(await find(staleRead(), "write"), [0, 1]);
  assert.deepEqual(await find(lostAppend(), "orders-13b"), [141]);
  assert.ok((await find(lostAppend(), "client 9")).length > 0);
  assert.deepEqual(await find(staleRead(), "  "), []);
  assert.deepEqual(await find(staleRead(), "nowhere"), []);
});

test("a piece of a label is found", async () => {
  assert.deepEqual(await find(staleRead(), "write(\"blue"), [0]);
  assert.deepEqual(await find(staleRead(), "-> \"BLUE\""), [2, 4]);
  assert.deepEqual(await find(staleRead(), "read() -> ?"), []);
});

test("an output that never came is not found", async () => {
  assert.deepEqual(await find(staleRead(), "null"), [0, 2, 3, 4]);
});

test("numbers of operations and lines are found", async () => {
  assert.deepEqual(await find(staleRead(), "#3"), [3]);
  assert.deepEqual(await find(staleRead(), "#5"), []);
  assert.deepEqual(await find(staleRead(), ":6"), [4]);
  assert.deepEqual(await find(register({operations: 20}), ":9"), [3]);
});

test("text is looked for among what is shown, a number everywhere", async () => {
  assert.deepEqual(await find(staleRead(), "blue", (operation) => operation > 0), [2, 4]);
  assert.deepEqual(await find(staleRead(), "#0", (operation) => operation > 0), [0]);
});

test("a search of long texts stops between them", () => {
  const work = findOperations(decode(hostile()), parseQuery("xyz"), () => true);
  let stops = 0;
  while (!work.next().done) ++stops;
  assert.ok(stops >= 1);
});

test("a search that was overtaken is given up", async () => {
  function* endless() {
    for (;;) yield;
  }
  assert.equal(await inSlices(endless(), () => true), undefined);
});

test("a link is read as it is written", () => {
  for (const link of [
    {operation: 17, partition: 2, rank: true},
    {operation: -1, partition: -1, rank: false},
    {operation: 0, partition: -1, rank: false}
  ]) {
    assert.deepEqual(parseLink(linkText(link)), link);
  }
  assert.equal(linkText({operation: 17, partition: 2, rank: true}), "#op=17&key=2&axis=rank");
  assert.deepEqual(parseLink("#op=-4&key=x&axis=%E0%A4%A"), {operation: -1, partition: -1, rank: false});
});
