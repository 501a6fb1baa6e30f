// Builds a page from the template and a data object, as the C++ does, but leaves the scripts unpacked: what goes wrong
// in them is then told with its place.

import {readFileSync} from "node:fs";
import {deflateRawSync} from "node:zlib";

const WEB = new URL("../../visualize/web/", import.meta.url);
const read = (name) => readFileSync(new URL(name, WEB), "utf8");

/** The scripts of a page, "history" or "trace". */
export function order(page) {
  return read(`${page}_order.txt`)
    .split("\n")
    .filter((name) => name !== "");
}

/** The scripts as they stand in the page: without comments of whole lines, and without indentation. */
export function script() {
  return `(() => {\n"use strict";\n${order("history").map((name) => plain(read(name))).join("")}})();`;
}

export function style() {
  return plain(read("page.css"));
}

function plain(text) {
  return text
    .replace(/^ *\/\*[^]*?\*\/\n/gm, "")
    .replace(/^ *\/\/.*\n/gm, "")
    .replace(/^ +|^\n/gm, "");
}

/** A history as a page holds it, and decodeHistory takes it: the head, and what is deflated. */
export function split({columns, partitions, failures, ...head}) {
  return [head, {...columns, partitions, failures}];
}

/** What the page embeds of a history. */
export function data(history) {
  const [head, columns] = split(history);
  const deflated = deflateRawSync(Buffer.from(JSON.stringify(columns)), {level: 6}).toString("base64");
  return JSON.stringify({...head, columns: deflated}).replaceAll("<", "\\u003c");
}

export function page(history) {
  const parts = {
    title: escaped(`${history.title}: ${history.verdict || "history"}`),
    style: style(),
    summary: summary(history),
    data: data(history),
    script: script()
  };
  return read("history.html").replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name]);
}

/** Text for HTML. Characters that would not be seen, or would turn the direction of others, are written as escapes. */
export function escaped(text) {
  return String(text)
    .replace(
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
      (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0")
    )
    .replace(/[&<>"]/g, (c) => ({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})[c]);
}

const cut = (text, length) => (text.length > length ? text.slice(0, length) + "…" : text);

/** The first ten violations are written out; the timeline has all. */
const MOST_FAILURES = 10;
const MOST_UNDECIDED = 10;

/** The summary that can be read without scripts and on paper. */
export function summary(history) {
  const {title, verdict, reason, model, operations, processes, partitions, failures} = history;
  const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;
  const facts = [
    model,
    count(operations, "operation"),
    count(processes.length, "process").replace("sss", "sses"),
    partitions.length > 1 ? count(partitions.length, "partition") : "",
    failures.length > 1 ? count(failures.length, "violation") : ""
  ];
  const badge = verdict
    ? ` <span class="badge ${verdict}">${verdict}${reason ? `: ${escaped(reason)}` : ""}</span>`
    : "";
  const lines = [
    '<div class="verdict">',
    `<h1>${escaped(title)}${badge}</h1>`,
    `<p class="facts">${escaped(facts.filter((fact) => fact !== "").join(" · "))}</p>`,
    "</div>"
  ];
  for (const failure of failures.slice(0, MOST_FAILURES)) lines.push(...failureSummary(history, failure));
  if (failures.length > MOST_FAILURES) {
    lines.push(`<p class="more">${count(failures.length - MOST_FAILURES, "more violation")} in the timeline.</p>`);
  }
  const undecided = partitions.filter((each) => each.verdict === "unknown");
  for (const each of undecided.slice(0, MOST_UNDECIDED)) {
    const name = each.key < 0 ? "" : `key ${history.columns.values[each.key]}: `;
    const doubt = each.indeterminate > 0 ? `, ${each.indeterminate} of them indeterminate` : "";
    const together = each.maxConcurrency > 1 ? `, up to ${each.maxConcurrency} at once` : "";
    const progress = `${name}placed ${each.reached} of ${count(each.operations, "operation")}${doubt}${together}`;
    lines.push(`<p class="undecided">${escaped(cut(progress, 2000))}</p>`);
  }
  if (undecided.length > MOST_UNDECIDED) {
    const more = count(undecided.length - MOST_UNDECIDED, "more undecided partition");
    lines.push(`<p class="more">${more} in the timeline.</p>`);
  }
  return lines.join("\n");
}

/** A name without the quotes of JSON. */
const unquoted = (json) => (json.startsWith('"') ? JSON.parse(json) : json);

function failureSummary({columns, functions, silent, processes, partitions, timeUnit, failures}, failure) {
  const {values} = columns;
  const key = partitions[failure.partition]?.key ?? -1;
  const of = partitions.length > 1 && key >= 0 ? ` of ${cut(unquoted(values[key]), 200)}` : "";
  const lines = [
    '<section class="failure">',
    `<h2>${failures.length > 1 ? `Violation ${failures.indexOf(failure) + 1}` : "Violation"}${escaped(of)}</h2>`,
    `<p class="message">${escaped(cut(failure.message, 2000))}</p>`
  ];
  const {length} = failure.core;
  if (length > 0) {
    const told =
      length === 1
        ? "1 operation that can't be placed in any order"
        : `${length} operations that can't be ordered by themselves`;
    lines.push(
      "<table>",
      `<caption>The core: ${told}</caption>`,
      '<thead><tr><th class="number">line</th><th>process</th><th>operation</th>' +
        `<th class="number">call (${escaped(timeUnit)})</th>` +
        '<th class="number">return</th><th>what it shows</th></tr></thead>',
      "<tbody>"
    );
    const times = exactTimes(columns);
    for (const i of failure.core) {
      const outcome = columns.outcome[i];
      const input = values[columns.input[i]];
      const f = columns.f[i];
      const output = values[columns.output[i]];
      const result =
        outcome === 1
          ? " -> failed"
          : outcome > 1
            ? " -> ?"
            : output === "null" && silent.includes(f)
              ? ""
              : ` -> ${cut(output, 200)}`;
      const failing = i === failure.operation;
      const shows = [failure.reasons?.[i] ?? "", failing ? "can't be placed" : ""].filter((each) => each !== "");
      const label = `${functions[f]}(${input === "null" ? "" : cut(input, 200)})${result}`;
      lines.push(
        `<tr${failing ? ' class="failing"' : ""}><td class="number">${times[i].line}</td>` +
          `<td>${escaped(cut(unquoted(processes[columns.process[i]]), 200))}</td>` +
          `<td><code>${escaped(label)}</code></td>` +
          `<td class="number">${times[i].call}</td><td class="number">${times[i].end ?? ""}</td>` +
          `<td>${escaped(shows.join("; "))}</td></tr>`
      );
    }
    lines.push("</tbody>", "</table>");
  }
  lines.push("</section>");
  return lines;
}

function exactTimes({call, took, line}) {
  let time = 0n;
  let at = 0;
  return call.map((difference, i) => {
    time += BigInt(difference);
    at += line[i];
    return {call: time, end: took[i] === -1 ? undefined : time + BigInt(took[i]), line: at};
  });
}
