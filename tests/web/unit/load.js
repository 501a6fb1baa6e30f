// Runs a page's scripts without a browser and hands out what is asked for: they export nothing, being plain scripts.

import {readFileSync} from "node:fs";
import {order} from "../page.js";

/** Those of the history's page. */
export const load = (...names) => run(order("history"), names);
/** Those of the trace's page. */
export const loadTrace = (...names) => run(order("trace"), names);

function run(scripts, names) {
  const source = scripts
    .slice(0, scripts.indexOf("paint.js"))
    .map((name) => readFileSync(new URL(`../../../visualize/web/${name}`, import.meta.url), "utf8"))
    .join("");
  return new Function(`"use strict"; ${source}; return {${names.join(", ")}};`)();
}
