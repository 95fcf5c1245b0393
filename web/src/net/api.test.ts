// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { get, post } from "./api.ts";
import { setLocalHost } from "./local.ts";

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

describe("tables of this browser", () => {
  const asked: string[] = [];
  const host = {
    request: (method: string, path: string): Promise<unknown> => {
      asked.push(`${method} ${path}`);
      return Promise.resolve("here");
    },
    connect: () => expect.unreachable("no socket is opened"),
  };

  beforeEach(() => {
    asked.length = 0;
    setLocalHost(host);
  });

  test("a request that names one stays in the browser", async () => {
    vi.stubGlobal("fetch", () => expect.unreachable("no server is asked"));
    expect(await get("/tables/local-1/updates?after=3")).toBe("here");
    expect(await post("/tables", {}, "browser")).toBe("here");
    expect(asked).toEqual(["GET /tables/local-1/updates?after=3", "POST /tables"]);
  });

  test("without the server, the browser tells what can be played", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no network")));
    expect(await get("/editions/usa")).toBe("here");
    expect(await get("/bots")).toBe("here");
    await expect(get("/me/tables")).rejects.toMatchObject({ code: "offline" });
    await expect(get("/tables/served")).rejects.toMatchObject({ code: "offline" });
  });

  test("a page without a server asks the browser for everything", async () => {
    document.head.innerHTML = '<meta name="macaz-server" content="none">';
    expect(await get("/tables/any")).toBe("here");
    expect(await get("/whoami")).toBe("here");
    document.head.innerHTML = "";
  });
});
