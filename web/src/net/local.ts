// The tables of this browser, which need no server. `web/src/local` hosts them; this is how requests get there.

import type { Transport } from "./transport.ts";

/** Answers requests for the tables of this browser as a server does for its own. */
export interface LocalHost {
  /** Rejects with a `Refusal`. */
  request(method: string, path: string, body?: unknown): Promise<unknown>;
  connect(): Transport;
}

const PREFIX = "local-"; // the ids of such tables begin with it

/** Whether a table is in this browser only. */
export const inBrowser = (table: string): boolean => table.startsWith(PREFIX);

/** The place that answers a request. */
export type Place = "server" | "browser";

let host: LocalHost | null = null;
const others: [prefix: string, host: LocalHost][] = [];

/** Set the host. It is not imported here, as it knows this folder. */
export function setLocalHost(found: LocalHost): void {
  host = found;
}

/** Let another host answer for the tables whose ids begin with `prefix`. */
export function addLocalHost(prefix: string, found: LocalHost): void {
  others.unshift([prefix, found]);
}

/** The host of a table; without one, of all others. */
export function localHost(table = ""): LocalHost {
  const other = others.find(([prefix]) => table.startsWith(prefix));
  if (other) return other[1];
  if (!host) throw new Error("there is no host of local tables");
  return host;
}
