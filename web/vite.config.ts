import { fileURLToPath } from "node:url";

import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

import { compressed } from "./compressed.ts";

/** With the games of the tests, for a folder of its own: never for what is served to people. */
const forTests = process.env["GAMUT_TEST_GAMES"] === "1";
const testGames = fileURLToPath(new URL("tests/parlour/more_games.ts", import.meta.url));

export default defineConfig({
  plugins: [svelte(), compressed()],
  resolve: { alias: forTests ? [{ find: /^\.\/more_games\.ts$/, replacement: testGames }] : [] },
  build: {
    outDir: forTests ? "../build/page-with-test-games" : "../src/gamut/page",
    emptyOutDir: true,
    target: "es2022",
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    // Under the strict content policy nothing may be inlined, and everything hashed is cached for ever.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  server: {
    proxy: {
      "/api": "http://127.0.0.1:8080",
      "/hall": { target: "ws://127.0.0.1:8080", ws: true },
    },
  },
  test: { include: ["tests/**/*.test.ts"], environment: "node" },
});
