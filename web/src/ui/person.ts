// The person of this browser. There are no accounts: a person is a name and a colour.

import { get, onUnknownPerson, post, put, Refusal } from "../net/api.ts";
import type { Place } from "../net/local.ts";
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

/** The person whom the server knows; null: none yet. It is requested once. */
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

/** The person who plays here: the one whom the server knows, or else the one of the tables in this browser. */
export async function whoPlays(): Promise<Me | null> {
  const known = await whoAmI().catch((problem: unknown) => {
    if (problem instanceof Refusal) return null; // tables in this browser need no server
    throw problem;
  });
  return known ?? (await personHere());
}

async function personHere(): Promise<Me | null> {
  try {
    return (await get<Whoami>("/whoami", "browser")).me;
  } catch (problem) {
    if (problem instanceof Refusal) return null;
    throw problem;
  }
}

/** Create the person who plays, or change their name and colour: at the server, or in this browser. */
export async function savePerson(name: string, color: Color, place: Place = "server"): Promise<Me> {
  if (place === "browser") return savePersonHere(name, color);
  const me = await whoAmI();
  if (me?.name === name && me.color === color) return me;
  const known = await (me ? put<Me>("/me", { name, color }) : post<Me>("/people", { name, color }));
  asked = Promise.resolve(known);
  return known;
}

async function savePersonHere(name: string, color: Color): Promise<Me> {
  const me = await personHere();
  if (me?.name === name && me.color === color) return me;
  const person = { name, color };
  return me ? put<Me>("/me", person, "browser") : post<Me>("/people", person, "browser");
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
