import assert from "node:assert/strict";
import {test} from "node:test";
import {edges, history, hostile, lostAppend, manyPartitions, register, staleRead} from "../histories.js";
import {assertQuiet, at, click, pages, press, selected, text, until, view, visible} from "./browser.js";

const {open} = pages();

/** A test with a page of its own, which must have asked for nothing but itself and complained of nothing. */
function check(name, made, options, body) {
  test(name, async () => {
    const opened = await open(made(), options);
    await body(opened.page, opened);
    assertQuiet(opened);
    await opened.close();
  });
}

// What is open at first

check("a page opens at the operation that can't be placed, with its core in view", staleRead, {}, async (page) => {
  assert.equal(await selected(page), 4);
  assert.match(await text(page, "message"), /can't be placed where the register holds "red"/);
  const drawn = await visible(page);
  for (const operation of [0, 1, 3, 4]) assert.ok(drawn.includes(operation), `${operation}`);
  assert.match(await text(page, "selection-note"), /can't be placed/);
});

check(
  "a valid history opens as a whole, with nothing selected",
  () => register({operations: 100}),
  {},
  async (page) => {
    assert.equal(await selected(page), -1);
    assert.equal(await page.locator("#banner").isVisible(), false);
    assert.equal(await page.locator("#why").isVisible(), false);
    const {from, to, operations} = await view(page);
    assert.ok(from < 0 && to > 0 && operations === 100);
    const [minimap, stage] = [await page.locator("#minimap").boundingBox(), await page.locator("#app").boundingBox()];
    assert.equal(minimap.y + minimap.height, stage.y + stage.height);
  }
);

check("an unknown verdict is told with its reason", edges.unknown, {}, async (page) => {
  assert.equal(
    (await text(page, "banner")).trim(),
    "Neither an order nor a violation was found (time-limit): " +
      "placed 0 of 1 operation, 1 of them indeterminate, up to 3 at once"
  );
});

for (const [name, make] of Object.entries(edges)) {
  check(`a history with ${name} opens`, make, {}, async (page) => {
    await press(page, "0 r + + - r l j k n p c Escape ArrowRight ArrowDown 0");
    const {from, to} = await view(page);
    assert.ok(from < to);
    assert.ok(await page.locator("#timeline").isVisible());
  });
}

check(
  "100,000 operations open at the violation",
  () => register({operations: 100_000, processes: 20, stale: true}),
  {},
  async (page) => {
    const failing = await selected(page);
    assert.ok(failing > 0);
    assert.ok((await at(page, failing)).width > 3);
    await press(page, "0");
    const drawn = await visible(page);
    assert.ok(drawn.length < 20_000, "at this scale most are merged");
  }
);

check(
  "100,000 partitions are listed, the invalid one first, and can be filtered",
  () => manyPartitions(100_000),
  {},
  async (page) => {
    const entries = page.locator("#partition-list .entry");
    assert.ok((await entries.count()) < 30);
    assert.match(await entries.nth(1).innerText(), /invalid\s+k99998/);
    assert.match(await entries.nth(2).innerText(), /unknown: memory-limit\s+k5/);
    assert.equal((await view(page)).operations, 1);
    await page.locator("#partition-filter").fill("k777");
    assert.match(await entries.nth(1).innerText(), /valid\s+k777\b/);
    await entries.nth(1).click();
    assert.equal((await view(page)).partition, 777);
    await entries.nth(0).click();
    assert.equal((await view(page)).operations, 100_000);
    await press(page, "l");
    assert.equal((await view(page)).lanes, "key");
    assert.ok((await visible(page)).length > 0);
  }
);

// Selecting

check(
  "a click selects, and the panel tells all of the operation",
  () => register({operations: 100}),
  {},
  async (page) => {
    await press(page, "ArrowRight");
    const first = await selected(page);
    assert.ok(first >= 0);
    await press(page, "+ + +");
    const drawn = await visible(page);
    const other = drawn.find((operation) => operation !== first);
    await click(page, other);
    assert.equal(await selected(page), other);
    const panel = await text(page, "selection");
    assert.ok(panel.includes(`#${other}`));
    for (const term of ["process", "input", "outcome", "call", "return", "duration", "position"])
      assert.ok(panel.includes(term), term);
    assert.match(await text(page, "live"), new RegExp(`^operation ${other}, `));
  }
);

check("states before and after are told where they are known", staleRead, {}, async (page) => {
  await press(page, "k k");
  assert.equal(await selected(page), 1);
  const panel = await text(page, "selection");
  assert.match(panel, /position\s+3 of 4/);
  assert.match(panel, /state before\s+"blue"/);
  assert.match(panel, /state after\s+"red"/);
  assert.match(panel, /indeterminate/);
});

check("j and k go along the order", staleRead, {}, async (page) => {
  await press(page, "Escape j");
  assert.equal(await selected(page), 0);
  const seen = [];
  for (let i = 0; i < 4; ++i) {
    await press(page, "j");
    seen.push(await selected(page));
  }
  assert.deepEqual(seen, [2, 1, 3, 3]);
});

check("arrows go along the process and across lanes", staleRead, {}, async (page) => {
  await press(page, "ArrowLeft");
  assert.equal(await selected(page), 2);
  await press(page, "ArrowDown");
  assert.equal(await selected(page), 3);
  await press(page, "ArrowUp ArrowRight");
  assert.equal(await selected(page), 4);
  await press(page, "Escape");
  assert.equal(await selected(page), -1);
});

check(
  "n and p go from violation to violation, and to their partitions",
  () => {
    const operations = Array.from({length: 40}, (_, i) => ({
      process: i % 3,
      key: `"${i % 4}"`,
      f: "get",
      call: i * 10,
      return: i * 10 + 15
    }));
    return history({
      operations,
      partitions: [0, 1, 2, 3].map((key) => ({key: `"${key}"`, verdict: key % 2 === 0 ? "valid" : "invalid"})),
      partitionOf: (_, i) => i % 4,
      verdict: "invalid",
      failures: [
        {partition: 1, operation: 21, message: "first"},
        {partition: 3, operation: 31, message: "second", core: [27, 31]}
      ]
    });
  },
  {},
  async (page) => {
    assert.equal(await selected(page), 21);
    assert.equal((await view(page)).partition, 1);
    await press(page, "n");
    assert.equal(await selected(page), 31);
    assert.equal((await view(page)).partition, 3);
    assert.match(await text(page, "banner"), /violation 2 of 2.*second/s);
    await press(page, "n");
    assert.equal(await selected(page), 21);
    await press(page, "p c");
    assert.deepEqual((await visible(page)).sort(), [27, 31]);
    await page.locator("#failure-next").click();
    assert.equal(await selected(page), 21);
  }
);

check(
  "annotations are selected by their labels",
  () => register({operations: 200, nemesis: true}),
  {},
  async (page) => {
    const {x, y} = await page.locator("#timeline").boundingBox();
    const {from, to} = await view(page);
    const annotation = register({operations: 200, nemesis: true}).columns.annotations[1];
    const offset = register({operations: 200, nemesis: true}).columns.call[0];
    const {width} = await page.locator("#timeline").boundingBox();
    const middle = (annotation.time + annotation.end) / 2 - offset;
    await page.mouse.click(x + 132 + ((middle - from) / (to - from)) * (width - 132), y + 26 + 9);
    const panel = await text(page, "selection");
    assert.match(panel, /nemesis/);
    assert.match(panel, /partition/);
    assert.ok(panel.includes(`${annotation.time} ns`));
  }
);

check(
  "a nemesis that tells of a fault twice at once keeps its label, all of which selects",
  () => {
    const fault = {process: "nemesis", f: "start-partition", line: 3};
    const annotations = [
      {...fault, time: 200_000, value: '"majority"'},
      {...fault, time: 200_001, value: '"done"'}
    ];
    const operations = [{process: 0, f: "read", call: 0, return: 1_000_000}];
    return history({operations, annotations, verdict: "valid"});
  },
  {},
  async (page) => {
    const {x, y, width} = await page.locator("#timeline").boundingBox();
    const {from, to} = await view(page);
    const left = x + 132 + ((200_000 - from) / (to - from)) * (width - 132);
    await page.mouse.click(left + 150, y + 26 + 9);
    assert.equal(await text(page, "selection-title"), 'start-partition "majority"');
    await page.mouse.click(left + 250, y + 26 + 9);
    assert.match(await text(page, "selection-title"), /majority/, "a click beside it changes nothing");
  }
);

// Violations

check(
  "core alone shows the core and nothing else, and goes back",
  () => register({operations: 2000, stale: true}),
  {},
  async (page) => {
    const all = (await view(page)).operations;
    await press(page, "c");
    const core = await view(page);
    assert.equal(core.operations, 3);
    assert.equal(core.coreAlone, true);
    assert.equal((await visible(page)).length, 3);
    assert.equal(await page.locator("#core").getAttribute("aria-pressed"), "true");
    await press(page, "c");
    assert.equal((await view(page)).operations, all);
    await page.locator("#core").click();
    await press(page, "Escape");
    assert.equal((await view(page)).coreAlone, false);
  }
);

check(
  "a core with long pauses is shown by rank",
  () =>
    history({
      verdict: "invalid",
      operations: [0, 500_000, 1_000_000].map((call, i) => ({process: i, f: "read", call, return: call + 10})),
      failures: [{operation: 2, message: "no", core: [0, 1, 2]}]
    }),
  {},
  async (page) => {
    await press(page, "c");
    assert.equal((await view(page)).axis, "rank");
    await press(page, "c");
    assert.equal((await view(page)).axis, "time");
  }
);

check(
  "configurations are stepped through, each with what it refused",
  () => register({operations: 300, stale: true}),
  {},
  async (page) => {
    assert.match(await text(page, "why"), /configuration 1 of 2/);
    await page.getByLabel("Next configuration").click();
    assert.match(await text(page, "why"), /configuration 2 of 2/);
    const refused = page.locator("#why .entry.refused");
    assert.ok((await refused.count()) > 0);
    await page.getByLabel("Next configuration").click();
    assert.match(await text(page, "why"), /configuration 1 of 2/);
    const entry = page.locator("#why .entry.core").first();
    await entry.hover();
    await entry.click();
    assert.notEqual(await selected(page), -1);
    assert.match(await text(page, "selection-note"), /In the core/);
  }
);

check(
  "a core of one operation is told as one",
  () =>
    history({
      verdict: "invalid",
      operations: [{process: 0, f: "read", output: "1", call: 0, return: 10}],
      failures: [{operation: 0, message: "no", core: [0], stuck: [{state: "null", order: [], placed: 1, refused: []}]}]
    }),
  {},
  async (page) => {
    const why = await text(page, "why");
    assert.match(why, /Core: 1 operation that can't be placed in any order/);
    assert.match(why, /Stuck after 1 operation\n/);
    const summary = page.locator("#summary");
    assert.match(await summary.locator("caption").textContent(), /^The core: 1 operation that can't be placed in/);
    assert.equal(await summary.locator(".failing > :last-child").textContent(), "can't be placed");
  }
);

// Search, link, axis, lanes

check("a search counts, and steps with Enter and Shift+Enter", staleRead, {}, async (page) => {
  await press(page, "/");
  await page.keyboard.type("blue");
  await page.keyboard.press("Enter");
  await until(page, () => document.getElementById("found").textContent === "1 of 3");
  assert.equal(await selected(page), 0);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await until(page, () => window.porpentine.selected() === 4);
  await page.keyboard.press("Shift+Enter");
  await until(page, () => window.porpentine.selected() === 2);
  await page.keyboard.press("Escape");
  await until(page, () => document.getElementById("found").textContent === "");
  await press(page, "/");
  await page.keyboard.type(":3");
  await page.keyboard.press("Enter");
  await until(page, () => window.porpentine.selected() === 1);
});

check("a search that finds nothing says so", staleRead, {}, async (page) => {
  await page.locator("#search").fill("green");
  await until(page, () => document.getElementById("found").textContent === "0 found");
  await page.keyboard.press("Enter");
  assert.equal(await selected(page), 4);
});

check(
  "a link leads to its operation, partition and axis",
  lostAppend,
  {hash: "#op=150&key=1&axis=rank"},
  async (page) => {
    const {axis, partition} = await view(page);
    assert.equal(axis, "rank");
    assert.equal(await selected(page), 150);
    assert.ok(partition === 1 || partition === -1, "the operation's own partition, or all");
  }
);

check(
  "a link to a partition alone leads there, and leaves nothing selected that isn't shown",
  lostAppend,
  {hash: "#key=1"},
  async (page) => {
    assert.equal((await view(page)).partition, 1);
    assert.equal(await selected(page), -1);
  }
);

check(
  "the link is kept up to date, and followed when it changes",
  () => register({operations: 100}),
  {},
  async (page) => {
    await press(page, "j j r");
    const operation = await selected(page);
    await until(page, (i) => location.hash === `#op=${i}&axis=rank`, operation);
    await page.evaluate(() => (location.hash = "#op=42"));
    await until(page, () => window.porpentine.selected() === 42 && window.porpentine.view().axis === "time");
    await page.evaluate(() => (location.hash = "#op=4200&key=77"));
    await page.waitForTimeout(50);
    assert.equal(await selected(page), 42);
  }
);

check(
  "r changes the axis and keeps what is selected in view",
  () => register({operations: 3000, stale: true}),
  {},
  async (page) => {
    const operation = await selected(page);
    for (const axis of ["rank", "time"]) {
      await press(page, "r");
      assert.equal((await view(page)).axis, axis);
      assert.ok((await visible(page)).includes(operation));
    }
  }
);

check("l changes the lanes", lostAppend, {}, async (page) => {
  await press(page, "l");
  assert.equal((await view(page)).lanes, "key");
  assert.ok((await visible(page)).includes(await selected(page)));
  await page.locator("#lanes").click();
  assert.equal((await view(page)).lanes, "process");
});

// Zoom and pan

check(
  "the wheel zooms at the pointer, with shift it pans",
  () => register({operations: 1000}),
  {},
  async (page) => {
    const box = await page.locator("#timeline").boundingBox();
    const [x, y] = [box.x + 500, box.y + 100];
    const valueAt = ({from, to}) => from + ((500 - 132) / (box.width - 132)) * (to - from);
    await page.mouse.move(x, y);
    const before = await view(page);
    await page.mouse.wheel(0, -300);
    await until(
      page,
      (span) => window.porpentine.view().to - window.porpentine.view().from < span,
      before.to - before.from
    );
    const near = await view(page);
    assert.ok(Math.abs(valueAt(near) - valueAt(before)) < (before.to - before.from) / 1000);
    await page.keyboard.down("Shift");
    await page.mouse.wheel(0, 100);
    await page.keyboard.up("Shift");
    await until(page, (from) => window.porpentine.view().from > from, near.from);
    const moved = await view(page);
    assert.ok(Math.abs((moved.to - moved.from) / (near.to - near.from) - 1) < 1e-9);
  }
);

check(
  "dragging pans, a double click zooms, and neither selects by accident",
  () => register({operations: 1000}),
  {},
  async (page) => {
    await press(page, "+ + + +");
    const before = await view(page);
    await page.mouse.move(600, 300);
    await page.mouse.down();
    await page.mouse.move(500, 300, {steps: 4});
    await page.mouse.up();
    const after = await view(page);
    assert.ok(after.from > before.from);
    assert.equal(await selected(page), -1);
    await page.mouse.dblclick(600, 600);
    const near = await view(page);
    assert.ok(near.to - near.from < (after.to - after.from) / 3);
  }
);

check(
  "the minimap's window can be dragged",
  () => register({operations: 1000}),
  {},
  async (page) => {
    await press(page, "+ + + +");
    const box = await page.locator("#minimap").boundingBox();
    const before = await view(page);
    await page.mouse.click(box.x + box.width * 0.8, box.y + 20);
    const there = await view(page);
    assert.ok(there.from > before.to);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.4, box.y + 20, {steps: 3});
    await page.mouse.up();
    assert.ok((await view(page)).to < there.from);
  }
);

check("hovering shows a tooltip", staleRead, {}, async (page) => {
  const {x, y, width} = await at(page, 3);
  await page.mouse.move(x + width / 2, y + 8);
  assert.match(await text(page, "tooltip"), /read\(\) -> "red".*#3, process 3, line 5.*saw "red"/s);
  await page.mouse.move(x + width / 2, y + 300);
  assert.equal(await page.locator("#tooltip").isVisible(), false);
});

check(
  "many lanes scroll",
  () => register({operations: 3000, processes: 60}),
  {},
  async (page) => {
    const box = await page.locator("#timeline").boundingBox();
    await page.mouse.move(box.x + 20, box.y + 200);
    await page.mouse.wheel(0, 600);
    await until(page, () => window.porpentine.view().top === 600);
    await page.locator("#scroller").evaluate((scroller) => (scroller.scrollTop = 100));
    await until(page, () => Math.abs(window.porpentine.view().top - 100) < 2);
  }
);

// All sorts of people and devices

check(
  "a phone's width: the panel is below, a tap selects, two fingers zoom",
  staleRead,
  {viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true},
  async (page) => {
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 390));
    const [stage, panel] = [await page.locator("#stage").boundingBox(), await page.locator("#panel").boundingBox()];
    assert.ok(panel.y >= stage.y + stage.height - 1);
    const {x, y, width, height} = await at(page, 0);
    await page.touchscreen.tap(x + width / 2, y + height / 2);
    assert.equal(await selected(page), 0);
    const before = await view(page);
    const session = await page.context().newCDPSession(page);
    const touch = (type, ...points) =>
      session.send("Input.dispatchTouchEvent", {type, touchPoints: points.map((at, id) => ({x: at, y: 500, id}))});
    await touch("touchStart", 200, 240);
    await touch("touchMove", 150, 290);
    await touch("touchMove", 120, 330);
    await touch("touchEnd");
    const after = await view(page);
    assert.ok(after.to - after.from < (before.to - before.from) / 2);
  }
);

const brightness = (page) =>
  page.evaluate(() => Number(getComputedStyle(document.body).backgroundColor.match(/\d+/)[0]));

check("dark where the system is dark, and a button turns it", staleRead, {colorScheme: "dark"}, async (page) => {
  assert.ok((await brightness(page)) < 80);
  await page.locator("#theme").click();
  assert.ok((await brightness(page)) > 200);
  await page.locator("#theme").click();
  assert.ok((await brightness(page)) < 80);
});

check("light where the system is light", staleRead, {colorScheme: "light"}, async (page) => {
  assert.ok((await brightness(page)) > 200);
  await page.locator("#theme").click();
  assert.ok((await brightness(page)) < 80);
});

check("every control can be reached by Tab and has a name", lostAppend, {}, async (page) => {
  const reached = new Set();
  for (let i = 0; i < 60; ++i) {
    await page.keyboard.press("Tab");
    const {id, name} = await page.evaluate(() => {
      const {id, ariaLabel, innerText} = document.activeElement;
      return {id, name: ariaLabel || innerText || document.activeElement.getAttribute("aria-labelledby")};
    });
    if (id) assert.ok(name, id);
    reached.add(id);
  }
  for (const id of [
    "search",
    "found-next",
    "core",
    "axis",
    "lanes",
    "zoom-in",
    "fit",
    "theme",
    "help-open",
    "timeline",
    "partition-list"
  ]) {
    assert.ok(reached.has(id), id);
  }
});

check("partitions are chosen with the keyboard alone", lostAppend, {}, async (page) => {
  await page.locator("#partition-list").focus();
  await press(page, "ArrowDown");
  assert.equal((await view(page)).partition, 1);
  await press(page, "Home");
  assert.equal((await view(page)).partition, -1);
});

check("? tells the keys, and Escape closes that", staleRead, {}, async (page) => {
  await press(page, "?");
  assert.ok(await page.locator("#help").isVisible());
  await press(page, "Escape");
  assert.equal(await page.locator("#help").isVisible(), false);
  assert.equal(await selected(page), 4);
});

// Text that is not kind

check("hostile text is text", hostile, {}, async (page) => {
  assert.equal(await page.title(), 'a</title><script>document.title="broken"</script>.jsonl: invalid');
  assert.equal(await page.locator("b, img, i").count(), 0);
  await page.evaluate(() => (location.hash = "#op=3"));
  await until(page, () => window.porpentine.selected() === 3);
  const panel = await text(page, "selection");
  assert.ok(panel.includes("\\u202edetrevni") && !panel.includes("\u202e"));
  await page.evaluate(() => (location.hash = "#op=11"));
  await until(page, () => window.porpentine.selected() === 11);
  assert.match(await text(page, "selection"), /input\s+-9223372036854775808/);
  assert.match(await text(page, "selection"), /output\s+18446744073709551615/);
  await press(page, "Home Escape");
});

check("of a megabyte of text the beginning is shown, and all on demand", hostile, {hash: "#op=9"}, async (page) => {
  const input = page.locator("#selection dd").filter({hasText: "xxxxx"}).first();
  assert.ok((await input.locator(".value").innerText()).length < 2100);
  await input.getByRole("button", {name: "show all 1,048,578 characters"}).click();
  assert.equal((await input.locator(".value").textContent()).length, 1_048_578);
});

check(
  "a value is copied as it is in the history",
  hostile,
  {hash: "#op=3", permissions: ["clipboard-read", "clipboard-write"]},
  async (page) => {
    await page.evaluate(() => (location.hash = "#op=2"));
    await until(page, () => window.porpentine.selected() === 2);
    await page.locator("#selection").getByRole("button", {name: "copy"}).first().click();
    await page.locator("#selection").getByRole("button", {name: "copied"}).first().waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), JSON.stringify("\"quotes\" and \\ 'more'"));
  }
);

// Without scripts, and on paper

check("the verdict and the core can be read without scripts", lostAppend, {javaScriptEnabled: false}, async (page) => {
  const summary = await text(page, "summary");
  assert.match(summary, /orders\.jsonl\s+invalid/);
  assert.match(summary, /can't be placed: offset 11 was given/);
  assert.match(summary, /was told the same offset later/);
  assert.equal(await page.locator("#summary tbody tr").count(), 2);
  assert.equal(await page.locator("#app").isVisible(), false);
});

check("on paper there is the summary alone", lostAppend, {}, async (page) => {
  await page.emulateMedia({media: "print"});
  assert.equal(await page.locator("#app").isVisible(), false);
  assert.equal(await page.locator("#summary table").isVisible(), true);
  assert.ok(await page.evaluate(() => getComputedStyle(document.body).overflow !== "hidden"));
});

test("a browser that can't inflate says so, and the summary stays", async () => {
  const {page, close} = await open(staleRead(), {init: () => delete window.DecompressionStream});
  assert.match(await text(page, "status"), /The timeline can't be shown: this browser can't inflate data/);
  assert.equal(await page.locator("#summary table").isVisible(), true);
  await close();
});
