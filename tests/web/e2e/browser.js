// Opens pages from files in Chromium, and watches what they ask for and complain of. Chromium is what CHROMIUM names, or
// the system's, or else the one that playwright installs.

import assert from "node:assert/strict";
import {existsSync, mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {pathToFileURL} from "node:url";
import {after, before} from "node:test";
import {chromium} from "playwright-core";
import {page as build} from "../page.js";

const SYSTEM = "/usr/bin/chromium";

export async function launch() {
  const root = process.getuid?.() === 0;
  return chromium.launch({
    executablePath: process.env.CHROMIUM || (existsSync(SYSTEM) ? SYSTEM : undefined),
    args: root ? ["--no-sandbox"] : []
  });
}

export function folder() {
  const path = mkdtempSync(join(tmpdir(), "porpentine-page-"));
  return {
    path,
    /** Writes a page and returns its address. */
    write(name, history) {
      const file = join(path, name);
      writeFileSync(file, build(history));
      return pathToFileURL(file).href;
    },
    remove: () => rmSync(path, {recursive: true, force: true})
  };
}

/**
 * For a test file: `open(history, options)` and `visit(address, options)` give a page that is ready, with what it asked
 * for and complained of.
 */
export function pages() {
  let browser;
  let files;
  let count = 0;
  before(async () => {
    browser = await launch();
    files = folder();
  });
  after(async () => {
    await browser?.close();
    files?.remove();
  });
  async function visit(address, {hash = "", init, ...options} = {}) {
    const context = await browser.newContext({viewport: {width: 1280, height: 800}, ...options});
    const page = await context.newPage();
    const requests = [];
    const complaints = [];
    page.on("request", (request) => requests.push(request.url()));
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    if (init) await page.addInitScript(init);
    await page.goto(address + hash);
    if (options.javaScriptEnabled !== false) {
      // A page that packs its scripts starts them later, or says why it can't.
      await page.waitForFunction(() => window.porpentine || document.getElementById("status").textContent !== "");
      await page.evaluate(() => window.porpentine?.ready.catch(() => {}));
    }
    return {page, requests, complaints, address, close: () => context.close()};
  }
  return {visit, open: (history, options) => visit(files.write(`${++count}.html`, history), options)};
}

/** The page asked for nothing but itself, and complained of nothing. */
export function assertQuiet({requests, complaints, address}) {
  assert.deepEqual(complaints, []);
  assert.ok(
    requests.every((url) => url.split("#")[0] === address),
    requests.join(" ")
  );
}

export const text = (page, id) => page.locator(`#${id}`).innerText();
export const press = async (page, keys) => {
  for (const key of keys.split(" ")) await page.keyboard.press(key);
};
export const selected = (page) => page.evaluate(() => window.porpentine.selected());
export const view = (page) => page.evaluate(() => window.porpentine.view());
export const visible = (page) =>
  page.evaluate(
    () =>
      new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(window.porpentine.visible()))))
  );
export const at = (page, operation) => page.evaluate((i) => window.porpentine.at(i), operation);

/** Clicks the middle of an operation's bar. */
export async function click(page, operation) {
  const {x, y, width, height} = await at(page, operation);
  await page.mouse.click(x + width / 2, y + height / 2);
}

/** Waits until something that the page does by and by is so. */
export const until = (page, condition, argument) => page.waitForFunction(condition, argument);
