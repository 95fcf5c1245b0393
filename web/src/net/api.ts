// HTTP requests to the server, or the same requests to the host of this browser's own tables; and their refusals.

import { inBrowser, localHost, type Place } from "./local.ts";
import { hasServer } from "./place.ts";
import { Refusal } from "./refusal.ts";
import type { Problem } from "./wire.ts";

export { Refusal };

let unknownPerson = (): void => undefined;

/** Set what is done when the server refuses a request of an unknown person. */
export function onUnknownPerson(action: () => void): void {
  unknownPerson = action;
}

/** Requests that this browser can answer, too, while the server does not. */
const CATALOG = /^\/(?:bots|editions)(?:\/|$)/;

/** The id of the table that a request is about. */
const tableIn = (path: string): string => /^\/tables\/([^/?]+)/.exec(path)?.[1] ?? "";

const placeOf = (path: string): Place => (hasServer() && !inBrowser(tableIn(path)) ? "server" : "browser");

async function request<Answer>(
  method: string,
  path: string,
  body?: unknown,
  place = placeOf(path),
): Promise<Answer> {
  if (place === "browser") return (await localHost(tableIn(path)).request(method, path, body)) as Answer;
  try {
    return await requestOfServer<Answer>(method, path, body);
  } catch (problem) {
    const offline = problem instanceof Refusal && problem.code === "offline";
    if (!offline || method !== "GET" || !CATALOG.test(path)) throw problem;
    return (await localHost()
      .request(method, path)
      .catch(() => Promise.reject(problem))) as Answer;
  }
}

async function requestOfServer<Answer>(method: string, path: string, body: unknown): Promise<Answer> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(`/api/v1${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
    text = await response.text(); // the connection may also be lost during the response
  } catch {
    throw new Refusal("offline", "there is no answer");
  }
  if (!response.ok) {
    const problem = parseJson(text) as Problem | null;
    if (problem?.code === "unknown-person") unknownPerson();
    const { code = "failed", message = response.statusText, name = null } = problem ?? {};
    throw new Refusal(code, message, { taken: name });
  }
  return (text ? JSON.parse(text) : null) as Answer;
}

/** The JSON of a text, or null if it is none: a proxy may have answered. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export const get = <Answer>(path: string, place?: Place): Promise<Answer> =>
  request("GET", path, undefined, place);
export const post = <Answer>(path: string, body?: unknown, place?: Place): Promise<Answer> =>
  request("POST", path, body, place);
export const put = <Answer>(path: string, body: unknown, place?: Place): Promise<Answer> =>
  request("PUT", path, body, place);
export const del = <Answer>(path: string): Promise<Answer> => request("DELETE", path);

/** The record of a finished game, as text. */
export async function recordOf(table: string): Promise<string> {
  const path = `/tables/${table}/record`;
  if (placeOf(path) === "browser") return get<string>(path);
  const response = await fetch(`/api/v1${path}`).catch(() => null);
  if (!response?.ok) throw new Refusal(response ? "failed" : "offline", "there is no record");
  return response.text();
}
