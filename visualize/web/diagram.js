// The space-time diagram: a line an actor, marks for events, arrows for records.

const LEAST_LANE = 44;
const MOST_LANE = 100;
const TOP_MARGIN = 26;
const MARK = 5;

/**
 * @typedef {object} Shown
 * @property {number} selected           an event, or -1
 * @property {number} hovered
 * @property {Violation | undefined} violation
 * @property {Set<number>} found         events
 */

class Diagram {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {HTMLCanvasElement} minimap
   * @param {Trace} trace
   * @param {Shown} look
   */
  constructor(canvas, minimap, trace, look) {
    this.canvas = canvas;
    this.minimap = minimap;
    this.trace = trace;
    this.look = look;
    this.from = 0;
    this.to = 1;
    this.top = 0;
    this.gutter = 120;
    this.laneHeight = LEAST_LANE;
    this.width = 0;
    this.height = 0;
    this.pending = false;
    this.lastFrame = 0;
    this.probe = document.createElement("span");
    document.body.append(this.probe);
    this.probe.hidden = true;
    this.readColours();
  }

  readColours() {
    this.palette = readPalette(this.probe);
  }

  resize() {
    const ratio = window.devicePixelRatio || 1;
    for (const canvas of [this.canvas, this.minimap]) {
      canvas.width = Math.round(canvas.clientWidth * ratio);
      canvas.height = Math.round(canvas.clientHeight * ratio);
    }
    this.width = this.canvas.clientWidth;
    this.height = this.canvas.clientHeight;
    const room = (this.height - TOP_MARGIN) / Math.max(this.trace.lanes.length, 1);
    this.laneHeight = Math.min(Math.max(room, LEAST_LANE), MOST_LANE);
    const longest = this.trace.lanes.reduce((most, name) => Math.max(most, Math.min(name.length, 24)), 0);
    this.gutter = Math.min(Math.max(60, 14 + 7.3 * longest), this.width / 3);
    this.pan(0, 0);
  }

  fit() {
    this.show(-0.5, Math.max(this.trace.count - 0.5, 0.5));
  }

  /**
   * @param {number} from
   * @param {number} to
   */
  show(from, to) {
    const margin = Math.max((to - from) * 0.04, 0.5);
    this.from = from - margin;
    this.to = to + margin;
    this.draw();
  }

  /**
   * @param {number} factor
   * @param {number} [x]
   */
  zoom(factor, x = (this.gutter + this.width) / 2) {
    const at = this.rankAt(x);
    const least = 4;
    const most = this.trace.count * 1.2 + 4;
    const span = Math.min(Math.max((this.to - this.from) * factor, least), most);
    const share = (at - this.from) / (this.to - this.from);
    this.from = at - span * share;
    this.to = this.from + span;
    this.pan(0, 0);
  }

  /**
   * @param {number} dx  in pixels
   * @param {number} dy
   */
  pan(dx, dy) {
    const span = this.to - this.from;
    const by = (dx * span) / Math.max(this.width - this.gutter, 1);
    const from = Math.min(Math.max(this.from + by, -span / 2), this.trace.count - span / 2);
    this.from = from;
    this.to = from + span;
    const whole = TOP_MARGIN + this.trace.lanes.length * this.laneHeight;
    this.top = Math.min(Math.max(this.top + dy, 0), Math.max(whole - this.height, 0));
    this.draw();
  }

  /**
   * Brings an event into the window.
   * @param {number} event
   */
  reveal(event) {
    const span = this.to - this.from;
    if (event < this.from || event > this.to) {
      this.from = event - span / 2;
      this.to = event + span / 2;
    }
    const y = TOP_MARGIN + this.trace.laneOf(event) * this.laneHeight - this.top;
    if (y < 0 || y + this.laneHeight > this.height) this.top += y - this.height / 2;
    this.pan(0, 0);
  }

  /**
   * Brings a lane to the middle, as far as there is something above and below.
   * @param {number} lane
   */
  center(lane) {
    this.pan(0, this.y(lane) - this.height / 2);
  }

  /** @param {number} rank */
  x(rank) {
    return this.gutter + ((rank - this.from) / (this.to - this.from)) * (this.width - this.gutter);
  }
  /** @param {number} x */
  rankAt(x) {
    return this.from + ((x - this.gutter) / Math.max(this.width - this.gutter, 1)) * (this.to - this.from);
  }
  /** @param {number} lane */
  y(lane) {
    return TOP_MARGIN + (lane + 0.5) * this.laneHeight - this.top;
  }

  /**
   * The event whose mark is there, or -1.
   * @param {number} x
   * @param {number} y
   */
  eventAt(x, y) {
    const reach = Math.max(8, (this.width - this.gutter) / (this.to - this.from) / 2);
    const lane = Math.floor((y + this.top - TOP_MARGIN) / this.laneHeight);
    const rank = this.rankAt(x);
    const span = ((this.to - this.from) * Math.min(reach, 24)) / Math.max(this.width - this.gutter, 1);
    let best = -1;
    for (let i = Math.max(Math.ceil(rank - span), 0); i <= rank + span && i < this.trace.count; ++i) {
      if (this.trace.laneOf(i) !== lane) continue;
      if (best < 0 || Math.abs(i - rank) < Math.abs(best - rank)) best = i;
    }
    return best;
  }

  draw() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      const begun = performance.now();
      this.paint();
      this.paintMinimap();
      this.lastFrame = performance.now() - begun;
    });
  }

  paint() {
    const context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    const ratio = window.devicePixelRatio || 1;
    const palette = /** @type {Palette} */ (this.palette);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = palette.ground;
    context.fillRect(0, 0, this.width, this.height);
    context.save();
    context.beginPath();
    context.rect(this.gutter, 0, this.width - this.gutter, this.height);
    context.clip();
    const first = Math.max(Math.floor(this.from) - 1, 0);
    const last = Math.min(Math.ceil(this.to) + 1, this.trace.count - 1);
    this.paintLanes(context, palette);
    this.paintBands(context, palette, first, last);
    const faded = this.look.violation ? 0.22 : 1;
    context.globalAlpha = faded;
    this.paintSteps(context, palette);
    this.paintArrows(context, palette, first, last);
    this.paintMarks(context, palette, first, last);
    context.globalAlpha = 1;
    if (this.look.violation) this.paintViolation(context, palette, this.look.violation);
    this.paintChoice(context, palette);
    context.restore();
    this.paintNames(context, palette);
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Palette} palette
   */
  paintLanes(context, palette) {
    context.lineWidth = 1;
    context.strokeStyle = palette.muted;
    context.globalAlpha = 0.6;
    for (let lane = 0; lane < this.trace.lanes.length; ++lane) {
      context.beginPath();
      context.moveTo(this.gutter, this.y(lane));
      context.lineTo(this.width, this.y(lane));
      context.stroke();
    }
    context.globalAlpha = 1;
    for (const {lane, from, to} of this.trace.downs ?? []) {
      if (to < this.from || from > this.to) continue;
      context.strokeStyle = palette.ground;
      context.lineWidth = 3;
      this.segment(context, this.x(from), this.y(lane), this.x(to), this.y(lane));
      context.strokeStyle = palette.failing;
      context.lineWidth = 1.5;
      context.setLineDash([2, 5]);
      this.segment(context, this.x(from), this.y(lane), this.x(to), this.y(lane));
      context.setLineDash([]);
    }
  }

  /**
   * Drains, truncations and notes, over all lanes.
   * @param {CanvasRenderingContext2D} context
   * @param {Palette} palette
   * @param {number} first
   * @param {number} last
   */
  paintBands(context, palette, first, last) {
    if (last - first > 4 * this.width) return;
    context.font = `11px ${FONT}`;
    for (let i = first; i <= last; ++i) {
      const type = this.trace.type(i);
      if (type !== "drain" && type !== "truncate" && type !== "note" && type !== "end") continue;
      context.strokeStyle = palette["band-edge"];
      context.fillStyle = palette["band-edge"];
      context.lineWidth = 1;
      context.setLineDash(type === "truncate" ? [1, 3] : [5, 3]);
      this.segment(context, this.x(i), 12, this.x(i), this.height);
      context.setLineDash([]);
      if (this.spacing() > 30) {
        const label = type === "note" ? beginning(this.trace.detail(i), 24) : `${type} ${this.trace.place(i)}`.trim();
        context.fillText(label, this.x(i) + 3, 11);
      }
    }
  }

  spacing() {
    return (this.width - this.gutter) / (this.to - this.from);
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Palette} palette
   */
  paintSteps(context, palette) {
    if (this.spacing() < 1.5) return;
    for (const {lane, from, to, aborted} of this.trace.steps ?? []) {
      if (to < this.from || from > this.to) continue;
      const [left, right, y] = [this.x(from), this.x(to), this.y(lane)];
      context.strokeStyle = aborted ? palette.failing : palette.f3;
      context.lineWidth = 1.5;
      if (aborted) context.setLineDash([3, 3]);
      context.strokeRect(left, y - 12, right - left, 24);
      context.setLineDash([]);
    }
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Palette} palette
   * @param {number} first
   * @param {number} last
   */
  paintArrows(context, palette, first, last) {
    // Where there are more arrows than pixels, one of several stands for all.
    const stride = Math.max(1, Math.floor((last - first) / this.width));
    const head = this.spacing() > 6;
    context.lineWidth = 1;
    const before = context.globalAlpha;
    context.globalAlpha = before * (head ? 0.75 : 0.3);
    for (let i = first; i <= last; i += 1) {
      const send = this.trace.sendOf?.[i] ?? -1;
      if (send < 0 || (stride > 1 && i % stride !== 0)) continue;
      const aborted = this.trace.aborted?.[send] === 1;
      context.strokeStyle = context.fillStyle = aborted ? palette.failing : palette.f0;
      if (aborted) context.setLineDash([4, 3]);
      this.arrow(context, send, i, head ? 6 : 0);
      context.setLineDash([]);
    }
    // Records that are sent here and seen further to the right.
    for (let i = first; i <= last; i += stride) {
      for (const seen of this.trace.seenAt?.get(i) ?? []) {
        if (seen <= last) continue;
        context.strokeStyle = palette.f0;
        this.arrow(context, i, seen, 0);
      }
    }
    context.globalAlpha = before;
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {number} x
   * @param {number} y
   * @param {number} toX
   * @param {number} toY
   */
  segment(context, x, y, toX, toY) {
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(toX, toY);
    context.stroke();
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {number} from  events
   * @param {number} to
   * @param {number} head  its size
   */
  arrow(context, from, to, head) {
    const [x, y] = [this.x(from), this.y(this.trace.laneOf(from))];
    let [toX, toY] = [this.x(to), this.y(this.trace.laneOf(to))];
    if (y === toY) {
      // To itself: an arc.
      context.beginPath();
      context.moveTo(x, y - MARK);
      context.quadraticCurveTo((x + toX) / 2, y - 26, toX, toY - MARK);
      context.stroke();
      return;
    }
    const length = Math.hypot(toX - x, toY - y) || 1;
    const [dx, dy] = [(toX - x) / length, (toY - y) / length];
    if (head > 0) [toX, toY] = [toX - dx * (MARK + 2), toY - dy * (MARK + 2)];
    this.segment(context, x, y, toX, toY);
    if (head === 0) return;
    context.beginPath();
    context.moveTo(toX, toY);
    context.lineTo(toX - dx * head * 1.6 - dy * head * 0.6, toY - dy * head * 1.6 + dx * head * 0.6);
    context.lineTo(toX - dx * head * 1.6 + dy * head * 0.6, toY - dy * head * 1.6 - dx * head * 0.6);
    context.fill();
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Palette} palette
   * @param {number} first
   * @param {number} last
   */
  paintMarks(context, palette, first, last) {
    const spacing = this.spacing();
    const stride = Math.max(1, Math.floor(0.5 / spacing));
    for (let i = first; i <= last; i += stride) this.mark(context, palette, i, Math.min(MARK, 1 + spacing / 3));
    if (spacing < 64) return;
    context.font = `11px ${FONT}`;
    context.textAlign = "center";
    context.fillStyle = palette.ink;
    for (let i = first; i <= last; ++i) {
      const label = this.trace.place(i) || this.trace.type(i);
      context.fillText(beginning(label, Math.floor(spacing / 7) + 4), this.x(i), this.y(this.trace.laneOf(i)) + 20);
    }
    context.textAlign = "left";
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Palette} palette
   * @param {number} event
   * @param {number} size
   */
  mark(context, palette, event, size) {
    const [x, y] = [this.x(event), this.y(this.trace.laneOf(event))];
    const aborted = this.trace.aborted?.[event] === 1;
    context.lineWidth = 1.5;
    context.beginPath();
    switch (this.trace.type(event)) {
      case "send":
        context.strokeStyle = context.fillStyle = palette.f0;
        context.arc(x, y, size, 0, 7);
        break;
      case "deliver":
        context.strokeStyle = context.fillStyle = palette.f1;
        context.moveTo(x - size, y - size);
        context.lineTo(x + size, y);
        context.lineTo(x - size, y + size);
        context.closePath();
        break;
      case "observe":
        context.strokeStyle = context.fillStyle = palette.f2;
        context.moveTo(x, y - size);
        context.lineTo(x + size, y);
        context.lineTo(x, y + size);
        context.lineTo(x - size, y);
        context.closePath();
        context.stroke();
        return;
      case "crash":
        context.strokeStyle = palette.failing;
        context.lineWidth = 2.5;
        context.moveTo(x - size, y - size);
        context.lineTo(x + size, y + size);
        context.moveTo(x + size, y - size);
        context.lineTo(x - size, y + size);
        context.stroke();
        return;
      case "subscribe":
      case "restart":
        context.strokeStyle = palette.muted;
        context.moveTo(x - size, y);
        context.lineTo(x + size, y);
        context.moveTo(x, y - size);
        context.lineTo(x, y + size);
        context.stroke();
        return;
      default:
        context.fillStyle = palette.muted;
        context.fillRect(x - 1, y - size, 2, 2 * size);
        return;
    }
    if (aborted) context.stroke();
    else context.fill();
  }

  /**
   * The missing causes, their chains, and the delivery that came too early.
   * @param {CanvasRenderingContext2D} context
   * @param {Palette} palette
   * @param {Violation} violation
   */
  paintViolation(context, palette, violation) {
    const {trace} = this;
    const labels = new Map([[violation.event, palette.failing]]);
    for (const {event, because} of violation.missing.slice(0, 3)) {
      const chain = [...because, violation.event];
      for (let k = 1; k < chain.length; ++k) {
        const last = k + 1 === chain.length;
        context.strokeStyle = context.fillStyle = last ? palette.failing : palette.accent;
        context.lineWidth = 3;
        if (trace.laneOf(chain[k - 1]) === trace.laneOf(chain[k])) {
          this.segment(context, this.x(chain[k - 1]), this.y(trace.laneOf(chain[k])), this.x(chain[k]), this.y(trace.laneOf(chain[k])));
        } else {
          this.arrow(context, chain[k - 1], chain[k], 9);
        }
        if (!last) labels.set(chain[k], palette.accent);
      }
      labels.set(event, palette.core);
      const late = (trace.seenAt?.get(event) ?? []).find(
        (seen) => seen > violation.event && trace.columns.actor[seen] === violation.actor && trace.type(seen) === "deliver"
      );
      if (late !== undefined) {
        context.strokeStyle = context.fillStyle = palette.core;
        context.lineWidth = 2;
        context.setLineDash([2, 4]);
        this.arrow(context, event, late, 8);
        context.setLineDash([]);
        labels.set(late, palette.core);
      }
    }
    const send = trace.sendOf?.[violation.event] ?? -1;
    if (violation.missing.length === 0 && send >= 0) {
      context.strokeStyle = context.fillStyle = palette.failing;
      context.lineWidth = 3;
      this.arrow(context, send, violation.event, 9);
      labels.set(send, palette.accent);
    }
    context.font = `600 12px ${FONT}`;
    context.textAlign = "center";
    for (const [event, colour] of labels) {
      const [x, y] = [this.x(event), this.y(trace.laneOf(event))];
      this.mark(context, palette, event, MARK + 2);
      context.strokeStyle = context.fillStyle = colour;
      context.lineWidth = 2.5;
      context.beginPath();
      context.arc(x, y, MARK + 6, 0, 7);
      context.stroke();
      if (event === violation.event) {
        context.lineWidth = 3;
        this.segment(context, x - 15, y - 24, x - 7, y - 16);
        this.segment(context, x - 7, y - 24, x - 15, y - 16);
      }
      const label = trace.place(event) || trace.type(event);
      const width = context.measureText(label).width + 6;
      context.fillStyle = palette.ground;
      context.fillRect(x - width / 2, y + 13, width, 15);
      context.fillStyle = colour;
      context.fillText(label, x, y + 25);
    }
    context.textAlign = "left";
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Palette} palette
   */
  paintChoice(context, palette) {
    const ring = (/** @type {number} */ event, /** @type {string} */ colour, /** @type {number} */ radius) => {
      if (event < this.from - 1 || event > this.to + 1) return;
      context.strokeStyle = colour;
      context.lineWidth = 2;
      context.beginPath();
      context.arc(this.x(event), this.y(this.trace.laneOf(event)), radius, 0, 7);
      context.stroke();
    };
    if (this.look.found.size < 5000) for (const event of this.look.found) ring(event, palette.hit, MARK + 2);
    if (this.look.hovered >= 0) ring(this.look.hovered, palette.muted, MARK + 4);
    if (this.look.selected >= 0) ring(this.look.selected, palette.hit, MARK + 9);
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Palette} palette
   */
  paintNames(context, palette) {
    context.font = `12px ${FONT}`;
    context.fillStyle = palette.ink;
    const letters = Math.floor((this.gutter - 12) / 7.3);
    this.trace.lanes.forEach((name, lane) => {
      context.fillText(beginning(shown(name), letters), 8, this.y(lane) + 4);
    });
  }

  paintMinimap() {
    const context = /** @type {CanvasRenderingContext2D} */ (this.minimap.getContext("2d"));
    const ratio = window.devicePixelRatio || 1;
    const palette = /** @type {Palette} */ (this.palette);
    const [width, height] = [this.minimap.clientWidth, this.minimap.clientHeight];
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = palette.lane;
    context.fillRect(0, 0, width, height);
    const scale = width / Math.max(this.trace.count, 1);
    const lane = (height - 8) / this.trace.lanes.length;
    const stride = Math.max(1, Math.floor(this.trace.count / (4 * width)));
    context.fillStyle = palette.many;
    for (let i = 0; i < this.trace.count; i += stride) {
      context.fillRect(i * scale, 4 + this.trace.laneOf(i) * lane, Math.max(scale * 0.8, 1), Math.max(lane * 0.7, 1));
    }
    context.fillStyle = palette.failing;
    for (const {event} of this.trace.violations) context.fillRect(event * scale - 1, 0, 2.5, height);
    context.strokeStyle = palette.accent;
    context.lineWidth = 2;
    const left = Math.max(this.from * scale, 0);
    context.strokeRect(left + 1, 1, Math.max(Math.min(this.to * scale, width) - left - 2, 4), height - 2);
  }
}
