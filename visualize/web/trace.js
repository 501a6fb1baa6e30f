// A causal trace as the page holds it: events by rank, their records, and what was found.

/**
 * @typedef {object} TraceHead
 * @property {string} title
 * @property {string} verdict  or empty
 * @property {string} [reason]
 * @property {number} events
 * @property {string[]} actors
 * @property {string[]} channels
 * @property {number} violations  in all; the page may hold fewer
 * @property {string} columns     deflated
 */

/**
 * @typedef {object} Violation
 * @property {string} kind
 * @property {number} event    at which it was found
 * @property {number} actor    -1: none
 * @property {string} message
 * @property {number} missingInAll
 * @property {{event: number, because: number[]}[]} missing  sends, and the chains of events up to the record's send
 */

/**
 * @typedef {object} TraceColumns
 * @property {number[]} type    an index into TYPES
 * @property {number[]} actor   -1: none
 * @property {number[]} channel
 * @property {(number | string)[]} offset  text where a double could not hold it
 * @property {number[]} line    differences
 * @property {number[]} flag
 * @property {number[]} detail  an index into details, or -1
 * @property {string[]} details
 * @property {number[][]} lists
 * @property {Violation[]} violations
 */

const TYPES = /** @type {const} */ ([
  "subscribe",
  "unsubscribe",
  "begin",
  "commit",
  "abort",
  "send",
  "deliver",
  "observe",
  "marker",
  "crash",
  "restart",
  "truncate",
  "drain",
  "end",
  "note"
]);

/** The line of events that no actor does. */
const HOST = "host";

class Trace {
  /**
   * @param {TraceHead} head
   * @param {TraceColumns} columns
   */
  constructor(head, columns) {
    this.head = head;
    this.columns = columns;
    this.count = columns.type.length;
    this.violations = columns.violations;
    this.lines = new Float64Array(this.count);
    let line = 0;
    for (let i = 0; i < this.count; ++i) this.lines[i] = line += columns.line[i];
    this.hasHost = columns.actor.some((actor) => actor < 0);
    this.lanes = this.hasHost ? [HOST, ...head.actors] : head.actors;
    this.findRecords();
    this.findSteps();
  }

  /** @param {number} event */
  type(event) {
    return TYPES[this.columns.type[event]];
  }

  /** @param {number} event */
  laneOf(event) {
    return this.columns.actor[event] + (this.hasHost ? 1 : 0);
  }

  /** @param {number} event */
  place(event) {
    const channel = this.columns.channel[event];
    return channel < 0 ? "" : `${shown(this.head.channels[channel])}@${this.columns.offset[event]}`;
  }

  /** @param {number} event */
  actorName(event) {
    const actor = this.columns.actor[event];
    return actor < 0 ? HOST : shown(this.head.actors[actor]);
  }

  /** "n1 sends a@0" @param {number} event */
  describe(event) {
    const type = this.type(event);
    const {flag} = this.columns;
    if (type === "note") return `note ${this.detail(event)}`;
    const what =
      type === "commit" && flag[event]
        ? "commit, outcome unknown"
        : type === "crash"
          ? flag[event]
            ? "crash, all memory lost"
            : "crash"
          : type === "end"
            ? flag[event]
              ? "end, drained"
              : "end, not drained"
            : type;
    return `${this.actorName(event)}: ${what} ${this.place(event)}`.trim();
  }

  /** A note's text, a record's id, a drain's actors. @param {number} event */
  detail(event) {
    const detail = this.columns.detail[event];
    if (detail < 0) return "";
    if (this.type(event) !== "drain") return shown(this.columns.details[detail]);
    return this.columns.lists[detail].map((actor) => shown(this.head.actors[actor])).join(", ");
  }

  findRecords() {
    const {type, channel, offset} = this.columns;
    /** @type {Map<string, number>} */
    const sends = new Map();
    /** Of each delivery and observation the send, or -1. */
    this.sendOf = new Int32Array(this.count).fill(-1);
    /** @type {Map<number, number[]>} deliveries and observations of a send */
    this.seenAt = new Map();
    for (let i = 0; i < this.count; ++i) {
      const name = TYPES[type[i]];
      if (name !== "send" && name !== "deliver" && name !== "observe") continue;
      const place = `${channel[i]}@${offset[i]}`;
      if (name === "send") {
        sends.set(place, i);
        continue;
      }
      const send = sends.get(place) ?? -1;
      this.sendOf[i] = send;
      if (send < 0) continue;
      const seen = this.seenAt.get(send);
      if (seen) seen.push(i);
      else this.seenAt.set(send, [i]);
    }
  }

  /** Steps, times down, and which events were aborted. */
  findSteps() {
    const {actor, flag} = this.columns;
    this.aborted = new Uint8Array(this.count);
    /** @type {{lane: number, from: number, to: number, aborted: boolean}[]} */
    this.steps = [];
    /** @type {{lane: number, from: number, to: number}[]} */
    this.downs = [];
    /** @type {Map<number, number>} */
    const open = new Map();
    /** @type {Map<number, number>} */
    const down = new Map();
    const seenAfter = (/** @type {number} */ from, /** @type {number} */ to) => {
      for (let i = from; i <= to; ++i) {
        if (actor[i] !== actor[to] || this.type(i) !== "send") continue;
        if ((this.seenAt?.get(i) ?? []).some((seen) => seen > to)) return true;
      }
      return false;
    };
    for (let i = 0; i < this.count; ++i) {
      const name = this.type(i);
      const from = open.get(actor[i]);
      if (name === "begin") open.set(actor[i], i);
      if (name === "restart") {
        const since = down.get(actor[i]);
        if (since !== undefined) this.downs.push({lane: this.laneOf(i), from: since, to: i});
        down.delete(actor[i]);
      }
      if (name === "crash") down.set(actor[i], i);
      if (from === undefined || (name !== "commit" && name !== "abort" && name !== "crash")) continue;
      const aborted = name !== "commit" || (flag[i] === 1 && !seenAfter(from, i));
      this.steps.push({lane: this.laneOf(i), from, to: i, aborted});
      if (aborted) for (let k = from; k <= i; ++k) if (actor[k] === actor[i]) this.aborted[k] = 1;
      open.delete(actor[i]);
    }
    for (const [index, from] of down) {
      this.downs.push({lane: index + (this.hasHost ? 1 : 0), from, to: this.count - 0.5});
    }
  }

  /**
   * The nearest event of a lane; -1 where it has none.
   * @param {number} lane
   * @param {number} event
   */
  nearestOn(lane, event) {
    for (let distance = 0; distance < this.count; ++distance) {
      for (const at of [event - distance, event + distance]) {
        if (at >= 0 && at < this.count && this.laneOf(at) === lane) return at;
      }
    }
    return -1;
  }
}
