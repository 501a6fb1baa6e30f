// The pointer on the timeline: one drags, two pinch, the wheel zooms.

/** A press that moves less than this is a click. */
const CLICK_REACH = 4;

/**
 * @param {{canvas: HTMLCanvasElement, gutter: number, pan: (dx: number, dy: number) => void,
 *     zoom: (factor: number, x?: number) => void}} timeline
 * @param {{hover: (x: number, y: number) => void, leave: () => void, click: (x: number, y: number) => void}} told
 */
function watchGestures(timeline, told) {
  const {canvas} = timeline;
  /** @type {Map<number, {x: number, y: number}>} */
  const pointers = new Map();
  let moved = 0;
  let wasPinch = false;

  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    if (pointers.size === 0) {
      moved = 0;
      wasPinch = false;
    }
    pointers.set(event.pointerId, {x: event.offsetX, y: event.offsetY});
    if (pointers.size > 1) wasPinch = true;
  });

  canvas.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    const [x, y] = [event.offsetX, event.offsetY];
    if (!before) {
      told.hover(x, y);
      return;
    }
    moved += Math.abs(x - before.x) + Math.abs(y - before.y);
    if (moved < CLICK_REACH) return;
    told.leave();
    pointers.set(event.pointerId, {x, y});
    if (pointers.size === 1) {
      timeline.pan(before.x - x, before.y - y);
    } else if (pointers.size === 2) {
      const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1] ?? {x, y};
      const distance = (/** @type {number} */ toX, /** @type {number} */ toY) =>
        Math.hypot(toX - other.x, toY - other.y);
      timeline.zoom(distance(before.x, before.y) / Math.max(distance(x, y), 1), (x + other.x) / 2);
      timeline.pan((before.x - x) / 2, (before.y - y) / 2);
    }
  });

  canvas.addEventListener("pointerup", (event) => {
    if (!pointers.delete(event.pointerId)) return;
    if (pointers.size === 0 && !wasPinch && moved < CLICK_REACH) told.click(event.offsetX, event.offsetY);
  });
  canvas.addEventListener("pointercancel", (event) => pointers.delete(event.pointerId));
  canvas.addEventListener("pointerleave", () => told.leave());
  canvas.addEventListener("dblclick", (event) => timeline.zoom(0.25, event.offsetX));

  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const scale =
        event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 400;
      const [dx, dy] = [event.deltaX * scale, event.deltaY * scale];
      if (event.offsetX < timeline.gutter && !event.ctrlKey) timeline.pan(dx, dy);
      else if (event.shiftKey) timeline.pan(dx + dy, 0);
      else if (Math.abs(dx) > Math.abs(dy)) timeline.pan(dx, 0);
      // A pinch on a touchpad comes as a wheel with the control key, in smaller steps.
      else timeline.zoom(Math.exp(Math.min(Math.max(dy, -200), 200) * (event.ctrlKey ? 0.01 : 0.0025)), event.offsetX);
    },
    {passive: false}
  );
}
