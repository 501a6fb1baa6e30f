import assert from "node:assert/strict";
import {test} from "node:test";
import {loadTrace} from "./load.js";

const {Trace, TYPES, parseQuery, inSlices, rankIn} = loadTrace("Trace", "TYPES", "parseQuery", "inSlices", "rankIn");

/** A trace as a page holds it, of events [type, actor, channel@offset, more]. */
function trace(events, violations = []) {
  const actors = [];
  const channels = [];
  const perEvent = {type: [], actor: [], channel: [], offset: [], line: [], flag: [], detail: []};
  const columns = {...perEvent, details: [], lists: [], violations};
  const index = (names, name) => {
    if (name === "") return -1;
    if (!names.includes(name)) names.push(name);
    return names.indexOf(name);
  };
  for (const [type, actor = "", place = "", {flag = 0, text = "", offset} = {}] of events) {
    const [channel, number = "0"] = place.split("@");
    columns.type.push(TYPES.indexOf(type));
    columns.actor.push(index(actors, actor));
    columns.channel.push(index(channels, channel));
    columns.offset.push(offset ?? Number(number));
    columns.line.push(columns.line.length === 0 ? 2 : 1);
    columns.flag.push(flag);
    columns.detail.push(index(columns.details, text));
  }
  return new Trace({actors, channels}, columns);
}

const EARLY = [
  ["subscribe", "n3", "t1"],
  ["send", "n1", "t1@0", {text: '"a"'}],
  ["deliver", "n2", "t1@0"],
  ["send", "n2", "t2@0"],
  ["deliver", "n3", "t2@0"],
  ["deliver", "n3", "t1@0"],
  ["drain"]
];
const EARLY_VIOLATION = {
  kind: "causal",
  event: 4,
  actor: 0,
  sent: 3,
  message: "",
  missingInAll: 1,
  missing: [{event: 1, because: [1, 2, 3]}]
};

test("a delivery and an observation know the send, and the send knows them", () => {
  const {sendOf, lines, before, hosted} = trace([...EARLY, ["observe", "c", "t1@0"], ["deliver", "n1", "t9@0"]]);
  assert.deepEqual([...sendOf], [-1, -1, 1, -1, 3, 1, -1, 1, -1]);
  assert.deepEqual([...lines].slice(0, 3), [2, 3, 4]);
  assert.deepEqual([...before], [-1, -1, -1, 2, 0, 4, -1, -1, 1]);
  assert.deepEqual([...hosted], [6]);
});

test("what was sent is seen in the order of the trace", () => {
  const decoded = trace([...EARLY, ["observe", "c", "t1@0"]]);
  assert.deepEqual([...decoded.seenAt(1)], [2, 5, 7]);
  assert.deepEqual([...decoded.seenAt(3)], [4]);
  assert.deepEqual([...decoded.seenAt(0)], []);
});

test("offsets that doubles can't tell apart are different records", () => {
  const decoded = trace([
    ["send", "a", "t", {offset: "18446744073709551614"}],
    ["send", "a", "t", {offset: "18446744073709551615"}],
    ["deliver", "b", "t", {offset: "18446744073709551615"}]
  ]);
  assert.deepEqual([...decoded.sendOf], [-1, -1, 1]);
  assert.equal(decoded.describe(2), "b: deliver t@18446744073709551615");
});

test("names that turn the direction of text are shown as escapes", () => {
  assert.equal(trace([["send", "a\u202e", "t\u2066@1"]]).describe(0), "a\\u202e: send t\\u2066@1");
});

test("a step that aborts takes its own events with it, and no one else's", () => {
  const decoded = trace([
    ["begin", "a"],
    ["send", "b", "u@0"],
    ["send", "a", "t@0"],
    ["abort", "a"],
    ["send", "a", "t@1"]
  ]);
  assert.deepEqual([...decoded.aborted], [1, 0, 1, 1, 0]);
  assert.deepEqual(decoded.steps, [{actor: 0, from: 0, to: 3, aborted: true}]);
});

test("a commit of unknown outcome was one if its records are seen later", () => {
  const step = [
    ["begin", "a"],
    ["send", "a", "t@0"],
    ["commit", "a", "", {flag: 1}]
  ];
  assert.equal(trace(step).steps[0].aborted, true);
  assert.equal(trace([...step, ["observe", "b", "t@0"]]).steps[0].aborted, false);
  assert.equal(trace([...step.slice(0, 2), ["commit", "a"]]).steps[0].aborted, false);
});

test("a crash aborts the open step, and the actor is down until it restarts", () => {
  const decoded = trace([["begin", "a"], ["send", "a", "t@0"], ["crash", "a"], ["restart", "a"], ["crash", "a"]]);
  assert.deepEqual([...decoded.aborted], [1, 1, 1, 0, 0]);
  assert.deepEqual(decoded.downs, [
    {actor: 0, from: 2, to: 3},
    {actor: 0, from: 4, to: 5}
  ]);
});

test("a step that is open at the end has no end, and is not aborted", () => {
  assert.deepEqual(trace([["send", "b", "t@0"], ["begin", "a"]]).steps, [{actor: 1, from: 1, to: 2, aborted: false}]);
});

test("a violation is told from the missing cause to the delivery, and to where the cause came late", () => {
  const {chain, causal, late, notes, events} = trace(EARLY, [EARLY_VIOLATION]).explain(EARLY_VIOLATION, 0);
  assert.deepEqual([chain, causal, late, events], [[1, 2, 3, 4], true, 5, [1, 2, 3, 4, 5]]);
  assert.equal(notes.get(1), "t1@0: the cause");
  assert.equal(notes.get(4), "t2@0 before its cause t1@0");
  assert.equal(notes.get(5), "t1@0 only now");
  const never = trace(EARLY.slice(0, 5)).explain(EARLY_VIOLATION, 0);
  assert.equal(never.late, -1);
  assert.equal(never.notes.get(4), "t2@0 without its cause t1@0");
});

test("a delivery that comes again or out of order is told with the one before", () => {
  const decoded = trace([
    ["send", "a", "t@0"],
    ["send", "a", "t@1"],
    ["deliver", "b", "t@0"],
    ["deliver", "b", "t@1"],
    ["deliver", "b", "t@0"]
  ]);
  const made = {event: 4, actor: 1, sent: 0, message: "", missingInAll: 0, missing: []};
  assert.deepEqual(decoded.explain({...made, kind: "duplicate"}, 0).chain, [2, 4]);
  assert.deepEqual(decoded.explain({...made, kind: "fifo"}, 0).chain, [3, 4]);
});

test("what was not delivered by a drain is told from its send", () => {
  const made = {kind: "incomplete", event: 6, actor: 0, sent: 3, message: "", missingInAll: 0, missing: []};
  const {chain, notes} = trace(EARLY).explain(made, 0);
  assert.deepEqual(chain, [3, 6]);
  assert.equal(notes.get(6), "t2@0 not delivered");
});

test("records on their way all over a window are found, in however long a trace", () => {
  const events = [["send", "a", "t@0"]];
  for (let i = 0; i < 2000; ++i) events.push(["send", "b", `u@${i}`]);
  events.push(["deliver", "c", "t@0"], ["deliver", "c", "u@1500"]);
  const decoded = trace(events);
  assert.deepEqual(decoded.passing(100, 300, 10), [2001]);
  assert.deepEqual(decoded.passing(1600, 1700, 10), [2001, 2002]);
  assert.equal(decoded.passing(1600, 1700, 1).length, 1);
  assert.deepEqual(decoded.passing(0, 2002, 10), []);
});

test("events are found by actor, place, id, line and number", async () => {
  const decoded = trace(EARLY);
  const find = async (typed) => [...(await inSlices(decoded.find(parseQuery(typed)), () => false))];
  assert.deepEqual(await find("N2:"), [2, 3]);
  assert.deepEqual(await find("t1@0"), [0, 1, 2, 5]);
  assert.deepEqual(await find('"A"'), [1]);
  assert.deepEqual(await find(":4"), [2]);
  assert.deepEqual(await find("#4"), [4]);
  assert.deepEqual(await find("#400"), []);
  assert.deepEqual(await find(" "), []);
});

test("the nearest event of an actor, or of none, is found in both directions", () => {
  const decoded = trace(EARLY);
  assert.equal(decoded.nearestOn(0, 3), 4);
  assert.equal(decoded.nearestOn(-1, 0), 6);
  assert.equal(decoded.nearestOn(1, 6), 1);
});

test("a value's rank is how many are less", () => {
  assert.deepEqual([0, 1, 2, 3, 9].map((value) => rankIn([1, 3, 5], value)), [0, 0, 1, 1, 3]);
});
