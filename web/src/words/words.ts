// The texts of the page in the chosen language. They are in en/ and ro/, one file for each area.

import type en from "./en.ts";
import type ro from "./ro.ts";

export type Language = "en" | "ro";
export const LANGUAGES: Record<Language, string> = { en: "English", ro: "Română" };

type Words = typeof en;
// Both languages have the same keys, or this does not compile.
type Missing = Exclude<keyof typeof en, keyof typeof ro> | Exclude<keyof typeof ro, keyof typeof en>;
export const complete: [Missing] extends [never] ? true : Missing = true;

/** The forms of a counted noun, by plural category. */
type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };
type KeysOf<Kind> = { [Key in keyof Words]: Words[Key] extends Kind ? Key : never }[keyof Words];
/** A key with one text. */
export type Key = KeysOf<string>;
/** A key with a text for each form of a number. */
type CountKey = KeysOf<{ other: string }>;

type Parts = Record<string, string | number>;

const load: Record<Language, () => Promise<{ default: object }>> = {
  en: () => import("./en.ts"),
  ro: () => import("./ro.ts"),
};

let words: Record<string, string | Forms> = {};
let plural = new Intl.PluralRules("en");
let lists = new Intl.ListFormat("en");
let current: Language = "en";

/** Load the texts of a language, and use them from now on. */
export async function setLanguage(language: Language): Promise<void> {
  words = (await load[language]()).default as Record<string, string | Forms>;
  plural = new Intl.PluralRules(language);
  lists = new Intl.ListFormat(language);
  current = language;
}

/** Set the language, or another one if its texts cannot be loaded. */
export async function setLanguageOrFallback(preferred: Language): Promise<void> {
  const others = (Object.keys(LANGUAGES) as Language[]).filter((language) => language !== preferred);
  let failed = setLanguage(preferred);
  for (const other of others) failed = failed.catch(() => setLanguage(other));
  await failed;
}

export const language = (): Language => current;

export const filled = (text: string, parts: Parts): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(parts[name] ?? whole));

/** The text of a key, with its {parts} filled in. */
export function t(key: Key, parts: Parts = {}): string {
  const text = words[key];
  return typeof text === "string" ? filled(text, parts) : key;
}

/** The text of a key that is put together at run time, or null if there is none. */
export function maybe(key: string, parts: Parts = {}): string | null {
  const text = words[key];
  return typeof text === "string" ? filled(text, parts) : null;
}

/** So many of something: "3 cards". */
export function count(n: number, key: CountKey, options?: Intl.NumberFormatOptions): string {
  const forms = words[key] as Forms;
  return filled(forms[plural.select(n)] ?? forms.other, { n: number(n, options) });
}

/** "a, b and c". */
export const listed = (things: readonly string[]): string => lists.format(things);

export const number = (n: number, options?: Intl.NumberFormatOptions): string =>
  new Intl.NumberFormat(current, options).format(n).replace("-", "\u2212"); // a minus, not a hyphen

/** A whole number; "–" for null. */
export const rounded = (n: number | null): string =>
  n === null ? "–" : number(n, { maximumFractionDigits: 0 });

/** A share as a percentage; `signed`: a change of it, with its sign. */
export const percent = (share: number, { signed = false } = {}): string =>
  number(share, {
    style: "percent",
    maximumFractionDigits: 0,
    ...(signed ? { signDisplay: "exceptZero" } : {}),
  });

export const date = (ms: number): string =>
  new Intl.DateTimeFormat(current, { dateStyle: "medium", timeStyle: "short" }).format(ms);

export const day = (ms: number): string => new Intl.DateTimeFormat(current, { dateStyle: "long" }).format(ms);

/** A time that can be chosen for a table. */
export const duration = (seconds: number): string => maybe(`clock.${seconds}`) ?? `${seconds} s`;

// The server's messages for these are for programmers.
const TECHNICAL = ["bad-message", "bad-origin", "closing", "failed", "offline", "storage", "unknown-person"];

interface Refused {
  code: string;
  message: string;
  /** the name at the table that looks the same */
  taken?: string | null;
}

/** The reason of a refusal. The server's message has more details, but is in English only; each code has a text here. */
export function refusal({ code, message, taken }: Refused): string {
  const own = maybe(`code.${code}`, { name: taken ?? "" });
  return current === "en" && !TECHNICAL.includes(code) ? message : (own ?? message);
}
