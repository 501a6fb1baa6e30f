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

class Minimap extends Overview {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {Timeline} timeline
   */
  constructor(canvas, timeline) {
    super(canvas, timeline);
    this.timeline = timeline;
    /** @type {Axis | undefined} */
    this.axis = undefined;
    this.counts = new Uint32Array(0);
  }

  draw() {
    const {context, timeline} = this;
    const {palette, look, history, axis} = timeline;
    const {width, height} = this.clear();
    const parts = Math.ceil(this.width / 2);
    if (this.axis !== axis || this.counts.length !== parts) {
      this.axis = axis;
      this.counts = density(look.scene.operations, axis, parts);
    }
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
    const {look, axis} = this.timeline;
    if (look.scene.mask[failure.operation] === 1) this.drawSign(this.xOf(axis.start[failure.operation]), chosen);
  }
}
