import { existsSync, readdirSync } from "node:fs";

import type { Plugin } from "vite";

/** The language of modules that say no other: `texts.ts` is English, `texts.de.ts` the same in German. */
export const FIRST = "en";

/** Every language in which there is a page: `index.html` is English, `index.de.html` German. */
export function languages(): string[] {
  const others = readdirSync(import.meta.dirname).flatMap((name) => /^index\.(\w+)\.html$/.exec(name)?.[1] ?? []);
  return [FIRST, ...others.sort()];
}

/** The page's own name of a file in a language, and that of a module. */
export function inLanguage(path: string, language: string): string {
  return language === FIRST ? path : path.replace(/\.(\w+)$/, `.${language}.$1`);
}

/** Where a module has been written in this language, that is what everybody gets who imports it. */
export function translated(language: string): Plugin {
  return {
    name: "translated",
    enforce: "pre",
    async resolveId(source, importer, options) {
      if (language === FIRST || !source.startsWith(".") || !source.endsWith(".ts")) return null;
      const found = await this.resolve(source, importer, { ...options, skipSelf: true });
      const sibling = found === null ? "" : inLanguage(found.id, language);
      return existsSync(sibling) && importer !== sibling ? sibling : found;
    },
  };
}
