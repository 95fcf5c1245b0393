// Addresses of a game, or of a moment of it, to share.

import { get } from "../net/api.ts";
import { hasServer } from "../net/place.ts";
import type { Address, LocalGame, TableInfo } from "../net/wire.ts";
import { attempt } from "../ui/attempt.ts";
import { notify } from "../ui/notices.svelte.ts";
import { reachOf } from "../ui/reach.ts";
import { href } from "../ui/router.svelte.ts";
import { t } from "../words/words.ts";
import { TableLinks } from "./links.svelte.ts";
import { encodeGame } from "./shared-game.ts";

/** Where others open this page. Opened as localhost, it asks for the address in the network, if it has one. */
async function addressForOthers(): Promise<string> {
  if (!hasServer() || reachOf(location.href) !== "computer") return location.href;
  return (await attempt(() => get<Address>("/address")))?.url ?? location.href;
}

const asked = new Map<string, Promise<string | null>>();

/** A link to watch this table: one that was made in this visit, or a new one. */
async function watchLink(table: string): Promise<string | null> {
  const links = new TableLinks(table);
  await links.load();
  const known = links.list.find(({ kind, url }) => kind === "watch" && url !== null);
  return (known ?? (await links.make({ kind: "watch" }))).url;
}

/** The same, once for several calls at the same time. */
function oneWatchLink(table: string): Promise<string | null> {
  const found = asked.get(table) ?? watchLink(table).finally(() => asked.delete(table));
  asked.set(table, found);
  return found;
}

/**
 * An address that others can open; `moment` is the part that names one: "?v=12". The host gets a link
 * to watch; the others get an address for those who may see the table already. Undefined: a notice said why.
 */
export async function shareAddress(info: TableInfo, moment: string): Promise<string | undefined> {
  const plain = new URL(href(`/tables/${info.id}${moment}`), await addressForOthers()).href;
  if (info.listed) return plain;
  if (!info.host) {
    notify(t("share.members"));
    return plain;
  }
  const link = await attempt(() => oneWatchLink(info.id));
  if (!link) return undefined;
  const address = new URL(link);
  address.search = moment;
  return address.href;
}

/** An address that holds a finished game of this browser. Undefined: a notice said why there is none. */
export async function sharedGameAddress(table: string, moment: string): Promise<string | undefined> {
  const game = await attempt(() => get<LocalGame>(`/tables/${table}/export`));
  if (!game) return undefined;
  return new URL(href(`/shared#${await encodeGame(game, moment)}`), await addressForOthers()).href;
}
