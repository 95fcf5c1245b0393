import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import type { Plugin } from "vite";

const NAME = "sw.js";
const SOURCE = new URL("./sw.js", import.meta.url);
const WORDS = new URL("../src/words/", import.meta.url);
const SPOKEN = /^(?:notice|edition-name|option-name|bot-name)\./; // the keys of texts in notices

/** The names of all files of a folder and of those in it: "assets/index.js". */
function namesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll("\\", "/"),
    )
    .filter((name) => name !== NAME)
    .sort();
}

/** The texts of notices, which the service worker shows while no page is open, by language. */
function noticeWords(): Record<string, Record<string, string>> {
  const texts = (language: string): [string, string][] =>
    namesOf(fileURLToPath(new URL(language, WORDS))).flatMap((name) => {
      const words = JSON.parse(readFileSync(new URL(`${language}/${name}`, WORDS), "utf8")) as object;
      return Object.entries(words).filter(([key]) => SPOKEN.test(key)) as [string, string][];
    });
  return { en: Object.fromEntries(texts("en")), ro: Object.fromEntries(texts("ro")) };
}

/** Write the service worker last: it contains the list of files and a version computed from their content. */
export function serviceWorker(): Plugin {
  return {
    name: "macaz-service-worker",
    apply: "build",
    writeBundle: {
      order: "post",
      sequential: true,
      handler({ dir }) {
        if (!dir) throw new Error("no folder to write into");
        const files = namesOf(dir);
        const source = readFileSync(SOURCE, "utf8");
        const hash = createHash("sha256").update(source);
        for (const file of files) hash.update(file).update(readFileSync(join(dir, file)));
        const version = hash.digest("hex").slice(0, 16);
        const kept = files.filter((file) => !file.startsWith("icons/")); // the operating system stores those
        const shell = kept.map((file) => (file === "index.html" ? "" : file));
        const facts = {
          VERSION: version,
          FILES: shell,
          WORDS: noticeWords(),
        };
        const head = Object.entries(facts).map(
          ([name, value]) => `const ${name} = ${JSON.stringify(value, null, 2)};\n`,
        );
        writeFileSync(join(dir, NAME), `${head.join("")}\n${source}`);
      },
    },
  };
}
