import { get } from "../net/api.ts";
import type { EditionLine } from "../net/wire.ts";

// The easiest first; a host's own maps are last.
const ORDER = ["usa", "europe", "old-west", "usa-classic", "romania", "ireland", "caribbean"];

const rank = ({ id }: EditionLine): number => (ORDER.indexOf(id) + ORDER.length + 1) % (ORDER.length + 1);

/** The editions of this server, in the order in which they are offered. */
export async function findEditions(): Promise<EditionLine[]> {
  const editions = await get<EditionLine[]>("/editions");
  return editions.toSorted((a, b) => rank(a) - rank(b));
}
