// The timeline: a canvas with a ruler, a strip for annotations, names of the lanes, and the lanes themselves.

const RULER_HEIGHT = 26;
const ANNOTATION_HEIGHT = 18;
/** Past this many operations found, those that are merged with others are marked in the minimap only. */
const MOST_HITS_DRAWN = 2000;
/** Annotations that end closer than this, in pixels, to one that is drawn already are left out. */
const LEAST_BAND = 3;
/** The way through the linearization points is drawn this far to both sides of the selected operation. */
const WAY_LENGTH = 12;

/**
 * What is looked at and what is marked; the application writes it, the timeline draws it.
 * @typedef {object} Look
 * @property {Scene} scene
 * @property {LaneMode} mode
 * @property {"time" | "rank"} axis
 * @property {number} selected    an operation, or -1
 * @property {number} annotation  an index of annotations, or -1
 * @property {number} hovered     an operation, or -1
 * @property {Failure | undefined} failure
 * @property {Set<number>} core
 * @property {Map<number, string>} refused  with the model's reasons, in the configuration that is shown
 * @property {Uint32Array} hits   the operations found
 * @property {Uint8Array} isHit   1 for each of them
 */

/** @typedef {{operation: number, annotation: number}} Place  what is at a point of the canvas; -1 for nothing */

class Timeline {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {HTMLElement} scroller  beside it, as high as all lanes inside
   * @param {RecordedHistory} history
   * @param {Look} look
   */
  constructor(canvas, scroller, history, look) {
    this.canvas = canvas;
    this.scroller = scroller;
    this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    this.history = history;
    this.look = look;
    this.width = 0;
    this.height = 0;
    this.from = 0;
    this.to = 1;
    this.top = 0;
    /** @type {number[]} */
    this.drawn = [];
    /**
     * Where annotations were drawn, with their labels.
     * @type {{index: number, row: number, from: number, to: number}[]}
     */
    this.annotationSpots = [];
    this.pending = false;
    this.lastFrame = 0;
    this.palette = readPalette(scroller);
    this.colours = functionColours(history.head.functions);
    this.labelWidth = 7;
    /** Told after each frame. */
    this.onFrame = () => {};
    const rows = history.annotations.reduce((most, each) => Math.max(most, each.row + 1), 0);
    this.head = RULER_HEIGHT + rows * ANNOTATION_HEIGHT;
    scroller.addEventListener("scroll", () => {
      const top = this.scrollTopToTop(scroller.scrollTop);
      if (Math.abs(top - this.top) <= this.scrollStep()) return;
      this.top = top;
      this.invalidate();
    });
  }

  get layout() {
    return this.look.scene.layout(this.look.mode, this.look.failure);
  }

  get axis() {
    return this.look.scene[this.look.axis];
  }

  get gutter() {
    return this.width < 600 ? 76 : 132;
  }

  get plot() {
    return Math.max(this.width - this.gutter, 1);
  }

  /** The height of all lanes. */
  get depth() {
    return this.layout.laneTop[this.layout.lanes] + 8;
  }

  resize() {
    const ratio = window.devicePixelRatio || 1;
    this.width = this.canvas.clientWidth;
    this.height = this.canvas.clientHeight;
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.pan(0, 0);
  }

  /** Draws at the browser's next frame. */
  invalidate() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.draw();
    });
  }

  /** @param {number} value  on the axis */
  xOf(value) {
    return this.gutter + ((value - this.from) / (this.to - this.from)) * this.plot;
  }

  /** @param {number} x */
  valueAt(x) {
    return this.from + ((x - this.gutter) / this.plot) * (this.to - this.from);
  }

  /** @param {number} time  since the first */
  xOfTime(time) {
    return this.xOf(this.look.axis === "time" ? time : timeToRank(this.axis, time));
  }

  /** @param {number} row */
  yOfRow(row) {
    return this.head + this.layout.rowTop[row] - this.top;
  }

  /**
   * @param {number} from
   * @param {number} to
   */
  show(from, to) {
    const {axis} = this;
    const whole = axis.to - axis.from;
    // Past a millionth of a step, or of a double's precision, there is nothing more to see.
    const least = Math.max(whole * 1e-13, axis.kind === "rank" ? 1e-4 : 1e-3);
    const span = Math.min(Math.max(to - from, least), whole * 1.5);
    const middle = Math.min(Math.max((from + to) / 2, axis.from), axis.to);
    this.from = middle - span / 2;
    this.to = middle + span / 2;
    this.invalidate();
  }

  fit() {
    this.show(this.axis.from, this.axis.to);
  }

  /**
   * @param {number} factor  below 1: nearer
   * @param {number} [x]     what stays where it is
   */
  zoom(factor, x = this.gutter + this.plot / 2) {
    const at = this.valueAt(x);
    this.show(at - (at - this.from) * factor, at + (this.to - at) * factor);
  }

  /**
   * @param {number} dx  in pixels
   * @param {number} dy
   */
  pan(dx, dy) {
    const by = (dx / this.plot) * (this.to - this.from);
    this.top = Math.min(Math.max(this.top + dy, 0), Math.max(this.depth - (this.height - this.head), 0));
    this.show(this.from + by, this.to + by);
  }

  // Browsers don't lay out an element of tens of millions of pixels, so the scroll bar may stand for more than it is.
  scrollStep() {
    return Math.max(this.depth / 8e6, 1);
  }

  /** @param {number} scrollTop */
  scrollTopToTop(scrollTop) {
    return scrollTop * this.scrollStep();
  }

  updateScroller() {
    const inner = /** @type {HTMLElement} */ (this.scroller.firstElementChild);
    const seen = this.height - this.head;
    const height = `${Math.ceil((this.depth - seen) / this.scrollStep() + seen)}px`;
    if (inner.style.height !== height) inner.style.height = height;
    this.scroller.hidden = this.depth <= seen;
    const target = this.top / this.scrollStep();
    if (Math.abs(this.scroller.scrollTop - target) > 1) this.scroller.scrollTop = target;
  }

  /**
   * Brings an operation into view, and nearer where its bar couldn't be told from others.
   * @param {number} operation
   */
  reveal(operation) {
    const row = this.layout.rowOf[operation];
    if (row < 0) return;
    const {axis} = this;
    const start = axis.start[operation];
    const end = this.history.outcome[operation] >= INFO ? start : axis.end[operation];
    let span = this.to - this.from;
    if (end - start > 0 && ((end - start) / span) * this.plot < 6) span = (end - start) * 40;
    if (end - start > span * 0.9) span = (end - start) * 1.5;
    if (span !== this.to - this.from || start < this.from + span * 0.05 || end > this.to - span * 0.05) {
      this.show((start + end - span) / 2, (start + end + span) / 2);
    }
    const y = this.layout.rowTop[row];
    const room = this.height - this.head;
    if (y < this.top + 12 || y + ROW_HEIGHT > this.top + room) this.pan(0, y - room / 2 - this.top);
    this.invalidate();
  }

  /**
   * The operations in view, with what surrounds them.
   * @param {Uint32Array} operations
   * @param {number} margin  as a part of their span, to both sides
   */
  showOperations(operations, margin) {
    const {axis} = this;
    let from = Infinity;
    let to = -Infinity;
    let top = Infinity;
    let bottom = -Infinity;
    for (const operation of operations) {
      const row = this.layout.rowOf[operation];
      if (row < 0) continue;
      from = Math.min(from, axis.start[operation]);
      to = Math.max(to, this.history.outcome[operation] >= INFO ? axis.start[operation] : axis.end[operation]);
      top = Math.min(top, this.layout.rowTop[row]);
      bottom = Math.max(bottom, this.layout.rowTop[row] + ROW_HEIGHT);
    }
    if (from > to) return;
    const span = to > from ? to - from : (axis.to - axis.from) / 50;
    this.show(Math.max(from - span * margin, axis.from), Math.min(to + span * margin, axis.to));
    this.pan(0, Math.min((top + bottom - this.height + this.head) / 2, top - 12) - this.top);
  }

  /**
   * @param {number} x
   * @param {number} y
   * @returns {Place}
   */
  placeAt(x, y) {
    const nothing = {operation: -1, annotation: -1};
    if (x < this.gutter) return nothing;
    if (y < this.head) return {operation: -1, annotation: this.annotationAt(x, y)};
    const {layout} = this;
    const depth = y - this.head + this.top;
    const row = firstPosition(0, layout.rows, (i) => layout.rowTop[i] > depth) - 1;
    if (row < 0 || depth > layout.rowTop[row] + ROW_HEIGHT) return nothing;
    const reach = (5 / this.plot) * (this.to - this.from);
    return {operation: nearestInRow(layout, this.axis, row, this.valueAt(x), reach), annotation: -1};
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  annotationAt(x, y) {
    const row = Math.floor((y - RULER_HEIGHT) / ANNOTATION_HEIGHT);
    return this.annotationSpots.find((each) => each.row === row && each.from <= x && x <= each.to)?.index ?? -1;
  }

  /** @param {number} operation */
  barOf(operation) {
    const row = this.layout.rowOf[operation];
    return row < 0 ? undefined : this.bar(operation, row, this.axis.start[operation], this.axis.end[operation]);
  }

  /**
   * @param {number} operation
   * @param {number} row
   * @param {number} start
   * @param {number} end
   * @returns {Bar}
   */
  bar(operation, row, start, end) {
    return {
      x: this.xOf(start),
      right: this.xOf(end),
      y: this.yOfRow(row) + 2,
      outcome: this.history.outcome[operation],
      colour: this.palette[this.colours[this.history.f[operation]]],
      leftmost: this.gutter,
      rightmost: this.width
    };
  }

  draw() {
    const begun = performance.now();
    const {context, palette, layout} = this;
    const ratio = this.canvas.width / Math.max(this.width, 1);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = palette.ground;
    context.fillRect(0, 0, this.width, this.height);
    context.textBaseline = "middle";
    context.textAlign = "left";
    context.direction = "ltr";
    context.font = `11px ${FONT}`;
    this.labelWidth = context.measureText("mmmmmmmmmm").width / 10;

    const depth = this.top + this.height - this.head;
    const firstLane = firstPosition(0, layout.lanes, (lane) => layout.laneTop[lane + 1] > this.top);
    const lastLane = firstPosition(firstLane, layout.lanes, (lane) => layout.laneTop[lane] >= depth);

    context.save();
    context.beginPath();
    context.rect(0, this.head, this.width, this.height - this.head);
    context.clip();
    this.drawLanes(firstLane, lastLane);
    context.beginPath();
    context.rect(this.gutter, this.head, this.plot, this.height - this.head);
    context.clip();
    this.drawGrid();
    this.drawBands();
    this.drawOperations(layout.laneRow[firstLane], layout.laneRow[lastLane]);
    this.drawMarks();
    this.drawPoints();
    context.restore();
    this.drawLaneNames(firstLane, lastLane);
    this.drawHead();
    this.updateScroller();
    this.lastFrame = performance.now() - begun;
    this.onFrame();
  }

  /**
   * @param {number} firstLane
   * @param {number} lastLane
   */
  drawLanes(firstLane, lastLane) {
    const {context, palette, layout} = this;
    for (let lane = firstLane; lane < lastLane; ++lane) {
      const top = this.head + layout.laneTop[lane] - this.top;
      context.fillStyle = lane % 2 === 0 ? palette.lane : palette.ground;
      context.fillRect(0, top, this.width, layout.laneTop[lane + 1] - layout.laneTop[lane]);
      if (this.startsGroup(lane)) {
        context.fillStyle = palette.ground;
        context.fillRect(0, top, this.width, GROUP_HEIGHT);
        context.fillStyle = palette.line;
        context.fillRect(0, top, this.width, 1);
      }
    }
  }

  /** @param {number} lane */
  startsGroup(lane) {
    const {layout} = this;
    return layout.mode === "key" && (lane === 0 || layout.lanePartition[lane] !== layout.lanePartition[lane - 1]);
  }

  /** The marks of the ruler: where they stand on the axis, and their distance in time. */
  ticks() {
    const span = this.to - this.from;
    let step = niceStep((span / this.plot) * 110);
    if (this.look.axis === "rank" || this.history.head.timeUnit === "event") step = Math.max(step, 1);
    const ticks = [];
    for (let i = Math.ceil(this.from / step); i * step <= this.to && ticks.length < 200; ++i) ticks.push(i * step);
    return {ticks, step};
  }

  drawGrid() {
    const {context, palette} = this;
    context.fillStyle = palette.line;
    for (const tick of this.ticks().ticks) context.fillRect(Math.round(this.xOf(tick)), this.head, 1, this.height);
  }

  drawBands() {
    const {context, palette} = this;
    // A moment within a band has its line; of those that nobody could tell apart, one is drawn.
    let drawn = -Infinity;
    let drawnMoment = -Infinity;
    for (const each of this.history.annotations) {
      const left = this.xOfTime(each.start);
      if (left > this.width) break;
      const right = each.moment ? left : this.xOfTime(each.end);
      if (right < this.gutter || right < (each.moment ? drawnMoment : drawn) + LEAST_BAND) continue;
      if (each.moment) drawnMoment = right;
      else drawn = Math.max(drawn, right);
      const chosen = each.index === this.look.annotation;
      context.fillStyle = palette.band;
      context.globalAlpha = chosen ? 0.4 : 0.16;
      const from = Math.max(left, this.gutter - 2);
      if (!each.moment) context.fillRect(from, this.head, Math.min(right, this.width + 2) - from, this.height);
      context.globalAlpha = chosen ? 1 : 0.7;
      context.fillStyle = palette["band-edge"];
      context.fillRect(Math.round(left), this.head, chosen ? 2 : 1, this.height);
      if (!each.moment) context.fillRect(Math.round(right), this.head, chosen ? 2 : 1, this.height);
      context.globalAlpha = 1;
    }
  }

  /**
   * @param {number} firstRow
   * @param {number} lastRow
   */
  drawOperations(firstRow, lastRow) {
    const {context, palette, layout, axis, look} = this;
    const pixel = (this.to - this.from) / this.plot;
    const manyHits = look.hits.length > MOST_HITS_DRAWN;
    this.drawn = [];
    for (let row = firstRow; row < lastRow; ++row) {
      const y = this.yOfRow(row) + 2;
      scanRow(
        layout,
        axis,
        row,
        this.from,
        this.to,
        pixel,
        (operation, start, end) => {
          const bar = this.bar(operation, row, start, end);
          this.drawn.push(operation);
          const failing = operation === look.failure?.operation;
          if (failing) bar.colour = palette.failing;
          paintBar(context, bar);
          if (manyHits && look.isHit[operation] === 1) this.drawHit(bar);
          if (bar.right - bar.x > 22) this.drawLabel(operation, bar);
        },
        (start, end) => {
          const left = this.xOf(start);
          context.fillStyle = palette.many;
          context.fillRect(left, y, Math.max(this.xOf(end) - left, 1), BAR_HEIGHT);
        }
      );
    }
  }

  /** @param {Bar} bar */
  drawHit(bar) {
    const {left, width} = extentOf(bar);
    this.context.fillStyle = this.palette.hit;
    this.context.fillRect(left, bar.y + BAR_HEIGHT, Math.max(width, 3), 3);
    this.context.fillRect(left, bar.y - 3, Math.max(width, 3), 3);
  }

  /**
   * @param {number} operation
   * @param {Bar} bar
   */
  drawLabel(operation, bar) {
    const {context} = this;
    const left = Math.max(bar.x, this.gutter) + 8;
    const right = Math.min(bar.right, this.width) - 3;
    const room = Math.min(Math.floor((right - left) / this.labelWidth), 120);
    if (room < 2) return;
    const label = labelOf(this.history, operation, room);
    const plain = /^[\x20-\x7e…]*$/.test(label);
    if (!plain) {
      // Wider letters than those that were measured may come.
      context.save();
      context.beginPath();
      context.rect(left, bar.y, right - left, BAR_HEIGHT);
      context.clip();
    }
    context.fillStyle = this.palette.ink;
    context.fillText(label, left, bar.y + BAR_HEIGHT / 2 + 0.5);
    if (!plain) context.restore();
  }

  /** Where the order found has the operations take effect, with their numbers in it as far as there is room. */
  drawPoints() {
    const {context, palette, history} = this;
    const points = this.look.scene.pointsOn(this.axis);
    context.font = `9px ${FONT}`;
    context.textAlign = "center";
    let row = -1;
    let numbered = -Infinity;
    for (const operation of this.drawn) {
      const {x: left, right, y} = /** @type {Bar} */ (this.barOf(operation));
      const x = this.xOf(points[operation]);
      if (history.position[operation] < 0 || right - left < 12 || x < this.gutter || x > this.width) continue;
      context.fillStyle = palette.accent;
      context.fillRect(x - 0.75, y + BAR_HEIGHT - 5, 1.5, 5);
      context.beginPath();
      context.arc(x, y + BAR_HEIGHT, 2.5, 0, 2 * Math.PI);
      context.fill();
      const number = String(history.position[operation] + 1);
      const half = number.length * 3;
      if (this.layout.rowOf[operation] === row && x - half < numbered) continue;
      row = this.layout.rowOf[operation];
      numbered = x + half + 4;
      context.fillStyle = palette.muted;
      context.fillText(number, x, y + BAR_HEIGHT + 8);
    }
  }

  /** What must be seen however small it is, over all else. */
  drawMarks() {
    const {context, palette, look} = this;
    if (look.hits.length <= MOST_HITS_DRAWN) for (const hit of look.hits) this.withBar(hit, (bar) => this.drawHit(bar));
    this.drawWay();
    for (const operation of look.refused.keys()) {
      if (operation === look.failure?.operation) continue;
      this.withBar(operation, (bar) => {
        paintOutline(context, bar, palette.refused, 1.5, [2, 2], 0);
        if (!look.core.has(operation)) paintSign(context, bar, "refused", palette);
      });
    }
    for (const operation of look.core) {
      if (operation === look.failure?.operation) continue;
      this.withBar(operation, (bar) => {
        paintOutline(context, bar, palette.core, 2, [], 0);
        paintSign(context, bar, "core", palette);
      });
    }
    if (look.failure) {
      this.withBar(look.failure.operation, (bar) => {
        paintOutline(context, bar, palette.failing, 2.5, [], 0);
        paintSign(context, bar, "failing", palette);
      });
    }
    this.withBar(look.hovered, (bar) => paintOutline(context, bar, palette.ink, 1, [], 3));
    this.withBar(look.selected, (bar) => paintOutline(context, bar, palette.accent, 2, [], 3));
  }

  /**
   * @param {number} operation
   * @param {(bar: Bar) => void} paint
   */
  withBar(operation, paint) {
    const bar = operation >= 0 ? this.barOf(operation) : undefined;
    if (bar && bar.right >= this.gutter - 10 && bar.x <= this.width && bar.y > -BAR_HEIGHT && bar.y < this.height) {
      paint(bar);
    }
  }

  /** The way through the linearization points near the selected operation. */
  drawWay() {
    const {context, palette, layout, history, look} = this;
    if (look.selected < 0) return;
    const order = history.orders[history.partition[look.selected]] ?? [];
    // What can't be placed stands where the order ends.
    const position = look.selected === look.failure?.operation ? order.length : history.position[look.selected];
    if (position < 0) return;
    const points = look.scene.pointsOn(this.axis);
    context.strokeStyle = palette.accent;
    context.lineWidth = 1;
    const first = Math.max(position - WAY_LENGTH, 0);
    const last = Math.min(position + WAY_LENGTH, order.length - 1);
    for (let i = first; i < last; ++i) {
      const [rowA, rowB] = [layout.rowOf[order[i]], layout.rowOf[order[i + 1]]];
      if (rowA < 0 || rowB < 0) continue;
      const [xA, xB] = [this.xOf(points[order[i]]), this.xOf(points[order[i + 1]])];
      if (xB < this.gutter || xA > this.width) continue;
      context.globalAlpha = 0.75 * (1 - Math.abs(i + 0.5 - position) / (WAY_LENGTH + 1));
      context.beginPath();
      context.moveTo(xA, this.yOfRow(rowA) + 2 + BAR_HEIGHT);
      context.lineTo(xB, this.yOfRow(rowB) + 2 + BAR_HEIGHT);
      context.stroke();
    }
    context.globalAlpha = 1;
  }

  /**
   * @param {number} firstLane
   * @param {number} lastLane
   */
  drawLaneNames(firstLane, lastLane) {
    const {context, palette, layout, gutter} = this;
    const letters = Math.floor((gutter - 18) / this.labelWidth);
    context.save();
    context.beginPath();
    context.rect(0, this.head, this.width, this.height - this.head);
    context.clip();
    for (let lane = firstLane; lane < lastLane; ++lane) {
      let top = this.head + layout.laneTop[lane] - this.top;
      if (this.startsGroup(lane)) {
        const partition = layout.lanePartition[lane];
        const verdict = this.history.partitions[partition]?.verdict ?? "";
        context.font = `bold 11px ${FONT}`;
        context.fillStyle = verdict === "invalid" ? palette.failing : palette.ink;
        const name = partition < 0 ? "no partition" : partitionName(this.history, partition);
        context.fillText(beginning(name, 60) + (verdict === "" ? "" : `  ${verdict}`), 10, top + GROUP_HEIGHT / 2 + 1);
        context.font = `11px ${FONT}`;
        top += GROUP_HEIGHT;
      }
      const bottom = this.head + layout.laneTop[lane + 1] - this.top;
      const y = Math.min(top + LANE_PADDING + 2 + BAR_HEIGHT / 2, bottom - 10);
      context.fillStyle = palette.ink;
      const name = processName(this.history, layout.laneProcess[lane]);
      context.fillText(beginning(/^-?\d+$/.test(name) && letters > 10 ? `process ${name}` : name, letters), 10, y);
    }
    context.restore();
    context.fillStyle = palette.line;
    context.fillRect(gutter - 1, 0, 1, this.height);
  }

  /** The ruler and the annotations' labels. */
  drawHead() {
    const {context, palette, history, look, gutter} = this;
    context.save();
    context.fillStyle = palette.ground;
    context.fillRect(0, 0, this.width, this.head);
    context.fillStyle = palette.muted;
    const unit = history.head.timeUnit;
    const what = look.axis === "rank" ? "by rank" : unit === "event" ? "event" : "time";
    context.fillText(what, 10, RULER_HEIGHT / 2);
    if (this.head > RULER_HEIGHT) context.fillText("notes", 10, RULER_HEIGHT + ANNOTATION_HEIGHT / 2);
    context.beginPath();
    context.rect(gutter, 0, this.plot, this.head);
    context.clip();
    const {ticks, step} = this.ticks();
    const byRank = look.axis === "rank";
    const precision = byRank
      ? Math.max((rankToTime(this.axis, this.to) - rankToTime(this.axis, this.from)) / 1e4, 1e-12)
      : step;
    for (const tick of ticks) {
      if (byRank && (tick < 0 || tick >= this.axis.times.length)) continue;
      const x = Math.round(this.xOf(tick));
      context.fillStyle = palette.line;
      context.fillRect(x, RULER_HEIGHT - 6, 1, this.head);
      context.fillStyle = palette.muted;
      const text = tickText(byRank ? rankToTime(this.axis, tick) : tick, precision, unit);
      if (x + 4 + text.length * this.labelWidth < this.width) context.fillText(text, x + 4, RULER_HEIGHT / 2);
    }
    this.drawAnnotationLabels();
    context.restore();
    context.fillStyle = palette.line;
    context.fillRect(0, this.head - 1, this.width, 1);
  }

  drawAnnotationLabels() {
    const {context, palette, look, gutter} = this;
    /** @type {(Annotation | undefined)[]} what was drawn last in each row: its label may reach to what comes next */
    const latest = new Array(ANNOTATION_ROWS).fill(undefined);
    const ends = new Array(ANNOTATION_ROWS).fill(-Infinity);
    this.annotationSpots = [];
    for (const each of this.history.annotations) {
      const {row} = each;
      const left = this.xOfTime(each.start);
      if (left > this.width) break;
      const right = each.moment ? left : this.xOfTime(each.end);
      if (right < gutter || right < ends[row] + LEAST_BAND) continue;
      if (latest[row]) this.drawAnnotationLabel(latest[row], left);
      const from = Math.max(left, gutter);
      context.fillStyle = each.index === look.annotation ? palette["band-edge"] : palette.band;
      context.fillRect(
        from,
        this.annotationTop(row) + 2,
        Math.max(Math.min(right, this.width) - from, 3),
        ANNOTATION_HEIGHT - 4
      );
      ends[row] = right;
      latest[row] = each;
    }
    for (const each of latest) if (each) this.drawAnnotationLabel(each, this.width);
  }

  /** @param {number} row */
  annotationTop(row) {
    return RULER_HEIGHT + row * ANNOTATION_HEIGHT;
  }

  /**
   * @param {Annotation} annotation
   * @param {number} limit  where the label must end
   */
  drawAnnotationLabel(annotation, limit) {
    const {context, palette} = this;
    const from = Math.max(this.xOfTime(annotation.start), this.gutter);
    const letters = Math.min(Math.floor((limit - from - 8) / this.labelWidth), 60);
    const label = letters < 3 ? "" : annotationLabel(annotation, letters);
    const {index, row} = annotation;
    const right = this.xOfTime(annotation.end);
    const to = from + 6 + label.length * this.labelWidth;
    this.annotationSpots.push({index, row, from: from - 3, to: Math.max(right + 3, to)});
    context.fillStyle = index === this.look.annotation && to <= right ? palette.ground : palette.ink;
    context.fillText(label, from + 6, this.annotationTop(row) + ANNOTATION_HEIGHT / 2);
  }
}

/**
 * @param {Annotation} annotation
 * @param {number} length
 */
function annotationLabel({f, value, metadata, process}, length) {
  const words = f || process || "note";
  const told = value === "" || value === "null" ? metadata : value;
  return beginning(shown(told === "" ? words : `${words} ${beginning(told, length)}`), length);
}
