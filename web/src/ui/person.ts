// The person of this browser. There are no accounts: a person is a name and a colour.

import { get, onUnknownPerson, post, put } from "../net/api.ts";
import type { Color, Me, Whoami } from "../net/wire.ts";
import { t } from "../words/words.ts";
import { signed } from "./signed.svelte.ts";
import { load, save } from "./storage.ts";

export const COLORS: readonly Color[] = ["blue", "red", "green", "yellow", "black", "purple"];

let asked: Promise<Me | null> | null = null;

// A page that never had a person was not signed out.
onUnknownPerson(() => {
  asked?.then(
    (me) => (signed.out ||= me !== null),
    () => undefined,
  );
});

/** The person of this browser; null: none yet. It is requested once. */
export function whoAmI(): Promise<Me | null> {
  asked ??= get<Whoami>("/whoami").then(
    ({ me }) => me,
    (problem: unknown) => {
      asked = null;
      throw problem;
    },
  );
  return asked;
}

/** Create the person of this browser, or change their name and colour. */
export async function savePerson(name: string, color: Color): Promise<Me> {
  const me = await whoAmI();
  if (me?.name === name && me.color === color) return me;
  const known = await (me ? put<Me>("/me", { name, color }) : post<Me>("/people", { name, color }));
  asked = Promise.resolve(known);
  return known;
}

const NAME_KEY = "macaz-name";

/** A suggested name for a new person; it stays the same for a browser. */
export function suggestedName(): string {
  const offered = t("first-names").split(", ");
  const kept = load(NAME_KEY);
  const at = Number.isInteger(kept) ? (kept as number) : Math.floor(Math.random() * offered.length);
  save(NAME_KEY, at);
  return offered[at % offered.length] ?? t("somebody");
}
