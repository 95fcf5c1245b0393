// Questions to the server over HTTP, with its words for what went wrong.

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

/** What is done when the server does not know who asks. */
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
    text = await response.text(); // the connection may also break in the middle of an answer
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

/** the JSON of a text, or null where a proxy answered with something else */
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
