// The application: what is looked at, and the controls that change it.

/** So many operations are shown all at once when the page opens. */
const FEW_OPERATIONS = 60;

class App {
  /** @param {RecordedHistory} history */
  constructor(history) {
    this.history = history;
    this.whole = new Scene(history, history.byCall);
    /** @type {Look} */
    this.look = {
      scene: this.whole,
      mode: "process",
      axis: "time",
      selected: -1,
      annotation: -1,
      hovered: -1,
      failure: undefined,
      core: new Set(),
      refused: new Map(),
      hits: new Uint32Array(0),
      isHit: new Uint8Array(history.count)
    };
    this.partition = -1;
    this.configuration = 0;
    this.coreAlone = false;
    /** @type {"time" | "rank"} */
    this.axisBefore = "time";
    this.hitPlace = -1;
    this.searches = 0;
    this.searched = "";
    /** @type {Promise<void>} */
    this.searching = Promise.resolve();
    this.searchTimer = 0;
    this.linkTimer = 0;
    this.canvas = /** @type {HTMLCanvasElement} */ (byId("timeline"));
    this.timeline = new Timeline(this.canvas, byId("scroller"), history, this.look);
    this.minimap = new Minimap(/** @type {HTMLCanvasElement} */ (byId("minimap")), this.timeline);
    this.timeline.onFrame = () => this.minimap.draw();
    this.partitions = new PartitionList(history, (partition) => this.choosePartition(partition));
    this.search = /** @type {HTMLInputElement} */ (byId("search"));
    this.help = /** @type {HTMLDialogElement} */ (byId("help"));
    /** @type {Actions} */
    this.actions = {
      select: (operation) => this.select(operation),
      hover: (operation) => this.hover(operation),
      configuration: (by) => this.stepConfiguration(by)
    };
    this.wire();
    this.describeLegend();
  }

  get failures() {
    return this.history.failures;
  }

  wire() {
    const press = (/** @type {string} */ id, /** @type {() => void} */ act) => byId(id).addEventListener("click", act);
    press("axis", () => this.toggleAxis());
    press("lanes", () => this.toggleLanes());
    press("core", () => this.toggleCore());
    press("zoom-in", () => this.timeline.zoom(0.5));
    press("zoom-out", () => this.timeline.zoom(2));
    press("fit", () => this.timeline.fit());
    press("theme", () => {
      toggleScheme();
      this.repaint();
    });
    press("help-open", () => this.help.showModal());
    press("help-close", () => this.help.close());
    press("found-next", () => this.stepHit(1));
    press("found-previous", () => this.stepHit(-1));
    press("failure-next", () => this.stepFailure(1));
    press("failure-previous", () => this.stepFailure(-1));
    this.search.addEventListener("input", () => {
      clearTimeout(this.searchTimer);
      this.searchTimer = window.setTimeout(() => this.runSearch(), 120);
    });
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("hashchange", () => this.followLink());
    new ResizeObserver(() => {
      this.timeline.resize();
      this.partitions.render();
    }).observe(this.canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.repaint());
    watchGestures(this.timeline, {
      hover: (x, y) => this.pointAt(x, y),
      leave: () => this.pointAt(-1, -1),
      click: (x, y) => {
        const {operation, annotation} = this.timeline.placeAt(x, y);
        if (operation >= 0) this.select(operation, false);
        else if (annotation >= 0) this.selectAnnotation(annotation);
      }
    });
    byId("lanes").hidden = this.history.partitions.length < 2;
    byId("core").hidden = !this.failures.some((failure) => failure.core.length > 0);
    byId("partitions").hidden = this.history.partitions.length < 2;
  }

  /** What is looked at when the page opens. */
  begin() {
    this.timeline.resize();
    this.timeline.fit();
    this.partitions.show(-1);
    this.showBanner();
    const link = parseLink(location.hash);
    if (this.failures.length > 0) this.showFailure(0);
    if (link.operation >= 0 || link.partition >= 0 || link.rank) this.followLink();
    this.timeline.draw();
  }

  // --- What is shown

  /**
   * @param {Scene} scene
   */
  setScene(scene) {
    this.look.scene = scene;
    this.timeline.top = 0;
    this.timeline.fit();
  }

  /** @param {number} partition  -1 for all */
  setPartition(partition) {
    if (partition === this.partition && !this.coreAlone) return;
    this.leaveCore();
    this.partition = partition;
    this.setScene(partition < 0 ? this.whole : partitionScene(this.history, partition));
    this.partitions.show(partition);
    if (this.look.selected >= 0 && this.look.scene.mask[this.look.selected] === 0) this.clearSelection();
    if (this.search.value !== "") this.runSearch();
    this.saveLink();
  }

  /** @param {number} partition */
  choosePartition(partition) {
    this.setPartition(partition);
    const failure = this.failures.findIndex((each) => each.partition === partition);
    if (failure >= 0 && this.history.partitions.length > 1) this.showFailure(failure);
  }

  toggleAxis() {
    this.setAxis(this.look.axis === "time" ? "rank" : "time");
  }

  /** @param {"time" | "rank"} kind */
  setAxis(kind) {
    if (kind === this.look.axis) return;
    const {scene} = this.look;
    const {from, to} = this.timeline;
    const wasWhole = from <= this.timeline.axis.from && to >= this.timeline.axis.to;
    this.look.axis = kind;
    const place = kind === "rank" ? timeToRank : rankToTime;
    if (wasWhole) this.timeline.fit();
    else this.timeline.show(place(scene.rank, from), place(scene.rank, to));
    if (this.look.selected >= 0) this.timeline.reveal(this.look.selected);
    this.pressed("axis", kind === "rank");
    this.saveLink();
  }

  toggleLanes() {
    if (byId("lanes").hidden) return;
    this.look.mode = this.look.mode === "process" ? "key" : "process";
    this.timeline.top = 0;
    this.pressed("lanes", this.look.mode === "key");
    if (this.look.selected >= 0) this.timeline.reveal(this.look.selected);
    this.timeline.resize();
  }

  toggleCore() {
    const {failure} = this.look;
    if (this.coreAlone) {
      this.leaveCore();
      this.setScene(this.partition < 0 ? this.whole : partitionScene(this.history, this.partition));
      if (failure) this.showSurroundings(failure);
      return;
    }
    if (!failure || failure.core.length === 0) return;
    this.axisBefore = this.look.axis;
    const scene = new Scene(this.history, coreOperations(this.history, failure));
    if (scene.mostlyGaps()) this.setAxis("rank");
    this.coreAlone = true;
    this.pressed("core", true);
    this.setScene(scene);
    if (this.look.selected >= 0 && scene.mask[this.look.selected] === 0) this.select(failure.operation);
  }

  leaveCore() {
    if (!this.coreAlone) return;
    this.coreAlone = false;
    this.pressed("core", false);
    this.setAxis(this.axisBefore);
  }

  repaint() {
    this.timeline.palette = readPalette(byId("scroller"));
    this.timeline.invalidate();
  }

  /**
   * @param {string} id
   * @param {boolean} on
   */
  pressed(id, on) {
    byId(id).setAttribute("aria-pressed", String(on));
  }

  // --- Violations

  /** @param {number} by */
  stepFailure(by) {
    const count = this.failures.length;
    if (count === 0) return;
    const at = this.look.failure ? this.failures.indexOf(this.look.failure) : by > 0 ? -1 : 0;
    this.showFailure((at + by + count) % count);
  }

  /** @param {number} index */
  showFailure(index) {
    const failure = this.failures[index];
    this.look.failure = failure;
    this.look.core = new Set(failure.core);
    if (this.history.partitions.length > 1 || this.coreAlone) {
      const partition = this.history.partitions.length > 1 ? failure.partition : -1;
      const again = this.coreAlone;
      this.setPartition(partition);
      if (again) this.toggleCore();
    }
    this.configuration = 0;
    this.showConfiguration();
    this.showBanner();
    if (!this.coreAlone) this.showSurroundings(failure);
    this.select(failure.operation, !this.timeline.barOf(failure.operation));
  }

  /**
   * All there is where that can be read; the core with what surrounds it; or only the operation that can't be placed, where its bar would be too small.
   * @param {Failure} failure
   */
  showSurroundings(failure) {
    const {timeline, history} = this;
    const {operation} = failure;
    const {operations} = this.look.scene;
    const canBeSeen = () => {
      const {axis, from, to, plot} = timeline;
      return ((axis.end[operation] - axis.start[operation]) / (to - from)) * plot >= 8;
    };
    timeline.fit();
    if (operations.length <= FEW_OPERATIONS && canBeSeen()) return;
    timeline.showOperations(coreOperations(history, failure), 0.6);
    if (failure.core.length > 0 && canBeSeen()) return;
    const at = operations.indexOf(operation);
    const near = operations.subarray(Math.max(at - 12, 0), at + 8);
    timeline.showOperations(near, 0.05);
    timeline.reveal(operation);
  }

  /** @param {number} by */
  stepConfiguration(by) {
    const count = this.look.failure?.stuck.length ?? 0;
    if (count === 0) return;
    this.configuration = (this.configuration + by + count) % count;
    this.showConfiguration();
    this.announce(`configuration ${this.configuration + 1} of ${count}`);
    const steps = byId("why").querySelectorAll("button");
    [...steps]
      .find((each) => each.getAttribute("aria-label") === `${by < 0 ? "Previous" : "Next"} configuration`)
      ?.focus();
  }

  showConfiguration() {
    const {failure} = this.look;
    if (!failure) return;
    this.look.refused = new Map(failure.stuck[this.configuration]?.refused ?? []);
    byId("why").hidden = false;
    byId("why-content").replaceChildren(...failureDetails(this.history, failure, this.configuration, this.actions));
    this.timeline.invalidate();
  }

  showBanner() {
    const {verdict, reason} = this.history.head;
    const {failure} = this.look;
    const banner = byId("banner");
    banner.hidden = !failure && verdict !== "unknown";
    banner.className = failure ? "invalid" : "unknown";
    const count = this.failures.length;
    byId("failure-steps").hidden = count < 2;
    if (failure) {
      byId("failure-count").textContent = `violation ${this.failures.indexOf(failure) + 1} of ${count}`;
      byId("message").textContent = shown(beginning(failure.message, SHOWN_CHARACTERS));
    } else if (verdict === "unknown") {
      const {partitions} = this.history;
      const undecided = Math.max(partitions.findIndex((each) => each.verdict === "unknown"), 0);
      const name = partitions.length > 1 ? `${partitionName(this.history, undecided)} ` : "";
      const progress = `${name}${progressOf(partitions[undecided])}`;
      byId("message").textContent = `Neither an order nor a violation was found (${reason}): ${progress}`;
    }
  }

  // --- Selection

  /**
   * @param {number} operation
   * @param {boolean} [reveal]
   */
  select(operation, reveal = true) {
    if (this.look.scene.mask[operation] === 0) {
      this.setPartition(this.history.partition[operation] === this.partition ? this.partition : -1);
    }
    this.look.selected = operation;
    this.look.annotation = -1;
    if (reveal) this.timeline.reveal(operation);
    byId("selection-title").textContent = labelOf(this.history, operation, 300);
    byId("selection-note").replaceChildren(...this.notes(operation));
    byId("selection").replaceChildren(operationDetails(this.history, operation));
    byId("panel").scrollTop = 0;
    this.announce(
      `operation ${operation}, ${labelOf(this.history, operation, 200)}, ` +
        `process ${processName(this.history, this.history.process[operation])}, ` +
        outcomeInWords(this.history.outcome[operation])
    );
    this.timeline.invalidate();
    this.saveLink();
  }

  /**
   * What the violation that is shown says of an operation.
   * @param {number} operation
   */
  notes(operation) {
    const {failure, core, refused} = this.look;
    const notes = [];
    if (operation === failure?.operation) notes.push(element("p", "note failing", "This operation can't be placed."));
    else if (core.has(operation)) notes.push(element("p", "note core", "In the core."));
    const reason = failure?.reasons?.[operation];
    if (reason) notes.push(element("p", "note core", shown(beginning(reason, SHOWN_CHARACTERS))));
    const refusal = refused.get(operation);
    if (refusal !== undefined) {
      notes.push(element("p", "note refused", `Refused: ${shown(beginning(refusal, SHOWN_CHARACTERS))}`));
    }
    return notes;
  }

  /** @param {number} index */
  selectAnnotation(index) {
    this.clearSelection();
    this.look.annotation = index;
    const label = annotationLabel(this.history.annotations[index], 200);
    byId("selection-title").textContent = label;
    byId("selection").replaceChildren(annotationDetails(this.history, index));
    this.announce(`annotation ${label}`);
    this.timeline.invalidate();
  }

  clearSelection() {
    this.look.selected = -1;
    this.look.annotation = -1;
    byId("selection-title").textContent = "Nothing selected";
    byId("selection-note").replaceChildren();
    byId("selection").replaceChildren("Click a bar, or go with the arrow keys.");
    this.timeline.invalidate();
    this.saveLink();
  }

  /** @param {string} text */
  announce(text) {
    byId("live").textContent = text;
  }

  /** @param {number} operation */
  hover(operation) {
    if (this.look.hovered === operation) return;
    this.look.hovered = operation;
    this.timeline.invalidate();
  }

  /**
   * @param {number} x  on the canvas; below 0 where the pointer isn't on it
   * @param {number} y
   */
  pointAt(x, y) {
    const {operation, annotation} = x < 0 ? {operation: -1, annotation: -1} : this.timeline.placeAt(x, y);
    this.hover(operation);
    this.canvas.style.cursor = operation >= 0 || annotation >= 0 ? "pointer" : "";
    const tooltip = byId("tooltip");
    tooltip.hidden = operation < 0 && annotation < 0;
    if (tooltip.hidden) return;
    tooltip.replaceChildren(
      ...(operation >= 0
        ? this.operationTip(operation)
        : [element("code", "", annotationLabel(this.history.annotations[annotation], 120))])
    );
    const {clientWidth, clientHeight} = this.canvas;
    tooltip.style.left = `${Math.max(Math.min(x + 14, clientWidth - tooltip.offsetWidth - 4), 4)}px`;
    const below = y + 18 + tooltip.offsetHeight <= clientHeight;
    tooltip.style.top = `${below ? y + 18 : Math.max(y - tooltip.offsetHeight - 8, 4)}px`;
  }

  /** @param {number} operation */
  operationTip(operation) {
    const {history} = this;
    const unit = history.head.timeUnit;
    const duration = history.returnTime[operation] - history.callTime[operation];
    const took = history.returned[operation] === 1 ? `, took ${roughDuration(duration, unit)}` : "";
    const outcome =
      history.outcome[operation] === OK ? "" : outcomeInWords(history.outcome[operation]).replace(/:.*/, ", ");
    return [
      element("code", "", labelOf(history, operation, 120)),
      element(
        "span",
        "where",
        `${outcome}#${operation}, process ${processName(history, history.process[operation])}, ` +
          `line ${history.line[operation]}${took}`
      ),
      ...this.notes(operation)
    ];
  }

  // --- From operation to operation

  /**
   * The next or previous operation of the process.
   * @param {number} by
   */
  stepInLane(by) {
    const {selected} = this.look;
    const {layout} = this.timeline;
    if (selected < 0) {
      this.selectFirst();
      return;
    }
    const lane = laneOfRow(layout, layout.rowOf[selected]);
    const operations = layout.operations.subarray(layout.laneStart[lane], layout.laneStart[lane + 1]);
    const next = operations[operations.indexOf(selected) + by];
    if (next !== undefined) this.select(next);
  }

  /**
   * The operation nearest in time in a neighbouring lane.
   * @param {number} by
   */
  stepLane(by) {
    const {selected} = this.look;
    const {layout, axis} = this.timeline;
    if (selected < 0) {
      this.selectFirst();
      return;
    }
    const lane = laneOfRow(layout, layout.rowOf[selected]) + by;
    if (lane < 0 || lane >= layout.lanes) return;
    const end = this.history.outcome[selected] >= INFO ? axis.start[selected] : axis.end[selected];
    const at = (axis.start[selected] + end) / 2;
    let nearest = -1;
    for (let row = layout.laneRow[lane]; row < layout.laneRow[lane + 1]; ++row) {
      const found = nearestInRow(layout, axis, row, at, Infinity);
      if (nearest < 0 || Math.abs(axis.start[found] - at) < Math.abs(axis.start[nearest] - at)) nearest = found;
    }
    this.select(nearest);
  }

  selectFirst() {
    const {drawn} = this.timeline;
    const first = drawn.length > 0 ? drawn[0] : this.look.scene.operations[0];
    if (first !== undefined) this.select(first);
  }

  // --- Search

  runSearch() {
    clearTimeout(this.searchTimer);
    const search = ++this.searches;
    this.searched = this.search.value;
    const query = parseQuery(this.search.value);
    const {mask} = this.look.scene;
    this.searching = (async () => {
      byId("found").textContent = query.kind === "none" ? "" : "…";
      const found = await inSlices(
        findOperations(this.history, query, (operation) => mask[operation] === 1),
        () => search !== this.searches
      );
      if (!found) return;
      for (const hit of this.look.hits) this.look.isHit[hit] = 0;
      for (const hit of found) this.look.isHit[hit] = 1;
      this.look.hits = found;
      this.hitPlace = -1;
      byId("found").textContent = query.kind === "none" ? "" : `${found.length} found`;
      this.timeline.invalidate();
    })();
  }

  /** @param {number} by */
  async stepHit(by) {
    await this.searching;
    const {hits} = this.look;
    if (hits.length === 0) return;
    const at = this.hitPlace < 0 && by < 0 ? 0 : this.hitPlace;
    this.hitPlace = (at + by + hits.length) % hits.length;
    byId("found").textContent = `${this.hitPlace + 1} of ${hits.length}`;
    this.select(hits[this.hitPlace]);
  }

  /**
   * The next operation in the order found.
   * @param {number} by
   */
  stepOrder(by) {
    const {history, look} = this;
    const partition = look.selected >= 0 ? history.partition[look.selected] : Math.max(this.partition, 0);
    const order = history.orders[partition] ?? [];
    const at = look.selected >= 0 ? history.position[look.selected] : -1;
    // From one that has no place in the order, to where the order ends: that is where a violation is.
    const to = at >= 0 ? at + by : by > 0 && look.selected < 0 ? 0 : order.length - 1;
    if (to >= 0 && to < order.length) this.select(order[to]);
  }

  // --- The link

  followLink() {
    const {operation, partition, rank} = parseLink(location.hash);
    if (partition < this.history.partitions.length) this.setPartition(partition);
    this.setAxis(rank ? "rank" : "time");
    if (operation >= 0 && operation < this.history.count) this.select(operation);
  }

  /** Browsers refuse addresses that change more often than a few times a second. */
  saveLink() {
    clearTimeout(this.linkTimer);
    this.linkTimer = window.setTimeout(() => {
      const link = {operation: this.look.selected, partition: this.partition, rank: this.look.axis === "rank"};
      window.history.replaceState(null, "", linkText(link));
    }, 350);
  }

  // --- Keys

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || this.help.open) return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.tagName === "INPUT") {
      if (target === this.search) this.searchKey(event);
      if (event.key === "Escape") target.blur();
      return;
    }
    // The panel scrolls with them.
    if (target.id === "panel" && event.key.startsWith("Arrow")) return;
    const act = event.shiftKey && event.key.startsWith("Arrow") ? this.panKeys[event.key] : this.keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** @param {KeyboardEvent} event */
  searchKey(event) {
    if (event.key === "Enter") {
      event.preventDefault();
      if (this.search.value !== this.searched) this.runSearch();
      this.stepHit(event.shiftKey ? -1 : 1);
    } else if (event.key === "Escape") {
      this.search.value = "";
      this.runSearch();
    }
  }

  /** @type {Record<string, () => void>} */
  panKeys = {
    ArrowLeft: () => this.timeline.pan(-this.timeline.plot / 4, 0),
    ArrowRight: () => this.timeline.pan(this.timeline.plot / 4, 0),
    ArrowUp: () => this.timeline.pan(0, -3 * ROW_HEIGHT),
    ArrowDown: () => this.timeline.pan(0, 3 * ROW_HEIGHT)
  };

  /** @type {Record<string, () => void>} */
  keys = {
    "/": () => this.search.select(),
    n: () => this.stepFailure(1),
    p: () => this.stepFailure(-1),
    j: () => this.stepOrder(1),
    k: () => this.stepOrder(-1),
    ArrowLeft: () => this.stepInLane(-1),
    ArrowRight: () => this.stepInLane(1),
    ArrowUp: () => this.stepLane(-1),
    ArrowDown: () => this.stepLane(1),
    "+": () => this.timeline.zoom(0.5),
    "=": () => this.timeline.zoom(0.5),
    "-": () => this.timeline.zoom(2),
    0: () => this.timeline.fit(),
    c: () => this.toggleCore(),
    r: () => this.toggleAxis(),
    l: () => this.toggleLanes(),
    "?": () => this.help.showModal(),
    Escape: () => (this.coreAlone ? this.toggleCore() : this.clearSelection())
  };

  describeLegend() {
    const list = byId("functions");
    this.history.head.functions.slice(0, 12).forEach((name, i) => {
      list.append(element("li", "", element("span", `swatch ok ${this.timeline.colours[i]}`), shown(beginning(name, 40))));
    });
  }
}

/** @returns {Promise<App>} */
async function start() {
  const head = /** @type {Head} */ (JSON.parse(byId("porpentine-data").textContent ?? ""));
  document.body.classList.add("app");
  const status = byId("status");
  try {
    if (typeof DecompressionStream === "undefined") {
      throw new Error("this browser can't inflate data (it has no DecompressionStream)");
    }
    status.textContent = `Reading ${head.operations.toLocaleString("en")} operations …`;
    const columns = /** @type {Columns} */ (JSON.parse(await inflate(head.columns)));
    const history = decodeHistory(head, columns);
    byId("app").hidden = false;
    const app = new App(history);
    app.begin();
    status.hidden = true;
    return app;
  } catch (error) {
    // What C++ wrote into the page can still be read.
    document.body.classList.remove("app");
    byId("app").hidden = true;
    status.textContent = `The timeline can't be shown: ${error instanceof Error ? error.message : error}.`;
    throw error;
  }
}

/** @type {App | undefined} */
let app;
const ready = start().then((started) => {
  app = started;
});

/** What the page shows, for tests and for the curious; nothing here changes it. */
const porpentine = Object.freeze({
  ready,
  /** The selected operation, or -1. */
  selected: () => app?.look.selected ?? -1,
  view: () =>
    app && {
      from: app.timeline.from,
      to: app.timeline.to,
      axis: app.look.axis,
      lanes: app.look.mode,
      partition: app.partition,
      coreAlone: app.coreAlone,
      operations: app.look.scene.operations.length,
      top: app.timeline.top
    },
  /** The operations that the last frame drew one by one, not merged with others. */
  visible: () => app?.timeline.drawn.slice() ?? [],
  /**
   * Where an operation's bar is in the window, as far as the timeline shows it.
   * @param {number} operation
   */
  at: (operation) => {
    const bar = app?.timeline.barOf(operation);
    if (!app || !bar) return undefined;
    const {left, top} = app.canvas.getBoundingClientRect();
    const x = Math.max(bar.x, bar.leftmost);
    const width = Math.max(Math.min(bar.right, bar.rightmost) - x, 0);
    return {x: left + x, y: top + bar.y, width, height: BAR_HEIGHT};
  },
  /** How many milliseconds the last frame took to draw. */
  frame: () => app?.timeline.lastFrame ?? 0
});
Object.defineProperty(window, "porpentine", {value: porpentine});
