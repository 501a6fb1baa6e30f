// Prints how long pages take to open, and their frames while zooming and panning:
//     node measure.js [operations ...]

import {page as build, script, style} from "./page.js";
import {register} from "./histories.js";
import {folder, launch} from "./e2e/browser.js";

const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [100, 100_000, 1_000_000];
const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
const kilobytes = (text) => `${(Buffer.byteLength(text) / 1000).toFixed(1)} KB`;

console.log(`scripts ${kilobytes(script())}, style ${kilobytes(style())}`);
const browser = await launch();
const files = folder();
for (const operations of sizes) {
  const history = register({operations, processes: 25, stale: true, nemesis: true});
  const address = files.write(`${operations}.html`, history);
  const page = await browser.newPage({viewport: {width: 1280, height: 800}});
  const begun = Date.now();
  await page.goto(address, {waitUntil: "commit"});
  await page.evaluate(
    () =>
      new Promise((resume) => {
        const look = () => (window.porpentine ? resume(window.porpentine.ready) : setTimeout(look, 5));
        look();
      })
  );
  const ready = Date.now() - begun;
  const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0);
  console.log(
    `${operations} operations: page of ${kilobytes(build(history))}, ` +
      `first paint ${paint.toFixed(0)} ms, ready ${ready} ms`
  );
  for (const [name, event] of [
    ["zoom", {deltaY: -40}],
    ["zoom out", {deltaY: 60}],
    ["pan", {deltaY: 60, shiftKey: true}]
  ]) {
    await page.keyboard.press("0");
    const frames = await page.evaluate(
      (wheel) =>
        new Promise((done) => {
          const canvas = document.getElementById("timeline");
          const times = [];
          const drawn = [];
          let last = 0;
          const next = (now) => {
            if (last > 0) times.push(now - last);
            drawn.push(window.porpentine.frame());
            last = now;
            canvas.dispatchEvent(
              new WheelEvent("wheel", {bubbles: true, cancelable: true, clientX: 600, clientY: 400, ...wheel})
            );
            if (times.length < 90) requestAnimationFrame(next);
            else done({times, drawn});
          };
          requestAnimationFrame(next);
        }),
      event
    );
    const [slowest, slowestDrawn] = [Math.max(...frames.times), Math.max(...frames.drawn)];
    console.log(
      `  ${name}: frame to frame ${median(frames.times).toFixed(1)} ms, at most ${slowest.toFixed(1)}; ` +
        `drawing ${median(frames.drawn).toFixed(1)} ms, at most ${slowestDrawn.toFixed(1)}`
    );
  }
  const search = await page.evaluate(
    () =>
      new Promise((done) => {
        const field = document.getElementById("search");
        field.value = "999";
        const begun = performance.now();
        let last = begun;
        let longest = 0;
        const look = () => {
          longest = Math.max(longest, performance.now() - last);
          last = performance.now();
          if (/found$/.test(document.getElementById("found").textContent)) {
            done({took: last - begun, longest, found: document.getElementById("found").textContent});
          } else {
            setTimeout(look);
          }
        };
        field.dispatchEvent(new Event("input"));
        look();
      })
  );
  console.log(
    `  search: ${search.found} in ${search.took.toFixed(0)} ms, blocked for ${search.longest.toFixed(0)} ms at most`
  );
  await page.close();
}
files.remove();
await browser.close();
