// A request or a message that was refused, by a server or by the host of the tables in this browser.

import type { Code, Refused } from "./wire.ts";

interface Details {
  /** with `name-taken`: the name at the table that looks the same */
  taken?: string | null;
  /** with `illegal`: the rule that forbids it */
  reason?: Refused["reason"];
}

export class Refusal extends Error {
  /** with `name-taken`: the name at the table that looks the same */
  readonly taken: string | null;
  /** with `illegal`: the rule that forbids it */
  readonly reason: Refused["reason"];

  constructor(
    /** `offline`: there is no answer; `no-server`: it needs a server, and this page has none;
     * `old-page`: the page must be reloaded; `old-game`: a game in this browser of another map or other rules */
    readonly code: Code | "offline" | "no-server" | "old-page" | "old-game",
    message: string,
    { taken = null, reason = "" }: Details = {},
  ) {
    super(message);
    this.taken = taken;
    this.reason = reason;
  }
}

/** The same answer for what does not exist and what the person may not see. */
export const notFound = (what = "There is no such table, or it is not for you to see."): Refusal =>
  new Refusal("not-found", what);
