// The panel beside the timeline: what is selected, and why the history is not linearizable.

/**
 * What the panel asks of the application.
 * @typedef {object} Actions
 * @property {(operation: number) => void} select
 * @property {(operation: number) => void} hover   -1 to end it
 * @property {(by: number) => void} configuration  to the next or the one before
 */

/**
 * @param {RecordedHistory} history
 * @param {number} operation
 * @returns {HTMLElement}
 */
function operationDetails(history, operation) {
  const {head, values, origin, callTime, returnTime, returned, partition, position} = history;
  const unit = head.timeUnit;
  const line = history.line[operation];
  const returnLine = history.returnLine[operation];
  const timed = unit !== "event" || line === 0; // else the lines are the times
  const call = callTime[operation];
  const end = returnTime[operation];
  const outcome = history.outcome[operation];
  const key = history.key[operation];
  const part = partition[operation];
  const place = position[operation];
  const order = history.orders[part]?.length ?? 0;
  const known = place >= 0 && (history.states[part]?.length ?? 0) > place;
  const metadata = history.metadata.get(operation);
  const input = values[history.input[operation]] ?? "null";
  const output = values[history.output[operation]] ?? "null";
  return terms([
    ["operation", `#${operation}`],
    [returnLine > 0 ? "lines" : "line", returnLine > 0 ? `${line}, returned on ${returnLine}` : `${line}`],
    ["process", processName(history, history.process[operation])],
    ["key", key >= 0 ? longText(values[key]) : ""],
    ["f", element("code", "", head.functions[history.f[operation]])],
    ["input", longText(input)],
    ["output", outcome === OK || output !== "null" ? longText(output) : ""],
    ["outcome", outcomeInWords(outcome)],
    ["call", timed ? momentText(call, origin, unit) : ""],
    ["return", timed && returned[operation] === 1 ? momentText(end, origin, unit) : ""],
    ["duration", timed && returned[operation] === 1 ? durationText(end - call, unit) : ""],
    ["position", positionText(place, order, outcome)],
    ["state before", known && place > 0 ? longText(stateAfter(history, part, place - 1)) : ""],
    ["state after", known ? longText(stateAfter(history, part, place)) : ""],
    ["metadata", metadata === undefined ? "" : longText(values[metadata])]
  ]);
}

/**
 * @param {number} place  in the order found; -1 for none
 * @param {number} order  its length; 0 where none was found
 * @param {number} outcome
 */
function positionText(place, order, outcome) {
  if (place >= 0) return `${place + 1} of ${order} in the order found`;
  return order === 0 || outcome === FAIL ? "" : "none in the order found";
}

/**
 * @param {RecordedHistory} history
 * @param {number} index
 */
function annotationDetails(history, index) {
  const {process, f, value, metadata, line, callTime, endTime, moment} = history.annotations[index];
  const unit = history.head.timeUnit;
  return terms([
    ["process", shown(process)],
    ["f", shown(f)],
    ["value", value === "" ? "" : longText(value)],
    ["line", line > 0 ? `${line}` : ""],
    [moment ? "time" : "from", momentText(callTime, history.origin, unit)],
    ["to", moment ? "" : momentText(endTime, history.origin, unit)],
    ["duration", moment ? "" : durationText(endTime - callTime, unit)],
    ["metadata", metadata === "" ? "" : longText(metadata)]
  ]);
}

/**
 * An entry of a list of operations: pressing it selects, pointing at it shows where the operation is.
 * @param {RecordedHistory} history
 * @param {number} operation
 * @param {string} text   what is said of it
 * @param {string} kind
 * @param {Actions} actions
 */
function operationEntry(history, operation, text, kind, actions) {
  const entry = button("", () => actions.select(operation), `entry ${kind}`);
  entry.append(
    element("code", "", labelOf(history, operation, 100)),
    element(
      "span",
      "where",
      `process ${processName(history, history.process[operation])}, line ${history.line[operation]}`
    )
  );
  if (text !== "") entry.append(element("span", "reason", shown(text)));
  entry.addEventListener("pointerenter", () => actions.hover(operation));
  entry.addEventListener("focus", () => actions.hover(operation));
  for (const end of ["pointerleave", "blur"]) entry.addEventListener(end, () => actions.hover(-1));
  return element("li", "", entry);
}

/**
 * What speaks for a violation: its core, and the configurations in which the search was stuck.
 * @param {RecordedHistory} history
 * @param {Failure} failure
 * @param {number} configuration
 * @param {Actions} actions
 * @returns {Node[]}
 */
function failureDetails(history, failure, configuration, actions) {
  /** @type {Node[]} */
  const nodes = [];
  const entry = (/** @type {number} */ operation, /** @type {string} */ text, /** @type {string} */ kind) =>
    operationEntry(history, operation, text, operation === failure.operation ? "failing" : kind, actions);
  const {length} = failure.core;
  if (length > 0) {
    const told =
      length === 1
        ? "1 operation that can't be placed in any order"
        : `${length} operations that can't be ordered by themselves`;
    nodes.push(
      element("h3", "", `Core: ${told}`),
      element(
        "ol",
        "entries",
        ...[...coreOperations(history, failure)].map((operation) =>
          entry(operation, failure.reasons?.[operation] ?? "", "core")
        )
      )
    );
  } else {
    nodes.push(element("ol", "entries", entry(failure.operation, "", "failing")));
  }
  const stuck = failure.stuck[configuration];
  if (!stuck) return nodes;

  const several = failure.stuck.length > 1;
  const heading = element("h3", "", `Stuck after ${stuck.placed} operation${stuck.placed === 1 ? "" : "s"}`);
  if (several) {
    heading.append(
      element(
        "span",
        "stepper",
        button("‹", () => actions.configuration(-1), "small"),
        ` configuration ${configuration + 1} of ${failure.stuck.length} `,
        button("›", () => actions.configuration(1), "small")
      )
    );
    heading
      .querySelectorAll("button")
      .forEach((each, i) => each.setAttribute("aria-label", `${i === 0 ? "Previous" : "Next"} configuration`));
  }
  nodes.push(heading, terms([["state there", longText(stuck.state)]]));
  if (stuck.refused.length > 0) {
    nodes.push(
      element("h4", "", "What was tried there, and refused"),
      element("ol", "entries", ...stuck.refused.map(([operation, reason]) => entry(operation, reason, "refused")))
    );
  }
  if (stuck.order.length > 0) {
    const end = history.returnTime[failure.operation];
    const remark = (/** @type {number} */ operation) =>
      history.returned[operation] === 1 && history.returnTime[operation] > end
        ? "it returned later, so its answer does not count here"
        : "";
    const last = element(
      "details",
      "",
      element(
        "summary",
        "",
        stuck.order.length === 1 ? "The operation before it" : `The last ${stuck.order.length} operations before it`
      ),
      element("ol", "entries", ...stuck.order.map((operation) => entry(operation, remark(operation), "")))
    );
    nodes.push(last);
  }
  return nodes;
}
