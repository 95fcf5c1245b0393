// The links that the player made for a table. The server sends an address once, so it is stored for this visit.

import { del, get, post } from "../net/api.ts";
import type { LinkInfo, NewLink } from "../net/wire.ts";

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

/** Whether only this computer can open the links of this server. */
export const isLocal = (): boolean => LOOPBACK.includes(location.hostname);

const key = (id: string): string => `macaz-link-${id}`;
const useful = (link: LinkInfo): boolean => !link.revoked && !(link.kind === "seat" && link.used);

export class TableLinks {
  list: LinkInfo[] = $state.raw([]);

  constructor(readonly table: string) {}

  async load(): Promise<void> {
    const found = await get<LinkInfo[]>(`/tables/${this.table}/links`);
    this.list = found.filter(useful).map((link) => ({ ...link, url: sessionStorage.getItem(key(link.id)) }));
  }

  async make(wanted: NewLink): Promise<LinkInfo> {
    const link = await post<LinkInfo>(`/tables/${this.table}/links`, wanted);
    if (link.url) sessionStorage.setItem(key(link.id), link.url);
    this.list = [link, ...this.list];
    return link;
  }

  async revoke({ id }: LinkInfo): Promise<void> {
    await del(`/tables/${this.table}/links/${id}`);
    sessionStorage.removeItem(key(id));
    this.list = this.list.filter((link) => link.id !== id);
  }
}
