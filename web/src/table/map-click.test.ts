import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { MapClick } from "./map-click.ts";

const at = (clientX: number, clientY = 0) => ({ clientX, clientY });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("is about what is pointed at", () => {
  const click = new MapClick();
  click.press(at(10));
  expect(click.placeOf(at(10))).toBeNull();
  click.hover({ route: 3 });
  expect(click.placeOf(at(12))).toEqual({ route: 3 });
});

it("is about nothing at the end of a drag", () => {
  const click = new MapClick();
  click.hover({ city: 1 });
  click.press(at(10));
  expect(click.placeOf(at(10, 20))).toBeNull();
});

it("is about what a finger left a moment ago, and not longer", () => {
  const click = new MapClick();
  click.hover({ city: 1 });
  click.hover(null);
  vi.advanceTimersByTime(300);
  click.hover(null); // once more does not make it longer
  expect(click.placeOf(at(0))).toEqual({ city: 1 });
  vi.advanceTimersByTime(100);
  expect(click.placeOf(at(0))).toBeNull();
});
