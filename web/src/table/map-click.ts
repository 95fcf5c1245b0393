// A click on the map where nothing glows: what was placeOf, if it was a click and not the end of a drag.

import type { Place } from "../game/places.ts";

const MOMENT = 350; // a finger that was lifted points at nothing so long before its click, in milliseconds
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

  /** Something else is pointed at, or nothing. */
  hover = (place: Place | null): void => {
    if (place) this.#under = { place, until: Infinity };
    else if (this.#under) this.#under.until = Math.min(this.#under.until, performance.now() + MOMENT);
  };

  /** The place that a click is about. */
  placeOf({ clientX, clientY }: Spot): Place | null {
    const way = Math.hypot(clientX - this.#pressed.clientX, clientY - this.#pressed.clientY);
    if (way > DRAG || !this.#under || this.#under.until < performance.now()) return null;
    return this.#under.place;
  }
}
