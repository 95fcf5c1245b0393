import { expect, test } from "vitest";

import { reachOf } from "./reach.ts";

const HOME = "192.168.1.20";

test.each([
  ["http://localhost:8124/join#x", "computer"],
  ["http://127.0.0.1:8124/", "computer"],
  ["http://[::1]:8124/", "computer"],
  [`http://${HOME}:8124/join#x`, "network"],
  ["http://[fd00::2]:8124/", "network"],
  ["http://laptop.local:8124/", "network"],
  ["http://laptop:8124/", "network"],
  ["http://play.example.org/", "public"],
  ["https://play.example.org/join#x", "public"],
  [`https://${HOME}/`, "public"],
])("%s: %s", (address, reach) => {
  expect(reachOf(address)).toBe(reach);
});
