// Pages of the command itself, which PORPENTINE names; without it there is nothing to look at.

import assert from "node:assert/strict";
import {spawnSync} from "node:child_process";
import {readFileSync, statSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {after, test} from "node:test";
import {fileURLToPath, pathToFileURL} from "node:url";
import {assertQuiet, folder, pages, press, selected, text, until, view, visible} from "./browser.js";

const command = process.env.PORPENTINE;
const skip = command ? false : "PORPENTINE, the path of the command, is not set";
const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const files = folder();
after(files.remove);
const {visit} = pages();

let count = 0;

/** Writes a history; a line is JSON text, where numbers must be exact, or an object. */
function write(model, lines) {
  const file = join(files.path, `${++count}.jsonl`);
  const header = {porpentine: 1, model};
  const texts = [header, ...lines].map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  writeFileSync(file, `${texts.join("\n")}\n`);
  return file;
}

/** Runs the command, in the project's folder, and returns the page that it writes. */
function page(status, make) {
  const html = join(files.path, `${++count}.html`);
  const result = spawnSync(command, make(html), {cwd: ROOT, encoding: "utf8"});
  assert.equal(result.status, status, result.stderr);
  return html;
}

const STATUS = {valid: 0, invalid: 1, unknown: 3};
const checked = (verdict, history, ...options) =>
  page(STATUS[verdict], (html) => ["check", ...options, "--html", html, history]);
const rendered = (history) => page(0, (html) => ["render", history, "-o", html]);

/** A test of one page, which must ask for nothing but itself and complain of nothing. */
function check(name, make, options, body) {
  test(name, {skip}, async () => {
    const html = make();
    const opened = await visit(pathToFileURL(html).href, options);
    await body(opened.page, html);
    assertQuiet(opened);
    await opened.close();
  });
}

/** What the panel says of the selected operation, by its terms; of values without their buttons. */
const details = (page) =>
  page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll("#selection dt")].map((term) => {
        const meaning = term.nextElementSibling;
        return [term.textContent, (meaning.querySelector(".value") ?? meaning).textContent];
      })
    )
  );

async function go(page, operation) {
  await page.evaluate((i) => (location.hash = `#op=${i}`), operation);
  await until(page, (i) => window.porpentine.selected() === i, operation);
  return details(page);
}

const stale = () => checked("invalid", "histories/stale-read.jsonl");

check("an invalid history opens at its violation, with verdict, message and core", stale, {}, async (page) => {
  assert.match(await text(page, "summary"), /stale-read\.jsonl\s+invalid/);
  const message = /read\(\) -> "blue" by process 2 \(line 6\) can't be placed where the register holds "red"/;
  assert.match(await text(page, "message"), message);
  assert.equal(await selected(page), 4);
  assert.match(await text(page, "selection-note"), /can't be placed/);
  const why = await text(page, "why");
  assert.match(why, /Core: 3 operations that can't be ordered by themselves/);
  assert.match(why, /returned before line 6 was called/);
  assert.match(why, /Stuck after 4 operations/);
  assert.equal(await page.locator("#why .entry.core").count(), 2);
  await go(page, 3);
  assert.match(await text(page, "selection-note"), /In the core/);
});

check("j and k go along the order that was found, with the states after each", stale, {}, async (page) => {
  await press(page, "Escape");
  const seen = [];
  for (let i = 0; i < 4; ++i) {
    await press(page, "j");
    const {position, "state after": state} = await details(page);
    seen.push([await selected(page), position, state]);
  }
  assert.deepEqual(seen, [
    [0, "1 of 4 in the order found", '"blue"'],
    [2, "2 of 4 in the order found", '"blue"'],
    [1, "3 of 4 in the order found", '"red"'],
    [3, "4 of 4 in the order found", '"red"']
  ]);
  await press(page, "k k");
  assert.equal(await selected(page), 2);
});

check("c shows the core alone", stale, {}, async (page) => {
  await press(page, "c");
  assert.equal((await view(page)).coreAlone, true);
  assert.deepEqual((await visible(page)).sort(), [0, 3, 4]);
});

test("a core of one operation is told as one", {skip}, () => {
  const history = write("register", [{process: 0, f: "read", output: 1, call: 0, return: 1}]);
  const html = readFileSync(checked("invalid", history), "utf8");
  assert.ok(html.includes("<caption>The core: 1 operation that can't be placed in any order</caption>"));
});

check(
  "a valid history tells the order and its states",
  () => checked("valid", "histories/late-write.jsonl"),
  {},
  async (page) => {
    assert.match(await text(page, "summary"), /late-write\.jsonl\s+valid/);
    assert.equal(await page.locator("#banner").isVisible(), false);
    const {position, "state before": before, "state after": state, outcome} = await go(page, 1);
    assert.equal(position, "3 of 5 in the order found");
    assert.deepEqual([before, state], ['"blue"', '"red"']);
    assert.match(outcome, /indeterminate/);
    await press(page, "j j");
    assert.equal((await details(page)).position, "5 of 5 in the order found");
  }
);

check("render shows a history without a verdict", () => rendered("histories/late-write.jsonl"), {}, async (page) => {
  assert.equal(await page.title(), "histories/late-write.jsonl: history");
  assert.equal(await page.locator(".badge").count(), 0);
  assert.equal((await visible(page)).length, 5);
  assert.equal((await go(page, 1)).position, undefined);
});

/** A log of distinct records, by eight processes that take effect as they are called. */
function longLog(operations) {
  let seed = 1;
  const random = (below) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const free = new Array(8).fill(0);
  const log = [];
  let now = 0;
  return Array.from({length: operations}, (_, i) => {
    const process = free.indexOf(Math.min(...free));
    now = Math.max(now + 1 + random(200), free[process] + 1);
    free[process] = now + 50 + random(1500);
    const at = random(2 * log.length + 2);
    const done =
      at < log.length
        ? {f: "read", input: at, output: log[at]}
        : {f: "append", input: `m${i}`, output: log.push(`m${i}`) - 1};
    return {process, ...done, call: now, return: free[process]};
  });
}

test("pages of 100,000 operations stay small, and can be searched", {skip}, async () => {
  const history = longLog(100_000);
  const lost = history.findIndex(({f}, i) => f === "read" && i > 70_000);
  const found = history.findIndex(({f}, i) => f === "append" && i > 50_000);
  for (const verdict of ["valid", "invalid"]) {
    if (verdict === "invalid") history[lost].output = null;
    const html = checked(verdict, write("log", history));
    assert.ok(statSync(html).size <= 3_000_000, `${verdict}: ${statSync(html).size} bytes`);
    const opened = await visit(pathToFileURL(html).href);
    const {page} = opened;
    assert.equal(await selected(page), verdict === "invalid" ? lost : -1);
    assert.equal((await view(page)).operations, 100_000);
    assert.equal(exactly((await go(page, 99_999)).call), `${history[99_999].call} ns`);
    await page.locator("#search").fill(`"m${found}"`);
    await page.keyboard.press("Enter");
    await until(page, (i) => window.porpentine.selected() === i, found);
    assert.match(await text(page, "found"), /^1 of \d+$/);
    assertQuiet(opened);
    await opened.close();
  }
});

const LEAST = -(2n ** 63n);
const MOST = 2n ** 63n - 1n;
const VALUES = [
  '"</script><img src=x onerror=alert(1)><!--<script>"',
  JSON.stringify("\"quotes\" and \\ 'more' & &amp;"),
  '"\u202edetrevni"',
  String(MOST),
  String(2n ** 64n - 1n),
  String(LEAST),
  '{"__proto__":[null,true,"{{script}}"]}',
  JSON.stringify("x".repeat(1 << 20))
];

/** Writes and reads of values that are not kind, at the beginning of time; at its end a read that is wrong. */
function hostile() {
  const lines = VALUES.flatMap((value, i) => {
    const call = LEAST + 4n * BigInt(i);
    const process = JSON.stringify(`<b>\u202e${i}</b>`);
    return [
      `{"process":0,"f":"write","input":${value},"call":${call},"return":${call + 1n},"<i>":"&amp;</style>"}`,
      `{"process":${process},"f":"read","output":${value},"call":${call + 2n},"return":${call + 3n}}`
    ];
  });
  lines.push(`{"process":1,"f":"read","output":"</script>","call":${MOST - 1n},"return":${MOST}}`);
  return write("register", lines);
}

/** A moment without its distance from the start. */
const exactly = (/** @type {string} */ moment) => moment.replace(/ \(.*/, "");

const unkind = () => checked("invalid", hostile());

check("hostile values and times at both ends are shown as they are", unkind, {}, async (page) => {
  assert.equal(await selected(page), 2 * VALUES.length);
  assert.equal(await page.locator("b, i, img").count(), 0);
  const last = await details(page);
  assert.deepEqual([last.output, exactly(last.call), exactly(last.return)], ['"</script>"', `${MOST - 1n} ns`, `${MOST} ns`]);
  for (const [i, value] of VALUES.entries()) {
    if (value.length > 2000) continue;
    const told = value.replace("\u202e", "\\u202e");
    const written = await go(page, 2 * i);
    assert.deepEqual([written.input, written["state after"]], [told, told]);
    assert.equal(exactly(written.call), `${LEAST + 4n * BigInt(i)} ns`);
    assert.match(written.metadata, /"<i>": ?"&amp;<\/style>"/);
    const read = await go(page, 2 * i + 1);
    assert.deepEqual([read.output, read.process], [told, `<b>\\u202e${i}</b>`]);
  }
  await go(page, 2 * VALUES.length - 2);
  const input = page.locator("#selection dd").filter({hasText: "xxxxx"}).first();
  await input.getByRole("button", {name: "show all 1,048,578 characters"}).click();
  assert.equal(await input.locator(".value").textContent(), VALUES.at(-1));
});

test("the page's policy allows no request at all", {skip}, async () => {
  const {page, close} = await visit(pathToFileURL(stale()).href);
  const refused = await page.evaluate(async () => {
    const directives = new Set();
    document.addEventListener("securitypolicyviolation", (event) => directives.add(event.effectiveDirective));
    const elsewhere = "http://localhost:9/";
    new Image().src = elsewhere;
    const script = document.createElement("script");
    const style = document.createElement("link");
    script.src = style.href = elsewhere;
    style.rel = "stylesheet";
    document.head.append(script, style);
    await fetch(elsewhere).catch(() => {});
    while (directives.size < 4) await new Promise((resume) => setTimeout(resume, 10));
    return [...directives].sort();
  });
  assert.deepEqual(refused, ["connect-src", "img-src", "script-src-elem", "style-src-elem"]);
  await close();
});

test("style and scripts as delivered are under 60 KB together", {skip}, () => {
  const html = readFileSync(stale(), "utf8");
  const delivered = [/<style>([^]*?)<\/style>/, /<script>([^]*?)<\/script>/].map((block) => html.match(block)[1]);
  const bytes = Buffer.byteLength(delivered.join(""));
  assert.ok(bytes > 20_000 && bytes < 60_000, `${bytes} bytes`);
});

const NEMESIS = [
  {process: 0, type: "invoke", f: "write", value: 1, time: 100},
  {process: "nemesis", type: "info", f: "start-partition", value: "majority", time: 110},
  {process: 0, type: "ok", f: "write", value: 1, time: 150},
  {type: "note", value: "deploy </script>", time: 155},
  {process: 1, type: "invoke", f: "read", value: null, time: 160},
  {process: 1, type: "ok", f: "read", value: 1, time: 250}
];

check(
  "a nemesis and notes are annotations",
  () => checked("valid", write("register", NEMESIS)),
  {},
  async (page) => {
    assert.equal((await view(page)).operations, 2);
    const {x, y, width} = await page.locator("#timeline").boundingBox();
    const {from, to} = await view(page);
    const clickAt = (time, row) =>
      page.mouse.click(x + 132 + ((time - 100 - from) / (to - from)) * (width - 132) + 8, y + 26 + 9 + 18 * row);
    await clickAt(110, 0);
    const nemesis = await details(page);
    assert.deepEqual(
      [nemesis.process, nemesis.f, nemesis.value, nemesis.time, nemesis.line],
      ["nemesis", "start-partition", '"majority"', "110 ns (+10 ns)", "3"]
    );
    await clickAt(155, 0);
    const note = await details(page);
    assert.deepEqual([note.value, note.time, note.line], ['"deploy </script>"', "155 ns (+55 ns)", "5"]);
  }
);

/** Appends that all run at once, half of them indeterminate, and a text read that is nearly theirs. */
function hard(operations) {
  let seed = 12345n;
  let whole = "";
  const lines = Array.from({length: operations - 1}, (_, i) => {
    let piece = "";
    for (let letter = 0; letter < 3 + (i % 5); ++letter) {
      seed = BigInt.asUintN(64, seed * 6364136223846793005n + 1442695040888963407n);
      piece += (seed >> 40n) % 2n === 0n ? "a" : "b";
    }
    const append = {process: i, f: "append", key: "k", input: piece, call: i};
    if (i % 2 === 1) return {...append, type: "info"};
    whole = i % 4 === 0 ? whole + piece : piece + whole;
    return {...append, return: operations + i};
  });
  const at = whole.indexOf("ab", whole.length / 2);
  const output = `${whole.slice(0, at)}ba${whole.slice(at + 2)}`;
  return write("kv", [
    ...lines,
    {process: operations, f: "get", key: "k", output, call: 3 * operations, return: 3 * operations + 1}
  ]);
}

check(
  "an unknown verdict is told with its reason, in a small page",
  () => checked("unknown", hard(3000), "--time-limit", "1s"),
  {},
  async (page, html) => {
    assert.ok(statSync(html).size < 1_000_000);
    assert.equal(await page.locator(".badge.unknown").innerText(), "unknown: time-limit");
    assert.match(
      await text(page, "banner"),
      /nor a violation was found \(time-limit\): placed \d+ of 3000 operations, \d+ of them indeterminate, up to \d+ at once/
    );
    const undecided = await page.locator("#summary .undecided").textContent();
    assert.match(String(undecided), /^key "k": placed \d+ of 3000 operations, \d+ of them indeterminate, up to \d+ at once$/);
    assert.equal((await view(page)).operations, 3000);
  }
);

check("verdict and core can be read without scripts", stale, {javaScriptEnabled: false}, async (page) => {
  const summary = await text(page, "summary");
  assert.match(summary, /stale-read\.jsonl\s+invalid/);
  assert.match(summary, /register · 5 operations · 4 processes/);
  assert.match(summary, /can't be placed where the register holds "red"/);
  assert.deepEqual(await page.locator("#summary tbody tr > :last-child").allInnerTexts(), [
    "returned before line 5 was called",
    "returned before line 6 was called",
    "can't be placed"
  ]);
  assert.equal(await page.locator("#app").isVisible(), false);
});

test("a browser that can't unpack the scripts says so, and the summary stays", {skip}, async () => {
  const {page, close} = await visit(pathToFileURL(stale()).href, {init: () => delete window.DecompressionStream});
  assert.match(await text(page, "status"), /too old for the timeline/);
  assert.equal(await page.locator("#summary table").isVisible(), true);
  await close();
});
