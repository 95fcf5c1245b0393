// HTTP requests to the server, and its refusals.

import type { Code, Problem } from "./wire.ts";

export class Refusal extends Error {
  constructor(
    readonly code: Code | "offline",
    message: string,
    /** with `name-taken`: the name at the table that looks the same */
    readonly taken: string | null = null,
  ) {
    super(message);
  }
}

let unknownPerson = (): void => undefined;

/** Set what is done when the server refuses a request of an unknown person. */
export function onUnknownPerson(action: () => void): void {
  unknownPerson = action;
}

async function request<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
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
    throw new Refusal(problem?.code ?? "failed", problem?.message ?? response.statusText, problem?.name);
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

export const get = <Answer>(path: string): Promise<Answer> => request("GET", path);
export const post = <Answer>(path: string, body?: unknown): Promise<Answer> => request("POST", path, body);
export const put = <Answer>(path: string, body: unknown): Promise<Answer> => request("PUT", path, body);
export const del = <Answer>(path: string): Promise<Answer> => request("DELETE", path);
