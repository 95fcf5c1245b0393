// Dragging in the set-up, with a mouse, a pen or a finger: what is pressed and moved is taken along, and laid where it is
// let go. Everything can be done by buttons and lists, too.

import type { Pile, Tool } from "./draft.ts";

/** What is dragged. `from`: where it lies; null: it is new. */
export type Load =
  | { readonly what: "tool"; readonly tool: Tool }
  | { readonly what: "card"; readonly color: number; readonly from: Pile | null }
  | { readonly what: "ticket"; readonly ticket: number; readonly from: number | null };

interface Handlers {
  began: (load: Load) => void;
  /** it is above a place (data-drop), or above none */
  moved: (load: Load, above: string | null, x: number, y: number) => void;
  /** it was let go; `cancelled`: it returns to where it lay */
  ended: (load: Load, onto: string | null, cancelled: boolean, at: { x: number; y: number }) => void;
}

const FAR: Record<string, number> = { mouse: 4, touch: 8, pen: 6 }; // pixels from which a press is a drag
const EDGE = 56; // pixels from the edge of what scrolls within which it scrolls
const STEP = 9; // pixels that it scrolls in a frame

export class Drag {
  load: Load | null = $state.raw(null);
  x = $state(0);
  y = $state(0);
  /** where it would be laid */
  above: string | null = $state(null);

  constructor(private readonly handlers: Handlers) {}

  /** An attachment for what can be dragged; `load` returns null while there is nothing to drag. */
  source =
    (load: () => Load | null) =>
    (element: HTMLElement): (() => void) => {
      const press = (event: PointerEvent): void => {
        if (!event.button && !this.load) this.#follow(event, element, load);
      };
      element.addEventListener("pointerdown", press);
      return () => element.removeEventListener("pointerdown", press);
    };

  #follow(
    { pointerId, pointerType, clientX, clientY }: PointerEvent,
    element: HTMLElement,
    load: () => Load | null,
  ): void {
    const listening = new AbortController();
    const { signal } = listening;
    const own = (event: PointerEvent): boolean => event.pointerId === pointerId;
    const move = (event: PointerEvent): void => {
      if (!own(event)) return;
      if (!this.load) {
        const far = Math.hypot(event.clientX - clientX, event.clientY - clientY);
        if (far < (FAR[pointerType] ?? 8)) return;
        const taken = load();
        if (!taken) return listening.abort();
        this.#begin(taken, element);
      }
      this.#move(event.clientX, event.clientY);
    };
    const end = (event: PointerEvent): void => {
      if (!own(event)) return;
      listening.abort();
      this.#end(event.type === "pointercancel");
    };
    const cancel = (event: KeyboardEvent): void => {
      if (event.key !== "Escape" || !this.load) return;
      event.preventDefault();
      listening.abort();
      this.#end(true);
    };
    addEventListener("pointermove", move, { signal });
    addEventListener("pointerup", end, { signal });
    addEventListener("pointercancel", end, { signal });
    addEventListener("keydown", cancel, { signal });
  }

  #begin(load: Load, element: HTMLElement): void {
    this.load = load;
    this.handlers.began(load);
    const scrolls = element.closest("[data-scrolls]");
    const tick = (): void => {
      if (!this.load) return;
      this.#scroll(scrolls);
      requestAnimationFrame(tick);
    };
    if (scrolls) requestAnimationFrame(tick);
  }

  #move(x: number, y: number): void {
    if (!this.load) return;
    [this.x, this.y] = [x, y];
    const place = document.elementFromPoint(x, y)?.closest("[data-drop]");
    this.above = place?.getAttribute("data-drop") ?? null;
    this.handlers.moved(this.load, this.above, x, y);
  }

  #end(cancelled: boolean): void {
    const { load, above, x, y } = this;
    if (!load) return;
    this.load = this.above = null;
    // The click that ends a drag presses nothing.
    const swallow = (event: Event): void => {
      event.stopPropagation();
      event.preventDefault();
    };
    addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }));
    this.handlers.ended(load, above, cancelled, { x, y });
  }

  /** Scroll while it is held near an edge. */
  #scroll(element: Element | null): void {
    const box = element?.getBoundingClientRect();
    if (!element || !box || this.x < box.left || this.x > box.right) return;
    if (this.y > box.top && this.y < box.top + EDGE) element.scrollTop -= STEP;
    else if (this.y > box.bottom - EDGE && this.y < box.bottom) element.scrollTop += STEP;
  }
}
