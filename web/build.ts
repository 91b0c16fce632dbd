/** Builds the page in every language, one after the other into one folder: what they have in common is there once. */
import { rmSync } from "node:fs";

import { build } from "vite";

import { compress } from "./compressed.ts";
import { FIRST, languages } from "./translated.ts";
import { forTests, PAGE } from "./vite.config.ts";

rmSync(PAGE, { recursive: true, force: true });
for (const language of forTests ? [FIRST] : languages()) await build({ mode: language, logLevel: "warn" });
compress(PAGE);
