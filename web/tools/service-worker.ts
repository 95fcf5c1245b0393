import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

const NAME = "sw.js";
const SOURCE = new URL("./sw.js", import.meta.url);

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
        const facts = `const VERSION = "${version}";\nconst FILES = ${JSON.stringify(shell, null, 2)};\n\n`;
        writeFileSync(join(dir, NAME), facts + source);
      },
    },
  };
}
