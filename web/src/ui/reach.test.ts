import { expect, test } from "vitest";

import { reachOf } from "./reach.ts";

test.each([
  ["http://localhost:8124/join#x", "computer"],
  ["http://127.0.0.1:8124/", "computer"],
  ["http://[::1]:8124/", "computer"],
  ["http://192.168.1.20:8124/join#x", "network"],
  ["http://[fd00::2]:8124/", "network"],
  ["http://laptop.local:8124/", "network"],
  ["http://laptop:8124/", "network"],
  ["http://play.example.org/", "public"],
  ["https://play.example.org/join#x", "public"],
  ["https://203.0.113.7/", "public"],
])("%s: %s", (address, reach) => {
  expect(reachOf(address)).toBe(reach);
});
