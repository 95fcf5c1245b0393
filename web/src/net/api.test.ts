import { afterEach, expect, test, vi } from "vitest";

import { get } from "./api.ts";

afterEach(() => vi.unstubAllGlobals());

function answering(response: () => Response | Promise<Response>): void {
  vi.stubGlobal("fetch", () => Promise.resolve().then(response));
}

test("an answer is read", async () => {
  answering(() => new Response('{"a": 1}'));
  expect(await get("/me")).toEqual({ a: 1 });
});

test("an answer may be empty", async () => {
  answering(() => new Response(null, { status: 204 }));
  expect(await get("/me")).toBeNull();
});

test("a refusal has the server's code", async () => {
  answering(() => new Response('{"code": "not-now", "message": "Later."}', { status: 409 }));
  await expect(get("/me")).rejects.toMatchObject({ code: "not-now", message: "Later." });
});

test("an error page of a proxy is a failure", async () => {
  answering(() => new Response("<html>", { status: 502, statusText: "Bad Gateway" }));
  await expect(get("/me")).rejects.toMatchObject({ code: "failed", message: "Bad Gateway" });
});

test("without a connection there is no answer", async () => {
  answering(() => Promise.reject(new TypeError("Failed to fetch")));
  await expect(get("/me")).rejects.toMatchObject({ code: "offline" });
});

test("a connection that breaks in the middle of an answer is none either", async () => {
  const broken = new ReadableStream({ start: (flow) => flow.error(new TypeError("Failed to fetch")) });
  answering(() => new Response(broken));
  await expect(get("/me")).rejects.toMatchObject({ code: "offline" });
});
