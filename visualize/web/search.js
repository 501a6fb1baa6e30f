// Finding things by text, in slices, so that the page goes on drawing meanwhile.

/**
 * `#123` is the operation or event 123, `:123` what stands on line 123, all else text in lower case: of a history what
 * a call or its result says, or, with a bracket or an arrow, a piece of an operation's label.
 * @typedef {{kind: "none"} | {kind: "number", number: number} | {kind: "line", number: number} |
 *   {kind: "text", text: string}} Query
 */

/**
 * @param {string} typed
 * @returns {Query}
 */
function parseQuery(typed) {
  const text = typed.trim();
  if (text === "") return {kind: "none"};
  if (/^#\d+$/.test(text)) return {kind: "number", number: Number(text.slice(1))};
  if (/^:\d+$/.test(text)) return {kind: "line", number: Number(text.slice(1))};
  return {kind: "text", text: text.toLowerCase()};
}

/** Texts are looked through until so many characters are done, then the clock is asked whether to go on. */
const SLICE_CHARACTERS = 1 << 16;
const SLICE_ENTRIES = 1 << 10;

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
