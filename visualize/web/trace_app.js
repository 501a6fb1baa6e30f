// The application of a trace's page.

/** Of a chain, so many steps are listed; of the events that saw a record, so many. */
const MOST_STEPS = 100;
const MOST_SEEN = 20;
/** Where a violation spans more events than this, it is shown alone at first. */
const MOST_AROUND = 160;

class TraceApp {
  /** @param {Trace} trace */
  constructor(trace) {
    this.trace = trace;
    /** @type {Shown} */
    this.look = {selected: -1, hovered: -1, violation: undefined, explanation: undefined, found: new Uint32Array(0)};
    this.violation = -1;
    /** Which of the violation's missing causes is told. */
    this.cause = 0;
    this.hit = -1;
    this.searches = 0;
    this.searchTimer = 0;
    this.canvas = /** @type {HTMLCanvasElement} */ (byId("timeline"));
    this.diagram = new Diagram(this.canvas, trace, this.look);
    const overview = new TraceOverview(/** @type {HTMLCanvasElement} */ (byId("minimap")), this.diagram);
    this.diagram.onFrame = () => overview.draw();
    this.search = /** @type {HTMLInputElement} */ (byId("search"));
    this.help = /** @type {HTMLDialogElement} */ (byId("help"));
    this.wire();
  }

  wire() {
    const press = (/** @type {string} */ id, /** @type {() => void} */ act) => byId(id).addEventListener("click", act);
    press("zoom-in", () => this.diagram.zoom(0.5));
    press("zoom-out", () => this.diagram.zoom(2));
    press("fit", () => this.diagram.fit());
    press("core-only", () => this.toggleAlone());
    press("theme", () => {
      toggleScheme();
      this.repaint();
    });
    press("help-open", () => this.help.showModal());
    press("help-close", () => this.help.close());
    press("failure-next", () => this.stepViolation(1));
    press("failure-previous", () => this.stepViolation(-1));
    press("found-next", () => this.stepFound(1));
    press("found-previous", () => this.stepFound(-1));
    this.search.addEventListener("input", () => {
      clearTimeout(this.searchTimer);
      this.searchTimer = window.setTimeout(() => this.find(), 120);
    });
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
  }

  begin() {
    this.diagram.resize();
    this.diagram.fit();
    const {verdict, reason} = this.trace.head;
    const banner = byId("banner");
    banner.hidden = verdict !== "invalid" && verdict !== "unknown";
    banner.className = verdict;
    byId("failure-steps").hidden = this.trace.violations.length < 2;
    byId("core-only").hidden = this.trace.violations.length === 0;
    byId("message").textContent = reason ? `ended by ${reason}` : "";
    if (this.trace.violations.length > 0) this.showViolation(0);
    if (location.hash !== "") this.followLink();
  }

  followLink() {
    const event = linkedIndex(linkFields(location.hash), "event");
    if (event < 0 || event >= this.trace.count) return;
    const violation = this.trace.violations.findIndex((each) => each.event === event);
    if (violation >= 0 && this.look.violation?.event !== event) this.showViolation(violation);
    this.select(event);
  }

  repaint() {
    this.diagram.palette = readPalette(byId("live"));
    this.diagram.draw();
  }

  /** @param {number} by */
  stepViolation(by) {
    const {length} = this.trace.violations;
    if (length === 0) return;
    // One that was left is shown again.
    const from = this.look.violation ? this.violation + by : this.violation;
    this.showViolation((from + length) % length);
  }

  /**
   * @param {number} index
   * @param {number} [cause]
   */
  showViolation(index, cause = 0) {
    const {trace, look, diagram} = this;
    const violation = trace.violations[index];
    const explanation = trace.explain(violation, cause);
    this.violation = index;
    this.cause = cause;
    look.violation = violation;
    look.explanation = explanation;
    const shownOnes = trace.violations.length;
    const left = trace.head.violations - shownOnes;
    byId("failure-count").textContent =
      `${(index + 1).toLocaleString("en")} of ${shownOnes.toLocaleString("en")}` +
      (left > 0 ? `, ${left.toLocaleString("en")} more left out` : "");
    byId("message").textContent = shown(violation.message);
    const {events} = explanation;
    const actors = this.actorsOf(explanation);
    const around = events[events.length - 1] - events[0] > MOST_AROUND;
    const height = (Math.max(...actors) - Math.min(...actors) + 1) * LEAST_ROW + HEADER;
    this.showAlone(around || height > diagram.height);
    this.describeViolation();
    this.select(violation.event, false);
    diagram.reveal(violation.event);
  }

  /** @param {Explanation} explanation */
  actorsOf({events}) {
    const actors = events.map((event) => this.trace.actor(event));
    return [...actors, this.look.violation?.actor ?? -1].filter((actor) => actor >= 0);
  }

  /**
   * The violation's events side by side, or in their surroundings.
   * @param {boolean} alone
   */
  showAlone(alone) {
    const {diagram} = this;
    const explanation = /** @type {Explanation} */ (this.look.explanation);
    const {events} = explanation;
    diagram.showOnly(alone ? events : undefined, this.look.violation?.actor);
    byId("core-only").setAttribute("aria-pressed", String(alone));
    if (alone) return diagram.fit();
    diagram.showEvents(events[0] - 1, events[events.length - 1] + 1);
    diagram.center(this.actorsOf(explanation));
  }

  toggleAlone() {
    if (!this.look.explanation) return this.stepViolation(0);
    this.showAlone(this.diagram.alone === undefined);
  }

  /** The violation, and its missing causes: of one of them the chain. */
  describeViolation() {
    const {trace, violation: index} = this;
    const violation = trace.violations[index];
    byId("why").hidden = false;
    const content = byId("why-content");
    content.replaceChildren(element("p", "note failing", shown(violation.message)));
    violation.missing.forEach(({event, because}, cause) => {
      const place = trace.place(event);
      if (cause !== this.cause) {
        const list = element("ul", "entries", this.entry(event, "", "core", () => this.showViolation(index, cause)));
        content.append(element("h3", "", `${place} is missing, too`), list);
        return;
      }
      content.append(element("h3", "", `Why ${place} comes first`));
      const steps = [...because, violation.event];
      const list = element("ol", "entries");
      steps.forEach((step, k) => {
        if (k === MOST_STEPS / 2 && steps.length > MOST_STEPS) {
          list.append(element("li", "where", `${(steps.length - MOST_STEPS).toLocaleString("en")} steps left out`));
        }
        if (k >= MOST_STEPS / 2 && k < steps.length - MOST_STEPS / 2) return;
        const kind = step === violation.event ? "failing" : k === 0 ? "core" : "step";
        list.append(this.entry(step, String(k + 1), kind, () => this.select(step)));
      });
      content.append(list);
    });
    const left = violation.missingInAll - violation.missing.length;
    if (left > 0) content.append(element("p", "where", `and ${left.toLocaleString("en")} more`));
    if (violation.missing.length > 0) return;
    const {events} = trace.explain(violation, 0);
    const kind = (/** @type {number} */ event) => (event === violation.event ? "failing" : "step");
    const list = events.map((event) => this.entry(event, "", kind(event), () => this.select(event)));
    content.append(element("ul", "entries", ...list));
  }

  /**
   * @param {number} event
   * @param {string} number
   * @param {string} kind
   * @param {() => void} act
   */
  entry(event, number, kind, act) {
    const made = button("", act, `entry ${kind}`);
    if (number !== "") made.append(element("span", `sign number ${kind}`, number));
    made.append(
      element("code", "", this.trace.describe(event)),
      element("span", "where", `line ${this.trace.lines[event]}`)
    );
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
      history.replaceState(null, "", location.pathname + location.search);
    } else {
      box.replaceChildren(this.details(event), ...this.otherViolations(event));
      byId("live").textContent = `${trace.describe(event)}, line ${trace.lines[event]}`;
      history.replaceState(null, "", `#event=${event}`);
      if (reveal) {
        if (!this.diagram.shows(event)) this.showAlone(false);
        this.diagram.reveal(event);
      }
    }
    this.diagram.draw();
  }

  /** @param {number} event */
  details(event) {
    const {trace} = this;
    const type = trace.type(event);
    const link = (/** @type {number} */ other) =>
      other < 0
        ? ""
        : button(`${trace.describe(other)} (line ${trace.lines[other]})`, () => this.select(other), "small");
    const seen = trace.seenAt(event);
    const all = element("div", "text", ...[...seen.subarray(0, MOST_SEEN)].map(link));
    if (seen.length > MOST_SEEN) all.append(`and ${(seen.length - MOST_SEEN).toLocaleString("en")} more`);
    const detail = trace.detail(event);
    const channel = trace.channelName(event);
    return terms([
      ["line", String(trace.lines[event])],
      ["type", type],
      ["actor", trace.actorName(event)],
      ["channel", channel],
      [
        type === "subscribe" ? "position" : type === "truncate" ? "log start" : "offset",
        channel === "" || type === "unsubscribe" ? "" : String(trace.columns.offset[event])
      ],
      [type === "note" ? "text" : type === "drain" ? "actors" : "id", detail === "" ? "" : longText(detail)],
      ["step", trace.aborted[event] === 1 ? "aborted" : ""],
      ["sent by", link(trace.sendOf[event])],
      ["seen by", seen.length === 0 ? "" : all],
      ["before it", link(trace.before[event])]
    ]);
  }

  /** What was found at an event, but for the violation that is shown. @param {number} event */
  otherViolations(event) {
    const {violations} = this.trace;
    const found = violations.filter((each) => each.event === event && each !== this.look.violation).slice(0, 5);
    return found.map((each) => {
      const show = button("show", () => this.showViolation(violations.indexOf(each)), "small");
      return element("p", "note failing", shown(each.message), " ", show);
    });
  }

  /**
   * @param {number} event
   * @param {number} x
   * @param {number} y
   */
  hover(event, x, y) {
    const tooltip = byId("tooltip");
    const {trace, diagram} = this;
    tooltip.hidden = event < 0;
    if (event >= 0) {
      tooltip.replaceChildren(
        element("code", "", trace.describe(event)),
        element("span", "where", `line ${trace.lines[event]} ${beginning(trace.detail(event), 200)}`)
      );
      tooltip.style.left = `${Math.max(Math.min(x + 12, diagram.width - tooltip.offsetWidth - 4), 4)}px`;
      tooltip.style.top = `${Math.min(y + 14, diagram.height - tooltip.offsetHeight)}px`;
    }
    if (event === this.look.hovered) return;
    this.look.hovered = event;
    diagram.draw();
  }

  async find() {
    const search = ++this.searches;
    const query = parseQuery(this.search.value);
    byId("found").textContent = query.kind === "none" ? "" : "searching";
    const found = await inSlices(this.trace.find(query), () => search !== this.searches);
    if (!found) return;
    this.look.found = found;
    this.hit = -1;
    if (query.kind !== "none") byId("found").textContent = `${found.length.toLocaleString("en")} found`;
    this.diagram.draw();
  }

  /** @param {number} by */
  stepFound(by) {
    const {found} = this.look;
    if (found.length === 0) return;
    this.hit = this.hit < 0 && by < 0 ? found.length - 1 : (this.hit + by + found.length) % found.length;
    this.select(found[this.hit]);
    byId("found").textContent = `${this.hit + 1} of ${found.length.toLocaleString("en")}`;
  }

  /** @param {number} by */
  stepEvent(by) {
    const {alone} = this.diagram;
    if (alone) {
      const next = rankIn(alone, this.look.selected) + by;
      if (next >= 0 && next < alone.length) this.select(alone[next]);
      return;
    }
    const next = Math.min(Math.max(this.look.selected + by, 0), this.trace.count - 1);
    if (next >= 0) this.select(next);
  }

  /** @param {number} by */
  stepOnRow(by) {
    const {trace} = this;
    const actor = this.look.selected < 0 ? this.diagram.rows[0] : trace.actor(this.look.selected);
    for (let i = this.look.selected + by; i >= 0 && i < trace.count; i += by) {
      if (trace.actor(i) === actor) return this.select(i);
    }
  }

  /** Above all rows is what no actor does. @param {number} by */
  stepRow(by) {
    const {trace, diagram} = this;
    if (this.look.selected < 0) return this.stepEvent(1);
    const actor = trace.actor(this.look.selected);
    const row = (actor < 0 ? -1 : diagram.rowOf[actor]) + by;
    if (row < -1 || row >= diagram.rows.length) return;
    const event = trace.nearestOn(row < 0 ? -1 : diagram.rows[row], this.look.selected);
    if (event >= 0) this.select(event);
  }

  leave() {
    const {look, diagram} = this;
    if (!look.violation) return this.select(-1);
    if (diagram.alone) return this.showAlone(false);
    look.violation = look.explanation = undefined;
    byId("why").hidden = true;
    diagram.draw();
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
    const {diagram} = this;
    const pan = diagram.width / 5;
    /** @type {Record<string, () => void>} */
    const keys = {
      n: () => this.stepViolation(1),
      p: () => this.stepViolation(-1),
      j: () => this.stepEvent(1),
      k: () => this.stepEvent(-1),
      c: () => this.toggleAlone(),
      ArrowLeft: () => (event.shiftKey ? diagram.pan(-pan, 0) : this.stepOnRow(-1)),
      ArrowRight: () => (event.shiftKey ? diagram.pan(pan, 0) : this.stepOnRow(1)),
      ArrowUp: () => (event.shiftKey ? diagram.pan(0, -diagram.rowHeight) : this.stepRow(-1)),
      ArrowDown: () => (event.shiftKey ? diagram.pan(0, diagram.rowHeight) : this.stepRow(1)),
      "+": () => diagram.zoom(0.5),
      "=": () => diagram.zoom(0.5),
      "-": () => diagram.zoom(2),
      0: () => diagram.fit(),
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
  let app;
  const begin = async () => {
    const head = /** @type {TraceHead} */ (JSON.parse(byId("porpentine-data").textContent ?? ""));
    const status = byId("status");
    document.body.classList.add("app");
    try {
      status.textContent = `Reading ${head.events.toLocaleString("en")} events …`;
      const trace = new Trace(head, /** @type {TraceColumns} */ (JSON.parse(await inflate(head.columns))));
      byId("app").hidden = false;
      status.hidden = true;
      app = new TraceApp(trace);
      app.begin();
    } catch (error) {
      document.body.classList.remove("app");
      byId("app").hidden = true;
      status.hidden = false;
      status.textContent = `The diagram can't be shown: ${error instanceof Error ? error.message : error}.`;
      throw error;
    }
  };
  const ready = begin();
  Object.defineProperty(window, "porpentine", {
    value: Object.freeze({
      ready,
      selected: () => app?.look.selected ?? -1,
      violation: () => (app?.look.violation ? app.violation : -1),
      view: () =>
        app && {
          from: app.diagram.from,
          to: app.diagram.to,
          alone: app.diagram.alone !== undefined,
          found: app.look.found.length
        },
      visible: () => app && structuredClone(app.diagram.drawn),
      at: (/** @type {number} */ event) => {
        if (!app) return undefined;
        const {left, top} = app.canvas.getBoundingClientRect();
        return {x: left + app.diagram.x(event), y: top + app.diagram.y(event)};
      },
      frame: () => app?.diagram.lastFrame ?? 0
    })
  });
}
