import { fileURLToPath } from "node:url";

import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

import { FIRST, inLanguage, languages, translated } from "./translated.ts";

/** With the games of the tests, for a folder of its own: never for what is served to people. */
export const forTests = process.env["GAMUT_TEST_GAMES"] === "1";
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
export const PAGE = here(forTests ? "../build/page-with-test-games" : "../src/gamut/page");

/** The mode is a language: `vite --mode de` shows the page in German. Every other mode is English. */
export default defineConfig(({ mode }) => {
  const language = languages().includes(mode) ? mode : FIRST;
  return {
    plugins: [translated(language), svelte()],
    resolve: { alias: forTests ? [{ find: /^\.\/more_games\.ts$/, replacement: here("tests/parlour/more_games.ts") }] : [] },
    build: {
      outDir: PAGE,
      emptyOutDir: false,
      target: "es2022",
      cssTarget: ["chrome123", "firefox120", "safari17.5"],
      // Under the strict content policy nothing may be inlined, and everything hashed is cached for ever.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: { input: here(inLanguage("index.html", language)), checks: { pluginTimings: false } },
    },
    server: {
      proxy: {
        "/api": "http://127.0.0.1:8080",
        "/hall": { target: "ws://127.0.0.1:8080", ws: true },
      },
    },
    test: { include: ["tests/**/*.test.ts"], environment: "node" },
  };
});
