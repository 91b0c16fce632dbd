import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

import { parse, type AST } from "svelte/compiler";
import { describe, expect, it } from "vitest";

import { LANGUAGES } from "../src/texts/languages.ts";
import { FIRST, inLanguage, languages } from "../translated.ts";

const WEB = join(import.meta.dirname, "..");
const SOURCE = join(WEB, "src");
const OTHERS = languages().filter((language) => language !== FIRST);
const FILES = readdirSync(SOURCE, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.(ts|svelte)$/.test(entry.name))
  .map((entry) => relative(SOURCE, join(entry.parentPath, entry.name)))
  .sort();
const TRANSLATIONS = new RegExp(`\\.(${OTHERS.join("|")})\\.ts$`);
const SOURCES = FILES.filter((path) => !TRANSLATIONS.test(path));
/** Modules of words: by their name, or because somebody has written one in another language. */
const MODULES = SOURCES.filter(
  (path) =>
    /(^|[/_])(texts|page|grammar)\.ts$/.test(path) ||
    // What the server refuses it says itself in English (tests/net/test_refusals.py).
    (!path.endsWith("/refusals.ts") && OTHERS.some((language) => existsSync(join(SOURCE, inLanguage(path, language))))),
);

const read = (path: string) => readFileSync(join(SOURCE, path), "utf8");

async function exported(path: string): Promise<Record<string, unknown>> {
  return (await import(join(SOURCE, path))) as Record<string, unknown>;
}

/** Every text of a module, by its path: `words.form.title`. */
function texts(value: unknown, path: string): [path: string, text: string | ((...args: never[]) => unknown)][] {
  if (typeof value === "string" || typeof value === "function") return [[path, value as string]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inside]) => texts(inside, `${path}.${key}`));
}

const shape = (module: Record<string, unknown>) =>
  Object.entries(module)
    .flatMap(([name, value]) => texts(value, name))
    .map(([path, text]) => (typeof text === "function" ? `${path}(${text.length})` : path))
    .sort();

describe("languages", () => {
  it("are offered by their own names, each of those that are built and no other", () => {
    expect(Object.keys(LANGUAGES).sort()).toEqual(languages().sort());
  });

  it.each(OTHERS)("%s begins with the same page", (language) => {
    const plain = (path: string) =>
      readFileSync(join(WEB, path), "utf8")
        .replace(/lang="\w+"/, "")
        .replace(/(name="description" content=")[^"]+/, "$1")
        .replace(/manifest(\.\w+)?\.webmanifest/, "manifest")
        .replace(/(<noscript>)[^]*(<\/noscript>)/, "$1$2");
    expect(plain(inLanguage("index.html", language))).toBe(plain("index.html"));
    expect(readFileSync(join(WEB, inLanguage("index.html", language)), "utf8")).toContain(`lang="${language}"`);
    const manifest = (path: string) => JSON.parse(readFileSync(join(WEB, path), "utf8")) as Record<string, unknown>;
    const own = manifest(inLanguage("public/manifest.webmanifest", language));
    expect(own["lang"]).toBe(language);
    expect({ ...own, lang: "", description: "" }).toEqual({ ...manifest("public/manifest.webmanifest"), lang: "", description: "" });
  });

  it("have words to look at", () => {
    expect(MODULES.length).toBeGreaterThan(12);
  });

  describe.each(OTHERS)("%s", (language) => {
    it.each(MODULES)("says all of %s, and nothing else", async (path) => {
      const own = inLanguage(path, language);
      expect(existsSync(join(SOURCE, own)), `${own} is missing`).toBe(true);
      expect(shape(await exported(own))).toEqual(shape(await exported(path)));
    });
  });

  it.each(FILES.filter((path) => MODULES.includes(path) || TRANSLATIONS.test(path)))("%s has no empty text", async (path) => {
    const blank = Object.entries(await exported(path))
      .flatMap(([name, value]) => texts(value, name))
      .filter(([, text]) => typeof text === "string" && text.trim() === "");
    expect(blank).toEqual([]);
  });
});

/** Where in the modules of words each name of a source file leads: `words` to `games/tower/texts.ts words`. */
function names(path: string, source: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, list, from] of source.matchAll(/import(?! type)\s*{([^}]*)}\s*from\s*"(\.[^"]+)"/g)) {
    let module = relative(SOURCE, join(SOURCE, path, "..", from!));
    if (module === "texts/index.ts") module = "texts/page.ts";
    if (!MODULES.includes(module)) continue;
    for (const part of list!.split(",")) {
      const [, name, as] = /(\w+)(?:\s+as\s+(\w+))?/.exec(part.trim()) ?? [];
      if (name !== undefined) found.set(as ?? name, `${module} ${name}`);
    }
  }
  if (MODULES.includes(path)) for (const [, name] of source.matchAll(/export const (\w+)/g)) found.set(name!, `${path} ${name}`);
  return found;
}

/** Every text that a source file uses, or all texts that begin like that. */
function used(path: string): string[] {
  let source = read(path).replaceAll("?.", ".").replaceAll("!.", ".");
  const known = names(path, source);
  if (known.size === 0) return [];
  // Another name for a part of the words uses none of them yet.
  const lead = (chain: string) => {
    const [name, ...rest] = chain.split(".");
    const start = known.get(name!);
    return start === undefined ? undefined : [start, ...rest].join(".");
  };
  source = source.replace(/(?:const|let) (\w+) = ((\w+)(?:\.\w+)*);/g, (whole, name: string, chain: string) => {
    const leads = lead(chain);
    if (leads !== undefined) known.set(name, leads);
    return leads === undefined ? whole : "";
  });
  source = source.replace(/import [^;]*;/g, "").replace(/export const \w+/g, "");
  return [...source.matchAll(/(?<!\w|[\w)\]]\s*\.)\w+(?:\s*\.\s*\w+)*/g)].flatMap(([chain]) => lead(chain.replace(/\s/g, "")) ?? []);
}

/** A use as far as it leads to words: what is done with them is not part of it, as in `words.list.map`. */
function whole(use: string, modules: ReadonlyMap<string, Record<string, unknown>>): string {
  const [module, chain] = use.split(" ") as [string, string];
  let value: unknown = modules.get(module);
  const parts = chain.split(".");
  const end = parts.findIndex((part) => {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return true;
    value = (value as Record<string, unknown>)[part];
    return false;
  });
  return `${module} ${parts.slice(0, end < 0 ? parts.length : end).join(".")}`;
}

describe("every text", () => {
  it("is used somewhere", async () => {
    const modules = new Map(await Promise.all(MODULES.map(async (path) => [path, await exported(path)] as const)));
    const uses = new Set(SOURCES.flatMap(used).map((use) => whole(use, modules)));
    const unused: string[] = [];
    for (const module of MODULES) {
      for (const [name, value] of Object.entries(modules.get(module)!)) {
        for (const [path] of texts(value, name)) {
          const parts = path.split(".");
          const beginnings = parts.map((_, index) => `${module} ${parts.slice(0, index + 1).join(".")}`);
          if (!beginnings.some((beginning) => uses.has(beginning))) unused.push(`${module}: ${path}`);
        }
      }
    }
    expect(unused).toEqual([]);
  });
});

const SAID = /^(aria-label|aria-description|aria-roledescription|title|alt|placeholder|label|text|hint|legend|picture|empty)$/;
/** A letter by itself is a sign: the mark of a seat, the initial of a chain. */
const WORDS = /\p{L}{2}/u;

/** Words that stand in a component itself. */
function inline(path: string): string[] {
  const found: string[] = [];
  const { fragment } = parse(read(path), { modern: true });
  const look = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(look);
    if (typeof node !== "object" || node === null || Array.isArray(node)) return;
    const { type, name, value, data } = node as { type?: string; name?: string; value?: unknown; data?: string };
    if (type === "Text" && WORDS.test(data ?? "")) found.push(data!.trim());
    if (type === "StyleDirective" || (type === "Attribute" && Array.isArray(value) && !SAID.test(name ?? ""))) return;
    for (const [key, inside] of Object.entries(node as AST.BaseNode)) if (key !== "metadata" && key !== "parent") look(inside);
  };
  look(fragment.nodes);
  return found;
}

describe("components", () => {
  it.each(SOURCES.filter((path) => path.endsWith(".svelte")))("%s has no words of its own", (path) => {
    expect(inline(path)).toEqual([]);
  });
});
