// A history as the page holds it: columns of numbers, one entry an operation, and the texts they point to.

/**
 * @typedef {{key: number, verdict: string, reason?: string, engine: string, operations: number, indeterminate: number,
 *   reached: number, maxConcurrency: number, ordered: number}} Partition
 * @typedef {{state: string, order: number[], placed: number, refused: [number, string][]}} Configuration
 * @typedef {{partition: number, operation: number, message: string, longestPrefix: number, core: number[],
 *   reasons?: Record<string, string>, stuck: Configuration[]}} Failure
 * @typedef {{porpentine: number, kind: string, title: string, model: string, timeUnit: string, verdict: string,
 *   reason?: string, operations: number, processes: string[], functions: string[], silent: number[],
 *   columns: string}} Head
 * @typedef {{time: number | string, end?: number | string, process?: string, f?: string, value?: string,
 *   metadata?: string, line?: number}} AnnotationData
 * @typedef {{values: string[], process: number[], f: number[], key: number[], input: number[], output: number[],
 *   outcome: number[], call: (number | string)[], took: (number | string)[], line: number[], returnLine: number[],
 *   partition: number[], partitions: Partition[], failures: Failure[], orders: number[][], states: number[][],
 *   stateTexts: string[], metadata: [number, number][], annotations: AnnotationData[]}} Columns
 */

/**
 * `start` and `end` count from the first time of the history and are for drawing: doubles, so they are exact up to
 * 2^53 only. What is shown in words comes from `callTime` and `returnTime`.
 * @typedef {{index: number, start: number, end: number, moment: boolean, row: number, callTime: bigint,
 *   endTime: bigint, process: string, f: string, value: string, metadata: string, line: number}} Annotation
 * @typedef {object} RecordedHistory
 * @property {Head} head
 * @property {Partition[]} partitions
 * @property {Failure[]} failures
 * @property {number} count
 * @property {string[]} values
 * @property {Uint32Array} process
 * @property {Uint32Array} f
 * @property {Int32Array} key         an index into values, -1 for none
 * @property {Int32Array} input       an index into values
 * @property {Int32Array} output
 * @property {Uint8Array} outcome     OK, FAIL, INFO or OPEN
 * @property {BigInt64Array} callTime
 * @property {BigInt64Array} returnTime  that of the call where there is no return
 * @property {Uint8Array} returned    1 where a return was recorded
 * @property {Float64Array} start
 * @property {Float64Array} end       the right edge of the history where it may take effect for ever
 * @property {bigint} origin          the first time of all
 * @property {number} span            from the first time to the last
 * @property {number} edge            where indeterminate operations end on the axis of time
 * @property {Uint32Array} events     calls (i) and returns (count + i) in order of time, calls first where times tie
 * @property {Uint32Array} byCall     operations in order of their calls
 * @property {Uint32Array} line
 * @property {Uint32Array} returnLine 0 for none
 * @property {Int32Array} partition   as the checker split it; a failed operation is at home with others of its key
 * @property {Uint32Array[]} orders
 * @property {Int32Array} position    in the order of its partition, -1 for none
 * @property {number[][]} states
 * @property {string[]} stateTexts
 * @property {Map<number, number>} metadata
 * @property {Annotation[]} annotations
 */

const OK = 0;
const FAIL = 1;
const INFO = 2;
const OPEN = 3;

/**
 * The order of non-negative 64-bit keys: positions 0, 1, ... sorted by them, stable. A radix sort, because comparing
 * two million events in a callback takes the better part of a second.
 * @param {BigUint64Array} keys
 * @returns {Uint32Array}
 */
function sortedPositions(keys) {
  const count = keys.length;
  const digits = new Uint16Array(keys.buffer, keys.byteOffset, count * 4);
  let from = Uint32Array.from({length: count}, (_, i) => i);
  let to = new Uint32Array(count);
  const places = new Uint32Array(1 << 16);
  for (let digit = 0; digit < 4; ++digit) {
    places.fill(0);
    for (let i = digit; i < digits.length; i += 4) ++places[digits[i]];
    if (count === 0 || places[digits[digit]] === count) continue;
    let sum = 0;
    for (let i = 0; i < places.length; ++i) {
      const these = places[i];
      places[i] = sum;
      sum += these;
    }
    for (const position of from) to[places[digits[position * 4 + digit]]++] = position;
    [from, to] = [to, from];
  }
  return from;
}

/**
 * @param {(number | string)[]} differences
 * @returns {BigInt64Array} their running sums
 */
function runningSums(differences) {
  const sums = new BigInt64Array(differences.length);
  let safe = 0;
  let i = 0;
  // Nearly every history stays here, where no BigInt needs to be added.
  for (; i < sums.length; ++i) {
    const next = typeof differences[i] === "number" ? safe + Number(differences[i]) : NaN;
    if (!Number.isSafeInteger(next)) break;
    safe = next;
    sums[i] = BigInt(safe);
  }
  let sum = BigInt(safe);
  for (; i < sums.length; ++i) sums[i] = sum += BigInt(differences[i]);
  return sums;
}

/**
 * @param {Head} head
 * @param {Columns} columns
 * @returns {RecordedHistory}
 */
function decodeHistory(head, columns) {
  const count = columns.process.length;
  const callTime = runningSums(columns.call);
  const returnTime = callTime.slice();
  const returned = new Uint8Array(count);
  for (let i = 0; i < count; ++i) {
    const took = columns.took[i];
    if (took === -1) continue;
    returned[i] = 1;
    if (took !== 0) returnTime[i] += BigInt(took);
  }

  const stated = columns.annotations.map((each) => {
    const callTime = BigInt(each.time);
    const moment = each.end === undefined;
    return {...each, moment, callTime, endTime: each.end === undefined ? callTime : BigInt(each.end)};
  });
  joinFaults(stated);
  let origin = callTime[0] ?? stated[0]?.callTime ?? 0n;
  let last = origin;
  for (let i = 0; i < count; ++i) {
    if (callTime[i] < origin) origin = callTime[i];
    if (returnTime[i] > last) last = returnTime[i];
  }
  for (const each of stated) {
    if (each.callTime < origin) origin = each.callTime;
    if (each.endTime > last) last = each.endTime;
  }
  const span = Number(last - origin);
  const edge = span === 0 ? 1 : span * 1.02;

  const outcome = new Uint8Array(columns.outcome);
  const start = new Float64Array(count);
  const end = new Float64Array(count);
  const keys = new BigUint64Array(count * 2);
  for (let i = 0; i < count; ++i) {
    keys[i] = callTime[i] - origin;
    keys[count + i] = returnTime[i] - origin;
    start[i] = Number(keys[i]);
    end[i] = outcome[i] >= INFO ? edge : Number(keys[count + i]);
  }
  const events = sortedPositions(keys);

  const partition = new Int32Array(columns.partition);
  const key = columns.key.length > 0 ? new Int32Array(columns.key) : new Int32Array(count).fill(-1);
  const homes = new Map(columns.partitions.map((each, i) => [each.key, i]));
  for (let i = 0; i < count; ++i) if (partition[i] < 0) partition[i] = homes.get(key[i]) ?? -1;

  const orders = columns.orders.map((order) => new Uint32Array(order));
  const position = new Int32Array(count).fill(-1);
  for (const order of orders) order.forEach((operation, i) => (position[operation] = i));

  const line = new Uint32Array(columns.line);
  const returnLine = new Uint32Array(count);
  for (let i = 1; i < count; ++i) line[i] += line[i - 1];
  columns.returnLine.forEach((difference, i) => {
    if (difference !== 0) returnLine[i] = line[i] + difference;
  });

  return {
    head,
    partitions: columns.partitions,
    failures: columns.failures,
    count,
    values: columns.values,
    process: new Uint32Array(columns.process),
    f: new Uint32Array(columns.f),
    key,
    input: new Int32Array(columns.input),
    output: new Int32Array(columns.output),
    outcome,
    callTime,
    returnTime,
    returned,
    start,
    end,
    origin,
    span,
    edge,
    events,
    byCall: events.filter((event) => event < count),
    line,
    returnLine,
    partition,
    orders,
    position,
    states: columns.states,
    stateTexts: columns.stateTexts,
    metadata: new Map(columns.metadata),
    annotations: placeAnnotations(
      stated.map((each, index) => ({
        index,
        start: Number(each.callTime - origin),
        end: Number(each.endTime - origin),
        moment: each.moment,
        row: 0,
        callTime: each.callTime,
        endTime: each.endTime,
        process: each.process ?? "",
        f: each.f ?? "",
        value: each.value ?? "",
        metadata: each.metadata ?? "",
        line: each.line ?? 0
      }))
    )
  };
}

/**
 * What ends a fault of a nemesis, in Jepsen's words.
 * @param {string} f  what it began with
 */
function endingOf(f) {
  if (f === "kill") return "start";
  if (f === "pause") return "resume";
  return /^start\b/.test(f) ? f.replace("start", "stop") : undefined;
}

/**
 * A nemesis tells of moments, and often twice of each: what it does, and that it is done. A fault lasts from when it is
 * first told of until its end is.
 * @param {{process?: string, f?: string, moment: boolean, callTime: bigint, endTime: bigint}[]} annotations
 */
function joinFaults(annotations) {
  annotations.sort((a, b) => Number(a.callTime > b.callTime) - Number(a.callTime < b.callTime));
  const begun = new Map();
  for (const each of annotations) {
    const by = (/** @type {string | undefined} */ f) => JSON.stringify([each.process, f]);
    const fault = begun.get(by(each.f));
    if (fault) {
      fault.moment = false;
      fault.endTime = each.callTime;
      begun.delete(by(each.f));
    }
    const ending = each.moment ? endingOf(each.f ?? "") : undefined;
    if (ending && !begun.has(by(ending))) begun.set(by(ending), each);
  }
}

/** The strip above the lanes has this many rows for labels of annotations. */
const ANNOTATION_ROWS = 3;

/**
 * Sorts annotations by time and gives those that overlap different rows, as far as there are rows.
 * @param {Annotation[]} annotations
 */
function placeAnnotations(annotations) {
  annotations.sort((a, b) => a.start - b.start || a.index - b.index);
  const ends = new Array(ANNOTATION_ROWS).fill(-1);
  annotations.forEach((each, index) => {
    const free = ends.findIndex((end) => end < each.start);
    each.row = free >= 0 ? free : ends.indexOf(Math.min(...ends));
    each.index = index;
    ends[each.row] = each.end;
  });
  return annotations;
}

/**
 * `f(input) -> output`, no longer than asked, and in the words of the command's messages.
 * @param {RecordedHistory} history
 * @param {number} operation
 * @param {number} length
 */
function labelOf(history, operation, length) {
  const input = history.values[history.input[operation]] ?? "null";
  const output = history.values[history.output[operation]] ?? "null";
  const {functions, silent} = history.head;
  const f = history.f[operation];
  const outcome = history.outcome[operation];
  const result = outcome === FAIL ? "failed" : outcome >= INFO ? "?" : beginning(output, length);
  const call = `${functions[f]}(${input === "null" ? "" : beginning(input, length)})`;
  return beginning(shown(result === "null" && silent.includes(f) ? call : `${call} -> ${result}`), length);
}

/**
 * A process's name without the quotes of JSON.
 * @param {RecordedHistory} history
 * @param {number} process
 */
function processName(history, process) {
  return shown(unquoted(history.head.processes[process]));
}

/** @param {string} json */
function unquoted(json) {
  if (!json.startsWith('"')) return json;
  try {
    return String(JSON.parse(json));
  } catch {
    return json;
  }
}

/**
 * @param {RecordedHistory} history
 * @param {number} partition
 */
function partitionName(history, partition) {
  const key = history.partitions[partition]?.key ?? -1;
  return key < 0 ? `partition ${partition}` : shown(beginning(unquoted(history.values[key]), 200));
}

/**
 * How far the check came with a partition, and what made it hard.
 * @param {Partition} partition
 */
function progressOf({operations, indeterminate, reached, maxConcurrency}) {
  const doubt = indeterminate > 0 ? `, ${indeterminate} of them indeterminate` : "";
  const together = maxConcurrency > 1 ? `, up to ${maxConcurrency} at once` : "";
  return `placed ${reached} of ${operations} operation${operations === 1 ? "" : "s"}${doubt}${together}`;
}

/** @param {number} outcome */
function outcomeInWords(outcome) {
  return [
    "ok: it returned",
    "failed: it is known not to have taken effect",
    "indeterminate: it may have taken effect at any moment after its call, or never",
    "open: its return was never recorded, so it may have taken effect at any moment after its call, or never"
  ][outcome];
}

/**
 * The state after the first operations of a partition's order, "" where it isn't known.
 * @param {RecordedHistory} history
 * @param {number} partition
 * @param {number} position  of the last of them
 */
function stateAfter(history, partition, position) {
  const states = history.states[partition] ?? [];
  if (position >= states.length) return "";
  while (position >= 0 && states[position] === -1) --position;
  return position < 0 ? "" : history.stateTexts[states[position]];
}
