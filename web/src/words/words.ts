// The words of the page, in the language of whoever reads it. The areas are files in en/ and ro/.

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
export type CountKey = KeysOf<{ other: string }>;

export type Parts = Record<string, string | number>;

const load: Record<Language, () => Promise<{ default: object }>> = {
  en: () => import("./en.ts"),
  ro: () => import("./ro.ts"),
};

let words: Record<string, string | Forms> = {};
let plural = new Intl.PluralRules("en");
let lists = new Intl.ListFormat("en");
let spoken: Language = "en";

/** Speak a language from now on. */
export async function setLanguage(language: Language): Promise<void> {
  words = (await load[language]()).default as Record<string, string | Forms>;
  plural = new Intl.PluralRules(language);
  lists = new Intl.ListFormat(language);
  spoken = language;
}

/** Speak the wished language, or another if its words cannot be had. */
export async function setLanguageOrFallback(wished: Language): Promise<void> {
  const others = (Object.keys(LANGUAGES) as Language[]).filter((language) => language !== wished);
  let failed = setLanguage(wished);
  for (const other of others) failed = failed.catch(() => setLanguage(other));
  await failed;
}

export const language = (): Language => spoken;

const fill = (text: string, parts: Parts): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(parts[name] ?? whole));

/** The text of a key, with its {parts} filled in. */
export function t(key: Key, parts: Parts = {}): string {
  const text = words[key];
  return typeof text === "string" ? fill(text, parts) : key;
}

/** The text of a key that is put together at run time, or null if there is none. */
export function maybe(key: string, parts: Parts = {}): string | null {
  const text = words[key];
  return typeof text === "string" ? fill(text, parts) : null;
}

/** So many of something: "3 cards". */
export function count(n: number, key: CountKey, options?: Intl.NumberFormatOptions): string {
  const forms = words[key] as Forms;
  return fill(forms[plural.select(n)] ?? forms.other, { n: number(n, options) });
}

/** "a, b and c". */
export const listed = (things: readonly string[]): string => lists.format(things);

export const number = (n: number, options?: Intl.NumberFormatOptions): string =>
  new Intl.NumberFormat(spoken, options).format(n).replace("-", "\u2212"); // a minus, not a hyphen

/** A share of all: "43 %"; or a change of it, with its sign. */
export const percent = (share: number, { signed = false } = {}): string =>
  number(share, {
    style: "percent",
    maximumFractionDigits: 0,
    ...(signed ? { signDisplay: "exceptZero" } : {}),
  });

export const date = (ms: number): string =>
  new Intl.DateTimeFormat(spoken, { dateStyle: "medium", timeStyle: "short" }).format(ms);

// What the server says with these is for those who write programs.
const TECHNICAL = ["bad-message", "bad-origin", "closing", "failed", "offline", "storage", "unknown-person"];

interface Refused {
  code: string;
  message: string;
  /** the name at the table that looks the same */
  taken?: string | null;
}

/** Why the server refused: it tells more, but in English; there is a sentence of ours for every code. */
export function refusal({ code, message, taken }: Refused): string {
  const own = maybe(`code.${code}`, { name: taken ?? "" });
  return spoken === "en" && !TECHNICAL.includes(code) ? message : (own ?? message);
}
