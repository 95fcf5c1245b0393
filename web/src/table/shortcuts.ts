// The keyboard shortcuts of a table.

import type { Key } from "../words/words.ts";

export type Shortcut =
  | { does: "take"; slot: number }
  | { does: "deck" | "tickets" | "station" | "routes" | "moves" | "pass" | "hint" | "help" | "back" };

const LETTERS: Record<string, Shortcut> = {
  d: { does: "deck" },
  t: { does: "tickets" },
  s: { does: "station" },
  r: { does: "routes" },
  a: { does: "moves" },
  p: { does: "pass" },
  h: { does: "hint" },
  "?": { does: "help" },
  Escape: { does: "back" },
};

const KEYS: [string, Key][] = [
  ["1 – 5", "keys.take"],
  ["D", "keys.deck"],
  ["T", "keys.tickets"],
  ["R", "keys.routes"],
  ["S", "keys.station"],
  ["A", "keys.moves"],
  ["P", "keys.pass"],
  ["H", "keys.hint"],
  ["Esc", "keys.back"],
  ["?", "keys.help"],
];

/** What a table may lack. */
interface Offered {
  hints: boolean;
  stations: boolean;
}

/** For the list of them: the keys of a table, and what they do. */
export function keysOf({ hints, stations }: Offered): [string, Key][] {
  const missing: Key[] = [
    ...(hints ? [] : ["keys.hint" as const]),
    ...(stations ? [] : ["keys.station" as const]),
  ];
  return KEYS.filter(([, does]) => !missing.includes(does));
}

interface Pressed {
  key: string;
  ctrlKey: boolean;
  altKey: boolean;
  metaKey: boolean;
}

/** The shortcut of a key, or null. Keys with a modifier are left to the browser. */
export function shortcut({ key, ctrlKey, altKey, metaKey }: Pressed): Shortcut | null {
  if (ctrlKey || altKey || metaKey) return null;
  if (/^[1-9]$/.test(key)) return { does: "take", slot: Number(key) - 1 };
  const name = key.length === 1 ? key.toLowerCase() : key;
  return Object.hasOwn(LETTERS, name) ? (LETTERS[name] ?? null) : null;
}
