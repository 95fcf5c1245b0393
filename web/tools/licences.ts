import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Plugin } from "vite";

const NAME = "licences.txt";
const PACKAGE = /^(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//;
const LINE = "-".repeat(72);

/** The text of a package's licence; the build fails without one. */
function licence(folder: string): string {
  const file = readdirSync(folder).find((name) => /^licen[cs]e(\.(md|txt))?$/i.test(name));
  if (!file) throw new Error(`${folder} has no licence to pass on`);
  return readFileSync(join(folder, file), "utf8").trim();
}

/** Write the licences of Macaz and of all packages that have a file in the bundle. */
export function licences(): Plugin {
  return {
    name: "macaz-licences",
    apply: "build",
    generateBundle(_, bundle) {
      const used = Object.values(bundle).flatMap((part) =>
        part.type === "chunk"
          ? Object.entries(part.modules).flatMap(([id, { renderedLength }]) => (renderedLength ? [id] : []))
          : part.originalFileNames.map((name) => resolve(import.meta.dirname, "..", name)),
      );
      const folders = new Map<string, string>();
      for (const file of used) {
        const [, folder, name] = PACKAGE.exec(file.replaceAll("\\", "/")) ?? [];
        if (folder && name) folders.set(name, folder);
      }
      const parts = [...folders.keys()].sort().map((name) => [name, licence(folders.get(name) ?? "")]);
      parts.unshift(["Macaz", licence(resolve(import.meta.dirname, "../.."))]);
      const source = parts.map(([name, text]) => `${LINE}\n${name}\n${LINE}\n\n${text}\n`).join("\n");
      this.emitFile({ type: "asset", fileName: NAME, source });
    },
  };
}
