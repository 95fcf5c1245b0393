// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { fileUrl, hasServer } from "../net/place.ts";
import {
  anchor,
  currentRoute,
  currentUrl,
  followAnchor,
  href,
  navigate,
  parseRoute,
} from "./router.svelte.ts";

const at = (path: string): ReturnType<typeof parseRoute> => parseRoute(new URL(path, "http://macaz.test"));

test("a lesson has an address", () => {
  expect(at("/learn")).toEqual({ screen: "learn", lesson: null });
  expect(at("/learn/3")).toEqual({ screen: "learn", lesson: 3 });
  for (const path of ["/learn/0", "/learn/6", "/learn/x", "/learn/3/4"])
    expect(at(path), path).toEqual({ screen: "not-found" });
});

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

test("with a server, addresses are paths", () => {
  navigate("/tables/xyz?v=3");
  expect(hasServer()).toBe(true);
  expect(href("/me")).toBe("/me");
  expect(anchor("content")).toBe("#content");
  expect(currentUrl().search).toBe("?v=3");
  expect(fileUrl("data/index.json")).toBe(`${location.origin}/data/index.json`);
});

describe("on a static site", () => {
  const meta = document.createElement("meta");
  beforeEach(() => {
    meta.name = "macaz-server";
    meta.content = "none";
    document.head.append(meta);
    history.replaceState(null, "", "/some/sub/path/");
  });
  afterEach(() => {
    meta.remove();
    history.replaceState(null, "", "/");
  });

  test("screens have addresses behind a #, whatever the folder", () => {
    expect(href("/rules/europe#stations")).toBe("#/rules/europe#stations");
    navigate("/tables/local-1?v=12&eyes=all");
    expect(location.pathname + location.hash).toBe("/some/sub/path/#/tables/local-1?v=12&eyes=all");
    expect(currentRoute()).toEqual({ screen: "table", id: "local-1", moment: 12 });
    expect(currentUrl().search).toBe("?v=12&eyes=all");
    navigate("/");
    expect(currentRoute()).toEqual({ screen: "home" });
  });

  test("an address without a screen is the home page", () => {
    for (const hash of ["", "#", "#content"]) {
      history.replaceState(null, "", `/some/sub/path/${hash}`);
      dispatchEvent(new PopStateEvent("popstate"));
      expect(currentRoute()).toEqual({ screen: "home" });
    }
  });

  test("a link to an element of the screen stays on the screen", () => {
    navigate("/rules/europe");
    const link = document.createElement("a");
    const element = document.createElement("section");
    element.id = "stations";
    element.tabIndex = -1;
    link.href = anchor("stations");
    link.addEventListener("click", followAnchor);
    document.body.append(link, element);
    link.click();
    expect(location.hash).toBe("#/rules/europe#stations");
    expect(currentRoute()).toEqual({ screen: "rules", edition: "europe" });
    expect(document.activeElement).toBe(element);
    link.remove();
    element.remove();
  });

  test("files lie beside the page", () => {
    navigate("/me");
    expect(fileUrl("data/index.json")).toBe(`${location.origin}/some/sub/path/data/index.json`);
    history.replaceState(null, "", "/some/sub/path/index.html#/me");
    expect(fileUrl("sw.js")).toBe(`${location.origin}/some/sub/path/sw.js`);
  });
});
