// Colours, and the shapes of operations. Each kind has a shape of its own, so that nothing rests on colour alone.

const FONT = 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace';
const COLOURS = /** @type {const} */ ([
  "ground",
  "lane",
  "line",
  "ink",
  "muted",
  "many",
  "failing",
  "on-failing",
  "core",
  "refused",
  "hit",
  "accent",
  "band",
  "band-edge",
  "f0",
  "f1",
  "f2",
  "f3",
  "f4"
]);
const FUNCTION_COLOURS = 5;

/** @typedef {Record<typeof COLOURS[number], string>} Palette */

/**
 * The colours that the style sheet has for the page's scheme.
 * @param {HTMLElement} probe
 * @returns {Palette}
 */
function readPalette(probe) {
  const palette = /** @type {Palette} */ ({});
  for (const name of COLOURS) {
    probe.style.color = `var(--${name})`;
    palette[name] = getComputedStyle(probe).color;
  }
  return palette;
}

/** From light to dark, or back. */
function toggleScheme() {
  const root = document.documentElement;
  const scheme = getComputedStyle(root).colorScheme;
  const dark = scheme === "dark" || (scheme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  root.style.colorScheme = dark ? "light" : "dark";
}

/**
 * The colour of each function, by the order of their names: the same on pages of the same functions.
 * @param {string[]} functions
 * @returns {("f0" | "f1" | "f2" | "f3" | "f4")[]}
 */
function functionColours(functions) {
  const sorted = [...functions].sort();
  return functions.map((name) => /** @type {"f0"} */ (`f${sorted.indexOf(name) % FUNCTION_COLOURS}`));
}

/**
 * @typedef {object} Bar
 * @property {number} x         may lie outside of the canvas
 * @property {number} right
 * @property {number} y
 * @property {number} outcome
 * @property {string} colour
 * @property {number} leftmost  what is seen of it lies between these
 * @property {number} rightmost
 */

const LEAST_WIDTH = 2;

/**
 * What of a bar is on the canvas.
 * @param {Bar} bar
 */
function extentOf(bar) {
  const left = Math.max(bar.x, bar.leftmost - 20);
  const right = Math.min(Math.max(bar.right, bar.x + LEAST_WIDTH), bar.rightmost + 20);
  return {left, width: Math.max(right - left, 0)};
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Bar} bar
 */
function paintBar(context, bar) {
  const {left, width} = extentOf(bar);
  const {y, colour} = bar;
  if (bar.outcome === FAIL) {
    context.strokeStyle = colour;
    context.lineWidth = 1;
    if (width > 6) {
      context.setLineDash([3, 3]);
      context.strokeRect(left + 0.5, y + 0.5, width - 1, BAR_HEIGHT - 1);
      context.setLineDash([]);
    } else {
      // As hollow as there is room for.
      context.fillStyle = colour;
      context.fillRect(left, y, width, 3);
      context.fillRect(left, y + BAR_HEIGHT - 3, width, 3);
    }
    return;
  }
  if (bar.outcome >= INFO && width > 6) {
    const whole = bar.right - bar.x;
    const fade = (/** @type {number} */ at) => 1 - 0.93 * Math.min(Math.max((at - bar.x) / whole, 0), 1) ** 0.6;
    const gradient = context.createLinearGradient(left, 0, left + width, 0);
    const [r, g, b] = channels(colour);
    for (const stop of [0, 0.1, 0.3, 1])
      gradient.addColorStop(stop, `rgba(${r},${g},${b},${fade(left + stop * width)})`);
    context.fillStyle = gradient;
    context.globalAlpha = 0.42;
    context.fillRect(left, y, width, BAR_HEIGHT);
    context.globalAlpha = 1;
    context.fillRect(left, y, width, 1);
    context.fillRect(left, y + BAR_HEIGHT - 1, width, 1);
    context.fillRect(left, y, 3, BAR_HEIGHT);
    return;
  }
  context.fillStyle = colour;
  if (width > 6) {
    context.globalAlpha = 0.42;
    context.fillRect(left, y, width, BAR_HEIGHT);
    context.globalAlpha = 1;
    context.fillRect(left, y, 3, BAR_HEIGHT);
    context.fillRect(left + width - 1, y, 1, BAR_HEIGHT);
  } else {
    context.globalAlpha = 0.85;
    context.fillRect(left, y, width, BAR_HEIGHT);
    context.globalAlpha = 1;
  }
}

/**
 * @param {string} colour  as computed: rgb(r, g, b)
 */
function channels(colour) {
  return colour.match(/[\d.]+/g) ?? ["0", "0", "0"];
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Bar} bar
 * @param {string} colour
 * @param {number} thickness
 * @param {number[]} dash
 * @param {number} gap  to the bar
 */
function paintOutline(context, bar, colour, thickness, dash, gap) {
  const {left, width} = extentOf(bar);
  const out = gap + thickness / 2;
  context.strokeStyle = colour;
  context.lineWidth = thickness;
  context.setLineDash(dash);
  context.strokeRect(left - out, bar.y - out, width + 2 * out, BAR_HEIGHT + 2 * out);
  context.setLineDash([]);
}

/**
 * A sign at the upper left corner of a bar: a diamond for a member of the core, a cross for the operation that can't be
 * placed, a bar in a circle for one that a model refused.
 * @param {CanvasRenderingContext2D} context
 * @param {Bar} bar
 * @param {"core" | "failing" | "refused"} kind
 * @param {Palette} palette
 */
function paintSign(context, bar, kind, palette) {
  const x = Math.max(bar.x, bar.leftmost + 2);
  const y = bar.y;
  context.fillStyle = palette[kind];
  context.strokeStyle = palette.ground;
  context.lineWidth = 1.5;
  context.beginPath();
  if (kind === "core") {
    context.moveTo(x, y - 6);
    context.lineTo(x + 6, y);
    context.lineTo(x, y + 6);
    context.lineTo(x - 6, y);
    context.closePath();
  } else {
    context.arc(x, y, 6.5, 0, 2 * Math.PI);
  }
  context.stroke();
  context.fill();
  if (kind === "core") return;
  context.strokeStyle = palette["on-failing"];
  context.lineWidth = 1.8;
  context.beginPath();
  const arm = kind === "failing" ? 2.6 : 3.2;
  if (kind === "failing") {
    context.moveTo(x - arm, y - arm);
    context.lineTo(x + arm, y + arm);
    context.moveTo(x - arm, y + arm);
    context.lineTo(x + arm, y - arm);
  } else {
    context.moveTo(x - arm, y);
    context.lineTo(x + arm, y);
  }
  context.stroke();
}
