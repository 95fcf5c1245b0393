// @vitest-environment happy-dom
import { expect, test } from "vitest";

import { currentRoute, navigate, parseRoute } from "./router.svelte.ts";

const at = (path: string): ReturnType<typeof parseRoute> => parseRoute(new URL(path, "http://macaz.test"));

test("every address leads to a screen", () => {
  expect(at("/")).toEqual({ screen: "home" });
  expect(at("/join#abc")).toEqual({ screen: "join" });
  expect(at("/tables/xyz")).toEqual({ screen: "table", id: "xyz", moment: null });
  expect(at("/tables/xyz?v=12")).toEqual({ screen: "table", id: "xyz", moment: 12 });
  expect(at("/tables/xyz?v=soon")).toEqual({ screen: "table", id: "xyz", moment: null });
  expect(at("/rules/europe")).toEqual({ screen: "rules", edition: "europe" });
  expect(at("/rules")).toEqual({ screen: "rules", edition: null });
  for (const lost of ["/tables", "/tables/", "/nowhere", "/me/too", "/rules/a/b"])
    expect(at(lost)).toEqual({ screen: "not-found" });
});

test("going somewhere changes the screen, and back again", () => {
  navigate("/settings");
  expect(currentRoute()).toEqual({ screen: "settings" });
  navigate("/", { replace: true });
  expect(currentRoute()).toEqual({ screen: "home" });
});
