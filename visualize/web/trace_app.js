// The application of a trace's page.

/** Of a long list, so much is shown. */
const MOST_LISTED = 200;

class TraceApp {
  /** @param {Trace} trace */
  constructor(trace) {
    this.trace = trace;
    /** @type {Shown} */
    this.look = {selected: -1, hovered: -1, violation: undefined, found: new Set()};
    this.violation = -1;
    this.hit = -1;
    this.canvas = /** @type {HTMLCanvasElement} */ (byId("timeline"));
    this.diagram = new Diagram(this.canvas, /** @type {HTMLCanvasElement} */ (byId("minimap")), trace, this.look);
    this.search = /** @type {HTMLInputElement} */ (byId("search"));
    this.help = /** @type {HTMLDialogElement} */ (byId("help"));
    this.wire();
  }

  wire() {
    const press = (/** @type {string} */ id, /** @type {() => void} */ act) => byId(id).addEventListener("click", act);
    press("zoom-in", () => this.diagram.zoom(0.5));
    press("zoom-out", () => this.diagram.zoom(2));
    press("fit", () => this.diagram.fit());
    press("theme", () => this.toggleTheme());
    press("help-open", () => this.help.showModal());
    press("help-close", () => this.help.close());
    press("failure-next", () => this.stepViolation(1));
    press("failure-previous", () => this.stepViolation(-1));
    press("found-next", () => this.stepFound(1));
    press("found-previous", () => this.stepFound(-1));
    this.search.addEventListener("input", () => this.find());
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("hashchange", () => this.followLink());
    new ResizeObserver(() => this.diagram.resize()).observe(this.canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.repaint());
    watchGestures(this.diagram, {
      hover: (x, y) => this.hover(this.diagram.eventAt(x, y), x, y),
      leave: () => this.hover(-1, 0, 0),
      click: (x, y) => {
        const event = this.diagram.eventAt(x, y);
        if (event >= 0) this.select(event, false);
      }
    });
    byId("minimap").addEventListener("pointerdown", (event) => {
      const span = this.diagram.to - this.diagram.from;
      const at = (event.offsetX / this.diagram.minimap.clientWidth) * this.trace.count;
      this.diagram.from = at - span / 2;
      this.diagram.to = at + span / 2;
      this.diagram.pan(0, 0);
    });
  }

  begin() {
    this.diagram.resize();
    this.diagram.fit();
    const {verdict, reason} = this.trace.head;
    const banner = byId("banner");
    banner.hidden = verdict !== "invalid" && verdict !== "unknown";
    banner.className = verdict;
    byId("failure-steps").hidden = this.trace.violations.length < 2;
    byId("message").textContent = reason ? `ended by ${reason}` : "";
    if (this.trace.violations.length > 0) this.showViolation(0);
    if (location.hash !== "") this.followLink();
  }

  followLink() {
    const match = /^#event=(\d{1,9})$/.exec(location.hash);
    const event = match ? Number(match[1]) : -1;
    if (event >= 0 && event < this.trace.count) this.select(event);
  }

  repaint() {
    this.diagram.readColours();
    this.diagram.draw();
  }

  toggleTheme() {
    const root = document.documentElement;
    const scheme = getComputedStyle(root).colorScheme;
    const dark = scheme === "dark" || (scheme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
    root.style.colorScheme = dark ? "light" : "dark";
    this.repaint();
  }

  /** @param {number} by */
  stepViolation(by) {
    const {length} = this.trace.violations;
    if (length > 0) this.showViolation((this.violation + by + length) % length);
  }

  /** @param {number} index */
  showViolation(index) {
    const violation = this.trace.violations[index];
    this.violation = index;
    this.look.violation = violation;
    const inAll = this.trace.head.violations;
    byId("failure-count").textContent = `${index + 1} of ${inAll.toLocaleString("en")}`;
    byId("message").textContent = shown(violation.message);
    const chain = violation.missing.slice(0, 3).flatMap(({because}) => because);
    const events = [violation.event, ...chain];
    const send = this.trace.sendOf?.[violation.event] ?? -1;
    if (send >= 0) events.push(send);
    this.diagram.show(Math.min(...events) - 1, Math.max(...events) + 2);
    this.describeViolation(violation);
    this.select(violation.event, false);
    const lanes = events.map((event) => this.trace.laneOf(event));
    this.diagram.center((Math.min(...lanes) + Math.max(...lanes)) / 2);
    this.diagram.reveal(violation.event);
  }

  /** @param {Violation} violation */
  describeViolation(violation) {
    byId("why").hidden = false;
    const content = byId("why-content");
    content.replaceChildren(element("p", "note failing", shown(violation.message)));
    for (const {event, because} of violation.missing.slice(0, MOST_LISTED)) {
      content.append(element("h3", "", `${this.trace.place(event)} came first:`));
      const list = element("ul", "entries");
      for (const step of [...because, violation.event]) list.append(this.entry(step, violation, event));
      content.append(list);
    }
    const left = violation.missingInAll - Math.min(violation.missing.length, MOST_LISTED);
    if (left > 0) content.append(element("p", "where", `and ${left.toLocaleString("en")} more`));
  }

  /**
   * @param {number} event
   * @param {Violation} violation
   * @param {number} cause
   */
  entry(event, violation, cause) {
    const kind = event === violation.event ? "failing" : event === cause ? "core" : "";
    const made = button("", () => this.select(event), `entry ${kind}`);
    made.append(element("code", "", this.trace.describe(event)), element("span", "where", `line ${this.trace.lines[event]}`));
    return element("li", "", made);
  }

  /**
   * @param {number} event
   * @param {boolean} [reveal]
   */
  select(event, reveal = true) {
    this.look.selected = event;
    const {trace} = this;
    byId("selection-title").textContent = event < 0 ? "Nothing selected" : trace.describe(event);
    const box = byId("selection");
    if (event < 0) {
      box.replaceChildren("Click a mark, or go with the arrow keys.");
    } else {
      const send = trace.sendOf?.[event] ?? -1;
      const seen = trace.seenAt?.get(event) ?? [];
      const link = (/** @type {number} */ other) => button(`${trace.describe(other)} (line ${trace.lines[other]})`, () => this.select(other), "small");
      const all = element("div", "text", ...seen.slice(0, 20).map(link));
      if (seen.length > 20) all.append(`and ${seen.length - 20} more`);
      const told = trace.violations
        .filter((violation) => violation.event === event && violation !== this.look.violation)
        .slice(0, 5);
      box.replaceChildren(
        terms([
          ["line", String(trace.lines[event])],
          ["type", trace.type(event)],
          ["actor", trace.actorName(event)],
          ["record", trace.place(event)],
          ["detail", trace.detail(event) === "" ? "" : longText(trace.detail(event))],
          ["step", trace.aborted?.[event] === 1 ? "aborted" : ""],
          ["sent by", send < 0 ? "" : link(send)],
          ["seen by", seen.length === 0 ? "" : all]
        ]),
        ...told.map((violation) => element("p", "note failing", shown(violation.message)))
      );
      byId("live").textContent = `${trace.describe(event)}, line ${trace.lines[event]}`;
      history.replaceState(null, "", `#event=${event}`);
      if (reveal) this.diagram.reveal(event);
    }
    this.diagram.draw();
  }

  /**
   * @param {number} event
   * @param {number} x
   * @param {number} y
   */
  hover(event, x, y) {
    const tooltip = byId("tooltip");
    tooltip.hidden = event < 0;
    if (event >= 0) {
      tooltip.replaceChildren(element("code", "", this.trace.describe(event)), element("span", "where", `line ${this.trace.lines[event]}`));
      tooltip.style.left = `${Math.min(x + 12, this.diagram.width - 220)}px`;
      tooltip.style.top = `${y + 14}px`;
    }
    if (event === this.look.hovered) return;
    this.look.hovered = event;
    this.diagram.draw();
  }

  find() {
    const wanted = this.search.value.trim();
    this.look.found = new Set();
    this.hit = -1;
    if (wanted !== "") {
      for (let i = 0; i < this.trace.count; ++i) {
        const line = wanted.startsWith(":") && wanted.slice(1) === String(this.trace.lines[i]);
        if (line || `${this.trace.describe(i)} ${this.trace.detail(i)}`.includes(wanted)) this.look.found.add(i);
      }
    }
    byId("found").textContent = wanted === "" ? "" : `${this.look.found.size.toLocaleString("en")} found`;
    this.diagram.draw();
  }

  /** @param {number} by */
  stepFound(by) {
    const found = [...this.look.found];
    if (found.length === 0) return;
    this.hit = (this.hit + by + found.length) % found.length;
    this.select(found[this.hit]);
    byId("found").textContent = `${this.hit + 1} of ${found.length.toLocaleString("en")}`;
  }

  /** @param {number} by */
  stepEvent(by) {
    const next = Math.min(Math.max(this.look.selected + by, 0), this.trace.count - 1);
    if (next >= 0) this.select(next);
  }

  /** @param {number} by */
  stepOnLane(by) {
    const {trace} = this;
    const lane = this.look.selected < 0 ? 0 : trace.laneOf(this.look.selected);
    for (let i = this.look.selected + by; i >= 0 && i < trace.count; i += by) {
      if (trace.laneOf(i) === lane) return this.select(i);
    }
  }

  /** @param {number} by */
  stepLane(by) {
    const {trace} = this;
    if (this.look.selected < 0) return this.stepEvent(1);
    const lane = trace.laneOf(this.look.selected) + by;
    if (lane < 0 || lane >= trace.lanes.length) return;
    const event = trace.nearestOn(lane, this.look.selected);
    if (event >= 0) this.select(event);
  }

  leave() {
    if (this.look.violation) this.look.violation = undefined;
    else this.select(-1);
    this.diagram.draw();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (this.help.open || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target === this.search) {
      if (event.key === "Enter") this.stepFound(event.shiftKey ? -1 : 1);
      if (event.key === "Escape") {
        this.search.value = "";
        this.find();
        this.canvas.focus();
      }
      return;
    }
    const pan = this.diagram.width / 5;
    /** @type {Record<string, () => void>} */
    const keys = {
      n: () => this.stepViolation(1),
      p: () => this.stepViolation(-1),
      j: () => this.stepEvent(1),
      k: () => this.stepEvent(-1),
      ArrowLeft: () => (event.shiftKey ? this.diagram.pan(-pan, 0) : this.stepOnLane(-1)),
      ArrowRight: () => (event.shiftKey ? this.diagram.pan(pan, 0) : this.stepOnLane(1)),
      ArrowUp: () => (event.shiftKey ? this.diagram.pan(0, -this.diagram.laneHeight) : this.stepLane(-1)),
      ArrowDown: () => (event.shiftKey ? this.diagram.pan(0, this.diagram.laneHeight) : this.stepLane(1)),
      "+": () => this.diagram.zoom(0.5),
      "=": () => this.diagram.zoom(0.5),
      "-": () => this.diagram.zoom(2),
      0: () => this.diagram.fit(),
      "/": () => this.search.focus(),
      "?": () => this.help.showModal(),
      Escape: () => this.leave()
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
}

{
  /** @type {TraceApp | undefined} */
  let shownApp;
  const begin = async () => {
    const head = /** @type {TraceHead} */ (JSON.parse(byId("porpentine-data").textContent ?? ""));
    const status = byId("status");
    document.body.classList.add("app");
    try {
      status.textContent = `Reading ${head.events.toLocaleString("en")} events …`;
      const trace = new Trace(head, /** @type {TraceColumns} */ (JSON.parse(await inflate(head.columns))));
      byId("app").hidden = false;
      shownApp = new TraceApp(trace);
      shownApp.begin();
      status.hidden = true;
    } catch (error) {
      document.body.classList.remove("app");
      byId("app").hidden = true;
      status.textContent = `The diagram can't be shown: ${error instanceof Error ? error.message : error}.`;
      throw error;
    }
  };
  const ready = begin();
  Object.defineProperty(window, "porpentine", {
    value: Object.freeze({
      ready,
      selected: () => shownApp?.look.selected ?? -1,
      violation: () => shownApp?.violation ?? -1,
      view: () => shownApp && {from: shownApp.diagram.from, to: shownApp.diagram.to, found: shownApp.look.found.size},
      at: (/** @type {number} */ event) => {
        if (!shownApp) return undefined;
        const {left, top} = shownApp.canvas.getBoundingClientRect();
        return {x: left + shownApp.diagram.x(event), y: top + shownApp.diagram.y(shownApp.trace.laneOf(event))};
      },
      frame: () => shownApp?.diagram.lastFrame ?? 0
    })
  });
}
