import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { QuietClick } from "./map-click.ts";

const at = (clientX: number, clientY = 0) => ({ clientX, clientY });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("is about what is pointed at", () => {
  const click = new QuietClick();
  click.press(at(10));
  expect(click.meant(at(10))).toBeNull();
  click.hover({ route: 3 });
  expect(click.meant(at(12))).toEqual({ route: 3 });
});

it("is about nothing at the end of a drag", () => {
  const click = new QuietClick();
  click.hover({ city: 1 });
  click.press(at(10));
  expect(click.meant(at(10, 20))).toBeNull();
});

it("is about what a finger left a moment ago, and not longer", () => {
  const click = new QuietClick();
  click.hover({ city: 1 });
  click.hover(null);
  vi.advanceTimersByTime(300);
  click.hover(null); // once more does not make it longer
  expect(click.meant(at(0))).toEqual({ city: 1 });
  vi.advanceTimersByTime(100);
  expect(click.meant(at(0))).toBeNull();
});
