// Pages of causal traces, of the command itself, which PORPENTINE names.

import assert from "node:assert/strict";
import {spawnSync} from "node:child_process";
import {readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {after, test} from "node:test";
import {fileURLToPath, pathToFileURL} from "node:url";
import {assertQuiet, folder, pages, press, selected, text, view} from "./browser.js";

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

const violation = (page) => page.evaluate(() => window.porpentine.violation());
const entries = (page) => page.locator("#why-content .entry code").allInnerTexts();

check(
  "a trace opens at its first violation, with the chain that makes one record the cause of another",
  () => page(1, EXAMPLE),
  async (page) => {
    assert.equal(await violation(page), 0);
    assert.match(await text(page, "message"), /shipping delivered payments-0@0 .* before what causally precedes it: orders-0@0/);
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
    assert.match(await text(page, "found"), /4 found|3 found/);
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
  "100,000 events open, and are zoomed into",
  () => {
    const lines = [];
    for (let actor = 0; actor < 20; ++actor) {
      for (let ch = 0; ch < 3; ++ch) lines.push({type: "subscribe", actor: `n${actor}`, ch: `t${(actor + ch) % 20}`, position: 0});
    }
    for (let offset = 0; lines.length < 100_000; ++offset) {
      for (let ch = 0; ch < 20; ++ch) {
        lines.push({type: "send", actor: `n${(ch * 7 + offset) % 20}`, ch: `t${ch}`, offset});
        for (let k = 0; k < 3; ++k) {
          lines.push({type: "deliver", actor: `n${(ch + 20 - k) % 20}`, ch: `t${ch}`, offset});
        }
      }
    }
    return page(0, lines);
  },
  async (page, html) => {
    assert.ok(readFileSync(html).length < 3e6);
    const before = await view(page);
    await press(page, "+ + + + + + + +");
    const after = await view(page);
    assert.ok(after.to - after.from < (before.to - before.from) / 200);
  }
);

test("the scripts and the style of a trace's page are under 60 KB", {skip}, () => {
  const html = readFileSync(page(1, EXAMPLE), "utf8");
  assert.ok(html.length < 60_000, String(html.length));
});
