// What is shown of a history: all of it, one partition, or a core by itself; with the axes and lanes of just that.

class Scene {
  /**
   * @param {RecordedHistory} history
   * @param {Uint32Array} operations  in order of their calls
   */
  constructor(history, operations) {
    this.history = history;
    this.operations = operations;
    this.whole = operations.length === history.count;
    this.mask = new Uint8Array(history.count);
    for (const operation of operations) this.mask[operation] = 1;
    this.time = timeAxis(history, operations, this.whole);
    this.rank = rankAxis(history, this.mask);
    /** @type {Map<LaneMode, {failure: Failure | undefined, layout: Layout}>} */
    this.layouts = new Map();
    /** @type {Map<Axis, Float64Array>} */
    this.points = new Map();
  }

  /**
   * @param {LaneMode} mode
   * @param {Failure} [failure]  the violation that is looked at
   */
  layout(mode, failure) {
    let made = this.layouts.get(mode);
    if (!made || made.failure !== failure) {
      made = {failure, layout: layOut(this.history, this.operations, this.rank, mode, failure)};
      this.layouts.set(mode, made);
    }
    return made.layout;
  }

  /**
   * The linearization point of each operation that has one.
   * @param {Axis} axis
   */
  pointsOn(axis) {
    let points = this.points.get(axis);
    if (points) return points;
    points = new Float64Array(this.history.count);
    for (const order of this.history.orders) {
      const shown = order.filter((operation) => this.mask[operation] === 1);
      const along = linearizationPoints(this.history, axis, shown);
      for (let i = 0; i < shown.length; ++i) points[shown[i]] = along[i];
    }
    this.points.set(axis, points);
    return points;
  }

  /**
   * Whether most of the time nothing runs, so that the bars could hardly be seen in real time.
   */
  mostlyGaps() {
    const {start, end} = this.time;
    let busy = 0;
    let until = -Infinity;
    let last = -Infinity;
    for (const operation of this.operations) last = Math.max(last, start[operation]);
    for (const operation of this.operations) {
      const from = Math.max(start[operation], until);
      until = Math.max(until, Math.min(end[operation], last));
      busy += Math.max(until - from, 0);
    }
    return busy < (this.time.to - this.time.from) / 5;
  }
}

/**
 * @param {RecordedHistory} history
 * @param {number} partition
 */
function partitionScene(history, partition) {
  return new Scene(
    history,
    history.byCall.filter((operation) => history.partition[operation] === partition)
  );
}

/**
 * The operations of a failure's core and the one that can't be placed, in order of their calls.
 * @param {RecordedHistory} history
 * @param {Failure} failure
 */
function coreOperations(history, failure) {
  const operations = Uint32Array.from(new Set([...failure.core, failure.operation]));
  return operations.sort((a, b) => history.start[a] - history.start[b] || a - b);
}
