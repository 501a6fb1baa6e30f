// Finding operations by what is typed.

/** Longer labels are sought by their beginning. */
const SOUGHT_LABEL = 1000;

/**
 * The operations that match, in order of their calls.
 * @param {RecordedHistory} history
 * @param {Query} query
 * @param {(operation: number) => boolean} shown  looks nowhere else for text; numbers are found anywhere
 * @returns {Generator<void, Uint32Array>}
 */
function* findOperations(history, query, shown) {
  const {byCall, line, returnLine, f, process, key, input, output, outcome} = history;
  /** @type {number[]} */
  const found = [];
  if (query.kind === "none") return new Uint32Array(0);
  if (query.kind === "number") return Uint32Array.from(query.number < history.count ? [query.number] : []);
  /** @type {(operation: number) => boolean} */
  let matches;
  if (query.kind === "line") {
    const {number} = query;
    matches = (operation) => line[operation] === number || returnLine[operation] === number;
  } else if (/[(>]/.test(query.text)) {
    const {text} = query;
    matches = (operation) =>
      shown(operation) && labelOf(history, operation, SOUGHT_LABEL).toLowerCase().includes(text);
  } else {
    const {text} = query;
    const values = yield* matchingTexts(history.values, text);
    const functions = yield* matchingTexts(history.head.functions, text);
    const processes = yield* matchingTexts(history.head.processes, text);
    matches = (operation) =>
      shown(operation) &&
      (functions[f[operation]] === 1 ||
        values[input[operation]] === 1 ||
        processes[process[operation]] === 1 ||
        (outcome[operation] === OK && values[output[operation]] === 1) ||
        values[key[operation]] === 1);
  }
  for (let i = 0; i < byCall.length; ++i) {
    if (matches(byCall[i])) found.push(byCall[i]);
    if (i % SLICE_ENTRIES === SLICE_ENTRIES - 1) yield;
  }
  return Uint32Array.from(found);
}
