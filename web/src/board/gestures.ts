// Pointer and wheel events on the board. A drag never picks a place; a tap never moves the board.

import type { Place } from "../game/places.ts";
import type { BoardState } from "./board.svelte.ts";

interface Handlers {
  /** a tap or click on a place, choosable or not, and the type of the pointer */
  tapped: (target: Place | null, pointer: string) => void;
  /** the place under the mouse changed */
  hovered: (target: Place | null) => void;
}

const DRAG = { mouse: 5, touch: 10, pen: 8 } as Record<string, number>; // movement from which a press is a drag, in pixels
const DOUBLE_TIME = 320; // most milliseconds between the taps of a double tap
const DOUBLE_DISTANCE = 32; // most pixels between them
const CLOSER = 1.8; // zoom factor of a double tap
const FRICTION = 0.0045; // share of its speed that the moving board loses per millisecond after a release
const SLOWEST = 0.03; // pixels per millisecond at which it stops

/** An attachment that moves the board and reports taps. `inertia`: whether the board moves on after a release. */
export function gestures(board: BoardState, handlers: Handlers, inertia: () => boolean) {
  return (element: HTMLElement): (() => void) => {
    const down = new Map<number, { x: number; y: number }>();
    let start = { x: 0, y: 0 };
    let dragged = false;
    let last = { time: -Infinity, x: 0, y: 0 };
    let speed = { x: 0, y: 0, time: 0 };
    let frame = 0;

    const at = (event: PointerEvent | WheelEvent): { x: number; y: number } => {
      const box = element.getBoundingClientRect();
      return { x: event.clientX - box.left, y: event.clientY - box.top };
    };
    const span = (): { x: number; y: number; size: number } => {
      const [one = { x: 0, y: 0 }, other = one] = down.values();
      const size = Math.hypot(one.x - other.x, one.y - other.y);
      return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2, size };
    };

    const press = (event: PointerEvent): void => {
      if (event.button) return;
      cancelAnimationFrame(frame);
      board.gliding = false;
      const point = at(event);
      if (down.size === 0) [start, dragged, speed] = [point, false, { x: 0, y: 0, time: event.timeStamp }];
      else dragged = true;
      down.set(event.pointerId, point);
      element.setPointerCapture(event.pointerId);
    };

    const move = (event: PointerEvent): void => {
      const point = at(event);
      if (!down.has(event.pointerId)) {
        if (event.pointerType === "mouse") handlers.hovered(board.hit(point.x, point.y));
        return;
      }
      const threshold = DRAG[event.pointerType] ?? 8;
      if (!dragged && Math.hypot(point.x - start.x, point.y - start.y) < threshold) return;
      if (!dragged) {
        dragged = true;
        handlers.hovered(null);
        down.set(event.pointerId, point); // the board does not jump when the drag begins
        return;
      }
      const before = span();
      down.set(event.pointerId, point);
      const after = span();
      const [dx, dy] = [after.x - before.x, after.y - before.y];
      board.pan(dx, dy);
      if (down.size > 1 && before.size > 0) board.zoom(after.size / before.size, after.x, after.y);
      const time = Math.max(1, event.timeStamp - speed.time);
      speed = { x: dx / time, y: dy / time, time: event.timeStamp };
    };

    const release = (event: PointerEvent): void => {
      if (!down.delete(event.pointerId) || down.size > 0) return;
      if (dragged) {
        if (event.timeStamp - speed.time < 60) toss();
        return;
      }
      if (event.type === "pointercancel") return;
      const { x, y } = at(event);
      const target = board.hit(x, y);
      const near = Math.hypot(x - last.x, y - last.y) < DOUBLE_DISTANCE;
      const again = near && event.timeStamp - last.time < DOUBLE_TIME;
      last = { time: again || board.canChoose(target) ? -Infinity : event.timeStamp, x, y };
      if (again && !board.canChoose(target)) {
        board.gliding = true;
        board.zoom(CLOSER, x, y);
      } else handlers.tapped(target, event.pointerType);
    };

    const toss = (): void => {
      let time = performance.now();
      const fly = (now: number): void => {
        const passed = now - time;
        time = now;
        board.pan(speed.x * passed, speed.y * passed);
        const kept = Math.exp(-FRICTION * passed);
        speed = { x: speed.x * kept, y: speed.y * kept, time: now };
        if (Math.hypot(speed.x, speed.y) > SLOWEST) frame = requestAnimationFrame(fly);
      };
      if (inertia()) frame = requestAnimationFrame(fly);
    };

    const roll = (event: WheelEvent): void => {
      event.preventDefault();
      cancelAnimationFrame(frame);
      board.gliding = false;
      const { x, y } = at(event);
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 33 : 1;
      board.zoom(Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.0016)), x, y);
    };

    // A finger leaves with every tap: the caption stays until the next one.
    const leave = (event: PointerEvent): void => {
      if (event.pointerType === "mouse" && down.size === 0) handlers.hovered(null);
    };

    const listeners = {
      pointerdown: press,
      pointermove: move,
      pointerup: release,
      pointercancel: release,
      pointerleave: leave,
      wheel: roll,
    } as const;
    for (const [name, listener] of Object.entries(listeners)) {
      element.addEventListener(name, listener as EventListener, { passive: false });
    }
    return () => {
      cancelAnimationFrame(frame);
      for (const [name, listener] of Object.entries(listeners)) {
        element.removeEventListener(name, listener as EventListener);
      }
    };
  };
}
