// Clicks on places that are not choosable, which the board does not report: finds the place, unless it was a drag.

import type { Place } from "../game/places.ts";

const MOMENT = 350; // most milliseconds from the end of hovering to the click of a lifted finger
const DRAG = 8; // pixels

interface Spot {
  clientX: number;
  clientY: number;
}

export class MapClick {
  #under: { place: Place; until: number } | null = null;
  #pressed: Spot = { clientX: 0, clientY: 0 };

  press = ({ clientX, clientY }: Spot): void => {
    this.#pressed = { clientX, clientY };
  };

  /** The hovered place changed; null: none. */
  hover = (place: Place | null): void => {
    if (place) this.#under = { place, until: Infinity };
    else if (this.#under) this.#under.until = Math.min(this.#under.until, performance.now() + MOMENT);
  };

  /** The place of a click, or null after a drag. */
  placeOf({ clientX, clientY }: Spot): Place | null {
    const way = Math.hypot(clientX - this.#pressed.clientX, clientY - this.#pressed.clientY);
    if (way > DRAG || !this.#under || this.#under.until < performance.now()) return null;
    return this.#under.place;
  }
}
