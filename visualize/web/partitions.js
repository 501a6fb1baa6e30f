// The list of partitions. A history may have a hundred thousand, so only the entries in view are elements.

const ENTRY_HEIGHT = 30;

class PartitionList {
  /**
   * @param {RecordedHistory} history
   * @param {(partition: number) => void} choose  -1 for all
   */
  constructor(history, choose) {
    this.history = history;
    this.choose = choose;
    this.box = byId("partition-list");
    this.filter = /** @type {HTMLInputElement} */ (byId("partition-filter"));
    this.names = history.partitions.map((_, i) => partitionName(history, i));
    this.all = partitionsInOrder(history.partitions);
    /** @type {number[]} */
    this.entries = [-1, ...this.all];
    this.chosen = -1;
    this.inner = element("div", "inner");
    this.box.append(this.inner);
    this.filter.hidden = this.all.length < 8;
    this.filter.addEventListener("input", () => this.refilter());
    this.box.addEventListener("scroll", () => this.render());
    this.box.addEventListener("keydown", (event) => this.step(event));
  }

  refilter() {
    const sought = this.filter.value.toLowerCase();
    this.entries = [-1, ...this.all.filter((i) => this.names[i].toLowerCase().includes(sought))];
    this.box.scrollTop = 0;
    this.render();
  }

  /** @param {number} partition */
  show(partition) {
    this.chosen = partition;
    const at = this.entries.indexOf(partition);
    if (at >= 0) {
      const top = at * ENTRY_HEIGHT;
      const {scrollTop, clientHeight} = this.box;
      if (top < scrollTop || top + ENTRY_HEIGHT > scrollTop + clientHeight) this.box.scrollTop = top - clientHeight / 2;
    }
    this.render();
  }

  render() {
    this.inner.style.height = `${this.entries.length * ENTRY_HEIGHT}px`;
    const first = Math.max(Math.floor(this.box.scrollTop / ENTRY_HEIGHT) - 2, 0);
    const last = Math.min(first + Math.ceil(this.box.clientHeight / ENTRY_HEIGHT) + 5, this.entries.length);
    this.inner.replaceChildren(
      ...this.entries.slice(first, last).map((partition, i) => this.entry(partition, first + i))
    );
    this.box.setAttribute("aria-activedescendant", `partition-${this.chosen}`);
  }

  /**
   * @param {number} partition
   * @param {number} place
   */
  entry(partition, place) {
    const made = element("div", "entry");
    made.id = `partition-${partition}`;
    made.setAttribute("role", "option");
    made.setAttribute("aria-selected", String(partition === this.chosen));
    made.setAttribute("aria-posinset", String(place + 1));
    made.setAttribute("aria-setsize", String(this.entries.length));
    made.style.top = `${place * ENTRY_HEIGHT}px`;
    made.addEventListener("click", () => this.choose(partition));
    if (partition < 0) {
      made.append(element("span", "name", "all"), element("span", "count", `${this.history.count}`));
      return made;
    }
    const {verdict, reason, operations, indeterminate} = this.history.partitions[partition];
    const count = element("span", "count", `${operations}`);
    count.title =
      verdict === "unknown"
        ? progressOf(this.history.partitions[partition])
        : `${operations} operations, ${indeterminate} of them indeterminate`;
    made.append(
      element("span", `verdict ${verdict}`, reason ? `${verdict}: ${reason}` : verdict),
      element("span", "name", this.names[partition]),
      count
    );
    return made;
  }

  /** @param {KeyboardEvent} event */
  step(event) {
    const at = this.entries.indexOf(this.chosen);
    const page = Math.max(Math.floor(this.box.clientHeight / ENTRY_HEIGHT) - 1, 1);
    const last = this.entries.length - 1;
    /** @type {Record<string, number>} */
    const places = {ArrowUp: at - 1, ArrowDown: at + 1, PageUp: at - page, PageDown: at + page, Home: 0, End: last};
    const to = places[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.choose(this.entries[Math.min(Math.max(to, 0), last)]);
  }
}
