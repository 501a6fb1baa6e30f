// Where operations stand from left to right: in real time, or by rank, where the distance of neighbouring events is
// the same however long the time between them.

/**
 * @typedef {object} Axis
 * @property {"time" | "rank"} kind
 * @property {Float64Array} start  of each operation
 * @property {Float64Array} end
 * @property {number} from         the extent of what is shown
 * @property {number} to
 * @property {Float64Array} times  by rank: the times that occur, in order; empty on the axis of time
 */

/**
 * The first position in [low, high) of which `reached` holds, where it holds of all after it; or high.
 * @param {number} low
 * @param {number} high
 * @param {(position: number) => boolean} reached
 */
function firstPosition(low, high, reached) {
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (reached(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * @param {RecordedHistory} history
 * @param {Uint32Array} operations  those shown
 * @param {boolean} whole           whether they are all
 * @returns {Axis}
 */
function timeAxis(history, operations, whole) {
  let from = whole ? 0 : Infinity;
  let to = whole ? history.span : -Infinity;
  if (!whole) {
    for (const operation of operations) {
      from = Math.min(from, history.start[operation]);
      to = Math.max(
        to,
        history.start[operation],
        history.outcome[operation] >= INFO ? -Infinity : history.end[operation]
      );
    }
  }
  if (!(from < to)) [from, to] = from === to ? [from - 0.5, to + 0.5] : [0, 1];
  const margin = (to - from) * 0.02;
  return {
    kind: "time",
    start: history.start,
    end: history.end,
    from: from - margin,
    to: to + margin,
    times: new Float64Array(0)
  };
}

/**
 * Each time that occurs is one step from the next. Events of one process at the same time share that step: a process
 * does one thing after the other even where its clock didn't tell them apart.
 * @param {RecordedHistory} history
 * @param {Uint8Array} mask  1 for the operations shown
 * @returns {Axis}
 */
function rankAxis(history, mask) {
  const {count, events, start: callAt, end: returnAt, callTime, returnTime, returned, process} = history;
  const start = new Float64Array(count);
  const end = new Float64Array(count);
  const times = [];
  const taken = new Map();
  /** @param {number} operation */
  const next = (operation) => {
    const before = taken.get(process[operation]) ?? 0;
    taken.set(process[operation], before + 1);
    return before;
  };
  const present = events.filter(
    (event) => mask[event % count] === 1 && (event < count || returned[event - count] === 1)
  );
  const timeOf = (/** @type {number} */ event) => (event < count ? callTime[event] : returnTime[event - count]);
  for (let i = 0, last = 0; i < present.length; i = last) {
    const time = timeOf(present[i]);
    for (last = i + 1; last < present.length && timeOf(present[last]) === time;) ++last;
    const rank = times.length;
    times.push(present[i] < count ? callAt[present[i]] : returnAt[present[i] - count]);
    if (last === i + 1) {
      if (present[i] < count) start[present[i]] = rank;
      else end[present[i] - count] = rank;
      continue;
    }
    const group = present.subarray(i, last);
    // First what a process began earlier ends; then it begins, and maybe ends, one operation after the other.
    for (const event of group)
      if (event >= count && callTime[event - count] !== time) end[event - count] = next(event - count);
    for (const event of group) {
      if (event >= count) continue;
      start[event] = next(event);
      if (returned[event] === 1 && returnTime[event] === time) end[event] = next(event);
    }
    for (const event of group) {
      const operation = event % count;
      const position = event < count ? start : end;
      position[operation] = rank + position[operation] / (taken.get(process[operation]) ?? 1);
    }
    taken.clear();
  }
  const to = Math.max(times.length, 1);
  for (const event of present) {
    if (event >= count) continue;
    if (history.outcome[event] >= INFO) end[event] = to;
    else if (returned[event] === 0) end[event] = start[event];
  }
  return {kind: "rank", start, end, from: -0.02 * to - 0.2, to: to * 1.02 + 0.2, times: Float64Array.from(times)};
}

/**
 * @param {Axis} axis  by rank
 * @param {number} time
 */
function timeToRank(axis, time) {
  const {times} = axis;
  if (times.length === 0) return 0;
  const after = firstPosition(0, times.length, (i) => times[i] > time);
  if (after === 0) return 0;
  if (after === times.length) return time > times[after - 1] ? after : after - 1;
  return after - 1 + (time - times[after - 1]) / (times[after] - times[after - 1]);
}

/**
 * @param {Axis} axis  by rank
 * @param {number} rank
 */
function rankToTime(axis, rank) {
  const {times} = axis;
  if (times.length === 0) return 0;
  const at = Math.min(Math.max(rank, 0), times.length - 1);
  const before = Math.floor(at);
  const after = Math.min(before + 1, times.length - 1);
  return times[before] + (times[after] - times[before]) * (at - before);
}

/**
 * Points within the operations at which they may have taken effect, one after the other in the order given: halfway
 * between the earliest such points and the latest, which keeps them off the ends of the bars where it can. An
 * indeterminate operation that nothing bounds takes effect as early as it may.
 * @param {RecordedHistory} history
 * @param {Axis} axis
 * @param {Uint32Array} order
 * @returns {Float64Array} a point for each entry of the order
 */
function linearizationPoints({outcome}, axis, order) {
  const points = new Float64Array(order.length);
  let earliest = -Infinity;
  for (let i = 0; i < order.length; ++i) points[i] = earliest = Math.max(earliest, axis.start[order[i]]);
  let latest = Infinity;
  for (let i = order.length - 1; i >= 0; --i) {
    if (outcome[order[i]] === OK) latest = Math.min(latest, axis.end[order[i]]);
    if (latest < Infinity) points[i] = (points[i] + Math.max(latest, points[i])) / 2;
  }
  return points;
}
