// The minimap: how many operations begin where, over all that is shown, with the window of the timeline in it.

/**
 * How many operations start in each of so many equal parts of an axis.
 * @param {Uint32Array} operations
 * @param {Axis} axis
 * @param {number} parts
 */
function density(operations, axis, parts) {
  const counts = new Uint32Array(parts);
  const scale = parts / (axis.to - axis.from);
  for (const operation of operations) {
    const part = Math.floor((axis.start[operation] - axis.from) * scale);
    ++counts[Math.min(Math.max(part, 0), parts - 1)];
  }
  return counts;
}

class Minimap {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {Timeline} timeline
   */
  constructor(canvas, timeline) {
    this.canvas = canvas;
    this.timeline = timeline;
    this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    /** @type {Axis | undefined} */
    this.axis = undefined;
    this.counts = new Uint32Array(0);
    this.left = 0;
    this.width = 1;
    this.watchPointer();
  }

  /** @param {number} value  on the axis */
  xOf(value) {
    const {axis} = this.timeline;
    return this.left + ((value - axis.from) / (axis.to - axis.from)) * this.width;
  }

  draw() {
    const {canvas, context, timeline} = this;
    const {palette, look, history, axis} = timeline;
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    this.left = timeline.gutter;
    this.width = Math.max(width - this.left, 1);
    const parts = Math.ceil(this.width / 2);
    if (this.axis !== axis || this.counts.length !== parts) {
      this.axis = axis;
      this.counts = density(look.scene.operations, axis, parts);
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = palette.ground;
    context.fillRect(0, 0, width, height);
    context.fillStyle = palette.muted;
    context.font = `11px ${FONT}`;
    context.textBaseline = "middle";
    context.fillText("overview", 10, height / 2);

    context.fillStyle = palette.band;
    context.globalAlpha = 0.35;
    let drawn = -Infinity;
    for (const each of history.annotations) {
      const from = this.xOf(look.axis === "time" ? each.start : timeToRank(axis, each.start));
      const to = Math.max(this.xOf(look.axis === "time" ? each.end : timeToRank(axis, each.end)), from + 1);
      if (to < Math.max(drawn + 2, this.left)) continue;
      drawn = to;
      const visible = Math.max(from, this.left);
      context.fillRect(visible, 0, to - visible, height);
    }
    context.globalAlpha = 1;

    let most = 1;
    for (const count of this.counts) most = Math.max(most, count);
    context.fillStyle = palette.many;
    context.beginPath();
    this.counts.forEach((count, i) => {
      // One operation among thousands must still be seen.
      const size = count === 0 ? 0 : Math.max(Math.sqrt(count / most) * (height - 14), 2);
      context.rect(this.left + i * 2, height - 2 - size, 2, size);
    });
    context.fill();

    context.fillStyle = palette.hit;
    let marked = -Infinity;
    for (const hit of look.hits) {
      const x = Math.round(this.xOf(axis.start[hit]));
      if (look.scene.mask[hit] === 0 || x <= marked) continue;
      marked = x;
      context.fillRect(x, height - 5, 2, 5);
    }
    for (const failure of history.failures) this.drawFailure(failure, failure === look.failure);
    this.drawWindow(width, height);
    this.drawOperation(look.hovered, palette.ink);
    this.drawOperation(look.selected, palette.accent);
  }

  /**
   * @param {number} operation  or -1
   * @param {string} colour
   */
  drawOperation(operation, colour) {
    if (operation < 0 || this.timeline.look.scene.mask[operation] === 0) return;
    this.context.fillStyle = colour;
    this.context.fillRect(this.xOf(this.timeline.axis.start[operation]) - 1, 0, 2, this.canvas.clientHeight);
  }

  /**
   * @param {Failure} failure
   * @param {boolean} chosen
   */
  drawFailure(failure, chosen) {
    const {context, timeline} = this;
    if (timeline.look.scene.mask[failure.operation] === 0) return;
    const x = this.xOf(timeline.axis.start[failure.operation]);
    const size = chosen ? 6 : 4;
    context.fillStyle = timeline.palette.failing;
    context.beginPath();
    context.moveTo(x - size, 1);
    context.lineTo(x + size, 1);
    context.lineTo(x, 2 + size * 1.5);
    context.fill();
    context.fillRect(x - 0.5, 0, 1, this.canvas.clientHeight);
  }

  /**
   * @param {number} width
   * @param {number} height
   */
  drawWindow(width, height) {
    const {context, timeline} = this;
    const from = Math.min(Math.max(this.xOf(timeline.from), this.left), width - 3);
    const to = Math.max(Math.min(this.xOf(timeline.to), width), from + 3);
    context.fillStyle = timeline.palette.ground;
    context.globalAlpha = 0.6;
    context.fillRect(this.left, 0, from - this.left, height);
    context.fillRect(to, 0, width - to, height);
    context.globalAlpha = 1;
    context.strokeStyle = timeline.palette.accent;
    context.lineWidth = 1.5;
    context.strokeRect(from + 0.75, 0.75, Math.max(to - from - 1.5, 1.5), height - 1.5);
  }

  /** Dragging moves the window, its edges change its width; a press beside it brings it there first. */
  watchPointer() {
    const {canvas, timeline} = this;
    const GRIP = 6;
    /** @type {Record<string, string>} */
    const cursors = {from: "ew-resize", to: "ew-resize", window: "grab", beside: "pointer"};
    let dragged = "";
    let offset = 0;
    const valueAt = (/** @type {number} */ x) =>
      timeline.axis.from + ((x - this.left) / this.width) * (timeline.axis.to - timeline.axis.from);
    const partAt = (/** @type {number} */ x) => {
      const [from, to] = [this.xOf(timeline.from), this.xOf(timeline.to)];
      if (to - from > 3 * GRIP && Math.abs(x - from) < GRIP) return "from";
      if (to - from > 3 * GRIP && Math.abs(x - to) < GRIP) return "to";
      return x >= from - GRIP && x <= to + GRIP ? "window" : "beside";
    };
    const move = (/** @type {number} */ x) => {
      const at = valueAt(x) - offset;
      if (dragged === "from") timeline.show(Math.min(at, timeline.to), timeline.to);
      else if (dragged === "to") timeline.show(timeline.from, Math.max(at, timeline.from));
      else {
        const half = (timeline.to - timeline.from) / 2;
        timeline.show(at - half, at + half);
      }
    };
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      dragged = partAt(event.offsetX);
      offset = dragged === "window" ? valueAt(event.offsetX) - (timeline.from + timeline.to) / 2 : 0;
      if (dragged === "beside") move(event.offsetX);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (dragged !== "") move(event.offsetX);
      else canvas.style.cursor = cursors[partAt(event.offsetX)];
    });
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => (dragged = ""));
  }
}
