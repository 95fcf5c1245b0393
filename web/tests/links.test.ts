// Every link of the page works on a static site, too.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../src", import.meta.url));
// Addresses from the root of a host. Those of the API belong to a server; code that needs one may use them.
const ABSOLUTE = /\bhref=(?:"\/|\{`\/|\{"\/)(?!api\/)/;
// What follows a # is an element only with a server.
const ELEMENT = /<a\b.*\bhref="#(?!.*followAnchor)/;

test("links get their addresses from the router", () => {
  const components = readdirSync(ROOT, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".svelte"),
  );
  expect(components.length).toBeGreaterThan(50);
  const lines = components.flatMap((name) =>
    readFileSync(join(ROOT, name), "utf8")
      .split("\n")
      .filter((line) => ABSOLUTE.test(line) || ELEMENT.test(line))
      .map((line) => `${name}: ${line.trim()}`),
  );
  expect(lines).toEqual([]);
});
