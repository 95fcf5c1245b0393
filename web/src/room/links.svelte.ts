// The links that the player made for a table. The server sends an address once, so it is stored for this visit.

import { del, get, post } from "../net/api.ts";
import type { LinkInfo, NewLink } from "../net/wire.ts";

const key = (id: string): string => `macaz-link-${id}`;
/** The address of a link, and its code, as they were told in this visit. */
function toldOf(id: string): Pick<LinkInfo, "url" | "qr"> {
  const stored = sessionStorage.getItem(key(id));
  return stored === null ? { url: null, qr: null } : (JSON.parse(stored) as Pick<LinkInfo, "url" | "qr">);
}

const useful = (link: LinkInfo): boolean => !link.revoked && !(link.kind === "seat" && link.used);

export class TableLinks {
  list: LinkInfo[] = $state.raw([]);

  constructor(readonly table: string) {}

  async load(): Promise<void> {
    const found = await get<LinkInfo[]>(`/tables/${this.table}/links`);
    this.list = found.filter(useful).map((link) => ({ ...link, ...toldOf(link.id) }));
  }

  async make(wanted: NewLink): Promise<LinkInfo> {
    const link = await post<LinkInfo>(`/tables/${this.table}/links`, wanted);
    const { url, qr } = link;
    if (url) sessionStorage.setItem(key(link.id), JSON.stringify({ url, qr }));
    this.list = [link, ...this.list];
    return link;
  }

  async revoke({ id }: LinkInfo): Promise<void> {
    await del(`/tables/${this.table}/links/${id}`);
    sessionStorage.removeItem(key(id));
    this.list = this.list.filter((link) => link.id !== id);
  }
}
