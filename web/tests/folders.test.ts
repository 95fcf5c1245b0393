// The folders of web/src, and which of them may import which.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

/** A folder may import the folders of the layers before its own; folders of one layer do not know each other. */
const LAYERS: readonly (readonly string[])[] = [
  ["net", "style"],
  ["local"],
  ["analysis"],
  ["words"],
  ["art"],
  ["ui"],
  ["game"],
  ["board"],
  ["guide", "poster", "room"],
  ["home", "replay", "rules", "table"],
  ["lessons", "study"],
  ["puzzles"],
  ["screens"],
  ["."], // App.svelte and main.ts
];

const ROOT = fileURLToPath(new URL("../src", import.meta.url));
// Static and dynamic imports, those of types, and exports from another file; in markup, too.
const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*)(["'])(\.{1,2}\/[^"']+)\1/g;

const importsOf = (source: string): string[] => [...source.matchAll(IMPORT)].map(([, , path = ""]) => path);

/** The folder of a path below src; "." for a file that lies in src itself. */
function folderOf(path: string): string {
  const [first = "", ...rest] = relative(ROOT, path).split(sep);
  return rest.length ? first : ".";
}

const layerOf = (folder: string): number => LAYERS.findIndex((layer) => layer.includes(folder));

const files = readdirSync(ROOT, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name));

const arrows = files
  .filter((path) => /\.(ts|svelte)$/.test(path))
  .flatMap((path) => {
    return importsOf(readFileSync(path, "utf8")).map((to) => ({ from: path, to: join(dirname(path), to) }));
  });

test("all kinds of imports are found", () => {
  const source = `
    import a from "./a.ts";
    import type { B } from '../net/b.ts';
    import "../style/c.css";
    import {
      d,
    } from "../ui/d.ts";
    export { e } from "./e.ts";
    type F = typeof import("./f.ts");
    <Lazy load={() => import("./g.svelte")}>
    import { untrack } from "svelte";`;
  const found = ["./a.ts", "../net/b.ts", "../style/c.css", "../ui/d.ts", "./e.ts", "./f.ts", "./g.svelte"];
  expect(importsOf(source)).toEqual(found);
  expect(arrows.filter(({ to }) => !files.includes(to))).toEqual([]);
});

test("every folder has a layer, and only the entry lies outside the folders", () => {
  expect([...new Set(files.map(folderOf))].sort()).toEqual(LAYERS.flat().sort());
  const outside = files.filter((path) => folderOf(path) === ".").map((path) => relative(ROOT, path));
  expect(outside.sort()).toEqual(["App.svelte", "main.ts"]);
});

test("imports point to earlier layers only", () => {
  const wrong = arrows.filter(({ from, to }) => {
    const [importer, imported] = [folderOf(from), folderOf(to)];
    return importer !== imported && layerOf(imported) >= layerOf(importer);
  });
  expect(wrong.map(({ from, to }) => `${relative(ROOT, from)} imports ${relative(ROOT, to)}`)).toEqual([]);
});
