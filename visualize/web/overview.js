// What overviews have in common: the axis in small, with a window in it that can be dragged.

/**
 * What an overview is of.
 * @typedef {object} Overviewed
 * @property {{from: number, to: number}} axis  all that can be shown
 * @property {number} from                      the window
 * @property {number} to
 * @property {number} gutter
 * @property {Palette} palette
 * @property {(from: number, to: number) => void} show
 */

class Overview {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {Overviewed} timeline
   */
  constructor(canvas, timeline) {
    this.canvas = canvas;
    this.of = timeline;
    this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    this.left = 0;
    this.width = 1;
    this.watchPointer();
  }

  /** @param {number} value  on the axis */
  xOf(value) {
    const {axis} = this.of;
    return this.left + ((value - axis.from) / (axis.to - axis.from)) * this.width;
  }

  /** An empty canvas of the right size. */
  clear() {
    const {canvas, context} = this;
    const {palette, gutter} = this.of;
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    this.left = gutter;
    this.width = Math.max(width - this.left, 1);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = palette.ground;
    context.fillRect(0, 0, width, height);
    context.fillStyle = palette.muted;
    context.font = `11px ${FONT}`;
    context.textBaseline = "middle";
    context.fillText("overview", 10, height / 2);
    return {width, height};
  }

  /**
   * A sign at the top, and a line below it.
   * @param {number} x
   * @param {boolean} chosen
   */
  drawSign(x, chosen) {
    const {context} = this;
    const size = chosen ? 6 : 4;
    context.fillStyle = this.of.palette.failing;
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
    const {context, of: timeline} = this;
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
    const {canvas, of: timeline} = this;
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
