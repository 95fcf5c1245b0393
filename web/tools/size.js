// Print how much a first visit downloads, compressed, and fail above the limit.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const LIMIT = 250;
const folder = fileURLToPath(new URL("../../src/macaz/server/page_files", import.meta.url));
const page = readFileSync(join(folder, "index.html"), "utf8");

function size(names) {
  const bytes = names.map((name) => gzipSync(readFileSync(join(folder, name)), { level: 9 }).length);
  return bytes.reduce((sum, more) => sum + more, 0) / 1000;
}

// The page names the files of all static imports of the entry; dynamic imports are loaded later.
const named = [...page.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.(?:js|css))"/g)].map((match) => match[1]);
const assets = readdirSync(join(folder, "assets")).map((name) => `assets/${name}`);
const fonts = assets.filter((name) => name.endsWith(".woff2"));
const later = assets.filter((name) => !named.includes(name) && !fonts.includes(name));
const code = size(["index.html", ...named]);
const letters = size(fonts);
const first = code + letters;

console.log(
  `Size of the page: ${first.toFixed(0)} kB at first (${letters.toFixed(0)} kB of them fonts), ` +
    `${size(later).toFixed(0)} kB when needed`,
);
if (named.length === 0) throw new Error("the page names no script");
if (first > LIMIT) {
  console.error(`At most ${LIMIT} kB may be needed at first. Import a screen only when it is shown.`);
  process.exit(1);
}
