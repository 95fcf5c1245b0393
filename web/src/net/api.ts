// Questions to the server over HTTP, with its words for what went wrong.

import type { Code, Problem } from "./wire.ts";

export class Refusal extends Error {
  constructor(
    readonly code: Code | "offline",
    message: string,
  ) {
    super(message);
  }
}

async function ask<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(`/api/v1${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
  } catch {
    throw new Refusal("offline", "there is no answer");
  }
  if (!response.ok) {
    const problem = (await response.json().catch(() => null)) as Problem | null;
    throw new Refusal(problem?.code ?? "failed", problem?.message ?? response.statusText);
  }
  const text = await response.text();
  return (text ? JSON.parse(text) : null) as Answer;
}

export const get = <Answer>(path: string): Promise<Answer> => ask("GET", path);
export const post = <Answer>(path: string, body?: unknown): Promise<Answer> => ask("POST", path, body);
export const put = <Answer>(path: string, body: unknown): Promise<Answer> => ask("PUT", path, body);
export const del = <Answer>(path: string): Promise<Answer> => ask("DELETE", path);
