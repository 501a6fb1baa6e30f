// Finding operations by text, in slices, so that the page goes on drawing meanwhile.

/**
 * `#123` is the operation 123, `:123` what stands on line 123, all else text in lower case: what a call or its result
 * says, or, with a bracket or an arrow, a piece of an operation's label.
 * @typedef {{kind: "none"} | {kind: "operation", number: number} | {kind: "line", number: number} |
 *   {kind: "text", text: string}} Query
 */

/**
 * @param {string} typed
 * @returns {Query}
 */
function parseQuery(typed) {
  const text = typed.trim();
  if (text === "") return {kind: "none"};
  if (/^#\d+$/.test(text)) return {kind: "operation", number: Number(text.slice(1))};
  if (/^:\d+$/.test(text)) return {kind: "line", number: Number(text.slice(1))};
  return {kind: "text", text: text.toLowerCase()};
}

/** Texts are looked through until so many characters are done, then the clock is asked whether to go on. */
const SLICE_CHARACTERS = 1 << 16;
const SLICE_OPERATIONS = 1 << 10;

/** Longer labels are sought by their beginning. */
const SOUGHT_LABEL = 1000;

/**
 * Which of the texts hold the text sought. A generator: it yields when it would be well to look at the clock.
 * @param {string[]} texts
 * @param {string} sought  in lower case
 * @returns {Generator<void, Uint8Array>}
 */
function* matchingTexts(texts, sought) {
  const matches = new Uint8Array(texts.length);
  let characters = 0;
  for (let i = 0; i < texts.length; ++i) {
    if (texts[i].toLowerCase().includes(sought)) matches[i] = 1;
    characters += texts[i].length + 16;
    if (characters < SLICE_CHARACTERS) continue;
    characters = 0;
    yield;
  }
  return matches;
}

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
  if (query.kind === "operation") return Uint32Array.from(query.number < history.count ? [query.number] : []);
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
    if (i % SLICE_OPERATIONS === SLICE_OPERATIONS - 1) yield;
  }
  return Uint32Array.from(found);
}

/**
 * Runs a generator a few milliseconds at a time.
 * @template T
 * @param {Generator<void, T>} work
 * @param {() => boolean} cancelled
 * @returns {Promise<T | undefined>} undefined if it was cancelled
 */
async function inSlices(work, cancelled) {
  for (let begun = performance.now(); ;) {
    const step = work.next();
    if (step.done) return step.value;
    if (performance.now() - begun < 10) continue;
    await new Promise((resume) => setTimeout(resume));
    if (cancelled()) return undefined;
    begun = performance.now();
  }
}
