// The tables of the server that wait for the player: their number is in the title and on the icon.

import { get, Refusal } from "../net/api.ts";
import { hasServer } from "../net/place.ts";
import type { WaitingTable } from "../net/wire.ts";
import { whoAmI } from "./person.ts";
import { currentRoute, navigate } from "./router.svelte.ts";

const EVERY_MS = 60_000; // between two requests, while the page is in view

let waiting: readonly WaitingTable[] = $state.raw([]);

/** The tables that wait, but one; the one with the least time left comes first. */
export const turnsBut = (table: string | null): readonly WaitingTable[] =>
  waiting.filter((each) => each.table.id !== table);

/** The title of the window, with the number of tables that wait: "(2) Rules · Macaz". */
export function marked(title: string): string {
  const route = currentRoute();
  const { length } = turnsBut(route.screen === "table" ? route.id : null);
  return length ? `(${length}) ${title}` : title;
}

/** Request them again. */
export async function refreshTurns(): Promise<void> {
  if (!hasServer()) return;
  try {
    waiting = (await whoAmI()) ? await get<WaitingTable[]>("/me/turns") : [];
  } catch (problem) {
    if (!(problem instanceof Refusal)) throw problem; // without an answer, the last number stays
  }
  const { length } = waiting;
  if ("setAppBadge" in navigator)
    void (length ? navigator.setAppBadge(length) : navigator.clearAppBadge()).catch(() => undefined);
}

/** Keep them up to date while the page is open. */
export function watchTurns(): void {
  if (!hasServer()) return;
  const look = (): void => {
    if (!document.hidden && navigator.onLine) void refreshTurns();
  };
  look();
  setInterval(look, EVERY_MS);
  addEventListener("online", look);
  document.addEventListener("visibilitychange", look);
  if (!("serviceWorker" in navigator)) return;
  navigator.serviceWorker.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    const { type, table } = (data ?? {}) as { type?: string; table?: string };
    if (type === "turns") void refreshTurns();
    if (type === "open" && table) navigate(`/tables/${table}`);
  });
}
