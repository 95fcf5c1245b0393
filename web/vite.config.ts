import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

import { licences } from "./tools/licences.ts";
import { serviceWorker } from "./tools/service-worker.ts";

const SERVER = "http://127.0.0.1:8124"; // where `make play` serves, unless told otherwise

export default defineConfig({
  base: "./", // a static site may lie in any folder
  plugins: [svelte(), licences(), serviceWorker()],
  build: {
    outDir: "../src/macaz/server/page_files",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // the server's policy allows no data: addresses
    modulePreload: { polyfill: false },
  },
  resolve: process.env.VITEST ? { conditions: ["browser"] } : {}, // tests mount components
  server: {
    proxy: { "/api": { target: SERVER, ws: true }, "/data": SERVER },
  },
  test: {
    include: ["src/**/*.test.ts", "tests/**/*.test.ts"],
  },
});
