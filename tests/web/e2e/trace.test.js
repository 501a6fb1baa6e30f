// Pages of causal traces, of the command itself, which PORPENTINE names.

import assert from "node:assert/strict";
import {spawnSync} from "node:child_process";
import {readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {after, test} from "node:test";
import {fileURLToPath, pathToFileURL} from "node:url";
import {assertQuiet, folder, pages, press, selected, text, until, view, visible} from "./browser.js";

const command = process.env.PORPENTINE;
const skip = command ? false : "PORPENTINE, the path of the command, is not set";
const EXAMPLE = fileURLToPath(new URL("../../../histories/early-delivery.jsonl", import.meta.url));
const files = folder();
after(files.remove);
const {visit} = pages();
let count = 0;

/** Runs the command on a trace, and returns the page that it writes. */
function page(status, trace, make = (file, html) => ["check", "--html", html, file]) {
  let file = trace;
  if (Array.isArray(trace)) {
    file = join(files.path, `${++count}.jsonl`);
    writeFileSync(file, trace.map((line) => (typeof line === "string" ? line : JSON.stringify(line)) + "\n").join(""));
  }
  const html = join(files.path, `${++count}.html`);
  const result = spawnSync(command, make(file, html), {encoding: "utf8"});
  assert.equal(result.status, status, result.stderr);
  return html;
}

function check(name, make, body, options = {}) {
  test(name, {skip}, async () => {
    const html = make();
    const opened = await visit(pathToFileURL(html).href, options);
    await body(opened.page, html);
    assertQuiet(opened);
    await opened.close();
  });
}

/** An event; `place` is channel@offset. */
function line(type, actor, place, more) {
  if (!place) return {type, actor, ...more};
  const [ch, offset] = place.split("@");
  return {type, actor, ch, [type === "subscribe" ? "position" : "offset"]: Number(offset), ...more};
}

/** Several actors that deliver each other's records in one order; the last of them skips what the first sent. */
function farApart(events) {
  const lines = [];
  for (let actor = 0; actor < 20; ++actor) {
    for (let ch = 0; ch < 3; ++ch) lines.push(line("subscribe", `n${actor}`, `t${(actor + ch) % 20}@0`));
  }
  lines.push(line("subscribe", "n1", "x@0"), line("subscribe", "n19", "x@0"), line("subscribe", "n19", "y@0"));
  lines.push(line("send", "n0", "x@0"), line("deliver", "n1", "x@0"));
  for (let offset = 0; lines.length < events; ++offset) {
    for (let ch = 0; ch < 20; ++ch) {
      lines.push(line("send", `s${ch}`, `t${ch}@${offset}`));
      for (let k = 0; k < 3; ++k) lines.push(line("deliver", `n${(ch + 20 - k) % 20}`, `t${ch}@${offset}`));
    }
  }
  lines.push(line("send", "n1", "y@0"), line("deliver", "n19", "y@0"));
  return lines;
}

const violation = (page) => page.evaluate(() => window.porpentine.violation());
const entries = (page) => page.locator("#why-content .entry code").allInnerTexts();

check(
  "a trace opens at its first violation, with the chain that makes one record the cause of another",
  () => page(1, EXAMPLE),
  async (page) => {
    assert.equal(await violation(page), 0);
    assert.match(await text(page, "message"), /shipping delivered payments-0@0 .* precedes it: orders-0@0/);
    assert.deepEqual(await entries(page), [
      "shop: send orders-0@0",
      "billing: deliver orders-0@0",
      "billing: send payments-0@0",
      "shipping: deliver payments-0@0"
    ]);
    await page.locator("#why-content .entry").first().click();
    assert.equal(await selected(page), 3);
    assert.match(await text(page, "selection"), /order 17/);
    assert.match(page.url(), /#event=3$/);
  }
);

check(
  "the missing cause, its chain and what came too early are drawn, numbered and in words",
  () => page(1, EXAMPLE),
  async (page) => {
    assert.deepEqual((await visible(page)).labels.sort(), [
      "1 orders-0@0: the cause",
      "2 orders-0@0",
      "3 payments-0@0",
      "4 payments-0@0 before its cause orders-0@0",
      "orders-0@0 only now"
    ]);
    assert.deepEqual(await page.locator("#why-content .number").allInnerTexts(), ["1", "2", "3", "4"]);
    await press(page, "Escape");
    const all = await visible(page);
    assert.deepEqual(all.labels, []);
    assert.ok(all.arrows >= 3);
    assert.equal(await violation(page), -1);
    await press(page, "n");
    assert.equal(await violation(page), 0);
  }
);

check(
  "each kind of violation is shown with what it is about",
  () =>
    page(1, [
      line("subscribe", "c", "t@0"),
      line("send", "a", "t@0"),
      line("send", "a", "t@1"),
      line("begin", "b"),
      line("send", "b", "t@2"),
      line("deliver", "c", "t@0"),
      line("deliver", "c", "t@0"),
      line("abort", "b"),
      line("deliver", "c", "t@2"),
      line("deliver", "c", "t@1"),
      line("deliver", "c", "t@7"),
      line("send", "a", "t@3"),
      {type: "truncate", ch: "t", log_start: 4},
      line("crash", "c", undefined, {lose: "staged"}),
      {type: "drain"},
      {type: "end", drained: false}
    ]),
  async (page) => {
    const told = [];
    for (let k = 0; k < 7; ++k) {
      told.push((await visible(page)).labels[0]);
      await press(page, "n");
    }
    assert.deepEqual(told, [
      "× t@0 again",
      "× t@2 was aborted",
      "× t@1 out of order",
      "× t@7 was never sent",
      "× t@3 lost",
      "× t@3 not delivered",
      "× not drained"
    ]);
    assert.equal(await violation(page), 0);
    assert.match(await text(page, "failure-count"), /^1 of 7$/);
    // What was found at the same event is told with it.
    await press(page, "p p");
    assert.match(await text(page, "selection-title"), /^drain/);
  }
);

check(
  "a violation whose cause is far away is shown alone, and in its surroundings on demand",
  () => page(1, farApart(3000)),
  async (page) => {
    const alone = await view(page);
    assert.equal(alone.alone, true);
    assert.equal((await visible(page)).marks, 4);
    assert.equal((await visible(page)).labels.length, 4);
    await press(page, "c");
    const around = await view(page);
    assert.equal(around.alone, false);
    assert.ok(around.to - around.from > 2000);
    await press(page, "c");
    assert.equal((await view(page)).alone, true);
    // An event that is not among them leads back to all.
    await press(page, "/");
    await page.keyboard.type(":100");
    await until(page, () => document.getElementById("found").textContent === "1 found");
    await press(page, "Enter");
    assert.equal(await selected(page), 99);
    assert.equal((await view(page)).alone, false);
  }
);

check(
  "several missing causes are told one at a time",
  () =>
    page(1, [
      line("subscribe", "z", "t@0"),
      line("subscribe", "z", "u@0"),
      line("send", "a", "t@0"),
      line("send", "a", "t@1"),
      line("send", "a", "u@0"),
      line("deliver", "z", "u@0")
    ]),
  async (page) => {
    assert.deepEqual(await entries(page), ["a: send t@0", "a: send u@0", "z: deliver u@0", "a: send t@1"]);
    await page.locator("#why-content .entry").last().click();
    assert.deepEqual(await entries(page), ["a: send t@0", "a: send t@1", "a: send u@0", "z: deliver u@0"]);
    assert.ok((await visible(page)).labels.includes("1 t@1: the cause"));
  }
);

check(
  "what surrounds an event is told with it: its record, its actor's event before, its step",
  () =>
    page(0, [
      line("subscribe", "b", "t@3"),
      line("begin", "a"),
      line("send", "a", "t@3", {id: "first"}),
      line("abort", "a"),
      {type: "note", text: "nemesis: \u202ekill"},
      {type: "drain", actors: ["a", "b"]}
    ]),
  async (page) => {
    await press(page, "j j j");
    const panel = await text(page, "selection");
    const parts = ["line 3", "actor a", "channel t", "offset 3", 'id "first"', "step aborted", "before it a: begin"];
    for (const part of parts) {
      assert.ok(panel.replace(/\s+/g, " ").includes(part), `${part} in ${panel}`);
    }
    await press(page, "j j");
    assert.match(await text(page, "selection-title"), /nemesis: \\u202ekill/);
    await press(page, "j");
    assert.match(await text(page, "selection"), /actors\s+a, b/);
    assert.match(await text(page, "live"), /drain, line 6/);
  }
);

check(
  "the overview moves the window, and the theme can be turned",
  () => page(1, farApart(3000)),
  async (page) => {
    await press(page, "c 0 + + +");
    const before = await view(page);
    const box = await page.locator("#minimap").boundingBox();
    await page.mouse.click(box.x + box.width * 0.95, box.y + box.height / 2);
    const after = await view(page);
    assert.ok(after.from > before.from + 500);
    const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
    await page.locator("#theme").click();
    assert.equal(await scheme(), "dark");
    await page.locator("#theme").click();
    assert.equal(await scheme(), "light");
  }
);

check(
  "events of a trace are reached by keys, by search and by a click",
  () => page(1, EXAMPLE),
  async (page) => {
    await press(page, "0 Escape Escape");
    assert.equal(await selected(page), -1);
    await press(page, "j j");
    assert.equal(await selected(page), 1);
    await press(page, "ArrowRight");
    assert.equal(await selected(page), 2);
    await press(page, "k ArrowDown");
    assert.equal(await selected(page), 3);
    await press(page, "/");
    await page.keyboard.type("payments-0@0");
    await until(page, () => document.getElementById("found").textContent === "3 found");
    await press(page, "Enter");
    assert.match(await text(page, "selection-title"), /payments-0@0/);
    await press(page, "Escape 0");
    const {x, y} = await page.evaluate(() => window.porpentine.at(5));
    await page.mouse.click(x, y);
    assert.equal(await selected(page), 5);
    const before = await view(page);
    await press(page, "+");
    const after = await view(page);
    assert.ok(after.to - after.from < before.to - before.from);
  }
);

check(
  "a trace's page follows a link to an event",
  () => page(1, EXAMPLE),
  async (page) => assert.equal(await selected(page), 6),
  {hash: "#event=6"}
);

check(
  "hostile names, and offsets of 64 bits, are shown as they are",
  () =>
    page(1, [
      {type: "subscribe", actor: "</script><b>x", ch: "c\u202e", position: 0},
      '{"type": "send", "actor": "a", "ch": "c\\u202e", "offset": 18446744073709551614, "id": "</script>"}',
      '{"type": "send", "actor": "a", "ch": "c\\u202e", "offset": 18446744073709551615}',
      '{"type": "deliver", "actor": "</script><b>x", "ch": "c\\u202e", "offset": 18446744073709551615}'
    ]),
  async (page) => {
    assert.deepEqual(await entries(page), [
      "a: send c\\u202e@18446744073709551614",
      "a: send c\\u202e@18446744073709551615",
      "</script><b>x: deliver c\\u202e@18446744073709551615"
    ]);
    assert.equal(await page.locator("b").count(), 0);
  }
);

check(
  "a trace can be read without scripts",
  () => page(1, EXAMPLE),
  async (page) => {
    assert.match(await text(page, "summary"), /shipping delivered payments-0@0/);
    assert.match(await text(page, "summary"), /billing\s+send payments-0@0/);
    await page.emulateMedia({media: "print"});
    assert.match(await text(page, "summary"), /shipping\s+deliver payments-0@0/);
  },
  {javaScriptEnabled: false}
);

check(
  "a trace that was not judged has a diagram, and no verdict",
  () => page(0, EXAMPLE, (file, html) => ["render", file, "-o", html]),
  async (page) => {
    assert.equal(await violation(page), -1);
    assert.equal(await page.locator(".badge").count(), 0);
    await press(page, "j");
    assert.equal(await selected(page), 0);
  }
);

check(
  "100,000 events open, and no more of them is drawn than there is room for",
  () => page(1, farApart(100_000)),
  async (page, html) => {
    assert.ok(readFileSync(html).length < 3e6);
    await press(page, "c 0");
    const before = await view(page);
    const all = await visible(page);
    assert.ok(all.arrows > 500 && all.arrows < 2000, `${all.arrows} arrows`);
    assert.ok(all.marks < 20_000, `${all.marks} marks`);
    await press(page, "+ + + + + + + +");
    const after = await view(page);
    assert.ok(after.to - after.from < (before.to - before.from) / 200);
    assert.ok((await visible(page)).marks > 0);
  }
);

check(
  "a long chain is cut in the summary, with how much is left out",
  () => {
    const lines = [];
    for (let k = 0; k < 20; ++k) {
      lines.push(line("subscribe", "z", `t${k}@0`), line("subscribe", `n${k + 1}`, `t${k}@0`));
    }
    for (let k = 0; k < 20; ++k) {
      lines.push(line("send", `n${k}`, `t${k}@0`), line("deliver", `n${k + 1}`, `t${k}@0`));
    }
    lines.push(line("send", "n20", "last@0"), line("subscribe", "z", "last@0"), line("deliver", "z", "last@0"));
    return page(1, lines);
  },
  async (page) => {
    const summary = await text(page, "summary");
    assert.match(summary, /\d+ steps left out/);
    assert.match(summary, /17 more missing causes/);
  },
  {javaScriptEnabled: false}
);

test("a page is the same for the same trace", {skip}, () => {
  assert.equal(readFileSync(page(1, EXAMPLE), "utf8"), readFileSync(page(1, EXAMPLE), "utf8"));
});

test("the scripts and the style of a trace's page are under 60 KB", {skip}, () => {
  const html = readFileSync(page(1, EXAMPLE), "utf8");
  assert.ok(html.length < 60_000, String(html.length));
});
