// Times in words. A history counts them in a unit of its own: mostly nanoseconds, or "event", the order of its lines.

/** @type {Record<string, number>} */
const SECONDS = {ns: 1e-9, us: 1e-6, µs: 1e-6, ms: 1e-3, s: 1};

/** @type {[number, string][]} */
const UNITS = [
  [1, "s"],
  [1e-3, "ms"],
  [1e-6, "µs"],
  [1e-9, "ns"]
];

/**
 * The smallest of 1, 2, 5, 10, 20, ... that is at least this.
 * @param {number} least
 */
function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5, 10].find((each) => each * power >= least * (1 - 1e-9)) ?? 10;
  return factor * power;
}

/**
 * A number without noise in the last digits of its double, and with no exponent where it can be read without.
 * @param {number} value
 * @param {number} decimals
 */
function decimal(value, decimals) {
  if (Math.abs(value) >= 1e15) return value.toExponential(3);
  const text = value.toFixed(Math.min(Math.max(decimals, 0), 12));
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/**
 * A time since the start of the history, as precise as marks `step` apart need.
 * @param {number} time
 * @param {number} step
 * @param {string} unit
 */
function tickText(time, step, unit) {
  const seconds = SECONDS[unit];
  if (seconds === undefined) return decimal(time, Math.ceil(-Math.log10(step)));
  const [size, name] = UNITS.find(([each]) => Math.abs(time) * seconds >= each * 0.9999999) ?? UNITS[3];
  return `${decimal((time * seconds) / size, Math.ceil(-Math.log10((step * seconds) / size) - 1e-9))} ${name}`;
}

/**
 * How long something took, to four digits where the unit is one of time.
 * @param {bigint} duration
 * @param {string} unit
 */
function roughDuration(duration, unit) {
  const seconds = SECONDS[unit];
  const value = Number(duration) * (seconds ?? 0);
  const [size, name] = UNITS.find(([each]) => value >= each) ?? UNITS[3];
  if (seconds === undefined || name === unit) return `${duration} ${unitText(unit, duration)}`;
  return `${Number((value / size).toPrecision(4))} ${name}`;
}

/**
 * The same, and exactly.
 * @param {bigint} duration
 * @param {string} unit
 */
function durationText(duration, unit) {
  const rough = roughDuration(duration, unit);
  const exact = `${duration} ${unitText(unit, duration)}`;
  return rough === exact ? exact : `${rough} (${exact})`;
}

/**
 * A moment as the history has it, and since its start as the axis has it.
 * @param {bigint} time
 * @param {bigint} origin  the first time of the history
 * @param {string} unit
 */
function momentText(time, origin, unit) {
  if (unit === "event") return `event ${time}`;
  const exact = `${time} ${unit}`;
  return origin === 0n || SECONDS[unit] === undefined ? exact : `${exact} (+${roughDuration(time - origin, unit)})`;
}

/**
 * @param {string} unit
 * @param {bigint} [count]
 */
function unitText(unit, count = 2n) {
  return unit === "event" ? (count === 1n ? "event" : "events") : unit;
}
