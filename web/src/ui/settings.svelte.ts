// The player's settings, stored in the browser.

import { type Language, LANGUAGES } from "../words/words.ts";
import { pointer } from "./pointer.ts";
import { load, save } from "./storage.ts";

export const THEMES = ["auto", "light", "dark"] as const;
export const SPEEDS = ["off", "slow", "normal", "fast"] as const;
export const BOTS = ["at-once", "quick", "calm"] as const;
export const CONFIRMS = ["always", "touch", "never"] as const;
export const SOUNDS = ["off", "soft", "full"] as const;
export const PALETTES = ["plain", "strong"] as const;

export interface Settings {
  language: Language;
  theme: (typeof THEMES)[number];
  /** of animations */
  speed: (typeof SPEEDS)[number];
  /** how the turns of bots are shown */
  bots: (typeof BOTS)[number];
  /** when claiming a route or taking a card is confirmed: see `confirms` */
  confirm: (typeof CONFIRMS)[number];
  /** whether the player chooses in which order returned tickets go under the deck */
  returns: boolean;
  sound: (typeof SOUNDS)[number];
  /** "strong": larger symbols on cards and spaces, and colours further apart */
  palette: (typeof PALETTES)[number];
  /** whether keyboard shortcuts are on */
  keys: boolean;
  /** whether the guide is on */
  guide: boolean;
  /** whether this browser tells the player of their turns */
  notices: boolean;
  /** whether it was offered at a table */
  noticesOffered: boolean;
  /** the chapters of the guide that were shown already */
  told: string[];
}

const KEY = "macaz-settings";

function preferredLanguage(): Language {
  const preferred = navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag in LANGUAGES);
  return (preferred as Language | undefined) ?? "en";
}

function defaults(): Settings {
  return {
    language: preferredLanguage(),
    theme: "auto",
    speed: "normal",
    bots: "quick",
    confirm: "touch",
    returns: false,
    sound: "off",
    palette: "plain",
    keys: true,
    guide: true,
    notices: false,
    noticesOffered: false,
    told: [],
  };
}

const ONE_OF = {
  language: Object.keys(LANGUAGES),
  theme: THEMES,
  speed: SPEEDS,
  bots: BOTS,
  confirm: CONFIRMS,
  sound: SOUNDS,
  palette: PALETTES,
} satisfies Partial<Record<keyof Settings, readonly string[]>>;

/** Whether a stored value is valid: it may come from another version, or be edited by hand. */
function fits(name: keyof Settings, value: unknown): boolean {
  if (name === "told") return Array.isArray(value) && value.every((chapter) => typeof chapter === "string");
  if (name in ONE_OF) return (ONE_OF[name as keyof typeof ONE_OF] as readonly unknown[]).includes(value);
  return typeof value === "boolean";
}

function stored(): Partial<Settings> {
  const found = Object.entries(load(KEY) ?? {}) as [keyof Settings, unknown][];
  const known = Object.keys(defaults());
  return Object.fromEntries(found.filter(([name, value]) => known.includes(name) && fits(name, value)));
}

export const settings: Settings = $state({ ...defaults(), ...stored() });

/** Change a setting, and store it. */
export function set<Name extends keyof Settings>(name: Name, value: Settings[Name]): void {
  settings[name] = value;
  save(KEY, settings);
}

/** Whether the last click or tap must be confirmed: a finger slips more easily than a mouse. */
export const confirms = (): boolean =>
  settings.confirm === "always" || (settings.confirm === "touch" && pointer() === "touch");

const dark = matchMedia("(prefers-color-scheme: dark)");
const still = matchMedia("(prefers-reduced-motion: reduce)");
let prefersDark = $state(dark.matches);
let reducedMotion = $state(still.matches);
dark.addEventListener("change", () => (prefersDark = dark.matches));
still.addEventListener("change", () => (reducedMotion = still.matches));

export const theme = (): "light" | "dark" =>
  settings.theme === "auto" ? (prefersDark ? "dark" : "light") : settings.theme;

/** The factor for the duration of animations; 0: there are none. */
export const pace = (): number =>
  reducedMotion ? 0 : { off: 0, slow: 1.8, normal: 1, fast: 0.45 }[settings.speed];
