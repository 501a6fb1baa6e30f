// Runs the page's scripts without a browser and hands out what is asked for: they export nothing, being plain scripts.

import {readFileSync} from "node:fs";
import {order} from "../page.js";

const PURE = order.slice(0, order.indexOf("paint.js"));

export function load(...names) {
  const source = PURE.map((name) =>
    readFileSync(new URL(`../../../visualize/web/${name}`, import.meta.url), "utf8")
  ).join("");
  return new Function(`"use strict"; ${source}; return {${names.join(", ")}};`)();
}
