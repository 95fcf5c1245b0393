// The words of the page, in the language of whoever reads it.

export const LANGUAGES = { en: "English", ro: "Română" };

const wished = localStorage.getItem("macaz-language") ?? navigator.language.slice(0, 2);
export const language = wished in LANGUAGES ? wished : "en";

const words = await (await fetch(`/assets/${language}.json`)).json();
const form = new Intl.PluralRules(language);

/** Whether there is a text of that key. */
export const known = (key) => key in words;

/** The text of a key, with its {parts} filled in. */
export function t(key, parts = {}) {
  return (words[key] ?? key).replace(/\{(\w+)\}/g, (whole, name) => parts[name] ?? whole);
}

/** So many of something: the key has a text for each form of a number. */
export function count(n, key) {
  const forms = words[key];
  return (forms[form.select(n)] ?? forms.other).replace("{n}", n);
}

/** "a, b and c". */
export const listed = (things) => new Intl.ListFormat(language).format(things);

/** Why the server refused: it speaks English; for others a sentence for its code. */
export const refusal = ({ code, message }) => (language === "en" || !known(`code.${code}`) ? message : t(`code.${code}`));

export function useLanguage(name) {
  localStorage.setItem("macaz-language", name);
  location.reload();
}
