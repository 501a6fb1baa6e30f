// Where operations stand from top to bottom: lanes, and in a lane as many rows as it needs so that no two operations of
// a row overlap. Rows are slices of one array, sorted by time, so that what a window shows is found by binary search.

/**
 * @typedef {"process" | "key"} LaneMode
 * @typedef {object} Layout
 * @property {LaneMode} mode
 * @property {number} lanes
 * @property {number} rows
 * @property {Int32Array} lanePartition   -1 where lanes are processes
 * @property {Uint32Array} laneProcess
 * @property {Uint32Array} laneStart      of each lane, in `operations`
 * @property {Uint32Array} operations     lane by lane, each in order of calls
 * @property {Uint32Array} laneRow        the first row of each lane
 * @property {Float64Array} laneTop       in pixels; the last entry is the height of all
 * @property {Uint32Array} rowStart       of each row, in `rowOperations`
 * @property {Uint32Array} rowOperations  row by row, each in order of calls
 * @property {Float64Array} rowTop        in pixels
 * @property {Int32Array} rowOf           the row of each operation, -1 for one that isn't shown
 */

const ROW_HEIGHT = 32;
const BAR_HEIGHT = 20;
const LANE_PADDING = 5;
const GROUP_HEIGHT = 24;
/** A process with many indeterminate operations would fill the page: past these rows the oldest are drawn over. */
const MOST_ROWS = 4;

/**
 * The items in order of their keys, stable.
 * @param {Uint32Array} items
 * @param {(item: number) => number} keyOf  less than keys
 * @param {number} keys
 */
function countingSort(items, keyOf, keys) {
  const places = new Uint32Array(keys + 1);
  for (const item of items) ++places[keyOf(item) + 1];
  for (let i = 1; i <= keys; ++i) places[i] += places[i - 1];
  const sorted = new Uint32Array(items.length);
  for (const item of items) sorted[places[keyOf(item)]++] = item;
  return sorted;
}

/**
 * Where each index goes when they are sorted.
 * @param {number[]} sorted
 */
function placesOf(sorted) {
  const places = new Uint32Array(sorted.length);
  sorted.forEach((index, place) => (places[index] = place));
  return places;
}

/**
 * Processes as people would list them: 2 before 10, numbers before names.
 * @param {string[]} processes
 * @returns {number[]}
 */
function processesInOrder(processes) {
  const names = processes.map(unquoted);
  const collator = new Intl.Collator("en", {numeric: true});
  return names.map((_, i) => i).sort((a, b) => collator.compare(names[a], names[b]) || a - b);
}

/**
 * Invalid ones first, then unknown, then valid ones.
 * @param {Partition[]} partitions
 * @returns {number[]}
 */
function partitionsInOrder(partitions) {
  /** @type {Record<string, number>} */
  const weights = {invalid: 0, unknown: 1};
  const weight = (/** @type {number} */ i) => weights[partitions[i].verdict] ?? 2;
  return partitions.map((_, i) => i).sort((a, b) => weight(a) - weight(b) || a - b);
}

/** So many lanes can be seen at once; of more, those that a violation is about come first. */
const FEW_LANES = 16;

/**
 * Which processes to show first: those of a violation's core, then those that called or returned meanwhile. A client
 * that goes on under a new number after each lost answer would otherwise be a thousand lanes away from its neighbours.
 * @param {RecordedHistory} history
 * @param {Uint32Array} shown
 * @param {Failure | undefined} failure
 * @returns {number[]}
 */
function processesOfInterest(history, shown, failure) {
  const {head, process, start, end, outcome} = history;
  const order = processesInOrder(head.processes);
  if (!failure || order.length <= FEW_LANES) return order;
  const core = coreOperations(history, failure);
  const from = start[core[0]];
  const to = core.reduce(
    (last, operation) => Math.max(last, outcome[operation] === OK ? end[operation] : start[operation]),
    from
  );
  const interest = new Uint8Array(order.length);
  for (const operation of shown) {
    const ends = outcome[operation] < INFO && end[operation] >= from && end[operation] <= to;
    if (ends || (start[operation] >= from && start[operation] <= to)) interest[process[operation]] = 1;
  }
  for (const operation of core) interest[process[operation]] = 2;
  return order.sort((a, b) => interest[b] - interest[a]);
}

/**
 * @param {RecordedHistory} history
 * @param {Uint32Array} shown  operations in order of their calls
 * @param {Axis} rank          over the same operations: what is disjoint by rank is so in time
 * @param {LaneMode} mode
 * @param {Failure} [failure]  the violation that is looked at
 * @returns {Layout}
 */
function layOut(history, shown, rank, mode, failure) {
  const {partitions, process, partition} = history;
  const processPlace = placesOf(processesOfInterest(history, shown, failure));
  let operations = countingSort(shown, (operation) => processPlace[process[operation]], processPlace.length);
  if (mode === "key") {
    const places = placesOf(partitionsInOrder(partitions));
    operations = countingSort(
      operations,
      (operation) => places[partition[operation]] ?? places.length,
      places.length + 1
    );
  }

  const laneStart = [0];
  for (let i = 1; i < operations.length; ++i) {
    const [before, here] = [operations[i - 1], operations[i]];
    if (process[before] !== process[here] || (mode === "key" && partition[before] !== partition[here])) {
      laneStart.push(i);
    }
  }
  const lanes = operations.length === 0 ? 0 : laneStart.length;
  laneStart.push(operations.length);

  const lanePartition = new Int32Array(lanes).fill(-1);
  const laneProcess = new Uint32Array(lanes);
  const laneRow = new Uint32Array(lanes + 1);
  const laneTop = new Float64Array(lanes + 1);
  const rowOf = new Int32Array(history.count).fill(-1);
  /** @type {number[]} */
  const rowTop = [];
  for (let lane = 0; lane < lanes; ++lane) {
    const first = operations[laneStart[lane]];
    laneProcess[lane] = process[first];
    if (mode === "key") lanePartition[lane] = partition[first];
    const firstRow = laneRow[lane];
    const ends = [-Infinity];
    const begun = [-Infinity];
    for (let i = laneStart[lane]; i < laneStart[lane + 1]; ++i) {
      const operation = operations[i];
      let row = ends.findIndex((end) => end <= rank.start[operation]);
      if (row < 0) row = ends.length < MOST_ROWS ? ends.length : begun.indexOf(Math.min(...begun));
      ends[row] = rank.end[operation];
      begun[row] = rank.start[operation];
      rowOf[operation] = firstRow + row;
    }
    const group = mode === "key" && (lane === 0 || lanePartition[lane] !== lanePartition[lane - 1]) ? GROUP_HEIGHT : 0;
    const top = laneTop[lane] + group + LANE_PADDING;
    ends.forEach((_, row) => rowTop.push(top + row * ROW_HEIGHT));
    laneRow[lane + 1] = firstRow + ends.length;
    laneTop[lane + 1] = top + ends.length * ROW_HEIGHT + LANE_PADDING;
  }

  const rows = rowTop.length;
  const rowStart = new Uint32Array(rows + 1);
  for (const operation of operations) ++rowStart[rowOf[operation] + 1];
  for (let row = 0; row < rows; ++row) rowStart[row + 1] += rowStart[row];
  return {
    mode,
    lanes,
    rows,
    lanePartition,
    laneProcess,
    laneStart: Uint32Array.from(laneStart),
    operations,
    laneRow,
    laneTop,
    rowStart,
    rowOperations: countingSort(operations, (operation) => rowOf[operation], rows),
    rowTop: Float64Array.from(rowTop),
    rowOf
  };
}

/**
 * @param {Layout} layout
 * @param {number} row
 */
function laneOfRow(layout, row) {
  return firstPosition(0, layout.lanes, (lane) => layout.laneRow[lane + 1] > row);
}

/**
 * Where in its row the window that begins at `from` starts: the last operation that began before, which may still run,
 * or the first one.
 * @param {Layout} layout
 * @param {Axis} axis
 * @param {number} row
 * @param {number} from
 */
function firstInRow(layout, axis, row, from) {
  const first = layout.rowStart[row];
  const after = firstPosition(first, layout.rowStart[row + 1], (i) => axis.start[layout.rowOperations[i]] > from);
  return Math.max(after - 1, first);
}

/**
 * Where an operation's bar ends: it gives way to the next of its row where there were too few rows.
 * @param {Layout} layout
 * @param {Axis} axis
 * @param {number} row
 * @param {number} place  in rowOperations
 */
function endInRow(layout, axis, row, place) {
  const end = axis.end[layout.rowOperations[place]];
  return place + 1 < layout.rowStart[row + 1] ? Math.min(end, axis.start[layout.rowOperations[place + 1]]) : end;
}

/**
 * Goes through what a window of time shows of a row. Operations at least two pixels wide are told to `each` one by one;
 * a run of narrower ones, and of gaps that can't be seen, is told to `run` as a whole. So a row costs no more than
 * there are pixels, however many operations it has.
 * @param {Layout} layout
 * @param {Axis} axis
 * @param {number} row
 * @param {number} from
 * @param {number} to
 * @param {number} pixel  how much of the axis one is
 * @param {(operation: number, start: number, end: number) => void} each
 * @param {(start: number, end: number, operations: number) => void} run
 */
function scanRow(layout, axis, row, from, to, pixel, each, run) {
  const {rowOperations} = layout;
  const last = layout.rowStart[row + 1];
  let runStart = 0;
  let runEnd = -Infinity;
  let inRun = 0;
  const flush = () => {
    if (inRun > 0) run(runStart, runEnd, inRun);
    inRun = 0;
  };
  for (let place = firstInRow(layout, axis, row, from); place < last;) {
    const operation = rowOperations[place];
    const start = axis.start[operation];
    if (start > to) break;
    const end = endInRow(layout, axis, row, place);
    if (end - start >= 2 * pixel) {
      flush();
      if (end >= from) each(operation, start, end);
      ++place;
      continue;
    }
    // Most often the next one begins far off, and then no search is needed.
    let after = place + 1;
    if (after < last && axis.start[rowOperations[after]] < start + pixel) {
      after = firstPosition(after, last, (i) => axis.start[rowOperations[i]] >= start + pixel);
    }
    const endOfLast = endInRow(layout, axis, row, after - 1);
    if (after > place + 1 && endOfLast - axis.start[rowOperations[after - 1]] >= 2 * pixel) --after;
    const alone = after === place + 1;
    if (inRun > 0 && start - runEnd > pixel) flush();
    const next = after < last ? axis.start[rowOperations[after]] : Infinity;
    if (alone && inRun === 0 && next - Math.max(end, start + pixel) > pixel) {
      if (end >= from) each(operation, start, end);
    } else {
      if (inRun === 0) runStart = start;
      inRun += after - place;
      runEnd = Math.max(after === place + 1 ? end : endInRow(layout, axis, row, after - 1), start + pixel);
    }
    place = after;
  }
  flush();
}

/**
 * The operation of a row nearest to a place, if it is no further than `reach`; or -1.
 * @param {Layout} layout
 * @param {Axis} axis
 * @param {number} row
 * @param {number} at
 * @param {number} reach
 */
function nearestInRow(layout, axis, row, at, reach) {
  const before = firstInRow(layout, axis, row, at);
  let nearest = -1;
  let least = reach;
  for (let place = before; place < Math.min(before + 2, layout.rowStart[row + 1]); ++place) {
    const start = axis.start[layout.rowOperations[place]];
    const distance = Math.max(start - at, at - Math.max(endInRow(layout, axis, row, place), start), 0);
    if (distance <= least && (distance < least || nearest < 0)) {
      nearest = layout.rowOperations[place];
      least = distance;
    }
  }
  return nearest;
}
