/** Builds the page in every language, one after the other into one folder: what they have in common is there once. */
import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

import { build, type Rolldown } from "vite";

import { compress } from "./compressed.ts";
import { FIRST, inLanguage, languages } from "./translated.ts";
import { forTests, PAGE } from "./vite.config.ts";

/** What the page needs without a network beside its own parts. */
const BESIDE = ["/favicon.svg", "/icon-192.png"];

async function buildPage(language: string): Promise<string[]> {
  const built = (await build({ mode: language, logLevel: "warn" })) as Rolldown.RolldownOutput;
  const parts = built.output.map(({ fileName }) => `/${fileName}`).filter((path) => path.startsWith("/assets/"));
  return [...parts.sort(), ...BESIDE, inLanguage("/manifest.webmanifest", language)];
}

/** Its name stays the same: browsers compare what is in it to find out whether there is a new version. */
async function buildWorker(files: Record<string, string[]>): Promise<void> {
  const digest = createHash("sha256");
  for (const [language, paths] of Object.entries(files)) {
    const shell = inLanguage("/index.html", language);
    for (const path of [shell, ...paths]) digest.update(path).update(readFileSync(join(PAGE, path)));
  }
  const version = digest.digest("hex").slice(0, 16);
  await build({
    configFile: false,
    logLevel: "warn",
    define: { PAGE: JSON.stringify({ version, files }) },
    build: {
      outDir: PAGE,
      emptyOutDir: false,
      copyPublicDir: false,
      target: "es2022",
      reportCompressedSize: false,
      rolldownOptions: {
        input: join(import.meta.dirname, "src/worker/worker.ts"),
        output: { entryFileNames: "worker.js", format: "iife" },
      },
    },
  });
}

rmSync(PAGE, { recursive: true, force: true });
const files: Record<string, string[]> = {};
for (const language of forTests ? [FIRST] : languages()) files[language] = await buildPage(language);
await buildWorker(files);
compress(PAGE);
