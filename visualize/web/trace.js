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
 * @property {number} sent     the send of the record that it is about; -1: none
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

/**
 * A part of an actor's line; `to` is beyond the last event where it does not end.
 * @typedef {{actor: number, from: number, to: number}} Stretch
 */

/**
 * Why something is a violation, as it is drawn. `chain` leads from the missing cause, or what else comes first, to the
 * event of the violation; `notes` say in a word or two what an event has to do with it.
 * @typedef {object} Explanation
 * @property {number[]} chain
 * @property {boolean} causal   the chain begins with the missing cause
 * @property {number} late      where the missing cause was delivered after all; -1: nowhere
 * @property {Map<number, string>} notes
 * @property {number[]} events  all of these, in order
 */

/** Events whose latest send is kept together, to find records on their way. */
const BLOCK = 256;

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
    /** The actor's event before, or -1. */
    this.before = new Int32Array(this.count).fill(-1);
    const latest = new Int32Array(head.actors.length).fill(-1);
    let line = 0;
    for (let i = 0; i < this.count; ++i) {
      this.lines[i] = line += columns.line[i];
      const actor = columns.actor[i];
      if (actor < 0) continue;
      this.before[i] = latest[actor];
      latest[actor] = i;
    }
    /** Of each delivery and observation the send, or -1. */
    this.sendOf = new Int32Array(this.count).fill(-1);
    this.seenFrom = new Uint32Array(this.count + 1);
    this.seen = this.findRecords();
    this.earliest = new Int32Array(Math.ceil(this.count / BLOCK)).fill(this.count);
    for (let i = 0; i < this.count; ++i) {
      const block = Math.floor(i / BLOCK);
      if (this.sendOf[i] >= 0) this.earliest[block] = Math.min(this.earliest[block], this.sendOf[i]);
    }
    this.aborted = new Uint8Array(this.count);
    /** @type {(Stretch & {aborted: boolean})[]} */
    this.steps = [];
    /** @type {Stretch[]} */
    this.downs = [];
    this.findSteps();
    /** Those that no actor does. */
    this.hosted = Uint32Array.from([...columns.actor.keys()].filter((i) => columns.actor[i] < 0));
  }

  /** @param {number} event */
  type(event) {
    return TYPES[this.columns.type[event]];
  }

  /** @param {number} event */
  actor(event) {
    return this.columns.actor[event];
  }

  /** @param {number} event */
  place(event) {
    const channel = this.columns.channel[event];
    return channel < 0 ? "" : `${this.channelName(event)}@${this.columns.offset[event]}`;
  }

  /** For where there is little room. @param {number} event */
  shortPlace(event) {
    const channel = this.columns.channel[event];
    return channel < 0 ? "" : `${beginning(this.channelName(event), 24)}@${this.columns.offset[event]}`;
  }

  /** @param {number} event */
  channelName(event) {
    const channel = this.columns.channel[event];
    return channel < 0 ? "" : shown(this.head.channels[channel]);
  }

  /** @param {number} event */
  actorName(event) {
    const actor = this.columns.actor[event];
    return actor < 0 ? "" : shown(this.head.actors[actor]);
  }

  /** "n1: send a@0" @param {number} event */
  describe(event) {
    const type = this.type(event);
    const flag = this.columns.flag[event] === 1;
    if (type === "note") return `note ${this.detail(event)}`;
    const what =
      type === "commit" && flag
        ? "commit, outcome unknown"
        : type === "crash" && flag
          ? "crash, all memory lost"
          : type === "end"
            ? `end, ${flag ? "" : "not "}drained`
            : type;
    const actor = this.actorName(event);
    return `${actor === "" ? "" : `${actor}: `}${what} ${this.place(event)}`.trim();
  }

  /** A note's text, a record's id, a drain's actors. @param {number} event */
  detail(event) {
    const detail = this.columns.detail[event];
    if (detail < 0) return "";
    if (this.type(event) !== "drain") return shown(this.columns.details[detail]);
    return this.columns.lists[detail].map((actor) => shown(this.head.actors[actor])).join(", ");
  }

  /** The deliveries and observations of what was sent there, in order. @param {number} send */
  seenAt(send) {
    return this.seen.subarray(this.seenFrom[send], this.seenFrom[send + 1]);
  }

  findRecords() {
    const {type, channel, offset} = this.columns;
    /** @type {Map<string, number>} */
    const sends = new Map();
    const counts = this.seenFrom;
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
      if (send >= 0) ++counts[send + 1];
    }
    for (let i = 0; i < this.count; ++i) counts[i + 1] += counts[i];
    const seen = new Uint32Array(counts[this.count]);
    const next = counts.slice();
    for (let i = 0; i < this.count; ++i) {
      if (this.sendOf[i] >= 0) seen[next[this.sendOf[i]]++] = i;
    }
    return seen;
  }

  /** Steps, times down, and which events were aborted. */
  findSteps() {
    const {actor, flag} = this.columns;
    /** @type {Map<number, number>} */
    const open = new Map();
    /** @type {Map<number, number>} */
    const down = new Map();
    for (let i = 0; i < this.count; ++i) {
      const name = this.type(i);
      const from = open.get(actor[i]);
      if (name === "begin") open.set(actor[i], i);
      if (name === "restart") {
        const since = down.get(actor[i]);
        if (since !== undefined) this.downs.push({actor: actor[i], from: since, to: i});
        down.delete(actor[i]);
      }
      if (name === "crash") down.set(actor[i], i);
      if (from === undefined || (name !== "commit" && name !== "abort" && name !== "crash")) continue;
      open.delete(actor[i]);
      let aborted = name !== "commit" || flag[i] === 1;
      for (let k = i; name === "commit" && aborted && k >= from; k = this.before[k]) {
        // A commit of unknown outcome was one if a record of the step was seen later.
        if (this.type(k) === "send" && (this.seenAt(k).at(-1) ?? -1) > i) aborted = false;
      }
      this.steps.push({actor: actor[i], from, to: i, aborted});
      for (let k = i; aborted && k >= from; k = this.before[k]) this.aborted[k] = 1;
    }
    for (const [who, from] of open) this.steps.push({actor: who, from, to: this.count, aborted: false});
    for (const [who, from] of down) this.downs.push({actor: who, from, to: this.count});
  }

  /**
   * Deliveries and observations whose records are on their way all over these events, at most so many.
   * @param {number} first
   * @param {number} last
   * @param {number} most
   */
  passing(first, last, most) {
    /** @type {number[]} */
    const found = [];
    for (let block = Math.floor((last + 1) / BLOCK); block < this.earliest.length; ++block) {
      if (this.earliest[block] >= first) continue;
      const end = Math.min((block + 1) * BLOCK, this.count);
      for (let i = Math.max(block * BLOCK, last + 1); i < end; ++i) {
        if (this.sendOf[i] >= 0 && this.sendOf[i] < first) found.push(i);
      }
    }
    const stride = Math.ceil(found.length / most);
    return stride > 1 ? found.filter((_, k) => k % stride === 0) : found;
  }

  /**
   * @param {Violation} violation
   * @param {number} index  of the missing cause that is told
   * @returns {Explanation}
   */
  explain(violation, index) {
    const {event, actor, sent, kind} = violation;
    const record = this.shortPlace(sent < 0 ? event : sent);
    const missing = violation.missing[index];
    /** @type {Map<number, string>} */
    const notes = new Map();
    /** @type {number[]} */
    let chain = [];
    let late = -1;
    if (missing) {
      chain = [...missing.because, event];
      const cause = this.shortPlace(missing.event);
      for (const step of chain) notes.set(step, this.shortPlace(step));
      const after = [...this.seenAt(missing.event)].find(
        (seen) => seen > event && this.actor(seen) === actor && this.type(seen) === "deliver"
      );
      late = after ?? -1;
      notes.set(missing.event, `${cause}: the cause`);
      notes.set(event, `${record} ${late < 0 ? "without" : "before"} its cause ${cause}`);
      if (late >= 0) notes.set(late, `${cause} only now`);
    } else {
      const first = kind === "duplicate" || kind === "fifo" ? this.rival(event, kind) : sent;
      if (first >= 0) chain.push(first);
      chain.push(event);
      if (first >= 0) notes.set(first, this.shortPlace(first));
      /** @type {Record<string, string>} */
      const words = {
        "unknown-record": "was never sent",
        "aborted-delivery": "was aborted",
        duplicate: "again",
        fifo: "out of order",
        incomplete: "not delivered",
        "truncated-too-far": "lost"
      };
      notes.set(event, kind === "not-drained" ? "not drained" : `${record} ${words[kind]}`);
    }
    return {chain, causal: missing !== undefined, late, notes, events: [...notes.keys()].sort((a, b) => a - b)};
  }

  /**
   * What the actor had delivered already, or beyond: the last such delivery before this one, or -1.
   * @param {number} event
   * @param {string} kind
   */
  rival(event, kind) {
    const {channel, offset} = this.columns;
    const least = BigInt(offset[event]);
    for (let i = this.before[event]; i >= 0; i = this.before[i]) {
      if (this.type(i) !== "deliver" || channel[i] !== channel[event] || this.aborted[i] === 1) continue;
      if (kind === "duplicate" ? BigInt(offset[i]) === least : BigInt(offset[i]) >= least) return i;
    }
    return -1;
  }

  /**
   * The events that match, in order. A generator, as inSlices takes it.
   * @param {Query} query
   * @returns {Generator<void, Uint32Array>}
   */
  *find(query) {
    /** @type {number[]} */
    const found = [];
    if (query.kind === "none") return new Uint32Array(0);
    if (query.kind === "number") return Uint32Array.from(query.number < this.count ? [query.number] : []);
    for (let i = 0; i < this.count; ++i) {
      if (query.kind === "line") {
        if (this.lines[i] === query.number) found.push(i);
      } else if (`${this.describe(i)} ${this.detail(i)}`.toLowerCase().includes(query.text)) {
        found.push(i);
      }
      if (i % SLICE_ENTRIES === SLICE_ENTRIES - 1) yield;
    }
    return Uint32Array.from(found);
  }

  /**
   * The nearest event of an actor; -1 where it has none.
   * @param {number} actor
   * @param {number} event
   */
  nearestOn(actor, event) {
    for (let distance = 0; distance < this.count; ++distance) {
      for (const at of [event - distance, event + distance]) {
        if (this.columns.actor[at] === actor) return at;
      }
    }
    return -1;
  }
}

/**
 * Where a value stands in ascending ones: how many are less.
 * @param {ArrayLike<number>} values
 * @param {number} value
 */
function rankIn(values, value) {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
