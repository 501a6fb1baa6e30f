// The space-time diagram: a line an actor, marks for events, arrows for records.

const LEAST_ROW = 44;
const MOST_ROW = 140;
/** Above the rows: numbers of lines, and what no actor does. */
const HEADER = 44;
const HEADER_MARKS = 32;
const MARK = 5;
/** Marks closer than this are drawn as ticks. */
const DENSE = 3;
/** Longer chains have labels only at their ends. */
const MOST_LABELS = 12;

/**
 * @typedef {object} Shown
 * @property {number} selected            an event, or -1
 * @property {number} hovered
 * @property {Violation | undefined} violation
 * @property {Explanation | undefined} explanation  of the violation
 * @property {Uint32Array} found          events
 */

/** @typedef {{x: number, y: number}} Point */
/** @typedef {{event: number, number: string, text: string, colour: string}} Label */
/** @typedef {{left: number, right: number, top: number, bottom: number, isLabel?: boolean}} Box */

class Diagram {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {Trace} trace
   * @param {Shown} look
   */
  constructor(canvas, trace, look) {
    this.canvas = canvas;
    this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    this.trace = trace;
    this.look = look;
    this.palette = readPalette(byId("live"));
    this.onFrame = () => {};
    this.from = 0;
    this.to = 1;
    this.top = 0;
    this.gutter = 120;
    this.rowHeight = LEAST_ROW;
    this.width = 0;
    this.height = 0;
    this.pending = false;
    this.lastFrame = 0;
    this.drawn = {marks: 0, arrows: 0, labels: /** @type {string[]} */ ([])};
    /** The only events that are shown, in order; undefined: all. @type {Uint32Array | undefined} */
    this.alone = undefined;
    /** Actors, from above. @type {number[]} */
    this.rows = [];
    this.rowOf = new Int32Array(trace.head.actors.length);
    this.axis = {from: -0.5, to: 0.5};
    this.showOnly(undefined);
  }

  /**
   * Shows only these events, side by side, and their actors as they come; or all.
   * @param {number[] | undefined} events  in order
   * @param {number} [actor]               who is shown, too
   */
  showOnly(events, actor = -1) {
    const {trace} = this;
    this.alone = events && Uint32Array.from(events);
    const whose = events ? [...events.map((event) => trace.actor(event)), actor] : trace.head.actors.keys();
    this.rows = [...new Set(whose)].filter((each) => each >= 0);
    this.rowOf.fill(-1);
    this.rows.forEach((each, row) => (this.rowOf[each] = row));
    this.axis = {from: -0.5, to: Math.max((events?.length ?? trace.count) - 0.5, 0.5)};
    this.top = 0;
    if (this.width > 0) this.resize();
  }

  resize() {
    const ratio = window.devicePixelRatio || 1;
    this.width = this.canvas.clientWidth;
    this.height = this.canvas.clientHeight;
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    const room = (this.height - HEADER) / Math.max(this.rows.length, 1);
    this.rowHeight = Math.min(Math.max(room, LEAST_ROW), MOST_ROW);
    const longest = this.rows.reduce((most, actor) => Math.max(most, shown(this.trace.head.actors[actor]).length), 0);
    this.gutter = Math.min(Math.max(80, 18 + 7.3 * Math.min(longest, 24)), this.width / 3);
    this.pan(0, 0);
  }

  fit() {
    this.showEvents(this.axis.from, this.axis.to);
  }

  /**
   * Exactly this part of the axis.
   * @param {number} from
   * @param {number} to
   */
  show(from, to) {
    this.from = from;
    this.to = to;
    this.zoom(1);
  }

  /**
   * These places, and a little around them.
   * @param {number} from
   * @param {number} to
   */
  showEvents(from, to) {
    const margin = Math.max((to - from) * 0.04, 0.5);
    this.show(from - margin, to + margin);
  }

  /**
   * @param {number} factor
   * @param {number} [x]
   */
  zoom(factor, x = (this.gutter + this.width) / 2) {
    const at = this.placeAt(x);
    const most = (this.axis.to - this.axis.from) * 1.2 + 4;
    const span = Math.min(Math.max((this.to - this.from) * factor, 4), most);
    this.from = at - (span * (at - this.from)) / (this.to - this.from);
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
    this.from = Math.min(Math.max(this.from + by, this.axis.from - span / 2), this.axis.to - span / 2);
    this.to = this.from + span;
    const whole = HEADER + this.rows.length * this.rowHeight;
    this.top = Math.min(Math.max(this.top + dy, 0), Math.max(whole - this.height, 0));
    this.draw();
  }

  /**
   * Brings an event into the window.
   * @param {number} event
   */
  reveal(event) {
    const span = this.to - this.from;
    const place = this.placeOf(event);
    if (place < this.from || place > this.to) {
      this.from = place - span / 2;
      this.to = place + span / 2;
    }
    const y = this.y(event);
    const outside = y < HEADER + 20 || y + 30 > this.height;
    this.pan(0, outside && this.trace.actor(event) >= 0 ? y - this.height / 2 : 0);
  }

  /**
   * Brings actors to the middle, as far as there is something above and below.
   * @param {number[]} actors
   */
  center(actors) {
    const rows = actors.map((actor) => this.rowOf[actor]).filter((row) => row >= 0);
    if (rows.length === 0) return;
    const middle = (Math.min(...rows) + Math.max(...rows)) / 2;
    this.pan(0, HEADER + (middle + 0.5) * this.rowHeight - this.top - (this.height + HEADER) / 2);
  }

  /** @param {number} event */
  shows(event) {
    return this.alone?.includes(event) ?? true;
  }

  /** Where an event is on the axis; events that are not shown stand between others. @param {number} event */
  placeOf(event) {
    if (!this.alone) return event;
    const rank = rankIn(this.alone, event);
    return this.alone[rank] === event ? rank : rank - 0.5;
  }
  /** @param {number} place */
  eventOf(place) {
    return this.alone ? this.alone[place] : place;
  }
  /** @param {number} place */
  xOf(place) {
    return this.gutter + ((place - this.from) / (this.to - this.from)) * (this.width - this.gutter);
  }
  /** @param {number} x */
  placeAt(x) {
    return this.from + ((x - this.gutter) / Math.max(this.width - this.gutter, 1)) * (this.to - this.from);
  }
  /** @param {number} event */
  x(event) {
    return this.xOf(this.placeOf(event));
  }
  /** @param {number} event */
  y(event) {
    return this.rowY(this.trace.columns.actor[event]);
  }
  /** The line of an actor; that of what no actor does. @param {number} actor */
  rowY(actor) {
    return actor < 0 ? HEADER_MARKS : HEADER + (this.rowOf[actor] + 0.5) * this.rowHeight - this.top;
  }
  /** Pixels from event to event. */
  spacing() {
    return (this.width - this.gutter) / (this.to - this.from);
  }

  /** The first and last place in the window. */
  places() {
    return [
      Math.max(Math.floor(this.from) - 1, 0),
      Math.min(Math.ceil(this.to) + 1, Math.floor(this.axis.to), (this.alone?.length ?? this.trace.count) - 1)
    ];
  }

  /**
   * The event whose mark is there, or -1.
   * @param {number} x
   * @param {number} y
   */
  eventAt(x, y) {
    const row = Math.floor((y + this.top - HEADER) / this.rowHeight);
    const actor = y < HEADER ? -1 : this.rows[row];
    const at = this.placeAt(x);
    const reach = Math.min(Math.max(8, this.spacing() / 2), 24) / this.spacing();
    const [first, last] = this.places();
    let best = -1;
    for (let place = Math.max(Math.ceil(at - reach), first); place <= Math.min(at + reach, last); ++place) {
      const event = this.eventOf(place);
      if (this.trace.actor(event) !== actor) continue;
      if (best < 0 || Math.abs(place - at) < Math.abs(this.placeOf(best) - at)) best = event;
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
      this.onFrame();
      this.lastFrame = performance.now() - begun;
    });
  }

  paint() {
    const {context, palette} = this;
    const ratio = window.devicePixelRatio || 1;
    this.drawn = {marks: 0, arrows: 0, labels: []};
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = palette.ground;
    context.fillRect(0, 0, this.width, this.height);
    const [first, last] = this.places();
    // All but what explains a violation is faded, where there is more.
    const faded = this.look.explanation && !this.alone ? 0.25 : 1;
    this.within(HEADER, () => {
      this.paintRows();
      this.paintBands();
      context.globalAlpha = faded;
      this.paintSteps();
      if (!this.alone) this.paintArrows(first, last);
      this.paintMarks(first, last, false);
      context.globalAlpha = 1;
    });
    this.within(0, () => {
      this.paintRuler(first, last);
      this.paintMarks(first, last, true);
    });
    const {explanation, violation} = this.look;
    const below = violation && violation.actor >= 0 ? HEADER : 0;
    if (explanation) this.within(below, () => this.paintExplanation(explanation));
    this.within(0, () => this.paintChoice());
    this.paintNames();
  }

  /**
   * Paints only right of the names, and below this.
   * @param {number} top
   * @param {() => void} paint
   */
  within(top, paint) {
    const {context} = this;
    context.save();
    context.beginPath();
    context.rect(this.gutter, top, this.width - this.gutter, this.height - top);
    context.clip();
    paint();
    context.restore();
  }

  /** The actors' lines; hatched where they are down. */
  paintRows() {
    const {context, palette} = this;
    context.lineWidth = 1;
    context.strokeStyle = palette.muted;
    context.globalAlpha = 0.6;
    context.beginPath();
    for (const actor of this.rows) {
      context.moveTo(this.gutter, this.rowY(actor));
      context.lineTo(this.width, this.rowY(actor));
    }
    context.stroke();
    context.globalAlpha = 1;
    for (const {actor, from, to} of this.trace.downs) {
      const left = Math.max(this.x(from), this.gutter);
      const right = Math.min(this.x(to), this.width);
      if (right - left < 2 || this.rowOf[actor] < 0) continue;
      const y = this.rowY(actor);
      context.fillStyle = palette.ground;
      context.fillRect(left, y - 6, right - left, 12);
      context.beginPath();
      for (let x = left; x < right; x += 6) {
        context.moveTo(x, y + 4);
        context.lineTo(Math.min(x + 5, right), y - 4);
      }
      context.stroke();
    }
  }

  /** Drains, truncations, notes and what else no actor does, over all rows. */
  paintBands() {
    const {context, palette, trace} = this;
    context.strokeStyle = palette["band-edge"];
    context.lineWidth = 1;
    let free = -Infinity;
    for (let k = rankIn(trace.hosted, this.eventOf(this.places()[0])); k < trace.hosted.length; ++k) {
      const event = trace.hosted[k];
      const x = this.x(event);
      if (x > this.width) break;
      if (x < free || !this.shows(event)) continue;
      free = x + 2;
      const type = trace.type(event);
      if (type === "marker") continue;
      context.globalAlpha = type === "note" ? 0.5 : 1;
      context.setLineDash(type === "truncate" ? [1, 3] : type === "note" ? [2, 6] : [6, 3]);
      const half = type === "drain" || type === "end" ? 1.5 : 0;
      this.line(x - half, HEADER, x - half, this.height);
      if (half > 0) this.line(x + half, HEADER, x + half, this.height);
    }
    context.globalAlpha = 1;
    context.setLineDash([]);
  }

  paintSteps() {
    const {context, palette, alone, trace} = this;
    if (this.spacing() < 1.5) return;
    for (const {actor, from, to, aborted} of trace.steps) {
      const [left, right, y] = [this.x(from), this.x(to), this.rowY(actor)];
      if (right < this.gutter || left > this.width || this.rowOf[actor] < 0) continue;
      if (alone && !alone.some((event) => event >= from && event <= to && trace.actor(event) === actor)) continue;
      context.strokeStyle = context.fillStyle = aborted ? palette.muted : palette.f3;
      const before = context.globalAlpha;
      context.globalAlpha = before * 0.12;
      if (!aborted) context.fillRect(left, y - 13, right - left, 26);
      context.globalAlpha = before;
      context.lineWidth = 1.5;
      if (aborted) context.setLineDash([3, 3]);
      const arm = Math.min(5, (right - left) / 3);
      context.beginPath();
      for (const [x, into] of [[left, arm], [right, -arm]]) {
        context.moveTo(x + into, y - 13);
        context.lineTo(x, y - 13);
        context.lineTo(x, y + 13);
        context.lineTo(x + into, y + 13);
      }
      context.stroke();
      context.setLineDash([]);
    }
  }

  /**
   * Of more arrows than there is room for, some are drawn: always the same ones, more of them the nearer one looks.
   * @param {number} first
   * @param {number} last
   */
  paintArrows(first, last) {
    const {context, palette, trace} = this;
    const {sendOf, seen, seenFrom, aborted} = trace;
    const share = Math.min((1.5 * this.width) / (last - first + 1), 1) * 2 ** 32;
    const chosen = (/** @type {number} */ event) => Math.imul(event, 0x9e3779b1) >>> 0 < share;
    /** @type {number[][]} */
    const events = [[], []];
    for (let i = first; i <= last; ++i) {
      if (sendOf[i] >= 0 && chosen(i)) events[aborted[sendOf[i]]].push(i);
    }
    // Those that are sent here and seen further to the right, and those on their way all over the window.
    for (let k = seenFrom[first]; k < seenFrom[last + 1]; ++k) {
      if (seen[k] > last && chosen(seen[k])) events[aborted[sendOf[seen[k]]]].push(seen[k]);
    }
    for (const i of trace.passing(first, last, 200)) events[aborted[sendOf[i]]].push(i);
    const heads = this.spacing() > 6;
    const before = context.globalAlpha;
    context.globalAlpha = before * (heads ? 0.75 : 0.35);
    context.lineWidth = 1;
    events.forEach((some, wasAborted) => {
      context.strokeStyle = context.fillStyle = wasAborted ? palette.muted : palette.f0;
      context.setLineDash(wasAborted ? [4, 3] : []);
      this.arrows(
        some.map((i) => [this.point(sendOf[i]), this.point(i)]),
        heads ? 6 : 0
      );
      this.drawn.arrows += some.length;
    });
    context.setLineDash([]);
    context.globalAlpha = before;
  }

  /** @param {number} event */
  point(event) {
    return {x: this.x(event), y: this.y(event)};
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} toX
   * @param {number} toY
   */
  line(x, y, toX, toY) {
    const {context} = this;
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(toX, toY);
    context.stroke();
  }

  /**
   * @param {Point[][]} ends  from, to
   * @param {number} head     its size; 0: none
   */
  arrows(ends, head) {
    const {context} = this;
    context.beginPath();
    for (const [from, to] of ends) {
      context.moveTo(from.x, from.y);
      // A record to its own sender goes in an arc.
      if (from.y === to.y) context.quadraticCurveTo((from.x + to.x) / 2, from.y - 40, to.x, to.y - MARK);
      else context.lineTo(to.x, to.y);
    }
    context.stroke();
    if (head === 0) return;
    context.setLineDash([]);
    context.beginPath();
    for (const [from, to] of ends) {
      if (from.y !== to.y) this.arrowHead(from, to, head);
    }
    context.fill();
  }

  /**
   * @param {Point} from
   * @param {Point} to
   * @param {number} size
   */
  arrowHead(from, to, size) {
    const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
    const [dx, dy] = [(to.x - from.x) / length, (to.y - from.y) / length];
    const [x, y] = [to.x - dx * (size + 2), to.y - dy * (size + 2)];
    const {context} = this;
    context.moveTo(x, y);
    context.lineTo(x - (dx * 1.6 + dy * 0.6) * size, y - (dy * 1.6 - dx * 0.6) * size);
    context.lineTo(x - (dx * 1.6 - dy * 0.6) * size, y - (dy * 1.6 + dx * 0.6) * size);
    context.closePath();
  }

  /**
   * @param {number} first
   * @param {number} last
   * @param {boolean} hosted  those of no actor, or those of actors
   */
  paintMarks(first, last, hosted) {
    const spacing = this.spacing();
    if (!hosted && spacing < DENSE) {
      this.paintTicks(first, last);
      return;
    }
    const {context, palette, trace} = this;
    context.font = `11px ${FONT}`;
    let free = -Infinity;
    const marks = hosted ? trace.hosted : undefined;
    for (let k = marks ? rankIn(marks, this.eventOf(first)) : first; k <= (marks ? marks.length - 1 : last); ++k) {
      const event = marks ? marks[k] : this.eventOf(k);
      const x = this.x(event);
      if (x > this.width) break;
      if (hosted === trace.actor(event) >= 0 || !this.shows(event)) continue;
      if (hosted && x < free) continue;
      this.mark(event, hosted ? 4 : Math.min(MARK, 1 + spacing / 3));
      ++this.drawn.marks;
      if (hosted) {
        const label = trace.type(event) === "note" ? trace.detail(event) : `${trace.type(event)} ${trace.place(event)}`;
        const next = marks && k + 1 < marks.length ? this.x(marks[k + 1]) : Infinity;
        const letters = Math.floor((next - x - 12) / 6.8);
        context.fillStyle = palette["band-edge"];
        if (letters > 2) context.fillText(beginning(label.trim(), Math.min(letters, 40)), x + 7, HEADER_MARKS + 4);
        free = x + 3;
      } else if (spacing >= 64 && !this.look.explanation?.notes.has(event)) {
        context.fillStyle = palette.ink;
        context.textAlign = "center";
        const label = trace.place(event) || trace.type(event);
        context.fillText(beginning(label, Math.floor(spacing / 7) + 4), x, this.y(event) + 24);
        context.textAlign = "left";
      }
    }
  }

  /**
   * Marks that are too near to each other: a tick for all of an actor and a pixel or two, crashes before all else.
   * @param {number} first
   * @param {number} last
   */
  paintTicks(first, last) {
    const {context, palette, trace} = this;
    const {type, actor} = trace.columns;
    const colours = [palette.muted, palette.f0, palette.f1, palette.f2, palette.failing];
    const kinds = TYPES.map((name) => Math.max(["", "send", "deliver", "observe", "crash"].indexOf(name), 0));
    const width = 2;
    const columns = Math.ceil((this.width - this.gutter) / width) + 8;
    const grid = new Uint8Array(columns * this.rows.length);
    for (let place = first; place <= last; ++place) {
      const event = this.eventOf(place);
      if (actor[event] < 0) continue;
      const column = Math.floor((this.xOf(place) - this.gutter) / width);
      if (column < 0 || column >= columns) continue;
      const cell = this.rowOf[actor[event]] * columns + column;
      grid[cell] = Math.max(grid[cell], kinds[type[event]] + 1);
    }
    colours.forEach((colour, kind) => {
      context.fillStyle = colour;
      context.beginPath();
      const size = kind === 4 ? 9 : kind === 1 ? 6 : 4;
      for (let cell = 0; cell < grid.length; ++cell) {
        if (grid[cell] !== kind + 1) continue;
        const y = this.rowY(this.rows[Math.floor(cell / columns)]);
        if (y < 0 || y > this.height) continue;
        context.rect(this.gutter + (cell % columns) * width, y - size, width * 0.75, 2 * size);
        ++this.drawn.marks;
      }
      context.fill();
    });
  }

  /**
   * @param {number} event
   * @param {number} size
   */
  mark(event, size) {
    const {context, palette, trace} = this;
    const {x, y} = this.point(event);
    const type = trace.type(event);
    const cross = (/** @type {number} */ dx, /** @type {number} */ dy, shift = 0) => {
      context.moveTo(x + shift - dx, y - dy);
      context.lineTo(x + shift + dx, y + dy);
    };
    const colour = {send: palette.f0, deliver: palette.f1, observe: palette.f2, crash: palette.failing};
    context.strokeStyle = context.fillStyle = colour[/** @type {"send"} */ (type)] ?? palette.muted;
    if (trace.actor(event) < 0) context.strokeStyle = context.fillStyle = palette["band-edge"];
    context.lineWidth = type === "crash" ? 2.5 : 1.5;
    let hollow = trace.aborted[event] === 1;
    context.beginPath();
    if (type === "send") {
      context.arc(x, y, size, 0, 7);
    } else if (type === "deliver") {
      context.moveTo(x - size, y - size);
      context.lineTo(x + size, y);
      context.lineTo(x - size, y + size);
      context.closePath();
    } else if (type === "observe") {
      context.moveTo(x, y - size);
      context.lineTo(x + size, y);
      context.lineTo(x, y + size);
      context.lineTo(x - size, y);
      context.closePath();
    } else if (type === "note") {
      context.rect(x - size, y - size, 2 * size, 2 * size);
      hollow = true;
    } else {
      hollow = true;
      if (type === "crash") [cross(size, size), cross(size, -size)];
      else if (type === "subscribe") [cross(size, 0), cross(0, size)];
      else if (type === "unsubscribe") cross(size, 0);
      else if (type === "restart") [cross(size, size), cross(size, -size), cross(0, size)];
      else if (type === "drain" || type === "end") [cross(0, size, -1.5), cross(0, size, 1.5)];
      else if (type === "truncate") [cross(0, size), cross(size, 0)];
      else cross(0, size);
    }
    if (!hollow) {
      context.fill();
      return;
    }
    if (trace.aborted[event] === 1 && (type === "send" || type === "deliver" || type === "observe")) {
      cross(size + 2, -size - 2);
    }
    context.stroke();
  }

  /**
   * The numbers of lines.
   * @param {number} first
   * @param {number} last
   */
  paintRuler(first, last) {
    const {context, palette, trace} = this;
    const step = this.alone ? 1 : Math.max(niceStep(64 / this.spacing()), 1);
    let free = -Infinity;
    // Round numbers, where each line is an event.
    const offset = trace.count > 0 ? trace.lines[0] : 0;
    context.font = `11px ${FONT}`;
    context.fillStyle = context.strokeStyle = palette.muted;
    context.lineWidth = 1;
    context.textAlign = "center";
    for (let place = Math.ceil((first + offset) / step) * step - offset; place <= last; place += step) {
      const x = Math.round(this.xOf(place)) + 0.5;
      const label = String(trace.lines[this.eventOf(place)]);
      const half = context.measureText(label).width / 2;
      if (x - half < free) continue;
      free = x + half + 10;
      context.fillText(label, x, 13);
      this.line(x, 17, x, 20);
    }
    context.textAlign = "left";
  }

  /**
   * What comes first, the chain, and what came too early.
   * @param {Explanation} explanation
   */
  paintExplanation(explanation) {
    const {context, palette, trace} = this;
    const {chain, causal, late, notes} = explanation;
    const violation = /** @type {Violation} */ (this.look.violation);
    const at = (/** @type {number} */ event) => ({
      x: this.x(event),
      y: event === violation.event ? this.rowY(violation.actor) : this.y(event)
    });
    const lost = violation.kind === "incomplete" || violation.kind === "truncated-too-far";
    /** @type {Point[][]} */
    const lines = [];
    const strong = (/** @type {number} */ from, /** @type {number} */ to, /** @type {string} */ colour) => {
      const ends = [at(from), at(to)];
      lines.push(ends);
      context.strokeStyle = context.fillStyle = colour;
      this.line(ends[0].x, ends[0].y, ends[1].x, ends[1].y);
      context.setLineDash([]);
      context.beginPath();
      if (trace.sendOf[to] === from || lost) this.arrowHead(ends[0], ends[1], 9);
      context.fill();
    };
    context.lineWidth = 3;
    for (let k = 1; k < chain.length; ++k) {
      if (lost) context.setLineDash([8, 5]);
      strong(chain[k - 1], chain[k], k + 1 < chain.length ? palette.accent : palette.failing);
    }
    if (late >= 0) {
      context.lineWidth = 2;
      context.setLineDash([2, 4]);
      strong(chain[0], late, palette.core);
    }
    /** @type {Label[]} */
    const labels = [];
    const told = chain.length <= MOST_LABELS ? chain : [chain[0], ...chain.slice(-3)];
    chain.forEach((event, k) => {
      const last = event === violation.event;
      const colour = last ? palette.failing : k > 0 ? palette.accent : causal ? palette.core : palette.accent;
      const number = causal ? String(k + 1) : last ? "×" : "";
      this.strongMark(event, at(event), colour);
      if (told.includes(event)) labels.push({event, number, text: notes.get(event) ?? "", colour});
    });
    if (late >= 0) {
      this.strongMark(late, at(late), palette.core);
      labels.push({event: late, number: "", text: notes.get(late) ?? "", colour: palette.core});
    }
    // What is said of the ends matters most, and is placed first.
    labels.sort((a, b) => Number(b.event === violation.event) - Number(a.event === violation.event));
    const boxes = [...chain, late].filter((event) => event >= 0).map((event) => boxAround(at(event), 13));
    for (const label of labels) this.paintLabel(label, at(label.event), boxes, lines);
  }

  /**
   * @param {number} event
   * @param {Point} point
   * @param {string} colour
   */
  strongMark(event, {x, y}, colour) {
    const {context, palette} = this;
    context.fillStyle = palette.ground;
    context.beginPath();
    context.arc(x, y, MARK + 6, 0, 7);
    context.fill();
    if (this.y(event) === y) this.mark(event, MARK + 1);
    context.strokeStyle = colour;
    context.lineWidth = 2.5;
    context.beginPath();
    context.arc(x, y, MARK + 6, 0, 7);
    context.stroke();
  }

  /**
   * Where it covers as little as may be; nowhere if it would cover another one.
   * @param {Label} label
   * @param {Point} point
   * @param {Box[]} boxes     what is taken; the label's own is added
   * @param {Point[][]} lines
   */
  paintLabel({number, text, colour}, {x, y}, boxes, lines) {
    if (x < this.gutter || x > this.width) return;
    const {context, palette} = this;
    context.font = `600 12px ${FONT}`;
    const badge = number === "" ? 0 : Math.max(context.measureText(number).width + 8, 16) + 4;
    const width = context.measureText(text).width + badge;
    /** @type {Box | undefined} */
    let best;
    let least = Infinity;
    // Farther away it would stand at the row of another actor.
    const levels = this.rowHeight >= 64 ? [22, -22, 40, -40] : [22, -22];
    for (const [level, dy] of levels.entries()) {
      for (const [turn, shift] of [0.5, 0.1, 0.9, -0.1, 1.1].entries()) {
        const left = Math.min(Math.max(x - width * shift, this.gutter + 4), this.width - width - 4);
        const box = {left, right: left + width, top: y + dy - 8, bottom: y + dy + 8};
        const outside = box.bottom > this.height || box.top < HEADER ? 99 : 0;
        const cost = level + turn + covered(box, boxes, lines) + outside;
        if (cost >= least) continue;
        least = cost;
        best = box;
      }
    }
    if (!best || boxes.some((box) => box.isLabel && overlaps(box, best))) return;
    boxes.push({...best, left: best.left - 10, right: best.right + 10, isLabel: true});
    const middle = best.top + 8;
    context.lineJoin = "round";
    context.lineWidth = 5;
    context.strokeStyle = palette.ground;
    context.strokeText(text, best.left + badge, middle + 4);
    context.fillStyle = colour;
    context.fillText(text, best.left + badge, middle + 4);
    this.drawn.labels.push(number === "" ? text : `${number} ${text}`);
    if (badge === 0) return;
    context.beginPath();
    context.roundRect(best.left, middle - 8, badge - 4, 16, 8);
    context.fill();
    context.fillStyle = palette.ground;
    context.textAlign = "center";
    context.fillText(number, best.left + badge / 2 - 2, middle + 4);
    context.textAlign = "left";
  }

  paintChoice() {
    const {context, palette} = this;
    const {found, hovered, selected} = this.look;
    const ring = (/** @type {number} */ event, /** @type {string} */ colour, /** @type {number} */ radius) => {
      if (!this.shows(event)) return;
      context.strokeStyle = colour;
      context.lineWidth = 2;
      context.beginPath();
      context.arc(this.x(event), this.y(event), radius, 0, 7);
      context.stroke();
    };
    let free = -Infinity;
    for (let k = rankIn(found, this.eventOf(this.places()[0])); k < found.length; ++k) {
      const x = this.x(found[k]);
      if (x > this.width) break;
      if (x < free || !this.shows(found[k])) continue;
      free = x + 1;
      if (this.spacing() >= 2 * DENSE) {
        ring(found[k], palette.hit, MARK + 2);
      } else {
        context.fillStyle = palette.hit;
        context.fillRect(x - 1, this.y(found[k]) - 14, 2, 6);
      }
    }
    if (hovered >= 0) ring(hovered, palette.muted, MARK + 4);
    if (selected >= 0) ring(selected, palette.hit, MARK + 9);
  }

  paintNames() {
    const {context, palette} = this;
    context.font = `11px ${FONT}`;
    context.fillStyle = palette.muted;
    context.fillText("line", 10, 13);
    context.font = `12px ${FONT}`;
    context.fillStyle = palette.ink;
    const letters = Math.floor((this.gutter - 14) / 7.3);
    for (const actor of this.rows) {
      const y = this.rowY(actor);
      if (y < HEADER) continue;
      context.fillText(beginning(shown(this.trace.head.actors[actor]), letters), 10, y + 4);
    }
    context.strokeStyle = palette.line;
    context.lineWidth = 1;
    this.line(0, HEADER - 0.5, this.width, HEADER - 0.5);
  }
}

/**
 * @param {Box} a
 * @param {Box} b
 */
function overlaps(a, b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/**
 * @param {Point} point
 * @param {number} reach
 * @returns {Box}
 */
function boxAround({x, y}, reach) {
  return {left: x - reach, right: x + reach, top: y - reach, bottom: y + reach};
}

/**
 * How much a label there would hide.
 * @param {Box} box
 * @param {Box[]} boxes
 * @param {Point[][]} lines
 */
function covered(box, boxes, lines) {
  let cost = 0;
  for (const other of boxes) {
    const apart =
      box.right < other.left || other.right < box.left || box.bottom < other.top || other.bottom < box.top;
    if (!apart) cost += 20;
  }
  for (const [from, to] of lines) {
    // Between the heights of the box.
    const [top, bottom] = [box.top - 3, box.bottom + 3];
    const slope = (to.x - from.x) / (to.y - from.y || 1e-9);
    const least = Math.max(Math.min(from.y, to.y), top);
    const most = Math.min(Math.max(from.y, to.y), bottom);
    if (least > most) continue;
    const xs = from.y === to.y ? [from.x, to.x] : [least, most].map((y) => from.x + (y - from.y) * slope);
    if (Math.max(...xs) >= box.left - 3 && Math.min(...xs) <= box.right + 3) cost += 10;
  }
  return cost;
}

/** All events in small, a line an actor, with the window of the diagram. */
class TraceOverview extends Overview {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {Diagram} diagram
   */
  constructor(canvas, diagram) {
    super(canvas, diagram);
    this.diagram = diagram;
    this.image = document.createElement("canvas");
    this.imageOf = "";
  }

  draw() {
    const {context, diagram} = this;
    const {trace, palette, look} = diagram;
    const {width, height} = this.clear();
    const of = [this.width, height, palette.many, diagram.rows.length, diagram.axis.to].join();
    if (height === 0) return;
    if (of !== this.imageOf) this.paintEvents(height);
    this.imageOf = of;
    context.drawImage(this.image, this.left, 0);
    for (const violation of trace.violations) {
      if (violation !== look.violation) this.drawSign(this.xOf(diagram.placeOf(violation.event)), false);
    }
    this.drawWindow(width, height);
    context.fillStyle = palette.accent;
    if (look.selected >= 0) context.fillRect(this.xOf(diagram.placeOf(look.selected)) - 1, 0, 2, height);
    if (look.violation) this.drawSign(this.xOf(diagram.placeOf(look.violation.event)), true);
  }

  /** @param {number} height */
  paintEvents(height) {
    const {image, diagram} = this;
    const {trace, rowOf, rows} = diagram;
    image.width = Math.ceil(this.width);
    image.height = height;
    const context = /** @type {CanvasRenderingContext2D} */ (image.getContext("2d"));
    context.fillStyle = diagram.palette.many;
    const row = (height - 8) / Math.max(rows.length, 1);
    const size = Math.max(this.width / (diagram.axis.to - diagram.axis.from), 1);
    const reached = new Float64Array(rows.length).fill(-Infinity);
    for (let place = 0; place < diagram.axis.to; ++place) {
      const actor = trace.actor(diagram.eventOf(place));
      const x = (place + 0.1) * (this.width / (diagram.axis.to - diagram.axis.from));
      if (actor < 0 || x < reached[rowOf[actor]]) continue;
      reached[rowOf[actor]] = x + 1;
      context.fillRect(x, 4 + rowOf[actor] * row, size * 0.8, Math.max(row * 0.7, 1));
    }
  }
}
