import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";

import svelteConfig from "./svelte.config.js";

export default ts.config(
  { ignores: ["node_modules", "src/net/wire.ts"] },
  js.configs.recommended,
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  { languageOptions: { globals: globals.browser } },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: {
      parserOptions: { parser: ts.parser, extraFileExtensions: [".svelte"], svelteConfig },
    },
  },
  { files: ["tools/**", "*.config.{js,ts}"], languageOptions: { globals: globals.node } },
  {
    rules: {
      "no-undef": "off", // TypeScript checks this
      eqeqeq: ["error", "always", { null: "ignore" }],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      // Sets and maps in state are replaced as a whole here, never mutated.
      "svelte/prefer-svelte-reactivity": "off",
      // It reads the explanation of an ignored warning as the names of further warnings.
      "svelte/no-unused-svelte-ignore": "off",
    },
  },
);
