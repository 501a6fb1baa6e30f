// Data objects for the tests: what the C++ would write for histories made here. All of them are the same on every run.

/** Numbers from 0 to 1: mulberry32. */
export function seeded(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const OUTCOMES = ["ok", "fail", "info", "open"];

/** A number of JSON where a double holds it, or the text of its digits. */
const numeral = (big) => (big >= -(2n ** 53n) && big <= 2n ** 53n ? Number(big) : String(big));

/** Functions whose empty output says no more than that they returned. */
const SILENT = new Set(["write", "cas", "append", "put"]);

/**
 * A data object from operations in words:
 * {process, f, input, output, key, call, return, outcome, line, returnLine, metadata}, values as JSON texts.
 * The rest is that of the head, or of the columns: partitions, failures, orders, states, annotations.
 */
export function history({
  operations,
  title = "history.jsonl",
  model = "register",
  timeUnit = "ns",
  verdict = "valid",
  reason,
  partitions,
  partitionOf = () => 0,
  failures = [],
  orders,
  states,
  annotations = []
}) {
  const interned = (list = []) => {
    const places = new Map();
    return {
      list,
      id: (text) => {
        if (!places.has(text)) places.set(text, list.push(text) - 1);
        return places.get(text);
      }
    };
  };
  const values = interned();
  const processes = interned();
  const functions = interned();
  const stateTexts = interned();
  values.id("null");
  const columns = {
    values: values.list,
    process: [],
    f: [],
    key: [],
    input: [],
    output: [],
    outcome: [],
    call: [],
    took: [],
    line: [],
    returnLine: [],
    partition: []
  };
  const metadata = [];
  const keyed = operations.some((operation) => operation.key !== undefined);
  const returnsApart = operations.some((operation) => operation.returnLine !== undefined);
  let lastCall = 0n;
  let lastLine = 0;
  operations.forEach((operation, i) => {
    const outcome = OUTCOMES.indexOf(operation.outcome ?? "ok");
    const call = BigInt(operation.call);
    const line = operation.line ?? i + 2;
    columns.process.push(processes.id(JSON.stringify(operation.process)));
    columns.f.push(functions.id(operation.f));
    columns.input.push(values.id(operation.input ?? "null"));
    columns.output.push(values.id(operation.output ?? "null"));
    if (keyed) columns.key.push(operation.key === undefined ? -1 : values.id(operation.key));
    columns.outcome.push(outcome);
    columns.call.push(numeral(call - lastCall));
    columns.took.push(operation.return === undefined ? -1 : numeral(BigInt(operation.return) - call));
    columns.line.push(line - lastLine);
    if (returnsApart) columns.returnLine.push(operation.returnLine === undefined ? 0 : operation.returnLine - line);
    columns.partition.push(outcome === 1 ? -1 : partitionOf(operation, i));
    if (operation.metadata) metadata.push([i, values.id(operation.metadata)]);
    lastCall = call;
    lastLine = line;
  });
  const split = partitions ?? [{key: -1, verdict: verdict || "valid"}];
  const held = orders ?? split.map(() => []);
  const counts = split.map(() => ({operations: 0, indeterminate: 0}));
  columns.partition.forEach((partition, i) => {
    if (partition < 0) return;
    ++counts[partition].operations;
    if (columns.outcome[i] >= 2) ++counts[partition].indeterminate;
  });
  return {
    porpentine: 1,
    kind: "history",
    title,
    model,
    timeUnit,
    verdict,
    ...(reason ? {reason} : {}),
    operations: operations.length,
    processes: processes.list,
    functions: functions.list,
    silent: functions.list.flatMap((f, i) => (SILENT.has(f) ? [i] : [])),
    partitions: split.map((each, i) => ({
      verdict: "valid",
      engine: "search",
      reached: held[i].length,
      maxConcurrency: 0,
      ordered: held[i].length,
      ...counts[i],
      ...each,
      key: typeof each.key === "string" ? values.id(each.key) : -1
    })),
    failures: failures.map((failure) => ({partition: 0, longestPrefix: 0, core: [], stuck: [], ...failure})),
    columns: {
      ...columns,
      orders: held,
      states: (states ?? held.map(() => [])).map((each) =>
        each.map((text) => (text === "" ? -1 : stateTexts.id(text)))
      ),
      stateTexts: stateTexts.list,
      metadata,
      annotations
    }
  };
}

/** The README's history: once somebody has read "red", "blue" is gone. */
export function staleRead() {
  return history({
    title: "stale-read.jsonl",
    verdict: "invalid",
    operations: [
      {process: 0, f: "write", input: '"blue"', call: 0, return: 10},
      {process: 1, f: "write", input: '"red"', call: 20, outcome: "info"},
      {process: 2, f: "read", output: '"blue"', call: 30, return: 40},
      {process: 3, f: "read", output: '"red"', call: 35, return: 50},
      {process: 2, f: "read", output: '"blue"', call: 60, return: 70}
    ],
    orders: [[0, 2, 1, 3]],
    states: [['"blue"', "", '"red"', ""]],
    failures: [
      {
        operation: 4,
        message: 'read() -> "blue" by process 2 (line 6) can\'t be placed where the register holds "red"',
        longestPrefix: 3,
        core: [0, 1, 3, 4],
        reasons: {
          0: 'wrote "blue" before all others',
          1: 'wrote "red", at the latest when it was read',
          3: 'saw "red" and returned before the last read was called',
          4: 'saw "blue" again'
        },
        stuck: [{state: '"red"', order: [0, 2, 1, 3], placed: 4, refused: [[4, 'the register holds "red"']]}]
      }
    ]
  });
}

/**
 * A register under chaos: clients that read, write and compare-and-set, some of whose answers are lost, while a nemesis
 * cuts the network. Every operation takes effect at a moment of its own, so the order is right; with `stale`, one read
 * near the middle returns what was overwritten long before.
 */
export function register({
  operations: count,
  processes = 5,
  seed = 1,
  stale = false,
  nemesis = false,
  title = "register.jsonl"
}) {
  const random = seeded(seed);
  const free = new Array(processes).fill(0).map(() => Math.floor(random() * 1000));
  const names = new Array(processes).fill(0).map((_, i) => i);
  const planned = [];
  for (let i = 0; i < count; ++i) {
    const slot = free.indexOf(Math.min(...free));
    const call = free[slot] + 50 + Math.floor(random() * (random() < 0.02 ? 9000 : 700));
    const took = 120 + Math.floor(random() * random() * 2400);
    const dice = random();
    const outcome = dice < 0.015 ? "info" : dice < 0.03 ? "fail" : "ok";
    planned.push({process: names[slot], call, end: call + took, outcome, at: call + random() * took});
    free[slot] = call + took;
    if (outcome === "info") names[slot] += processes;
  }
  planned.sort((a, b) => a.call - b.call);
  const order = planned
    .map((_, i) => i)
    .filter((i) => planned[i].outcome !== "fail")
    .sort((a, b) => planned[a].at - planned[b].at);
  const states = [];
  let value = "null";
  let before = "null";
  const operations = planned.map(({process, call, end, outcome}, i) => ({
    process,
    call,
    outcome,
    line: 2 * i + 2,
    returnLine: 2 * i + 3,
    ...(outcome === "info" ? {} : {return: end}),
    f: "read"
  }));
  for (const i of [...order, ...planned.keys()]) {
    const operation = operations[i];
    if (operation.done) continue;
    operation.done = true;
    const dice = random();
    if (dice < 0.45) {
      if (operation.outcome === "ok") operation.output = value;
      if (operation.outcome !== "fail") states.push("");
      continue;
    }
    operation.f = dice < 0.85 ? "write" : "cas";
    const next = String(i + 1);
    const mismatch = operation.f === "cas" && random() < 0.4;
    operation.input = operation.f === "write" ? next : `[${mismatch ? 0 : value}, ${next}]`;
    if (operation.f === "cas" && operation.outcome === "ok") operation.output = String(!mismatch);
    if (operation.outcome === "fail") continue;
    if (!mismatch) [before, value] = [value, next];
    states.push(mismatch ? "" : `the register holds ${value}`);
  }
  const annotations = [];
  if (nemesis) {
    const last = planned[planned.length - 1].call;
    const faults = [
      ["kill", '"n1"'],
      ["partition", '[["n1"], ["n2", "n3"]]'],
      ["pause", '"n3"'],
      ["clock-skew", '{"n2": 250}']
    ];
    faults.forEach(([f, fault], i) =>
      annotations.push({
        time: Math.floor(last * (0.08 + i * 0.23)),
        end: Math.floor(last * (0.08 + i * 0.23 + 0.05 + 0.12 * random())),
        process: "nemesis",
        f,
        value: fault,
        line: 17 + i
      })
    );
    annotations.push({
      time: Math.floor(last * 0.62),
      process: "tester",
      f: "note",
      value: '"leader changed"',
      line: 99
    });
  }
  if (!stale) return history({title, operations, orders: [order], states: [states], annotations});

  const position = order.findIndex(
    (i, k) =>
      k > order.length / 2 &&
      operations[i].f === "read" &&
      operations[i].outcome === "ok" &&
      operations[i].output !== "null"
  );
  const failing = order[position];
  const current = operations[failing].output;
  const writer = (text) =>
    order.find(
      (i) => operations[i].f !== "read" && (operations[i].input === text || operations[i].input.endsWith(`, ${text}]`))
    );
  const calledBefore = (i) => operations[i].return < operations[failing].call;
  const second = order
    .slice(0, position)
    .reverse()
    .find((i) => operations[i].f === "write" && operations[i].outcome === "ok" && calledBefore(i));
  const first = order
    .slice(0, order.indexOf(second))
    .reverse()
    .find(
      (i) =>
        operations[i].f === "write" && operations[i].outcome === "ok" && operations[i].return < operations[second].call
    );
  before = operations[first].input;
  operations[failing].output = before;
  const prefix = order.slice(0, position);
  const running = prefix.slice(-3).map((i) => [i, "it was placed before"]);
  return history({
    title,
    verdict: "invalid",
    operations,
    orders: [prefix],
    states: [states.slice(0, position)],
    annotations,
    failures: [
      {
        operation: failing,
        longestPrefix: position,
        message:
          `read() -> ${before} by process ${operations[failing].process} (line ${operations[failing].line}) ` +
          `can't be placed where the register holds ${current}`,
        core: [first, second, failing],
        reasons: {
          [first]: `wrote ${before}`,
          [second]: `overwrote it, and returned before the read was called`,
          [failing]: `read ${before} again`
        },
        stuck: [
          {
            state: `the register holds ${current}`,
            order: prefix.slice(-20),
            placed: position,
            refused: [[failing, `the register holds ${current}`], ...running.slice(0, 1)]
          },
          {
            state: `the register holds ${operations[writer(current) ?? second].input}`,
            order: prefix.slice(-12),
            placed: position - 1,
            refused: [[failing, `the register holds ${operations[second].input}`], ...running]
          }
        ]
      }
    ]
  });
}

/** A log per key, of which one acknowledged append to "orders" is lost: a later reader finds another record there. */
export function lostAppend({keys = ["orders", "payments", "users", "carts"], each = 60, seed = 3} = {}) {
  const random = seeded(seed);
  const operations = [];
  let core = [];
  keys.forEach((key, k) => {
    const log = [];
    let now = 1_700_000_000_000_000_000n + BigInt(Math.floor(random() * 5e5));
    for (let i = 0; i < each; ++i) {
      const process = i % 4;
      const call = now + BigInt(Math.floor(random() * 90_000));
      const end = call + BigInt(60_000 + Math.floor(random() * 240_000));
      now += BigInt(110_000 + Math.floor(random() * 60_000));
      const base = {process: `client ${process}`, key: JSON.stringify(key), call, return: end, step: i};
      const lost = k === 0 && i === 32;
      if (i % 3 === 0 || log.length === 0 || lost) {
        const record = JSON.stringify(`${key}-${log.length}`);
        log.push(record);
        operations.push({...base, f: "append", input: record, output: String(log.length - 1)});
        if (lost) core.push(operations[operations.length - 1]);
      } else if (i % 3 === 1) {
        const offset = Math.floor(random() * log.length);
        operations.push({...base, f: "read", input: String(offset), output: log[offset]});
      } else {
        operations.push({
          ...base,
          f: "tail",
          output: String(log.length),
          ...(random() < 0.1 ? {outcome: "info", return: undefined, output: undefined} : {})
        });
      }
      now += BigInt(Math.floor(random() * 90_000));
      if (lost) {
        log.pop();
        now = end + 50_000n;
        operations.push({
          ...base,
          process: "client 3",
          call: now,
          return: now + 150_000n,
          f: "append",
          input: '"orders-13b"',
          output: String(log.length)
        });
        log.push('"orders-13b"');
        core.push(operations[operations.length - 1]);
        now += 220_000n;
      }
    }
  });
  operations.sort((a, b) => (a.call < b.call ? -1 : a.call > b.call ? 1 : 0));
  // A client runs one operation at a time.
  const last = new Map();
  for (const operation of operations) {
    const name = operation.process;
    const until = last.get(name) ?? -1n;
    const free =
      until < operation.call
        ? name
        : (["client 4", "client 5", "client 6", "client 7", "client 8", "client 9", "client 10", "client 11"].find(
            (other) => (last.get(other) ?? -1n) < operation.call
          ) ?? "client 12");
    operation.process = free;
    last.set(free, operation.return ?? 2n ** 62n);
  }
  core = core.map((operation) => operations.indexOf(operation));
  const failing = core[1];
  const partition = keys.map((key) =>
    operations.flatMap((operation, i) => (operation.key === JSON.stringify(key) ? [i] : []))
  );
  const orders = partition.map((own, k) => (k === 0 ? own.slice(0, own.indexOf(failing)) : own));
  return history({
    title: "orders.jsonl",
    model: "log",
    verdict: "invalid",
    operations,
    partitions: keys.map((key, k) => ({
      key: JSON.stringify(key),
      verdict: k === 0 ? "invalid" : "valid",
      engine: "log"
    })),
    partitionOf: (operation) => keys.indexOf(JSON.parse(operation.key)),
    orders,
    states: orders.map((order) => {
      let length = 0;
      return order.map((i) =>
        operations[i].f === "append" ? `${++length} records, the last ${operations[i].input}` : ""
      );
    }),
    failures: [
      {
        partition: 0,
        operation: failing,
        longestPrefix: orders[0].length,
        message:
          `orders: append("orders-13b") -> ${operations[failing].output} by process ${operations[failing].process} ` +
          `(line ${failing + 2}) can't be placed: offset ${operations[failing].output} was given to ` +
          `${operations[core[0]].input} by an append that had returned before`,
        core,
        reasons: {
          [core[0]]: `was told offset ${operations[core[0]].output}, and had returned`,
          [failing]: "was told the same offset later"
        },
        stuck: [
          {
            state: `${Number(operations[failing].output) + 1} records, the last ${operations[core[0]].input}`,
            order: orders[0].slice(-20),
            placed: orders[0].length,
            refused: [[failing, `the next offset is ${Number(operations[failing].output) + 1}`]]
          }
        ]
      }
    ]
  });
}

/** Values that would break a page that takes them for markup, or lays them all out at once. */
export function hostile() {
  const texts = [
    '</script><script>document.title = "broken"</script>',
    "<img src=x onerror=alert(1)>",
    "\"quotes\" and \\ 'more'",
    "\u202Edetrevni",
    "\u0000\u0007\u001b[31m",
    "{{data}} $& $1",
    "<!-- <script>",
    "\u2028\u2029",
    "👩‍👩‍👧‍👦 ｗｉｄｅ",
    "x".repeat(1 << 20)
  ];
  const big = ["9223372036854775807", "-9223372036854775808", "18446744073709551615", "0.1e400"];
  const values = [...texts.map((text) => JSON.stringify(text)), ...big, `{"<b>": [${big}]}`];
  return history({
    title: 'a</title><script>document.title="broken"</script>.jsonl',
    verdict: "invalid",
    operations: values.map((value, i) => ({
      process: i % 2 === 0 ? texts[i % 4] : i,
      f: i === 1 ? "<b>read</b>" : "write",
      input: value,
      output: values[(i + 1) % values.length],
      call: BigInt(i) * 1000n,
      return: BigInt(i) * 1000n + 700n,
      metadata: i === 0 ? '{"node": "</script>"}' : undefined
    })),
    failures: [
      {
        operation: 2,
        message: `write(${values[2]}) </script><b>can't</b> \u202Ebe placed`,
        core: [0, 2],
        reasons: {0: "<b>bold</b>"},
        stuck: [{state: values[0], order: [0, 1], placed: 2, refused: [[2, values[9]]]}]
      }
    ],
    annotations: [{time: 1500, end: 2500, process: "<i>nemesis</i>", f: "</script>", value: values[3], line: 3}]
  });
}

/** Histories at the edges of what there can be. */
export const edges = {
  "no operations": () => history({operations: [], verdict: "valid"}),
  "one operation": () =>
    history({operations: [{process: 0, f: "read", call: 5, return: 5}], orders: [[0]], states: [["null"]]}),
  "all times equal": () =>
    history({
      operations: new Array(20)
        .fill(0)
        .map((_, i) => ({process: i % 4, f: "write", input: String(i), call: 7, return: 7})),
      orders: [Array.from({length: 20}, (_, i) => i)]
    }),
  "times over all of int64": () =>
    history({
      operations: [
        {process: 0, f: "write", input: "1", call: -(2n ** 63n), return: -(2n ** 63n) + 5n},
        {process: 1, f: "write", input: "2", call: 0, return: 2n ** 63n - 1n},
        {process: 0, f: "read", output: "2", call: 2n ** 63n - 2n, return: 2n ** 63n - 1n}
      ],
      orders: [[0, 1, 2]]
    }),
  "negative times": () =>
    history({
      operations: [
        {process: 0, f: "write", input: "1", call: -300, return: -200},
        {process: 1, f: "read", output: "1", call: -100, return: -50}
      ],
      orders: [[0, 1]]
    }),
  "only annotations": () => history({operations: [], annotations: [{time: 4, process: "nemesis", f: "kill", line: 1}]}),
  "no verdict": () => history({operations: [{process: 0, f: "read", call: 1, return: 2}], model: "", verdict: ""}),
  unknown: () =>
    history({
      operations: [{process: 0, f: "read", call: 1, return: 2}],
      verdict: "unknown",
      reason: "time-limit",
      partitions: [{verdict: "unknown", reason: "time-limit", indeterminate: 1, maxConcurrency: 3}]
    })
};

/** As many partitions as asked, of one operation each, of which one is invalid and one unknown. */
export function manyPartitions(count) {
  const operations = Array.from({length: count}, (_, i) => ({
    process: i % 7,
    f: "put",
    key: JSON.stringify(`k${i}`),
    input: "1",
    call: i * 10,
    return: i * 10 + 8
  }));
  return history({
    model: "kv",
    verdict: "invalid",
    operations,
    partitionOf: (_, i) => i,
    orders: operations.map((_, i) => [i]),
    partitions: operations.map(({key}, i) => ({
      key,
      verdict: i === count - 2 ? "invalid" : i === 5 ? "unknown" : "valid",
      ...(i === 5 ? {reason: "memory-limit"} : {})
    })),
    failures: [{partition: count - 2, operation: count - 2, message: "put(1) can't be placed", core: []}]
  });
}
